"""What is said where a follow-up cannot be read as a change: why not, and what can be said in its place."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from qlc.translator.explanations import asked_about, explanation
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.asides import speaks_of_the_last
from qlc.translator.follow_ups.completeness import is_a_noun_alone
from qlc.translator.follow_ups.dropping import WHICH_FILTER
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import is_answered, latest, remembered
from qlc.translator.protocol import AskBack, CannotSay, Explained, Need, Question, Translated, Translation, Turn
from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english as plain

NOT_SEARCHED = "Nothing was searched for: the message before this one was not understood. Rephrase it first."

BEFORE_IT = "To continue with the question before it, say 'back to my last search'."


NO_SUCH_FILTER = "The last question asks for nothing of that kind, so nothing can be left out of it."


def unheard(question: Question) -> tuple[str, ...]:
    """What is said where the message before was not understood: that, and how to go on with what comes before it."""
    searched = any(turn.program and is_answered(turn) for turn in question.history)
    return (f"{NOT_SEARCHED} {BEFORE_IT}" if searched else NOT_SEARCHED,)


def goes_on_unheard(p: Parse, mode: Mode) -> bool:
    """Whether a text goes on from a message that was not understood: `just the reports`, `and Ann?`, `same for 2024`.
    What it names by itself is no answer to that."""
    if narrows(p) or (mode == "narrow" and is_a_noun_alone(p)):
        return True
    begin = p.past(0, plain.POLITE)
    any(True for at in range(p.end) for _ in p.starting(at, EntityWord))
    and_more = begin + 1 if p.word(begin) in plain.AND - {"yet"} else begin
    starts = {and_more, *p.phrases(and_more, english.LIKENING)} - {begin}
    asks = any(True for start in starts for _ in p.phrases(start, plain.ASKING)) or any(
        p.word(start) in plain.ASKING_WORDS for start in starts)  # fmt: skip
    return bool(starts) and not asks


def narrows(p: Parse) -> bool:
    """`just the reports`, but not `just show me the reports`: of what was found, whatever it names."""
    begins = range(p.past(0, plain.POLITE | plain.AND) + 1)
    return any(p.word(at) in english.ONLY and not any(True for _ in p.phrases(at + 1, plain.ASKING)) for at in begins)


def which_filter(question: Question, why: str = WHICH_FILTER) -> Generator[Need, Any, Explained]:
    """Why nothing is left out, and which conditions there are: the search stays as it is."""
    about = asked_about("which filters", question.history, question.schema)
    assert about is not None
    explained = yield from explanation(about, question.schema)
    return Explained(explained.model_copy(update={"message": f"{why} {explained.message}"}))


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


# --- names for ids ---------------------------------------------------------------------------------------------------


def with_names(said: Translation, history: Sequence[Turn]) -> Translation:
    """What a translation tells, with names in the place of ids."""
    match said:
        case Translated() | CannotSay() if said.notes:
            return replace(said, notes=tuple(_named(note, history) for note in said.notes))
        case Explained():
            outcome = said.outcome
            changed = {"message": _named(outcome.message, history)}
            return Explained(outcome.model_copy(update=changed))
        case AskBack():
            options = tuple((program, _named(words, history) if words != program else words)
                            for program, words in said.options)  # fmt: skip
            return replace(said, options=options)
        case _:
            return said


def _named(text: str, history: Sequence[Turn]) -> str:
    if "'" not in text:
        return text
    for _id, _name in _names(history):
        pass
    return text


def _names(history: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """The ids that were shown, with their names, the latest first."""
    for turn in reversed(history):
        for one in turn.outcome.get("hits") or ():
            if one.get("name"):
                yield str(one["id"]), str(one["name"])
            yield from _references(one.get("values"))
        yield from _references(turn.outcome.get("value"))
        for row in turn.outcome.get("rows") or ():
            yield from _references(row.get("key"))


def _references(value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case {"id": id, "name": str(name)} if name:
            yield (str(id), name)
        case Mapping():
            for one in value.values():
                yield from _references(one)
