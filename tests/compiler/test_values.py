"""What stands on the right: literals with units, dates, entities, sub-queries, parameters, bindings, bare names."""

from __future__ import annotations

from typing import Any

import pytest

from qlc.compiler import typed
from qlc.compiler.parameters import BindingError

from .world import drive, flights, made, only, shipped

SIZE = "commonAttributes.sizeInBytes"
DUE = "financialAttributes.dueDate"


# --- numbers and units -----------------------------------------------------------------------------------------------


def test_a_bare_number_is_in_the_stored_unit() -> None:
    assert drive().query("size > 5") == {"range": {SIZE: {"gt": 5}}}
    assert drive().query("ocr_confidence > 0.6") == drive().query("ocr_confidence > 60 %")


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("5 MB", 5_000_000),
        ("5MB", 5_000_000),
        ("5 mb", 5_000_000),
        ("5 MiB", 5 * 2**20),
        ("1.5 kB", 1500),
        ("0.1 GB", 100_000_000),
        ("1 TiB", 2**40),
        ("-3 kB", -3000),
        ("1e3 bytes", 1000),
    ],
)
def test_a_number_with_a_unit_is_converted_to_the_stored_one(written: str, stored: int) -> None:
    assert drive().query(f"size > {written}") == {"range": {SIZE: {"gt": stored}}}


@pytest.mark.parametrize(
    ("written", "stored"), [("2 hours", 120), ("90 seconds", 1.5), ("1 day", 1440), ("10 min", 10), ("1 week", 10_080)]
)
def test_units_of_time_convert_exactly(written: str, stored: float) -> None:
    assert flights().query(f"duration > {written}", "flights") == {"range": {"FlightTimeMin": {"gt": stored}}}


def test_units_of_length_convert_between_systems() -> None:
    assert flights().query("distance > 150 miles", "flights") == {"range": {"DistanceKilometers": {"gt": 241.4016}}}


def test_a_wrong_unit_names_those_that_fit() -> None:
    assert "MB" in drive().finding("find documents where size > 5 minutes").suggestions


# --- texts and closed values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["name = 5", "name = 2024", "name = true", "name = today"])
def test_a_text_field_takes_texts_in_quotes(condition: str) -> None:
    found = drive().finding(f"find documents where {condition}")
    assert found.code == "wrong-type"
    assert found.fixed is not None
    assert drive().codes(found.fixed) == []


@pytest.mark.parametrize("spelling", ["W2", "w2", "W-2", "w-2s", "W2 form"])
def test_a_closed_value_is_known_by_all_its_spellings(spelling: str) -> None:
    assert drive().where(f'type = "{spelling}"') == drive().where('type = "W2"')


def test_a_named_group_stands_for_all_its_values() -> None:
    where = only(typed.Equals, drive().where('app = "QuickBooks"'))
    assert [only(typed.Literal, v).value for v in where.values] == [
        "intuit.quickbooks.online", "intuit.quickbooks.desktop",
    ]  # fmt: skip


def test_a_value_that_a_closed_field_never_has_is_an_error_with_the_near_ones() -> None:
    found = drive().finding('find documents where type = "Invoic"')
    assert (found.code, found.suggestions) == ("unknown-value", ("Invoice",))
    assert found.fixed == 'find documents where type = "Invoice"'


def test_an_open_value_is_looked_for_beside_the_run() -> None:
    checked, _ = drive().compiled('find documents where vendor = "Acme" and type = "W2"')
    assert [(used.field.name, used.value) for used in checked.literals] == [("vendor", "Acme")]


@pytest.mark.parametrize(
    ("condition", "code"), [('ip = "10.0.0.1"', None), ('ip = "10.0.0.0/8"', None), ('ip = "10.0.0"', "wrong-type")]
)
def test_an_address_is_an_address_or_a_range(condition: str, code: str | None) -> None:
    world = made({"ip": {"type": "ip"}})
    assert world.codes(f"find entries where {condition}") == ([code] if code else [])


# --- dates -----------------------------------------------------------------------------------------------------------


