"""Several segments into one: deleted documents go, term dictionaries are joined, documents keep their order."""

from __future__ import annotations

import dataclasses
import itertools
import operator
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import (
    Column,
    DocSpace,
    GeoColumn,
    IntArray,
    KeywordColumn,
    Norms,
    NumericColumn,
    OrdArray,
    Positions,
    Postings,
)
from qlc_engine.norms import LENGTHS
from qlc_engine.segment import Identities, Segment
from qlc_engine.segment_builder import keyword_column, run_starts
from qlc_engine.terms import TermDictionary
from qlc_engine.vector_column import VectorColumn

#: For each document of a space its number in the merged space, -1 for those that go.
DocMap = IntArray


def merge_segments(segments: Sequence[Segment], name: str) -> Segment:
    """One segment with the live documents of all; segments come in the order of their sequence numbers."""
    maps: list[DocMap] = []
    base = 0
    for segment in segments:
        live = segment.space.live
        kept = np.ones(segment.n_docs, np.bool_) if live is None else live
        maps.append(_numbered(kept, base))
        base += int(np.count_nonzero(kept))
    space = _merge_spaces([segment.space for segment in segments], maps, base)
    return Segment(name, space, _merge_identities([segment.identities for segment in segments], maps, base))


def _numbered(kept: NDArray[np.bool_], base: int) -> DocMap:
    out = np.full(len(kept), -1, np.int64)
    out[kept] = np.arange(base, base + np.count_nonzero(kept))
    return out


def _merge_spaces(spaces: Sequence[DocSpace | None], maps: Sequence[DocMap], n_docs: int) -> DocSpace:
    """Spaces of one level, without their parents; None where a segment has no element (its map is empty then)."""
    present = [(space, doc_map) for space, doc_map in zip(spaces, maps, strict=True) if space is not None]
    postings: dict[str, Postings] = {}
    columns: dict[str, Column] = {}
    for path in _names(present, lambda space: space.columns):
        parts = [(space.columns[path], doc_map) for space, doc_map in present if path in space.columns]
        first = parts[0][0]
        if isinstance(first, KeywordColumn):
            keywords = [(column, doc_map) for column, doc_map in parts if isinstance(column, KeywordColumn)]
            columns[path], postings[path] = _merge_keywords(keywords, n_docs)
        elif isinstance(first, NumericColumn):
            numbers = [(column, doc_map) for column, doc_map in parts if isinstance(column, NumericColumn)]
            columns[path] = _merge_numbers(numbers, n_docs)
        else:
            points = [(column, doc_map) for column, doc_map in parts if isinstance(column, GeoColumn)]
            columns[path] = _merge_points(points, n_docs)
    for path in _names(present, lambda space: space.postings):
        if path not in postings:
            postings[path] = _merge_texts(
                [(space.postings[path], doc_map) for space, doc_map in present if path in space.postings]
            )
    vectors = {
        path: _merge_vectors([(space.vectors[path], doc_map) for space, doc_map in present if path in space.vectors])
        for path in _names(present, lambda space: space.vectors)
    }
    children: dict[str, DocSpace] = {}
    for path in _names(present, lambda space: space.children):
        children[path] = _merge_children([space.children.get(path) for space, _ in present], [m for _, m in present])
    return DocSpace(
        n_docs=n_docs,
        columns=columns,
        children=children,
        postings=postings,
        vectors=vectors,
    )


def _names(present: list[tuple[DocSpace, DocMap]], of: Callable[[DocSpace], object]) -> list[str]:
    found: dict[str, None] = {}
    for space, _ in present:
        found.update(dict.fromkeys(of(space)))  # type: ignore[call-overload]
    return list(found)


def _merge_children(children: Sequence[DocSpace | None], parent_maps: Sequence[DocMap]) -> DocSpace:
    maps: list[DocMap] = []
    base = 0
    parents: list[IntArray] = []
    for child, parent_map in zip(children, parent_maps, strict=True):
        if child is None or child.parent is None:
            maps.append(np.zeros(0, np.int64))
            continue
        new_parents = parent_map[child.parent]
        kept = new_parents >= 0
        maps.append(_numbered(kept, base))
        base += int(np.count_nonzero(kept))
        parents.append(new_parents[kept])
    merged = _merge_spaces(children, maps, base)
    return dataclasses.replace(merged, parent=np.concatenate(parents))


def _owners(starts: IntArray, doc_map: DocMap) -> IntArray:
    """The new document of each value of a column."""
    return np.repeat(doc_map, np.diff(starts))


