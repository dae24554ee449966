"""The body of a search, and its parameters in the URL, as one checked request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, no_scripts, not_implemented, parsing_error, xcontent_error
from qlc_engine.highlight.options import HighlightRequest, parse_highlight
from qlc_engine.index_settings import time_seconds
from qlc_engine.json_input import json_token
from qlc_engine.mapping import FieldLookup
from qlc_engine.reading import reading
from qlc_engine.search.collapse import Collapse, parse_collapse
from qlc_engine.search.fetch_fields import FieldRequest, parse_field_requests
from qlc_engine.source_filter import filter_by_whole_paths, filter_source

SEARCH_TYPES = ("query_then_fetch", "dfs_query_then_fetch")

#: How far hits are counted unless asked otherwise.
DEFAULT_TOTAL = 10_000


@dataclass(frozen=True, slots=True)
class SourceOption:
    """`_source`: whether it is returned, and which parts."""

    enabled: bool = True
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        return self.enabled and not self.includes and not self.excludes

    def of(self, source: dict[str, Any]) -> dict[str, Any]:
        """The parts of a document that are returned."""
        return source if self.whole else filter_source(source, self.includes, self.excludes)

    def of_element(self, source: dict[str, Any]) -> dict[str, Any]:
        """The same of a document with nothing but an element of a nested list."""
        return source if self.whole else filter_by_whole_paths(source, self.includes, self.excludes)


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What is printed of each hit."""

    source: SourceOption = SourceOption()
    fields: tuple[FieldRequest, ...] = ()
    docvalue_fields: tuple[FieldRequest, ...] = ()
    highlight: HighlightRequest | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    query: Any = None
    post_filter: Any = None
    knn: tuple[dict[str, Any], ...] = ()
    first: int = 0
    size: int = 10
    sort: Any = None
    search_after: tuple[Any, ...] | None = None
    pit_id: str | None = None
    keep_alive: str | None = None
    #: hits are counted up to here; None: not at all, -1: all
    total_up_to: int | None = DEFAULT_TOTAL
    track_scores: bool = False
    aggregations: dict[str, Any] | None = None
    fetch: FetchOptions = FetchOptions()
    collapse: Collapse | None = None
    #: after so long the search answers with what it has (`timeout`)
    seconds: float | None = None
    #: stored documents stand in the answer as objects
    as_objects: bool = False


_REFUSED = frozenset(
    {
        "script_fields", "explain", "profile", "rank", "retriever", "sub_searches", "ext", "suggest",
        "slice", "rescore", "min_score", "terminate_after", "indices_boost", "stored_fields", "version",
        "seq_no_primary_term",
    }
)  # fmt: skip


@reading("the search")
def parse_search(body: dict[str, Any], url: Mapping[str, str], *, as_objects: bool = False) -> SearchRequest:
    """`url` holds the parameters of the request line, which win over the body."""
    for key, value in body.items():
        if value is None:
            raise parsing_error(f"{_token(value)} in [{key}].")
    left = {**body, **_from_url(url)}
    if "query" in left and not isinstance(left["query"], dict | list):
        raise parsing_error(f"{_token(left['query'])} in [query].")
    query = left.pop("query", None)
    size, first = _count(left, "size", 10), _count(left, "from", 0)
    request = SearchRequest(
        query=query,
        post_filter=left.pop("post_filter", None),
        knn=_knn_sections(left.pop("knn", ())),
        first=first,
        size=size,
        sort=sort_of(left.pop("sort", None)),
        search_after=_search_after(left.pop("search_after", None), first),
        **_pit(left.pop("pit", None)),
        total_up_to=_total_up_to(left.pop("track_total_hits", DEFAULT_TOTAL)),
        track_scores=_flag(left, "track_scores"),
        aggregations=_aggregations(left),
        fetch=parse_fetch(left),
        collapse=parse_collapse(left.pop("collapse", None)),
        as_objects=as_objects,
        seconds=_timeout(left.pop("timeout", url.get("timeout"))),
    )
    if url.get("search_type", SEARCH_TYPES[0]) not in SEARCH_TYPES:
        raise illegal_argument(f"No search type for [{url['search_type']}]")
    left.pop("stats", None)
    if left.get("ext") == {}:
        left.pop("ext")
    if left.get("runtime_mappings") in ({}, None):
        left.pop("runtime_mappings", None)
    for key in ("explain", "profile", "version", "seq_no_primary_term"):
        if left.get(key) is False:
            del left[key]
    for key, value in left.items():
        if key == "script_fields" or (key == "runtime_mappings" and _has_script(value)):
            raise no_scripts(f"search [{key}]")
        if key in _REFUSED or key == "runtime_mappings":
            raise not_implemented(f"search [{key}]")
        raise parsing_error(f"{_token(value)} in [{key}].")
    return request


