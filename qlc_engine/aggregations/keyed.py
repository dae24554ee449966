"""Documents by key: the common ground of terms, histograms and composite sources.

A column's values are turned once into ordinals of its distinct keys (`KeyedColumn`, cached with the column); the keys
of all segments are merged into one ascending list, and a selection becomes (document, key ordinal) pairs, each pair of
one bucket once however often the value is in the document.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, is_single_valued, occurrences
from qlc_engine.columns import IntArray, KeywordColumn, NumericColumn
from qlc_engine.derived import derived
from qlc_engine.docset import Ordinals
from qlc_engine.terms import TermDictionary

#: Up to so many terms over all segments, their common order is worked out once and kept.
_NUMBERED_TERMS = 200_000

Keys = NDArray[np.int64] | NDArray[np.float64] | Sequence[str]


@dataclass(frozen=True, slots=True)
class KeyFunction:
    """How numeric values become keys (rounding to an interval); `identity` names it in the cache."""

    identity: Hashable
    apply: Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class KeyedColumn:
    """`ids[i]` is the ordinal in `keys` (ascending, distinct) of the column's value `i`."""

    keys: Keys
    ids: NDArray[np.int32]
    #: some document has two values with the same key
    repeats: bool


@dataclass(frozen=True, slots=True)
class KeyedSlice:
    """`positions` into the slice's documents (None: one key each, in order), and `own_ids`, the ordinals of the keys
    among those of the segment. `translation` makes merged ordinals of these (None: they are the same)."""

    part: Slice
    positions: IntArray | None
    own_ids: NDArray[Any]
    translation: IntArray | None

    @property
    def ids(self) -> IntArray:
        """The merged ordinal of each key."""
        return self.own_ids.astype(np.int64) if self.translation is None else self.translation[self.own_ids]

    def owners(self) -> IntArray | None:
        owners = self.part.owners
        return owners if owners is None or self.positions is None else owners[self.positions]

    def docs(self) -> Ordinals:
        return self.part.docs if self.positions is None else self.part.docs[self.positions]


@dataclass(frozen=True, slots=True)
class KeyedSelection:
    keys: Keys
    slices: list[KeyedSlice]


def keyed_column(column: KeywordColumn | NumericColumn, function: KeyFunction | None) -> KeyedColumn:
    if isinstance(column, KeywordColumn):
        return KeyedColumn(column.terms, column.ords, False)
    identity = None if function is None else function.identity
    return derived((column.values,), ("keys", identity), lambda: _key_numbers(column, function))


