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
from qlc_engine.search.rescore import Rescore, parse_rescores
from qlc_engine.search.slices import SliceOfIds, parse_slice
from qlc_engine.source_filter import filter_by_whole_paths, filter_source
from qlc_engine.suggest import Suggester, parse_suggest

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
    #: `stored_fields: "_none_"` leaves out `_id` and `_source`
    no_stored_fields: bool = False
    #: patterns of names
    stored_fields: tuple[str, ...] = ()
    version: bool = False
    seq_no: bool = False
    highlight: HighlightRequest | None = None
    #: `matched_queries` come with their scores
    named_scores: bool = False


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
    min_score: float | None = None
    aggregations: dict[str, Any] | None = None
    fetch: FetchOptions = FetchOptions()
    typed_keys: bool = False
    collapse: Collapse | None = None
    rescores: tuple[Rescore, ...] = ()
    slice: SliceOfIds | None = None
    #: documents after which each shard stops; 0: none
    terminate_after: int = 0
    #: patterns of index names with what their scores are multiplied by
    indices_boost: tuple[tuple[str, float], ...] = ()
    #: a scroll reads all hits in pages
    in_scroll: bool = False
    suggest: dict[str, Suggester] | None = None
    #: no hits are looked for
    only_suggests: bool = False
    #: after so long the search answers with what it has (`timeout`)
    seconds: float | None = None
    #: stored documents stand in the answer as objects
    as_objects: bool = False


_REFUSED = frozenset(
    {
        "script_fields", "explain", "profile", "rank", "retriever", "sub_searches", "ext",
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
    only_suggests = "suggest" in left and not any(left.get(key) for key in ("query", "knn")) and not _aggregates(left)
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
        min_score=_min_score(left.pop("min_score", None)),
        aggregations=_aggregations(left),
        fetch=parse_fetch(left, named_scores=url.get("include_named_queries_score") in ("true", "")),
        typed_keys=url.get("typed_keys") in ("true", ""),
        collapse=parse_collapse(left.pop("collapse", None)),
        rescores=parse_rescores(left.pop("rescore", None)),
        slice=parse_slice(left.pop("slice", None)),
        terminate_after=read_terminate_after(left.pop("terminate_after", 0)),
        indices_boost=_indices_boost(left.pop("indices_boost", None)),
        suggest=parse_suggest(left.pop("suggest")) if "suggest" in left else None,
        only_suggests=only_suggests,
        as_objects=as_objects,
        seconds=_timeout(left.pop("timeout", url.get("timeout"))),
    )
    _check_together(request)
    if url.get("search_type", SEARCH_TYPES[0]) not in SEARCH_TYPES:
        raise illegal_argument(f"No search type for [{url['search_type']}]")
    left.pop("stats", None)
    if left.get("ext") == {}:
        left.pop("ext")
    if left.get("runtime_mappings") in ({}, None):
        left.pop("runtime_mappings", None)
    for key in ("explain", "profile"):
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


def _aggregates(body: dict[str, Any]) -> bool:
    return "aggs" in body or "aggregations" in body


def _check_together(request: SearchRequest) -> None:
    """Raises EngineError for parts of a request that exclude each other."""
    if request.rescores and request.sort is not None and request.sort not in ("_score", ["_score"]):
        raise illegal_argument("Cannot use [sort] option in conjunction with [rescore].", on_shard=True)


def read_terminate_after(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise parsing_error(f"{_token(given)} in [terminate_after].")
    number = int(given)
    if number < 0:
        raise illegal_argument("terminateAfter must be > 0")
    return number


def _indices_boost(given: Any) -> tuple[tuple[str, float], ...]:
    if given is None:
        return ()
    entries = given
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise parsing_error(f"{_token(given)} in [indices_boost].")
    return tuple((str(name), float(boost)) for entry in entries for name, boost in entry.items())


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
    for key in ("track_scores", "version", "seq_no_primary_term"):
        if key in url:
            out[key] = url[key] or "true"
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
    if "terminate_after" in url:
        out["terminate_after"] = _integer_of_url("terminate_after", url["terminate_after"])
    if "docvalue_fields" in url:
        out["docvalue_fields"] = url["docvalue_fields"].split(",")
    if "stored_fields" in url:
        out["stored_fields"] = url["stored_fields"].split(",")
    query = query_of_url(url)
    if query is not None:
        out["query"] = query
    return out


#: parameters of the address that go with `q`, and what the query itself calls them
_WITH_Q = {
    "df": "default_field", "analyzer": "analyzer", "default_operator": "default_operator", "lenient": "lenient",
    "analyze_wildcard": "analyze_wildcard",
}  # fmt: skip
Q_PARAMETERS = frozenset({"q", *_WITH_Q})


def query_of_url(url: Mapping[str, str]) -> dict[str, Any] | None:
    """The query that `q` in the address writes."""
    if "q" not in url:
        return None
    options = {name: url[key] for key, name in _WITH_Q.items() if key in url}
    return {"query_string": {"query": url["q"], **options}}


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


def _min_score(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        raise EngineError("number_format_exception", f'For input string: "{value}"') from None


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
def parse_fetch(left: dict[str, Any], *, named_scores: bool = False) -> FetchOptions:
    """Takes the options of what is printed out of a search's (or top_hits') body."""
    stored = left.pop("stored_fields", None)
    no_stored = stored in ("_none_", ["_none_"])
    names = (stored,) if isinstance(stored, str) else tuple(stored or ())
    if isinstance(stored, dict):
        raise parsing_error(f"{_token(stored)} in [stored_fields].")
    if "_none_" in names and len(names) > 1:
        raise illegal_argument("cannot combine _none_ with other fields")
    if no_stored and left.get("fields"):
        reason = "[stored_fields] cannot be disabled when using the [fields] option"
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")
    given = left.pop("_source", None)
    if no_stored and given not in (None, False, "false"):
        reason = "[stored_fields] cannot be disabled if [_source] is requested"
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")
    source = parse_source_option(given)
    if no_stored or (given is None and stored is not None and "_source" not in names):
        source = SourceOption(enabled=False)
    return FetchOptions(
        source=source,
        fields=parse_field_requests(left.pop("fields", []), "fields"),
        docvalue_fields=parse_field_requests(left.pop("docvalue_fields", []), "docvalue_fields"),
        no_stored_fields=no_stored,
        stored_fields=() if no_stored else tuple(name for name in names if not name.startswith("_")),
        highlight=parse_highlight(left.pop("highlight", None)),
        version=_flag(left, "version"),
        seq_no=_flag(left, "seq_no_primary_term"),
        named_scores=named_scores,
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
    if request.in_scroll and request.size > window:
        raise illegal_argument(
            f"Batch size is too large, size must be less than or equal to: [{window}] but was [{request.size}]. Scroll "
            "batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] "
            "index level setting.",
            on_shard=True,
        )
    if not request.in_scroll and request.first + request.size > window:
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
