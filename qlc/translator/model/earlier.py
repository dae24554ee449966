"""Describe earlier turns for a model: words, programs, answers. Sensitive values never appear, whoever asks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qlc.base.options import permitted
from qlc.mapping.schema import Schema
from qlc.models.escaping import line, literal
from qlc.translator.model.sensitivity import is_sensitive, names_are_sensitive, speaks_of_sensitive
from qlc.translator.protocol import Question, Turn

LATEST = 6  # turns that are reported: of a longer conversation the last ones, and the first
MOST_SHOWN = 5
LONGEST_PROGRAM = 4_000
LONGEST_SAID = 500
NOT_SHOWN = "(not shown)"


def earlier_lines(question: Question, *, values: bool) -> list[str]:
    """The turns, oldest first. Without `values` nothing that comes from the index is reported: no names, no ids."""
    turns = question.history
    kept = turns if len(turns) <= LATEST else (turns[0], *turns[1 - LATEST :])
    labels = not permitted(question.context)
    found: list[str] = []
    for number, turn in numbered(turns):
        if turn in kept:
            found += _turn(turn, number, question.schema, values=values, labels=labels)
    return found


def numbered(turns: Sequence[Turn]) -> Iterator[tuple[int, Turn]]:
    """The turns with their numbers, each another: a message of several questions has several turns of its number."""
    last = 0
    for turn in turns:
        last = max(last + 1, turn.number)
        yield last, turn


def _turn(turn: Turn, number: int, schema: Schema, *, values: bool, labels: bool) -> Iterator[str]:
    program = str(turn.outcome.get("query") or turn.program)
    hidden = bool(program) and is_sensitive(program, schema)
    yield f"turn {number}: {literal(turn.text, LONGEST_SAID)}"
    if program:
        yield f"  program: {NOT_SHOWN if hidden or len(program) > LONGEST_PROGRAM else line(program)}"
    if turn.said:
        yield f"  the user said: {literal(turn.said, LONGEST_SAID)}"
    if turn.choices and values and not hidden:
        chosen = [f"id {literal(str(one), 100)}" for one in turn.choices.values()]
        yield f"  names are chosen to mean: {', '.join(chosen)}"
    answer = _answer(turn.outcome, schema, names=values and not hidden, labels=labels)
    if answer:
        yield f"  answer: {answer}"


def _answer(outcome: Mapping[str, Any], schema: Schema, *, names: bool, labels: bool) -> str:
    """Describe an answer on one line: `a list of 3: ...`."""
    match outcome.get("kind"):
        case "hits":
            entity = schema.entities.get(str(outcome.get("entity")))
            shown = outcome.get("hits") or [] if names else []
            with_names = entity is not None and not names_are_sensitive(entity, schema)
            each = [_thing(n, one, named=with_names) for n, one in enumerate(shown[:MOST_SHOWN], 1)]
            return _list(f"a list of {outcome.get('total', 0)}", each)
        case "count" | "value" if names:
            return f"{outcome['kind']} {_value(outcome.get('value'))}"
        case "aggregate":
            rows = outcome.get("rows") or []
            each = [f"{_value(row.get('key'))}: {_value(row.get('value'))}" for row in rows[:MOST_SHOWN] if names]
            return _list(f"a table of {len(rows)} rows", each)
        case "clarify":
            options = outcome.get("options") or [] if names else []
            each = [_option(n, one, labels=labels) for n, one in enumerate(options[:MOST_SHOWN], 1)]
            return _list("the user was asked which one is meant", each)
        case "not_found" if names:
            near = [literal(str(one), 100) for one in (outcome.get("suggestions") or [])[:MOST_SHOWN]]
            return _list(f"not found: {literal(str(outcome.get('what') or ''), 100)}", near)
        case "declined" | "refuse" if names and not speaks_of_sensitive(str(outcome.get("message", "")), schema):
            return f"{outcome['kind']}: {literal(str(outcome.get('message', '')), LONGEST_SAID)}"
        case str(kind) if kind not in ("count", "value"):
            return kind.replace("_", " ")
        case _:
            return ""


def _list(what: str, each: Sequence[str]) -> str:
    return f"{what}: {', '.join(each)}" if each else what


def _thing(number: int, hit: Mapping[str, Any], *, named: bool) -> str:
    name = hit.get("name") if named else None
    text = f"{literal(str(name), 100)} " if name else ""
    return f"({number}) {text}id {literal(str(hit.get('id')), 100)}"


def _option(number: int, option: Mapping[str, Any], *, labels: bool) -> str:
    text = f" {literal(str(option.get('label') or ''), 150)}" if labels else ""
    return f"({number}){text} id {literal(str(option.get('id')), 200)}"


def _value(value: Any) -> str:
    """A value as literals: a reference by name and id."""
    match value:
        case str():
            return literal(value, 100)
        case list():
            return "[" + ", ".join(map(_value, value[:MOST_SHOWN])) + "]"
        case Mapping() if "id" in value:
            name = f"{literal(str(value['name']), 100)} " if value.get("name") else ""
            return f"{name}id {literal(str(value['id']), 100)}"
        case Mapping():
            return ", ".join(f"{line(str(name))} {_value(one)}" for name, one in value.items())
        case _:
            return json.dumps(value)
