"""Every request: the embedded engine, and real servers where there are some, give the recorded answer."""

from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from tests.conformance import corpus
from tests.conformance.answers import recorded
from tests.conformance.asking import ask
from tests.conformance.cases import Case, cases
from tests.conformance.comparing import differences
from tests.conformance.engines import embedded_client
from tests.servers.fixtures import RealElasticsearch

every_case = pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.topic}/{case.key}")


@pytest.fixture(scope="module")
def embedded() -> Iterator[Elasticsearch]:
    """The embedded engine with the corpus in it."""
    with embedded_client() as client:
        assert corpus.load(client) == []
        yield client


@pytest.fixture(scope="module")
def real_8(real_elasticsearch_8: RealElasticsearch) -> Iterator[Elasticsearch]:
    """A real 8.x with the corpus in it."""
    with real_elasticsearch_8.client() as client:
        assert corpus.load(client) == []
        yield client


@pytest.fixture(scope="module")
def real_9(real_elasticsearch_9: RealElasticsearch) -> Iterator[Elasticsearch]:
    """A real 9.x with the corpus in it."""
    with real_elasticsearch_9.client() as client:
        assert corpus.load(client) == []
        yield client


def _check(client: Elasticsearch, case: Case, major: int = 8) -> None:
    try:
        found = differences(recorded(case, major), ask(client, case), case.tolerance)
    finally:
        if any(corpus.SCRATCH in request.path for request in case.requests):
            corpus.remove_scratch(client)
    assert not found, "\n".join(found)


@every_case
def test_embedded(embedded: Elasticsearch, case: Case) -> None:
    _check(embedded, case)


@every_case
def test_elasticsearch_8(real_8: Elasticsearch, case: Case) -> None:
    _check(real_8, case)


@every_case
def test_elasticsearch_9(real_9: Elasticsearch, case: Case) -> None:
    _check(real_9, case, 9)


def test_there_are_enough_cases() -> None:
    assert len(cases()) >= 400
