"""Reads a pasted request as a whole: query, order, size, fields and aggregations, each checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from qlc.base.diagnostics import NO_SPAN, Span
from qlc.base.words.spelling import nearest
from qlc.mapping.fields import EXTENDED, FieldKind
from qlc.pasted import values
from qlc.pasted.aggregations import Aggregation, read_aggregations
from qlc.pasted.clauses import SCRIPTED, Clause, RequestContext, Script, known
from qlc.pasted.endpoint import Endpoint
from qlc.pasted.json_tree import Array, Fix, Member, Node, Object, Scalar, items_of, outermost, plain, walk
from qlc.pasted.problems import Rejected
from qlc.pasted.queries import QUERIES, read_inside, read_query
from qlc.pasted.reach import FieldUse, Withheld
from qlc.pasted.scripts import script_sort

MAX_SIZE = 1_000
"""Most hits of one page, unless the caller's own pages are larger."""
WINDOW = 10_000
"""Elasticsearch's default `index.max_result_window`."""
MAX_SORT_KEYS = 10


@dataclass(frozen=True, slots=True)
class SortKey:
    """A sort key. `field` is None for the score and for a script. `params` are as sent, `nested` the filter of a nested
    sort."""

    field: FieldUse | None
    descending: bool
    params: Mapping[str, Any]
    nested: Mapping[str, Any] | None = None
    script: Script | None = None

    @property
    def is_score(self) -> bool:
        return self.field is None and self.script is None

    def body(self) -> dict[str, Any]:
        if self.script is not None:
            return dict(self.params)
        if self.field is None:
            return {"_score": {"order": "desc" if self.descending else "asc"}}
        order = {"order": "desc" if self.descending else "asc", **self.params}
        return {self.field.path: {**order, **({"nested": self.nested} if self.nested is not None else {})}}


@dataclass(frozen=True, slots=True)
class Search:
    """The allowed parts of a request. `size` None: not given. `shown` None: as in the catalog.

    `hidden`: fields removed from `shown`. `index`: the searched indices, if they are only some of the catalog's.
    """

    query: Clause | None = None
    post_filter: Clause | None = None
    size: int | None = None
    offset: int = 0
    sort: tuple[SortKey, ...] = ()
    shown: tuple[FieldUse, ...] | None = None
    aggregations: tuple[Aggregation, ...] = ()
    only_count: bool = False
    index: str = ""


_SILENT = frozenset({"track_total_hits", "track_scores", "timeout", "version", "seq_no_primary_term", "stats", "ext",
                     "batched_reduce_size", "include_named_queries_score"})  # fmt: skip
"""Options that change how a search is run or reported, but not its answer."""
_ALL = (["*"], "*", "_none_", ["_none_"])
_LEFT_OUT: Mapping[str, str] = {
    "highlight": "Passages are not marked here: 'highlight' is left out.",
    "profile": "'profile' is left out: details of the search are not shown.",
    "explain": "'explain' is left out: the origin of scores is not shown.",
}
_REFUSED: Mapping[str, str] = {
    "suggest": "leave it out: it would offer words that the caller may not see",
    **dict.fromkeys(("search_after", "pit", "scroll"), "leave it out, and ask for more when the first page is there"),
    "collapse": "leave it out, or count with a 'terms' aggregation",
    "knn": "use 'query' with 'match'",
    "retriever": "use 'query'",
    "terminate_after": "leave it out: a partial answer would be wrong",
    "stored_fields": "use '_source'",
    **dict.fromkeys(("slice", "rescore", "min_score", "rank", "indices_boost", "rank_window_size"), "leave it out"),
}
_KNOWN = ("query", "post_filter", "size", "from", "sort", "_source", "fields", "docvalue_fields", "aggs",
          "aggregations")  # fmt: skip

SCRIPT_KEYS = SCRIPTED | {"script_score", "scripted_metric", "bucket_script", "bucket_selector"}


_COUNTS: dict[str, values.Check] = dict.fromkeys(("size", "from"), values.whole(0, 1_000_000_000))
_OFTEN_EMPTY = frozenset({"script_fields", "runtime_mappings"})
"""Keys that consoles add without content."""
_EXPANSIONS = frozenset({"max_expansions", "fuzzy_max_expansions"})


