"""Mappings from JSON: checked, put into the form in which Elasticsearch prints them, merged, and compiled to fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.dates import date_format
from qlc_engine.effective_settings import NEW, Effective
from qlc_engine.errors import EngineError, illegal_argument, no_scripts, not_implemented
from qlc_engine.geo import parse_point
from qlc_engine.mapping import NUMERIC_TYPES, Field, Mapping, ObjectField
from qlc_engine.mapping_parameters import (
    NESTED_PARAMETERS,
    NOT_IMPLEMENTED,
    OBJECT_PARAMETERS,
    PARAMETERS,
    ROOT_PARAMETERS,
    UPDATABLE,
)
from qlc_engine.mapping_values import check_kept, check_null_value, check_words, mapper_error, shown
from qlc_engine.reading import reading

Json = dict[str, Any]

_BOOLEANS = frozenset(
    {
        "index", "doc_values", "coerce", "ignore_malformed", "norms", "fielddata", "store", "enabled",
        "include_in_parent", "include_in_root", "eager_global_ordinals", "index_phrases",
        "split_queries_on_whitespace", "ignore_z_value", "time_series_dimension",
    }
)  # fmt: skip
_WHOLE = frozenset({"ignore_above", "position_increment_gap", "depth_limit", "dims"})
_DYNAMIC = frozenset({"true", "false", "strict"})


@reading("mapping")
def parse_mapping(spec: Json, analysis: AnalysisRegistry, effective: Effective = NEW) -> Mapping:
    """The mapping of an index from the `mappings` of a create request."""
    return compile_mapping(_normalized_root(spec), analysis, effective)


@reading("mapping")
def merge_mapping(old: Mapping, spec: Json, analysis: AnalysisRegistry, effective: Effective = NEW) -> Mapping:
    """The mapping after a `_mapping` request: fields are added, few parameters change, anything else is a conflict."""
    new = _normalized_root(spec)
    merged = {**old.source, **{key: value for key, value in new.items() if key != "properties"}}
    if "properties" in new:
        merged["properties"] = _merge_properties(old.source.get("properties", {}), new["properties"], "")
    return compile_mapping(merged, analysis, effective)


def _normalized_root(spec: Json) -> Json:
    runtime = spec.get("runtime")
    if isinstance(runtime, dict) and any(isinstance(field, dict) and "script" in field for field in runtime.values()):
        cause = no_scripts("mapping parameter [runtime]")
        raise mapper_error(cause.reason)
    if "runtime" in spec:
        raise not_implemented("mapping parameter [runtime]")
    if set(spec) == {"_doc"}:
        raise illegal_argument(
            "The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true."
        )
    unknown = sorted(set(spec) - ROOT_PARAMETERS)
    if unknown:
        named = "".join(f" [{key} : {shown(spec[key])}]" for key in unknown)
        raise mapper_error(f"Root mapping definition has unsupported parameters: {named}")
    root: Json = {}
    for key, value in spec.items():
        if key == "properties":
            root[key] = _normalized_properties(value, "")
        elif key == "dynamic":
            root[key] = _dynamic(value, "_doc")
        elif key in ("date_detection", "numeric_detection"):
            root[key] = _boolean(key, value)
        elif key == "dynamic_templates":
            root[key] = [_checked_template(template) for template in value]
        elif key == "dynamic_date_formats":
            root[key] = [value] if isinstance(value, str) else list(value)
        elif key in ("_source", "_routing", "enabled"):
            if value not in ({}, {"enabled": True}, {"required": False}, True):
                raise not_implemented(f"mapping parameter [{key}] with {shown(value)}")
        else:
            root[key] = value
    return root


def _normalized_properties(properties: Any, prefix: str) -> Json:
    if properties == []:
        return {}
    if not isinstance(properties, dict):
        raise mapper_error(f"Expected map for property [properties] on field [{prefix.rstrip('.') or '_doc'}]")
    out: Json = {}
    for name, spec in properties.items():
        if not isinstance(spec, dict):
            raise mapper_error(f"Expected map for property [fields] on field [{name}] but got a {type(spec).__name__}")
        if not name.strip() or name.startswith(".") or name.endswith(".") or ".." in name:
            raise mapper_error(f"field name cannot be an empty string: [{name}]")
        head, _, rest = name.partition(".")
        if rest:
            spec = {"properties": {rest: spec}}
        normal = _normalized_field(head, spec, prefix + head)
        out[head] = _merge_field(out[head], normal, prefix + head) if head in out else normal
    return out


def _normalized_field(name: str, spec: Json, path: str) -> Json:
    if not spec:
        raise mapper_error(f"No type specified for field [{name}]")
    kind = spec.get("type", "object")
    if not isinstance(kind, str):
        raise mapper_error(f"[type] of field [{name}] is no text: {shown(kind)}")
    if kind in ("object", "nested"):
        return _normalized_object(name, spec, path, kind)
    defaults = _parameters_of(kind, name)
    out: Json = {"type": kind}
    for key, value in spec.items():
        if key == "type":
            continue
        if key == "fields" and kind not in ("alias", "dense_vector", "flattened"):
            out[key] = _multi_fields(value, path)
            continue
        if key not in defaults:
            raise mapper_error(f"unknown parameter [{key}] on mapper [{name}] of type [{kind}]")
        normal = _normalized_value(key, value, name, spec)
        if normal != defaults[key]:
            out[key] = normal
    _require(name, kind, out)
    if kind == "dense_vector":
        _complete_vector(out)
    if kind == "geo_point" and "null_value" in out:
        try:
            lat, lon = parse_point(out["null_value"])
        except ValueError as error:
            raise mapper_error(str(error)) from None
        out["null_value"] = {"lat": lat, "lon": lon}
    return out


def _parameters_of(kind: str, name: str) -> Json:
    """Return the parameters of a field type with their defaults. Raises EngineError for an unknown type."""
    if kind in PARAMETERS:
        return PARAMETERS[kind]
    if kind in NOT_IMPLEMENTED:
        raise not_implemented(f"field type [{kind}] of field [{name}]")
    raise mapper_error(
        f"The mapper type [{kind}] declared on field [{name}] does not exist. It might have been created within "
        "a future version or requires a plugin to be installed. Check the documentation."
    )


def _multi_fields(specs: Json, path: str) -> Json:
    out = {sub: _normalized_field(sub, spec, f"{path}.{sub}") for sub, spec in specs.items()}
    for sub, normal in out.items():
        if normal.get("type", "object") in ("object", "nested", "alias"):
            message = f"Type [{normal.get('type', 'object')}] cannot be used in multi field"
            raise mapper_error(f"{message}: [{path}.{sub}]")
    return out


def _normalized_value(key: str, value: Any, name: str, spec: Json) -> Any:
    """Return a parameter's value as Elasticsearch prints it: `"true"` -> `True`, a `copy_to` -> a list."""
    if key in _BOOLEANS:
        return _boolean(key, value)
    if key in _WHOLE:
        return _whole(key, value)
    if key == "copy_to":
        return [value] if isinstance(value, str) else list(value)
    if key == "locale" and "format" in spec and re.split("[-_]", str(value).lower())[0] not in ("en", "", "root"):
        # names of days and months are read and printed in English
        raise not_implemented(f"[locale] [{value}] with the [format] of field [{name}]")
    return value


