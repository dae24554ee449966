"""`filter_path`: the parts of an answer that a client wants, by paths in which a name may have a `*`."""

from __future__ import annotations

import json
from typing import Any

from qlc_engine.errors import not_implemented
from qlc_engine.json_output import RawJson
from qlc_engine.mapping import matches_pattern

_NOTHING = object()


def apply_filter_path(body: Any, filter_path: str) -> Any:
    paths = [path.split(".") for path in filter_path.split(",") if path]
    if any(path[0].startswith("-") or "**" in path for path in paths):
        raise not_implemented(f"[filter_path] with [{filter_path}]")
    kept = _include(body, paths)
    return {} if kept is _NOTHING else kept


def _include(value: Any, paths: list[list[str]]) -> Any:
    value = json.loads(value.source) if isinstance(value, RawJson) else value
    if isinstance(value, list):
        parts = [part for element in value if (part := _include(element, paths)) is not _NOTHING]
        return parts or _NOTHING
    if not isinstance(value, dict):
        return _NOTHING
    out: dict[str, Any] = {}
    for name, member in value.items():
        left = [path[1:] for path in paths if matches_pattern(path[0], name)]
        if [] in left:
            out[name] = member
        elif left and (kept := _include(member, left)) is not _NOTHING:
            out[name] = kept
    return out or _NOTHING