def _key_numbers(column: NumericColumn, function: KeyFunction | None) -> KeyedColumn:
    values = column.values if function is None else function.apply(column.values)
    keys, ids = _distinct(values)
    repeats = False
    if not is_single_valued(column) and len(ids) > 1:
        same = ids[1:] == ids[:-1]
        first_of_doc = np.zeros(len(ids) + 1, np.bool_)
        first_of_doc[column.starts] = True
        repeats = bool((same & ~first_of_doc[1:-1]).any())
    return KeyedColumn(keys, ids, repeats)


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Distinct values ascending and the ordinal of each; small whole ranges without sorting."""
    if len(values) and values.dtype == np.int64:
        low, high = int(values.min()), int(values.max())
        if high - low < max(4 * len(values), 1024):
            present = np.zeros(high - low + 1, np.bool_)
            present[values - low] = True
            rank = np.cumsum(present, dtype=np.int32) - 1
            return np.flatnonzero(present) + low, rank[values - low].astype(np.int32)
    keys, ids = np.unique(_ordered(values), return_inverse=True)
    return _of_ordered(keys, values.dtype), ids.astype(np.int32)


def _ordered(values: NDArray[Any]) -> NDArray[Any]:
    """Doubles as whole numbers in the same order, as Lucene stores them: both zeros are keys of their own."""
    if values.dtype != np.float64:
        return values
    bits = values.view(np.int64)
    return bits ^ (bits >> 63 & _ALL_BUT_SIGN)


def _of_ordered(numbers: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if dtype != np.float64:
        return numbers
    bits: NDArray[Any] = numbers ^ (numbers >> 63 & _ALL_BUT_SIGN)
    return bits.view(np.float64)


_ALL_BUT_SIGN = np.int64(2**63 - 1)


def key_selection(
    source: Source,
    selection: Selection,
    function: KeyFunction | None = None,
    *,
    unused_keys: bool = False,
    among: Callable[[Slice, NDArray[Any]], NDArray[np.bool_]] | None = None,
) -> KeyedSelection:
    """The keys of the selected documents. `unused_keys`: some that no selected document has may be listed, too;
    `among` says which of some numbers of a slice count."""
    read = source.column if function is None else source.numbers
    columns = [read(part) for part in selection.slices]
    keyed = [None if column is None else keyed_column(column, function) for column in columns]
    missing_key = _missing_key(source, function)
    found: list[tuple[Slice, KeyedColumn | None, IntArray | None, NDArray[Any]]] = []
    for part, column, keys in zip(selection.slices, columns, keyed, strict=True):
        if column is None or keys is None:
            found.append((part, None, np.empty(0, np.int64), np.empty(0, np.int64)))
            continue
        at = occurrences(column, part.docs)
        positions, ids = at.positions, keys.ids[at.index]
        if among is not None and positions is not None and isinstance(column, NumericColumn):
            counted = among(part, column.values[at.index])
            positions, ids = positions[counted], ids[counted]
        if keys.repeats and positions is not None and len(ids) > 1:
            distinct = np.ones(len(ids), np.bool_)
            distinct[1:] = (positions[1:] != positions[:-1]) | (ids[1:] != ids[:-1])
            positions, ids = positions[distinct], ids[distinct]
        found.append((part, keys, positions, ids))
    merged, translations = _merge(found, missing_key, unused_keys=unused_keys)
    missing_id = None if missing_key is None else _find(merged, missing_key)
    slices = []
    for (part, _, positions, ids), translation in zip(found, translations, strict=True):
        if missing_id is not None and positions is not None:
            wide: NDArray[Any] = ids if translation is None else translation[ids]
            translation = None
            absent = np.ones(len(part.docs), np.bool_)
            absent[positions] = False
            empty = np.flatnonzero(absent)
            positions = np.concatenate((positions, empty))
            wide = np.concatenate((wide, np.full(len(empty), missing_id)))
            order = np.argsort(positions, kind="stable")
            positions, ids = positions[order], wide[order]
        slices.append(KeyedSlice(part, positions, ids, translation))
    return KeyedSelection(merged, slices)


def _missing_key(source: Source, function: KeyFunction | None) -> Any:
    if source.missing is None or function is None:
        return source.missing
    dtype = np.int64 if isinstance(source.missing, int) else np.float64
    return function.apply(np.array([source.missing], dtype))[0]


def _find(keys: Keys, key: Any) -> int:
    if not isinstance(keys, np.ndarray):
        return bisect_left(keys, key)
    return int(np.searchsorted(_ordered(keys), _ordered(np.array([key], keys.dtype)))[0])


def _merge(
    found: list[tuple[Slice, KeyedColumn | None, IntArray | None, NDArray[Any]]],
    missing: Any,
    *,
    unused_keys: bool,
) -> tuple[Keys, list[IntArray | None]]:
    """One ascending list of keys, and for each segment the ordinal in it of each of its own (None: the same)."""
    present = [keys for _, keys, _, _ in found if keys is not None]
    if len(present) == 1 and (missing is None or _contains(present[0].keys, missing)):
        return present[0].keys, [None] * len(found)
    if not present:
        keys: Keys = [] if missing is None else [missing] if isinstance(missing, str) else np.array([missing])
        return keys, [None] * len(found)
    if not isinstance(present[0].keys, np.ndarray):
        return _merge_terms(found, missing, unused_keys=unused_keys)
    arrays = [np.asarray(keys.keys) for keys in present]
    extra = [] if missing is None else [np.array([missing], arrays[0].dtype)]
    joined = np.concatenate(arrays + extra)
    ordered = np.unique(_ordered(joined))
    return _of_ordered(ordered, joined.dtype), [
        None
        if keys is None
        else np.searchsorted(ordered, _ordered(np.asarray(keys.keys).astype(joined.dtype))).astype(np.int64)
        for _, keys, _, _ in found
    ]


def _merge_terms(
    found: list[tuple[Slice, KeyedColumn | None, IntArray | None, NDArray[Any]]],
    missing: Any,
    *,
    unused_keys: bool,
) -> tuple[Keys, list[IntArray | None]]:
    """As `_merge`, for texts; terms that no document needs are left out unless asked for."""
    dictionaries = [keys.keys for _, keys, _, _ in found if keys is not None and isinstance(keys.keys, TermDictionary)]
    n_present = sum(keys is not None for _, keys, _, _ in found)
    if missing is None and len(dictionaries) == n_present and sum(map(len, dictionaries)) <= _NUMBERED_TERMS:
        terms, numbers = _numbered(dictionaries)
        if unused_keys:
            of_present = iter(numbers)
            return terms, [None if keys is None else next(of_present) for _, keys, _, _ in found]
        return _renumbered(found, terms, numbers)
    used: list[tuple[list[str], IntArray] | None] = []
    every: set[str] = set() if missing is None else {str(missing)}
    for _, keys, _, ids in found:
        if keys is None:
            used.append(None)
            continue
        assert not isinstance(keys.keys, np.ndarray)
        count = len(keys.keys)
        ordinals = np.flatnonzero(np.bincount(ids, minlength=count))
        terms = [keys.keys[ordinal] for ordinal in ordinals.tolist()]
        used.append((terms, ordinals))
        every.update(terms)
    merged = sorted(every)
    rank = {term: number for number, term in enumerate(merged)}
    translations: list[IntArray | None] = []
    for (_, keys, _, _), pair in zip(found, used, strict=True):
        if keys is None or pair is None:
            translations.append(None)
            continue
        translation = np.zeros(max(len(keys.keys), 1), np.int64)
        translation[pair[1]] = [rank[term] for term in pair[0]]
        translations.append(translation)
    return merged, translations


def _numbered(dictionaries: Sequence[TermDictionary]) -> tuple[list[str], list[IntArray]]:
    """The terms of all segments, ascending, and for each segment the ordinal among them of each of its own. Kept."""

    def join() -> tuple[list[str], list[IntArray]]:
        lists = [list(terms) for terms in dictionaries]
        joined = sorted(set().union(*lists))
        rank = {term: number for number, term in enumerate(joined)}
        return joined, [np.fromiter(map(rank.__getitem__, terms), np.int64, len(terms)) for terms in lists]

    return derived(tuple(terms.offsets for terms in dictionaries), "numbered terms", join)


def _renumbered(
    found: list[tuple[Slice, KeyedColumn | None, IntArray | None, NDArray[Any]]],
    terms: list[str],
    numbers: list[IntArray],
) -> tuple[Keys, list[IntArray | None]]:
    """The terms that some document needs, and the translation of each segment to these."""
    needed = np.zeros(len(terms), np.bool_)
    given = iter(numbers)
    for _, keys, _, ids in found:
        if keys is not None:
            needed[next(given)[np.flatnonzero(np.bincount(ids, minlength=len(keys.keys)))]] = True
    rank = np.cumsum(needed) - 1
    given = iter(numbers)
    translations = [None if keys is None else rank[next(given)] for _, keys, _, _ in found]
    return [terms[number] for number in np.flatnonzero(needed).tolist()], translations


def _contains(keys: Keys, key: Any) -> bool:
    at = _find(keys, key)
    return at < len(keys) and bool(keys[at] == key)


@dataclass(frozen=True, slots=True)
class Cells:
    """The (owner, key) pairs that occur, ordered by owner and then key, with their documents."""

    owners: IntArray
    ids: IntArray
    counts: IntArray
    n_keys: int
    #: makes per slice the cell code `owner * n_keys + id` of each pair
    codes: Callable[[], list[IntArray]]


#: Up to this many possible cells are counted in one array; beyond, the pairs are sorted.
_DENSE_CELLS = 1 << 22


def count_cells(keyed: KeyedSelection, n_owners: int) -> Cells:
    """Documents per owner and key."""
    n_keys = max(len(keyed.keys), 1)
    total = n_owners * n_keys
    if n_owners == 1 and total <= _DENSE_CELLS:
        counts = np.zeros(len(keyed.keys), np.int64)
        for part in keyed.slices:
            if len(part.own_ids):
                _add_counts(counts, part)
        present = np.flatnonzero(counts)
        owners = np.zeros(len(present), np.int64)
        return Cells(owners, present, counts[present], n_keys, lambda: [part.ids for part in keyed.slices])
    pairs = []
    for part in keyed.slices:
        in_buckets = part.owners()
        pairs.append(part.ids if in_buckets is None else in_buckets * n_keys + part.ids)
    if total <= max(_DENSE_CELLS, 2 * sum(map(len, pairs))):
        counts = np.zeros(total if len(keyed.keys) else 0, np.int64)
        for code in pairs:
            if len(code):
                counts += np.bincount(code, minlength=total)
        present = np.flatnonzero(counts)
        found = counts[present]
    else:
        present, found = np.unique(np.concatenate(pairs), return_counts=True)
    return Cells(present // n_keys, present % n_keys, found, n_keys, lambda: pairs)


def _add_counts(counts: IntArray, part: KeyedSlice) -> None:
    """Adds for each merged key how often the slice has it; a segment's keys are counted before they are translated."""
    if part.translation is None:
        counts += np.bincount(part.own_ids, minlength=len(counts))
    else:
        own = np.bincount(part.own_ids)
        used = np.flatnonzero(own)
        counts[part.translation[used]] += own[used]