def _complete_vector(spec: Json) -> None:
    """A dense_vector is printed with its defaults."""
    spec.setdefault("index", True)
    if spec["index"]:
        spec.setdefault("similarity", "cosine")
        options = spec.setdefault("index_options", {"type": "int8_hnsw"})
        if str(options.get("type", "")).endswith("hnsw"):
            spec["index_options"] = {"m": 16, "ef_construction": 100, **options}


def _require(name: str, kind: str, spec: Json) -> None:
    missing = {"scaled_float": "scaling_factor", "alias": "path"}.get(kind)
    if missing is not None and missing not in spec:
        raise mapper_error(f"The [{missing}] property must be specified for field [{name}].")
    if spec.get("similarity", "BM25") != "BM25" and kind != "dense_vector":
        raise not_implemented(f"similarity [{spec['similarity']}] of field [{name}]")
    if kind == "dense_vector":
        if "dims" in spec and not 1 <= int(spec["dims"]) <= 4096:
            raise mapper_error(f"The number of dimensions should be in the range [1, 4096] but was [{spec['dims']}]")
        if spec.get("element_type", "float") != "float":
            raise not_implemented(f"element_type [{spec['element_type']}] of field [{name}]")
        if spec.get("similarity", "cosine") not in ("cosine", "dot_product", "l2_norm", "max_inner_product"):
            raise mapper_error(f"Unknown value [{spec['similarity']}] for field [similarity]")
    if int(spec.get("ignore_above", 0)) < 0:
        raise mapper_error(f"[ignore_above] must be positive, got [{spec['ignore_above']}]")
    if spec.get("null_value") is not None:
        check_null_value(kind, spec)
    check_words(name, kind, spec)
    if "format" in spec:
        try:
            date_format(spec["format"])
        except EngineError as error:
            raise mapper_error(error.reason) from error


