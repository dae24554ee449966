"""`collapse`: keeps only the best hit for each value of a field.

Source: org.elasticsearch.search.collapse.CollapseBuilder and org.elasticsearch.action.search.ExpandSearchPhase.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import KeywordColumn, NumericColumn
from qlc_engine.docset import Ordinals
from qlc_engine.errors import illegal_argument, parsing_error
from qlc_engine.json_input import json_token
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import Field
from qlc_engine.params import Params
from qlc_engine.queries.context import QueryContext
from qlc_engine.search.ranking import Ranked
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SortKey


@dataclass(frozen=True, slots=True)
class InnerGroup:
    """The inner hits of a collapsed hit; `body` is that of a search."""

    name: str
    body: dict[str, Any]
    collapse: Any = None


@dataclass(frozen=True, slots=True)
class Collapse:
    field: str
    inner: tuple[InnerGroup, ...] = ()


def parse_collapse(given: Any) -> Collapse | None:
    """Parse `collapse`. Raises EngineError."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise parsing_error(f"Unknown key for a {json_token(given)} in [collapse].")
    params = Params("collapse", given)
    path = params.take("field")
    inner = params.take("inner_hits")
    most = params.integer("max_concurrent_group_searches", 1)
    params.finish()
    if most < 1:
        raise parsing_error("[collapse] `max_concurrent_group_requests` must be positive")
    groups: list[InnerGroup] = []
    for entry in inner if isinstance(inner, list) else [] if inner is None else [inner]:
        if not isinstance(entry, dict):
            raise parsing_error(f"[collapse] inner_hits doesn't support values of type: {json_token(entry)}")
        body = dict(entry)
        name = body.pop("name", None)
        body.pop("ignore_unmapped", None)
        below = body.pop("collapse", None)
        if name is None:
            raise parsing_error("[collapse] inner_hits must have a [name]")
        groups.append(InnerGroup(str(name), body, below))
    return Collapse("" if path is None else str(path), tuple(groups))


def collapsed_field(collapse: Collapse, context: QueryContext) -> Field:
    """Return the field in one index. Raises EngineError if hits cannot be collapsed by it."""
    if not collapse.field:
        raise illegal_argument("no collapse field specified")
    found = context.field(collapse.field)
    if found is None:
        raise illegal_argument(f"no mapping found for `{collapse.field}` in order to collapse on")
    if not (found.is_keyword or found.is_numeric or found.type in ("ip", "boolean", "date")) or found.is_text:
        raise illegal_argument(f"collapse is not supported for the field [{collapse.field}] of the type [{found.type}]")
    if found.type in ("ip", "boolean", "date", "flattened"):
        raise illegal_argument(f"collapse is not supported for the field [{collapse.field}] of the type [{found.type}]")
    if not found.has_doc_values:
        raise illegal_argument(f"cannot collapse on field `{collapse.field}` without `doc_values`")
    return found


def check_after(collapse: Collapse, order: Sequence[SortKey]) -> None:
    """Check `search_after`: hits must be in the order of the groups. Raises EngineError."""
    if len(order) != 1 or order[0].path != collapse.field:
        raise illegal_argument(
            "Cannot use [collapse] in conjunction with [search_after] unless the search is sorted on the same field. "
            "Multiple sort fields are not allowed."
        )


def group_of(found: Ranked, field: Field) -> Hashable:
    """The value that a hit is collapsed by; None without one."""
    column = found.leaf.space.columns.get(field.path)
    if not isinstance(column, KeywordColumn | NumericColumn):
        return None
    first = column.starts.item(found.doc)
    if first == column.starts.item(found.doc + 1):
        return None
    if isinstance(column, KeywordColumn):
        return column.terms[column.ords.item(first)]
    value: int | float = column.values.item(first)
    return value + field.stored_offset if field.stored_offset else value


def best_of_each(ranked: Iterable[Ranked], shards: list[Shard], collapse: Collapse) -> list[Ranked]:
    """Return the first hit of each value, in their order."""
    fields = [collapsed_field(collapse, shard.context) for shard in shards]
    best: dict[Hashable, Ranked] = {}
    for found in ranked:
        best.setdefault(group_of(found, fields[found.shard]), found)
    return list(best.values())


def first_of_each(leaf: Leaf, path: str, ids: Ordinals) -> NDArray[np.int64]:
    """Return the places in `ids` of the first document of each value, ascending: `a, b, a, c` -> `0, 1, 3`.

    All documents without a value are one group. Raises EngineError if a document has several values.
    """
    column = leaf.space.columns.get(path)
    if not isinstance(column, KeywordColumn | NumericColumn):
        return np.arange(min(len(ids), 1))
    begins, counts = column.starts[ids], column.starts[ids + 1] - column.starts[ids]
    if len(several := ids[counts > 1]):
        raise illegal_argument(f"failed to extract doc:{several[0]}, the grouping field must be single valued")
    values = column.ords if isinstance(column, KeywordColumn) else column.values
    given = np.flatnonzero(counts)
    first = given[np.unique(values[begins[given]], return_index=True)[1]]
    return np.sort(np.concatenate((first, np.flatnonzero(counts == 0)[:1])))


def group_query(query: Any, path: str, value: Any) -> dict[str, Any]:
    """The query of the documents that come after a collapsed hit."""
    clauses: dict[str, Any] = {"must_not": [{"exists": {"field": path}}]}
    if value is not None:
        clauses = {"filter": [{"match": {path: {"query": value}}}]}
    if query is not None:
        clauses["must"] = [query]
    return {"bool": clauses}
