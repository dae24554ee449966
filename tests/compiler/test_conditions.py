"""The table of conditions in docs/language.md, row by row: what each form compiles to, and who it is refused to."""

from __future__ import annotations

import pytest

from qlc.compiler import typed
from qlc.compiler.date_clauses import chosen_places

from .world import Body, drive, ecommerce, flights, made, only

NAME = "commonAttributes.name.keyword"
TAGS = "commonAttributes.tags.keyword"
SIZE = "commonAttributes.sizeInBytes"


def caseless(path: str, value: str) -> Body:
    return {"term": {path: {"value": value, "case_insensitive": True}}}


def negated(clause: Body) -> Body:
    return {"bool": {"must_not": [clause]}}


def one_clause(query: Body) -> Body:
    return {"bool": {"filter": query["all"]}} if "all" in query else query


def any_of(*clauses: Body) -> Body:
    return {"bool": {"minimum_should_match": 1, "should": list(clauses)}}


# --- equality --------------------------------------------------------------------------------------------------------


def test_equality_of_names_is_up_to_case() -> None:
    assert drive().query('name = "Tax Plan"') == caseless(NAME, "Tax Plan")


def test_equality_of_a_text_without_case_is_a_plain_term() -> None:
    assert drive().query('name = "2024"') == {"term": {NAME: {"value": "2024"}}}


def test_accents_count_in_equality_and_their_case_does_not() -> None:
    query = drive().query('name = "é"')
    assert query == {"regexp": {NAME: {"value": "[Éé]", "flags": "NONE"}}}


@pytest.mark.parametrize("spelling", ["=", "is", "=="])
def test_equality_is_spelt_in_several_ways(spelling: str) -> None:
    assert drive().query(f"pages {spelling} 3") == {"term": {"contentAttributes.pageCount": {"value": 3}}}


@pytest.mark.parametrize("condition", ["pages has 3", "pages has any [3]"])
def test_has_is_for_lists_and_the_fix_says_what_to_write(condition: str) -> None:
    found = drive().finding(f"find documents where {condition}")
    assert found.code == "wrong-operator"
    assert found.fixed is not None
    assert drive().codes(found.fixed) == []


def test_all_of_several_values_is_no_question_to_a_single_field() -> None:
    found = drive().finding("find documents where pages has all [3, 4]")
    assert (found.code, found.fixed) == ("wrong-operator", None)


def test_in_is_one_of_the_values() -> None:
    assert drive().query('tags in ["a", "b"]') == any_of(caseless(TAGS, "a"), caseless(TAGS, "b"))


def test_exact_values_are_together_in_one_terms_clause() -> None:
    assert drive().query("pages in [1, 2, 2]") == {"terms": {"contentAttributes.pageCount": [1, 2]}}


@pytest.mark.parametrize(
    ("positive", "negative"),
    [
        ('tags = "a"', 'tags != "a"'),
        ('tags in ["a", "b"]', 'tags not in ["a", "b"]'),
        ('shares.role = "editor"', 'shares.role != "editor"'),
        ('shares.role in ["editor", "viewer"]', 'shares.role not in ["editor", "viewer"]'),
        ('attributes.stage = "draft"', 'attributes.stage != "draft"'),
        ("size = 5", "size != 5"),
        ("created = 2024", "created != 2024"),
        ("created in [2024, 2025-03]", "created not in [2024, 2025-03]"),
        ('folder = "Tax"', 'folder != "Tax"'),
        ('folder.starred = true', "folder.starred != true"),
        ('weekday(created) = "Sunday"', 'weekday(created) != "Sunday"'),
        ("vendor = employer", "vendor != employer"),
        ("signed exists", "signed missing"),
        ("shares exists", "shares missing"),
    ],
)
def test_not_is_the_exact_complement_also_on_lists_and_nested_lists(positive: str, negative: str) -> None:
    assert drive().where(negative) == typed.Not(drive().where(positive)) == drive().where(f"not ({positive})")
    assert drive().query(negative) == negated(one_clause(drive().query(positive)))


