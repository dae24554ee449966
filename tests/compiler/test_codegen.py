"""Code generation is complete: every typed condition has a generator, every typed node is read by some stage."""

import ast
import inspect
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import get_args

import pytest

import qlc
from qlc.compiler import codegen, typed
from qlc.compiler.environment import ContextMissing
from qlc.compiler.periods import Period
from qlc.compiler.request import CannotAnswer
from tests.small_worlds import compiler_of
from tests.tables import table

from .world import Body, drive, ecommerce, flights, made

SOURCE = Path(qlc.__file__).parent
NODES = [node for node in vars(typed).values() if isinstance(node, type) and node.__module__ == typed.__name__]


def test_every_kind_of_condition_has_a_generator() -> None:
    ranked = {typed.About}  # which is given what else a document must meet
    assert set(codegen.emit.registry) - {object} == set(get_args(typed.Condition)) - ranked


PROGRAMS: dict[str, str] = table(__file__, "PROGRAMS")


@pytest.mark.parametrize("kind", get_args(typed.Condition), ids=lambda kind: kind.__name__)
def test_every_kind_of_condition_is_written_in_some_program(kind: type) -> None:
    world, source = (drive(), PROGRAMS.get(kind.__name__))
    if kind is typed.Spatial:
        world, source = flights(), "find flights where origin_location within 5 km of (1, 2)"
    if kind is typed.RangeTest:
        world, source = made({"ages": {"type": "integer_range"}}), "find entries where ages contains 5"
    assert source is not None
    assert kind in set(kinds_in(world.find(source)))
    assert world.body(source)["query"]


def kinds_in(node: object) -> list[type]:
    if isinstance(node, tuple):
        return [kind for item in node for kind in kinds_in(item)]
    if type(node) not in NODES or not is_dataclass(node):
        return []
    inner = [kind for field in fields(node) for kind in kinds_in(getattr(node, field.name))]
    return [type(node), *inner]


def names_used(*folders: str) -> set[str]:
    """The nodes that the modules of these folders name as `typed.X`."""
    found = set()
    for folder in folders:
        for file in (SOURCE / folder).rglob("*.py") if (SOURCE / folder).is_dir() else [SOURCE / folder]:
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "typed":
                    found.add(node.attr)
    return found


def test_every_typed_node_is_made_by_the_checker() -> None:
    checker = names_used("compiler")
    assert [node.__name__ for node in NODES if node.__name__ not in checker] == []


def test_every_value_and_source_is_read_after_the_checker() -> None:
    readers = names_used("compiler/codegen.py", "compiler/environment.py", "compiler/periods.py", "planner", "resolver")
    needed = [*get_args(typed.Value), *get_args(typed.Source), *get_args(typed.RowCondition),
              *get_args(typed.Statement)]  # fmt: skip
    assert [node.__name__ for node in needed if node.__name__ not in readers] == []


def test_typed_nodes_are_frozen_and_hashable() -> None:
    """To mypy, which reads the decorators; qlc/base/frozen.py says why nothing guards them at run time."""
    decorated = [
        ast.unparse(one)
        for node in ast.parse(inspect.getsource(typed)).body
        if isinstance(node, ast.ClassDef)
        for one in node.decorator_list
    ]
    of_field = "dataclass(frozen=True, slots=True, eq=False)"  # ComputedField, as Field itself
    of_nodes = "unguarded_dataclass(frozen=True, slots=True)"
    assert {one for one in decorated if "dataclass" in one} == {of_nodes, of_field}
    for node in NODES:
        if is_dataclass(node):
            assert node.__hash__ not in (None, object.__hash__), node


# --- shape -----------------------------------------------------------------------------------------------------------


def test_many_values_are_cut_into_clauses_that_elasticsearch_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codegen, "MAX_TERMS", 2)
    clauses = drive().query("pages in [1, 2, 3, 4, 5]")["bool"]["should"]
    assert [clause["terms"]["contentAttributes.pageCount"] for clause in clauses] == [[1, 2], [3, 4], [5]]


