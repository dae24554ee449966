"""docs/pasted.md: its lists are those of the code, and every example of its table has the code that it stands for."""

import re
from typing import get_args

import pytest

from qlc import Compiler
from qlc.outcome import RejectedQuery
from qlc.pasted.aggregations import AGGREGATIONS
from qlc.pasted.entry import run_pasted
from qlc.pasted.explain import _METRICS, _PHRASES
from qlc.pasted.problems import CODES, Reason
from qlc.pasted.queries import QUERIES
from tests.docs.pages import table, text
from tests.pasted.conftest import NOW

ROWS = [[cell.strip("`") for cell in row] for row in table("docs/pasted.md", "## What is not run")]


def test_every_reason_is_described_with_its_code() -> None:
    assert {row[0]: row[1] for row in ROWS} == CODES
    assert set(CODES) == set(get_args(Reason))
    assert all(f"`{reason}`" in text("docs/api.md") for reason in CODES)


@pytest.mark.parametrize("row", [row for row in ROWS if row[3]], ids=lambda row: row[0])
def test_an_example_has_its_reason_and_nothing_else(store: Compiler, row: list[str]) -> None:
    (found,) = run_pasted(row[3], store, now=NOW)
    assert isinstance(found, RejectedQuery)
    assert found.reason == row[0]
    assert {one.code for one in found.diagnostics} == {row[1]}


def test_the_lists_are_those_that_run() -> None:
    page = text("docs/pasted.md")
    for heading, names in (("These queries can run", QUERIES), ("And these aggregations", AGGREGATIONS)):
        listed = re.search(rf"{heading}: (.*?)\.\n", page, re.DOTALL)
        assert tuple(re.findall(r"`(\w+)`", listed[1])) == names


def test_every_query_and_aggregation_can_be_explained() -> None:
    assert set(_PHRASES) == set(QUERIES)
    buckets = {"terms", "date_histogram", "histogram", "range", "date_range", "filter", "filters", "missing", "nested",
               "reverse_nested", "composite"}  # fmt: skip
    assert set(_METRICS) | buckets == set(AGGREGATIONS)
