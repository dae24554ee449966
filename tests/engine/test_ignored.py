"""`_ignored`: the fields of a document that the index left out can be searched and counted, those of elements too."""

from typing import Any

import pytest

from tests import engines
from tests.tables import rows, table

MAPPING = table(__file__, "MAPPING")
DOCUMENTS = table(__file__, "DOCUMENTS")


@pytest.fixture(scope="module")
def client() -> Any:
    client = engines.open_client()
    client.indices.create(index="left", mappings=MAPPING)
    for number, one in enumerate(DOCUMENTS):
        client.index(index="left", id=str(number), document=one)
    client.indices.refresh(index="left")
    return client


@pytest.mark.parametrize(("query", "ids"), rows(__file__, "test_what_was_left_out_is_found_by_the_name_of_its_field"))
def test_what_was_left_out_is_found_by_the_name_of_its_field(client: Any, query: Any, ids: str) -> None:
    found = client.search(index="left", query=query, size=10)
    assert "".join(sorted(hit["_id"] for hit in found["hits"]["hits"])) == ids


def test_the_fields_that_were_left_out_are_counted(client: Any) -> None:
    found = client.search(index="left", size=0, aggs={"by": {"terms": {"field": "_ignored"}}})
    counts = {one["key"]: one["doc_count"] for one in found["aggregations"]["by"]["buckets"]}
    assert counts == {"title": 2, "note.key": 1, "n": 1, "jobs.title": 1, "jobs.at.day": 1}


def test_hits_name_what_was_left_out_of_their_elements(client: Any) -> None:
    (hit,) = client.search(index="left", query={"ids": {"values": ["2"]}})["hits"]["hits"]
    assert sorted(hit["_ignored"]) == ["jobs.at.day", "jobs.title", "title"]
