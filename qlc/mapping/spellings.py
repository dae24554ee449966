"""Spellings of values that are also words for something else: questions in words with them have two readings."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.mapping.catalog_model import FieldPart
from qlc.mapping.effective import EntityDefinition
from qlc.mapping.findings import Findings
from qlc.mapping.nearest import normal_form
from qlc.mapping.own_paths import own_paths


def check_spellings(findings: Findings, one: EntityDefinition) -> None:
    """Warn of each word of a field, and of each named condition, that is also a value of another field.

    The name of a field may be a value (`solved` beside the status `solved`), and so may that of a condition that asks
    about the field of the value (`overdue: status = "overdue"`): both mean the same thing.
    """
    values = {
        normal_form(spelling): (name, stored)
        for name, (part, _) in one.fields.items()
        for spelling, stored in _spellings(part)
    }
    for name, (part, place) in one.fields.items():
        for number, word in enumerate(part.words):
            holder, stored = values.get(normal_form(word), (name, ""))
            if holder != name:
                message = f"'{word}' stands for the field '{name}' and for '{stored}' of the field '{holder}'"
                hint = "questions with the word have two readings: remove it here or there"
                findings.report("catalog-clash", message, (*place, "words", number), hint, severity="warning")
    for name, (condition, place) in one.conditions.items():
        for word in (name, *condition.words):
            holder, stored = values.get(normal_form(word), (name, ""))
            if holder != name and holder not in _asked(condition.means):
                message = f"the condition '{word}' is called as '{stored}' of the field '{holder}' is"
                hint = "questions with the word have two readings: rename the condition, or let it ask about that value"
                findings.report("catalog-clash", message, place, hint, key=True, severity="warning")


def _spellings(part: FieldPart) -> Iterator[tuple[str, str]]:
    """All that a closed field's values and groups are called, each with the value or group that it stands for."""
    for stored, others in (part.values or {}).items():
        yield from ((spelling, stored) for spelling in (stored, *others))
    yield from ((group, group) for group in part.groups)


def _asked(text: str) -> set[str]:
    """The names of the fields that a condition begins its paths with."""
    from qlc.grammar import SyntaxProblem, parse, tree

    try:
        statement = parse(f"find x where {text}").statement
    except SyntaxProblem:
        return set()
    where = statement.where if isinstance(statement, tree.Find) else None
    return {path.segments[0].name.text for path in own_paths(where)} if where is not None else set()
