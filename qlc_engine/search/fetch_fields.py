"""`fields` and `docvalue_fields` of a hit: values by name as the mapping types them, printed in a format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.columns import GeoColumn, KeywordColumn, NumericColumn
from qlc_engine.dates import NANOS_PER_MS, DateFormat, date_format
from qlc_engine.errors import EngineError, MalformedValueError, illegal_argument, not_implemented, parsing_error
from qlc_engine.geo import normalized, parse_point
from qlc_engine.ip import encode_ip, format_ip
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import INTEGER_TYPES, UNSIGNED_LONG_OFFSET, Field, Mapping, matches_any
from qlc_engine.range_types import shown_range
from qlc_engine.source_filter import values_at, values_level_by_level
from qlc_engine.time_limit import timed
from qlc_engine.value_parsers import (
    round_to_type,
    text_of,
    to_boolean,
    to_double,
    to_long,
    utf16_length,
)


@dataclass(frozen=True, slots=True)
class FieldRequest:
    pattern: str
    format: str | None = None
    include_unmapped: bool = False


def parse_field_requests(given: Any, part: str) -> tuple[FieldRequest, ...]:
    """Names or `{"field", "format"}` objects."""
    if not isinstance(given, list):
        raise parsing_error(f"[{part}] must be an array")
    out: list[FieldRequest] = []
    for entry in given:
        if isinstance(entry, str):
            out.append(FieldRequest(entry))
            continue
        if not isinstance(entry, dict) or set(entry) - {"field", "format", "include_unmapped"}:
            raise parsing_error(f"[{part}] expected a field name or an object with [field] and [format]")
        if "field" not in entry:
            raise illegal_argument("Required [field]")
        if not isinstance(entry.get("format"), str | None):
            raise parsing_error(f"[{part}] failed to parse field [format]")
        unmapped = entry.get("include_unmapped") in (True, "true")
        out.append(FieldRequest(str(entry["field"]), entry.get("format"), unmapped))
    # of fields that are asked for twice the number counts where there is a limit, and nowhere else
    return tuple(dict.fromkeys(out) if part == "fields" else out)


def fields_from_source(
    source: dict[str, Any], requests: Sequence[FieldRequest], mapping: Mapping, analysis: AnalysisRegistry
) -> dict[str, Any]:
    """The `fields` option: values out of `_source`, as the mapping types them; nested objects stay objects."""
    wanted: dict[str, str | None] = {}
    for request in timed(requests):
        if request.pattern in _INTERNAL:
            reason = f"error fetching [{request.pattern}]: Cannot fetch values for internal field [{request.pattern}]."
            raise illegal_argument(reason, on_shard=True)
        for path in mapping.expand(request.pattern):
            field = mapping.field(path)
            if field is not None:
                if request.format is not None:
                    _check_format(field, path, request.format)
                wanted[path] = request.format
    found = _collect(source, wanted, mapping, analysis, None)
    patterns = [request.pattern for request in requests if request.include_unmapped]
    return {**_unmapped(source, patterns, "", mapping), **found} if patterns else found


def _unmapped(source: dict[str, Any], patterns: Sequence[str], prefix: str, mapping: Mapping) -> dict[str, list[Any]]:
    """The values of a document that fit a pattern and are no field of the mapping, by their whole paths."""
    out: dict[str, list[Any]] = {}
    for name, value in source.items():
        path = prefix + name
        holder = mapping.object(path)
        if mapping.field(path) is not None or (holder is not None and holder.nested):
            continue
        for part in _flat(value):
            if isinstance(part, dict):
                for below, values in _unmapped(part, patterns, path + ".", mapping).items():
                    out.setdefault(below, []).extend(values)
            elif part is not None and matches_any(patterns, path):
                out.setdefault(path, []).append(part)
    return out


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _flat(part)
    else:
        yield value


#: fields of the server's own that have nothing to show
_INTERNAL = frozenset({"_source", "_field_names", "_seq_no"})


def _collect(
    source: dict[str, Any],
    wanted: dict[str, str | None],
    mapping: Mapping,
    analysis: AnalysisRegistry,
    nested_path: str | None,
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    prefix_length = 0 if nested_path is None else len(nested_path) + 1
    for path, format in wanted.items():
        field = mapping.field(path)
        if field is None:
            continue
        step = _next_nested(field.nested_path, nested_path, mapping)
        if step is not None:
            if step not in out:
                below = {name: wanted[name] for name in wanted if name.startswith(step + ".")}
                elements = [
                    found
                    for element in values_at(source, step[prefix_length:].split("."))
                    if isinstance(element, dict) and (found := _collect(element, below, mapping, analysis, step))
                ]
                if elements:
                    out[step[prefix_length:]] = elements
            continue
        found_values = [
            value
            for holder in holders(mapping.aliases.get(path, path), field, mapping)
            for value in _found(field, source, holder[prefix_length:].split("."))
        ]
        values = [shown for value in found_values for shown in _typed(field, value, format, analysis)]
        if values:
            out[path[prefix_length:]] = values
    return out


def _found(field: Field, source: dict[str, Any], parts: list[str]) -> Iterator[Any]:
    if field.type == "geo_point":
        return values_at(source, parts, whole_pairs=True)
    return values_level_by_level(source, parts)


def _next_nested(target: str | None, current: str | None, mapping: Mapping) -> str | None:
    """The nested object directly below `current` on the way to `target`."""
    step = target
    while step is not None and step != current:
        above = mapping.objects[step].nested_path
        if above == current:
            return step
        step = above
    return None


def holders(path: str, field: Field, mapping: Mapping) -> list[str]:
    """Where the values of a field stand in a document: at its own path, and where they are copied from."""
    if field.flattened_root is not None:
        return [f"{field.flattened_root}.{field.flattened_key}"]
    own = field.parent_field or path
    return [own, *mapping.copied_from.get(own, ())]


def _check_format(field: Field, path: str, format: str) -> None:
    """Raises EngineError for fields that have but one form, and for a form that geo points have not."""
    known = field.is_date or field.type == "date_range" or (field.type == "geo_point" and format in ("geojson", "wkt"))
    if not known:
        reason = f"error fetching [{path}]: Field [{path}] of type [{field.type}] doesn't support formats."
        raise illegal_argument(reason, on_shard=True)


def _typed(field: Field, value: Any, format: str | None, analysis: AnalysisRegistry) -> list[Any]:
    if value is None:
        value = field.null_value
    if value is None:
        return []
    try:
        return [_shown(field, value, format, analysis)]
    except (MalformedValueError, EngineError, ValueError):
        return []


def _shown(field: Field, value: Any, format: str | None, analysis: AnalysisRegistry) -> Any:
    kind = field.type
    if kind == "date":
        source = date_format(field.format)
        millis = source.parse(text_of(value))
        return (date_format(format) if format else source).format(millis)
    if kind == "date_nanos":
        millis, beyond = date_format(field.format).parse_nanos(text_of(value))
        return date_format(format or field.format).format(millis, nanos=beyond)
    if field.is_range:
        return shown_range(kind, value, field.format, format)
    if kind in INTEGER_TYPES:
        return to_long(value, -(2**63), 2**64, kind)
    if kind == "scaled_float":
        return round(to_double(value, kind) * field.scaling_factor) / field.scaling_factor
    if kind in ("double", "float", "half_float"):
        return shortest_float(to_double(value, kind), kind)
    if kind == "boolean":
        return to_boolean(value)
    if kind == "ip":
        return format_ip(encode_ip(text_of(value)))
    if kind == "geo_point":
        lat, lon = parse_point(value)
        if field.ignore_malformed:
            lat, lon = normalized(lat, lon)
        return f"POINT ({lon} {lat})" if format == "wkt" else {"type": "Point", "coordinates": [lon, lat]}
    if kind == "flattened" and field.flattened_root is None and isinstance(value, dict):
        kept = _with_values(value)
        if not kept:
            raise ValueError("an object without a value")
        return kept
    if kind in ("flattened", "dense_vector"):
        return value
    text = text_of(value)
    if field.ignore_above is not None and utf16_length(text) > field.ignore_above:
        raise ValueError(text)
    return analysis.normalize(field.normalizer, text)


def _with_values(value: dict[str, Any]) -> dict[str, Any]:
    """An object of a flattened field: a list of one is that one, and keys with nothing go."""
    single = {key: one[0] if isinstance(one, list) and len(one) == 1 else one for key, one in value.items()}
    return {key: one for key, one in single.items() if one is not None and (one != [] or value[key] != [])}


def shortest_float(number: float, kind: str) -> float:
    """The shortest decimal that stands for the value in its type, as Java prints a float."""
    if kind not in ("float", "half_float"):
        return number
    # half floats are printed as floats
    kind = "float"
    for precision in range(1, 10):
        short = float(f"{number:.{precision}g}")
        if round_to_type(short, kind) == number:
            return short
    return number


def doc_values(leaf: Leaf, doc: int, requests: Sequence[FieldRequest], mapping: Mapping) -> dict[str, list[Any]]:
    """The `docvalue_fields` option."""
    out: dict[str, list[Any]] = {}
    for request in requests:
        for path in mapping.expand(request.pattern):
            field = mapping.field(path)
            if field is None:
                continue
            if field.type == "dense_vector":
                raise not_implemented(f"[docvalue_fields] of [{path}] of type [dense_vector]")
            if not field.has_doc_values:
                raise EngineError(
                    "illegal_argument_exception",
                    f"Can't load fielddata on [{path}] because fielddata is unsupported on fields of type "
                    f"[{field.type}]. Use doc values instead.",
                    on_shard=True,
                )
            if field.is_range:
                # so does the server
                raise EngineError("unsupported_operation_exception", None, status=500, on_shard=True)
            column = leaf.space.columns.get(field.path)
            values = [] if column is None else list(_column_values(field, column, doc, request.format))
            if values:
                out[path] = values
    return out


def _format_on_shard(source: str) -> DateFormat:
    try:
        return date_format(source)
    except EngineError as error:
        error.on_shard = True
        raise


def ignored_values(
    source: dict[str, Any], ignored: Sequence[str], requests: Sequence[FieldRequest], mapping: Mapping
) -> dict[str, list[Any]]:
    """Values of the asked fields that were not indexed, and empty flattened objects, as they stand in the document."""
    out: dict[str, list[Any]] = {}
    for path in ignored:
        field = mapping.field(path)
        if (
            field is not None
            and field.type != "geo_point"
            and matches_any([request.pattern for request in requests], path)
        ):
            from_everywhere = (values_at(source, holder.split(".")) for holder in holders(path, field, mapping))
            values = [value for found in from_everywhere for value in found]
            kept = [value for value in values if not _typed(field, value, None, AnalysisRegistry())]
            if kept:
                out[path] = kept
    for path in dict.fromkeys(path for request in requests for path in mapping.expand(request.pattern)):
        field = mapping.field(path)
        if field is not None and field.type == "flattened" and field.flattened_root is None:
            objects = values_level_by_level(source, path.split("."))
            empty = [value for value in objects if isinstance(value, dict) and not _with_values(value)]
            if empty:
                out[path] = empty
    return out


def _column_values(
    field: Field, column: KeywordColumn | NumericColumn | GeoColumn, doc: int, format: str | None
) -> Iterator[Any]:
    run = range(column.starts.item(doc), column.starts.item(doc + 1))
    if isinstance(column, KeywordColumn):
        below = None if field.flattened_key is None else f"{field.flattened_key}\0"
        for at in run:
            term = column.terms[column.ords.item(at)]
            if below is None:
                yield format_ip(term) if field.type == "ip" else term
            elif term.startswith(below):
                yield term[len(below) :]
    elif isinstance(column, GeoColumn):
        # in the order of the texts
        yield from sorted(f"{column.lat.item(at)}, {column.lon.item(at)}" for at in run)
    elif field.is_date:
        shown = _format_on_shard(format or field.format)
        for at in run:
            moment = int(column.values.item(at))
            millis, beyond = divmod(moment, NANOS_PER_MS) if field.type == "date_nanos" else (moment, 0)
            yield shown.format(millis, nanos=beyond)
    else:
        for at in run:
            value = column.values.item(at)
            if field.type == "boolean":
                yield bool(value)
            elif format is not None:
                yield _decimal(value, format)
            else:
                yield value + UNSIGNED_LONG_OFFSET if field.type == "unsigned_long" else value


def _decimal(value: float, pattern: str) -> str:
    from qlc_engine.aggregations.value_format import decimal_format  # heavy, and seldom asked for

    return str(decimal_format(pattern).text(value))