def _join_terms(
    dictionaries: Sequence[TermDictionary], used: Sequence[NDArray[np.bool_]]
) -> tuple[TermDictionary, list[OrdArray]]:
    """The dictionary of all used terms, and for each given one the new ordinal of each of its terms (-1: unused)."""
    lists = [_kept_terms(terms, flags) for terms, flags in zip(dictionaries, used, strict=True)]
    together = list(itertools.chain.from_iterable(lists))
    # the lists are sorted already, which makes this a merge
    order = sorted(range(len(together)), key=together.__getitem__)
    ascending = [together[at] for at in order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = np.fromiter(map(operator.ne, ascending[1:], ascending), np.bool_, max(len(order) - 1, 0))
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.cumsum(is_new) - 1
    maps: list[OrdArray] = []
    start = 0
    for terms, flags in zip(lists, used, strict=True):
        new = np.full(len(flags), -1, np.int32)
        new[flags] = numbers[start : start + len(terms)]
        start += len(terms)
        maps.append(new)
    return TermDictionary.from_sorted(list(itertools.compress(ascending, is_new.tolist()))), maps


def _kept_terms(terms: TermDictionary, kept: NDArray[np.bool_]) -> list[bytes]:
    listed = terms.as_bytes()
    return listed if kept.all() else list(itertools.compress(listed, kept.tolist()))


def _dictionary(column: KeywordColumn) -> TermDictionary:
    if not isinstance(column.terms, TermDictionary):
        raise TypeError("the terms of a segment's column are a TermDictionary")
    return column.terms


def _merge_keywords(parts: list[tuple[KeywordColumn, DocMap]], n_docs: int) -> tuple[KeywordColumn, Postings]:
    kept_docs: list[IntArray] = []
    kept_ords: list[OrdArray] = []
    used: list[NDArray[np.bool_]] = []
    for column, doc_map in parts:
        owners = _owners(column.starts, doc_map)
        kept = owners >= 0
        kept_docs.append(owners[kept])
        kept_ords.append(column.ords[kept])
        flags = np.zeros(len(column.terms), np.bool_)
        flags[kept_ords[-1]] = True
        used.append(flags)
    terms, maps = _join_terms([_dictionary(column) for column, _ in parts], used)
    ords = np.concatenate([new[old] for new, old in zip(maps, kept_ords, strict=True)])
    return keyword_column(terms, np.concatenate(kept_docs).astype(np.int32), ords, n_docs)


def _merge_numbers(parts: list[tuple[NumericColumn, DocMap]], n_docs: int) -> NumericColumn:
    docs: list[IntArray] = []
    values: list[NDArray[np.float64]] = []
    whole: list[NDArray[np.int64]] = []
    for column, doc_map in parts:
        owners = _owners(column.starts, doc_map)
        kept = owners >= 0
        docs.append(owners[kept])
        if column.values.dtype == np.float64:
            values.append(column.values[kept].astype(np.float64))
        else:
            whole.append(column.values[kept].astype(np.int64))
    starts = run_starts(np.concatenate(docs).astype(np.int32), n_docs)
    return NumericColumn(starts, np.concatenate(values)) if values else NumericColumn(starts, np.concatenate(whole))


def _merge_points(parts: list[tuple[GeoColumn, DocMap]], n_docs: int) -> GeoColumn:
    owners = [_owners(column.starts, doc_map) for column, doc_map in parts]
    lats = np.concatenate([column.lat[docs >= 0] for (column, _), docs in zip(parts, owners, strict=True)])
    lons = np.concatenate([column.lon[docs >= 0] for (column, _), docs in zip(parts, owners, strict=True)])
    docs = np.concatenate([docs[docs >= 0] for docs in owners]).astype(np.int32)
    return GeoColumn(run_starts(docs, n_docs), lats, lons)


def _merge_vectors(parts: list[tuple[VectorColumn, DocMap]]) -> VectorColumn:
    docs = [doc_map[column.docs] for column, doc_map in parts]
    merged = np.concatenate([found[found >= 0] for found in docs]).astype(np.int32)
    rows, end = np.empty((len(merged), parts[0][0].rows.shape[1]), np.float32), 0
    for (column, _), found in zip(parts, docs, strict=True):
        for _, some in column.in_parts(np.flatnonzero(found >= 0), timed=False):
            rows[end : end + len(some)] = some
            end += len(some)
    return VectorColumn.of(merged, rows)


def _merge_texts(parts: list[tuple[Postings, DocMap]]) -> Postings:
    kept_postings: list[NDArray[np.bool_]] = []
    used: list[NDArray[np.bool_]] = []
    for part, doc_map in parts:
        kept = doc_map[part.docs] >= 0
        kept_postings.append(kept)
        used.append(_counts_of_runs(kept, part.starts) > 0)
    terms, maps = _join_terms([part.terms for part, _ in parts], used)
    starts, places = _places_in_merged([part for part, _ in parts], maps, kept_postings, len(terms))
    docs = np.empty(int(starts[-1]), np.int32)
    for (part, doc_map), kept, place in zip(parts, kept_postings, places, strict=True):
        docs[place] = doc_map[part.docs[kept]]
    freqs = positions = None
    if parts[0][0].positions is not None:
        position_starts, values = _merge_positions(parts, kept_postings, places, len(docs))
        positions = Positions.of(position_starts, values)
        freqs = np.diff(position_starts).astype(np.int32) if parts[0][0].freqs is not None else None
    norms = _merge_norms(parts)
    return Postings(
        terms=terms,
        starts=starts,
        docs=docs,
        freqs=freqs,
        positions=positions,
        norms=norms,
        # a length of zero is a field without a term
        doc_count=len(np.unique(docs)) if norms is None else int(np.count_nonzero(norms.codes)),
    )


def _counts_of_runs(flags: NDArray[np.bool_], starts: IntArray) -> IntArray:
    """How many flags are set in each run."""
    passed = np.zeros(len(flags) + 1, np.int64)
    np.cumsum(flags, out=passed[1:])
    return passed[starts[1:]] - passed[starts[:-1]]


def _places_in_merged(
    parts: Sequence[Postings], maps: Sequence[OrdArray], kept: Sequence[NDArray[np.bool_]], n_terms: int
) -> tuple[IntArray, list[IntArray]]:
    """Return the start of each merged term's run, and the destination of each kept posting of each part.

    The run of a term holds the postings of the first part, then those of the second, and so on.
    """
    counts = [_counts_of_runs(flags, part.starts) for part, flags in zip(parts, kept, strict=True)]
    totals = np.zeros(n_terms, np.int64)
    for new, count in zip(maps, counts, strict=True):
        totals[new[count > 0]] += count[count > 0]
    starts = np.zeros(n_terms + 1, np.int64)
    np.cumsum(totals, out=starts[1:])
    free = starts[:-1].copy()
    places: list[IntArray] = []
    for new, count in zip(maps, counts, strict=True):
        ordinals, lengths = new[count > 0], count[count > 0]
        places.append(_runs(free[ordinals], lengths))
        free[ordinals] += lengths
    return starts, places


def _runs(begins: IntArray, lengths: IntArray) -> IntArray:
    """The numbers from each begin on, as many as its length, one run after the other."""
    total = int(lengths.sum())
    # of a text field there are many: in 32 bits if they fit
    fits = max(total, int((begins + lengths).max(initial=0))) < 2**31
    kind = np.int32 if fits else np.int64
    out = np.repeat((begins - (np.cumsum(lengths) - lengths)).astype(kind), lengths)
    out += np.arange(total, dtype=kind)
    return out


def _merge_positions(
    parts: list[tuple[Postings, DocMap]], kept: list[NDArray[np.bool_]], places: list[IntArray], n_postings: int
) -> tuple[IntArray, OrdArray]:
    """Return the start of the positions of each merged posting, and the positions."""
    starts = np.zeros(n_postings + 1, np.int64)
    for (part, _), flags, place in zip(parts, kept, places, strict=True):
        if part.positions is not None:
            starts[place + 1] = np.diff(part.positions.arrays()[0])[flags]
    np.cumsum(starts, out=starts)
    positions = np.empty(int(starts[-1]), np.int32)
    for (part, _), flags, place in zip(parts, kept, places, strict=True):
        if part.positions is not None:
            old_starts, values = part.positions.arrays()
            counts = np.diff(old_starts).astype(np.int64)
            positions[_runs(starts[place], counts[flags])] = values[np.repeat(flags, counts)]
    return starts, positions


def _merge_norms(parts: list[tuple[Postings, DocMap]]) -> Norms | None:
    docs: list[IntArray] = []
    codes: list[NDArray[np.uint8]] = []
    total = 0
    for part, doc_map in parts:
        if part.norms is None:
            return None
        new = doc_map[part.norms.docs]
        kept = new >= 0
        docs.append(new[kept])
        codes.append(part.norms.codes[kept])
        total += part.norms.total if kept.all() else _length_of(part, doc_map)
    return Norms(np.concatenate(docs).astype(np.int32), np.concatenate(codes), total)


def _length_of(part: Postings, doc_map: DocMap) -> int:
    """The exact sum of lengths of the documents that stay."""
    kept = doc_map[part.docs] >= 0
    if part.positions is not None:
        return int(np.diff(part.positions.arrays()[0])[kept].sum())
    if part.norms is None:
        return 0
    return int(LENGTHS[part.norms.codes[doc_map[part.norms.docs] >= 0]].sum())


def _merge_identities(parts: Sequence[Identities], maps: Sequence[DocMap], n_docs: int) -> Identities:
    ids: list[bytes] = []
    docs: list[IntArray] = []
    for part, doc_map in zip(parts, maps, strict=True):
        new = doc_map[part.doc_of]
        kept = new >= 0
        ids += _kept_terms(part.ids, kept)
        docs.append(new[kept])
    # the runs are sorted already, which makes this a merge
    order = sorted(range(n_docs), key=ids.__getitem__)
    doc_of = np.concatenate(docs).astype(np.int32)[order]
    ord_of = np.empty(n_docs, np.int32)
    ord_of[doc_of] = np.arange(n_docs, dtype=np.int32)
    pairs = list(zip(parts, maps, strict=True))
    return Identities(
        ids=TermDictionary.from_sorted([ids[at] for at in order]),
        doc_of=doc_of,
        ord_of=ord_of,
        seq_nos=np.concatenate([part.seq_nos[doc_map >= 0] for part, doc_map in pairs]),
        versions=np.concatenate([part.versions[doc_map >= 0] for part, doc_map in pairs]),
    )
