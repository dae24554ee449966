"""Things that are known by their records alone: ships by their positions, guests by their stays.

The catalog lists the records, and words speak of the things. A thing has as many records as there happen to be: what is
counted, listed or looked up by its name is the thing, once.
"""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement, mapped
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ValueWord
from qlc.translator.rules.modifiers.referring import recorded
from qlc.translator.rules.parse import Parse

_COUNT = tree.Measure("count")


def subject(p: Parse) -> tuple[Entity, FieldRef] | None:
    """The records of what a question speaks of first, and which field says whose they are; None where the records
    themselves are spoken of, or things of another kind."""
    of = [(entity, ref, _words_for(p, ref)) for entity, ref in recorded(p)]
    for at in range(p.end) if of else ():
        fields = max((one.end for one in p.starting(at, FieldWord)), default=0)
        for noun in p.starting(at, EntityWord):
            if noun.end >= fields:
                return next(((one, ref) for one, ref, _ in of if ref.target == noun.payload.entity), None)
        for _kind in p.starting(at, ValueWord):
            for _entity, _ref, _called in of:
                pass
    return None


def _words_for(p: Parse, ref: FieldRef) -> frozenset[str]:
    """The words that what a field refers to is spoken of with."""
    target = p.entity(ref.target or "")
    return frozenset(one.casefold() for one in (target.name, target.plural, *target.words))


def of_things(p: Parse, statement: Statement) -> Statement:
    """A statement that was read of records, said of the things that have them."""
    return _counted_once(p, _by_name(p, statement))


def _by_name(p: Parse, statement: Statement) -> Statement:
    """`the length of COHO`: records are called as what they are of; the latest one of it says how it is."""
    of = {entity.name: (entity, ref) for entity, ref in recorded(p) if _named_alike(entity, ref)}

    def known(value: object) -> tuple[Entity, FieldRef] | None:
        if not isinstance(value, tree.EntityLookup) or not isinstance(value.name, tree.String):
            return None
        if value.name.value.isdecimal():
            return None
        named = {entity for word in p.lexicon.named(value.name.value) for entity in word.entities}
        found = of.get(value.entity.text)
        return found if found is not None and (not named or found[1].target in named) else None

    def latest(node: tree.Node) -> tree.Node | None:
        found = known(node.base) if isinstance(node, tree.Member) else None
        entity, ref = found
        date = default_date(entity)
        order = (tree.SortKey(date[0].left, True),) if date is not None else ()
        its = ref.equals(node.base.name)
        return replace(node, base=tree.Subquery(tree.Find(tree.Name(entity.plural), its, order, 1)))

    changed = mapped(statement, latest) if of else statement
    found = known(changed.entity) if isinstance(changed, tree.Find) else None
    if found is None or not isinstance(changed, tree.Find) or not isinstance(changed.entity, tree.EntityLookup):
        return changed
    its = found[1].equals(changed.entity.name)
    return replace(changed, entity=tree.Name(found[0].plural), where=both(its, changed.where))


def _named_alike(entity: Entity, ref: FieldRef) -> bool:
    name_at = ref.field.reference.name_at if ref.field.reference is not None else None
    paths = {path for one in entity.names for path in (one.mapped.path, one.mapped.exact)}
    return name_at is not None and bool({name_at.path, name_at.exact} & paths - {None})


def _counted_once(p: Parse, statement: Statement) -> Statement:
    """`how many ships were moored`: not how many positions of them."""
    if not isinstance(statement, tree.Aggregate) or _COUNT not in statement.measures:
        return statement
    return statement
