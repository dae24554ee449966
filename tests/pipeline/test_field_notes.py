"""Values that the index left out, and numbers that are kept as texts: told wherever an answer goes by them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Count, Hits, Outcome, ValueOut
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests import engines

CATALOG = """
version: 1
index: books
defaults: {id: id, access: tenant = $tenant}
entities:
  book: {names: [title], show: [title]}
fields:
  id: id
  tenant: tenant
  title: title
  author: author
  note: note
  pages: pages
  age: age
  day: day
  code: code
lists:
  parts: {path: parts, fields: {label: label}}
"""
MAPPING = {"properties": {
    "id": {"type": "keyword"}, "tenant": {"type": "keyword"},
    "title": {"type": "keyword", "ignore_above": 10}, "author": {"type": "keyword", "ignore_above": 10},
    "note": {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 12}}},
    "pages": {"type": "integer", "ignore_malformed": True},
    "age": {"type": "keyword"}, "day": {"type": "keyword"}, "code": {"type": "keyword"},
    "parts": {"type": "nested", "properties": {"label": {"type": "keyword", "ignore_above": 5}}},
}}  # fmt: skip
BOOKS: list[dict[str, Any]] = [
    {"title": "Ivanhoe", "author": "Scott", "note": "short", "pages": 3, "age": "9", "day": "05/08/1899", "code": "A"},
    {"title": "The Adventures of Tom", "author": "Twain", "pages": 200, "age": "100", "day": "14/10/1906", "code": "B"},
    {"author": "Twain", "note": "third", "pages": 100, "age": "58", "day": "28/07/1902", "code": "C"},
    {"title": "Emma", "author": "A very long name", "note": "much longer than twelve", "pages": "many", "age": "69",
     "day": "02/09/1966", "code": "D", "parts": [{"label": "far too long"}, {"label": "ok"}]},
]  # fmt: skip
ANN, BOB, EVE = ({"tenant": name} for name in ("ann", "bob", "eve"))


@pytest.fixture(scope="module")
def books() -> Iterator[Compiler]:
    """Ann has all books; Bob those of which nothing was left out; Eve has none."""
    client = engines.open_client()
    client.indices.create(index="books", mappings=MAPPING)
    for number, one in enumerate(BOOKS):
        client.index(index="books", id=f"a{number}", document={"id": f"a{number}", "tenant": "ann", **one})
    client.index(index="books", id="b", document={"id": "b", "tenant": "bob", **BOOKS[0]})
    client.indices.refresh(index="books")
    with client:
        yield Compiler(client, read_catalog(CATALOG))


def run(books: Compiler, program: str, context: Any = ANN) -> Outcome:
    books.forget()
    return books.run(program, context=context, params={"author": "Twain"})


LEFT_OUT = {
    'find books where author = "A very long name"': "author",
    'find books where author != "A very long name"': "author",
    'find books where author in ["Twain", "A very long name"]': "author",
    'find books where author = $author': "author",
    'find books where author starts with "T"': "author",
    'find books where author contains "w"': "author",
    'find books where author like "*w*"': "author",
    'find books where author > "B"': "author",
    'find books where note not in ["much longer than twelve"]': "note",
    'find books where note contains "longer"': "note",
    "find books where pages > 100": "pages",
    "find books where pages between 1 and 500": "pages",
    "find books where pages = 100": "pages",
    "find books where parts exists sort author limit 3": "author",
    "count books by author": "author",
    "count books by note": "note",
    "distinct(author) of books": "author",
    "sum(pages) of books": "pages",
    "max(pages) of books by code": "pages",
    "count books where id in (find books where pages > 100).id": "pages",
    'find books where parts.label = "far too long"': "parts.label",
    "find books where parts.label exists": "parts.label",
    "count books by parts.label": "parts.label",
}


@pytest.mark.parametrize("program", LEFT_OUT)
def test_values_that_the_index_left_out_are_told_with_their_number(books: Compiler, program: str) -> None:
    found = run(books, program)
    assert [f"1 book has a value of '{LEFT_OUT[program]}'" in note for note in found.notes].count(True) == 1, found
    for context in (BOB, EVE):
        assert not any("left out" in note for note in run(books, program, context).notes)


ALL_SEEN = [
    "find books where pages exists", 'find books where note mentions "longer"', "find books where code exists",
    'find books where note matches "longer"', "count books by code", 'find books where author = "Twain"',
    'find books where author not in ["Twain"]', 'count books where note = "short"',
]  # fmt: skip


@pytest.mark.parametrize("program", ALL_SEEN)
def test_questions_that_see_every_value_need_no_note(books: Compiler, program: str) -> None:
    assert run(books, program).notes == []


@pytest.mark.parametrize(
    ("program", "ids"),
    [("find books where title missing", ["a2"]), ("find books where title exists", ["a0", "a1", "a3"]),
     ("find books where note missing", ["a1"]), ("find books where pages exists", ["a0", "a1", "a2", "a3"]),
     ("find books where pages missing", [])],
)  # fmt: skip
def test_a_value_that_was_left_out_is_there(books: Compiler, program: str, ids: list[str]) -> None:
    found = run(books, program)
    assert isinstance(found, Hits)
    assert sorted(found.ids) == ids
    assert not any("left out" in note for note in found.notes)


def test_a_value_too_long_for_the_index_is_not_said_to_be_absent(books: Compiler) -> None:
    notes = run(books, 'find books where author = "A very long name"').notes
    assert any("longer than 10 characters" in note for note in notes)
    assert not any(note.startswith("No book has the author") for note in notes)


def test_a_name_that_was_left_out_is_told_where_names_are_looked_for(books: Compiler) -> None:
    for name, number in (("Emma", 0), ("The Adventures of Tom", 1)):
        notes = run(books, f'get book("{name}").code').notes
        assert sum("no value of 'title' longer than 10 characters" in note for note in notes) == number


def test_equality_with_short_texts_of_requests_sees_every_value(books: Compiler) -> None:
    for query in ({"term": {"author": "Twain"}}, {"terms": {"author": ["Twain"]}}):
        books.forget()
        (found,) = run_pasted(json.dumps({"query": query}), books, context=ANN)
        assert found.notes == []


def test_the_count_comes_in_the_round_trip_of_the_answer_and_is_kept(books: Compiler) -> None:
    run(books, "count books where code exists")  # the mapping is read
    for context, notes in ((ANN, 1), (BOB, 0)):
        first, again = (books.run("count books by author", context=context) for _ in range(2))
        assert (first.stats.round_trips, again.stats.round_trips) == (1, 1)
        assert (first.stats.searches, again.stats.searches) == (2, 1)
        assert (len(first.notes), len(again.notes)) == (notes, notes)


def test_settings_of_an_index_leave_values_out_too() -> None:
    client = engines.open_client()
    settings = {"mapping": {"ignore_malformed": True}}
    client.indices.create(index="set", mappings={"properties": {"n": {"type": "integer"}}}, settings=settings)
    client.index(index="set", document={"n": "x"}, refresh=True)
    (note,) = Compiler(client, index="set").run("sum(n) of entries").notes
    assert "1 entry has a value of 'n'" in note


# --- pasted requests -------------------------------------------------------------------------------------------------

PASTED: list[Any] = [
    {"query": {"term": {"author": "A very long name"}}},
    {"query": {"terms": {"author": ["Twain", "A very long name"]}}},
    {"query": {"term": {"author": {"value": "A very long name"}}}},
    {"query": {"prefix": {"author": "T"}}}, {"query": {"wildcard": {"author": "T*"}}},
    {"query": {"bool": {"must_not": {"exists": {"field": "author"}}}}}, {"query": {"range": {"author": {"gte": "B"}}}},
    {"sort": ["author"]}, {"post_filter": {"wildcard": {"author": "*n"}}},
    {"size": 0, "aggs": {"a": {"terms": {"field": "author"}}}},
    {"size": 0, "aggs": {"a": {"cardinality": {"field": "author"}}}},
    {"size": 0, "aggs": {"a": {"missing": {"field": "author"}}}},
    {"size": 0, "aggs": {"a": {"composite": {"sources": [{"b": {"terms": {"field": "author"}}}]}}}},
]  # fmt: skip


@pytest.mark.parametrize("body", PASTED, ids=json.dumps)
def test_pasted_requests_tell_it_too(books: Compiler, body: Any) -> None:
    books.forget()
    for context, number in ((ANN, 1), (BOB, 0), (EVE, 0)):
        found = run_pasted(json.dumps(body), books, context=context)
        assert len({note for one in found for note in one.notes if "1 book has a value of 'author'" in note}) == number


def test_a_request_for_what_the_index_has_is_no_program_for_what_documents_have(books: Compiler) -> None:
    for path in ("title", "note.keyword"):
        (found,) = run_pasted(json.dumps({"query": {"exists": {"field": path}}}), books, context=ANN)
        assert found.query == ""


# --- numbers and dates that are kept as texts ------------------------------------------------------------------------

BY_ORDER = ['find books where {} >= "50"', 'find books where {} between "1" and "5"', 'count books where {} < "3"',
            "find books where id exists sort {}", "count books by {} sort {}"]  # fmt: skip


@pytest.mark.parametrize("program", BY_ORDER)
@pytest.mark.parametrize("field", ["age", "day", "code"])
def test_the_order_of_texts_that_are_numbers_or_dates_is_told(books: Compiler, program: str, field: str) -> None:
    notes = [note for note in run(books, program.replace("{}", field)).notes if "kept as texts" in note]
    assert len(notes) == (field != "code")
    assert not any("kept as texts" in note for note in run(books, program.replace("{}", field), EVE).notes)


@pytest.mark.parametrize("body", [{"query": {"range": {"age": {"gte": "50"}}}}, {"sort": ["age"]},
                                  {"sort": [{"age": "desc"}]}, {"size": 0, "aggs": {"a": {"terms": {
                                      "field": "age", "order": {"_key": "asc"}}}}}], ids=json.dumps)  # fmt: skip
def test_pasted_requests_tell_of_numbers_that_are_texts(books: Compiler, body: Any) -> None:
    books.forget()
    found = run_pasted(json.dumps(body), books, context=ANN)
    assert [note for note in found[0].notes if "kept as texts" in note]


@pytest.mark.parametrize("program", ['find books where age = "58"', 'count books where age in ["58"]',
                                     "count books by age", "find books where age exists"])  # fmt: skip
def test_equality_of_such_texts_needs_no_note(books: Compiler, program: str) -> None:
    assert run(books, program).notes == []


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">="])
@pytest.mark.parametrize("value", ["50", "5.5", "2024", "2024-03", "2024-03-05", "last month", "today", "5 MB", "true"])
def test_no_fix_makes_a_comparison_of_texts_of_one_by_size_or_time(
    books: Compiler, operator: str, value: str
) -> None:
    found = run(books, f"find books where age {operator} {value}")
    assert found.kind == "invalid"
    assert [one.fixed for one in found.diagnostics] == [None]


@pytest.mark.parametrize(("value", "is_fixed"), [("58", True), ("5.5", True), ("2024-03", False), ("last month", False),
                                                 ("5 MB", False)])  # fmt: skip
def test_equality_with_a_number_is_fixed_and_with_a_period_or_amount_is_not(
    books: Compiler, value: str, is_fixed: bool
) -> None:
    (one,) = run(books, f"find books where age = {value}").diagnostics
    assert one.fixed == (f'find books where age = "{value}"' if is_fixed else None)


def test_numbers_of_one_length_are_in_order_as_texts_too() -> None:
    client = engines.open_client()
    client.indices.create(index="years", mappings={"properties": {"year": {"type": "keyword"}}})
    for year in ("1999", "2004", "2024"):
        client.index(index="years", document={"year": year}, refresh=True)
    found = Compiler(client, index="years").run('count entries where year > "2000"')
    assert isinstance(found, Count | ValueOut)
    assert (found.value, found.notes) == (2, [])


# --- numbers that a double does not hold -----------------------------------------------------------------------------

NUMBERS: dict[str, tuple[list[int], bool]] = {
    "cancelling": ([2**60, 499, -(2**60)], True),
    "large": ([2**53 + 1], True),
    "large in sum": ([2**52, 2**52, 1], True),
    "small": ([1, 2, 3], False),
    "below zero": ([-5, 2**40, -(2**40)], False),
    "almost too large": ([2**52, 1], False),
}


@pytest.fixture(scope="module")
def numbers() -> Iterator[Compiler]:
    client = engines.open_client()
    mapping = {"properties": {"kind": {"type": "keyword"}, "n": {"type": "long"},
                              "list": {"type": "nested", "properties": {"n": {"type": "long"}}}}}  # fmt: skip
    client.indices.create(index="numbers", mappings=mapping)
    for kind, (values, _) in NUMBERS.items():
        for value in values:
            client.index(index="numbers", document={"kind": kind, "n": value, "list": [{"n": value}]})
    client.indices.refresh(index="numbers")
    catalog = """
version: 1
index: numbers
entities: {entry: {plural: entries, access: kind = $kind}}
fields: {kind: kind, n: n}
lists: {list: {path: list, fields: {n: n}}}
"""
    with client:
        yield Compiler(client, read_catalog(catalog))


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("program", ["{}(n) of entries", "{}(n) of entries by kind", "{}(list.n) of entries"])
@pytest.mark.parametrize("function", ["sum", "avg", "max", "min"])
def test_sums_of_numbers_that_no_double_holds_are_approximate(
    numbers: Compiler, kind: str, program: str, function: str
) -> None:
    _, is_told = NUMBERS[kind]
    found = numbers.run(program.replace("{}", function), context={"kind": kind})
    assert any("approximate" in note for note in found.notes) == is_told
    body = {"size": 0, "aggs": {"a": {function: {"field": "n"}}}}
    (pasted,) = run_pasted(json.dumps(body), numbers, context={"kind": kind})
    assert any("approximate" in note for note in pasted.notes) == is_told
