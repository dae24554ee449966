"""Queries on one field: allowed parameters, and whether the type of the field supports the query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from qlc.mapping.fields import NO_EXACT_VALUES, RANGES, FieldKind
from qlc.mapping.index_mapping import range_element
from qlc.pasted import values
from qlc.pasted.clauses import Clause, RequestContext, known
from qlc.pasted.dates import is_relative, with_iso
from qlc.pasted.json_tree import Array, Fix, Member, Object, Scalar, plain
from qlc.pasted.problems import Reason, Rejected
from qlc.pasted.reach import FieldUse
from qlc.pasted.values import Check

MAX_VALUES = 10_000
"""Most values of one `terms` or `ids` query."""

BOOST: dict[str, Check] = {"boost": values.positive}
_CASE: dict[str, Check] = {"case_insensitive": values.boolean, **BOOST}
_EXPANSIONS = values.whole(1, 1000)
_NO_WORDS: dict[str, Check] = {"zero_terms_query": values.one_of("none", "all"), **BOOST}
MATCH: dict[str, Check] = {
    "query": values.scalar, "operator": values.one_of("and", "or"), "minimum_should_match": values.minimum,
    "lenient": values.boolean, "auto_generate_synonyms_phrase_query": values.boolean, "analyzer": values.text,
    "fuzziness": values.fuzziness, "prefix_length": values.whole(), "max_expansions": _EXPANSIONS,
    "fuzzy_transpositions": values.boolean, **_NO_WORDS,
}  # fmt: skip
_PHRASE: dict[str, Check] = {
    "query": values.scalar, "slop": values.whole(0, 1000), "analyzer": values.text, **_NO_WORDS,
}  # fmt: skip
FIELD_QUERIES: Mapping[str, tuple[str, dict[str, Check]]] = {
    "term": ("value", {"value": values.scalar, **_CASE}),
    "prefix": ("value", {"value": values.text, **_CASE}),
    "wildcard": ("value", {"value": values.text, **_CASE}),
    "regexp": ("value", {"value": values.regexp, "flags": values.text, **_CASE}),
    "fuzzy": ("value", {"value": values.scalar, "fuzziness": values.fuzziness, "prefix_length": values.whole(),
                        "max_expansions": _EXPANSIONS, "transpositions": values.boolean, **BOOST}),
    "match": ("query", MATCH),
    "match_bool_prefix": ("query", MATCH),
    "match_phrase": ("query", _PHRASE),
    "match_phrase_prefix": ("query", {**_PHRASE, "max_expansions": _EXPANSIONS}),
    "range": ("", {**dict.fromkeys(("gt", "gte", "lt", "lte"), values.scalar), "format": values.text,
                   "time_zone": values.text, "relation": values.one_of("intersects", "contains", "within"),
                   **BOOST}),
}  # fmt: skip
"""For each query on one field: the parameter of a bare value, and the allowed parameters."""


# --- whether a field can be asked so ---------------------------------------------------------------------------------

_TEXTS = (FieldKind.KEYWORD, FieldKind.TEXT)
_UNUSABLE: tuple[tuple[Callable[[str, FieldUse], bool], str, str], ...] = (
    (lambda query, used: used.kind in NO_EXACT_VALUES and used.kind is not FieldKind.TEXT
     and not (query == "range" and used.kind in RANGES),
     "'{path}' is mapped as {type}, so '{query}' cannot search it", "'exists' can"),
    (lambda _, used: not used.mapped.indexed and not used.mapped.doc_values,
     "'{path}' is stored but not indexed, so it cannot be searched", "use another field"),
    (lambda query, used: query in ("prefix", "wildcard", "regexp", "fuzzy") and used.kind not in _TEXTS,
     "'{query}' looks for texts, and '{path}' is mapped as {type}", "use 'term' or 'range'"),
    (lambda query, used: query in ("match_phrase_prefix", "match_bool_prefix") and used.kind is not FieldKind.TEXT,
     "'{query}' looks for words, and '{path}' is mapped as {type}", "use 'prefix' or 'term'"),
    (lambda query, used: query not in ("term", "terms") and used.path == "_id",
     "'{query}' cannot search '_id'", "use 'ids'"),
    (lambda query, used: query == "range" and used.mapped.es_type == "constant_keyword",
     "'{path}' has no order", "use 'term'"),
)  # fmt: skip
"""Fields that a query does not support: a test, the reason, and the hint."""


def usable(query: str, used: FieldUse, reading: RequestContext) -> bool:
    """Whether a kind of query supports a field; if not, a problem is recorded."""
    for applies, message, hint in _UNUSABLE:
        if applies(query, used):
            reason: Reason = "not_allowed" if used.path == "_id" else "wrong_type"
            text = message.format(query=query, path=used.path, type=used.mapped.es_type)
            reading.reject(reason, text, used.span, hint, what=used.path)
            return False
    return True


def _on_full_text(used: FieldUse, kind: str, given: list[Any], reading: RequestContext) -> None:
    """Add a note if whole values are searched for in full text, which is indexed as single, mostly lower-case words."""
    exact = used.mapped.exact
    whole = next((one for one in given if isinstance(one, str) and (one != one.lower() or " " in one)), None)
    if used.kind is not FieldKind.TEXT or whole is None:
        return
    hardly = f"'{used.path}' is full text, stored as words: '{kind}' hardly ever finds {whole!r} in it."
    if exact is None or exact == used.path:
        reading.tell(f"{hardly} 'match' looks for words.")
        return
    reading.tell(f"{hardly} '{exact}' has the exact values.")
    why = f"'{used.path}' is full text, in which '{kind}' finds no whole values"
    reading.improvements.append(Fix.name(why, exact, used.span))


# --- reading ---------------------------------------------------------------------------------------------------------


def _about(one: Member, body: Object, reading: RequestContext) -> Member:
    """Return the only member of a query, whose key is the field's name."""
    about = [m for m in body.members if m.key not in ("boost", "_name") or len(body.members) == 1]
    if len(about) == 1:
        return about[0]
    problem = reading.reject("syntax", f"'{one.key}' is about one field", about[1].key_span if about else body.span,
                             "use one query for each field, together in the 'filter' list of a 'bool'", what=one.key)
    for each in about:
        reading.used(each.key, each.key_span)
    raise problem


