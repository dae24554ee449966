"""What is asked of things that no name was said for, read as if they had one: of each of those found (`who owns them?`,
`when do they expire?`), or of the one that a query found (`who owns the largest video?`, `and where is it?`)."""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.translator.follow_ups.content import Content, Meaning, alone
from qlc.translator.follow_ups.editing import field_of, set_of
from qlc.translator.follow_ups.history import EACH, FOUND_BY, Base
from qlc.translator.follow_ups.merging import the_set
from qlc.translator.rules.build import path
from qlc.translator.rules.lexicon.lexemes import ThingWord
from qlc.translator.rules.nouns.names import hierarchical
from qlc.translator.rules.questions.aggregates import COUNT

# --- each of them ----------------------------------------------------------------------------------------------------

AS_GROUPS = (FieldKind.KEYWORD, FieldKind.BOOLEAN)


def asked_of_each(statement: Statement, cost: float, c: Content) -> Meaning | None:
    """A question about one thing as one about each: who it is in groups, all else as a column of the list."""
    marks = {one.value for one in walked(statement) if isinstance(one, tree.String) and one.value.startswith(EACH)}
    base, first = c.base, marks.pop().removeprefix(EACH)
    known = base.earlier.ids[: int(first)] if first else base.earlier.ids if base.earlier.complete else None
    if isinstance(statement, tree.Find):
        if not isinstance(statement.entity, tree.EntityLookup) or statement.show:
            return None
        shown = tuple(path(*ref.path) for ref in hierarchical(base.entity))
        return alone(_listed(base, known, bool(first), shown), cost) if shown else None
    asked = [tuple(name.text for name in item.names) for item in statement.items
             if isinstance(item, tree.Member) and isinstance(item.base, tree.EntityLookup)]  # fmt: skip
    fields = [field_of(base.entity, path(*names)) for names in asked]
    if len(asked) == 1 and _makes_groups(fields[0]):
        where = _among(base, known, bool(first))
        name = tree.Name(base.entity.plural)
        return alone(tree.Aggregate((COUNT,), name, where, (tree.Group(path(*asked[0])),)), cost)
    return alone(_listed(base, known, bool(first), tuple(path(*names) for names in asked)), cost)


def _makes_groups(field: Field | None) -> bool:
    return field is not None and (field.reference is not None or field.kind in AS_GROUPS)


def _among(base: Base, known: tuple[str, ...] | None, some: bool) -> tree.Condition | None:
    """What is true of the things spoken of."""
    if not some or base.entity.id is None or not isinstance(base.statement, tree.Find):
        return the_set(base)
    return set_of(replace(base.statement, limit=len(known or ())), base.entity, known)


def _listed(base: Base, known: tuple[str, ...] | None, some: bool, shown: tuple[tree.Path, ...]) -> tree.Find:
    before = base.statement
    if isinstance(before, tree.Aggregate):
        return tree.Find(tree.Name(base.entity.plural), before.where, show=shown)
    if some and known is not None:
        return replace(before, where=_among(base, known, some), limit=None, offset=None, show=shown)
    return replace(before, show=shown)


# --- the one that a query found --------------------------------------------------------------------------------------


def is_found_by_a_query(payload: object) -> bool:
    return isinstance(payload, ThingWord) and payload.text.startswith(FOUND_BY)
