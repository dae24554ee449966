"""Dynamic mapping of new fields: dynamic templates first, then the type of the value."""

from __future__ import annotations

import re
from typing import Any

from qlc_engine.dates import date_format
from qlc_engine.errors import EngineError
from qlc_engine.mapping import Mapping, matches_any

#: A list of that many numbers becomes a dense_vector.
_VECTOR_LENGTHS = range(128, 4097)

_KEYWORD_SUBFIELD = {"keyword": {"type": "keyword", "ignore_above": 256}}
_PLAIN = {"long": {"type": "long"}, "double": {"type": "float"}, "boolean": {"type": "boolean"}}
_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?|NaN|Infinity)")


def dynamic_field(mapping: Mapping, path: str, value: Any) -> dict[str, Any]:
    """The mapping of a new leaf field from its first value (a scalar, or a list for vectors)."""
    if isinstance(value, list):
        return {"type": "dense_vector", "dims": len(value)}
    kind, spec = _detect(mapping, value)
    template = _template(mapping, path, kind)
    if template is None and kind == "date":
        return spec
    return spec if template is None else _filled_in(template, path, kind, spec)


def is_dynamic_vector(value: list[Any]) -> bool:
    return len(value) in _VECTOR_LENGTHS and all(type(part) is float for part in value)


def dynamic_object(mapping: Mapping, path: str) -> dict[str, Any]:
    template = _template(mapping, path, "object")
    return {"type": "object"} if template is None else _filled_in(template, path, "object", {"type": "object"})


def _detect(mapping: Mapping, value: Any) -> tuple[str, dict[str, Any]]:
    """`match_mapping_type` of the value and the mapping it gets without a template."""
    if isinstance(value, bool):
        return "boolean", _PLAIN["boolean"]
    if isinstance(value, int):
        return "long", _PLAIN["long"]
    if isinstance(value, float):
        return "double", _PLAIN["double"]
    text = str(value)
    if _NUMBER.fullmatch(text.strip()):
        # numbers in quotes are never taken for dates
        if mapping.numeric_detection:
            whole = re.fullmatch(r"[+-]?\d+", text) is not None
            return ("long", _PLAIN["long"]) if whole else ("double", _PLAIN["double"])
    elif mapping.date_detection:
        for source in mapping.dynamic_date_formats:
            detected = _DEFAULT_DETECTION.get(source, source)
            try:
                date_format(detected).parse(text)
            except EngineError:
                continue
            spec = {"type": "date"}
            if detected != _ISO:
                spec["format"] = detected
            if source in _DEFAULT_DETECTION and detected != _ISO:
                spec["locale"] = ""
            return "date", spec
    return "string", {"type": "text", "fields": _KEYWORD_SUBFIELD}


_ISO = "strict_date_optional_time||epoch_millis"
#: What the two default detection formats become in the field they detect.
_DEFAULT_DETECTION = {
    "strict_date_optional_time": _ISO,
    "yyyy/MM/dd HH:mm:ss Z||yyyy/MM/dd Z": "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis",
}


def _template(mapping: Mapping, path: str, kind: str) -> dict[str, Any] | None:
    name = path.rsplit(".", 1)[-1]
    for entry in mapping.dynamic_templates:
        spec = next(iter(entry.values()))
        if _template_fits(spec, name, path, kind):
            found: dict[str, Any] = spec["mapping"]
            return found
    return None


def _template_fits(spec: dict[str, Any], name: str, path: str, kind: str) -> bool:
    regex = spec.get("match_pattern") == "regex"

    def fits(patterns: Any, text: str) -> bool:
        listed = [patterns] if isinstance(patterns, str) else list(patterns)
        if regex:
            return any(re.fullmatch(pattern, text) for pattern in listed)
        return matches_any(listed, text)

    def type_in(types: Any) -> bool:
        listed = [types] if isinstance(types, str) else types
        return "*" in listed or kind in listed

    return (
        ("match" not in spec or fits(spec["match"], name))
        and ("unmatch" not in spec or not fits(spec["unmatch"], name))
        and ("path_match" not in spec or fits(spec["path_match"], path))
        and ("path_unmatch" not in spec or not fits(spec["path_unmatch"], path))
        and ("match_mapping_type" not in spec or type_in(spec["match_mapping_type"]))
        and ("unmatch_mapping_type" not in spec or not type_in(spec["unmatch_mapping_type"]))
        and (kind != "object" or "match_mapping_type" in spec or spec["mapping"].get("type") in ("object", "nested"))
    )


def _filled_in(template: dict[str, Any], path: str, kind: str, default: dict[str, Any]) -> dict[str, Any]:
    name = path.rsplit(".", 1)[-1]
    dynamic_type = {"string": "text", "double": "float"}.get(kind, kind)

    def fill(part: Any) -> Any:
        if isinstance(part, str):
            return part.replace("{name}", name).replace("{dynamic_type}", dynamic_type)
        if isinstance(part, dict):
            return {fill(key): fill(value) for key, value in part.items()}
        return [fill(value) for value in part] if isinstance(part, list) else part

    filled: dict[str, Any] = fill(template)
    return filled if "type" in filled else {**filled, "type": default["type"]}