def regroup(selection: Selection, keyed: KeyedSelection, cells: Cells, chosen: IntArray, n_buckets: int) -> Selection:
    """The documents of the chosen cells (indices into `cells`, in bucket order), each in its bucket."""
    if n_buckets == 0:
        return Selection(selection.run, selection.path, 0)
    codes = cells.owners[chosen] * cells.n_keys + cells.ids[chosen]
    of_pairs = cells.codes()
    slices = []
    total = selection.n_owners * cells.n_keys
    dense = total <= max(_DENSE_CELLS, 2 * sum(map(len, of_pairs)))
    if dense:
        bucket_of = np.full(total, -1, np.int64)
        bucket_of[codes] = np.arange(len(codes))
    order = np.argsort(codes)
    for part, code in zip(keyed.slices, of_pairs, strict=True):
        if dense:
            buckets = bucket_of[code]
            keep = buckets >= 0
        elif len(codes):
            at = np.minimum(np.searchsorted(codes, code, sorter=order), len(codes) - 1)
            buckets = order[at]
            keep = codes[buckets] == code
        else:
            buckets, keep = code, np.zeros(len(code), np.bool_)
        docs = part.docs()
        slices.append(Slice(part.part.segment, part.part.space, docs[keep], buckets[keep]))
    return Selection(selection.run, selection.path, n_buckets, slices)
