"""JSON as Elasticsearch reads it: UTF-8, without the constants that Python adds (NaN, Infinity)."""

from __future__ import annotations

import json
from typing import Any


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"Non-standard token '{name}': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow")


#: One decoder for all: making one costs more than reading a small document.
_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode


def read_json(text: bytes) -> Any:
    """Raises ValueError (`json.JSONDecodeError`, `UnicodeDecodeError`) or RecursionError."""
    return _decode(text.decode("utf-8", "surrogatepass"))
