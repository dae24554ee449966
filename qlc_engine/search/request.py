"""The body of a search, and its parameters in the URL, as one checked request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.highlight.options import HighlightRequest, parse_highlight
from qlc_engine.index_settings import time_seconds
from qlc_engine.json_input import json_token
from qlc_engine.reading import reading
from qlc_engine.search.collapse import Collapse, parse_collapse
from qlc_engine.search.fetch_fields import FieldRequest, parse_column_fields, parse_field_requests
from qlc_engine.source_filter import filter_source

SEARCH_TYPES = ("query_then_fetch", "dfs_query_then_fetch")

#: How far hits are counted unless asked otherwise.
DEFAULT_TOTAL = 10_000


@dataclass(frozen=True, slots=True)
class SourceOption:
    """`_source`: whether it is returned, and which parts."""

    enabled: bool = True
    includes: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        return self.enabled and not self.includes

    def of(self, source: dict[str, Any]) -> dict[str, Any]:
        """The parts of a document that are returned."""
        return source if self.whole else filter_source(source, self.includes)


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Options for printing a hit."""

    source: SourceOption = SourceOption()
    fields: tuple[FieldRequest, ...] = ()
    #: keywords that are read out of their columns
    column_fields: tuple[str, ...] = ()
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
    #: stored documents are in the answer as objects
    as_objects: bool = False


_REFUSED = frozenset(
    {
        "script_fields", "explain", "profile", "rank", "retriever", "sub_searches", "ext", "suggest",
        "slice", "rescore", "min_score", "terminate_after", "indices_boost", "stored_fields", "version",
        "seq_no_primary_term", "runtime_mappings", "stats",
    }
)  # fmt: skip


@reading("the search")
def parse_search(body: dict[str, Any], *, as_objects: bool = False) -> SearchRequest:
    for key, value in body.items():
        if value is None:
            raise parsing_error(f"{_token(value)} in [{key}].")
    left = dict(body)
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
        seconds=_timeout(left.pop("timeout", None)),
    )
    for key, value in left.items():
        if key in _REFUSED:
            raise not_implemented(f"search [{key}]")
        raise parsing_error(f"{_token(value)} in [{key}].")
    return request


def sort_of(given: Any) -> Any:
    """Return the sort keys; None for an empty list."""
    keys = [entry for entry in given if entry != {}] if isinstance(given, list) else given
    return keys or None


def _timeout(given: Any) -> float | None:
    seconds = None if given is None else time_seconds(str(given), "timeout")
    return None if seconds is None or seconds < 0 else seconds


def _token(value: Any) -> str:
    return f"Unknown key for a {json_token(value)}"


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
            raise parsing_error(f"[pit] unknown field [{key}]")
    if "id" not in given:
        raise illegal_argument("point in time id is not provided")
    keep_alive = given.get("keep_alive")
    if not isinstance(keep_alive, str | None):
        raise parsing_error(f"[pit] keep_alive doesn't support values of type: {json_token(keep_alive)}")
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
    """Takes the options of what is printed out of the body of a search."""
    return FetchOptions(
        source=parse_source_option(left.pop("_source", None)),
        fields=parse_field_requests(left.pop("fields", [])),
        column_fields=parse_column_fields(left.pop("docvalue_fields", [])),
        highlight=parse_highlight(left.pop("highlight", None)),
    )


def parse_source_option(given: Any) -> SourceOption:
    if given is None or given in (True, "true"):
        return SourceOption()
    if given is False or given == "false":
        return SourceOption(enabled=False)
    if isinstance(given, str | list):
        paths = tuple(map(str, given)) if isinstance(given, list) else (given,)
        if any("**" in path for path in paths):
            raise not_implemented("[_source] with [**]")
        return SourceOption(includes=paths)
    if isinstance(given, dict):
        for key in given:
            raise not_implemented(f"[_source] with [{key}]")
        return SourceOption()
    raise parsing_error("Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [VALUE_NUMBER]")


def check_window(request: SearchRequest, window: int) -> None:
    """`window` is the index's `max_result_window`."""
    if request.first + request.size > window:
        raise illegal_argument(
            f"Result window is too large, from + size must be less than or equal to: [{window}] but was "
            f"[{request.first + request.size}]. See the scroll api for a more efficient way to request large data "
            "sets. This limit can be set by changing the [index.max_result_window] index level setting."
        )
