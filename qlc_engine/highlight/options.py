"""The options of `highlight` in a request."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import illegal_argument, not_implemented, parsing_error
from qlc_engine.json_input import json_token


@dataclass(frozen=True, slots=True)
class HighlightOptions:
    """The options of one field, including those for all fields."""

    pre_tag: str = "<em>"
    post_tag: str = "</em>"
    by_score: bool = False
    fragment_size: int = 100
    number_of_fragments: int = 5
    require_field_match: bool = True
    boundary_scanner: str = "sentence"
    no_match_size: int = 0
    query: Any = None
    matched_fields: tuple[str, ...] = ()
    max_analyzed_offset: int | None = None
    html: bool = False


@dataclass(frozen=True, slots=True)
class HighlightRequest:
    """The fields, or patterns of names, with their options, in the order of the request."""

    fields: tuple[tuple[str, HighlightOptions], ...]


def parse_highlight(body: Any) -> HighlightRequest | None:
    """Raises EngineError for what is malformed or unknown."""
    if body is None:
        return None
    if not isinstance(body, dict):
        raise parsing_error(f"Unknown key for a {json_token(body)} in [highlight].")
    left = dict(body)
    given = left.pop("fields", None)
    general = _read("highlight", left, HighlightOptions())
    fields: list[tuple[str, HighlightOptions]] = []
    for name, own in _listed(given):
        if not isinstance(own, dict):
            raise parsing_error(f"[highlight] failed to parse field [{name}]")
        fields.append((name, _read(f"highlight of {name}", own, general)))
    return HighlightRequest(tuple(fields))


def _listed(given: Any) -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = []
    for entry in given if isinstance(given, list) else [given or {}]:
        if not isinstance(entry, dict):
            raise parsing_error(f"[highlight] fields doesn't support values of type: {json_token(entry)}")
        out.extend(entry.items())
    return out


def _read(owner: str, given: dict[str, Any], base: HighlightOptions) -> HighlightOptions:
    if "pre_tags" in given and "post_tags" not in given:
        raise parsing_error("pre_tags are set but post_tags are not set")
    changes: dict[str, Any] = {}
    for key, value in given.items():
        if key == "type":
            if value != "unified":
                raise not_implemented(f"highlighter [{value}]")
        elif key in _READERS:
            name, read = _READERS[key]
            try:
                changes[name] = read(value)
            except (TypeError, ValueError):
                raise parsing_error(f"[{owner}] failed to parse field [{key}]") from None
        else:
            raise not_implemented(f"[{owner}] with [{key}]")
    return dataclasses.replace(base, **changes)


def _flag(value: Any) -> bool:
    if value not in (True, False, "true", "false"):
        raise illegal_argument(f"Failed to parse value [{value}] as only [true] or [false] are allowed.")
    return value in (True, "true")


def _scanner(value: Any) -> str:
    name = str(value).lower()
    if name not in ("sentence", "word"):
        raise ValueError(name)
    return name


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def _first(value: Any) -> str:
    return _texts(value)[0] if value != [] else ""


_READERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "pre_tags": ("pre_tag", _first),
    "post_tags": ("post_tag", _first),
    "order": ("by_score", lambda value: str(value).lower() == "score"),
    "fragment_size": ("fragment_size", int),
    "number_of_fragments": ("number_of_fragments", int),
    "require_field_match": ("require_field_match", _flag),
    "boundary_scanner": ("boundary_scanner", _scanner),
    "no_match_size": ("no_match_size", int),
    "highlight_query": ("query", lambda value: value),
    "matched_fields": ("matched_fields", _texts),
    "max_analyzed_offset": ("max_analyzed_offset", int),
    "encoder": ("html", lambda value: value == "html"),
}
