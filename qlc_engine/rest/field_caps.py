"""_field_caps: which fields there are over several indices, of which types, and what can be done with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qlc_engine.aggcontext import space_of
from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, xcontent_error
from qlc_engine.index import Index
from qlc_engine.indices import options_of
from qlc_engine.mapping import Field, matches_any
from qlc_engine.rest.request import Request, Response

FIELD_CAPS_PARAMETERS = frozenset(
    {
        "fields", "ignore_unavailable", "allow_no_indices", "expand_wildcards", "include_unmapped", "filters", "types",
        "include_empty_fields",
    }
)  # fmt: skip

#: Fields that every index has: name -> (type, searchable, aggregatable)
_METADATA = {
    "_data_stream_timestamp": ("_data_stream_timestamp", False, False),
    "_doc_count": ("integer", False, False),
    "_field_names": ("_field_names", True, False),
    "_id": ("_id", True, False),
    "_ignored": ("_ignored", True, True),
    "_ignored_source": ("_ignored_source", False, False),
    "_index": ("_index", True, True),
    "_index_mode": ("_index_mode", True, True),
    "_nested_path": ("_nested_path", True, False),
    "_routing": ("_routing", True, False),
    "_seq_no": ("_seq_no", True, True),
    "_source": ("_source", False, False),
    "_version": ("_version", False, True),
}

#: type, searchable, aggregatable, metadata field, meta
_Kind = tuple[str, bool, bool, bool, tuple[tuple[str, str], ...]]

_FILTERS = ("+metadata", "-metadata", "-nested", "-multifield", "-parent")

_FAMILY = {"constant_keyword": "keyword", "wildcard": "keyword", "match_only_text": "text"}


def field_capabilities(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    patterns = body.pop("fields", request.params.get("fields", ""))
    if isinstance(patterns, str):
        patterns = [part for part in patterns.split(",") if part]
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise xcontent_error("[1:1] [field_caps_request] failed to parse field [fields]")
    if body.pop("index_filter", None) is not None or body.pop("runtime_mappings", None):
        raise not_implemented("_field_caps with [index_filter] or [runtime_mappings]")
    for key in body:
        raise EngineError("x_content_parse_exception", f"[1:1] [field_caps_request] unknown field [{key}]")
    if not patterns:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: no fields specified;")
    indices = [target.index for target in engine.indices.resolve(request.index, options_of(request.params))]
    for index in indices:
        index.effective.check_blocks(index.name, "read")
    include_empty = request.flag("include_empty_fields", True)
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for index in indices:
        if index.is_due:
            engine.refresh([index])
        fields_here = _fields_of(index, include_empty)
        chosen = _chosen(request, index, patterns, fields_here)
        for name, (type_, searchable, aggregatable, metadata, meta) in fields_here.items():
            if name in chosen:
                by_type = found.setdefault(name, {})
                entry = by_type.setdefault(type_, {"indices": [], "yes": [], "no": [], "meta": {}})
                entry["indices"].append(index.name)
                entry["yes"].append((searchable, aggregatable))
                entry["metadata"] = metadata
                for key, value in meta:
                    entry["meta"].setdefault(key, set()).add(value)
    if request.flag("include_unmapped"):
        _add_unmapped(found, [index.name for index in indices])
    fields = {name: _printed(by_type) for name, by_type in sorted(found.items())}
    return Response(200, {"indices": sorted(index.name for index in indices), "fields": fields})


def _chosen(request: Request, index: Index, patterns: list[str], fields: Mapping[str, _Kind]) -> set[str]:
    """The fields that are asked for, and the objects that they stand in unless these are filtered out."""
    kinds = {name: (kind[0], kind[3]) for name, kind in fields.items() if _named(name, patterns, fields)}
    chosen = {name for name, (type_, metadata) in kinds.items() if _wanted(request, name, type_, metadata, index)}
    if "-parent" in request.params.get("filters", "").split(","):
        return chosen
    return chosen | {
        name
        for name, (type_, _) in kinds.items()
        if type_ in ("object", "nested") and any(other.startswith(name + ".") for other in chosen)
    }


def _named(name: str, patterns: list[str], fields: Mapping[str, _Kind]) -> bool:
    """A field that a pattern fits, or an object with such a field below it."""
    if matches_any(patterns, name):
        return True
    if fields[name][0] not in ("object", "nested"):
        return False
    return any(field.startswith(name + ".") and matches_any(patterns, field) for field in fields)


def _fields_of(index: Index, include_empty: bool) -> dict[str, _Kind]:
    out: dict[str, _Kind] = {
        name: (*kind, True, ()) for name, kind in _METADATA.items()
    }
    mapping = index.mapping
    filled: set[str] = set()
    for name in mapping.names():
        field = mapping.field(name)
        if field is None or not (include_empty or _is_filled(index, field)):
            continue
        filled.add(name)
        aggregatable = field.has_doc_values or field.type in ("constant_keyword",)
        searchable = field.index or field.has_doc_values
        if field.is_text:
            aggregatable, searchable = field.fielddata, field.index
        if field.type == "dense_vector":
            searchable, aggregatable = field.index, False
        out[name] = (_FAMILY.get(field.type, field.type), searchable, aggregatable, False, field.meta)
    for path, spec in mapping.objects.items():
        if not spec.enabled:
            continue
        if include_empty or any(name.startswith(path + ".") for name in filled):
            out[path] = ("nested" if spec.nested else "object", False, False, False, ())
    return out


def _is_filled(index: Index, field: Field) -> bool:
    """Whether any document, deleted ones included, has a value."""
    for segment in index.snapshot.segments:
        space = space_of(segment.space, field.nested_path)
        if space is None:
            continue
        if field.path in space.columns or field.path in space.postings or field.path in space.vectors:
            return True
    return field.type == "constant_keyword"


def _wanted(request: Request, name: str, type_: str, metadata: bool, index: Index) -> bool:
    types = request.params.get("types")
    if types is not None and type_ not in types.split(","):
        return False
    for part in filter(None, request.params.get("filters", "").split(",")):
        if part not in _FILTERS:
            raise illegal_argument(f"Unknown field caps filter [{part}]")
        field = index.mapping.field(name)
        if part == "+metadata" and not metadata:
            return False
        if part == "-metadata" and metadata:
            return False
        if part == "-nested" and (index.mapping.is_nested(name) or index.mapping.nested_path(name) is not None):
            return False
        if part == "-multifield" and field is not None and field.parent_field is not None:
            return False
        if part == "-parent" and type_ in ("object", "nested"):
            return False
    return True


def _add_unmapped(found: dict[str, dict[str, dict[str, Any]]], names: list[str]) -> None:
    for by_type in found.values():
        mapped = {name for entry in by_type.values() for name in entry["indices"]}
        missing = [name for name in names if name not in mapped]
        if missing:
            by_type["unmapped"] = {
                "indices": missing, "yes": [(False, False)] * len(missing), "metadata": False, "meta": {},
            }  # fmt: skip


def _printed(by_type: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    out: dict[str, dict[str, Any]] = {}
    for type_, entry in by_type.items():
        searchable = [searchable for searchable, _ in entry["yes"]]
        aggregatable = [aggregatable for _, aggregatable in entry["yes"]]
        shown: dict[str, Any] = {
            "type": type_,
            "metadata_field": entry["metadata"],
            "searchable": all(searchable),
            "aggregatable": all(aggregatable),
        }
        if len(by_type) > 1:
            shown["indices"] = sorted(entry["indices"])
        for key, answers in (("non_searchable_indices", searchable), ("non_aggregatable_indices", aggregatable)):
            if any(answers) and not all(answers):
                shown[key] = [name for name, yes in zip(entry["indices"], answers, strict=True) if not yes]
        if entry["meta"]:
            shown["meta"] = {key: sorted(values) for key, values in entry["meta"].items()}
        out[type_] = shown
    return out
