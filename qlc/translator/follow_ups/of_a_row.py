"""What is asked of the one that the last rows were about: `show me their last three invoices`, behind the vendor with
the highest total. No thing is stored for it: what is theirs has its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from qlc.grammar import parse, print_program, tree
from qlc.grammar.printer import print_condition
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, surely
from qlc.translator.follow_ups.editing import field_of
from qlc.translator.follow_ups.history import Earlier
from qlc.translator.in_words import condition_in_words
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import both, compare, parts, string

_WHOSE = re.compile(r"\b(?:their|its|his|her)\b(?!\s*$)", re.IGNORECASE)
_OF_THEM = re.compile(
    r"\s+(?:from|by|with|for|of|at|to)\s+(?:them|it|him|her|that one|this one|that (?P<noun>\w+)|this (?P<other>\w+))"
    r"(?=\s*(?:[?.!,]|$)|\s+(?:in|from|since|before|after|over|under|above|below|that|which|last|this|are|is|do)\b)",
    re.IGNORECASE,
)
_THEY_HAVE = re.compile(
    r"\b(?:do|does|did) (?:they|it|he|she|that one) have\b|\b(?:they|it) (?:have|has)\b", re.IGNORECASE
)
_OTHERS = re.compile(r"\b(?:they|them|their|theirs|its|it|his|her|him|she|he|those|these|ones|one)\b", re.IGNORECASE)


def asked_of_the_row(text: str, last: Earlier | None, schema: Schema) -> tuple[str, tree.Path, str] | None:
    """The question without its pronoun, and the field and the value of those that it is asked of. None where the last
    answer had not just one row, by a value that names no thing, or the text has no such pronoun."""
    row = _the_row(last, schema)
    if row is None or any(mark in text for mark in "\"“”"):
        return None
    for pattern, instead in ((_WHOSE, "the"), (_OF_THEM, ""), (_THEY_HAVE, "are there")):
        plainer, times = pattern.subn(instead, text)
        if times == 1 and not _OTHERS.search(plainer):
            return plainer, *row
    return None


def _the_row(last: Earlier | None, schema: Schema) -> tuple[tree.Path, str] | None:
    """The field and the value of the only row."""
    rows = list(last.turn.outcome.get("rows") or ()) if last is not None and last.kind == "aggregate" else []
    statement = last.program.statement if last is not None and last.program is not None else None
    if not isinstance(statement, tree.Aggregate) or len(statement.groups) != 1 or len(rows) != 1:
        return None
    by, key = statement.groups[0], rows[0].get("key") if isinstance(rows[0], Mapping) else None
    field = field_of(find_entity(schema, statement.entity.text), by.path)
    told = field is not None and field.kind is FieldKind.KEYWORD and field.reference is None and by.function is None
    return (by.path, key) if told and isinstance(key, str) else None


def of_that_value(
    said: Translated, last: Earlier | None, left: tree.Path, value: str, schema: Schema
) -> Translated | None:
    """What was asked, of the things with that value alone. None where it is asked of other things."""
    program = parse(said.program)
    asked = program.statement
    before = last.program.statement if last is not None and last.program is not None else None
    if isinstance(asked, tree.Get) or isinstance(asked.entity, tree.EntityLookup):
        return None
    if not isinstance(before, tree.Aggregate):
        return None
    entity = find_entity(schema, asked.entity.text)
    if entity is None or field_of(entity, left) is None or entity is not find_entity(schema, before.entity.text):
        return None
    own = parts(asked.where)
    if any(isinstance(one, tree.Comparison) and one.left == left for one in own):
        return None
    where = both(*own, compare(left, "=", string(value)))
    changed = print_program(replace(program, statement=replace(asked, where=where)))
    told = (NO_OTHERS.format(condition_in_words(compare(left, "=", string(value)))),) if before.where else ()
    return replace(said, program=changed, notes=(*said.notes, *told))


def listed_of_the_row(c: Content) -> Iterator[Meaning]:
    """`list those`, behind the month in which most were made; `show me theirs`: what the only row counts."""
    asked = any(c.whole(table, at) for at in range(c.at + 1) for table in (english.LISTING_THOSE, english.THEIRS))
    found = _counted_in_the_row(c.base.earlier) if asked and c.base is not None else None
    if found is not None:
        yield surely(found)


def ones_of_the_row(text: str, last: Earlier | None) -> tuple[str, str] | None:
    """`show me their overdue ones` as `show me the overdue ones`, and the program of those that it is asked of: what
    the only row counts."""
    found = _counted_in_the_row(last) if last is not None else None
    plainer, times = _WHOSE.subn("the", text)
    if found is None or times != 1 or [one.casefold() for one in _OTHERS.findall(plainer)] not in (["ones"], ["one"]):
        return None
    return plainer, print_program(tree.Program((), found))


def _counted_in_the_row(last: Earlier) -> tree.Find | None:
    """The things that the only row of an answer counts."""
    rows = list(last.turn.outcome.get("rows") or ()) if last.kind == "aggregate" else []
    statement = last.program.statement if last.program is not None else None
    if not isinstance(statement, tree.Aggregate) or len(statement.groups) != 1 or len(rows) != 1:
        return None
    by, key = statement.groups[0], rows[0].get("key") if isinstance(rows[0], Mapping) else None
    value = _value_of(by, key) if statement.having is None else None
    if value is None:
        return None
    own = parts(statement.where)
    if isinstance(value, tree.DateLiteral):
        own = tuple(one for one in own if not _is_of_a_year(one, by))  # which the month lies in
    return tree.Find(statement.entity, both(*own, compare(by.path, "=", value)))


def _is_of_a_year(condition: Condition, by: tree.Group) -> bool:
    """Whether a condition is on the date of the groups, and a whole year."""
    if not isinstance(condition, tree.Comparison) or condition.left != by.path or condition.operator != "=":
        return False
    return re.fullmatch(r".* = (?:\d{4}|(?:this|last|next) year)", print_condition(condition)) is not None


def _value_of(by: tree.Group, key: object) -> tree.Value | None:
    """What a group compares with the key of a row."""
    if isinstance(key, Mapping):
        return string(str(key["id"])) if "id" in key and by.function is None else None
    if by.function in ("year", "quarter", "month", "day"):
        return tree.DateLiteral(str(key)) if key is not None else None
    return string(key) if isinstance(key, str) and by.function is None else None


NO_OTHERS = "Those for which {0}: nothing else of the last question holds for them."