def field_query(one: Member, body: Object, reading: RequestContext) -> Clause:
    short, allowed = FIELD_QUERIES[one.key]
    about = _about(one, body, reading)
    value = about.value
    whole = value.get("value") if isinstance(value, Object) else Member("", about.key_span, value)
    compared = [plain(whole.value)] if one.key == "term" and whole is not None else None
    used = reading.used(about.key, about.key_span, compared=compared)
    if not short and not isinstance(value, Object):
        raise reading.reject("syntax", f"'{one.key}' takes bounds such as {{\"gte\": 5}}", value.span,
                             "write gt, gte, lt or lte", what=one.key)
    members = value.members if isinstance(value, Object) else (Member(short, about.key_span, value),)
    members = (*members, *(m for m in body.members if m.key == "boost" and m is not about))
    if one.key == "range":
        members = _bounds(members)
    params = reading.params(one.key, members, allowed)
    by_name = {m.key: m for m in members}
    if short and short not in by_name:
        raise reading.reject("syntax", f"'{one.key}' needs '{short}'", value.span, f'write {{"{short}": ...}}',
                             what=one.key)
    if used is None or (short and short not in params) or not usable(one.key, used, reading):
        raise Rejected
    if one.key in ("term", "prefix", "wildcard"):
        _on_full_text(used, one.key, [params["value"]], reading)
    good = True
    if one.key == "range":
        reading.reach.uses_values(used, by_order=True)
        good = _range(used, params, by_name, reading)
    elif one.key in ("term", "match", "match_phrase"):
        good = _fits(used, one.key, params, by_name[short], reading)
    if not good:
        raise Rejected
    return Clause(one.key, used, params)


