"""Parts of stored documents: those that `_source` asks for, and the values at a path.

As in Elasticsearch a path is compared step by step.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from qlc_engine.mapping import matches_pattern

#: The steps of a path that are left below some object; an empty one stands for all of it.
Steps = tuple[str, ...]

_NOTHING = object()


def without_numbers(source: bytes, names: tuple[str, ...], part: Callable[[Any], Any]) -> Any:
    """Some part of a stored document. Reading the numbers of its vectors takes most of the time, so members with one
    of `names` that are lists of numbers are read only if the part has one of them.
    """
    if names:
        found = part(_CUTTING.decode(_cut_out(source, _begins(names)).decode("utf-8", "surrogatepass")))
        if not _is_cut(found):
            return found
    return part(json.loads(source))


@lru_cache(maxsize=64)
def _begins(names: tuple[str, ...]) -> re.Pattern[bytes]:
    listed = b"|".join(re.escape(json.dumps(name).encode()) for name in names)
    return re.compile(rb"(?:" + listed + rb")\s*:\s*\[")


def _cut_out(source: bytes, begins: re.Pattern[bytes]) -> bytes:
    """The document with NaN in place of lists of numbers. An escaped quote would be inside a string; one that is not
    escaped, before a name and a colon, begins a member.
    """
    kept, at = [], 0
    for found in begins.finditer(source):
        begin, end = found.end() - 1, source.find(b"]", found.end()) + 1
        is_escaped = source[found.start() - 1 : found.start()] == b"\\"
        if not is_escaped and not source[begin + 1 : end - 1].translate(None, _OF_NUMBERS):
            kept += [source[at:begin], b"NaN"]
            at = end
    return b"".join([*kept, source[at:]])


_OF_NUMBERS = b"-+.0123456789eE, \t\r\n"
#: In place of a list that was cut out; a stored document has no NaN.
_CUT = object()
_CUTTING = json.JSONDecoder(parse_constant=lambda _: _CUT)


def _is_cut(value: Any) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return value is _CUT
    return any(map(_is_cut, value))


def filter_source(source: dict[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """The parts that fit one of the paths, in which a step may have a `*`. A path stands for all below it."""
    return _filter_object(source, tuple(tuple(path.split(".")) for path in paths))


@lru_cache(maxsize=4096)
def _steps_below(paths: tuple[Steps, ...], name: str) -> tuple[Steps, ...]:
    """Return the rest of the paths below a member of that name; a name with dots takes as many steps."""
    for part in name.split("."):
        paths = tuple(path[1:] for path in paths if not path or matches_pattern(path[0], part))
    return paths


def _filter_object(source: dict[str, Any], paths: tuple[Steps, ...]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in source.items():
        wanted = _steps_below(paths, name)
        if () in wanted:
            out[name] = value
        elif wanted and (kept := _filter_value(value, wanted)) is not _NOTHING:
            out[name] = kept
    return out


def _filter_value(value: Any, paths: tuple[Steps, ...]) -> Any:
    if isinstance(value, dict):
        return _filter_object(value, paths) or _NOTHING
    if isinstance(value, list):
        parts = [_filter_value(part, paths) for part in value]
        return [part for part in parts if part is not _NOTHING] or _NOTHING
    return _NOTHING


def values_at(source: Any, parts: list[str]) -> Iterator[Any]:
    """The values at a path, through lists; names with dots in the document are found too."""
    if isinstance(source, list):
        for element in source:
            yield from values_at(element, parts)
    elif not parts:
        yield source
    elif isinstance(source, dict):
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name in source:
                yield from values_at(source[name], parts[length:])


def values_level_by_level(source: Any, parts: list[str]) -> Iterator[Any]:
    """The values at a path as `fields` gives them: what is in a list inside of a list comes after all others."""
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