def _normalized_object(name: str, spec: Json, path: str, kind: str) -> Json:
    allowed = NESTED_PARAMETERS if kind == "nested" else OBJECT_PARAMETERS
    unknown = sorted(set(spec) - allowed)
    if unknown:
        named = "".join(f" [{key} : {shown(spec[key])}]" for key in unknown)
        raise mapper_error(f"Mapping definition for [{name}] has unsupported parameters: {named}")
    out: Json = {}
    if kind == "nested" or "properties" not in spec:
        out["type"] = kind
    for key in ("include_in_parent", "include_in_root"):
        if _boolean(key, spec.get(key, False)):
            out[key] = True
    if not _boolean("enabled", spec.get("enabled", True)):
        out["enabled"] = False
    if "dynamic" in spec:
        out["dynamic"] = _dynamic(spec["dynamic"], name)
    if "synthetic_source_keep" in spec:
        check_kept("synthetic_source_keep", spec)
        out["synthetic_source_keep"] = spec["synthetic_source_keep"]
    if "properties" in spec:
        out["properties"] = _normalized_properties(spec["properties"], path + ".")
    return out


def _dynamic(value: Any, name: str) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if text == "runtime":
        raise not_implemented(f"dynamic [runtime] of [{name}]")
    if text not in _DYNAMIC:
        raise mapper_error(f"unknown dynamic value [{text}] of [{name}]")
    return text


def _boolean(key: str, value: Any) -> bool:
    if value in (True, "true"):
        return True
    if value in (False, "false"):
        return False
    raise mapper_error(f"Could not convert [{key}] to boolean: [{shown(value)}] is neither [true] nor [false]")


def _whole(key: str, value: Any) -> int:
    try:
        if not isinstance(value, int | float | str) or isinstance(value, bool):
            raise ValueError
        return int(value)
    except (ValueError, OverflowError):
        raise mapper_error(f'Failed to parse [{key}]: For input string: "{shown(value)}"') from None


_MATCHED_TYPES = ("object", "string", "long", "double", "boolean", "date", "binary")


def _checked_template(template: Json) -> Json:
    (name, spec), *more = template.items()
    if more:
        raise mapper_error("A dynamic template must be defined with a name")
    unknown = set(spec) - {
        "match", "unmatch", "path_match", "path_unmatch", "match_mapping_type", "unmatch_mapping_type",
        "match_pattern", "mapping",
    }  # fmt: skip
    if unknown or "mapping" not in spec:
        about = sorted(unknown) or ["no mapping"]
        raise mapper_error(f"Failed to parse dynamic template [{name}]: unsupported {about}")
    kinds = spec.get("match_mapping_type", ())
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind != "*" and kind not in _MATCHED_TYPES:
            raise mapper_error(f"No field type matched on [{kind}], possible values are [{', '.join(_MATCHED_TYPES)}]")
    if spec.get("match_pattern", "simple") not in ("simple", "regex"):
        raise mapper_error(f"Failed to parse dynamic template [{name}]: No matching pattern matched on")
    return template


