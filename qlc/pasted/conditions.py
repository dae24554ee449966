"""Translates queries to conditions with exactly the same meaning, or says what would differ."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any, Literal

from qlc.compiler.caseless import case_variants, has_case
from qlc.compiler.codegen import like_pieces
from qlc.compiler.typed import looks_wild
from qlc.grammar import tree
from qlc.mapping.fields import NUMERIC, RANGES, FieldKind
from qlc.mapping.names import find_field
from qlc.mapping.schema import Field, NestedList
from qlc.pasted.areas_and_ranges import bounding_box, distance, range_test, shape
from qlc.pasted.clauses import Clause, Script
from qlc.pasted.date_ranges import date_range
from qlc.pasted.saying import NOTHING, CannotSay, Saying, literal, path_of

Say = Callable[[Clause, Saying], tree.Condition | None]


def condition_of(clause: Clause, saying: Saying) -> tree.Condition | None:
    """Return the condition of a query; None if it matches everything. Raises CannotSay."""
    say = _SAYINGS.get(clause.kind)
    if say is None:
        raise CannotSay(f"the query '{clause.kind or clause.params.get('name', '')}'")
    if clause.params.get("boost") is not None:
        saying.differ("how much each condition counts for the order ('boost')", "order")
    return say(clause, saying)


def all_of(parts: Iterable[tree.Condition | None]) -> tree.Condition | None:
    flat: list[tree.Condition] = []
    for part in parts:
        if isinstance(part, tree.And):
            flat += part.items
        elif part is not None:
            flat.append(part)
    return tree.And(tuple(flat)) if len(flat) > 1 else flat[0] if flat else None


def any_of(parts: Iterable[tree.Condition | None]) -> tree.Condition | None:
    """Join parts by `or`; None if one of them matches everything."""
    flat: list[tree.Condition] = []
    for part in parts:
        if part is None:
            return None
        flat += part.items if isinstance(part, tree.Or) else [part]
    return tree.Or(tuple(flat)) if len(flat) > 1 else flat[0]


def negated(part: tree.Condition | None) -> tree.Condition:
    """Negate a condition. Raises CannotSay if it matches everything."""
    if part is None:
        raise CannotSay(NOTHING)
    if isinstance(part, tree.Not):
        return part.item
    return tree.Not(part)


def _bool(clause: Clause, saying: Saying) -> tree.Condition | None:
    must = [condition_of(one, saying) for name in ("must", "filter") for one in clause.parts.get(name, ())]
    saying.negations += 1
    must_not = [negated(condition_of(one, saying)) for one in clause.parts.get("must_not", ())]
    saying.negations -= 1
    should = clause.parts.get("should", ())
    needed = minimum(clause.params.get("minimum_should_match"), len(should), bool(
        clause.parts.get("must") or clause.parts.get("filter")))
    chosen: tree.Condition | None = None
    if should and needed <= 0:
        saying.differ("'should' without 'minimum_should_match', which only changes the order", "order")
    elif should and needed > len(should):
        raise CannotSay(NOTHING)
    elif should:
        chosen = _some(should, needed, saying)
    return all_of([*must, chosen, *must_not])


MOST_WAYS = 20


def _some(should: tuple[Clause, ...], needed: int, saying: Saying) -> tree.Condition | None:
    if needed == 1:
        same = _under(should, saying)
        if same is not None:
            return same
    parts = [condition_of(one, saying) for one in should]
    if needed == 1:
        return any_of(parts)
    if needed == len(parts):
        return all_of(parts)
    if math.comb(len(parts), needed) > MOST_WAYS:
        raise CannotSay(f"at least {needed} of {len(parts)} conditions")
    return any_of(all_of(ways) for ways in combinations(parts, needed))


def _under(should: tuple[Clause, ...], saying: Saying) -> tree.Condition | None:
    """Recognize the two clauses that `under` compiles to: the ancestors, or the folder itself, are among some ids."""
    if len(should) != 2 or saying.element is not None:
        return None
    above, itself = should
    ids = _ids_of(above), _ids_of(itself)
    if ids[0] is None or ids[0] != ids[1] or above.field is None or itself.field is None:
        return None
    for one in saying.entity.fields.values():
        stored = one.reference.ancestors if one.reference is not None else None
        if stored is not None and above.field.path == stored.term_path and itself.field.path == one.mapped.term_path:
            values: list[tree.Value] = [tree.String(value) for value in ids[0]]
            path = path_of([one.name])
            if len(values) == 1:
                return tree.Comparison(path, "under", values[0])
            return tree.Comparison(path, "under in", tree.ListValue(tuple(values)))
    return None


def _ids_of(clause: Clause) -> tuple[str, ...] | None:
    if clause.kind == "term" and not clause.params.get("case_insensitive"):
        return (str(clause.params["value"]),)
    return tuple(map(str, clause.params["values"])) if clause.kind == "terms" else None


def minimum(given: object, count: int, has_others: bool) -> int:
    """Return how many of the `should` queries must match. Raises CannotSay."""
    if given is None:
        return 0 if has_others or not count else 1
    text = str(given).strip()
    if re.fullmatch(r"-?\d+", text):
        number = int(text)
    elif re.fullmatch(r"-?\d+%", text):
        part = int(text[:-1]) * count / 100
        number = math.trunc(part)
    else:
        raise CannotSay(f"'minimum_should_match' of {text}")
    if number < 0:
        number += count
    return max(0, number)


def _inner(name: str, without: str = "") -> Say:
    """Return a translator for the query under a parameter; `without` names an effect of the outer query that gets
    lost."""

    def say(clause: Clause, saying: Saying) -> tree.Condition | None:
        if without:
            saying.differ(without, "order")
        return condition_of(clause.parts[name][0], saying)

    return say


def _dis_max(clause: Clause, saying: Saying) -> tree.Condition | None:
    if not clause.parts["queries"]:
        raise CannotSay(NOTHING)
    return any_of(condition_of(one, saying) for one in clause.parts["queries"])


def _nested(clause: Clause, saying: Saying) -> tree.Condition | None:
    element, around = element_of(clause.params["path"], saying)
    inside = Saying(saying.entity, saying.clock, saying.patterns, saying.differences, element, saying.negations)
    return around(condition_of(clause.parts["query"][0], inside))


def element_of(path: str, saying: Saying) -> tuple[NestedList, Callable[[tree.Condition | None], tree.Condition]]:
    """Return the nested list at a path, and what makes a condition on its elements one on the list. Raises
    CannotSay."""
    if saying.element is not None:
        raise CannotSay(f"the list '{path}' inside another list")
    found = next((one for one in saying.entity.lists.values() if one.path == path), None)
    names = (found.name,) if found is not None else tuple(path.split("."))
    resolved = find_field(saying.entity, names)
    if resolved is None or not isinstance(resolved.found, NestedList) or not resolved.found.tied:
        raise CannotSay(f"the list '{path}' of {saying.entity.plural}")

    def around(narrowed: tree.Condition | None) -> tree.Condition:
        if narrowed is None:
            return tree.Presence(path_of(names), missing=False)
        *before, last = path_of(names).segments
        return tree.Bare(tree.Path((*before, tree.Segment(last.name, narrowed))))

    return resolved.found, around


def said_by(script: Script | None, saying: Saying) -> Any:
    """Return the condition or the calculation that a script of qlc is made of. Raises CannotSay."""
    if script is None or saying.entity.name not in script.said:
        raise CannotSay(f"a script about {saying.entity.plural}")
    return script.said[saying.entity.name]


# --- one field -------------------------------------------------------------------------------------------------------


def _equal(clause: Clause, saying: Saying, given: list[Any]) -> tree.Condition:
    used = clause.field
    assert used is not None
    if used.path == "_id":
        return _by_id([str(one) for one in given], saying)
    if used.kind is FieldKind.TEXT:
        raise CannotSay(f"'{clause.kind}' on the words of '{used.path}'")
    field, path = saying.field(used)
    folded = bool(clause.params.get("case_insensitive"))
    return _one_of(path, [literal(one, field, saying, folded=folded) for one in given])


def _one_of(path: tree.Path, values: list[tree.Value]) -> tree.Condition:
    if not values:
        raise CannotSay(NOTHING)
    return tree.Comparison(path, *(("=", values[0]) if len(values) == 1 else ("in", tree.ListValue(tuple(values)))))


def _by_id(ids: list[str], saying: Saying) -> tree.Condition:
    """Return the condition on Elasticsearch's document id."""
    if saying.element is not None:
        raise CannotSay("'_id' inside a list")
    identity = saying.entity.id
    if identity is not None:
        saying.differ(f"'_id', for which '{identity.name}' is taken")
    name = identity.name if identity is not None else "_id"
    return _one_of(path_of([name]), [tree.String(one) for one in ids])


