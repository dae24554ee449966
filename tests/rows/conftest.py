"""Clients of both engines: the embedded one, and a real Elasticsearch if there is one."""

from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from qlc.store.clients import connect


@pytest.fixture(scope="module", params=["embedded", "elasticsearch"])
def client(request: pytest.FixtureRequest) -> Iterator[Elasticsearch]:
    if request.param == "embedded":
        opened = connect(":memory:").options(request_timeout=600)
    else:
        opened = Elasticsearch(request.getfixturevalue("real_elasticsearch_8").url, request_timeout=60)
    yield opened
    opened.close()