def _merge_properties(old: Json, new: Json, prefix: str) -> Json:
    merged = dict(old)
    for name, spec in new.items():
        merged[name] = _merge_field(old[name], spec, prefix + name) if name in old else spec
    return merged


def _merge_field(old: Json, new: Json, path: str) -> Json:
    old_type, new_type = old.get("type", "object"), new.get("type", "object")
    if old_type in ("object", "nested") or new_type in ("object", "nested"):
        return _merge_object(old, new, path, old_type, new_type)
    if old_type != new_type:
        raise illegal_argument(f"mapper [{path}] cannot be changed from type [{old_type}] to [{new_type}]")
    defaults = PARAMETERS[new_type]
    conflicts = [
        f"\n\tCannot update parameter [{key}] from [{shown(old.get(key, defaults[key]))}] "
        f"to [{shown(new.get(key, defaults[key]))}]"
        for key in defaults
        if key not in UPDATABLE and old.get(key) != new.get(key) and not (key == "norms" and new.get(key) is False)
    ]
    if conflicts:
        raise illegal_argument(f"Mapper for [{path}] conflicts with existing mapper:{''.join(conflicts)}")
    # norms may be given up, never taken back
    merged = {**{key: value for key, value in old.items() if key not in UPDATABLE}, **new}
    if "fields" in old:
        merged["fields"] = _merge_properties(old["fields"], new.get("fields", {}), path + ".")
    return merged


def _merge_object(old: Json, new: Json, path: str, old_type: str, new_type: str) -> Json:
    if old_type != new_type:
        if "nested" in (old_type, new_type) and {old_type, new_type} == {"object", "nested"}:
            before, after = ("non-nested", "nested") if new_type == "nested" else ("nested", "non-nested")
            raise illegal_argument(f"cannot change object mapping from {before} to {after}")
        if new_type in ("object", "nested"):
            raise illegal_argument(f"can't merge a non-nested mapping [{path}] with a nested mapping")
        raise illegal_argument(f"can't merge a non object mapping [{path}] with an object mapping")
    if old.get("enabled", True) != new.get("enabled", True):
        reason = f"the [enabled] parameter can't be updated for the object mapping [{path}]"
        raise EngineError("mapper_exception", reason)
    merged = {**old, **new}
    if "properties" in old or "properties" in new:
        merged["properties"] = _merge_properties(old.get("properties", {}), new.get("properties", {}), path + ".")
        if merged.get("type") == "object":
            del merged["type"]
    return merged


def _check_copies(source: Field, fields: dict[str, Field]) -> None:
    """Raises EngineError where values would be copied into a nested object that does not enclose them."""
    for path in source.copy_to:
        target = fields.get(path)
        inside = None if target is None else target.nested_path
        own = source.nested_path
        if inside is not None and not (own is not None and (own == inside or own.startswith(inside + "."))):
            raise illegal_argument(
                "Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the current "
                "nested document or any of its parents, however one [copy_to] directive is trying to copy data from "
                f"nested object [{own or 'null'}] to [{inside}]"
            )


