"""Reads pasted aggregations into a tree that may run: kinds, parameters, depth and sizes are bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from typing import Any

from qlc.mapping.fields import EXTENDED, NUMERIC, FieldKind
from qlc.pasted import values
from qlc.pasted.clauses import Clause, RequestContext, known
from qlc.pasted.dates import is_relative, with_iso
from qlc.pasted.json_tree import Array, Fix, Member, Node, Object, plain
from qlc.pasted.problems import Rejected
from qlc.pasted.queries import read_query
from qlc.pasted.reach import FieldUse
from qlc.pasted.values import Check

MAX_BUCKETS = 1_000
"""Most buckets of one aggregation on terms; further ones are dropped with a note."""
DEFAULT_BUCKETS = 10
BUCKETS = frozenset({"terms", "composite", "date_histogram", "histogram", "range", "date_range", "filter", "filters",
                     "missing", "nested", "reverse_nested"})  # fmt: skip
MAX_AGGREGATIONS = 30
MAX_LEVELS = 4
MAX_ROWS = 10_000
"""Most rows of nested aggregations on terms."""
MAX_SOURCES = 8
MAX_PARTS = 100
"""Most ranges or filters of one aggregation."""

@dataclass(frozen=True, slots=True)
class Aggregation:
    """A named aggregation. `filters`: its queries by key; `inner`: the aggregations in its buckets; `sources`: the
    sources of a `composite`."""

    name: str
    kind: str
    field: FieldUse | None = None
    params: Mapping[str, Any] = attribute(default_factory=dict)
    filters: Mapping[str, Clause] = attribute(default_factory=dict)
    inner: tuple[Aggregation, ...] = ()
    sources: tuple[Aggregation, ...] = ()

    @property
    def makes_buckets(self) -> bool:
        return self.kind in BUCKETS

    def body(self) -> dict[str, Any]:
        params: dict[str, Any] = dict(self.params)
        if self.field is not None:
            params["field"] = self.field.path
        if self.kind == "filter":
            params = self.filters["filter"].body()
        elif self.kind == "filters":
            params["filters"] = {key: one.body() for key, one in self.filters.items()}
        elif self.kind == "composite":
            params["sources"] = [{one.name: one.body()} for one in self.sources]
        found: dict[str, Any] = {self.kind: params}
        if self.inner:
            found["aggs"] = {one.name: one.body() for one in self.inner}
        return found

    def walk(self) -> Iterator[Aggregation]:
        yield self
        for one in self.inner:
            yield from one.walk()


Read = Callable[[str, Member, Object, RequestContext], Aggregation]


def read_aggregations(node: Node, reading: RequestContext) -> tuple[Aggregation, ...]:
    """Read the aggregations of a request, and record problems; only those that can run are returned."""
    return _read_level(node, reading, 1, 1)


def _read_level(node: Node, reading: RequestContext, level: int, rows: int) -> tuple[Aggregation, ...]:
    found = []
    if not isinstance(node, Object):
        reading.reject("syntax", "aggregations are an object of names", node.span,
                       'write {"NAME": {"terms": {"field": "..."}}}', what="aggs")
    elif level > MAX_LEVELS:
        reading.reject("too_large", f"aggregations nest at most {MAX_LEVELS} deep", node.span,
                       "leave the inner ones out", what="aggs")
    else:
        for one in node.members:
            with suppress(Rejected):
                found.append(_read_one(one, reading, level, rows))
    return tuple(found)


def _read_one(one: Member, reading: RequestContext, level: int, rows: int) -> Aggregation:
    reading.aggregations += 1
    if reading.aggregations == MAX_AGGREGATIONS + 1:
        reading.reject("too_large", f"the request has more than {MAX_AGGREGATIONS} aggregations", one.key_span,
                       "ask in several requests", what="aggs")
    if reading.aggregations > MAX_AGGREGATIONS:
        raise Rejected
    if not isinstance(one.value, Object):
        raise reading.reject("syntax", f"the aggregation '{one.key}' is an object", one.value.span,
                             'write {"terms": {"field": "..."}}', what="aggs")
    inner = next((m for m in one.value.members if m.key in ("aggs", "aggregations")), None)
    kinds = [m for m in one.value.members if m is not inner and m.key != "meta"]
    if len(kinds) != 1:
        span = kinds[1].key_span if len(kinds) > 1 else one.key_span
        raise reading.reject("syntax", f"the aggregation '{one.key}' is of one kind", span,
                             "give each aggregation a name of its own", what="aggs")
    (kind,) = kinds
    if kind.key not in _READERS:
        problem = _unknown(kind, reading)
        if inner is not None:
            _read_level(inner.value, reading, level + 1, rows)
        raise problem
    body = reading.body_of(kind, 'write {"field": "..."}')
    if kind.key == "composite" and level > 1:
        raise reading.forbid(kind, "a 'composite' must be at the top, in no other aggregation",
                             "move it up, or use 'terms' inside 'terms'")
    around = reading.nested
    made: Aggregation | None = None
    with suppress(Rejected):
        made = _READERS[kind.key](one.key, kind, body, reading)
    if made is not None and made.kind in ("terms", "composite"):
        rows *= int(made.params["size"])
        if rows > MAX_ROWS:
            reading.reject("too_large",
                           f"the aggregations would make up to {rows:,} rows, and at most {MAX_ROWS:,} are read",
                           kind.key_span, "write smaller sizes", what="size")
    below: tuple[Aggregation, ...] = ()
    if inner is not None:
        if kind.key not in BUCKETS:
            reading.reject("syntax", f"'{kind.key}' makes one number and has no buckets to look into", inner.key_span,
                           "put the aggregation beside it", what="aggs")
        below = _read_level(inner.value, reading, level + 1, rows)
    reading.nested = around
    return replace(known(made), inner=below)


def _unknown(kind: Member, reading: RequestContext) -> Rejected:
    if kind.key in ("scripted_metric", "bucket_script", "bucket_selector"):
        return Rejected()  # reported where scripts are looked for
    if kind.key in _INSTEAD:
        return reading.forbid(kind, f"the aggregation '{kind.key}' cannot be run here", _INSTEAD[kind.key])
    return reading.unknown(kind, f"there is no aggregation '{kind.key}' here", _READERS,
                           "aggregations are terms, date_histogram, avg, sum and their like")


_INSTEAD: Mapping[str, str] = {
    "global": "leave it out: it would count what the caller may not see",
    "significant_terms": "use 'terms': it would compare with what the caller may not see",
    "significant_text": "use 'terms': it would compare with what the caller may not see",
    "top_hits": "leave it out: ask for the hits themselves",
    "top_metrics": "use 'max' or 'min'",
    "multi_terms": "use 'terms' inside 'terms'",
    **dict.fromkeys(("children", "parent", "sampler"), "leave it out"),
    "bucket_sort": "use 'order' and 'size' of 'terms'",
    "auto_date_histogram": "use 'date_histogram'",
    "adjacency_matrix": "use 'filters'",
}


# --- parameters ------------------------------------------------------------------------------------------------------


def _as_order(given: Any) -> Any:
    """Accept `{"_count": "asc"}`, or a list of such. A path into sub-aggregations is a text."""
    listed = given if isinstance(given, list) else [given]
    good = all(
        isinstance(item, dict) and item and all(
            isinstance(way, str) and way.lower() in ("asc", "desc") and len(path) < 300 for path, way in item.items()
        )
        for item in listed
    )
    return given if good and listed else None


def _as_included(given: Any) -> Any:
    if isinstance(given, list) and len(given) <= MAX_BUCKETS and all(isinstance(v, str | int | float) for v in given):
        return given
    return given if isinstance(given, str) and len(given) <= 1000 else None


def _as_bounds(given: Any) -> Any:
    good = isinstance(given, dict) and set(given) <= {"min", "max"} and all(
        isinstance(v, str | int | float) and not is_relative(v) for v in given.values())
    return given if good else None


def _as_combination(given: Any) -> Any:
    scalar = str | int | float | bool | None
    good = isinstance(given, dict) and len(given) <= MAX_SOURCES and all(isinstance(v, scalar) for v in given.values())
    return given if good else None


_CALENDAR = ("minute", "1m", "hour", "1h", "day", "1d", "week", "1w", "month", "1M", "quarter", "1q", "year", "1y")
_order = values.accepted(_as_order, "'order' names what is sorted by, with asc or desc", 'write {"_count": "desc"}')
_included = values.accepted(_as_included, "'{key}' takes a list of values or a pattern")
_calendar = values.accepted(lambda given: given if given in _CALENDAR else None, "'{given}' is not a calendar interval",
                            "write minute, hour, day, week, month, quarter or year")
_bounds = values.accepted(_as_bounds, "'{key}' takes 'min' and 'max'")
_after = values.accepted(_as_combination, "'after' takes the last combination that was shown",
                         'write {"NAME": "VALUE"}')


# --- aggregations on a field -----------------------------------------------------------------------------------------

_COUNT = values.whole(0, 1_000_000_000)
_MISSING: dict[str, Check] = {"missing": values.scalar}
_STEPS: dict[str, Check] = {
    "order": _order, "keyed": values.kept_apart, "extended_bounds": _bounds, "hard_bounds": _bounds,
}  # fmt: skip
_TERMS: dict[str, Check] = {
    "size": values.whole(1, 1_000_000), "shard_size": values.silent(values.whole(1, 100_000)), "order": _order,
    "min_doc_count": _COUNT, **_MISSING, "include": _included, "exclude": _included, "format": values.text,
    "show_term_doc_count_error": values.silent(values.boolean),
    **dict.fromkeys(("execution_hint", "collect_mode", "value_type"), values.silent(values.text)),
}  # fmt: skip
_DATE_HISTOGRAM: dict[str, Check] = {
    "calendar_interval": _calendar, "fixed_interval": values.text, "time_zone": values.text, "offset": values.text,
    "format": values.text, "min_doc_count": _COUNT, **_MISSING, **_STEPS,
}  # fmt: skip
_HISTOGRAM: dict[str, Check] = {
    "interval": values.positive, "offset": values.number, "min_doc_count": _COUNT, "missing": values.number, **_STEPS,
}  # fmt: skip
_RANGE: dict[str, Check] = {"ranges": values.kept_apart, "keyed": values.kept_apart, **_MISSING}
_MEASURES: dict[str, dict[str, Check]] = {
    **dict.fromkeys(("avg", "sum", "min", "max", "stats", "median_absolute_deviation"), _MISSING),
    "extended_stats": {**_MISSING, "sigma": values.positive},
    "percentiles": {**_MISSING, "percents": values.numbers, "keyed": values.kept_apart},
}  # fmt: skip
_ADDED = ("sum", "avg", "min", "max", "stats", "extended_stats")
_ANY: tuple[FieldKind, ...] = ()
_DATES, _MEASURED = (FieldKind.DATE,), (*NUMERIC, FieldKind.DATE, FieldKind.BOOLEAN)
_ON_FIELDS: Mapping[str, tuple[dict[str, Check], tuple[FieldKind, ...], str]] = {
    **{name: (allowed, _MEASURED, "a number or a date") for name, allowed in _MEASURES.items()},
    "value_count": (_MISSING, _ANY, ""),
    "cardinality": ({**_MISSING, "precision_threshold": values.whole(0, 40_000)}, _ANY, ""),
    "missing": ({}, _ANY, ""),
    "terms": (_TERMS, _ANY, ""),
    "date_histogram": (_DATE_HISTOGRAM, _DATES, "a date"),
    "histogram": (_HISTOGRAM, NUMERIC, "a number"),
    "range": (_RANGE, NUMERIC, "a number"),
    "date_range": ({**_RANGE, "format": values.text, "time_zone": values.text}, _DATES, "a date"),
}
"""Aggregations on a field: parameters besides `field`, the required kinds of fields, and their name in messages."""


def _on_field(name: str, kind: Member, body: Object, reading: RequestContext) -> Aggregation:
    allowed, kinds, described = _ON_FIELDS[kind.key]
    old = body.get("interval") if kind.key == "date_histogram" else None
    if old is not None:
        new = "calendar_interval" if plain(old.value) in _CALENDAR else "fixed_interval"
        message = "'interval' does not exist any more"
        reading.reject("not_allowed", message, old.key_span, f"write '{new}'", what="interval",
                       fix=Fix.name(message, new, old.key_span, "wrote"))
    params = reading.params(kind.key, [m for m in body.members if m is not old], {"field": values.text, **allowed})
    used = reading.field_of(kind, body, params)
    if kind.key in _CHECKS:
        _CHECKS[kind.key](_OnField(name, kind, body, used, params), reading)
    used = known(used)
    if kinds and used.kind not in kinds:
        raise reading.mistype(used, f"'{kind.key}' needs {described}, and '{used.path}' is mapped as "
                                    f"{used.mapped.es_type}")
    if kind.key in _ADDED:
        reading.reach.uses_values(used, is_added=True)
    if used.path == "_id":
        raise reading.reject("not_allowed", "'_id' cannot be grouped by", used.span, what="_id")
    if used.kind is FieldKind.TEXT:
        raise reading.mistype_text(used, f"'{used.path}' is full text and cannot be grouped by",
                                   "group by a field with exact values")
    if not used.mapped.doc_values or used.kind in (FieldKind.UNSUPPORTED, FieldKind.VECTOR, *EXTENDED):
        raise reading.mistype(used, f"'{used.path}' is mapped as {used.mapped.es_type} and cannot be used in "
                                    f"'{kind.key}'")
    return Aggregation(name, kind.key, used, params)


@dataclass(frozen=True, slots=True)
class _OnField:
    """An aggregation on a field while it is read."""

    name: str
    kind: Member
    body: Object
    used: FieldUse | None
    params: dict[str, Any]

    def lacks(self, what: str, hint: str, reading: RequestContext) -> Rejected:
        return reading.reject("syntax", f"'{self.kind.key}' needs {what}", self.body.span, hint, what=self.kind.key)


def _terms(one: _OnField, reading: RequestContext) -> None:
    least = one.body.get("min_doc_count")
    if one.params.get("min_doc_count") == 0 and least is not None:
        raise reading.reject("not_allowed", "'min_doc_count' of 0 would list values that the caller may not see",
                             least.value.span, "write 1", what="min_doc_count")
    _bounded_size(one.name, one.params, reading)
    if one.used is not None and "_key" in str(one.params.get("order", "")):
        reading.reach.uses_values(one.used, by_order=True)


def _bounded_size(name: str, params: dict[str, Any], reading: RequestContext) -> None:
    size = params.setdefault("size", DEFAULT_BUCKETS)
    if size > MAX_BUCKETS:
        params["size"] = MAX_BUCKETS
        reading.tell(f"'{name}' shows at most {MAX_BUCKETS:,} of the {size:,} buckets that it asks for.")


def _date_histogram(one: _OnField, reading: RequestContext) -> None:
    intervals = ("calendar_interval", "fixed_interval")
    if not one.body.get("interval") and sum(name in one.params for name in intervals) != 1:
        if any(one.body.get(name) for name in intervals):
            raise Rejected
        raise one.lacks("'calendar_interval' or 'fixed_interval'", 'add "calendar_interval": "month"', reading)
    zone = one.body.get("time_zone")
    reading.zone(one.params.get("time_zone"), zone.value.span if zone is not None else one.body.span)


def _histogram(one: _OnField, reading: RequestContext) -> None:
    if one.params.get("interval", 0) <= 0:
        raise one.lacks("an 'interval' above 0", 'add "interval": 100', reading)


def _range(one: _OnField, reading: RequestContext) -> None:
    given, dates = one.body.get("ranges"), one.kind.key == "date_range"
    if given is None or not isinstance(given.value, Array) or not given.value.items:
        raise one.lacks("a list of 'ranges'", 'add "ranges": [{"from": 1, "to": 5}]', reading)
    if len(given.value.items) > MAX_PARTS:
        raise reading.reject("too_large", f"there are more than {MAX_PARTS} ranges", given.value.span, "ask for fewer")
    zone, own = reading.zone(one.params.get("time_zone"), one.body.span), one.params.get("format")
    ends: Check = values.scalar if dates else values.number
    ranges = []
    for item in given.value.items:
        if not isinstance(item, Object):
            reading.reject("syntax", "a range is an object", item.span, 'write {"from": 1, "to": 5}')
            continue
        found = reading.params("ranges", item.members, {"key": values.text, "from": ends, "to": ends})
        for end in item.members if dates else ():
            if end.key in ("from", "to") and end.key in found:
                if is_relative(found[end.key]):
                    one.params["format"] = with_iso(own or (one.used.mapped.date_format if one.used else None))
                reading.date(one.used, found, end, zone, own, up=False)
        ranges.append(found)
    one.params["ranges"] = ranges


_CHECKS: Mapping[str, Callable[[_OnField, RequestContext], None]] = {
    "terms": _terms, "date_histogram": _date_histogram, "histogram": _histogram, "range": _range, "date_range": _range,
}  # fmt: skip
"""Further checks and conversions of some aggregations."""


# --- others ----------------------------------------------------------------------------------------------------------


_FILTERS: dict[str, Check] = {
    "filters": values.kept_apart, "other_bucket": values.boolean, "other_bucket_key": values.text,
}  # fmt: skip


def _filters(name: str, kind: Member, body: Object, reading: RequestContext) -> Aggregation:
    params = reading.params("filters", body.members, _FILTERS)
    given = body.get("filters")
    listed: dict[str, Node] = {}
    if given is not None and isinstance(given.value, Object):
        listed = {one.key: one.value for one in given.value.members}
    elif given is not None and isinstance(given.value, Array):
        listed = {str(n): one for n, one in enumerate(given.value.items, 1)}
    if given is None or not isinstance(given.value, Object | Array) or len(listed) > MAX_PARTS:
        raise reading.reject("syntax", f"'filters' needs up to {MAX_PARTS} queries by their names", body.span,
                             'write {"filters": {"NAME": {"term": {...}}}}', what="filters")
    found = {key: read_query(one, reading) for key, one in listed.items()}
    return Aggregation(name, "filters", params=params, filters=found)


def _nested(name: str, kind: Member, body: Object, reading: RequestContext) -> Aggregation:
    params = reading.params(kind.key, body.members, {"path": values.text})
    path = body.get("path")
    if kind.key == "reverse_nested" and path is None:
        reading.nested = ()
        return Aggregation(name, kind.key)
    if path is None or "path" not in params:
        raise reading.reject("syntax", f"'{kind.key}' needs 'path'", body.span, 'write {"path": "..."}', what=kind.key)
    reading.nested = (*reading.nested, params["path"])
    if not reading.nested_list(params["path"], path.value.span):
        raise Rejected
    return Aggregation(name, kind.key, params=params)


_COMPOSITE: dict[str, Check] = {
    "size": values.whole(1, 1_000_000), "sources": values.kept_apart, "after": _after,
}  # fmt: skip
_OF_A_SOURCE: dict[str, Check] = {
    "order": values.one_of("asc", "desc"), "missing_bucket": values.boolean,
    "missing_order": values.one_of("first", "last", "default"),
}  # fmt: skip


def _composite(name: str, kind: Member, body: Object, reading: RequestContext) -> Aggregation:
    """Read a `composite`: one page of combinations of values, as many as `terms` may show."""
    params = reading.params(kind.key, body.members, _COMPOSITE)
    listed = body.get("sources")
    given = listed.value.items if listed is not None and isinstance(listed.value, Array) else ()
    if not 0 < len(given) <= MAX_SOURCES:
        raise reading.reject("syntax", f"'composite' needs 'sources': a list of up to {MAX_SOURCES}", body.span,
                             'write {"sources": [{"NAME": {"terms": {"field": "..."}}}]}', what="composite")
    sources = []
    for one in given:
        with suppress(Rejected):
            sources.append(_source(one, reading))
    _bounded_size(name, params, reading)
    if len(sources) < len(given):
        raise Rejected
    return Aggregation(name, "composite", params=params, sources=tuple(sources))


def _source(node: Node, reading: RequestContext) -> Aggregation:
    """Read one source of a composite: `{"year": {"date_histogram": {...}}}`."""
    member = node.members[0] if isinstance(node, Object) and len(node.members) == 1 else None
    kinds = member.value.members if member is not None and isinstance(member.value, Object) else ()
    body = kinds[0].value if len(kinds) == 1 else None
    if member is None or not isinstance(body, Object):
        raise reading.reject("syntax", "a source is a name with one aggregation", node.span,
                             'write {"NAME": {"terms": {"field": "..."}}}', what="composite")
    kind = kinds[0]
    if kind.key not in ("terms", "date_histogram", "histogram"):
        raise reading.forbid(kind, f"'{kind.key}' cannot be a source of a 'composite' here",
                             "use terms, date_histogram or histogram")
    own = reading.params(kind.key, [m for m in body.members if m.key in _OF_A_SOURCE], _OF_A_SOURCE)
    rest = Object(tuple(m for m in body.members if m.key not in _OF_A_SOURCE), body.span)
    made = _on_field(member.key, kind, rest, reading)
    params = {key: value for key, value in made.params.items() if key != "size"}
    return replace(made, params={**params, **own})


_READERS: Mapping[str, Read] = {
    **dict.fromkeys(_ON_FIELDS, _on_field),
    "filter": lambda name, kind, body, reading: Aggregation(
        name, "filter", filters={"filter": read_query(body, reading)}),
    "filters": _filters,
    "composite": _composite,
    "nested": _nested,
    "reverse_nested": _nested,
}
"""The reader of each aggregation that may run. All others are refused."""

AGGREGATIONS = tuple(sorted(_READERS))