@pytest.mark.parametrize("name", ["self", "a__b", "from_", "value", "query", "filter", "boost", "_field", "path"])
def test_a_field_is_asked_by_its_own_name_whatever_it_is_called(name: str) -> None:
    """The constructors of `elasticsearch.dsl` read some of these names as something else, or fail."""
    world = made({name: {"type": "keyword"}, "number": {"type": "long"}, "place": {"type": "geo_point"}})
    assert world.query(f'`{name}` = "x"', "entries")["term"] == {name: {"value": "x", "case_insensitive": True}}
    assert world.query(f'`{name}` in ["1", "2"]', "entries")["terms"] == {name: ["1", "2"]}
    assert list(world.query(f'`{name}` contains "x"', "entries")["wildcard"]) == [name]


def test_a_normalizer_is_left_to_the_index() -> None:
    settings = {"analysis": {"normalizer": {"low": {"type": "custom", "filter": ["lowercase"]}}}}
    from qlc import Compiler
    from qlc.mapping.index_mapping import read_mapping

    from .world import World

    body: Body = {"mappings": {"properties": {"k": {"type": "keyword", "normalizer": "low"}}}, "settings": settings}
    world = World(Compiler(None, None, "things", mapping=read_mapping(body, "things")))
    assert world.query('k = "Ada"', "entries") == {"term": {"k": {"value": "Ada"}}}


def test_more_dates_of_a_set_than_a_search_takes_are_refused() -> None:
    world = made({"d": {"type": "date"}})
    bound = world.compiler.schema.bounds.ranges
    days = [(date(1000, 1, 1) + timedelta(days=2 * number)).isoformat() for number in range(bound + 1)]
    assert len(world.query("d in $days", "entries", days=days[:bound])["bool"]["should"]) == bound
    with pytest.raises(CannotAnswer) as refused:
        world.query("d in $days", "entries", days=days)
    assert refused.value.code == "set-too-large"


@pytest.mark.parametrize("unit", ["weekday", "hour_of_day"])
def test_a_cycle_over_too_many_days_is_refused(unit: str) -> None:
    value = '"Sunday"' if unit == "weekday" else "3"
    statement = drive().find(f"find documents where {unit}(created) = {value}")
    env = drive().compiler.environment({"now": "2026-03-15T12:00:00Z"})
    assert isinstance(statement.where, typed.OnCycle)
    ends = Period(env.clock.now.replace(year=1000), env.clock.now)
    env.found[statement.where.extent, None] = (ends.start, ends.end)
    with pytest.raises(CannotAnswer) as refused:
        codegen.condition_clause(statement.where, env)
    assert refused.value.code == "too-many-days"
    env.found[statement.where.extent, None] = ()
    assert codegen.condition_clause(statement.where, env).to_dict() == {"match_none": {}}


@pytest.mark.parametrize("condition", ['name = "{}"', 'name contains "{}"', 'name like "{}*"', 'name starts with "{}"'])
def test_a_text_that_is_too_long_to_fold_is_refused_by_name(condition: str) -> None:
    with pytest.raises(CannotAnswer) as refused:
        drive().query(condition.format("É" * 12_000))
    assert refused.value.code == "text-too-long"


def test_ends_from_documents_that_are_reversed_are_swapped_and_reported() -> None:
    where = drive().where('created between document("A").created and document("B").created')
    env = drive().compiler.environment({"now": "2026-03-15T12:00:00Z"})
    assert isinstance(where, typed.CompareDate)
    days = ["2024-03-05T00:00:00+00:00", "2024-03-01T00:00:00+00:00"]
    for (_, value), day in zip(where.bounds, days, strict=True):
        assert isinstance(value, typed.Taken)
        env.found[value.source, value.field] = (env.clock.now.fromisoformat(day),)
    limits = codegen.condition_clause(where, env).to_dict()["range"]["systemAttributes.createDate"]
    assert (limits["gte"][:10], limits["lte"][:10]) == ("2024-03-01", "2024-03-05")
    assert env.notes == ["The ends of the range of 'created' were the wrong way round and have been swapped."]


