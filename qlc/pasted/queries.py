"""Reads pasted queries into clauses that may run: every kind and parameter is on an allowlist.

The request that is sent is built from the clauses, so nothing that was not read reaches Elasticsearch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qlc.base.diagnostics import Span
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.pasted import values
from qlc.pasted.clauses import Clause, Function, RequestContext, known
from qlc.pasted.dates import is_relative
from qlc.pasted.field_queries import (
    BOOST,
    FIELD_QUERIES,
    MATCH,
    exists_query,
    field_query,
    ids_query,
    terms_query,
    usable,
)
from qlc.pasted.json_tree import Array, Fix, Member, Node, Object, items_of, plain
from qlc.pasted.problems import Rejected
from qlc.pasted.query_text import Refused, read_query_text
from qlc.pasted.reach import FieldUse
from qlc.pasted.scripts import script_query
from qlc.pasted.values import Check

Read = Callable[[Member, Object, RequestContext], Clause]

MAX_CLAUSES = 500


def read_query(node: Node, reading: RequestContext) -> Clause:
    """Read the one query in an object. Its problems are recorded; what is around it is read on."""
    reading.clauses += 1
    if reading.clauses > MAX_CLAUSES:
        if reading.clauses == MAX_CLAUSES + 1:
            reading.reject("too_large", f"the request has more than {MAX_CLAUSES} queries", node.span,
                           "take values together in one 'terms' query")
        return Clause("")
    members = node.members if isinstance(node, Object) else ()
    if not isinstance(node, Object):
        reading.reject("syntax", 'a query is an object, such as {"match_all": {}}', node.span,
                       "write the kind of the query with what it asks", what="query")
    elif not members:
        reading.reject("syntax", "a query is missing between these brackets", node.span,
                       'write {"match_all": {}} for everything', what="query")
    elif len(members) > 1:
        second = members[1]
        reading.reject("syntax", f"one object holds one query, and '{second.key}' is a second one", second.key_span,
                       "put both into the 'filter' list of a 'bool'", what=second.key)
    found = [_read(one, reading) for one in members]
    return found[0] if len(found) == 1 else Clause("")


def _read(one: Member, reading: RequestContext) -> Clause:
    try:
        if one.key not in _READERS:
            raise _unknown_query(one, reading)
        return _READERS[one.key](one, reading.body_of(one), reading)
    except Rejected:
        return Clause("", params={"name": one.key})


def _unknown_query(one: Member, reading: RequestContext) -> Rejected:
    if one.key == "script_score":
        return Rejected()  # reported where scripts are looked for
    if one.key in _INSTEAD:
        return reading.forbid(one, f"the query '{one.key}' cannot be run here", _INSTEAD[one.key])
    if isinstance(reading.reach.field(one.key, one.key_span), FieldUse):
        return reading.reject("syntax", f"'{one.key}' is a field, and the kind of a query belongs here", one.key_span,
                              f'write {{"term": {{"{one.key}": ...}}}}', what=one.key)
    return reading.unknown(one, f"there is no query '{one.key}' here", _READERS,
                           "queries are bool, term, terms, range, exists, match, nested and their like")


_INSTEAD: Mapping[str, str] = {
    "more_like_this": "ask for words with 'match'",
    "wrapper": "write the query itself",
    "pinned": "use 'ids'",
    "knn": "use 'match' for words",
    "terms_set": "use 'bool' with 'minimum_should_match'",
    "filtered": "use 'bool' with 'filter'",
    "and": "use 'bool' with 'filter'",
    "or": "use 'bool' with 'should'",
    "not": "use 'bool' with 'must_not'",
    "missing": "use 'bool' with 'must_not' and 'exists'",
    **dict.fromkeys(("percolate", "has_child", "has_parent", "parent_id"), "leave it out"),
}


# --- queries made of queries -----------------------------------------------------------------------------------------


def _everything(one: Member, body: Object, reading: RequestContext) -> Clause:
    allowed = BOOST if one.key == "match_all" else {}
    return Clause(one.key, params=reading.params(one.key, body.members, allowed))


def _inside(one: Member, reading: RequestContext) -> tuple[Clause, ...]:
    """Read the queries of a parameter: one, or a list."""
    return tuple(read_query(node, reading) for node in items_of(one.value))


_OCCURS = ("must", "filter", "should", "must_not")
_BOOL: dict[str, Check] = {
    **dict.fromkeys(_OCCURS, values.kept_apart), "minimum_should_match": values.minimum,
    "adjust_pure_negative": values.boolean, **BOOST,
}  # fmt: skip


def _bool(one: Member, body: Object, reading: RequestContext) -> Clause:
    parts = {member.key: _inside(member, reading) for member in body.members if member.key in _OCCURS}
    misplaced = [member for member in body.members if member.key in _READERS and member.key not in parts]
    for member in misplaced:
        # One alone means the same wherever it is put, as long as nothing else is there to choose from.
        sure = len(misplaced) == 1 and not {"filter", "should"} & parts.keys()
        whole = Span(member.key_span.start, member.value.span.end)
        fix = Fix(f"'{member.key}' is in a 'bool' by itself", "put it under 'filter'", whole,
                  f'"filter": [{{{reading.text(whole)}}}]')
        reading.reject("syntax", f"'{member.key}' is in a 'bool' without saying how it counts", member.key_span,
                       "put it under 'filter', 'must', 'should' or 'must_not'", what=member.key,
                       fix=fix if sure else None)
    rest = [member for member in body.members if member.key not in parts and member not in misplaced]
    return Clause("bool", params=reading.params("bool", rest, _BOOL), parts=parts)


def _compound(needed: tuple[str, ...], allowed: dict[str, Check]) -> Read:
    """Return a reader of a query with inner queries under the parameters `needed`: a list for `queries`, else one
    each."""

    def read(one: Member, body: Object, reading: RequestContext) -> Clause:
        parts = {m.key: _inside(m, reading) for m in body.members if m.key in needed}
        params = reading.params(one.key, [m for m in body.members if m.key not in needed], allowed)
        for name in needed:
            if name not in parts:
                message, hint = f"'{one.key}' needs '{name}'", f'add "{name}"'
            elif name == "queries" and not parts[name]:
                message, hint = f"'{one.key}' needs at least one query", "write one"
            elif name != "queries" and len(parts[name]) != 1:
                message, hint = f"'{name}' takes one query", "use a 'bool' for several"
            else:
                continue
            raise reading.reject("syntax", message, body.span, hint, what=one.key)
        return Clause(one.key, params=params, parts=parts)

    return read


_NESTED: dict[str, Check] = {
    "path": values.text, "query": values.kept_apart, "ignore_unmapped": values.silent(values.boolean),
    "score_mode": values.one_of("avg", "sum", "min", "max", "none"), **BOOST,
}  # fmt: skip


def _nested(one: Member, body: Object, reading: RequestContext) -> Clause:
    path, inner = body.get("path"), body.get("query")
    if (shown := body.get("inner_hits")) is not None:
        reading.forbid(shown, "'inner_hits' cannot be used here", "leave it out: a hit shows its fields")
    params = reading.params("nested", [m for m in body.members if m is not shown], _NESTED)
    if path is None or inner is None or "path" not in params:
        raise reading.reject("syntax", "'nested' needs 'path' and 'query'", body.span,
                             'write {"path": "...", "query": {...}}', what="nested")
    name = params["path"]
    allowed = reading.nested_list(name, path.value.span, "use the query inside it by itself")
    outer = reading.nested[-1] if reading.nested else ""
    if allowed and outer and not name.startswith(f"{outer}."):
        reading.reject("not_allowed", f"the list '{name}' does not lie in the list '{outer}'", path.value.span,
                       "put the two beside each other in a 'bool', or leave one out", what=name)
    inside = read_inside(name, inner.value, reading)
    if not allowed:
        raise Rejected
    return Clause("nested", params=params, parts={"query": (inside,)})


def read_inside(path: str, node: Node, reading: RequestContext) -> Clause:
    """Read the query on elements of a nested list."""
    around, reading.nested = reading.nested, (*reading.nested, path)
    found = read_query(node, reading)
    reading.nested = around
    return found


# --- several fields --------------------------------------------------------------------------------------------------

_TYPES = values.one_of("best_fields", "most_fields", "cross_fields", "phrase", "phrase_prefix", "bool_prefix")
_MULTI_MATCH: dict[str, Check] = {
    **MATCH, "fields": values.texts, "slop": values.whole(0, 1000), "tie_breaker": values.positive, "type": _TYPES,
}  # fmt: skip
_SIMPLE_QUERY_STRING: dict[str, Check] = {
    "query": values.text, "fields": values.texts, "default_operator": values.one_of("and", "or", "AND", "OR"),
    "analyze_wildcard": values.boolean, "lenient": values.boolean, "analyzer": values.text,
    "minimum_should_match": values.minimum, "auto_generate_synonyms_phrase_query": values.boolean,
    "fuzzy_prefix_length": values.whole(), "fuzzy_max_expansions": values.whole(1, 1000),
    "fuzzy_transpositions": values.boolean, **BOOST, "flags": values.text,
}  # fmt: skip
_QUERY_STRING: dict[str, Check] = {
    **{name: check for name, check in _SIMPLE_QUERY_STRING.items() if name != "flags"},
    "default_field": values.text, "fuzziness": values.fuzziness, "phrase_slop": values.whole(0, 1000),
    "tie_breaker": values.positive, "allow_leading_wildcard": values.boolean, "quote_analyzer": values.text,
    "type": _TYPES, "enable_position_increments": values.boolean, "escape": values.boolean, "time_zone": values.text,
}  # fmt: skip
"""Parameters of queries with their own syntax. `quote_field_suffix` and `rewrite` are not allowed."""


def _asked(
    one: Member, body: Object, reading: RequestContext, allowed: dict[str, Check]
) -> tuple[dict[str, Any], Node]:
    """Return the parameters, and the node of the searched text."""
    params, asked = reading.params(one.key, body.members, allowed), body.get("query")
    if asked is None:
        raise reading.reject("syntax", f"'{one.key}' needs 'query'", body.span, 'add "query"', what=one.key)
    known(params.get("query"))
    return params, asked.value


def _multi_match(one: Member, body: Object, reading: RequestContext) -> Clause:
    params, asked = _asked(one, body, reading, _MULTI_MATCH)

    def fits(used: FieldUse) -> bool:
        return bool(params.get("lenient")) or values.fits(reading, used, params["query"], asked)

    found = _several_fields(one, params.pop("fields", None) or ["*"], body.get("fields"), params, reading, fits)
    return Clause(one.key, params=params, fields=known(found or None))


def _query_text(one: Member, body: Object, reading: RequestContext) -> Clause:
    """Read `query_string` or `simple_query_string`; every field that the text can reach is checked."""
    reads_fields = one.key == "query_string"
    params, asked = _asked(one, body, reading, _QUERY_STRING if reads_fields else _SIMPLE_QUERY_STRING)
    uses: list[FieldUse] = []
    bare = True
    if reads_fields and not params.get("escape"):
        text = read_query_text(params["query"])
        if isinstance(text, Refused):
            raise reading.reject("not_allowed", f"the text of '{one.key}' has {text.what}", asked.span, text.instead,
                                 what=one.key)
        bare, uses = text.bare, _named_fields(one, text.fields, asked.span, text.relative, reading)
    default = params.pop("default_field", None)
    names = params.pop("fields", None) or [default or "*"]
    # Without any word that names no field, the fields that such a word would look at are none of the query's.
    found = _several_fields(one, names, body.get("fields") or body.get("default_field"), params, reading)
    if not found and bare:
        raise Rejected
    return Clause(one.key, params=params, fields=found or tuple(dict.fromkeys((used, "") for used in uses)))


def _named_fields(
    one: Member, names: Sequence[str], span: Span, relative: bool, reading: RequestContext
) -> list[FieldUse]:
    """Return the fields that a text names. Raises Rejected if one of them may not be used."""
    found = [reading.used(name, span) for name in names]
    uses = [used for used in found if used is not None]
    if any(used is None or not usable(one.key, used, reading) for used in found):
        raise Rejected
    nested = next((used for used in uses if used.mapped.nested), None)
    if nested is not None:
        raise reading.reject("not_allowed", f"'{nested.path}' is in a list, which '{one.key}' does not look into", span,
                             "use 'nested' with 'match' or 'term'", what=nested.path)
    if relative and any(used.kind is FieldKind.DATE for used in uses):
        raise reading.reject("not_allowed", "'now' in a text is the server's clock", span,
                             "use a 'range' query, whose 'now' is the caller's", what="now")
    return uses


def _several_fields(
    one: Member, names: Sequence[str], given: Member | None, params: dict[str, Any], reading: RequestContext,
    fits: Callable[[FieldUse], bool] = lambda used: True,
) -> tuple[tuple[FieldUse, str], ...]:  # fmt: skip
    """Return the fields of a list with their boosts; a pattern expands to visible text fields."""
    span = given.value.span if given is not None else one.key_span
    found: list[tuple[FieldUse, str]] = []
    for name in names:
        path, caret, boost = name.partition("^")
        if caret and not _is_boost(boost):
            reading.reject("wrong_type", f"'{name}' has no number after its ^", span, "write title^2")
        elif "*" in path:
            found += [(used, caret + boost) for used in _matching(path, span, reading)]
            params["lenient"] = True
        else:
            used = reading.used(path, span)
            if used is not None and usable("match", used, reading) and fits(used):
                found.append((used, caret + boost))
    return tuple(dict.fromkeys(found))


def _is_boost(text: str) -> bool:
    try:
        return float(text) >= 0
    except ValueError:
        return False


def _matching(pattern: str, span: Span, reading: RequestContext) -> list[FieldUse]:
    """Expand a pattern to visible text fields, with a note if confidential ones are left out."""
    scope = reading.nested[-1] if reading.nested else ""
    found = [reading.used(path, span) for path in list(reading.reach.matching(pattern, scope))]
    if not found:
        reading.reject("unknown_field", f"no text field fits '{pattern}'", span, "name the fields", what=pattern)
    if reading.reach.hides(pattern):
        reading.tell(f"Confidential fields are left out of '{pattern}'.")
    return [used for used in found if used is not None]


# --- places ----------------------------------------------------------------------------------------------------------

_GEO: dict[str, Check] = {"distance_type": values.one_of("arc", "plane"), **BOOST}
_DISTANCE: dict[str, Check] = {**_GEO, "distance": values.text_or_number}


def _geo(one: Member, body: Object, reading: RequestContext) -> Clause:
    far = one.key == "geo_distance"
    own = _DISTANCE if far else _GEO
    about = [m for m in body.members if m.key not in own and m.key != "_name"]
    params = reading.params(one.key, [m for m in body.members if m not in about], own)
    if len(about) != 1 or (far and "distance" not in params):
        message = f"'{one.key}' needs one field with a place" + (" and a 'distance'" if far else "")
        raise reading.reject("syntax", message, body.span,
                             'write {"distance": "40km", "FIELD": {"lat": 41.9, "lon": 12.5}}', what=one.key)
    used = known(reading.used(about[0].key, about[0].key_span))
    if used.kind is not FieldKind.GEO_POINT:
        raise reading.mistype(used, f"'{used.path}' holds no places", "")
    place = plain(about[0].value)
    if not _is_place(place, box=not far):
        raise reading.reject("wrong_type", "this is not a place", about[0].value.span,
                             'write {"lat": 41.9, "lon": 12.5}, or two corners of a box', what=used.path)
    return Clause(one.key, used, {"place": place, **params})


def _geo_shape(one: Member, body: Object, reading: RequestContext) -> Clause:
    about = [m for m in body.members if m.key not in BOOST and m.key != "_name"]
    if len(about) != 1 or not isinstance(about[0].value, Object):
        raise reading.reject("syntax", "'geo_shape' needs one field with a shape", body.span, _SHAPE_HINT,
                             what=one.key)
    stored = about[0].value.get("indexed_shape")
    if stored is not None:
        raise reading.reject("not_allowed", "'geo_shape' cannot look its shape up in another document here",
                             stored.key_span, "write the shape itself", what="indexed_shape")
    used = known(reading.used(about[0].key, about[0].key_span))
    if used.kind not in (FieldKind.GEO_POINT, FieldKind.GEO_SHAPE):
        raise reading.mistype(used, f"'{used.path}' holds no places or shapes", "")
    params = reading.params(one.key, about[0].value.members, _SHAPE)
    if "shape" not in params:
        raise reading.reject("syntax", "'geo_shape' needs a 'shape'", about[0].value.span, _SHAPE_HINT, what=one.key)
    return Clause(one.key, used, params)


_SHAPE_HINT = 'write {"FIELD": {"shape": {"type": "envelope", "coordinates": [[12, 42], [13, 41]]}}}'
_MOST_NUMBERS = 2_000
"""Most coordinates of a shape."""


def _shape(value: Any) -> Any:
    """Accept a box or a polygon in GeoJSON."""
    if not isinstance(value, dict) or value.keys() != {"type", "coordinates"}:
        return None
    if str(value["type"]).lower() not in ("envelope", "polygon", "multipolygon"):
        return None
    count = _numbers_in(value["coordinates"])
    return value if 0 < count <= _MOST_NUMBERS else None


def _numbers_in(value: Any) -> int:
    """Return how many numbers are in nested lists; more than are allowed if anything else is."""
    if isinstance(value, list):
        return sum(map(_numbers_in, value))
    return 1 if isinstance(value, int | float) and not isinstance(value, bool) else _MOST_NUMBERS + 1


_SHAPE: dict[str, Check] = {
    "shape": values.accepted(_shape, "'{key}' is a box or a polygon", _SHAPE_HINT),
    "relation": values.one_of("intersects", "within", "disjoint"),
}
_CORNERS = {"top_left", "bottom_right", "top_right", "bottom_left", "top", "left", "bottom", "right", "lat", "lon"}


def _is_place(place: Any, *, box: bool) -> bool:
    """Whether a place has only numbers, texts and names of corners."""
    if isinstance(place, dict):
        names = _CORNERS if box else {"lat", "lon"}
        return bool(place) and set(place) <= names and all(_is_place(one, box=box) for one in place.values())
    if isinstance(place, list):
        return len(place) == 2 and all(isinstance(one, int | float) for one in place)
    return isinstance(place, int | float) or (isinstance(place, str) and len(place) < 100)


# --- functions that change the order, without scripts -----------------------------------------------------------------

MAX_FUNCTIONS = 50
_VALUE_FACTOR: dict[str, Check] = {
    "field": values.text, "factor": values.number, "missing": values.number,
    "modifier": values.one_of("none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal"),
}  # fmt: skip
_DECAY: dict[str, Check] = {
    "origin": values.scalar, "scale": values.scalar, "offset": values.scalar, "decay": values.positive,
}  # fmt: skip
_MODES = ("multiply", "sum", "avg", "max", "min")
_FUNCTION_SCORE: dict[str, Check] = {
    "score_mode": values.one_of(*_MODES, "first"), "boost_mode": values.one_of(*_MODES, "replace"),
    "max_boost": values.positive, **BOOST,
}  # fmt: skip
_MEASURED = (*NUMERIC, FieldKind.DATE, FieldKind.BOOLEAN)
_NO_FUNCTIONS = {
    "random_score": "leave it out: the order would be another one on every page",
    "min_score": "leave it out, and ask for what is needed in the query",
}


def _function_score(one: Member, body: Object, reading: RequestContext) -> Clause:
    for name, instead in _NO_FUNCTIONS.items():
        if (given := body.get(name)) is not None:
            reading.forbid(given, f"'{name}' cannot be used here", instead)
    inner, listed = body.get("query"), body.get("functions")
    alone = tuple(m for m in body.members if m.key in _OF_A_FUNCTION)
    read = ("query", "functions", "script_score", *_NO_FUNCTIONS, *_OF_A_FUNCTION)
    params = reading.params(one.key, [m for m in body.members if m.key not in read], _FUNCTION_SCORE)
    found = [_function(alone, reading)] if alone else []
    items = listed.value.items if listed is not None and isinstance(listed.value, Array) else ()
    if len(items) > MAX_FUNCTIONS:
        raise reading.reject("too_large", f"there are more than {MAX_FUNCTIONS} functions", one.key_span,
                             what="functions")
    for item in items:
        members = item.members if isinstance(item, Object) else ()
        if not members:
            reading.reject("syntax", 'a function is an object, such as {"weight": 2}', item.span, what="functions")
        found.append(_function(members, reading))
    query = read_query(inner.value, reading) if inner is not None else Clause("match_all")
    functions = tuple(known(each) for each in found)
    return Clause(one.key, params=params, parts={"query": (query,)}, functions=functions)


def _function(members: tuple[Member, ...], reading: RequestContext) -> Function | None:
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
            hint = _NO_FUNCTIONS.get(one.key, "use weight, field_value_factor, gauss, linear or exp")
            reading.forbid(one, f"the function '{one.key}' cannot be used here", hint)
            return None
    return None if None in made else Function(next(iter(made), None), weight, filtered)


def _factor(one: Member, body: Object, reading: RequestContext) -> Clause:
    params = reading.params(one.key, body.members, _VALUE_FACTOR)
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


_READERS: Mapping[str, Read] = {
    **dict.fromkeys(FIELD_QUERIES, field_query),
    "terms": terms_query,
    "exists": exists_query,
    "ids": ids_query,
    "match_all": _everything,
    "match_none": _everything,
    "bool": _bool,
    "nested": _nested,
    "constant_score": _compound(("filter",), BOOST),
    "dis_max": _compound(("queries",), {"tie_breaker": values.positive, **BOOST}),
    "boosting": _compound(("positive", "negative"), {"negative_boost": values.positive, **BOOST}),
    "multi_match": _multi_match,
    "function_score": _function_score,
    "query_string": _query_text,
    "simple_query_string": _query_text,
    "geo_distance": _geo,
    "geo_bounding_box": _geo,
    "geo_shape": _geo_shape,
    "script": script_query,
}
"""The reader of each query that may run. All others are refused."""

QUERIES = tuple(sorted(_READERS))