def test_two_nots_cancel_out() -> None:
    assert drive().query("not not signed") == drive().query("signed")


def test_false_is_an_explicit_false_and_not_the_complement_of_true() -> None:
    signed = "contractAttributes.signature.signed"
    assert drive().query("signed = false") == {"term": {signed: {"value": False}}}
    assert drive().query("not signed") == negated({"term": {signed: {"value": True}}})


def test_a_bare_boolean_field_is_true() -> None:
    assert drive().where("signed") == drive().where("signed = true")


def test_a_bare_name_may_be_a_condition_of_the_catalog() -> None:
    assert drive().query("overdue") == drive().query('payment_status = "overdue"')
    assert drive().where("unsigned") == drive().where("signed = false")


def test_a_condition_of_the_catalog_keeps_its_name_in_canonical_text() -> None:
    assert drive().text("find docs where overdue") == "find documents where overdue"


@pytest.mark.parametrize("compared", ['= "roof"', '!= "roof"', 'in ["roof", "wall"]', 'not in ["roof"]'])  # fmt: skip
def test_analysed_text_has_no_equality_and_the_hint_names_mentions(compared: str) -> None:
    found = drive().finding(f"find documents where content {compared}")
    assert found.code == "no-exact-value"
    assert "mentions" in found.hint
    assert found.fixed is None


# --- order -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("operator", "key"), [("<", "lt"), ("<=", "lte"), (">", "gt"), (">=", "gte")])
def test_order_of_numbers_is_one_range(operator: str, key: str) -> None:
    assert drive().query(f"size {operator} 5") == {"range": {SIZE: {key: 5}}}


def test_between_is_one_range_of_one_and_the_same_value() -> None:
    assert drive().query("size between 2 and 5") == {"range": {SIZE: {"gte": 2, "lte": 5}}}
    assert drive().query('tags between "a" and "c"') == {"range": {TAGS: {"gte": "a", "lte": "c"}}}


def test_two_conditions_on_a_plain_list_are_never_merged_into_one_range() -> None:
    query = drive().query('tags >= "a" and tags <= "c"')
    assert query == {"all": [{"range": {TAGS: {"gte": "a"}}}, {"range": {TAGS: {"lte": "c"}}}]}


@pytest.mark.parametrize("values", ["5 and 2", "5 MB and 2 MB", "1 GB and 5 MB"])
def test_reversed_literals_are_an_error(values: str) -> None:
    found = drive().finding(f"find documents where size between {values}")
    assert found.code == "reversed-range"
    low, high = values.split(" and ")
    assert found.fixed == f"find documents where size between {high} and {low}"


# --- lists -----------------------------------------------------------------------------------------------------------


def test_has_is_one_element() -> None:
    assert drive().query('tags has "a"') == caseless(TAGS, "a")


def test_has_all_needs_every_value_on_its_own() -> None:
    assert drive().query('tags has all ["a", "b"]') == {"all": [caseless(TAGS, "a"), caseless(TAGS, "b")]}


def test_has_any_is_one_of_the_values() -> None:
    assert drive().query('tags has any ["a", "b"]') == drive().query('tags in ["a", "b"]')


def test_has_all_over_elements_needs_an_element_for_each_value() -> None:
    query = drive().query("comments.created has all [2024, 2025]")
    ranges = [clause["nested"]["query"]["range"]["comments.createdDate"] for clause in query["all"]]
    assert [bounds["gte"][:4] for bounds in ranges] == ["2024", "2025"]


@pytest.mark.parametrize("condition", ['tags has all "a"', 'tags in "a"', 'folder in "Tax"', "size in 5"])
def test_sets_need_a_list_and_the_fix_adds_brackets(condition: str) -> None:
    found = drive().finding(f"find documents where {condition}")
    assert found.code == "list-expected"
    assert found.fixed is not None
    assert drive().codes(found.fixed) == []


