"""Dates of a nested list by the calendar: Elasticsearch takes bounds for them from the query, so it is to see none."""

from typing import Any

import pytest

from qlc import catalogs
from qlc.mapping.index_mapping import load_mapping
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.trace import Trace
from qlc.resolver.run import dry_requests

COMPILER = Compiler(None, catalogs.path("drive"), mapping=load_mapping(catalogs.mapping_path("drive"), "entities-v4"))


def query_of(program: str) -> Any:
    trace = Trace()
    assert not COMPILER.diagnose(program, trace=trace).failed
    assert trace.plan is not None
    ((_, request),) = dry_requests(trace.plan, COMPILER.environment({}))
    return request.body["query"]


def visible_ranges(query: Any) -> list[Any]:
    """The ranges that every document must meet, as far as Elasticsearch looks for them."""
    if isinstance(query, list):
        return [one for part in query for one in visible_ranges(part)]
    if "range" in query:
        return [query["range"]]
    if "nested" in query:
        return visible_ranges(query["nested"]["query"])
    return visible_ranges([one for kind in ("filter", "must") for one in query.get("bool", {}).get(kind, [])])


@pytest.mark.parametrize("program", [
    "count documents where comments[created = 2025] by month(comments.created)",
    "count documents where comments[created = 2025 and text exists] by year(comments.created), type",
    "count documents where comments.created > 2025-03 and size > 10 by quarter(comments.created)",
])  # fmt: skip
def test_no_bounds_for_dates_of_elements(program: str) -> None:
    assert visible_ranges(query_of(program)) == []


def test_other_queries_stay_as_they_are() -> None:
    assert len(visible_ranges(query_of("count documents where created = 2025 by month(created)"))) == 1
    assert len(visible_ranges(query_of("count documents where comments[created = 2025] by type"))) == 1
