"""The values at a path of a stored document, whose keys can contain dots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def parts_at(source: Any, path: str, is_one: Callable[[list[Any]], bool] = lambda found: False) -> Iterator[Any]:
    """Yield the values at a path of a source, through objects and lists, except lists that are one value (`is_one`)."""
    if isinstance(source, list) and not is_one(source):
        for item in source:
            yield from parts_at(item, path, is_one)
    elif not path:
        yield source
    elif isinstance(source, Mapping):
        for key, rest in keys_on(source, path):
            yield from parts_at(source[key], rest, is_one)


def keys_on(source: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of an object that begin a path, with the rest of the path; keys can contain dots."""
    parts = path.split(".")
    for length in range(1, len(parts) + 1):
        key = ".".join(parts[:length])
        if key in source:
            yield key, ".".join(parts[length:])
