"""What an answer leaves open: of which kinds the things are whose amounts were added up, which groups have none at all
where the fewest are asked for, whether anything tells to whom things are, and whether one element meets all that is
said of elements."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from qlc.grammar import parse as parse_program
from qlc.grammar import print_statement, tree
from qlc.grammar.walk import walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field
from qlc.outcome import AggregateOut, Count
from qlc.translator.protocol import CannotSay, Need, Translated, Try
from qlc.translator.rules.build import both, parts, path
from qlc.translator.rules.modifiers.addressed import ADDRESSING, whom_it_is_to
from qlc.translator.rules.nouns.degrees import numbers_of_dimension
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

MOST_KINDS_TOLD = 6
"""Kinds of things that are told one by one."""


def those_that_have_none(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated | CannotSay]:
    """`the month of 2025 with the fewest receipts`: rows are of what there is, so the fewest among them are the fewest
    only where all of the others have some. Where not, those that have none at all are told in place of an answer."""
    rows = parse_program(chosen.program).statement
    if not {"fewest", "least"} & {token.text for token in parse.tokens}:
        return chosen
    if not isinstance(rows, tree.Aggregate) or len(rows.groups) != 1 or not rows.sort or rows.limit is None:
        return chosen
    count, by = tree.Measure("count"), rows.groups[0]
    if rows.where is None or rows.sort[0] not in (tree.SortKey(count, False), tree.SortKey(path("count"), False)):
        return chosen
    in_scope = both(*(one for one in parts(rows.where) if getattr(one, "left", None) == by.path))
    found: list[list[str]] = []
    for where in (rows.where, in_scope):
        outcome = yield Try(print_statement(tree.Aggregate((count,), rows.entity, where, rows.groups)))
        found.append([str(one.key) for one in outcome.rows] if isinstance(outcome, AggregateOut) else [])
    without = [one for one in found[1] if one not in found[0]]
    if not without or not found[0]:
        return chosen
    told = ", ".join(without[:MOST_KINDS_TOLD])
    more = f" and {len(without) - MOST_KINDS_TOLD} more" if len(without) > MOST_KINDS_TOLD else ""
    return CannotSay(cannot_be=f"These have none at all: {told}{more}.")


def kinds_added_up(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated]:
    """`how much did we pay Verizon`: of which kinds the things are whose amounts were added up, where nobody said it.

    Quotes and bills have amounts as well as receipts; which of them are payments only people know.
    """
    total = parse_program(chosen.program).statement
    spending = any(token.text in english.SPENDING | {"money", "charge", "charged"} for token in parse.tokens)
    entity = find_entity(parse.schema, total.entity.text) if isinstance(total, tree.Aggregate) else None
    if not spending or entity is None or not isinstance(total, tree.Aggregate) or len(total.measures) != 1:
        return chosen
    kind, measure = _kinds(entity), total.measures[0]
    money = any(measure.path == path(*ref.path) for ref in numbers_of_dimension(entity, "money"))
    said = kind is None or path(kind.name) in walked(total)
    if measure.function != "sum" or not money or kind is None or said:
        return chosen
    grouped = (tree.Presence(one.path, False) for one in total.groups if one.function is None)
    by_kind = tree.Aggregate((measure,), total.entity, both(total.where, *grouped), (tree.Group(path(kind.name)),))
    outcome = yield Try(print_statement(by_kind))
    rows = outcome.rows if isinstance(outcome, AggregateOut) else []
    sums = {str(one.key): one.value for one in rows if one.key is not None and isinstance(one.value, int | float)}
    most_first = sorted((one for one in sums.items() if one[1]), key=lambda one: -one[1])
    # The sums are of all rows, of which some may not be told.
    told = [name if total.groups else f"{name} {part:,.2f}" for name, part in most_first]
    if not told:
        return chosen
    more = f" and {len(told) - MOST_KINDS_TOLD} more" if len(told) > MOST_KINDS_TOLD else ""
    note = f"Added up whatever the {kind.name.replace('_', ' ')}: {', '.join(told[:MOST_KINDS_TOLD])}{more}."
    return replace(chosen, notes=(*chosen.notes, note))


def met_by_different_elements(parse: Parse, program: str) -> tuple[str, ...]:
    """`that Ann commented on with a comment that is unresolved`: not said to be one comment, and so told."""
    statement = parse_program(program).statement
    if isinstance(statement, tree.Get) or not isinstance(statement.entity, tree.Name):
        return ()
    entity = find_entity(parse.schema, statement.entity.text)
    asked: dict[str, list[frozenset[str]]] = {}
    for one in parts(statement.where):
        match one:
            case tree.Bare(path=tree.Path(segments=(tree.Segment(name=name, narrowed=narrowed),))) if narrowed:
                asked.setdefault(name.text, []).append(frozenset(_own_names(narrowed)))
    apart = [name for name, fields in asked.items() if entity and name in entity.lists and len(set(fields)) > 1]
    return tuple(f"The conditions on '{name}' may be met by different ones of them." for name in apart)


def _own_names(condition: tree.Condition) -> Iterator[str]:
    return (one.segments[0].name.text for one in walked(condition) if isinstance(one, tree.Path))


def _kinds(entity: Entity) -> Field | None:
    """The one field of closed values that says of which kind things are: a `type` before a `category`."""
    settled = {one.field for one in entity.filter}
    told = [one for one in entity.fields.values() if one.values is not None and not one.many and not one.sensitive]
    told = [one for one in told if one.mapped not in settled]
    for nouns in (_KINDS, english.KINDS):
        found = [one for one in told if nouns & {one.name, *one.words}]
        if found:
            return found[0] if len(found) == 1 else None
    return None


_KINDS = words("kind type")


def told_to_whom(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated | CannotSay]:
    """`letters to Grace Kim`, read by what things are called: where none at all is called so, nobody knows whom they
    are to, and that there are none would be no answer."""
    found = parse_program(chosen.program).statement
    addressed = any(whom_it_is_to(parse, at) for at in range(parse.end))
    if not addressed or isinstance(found, tree.Get) or not isinstance(found.entity, tree.Name):
        return chosen
    for one in parts(found.where):
        named = isinstance(one, tree.Comparison) and one.operator == "contains" and isinstance(one.right, tree.String)
        if not named or not isinstance(one, tree.Comparison) or not isinstance(one.right, tree.String):
            continue
        text = one.right.value
        if not text.startswith(ADDRESSING):
            continue
        counted = yield Try(print_statement(tree.Aggregate((tree.Measure("count"),), found.entity, one)))
        if isinstance(counted, Count) and not counted.value:
            things, whom = found.entity.text, text.removeprefix(ADDRESSING)
            sentence = f"Nothing says to whom {things} are: none is called '{text}'."
            return CannotSay(cannot_be=sentence, suggestions=(f'{things} mentioning "{whom}"',))
    return chosen
