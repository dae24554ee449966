"""`slice`: a search's documents in disjoint parts, by a hash of their ids.

Source: org.elasticsearch.search.slice.TermsSliceQuery and org.elasticsearch.index.mapper.Uid.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.docset import DocSet
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error, xcontent_error
from qlc_engine.hashes import murmur3
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import Query

_SEED = 7919
_BASE64 = re.compile(r"(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?")


@dataclass(frozen=True)
class SliceOfIds(Query):
    """The documents whose id falls into part `number` of `total`."""

    number: int
    total: int

    def docs(self, leaf: Leaf) -> DocSet:
        ids = leaf.segment.identities
        inside = [
            at for at in range(leaf.n) if murmur3(encoded_id(ids.id_of(at)), _SEED) % self.total == self.number
        ]
        return DocSet(leaf.n, ids=np.array(inside, np.int64))


def encoded_id(doc_id: str) -> bytes:
    """An id as the server's index holds it."""
    if doc_id.isascii() and doc_id.isdigit():
        digits = [int(character) for character in doc_id] + [15] * (len(doc_id) % 2)
        return bytes([0xFE, *(high << 4 | low for high, low in zip(digits[::2], digits[1::2], strict=True))])
    if _BASE64.fullmatch(doc_id):
        decoded = base64.urlsafe_b64decode(doc_id + "=" * (-len(doc_id) % 4))
        return b"\xfd" + decoded if decoded[0] >= 0xFD else decoded
    return b"\xff" + doc_id.encode("utf-8", "replace")


def parse_slice(given: Any) -> SliceOfIds | None:
    """Raises EngineError for what is malformed."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise parsing_error("[slice] expected an object")
    if "field" in given and given["field"] != "_id":
        raise not_implemented("[field] of [slice]")
    number, total = given.get("id", -1), given.get("max", -1)
    if number < 0:
        raise _bad("id", "id must be greater than or equal to 0")
    if total <= 1:
        raise _bad("max", "max must be greater than 1")
    if number >= total:
        raise _bad("max", "max must be greater than id")
    return SliceOfIds(number, total)


def check_slices(slice_: SliceOfIds | None, most: int) -> None:
    """Raises EngineError for more slices than `index.max_slices_per_scroll`."""
    if slice_ is not None and slice_.total > most:
        raise illegal_argument(
            f"The number of slices [{slice_.total}] is too large. It must be less than [{most}]. This limit can be set "
            "by changing the [index.max_slices_per_scroll] index level setting.",
            on_shard=True,
        )


def _bad(key: str, reason: str) -> EngineError:
    return xcontent_error(f"[1:1] [slice] failed to parse field [{key}]", caused_by=illegal_argument(reason))