def read_search(body: Object | None, endpoint: Endpoint, reading: RequestContext, size: int) -> Search:
    """Read the search of a body and of the address parameters. `size`: hits in the caller's own pages."""
    members = () if body is None else body.members
    _find_expansions(body, reading)
    found: dict[str, Any] = {}
    shown: list[FieldUse] | None = None
    for one in _as_body(members, reading):
        match one.key:
            case "query" | "post_filter":
                found[one.key] = read_query(one.value, reading)
            case "size" | "from":
                found |= reading.params(one.key, (one,), _COUNTS)
            case "sort":
                found["sort"] = _sort(one, reading)
            case "_source" | "fields" | "docvalue_fields":
                asked = _shown(one, reading)
                shown = asked if shown is None or asked is None else [*shown, *asked]
            case "aggs" | "aggregations":
                found["aggregations"] = read_aggregations(one.value, reading)
            case _:
                _other_key(one, reading)
    _parameters(endpoint, found, reading)
    _find_scripts(body, reading)
    if endpoint.kind == "document":
        found["query"] = Clause("ids", params={"values": [endpoint.id]})
    if shown is not None:
        found["shown"] = tuple(dict.fromkeys(shown))
    offset = found.pop("from", 0)
    search = Search(**found, offset=offset, only_count=endpoint.kind == "count", index=endpoint.searched)
    most = max(MAX_SIZE, size)
    if search.size is not None and search.size > most:
        reading.tell(f"The request asks for {search.size:,} hits; a page has at most {most:,}.")
        search = replace(search, size=most)
    if search.offset + (search.size if search.size is not None else size) > WINDOW:
        reading.reject("too_large", f"'from' and 'size' reach beyond {WINDOW:,} hits", NO_SPAN,
                       "narrow the query, or ask for more page by page")
    return search


def _as_body(members: tuple[Member, ...], reading: RequestContext) -> tuple[Member, ...]:
    """Return the members of a body; a bare query is moved under `query`."""
    if not members or not all(one.key in QUERIES for one in members):
        return members
    first, last = members[0], members[-1]
    whole = Span(first.key_span.start, last.value.span.end)
    fix = Fix(f"the query '{first.key}' is not under 'query'", "put it there", whole,
              f'"query": {{{reading.text(whole)}}}')
    reading.reject("syntax", f"'{first.key}' is a query, in the place of 'query'", first.key_span,
                   'write {"query": {...}} around it', what=first.key, fix=fix)
    return (Member("query", first.key_span, Object(members, whole)),)


def _other_key(one: Member, reading: RequestContext) -> None:
    if one.key in _SILENT or one.key in SCRIPT_KEYS or (one.key == "stored_fields" and plain(one.value) in _ALL):
        return
    if one.key in _LEFT_OUT:
        if one.key == "highlight":
            _highlighted(one.value, reading)
        reading.tell(_LEFT_OUT[one.key])
    elif one.key in _REFUSED:
        reading.forbid(one, f"'{one.key}' cannot be used here", _REFUSED[one.key])
    elif one.key in QUERIES:
        near = nearest(one.key, _KNOWN, 1)
        reading.reject("syntax", f"a search has no '{one.key}'", one.key_span, "put it into the query", what=one.key,
                       suggestions=near, fix=reading.misspelt(one, _KNOWN))
    else:
        reading.unknown(one, f"a search has no '{one.key}'", _KNOWN, f"it has {', '.join(_KNOWN)}", "syntax", 1)


def _highlighted(node: Node, reading: RequestContext) -> None:
    """Check the fields of a `highlight` like all others, although nothing is highlighted."""
    for one in walk(node):
        if one.key == "fields":
            named = (member for each in items_of(one.value) if isinstance(each, Object) for member in each.members)
            for member in named:
                if "*" not in member.key:
                    reading.used(member.key, member.key_span, searched=False)
        elif one.key == "highlight_query":
            read_query(one.value, reading)


def _find_scripts(body: Object | None, reading: RequestContext) -> None:
    """Report all scripts but those that were read as scripts of qlc."""
    for one in outermost(body, lambda key: key in SCRIPT_KEYS and reading.reach.mapping.at(key) is None):
        is_empty = one.key in _OFTEN_EMPTY and isinstance(one.value, Object) and not one.value.members
        if is_empty or reading.scripts.get(one.key_span):
            continue
        reading.reject("script", f"'{one.key}' is a script, and scripts are not run", one.key_span,
                       "ask for the same with queries and aggregations", what=one.key)


def _find_expansions(body: Object | None, reading: RequestContext) -> None:
    """Refuse limits on how many indexed words a text expands to. With a small limit, words of hidden documents would
    displace others, and the caller could notice."""
    if all(entity.access is None for entity in reading.reach.entities):
        return
    for one in outermost(body, lambda key: key in _EXPANSIONS and reading.reach.mapping.at(key) is None):
        reading.forbid(one,
                       f"'{one.key}' cannot be chosen here: it counts words of all documents, whoever may see them",
                       "leave it out")


# --- order -----------------------------------------------------------------------------------------------------------

_SORT: dict[str, values.Check] = {
    "order": values.text, "missing": values.scalar, "format": values.silent(values.text), "nested": values.kept_apart,
    "mode": values.one_of("min", "max", "avg", "sum", "median"), "unmapped_type": values.silent(values.text),
    "numeric_type": values.one_of("double", "long", "date", "date_nanos"),
}  # fmt: skip
_WAYS = {"ascending": "asc", "descending": "desc"}


