"""Scripts on awkward documents: the embedded engine answers as an OpenSearch did, or refuses by name.

`scripts.py` asks, and records what a real server says; the cases are in `test_scripts.yaml`.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from elastic_transport import NodeConfig, Transport

from qlc_engine import Engine, node_class
from tests.conformance.comparing import differences
from tests.engine import scripts
from tests.servers.fixtures import RealElasticsearch
from tests.tables import each, table

EXPECTED: dict[str, Any] = json.loads(scripts.RECORDED.read_text("utf-8"))
REFUSED = "is not implemented in the embedded engine"
NUMBERS = range(len(scripts.DOCUMENTS))


@pytest.fixture(scope="module")
def embedded() -> Iterator[Transport]:
    with Engine.open(None) as engine:
        transport = Transport([NodeConfig("http", "embedded", 9200, "")], node_class=node_class(engine))
        scripts.load(transport)
        yield transport


def test_all_cases_are_recorded() -> None:
    for name, cases in EXPECTED.items():
        assert list(cases) == list(table(scripts.FILE, name))


def _same(expected: Any, got: Any) -> bool:
    if isinstance(expected, list):
        return isinstance(got, list) and got[0] == 400
    if expected == "NaN":
        return isinstance(got, list) and REFUSED in got[1]
    return repr(expected) == repr(got)


@pytest.mark.parametrize(("name", "asked"), [("VALUES", scripts.value), ("FILTERS", scripts.matches)])
def test_scripts_mean_what_they_mean_on_a_server(embedded: Transport, name: str, asked: Any) -> None:
    def check(case: tuple[str, list[Any]]) -> None:
        source, expected = case
        got = [asked(embedded, source, number) for number in NUMBERS]
        assert all(map(_same, expected, got)), f"expected {expected}, got {got}"

    each(EXPECTED[name].items(), check)


def test_values_of_all_documents_at_once(embedded: Transport) -> None:
    """Columns as a whole are read in another way than those of one document."""

    def check(case: tuple[str, list[Any]]) -> None:
        source, expected = case
        wanted = {str(number): one for number, one in enumerate(expected) if not isinstance(one, list) and one != "NaN"}
        sort = [{"_script": {"type": "number", "script": {"source": source, "params": scripts.PARAMS}}}]
        body = {"query": {"ids": {"values": list(wanted)}}, "sort": sort}
        hits = scripts.answer(embedded, body)["hits"]["hits"]
        assert {hit["_id"]: repr(hit["sort"][0]) for hit in hits} == {key: repr(one) for key, one in wanted.items()}

    each([case for case in EXPECTED["VALUES"].items() if not all(isinstance(one, list) for one in case[1])], check)


def test_requests_with_scripts(embedded: Transport) -> None:
    bodies = table(scripts.FILE, "BODIES")

    def check(case: tuple[str, Any]) -> None:
        name, expected = case
        got = scripts.answer(embedded, bodies[name])
        if "status" in expected:
            assert got.get("status") == 400, got
        else:
            assert not (found := differences(expected, got)), found

    each(EXPECTED["BODIES"].items(), check)


def test_a_script_over_fields_of_different_types_is_refused(embedded: Transport) -> None:
    for name, kind in (("first", "long"), ("second", "double")):
        scripts.perform(embedded, "PUT", f"/{name}", {"mappings": {"properties": {"x": {"type": kind}}}})
        scripts.perform(embedded, "PUT", f"/{name}/_doc/1?refresh=true", {"x": 2})
    summed = {"size": 0, "aggs": {"x": {"sum": {"script": "(double) doc['x'].value"}}}}
    status, answer = scripts.perform(embedded, "POST", "/first,second/_search", summed)
    assert status == 400
    assert "of different types" in answer["error"]["reason"]
    found = {"query": {"script": {"script": "doc['x'].value == 2"}}}
    status, answer = scripts.perform(embedded, "POST", "/first,second/_search", found)
    assert (status, answer["hits"]["total"]["value"]) == (200, 2)


def test_server_answers_as_recorded(real_opensearch: RealElasticsearch) -> None:
    got = scripts.ask(scripts.connected(real_opensearch.url))
    assert not differences(_without_reasons(EXPECTED), _without_reasons(got))


def _without_reasons(answers: Any) -> Any:
    """Errors by their status: what they say depends on the version."""
    if isinstance(answers, dict):
        return {key: _without_reasons(value) for key, value in answers.items() if key != "reasons"}
    if isinstance(answers, list) and answers and answers[0] == 400:
        return answers[:1]
    return [_without_reasons(one) for one in answers] if isinstance(answers, list) else answers


def test_other_scripts_are_refused_by_name(embedded: Transport) -> None:
    for source in EXPECTED["REFUSED"]:
        assert any(REFUSED in reason for reason in scripts.value(embedded, source, 0)[1:]), source
    for name, body in table(scripts.FILE, "REFUSED_BODIES").items():
        assert any(REFUSED in reason for reason in scripts.answer(embedded, body)["reasons"]), name