def compile_mapping(source: Json, analysis: AnalysisRegistry, effective: Effective = NEW) -> Mapping:
    """The field table of a normalized mapping."""
    fields: dict[str, Field] = {}
    objects: dict[str, ObjectField] = {}
    aliases: dict[str, str] = {}
    for path, spec, nested_path in _walk(source.get("properties", {}), "", None):
        kind = spec.get("type", "object")
        if kind in ("object", "nested"):
            objects[path] = ObjectField(
                path=path,
                nested=kind == "nested",
                enabled=spec.get("enabled", True),
                dynamic=spec.get("dynamic"),
                nested_path=nested_path,
                include_in_parent=spec.get("include_in_parent", False),
                include_in_root=spec.get("include_in_root", False),
            )
        elif kind == "alias":
            aliases[path] = spec["path"]
        else:
            multi_fields = tuple(f"{path}.{sub}" for sub in spec.get("fields", {}))
            fields[path] = _compile_field(path, spec, nested_path, analysis, effective, multi_fields)
            for sub, sub_spec in spec.get("fields", {}).items():
                name = f"{path}.{sub}"
                fields[name] = _compile_field(name, sub_spec, nested_path, analysis, effective, (), path)
    for path, target in aliases.items():
        if target not in fields:
            reason = (
                f"Invalid [path] value [{target}] for field alias [{path}]: an alias must refer to an existing field "
                "in the mappings."
            )
            raise mapper_error(reason)
    for found in fields.values():
        _check_copies(found, fields)
    defaults = Mapping()
    return Mapping(
        fields=fields,
        objects=objects,
        aliases=aliases,
        dynamic=source.get("dynamic", "true"),
        date_detection=source.get("date_detection", True),
        numeric_detection=source.get("numeric_detection", False),
        dynamic_date_formats=tuple(source.get("dynamic_date_formats", defaults.dynamic_date_formats)),
        dynamic_templates=tuple(source.get("dynamic_templates", ())),
        source=source,
    )


def _walk(properties: Json, prefix: str, nested_path: str | None) -> Iterator[tuple[str, Json, str | None]]:
    for name, spec in properties.items():
        path = prefix + name
        yield path, spec, nested_path
        if spec.get("type", "object") in ("object", "nested"):
            inner = path if spec.get("type") == "nested" else nested_path
            yield from _walk(spec.get("properties", {}), path + ".", inner)


def _compile_field(
    path: str,
    spec: Json,
    nested_path: str | None,
    analysis: AnalysisRegistry,
    effective: Effective,
    multi_fields: tuple[str, ...],
    parent_field: str | None = None,
) -> Field:
    kind: str = spec["type"]
    for parameter in ("analyzer", "search_analyzer", "search_quote_analyzer"):
        name = spec.get(parameter)
        if name is not None and analysis.analyzer(name) is None:
            raise mapper_error(f"analyzer [{name}] has not been configured in mappings")
    normalizer = spec.get("normalizer")
    if normalizer is not None and not analysis.has_normalizer(normalizer):
        raise mapper_error(f"normalizer [{normalizer}] not found for field [{path.rsplit('.', 1)[-1]}]")
    defaults = PARAMETERS[kind]
    ignore_above = effective.whole("mapping.ignore_above") if "mapping.ignore_above" in effective.settings else None
    return Field(
        path=path,
        type=kind,
        nested_path=nested_path,
        index=spec.get("index", kind != "binary"),
        doc_values=spec.get("doc_values", kind != "binary"),
        format=spec.get("format", defaults.get("format", "")),
        null_value=spec.get("null_value"),
        ignore_above=spec.get("ignore_above", ignore_above if "ignore_above" in defaults else None),
        ignore_malformed=spec.get(
            "ignore_malformed", "ignore_malformed" in defaults and effective.flag("mapping.ignore_malformed")
        ),
        coerce=spec.get("coerce", effective.flag("mapping.coerce")) if kind in NUMERIC_TYPES else True,
        scaling_factor=float(spec.get("scaling_factor", 1.0)),
        analyzer=spec.get("analyzer", "default"),
        search_analyzer=spec.get("search_analyzer"),
        normalizer=normalizer,
        norms=spec.get("norms", kind == "text"),
        index_options=spec.get("index_options", "positions"),
        position_increment_gap=spec.get("position_increment_gap", 100),
        fielddata=spec.get("fielddata", False),
        dims=int(spec.get("dims", 0)),
        similarity=spec.get("similarity", "cosine") if kind == "dense_vector" else None,
        copy_to=tuple(spec.get("copy_to", ())),
        multi_fields=multi_fields,
        parent_field=parent_field,
        depth_limit=spec.get("depth_limit", 20),
        constant=spec.get("value"),
        split_whitespace=spec.get("split_queries_on_whitespace", False),
        index_phrases=spec.get("index_phrases", False),
        index_prefixes=spec.get("index_prefixes") is not None,
    )
