"""Finds reference fields, by looking up their values among the ids of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from qlc.language.nouns import singular_of
from qlc.mapping.counting import count_each, terms_of_each
from qlc.mapping.draft.kinds import Kind, Kinds
from qlc.mapping.draft.naming import REFERRING, pattern_of, words_of
from qlc.mapping.draft.sources import Source, Tell, untold
from qlc.mapping.fields import FieldKind, IndexMapping

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

_MOST_TRIED = 100
_KNOWN = 0.9
"""Share of values that must be ids of documents; some documents may have been removed."""

_FEW = 5
"""Fewer numbers than this count as ids only in a field that is named like an id."""

_MOST_VALUES = 10_000
"""Most different values of a field that are all looked up; of a field with more only a sample is."""

_LOOKED_UP = 1_000
"""Values in one look-up."""


@dataclass(frozen=True, slots=True)
class Referred:
    """The entities that a field refers to, one or several, and whether that is `sure`: `why` says from what."""

    targets: tuple[Kind, ...]
    sure: bool = False
    why: str = "its values are ids of these"


References = Mapping[tuple[str, str], Referred]
"""The targets of references, by the name of the kind that has the field and by its path."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    holder: Kind
    path: str
    values: tuple[str, ...]
    numbers: bool


def find_references(client: Elasticsearch, sources: Sequence[Source], tell: Tell = untold) -> References:
    """Return fields whose values are ids of one kind, or of several kinds in one index.

    Foreign keys of a database are taken as they are declared. Raises what the client raises if it cannot be asked.
    """
    declared = dict(_declared(sources))
    candidates = [
        one for source in sources for one in _candidates(source.mapping, source.kinds)
        if (one.holder.name, one.path) not in declared
    ]  # fmt: skip
    known: dict[tuple[str, str], list[list[tuple[Kind, int]]]] = {(one.holder.name, one.path): [] for one in candidates}
    for number, source in enumerate(sources, 1):
        tell(f"comparing {len(candidates):,} fields with ids of {source.mapping.index} ({number} of {len(sources)})")
        targets = [kind for kind in source.kinds.kinds if kind.identity is not None]
        numbered = {
            kind.name for kind in targets if source.mapping.fields[str(kind.identity)].kind is FieldKind.WHOLE_NUMBER
        }
        # texts are no ids of a kind whose ids are numbers
        rows = [[(one, kind) for kind in targets if one.numbers or kind.name not in numbered] for one in candidates]
        asked = []
        for one, kind in chain(*rows):
            ids = {"terms": {str(source.mapping.fields[str(kind.identity)].exact): list(one.values)}}
            asked.append({"bool": {"filter": [kind.sample.query, ids]}})
        counts = iter(count_each(client, source.mapping.index, asked))
        for one, row in zip(candidates, rows, strict=True):
            known[one.holder.name, one.path].append([(kind, min(next(counts), len(one.values))) for _, kind in row])
    found = dict(declared)
    for one in candidates:
        place = (one.holder.name, one.path)
        kinds = _referred(one, known[place])
        if len(kinds) == 1 and _are_other_numbers(one, kinds[0]):
            continue
        if kinds:
            found[place] = Referred(kinds, len(kinds) == 1 and _is_sure(client, sources, one, kinds[0]))
    return found


def _declared(sources: Sequence[Source]) -> Iterator[tuple[tuple[str, str], Referred]]:
    """Yield the foreign keys that a database declared, which the load has put into the mapping."""
    targets = {
        f"{source.mapping.index}.{kind.identity}": (source.mapping, kind)
        for source in sources for kind in source.kinds.kinds if kind.identity is not None
    }  # fmt: skip
    for source in sources:
        for path, target in source.mapping.references.items():
            mapping, kind = targets.get(target, (None, None))
            if mapping is None or kind is None or path not in source.mapping.fields:
                continue
            if source.mapping.fields[path].kind is mapping.fields[str(kind.identity)].kind:
                for holder in source.kinds.kinds:
                    yield (holder.name, path), Referred((kind,), True, "a foreign key")


def _are_other_numbers(one: _Candidate, target: Kind) -> bool:
    """Whether a field holds numbers that are also ids of a kind by chance: the `card_id` of bookings of guests."""
    called_so = is_called_after(words_of(one.path), target.name)
    return all(map(str.isdecimal, one.values)) and not called_so and target is not one.holder


