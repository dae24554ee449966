"""What things refer to through other things: a call-out, by its lift, to the building that the lift is in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from qlc.mapping.schema import Entity, Schema
from qlc.translator.rules.lexicon.lexemes import FieldRef, entity_fields

Chain = tuple[FieldRef, ...]

FARTHEST = 3
"""References between two things that are still said in one breath: the customer of the building of the lift."""


def chains(schema: Schema, entity: Entity) -> Mapping[str, Chain]:
    """The one shortest way from an entity to each that it refers to through others.

    None where two ways are as short, nor where it refers to the same things itself: what those are to it is told by
    its own field. People without documents and what holds things lead nowhere.
    """
    found: dict[str, Chain] = {}
    seen = {entity.name} | {ref.target for ref in entity_fields(entity) if ref.target is not None}
    ways = _further(schema, entity, ())
    for _ in range(FARTHEST - 1):
        reached: defaultdict[str, list[Chain]] = defaultdict(list)
        for way in ways:
            for longer in _further(schema, schema.entities[way[-1].target or ""], way):
                reached[longer[-1].target or ""].append(longer)
        alone = {target: several[0] for target, several in reached.items() if len(several) == 1 and target not in seen}
        found |= alone
        seen |= reached.keys()
        ways = [*alone.values()]
    return found


def _further(schema: Schema, entity: Entity, way: Chain) -> list[Chain]:
    refs = [ref for ref in entity_fields(entity) if ref.target is not None and ref.within is None]
    if entity.virtual or entity.kinds or any(ref.path == (entity.parent,) for ref in refs):
        return []
    targets = [ref.target for ref in refs]
    alone = [ref for ref in refs if targets.count(ref.target) == 1 and ref.target != entity.name]
    return [(*way, ref) for ref in alone if not ref.field.sensitive and _is_a_thing(schema, ref)]


def _is_a_thing(schema: Schema, ref: FieldRef) -> bool:
    target = schema.entities[ref.target or ""]
    return not target.virtual and not target.kinds and all(one.name != target.parent for one in target.fields.values())


def steps(way: Chain) -> tuple[str, ...]:
    """A chain as the path of the language."""
    return tuple(part for ref in way for part in ref.path)
