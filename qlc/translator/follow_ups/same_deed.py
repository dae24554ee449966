"""Choose the field of an unnamed person or amount by the verb or measure of the earlier search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.translator.follow_ups.editing import about, exchanged
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.joining import Content
from qlc.translator.rules.build import parts
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import words

_BEFORE_AMOUNTS = words("by with of for")


def by_the_same_deed(statement: tree.Statement, c: Content) -> Iterator[tree.Statement]:
    """Yield the statement with the fields of the earlier search's deed; several if it fits several deeds.

    After `documents modified last month`, `by Ann` -> `editor`, not `creator`; after `delayed flights`, `more than
    2 hours` -> `delay`, not `duration`. Fields that the follow-up names are left.
    """
    where = None if isinstance(statement, tree.Get) else statement.where
    refs = [FieldRef.at(c.base.entity, getattr(one, "left", None)) for one in parts(where)] if c.base else []
    unnamed = [ref for ref in refs if ref is not None and not _is_named(ref, c)]
    meant = list(dict.fromkeys(_of_the_deed(unnamed[0], c.base))) if c.base and len(unnamed) == 1 else []
    for other in meant:
        assert not isinstance(statement, tree.Get)
        changed = exchanged(where, unnamed[0].left, other.left) if where is not None else None
        yield replace(statement, where=changed)
    if not meant:
        yield statement


def _is_named(ref: FieldRef, c: Content) -> bool:
    """Return whether a follow-up is more than `by` and a person, or an amount: then it names its field."""
    p, at = c.p, c.at
    if any(one.payload.ref.path == ref.path for i in range(at, p.end) for one in p.starting(i, FieldWord)):
        return True
    if ref.target is not None:
        return p.word(at) != "by"
    begin = p.past(at, _BEFORE_AMOUNTS)
    degrees = english.MORE_ADJECTIVES.keys() | english.LESS_ADJECTIVES.keys()
    amount = any(finished(p, one.end) and one.value.compared for one in quantity_test(p, begin))
    return not amount or p.word(begin) in degrees


def _of_the_deed(ref: FieldRef, base: Base) -> Iterator[FieldRef]:
    """Yield the fields of a person or measure that the earlier search speaks of: `modified` -> `editor`."""
    entity, usual = base.entity, default_date(base.entity)
    paths = [one for one in tree.walked(base.statement) if isinstance(one, tree.Path)]
    spoken = {one.path: one for one in (FieldRef.at(entity, path) for path in paths) if one is not None}
    slots = [slot for one in base.conditions for slot in about(one, entity)]
    spoken |= {slot: FieldRef(slot, entity.fields[slot[0]]) for slot in slots if slot[0] in entity.fields}
    alike = [one for one in FieldRef.own(entity) if _can_take_its_place(one, ref)]
    for before in spoken.values():
        if before in alike:
            yield before
            continue
        deeds = {stem(word) for word in before.parts if is_participle(word)}
        found = [one for one in alike if deeds & one.stems]
        if usual is None or before.path != usual[0].path or ref in found:
            yield from found


def _can_take_its_place(one: FieldRef, ref: FieldRef) -> bool:
    """Return whether a field has the same type: people of the same kind by a deed, or numbers of the same dimension."""
    if ref.target is not None:
        return one.target == ref.target and any(said[-1] == "by" for said in one.phrases)
    units = [find_unit(each.field.unit or "") if each.is_number else None for each in (one, ref)]
    return all(units) and units[0].dimension == units[1].dimension  # type: ignore[union-attr]
