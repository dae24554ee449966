"""Names written as paths: `Customers > Contoso/Drafts` is the last part, somewhere below the parts before it.

Names can contain a separator, so every way to cut the text is tried. The text is cut at all separators; a part is one
piece or several adjacent ones. Empty parts (a slash at the beginning, two in a row) are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from qlc.compiler.caseless import fold_case
from qlc.compiler.codegen import MAX_TERMS
from qlc.compiler.request import Reading
from qlc.compiler.typed import Scalar
from qlc.mapping.schema import Entity
from qlc.resolver.names.cache import Place
from qlc.resolver.names.entries import Entry, entries, paths_to_read
from qlc.resolver.names.requests import all_of, read_hits, with_id

K = TypeVar("K")

SEPARATORS = (">", "/")

MAX_PARTS = 300
"""Most parts in one request. With very many separators, names can contain only a few of them."""

Far = Callable[[str, str], int | None]
"""Distance of a name from a part of the path, None if it does not match."""

Below = Callable[[Entry], int | None]
"""Distance of an entry from the whole path, None if it is not below its parts."""

_ANYWHERE = None
"""The top of the hierarchy, above everything."""

Chain = dict[Scalar | None, int]
"""The entries that the first parts of a path lead to, by id, each with the sum of distances."""


class Cuts:
    """A text and all ways to cut it into parts."""

    def __init__(self, text: str, path_separator: str = "/") -> None:
        separators = "|".join(map(re.escape, sorted({*SEPARATORS, path_separator} - {""}, key=len, reverse=True)))
        self._text = re.sub(rf"(?:\s|{separators})+\Z", "", text)
        if self._text != text.rstrip():  # a separator at the end says no more than one at the beginning
            self._text = SEPARATORS[0] + self._text
        gaps = [(0, 0), *(match.span() for match in re.finditer(separators, self._text))]
        self._starts = [end for _, end in gaps]
        self._ends = [*(start for start, _ in gaps[1:]), len(self._text)]
        self.pieces = len(gaps)
        self.widest = max(1, MAX_PARTS // self.pieces)

    @property
    def is_path(self) -> bool:
        return 1 < self.pieces <= MAX_PARTS

    def part(self, start: int, end: int) -> str:
        """Return the pieces from `start` up to, not including, `end`, as one name."""
        return self._text[self._starts[start] : self._ends[end - 1]].strip()

    def starts(self, end: int) -> range:
        """Return the possible starts of a part that ends before piece `end`."""
        return range(max(0, end - self.widest), end)

    def begins(self, start: int) -> bool:
        """Whether only separators precede a piece."""
        return not any(self.part(at, at + 1) for at in range(start))

    @property
    def last_parts(self) -> list[str]:
        """Return the possible names of the entity itself."""
        return self._distinct((start, self.pieces) for start in self.starts(self.pieces) if start)

    @property
    def upper_parts(self) -> list[str]:
        """Return the possible names of the entities above it."""
        return self._distinct((start, end) for end in range(1, self.pieces) for start in self.starts(end))

    def _distinct(self, spans: Iterable[tuple[int, int]]) -> list[str]:
        return sorted({part for start, end in spans if (part := self.part(start, end))})


def below_entries(cuts: Cuts, uppers: Sequence[Entry], constants: Iterable[str], far: Far, upper_far: Far) -> Below:
    """Compare by ids. `uppers` are entries that the parts before the last can mean, each with all entries above it."""

    def further(part: str, before: Chain, chain: Chain) -> None:
        for upper in uppers:
            _extend(chain, upper.id, _nearest(part, upper.names, upper_far), _reached(before, upper))

    chains = _chains(cuts, constants, _ANYWHERE, further)
    return lambda entry: _below(cuts, entry, far, [_reached(chain, entry) for chain in chains])


def below_path_text(cuts: Cuts, separator: str, constants: Iterable[str], far: Far, upper_far: Far) -> Below:
    """Compare by the readable path of each entry, for entities without ids. A name in it can contain the separator."""
    leading = tuple(constants)

    def below(entry: Entry) -> int | None:
        segments = [segment.strip() for segment in entry.path.split(separator)]
        if entry.names and segments and fold_case(segments[-1]) == fold_case(entry.names[0]):
            segments.pop()  # the path of the entry itself: it does not lie below itself

        def further(part: str, before: dict[int, int], chain: dict[int, int]) -> None:
            for used, so_far in before.items():
                for until, more in _segments(part, segments, used, separator, upper_far):
                    _extend(chain, until, more, so_far)

        # For each piece: how many segments are used up, and how far off.
        chains = _chains(cuts, leading, 0, further)
        return _below(cuts, entry, far, [min(chain.values(), default=None) for chain in chains])

    return below


def _chains(
    cuts: Cuts, constants: Iterable[str], top: K, further: Callable[[str, dict[K, int], dict[K, int]], None]
) -> list[dict[K, int]]:
    """Return, for each piece, the entries that the parts before it lead to. `further` extends a chain by one part."""
    leading = frozenset(map(fold_case, constants))
    chains: list[dict[K, int]] = [{top: 0}]
    for end in range(1, cuts.pieces):
        chain: dict[K, int] = {}
        for start in cuts.starts(end):
            part, before = cuts.part(start, end), chains[start]
            if not part:
                for key, off in before.items():
                    _extend(chain, key, off, 0)
                continue
            if fold_case(part) in leading and cuts.begins(start):
                _extend(chain, top, 0, 0)
            further(part, before, chain)
        chains.append(chain)
    return chains


def _below(cuts: Cuts, entry: Entry, far: Far, reached: Sequence[int | None]) -> int | None:
    """Return the distance of an entry, given for each piece the distance of the parts before it."""
    own = ((_nearest(cuts.part(start, cuts.pieces), entry.names, far), reached[start])
           for start in cuts.starts(cuts.pieces) if start)  # fmt: skip
    return min((name + above for name, above in own if name is not None and above is not None), default=None)


def _segments(part: str, segments: Sequence[str], used: int, separator: str, far: Far) -> Iterable[tuple[int, int]]:
    """Yield positions of a part in a readable path after the first `used` segments, with the distance."""
    widest = part.count(separator) + 1
    for start in range(used, len(segments)):
        for end in range(start + 1, min(start + widest, len(segments)) + 1):
            off = far(part, separator.join(segments[start:end]))
            if off is not None:
                yield end, off


def _nearest(part: str, names: Iterable[str], far: Far) -> int | None:
    return min((off for name in names if (off := far(part, name)) is not None), default=None)


def _reached(chain: Chain, entry: Entry) -> int | None:
    """Return the distance of the chain that the entry is below."""
    return min((off for key, off in chain.items() if key is _ANYWHERE or key in entry.above), default=None)


def _extend(chain: dict[K, int], key: K, own: int | None, before: int | None) -> None:
    if own is not None and before is not None:
        chain[key] = min(own + before, chain.get(key, own + before))


# --- what lies above entries -----------------------------------------------------------------------------------------


def stores_ancestors(place: Place, entity: Entity) -> bool:
    """Whether a document lists all ancestors: their ids, or its parent if the hierarchy has only two levels."""
    if entity.parent is None:
        return False
    reference = entity.fields[entity.parent].reference
    above = place.entity_above(entity)
    return reference is not None and (reference.ancestors is not None or (above is not None and above.parent is None))


def read_uppers(place: Place, entity: Entity, below: Sequence[Entry]) -> Reading[dict[Scalar, Entry]]:
    """Return all entries above the given ones by id, each with all of its ancestors: in one request, or level by
    level."""
    upper = place.entity_above(entity)
    if upper is None:
        return {}
    if stores_ancestors(place, entity):
        return (yield from _read(place, upper, {one for entry in below for one in entry.above}))
    found: dict[Scalar, Entry] = {}
    level = {one for entry in below for one in entry.parents}
    for _ in range(place.env.bounds.depth):
        level -= found.keys()
        if not level:
            break
        read = yield from _read(place, upper, level)
        found |= read
        level = {one for entry in read.values() for one in entry.parents}
    return {one: with_all_above(entry, found) for one, entry in found.items()}


def with_all_above(entry: Entry, uppers: dict[Scalar, Entry]) -> Entry:
    """Add the ids of all ancestors to an entry."""
    above = set(entry.above)
    level = set(entry.parents)
    while level:
        higher = {one for parent in level if parent in uppers for one in uppers[parent].parents} - above
        above |= higher
        level = higher
    return replace(entry, above=frozenset(above))


def path_through(entry: Entry, uppers: dict[Scalar, Entry], separator: str) -> str:
    """Return a readable path: the names above an entry and its own."""
    chain = sorted((uppers[one] for one in entry.above if one in uppers), key=lambda upper: len(upper.above))
    return separator.join(names[0] for names in (*(upper.names for upper in chain), entry.names) if names)


def _read(place: Place, entity: Entity, ids: Iterable[Scalar]) -> Reading[dict[Scalar, Entry]]:
    wanted = sorted(ids, key=str)[:MAX_TERMS]
    query = all_of([*place.env.scope(entity), with_id(entity, wanted)])
    purpose = f"read the {entity.plural} above"
    hits, _ = yield from read_hits(entity, query, paths_to_read(entity), purpose, len(wanted))
    return {entry.id: entry for entry in entries(entity, hits)}