def limits(condition: str, zone: str = "UTC") -> dict[str, str]:
    body = drive().at(zone=zone).body(f"find documents where {condition}")
    (bounds,) = body["query"]["bool"]["filter"][1]["range"].values()
    assert bounds.pop("format") == "strict_date_optional_time"
    return {key: str(value) for key, value in bounds.items()}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("created = 2024", {"gte": "2024-01-01", "lt": "2025-01-01"}),
        ("created in 2024-Q2", {"gte": "2024-04-01", "lt": "2024-07-01"}),
        ("created < 2024-03", {"lt": "2024-03-01"}),
        ("created <= 2024-03", {"lt": "2024-04-01"}),
        ("created > 2024-03", {"gte": "2024-04-01"}),
        ("created >= 2024-03", {"gte": "2024-03-01"}),
        ("created between 2024-01 and 2024-03", {"gte": "2024-01-01", "lt": "2024-04-01"}),
        ("created = today", {"gte": "2026-03-15", "lt": "2026-03-16"}),
        ("created = yesterday", {"gte": "2026-03-14", "lt": "2026-03-15"}),
        ("created in this week", {"gte": "2026-03-09", "lt": "2026-03-16"}),
        ("created in last month", {"gte": "2026-02-01", "lt": "2026-03-01"}),
        ("created in next quarter", {"gte": "2026-04-01", "lt": "2026-07-01"}),
    ],
)
def test_periods_are_half_open(condition: str, expected: dict[str, str]) -> None:
    assert limits(condition) == {key: f"{day}T00:00:00.000Z" for key, day in expected.items()}


def test_periods_lie_in_the_callers_zone() -> None:
    assert limits("created = 2024-07-01", "Europe/Berlin") == {
        "gte": "2024-06-30T22:00:00.000Z", "lt": "2024-07-01T22:00:00.000Z",
    }  # fmt: skip


def test_a_rolling_period_runs_up_to_now_or_from_it() -> None:
    assert limits("created in last 30 days") == {"gte": "2026-02-13T12:00:00.000Z", "lt": "2026-03-15T12:00:00.000Z"}
    assert limits("created in next 2 weeks") == {"gte": "2026-03-15T12:00:00.000Z", "lt": "2026-03-29T12:00:00.000Z"}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("created > 2024-03-05T15:00", {"gt": "2024-03-05T15:00:00.000Z"}),
        ("created <= 2024-03-05T15:00", {"lte": "2024-03-05T15:00:00.000Z"}),
        ("created > 2024-03-05T15:00:30Z", {"gt": "2024-03-05T15:00:30.000Z"}),
        ("created > 2024-03-05T15:00+02:00", {"gt": "2024-03-05T13:00:00.000Z"}),
        ("created > 2024-03-05T15", {"gte": "2024-03-05T16:00:00.000Z"}),
        ("created < now", {"lt": "2026-03-15T12:00:00.000Z"}),
        ('created > document("X").created', {"gt": "2026-03-15T12:00:00.000Z"}),
    ],
)
def test_a_literal_with_minutes_and_a_date_from_a_document_are_instants_in_comparisons(
    condition: str, expected: dict[str, str]
) -> None:
    assert limits(condition) == expected


