"""Checks of a catalog against the documents of its index: kinds, values that none has, values that are lacking."""

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping
from qlc.mapping.live_check import LiveFindings, live_findings
from tests import engines
from tests.mapping.double import index_of
from tests.tables import table

KEYWORD = {"type": "keyword"}
PROPERTIES: dict[str, Any] = table(__file__, "PROPERTIES")
DOCUMENTS = table(__file__, "DOCUMENTS")


def harbour(documents: list[dict[str, Any]]) -> Elasticsearch:
    return index_of("harbour", {"mappings": {"properties": PROPERTIES}}, [(None, one) for one in documents])


def check(entities: str, documents: list[dict[str, Any]] = DOCUMENTS, rest: str = "") -> LiveFindings:
    client = harbour(documents)
    catalog = read_catalog(f"version: 1\nindex: harbour\nentities:\n{entities}{rest}")
    return live_findings(client, catalog, {"harbour": fetch_mapping(client, "harbour")})


def told(found: LiveFindings) -> list[str]:
    assert {(one.code, one.severity) for one in found.warnings} <= {("catalog-unused", "warning")}
    return [one.message for one in found.warnings]


def test_a_kind_that_no_document_is_of() -> None:
    found = check("  boat: {where: {kind: boot}}\n  pier: {where: {kind: pier}}\n")
    assert told(found) == ["no document has 'boot' in kind, so there are no boats"]
    assert found.warnings[0].hint == "did you mean 'boat'?"


def test_one_of_several_kinds() -> None:
    assert told(check("  thing: {where: {kind: [pier, quay]}}\n")) == ["no document has 'quay' in kind"]


STATES = "  {name}: {{where: {{kind: {name}}}, fields: {{state: {{path: state, values: [{values}]}}}}}}\n"


def test_values_that_are_stored_and_not_listed() -> None:
    found = check(STATES.format(name="boat", values="afloat, Ashore"))
    assert told(found) == ["documents have 'ashore' in state, which 'values' does not list; none has 'Ashore'"]
    assert not found.unused


def test_a_value_that_may_still_come_is_no_mistake() -> None:
    found = check(STATES.format(name="boat", values="afloat, ashore, sunk"))
    assert (told(found), dict(found.unused)) == ([], {"state": ("sunk",)})


def test_values_are_those_of_the_kinds_that_a_field_is_said_of() -> None:
    assert told(check(STATES.format(name="pier", values="open"))) == []
    shared = "fields: {state: {path: state, values: [afloat, ashore]}}\n"
    assert told(check("  boat: {where: {kind: boat}}\n", rest=shared)) == []
    both = "  boat: {where: {kind: boat}}\n  pier: {where: {kind: pier}}\n"
    assert told(check(both, rest=shared)) == ["documents have 'open' in state, which 'values' does not list"]


def test_values_in_a_list() -> None:
    lists = "lists: {marks: {path: marks, fields: {colour: {path: colour, values: [red, blue]}}}}\n"
    found = check("  boat: {}\n", rest=lists)
    assert told(found) == ["documents have 'green' in marks.colour, which 'values' does not list; none has 'blue'"]


def test_an_index_without_documents_says_nothing() -> None:
    assert check("  boat: {where: {kind: boot}}\n", documents=[]) == LiveFindings((), {})


MAPPING = {"properties": {
    "title": {"type": "keyword", "ignore_above": 10}, "short": {"type": "keyword", "ignore_above": 10},
    "pages": {"type": "integer", "ignore_malformed": True}, "kind": {"type": "keyword"},
}}  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Elasticsearch]:
    with engines.open_client() as client:
        client.indices.create(index="books", mappings=MAPPING)
        for title, pages in (("Ivanhoe", 1), ("Emma", "many"), ("The Adventures of Tom", 3), ("Another long title", 4)):
            client.index(index="books", document={"title": title, "pages": pages, "short": "a", "kind": "b"})
        client.indices.refresh(index="books")
        yield client


def test_a_draft_tells_them_and_closes_no_field_that_has_more_values(client: Elasticsearch) -> None:
    lines = draft_catalog(client, "books").splitlines()
    assert [line.strip() for line in lines if "left out" in line] == [
        "title: title  # 2 with a value that the index left out, too long or malformed",
        "pages: pages  # 1 with a value that the index left out, too long or malformed",
    ]
    read_catalog("\n".join(lines))


def test_the_check_of_a_catalog_warns_of_them(client: Elasticsearch) -> None:
    catalog = read_catalog(draft_catalog(client, "books"))
    found = live_findings(client, catalog, {"books": fetch_mapping(client, "books")}).warnings
    assert [(one.code, one.severity, one.message.split(" that ")[0]) for one in found] == [
        ("catalog-left-out", "warning", "2 documents have a value of title"),
        ("catalog-left-out", "warning", "1 document has a value of pages"),
    ]
