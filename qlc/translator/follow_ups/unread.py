"""What is said where a follow-up cannot be read as a change: why not, and what can be said in its place."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from qlc.grammar import tree
from qlc.outcome import Explain
from qlc.translator.explanations import asked_about, explanation
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.asides import speaks_of_the_last
from qlc.translator.follow_ups.completeness import is_a_noun_alone
from qlc.translator.follow_ups.content import Meaning
from qlc.translator.follow_ups.editing import LEFT_OUT
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import is_answered, latest, remembered
from qlc.translator.protocol import CannotSay, Explained, Need, Question, Translation
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english as plain

NOT_SEARCHED = "Nothing was searched for: the message before this one was not understood. Say it in other words first."

BEFORE_IT = "To go on with what was asked before it, say 'back to my last search'."

NO_SUCH_FILTER = "The last question asks for nothing of that kind, so nothing can be left out of it."

ALL_OF_THEM = "Without the filter '{0}' that is all {1} there are: say which ones, in which order, or how many."

WHICH_FILTER = "It is not said which filter is to go: say it by its name, as in 'forget the date'."

def unheard(question: Question) -> tuple[str, ...]:
    """What is said where the message before was not understood: that, and how to go on with what stands before it."""
    if is_answered(question.history[-1]):
        return ()
    searched = any(turn.program and is_answered(turn) for turn in question.history)
    return (f"{NOT_SEARCHED} {BEFORE_IT}" if searched else NOT_SEARCHED,)


def goes_on_unheard(p: Parse, mode: Mode) -> bool:
    """Whether a text goes on from a message that was not understood: `just the reports`, `and Ann?`, `same for 2024`.
    What it names by itself is no answer to that."""
    if narrows(p) or (mode == "narrow" and is_a_noun_alone(p)):
        return True
    begin = p.past(0, plain.POLITE)
    and_more = begin + 1 if p.word(begin) in plain.AND - {"yet"} else begin
    starts = {and_more, *p.phrases(and_more, english.LIKENING)} - {begin}
    asks = any(True for start in starts for _ in p.phrases(start, plain.ASKING)) or any(
        p.word(start) in plain.ASKING_WORDS for start in starts)  # fmt: skip
    return bool(starts) and not asks


def narrows(p: Parse) -> bool:
    """`just the reports`, but not `just show me the reports`: of what was found, whatever it names."""
    begins = range(p.past(0, plain.POLITE | plain.AND) + 1)
    return any(p.word(at) in english.ONLY and not any(True for _ in p.phrases(at + 1, plain.ASKING)) for at in begins)


def which_filter(question: Question) -> Generator[Need, Any, Explained]:
    """That it cannot be told which condition is to go, and which there are."""
    about = asked_about("which filters", question.history, question.schema)
    assert about is not None
    told = yield from explanation(about, question.schema)
    return Explained(told.model_copy(update={"message": f"{WHICH_FILTER} {told.message}"}))


def those_of_no_condition(meanings: Sequence[Meaning]) -> Explain | None:
    """`forget the folder`, of a list that asks for nothing else: all things are no list that anybody reads."""
    for one in meanings:
        way = one.ways[0]
        left = way.statement if one.drops and isinstance(way.statement, tree.Find) else None
        if left is not None and left.where is None and left.limit is None and isinstance(left.entity, tree.Name):
            things = left.entity.text.replace("_", " ")
            gone = "; ".join(note.removeprefix(LEFT_OUT).rstrip(".") for note in way.notes)
            return Explain(message=ALL_OF_THEM.format(gone, things), about="filters")
    return None


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
