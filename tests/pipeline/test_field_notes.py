"""Values that the index left out, and numbers that are kept as texts: told wherever an answer goes by them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Outcome
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.small_worlds import catalog_of, load
from tests.tables import table

of_elasticsearch = pytest.mark.skipif(
    engines.IS_OPENSEARCH, reason="OpenSearch lists no values that are too long for a keyword"
)
ANN, BOB, EVE = ({"tenant": name} for name in ("ann", "bob", "eve"))


@pytest.fixture(scope="module")
def books() -> Iterator[Compiler]:
    """Ann has all books; Bob those of which nothing was left out; Eve has none."""
    client = engines.open_client()
    load("books", client)
    with client:
        yield Compiler(client, read_catalog(catalog_of("books")))


def run(books: Compiler, program: str, context: Any = ANN) -> Outcome:
    books.forget()
    return books.run(program, context=context, params={"author": "Twain"})


def test_equality_with_short_texts_of_requests_sees_every_value(books: Compiler) -> None:
    for query in ({"term": {"author": "Twain"}}, {"terms": {"author": ["Twain"]}}):
        books.forget()
        (found,) = run_pasted(json.dumps({"query": query}), books, context=ANN)
        assert found.notes == []


@of_elasticsearch
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

PASTED: list[Any] = table(__file__, "PASTED")


@of_elasticsearch
@pytest.mark.parametrize("body", PASTED, ids=json.dumps)
def test_pasted_requests_tell_it_too(books: Compiler, body: Any) -> None:
    books.forget()
    for context, number in ((ANN, 1), (BOB, 0), (EVE, 0)):
        found = run_pasted(json.dumps(body), books, context=context)
        assert len({note for one in found for note in one.notes if "1 book has a value of 'author'" in note}) == number


@of_elasticsearch
def test_a_request_for_what_the_index_has_is_no_program_for_what_documents_have(books: Compiler) -> None:
    for path in ("title", "note.keyword"):
        (found,) = run_pasted(json.dumps({"query": {"exists": {"field": path}}}), books, context=ANN)
        assert found.query == ""


# --- numbers and dates that are kept as texts ------------------------------------------------------------------------


@pytest.mark.parametrize("body", [{"query": {"range": {"age": {"gte": "50"}}}}, {"sort": ["age"]},
                                  {"sort": [{"age": "desc"}]}, {"size": 0, "aggs": {"a": {"terms": {
                                      "field": "age", "order": {"_key": "asc"}}}}}], ids=json.dumps)  # fmt: skip
def test_pasted_requests_tell_of_numbers_that_are_texts(books: Compiler, body: Any) -> None:
    books.forget()
    found = run_pasted(json.dumps(body), books, context=ANN)
    assert [note for note in found[0].notes if "kept as texts" in note]


@pytest.mark.parametrize(
    ("kind", "texts"),
    [("dates", ["Aug 5, 1899", "October 14, 1906"]), ("dates", ["5 Aug. 1899", "14-oct-1906"]),
     ("numbers", [*map(str, range(10, 21)), "9"])],
)  # fmt: skip
def test_all_texts_of_a_field_decide_whether_they_are_told(kind: str, texts: list[str]) -> None:
    client = engines.open_client()
    client.indices.create(index="texts", mappings={"properties": {"t": {"type": "keyword"}}})
    for text in texts:
        client.index(index="texts", document={"t": text}, refresh=True)
    (note,) = Compiler(client, index="texts").run("find entries sort t limit 1").notes
    assert f"The {kind} of 't' are kept as texts" in note


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
