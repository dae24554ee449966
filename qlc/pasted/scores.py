"""Reads `function_score`: functions that change the order of a query's results, without scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.pasted import values
from qlc.pasted.clauses import Clause, Function, RequestContext, known
from qlc.pasted.dates import is_relative
from qlc.pasted.field_queries import BOOST
from qlc.pasted.json_tree import Array, Member, Object, plain
from qlc.pasted.problems import Rejected
from qlc.pasted.values import Check

ReadQuery = Callable[[Any, RequestContext], Clause]

MAX_FUNCTIONS = 50
_FACTOR: dict[str, Check] = {
    "field": values.text, "factor": values.number, "missing": values.number,
    "modifier": values.one_of("none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal"),
}  # fmt: skip
_DECAY: dict[str, Check] = {
    "origin": values.scalar, "scale": values.scalar, "offset": values.scalar, "decay": values.positive,
}  # fmt: skip
_MODES = ("multiply", "sum", "avg", "max", "min")
_WHOLE: dict[str, Check] = {
    "score_mode": values.one_of(*_MODES, "first"), "boost_mode": values.one_of(*_MODES, "replace"),
    "max_boost": values.positive, **BOOST,
}  # fmt: skip
_MEASURED = (*NUMERIC, FieldKind.DATE, FieldKind.BOOLEAN)
_REFUSED = {
    "random_score": "leave it out: the order would be another one on every page",
    "min_score": "leave it out, and ask for what is needed in the query",
}


def read_function_score(one: Member, body: Object, reading: RequestContext, read_query: ReadQuery) -> Clause:
    for name, instead in _REFUSED.items():
        if (given := body.get(name)) is not None:
            reading.forbid(given, f"'{name}' cannot be used here", instead)
    inner, listed = body.get("query"), body.get("functions")
    alone = tuple(m for m in body.members if m.key in _OF_A_FUNCTION)
    read = ("query", "functions", "script_score", *_REFUSED, *_OF_A_FUNCTION)
    params = reading.params(one.key, [m for m in body.members if m.key not in read], _WHOLE)
    found = [_function(alone, reading, read_query)] if alone else []
    items = listed.value.items if listed is not None and isinstance(listed.value, Array) else ()
    if len(items) > MAX_FUNCTIONS:
        raise reading.reject("too_large", f"there are more than {MAX_FUNCTIONS} functions", one.key_span,
                             what="functions")
    for item in items:
        members = item.members if isinstance(item, Object) else ()
        if not members:
            reading.reject("syntax", 'a function is an object, such as {"weight": 2}', item.span, what="functions")
        found.append(_function(members, reading, read_query))
    query = read_query(inner.value, reading) if inner is not None else Clause("match_all")
    functions = tuple(known(each) for each in found)
    return Clause(one.key, params=params, parts={"query": (query,)}, functions=functions)


def _function(members: tuple[Member, ...], reading: RequestContext, read_query: ReadQuery) -> Function | None:
    filtered: Clause | None = None
    weight: Any = None
    made: list[Clause | None] = []
    for one in members:
        if one.key == "filter":
            filtered = read_query(one.value, reading)
        elif one.key == "weight":
            weight = reading.params(one.key, [one], {"weight": values.positive}).get("weight")
        elif one.key in _FUNCTIONS:
            try:
                made.append(_FUNCTIONS[one.key](one, reading.body_of(one), reading))
            except Rejected:
                made.append(None)
        elif one.key == "script_score":
            return None  # reported where scripts are looked for
        else:
            hint = _REFUSED.get(one.key, "use weight, field_value_factor, gauss, linear or exp")
            reading.forbid(one, f"the function '{one.key}' cannot be used here", hint)
            return None
    return None if None in made else Function(next(iter(made), None), weight, filtered)


def _factor(one: Member, body: Object, reading: RequestContext) -> Clause:
    params = reading.params(one.key, body.members, _FACTOR)
    used = known(reading.field_of(one, body, params))
    if used.kind not in _MEASURED or not used.mapped.doc_values:
        raise reading.mistype(used, f"'{used.path}' holds no numbers")
    return Clause(one.key, used, params)


def _decay(one: Member, body: Object, reading: RequestContext) -> Clause:
    about = [m for m in body.members if m.key != "multi_value_mode"]
    value = about[0].value if len(about) == 1 else None
    if not isinstance(value, Object):
        raise reading.reject("syntax", f"'{one.key}' is about one field", body.span,
                             'write {"FIELD": {"origin": 0, "scale": 10}}', what=one.key)
    used = reading.used(about[0].key, about[0].key_span)
    params = reading.params(one.key, value.members, _DECAY)
    used = known(used)
    if used.kind not in (*NUMERIC, FieldKind.DATE, FieldKind.GEO_POINT):
        raise reading.mistype(used, f"'{used.path}' holds no numbers, dates or places")
    origin = value.get("origin")
    if used.kind is FieldKind.DATE and (origin is None or is_relative(plain(origin.value))):
        raise reading.reject("not_allowed", "'now' in a function is the server's clock", value.span,
                             "write the date itself as 'origin'", what="origin")
    return Clause(one.key, used, params)


_FUNCTIONS: Mapping[str, Callable[[Member, Object, RequestContext], Clause]] = {
    "field_value_factor": _factor, **dict.fromkeys(("gauss", "linear", "exp"), _decay),
}  # fmt: skip
_OF_A_FUNCTION = ("weight", *_FUNCTIONS)
