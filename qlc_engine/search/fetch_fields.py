"""`fields` of a hit: dates by the names of their fields, read as the mapping has them and printed in a format; and
`docvalue_fields`: keywords and whole numbers out of their columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qlc_engine.columns import KeywordColumn, NumericColumn
from qlc_engine.dates import date_format
from qlc_engine.errors import EngineError, MalformedValueError, illegal_argument, not_implemented, parsing_error
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import INTEGER_TYPES, Field, Mapping, check_doc_values
from qlc_engine.source_filter import values_at, values_level_by_level
from qlc_engine.time_limit import timed
from qlc_engine.value_parsers import text_of


@dataclass(frozen=True, slots=True)
class FieldRequest:
    path: str
    format: str | None = None


def parse_field_requests(given: Any, key: str = "fields") -> tuple[FieldRequest, ...]:
    """Names or `{"field", "format"}` objects."""
    if not isinstance(given, list):
        raise parsing_error(f"[{key}] must be an array")
    out: list[FieldRequest] = []
    for entry in given:
        asked = {"field": entry} if isinstance(entry, str) else entry
        if not isinstance(asked, dict) or set(asked) - {"field", "format"}:
            raise parsing_error(f"[{key}] expected a field name or an object with [field] and [format]")
        if "field" not in asked:
            raise illegal_argument("Required [field]")
        path, format = str(asked["field"]), asked.get("format")
        if "*" in path or path.startswith("_"):
            raise not_implemented(f"[{key}] with [{path}]")
        if not isinstance(format, str | None):
            raise parsing_error(f"[{key}] failed to parse field [format]")
        out.append(FieldRequest(path, format))
    return tuple(dict.fromkeys(out))


def parse_column_fields(given: Any) -> tuple[str, ...]:
    """Return the names in `docvalue_fields`; their values have only one format."""
    requests = parse_field_requests(given, "docvalue_fields")
    for request in requests:
        if request.format not in (None, "use_field_mapping"):
            raise not_implemented("[docvalue_fields] with [format]")
    return tuple(dict.fromkeys(request.path for request in requests))


def fields_from_columns(leaf: Leaf, doc: int, paths: Sequence[str], mapping: Mapping) -> dict[str, Any]:
    """The distinct values of keywords and all whole numbers, ascending."""
    out: dict[str, Any] = {}
    for path in paths:
        field = mapping.field(path)
        if field is None:
            continue
        check_doc_values(field)
        if field.type != "keyword" and field.type not in INTEGER_TYPES:
            raise not_implemented(f"[docvalue_fields] with [{path}] of type [{field.type}]")
        column = leaf.space.columns.get(field.path)
        if not isinstance(column, KeywordColumn | NumericColumn):
            continue
        own = slice(column.starts.item(doc), column.starts.item(doc + 1))
        if isinstance(column, KeywordColumn):
            values: list[Any] = [column.terms[at] for at in column.ords[own].tolist()]
        else:
            values = [value + field.stored_offset for value in column.values[own].tolist()]
        if values:
            out[path] = values
    return out


def fields_from_source(source: dict[str, Any], requests: Sequence[FieldRequest], mapping: Mapping) -> dict[str, Any]:
    """Values out of `_source`, as the mapping types them; nested objects stay objects."""
    wanted: dict[str, str | None] = {}
    for request in timed(requests):
        field = mapping.field(request.path)
        if field is not None:
            if not field.is_date:
                raise not_implemented(f"[fields] with [{request.path}] of type [{field.type}]")
            wanted[request.path] = request.format
    return _collect(source, wanted, mapping, None)


def _collect(
    source: dict[str, Any], wanted: dict[str, str | None], mapping: Mapping, nested_path: str | None
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
                    if isinstance(element, dict) and (found := _collect(element, below, mapping, step))
                ]
                if elements:
                    out[step[prefix_length:]] = elements
            continue
        values = [
            shown
            for holder in holders(mapping.aliases.get(path, path), field, mapping)
            for value in values_level_by_level(source, holder[prefix_length:].split("."))
            if (shown := _printed(field, value, format)) is not None
        ]
        if values:
            out[path[prefix_length:]] = values
    return out


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
    """Return the paths of a field's values in a document: its own, and the sources of `copy_to`."""
    if field.flattened_root is not None:
        return [f"{field.flattened_root}.{field.flattened_key}"]
    own = field.parent_field or path
    return [own, *mapping.copied_from.get(own, ())]


def _printed(field: Field, value: Any, format: str | None) -> str | None:
    """Format a date; None for other values."""
    value = field.null_value if value is None else value
    if value is None:
        return None
    try:
        source = date_format(field.format)
        shown = date_format(format) if format else source
        if field.type == "date":
            return shown.format(source.parse(text_of(value)))
        millis, beyond = source.parse_nanos(text_of(value))
        return shown.format(millis, nanos=beyond)
    except (MalformedValueError, EngineError, ValueError):
        return None


def ignored_values(
    source: dict[str, Any], ignored: Sequence[str], requests: Sequence[FieldRequest], mapping: Mapping
) -> dict[str, list[Any]]:
    """Values of the asked fields that were not indexed, as they are in the document."""
    out: dict[str, list[Any]] = {}
    for path in ignored:
        field = mapping.field(path)
        if field is not None and any(request.path == path for request in requests):
            everywhere = (values_at(source, holder.split(".")) for holder in holders(path, field, mapping))
            kept = [value for found in everywhere for value in found if _printed(field, value, None) is None]
            if kept:
                out[path] = kept
    return out