def _bounds(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Rename the bounds `from` and `to` of older clients to `gte` and `lte`."""
    given = {m.key: m for m in members}
    old = {"from": ("include_lower", "gt"), "to": ("include_upper", "lt")}
    found = [m for m in members if m.key not in ("from", "to", "include_lower", "include_upper")]
    for name, (flag, sign) in old.items():
        bound = given.get(name)
        if bound is not None and plain(bound.value) is not None:
            included = flag not in given or plain(given[flag].value) in (True, "true")
            found.append(Member(f"{sign}e" if included else sign, bound.key_span, bound.value))
    return tuple(found)


def _fits(used: FieldUse, kind: str, params: Mapping[str, Any], given: Member, reading: RequestContext) -> bool:
    """Whether the value has the field's type."""
    value = params[given.key]
    if used.kind is FieldKind.DATE and is_relative(value):
        reading.reject("not_allowed", f"'{kind}' cannot compare with {value!r}", given.value.span,
                       "use 'range' with gte and lt", what=kind)
        return False
    return bool(params.get("lenient")) or values.fits(reading, used, value, given.value)


_UP = {"gt": True, "lte": True, "gte": False, "lt": False}
"""Whether each bound rounds a date up to the end of a unit."""


def _range(used: FieldUse, params: dict[str, Any], members: Mapping[str, Member], reading: RequestContext) -> bool:
    """Whether the bounds have the field's type. Dates relative to now are evaluated."""
    if used.kind in RANGES:
        used = replace(used, mapped=range_element(used.mapped))
    bounds = [key for key in members if key in _UP and key in params]
    if used.kind is FieldKind.DATE:
        zone, own = reading.zone(params.get("time_zone"), used.span), params.get("format")
        relative = any(is_relative(params[key]) for key in bounds)
        good = [reading.date(used, params, members[key], zone, own, up=_UP[key]) for key in bounds]
        if relative:
            params["format"] = with_iso(own or used.mapped.date_format)
        return all(good)
    of_dates = [name for name in ("format", "time_zone") if name in params]
    for name in of_dates:
        reading.reject("wrong_type", f"'{name}' is for dates, and '{used.path}' holds none", members[name].key_span,
                       "leave it out", what=used.path)
    good = [values.fits(reading, used, params[key], members[key].value) for key in bounds]
    return all(good) and not of_dates


def terms_query(one: Member, body: Object, reading: RequestContext) -> Clause:
    about = _about(one, body, reading)
    given = about.value
    compared = [plain(item) for item in given.items] if isinstance(given, Array) else None
    used = reading.used(about.key, about.key_span, compared=compared)
    if isinstance(given, Object):
        raise reading.reject("not_allowed", "'terms' cannot look its values up in another document here",
                             about.key_span, "write the values as a list", what="terms lookup")
    if not isinstance(given, Array):
        raise reading.reject("syntax", "'terms' takes a list of values", given.span, 'write ["a", "b"]', what="terms")
    found = _scalars(given, used, reading)
    params = reading.params("terms", [m for m in body.members if m is not about], BOOST)
    if used is None or found is None or not usable(one.key, used, reading):
        raise Rejected
    _on_full_text(used, "terms", found, reading)
    return Clause("terms", used, {"values": found, **params})


def _scalars(given: Array, used: FieldUse | None, reading: RequestContext) -> list[Any] | None:
    if len(given.items) > MAX_VALUES:
        reading.reject("too_large", f"there are more than {MAX_VALUES:,} values", given.span, "ask for fewer at a time")
        return None
    found: list[Any] = []
    for item in given.items:
        if not isinstance(item, Scalar) or item.value is None:
            reading.reject("wrong_type", "a list of values holds texts, numbers, true or false", item.span)
        elif used is None or _fits(used, "terms", {"": item.value}, Member("", item.span, item), reading):
            found.append(item.value)
    return found if len(found) == len(given.items) else None


def exists_query(one: Member, body: Object, reading: RequestContext) -> Clause:
    params = reading.params("exists", body.members, {"field": values.text, **BOOST})
    return Clause("exists", known(reading.field_of(one, body, params, inner=True)), params)


def ids_query(one: Member, body: Object, reading: RequestContext) -> Clause:
    given = body.get("values")
    params = reading.params("ids", [m for m in body.members if m is not given], BOOST)
    if given is None or not isinstance(given.value, Array):
        raise reading.reject("syntax", "'ids' needs a list of 'values'", body.span, 'write {"values": ["..."]}',
                             what="ids")
    found = known(_scalars(given.value, None, reading))
    return Clause("ids", params={"values": list(map(str, found)), **params})
