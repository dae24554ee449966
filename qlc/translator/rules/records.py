"""Things that are known by their records alone: ships by their positions, guests by their stays.

The catalog lists the records, and words speak of the things. A thing has as many records as there happen to be: what is
counted, listed or looked up by its name is the thing, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement, mapped
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ValueWord
from qlc.translator.rules.modifiers.referring import recorded
from qlc.translator.rules.nouns.names import kind_in_plural
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english

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
        for kind in p.starting(at, ValueWord):
            said = kind.payload.ref
            for entity, ref, called in of:
                own = said.within is None and said.path[0] in entity.fields and kind_in_plural(p, kind.end, said)
                if own and called & said.parts and not _after_other_things(p, at):
                    return entity, ref
    return None


def _after_other_things(p: Parse, at: int) -> bool:
    """Whether other things are spoken of first: `inspections of lathes` are no lathes."""
    return at > 1 and p.word(at - 1) in english.PREPOSITIONS and p.plural(at - 1)


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
        if found is None or not isinstance(node, tree.Member) or not isinstance(node.base, tree.EntityLookup):
            return None
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
    found = of_subject(p, statement)
    if found is None or any(one.path == found[1].left for one in statement.groups):
        return statement
    once = tree.Measure("distinct", found[1].left)
    return mapped(statement, lambda node: once if node == _COUNT else None)


def of_subject(p: Parse, statement: tree.Find | tree.Aggregate) -> tuple[Entity, FieldRef] | None:
    """Of what a statement has records, and which field says whose they are, where the things are spoken of."""
    found = subject(p)
    if found is None or not isinstance(statement.entity, tree.Name):
        return None
    entity = find_entity(p.schema, statement.entity.text)
    return found if entity is not None and entity.name == found[0].name else None


def numbers_of_both(p: Parse, statement: Statement) -> tree.Aggregate | None:
    """What asks how many records a statement is of, and of how many things; None where it tells things once."""
    if isinstance(statement, tree.Get) or statement.limit == 1:
        return None
    found = of_subject(p, statement)
    if found is None:
        return None
    once = tree.Measure("distinct", found[1].left)
    if isinstance(statement, tree.Aggregate) and (statement.groups or once in statement.measures):
        return None
    return tree.Aggregate((_COUNT, once), tree.Name(found[0].plural), statement.where)


def each_once(p: Parse, statement: Statement) -> tree.Aggregate | None:
    """A list of records as rows of the things that they are of; None where a list of them cannot be said so."""
    found = of_subject(p, statement) if isinstance(statement, tree.Find) else None
    if found is None or not isinstance(statement, tree.Find) or statement.show or statement.offset:
        return None
    entity, ref = found
    rows = tree.Aggregate((_COUNT,), tree.Name(entity.plural), statement.where, (tree.Group(ref.left),))
    if not statement.sort:
        return rows if statement.limit is None else None
    key = statement.sort[0]
    field = FieldRef.at(entity, key.key)
    if field is None or field.kind not in (*NUMERIC, FieldKind.DATE) or not isinstance(key.key, tree.Path):
        return None
    extreme = tree.Measure("max" if key.descending else "min", key.key)
    return replace(rows, measures=(extreme,), sort=(replace(key, key=extreme),), limit=statement.limit)


def records_note(p: Parse, records: int, things: int) -> Iterator[str]:
    """A sentence on how many records of how many things there are."""
    found = subject(p)
    if found is not None and records != things:
        target = p.entity(found[1].target or "")
        several = target.plural if things != 1 else target.name
        yield f"These are {records:,} {found[0].plural} of {things:,} {several}."
