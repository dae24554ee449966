"""`ip_prefix`: addresses by the network that they are in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import numpy as np

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.grouping import group
from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, occurrences, read_source
from qlc_engine.aggregations.tree import Aggregator, BucketList
from qlc_engine.columns import KeywordColumn
from qlc_engine.errors import illegal_argument
from qlc_engine.mapping import FieldLookup


@dataclass(frozen=True, slots=True)
class _Networks:
    keys: list[int]
    length: int
    is_ipv6: bool
    append: bool
    keyed: bool

    def key_fields(self, bucket: int) -> dict[str, Any]:
        shown: dict[str, Any] = {} if self.keyed else {"key": self.key_text(bucket)}
        shown |= {"is_ipv6": self.is_ipv6}
        if not self.is_ipv6:
            mask = (2**32 - 1) ^ (2 ** (32 - self.length) - 1)
            return {**shown, "prefix_length": self.length, "netmask": str(IPv4Address(mask))}
        return {**shown, "prefix_length": self.length}

    def key_text(self, bucket: int) -> str:
        key = self.keys[bucket]
        text = str(IPv6Address(key)) if self.is_ipv6 else str(IPv4Address(key))
        return f"{text}/{self.length}" if self.append else text


@dataclass
class IpPrefixAggregator(Aggregator):
    source: Source
    length: int
    is_ipv6: bool
    append: bool
    keyed: bool
    min_doc_count: int

    def _networks(self, part: Slice) -> Iterable[tuple[int, int]]:
        column = self.source.column(part)
        if not isinstance(column, KeywordColumn):
            return
        found = occurrences(column, part.docs)
        positions = np.arange(len(part.docs)) if found.positions is None else found.positions
        bits = 128 if self.is_ipv6 else 32
        dropped = bits - self.length
        for position, ordinal in zip(positions.tolist(), column.ords[found.index].tolist(), strict=True):
            address = int(column.terms[ordinal], 16)
            address &= 2**bits - 1
            yield position, address >> dropped << dropped

    def collect(self, selection: Selection) -> BucketList:
        groups = group(selection, self._networks)
        chosen = []
        for owner in range(selection.n_owners):
            own = [found for found in groups.of_owner(owner) if found.count >= self.min_doc_count]
            chosen += sorted(own, key=lambda each: each.key)
        selection.run.count_buckets(len(chosen))
        starts, below = groups.chosen(chosen)
        return BucketList(
            kind="ip_prefix",
            starts=starts,
            doc_counts=np.array([each.count for each in chosen], np.int64),
            renderer=_Networks([each.key for each in chosen], self.length, self.is_ipv6, self.append, self.keyed),
            children=self.children.collect_below(lambda: below),
            keyed=self.keyed,
        )


def parse_ip_prefix(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    is_ipv6 = body.boolean("is_ipv6")
    length = body.integer("prefix_length", -1, at_least=-(2**31))
    most = 128 if is_ipv6 else 32
    if not 0 <= length <= most:
        reason = f"[prefix_length] must be in range [0, {most}] while value is [{length}]"
        raise illegal_argument(reason, on_shard=True)
    minimum = body.integer("min_doc_count", 1, at_least=1)
    return {
        "source": read_source(body, mapping, accepts="ip"),
        "length": length,
        "is_ipv6": is_ipv6,
        "append": body.boolean("append_prefix_length"),
        "keyed": body.boolean("keyed"),
        "min_doc_count": minimum,
    }
