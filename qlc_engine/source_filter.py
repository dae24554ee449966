"""`_source` filtering: which parts of a document are returned.

As in Elasticsearch a path is compared step by step (`**` is any number of steps), unless an exclude has a `*`: then all
patterns are compared with whole paths, and `*` stands for dots as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from qlc_engine.mapping import matches_any, matches_pattern

#: The steps of a path that are left below some object; an empty one stands for all of it.
Steps = tuple[str, ...]

_NOTHING = object()


def filter_source(source: dict[str, Any], includes: Sequence[str], excludes: Sequence[str]) -> dict[str, Any]:
    """The parts that fit an include (all, if there is none) and no exclude. A path stands for all below it."""
    if any("*" in pattern for pattern in excludes):
        return filter_by_whole_paths(source, includes, excludes)
    return _filter_object(source, _steps(includes), _steps(excludes), whole=not includes)


def filter_by_whole_paths(source: dict[str, Any], includes: Sequence[str], excludes: Sequence[str]) -> dict[str, Any]:
    """As `filter_source`, but a `*` always stands for dots as well."""
    return _by_whole_paths(source, "", includes, excludes, whole=not includes)


def _steps(patterns: Sequence[str]) -> tuple[Steps, ...]:
    return tuple(tuple(pattern.split(".")) for pattern in patterns)


@lru_cache(maxsize=4096)
def steps_below(paths: tuple[Steps, ...], name: str) -> tuple[Steps, ...]:
    """What is left of the paths under a member of that name; a name with dots takes as many steps."""
    for part in name.split("."):
        paths = tuple(left for path in paths for left in _below(path, part))
    return paths


def _below(path: Steps, name: str) -> list[Steps]:
    if not path:
        return [path]
    if path[0] == "**":
        return [()] if len(path) == 1 else [path, *_below(path[1:], name)]
    return [path[1:]] if matches_pattern(path[0], name) else []


def _filter_object(
    source: dict[str, Any], includes: tuple[Steps, ...], excludes: tuple[Steps, ...], *, whole: bool
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in source.items():
        dropped = steps_below(excludes, name)
        if () in dropped:
            continue
        wanted = () if whole else steps_below(includes, name)
        if not whole and not wanted:
            continue
        kept = _filter_value(value, wanted, dropped, whole=whole or () in wanted)
        if kept is not _NOTHING:
            out[name] = kept
    return out


def _filter_value(value: Any, includes: tuple[Steps, ...], excludes: tuple[Steps, ...], *, whole: bool) -> Any:
    if isinstance(value, dict):
        kept = _filter_object(value, includes, excludes, whole=whole)
        return kept if kept or whole else _NOTHING
    if isinstance(value, list):
        parts = [_filter_value(part, includes, excludes, whole=whole) for part in value]
        # an object that the filter has emptied goes from its list
        pairs = zip(parts, value, strict=True)
        parts = [part for part, old in pairs if part is not _NOTHING and (part != {} or not old)]
        return parts if parts or whole else _NOTHING
    return value if whole else _NOTHING


def _by_whole_paths(
    source: dict[str, Any], prefix: str, includes: Sequence[str], excludes: Sequence[str], *, whole: bool
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in source.items():
        path = prefix + name
        if matches_any(excludes, path):
            continue
        included = whole or matches_any(includes, path)
        if not included and not any(_may_fit_below(pattern, path + ".") for pattern in includes):
            continue
        kept = _value_by_whole_paths(value, path + ".", includes, excludes, whole=included)
        if kept is not _NOTHING:
            out[name] = kept
    return out


def _value_by_whole_paths(
    value: Any, prefix: str, includes: Sequence[str], excludes: Sequence[str], *, whole: bool
) -> Any:
    if isinstance(value, dict):
        kept = _by_whole_paths(value, prefix, includes, excludes, whole=whole)
        return kept if kept or whole else _NOTHING
    if isinstance(value, list):
        parts = [_value_by_whole_paths(part, prefix, includes, excludes, whole=whole) for part in value]
        # here those go too that were empty before
        parts = [part for part in parts if part is not _NOTHING and part != {}]
        return parts if parts or whole else _NOTHING
    return value if whole else _NOTHING


def _may_fit_below(pattern: str, prefix: str) -> bool:
    """Whether a path that begins with `prefix` can fit the pattern."""
    fixed = pattern.partition("*")[0]
    return fixed.startswith(prefix) or ("*" in pattern and prefix.startswith(fixed))


def values_at(source: Any, parts: list[str], *, whole_pairs: bool = False) -> Iterator[Any]:
    """The values at a path, through lists; names with dots in the document are found too.

    With `whole_pairs` a list of numbers is one value (a point written as an array).
    """
    if isinstance(source, list) and whole_pairs and not parts and source and isinstance(source[0], int | float):
        yield source
    elif isinstance(source, list):
        for element in source:
            yield from values_at(element, parts, whole_pairs=whole_pairs)
    elif not parts:
        yield source
    elif isinstance(source, dict):
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name in source:
                yield from values_at(source[name], parts[length:], whole_pairs=whole_pairs)


def values_level_by_level(source: Any, parts: list[str]) -> Iterator[Any]:
    """The values at a path as `fields` gives them: what stands in a list inside of a list comes after all others."""
    waiting = deque(_lists_opened_once(source, parts))
    while waiting:
        value = waiting.popleft()
        if isinstance(value, list):
            waiting.extend(value)
        else:
            yield value


def _lists_opened_once(source: Any, parts: list[str]) -> Iterator[Any]:
    if not parts:
        yield from source if isinstance(source, list) else [source]
    elif isinstance(source, list):
        for element in source:
            yield from _lists_opened_once(element, parts)
    elif isinstance(source, dict):
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name in source:
                yield from _lists_opened_once(source[name], parts[length:])
