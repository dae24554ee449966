"""`random_score`: numbers that look random, and are the same again for the same seed and value.

Source: org.elasticsearch.common.lucene.search.function.RandomScoreFunction and RandomScoreFunctionBuilder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import KeywordColumn, NumericColumn
from qlc_engine.dates import NANOS_PER_MS
from qlc_engine.docset import Ordinals
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.hashes import mix32, murmur3_of_texts
from qlc_engine.java_order import hash_code
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import Field
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.function_score import Factor, Numbers
from qlc_engine.queries.params import Params
from qlc_engine.value_parsers import format_float

_SEQ_NO, _VERSION = "_seq_no", "_version"

#: how many bits of a hash make the number
_BITS = 24


@dataclass(frozen=True)
class RandomScore(Factor):
    """By the least value of a field; with no `field` by the place of the document in the index."""

    #: the seed with the name of the index in it: what a document without a value has
    seed: int
    field: Field | str | None

    def of(self, leaf: Leaf, ids: Ordinals) -> Numbers:
        if self.field is None:
            hashes = mix32(leaf.places(ids).astype(np.uint32) ^ np.uint32(self.seed))
        else:
            hashes = np.full(len(ids), self.seed, np.uint32)
            texts, present = _least_values(leaf, ids, self.field)
            hashes[present] = murmur3_of_texts(texts, self.seed)
        found: Numbers = (hashes & np.uint32((1 << _BITS) - 1)).astype(np.float64) / (1 << _BITS)
        return found


def _least_values(leaf: Leaf, ids: Ordinals, field: Field | str) -> tuple[list[bytes], NDArray[np.bool_]]:
    """The values as the server prints them, and which documents have any."""
    if isinstance(field, str):
        identities = leaf.segment.identities
        numbers = identities.seq_nos if field == _SEQ_NO else identities.versions
        return [b"%d" % number for number in numbers[ids].tolist()], np.ones(len(ids), np.bool_)
    column = leaf.space.columns.get(field.path)
    if not isinstance(column, NumericColumn | KeywordColumn):
        return [], np.zeros(len(ids), np.bool_)
    present = column.starts[1:][ids] > column.starts[:-1][ids]
    first = column.starts[:-1][ids][present]
    if isinstance(column, KeywordColumn):
        ordinals, places = np.unique(column.ords[first], return_inverse=True)
        terms = [column.terms[ordinal] for ordinal in ordinals.tolist()]
        shown = [bytes.fromhex(term) if field.type == "ip" else term.encode() for term in terms]
    else:
        values, places = np.unique(column.values[first], return_inverse=True)
        shown = [_shown(value, field).encode() for value in values.tolist()]
    return [shown[place] for place in places.tolist()], present


def _shown(value: float, field: Field) -> str:
    if isinstance(value, float):
        return format_float(value)
    return str(value // NANOS_PER_MS if field.type == "date_nanos" else int(value))


def parse_random_score(body: Any, context: QueryContext) -> Factor:
    params = Params("random_score", body)
    seed, path = params.take("seed"), params.take("field")
    params.finish()
    if seed is None:
        # a document has another number in each request
        return RandomScore(_salted(_folded(context.now_ms), context), None)
    if isinstance(seed, list) and seed:
        seed = seed[-1]
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise parsing_error("random_score seed must be an int, long or string")
    number = hash_code(seed) if isinstance(seed, str) else _folded(seed) if abs(seed) >> 31 else seed
    with context.on_shard():
        return RandomScore(_salted(number, context), _source(path, context))


def _source(path: Any, context: QueryContext) -> Field | str:
    if path in (_SEQ_NO, _VERSION):
        return str(path)
    if path is None or path == "_id":
        raise illegal_argument(
            "Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster "
            "setting: indices.id_field_data.enabled"
        )
    field = context.field(str(path))
    if field is None and str(path).startswith("_"):
        raise not_implemented(f"[random_score] on the metadata field [{path}]")
    if field is None:
        reason = f"Field [{path}] is not mapped on [{context.index}] and cannot be used as a source of random numbers."
        raise illegal_argument(reason)
    if field.is_text and not field.fielddata:
        raise illegal_argument(f"Fielddata is disabled on [{field.path}] in [{context.index}].")
    numeric = (field.is_numeric or field.is_date or field.type == "boolean") and field.type != "unsigned_long"
    if field.flattened_root is not None or not (numeric or field.type in ("keyword", "ip", "flattened")):
        raise not_implemented(f"[random_score] on a field of type [{field.type}]")
    if not field.has_doc_values:
        reason = f"Can't load fielddata on [{path}] because fielddata is unsupported on fields of type [{field.type}]."
        raise EngineError("illegal_argument_exception", reason)
    return field


def _folded(number: int) -> int:
    """`Long.hashCode`."""
    return (number ^ (number >> 32)) & 0xFFFFFFFF


def _salted(seed: int, context: QueryContext) -> int:
    """The seed of the only shard of an index."""
    salt = hash_code(context.index) << 10
    return int(mix32(np.uint32((seed ^ salt) & 0xFFFFFFFF)))
