"""`terms`: one bucket per value of a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.keyed import Cells, KeyedSelection, Keys, count_cells, key_selection, regroup
from qlc_engine.aggregations.ordering import (
    COUNT_DESC,
    Order,
    check_order,
    metric_children,
    read_order,
    sort_cells,
)
from qlc_engine.aggregations.selection import Selection
from qlc_engine.aggregations.source import Source, read_source
from qlc_engine.aggregations.tree import Aggregator, BucketList
from qlc_engine.aggregations.value_format import DateValueFormat
from qlc_engine.columns import IntArray
from qlc_engine.dates import parse_date
from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.ip import encode_ip, format_ip
from qlc_engine.lucene_regexp import LuceneRegexp, compile_regexp
from qlc_engine.mapping import FieldLookup
from qlc_engine.params import Params
from qlc_engine.time_limit import timed


@dataclass(frozen=True, slots=True)
class KeyRenderer:
    """Prints the key of a bucket: `keys[ids[bucket]]` by the kind of the source."""

    source: Source
    keys: Keys
    ids: IntArray

    def value(self, bucket: int) -> Any:
        key = self.keys[int(self.ids[bucket])]
        if isinstance(key, str):
            return format_ip(key) if _is_ip(self.source) else key
        if not self.source.is_whole:
            return float(key)
        return int(key) + (0 if self.source.field is None else self.source.field.stored_offset)

    def key_fields(self, bucket: int) -> dict[str, Any]:
        value = self.value(bucket)
        if isinstance(value, str):
            return {"key": value}
        text = self.source.format.as_string(value)
        return {"key": value} if text is None else {"key": value, "key_as_string": text}


def _is_ip(source: Source) -> bool:
    return source.field is not None and source.field.type == "ip"


@dataclass(frozen=True, slots=True)
class KeyFilter:
    """`include` and `exclude`: exact values or a regular expression."""

    values: frozenset[Any] | None = None
    pattern: LuceneRegexp | None = None

    def accepts(self, keys: Keys) -> NDArray[np.bool_]:
        listed = keys.tolist() if isinstance(keys, np.ndarray) else list(keys)
        if self.values is not None:
            return np.fromiter((key in self.values for key in listed), np.bool_, len(listed))
        assert self.pattern is not None
        match = self.pattern.fullmatch
        return np.fromiter((match(key) for key in timed(listed)), np.bool_, len(listed))


def allowed_keys(keys: Keys, count: int, include: KeyFilter | None, exclude: KeyFilter | None) -> NDArray[np.bool_]:
    """Return a mask of the `count` keys that pass `include` and `exclude`."""
    allowed = np.ones(count, np.bool_)
    if len(keys):
        if include is not None:
            allowed &= include.accepts(keys)
        if exclude is not None:
            allowed &= ~exclude.accepts(keys)
    return allowed


@dataclass
class TermsAggregator(Aggregator):
    source: Source
    size: int
    shard_size: int
    min_doc_count: int
    orders: list[Order]
    include: KeyFilter | None
    exclude: KeyFilter | None

    def collect(self, selection: Selection) -> BucketList:
        check_order(self.orders, self.children)
        # in one array all keys are counted faster than those that are needed are found; filters look at each key
        counted = selection.n_owners == 1 and self.include is None and self.exclude is None
        keyed = key_selection(self.source, selection, unused_keys=counted)
        cells = self._accepted(keyed, count_cells(keyed, selection.n_owners))
        ranked = self._rank(selection, keyed, cells)
        chosen, others = self._choose(cells, ranked, selection.n_owners)
        selection.run.count_buckets(len(chosen))
        uncertain = self._is_uncertain(cells, selection.n_owners)
        heads = [
            {"doc_count_error_upper_bound": -1 if unknown else 0, "sum_other_doc_count": int(other)}
            for unknown, other in zip(uncertain, others, strict=True)
        ]
        return BucketList(
            starts=np.searchsorted(cells.owners[chosen], np.arange(selection.n_owners + 1)),
            doc_counts=cells.counts[chosen],
            renderer=KeyRenderer(self.source, keyed.keys, cells.ids[chosen]),
            children=self.children.collect_below(lambda: regroup(selection, keyed, cells, chosen, len(chosen))),
            heads=heads,
        )

    def _is_uncertain(self, cells: Cells, n_owners: int) -> list[bool]:
        """Per owner whether the server prints -1 for the error of counts: it cannot bound it by the last count.

        So it does, even with one shard, if terms were left out in an order that is neither count descending nor key.
        """
        if self.orders[0] == COUNT_DESC or self.orders[0].path == ("_key",):
            return [False] * n_owners
        handed_on = np.bincount(cells.owners, minlength=n_owners)
        return [bool(number >= self.shard_size) for number in handed_on]

    def _accepted(self, keyed: KeyedSelection, cells: Cells) -> Cells:
        if self.include is None and self.exclude is None:
            return cells
        keep = allowed_keys(keyed.keys, cells.n_keys, self.include, self.exclude)[cells.ids]
        return Cells(cells.owners[keep], cells.ids[keep], cells.counts[keep], cells.n_keys, cells.codes)

    def _rank(self, selection: Selection, keyed: KeyedSelection, cells: Cells) -> IntArray:
        """The cells by owner and order; of very many only those that can be returned."""
        needed = metric_children(self.orders, self.children)
        metrics = None
        if needed:
            everything = np.arange(len(cells.ids))
            metrics = needed.collect(regroup(selection, keyed, cells, everything, len(everything)))
        elif self.orders[0] == COUNT_DESC and selection.n_owners == 1 and len(cells.ids) > 4 * self.shard_size:
            last = len(cells.ids) - self.shard_size
            first = np.flatnonzero(cells.counts >= np.partition(cells.counts, last)[last])
            return first[sort_cells(self.orders, cells.owners[first], cells.ids[first], cells.counts[first], None)]
        return sort_cells(self.orders, cells.owners, cells.ids, cells.counts, metrics)

    def _choose(self, cells: Cells, ranked: IntArray, n_owners: int) -> tuple[IntArray, IntArray]:
        """The cells that become buckets, and per owner the documents in no returned bucket.

        A shard hands on its first `shard_size` terms whatever their count; the smaller ones among these are then
        dropped without being counted as "other".
        """
        owners, counts = cells.owners[ranked], cells.counts[ranked]
        firsts = np.searchsorted(owners, np.arange(n_owners))
        rank = np.arange(len(ranked)) - firsts[owners] if len(ranked) else ranked
        handed_on = rank < self.shard_size
        enough = handed_on & (counts >= self.min_doc_count)
        passed = np.cumsum(enough)
        before = np.concatenate(([0], passed))[firsts]
        returned = enough & (passed - before[owners] <= self.size) if len(ranked) else enough
        shown = returned | (handed_on & ~enough)
        others = np.bincount(cells.owners, weights=cells.counts, minlength=n_owners)
        others -= np.bincount(owners[shown], weights=counts[shown], minlength=n_owners)
        return ranked[returned], others.astype(np.int64)


def parse_terms(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    source = read_source(body, mapping, accepts="keyed")
    size = body.integer("size", 10, at_least=1)
    min_doc_count = body.integer("min_doc_count", 1, at_least=0)
    if min_doc_count == 0:
        raise not_implemented("[min_doc_count] of 0 in aggregation [terms]")
    orders = read_order(body, [COUNT_DESC])
    include, exclude = read_key_filters(body, source)
    by_key = orders[0].path == ("_key",)
    return {
        "source": source,
        "size": size,
        "shard_size": size if by_key else max(size, min(int(size * 1.5 + 10), 2**31 - 1)),
        "min_doc_count": min_doc_count,
        "orders": orders,
        "include": include,
        "exclude": exclude,
    }


def read_key_filters(body: Params, source: Source) -> tuple[KeyFilter | None, KeyFilter | None]:
    found: list[KeyFilter | None] = []
    for key in ("include", "exclude"):
        given = body.take(key)
        if given is None:
            found.append(None)
        elif isinstance(given, dict) and key == "include":
            raise not_implemented("[include] of aggregation [terms] by partitions")
        elif isinstance(given, list):
            found.append(KeyFilter(values=frozenset(_key_of(source, value) for value in given)))
        elif isinstance(given, dict):
            raise body.wrong(key, given)
        else:
            found.append(_regex_filter(body, source, key, str(given)))
    return found[0], found[1]


def _regex_filter(body: Params, source: Source, key: str, pattern: str) -> KeyFilter:
    is_text = source.field is not None and source.field.is_text
    if not (source.is_keyword or is_text) or _is_ip(source):
        raise illegal_argument(
            f"Aggregation [{body.name}] cannot support regular expression style include/exclude settings as they can "
            "only be applied to string fields. Use an array of "
            f"{'values' if source.is_keyword else 'numeric values'} for include/exclude clauses"
            f"{'' if source.is_keyword else ' used to filter numeric fields'}"
        )
    try:
        return KeyFilter(pattern=compile_regexp(pattern))
    except EngineError as error:
        raise body.failed(key, error.reason) from error


def _key_of(source: Source, value: Any) -> Any:
    """A value of an include list as the column holds it."""
    if isinstance(value, dict | list):
        raise illegal_argument("include and exclude take plain values")
    if _is_ip(source):
        return encode_ip(str(value))
    if source.is_keyword or (source.field is None and source.script is None):
        return str(value)
    if isinstance(source.format, DateValueFormat):
        return parse_date(str(value), source.format.format.source, now_ms=0)
    if source.is_boolean:
        return int(value in (True, "true"))
    try:
        number = int(value) if source.is_whole else float(value)
    except ValueError:
        raise EngineError("number_format_exception", f'For input string: "{value}"') from None
    return number - (0 if source.field is None else source.field.stored_offset)
