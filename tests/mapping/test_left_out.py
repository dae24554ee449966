"""Drafts and `catalog check` tell which fields have values that the index left out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping
from qlc.mapping.live_check import live_findings
from tests import engines

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