def _sort(one: Member, reading: RequestContext) -> tuple[SortKey, ...]:
    given = items_of(one.value)
    if len(given) > MAX_SORT_KEYS:
        reading.reject("too_large", f"there are more than {MAX_SORT_KEYS} sort keys", one.value.span)
        return ()
    keys = []
    for node in given:
        for part in node.members if isinstance(node, Object) else (node,):
            with suppress(Rejected):
                keys.append(_sort_member(part, reading) if isinstance(part, Member) else _sort_text(part, reading))
    return tuple(key for key in keys if key is not None)


def _sort_text(node: Node, reading: RequestContext) -> SortKey | None:
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        raise reading.reject("syntax", "a sort key is a field, or an object with one", node.span,
                             'write {"FIELD": "desc"}', what="sort")
    path, _, way = node.value.partition(":")
    return _sort_key(path, node.span, Scalar(way or None, node.span), reading)


def _sort_member(one: Member, reading: RequestContext) -> SortKey | None:
    if one.key == "_script":
        script, descending, body = script_sort(one, reading.body_of(one), reading)
        return SortKey(None, descending, body, script=script)
    if one.key == "_geo_distance":
        raise reading.forbid(one, "the order by distance cannot be used here", "use 'geo_distance' as a query")
    if isinstance(one.value, Scalar) and isinstance(one.value.value, str):
        return _sort_key(one.key, one.key_span, one.value, reading, way_alone=True)
    if not isinstance(one.value, Object):
        raise reading.reject("syntax", "a sort key takes asc or desc", one.value.span, 'write {"order": "desc"}',
                             what="sort")
    params = reading.params("sort", one.value.members, _SORT)
    given = one.value.get("order")
    way = Scalar(params.pop("order", None), given.value.span if given is not None else one.key_span)
    return _sort_key(one.key, one.key_span, way, reading, params, one.value.get("nested"), way_alone=given is not None)


def _sort_key(
    path: str, span: Span, order: Scalar, reading: RequestContext, params: Mapping[str, Any] | None = None,
    nested: Member | None = None, *, way_alone: bool = False,
) -> SortKey | None:  # fmt: skip
    """Read a sort key; None for the order of the index. `way_alone`: the order is given without parameters."""
    way = "" if order.value is None else str(order.value)
    if order.value is not None and way.lower() not in ("asc", "desc"):
        message, meant = f"the order is asc or desc, not '{way}'", _WAYS.get(way.lower())
        fix = Fix.name(message, meant, order.span) if meant is not None and way_alone else None
        raise reading.reject("wrong_type", message, order.span, "write asc or desc", what="sort", fix=fix)
    if path == "_score":
        return SortKey(None, way.lower() != "asc", {})
    if path == "_doc":
        return None
    used = known(reading.used(path, span, searched=False))
    if used.kind in (FieldKind.TEXT, *EXTENDED) or not used.mapped.doc_values or path == "_id":
        raise reading.mistype_text(used, f"'{path}' gives no order", "sort by a number, a date or a whole text")
    reading.reach.uses_values(used, by_order=True)
    inner = _nested_sort(nested, reading) if nested is not None else None
    if inner is None and used.mapped.nested:
        inner = {"path": used.mapped.nested[-1]}
        extreme = "largest" if way.lower() == "desc" else "smallest"
        mode = (params or {}).get("mode")
        which = f"the {extreme}" if mode is None else f"the {mode} of the"
        reading.tell(f"'{path}' is in the nested list '{inner['path']}': the order takes {which} of each "
                     "document. A server wants to read 'nested' in the sort key.")
    return SortKey(used, way.lower() == "desc", params or {}, inner)


def _nested_sort(one: Member, reading: RequestContext) -> dict[str, Any] | None:
    if not isinstance(one.value, Object):
        raise reading.reject("syntax", "'nested' takes an object with 'path'", one.value.span, what="nested")
    given, narrowed = one.value.get("path"), one.value.get("filter")
    params = reading.params("nested", one.value.members, {"path": values.text, "filter": values.kept_apart})
    path = params.get("path")
    if given is None or path is None:
        return None
    why = reading.reach.nested(path)
    if why is not None:
        raise reading.withheld(path, why, given.value.span)
    inside = read_inside(path, narrowed.value, reading) if narrowed is not None else None
    return {"path": path, **({"filter": inside.body()} if inside is not None and inside.kind else {})}


# --- what is shown ---------------------------------------------------------------------------------------------------