@pytest.mark.parametrize(
    ("low", "high", "swapped"),
    [
        ("9.0.0.1", "10.0.0.1", False),
        ("::1", "10.0.0.1", False),
        ("10.0.0.1", "2001:db8::ff", False),
        ("10.0.0.1", "9.0.0.1", True),
    ],
)
def test_addresses_are_ordered_as_addresses_and_not_as_texts(low: str, high: str, swapped: bool) -> None:
    world = made({"ip": {"type": "ip"}})
    env = world.compiler.environment({"now": "2026-03-15T12:00:00Z"})
    where = world.where(f'ip between "{low}" and "{high}"', "entries")
    limits = codegen.condition_clause(where, env).to_dict()["range"]["ip"]
    assert limits == ({"gte": high, "lte": low} if swapped else {"gte": low, "lte": high})
    assert bool(env.notes) == swapped


def test_an_empty_set_matches_nothing_and_its_negation_everything() -> None:
    where = drive().where("folder in (find folders where starred)")
    env = drive().compiler.environment({"now": "2026-03-15T12:00:00Z"})
    assert isinstance(where, typed.Equals)
    assert isinstance(where.values[0], typed.Taken)
    env.found[where.values[0].source, None] = ()
    assert codegen.condition_clause(where, env).to_dict() == {"match_none": {}}
    assert codegen.condition_clause(typed.Not(where), env).to_dict() == {"bool": {"must_not": [{"match_none": {}}]}}


# --- mandatory filters -----------------------------------------------------------------------------------------------

GUARDED = table(__file__, "GUARDED")
KEYWORDS = {name: {"type": "keyword"} for name in ("kind", "uid", "title", "tenant", "shelfId")}
TENANT = {"term": {"tenant": {"value": "acme"}}}
"""Exact: an access rule knows no case."""


@pytest.mark.parametrize(
    "source",
    ['find books where title = "x"', "find books limit 3", "count books", "count books by title",
     'find books where shelf = "Sea"', 'find shelves where id in (find books where title = "x").shelf',
     'get book("x").shelf', "distinct(title), count of shelves by title", 'find books where shelf.title contains "x"',
     'find books where title = "x" or not title = "y"'],
)  # fmt: skip
def test_mandatory_filters_are_in_every_request(source: str) -> None:
    world = made(KEYWORDS, GUARDED)
    for _, request in world.requests(source, context={"tenant": "acme", "shelves": ["s1"]}):
        assert TENANT in everywhere(request.body["query"]), request.purpose


def everywhere(clause: Body) -> list[Body]:
    """The clauses that every hit must meet."""
    inner = clause.get("bool", {})
    if "should" in inner and len(inner["should"]) == 1:
        return everywhere(inner["should"][0])
    return [clause, *(part for item in inner.get("filter", []) for part in everywhere(item))]


@pytest.mark.parametrize("context", [{}, {"tenant": "acme"}, {"tenant": None, "shelves": ["s1"]}])
def test_a_missing_value_of_the_context_is_an_error_and_no_open_door(context: dict[str, object]) -> None:
    with pytest.raises(ContextMissing):
        made(KEYWORDS, GUARDED).requests('find books where title = "x"', context=context)


def test_the_parameters_of_an_access_rule_do_not_come_from_the_question() -> None:
    with pytest.raises(ContextMissing):
        made(KEYWORDS, GUARDED).requests(
            "find books where title = $tenant", params={"tenant": "acme", "shelves": ["s1"]}
        )


def test_an_access_rule_that_is_wrong_opens_nothing() -> None:
    with pytest.raises(qlc.ConfigurationError):
        _ = made(KEYWORDS, GUARDED.replace("tenant = $tenant}", "tenat = $tenant}")).compiler.schema


def test_sensitive_fields_are_not_read_for_elements_or_hits() -> None:
    body = ecommerce().body('find orders where customer = "x"')
    assert not {"email", "customer_phone"} & set(body["_source"])


def test_a_calculation_whose_script_no_server_takes_is_refused() -> None:
    nested = "price / quantity"
    for _ in range(30):
        nested = f"round({nested})"
    outcome = compiler_of("shop").run(f"find sales where {nested} > 1")
    assert (outcome.kind, getattr(outcome, "what", "")) == ("unsupported", "calculation-too-long")
