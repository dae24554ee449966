"""Requests on places, shapes and ranges: those of programs are translated back, others say what cannot be said."""

import json

import pytest

from qlc.outcome import Explain, Hits
from qlc.pasted.entry import run_pasted
from tests import engines
from tests.small_worlds import compiler_of
from tests.tables import table

NOW = "2026-03-15T12:00:00Z"
SAID: list[str] = table(__file__, "SAID")
OTHERS: list[list[str]] = table(__file__, "OTHERS")


@pytest.mark.parametrize("source", SAID)
def test_the_request_of_a_program_is_said_as_that_program(source: str) -> None:
    world = "plots" if " plots " in source else "stays"
    if world == "plots" and engines.IS_ELASTICSEARCH:
        pytest.skip("the built servers of Elasticsearch have no shapes; OpenSearch's have them")
    compiler = compiler_of(world)
    search = compiler.search(source, now=NOW, timezone="UTC")
    text = f"GET {world}/_search\n" + json.dumps({"query": search.to_dict()["query"]})
    (found,) = run_pasted(text, compiler, now=NOW, timezone="UTC")
    assert isinstance(found, Hits), found
    assert found.query == source
    assert found.total == compiler.run(source, now=NOW, timezone="UTC").total  # type: ignore[union-attr]


@pytest.mark.parametrize(("query", "expected"), OTHERS)
def test_other_requests_are_said_or_the_reason_is(query: str, expected: str) -> None:
    (found,) = run_pasted(f"explain GET stays/_search\n{query}", compiler_of("stays"), now=NOW, timezone="UTC")
    assert isinstance(found, Explain), found
    assert expected in (found.query or " ".join([found.message, *found.notes])), found
