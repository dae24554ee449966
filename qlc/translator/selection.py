"""What counts of what several translators say of one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qlc.translator.protocol import AskBack, CannotSay, NotHeld, Refusal, Translated, Translation


def is_sure(said: Translation) -> bool:
    """Whether no other translator need be asked: what one knows nothing of, the next may know."""
    return not isinstance(said, CannotSay | NotHeld) and getattr(said, "sure", True)


def best_of(said: Sequence[Translation]) -> Translation:
    """What counts where none was sure: a guess that is kept; the last one that knows why there is no program; what none
    can say is unknown, with the words of the first."""
    for place, one in enumerate(said):
        later = [other for other in said[place + 1 :] if isinstance(other, CannotSay)]
        if len(later) == len(said) - place - 1 and _is_kept(one, later):
            return _noted(one, later)
    known = [place for place, one in enumerate(said) if isinstance(one, NotHeld | Refusal)]
    if known:
        return _noted(said[known[-1]], [one for one in said[known[-1] + 1 :] if isinstance(one, CannotSay)])
    return _unknown([one for one in said if isinstance(one, CannotSay)])


def _is_kept(one: Translation, later: Sequence[CannotSay]) -> bool:
    """Whether a guess is good enough: a question back is even for others who do not know; a program, where those who
    were asked about it came to no judgement."""
    return isinstance(one, AskBack) or (isinstance(one, Translated) and all(other.failed for other in later))


def _noted(one: Translation, later: Sequence[CannotSay]) -> Translation:
    notes = tuple(note for other in later for note in other.notes)
    return replace(one, notes=(*one.notes, *notes)) if isinstance(one, Translated | NotHeld | Refusal) else one


def _unknown(said: Sequence[CannotSay]) -> CannotSay:
    first = said[0] if said else CannotSay()
    most_helpful = next((one for one in said if one.suggestions or one.part or one.known), first)
    notes = tuple(note for one in said for note in one.notes)
    cannot_be = next((one.cannot_be for one in said if one.cannot_be), "")
    return replace(most_helpful, words=first.words, notes=notes, cannot_be=cannot_be)
