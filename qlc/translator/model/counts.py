"""Notes on values that documents share, and results that are tied, in programs of a model."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from qlc.grammar import parse, print_program, tree
from qlc.grammar import parse as parsed
from qlc.outcome import Clarify, Count, ValueOut
from qlc.translator.protocol import Need, Try
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord
from qlc.translator.rules.parse import Parse

_COUNTED = re.compile(r"\b(?:how many|(?:number|amount|count) of)\s+(?:of\s+)?(?:the\s+)?", re.IGNORECASE)
_COUNT = tree.Measure("count")


def repeated_values(program: str, p: Parse) -> Generator[Need, Any, tuple[str, ...]]:
    """Note a count of documents that share the counted field: nine goals -> `These have 6 different values.`"""
    read = parsed(program)
    counting = read.statement
    if not isinstance(counting, tree.Aggregate) or counting.groups or counting.measures != (_COUNT,):
        return ()
    ref = _counted_field(p)
    of = {field for entity in p.schema.entities.values() if counting.entity.text in (entity.name, entity.plural)
          for field in entity.fields}  # fmt: skip
    if ref is None or ref.field.name not in of or ref.field.is_id:
        return ()
    different = replace(counting, measures=(tree.Measure("distinct", ref.left),))
    documents = yield Try(program)
    values = yield Try(print_program(replace(read, statement=different)))
    if not (isinstance(documents, Count) and isinstance(values, ValueOut) and isinstance(values.value, int | float)):
        return ()
    if not 0 < values.value < documents.value:
        return ()
    return (f"These have {values.value:,.0f} different values of {ref.field.label or ref.field.name}.",)


def _counted_field(p: Parse) -> FieldRef | None:
    """Return the field whose values a question counts; None for documents, quantities, and fields of others."""
    said = _COUNTED.search(p.text)
    at = next((n for n, one in enumerate(p.tokens) if said is not None and one.start >= said.end()), None)
    if at is None:
        return None
    found = p.lexemes[at]
    if any(isinstance(one.payload, EntityWord) for one in found):
        return None
    refs = [one.payload.ref for one in found if isinstance(one.payload, FieldWord) and not one.payload.tail]
    plain = [one for one in refs if len(one.path) == 1 and not (one.is_number or one.is_measure or one.many)]
    return plain[0] if len(plain) == 1 else None


def with_ties(program: str) -> Generator[Need, Any, str]:
    """Return a program for the first one that also gives those that are equal to it.

    `find lamps sort height desc limit 1` -> `find lamps sort height desc limit 1 with ties`
    `get (find games sort played desc limit 1).black` -> the same, unless equal ones have other values: then
    `find games sort played desc limit 1 with ties show black`
    """
    parsed = parse(program)
    statement = parsed.statement
    if not isinstance(statement, tree.Get):
        tied = _tied(statement)
        return program if tied is None else print_program(replace(parsed, statement=tied))
    first, *others = statement.items
    if not isinstance(first, tree.Member) or not isinstance(first.base, tree.Subquery):
        return program
    inner = _tied(first.base.statement)
    if inner is None or not all(isinstance(one, tree.Path) for one in others):
        return program
    items = (replace(first, base=tree.Subquery(inner)), *statement.items[1:])
    every = yield Try(print_program(replace(parsed, statement=replace(statement, items=items))))
    if not isinstance(every, Clarify) or isinstance((yield Try(program)), Clarify):
        return program  # all that are equal have the same value; or a name in it is of several things
    if isinstance(inner, tree.Find):
        more = (one for one in others if isinstance(one, tree.Path))
        inner = replace(inner, show=(tree.Path(tuple(map(tree.Segment, first.names))), *more))
    return print_program(replace(parsed, statement=inner))


def _tied(statement: tree.Statement) -> tree.Find | tree.Aggregate | None:
    """Return a statement for the first one, with its ties; None for others, and for what has no order."""
    if isinstance(statement, tree.Get) or statement.limit != 1 or statement.offset or statement.ties:
        return None
    ordered = statement.sort if isinstance(statement, tree.Find) else statement.groups
    return replace(statement, ties=True) if ordered else None
