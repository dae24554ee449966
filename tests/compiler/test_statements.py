"""The table of statements in docs/language.md and the rules under it: clauses, measures, groups, order, `get`."""

from itertools import permutations

import pytest

from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.merge import merge_mappings
from qlc.pipeline.compiler import Compiler

from .world import World, drive

# --- clauses ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clauses", [
    ["find documents", "where signed", "sort size desc", "limit 5 offset 2", "show name, size"],
    ["count documents", "where signed", "by type", "having count > 1", "sort type", "limit 5"],
])  # fmt: skip
def test_clauses_may_be_in_any_order_and_are_printed_in_the_order_of_the_table(clauses: list[str]) -> None:
    texts = {drive().text(" ".join([clauses[0], *order])) for order in permutations(clauses[1:])}
    assert texts == {" ".join(clauses)}


# --- groups ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["weekday", "hour_of_day"])
def test_cyclic_groups_are_folded_without_a_script(unit: str) -> None:
    assert "script" not in str(drive().body(f"count documents by {unit}(created)"))


# --- several indices -------------------------------------------------------------------------------------------------


def over_two_indices(*types: str) -> World:
    """A field `f` that two indices have with these types."""
    both = [
        read_mapping({"mappings": {"properties": {"f": {"type": one}}}}, f"logs-{n}") for n, one in enumerate(types)
    ]
    return World(Compiler(None, index="logs-*", mapping=merge_mappings("logs-*", both)))


@pytest.mark.parametrize("program", ["count entries by f", "distinct(f) of entries", "find all entries sort f"])
@pytest.mark.parametrize("types", [("keyword", "text"), ("text", "keyword"), ("keyword", "ip"), ("long", "keyword")])
def test_values_of_two_sorts_in_two_indices_are_refused(program: str, types: tuple[str, str]) -> None:
    found = over_two_indices(*types).finding(program)
    assert found.code == "conflicting-types"
    assert "logs-0" in found.message


@pytest.mark.parametrize("types", [("long", "double"), ("date", "date_nanos"), ("keyword", "wildcard")])
def test_values_of_one_sort_in_two_indices_are_grouped_and_sorted(types: tuple[str, str]) -> None:
    world = over_two_indices(*types)
    assert [world.codes(program) for program in ("count entries by f", "find all entries sort f")] == [[], []]
