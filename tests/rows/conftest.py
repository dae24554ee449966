"""Clients of both engines: the embedded one, and a real Elasticsearch if there is one.

With `QLC_TEST_ENGINE=opensearch` a client of OpenSearch, and no other."""

from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from qlc.store.clients import connect
from tests import engines


@pytest.fixture(scope="module", params=["opensearch"] if engines.IS_OPENSEARCH else ["embedded", "elasticsearch"])
def client(request: pytest.FixtureRequest) -> Iterator[Elasticsearch]:
    if request.param == "embedded":
        opened = connect(":memory:").options(request_timeout=600)
    elif request.param == "opensearch":
        opened = connect(engines.server_url(), request_timeout=60)
    else:
        opened = Elasticsearch(request.getfixturevalue("real_elasticsearch_8").url, request_timeout=60)
    yield opened
    opened.close()