# --- missing and exists ----------------------------------------------------------------------------------------------


def test_exists_looks_at_what_is_stored() -> None:
    assert drive().query("size exists") == {"exists": {"field": SIZE}}


def test_missing_of_a_list_is_no_element_at_all() -> None:
    nested = {"nested": {"path": "comments", "query": {"match_all": {}}}}
    assert drive().query("comments missing") == negated(nested)


def test_missing_of_an_elements_field_is_that_no_element_has_it() -> None:
    inside = {"exists": {"field": "sharing.permissions.role"}}
    nested = {"nested": {"path": "sharing.permissions", "query": inside}}
    assert drive().query("shares.role missing") == negated(nested)
    assert drive().query("shares[role missing]")["nested"]["query"] == negated(inside)


def test_a_reference_with_a_constant_is_never_missing() -> None:
    found = drive().finding("find documents where folder missing")
    assert found.code == "constant-not-missing"
    assert found.fixed == "find documents where folder = root"


# --- under -----------------------------------------------------------------------------------------------------------


def test_under_is_the_folder_itself_or_anywhere_below() -> None:
    folder = "<id of folder 'Projects'>"
    assert drive().query('folder under "Projects"') == any_of(
        {"term": {"organizationAttributes.folderPathIds.keyword": {"value": folder}}},
        {"term": {"systemAttributes.parentId.keyword": {"value": folder}}},
    )


def test_under_root_is_everything_and_asked_for() -> None:
    assert drive().codes("find documents where folder under root") == []
    assert drive().where("folder under root") == typed.All()


def test_under_in_takes_a_list_or_a_set() -> None:
    assert len(only(typed.Under, drive().where('folder under in ["a", "b"]')).values) == 2
    (taken,) = only(typed.Under, drive().where("folder under in (find folders where starred)")).values
    assert only(typed.Taken, taken).one is False


@pytest.mark.parametrize("condition", ['owner under "Ada"', 'type under "W2"', "size under 5"])
def test_under_needs_a_hierarchical_reference(condition: str) -> None:
    assert "under" not in drive().finding(f"find documents where {condition}").suggestions


# --- nested lists ----------------------------------------------------------------------------------------------------


def test_brackets_tie_all_conditions_to_one_element() -> None:
    query = drive().query('shares[who_type = "group" and role = "editor"]')
    assert query["nested"]["path"] == "sharing.permissions"
    assert len(query["nested"]["query"]["bool"]["filter"]) == 2


def test_inside_brackets_a_bare_name_is_a_field_of_the_element() -> None:
    query = drive().query("comments[created = 2024]")
    assert list(query["nested"]["query"]["range"]) == ["comments.createdDate"]


def test_a_dotted_field_of_a_list_is_the_condition_in_brackets() -> None:
    assert drive().where('shares.role = "editor"') == drive().where('shares[role = "editor"]')


def test_two_dotted_conditions_may_be_met_by_two_elements() -> None:
    where = only(typed.And, drive().where('shares.role = "editor" and shares.who_type = "group"'))
    assert [type(item) for item in where.items] == [typed.Element, typed.Element]


def test_a_name_after_a_key_value_list_is_its_key() -> None:
    query = drive().query('attributes.stage = "draft"')["nested"]["query"]["bool"]["filter"]
    assert query == [caseless("customAttributes.key", "stage"), caseless("customAttributes.value.keyword", "draft")]


LISTS_IN_LISTS: Body = {
    "id": {"type": "keyword"},
    "carts": {
        "type": "nested",
        "properties": {
            "shop": {"type": "keyword"},
            "lines": {"type": "nested", "properties": {"sku": {"type": "keyword"}, "n": {"type": "long"}}},
        },
    },
}
LISTS_BY_NAME = """
version: 1
index: things
entities: {entry: {plural: entries, id: id}}
fields: {id: id}
lists:
  carts: {path: carts, fields: {shop: shop}}
  positions: {path: carts.lines, fields: {sku: sku}}
"""


