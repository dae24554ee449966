"""`about` with vectors: the nearest of the documents that meet the other conditions and the access rule."""

from collections.abc import Sequence
from typing import Any

import pytest
from elasticsearch import helpers

from qlc.mapping.catalog import read_catalog
from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.tables import table

KEYWORD = {"type": "keyword"}
CATALOG = table(__file__, "CATALOG")


def embedded(text: str) -> Sequence[float]:
    return [1.0, 2.9]


def store(hidden: int) -> Compiler:
    """Twelve documents of red, and between them and what is asked for those of blue."""
    client = engines.open_client()
    properties: dict[str, Any] = {
        **dict.fromkeys(("id", "tenant", "kind", "mark"), KEYWORD), "made": {"type": "date"},
        "name": {"type": "text", "fields": {"keyword": KEYWORD}},
        "near": {"type": "dense_vector", "dims": 2, "index": True, "similarity": "cosine"},
    }  # fmt: skip
    client.indices.create(index="things", mappings={"properties": properties})
    documents: list[dict[str, Any]] = [
        {"id": f"r{at}", "tenant": "red", "kind": "ab"[at % 2], "name": f"N{at}", "near": [1.0, 0.01 + at / 10],
         "mark": "a", "made": f"2024-01-0{1 + at % 2}"}
        for at in range(12)
    ]  # fmt: skip
    documents += [
        {"id": f"h{at}", "tenant": "blue", "name": f"H{at}", "near": [1.0, 3 + at / 10]} for at in range(hidden)
    ]
    helpers.bulk(client, [{"_index": "things", "_id": one["id"], "_source": one} for one in documents], refresh=True)
    return Compiler(client, read_catalog(CATALOG), embedder=embedded)


@pytest.fixture(scope="module", params=[0, 3, 200])
def compiler(request: pytest.FixtureRequest) -> Compiler:
    return store(request.param)


@pytest.mark.parametrize("size", [2, 5, 50])
def test_hidden_documents_take_no_places(compiler: Compiler, size: int) -> None:
    outcome = compiler.run('find things where about "x"', context={"tenant": "red"}, size=size)
    assert (outcome.total, outcome.ids) == (12, [f"r{at}" for at in range(11, -1, -1)][:size])


def test_nor_do_those_that_other_conditions_keep_out(compiler: Compiler) -> None:
    for program in ('about "x" and kind = "b"', 'kind = "b" and about "x"', 'about "x" and not kind = "a"'):
        outcome = compiler.run(f"find things where {program}", context={"tenant": "red"}, size=2)
        assert (outcome.total, outcome.ids) == (6, ["r11", "r9"])


def test_what_is_read_first_for_other_conditions_may_be_more(compiler: Compiler) -> None:
    """Weekdays are ranges between the first and the last date, and two fields are compared by the values they share."""
    for test in ('weekday(made) = "Monday"', "kind = mark"):
        outcome = compiler.run(f'find things where about "x" and {test}', context={"tenant": "red"})
        assert outcome.total == 6