def sort_of(given: Any) -> Any:
    """No keys are no sort."""
    keys = [entry for entry in given if entry != {}] if isinstance(given, list) else given
    return keys or None


def _timeout(given: Any) -> float | None:
    seconds = None if given is None else time_seconds(str(given), "timeout")
    return None if seconds is None or seconds < 0 else seconds


def _has_script(runtime: Any) -> bool:
    fields = runtime.values() if isinstance(runtime, dict) else ()
    return any(isinstance(field, dict) and "script" in field for field in fields)


def _token(value: Any) -> str:
    return f"Unknown key for a {json_token(value)}"


def _from_url(url: Mapping[str, str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key in ("from", "size"):
        if key in url:
            out[key] = _integer_of_url(key, url[key])
    if "track_scores" in url:
        out["track_scores"] = url["track_scores"] or "true"
    if "track_total_hits" in url:
        given = url["track_total_hits"]
        out["track_total_hits"] = {"true": True, "false": False}.get(given)
        if out["track_total_hits"] is None:
            out["track_total_hits"] = _integer_of_url("track_total_hits", given)
    if "_source" in url:
        given = url["_source"]
        out["_source"] = {"true": True, "false": False}.get(given, given.split(","))
    if "_source_includes" in url or "_source_excludes" in url:
        out["_source"] = {
            "includes": [part for part in url.get("_source_includes", "").split(",") if part],
            "excludes": [part for part in url.get("_source_excludes", "").split(",") if part],
        }
    if url.get("sort"):
        parts = (part.partition(":") for part in url["sort"].split(","))
        # an order that there is not leaves the whole key out
        out["sort"] = [{path: order} if order else path for path, _, order in parts if order in ("", "asc", "desc")]
    if "docvalue_fields" in url:
        out["docvalue_fields"] = url["docvalue_fields"].split(",")
    return out


def _integer_of_url(key: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        cause = EngineError("number_format_exception", f'For input string: "{text}"')
        raise illegal_argument(f"Failed to parse int parameter [{key}] with value [{text}]", caused_by=cause) from None


def _count(left: dict[str, Any], key: str, default: int) -> int:
    value = left.pop(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise parsing_error(f"{_token(value)} in [{key}].")
    try:
        number = int(value)
    except ValueError:
        raise EngineError("number_format_exception", f'For input string: "{value}"') from None
    if number < 0:
        raise illegal_argument(f"[{key}] parameter cannot be negative, found [{number}]")
    return number


def _flag(left: dict[str, Any], key: str) -> bool:
    value = left.pop(key, False)
    if value not in (True, False, "true", "false"):
        raise illegal_argument(f"Failed to parse value [{value}] as only [true] or [false] are allowed.")
    return value in (True, "true")


def _knn_sections(given: Any) -> tuple[dict[str, Any], ...]:
    return tuple(given) if isinstance(given, list | tuple) else (given,)


def _search_after(given: Any, first: int) -> tuple[Any, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list) or not given:
        raise illegal_argument("Values must contains at least one value.")
    for value in given:
        if isinstance(value, dict | list):
            allowed = "[VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL]"
            found = "START_OBJECT" if isinstance(value, dict) else "START_ARRAY"
            raise parsing_error(f"Expected {allowed} but found [{found}] inside search_after.")
    if first > 0:
        raise EngineError(
            "action_request_validation_exception",
            "Validation Failed: 1: `from` parameter must be set to 0 when `search_after` is used;",
        )
    return tuple(given)


def _pit(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise parsing_error(f"{_token(given)} in [pit].")
    for key in given:
        if key not in ("id", "keep_alive"):
            raise xcontent_error(f"[1:1] [pit] unknown field [{key}]")
    if "id" not in given:
        raise illegal_argument("point in time id is not provided")
    keep_alive = given.get("keep_alive")
    if not isinstance(keep_alive, str | None):
        raise xcontent_error(f"[1:1] [pit] keep_alive doesn't support values of type: {json_token(keep_alive)}")
    return {"pit_id": str(given["id"]), "keep_alive": keep_alive}


def _total_up_to(given: Any) -> int | None:
    if given is True or given == "true":
        return -1
    if given is False or given == "false":
        return None
    try:
        given = int(given) if isinstance(given, str) else given
    except ValueError:
        raise EngineError("number_format_exception", f'For input string: "{given}"') from None
    if isinstance(given, int) and given >= -1:
        return given if given > 0 else None
    raise illegal_argument(f"[track_total_hits] parameter must be positive or equals to -1, got {given}")


def _aggregations(left: dict[str, Any]) -> dict[str, Any] | None:
    spec = None
    for name in [name for name in left if name in ("aggs", "aggregations")]:
        # of both words the last one counts
        spec = left.pop(name)
    if spec is not None and not isinstance(spec, dict):
        raise parsing_error(f"{_token(spec)} in [aggs].")
    return spec or None


@reading("what is shown of a hit")
def parse_fetch(left: dict[str, Any]) -> FetchOptions:
    """Takes the options of what is printed out of a search's (or top_hits') body."""
    return FetchOptions(
        source=parse_source_option(left.pop("_source", None)),
        fields=parse_field_requests(left.pop("fields", []), "fields"),
        docvalue_fields=parse_field_requests(left.pop("docvalue_fields", []), "docvalue_fields"),
        highlight=parse_highlight(left.pop("highlight", None)),
    )


def parse_source_option(given: Any) -> SourceOption:
    if given is None or given in (True, "true"):
        return SourceOption()
    if given is False or given == "false":
        return SourceOption(enabled=False)
    if isinstance(given, str):
        return SourceOption(includes=(given,))
    if isinstance(given, list):
        return SourceOption(includes=tuple(map(str, given)))
    if isinstance(given, dict):
        unknown = set(given) - {"includes", "include", "excludes", "exclude"}
        if unknown:
            raise parsing_error(f"Unknown key for a VALUE_STRING in [{min(unknown)}].")
        return SourceOption(
            includes=_patterns(given.get("includes", given.get("include", ()))),
            excludes=_patterns(given.get("excludes", given.get("exclude", ()))),
        )
    raise parsing_error("Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [VALUE_NUMBER]")


def _patterns(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(map(str, given))


def check_window(request: SearchRequest, window: int) -> None:
    """`window` is the index's `max_result_window`."""
    if request.first + request.size > window:
        raise EngineError(
            "illegal_argument_exception",
            f"Result window is too large, from + size must be less than or equal to: [{window}] but was "
            f"[{request.first + request.size}]. See the scroll api for a more efficient way to request large data "
            "sets. This limit can be set by changing the [index.max_result_window] index level setting.",
            on_shard=True,
        )


def check_docvalue_fields(request: SearchRequest, mapping: FieldLookup, most: int) -> None:
    """`most` is the index's `max_docvalue_fields_search`."""
    count = sum(len(mapping.expand(one.pattern)) for one in request.fetch.docvalue_fields)
    if count > most:
        raise illegal_argument(
            f"Trying to retrieve too many docvalue_fields. Must be less than or equal to: [{most}] but was [{count}]. "
            "This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.",
            on_shard=True,
        )