@pytest.mark.parametrize("catalog", [None, LISTS_BY_NAME])
@pytest.mark.parametrize("form", ["carts.lines.n = 3", "carts.lines[n = 3]"])
def test_a_field_of_a_list_inside_a_list_is_asked_for_at_the_path_of_the_inner_list(
    form: str, catalog: str | None
) -> None:
    inside = {"nested": {"path": "carts.lines", "query": {"term": {"carts.lines.n": {"value": 3}}}}}
    world = made(LISTS_IN_LISTS, catalog)
    assert world.query(form, "entries") == inside
    assert world.query(f"not ({form})", "entries") == negated(inside)
    assert world.query("carts[lines.n = 3]", "entries") == {"nested": {"path": "carts", "query": inside}}


def test_presence_of_a_field_of_a_list_inside_a_list_is_that_of_the_inner_list() -> None:
    query = made(LISTS_IN_LISTS).query("carts.lines.n exists", "entries")
    assert query == {"nested": {"path": "carts.lines", "query": {"exists": {"field": "carts.lines.n"}}}}


def test_a_list_inside_a_plain_object_is_asked_for_at_its_own_path() -> None:
    parts = {"type": "nested", "properties": {"p": {"type": "keyword"}}}
    box = {"box": {"properties": {"kind": {"type": "keyword"}, "parts": parts}}}
    assert made(box).query('box.parts.p = "1"', "entries")["nested"]["path"] == "box.parts"


@pytest.mark.parametrize("program", [
    'find entries where carts[shop = "A"].lines.sku = "x"',
    'find entries where carts[shop = "A"].lines[sku = "x"]',
    'sum(carts[shop = "A"].lines.n) of entries',
    'count entries by carts[shop = "A"].lines.sku',
    'find all entries sort carts[shop = "A"].lines.n',
])  # fmt: skip
def test_brackets_of_the_outer_list_do_not_narrow_the_inner_one(program: str) -> None:
    found = made(LISTS_IN_LISTS).finding(program)
    assert found.code == "chain-in-list"
    assert "carts[... and lines.FIELD = VALUE]" in found.hint


def test_an_object_list_cannot_tie_several_fields_to_one_element() -> None:
    found = ecommerce().finding("find orders where products[price > 5 and quantity = 2]")
    assert found.code == "elements-not-kept"


@pytest.mark.parametrize(
    "program",
    [
        "sum(products.quantity) of orders by products.name",
        "median(products.price) of orders by city, products.category",
        "avg(products.price) of orders by product_names",
        "avg(products.price) of orders by step(products.price, 100)",
        "count orders by products.name having sum(products.quantity) > 5",
        "count orders by products.name sort avg(products.price) desc",
    ],
)
def test_an_object_list_cannot_be_measured_by_what_else_it_has(program: str) -> None:
    """Each row would be over everything else in the same orders."""
    assert ecommerce().finding(program).code == "elements-not-kept"


@pytest.mark.parametrize(
    "program",
    [
        "sum(total) of orders by products.name",
        "sum(products.quantity) of orders by city",
        "count orders by products.name",
    ],
)
def test_an_object_list_is_measured_as_a_whole(program: str) -> None:
    assert ecommerce().findings(program) == ()


def test_an_object_list_takes_one_condition() -> None:
    assert ecommerce().query("products[price > 5]", "orders") == {"range": {"products.taxful_price": {"gt": 5}}}
    assert ecommerce().query("products.price > 5", "orders") == {"range": {"products.taxful_price": {"gt": 5}}}


@pytest.mark.parametrize("condition", ['tags["a"] exists', 'name[size > 5] = "x"'])
def test_only_lists_of_elements_take_brackets(condition: str) -> None:
    assert drive().diagnose(f"find documents where {condition}").failed


# --- cycles and places -----------------------------------------------------------------------------------------------


