"""Context for building queries: the index's mapping and analysis, the clock, and the nesting level."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from qlc_engine.analysis import AnalysisRegistry, Analyzer
from qlc_engine.effective_settings import NEW, Effective
from qlc_engine.errors import query_shard_error
from qlc_engine.leaf import IndexStatistics
from qlc_engine.mapping import IGNORED, Field, Mapping
from qlc_engine.queries.base import Query
from qlc_engine.time_limit import check_time


@dataclass(frozen=True)
class QueryContext:
    """For one index and one request."""

    index: str
    mapping: Mapping
    analysis: AnalysisRegistry
    statistics: IndexStatistics
    #: epoch milliseconds, the same for every `now` of the request
    now_ms: int
    settings: Effective = NEW
    nested_path: str | None = None
    #: how many hits the request asks for: the default `k` of a knn query
    size: int = 10
    #: the query of the request, once it is made, for what explains its hits
    main: list[Query] = field(default_factory=list)
    #: queries around the one that is made, in its only item
    depth: list[int] = field(default_factory=lambda: [0])
    #: queries of the request so far, in its only item
    clauses: list[int] = field(default_factory=lambda: [0])
    #: `_name` of queries, and the nested level that they are at, in the order they were met
    named: list[tuple[str, Query, str | None]] = field(default_factory=list)

    def below(self, nested_path: str) -> QueryContext:
        return dataclasses.replace(self, nested_path=nested_path)

    def field(self, path: str) -> Field | None:
        check_time()  # whatever is written in a query asks for the field that it is on
        return IGNORED if path == IGNORED.path else self.mapping.field(path)

    def analyzer(self, name: str) -> Analyzer:
        found = self.analysis.analyzer(name)
        if found is None:
            raise query_shard_error(f"[match] analyzer [{name}] not found")
        return found

    def search_analyzer(self, field_: Field) -> Analyzer:
        return self.analyzer(field_.search_analyzer or field_.analyzer)


#: what makes the query of one clause of a request
ParseQuery = Callable[[Any, QueryContext], Query]
