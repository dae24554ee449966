"""What is said where a follow-up cannot be read as a change: why not, and what can be said in its place."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from qlc.translator.explanations import asked_about, explanation
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.asides import speaks_of_the_last
from qlc.translator.follow_ups.history import is_answered, latest, remembered
from qlc.translator.protocol import CannotSay, Explained, Need, Question, Translation
from qlc.translator.rules import english as plain
from qlc.translator.rules.parse import Parse

NOT_SEARCHED = "Nothing was searched for: the message before this one was not understood. Say it in other words first."

BEFORE_IT = "To go on with what was asked before it, say 'back to my last search'."

NO_SUCH_FILTER = "The last question asks for nothing of that kind, so nothing can be left out of it."

def unheard(question: Question) -> tuple[str, ...]:
    """What is said where the message before was not understood: that, and how to go on with what stands before it."""
    if is_answered(question.history[-1]):
        return ()
    searched = any(turn.program and is_answered(turn) for turn in question.history)
    return (f"{NOT_SEARCHED} {BEFORE_IT}" if searched else NOT_SEARCHED,)


def narrows(p: Parse) -> bool:
    """`just the reports`, but not `just show me the reports`: of what was found, whatever it names."""
    begins = range(p.past(0, plain.POLITE | plain.AND) + 1)
    return any(p.word(at) in english.ONLY and not any(True for _ in p.phrases(at + 1, plain.ASKING)) for at in begins)


def nothing_of_it(question: Question) -> Generator[Need, Any, Explained]:
    """That a search has no such condition, and which it has: it stays as it is."""
    about = asked_about("which filters", question.history, question.schema)
    assert about is not None
    told = yield from explanation(about, question.schema)
    return Explained(told.model_copy(update={"message": f"{NO_SUCH_FILTER} {told.message}"}))


def last_of_more(said: Translation, question: Question) -> Translation:
    """A text about the last of a list of which only a part was shown: nobody knows which one that is."""
    shown = latest(remembered(question.history)) if isinstance(said, CannotSay) and question.history else None
    if not isinstance(said, CannotSay) or shown is None or shown.kind != "hits" or shown.complete or not shown.ids:
        return said
    if not speaks_of_the_last(question.text):
        return said
    total = int(shown.turn.outcome.get("total") or 0)
    last = len(shown.ids)
    note = (
        f"The list has {total:,}, and {last:,} are shown. Say 'number {last}' for the last one that is shown, or "
        "'the rest' to see the list to its end."
    )
    return replace(said, words=(), notes=(note, *said.notes))
