"""Queries as they are pasted, read into clauses that may run: every kind and every parameter is on a list.

What is sent is made anew from the clauses, so nothing that was not read here reaches Elasticsearch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qlc.diagnostics import Span
from qlc.mapping.fields import FieldKind
from qlc.mapping.nearest import did_you_mean, nearest
from qlc.pasted import values
from qlc.pasted.clauses import Clause, Reading
from qlc.pasted.field_queries import (
    BOOST,
    FIELD_QUERIES,
    MATCH,
    exists_query,
    field_query,
    ids_query,
    object_of,
    terms_query,
    usable,
)
from qlc.pasted.json_tree import Array, Member, Node, Object, Slip, plain
from qlc.pasted.problems import Findings
from qlc.pasted.query_text import Refused, read_query_text
from qlc.pasted.reach import FieldUse
from qlc.pasted.scores import read_function_score
from qlc.pasted.values import Check

MAX_CLAUSES = 500


# --- queries ---------------------------------------------------------------------------------------------------------


def read_query(node: Node, reading: Reading) -> Clause:
    """The one query that an object holds."""
    reading.clauses += 1
    if reading.clauses == MAX_CLAUSES + 1:
        reading.findings.reject("too_large", f"the request has more than {MAX_CLAUSES} queries", node.span,
                                "take values together in one 'terms' query")
    nothing = Clause("", node.span)
    if reading.clauses > MAX_CLAUSES:
        return nothing
    if not isinstance(node, Object):
        reading.findings.reject("syntax", "a query is an object, such as {\"match_all\": {}}", node.span,
                                "write the kind of the query with what it asks", what="query")
        return nothing
    if not node.members:
        reading.findings.reject("syntax", "a query is missing between these brackets", node.span,
                                'write {"match_all": {}} for everything', what="query")
        return nothing
    if len(node.members) > 1:
        second = node.members[1]
        reading.findings.reject("syntax", f"one object holds one query, and '{second.key}' is a second one",
                                second.key_span, "put both into the 'filter' list of a 'bool'", what=second.key)
    found = [_read(one, reading) for one in node.members]
    return found[0] if len(found) == 1 else nothing


def _read(one: Member, reading: Reading) -> Clause:
    read = _READERS.get(one.key)
    if read is None:
        _unknown_query(one, reading)
        return Clause("", Span(one.key_span.start, one.value.span.end), params={"name": one.key})
    found = read(one, reading)
    return found if found is not None else Clause("", one.value.span, params={"name": one.key})


def _unknown_query(one: Member, reading: Reading) -> None:
    findings = reading.findings
    if one.key in ("script", "script_score"):
        return  # told where scripts are looked for
    instead = _INSTEAD.get(one.key)
    if instead is not None:
        findings.reject("not_allowed", f"the query '{one.key}' cannot be run here", one.key_span, instead, what=one.key)
        return
    near = nearest(one.key, _READERS, 2)
    known = isinstance(reading.reach.field(one.key, one.key_span), FieldUse)
    if known:
        findings.reject("syntax", f"'{one.key}' is a field, and the kind of a query belongs here", one.key_span,
                        f'write {{"term": {{"{one.key}": ...}}}}', what=one.key)
        return
    findings.reject("not_allowed", f"there is no query '{one.key}' here", one.key_span,
                    did_you_mean(near) or "queries are bool, term, terms, range, exists, match, nested and their like",
                    what=one.key, suggestions=near, slip=values.misspelt(one, _READERS))


_INSTEAD: Mapping[str, str] = {
    "more_like_this": "ask for words with 'match'",
    "percolate": "leave it out",
    "wrapper": "write the query itself",
    "pinned": "use 'ids'",
    "has_child": "leave it out",
    "has_parent": "leave it out",
    "parent_id": "leave it out",
    "knn": "use 'match' for words",
    "terms_set": "use 'bool' with 'minimum_should_match'",
    "filtered": "use 'bool' with 'filter'",
    "and": "use 'bool' with 'filter'",
    "or": "use 'bool' with 'should'",
    "not": "use 'bool' with 'must_not'",
    "missing": "use 'bool' with 'must_not' and 'exists'",
}


def _everything(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    allowed = BOOST if one.key == "match_all" else {}
    return Clause(one.key, one.value.span, params=values.read_params(reading.findings, one.key, body.members, allowed))


# --- queries made of queries -----------------------------------------------------------------------------------------


def _inside(one: Member, reading: Reading) -> tuple[Clause, ...]:
    """The queries of a parameter: one, or a list."""
    nodes = one.value.items if isinstance(one.value, Array) else (one.value,)
    return tuple(read_query(node, reading) for node in nodes)


_OCCURS = ("must", "filter", "should", "must_not")


def _bool(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    parts: dict[str, tuple[Clause, ...]] = {}
    rest: list[Member] = []
    for member in body.members:
        if member.key in _OCCURS:
            parts[member.key] = _inside(member, reading)
        else:
            rest.append(member)
    allowed: dict[str, Check] = {
        **dict.fromkeys(_OCCURS, _kept), "minimum_should_match": values.minimum, "adjust_pure_negative": values.boolean,
        **BOOST,
    }  # fmt: skip
    misplaced = [member for member in rest if member.key in _READERS]
    for member in misplaced:
        rest.remove(member)
        whole = Span(member.key_span.start, member.value.span.end)
        text = reading.findings.body.text[whole.start : whole.end] if reading.findings.body is not None else ""
        # One alone means the same wherever it is put, as long as nothing else is there to choose from.
        sure = len(misplaced) == 1 and not {"filter", "should"} & set(body.keys())
        slip = Slip(f"'{member.key}' stands in a 'bool' by itself", "put it under 'filter'", whole,
                    f'"filter": [{{{text}}}]') if sure else None
        reading.findings.reject("syntax", f"'{member.key}' stands in a 'bool' without saying how it counts",
                                member.key_span, "put it under 'filter', 'must', 'should' or 'must_not'",
                                what=member.key, slip=slip)
    params = values.read_params(reading.findings, "bool", rest, allowed)
    return Clause("bool", one.value.span, params=params, parts=parts)


def _compound(needed: tuple[str, ...], allowed: dict[str, Check]) -> Callable[[Member, Reading], Clause | None]:
    def read(one: Member, reading: Reading) -> Clause | None:
        body = object_of(one, reading)
        if body is None:
            return None
        parts = {m.key: _inside(m, reading) for m in body.members if m.key in needed}
        params = values.read_params(reading.findings, one.key, [m for m in body.members if m.key not in needed],
                                    allowed)
        for name in needed:
            if name not in parts:
                reading.findings.reject("syntax", f"'{one.key}' needs '{name}'", body.span, f'add "{name}"',
                                        what=one.key)
                return None
            if name == "queries" and not parts[name]:
                reading.findings.reject("syntax", f"'{one.key}' needs at least one query", body.span, "write one",
                                        what=one.key)
                return None
            if name != "queries" and len(parts[name]) != 1:
                reading.findings.reject("syntax", f"'{name}' takes one query", body.span, "use a 'bool' for several",
                                        what=one.key)
                return None
        return Clause(one.key, one.value.span, params=params, parts=parts)

    return read


def _nested(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    path, inner = body.get("path"), body.get("query")
    allowed: dict[str, Check] = {
        "path": values.text, "query": _kept, "ignore_unmapped": values.boolean,
        "score_mode": values.one_of("avg", "sum", "min", "max", "none"), **BOOST,
    }  # fmt: skip
    if (shown := body.get("inner_hits")) is not None:
        reading.findings.reject("not_allowed", "'inner_hits' cannot be used here", shown.key_span,
                                "leave it out: a hit shows its fields", what="inner_hits")
    rest = [m for m in body.members if m.key != "inner_hits"]
    params = values.read_params(reading.findings, "nested", rest, allowed)
    if path is None or inner is None or "path" not in params:
        reading.findings.reject("syntax", "'nested' needs 'path' and 'query'", body.span,
                                'write {"path": "...", "query": {...}}', what="nested")
        return None
    name = params["path"]
    why = reading.reach.nested(name)
    if why is not None:
        if why.confidential:
            reading.withheld(name, why, path.value.span)
        else:
            reading.findings.reject("unknown_field", f"there is no nested list '{name}'", path.value.span,
                                    did_you_mean(why.nearest) or "use the query inside it by itself", what=name,
                                    suggestions=why.nearest)
    outer = reading.nested[-1] if reading.nested else ""
    if why is None and outer and not name.startswith(f"{outer}."):
        reading.findings.reject("not_allowed", f"the list '{name}' does not lie in the list '{outer}'", path.value.span,
                                "put the two beside each other in a 'bool', or leave one out", what=name)
    around, reading.nested = reading.nested, (*reading.nested, name)
    inside = read_query(inner.value, reading)
    reading.nested = around
    params.pop("query", None)
    params.pop("ignore_unmapped", None)
    return None if why is not None else Clause("nested", one.value.span, params=params, parts={"query": (inside,)})


def _kept(findings: Findings, one: Member) -> Any:
    return one


# --- several fields, places ------------------------------------------------------------------------------------------


def _multi_match(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    allowed: dict[str, Check] = {
        **MATCH, "fields": values.texts, "slop": values.whole(0, 1000), "tie_breaker": values.positive,
        "type": values.one_of("best_fields", "most_fields", "cross_fields", "phrase", "phrase_prefix", "bool_prefix"),
    }  # fmt: skip
    params = values.read_params(reading.findings, "multi_match", body.members, allowed)
    asked = body.get("query")
    if asked is None or "query" not in params:
        if asked is None:
            reading.findings.reject("syntax", "'multi_match' needs 'query'", body.span, 'add "query"', what=one.key)
        return None
    member = body.get("fields")
    names = params.pop("fields", None) or ["*"]
    span = member.value.span if member is not None else one.key_span
    found: list[tuple[FieldUse, str]] = []
    for name in names:
        path, caret, boost = name.partition("^")
        if caret and not _is_number(boost):
            reading.findings.reject("wrong_type", f"'{name}' has no number behind its ^", span, "write title^2")
            continue
        if "*" in path:
            found += [(used, caret + boost) for used in _matching(path, span, reading)]
            params["lenient"] = True
        else:
            used = reading.used(path, span)
            if (used is not None and usable(Member("match", one.key_span, one.value), used, reading)
                    and (params.get("lenient") or values.fits(reading.findings, used, params["query"], asked.value))):
                found.append((used, caret + boost))
    if not found:
        return None
    return Clause("multi_match", one.value.span, params=params, fields=tuple(dict.fromkeys(found)))


_TEXT_QUERY: dict[str, Check] = {
    "query": values.text, "fields": values.texts, "default_operator": values.one_of("and", "or", "AND", "OR"),
    "analyze_wildcard": values.boolean, "lenient": values.boolean, "analyzer": values.text,
    "minimum_should_match": values.minimum, "auto_generate_synonyms_phrase_query": values.boolean,
    "fuzzy_prefix_length": values.whole(), "fuzzy_max_expansions": values.whole(1, 1000),
    "fuzzy_transpositions": values.boolean, **BOOST,
}  # fmt: skip
_QUERY_STRING: dict[str, Check] = {
    **_TEXT_QUERY, "default_field": values.text, "fuzziness": values.fuzziness, "phrase_slop": values.whole(0, 1000),
    "tie_breaker": values.positive, "allow_leading_wildcard": values.boolean, "quote_analyzer": values.text,
    "type": values.one_of("best_fields", "most_fields", "cross_fields", "phrase", "phrase_prefix", "bool_prefix"),
    "enable_position_increments": values.boolean, "escape": values.boolean, "time_zone": values.text,
}  # fmt: skip
"""Of queries in a language of their own. `quote_field_suffix` and `rewrite` are on neither list."""


def _query_text(one: Member, reading: Reading) -> Clause | None:
    """`query_string` and `simple_query_string`: every field that the text can reach is looked at."""
    body = object_of(one, reading)
    if body is None:
        return None
    reads_fields = one.key == "query_string"
    allowed = _QUERY_STRING if reads_fields else {**_TEXT_QUERY, "flags": values.text}
    params = values.read_params(reading.findings, one.key, body.members, allowed)
    asked = body.get("query")
    if asked is None or "query" not in params:
        if asked is None:
            reading.findings.reject("syntax", f"'{one.key}' needs 'query'", body.span, 'add "query"', what=one.key)
        return None
    bare = True
    if reads_fields and not params.get("escape"):
        text = read_query_text(params["query"])
        if isinstance(text, Refused):
            reading.findings.reject("not_allowed", f"the text of '{one.key}' has {text.what}", asked.value.span,
                                    text.instead, what=one.key)
            return None
        bare = text.bare
        uses = [reading.used(name, asked.value.span) for name in text.fields]
        if any(used is None or not usable(one, used, reading) for used in uses):
            return None
        nested = next((used for used in uses if used is not None and used.mapped.nested), None)
        if nested is not None:
            reading.findings.reject("not_allowed", f"'{nested.path}' lies in a list, which '{one.key}' does not look "
                                    "into", asked.value.span, "use 'nested' with 'match' or 'term'", what=nested.path)
            return None
        if text.relative and any(used is not None and used.kind is FieldKind.DATE for used in uses):
            reading.findings.reject("not_allowed", "'now' in a text is the server's clock", asked.value.span,
                                    "use a 'range' query, whose 'now' is the caller's", what="now")
            return None
    default = params.pop("default_field", None)
    names = params.pop("fields", None) or ([default] if default else ["*"])
    member = body.get("fields") or body.get("default_field")
    # Without any word that names no field, the fields that such a word would look at are none of the query's.
    found = _several_fields(one, names, member.value.span if member is not None else one.key_span, params, reading)
    if bare and not found:
        return None
    if not bare and not found:
        found = [(used, "") for used in uses if used is not None]
    return Clause(one.key, one.value.span, params=params, fields=tuple(dict.fromkeys(found)))


def _several_fields(
    one: Member, names: Sequence[str], span: Span, params: dict[str, Any], reading: Reading
) -> list[tuple[FieldUse, str]]:
    """The fields of a list with their boosts; a pattern means the text fields that may be seen."""
    found: list[tuple[FieldUse, str]] = []
    for name in names:
        path, caret, boost = name.partition("^")
        if caret and not _is_number(boost):
            reading.findings.reject("wrong_type", f"'{name}' has no number behind its ^", span, "write title^2")
        elif "*" in path:
            found += [(used, caret + boost) for used in _matching(path, span, reading)]
            params["lenient"] = True
        else:
            used = reading.used(path, span)
            if used is not None and usable(Member("match", one.key_span, one.value), used, reading):
                found.append((used, caret + boost))
    return found


def _is_number(text: str) -> bool:
    try:
        return float(text) >= 0
    except ValueError:
        return False


def _matching(pattern: str, span: Span, reading: Reading) -> list[FieldUse]:
    """The text fields that a pattern means; what must not be seen is left out, and said."""
    found = [reading.used(path, span) for path in list(reading.reach.matching(pattern, text_only=True))]
    if not found:
        reading.findings.reject("unknown_field", f"no text field fits '{pattern}'", span, "name the fields",
                                what=pattern)
    if reading.reach.hides(pattern):
        reading.findings.tell(f"Confidential fields are left out of '{pattern}'.")
    return [used for used in found if used is not None]


def _geo(one: Member, reading: Reading) -> Clause | None:
    body = object_of(one, reading)
    if body is None:
        return None
    own: dict[str, Check] = {"distance_type": values.one_of("arc", "plane"), **BOOST}
    if one.key == "geo_distance":
        own["distance"] = values.either(str, int, float)
    about = [m for m in body.members if m.key not in own and m.key != "_name"]
    params = values.read_params(reading.findings, one.key, [m for m in body.members if m not in about], own)
    if len(about) != 1 or (one.key == "geo_distance" and "distance" not in params):
        reading.findings.reject("syntax", f"'{one.key}' needs one field with a place"
                                + (" and a 'distance'" if one.key == "geo_distance" else ""), body.span,
                                'write {"distance": "40km", "FIELD": {"lat": 41.9, "lon": 12.5}}', what=one.key)
        return None
    used = reading.used(about[0].key, about[0].key_span)
    if used is None:
        return None
    if used.kind is not FieldKind.GEO_POINT:
        reading.findings.reject("wrong_type", f"'{used.path}' holds no places", about[0].key_span, what=used.path)
        return None
    place = plain(about[0].value)
    if not _is_place(place, box=one.key == "geo_bounding_box"):
        reading.findings.reject("wrong_type", "this is no place", about[0].value.span,
                                'write {"lat": 41.9, "lon": 12.5}, or two corners of a box', what=used.path)
        return None
    return Clause(one.key, one.value.span, used, {"place": place, **params})


def _is_place(place: Any, *, box: bool) -> bool:
    """Numbers, texts and the names of corners, and nothing else."""
    if isinstance(place, dict):
        names = {"lat", "lon"} if not box else {"top_left", "bottom_right", "top_right", "bottom_left", "top", "left",
                                                "bottom", "right", "lat", "lon"}
        return bool(place) and set(place) <= names and all(_is_place(one, box=box) for one in place.values())
    if isinstance(place, list):
        return len(place) == 2 and all(isinstance(one, int | float) for one in place)
    return isinstance(place, int | float) or (isinstance(place, str) and len(place) < 100)


_READERS: Mapping[str, Callable[[Member, Reading], Clause | None]] = {
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
    "function_score": lambda one, reading: read_function_score(one, reading, read_query),
    "query_string": _query_text,
    "simple_query_string": _query_text,
    "geo_distance": _geo,
    "geo_bounding_box": _geo,
}
"""The queries that may run. Whatever is not here is refused."""

QUERIES = tuple(sorted(_READERS))
