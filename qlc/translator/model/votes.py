"""Several answers of a model to one question: what most agree on, or a question back where its programs differ."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from qlc.outcome import AggregateOut, Count, Hits, Outcome, ValueOut, answer_key
from qlc.translator.protocol import AskBack, CannotSay, Need, Question, Step, Translated, Translation, Try
from qlc.translator.rules.programs import normal_form

DIFFER = "The language model read this in different ways. Which do you mean?"
SOME = "{n} of {all} readings of the language model found no query."
FEWER = "The language model could be asked {n} times instead of {all}."
MOST_OPTIONS = 5
_MOST_COLUMNS = 3
"""Most columns of a list that is compared by its columns. A list with more shows whole documents, and is compared by
their names."""


def decided(said: Sequence[Translation], question: Question, steps: list[Step]) -> Generator[Need, Any, Translation]:
    """Return the program that all programs agree with, by their typed trees or else by what their answers tell.

    Programs with other answers become a question back, whose options the reader gets in words. Where half of the
    results and more are no programs, the first of these counts.
    """
    came = [one for one in said if not (isinstance(one, CannotSay) and one.failed)]
    programs = [one for one in came if isinstance(one, Translated)]
    others = [one for one in came if not isinstance(one, Translated)]
    if len(programs) <= len(others):
        return others[0] if others else said[0]
    by_meaning: dict[str, Translated] = {}
    for one in programs:
        by_meaning.setdefault(normal_form(one.program, question.schema), one)
    different: list[tuple[Translated, Outcome | None]] = []
    for one in by_meaning.values():
        outcome = (yield Try(one.program)) if len(by_meaning) > 1 else None
        if not any(_tells_the_same(outcome, other) for _, other in different):
            different.append((one, outcome))
    steps.append(Step("model", "votes", {"programs": len(programs), "meanings": len(by_meaning),
                                         "answers": len(different)}))  # fmt: skip
    first, *rest = [one for one, _ in different]
    if rest:
        return AskBack(DIFFER, tuple((one.program, one.program) for one in (first, *rest[: MOST_OPTIONS - 1])))
    notes = [SOME.format(n=len(others), all=len(said))] if others else []
    notes += [FEWER.format(n=len(came), all=len(said))] if len(came) < len(said) else []
    return Translated(first.program, (*first.notes, *notes))


def _tells_the_same(one: Outcome | None, other: Outcome | None) -> bool:
    """Return whether two answers have one content: `count lamps` and `distinct(name) of lamps`."""
    if one is None or other is None or answer_key(one) == answer_key(other):
        return True
    return one.kind != other.kind and not _columns(one).isdisjoint(_columns(other))


def _columns(outcome: Outcome) -> set[frozenset[str]]:
    """Return the columns that an answer may be read by, each as the set of its values."""
    match outcome:
        case Count() | ValueOut():
            value: Any = outcome.value
            value = (*value.values(),) if isinstance(value, Mapping) else value
            columns = [value if isinstance(value, list) else [value]]
        case AggregateOut():
            columns = [[row.key for row in outcome.rows], [row.value for row in outcome.rows]]
        case Hits() if outcome.total == len(outcome.hits):
            shown = outcome.columns if len(outcome.columns) <= _MOST_COLUMNS else []
            rows = [tuple(hit.values.get(name) for name in shown) for hit in outcome.hits if shown]
            columns = [[hit.name for hit in outcome.hits], rows, *map(list, zip(*rows, strict=True))]
        case _:
            return set()
    return {frozenset(map(str, one)) for one in columns if one and None not in one}
