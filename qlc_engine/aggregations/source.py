"""Values of a field for the documents of a selection, and the fields that an aggregation accepts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.value_format import DateValueFormat, ValueFormat, date_value_format, value_format
from qlc_engine.columns import GeoColumn, IntArray, KeywordColumn, NumericColumn
from qlc_engine.dates import NANOS_PER_MS, Zone, parse_date
from qlc_engine.derived import derived
from qlc_engine.docset import Ordinals, expand_runs
from qlc_engine.errors import EngineError, illegal_argument, no_scripts, not_implemented
from qlc_engine.ip import encode_ip
from qlc_engine.mapping import IGNORED, UNSIGNED_LONG_OFFSET, Field, FieldLookup, check_doc_values
from qlc_engine.painless import Script, as_longs, read_script
from qlc_engine.params import Params

DATE_TYPES = frozenset({"date", "date_nanos"})
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScriptedValues:
    """The numbers that a script gives, as `double` or `long` (None: as they are)."""

    script: Script
    type: str | None
    #: whether infinity may be among them
    infinite: bool

    def column(self, part: Slice) -> NumericColumn:
        """The values in the documents of a slice, and none in others. Raises EngineError, also for NaN."""
        n = part.space.n_docs
        wanted = np.zeros(n, np.bool_)
        wanted[part.docs] = True
        ids = np.flatnonzero(wanted)
        values, present = self.script.numbers(part.space, None if len(ids) == n else ids)
        values = values[present] if not present.all() else values
        if not (np.isfinite(values) | (self.infinite & np.isinf(values))).all():
            raise no_scripts("an aggregation of a script that gives NaN or infinity")
        if self.type is not None:
            values = as_longs(values) if self.type == "long" else values.astype(np.float64, copy=False)
        counts = np.zeros(n + 1, np.int64)
        counts[ids[present] + 1] = 1
        return NumericColumn(np.cumsum(counts), values)


@dataclass(frozen=True, slots=True)
class Source:
    """The values an aggregation works on: a mapped field, or none (`field` None) for an unmapped name.

    `missing` stands for documents without a value, already as the column holds values.
    """

    path: str
    field: Field | None
    format: ValueFormat
    missing: Any = None
    #: in place of a field
    script: ScriptedValues | None = None

    @property
    def is_keyword(self) -> bool:
        if self.field is None:
            return isinstance(self.missing, str)
        return self.field.is_keyword or self.field.type == "ip"

    @property
    def is_date(self) -> bool:
        return self.field is not None and self.field.type in DATE_TYPES

    @property
    def is_boolean(self) -> bool:
        return self.field is not None and self.field.type == "boolean"

    @property
    def is_whole(self) -> bool:
        """Whether keys are JSON integers."""
        if self.script is not None:
            return self.script.type == "long"
        if self.field is None:
            return isinstance(self.missing, int)
        return self.field.type not in ("double", "float", "half_float", "scaled_float")

    def column(self, part: Slice) -> KeywordColumn | NumericColumn | None:
        """The field's values at the level of the slice: there are some above its own with `include_in_root`."""
        if self.script is not None:
            return self.script.column(part)
        if self.field is None:
            return None
        column = part.space.columns.get(self.field.path)
        if isinstance(column, KeywordColumn) and self.field.flattened_key is not None:
            return below_key(column, self.field.flattened_key)
        if isinstance(column, NumericColumn) and self.field.type == "date_nanos":
            return _in_millis(column)
        return column if isinstance(column, KeywordColumn | NumericColumn) else None

    def numbers(self, part: Slice) -> KeywordColumn | NumericColumn | None:
        """As `column`, to compute with: the values of `unsigned_long` as doubles, not as they are stored."""
        column = self.column(part)
        if isinstance(column, NumericColumn) and self.field is not None and self.field.stored_offset:
            values, starts = column.values, column.starts
            return derived((values, starts), "doubles", lambda: NumericColumn(starts, unsigned_as_doubles(values)))
        return column


def unsigned_as_doubles(stored: NDArray[Any]) -> FloatArray:
    """Lower halves are exact before they become doubles, as on the server: small values keep all their digits."""
    lower = (stored ^ np.int64(-UNSIGNED_LONG_OFFSET)).astype(np.float64)
    return np.where(stored < 0, lower, stored.astype(np.float64) + float(UNSIGNED_LONG_OFFSET))


