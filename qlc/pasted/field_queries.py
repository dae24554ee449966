"""Queries about one field: which parameters each may have, and whether the field can be asked so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qlc.mapping.fields import FieldKind
from qlc.pasted import values
from qlc.pasted.clauses import Clause, Reading
from qlc.pasted.date_math import ISO_FORMAT, NotDateMath, is_relative, resolved
from qlc.pasted.intervals import DEFAULT_FORMAT
from qlc.pasted.json_tree import Array, Member, Object, Scalar, Slip, plain
from qlc.pasted.reach import FieldUse
from qlc.pasted.values import Check

MAX_VALUES = 10_000
"""Values of one `terms` or `ids` query."""


def object_of(one: Member, reading: Reading) -> Object | None:
    if isinstance(one.value, Object):
        return one.value
    reading.findings.reject("syntax", f"'{one.key}' takes an object in brackets", one.value.span,
                            f'write {{"{one.key}": {{...}}}}', what=one.key)
    return None


BOOST: dict[str, Check] = {"boost": values.positive}
_OPERATOR = values.one_of("and", "or")
_FUZZY: dict[str, Check] = {
    "fuzziness": values.fuzziness,
    "prefix_length": values.whole(),
    "max_expansions": values.whole(1, 1000),
    "fuzzy_transpositions": values.boolean,
}
_ZERO_TERMS: dict[str, Check] = {"zero_terms_query": values.one_of("none", "all")}
MATCH: dict[str, Check] = {
    "query": values.scalar, "operator": _OPERATOR, "minimum_should_match": values.minimum, "lenient": values.boolean,
    "auto_generate_synonyms_phrase_query": values.boolean, "analyzer": values.text, **_FUZZY, **_ZERO_TERMS, **BOOST,
}  # fmt: skip
_PHRASE: dict[str, Check] = {"query": values.scalar, "slop": values.whole(0, 1000), "analyzer": values.text,
                             **_ZERO_TERMS, **BOOST}  # fmt: skip
FIELD_QUERIES: Mapping[str, tuple[str, dict[str, Check]]] = {
    "term": ("value", {"value": values.scalar, "case_insensitive": values.boolean, **BOOST}),
    "prefix": ("value", {"value": values.text, "case_insensitive": values.boolean, **BOOST}),
    "wildcard": ("value", {"value": values.text, "case_insensitive": values.boolean, **BOOST}),
    "regexp": ("value", {"value": values.regexp, "flags": values.text, "case_insensitive": values.boolean, **BOOST}),
    "fuzzy": ("value", {"value": values.scalar, "fuzziness": values.fuzziness, "prefix_length": values.whole(),
                        "max_expansions": values.whole(1, 1000), "transpositions": values.boolean, **BOOST}),
    "match": ("query", MATCH),
    "match_bool_prefix": ("query", MATCH),
    "match_phrase": ("query", _PHRASE),
    "match_phrase_prefix": ("query", {**_PHRASE, "max_expansions": values.whole(1, 1000)}),
    "range": ("", {**dict.fromkeys(("gt", "gte", "lt", "lte"), values.scalar), "format": values.text,
                   "time_zone": values.text, **BOOST}),
}  # fmt: skip
"""Queries of one field: the parameter that a bare value stands for, and those that may be given."""

_EXACT = frozenset({FieldKind.GEO_POINT, FieldKind.VECTOR, FieldKind.UNSUPPORTED})


def field_query(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    short, allowed = FIELD_QUERIES[one.key]
    about = [m for m in body.members if m.key not in ("boost", "_name") or len(body.members) == 1]
    if len(about) != 1:
        span = about[1].key_span if about else body.span
        reading.findings.reject("syntax", f"'{one.key}' is about one field", span,
                                "use one query for each field, together in the 'filter' list of a 'bool'", what=one.key)
        for each in about:
            reading.used(each.key, each.key_span)
        return None
    used = reading.used(about[0].key, about[0].key_span)
    value = about[0].value
    params: dict[str, Any]
    members: tuple[Member, ...] = value.members if isinstance(value, Object) else ()
    if not isinstance(value, Object):
        if not short:
            reading.findings.reject("syntax", f"'{one.key}' takes bounds such as {{\"gte\": 5}}", value.span,
                                    "write gt, gte, lt or lte", what=one.key)
            return None
        members = (Member(short, about[0].key_span, value),)
    members = (*members, *(m for m in body.members if m.key == "boost" and m is not about[0]))
    if one.key == "range":
        members = _bounds(members)
    params = values.read_params(reading.findings, one.key, members, allowed)
    if short and short not in params:
        if not any(m.key == short for m in members):
            reading.findings.reject("syntax", f"'{one.key}' needs '{short}'", value.span,
                                    f'write {{"{short}": ...}}', what=one.key)
        return None
    if used is None:
        return None
    if not usable(one, used, reading):
        return None
    if used.mapped.nested and used.mapped.nested[-1] not in reading.nested:
        _outside_its_list(used, reading)
    if one.key in ("term", "prefix", "wildcard"):
        _on_full_text(used, one.key, [params["value"]], reading)
    good = _fits_all(used, one.key, params, members, reading)
    return Clause(one.key, one.value.span, used, params) if good else None


def _on_full_text(used: FieldUse, kind: str, given: list[Any], reading: Reading) -> None:
    """Say where whole values are looked for among words: they are kept one by one, mostly in small letters."""
    exact = used.mapped.exact
    whole = next((one for one in given if isinstance(one, str) and (one != one.lower() or " " in one)), None)
    if used.kind is not FieldKind.TEXT or whole is None:
        return
    hardly = f"'{used.path}' is full text, kept as single words: '{kind}' hardly finds {whole!r} in it."
    if exact is None or exact == used.path:
        reading.findings.tell(f"{hardly} 'match' looks for words.")
        return
    reading.findings.tell(f"{hardly} '{exact}' has the whole values.")
    reading.findings.improvements.append(
        Slip(f"'{used.path}' is full text, in which '{kind}' finds no whole values", f"took {exact}", used.span,
             f'"{exact}"'))


def _bounds(members: tuple[Member, ...]) -> tuple[Member, ...]:
    """The bounds of a range as it is written today: `from` and `to` come from older clients."""
    given = {m.key: m for m in members}
    old = {"from": ("include_lower", "gt"), "to": ("include_upper", "lt")}
    found = [m for m in members if m.key not in ("from", "to", "include_lower", "include_upper")]
    for name, (flag, sign) in old.items():
        bound = given.get(name)
        if bound is not None and plain(bound.value) is not None:
            included = flag not in given or plain(given[flag].value) in (True, "true")
            found.append(Member(f"{sign}e" if included else sign, bound.key_span, bound.value))
    return tuple(found)


def _outside_its_list(used: FieldUse, reading: Reading) -> None:
    reading.findings.tell(f"'{used.path}' lies in the nested list '{used.mapped.nested[-1]}': outside of a 'nested' "
                          "query it matches nothing.")


def usable(one: Member, used: FieldUse, reading: Reading) -> bool:
    kind = used.kind
    if kind in _EXACT:
        reading.findings.reject("wrong_type", f"'{used.path}' is mapped as {used.mapped.es_type}, so '{one.key}' "
                                "cannot ask about it", used.span, "'exists' can", what=used.path)
        return False
    if not used.mapped.indexed and not used.mapped.doc_values:
        reading.findings.reject("wrong_type", f"'{used.path}' is stored but not indexed, so it cannot be searched",
                                used.span, "ask with another field", what=used.path)
        return False
    texts = kind in (FieldKind.KEYWORD, FieldKind.TEXT)
    if one.key in ("prefix", "wildcard", "regexp", "fuzzy") and not texts:
        reading.findings.reject("wrong_type", f"'{one.key}' looks for texts, and '{used.path}' is mapped as "
                                f"{used.mapped.es_type}", used.span, "use 'term' or 'range'", what=used.path)
        return False
    if one.key in ("match_phrase_prefix", "match_bool_prefix") and kind is not FieldKind.TEXT:
        reading.findings.reject("wrong_type", f"'{one.key}' looks for words, and '{used.path}' is mapped as "
                                f"{used.mapped.es_type}", used.span, "use 'prefix' or 'term'", what=used.path)
        return False
    if used.path == "_id" and one.key not in ("term", "terms"):
        reading.findings.reject("not_allowed", f"'{one.key}' cannot ask about '_id'", used.span, "use 'ids'",
                                what="_id")
        return False
    if used.mapped.es_type == "constant_keyword" and one.key == "range":
        reading.findings.reject("wrong_type", f"'{used.path}' has no order", used.span, "use 'term'", what=used.path)
        return False
    return True


def _fits_all(used: FieldUse, kind: str, params: dict[str, Any], members: tuple[Member, ...], reading: Reading) -> bool:
    """Whether the values are of the field's type. Dates relative to now become dates."""
    if kind == "range":
        return _range(used, params, members, reading)
    if kind in ("term", "match", "match_phrase"):
        name = "value" if kind == "term" else "query"
        (given,) = (m for m in members if m.key == name)
        if used.kind is FieldKind.DATE and is_relative(params[name]):
            reading.findings.reject("not_allowed", f"'{kind}' cannot compare with {params[name]!r}", given.value.span,
                                    "use 'range' with gte and lt", what=kind)
            return False
        if params.get("lenient"):
            return True
        if kind == "match_phrase" and used.kind not in (FieldKind.TEXT, FieldKind.KEYWORD):
            return values.fits(reading.findings, used, params[name], given.value)
        return values.fits(reading.findings, used, params[name], given.value)
    return True