def _is_sure(client: Elasticsearch, sources: Sequence[Source], one: _Candidate, target: Kind) -> bool:
    """Whether a field is a reference beyond doubt.

    Many values and the entity's own name, or an id of it, are enough. With fewer values, a short name (`dept`), or ids
    of the same form under another name, every value of all rows must be an id of the entity.
    """
    words = words_of(one.path)
    many = len(one.values) >= _CERTAIN
    numbers = any(map(str.isdecimal, one.values))
    called_so, for_short = is_called_after(words, target.name, exactly=True), is_called_after(words, target.name)
    if many and (called_so or (words[-1] in REFERRING and not numbers)):
        return True
    formed = many and not numbers and pattern_of(one.values) is not None
    return (called_so or formed or (for_short and not numbers)) and _all_are_ids(client, sources, one, target)


_CERTAIN = 5
"""Number of values, nearly all of them ids of the entity that the field is called after, that make a reference sure."""


def is_called_after(words: Sequence[str], entity: str, *, exactly: bool = False) -> bool:
    """Whether a field is called after an entity: `customer_id` and `customers` after `customer`, unless `exactly` also
    `cust_id`; `card_id` is not called after `car`."""
    *before, noun = entity.split("_")
    length = len(before) + 1
    parts = (words[at : at + length] for at in range(len(words) - length + 1))
    same = (part[-1] for part in parts if list(part[:-1]) == before)
    return any((singular_of(one) or one) == noun or (not exactly and _is_short_for(one, noun)) for one in same)


def _is_short_for(word: str, noun: str) -> bool:
    """Whether a word has some of a noun's letters in their order, from the first: `dept` of `department`."""
    letters = iter(noun)
    return _SHORT <= len(word) < len(noun) and word[0] == noun[0] and all(one in letters for one in word)


_SHORT = 3
"""Letters of the shortest abbreviation of a noun: `emp`."""


def _all_are_ids(client: Elasticsearch, sources: Sequence[Source], one: _Candidate, target: Kind) -> bool:
    """Whether each value that the field has in any row is an id of the target."""
    of_holder = next(source for source in sources if one.holder in source.kinds.kinds)
    of_target = next(source for source in sources if target in source.kinds.kinds)
    asked = [(of_holder.mapping.fields[one.path], one.holder.sample.query)]
    buckets = next(iter(terms_of_each(client, of_holder.mapping.index, asked, _MOST_VALUES + 1)))
    values = [bucket["key"] for bucket in buckets]
    exact = str(of_target.mapping.fields[str(target.identity)].exact)
    parts = [values[at : at + _LOOKED_UP] for at in range(0, len(values), _LOOKED_UP)]
    queries = [{"bool": {"filter": [target.sample.query, {"terms": {exact: part}}]}} for part in parts]
    known = sum(count_each(client, of_target.mapping.index, queries))
    return len(values) <= _MOST_VALUES and known == len(values)


def _candidates(mapping: IndexMapping, kinds: Kinds) -> Iterator[_Candidate]:
    for kind in kinds.kinds:
        own = [] if kind.identity is None else kind.sample.at(kind.identity).values
        for path, seen in kind.sample.seen.items():
            mapped = mapping.fields[path]
            called_id = words_of(path)[-1] in REFERRING
            whole = mapped.kind is FieldKind.WHOLE_NUMBER
            may_be_ids = mapped.kind is FieldKind.KEYWORD or (whole and called_id)
            if not may_be_ids or path in (kind.identity, kinds.kind_field) or seen.values == own:
                continue
            values = sorted({str(value) for value in seen.values})
            spread = values[:: -(-len(values) // _MOST_TRIED)]
            if len(values) > 1 and (called_id or len(values) >= _FEW or not all(map(str.isdecimal, values))):
                yield _Candidate(kind, path, tuple(spread), whole)


def _referred(one: _Candidate, known: Sequence[Sequence[tuple[Kind, int]]]) -> tuple[Kind, ...]:
    """Return the kind that has these ids; of several the one that the field is named after, else the smallest.

    If no kind has them all, return the kinds of one index that together have each value once. `known` lists for each
    index how many of the values are ids of its kinds.
    """
    count = len(one.values)
    alone = [target for kinds in known for target, matched in kinds if matched >= _KNOWN * count]
    if alone:
        words = words_of(one.path)
        return (min(alone, key=lambda target: (not is_called_after(words, target.name), target.sample.total)),)
    for kinds in known:
        some = [(target, matched) for target, matched in kinds if matched]
        if _KNOWN * count <= sum(matched for _, matched in some) <= count:
            return tuple(target for target, _ in some)
    return ()
