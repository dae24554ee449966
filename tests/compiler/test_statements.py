"""The table of statements in docs/language.md and the rules under it: clauses, measures, groups, order, `get`."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from qlc.compiler import typed
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.merge import merge_mappings
from qlc.mapping.schema import Field
from qlc.pipeline.compiler import Compiler

from .world import World, drive, flights, only

NAME = "commonAttributes.name.keyword"


# --- clauses ---------------------------------------------------------------------------------------------------------


def test_clauses_may_be_in_any_order_and_are_printed_in_the_order_of_the_table() -> None:
    clauses = ["where signed", "sort size desc", "limit 5 offset 2", "show name, size"]
    texts = {drive().text(f"find documents {' '.join(order)}") for order in permutations(clauses)}
    assert texts == {"find documents where signed sort size desc limit 5 offset 2 show name, size"}


def test_clauses_of_rows_are_printed_in_the_order_of_the_table() -> None:
    clauses = ["where signed", "by type", "having count > 1", "sort type", "limit 5"]
    texts = {drive().text(f"count documents {' '.join(order)}") for order in permutations(clauses)}
    assert texts == {"count documents where signed by type having count > 1 sort type limit 5"}


@pytest.mark.parametrize(
    "source",
    ["find documents limit 5", "find documents where folder under root", "count documents", "avg(size) of documents",
     "count documents by type", 'find document("x")', "find folders where id in (find documents).folder"],
)  # fmt: skip
def test_counts_and_measures_may_ask_for_everything_and_a_limit_is_asking(source: str) -> None:
    assert drive().codes(source) == []


def test_a_look_up_in_find_is_the_entity_with_that_id() -> None:
    assert drive().body('find document("x")') == drive().body('find documents where id = document("x")')
    assert drive().body('find document("x") where signed')["query"] == (
        drive().body('find documents where id = document("x") and signed')["query"]
    )


@pytest.mark.parametrize("source", ["find documents limit 0", "count documents by type limit 0",
                                    "count documents by type top 0"])  # fmt: skip
def test_a_limit_of_nothing_is_refused(source: str) -> None:
    found = drive().finding(source)
    assert found.code == "empty-limit"
    assert source[found.span.start : found.span.end] in ("limit 0", "type top 0")


def test_paging_is_no_part_of_a_query() -> None:
    body = drive().body("find documents where signed limit 5 offset 2")
    assert not {"from", "size"} & body.keys()


# --- order of hits ---------------------------------------------------------------------------------------------------


def sort_of(source: str) -> list[Any]:
    return list(drive().body(source)["sort"])


def test_the_last_sort_key_is_unique() -> None:
    assert sort_of("find documents where signed sort size")[-1] == {"systemAttributes.id.keyword": {"order": "asc"}}


def test_sorting_is_ascending_unless_desc_and_missing_comes_last() -> None:
    keys = sort_of("find documents where signed sort size desc, name")
    assert keys[:2] == [
        {"commonAttributes.sizeInBytes": {"order": "desc", "missing": "_last"}},
        {NAME: {"order": "asc", "missing": "_last"}},
    ]


def test_without_a_sort_the_catalogs_order_holds() -> None:
    assert list(sort_of("find documents where signed")[0]) == [NAME]


def test_a_reference_sorts_by_the_name_stored_beside_it_else_it_is_refused() -> None:
    assert list(sort_of("find documents where signed sort owner")[0]) == ["systemAttributes.owner.ownerName.keyword"]
    assert drive().codes("find documents where signed sort folder") == ["no-name-beside"]


@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_a_list_sorts_by_its_smallest_or_largest_value(direction: str) -> None:
    # Elasticsearch's own mode: min where ascending, max where descending.
    (key,) = sort_of(f"find documents where signed sort tags {direction}")[0].values()
    assert key["order"] == direction
    assert key.get("mode", "min" if direction == "asc" else "max") == ("min" if direction == "asc" else "max")


def test_an_element_of_a_nested_list_sorts_within_what_narrows_it() -> None:
    (key,) = sort_of('find documents where signed sort comments[resolved].created desc')[0].values()
    assert key["nested"]["path"] == "comments"
    assert key["nested"]["filter"] == {"term": {"comments.resolved": {"value": True}}}


# --- show ------------------------------------------------------------------------------------------------------------


def test_only_what_is_shown_is_read() -> None:
    source = drive().body("find documents where signed show size, shares")["_source"]
    assert {"commonAttributes.sizeInBytes", "sharing.permissions.role"} <= set(source)
    assert "contentAttributes.extractedText" not in source


def test_a_field_after_a_reference_is_shown_by_its_path() -> None:
    (shown,) = drive().find("find documents where signed show folder.folder.name").show
    assert isinstance(shown, typed.Chain)
    assert (shown.name, [one.name for one in shown.through]) == ("folder.folder.name", ["folder", "folder"])


def test_elements_that_are_shown_take_no_condition() -> None:
    assert drive().codes('find documents where signed show shares[role = "viewer"].who') == ["brackets-not-here"]
    assert drive().codes('find documents where signed show shares[role = "viewer"]') == ["brackets-not-here"]
    assert drive().codes("find documents where signed show attributes.reviewer, shares.who") == []


def test_the_value_of_one_key_is_a_field_of_its_own() -> None:
    first, second = drive().find("find documents where signed show attributes.reviewer, attributes.risk").show
    assert isinstance(first, Field)
    assert isinstance(second, Field)
    assert (first.name, second.name) == ("attributes.reviewer", "attributes.risk")
    assert first != second


# --- measures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "measure",
    ["count", "sum(size)", "avg(size)", "min(size)", "max(created)", "median(size)", "percentile(size, 95)",
     "distinct(owner)", "share(signed)", "distinct(shares.who)", "sum(amount)", "min(comments.created)"],
)  # fmt: skip
def test_every_measure_is_compiled(measure: str) -> None:
    (found,) = drive().aggregate(f"{measure} of documents").measures
    assert found.name == measure.split("(")[0]
    assert drive().body(f"{measure} of documents by type")["size"] == 0


def test_measures_of_the_same_function_are_distinguished_by_their_text() -> None:
    names = [m.name for m in drive().aggregate("avg(size), avg(pages), count of documents").measures]
    assert names == ["avg(size)", "avg(pages)", "count"]


# --- groups ----------------------------------------------------------------------------------------------------------


def aggregation(source: str) -> dict[str, Any]:
    (found,) = drive().body(source)["aggs"].values()
    return dict(found)


@pytest.mark.parametrize("unit", ["year", "quarter", "month", "week", "day", "hour"])
def test_calendar_groups_lie_in_the_callers_zone(unit: str) -> None:
    body = drive().at(zone="Europe/Berlin").body(f"count documents by {unit}(created)")
    (found,) = body["aggs"].values()
    histogram = found.get("date_histogram") or found["composite"]["sources"][0]["0"]["date_histogram"]
    assert (histogram["calendar_interval"], histogram["time_zone"]) == (unit, "Europe/Berlin")


def test_bins_cut_below_from_each_edge_and_above_the_last() -> None:
    ranges = aggregation("count documents by bins(pages, 3, 6)")["range"]["ranges"]
    assert [(r.get("from"), r.get("to")) for r in ranges] == [(None, 3.0), (3.0, 6.0), (6.0, None)]


def test_the_edges_of_bins_and_steps_may_have_units() -> None:
    group = drive().aggregate("count documents by bins(size, 1 kB, 1 MB)").groups[0]
    assert group.arguments == (1000.0, 1_000_000.0)
    assert drive().aggregate("count documents by step(size, 1 MB)").groups[0].arguments == (1_000_000.0,)


@pytest.mark.parametrize("unit", ["weekday", "hour_of_day"])
def test_cyclic_groups_are_folded_without_a_script(unit: str) -> None:
    assert "script" not in str(drive().body(f"count documents by {unit}(created)"))


def test_a_row_of_a_nested_group_counts_each_document_once() -> None:
    elements = aggregation('count documents by shares[who_type = "group"].role')
    level = elements["aggs"]["narrowed"]["aggs"]["level"]
    assert elements["nested"] == {"path": "sharing.permissions"}
    assert level["aggs"] == {"documents": {"reverse_nested": {}}}


def test_through_a_reference_rows_are_grouped_by_its_id() -> None:
    assert "systemAttributes.parentId.keyword" in str(aggregation("count documents by folder.owner"))


# --- rows ------------------------------------------------------------------------------------------------------------


def test_a_plain_group_is_named_by_its_last_word_and_a_function_by_its_own() -> None:
    groups = drive().aggregate("count documents by folder.owner, month(created), step(size, 1 MB)").groups
    assert [group.name for group in groups] == ["owner", "month", "size"]


def test_two_groups_of_one_name_go_by_their_text() -> None:
    groups = drive().aggregate("count documents by month(created), month(modified)").groups
    assert [group.name for group in groups] == ["month(created)", "month(modified)"]


@pytest.mark.parametrize(
    "clauses",
    ["sort type", "sort count desc", "sort max(size) desc", "having count >= 10", "having avg(size) > 1 MB",
     'having type != "W2"', "having count between 5 and 10", "having not count < 3 and (count > 9 or avg(size) > 1)",
     "having distinct(owner) in [1, 2]", "having share(signed) > 50 %", "sort month", "sort month(created)",
     "having month >= 2024"],
)  # fmt: skip
def test_having_and_sort_name_groups_and_measures(clauses: str) -> None:
    assert drive().codes(f"count documents by type, month(created) {clauses}") == []


def test_a_measure_that_is_not_shown_is_computed() -> None:
    measures = drive().aggregate("count documents by type having avg(size) > 1 MB").measures
    assert [(m.name, m.hidden) for m in measures] == [("count", False), ("avg(size)", True)]


def test_count_may_be_compared_without_being_shown() -> None:
    measures = drive().aggregate("avg(size) of documents by type having count > 5").measures
    assert [(m.name, m.hidden) for m in measures] == [("avg", False), ("count", True)]


def test_a_measure_that_is_there_twice_must_be_named_in_full() -> None:
    source = "avg(size), avg(pages) of documents by type sort"
    assert drive().codes(f"{source} avg") == ["ambiguous-column"]
    assert drive().codes(f"{source} avg(pages)") == []


def test_limit_on_a_group_with_an_order_of_its_own_needs_a_sort() -> None:
    for group in ("month(created)", "weekday(created)", "bins(size, 1, 2)"):
        assert drive().codes(f"count documents by {group} limit 3") == ["limit-needs-sort"]
        assert drive().codes(f"count documents by {group} sort count desc limit 3") == []
    assert drive().codes("count documents by type limit 3") == []


def test_top_takes_the_first_inside_each_parent() -> None:
    groups = flights().aggregate("count flights by carrier, origin_city top 1").groups
    assert [group.top for group in groups] == [None, 1]


# --- get -------------------------------------------------------------------------------------------------------------


def test_get_takes_fields_of_one_value() -> None:
    get = only(typed.Get, drive().statement('get document("x").owner, size, folder.name'))
    assert [item.name for item in get.items] == ["owner", "size", "folder.name"]


def test_a_reference_answers_with_the_entity_found() -> None:
    (item,) = only(typed.Get, drive().statement('get document("x").folder')).items
    assert item.entity is not None
    assert item.entity.name == "folder"


def test_get_from_a_sub_query_needs_one() -> None:
    get = only(typed.Get, drive().statement("get (find documents sort size desc limit 1).owner, size"))
    assert [item.value.one for item in get.items] == [True, True]


def test_get_from_a_binding_and_a_column() -> None:
    assert drive().codes('let d = document("x") get d.owner, d.size') == []
    assert drive().codes("get (count documents by type limit 1).type") == []


def test_values_of_get_carry_the_name_that_is_beside_a_reference() -> None:
    (step,) = drive().plan('get document("x").owner').steps
    assert [only(Field, taken).name for taken in step.takes] == ["owner", "owner.name"]


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