_UP = {"gt": True, "lte": True, "gte": False, "lt": False}
"""Which bounds round a date up to the end of a unit."""


def _range(used: FieldUse, params: dict[str, Any], members: tuple[Member, ...], reading: Reading) -> bool:
    bounds = {m.key: m for m in members if m.key in _UP and m.key in params}
    good = True
    if used.kind is FieldKind.DATE:
        return _resolve(used, params, {key: (one, _UP[key]) for key, one in bounds.items()}, reading)
    for name in ("format", "time_zone"):
        if name in params:
            one = next(m for m in members if m.key == name)
            reading.findings.reject("wrong_type", f"'{name}' is for dates, and '{used.path}' holds none", one.key_span,
                                    "leave it out", what=used.path)
            good = False
    for key, one in bounds.items():
        good = values.fits(reading.findings, used, params[key], one.value) and good
    return good


def _resolve(
    used: FieldUse, params: dict[str, Any], bounds: Mapping[str, tuple[Member, bool]], reading: Reading
) -> bool:
    """Put the caller's clock in the place of `now`."""
    zone = reading.zone(params.get("time_zone"), used.span)
    good, changed = True, False
    for key, (one, up) in bounds.items():
        value = params[key]
        if not is_relative(value):
            good = values.fits(reading.findings, used, value, one.value, params.get("format")) and good
        else:
            try:
                params[key] = resolved(value, reading.clock.now, zone, up=up)
                changed = True
            except NotDateMath:
                reading.findings.reject("wrong_type", f"'{value}' is no date", one.value.span,
                                        "write it like now-7d/d, or a date such as 2024-03-05", what=used.path)
                good = False
    if changed:
        format_ = params.get("format") or used.mapped.date_format or DEFAULT_FORMAT
        params["format"] = format_ if ISO_FORMAT in format_.split("||") else f"{format_}||{ISO_FORMAT}"
    return good