def _shown(one: Member, reading: RequestContext) -> list[FieldUse] | None:
    """Return the fields that a hit shows; None for those of the catalog."""
    given = plain(one.value)
    if isinstance(given, bool) or given in ("true", "false"):
        return None if given in (True, "true") else []
    if isinstance(one.value, Object) and one.key == "_source":
        parts: dict[str, list[tuple[str, Span]]] = {"includes": [], "excludes": []}
        for member in one.value.members:
            name = member.key if member.key.endswith("s") else member.key + "s"
            if name not in parts:
                reading.reject("not_allowed", f"'_source' takes includes and excludes, not '{member.key}'",
                               member.key_span, what=member.key)
                continue
            parts[name] += _names(member.value, reading)
        wanted = parts["includes"] or [("*", one.value.span)]
        taken = {used.path for used in _fields(parts["excludes"], reading, silent=True)}
        return [
            used
            for used in _fields(wanted, reading)
            if not any(used.path == path or used.path.startswith(path + ".") for path in taken)
        ]
    return _fields(_names(one.value, reading), reading)


def _names(node: Node, reading: RequestContext) -> list[tuple[str, Span]]:
    """Return names and patterns, given as texts or as objects with `field`."""
    found: list[tuple[str, Span]] = []
    items = items_of(node)
    if len(items) > values.MOST_FIELDS:
        reading.reject("too_large", f"more than {values.MOST_FIELDS} fields are to be shown", node.span,
                       "name fewer, or use a pattern such as address.*", what="_source")
        return []
    for item in items:
        named = item.get("field") if isinstance(item, Object) else None
        value = named.value if named is not None else item
        if isinstance(value, Scalar) and isinstance(value.value, str):
            found += [(name.strip(), value.span) for name in value.value.split(",") if name.strip()]
        else:
            reading.reject("syntax", "the fields to show are named as texts", item.span, 'write ["name"]',
                           what="_source")
    return found


def _fields(names: list[tuple[str, Span]], reading: RequestContext, *, silent: bool = False) -> list[FieldUse]:
    """Return the fields of names, objects and patterns; confidential ones are left out of patterns with a note."""
    found: list[FieldUse] = []
    uses: Sequence[FieldUse | Withheld | None]
    for name, span in names:
        mapping = reading.reach.mapping
        pattern = f"{name}.*" if name in mapping.objects | mapping.nested else name
        if name in mapping.nested and (why := reading.reach.nested(name)) is not None:
            if not silent:
                reading.withheld(name, why, span)
            continue
        if "*" in pattern:
            paths = list(reading.reach.matching(pattern))
            if not silent and reading.reach.hides(pattern):
                reading.tell(f"Confidential fields are left out of '{name}'.")
            if not paths and not silent:
                reading.reject("unknown_field", f"no field fits '{name}'", span, "name the fields", what=name)
            uses = [reading.reach.field(path, span) for path in paths]
        elif name == "_id" or silent:
            uses = [reading.reach.field(name, span)]
        else:
            uses = [reading.used(name, span, searched=False)]
        found += [used for used in uses if isinstance(used, FieldUse)]
    return found


# --- the address -----------------------------------------------------------------------------------------------------

_SILENT_PARAMS = frozenset(
    ["pretty", "human", "error_trace", "format", "filter_path", "track_total_hits", "ignore_unavailable",
     "allow_no_indices", "expand_wildcards", "timeout", "preference", "search_type", "request_cache", "typed_keys",
     "rest_total_hits_as_int", "track_scores", "version", "batched_reduce_size", "ccs_minimize_roundtrips",
     "max_concurrent_shard_requests", "pre_filter_shard_size", "allow_partial_search_results",
     "seq_no_primary_term", "realtime", "refresh", "v", "h"]
)  # fmt: skip


def _parameters(endpoint: Endpoint, found: dict[str, Any], reading: RequestContext) -> None:
    """Read the address parameters, which override the body."""
    for name, value in endpoint.params.items():
        at = Scalar(value, NO_SPAN)
        one = Member(name, NO_SPAN, at)
        match name:
            case "size" | "from":
                found |= reading.params(name, (one,), _COUNTS)
            case "sort":
                keys = [Scalar(part, NO_SPAN) for part in value.split(",") if part]
                found["sort"] = _sort(Member("sort", NO_SPAN, Array(tuple(keys), NO_SPAN)), reading)
            case "_source" | "_source_includes" | "docvalue_fields":
                asked = _shown(one, reading)
                if asked is not None:
                    found["shown"] = tuple(dict.fromkeys(asked))
            case "_source_excludes":
                source = Object((Member("excludes", NO_SPAN, at),), NO_SPAN)
                found["shown"] = tuple(_shown(Member("_source", NO_SPAN, source), reading) or ())
            case "explain" | "profile":
                reading.tell(_LEFT_OUT[name])
            case _ if name not in _SILENT_PARAMS:
                hint = "write a body with 'query'" if name == "q" else "leave it out"
                reading.forbid(one, f"'{name}' in the address cannot be used here", hint)