def _in_millis(column: NumericColumn) -> NumericColumn:
    """Nanoseconds are aggregated as milliseconds."""
    values, starts = column.values, column.starts
    return derived((values, starts), "millis", lambda: NumericColumn(starts, values // NANOS_PER_MS))


def below_key(column: KeywordColumn, key: str) -> KeywordColumn:
    """The values below one key of a flattened field, whose terms are key and value with a zero between."""
    return derived((column.ords, column.starts), ("below key", key), lambda: _cut_key(column, key))


def _cut_key(column: KeywordColumn, key: str) -> KeywordColumn:
    prefix = f"{key}\0"
    first = bisect_left(column.terms, prefix)
    last = bisect_left(column.terms, f"{key}\1")
    inside = (column.ords >= first) & (column.ords < last)
    passed = np.concatenate(([0], np.cumsum(inside)))
    terms = [term[len(prefix) :] for term in column.terms[first:last]]
    return KeywordColumn(terms, passed[column.starts], column.ords[inside] - np.int32(first))


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Values of the documents of a slice: `index` into the column, `positions` into the slice (None: one each)."""

    positions: IntArray | None
    index: Ordinals


def occurrences(column: KeywordColumn | NumericColumn, docs: Ordinals) -> Occurrences:
    starts = column.starts
    kind = derived((starts,), "multiplicity", lambda: _multiplicity(starts))
    if kind == "one":
        return Occurrences(None, docs)
    counts = starts[docs + 1] - starts[docs]
    if kind == "at most one":
        positions = np.flatnonzero(counts)
        return Occurrences(positions, starts[docs[positions]])
    return Occurrences(np.repeat(np.arange(len(docs)), counts), expand_runs(starts[docs], counts))


def _multiplicity(starts: IntArray) -> str:
    counts = np.diff(starts)
    if len(counts) == 0 or (counts == 1).all():
        return "one"
    return "at most one" if counts.max() <= 1 else "many"


def is_single_valued(column: KeywordColumn | NumericColumn) -> bool:
    starts = column.starts
    return derived((starts,), "multiplicity", lambda: _multiplicity(starts)) != "many"


@dataclass(frozen=True, slots=True)
class OwnedValues:
    """Numbers with the bucket each belongs to, over all segments; duplicates of a document are kept."""

    owners: IntArray | None
    values: NDArray[np.int64] | FloatArray

    def doubles(self) -> FloatArray:
        return self.values.astype(np.float64, copy=False)


def owned_values(source: Source, selection: Selection) -> OwnedValues:
    """All numeric values of the selected documents, in document order."""
    owners: list[IntArray] = []
    values: list[NDArray[Any]] = []
    for part, positions, found in numeric_parts(source, selection):
        if len(found):  # an empty one of decimals would make decimals of whole numbers
            values.append(found)
        if selection.n_owners != 1:
            every = part.owner_array()
            owners.append(every if positions is None else every[positions])
    joined = np.concatenate(values) if values else np.empty(0, np.float64)
    if selection.n_owners == 1:
        return OwnedValues(None, joined)
    return OwnedValues(np.concatenate(owners) if owners else np.empty(0, np.int64), joined)


def numeric_parts(source: Source, selection: Selection) -> Iterator[tuple[Slice, IntArray | None, NDArray[Any]]]:
    """Per segment the positions and values of a numeric field, with `missing` in place of none."""
    for part in selection.slices:
        column = source.numbers(part)
        if isinstance(column, NumericColumn):
            found = occurrences(column, part.docs)
            positions, values = found.positions, column.values[found.index]
        else:
            positions, values = np.empty(0, np.int64), np.empty(0, np.float64)
        if source.missing is not None and positions is not None:
            absent = np.ones(len(part.docs), np.bool_)
            absent[positions] = False
            empty = np.flatnonzero(absent)
            positions = np.concatenate((positions, empty))
            values = np.concatenate((values, np.full(len(empty), source.missing)))
            order = np.argsort(positions, kind="stable")
            positions, values = positions[order], values[order]
        yield part, positions, values


def count_per_doc(source: Source, part: Slice) -> IntArray:
    """How many values each document of a slice has, in a column of any kind."""
    column: KeywordColumn | NumericColumn | GeoColumn | None = source.column(part)
    if column is None and source.field is not None:
        column = part.space.columns.get(source.field.path)
    if column is None:
        return np.zeros(len(part.docs), np.int64)
    return column.starts[part.docs + 1] - column.starts[part.docs]


def read_source(
    body: Params,
    mapping: FieldLookup,
    *,
    accepts: str,
    zone: Zone | None = None,
) -> Source:
    """Takes `field`, `missing` and `format` from a body.

    `accepts` is a key of `_ACCEPTED`: `numeric` (numbers, dates, booleans), `keyed` (also keywords and ip), `any`...
    Raises what the shard would raise for a field of another type.
    """
    path = body.text("field")
    pattern = body.text("format")
    missing = body.take("missing")
    if "script" in body:
        if path is not None:
            raise no_scripts(f"[script] beside [field] in aggregation [{body.name}]")
        values = _scripted(body, mapping, accepts)
        printed = value_format(None, pattern, zone)
        instead = None if missing is None else _missing_value(missing, None, "numeric", printed)
        return Source("", None, printed, instead, values)
    if path is None:
        raise illegal_argument("Required one of fields [field, script], but none were specified.")
    if path == "_id":
        raise illegal_argument(
            "Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster "
            "setting: indices.id_field_data.enabled"
        )
    if path in _METADATA_FIELDS:
        raise not_implemented(f"[{body.name}] aggregation of the metadata field [{path}]")
    found = IGNORED if path == IGNORED.path else mapping.field(path)
    if found is not None:
        _check_type(found, body.name, accepts)
    # an unmapped field counts as what the aggregation is made for
    if found is None and accepts == "date":
        format_: ValueFormat = date_value_format(pattern, zone)
    else:
        format_ = value_format(found, pattern, zone)
    return Source(path, found, format_, None if missing is None else _missing_value(missing, found, accepts, format_))


#: aggregations that may be given infinity
_OF_INFINITY = frozenset({"sum", "avg", "min", "max", "stats", "value_count", "cardinality"})


def _scripted(body: Params, mapping: FieldLookup, accepts: str) -> ScriptedValues:
    if accepts in ("date", "counted"):
        raise no_scripts(f"aggregation [{body.name}] of a script")
    kind = body.text("value_type")
    if kind is None and body.name == "terms":
        # the keys would be texts then
        raise no_scripts("aggregation [terms] of a script without [value_type] double or long")
    if kind not in (None, "double", "long"):
        raise not_implemented(f"[value_type] [{kind}]")
    script = read_script(body.take("script"), mapping, null=True)
    return ScriptedValues(script, kind, body.name in _OF_INFINITY)


#: fields that every document has without being mapped; an unmapped name would count as empty
_METADATA_FIELDS = frozenset(
    {"_id", "_index", "_source", "_routing", "_seq_no", "_version", "_field_names"}
)


def _is_stepped(found: Field) -> bool:
    return found.is_numeric or found.type in DATE_TYPES or found.type == "boolean"


_ACCEPTED: dict[str, Callable[[Field], bool]] = {
    "numeric": _is_stepped,
    "date": _is_stepped,
    "keyed": lambda f: f.is_numeric or f.type in DATE_TYPES or f.type in ("boolean", "ip") or f.is_keyword,
    "counted": lambda f: f.has_doc_values,
    "any": lambda f: True,
}


def _check_type(found: Field, type_name: str, accepts: str) -> None:
    if found.is_extended:
        raise not_implemented(f"an aggregation of [{found.path}] of type [{found.type}]")
    if found.is_text or accepts != "any":
        check_doc_values(found)
    if not _ACCEPTED[accepts](found):
        raise illegal_argument(
            f"Field [{found.path}] of type [{found.type}] is not supported for aggregation [{type_name}]"
        )


def _missing_value(value: Any, found: Field | None, accepts: str, format: ValueFormat) -> Any:
    if isinstance(value, dict | list):
        raise illegal_argument("missing values must be scalar")
    if isinstance(value, int | float) and not abs(value) < 2**64:
        raise EngineError("number_format_exception", f'For input string: "{value}"')
    if isinstance(format, DateValueFormat):
        return value if isinstance(value, int) else _date_of(str(value), format)
    if found is None:
        return _plain_number(value) if accepts == "numeric" else value
    if found.type == "boolean":
        return _missing_boolean(value)
    if found.is_numeric:
        number = _plain_number(value)
        return number if found.type in ("double", "float", "half_float", "scaled_float") else int(number)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return encode_ip(text) if found.type == "ip" else text


def _missing_boolean(value: Any) -> int:
    """Convert a missing value of a boolean field. Numbers are kept: to the server all but zero are true, each with its
    own key."""
    if isinstance(value, int | float):
        return int(value)
    if value not in ("true", "false"):
        raise illegal_argument(f"Cannot parse boolean [{value}], expected either [true] or [false]")
    return int(value == "true")


def _plain_number(value: Any) -> float | int:
    try:
        return value if isinstance(value, int) else float(value)
    except ValueError:
        raise EngineError("number_format_exception", f'For input string: "{value}"') from None


def _date_of(text: str, format: DateValueFormat) -> int:
    return parse_date(text, format.format.source, now_ms=0, tz=format.zone.name)