def terms_query(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    about = [m for m in body.members if m.key not in ("boost", "_name")]
    if len(about) != 1:
        reading.findings.reject("syntax", "'terms' is about one field", body.span, "use one query for each field",
                                what="terms")
        return None
    used = reading.used(about[0].key, about[0].key_span)
    given = about[0].value
    if isinstance(given, Object):
        reading.findings.reject("not_allowed", "'terms' cannot look its values up in another document here",
                                about[0].key_span, "write the values as a list", what="terms lookup")
        return None
    if not isinstance(given, Array):
        reading.findings.reject("syntax", "'terms' takes a list of values", given.span, "write [\"a\", \"b\"]",
                                what="terms")
        return None
    found = _scalars(given, used, reading)
    params = values.read_params(reading.findings, "terms", [m for m in body.members if m is not about[0]], BOOST)
    if used is None or found is None or not usable(one, used, reading):
        return None
    _on_full_text(used, "terms", found, reading)
    return Clause("terms", one.value.span, used, {"values": found, **params})


def _scalars(given: Array, used: FieldUse | None, reading: Reading) -> list[Any] | None:
    if len(given.items) > MAX_VALUES:
        reading.findings.reject("too_large", f"there are more than {MAX_VALUES:,} values", given.span,
                                "ask for fewer at a time")
        return None
    found: list[Any] = []
    good = True
    for item in given.items:
        if not isinstance(item, Scalar) or item.value is None:
            reading.findings.reject("wrong_type", "a list of values holds texts, numbers, true or false", item.span)
            good = False
        elif used is not None and used.kind is FieldKind.DATE and is_relative(item.value):
            reading.findings.reject("not_allowed", f"'terms' cannot compare with {item.value!r}", item.span,
                                    "use 'range' with gte and lt", what="terms")
            good = False
        elif used is None or values.fits(reading.findings, used, item.value, item):
            found.append(item.value)
        else:
            good = False
    return found if good else None


def exists_query(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    params = values.read_params(reading.findings, "exists", body.members, {"field": values.text, **BOOST})
    member = body.get("field")
    if member is None or "field" not in params:
        reading.findings.reject("syntax", "'exists' needs the name of a field", body.span, 'write {"field": "..."}',
                                what="exists")
        return None
    used = reading.used(params.pop("field"), member.value.span, inner=True)
    return None if used is None else Clause("exists", one.value.span, used, params)


def ids_query(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    given = body.get("values")
    rest = [m for m in body.members if m is not given]
    params = values.read_params(reading.findings, "ids", rest, BOOST)
    listed = given.value if given is not None and isinstance(given.value, Array) else None
    if listed is None:
        reading.findings.reject("syntax", "'ids' needs a list of 'values'", body.span, 'write {"values": ["..."]}',
                                what="ids")
        return None
    found = _scalars(listed, None, reading)
    return None if found is None else Clause("ids", one.value.span, params={"values": list(map(str, found)), **params})
