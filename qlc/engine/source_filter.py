"""`_source` filtering: which parts of a document are returned, by paths with `*`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qlc.engine.mapping import matches_pattern


def filter_source(source: dict[str, Any], includes: Sequence[str], excludes: Sequence[str]) -> dict[str, Any]:
    """The parts that fit an include (all, if there is none) and no exclude. A path stands for all below it."""
    return _filter_object(source, "", tuple(includes), tuple(excludes), included=not includes)


def _filter_object(
    source: dict[str, Any], prefix: str, includes: Sequence[str], excludes: Sequence[str], *, included: bool
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in source.items():
        path = prefix + name
        if any(matches_pattern(pattern, path) for pattern in excludes):
            continue
        whole = included or any(matches_pattern(pattern, path) for pattern in includes)
        if not whole and not any(_may_fit_below(pattern, path) for pattern in includes):
            continue
        kept = _filter_value(value, path + ".", includes, excludes, included=whole)
        if kept is not _NOTHING:
            out[name] = kept
    return out


_NOTHING = object()


def _filter_value(value: Any, prefix: str, includes: Sequence[str], excludes: Sequence[str], *, included: bool) -> Any:
    if isinstance(value, dict):
        kept = _filter_object(value, prefix, includes, excludes, included=included)
        return kept if kept or included else _NOTHING
    if isinstance(value, list):
        parts = [_filter_value(part, prefix, includes, excludes, included=included) for part in value]
        # an object that the filter has emptied goes from its list
        pairs = zip(parts, value, strict=True)
        parts = [part for part, old in pairs if part is not _NOTHING and (part != {} or not old)]
        return parts if parts or included else _NOTHING
    return value if included else _NOTHING


def _may_fit_below(pattern: str, path: str) -> bool:
    """Whether something below `path` can fit the pattern."""
    below = path + "."
    star = pattern.find("*")
    if star < 0:
        return pattern.startswith(below)
    fixed = pattern[:star]
    return below.startswith(fixed) or fixed.startswith(below)
