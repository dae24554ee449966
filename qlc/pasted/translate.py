"""Translates a pasted request to a program with the same answer, or says why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.base.options import zone_of
from qlc.compiler.check import check
from qlc.compiler.periods import Clock
from qlc.grammar import print_program, tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.pasted.aggregations import Aggregation
from qlc.pasted.checking import Checked
from qlc.pasted.clauses import Clause
from qlc.pasted.conditions import all_of, condition_of, said_by
from qlc.pasted.reach import FieldUse, Reach, covers
from qlc.pasted.request import Search, SortKey
from qlc.pasted.saying import CannotSay, Nature, Saying, number

DEFAULT_SIZE = 10
"""Default number of hits in Elasticsearch."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation. `program` is empty if there is none. `differences` say where it deviates, or why there is none.

    - `list`: the program without a page size; its number of documents equals the request's.
    - `same_documents`: only the order differs.
    - `count`: for a program that finds at least the request's documents: if this program counts as many, they are the
      same.
    - `without_empty_rows`: only rows of empty buckets differ.
    """

    program: str = ""
    differences: tuple[str, ...] = ()
    same_documents: bool = False
    count: str = ""
    list: str = ""
    without_empty_rows: bool = False

    @property
    def exact(self) -> bool:
        return bool(self.program) and not self.differences


def translate(found: Checked, schema: Schema, clock: Clock) -> Translation:
    """Translate a request without problems."""
    if found.search is None or found.reach is None or found.problems:
        return Translation(differences=("a request that is not run",))
    if found.reach.misplaced:
        return Translation(differences=(f"'{found.reach.misplaced}' where it has no values",))
    try:
        statement, differences = _statement(found.search, found.reach, schema, clock)
    except CannotSay as part:
        return Translation(differences=(str(part),))
    program = tree.Program((), statement)
    text = print_program(program)
    checked = check(program, schema, text, {}, found.reach.permitted)
    errors = [one for one in checked.diagnostics if one.severity == "error"]
    if errors:
        return Translation(differences=(f"something that a program cannot ask: {errors[0].message}",))
    natures = set(differences.values())
    count = ""
    if natures == {"wider"} or natures == {"wider", "order"}:
        asked = checked.tree.statement
        assert isinstance(asked, tree.Find | tree.Aggregate)
        assert isinstance(asked.entity, tree.Name)
        counting = tree.Aggregate((tree.Measure("count"),), asked.entity, asked.where)
        count = print_program(tree.Program((), counting))
    listed, found_all = checked.text, checked.tree.statement
    if isinstance(found_all, tree.Find):
        # Of everything there is no list without a limit.
        unpaged = tree.Program((), replace(found_all, limit=None, offset=None))
        listed = print_program(unpaged) if found_all.where is not None else ""
    same, without_rows = natures <= {"order"}, natures == {"empty"}
    return Translation(checked.text, tuple(differences), same, count, listed, without_rows)


def _statement(
    search: Search, reach: Reach, schema: Schema, clock: Clock
) -> tuple[tree.Statement, Mapping[str, Nature]]:
    """Return the statement for the first entity that can express the whole request. Raises CannotSay."""
    parts = list(conjuncts(search.query))
    if search.post_filter is not None:
        if search.aggregations:
            raise CannotSay("'post_filter' beside aggregations")
        parts += conjuncts(search.post_filter)
    unsaid: CannotSay | None = None
    for entity, rest in entities_asked(parts, reach):
        saying = Saying(entity, clock, patterns(schema))
        try:
            return _statement_of(search, rest, saying), saying.differences
        except CannotSay as part:
            unsaid = unsaid or part
    if unsaid is not None:
        raise unsaid
    kinds = " and ".join(one.plural for one in reach.within)
    raise CannotSay(f"a search over {kinds} at once: a program is about one kind")


def _statement_of(search: Search, parts: list[Clause], saying: Saying) -> tree.Statement:
    where = all_of([condition_of(one, saying) for one in parts])
    if search.only_count or (search.size == 0 and not search.aggregations):
        return tree.Aggregate((tree.Measure("count"),), tree.Name(saying.entity.plural), where)
    if search.aggregations:
        if search.size:
            saying.differ("the hits beside the aggregations")
        return _rows(search.aggregations, where, saying)
    return _find(search, where, saying)


def patterns(schema: Schema) -> Mapping[str, str]:
    """Return the id patterns of entities that have one in the catalog."""
    return {one.name: one.id_pattern for one in schema.entities.values() if one.id_pattern is not None}


# --- the entity ------------------------------------------------------------------------------------------------------


def conjuncts(clause: Clause | None) -> Iterator[Clause]:
    """Yield the parts that must all match, without their wrappers."""
    if clause is None or clause.kind == "match_all":
        return
    if clause.kind == "bool" and clause.params.keys() <= {"minimum_should_match", "adjust_pure_negative"}:
        others = [one for name in ("must", "filter") for one in clause.parts.get(name, ())]
        for one in others:
            yield from conjuncts(one)
        if should := clause.parts.get("should", ()):
            least = clause.params.get("minimum_should_match", 0 if others else 1)
            yield Clause("bool", params={"minimum_should_match": least}, parts={"should": should})
        for one in clause.parts.get("must_not", ()):
            yield Clause("bool", parts={"must_not": (one,)})
    elif clause.kind == "constant_score" and not clause.params:
        yield from conjuncts(clause.parts["filter"][0])
    else:
        yield clause


def entities_asked(parts: Sequence[Clause], reach: Reach) -> Iterator[tuple[Entity, list[Clause]]]:
    """Yield entities that the request can be about, with its remaining parts: those whose filters it contains, the
    narrowest first, then those that include every document."""
    found: list[tuple[Entity, list[Clause]]] = []
    for entity in reach.within:
        rest = list(parts)
        for terms in entity.filter:
            paths = (terms.field.path, terms.field.exact)
            same = next((one for one in rest if one.field is not None and one.field.path in paths
                         and _values(one) == set(terms.values)), None)
            if same is None:
                break
            rest.remove(same)
        else:
            if entity.filter or covers(entity, reach.within):
                found.append((entity, rest))
    yield from sorted(found, key=lambda one: -len(one[0].filter))
    yield from ((entity, list(parts)) for entity in reach.within if entity.filter and covers(entity, reach.within))


def _values(clause: Clause) -> set[Any]:
    if clause.kind == "term" and not clause.params.get("case_insensitive"):
        return {clause.params["value"]}
    return set(clause.params["values"]) if clause.kind == "terms" else set()


# --- hits ------------------------------------------------------------------------------------------------------------

_SCORING = frozenset({"match", "match_phrase", "match_bool_prefix", "match_phrase_prefix", "multi_match", "fuzzy",
                      "function_score", "query_string", "simple_query_string"})


def _find(search: Search, where: tree.Condition | None, saying: Saying) -> tree.Find:
    keys = [_sort_key(key, saying) for key in search.sort if not key.is_score]
    parts = where.items if isinstance(where, tree.And) else (where,)
    about = any(isinstance(one, tree.EntityText) and one.operator == "about" for one in parts)
    by_score = not search.sort or any(key.is_score for key in search.sort)
    if by_score and not about and search.query is not None and _scores(search.query):
        saying.differ("the order by how well each one matches", "order")
    if about and search.sort and not search.sort[0].is_score and any(k.is_score for k in search.sort):
        saying.differ("the order by how well each one matches", "order")
    limit = DEFAULT_SIZE if search.size is None and (where is None or search.offset) else search.size
    shown = [used for used in search.shown or () if used.path != "_id"]
    show = () if any(used.mapped.nested for used in shown) else tuple(saying.field(used)[1] for used in shown)
    return tree.Find(tree.Name(saying.entity.plural), where, tuple(keys), limit, search.offset or None, show)


def _scores(clause: Clause) -> bool:
    """Whether the query gives different scores: words outside of filters."""
    if clause.kind in _SCORING:
        return True
    inner = [one for name, parts in clause.parts.items() if name not in ("filter", "must_not") for one in parts]
    return any(_scores(one) for one in inner)


def _sort_key(key: SortKey, saying: Saying) -> tree.SortKey:
    if key.script is not None:
        return tree.SortKey(said_by(key.script, saying), descending=key.descending)
    used = key.field
    assert used is not None
    if key.params.get("missing", "_last") != "_last":
        raise CannotSay("documents without a value first in the order")
    if key.params.get("mode") not in (None, "max" if key.descending else "min"):
        raise CannotSay(f"the order by the {key.params['mode']} of several values")
    if used.mapped.nested and (key.nested or {}).get("filter") is not None:
        raise CannotSay("the order by some elements of a list")
    field, path = saying.field(used)
    source = field.mapped
    if field.reference is not None:
        if field.reference.name_at is None:
            raise CannotSay(f"the order by the ids in '{field.name}'")
        source = field.reference.name_at
    if used.path not in (source.path, source.exact):
        raise CannotSay(f"the order by '{used.path}'")
    return tree.SortKey(path, descending=key.descending)


# --- rows ------------------------------------------------------------------------------------------------------------

_MEASURES: dict[str, tree.MeasureFunction] = {
    "avg": "avg", "sum": "sum", "min": "min", "max": "max", "cardinality": "distinct",
}  # fmt: skip
_UNITS: dict[str, tree.GroupFunction] = {
    "year": "year", "1y": "year", "quarter": "quarter", "1q": "quarter", "month": "month", "1M": "month",
    "week": "week", "1w": "week", "day": "day", "1d": "day", "hour": "hour", "1h": "hour",
}  # fmt: skip


def _rows(aggregations: Sequence[Aggregation], where: tree.Condition | None, saying: Saying) -> tree.Aggregate:
    entity = tree.Name(saying.entity.plural)
    if not any(one.makes_buckets for one in aggregations):
        measures = [measure for one in aggregations for measure in _measures(one, saying)]
        return tree.Aggregate(tuple(measures), entity, where)
    if len(aggregations) > 1:
        raise CannotSay("several aggregations side by side: a program gives one table")
    (one,) = aggregations
    if any(inner.makes_buckets for inner in one.inner):
        raise CannotSay("groups inside groups, which are cut one by one")
    measures = [tree.Measure("count"), *(measure for inner in one.inner for measure in _measures(inner, saying))]
    return _grouped(one, tuple(measures), where, saying)


def _grouped(
    one: Aggregation, measures: tuple[tree.Measure, ...], where: tree.Condition | None, saying: Saying
) -> tree.Aggregate:
    used = one.field
    unsaid = one.params.keys() & {"missing", "include", "exclude", "offset", "extended_bounds", "hard_bounds"}
    if unsaid:
        raise CannotSay(f"'{sorted(unsaid)[0]}' of the aggregation '{one.kind}'")
    if used is None:
        raise CannotSay(f"the aggregation '{one.kind}'")
    if used.mapped.nested:
        raise CannotSay(f"groups by the elements of '{used.mapped.nested[-1]}'")
    group, terms = _group(one, used, saying), one.kind == "terms"
    least = int(one.params.get("min_doc_count") or 1)
    having = None if least <= 1 else tree.Comparison(tree.Measure("count"), ">=", tree.Number(least, str(least)))
    return tree.Aggregate(measures, tree.Name(saying.entity.plural), where, (group,), having,
                          _row_sort(one, group, saying) if terms else (), int(one.params["size"]) if terms else None)


def _group(one: Aggregation, used: FieldUse, saying: Saying) -> tree.Group:
    """Translate a group. Raises CannotSay."""
    if one.kind not in ("terms", "date_histogram", "histogram") or (one.kind == "histogram" and "order" in one.params):
        raise CannotSay(f"the aggregation '{one.kind}'")
    field, path = saying.field(used)
    if one.kind == "terms":
        if used.path not in (field.mapped.exact, field.mapped.path) or field.kind is FieldKind.TEXT:
            raise CannotSay(f"groups by '{used.path}'")
        if field.kind is FieldKind.DATE:
            raise CannotSay(f"groups by each moment in '{field.name}'")
        return tree.Group(path)
    if one.kind == "histogram":
        _without_empty(one, "steps", saying)
        return tree.Group(path, "step", (number(one.params["interval"]),))
    unit = _UNITS.get(str(one.params.get("calendar_interval", "")))
    zone = zone_of(one.params.get("time_zone"))
    if unit is None or str(zone) != str(saying.clock.zone) or (unit == "week" and saying.clock.week_start):
        raise CannotSay("these intervals of time")
    if "order" in one.params:
        raise CannotSay("the order of these intervals of time")
    _without_empty(one, "intervals of time", saying)
    return tree.Group(path, unit)


def _without_empty(one: Aggregation, what: str, saying: Saying) -> None:
    if not one.params.get("min_doc_count"):
        saying.differ(f"{what} that nothing falls into: they get no rows", "empty")


def _row_sort(one: Aggregation, group: tree.Group, saying: Saying) -> tuple[tree.SortKey, ...]:
    given = one.params.get("order")
    listed = given if isinstance(given, list) else [given]
    keys = [(path, way) for item in listed if item for path, way in item.items()]
    if not keys or keys == [("_count", "desc")]:
        return ()
    if len(keys) > 1:
        raise CannotSay("an order of the groups by several things")
    ((path, way),) = keys
    named = next((inner for inner in one.inner if inner.name == path and inner.kind in _MEASURES), None)
    by: tree.Group | tree.Measure
    if path in ("_key", "_term"):
        by = group
    elif path == "_count":
        by = tree.Measure("count")
    elif named is not None:
        (by,) = _measures(named, saying)
    else:
        raise CannotSay(f"the order of the groups by '{path}'")
    return (tree.SortKey(by, descending=way.lower() == "desc"),)


def _measures(one: Aggregation, saying: Saying) -> list[tree.Measure]:
    """Translate measures. Raises CannotSay."""
    used = one.field
    if one.makes_buckets or used is None or "missing" in one.params:
        raise CannotSay(f"the aggregation '{one.kind}'")
    if used.mapped.nested:
        raise CannotSay(f"a measure over the elements of '{used.mapped.nested[-1]}'")
    field, path = saying.field(used)
    if field.kind is FieldKind.BOOLEAN and one.kind != "cardinality":
        raise CannotSay(f"'{one.kind}' of '{field.name}'")
    if one.kind in _MEASURES:
        return [tree.Measure(_MEASURES[one.kind], path)]
    if one.kind == "stats":
        raise CannotSay("'stats', which counts values beside the documents")
    if one.kind == "percentiles" and "percents" in one.params:
        return [tree.Measure("percentile", path, number(percent)) for percent in one.params["percents"]]
    raise CannotSay(f"the aggregation '{one.kind}'")
