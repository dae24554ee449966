"""Every request: the embedded engine, and real servers where there are some, give the recorded answer.

What the embedded engine does not implement it refuses by name; those cases are listed in `left_out.txt`.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import pytest
from elasticsearch import Elasticsearch

from tests.conformance import corpus
from tests.conformance.answers import differs, recorded
from tests.conformance.asking import Answer, ask
from tests.conformance.cases import Case, cases
from tests.conformance.comparing import differences
from tests.conformance.engines import embedded_client
from tests.conformance.left_out import is_refusal, left_out, line_of, refused_indices
from tests.servers.fixtures import RealElasticsearch
from tests.tables import each

ALL = os.environ.get("QLC_CONFORMANCE") == "all"
"""Whether real servers are asked everything again, as `make soak` does. Else 8.x is asked a sample, as its answers are
those that were recorded from the same version, and 9.x what it answers in its own way."""

TOPICS = {topic: tuple(some) for topic, some in groupby(cases(), lambda case: case.topic)}
every_topic = pytest.mark.parametrize("topic", TOPICS)


@dataclass(frozen=True)
class Embedded:
    """The embedded engine with the corpus in it, but for indices that it does not implement."""

    client: Elasticsearch
    missing: frozenset[str]
    refused: tuple[str, ...]


@pytest.fixture(scope="module")
def embedded() -> Iterator[Embedded]:
    """The embedded engine with the corpus in it."""
    with embedded_client() as client:
        refused = corpus.load(client)
        yield Embedded(client, refused_indices(refused), tuple(refused))


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
    found = differences(recorded(case, major), _ask(client, case), case.tolerance)
    assert not found, "\n".join(found)


def _ask(client: Elasticsearch, case: Case) -> list[Answer]:
    try:
        return ask(client, case)
    finally:
        if any(corpus.SCRATCH in request.path for request in case.requests):
            corpus.remove_scratch(client)


def test_the_embedded_engine_takes_the_corpus(embedded: Embedded) -> None:
    assert len(embedded.refused) == len(embedded.missing), embedded.refused


@every_topic
def test_embedded(embedded: Embedded, topic: str) -> None:
    def check(case: Case) -> None:
        if line_of(case) not in left_out():
            _check(embedded.client, case)
            return
        got = _ask(embedded.client, case)
        assert is_refusal(recorded(case), got, embedded.missing), "it is implemented now: take it off left_out.txt"

    each(TOPICS[topic], check)


@every_topic
def test_elasticsearch_8(real_8: Elasticsearch, topic: str) -> None:
    some = [case for number, case in enumerate(TOPICS[topic]) if ALL or number % 8 == 0]
    each(some, lambda case: _check(real_8, case))


@pytest.mark.timeout(2400)
def test_elasticsearch_9(real_9: Elasticsearch) -> None:
    asked = [case for case in cases() if ALL or differs(case, 9)]
    each(asked, lambda case: _check(real_9, case, 9))


def test_there_are_enough_cases() -> None:
    assert len(cases()) >= 400


def test_what_is_left_out_is_a_case() -> None:
    assert left_out() <= {line_of(case) for case in cases()}
