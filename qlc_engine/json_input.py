"""JSON as Elasticsearch reads it: UTF-8, no key twice in an object, no constants that Python adds (NaN, Infinity)."""

from __future__ import annotations

import json
from typing import Any


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"Non-standard token '{name}': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise ValueError(f"Duplicate field '{twice}'")
    return made


#: One decoder for all: making one costs more than reading a small document.
_decoder = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_object)


def json_token(value: Any) -> str:
    """Elasticsearch's name for the kind of a JSON value."""
    if isinstance(value, dict):
        return "START_OBJECT"
    if isinstance(value, list):
        return "START_ARRAY"
    if isinstance(value, str):
        return "VALUE_STRING"
    if value is None:
        return "VALUE_NULL"
    return "VALUE_BOOLEAN" if isinstance(value, bool) else "VALUE_NUMBER"


def read_json(text: bytes) -> Any:
    """Raises ValueError (`json.JSONDecodeError`, `UnicodeDecodeError`) or RecursionError."""
    decoded = text.decode("utf-8", "surrogatepass")
    if decoded[:1] == "{":
        # without a look for white space around, which most requests do not have
        value, end = _decoder.raw_decode(decoded)
        if end == len(decoded):
            return value
    return _decoder.decode(decoded)
