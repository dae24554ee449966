"""Aggregations as they are pasted, read into a tree that may run: kinds, parameters, depth and sizes are bounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.nearest import did_you_mean, nearest
from qlc.pasted import values
from qlc.pasted.aggregation import BUCKETS, DEFAULT_BUCKETS, MAX_BUCKETS, Aggregation
from qlc.pasted.clauses import Reading
from qlc.pasted.combinations import Read, read_composite
from qlc.pasted.date_math import ISO_FORMAT, NotDateMath, is_relative, resolved
from qlc.pasted.intervals import DEFAULT_FORMAT
from qlc.pasted.json_tree import Array, Member, Node, Object, Slip, plain
from qlc.pasted.queries import read_query
from qlc.pasted.reach import FieldUse
from qlc.pasted.values import Check

MAX_AGGREGATIONS = 30
MAX_LEVELS = 4
MAX_ROWS = 10_000
"""Rows that aggregations on terms inside each other may make."""


@dataclass(slots=True)
class _Count:
    aggregations: int = 0


def read_aggregations(node: Node, reading: Reading) -> tuple[Aggregation, ...]:
    """The aggregations of a request, those that can run; problems are recorded."""
    return _read_level(node, reading, 1, 1, _Count())


def _read_level(node: Node, reading: Reading, level: int, rows: int, count: _Count) -> tuple[Aggregation, ...]:
    findings = reading.findings
    if not isinstance(node, Object):
        findings.reject("syntax", "aggregations are an object of names", node.span,
                        'write {"NAME": {"terms": {"field": "..."}}}', what="aggs")
        return ()
    if level > MAX_LEVELS:
        findings.reject("too_large", f"aggregations stand at most {MAX_LEVELS} inside each other", node.span,
                        "leave the inner ones out", what="aggs")
        return ()
    found = [_read_one(one, reading, level, rows, count) for one in node.members]
    return tuple(one for one in found if one is not None)


def _read_one(one: Member, reading: Reading, level: int, rows: int, count: _Count) -> Aggregation | None:
    findings = reading.findings
    count.aggregations += 1
    if count.aggregations > MAX_AGGREGATIONS:
        if count.aggregations == MAX_AGGREGATIONS + 1:
            findings.reject("too_large", f"the request has more than {MAX_AGGREGATIONS} aggregations", one.key_span,
                            "ask in several requests", what="aggs")
        return None
    if not isinstance(one.value, Object):
        findings.reject("syntax", f"the aggregation '{one.key}' is an object", one.value.span,
                        'write {"terms": {"field": "..."}}', what="aggs")
        return None
    members = one.value.members
    inner = next((m for m in members if m.key in ("aggs", "aggregations")), None)
    kinds = [m for m in members if m is not inner and m.key != "meta"]
    if len(kinds) != 1:
        span = kinds[1].key_span if len(kinds) > 1 else one.key_span
        findings.reject("syntax", f"the aggregation '{one.key}' is of one kind", span,
                        "give each aggregation a name of its own", what="aggs")
        return None
    kind = kinds[0]
    read = _READERS.get(kind.key)
    if read is None:
        _unknown(one, kind, reading)
        if inner is not None:
            _read_level(inner.value, reading, level + 1, rows, count)
        return None
    if not isinstance(kind.value, Object):
        findings.reject("syntax", f"'{kind.key}' takes an object in brackets", kind.value.span,
                        'write {"field": "..."}', what=kind.key)
        return None
    if kind.key == "composite" and level > 1:
        findings.reject("not_allowed", "a 'composite' stands at the top, and in no other aggregation", kind.key_span,
                        "move it up, or use 'terms' inside 'terms'", what="composite")
        return None
    around = reading.nested
    made = read(one.key, kind, kind.value, reading)
    if made is not None and made.kind in ("terms", "composite"):
        rows *= int(made.params["size"])
        if rows > MAX_ROWS:
            findings.reject("too_large", f"the aggregations would make up to {rows:,} rows, and at most {MAX_ROWS:,} "
                            "are read", kind.key_span, "write smaller sizes", what="size")
    below: tuple[Aggregation, ...] = ()
    if inner is not None:
        if kind.key not in BUCKETS:
            findings.reject("syntax", f"'{kind.key}' makes one number and has no buckets to look into", inner.key_span,
                            "put the aggregation beside it", what="aggs")
        below = _read_level(inner.value, reading, level + 1, rows, count)
    reading.nested = around
    if made is None:
        return None
    return replace(made, inner=below)


def _unknown(one: Member, kind: Member, reading: Reading) -> None:
    if kind.key in _SCRIPTED:
        return  # told where scripts are looked for
    instead = _INSTEAD.get(kind.key)
    if instead is not None:
        reading.findings.reject("not_allowed", f"the aggregation '{kind.key}' cannot be run here", kind.key_span,
                                instead, what=kind.key)
        return
    near = nearest(kind.key, _READERS, 2)
    reading.findings.reject("not_allowed", f"there is no aggregation '{kind.key}' here", kind.key_span,
                            did_you_mean(near) or "aggregations are terms, date_histogram, avg, sum and their like",
                            what=kind.key, suggestions=near, slip=values.misspelt(kind, _READERS))


_SCRIPTED = frozenset({"scripted_metric", "bucket_script", "bucket_selector"})
_INSTEAD: Mapping[str, str] = {
    "global": "leave it out: it would count what the caller may not see",
    "significant_terms": "use 'terms': it would compare with what the caller may not see",
    "significant_text": "use 'terms': it would compare with what the caller may not see",
    "top_hits": "leave it out: ask for the hits themselves",
    "top_metrics": "use 'max' or 'min'",
    "multi_terms": "use 'terms' inside 'terms'",
    "children": "leave it out",
    "parent": "leave it out",
    "sampler": "leave it out",
    "bucket_sort": "use 'order' and 'size' of 'terms'",
    "auto_date_histogram": "use 'date_histogram'",
    "adjacency_matrix": "use 'filters'",
}


# --- kinds -----------------------------------------------------------------------------------------------------------



def _on_field(
    kind: Member, body: Object, reading: Reading, allowed: dict[str, Check]
) -> tuple[FieldUse | None, dict[str, Any]]:
    params = values.read_params(reading.findings, kind.key, body.members, {"field": values.text, **allowed})
    name = body.get("field")
    if name is None or "field" not in params:
        if not values.SCRIPTED & set(body.keys()):
            reading.findings.reject("syntax", f"'{kind.key}' needs the name of a field", body.span,
                                    'write {"field": "..."}', what=kind.key)
        return None, params
    path = params.pop("field")
    return reading.used(path, name.value.span), params


def _groupable(kind: Member, used: FieldUse, reading: Reading) -> bool:
    span = used.span
    if used.path == "_id":
        reading.findings.reject("not_allowed", "'_id' cannot be grouped by", span, what="_id")
        return False
    if used.kind is FieldKind.TEXT:
        exact = used.mapped.exact if used.mapped.exact and used.mapped.exact != used.path else None
        slip = Slip(f"'{used.path}' is full text", f"took {exact}", span, f'"{exact}"') if exact else None
        reading.findings.reject("wrong_type", f"'{used.path}' is full text and cannot be grouped by", span,
                                did_you_mean([exact]) if exact else "group by a field with whole values",
                                what=used.path, suggestions=[exact] if exact else (), slip=slip)
        return False
    if not used.mapped.doc_values or used.kind in (FieldKind.UNSUPPORTED, FieldKind.VECTOR, FieldKind.GEO_POINT):
        reading.findings.reject("wrong_type", f"'{used.path}' is mapped as {used.mapped.es_type} and cannot be used in "
                                f"'{kind.key}'", span, "take another field", what=used.path)
        return False
    return True


def _typed(kind: Member, used: FieldUse, reading: Reading, kinds: tuple[FieldKind, ...], told: str) -> bool:
    if used.kind in kinds and _groupable(kind, used, reading):
        return True
    if used.kind not in kinds:
        reading.findings.reject("wrong_type", f"'{kind.key}' needs {told}, and '{used.path}' is mapped as "
                                f"{used.mapped.es_type}", used.span, "take another field", what=used.path)
    return False


_MEASURED = (*NUMERIC, FieldKind.DATE, FieldKind.BOOLEAN)


def _terms(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    allowed: dict[str, Check] = {
        "size": values.whole(1, 1_000_000), "shard_size": values.whole(1, 100_000), "order": _order,
        "min_doc_count": values.whole(0, 1_000_000_000), "missing": values.scalar, "include": _included,
        "exclude": _included, "format": values.text, "show_term_doc_count_error": values.boolean,
        "execution_hint": values.text, "collect_mode": values.text, "value_type": values.text,
    }  # fmt: skip
    used, params = _on_field(kind, body, reading, allowed)
    for silent in ("shard_size", "show_term_doc_count_error", "execution_hint", "collect_mode", "value_type"):
        params.pop(silent, None)
    least = body.get("min_doc_count")
    if params.get("min_doc_count") == 0 and least is not None:
        reading.findings.reject("not_allowed", "'min_doc_count' of 0 would list values that the caller may not see",
                                least.value.span, "write 1", what="min_doc_count")
        return None
    size = params.setdefault("size", DEFAULT_BUCKETS)
    if size > MAX_BUCKETS:
        params["size"] = MAX_BUCKETS
        reading.findings.tell(f"'{name}' shows at most {MAX_BUCKETS:,} of the {size:,} buckets that it asks for.")
    if used is None or not _groupable(kind, used, reading):
        return None
    return Aggregation(name, "terms", kind.key_span, used, params)


def _order(findings: Any, one: Member) -> Any:
    """`{"_count": "asc"}`, or a list of such. A path into sub-aggregations is a text."""
    given = plain(one.value)
    listed = given if isinstance(given, list) else [given]
    good = all(
        isinstance(item, dict) and item and all(
            isinstance(way, str) and way.lower() in ("asc", "desc") and len(path) < 300 for path, way in item.items()
        )
        for item in listed
    )
    if good and listed:
        return given
    findings.reject("wrong_type", "'order' names what is sorted by, with asc or desc", one.value.span,
                    'write {"_count": "desc"}', what="order")
    return None


def _included(findings: Any, one: Member) -> Any:
    given = plain(one.value)
    if isinstance(given, list) and len(given) <= MAX_BUCKETS and all(isinstance(v, str | int | float) for v in given):
        return given
    if isinstance(given, str) and len(given) <= 1000:
        return given
    findings.reject("wrong_type", f"'{one.key}' takes a list of values or a pattern", one.value.span, what=one.key)
    return None


_CALENDAR = ("minute", "1m", "hour", "1h", "day", "1d", "week", "1w", "month", "1M", "quarter", "1q", "year", "1y")


def _calendar(findings: Any, one: Member) -> Any:
    given = plain(one.value)
    if given in _CALENDAR:
        return given
    findings.reject("wrong_type", f"'{given}' is no calendar interval", one.value.span,
                    "write minute, hour, day, week, month, quarter or year", what="calendar_interval")
    return None


def _bounds(findings: Any, one: Member) -> Any:
    given = plain(one.value)
    if isinstance(given, dict) and set(given) <= {"min", "max"} and all(
        isinstance(v, str | int | float) and not is_relative(v) for v in given.values()
    ):
        return given
    findings.reject("wrong_type", f"'{one.key}' takes 'min' and 'max'", one.value.span, what=one.key)
    return None


def _keyed(findings: Any, one: Member) -> Any:
    return None  # the form of the answer, which is ours


def _date_histogram(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    old = body.get("interval")
    members = body.members
    if old is not None:
        new = "calendar_interval" if plain(old.value) in _CALENDAR else "fixed_interval"
        reading.findings.reject("not_allowed", "'interval' is no longer there", old.key_span, f"write '{new}'",
                                what="interval", slip=Slip("'interval' is no longer there", f"wrote {new}",
                                                           old.key_span, f'"{new}"'))
        members = tuple(m for m in members if m is not old)
    allowed: dict[str, Check] = {
        "calendar_interval": _calendar, "fixed_interval": values.text, "time_zone": values.text, "offset": values.text,
        "format": values.text, "min_doc_count": values.whole(0, 1_000_000_000), "missing": values.scalar,
        "order": _order, "keyed": _keyed, "extended_bounds": _bounds, "hard_bounds": _bounds,
    }  # fmt: skip
    used, params = _on_field(kind, Object(members, body.span), reading, allowed)
    if old is None and ("calendar_interval" in params) == ("fixed_interval" in params):
        if body.get("calendar_interval") is None and body.get("fixed_interval") is None:
            reading.findings.reject("syntax", "'date_histogram' needs 'calendar_interval' or 'fixed_interval'",
                                    body.span, 'add "calendar_interval": "month"', what="date_histogram")
        return None
    if used is None or not _typed(kind, used, reading, (FieldKind.DATE,), "a date"):
        return None
    zone = body.get("time_zone")
    reading.zone(params.get("time_zone"), zone.value.span if zone is not None else body.span)
    return Aggregation(name, "date_histogram", kind.key_span, used, params)


def _histogram(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    allowed: dict[str, Check] = {
        "interval": values.positive, "offset": values.number, "min_doc_count": values.whole(0, 1_000_000_000),
        "missing": values.number, "order": _order, "keyed": _keyed, "extended_bounds": _bounds, "hard_bounds": _bounds,
    }  # fmt: skip
    used, params = _on_field(kind, body, reading, allowed)
    if "interval" not in params or params["interval"] <= 0:
        reading.findings.reject("syntax", "'histogram' needs an 'interval' above 0", body.span, 'add "interval": 100',
                                what="histogram")
        return None
    if used is None or not _typed(kind, used, reading, NUMERIC, "a number"):
        return None
    return Aggregation(name, "histogram", kind.key_span, used, params)


def _range(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    dates = kind.key == "date_range"
    allowed: dict[str, Check] = {"ranges": _kept, "keyed": _keyed, "missing": values.scalar}
    if dates:
        allowed |= {"format": values.text, "time_zone": values.text}
    used, params = _on_field(kind, body, reading, allowed)
    params.pop("ranges", None)
    given = body.get("ranges")
    if given is None or not isinstance(given.value, Array) or not given.value.items:
        reading.findings.reject("syntax", f"'{kind.key}' needs a list of 'ranges'", body.span,
                                'add "ranges": [{"from": 1, "to": 5}]', what=kind.key)
        return None
    if len(given.value.items) > 100:
        reading.findings.reject("too_large", "there are more than 100 ranges", given.value.span, "ask for fewer")
        return None
    zone = reading.zone(params.get("time_zone"), body.span)
    ranges = []
    for item in given.value.items:
        if not isinstance(item, Object):
            reading.findings.reject("syntax", "a range is an object", item.span, 'write {"from": 1, "to": 5}')
            continue
        ends: Check = values.scalar if dates else values.number
        of_range = {"key": values.text, "from": ends, "to": ends}
        one = values.read_params(reading.findings, "ranges", item.members, of_range)
        for end in ("from", "to"):
            if dates and is_relative(one.get(end)):
                try:
                    one[end] = resolved(one[end], reading.clock.now, zone, up=False)
                    own = params.get("format") or (used.mapped.date_format if used is not None else None)
                    wanted = own or DEFAULT_FORMAT
                    params["format"] = wanted if ISO_FORMAT in wanted else f"{wanted}||{ISO_FORMAT}"
                except NotDateMath:
                    reading.findings.reject("wrong_type", f"'{one[end]}' is no date", item.span, "write now-7d/d")
            elif dates and end in one and used is not None and used.kind is FieldKind.DATE:
                given_at = item.get(end)
                assert given_at is not None
                values.fits(reading.findings, used, one[end], given_at.value, params.get("format"))
        ranges.append(one)
    if used is None or not _typed(kind, used, reading, (FieldKind.DATE,) if dates else NUMERIC,
                                  "a date" if dates else "a number"):
        return None
    return Aggregation(name, kind.key, kind.key_span, used, {**params, "ranges": ranges})


def _kept(findings: Any, one: Member) -> Any:
    return one


def _filter(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    return Aggregation(name, "filter", kind.key_span, filters={"filter": read_query(body, reading)})


def _filters(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    allowed: dict[str, Check] = {"filters": _kept, "other_bucket": values.boolean, "other_bucket_key": values.text}
    params = values.read_params(reading.findings, "filters", body.members, allowed)
    params.pop("filters", None)
    given = body.get("filters")
    if given is not None and isinstance(given.value, Object) and len(given.value.members) <= 100:
        found = {one.key: read_query(one.value, reading) for one in given.value.members}
    elif given is not None and isinstance(given.value, Array) and len(given.value.items) <= 100:
        found = {str(n): read_query(one, reading) for n, one in enumerate(given.value.items, 1)}
    else:
        reading.findings.reject("syntax", "'filters' needs up to 100 queries by their names", body.span,
                                'write {"filters": {"NAME": {"term": {...}}}}', what="filters")
        return None
    return Aggregation(name, "filters", kind.key_span, params=params, filters=found)


def _missing(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    used, _ = _on_field(kind, body, reading, {})
    if used is None or not _groupable(kind, used, reading):
        return None
    return Aggregation(name, "missing", kind.key_span, used)


def _composite(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    return read_composite(name, kind, body, reading, _READERS)


def _nested(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    params = values.read_params(reading.findings, kind.key, body.members, {"path": values.text})
    path = body.get("path")
    if kind.key == "reverse_nested" and path is None:
        reading.nested = ()
        return Aggregation(name, kind.key, kind.key_span)
    if path is None or "path" not in params:
        reading.findings.reject("syntax", f"'{kind.key}' needs 'path'", body.span, 'write {"path": "..."}',
                                what=kind.key)
        return None
    why = reading.reach.nested(params["path"])
    reading.nested = (*reading.nested, params["path"])
    if why is None:
        return Aggregation(name, kind.key, kind.key_span, params=params)
    if why.confidential:
        reading.withheld(params["path"], why, path.value.span)
    else:
        reading.findings.reject("unknown_field", f"there is no nested list '{params['path']}'", path.value.span,
                                did_you_mean(why.nearest), what=params["path"], suggestions=why.nearest)
    return None


def _metric(name: str, kind: Member, body: Object, reading: Reading) -> Aggregation | None:
    allowed: dict[str, Check] = {"missing": values.scalar}
    if kind.key == "percentiles":
        allowed |= {"percents": values.numbers, "keyed": _keyed}
    if kind.key == "cardinality":
        allowed |= {"precision_threshold": values.whole(0, 40_000)}
    if kind.key == "extended_stats":
        allowed |= {"sigma": values.positive}
    used, params = _on_field(kind, body, reading, allowed)
    if used is None:
        return None
    if kind.key in ("value_count", "cardinality"):
        good = _groupable(kind, used, reading)
    else:
        good = _typed(kind, used, reading, _MEASURED, "a number or a date")
    return Aggregation(name, kind.key, kind.key_span, used, params) if good else None


METRICS = ("avg", "sum", "min", "max", "value_count", "cardinality", "stats", "extended_stats", "percentiles",
           "median_absolute_deviation")  # fmt: skip
_READERS: Mapping[str, Read] = {
    **dict.fromkeys(METRICS, _metric),
    "terms": _terms,
    "date_histogram": _date_histogram,
    "histogram": _histogram,
    "range": _range,
    "date_range": _range,
    "filter": _filter,
    "filters": _filters,
    "missing": _missing,
    "composite": _composite,
    "nested": _nested,
    "reverse_nested": _nested,
}
"""The aggregations that may run. Whatever is not here is refused."""

AGGREGATIONS = tuple(sorted(_READERS))