def test_with_equality_a_literal_with_minutes_is_the_minute() -> None:
    assert limits("created = 2024-03-05T15:00") == {
        "gte": "2024-03-05T15:00:00.000Z", "lt": "2024-03-05T15:01:00.000Z",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "first", "behind"),
    [
        ("due = today", "2026-03-15", "2026-03-16"),
        ("due in last 7 days", "2026-03-09", "2026-03-16"),
        ("due in next 7 days", "2026-03-15", "2026-03-22"),
        ("due in this month", "2026-03-01", "2026-04-01"),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_whole_days_compare_by_calendar_day_whatever_the_zone(
    condition: str, first: str, behind: str, zone: str
) -> None:
    assert limits(condition, zone) == {"gte": f"{first}T00:00:00.000Z", "lt": f"{behind}T00:00:00.000Z"}


def test_a_quoted_date_is_a_date_in_a_date_position() -> None:
    assert drive().where('created = "2024-03-05"') == drive().where("created = 2024-03-05")
    assert drive().codes('find documents where created = "soon"') == ["wrong-type"]


def test_the_period_that_holds_a_date() -> None:
    assert limits('created in month(document("X").created)') == {
        "gte": "2026-03-01T00:00:00.000Z", "lt": "2026-04-01T00:00:00.000Z",
    }  # fmt: skip


def test_a_list_of_periods_is_one_of_them() -> None:
    where = only(typed.Or, drive().where("created in [2024, 2025-03]"))
    assert [type(item) for item in where.items] == [typed.InPeriod, typed.InPeriod]


# --- entities and sub-queries ----------------------------------------------------------------------------------------


def test_a_plain_text_in_the_place_of_a_reference_is_a_lookup() -> None:
    assert drive().query('folder = "Tax"') == drive().query('folder = folder("Tax")')
    assert drive().plan('find documents where folder = "Tax"').steps[0].source == typed.Lookup(
        drive().compiler.schema.entity("folder"), "Tax"
    )


def test_a_text_in_the_place_of_an_id_is_the_entity_of_that_name() -> None:
    assert drive().where('id = "Plan"') == drive().where('id = document("Plan")')


def test_a_constant_is_no_name_and_needs_no_look_up() -> None:
    assert drive().query("folder = root") == {"term": {"systemAttributes.parentId.keyword": {"value": "root"}}}
    found = drive().finding('find documents where folder = "root"')
    assert (found.code, found.fixed) == ("constant-in-quotes", "find documents where folder = root")


def test_name_equals_is_a_plain_filter_and_no_look_up() -> None:
    assert drive().plan('find documents where name = "Plan"').levels == ()


def test_a_field_of_what_is_referred_to_is_a_semi_join() -> None:
    where = only(typed.Equals, drive().where('folder.creator = "Ada"'))
    search = only(typed.Search, only(typed.Taken, where.values[0]).source)
    assert (where.field.name, search.find.entity.name) == ("folder", "folder")


def test_an_entity_that_stands_for_all_kinds_fits_a_reference_to_it() -> None:
    for value in ('document("T")', 'folder("T")', 'entry("T")', '"T"'):
        assert drive().codes(f"find documents where copied_from = {value}") == []


def test_a_sub_query_is_one_where_one_is_needed_and_a_set_after_in() -> None:
    one = only(typed.Equals, drive().where("folder = (find folders where starred)")).values[0]
    several = only(typed.Equals, drive().where("folder in (find folders where starred)")).values[0]
    assert (only(typed.Taken, one).one, only(typed.Taken, several).one) == (True, False)


def test_lists_come_from_anywhere_a_value_does() -> None:
    where = only(typed.Equals, drive().where('tags has any document("X").tags'))
    assert only(typed.Taken, where.values[0]).one is False


def test_a_sub_query_with_one_row_and_one_measure_is_its_number() -> None:
    where = only(typed.Compare, flights().find("find flights where price > (avg(price) of flights)").where)
    assert only(typed.Rows, only(typed.Taken, where.bounds[0][1]).source).column == "avg"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("(avg(price), count of flights)", "column-needed"),
        ("(count flights by carrier)", "column-needed"),
        ("(count flights by carrier).nothing", "unknown-column"),
        ("(count flights by carrier).carrier.name", "unknown-field"),
        ("(max(nothing) of flights)", "unknown-field"),
        ("(max(nothing) of flights).max", "unknown-field"),
        ("(count flights by nothing).nothing", "unknown-field"),
        ("(count, max(nothing) of flights by carrier).max", "unknown-field"),
    ],
)
def test_a_column_of_rows_must_be_named(value: str, code: str) -> None:
    assert flights().codes(f"find flights where price > {value}") == [code]


def test_a_value_in_another_unit_is_refused() -> None:
    assert flights().codes("find flights where distance > (avg(distance_miles) of flights)") == ["wrong-unit"]


# --- parameters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [5, 5.5, -3])
def test_a_parameter_takes_its_type_from_its_place(value: float) -> None:
    assert drive().query("size > $least", least=value) == {"range": {SIZE: {"gt": value}}}


@pytest.mark.parametrize("value", ["5", True, None, float("nan"), [1, 2]])
def test_a_parameter_of_another_type_is_an_error_of_the_caller(value: Any) -> None:
    with pytest.raises(BindingError):
        drive().query("size > $least", least=value)