def test_weekday_is_compiled_to_ranges_of_days_in_the_callers_zone() -> None:
    world = drive().at(zone="America/New_York", now="2026-03-15T12:00:00Z")
    body = world.body('find documents where weekday(created) = "Sunday"')
    limits = body["query"]["bool"]["filter"][1]["range"]["systemAttributes.createDate"]
    assert (limits["gte"], limits["lt"]) == ("2026-03-15T04:00:00.000Z", "2026-03-16T04:00:00.000Z")


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ('weekday(created) = "sun"', (6,)),
        ('weekday(created) in ["Saturday", "Sunday"]', (5, 6)),
        ('weekday(created) between "Friday" and "Sunday"', (4, 5, 6)),
        ('weekday(created) >= "Saturday"', (5, 6)),
        ('weekday(created) < "Tuesday"', (0,)),
        ("hour_of_day(created) between 2 and 3", (2, 3)),
        ("hour_of_day(created) between 22 and 23", (22, 23)),
        ("hour_of_day(created) <= 2", (0, 1, 2)),
        ("hour_of_day(created) > 21", (22, 23)),
    ],
)
def test_cyclic_conditions_name_days_and_hours(condition: str, values: tuple[int, ...]) -> None:
    env = drive().compiler.environment({})
    assert chosen_places(only(typed.OnCycle, drive().where(condition)), env) == values


def test_within_is_a_distance_in_metres_around_a_place() -> None:
    assert flights().query("origin_location within 40 km of (41.9, 12.5)", "flights") == {
        "geo_distance": {"distance": "40000m", "OriginLocation": {"lat": 41.9, "lon": 12.5}}
    }


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("origin_location within 40 minutes of (41.9, 12.5)", "wrong-unit"),
        ("origin_location within 0 km of (41.9, 12.5)", "wrong-unit"),
        ("origin_location within 40 km of (141.9, 12.5)", "invalid-place"),
        ("carrier within 40 km of (41.9, 12.5)", "wrong-operator"),
        ('origin_location = "Rome"', "wrong-operator"),
    ],
)
def test_places_are_checked(condition: str, code: str) -> None:
    assert flights().codes(f"find flights where {condition}") == [code]


# --- brackets and precedence -----------------------------------------------------------------------------------------


def test_not_binds_tightest_then_and_then_or() -> None:
    where = drive().where("not signed and starred or locked")
    assert where == drive().where("((not signed) and starred) or locked")
    assert only(typed.Or, where).items[0] == drive().where("not signed and starred")


def test_the_operators_of_an_address_are_all_named() -> None:
    found = made({"ip": {"type": "ip"}}).finding('find entries where ip contains "1"')
    assert "is an IP address" in found.message
    assert {"<", "<=", ">", ">=", "between", "=", "in"} <= set(found.suggestions)


def test_a_range_of_addresses_has_no_order() -> None:
    world = made({"ip": {"type": "ip"}})
    assert world.codes('find entries where ip > "10.0.0.0/8"') == ["wrong-type"]
    assert world.codes('find entries where ip = "10.0.0.0/255.0.0.0"') == ["wrong-type"]
    assert world.query('ip = "10.0.0.5/8"', "entries") == {"term": {"ip": {"value": "10.0.0.0/8"}}}


@pytest.mark.parametrize(
    ("condition", "query"),
    [
        ("n < 2300", {"exists": {"field": "n"}}),
        ("n between 1900 and 2300", {"exists": {"field": "n"}}),
        ("n > 2300", {"match_none": {}}),
        ("n < 1950", {"match_none": {}}),
        ("n = 1950", {"match_none": {}}),
        ("n > 1950", {"exists": {"field": "n"}}),
    ],
)
def test_dates_that_nanoseconds_cannot_hold_are_not_sent(condition: str, query: Body) -> None:
    assert made({"n": {"type": "date_nanos"}}).query(condition, "entries") == query
