"""Places by their coordinates: `within 10 km of 29.75, -95.1`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.grammar.units import find_unit
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import path
from qlc.translator.rules.lexicon.lexemes import FieldWord, entity_fields
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.numbers import amount
from qlc.translator.rules.words.phrases import phrases, words

_NEAR = phrases(
    "within [a radius of] | in a radius of | less than | no more than | not more than | at most | up to | closer than"
)
_POINT = re.compile(
    r"\(?\s*(-?\d{1,2}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;/ ]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])?\s*\)?", re.I
)


def near_a_point(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """The things whose place is at most so far from a point."""
    points = [ref for ref in entity_fields(p.entity(entity)) if ref.kind is FieldKind.GEO_POINT and ref.within is None]
    for begin in p.phrases(at, _NEAR) if points else ():
        for far in amount(p, begin):
            unit = find_unit(far.value.unit or "")
            if unit is None or unit.dimension != "length":
                continue
            after = p.past(far.end, words("of from around to away the point position coordinates"))
            found = _POINT.match(p.text, p.tokens[after].start) if far.end < after < p.end else None
            if found is None:
                continue
            signs = [-1 if (found[i] or "").upper() in ("S", "W") else 1 for i in (2, 4)]
            degrees = [_number(float(found[i]) * sign) for i, sign in zip((1, 3), signs, strict=True)]
            said = {w.payload.ref.path for row in p.lexemes for w in row if isinstance(w.payload, FieldWord)}
            meant = points if len(points) == 1 else [ref for ref in points if ref.path in said]
            for ref in meant:
                condition = tree.Within(path(*ref.path), far.value.node, tree.GeoPoint(*degrees))
                yield Found(p.token_at(found.end()), condition, far.cost)


def _number(value: float) -> tree.Number:
    whole = int(value) if value.is_integer() else value
    return tree.Number(whole, str(whole))
