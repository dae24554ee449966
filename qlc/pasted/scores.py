"""`function_score` as it is pasted: functions that change the order of what a query finds, and no script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.pasted import values
from qlc.pasted.clauses import Clause, Function, Reading
from qlc.pasted.date_math import is_relative
from qlc.pasted.field_queries import BOOST, object_of
from qlc.pasted.json_tree import Array, Member, Object, plain
from qlc.pasted.values import Check

ReadQuery = Callable[[Any, Reading], Clause]

MAX_FUNCTIONS = 50
_FACTOR: dict[str, Check] = {
    "field": values.text, "factor": values.number, "missing": values.number,
    "modifier": values.one_of("none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal"),
}  # fmt: skip
_DECAY: dict[str, Check] = {
    "origin": values.scalar, "scale": values.scalar, "offset": values.scalar, "decay": values.positive,
}  # fmt: skip
_DECAYS = ("gauss", "linear", "exp")
_MODES = ("multiply", "sum", "avg", "max", "min")
_WHOLE: dict[str, Check] = {
    "score_mode": values.one_of(*_MODES, "first"), "boost_mode": values.one_of(*_MODES, "replace"),
    "max_boost": values.positive, **BOOST,
}  # fmt: skip
_OF_A_FUNCTION = ("filter", "weight", "field_value_factor", *_DECAYS)
_MEASURED = (*NUMERIC, FieldKind.DATE, FieldKind.BOOLEAN)
_REFUSED = {
    "random_score": "leave it out: the order would be another one on every page",
    "min_score": "leave it out, and ask for what is needed in the query",
}


def read_function_score(one: Member, reading: Reading, read_query: ReadQuery) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    findings = reading.findings
    for name, instead in _REFUSED.items():
        if (given := body.get(name)) is not None:
            findings.reject("not_allowed", f"'{name}' cannot be used here", given.key_span, instead, what=name)
    inner, listed = body.get("query"), body.get("functions")
    alone = tuple(m for m in body.members if m.key in _OF_A_FUNCTION and m.key != "filter")
    read = ("query", "functions", "script_score", *_REFUSED)
    rest = [m for m in body.members if m not in alone and m.key not in read]
    params = values.read_params(findings, one.key, rest, _WHOLE)
    found = [_function(alone, reading, read_query)] if alone else []
    items = listed.value.items if listed is not None and isinstance(listed.value, Array) else ()
    if len(items) > MAX_FUNCTIONS:
        findings.reject("too_large", f"there are more than {MAX_FUNCTIONS} functions", one.key_span, what="functions")
        return None
    for item in items:
        members = item.members if isinstance(item, Object) else ()
        if not members:
            findings.reject("syntax", "a function is an object, such as {\"weight\": 2}", item.span, what="functions")
        found.append(_function(members, reading, read_query))
    everything = Clause("match_all", one.key_span)
    query = read_query(inner.value, reading) if inner is not None else everything
    functions = tuple(each for each in found if each is not None)
    if len(functions) < len(found):
        return None
    return Clause(one.key, one.value.span, params=params, parts={"query": (query,)}, functions=functions)


def _function(members: tuple[Member, ...], reading: Reading, read_query: ReadQuery) -> Function | None:
    findings = reading.findings
    filtered: Clause | None = None
    weight: Any = None
    made: Function | None = Function()
    for one in members:
        match one.key:
            case "filter":
                filtered = read_query(one.value, reading)
            case "weight":
                weight = values.positive(findings, one)
            case "field_value_factor":
                made = _factor(one, reading)
            case _ if one.key in _DECAYS:
                made = _decay(one, reading)
            case "script_score":
                return None  # told where scripts are looked for
            case _:
                findings.reject("not_allowed", f"the function '{one.key}' cannot be used here", one.key_span,
                                _REFUSED.get(one.key, "use weight, field_value_factor, gauss, linear or exp"),
                                what=one.key)
                return None
    if made is None:
        return None
    return Function(made.kind, made.field, made.params, weight, filtered)


def _factor(one: Member, reading: Reading) -> Function | None:
    body = object_of(one, reading)
    if body is None:
        return None
    params = values.read_params(reading.findings, one.key, body.members, _FACTOR)
    named = body.get("field")
    if named is None or "field" not in params:
        reading.findings.reject("syntax", f"'{one.key}' needs the name of a field", body.span,
                                'write {"field": "..."}', what=one.key)
        return None
    used = reading.used(params.pop("field"), named.value.span)
    if used is None:
        return None
    if used.kind not in _MEASURED or not used.mapped.doc_values:
        reading.findings.reject("wrong_type", f"'{used.path}' holds no numbers", used.span, "take another field",
                                what=used.path)
        return None
    return Function(one.key, used, params)


def _decay(one: Member, reading: Reading) -> Function | None:
    body = object_of(one, reading)
    if body is None:
        return None
    about = [m for m in body.members if m.key != "multi_value_mode"]
    if len(about) != 1 or not isinstance(about[0].value, Object):
        reading.findings.reject("syntax", f"'{one.key}' is about one field", body.span,
                                'write {"FIELD": {"origin": 0, "scale": 10}}', what=one.key)
        return None
    used = reading.used(about[0].key, about[0].key_span)
    params = values.read_params(reading.findings, one.key, about[0].value.members, _DECAY)
    if used is None:
        return None
    if used.kind not in (*NUMERIC, FieldKind.DATE, FieldKind.GEO_POINT):
        reading.findings.reject("wrong_type", f"'{used.path}' holds no numbers, dates or places", used.span,
                                "take another field", what=used.path)
        return None
    origin = about[0].value.get("origin")
    if used.kind is FieldKind.DATE and (origin is None or is_relative(plain(origin.value))):
        reading.findings.reject("not_allowed", "'now' in a function is the server's clock", about[0].value.span,
                                "write the date itself as 'origin'", what="origin")
        return None
    return Function(one.key, used, params)
