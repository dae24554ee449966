"""Requests contain no scripts and no estimates, and are as few as possible."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from elasticsearch import Elasticsearch

from qlc.compiler.request import CannotAnswer
from qlc.compiler.typed import Aggregate, All, Group, Measure
from qlc.resolver.rows import read_rows
from tests.rows.oracle import GROUPS, MAPPING, MEASURES, documents
from tests.rows.world import Asker, ids, stored
from tests.tables import rows


@pytest.fixture(scope="module")
def asker(client: Elasticsearch) -> Iterator[Asker]:
    with stored(client, MAPPING, ids(documents(seed=3, size=20))) as index:
        yield Asker.without_catalog(client, index, MAPPING)


def test_a_count_is_the_exact_total(asker: Asker) -> None:
    found = asker.run('count entries where one = "p"')
    (request,) = asker.asked
    assert request.purpose == "number of entries"
    assert request.body.keys() == {"size", "track_total_hits", "query"}
    assert request.body["track_total_hits"] is True
    assert found.rows[0].keys == ()


@pytest.mark.parametrize(("program", "requests"), rows(__file__, "test_few_rows_take_few_requests"))
def test_few_rows_take_few_requests(asker: Asker, program: str, requests: int) -> None:
    asker.run(program)
    assert len(asker.asked) == requests
    assert [request.continues for request in asker.asked] == [False] + [True] * (requests - 1)


def test_no_scripts_and_no_estimates_but_percentiles(asker: Asker) -> None:
    for group in GROUPS:
        for measure in MEASURES:
            asker.run(f"{measure.text} of entries by {group.text}")
            sent = json.dumps([request.body for request in asker.asked])
            assert "script" not in sent
            assert "cardinality" not in sent


def test_a_condition_cannot_be_tied_to_elements_that_are_not_kept_apart(client: Elasticsearch) -> None:
    mapping = {"mappings": {"properties": {"flat": {"properties": {"a": {"type": "keyword"}, "b": {"type": "long"}}}}}}
    with stored(client, mapping, {"1": {"flat": [{"a": "x", "b": 1}]}}) as index:
        asker = Asker.without_catalog(client, index, mapping)
        entry = asker.schema.entity("entry")
        group = Group("a", entry.fields["flat.a"], narrowed=All())
        aggregate = Aggregate(entry, (Measure("count", "count"),), groups=(group,))
        with pytest.raises(CannotAnswer) as refused:
            asker.read(read_rows(aggregate, asker.environment()))
        assert refused.value.code == "elements-not-kept"
        plain = replace(aggregate, groups=(replace(group, narrowed=None),))
        assert len(asker.read(read_rows(plain, asker.environment())).rows) == 1


def test_conditions_come_before_what_would_multiply_their_buckets(asker: Asker) -> None:
    asker.run("count entries by day(t), weekday(e.d)")
    sent = json.dumps(asker.asked[-1].body)
    assert 0 < sent.index('"filters"') < sent.index('"date_histogram"')