def _exists(clause: Clause, saying: Saying) -> tree.Condition:
    assert clause.field is not None
    if clause.field.mapped.es_type == "object":
        raise CannotSay(f"whether there is anything in '{clause.field.path}'")
    _, path = saying.field(clause.field)
    return tree.Presence(path, missing=False)


_SIGNS: Mapping[str, Literal["<", "<=", ">", ">="]] = {"gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}


def _range(clause: Clause, saying: Saying) -> tree.Condition:
    used, params = clause.field, dict(clause.params)
    assert used is not None
    if used.kind in RANGES:
        return range_test(clause, saying)
    field, path = saying.field(used)
    if field.kind is FieldKind.DATE:
        return date_range(params, used, saying)
    has_order = field.kind in (*NUMERIC, FieldKind.KEYWORD, FieldKind.IP) and used.kind is not FieldKind.TEXT
    if not has_order or field.reference is not None or field.is_id:
        raise CannotSay(f"the order of '{used.path}'")
    bounds = {name: params[name] for name in _SIGNS if name in params}
    if not bounds:
        return tree.Presence(path, missing=False)
    ends = {name: literal(value, field, saying, folded=True) for name, value in bounds.items()}
    if bounds.keys() == {"gte", "lte"}:
        return tree.Between(path, ends["gte"], ends["lte"])
    if len(bounds) > 1 and field.many is not False:
        saying.differ(f"both bounds of '{field.name}', which two values of a list may meet here")
    parts = [tree.Comparison(path, _SIGNS[name], value) for name, value in ends.items()]
    return parts[0] if len(parts) == 1 else tree.And(tuple(parts))


# --- texts -----------------------------------------------------------------------------------------------------------


_ONE_WORD = re.compile(r"[A-Za-z]+|[0-9]+")


def _match(clause: Clause, saying: Saying) -> tree.Condition:
    used, params = clause.field, clause.params
    assert used is not None
    if used.kind is not FieldKind.TEXT:
        return _equal(clause, saying, [params["query"]])
    text = str(params["query"])
    unsaid = params.keys() - {"query", "operator", "boost", "lenient", "max_expansions", "prefix_length",
                              "fuzzy_transpositions", "auto_generate_synonyms_phrase_query"}  # fmt: skip
    if unsaid:
        raise CannotSay(f"'{sorted(unsaid)[0]}' of a 'match'")
    if not text.strip() or looks_wild(text):
        raise CannotSay("a search for no words" if not text.strip() else f"the signs in {text!r}, which are no words")
    _, path = saying.field(used)
    any_of_them = params.get("operator", "or") != "and" and not _ONE_WORD.fullmatch(text.strip())
    return tree.Comparison(path, "matches any" if any_of_them else "matches", tree.String(text))


def _phrase(clause: Clause, saying: Saying) -> tree.Condition:
    used, params = clause.field, clause.params
    assert used is not None
    if used.kind is not FieldKind.TEXT:
        return _equal(clause, saying, [params["query"]])
    unsaid, slop = params.keys() - {"query", "boost", "slop"}, int(params.get("slop", 0))
    if unsaid or not str(params["query"]).strip() or looks_wild(str(params["query"])):
        raise CannotSay(f"'{sorted(unsaid)[0] if unsaid else 'query'}' of a 'match_phrase'")
    _, path = saying.field(used)
    return tree.Comparison(path, "mentions", tree.String(str(params["query"])), slop or None)


def _multi_match(clause: Clause, saying: Saying) -> tree.Condition:
    params = clause.params
    kind = params.get("type", "best_fields")
    texts = {one.mapped.analysed for one in saying.entity.text}
    text = str(params["query"])
    rest = params.keys() - {"query", "type", "lenient", "boost"}
    if saying.element is None and {used.path for used, _ in clause.fields} == texts and not rest and text.strip():
        if kind == "phrase":
            return tree.EntityText("mentions", tree.String(text))
        if kind == "best_fields" and not any(boost for _, boost in clause.fields):
            return tree.EntityText("about", tree.String(text))
    if kind == "phrase" and not rest:
        parts: list[tree.Condition | None] = [
            _phrase(Clause("match_phrase", used, {"query": text}), saying) for used, _ in clause.fields]
        found = any_of(parts)
        assert found is not None
        return found
    raise CannotSay(f"the words {text!r} in several fields in this way")


# --- parts of texts --------------------------------------------------------------------------------------------------


def _pattern_field(clause: Clause, saying: Saying) -> tuple[Field, tree.Path]:
    used = clause.field
    assert used is not None
    if used.kind is not FieldKind.KEYWORD:
        raise CannotSay(f"'{clause.kind}' on '{used.path}'")
    field, path = saying.field(used)
    if field.reference is not None or field.is_id or field.kind is not FieldKind.KEYWORD:
        raise CannotSay(f"a part of the ids in '{field.name}'")
    return field, path


def _prefix(clause: Clause, saying: Saying) -> tree.Condition:
    field, path = _pattern_field(clause, saying)
    text = str(clause.params["value"])
    if not text:
        return tree.Presence(path, missing=False)
    saying.compared(text, field, folded=bool(clause.params.get("case_insensitive")))
    return tree.Comparison(path, "starts with", tree.String(text))


def _wildcard(clause: Clause, saying: Saying) -> tree.Condition:
    field, path = _pattern_field(clause, saying)
    pattern = str(clause.params["value"])
    if re.search(r"\\[^*?\\]|\\\Z", pattern):
        raise CannotSay(f"the pattern {pattern!r}")
    pieces = like_pieces(pattern)
    text = "".join(piece for piece in pieces if piece)
    saying.compared(text, field, folded=bool(clause.params.get("case_insensitive")))
    return _like(path, pieces)


def _like(path: tree.Path, pieces: list[str | None]) -> tree.Condition:
    """Return the shortest condition for a pattern of texts, with `None` for any letters and an empty text for one
    letter."""
    match pieces:
        case []:
            raise CannotSay("an empty pattern")
        case [None]:
            return tree.Presence(path, missing=False)
        case [str(text)] if text:
            return tree.Comparison(path, "=", tree.String(text))
        case [None, str(text), None] if text:
            return tree.Comparison(path, "contains", tree.String(text))
        case [str(text), None] if text:
            return tree.Comparison(path, "starts with", tree.String(text))
        case [None, str(text)] if text:
            return tree.Comparison(path, "ends with", tree.String(text))
    spelled = ("*" if one is None else "?" if not one else re.sub(r"([*?\\])", r"\\\1", one) for one in pieces)
    return tree.Comparison(path, "like", tree.String("".join(spelled)))


_REGEXP = re.compile(r"(\.\*)|(\.)|\\(.)|\[([^\]\[\\^-]+)\]|([^.?+*|{}\[\]()\"\\#@&<>~^$-])", re.DOTALL)


def _regexp(clause: Clause, saying: Saying) -> tree.Condition:
    """Translate a regular expression that consists of literal text, in any case, and wildcards."""
    field, path = _pattern_field(clause, saying)
    pattern, at = str(clause.params["value"]), 0
    folded = bool(clause.params.get("case_insensitive"))
    pieces: list[str | None] = []
    for found in _REGEXP.finditer(pattern):
        if found.start() != at:
            break
        at = found.end()
        if found[1] or found[2]:
            pieces.append(None if found[1] else "")
            continue
        letter = found[3] or found[5] or found[4][0]
        if found[4] and set(found[4]) != set(case_variants(letter)):
            raise CannotSay(f"the pattern {pattern!r}")
        if not found[4] and has_case(letter) and not folded and field.mapped.normalizer is None:
            saying.in_any_case(pattern, field)
        if pieces and pieces[-1]:
            pieces[-1] += letter
        else:
            pieces.append(letter)
    if at != len(pattern) or field.mapped.es_type == "flattened":
        raise CannotSay(f"the pattern {pattern!r}")
    return _like(path, pieces)


_SAYINGS: Mapping[str, Say] = {
    "match_all": lambda clause, saying: None,
    "match_none": lambda clause, saying: negated(None),
    "bool": _bool,
    "constant_score": _inner("filter"),
    "boosting": _inner("positive", "'negative', which only changes the order"),
    "function_score": _inner("query", "the functions, which only change the order"),
    "dis_max": _dis_max,
    "nested": _nested,
    "term": lambda clause, saying: _equal(clause, saying, [clause.params["value"]]),
    "terms": lambda clause, saying: _equal(clause, saying, clause.params["values"]),
    "ids": lambda clause, saying: _by_id(clause.params["values"], saying),
    "exists": _exists,
    "range": _range,
    "prefix": _prefix,
    "wildcard": _wildcard,
    "regexp": _regexp,
    "match": _match,
    "match_phrase": _phrase,
    "multi_match": _multi_match,
    "geo_distance": distance,
    "geo_bounding_box": bounding_box,
    "geo_shape": shape,
    "script": lambda clause, saying: said_by(clause.script, saying),
}
"""The translator of each query. All others can be run and explained, but not translated."""
