"""`highlight` of a request: what is marked, and how."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, parsing_error, xcontent_error
from qlc_engine.json_input import json_token

_STYLED = tuple(f'<em class="hlt{number}">' for number in range(1, 11))


@dataclass(frozen=True, slots=True)
class HighlightOptions:
    """Of one field, after what the request says for all fields."""

    pre_tag: str = "<em>"
    post_tag: str = "</em>"
    by_score: bool = False
    fragment_size: int = 100
    number_of_fragments: int = 5
    require_field_match: bool = True
    boundary_scanner: str = "sentence"
    type: str = "unified"
    fragmenter: str = "span"
    no_match_size: int = 0
    query: Any = None
    matched_fields: tuple[str, ...] = ()
    max_analyzed_offset: int | None = None
    html: bool = False


@dataclass(frozen=True, slots=True)
class HighlightRequest:
    """The fields, or patterns of names, with their options, in the order of the request."""

    fields: tuple[tuple[str, HighlightOptions], ...]


_TYPES = ("unified", "plain", "fvh")
#: settings of the `fvh` highlighter, which others do without
_IGNORED = ("boundary_max_scan", "boundary_chars", "boundary_scanner_locale", "phrase_limit", "highlight_filter",
            "force_source", "fragment_offset", "options")  # fmt: skip


def parse_highlight(body: Any) -> HighlightRequest | None:
    """Raises EngineError for what is malformed or unknown."""
    if body is None:
        return None
    if not isinstance(body, dict):
        raise parsing_error(f"Unknown key for a {json_token(body)} in [highlight].")
    left = dict(body)
    given = left.pop("fields", None)
    general = _read("highlight", left, HighlightOptions(), general=True)
    fields: list[tuple[str, HighlightOptions]] = []
    for name, own in _listed(given):
        if not isinstance(own, dict):
            raise xcontent_error("[1:1] [highlight] failed to parse field [fields]")
        try:
            fields.append((name, _read("highlight_field", dict(own), general, general=False)))
        except EngineError as error:
            cause = xcontent_error(f"[1:1] [fields] failed to parse field [{name}]", caused_by=error)
            raise xcontent_error("[1:1] [highlight] failed to parse field [fields]", caused_by=cause) from None
    return HighlightRequest(tuple(fields))


def _listed(given: Any) -> list[tuple[str, Any]]:
    if given is None:
        return []
    if isinstance(given, dict):
        return list(given.items())
    if not isinstance(given, list):
        raise xcontent_error(f"[1:1] [highlight] fields doesn't support values of type: {json_token(given)}")
    out: list[tuple[str, Any]] = []
    for entry in given:
        if not isinstance(entry, dict) or len(entry) != 1:
            reason = "[fields] can be a single object or an array of objects with a single field"
            raise xcontent_error("[1:1] [highlight] failed to parse field [fields]", caused_by=xcontent_error(reason))
        out.extend(entry.items())
    return out


def _read(owner: str, left: dict[str, Any], base: HighlightOptions, *, general: bool) -> HighlightOptions:
    given, changes = set(left), dict[str, Any]()
    tags = {"pre_tags": "pre_tag", "post_tags": "post_tag"}
    if general and "tags_schema" in left:
        schema = left.pop("tags_schema")
        if schema not in ("default", "styled"):
            cause = illegal_argument(f"Unknown tag schema [{schema}]")
            raise xcontent_error(f"[1:1] [{owner}] failed to parse field [tags_schema]", caused_by=cause)
        if schema == "styled":
            changes["pre_tag"] = _STYLED[0]
    if general and "encoder" in left:
        changes["html"] = left.pop("encoder") == "html"
    for key, name in tags.items():
        if key in left:
            value = left.pop(key)
            changes[name] = str(value[0]) if isinstance(value, list) and value else str(value)
    if "pre_tags" in given and "post_tags" not in given:
        raise parsing_error("pre_tags are set but post_tags are not set")
    readers: dict[str, tuple[str, Callable[[Any], Any]]] = {
        "fragment_size": ("fragment_size", _number), "number_of_fragments": ("number_of_fragments", _number),
        "no_match_size": ("no_match_size", _number), "require_field_match": ("require_field_match", _flag),
        "boundary_scanner": ("boundary_scanner", _scanner), "type": ("type", str), "fragmenter": ("fragmenter", str),
        "highlight_query": ("query", _same), "max_analyzed_offset": ("max_analyzed_offset", _number),
    }  # fmt: skip
    for key, (name, read) in readers.items():
        if key in left:
            try:
                changes[name] = read(left.pop(key))
            except ValueError as error:
                cause = EngineError("number_format_exception", str(error))
                raise xcontent_error(f"[1:1] [{owner}] failed to parse field [{key}]", caused_by=cause) from None
    if "order" in left:
        changes["by_score"] = _lower(left.pop("order")) == "score"
    if not general and "matched_fields" in left:
        given = left.pop("matched_fields")
        changes["matched_fields"] = tuple(map(str, given)) if isinstance(given, list) else (str(given),)
    for key in _IGNORED:
        if key == "fragment_offset" and general:
            continue
        left.pop(key, None)
    for key in left:
        raise xcontent_error(f"[1:1] [{owner}] unknown field [{key}]")
    return dataclasses.replace(base, **changes)


def check_type(field: str, options: HighlightOptions) -> None:
    """Raises EngineError for a highlighter that is not there."""
    if options.type not in _TYPES:
        raise illegal_argument(f"unknown highlighter type [{options.type}] for the field [{field}]", on_shard=True)
    if options.type == "unified" and options.boundary_scanner not in ("sentence", "word"):
        reason = f"Invalid boundary scanner type: {options.boundary_scanner}"
        raise illegal_argument(reason, on_shard=True)


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise xcontent_error(f"[1:1] [highlight] doesn't support values of type: {json_token(value)}")
    return int(value)


def _flag(value: Any) -> bool:
    if value not in (True, False, "true", "false"):
        raise illegal_argument(f"Failed to parse value [{value}] as only [true] or [false] are allowed.")
    return value in (True, "true")


def _scanner(value: Any) -> str:
    name = str(value).lower()
    if name not in ("chars", "sentence", "word"):
        raise ValueError(f"No enum constant BoundaryScannerType.{str(value).upper()}")
    return name


def _lower(value: Any) -> str:
    return str(value).lower()


def _same(value: Any) -> Any:
    return value


