"""`filter_path`: the parts of an answer that a client wants, by paths with `*` (a name) and `**` (any depth)."""

from __future__ import annotations

import json
from typing import Any

from qlc_engine.json_output import RawJson
from qlc_engine.mapping import matches_pattern

_NOTHING = object()


def apply_filter_path(body: Any, filter_path: str) -> Any:
    paths = [path.split(".") for path in filter_path.split(",") if path]
    includes = [path for path in paths if not path[0].startswith("-")]
    excludes = [[path[0][1:], *path[1:]] for path in paths if path[0].startswith("-")]
    if includes:
        kept = _include(body, includes)
        body = {} if kept is _NOTHING else kept
    return _exclude(body, excludes) if excludes else body


def _plain(value: Any) -> Any:
    return json.loads(value.source) if isinstance(value, RawJson) else value


def _below(path: list[str], name: str) -> list[list[str]]:
    """What is left of a path under a member of that name; an empty one means all of it."""
    if path[0] == "**":
        if len(path) == 1:
            return [[]]
        return [path, *_below(path[1:], name)]
    return [path[1:]] if matches_pattern(path[0], name) else []


def _include(value: Any, paths: list[list[str]]) -> Any:
    value = _plain(value)
    if isinstance(value, list):
        parts = [part for element in value if (part := _include(element, paths)) is not _NOTHING]
        return parts if parts else _NOTHING
    if not isinstance(value, dict):
        return _NOTHING
    out: dict[str, Any] = {}
    for name, member in value.items():
        left = [rest for path in paths for rest in _below(path, name)]
        if any(not rest for rest in left):
            out[name] = member
        elif left:
            kept = _include(member, left)
            if kept is not _NOTHING:
                out[name] = kept
    return out if out else _NOTHING


def _exclude(value: Any, paths: list[list[str]]) -> Any:
    value = _plain(value)
    if isinstance(value, list):
        return [_exclude(element, paths) for element in value]
    if not isinstance(value, dict):
        return value
    out: dict[str, Any] = {}
    for name, member in value.items():
        left = [rest for path in paths for rest in _below(path, name)]
        if not any(not rest for rest in left):
            out[name] = _exclude(member, left) if left else member
    return out