def test_a_text_bound_to_a_reference_is_looked_up_as_a_literal_would_be() -> None:
    taken = only(typed.Taken, only(typed.Equals, drive().where("folder = $where")).values[0])
    assert only(typed.Lookup, taken.source).name == typed.Param("where")


def test_a_list_may_be_bound_after_in() -> None:
    assert drive().query("pages in $wanted", wanted=[1, 2]) == drive().query("pages in [1, 2]")


def test_a_field_of_a_parameter_needs_an_entity() -> None:
    source = "find documents where folder = $x.folder"
    assert drive().codes(source) == ["parameter-needs-entity"]
    assert drive().codes(source, x={"entity": "document", "id": "d-1"}) == []
    assert drive().codes("find documents where folder = document($x).folder") == []


# --- let -------------------------------------------------------------------------------------------------------------


def test_each_use_of_a_binding_decides_whether_one_or_a_set() -> None:
    source = "let s = (find folders where starred) find documents where folder in s or folder = s"
    used = [taken.one for taken in drive().plan(source).uses]
    assert used == [False, True]
    assert len(drive().plan(source).steps) == 1


def test_a_binding_may_stand_for_any_value() -> None:
    for value, condition in (
        ('"W2"', "type = x"), ("5 MB", "size > x"), ("last month", "created in x"), ('["a", "b"]', "tags in x"),
        ('document("P")', "folder = x.folder"), ("(find folders where starred)", "folder in x"), ("true", "signed = x"),
    ):  # fmt: skip
        assert drive().codes(f"let x = {value} find documents where {condition}") == []


# --- bare names ------------------------------------------------------------------------------------------------------


def test_a_bare_name_on_the_right_is_a_binding_before_a_constant_before_a_field() -> None:
    bound = only(typed.Equals, drive().where("folder = root")).values[0]
    assert bound == typed.Literal("root")
    own = drive().find('let root = folder("A") find documents where folder = root').where
    assert only(typed.Taken, only(typed.Equals, own).values[0]).source == typed.Lookup(
        drive().compiler.schema.entity("folder"), "A"
    )
    assert isinstance(flights().find("find flights where origin_weather = dest_weather").where, typed.SameValue)


def test_a_bare_word_that_means_nothing_belongs_in_quotes() -> None:
    found = drive().finding("find documents where vendor = Acme")
    assert (found.code, found.fixed) == ("unquoted-value", 'find documents where vendor = "Acme"')


def test_sensitive_fields_are_refused_without_a_permit_and_can_be_permitted() -> None:
    compiler = shipped("ecommerce", "ecommerce").compiler
    source = 'find orders where email = "a@b.example"'
    refused, _ = compiler.prepare(source).compiled({}, frozenset(), None)
    permitted, _ = compiler.prepare(source).compiled({}, frozenset({"email"}), None)
    assert [d.code for d in refused.diagnostics] == ["not-permitted"]
    assert permitted.diagnostics == ()


def test_values_taken_from_documents_compare_exactly() -> None:
    query = drive().query('vendor = document("X").vendor')
    assert query == {"term": {"financialAttributes.vendorName.keyword": {"value": "<vendor of document 'X'>"}}}


def test_what_lies_below_is_walked_level_by_level_where_no_ancestors_are_stored() -> None:
    catalog = """
        version: 1
        index: things
        entities: {box: {plural: boxes, id: id, names: [label], parent: box}}
        fields: {id: uid, label: label, box: {path: boxId, refers_to: box}}
        """
    world = made({name: {"type": "keyword"} for name in ("uid", "label", "boxId")}, catalog)
    plan = world.plan('find boxes where box under "a"')
    assert [[type(step.source) for step in level] for level in plan.levels] == [[typed.Lookup], [typed.Descendants]]


def test_texts_reach_elasticsearch_only_as_values() -> None:
    hostile = '"}}, "script": {"source": "x"'
    body = drive().body('find documents where name = "' + hostile.replace('"', '\\"') + '"')
    assert body["query"]["bool"]["filter"][1]["term"]["commonAttributes.name.keyword"]["value"] == hostile
