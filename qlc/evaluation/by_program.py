"""Right answers written as programs: the program's answer, from the same compiler, is the right one.

A gold of the kind `program` is converted to one of the other kinds here, before judging.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from qlc.base.errors import UsageError
from qlc.evaluation.questions import Expected, Line
from qlc.evaluation.scoring import row_label
from qlc.grammar import parse, print_statement
from qlc.grammar.tree import Aggregate, EntityLookup, Find, Get, Member, Statement
from qlc.outcome import AggregateOut, Clarify, Count, Hits, NotFound, Outcome, ValueOut
from qlc.pipeline.compiler import Compiler, all_pages

PAGE = 1_000
"""Page size for reading hits."""

NOTHING = {"kind": "value", "any_of": ["no", "none"]}
"""Also accepted for an empty list."""


def by_programs(
    path: Path, gold: Mapping[str, Expected], compiler: Compiler, options: Mapping[str, Any]
) -> dict[str, Expected]:
    """Return the right answers, with programs replaced by their answers. `path` is the file that they were read from.

    `options` are those of a run (`now`, `timezone`, ...), equal to those of the questions. Raises UsageError for a
    program without an answer, with its line and the reason.
    """
    found = {}
    for id, one in gold.items():
        try:
            golds = tuple(_resolved(turn, compiler, options) for turn in one.golds)
        except _NoAnswer as problem:
            raise UsageError(f"line {one.number} of '{path}' cannot be used: {problem}") from None
        found[id] = replace(one, golds=golds)
    return found


def gold_of(program: str, compiler: Compiler, options: Mapping[str, Any]) -> Line:
    """Return the answer of a program as gold. Raises ValueError if it has errors, or is not answered."""
    outcome = all_pages(compiler, program, **{**options, "size": PAGE})
    match outcome:
        case Hits():
            return _hits(outcome, parse(outcome.query).statement)
        case Count():
            return {"kind": "count", "value": outcome.value}
        case AggregateOut():
            return _aggregate(outcome, parse(outcome.query).statement)
        case ValueOut():
            statement = parse(outcome.query).statement
            if isinstance(statement, Get):
                return _properties(outcome.value, statement, compiler, options)
            return _measures(outcome.value, statement)
        case Clarify():
            return {"kind": "clarify", "candidates": [one.id for one in outcome.options]}
        case NotFound():
            return {"kind": "not_found", "what": outcome.what}
        case _:
            raise _NoAnswer(f"the program '{program}' has no answer: {_reasons(outcome)}")


class _NoAnswer(ValueError):
    pass


def _resolved(gold: Line, compiler: Compiler, options: Mapping[str, Any]) -> Line:
    """Replace every program in a gold (itself, alternatives, choices) by its answer."""
    found = {key: value for key, value in gold.items() if key != "also_accept"}
    also = [_resolved(one, compiler, options) for one in gold.get("also_accept", ())]
    if gold.get("kind") == "program":
        found = dict(gold_of(str(gold.get("program")), compiler, options))
        also = [*found.pop("also_accept", ()), *also]
    elif gold.get("kind") == "by_choice":
        chosen = gold.get("options", {})
        found["options"] = {id: _resolved(one, compiler, options) for id, one in chosen.items()}
    elif gold.get("kind") == "all":
        found["golds"] = [_resolved(one, compiler, options) for one in gold.get("golds", ())]
    flat = [part for one in also for part in (_alone(one), *one.get("also_accept", ()))]
    return {**found, "also_accept": flat} if flat else found


def _alone(gold: Line) -> Line:
    return {key: value for key, value in gold.items() if key != "also_accept"}


def _reasons(outcome: Outcome) -> str:
    errors = [note for note in outcome.diagnostics if note.severity == "error"]
    texts = [text for note in errors for text in (note.message, note.hint) if text]
    return "; ".join(texts) or outcome.message or outcome.kind


# --- kinds -----------------------------------------------------------------------------------------------------------


def _hits(outcome: Hits, statement: Statement) -> Line:
    """Return all ids, in order if the program sorts. An empty list accepts other ways to say so."""
    gold = {"kind": "hits", "ids": list(outcome.ids), "total": len(outcome.ids)}
    if not outcome.ids:
        return {**gold, "may_be_empty": True, "also_accept": [NOTHING]}
    return {**gold, "ordered": isinstance(statement, Find) and bool(statement.sort) and len(outcome.ids) > 1}


def _aggregate(outcome: AggregateOut, statement: Statement) -> Line:
    """Return the rows by label, as pairs if labels repeat; in order if the program sorts.

    With `limit 1` the label is enough.
    """
    labels = [row_label(row.key) for row in outcome.rows]
    assert isinstance(statement, Aggregate)
    golds = []
    for values in _columns(outcome):
        pairs = [[label, value] for label, value in zip(labels, values, strict=True)]
        buckets = pairs if len(set(labels)) < len(labels) else dict(zip(labels, values, strict=True))
        golds.append({"kind": "aggregate", "buckets": buckets, "ordered": bool(statement.sort)})
    if len(golds) > 1:
        return {"kind": "all", "golds": golds}
    if statement.limit == len(outcome.rows) == 1:
        return {**golds[0], "also_accept": [{"kind": "value", "any_of": _spellings(outcome.rows[0].key)}]}
    return golds[0]


def _columns(outcome: AggregateOut) -> list[list[Any]]:
    """Return the values of each measure."""
    if len(outcome.measures) > 1:
        return [[row.value[name] for row in outcome.rows] for name in outcome.measures]
    return [[row.value for row in outcome.rows]]


def _measures(value: Any, statement: Statement) -> Line:
    """Return the measures: counts are exact, other numbers can be rounded. Of several, each is required."""
    if isinstance(value, Mapping) and "id" not in value:
        return _each(list(value.values()))
    if not isinstance(value, int | float):
        return {"kind": "value", "any_of": _spellings(value)}
    function = statement.measures[0].function if isinstance(statement, Aggregate) else ""
    if function in ("count", "distinct"):
        return {"kind": "count", "value": value}
    return {"kind": "aggregate", "buckets": {"value": value}}


def _properties(value: Any, statement: Get, compiler: Compiler, options: Mapping[str, Any]) -> Line:
    """Return the requested properties. The entity itself is accepted too, since it is listed with its values."""
    if len(statement.items) > 1:
        gold = _each([part for part in value.values() if part is not None])
    else:
        gold = _each(value) if isinstance(value, list) else {"kind": "value", "any_of": _spellings(value)}
    first = statement.items[0]
    if isinstance(first, Member) and isinstance(first.base, EntityLookup):
        thing = compiler.run(print_statement(Find(entity=first.base)), **options)
        if isinstance(thing, Hits) and thing.cursor is None:
            return {**gold, "also_accept": [{"kind": "hits", "ids": list(thing.ids)}]}
    return gold


def _each(values: Sequence[Any]) -> Line:
    """Require every value; for lists, every item."""
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    return {"kind": "value", "all_of": [_spellings(item) for item in flat]}


def _spellings(value: Any) -> list[str]:
    """Return the spellings of one value: for a reference, its name and its id."""
    match value:
        case bool():
            return ["yes", "true"] if value else ["no", "false"]
        case Mapping():
            known = [str(value[key]) for key in ("name", "id") if value.get(key) is not None]
            return known or [said for one in value.values() for said in _spellings(one)]
        case list() | tuple():
            return [said for one in value for said in _spellings(one)]
        case _:
            return [str(value)]
