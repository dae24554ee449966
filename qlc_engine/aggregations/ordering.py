"""The `order` of buckets: count, key, or a metric below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.tree import (
    Children,
    ChildResults,
    FloatArray,
    InvalidOrderError,
    metric_of,
    no_such_aggregation,
)
from qlc_engine.columns import IntArray
from qlc_engine.errors import EngineError
from qlc_engine.params import Params


@dataclass(frozen=True, slots=True)
class Order:
    """`path` is `_count`, `_key` or the way to a metric."""

    path: tuple[str, ...]
    ascending: bool
    #: the path as the request spells it
    text: str

    @property
    def is_metric(self) -> bool:
        return self.path not in (("_count",), ("_key",))


COUNT_DESC = Order(("_count",), False, "_count")
KEY_ASC = Order(("_key",), True, "_key")


def read_order(body: Params, default: Sequence[Order]) -> list[Order]:
    """Takes `order`: an object or a list of objects; the key decides what all else leaves equal."""
    given = body.take("order")
    if given is None:
        orders = list(default)
    else:
        entries = given if isinstance(given, list) else [given]
        orders = [order for entry in entries for order in _orders_of(body, entry)]
    if not any(order.path == ("_key",) for order in orders):
        orders.append(KEY_ASC)
    return orders


def _orders_of(body: Params, entry: Any) -> list[Order]:
    if not isinstance(entry, dict):
        raise body.wrong("order", entry)
    if len(entry) != 1 and isinstance(entry, dict) and not entry:
        raise body.failed("order", "Must specify at least one field for [order]")
    found: list[Order] = []
    # of several keys in one object the server keeps the last
    for path, direction in list(entry.items())[-1:]:
        if str(direction).lower() not in ("asc", "desc"):
            raise body.failed("order", f"Unknown order direction [{direction}]")
        found.append(Order(order_path(path), str(direction).lower() == "asc", path))
    return found


def order_path(text: str) -> tuple[str, ...]:
    """`nested>stats.avg` and `prices[avg]` as steps."""
    steps: list[str] = []
    for step in text.split(">"):
        name, dot, key = step.rpartition(".")
        if step.endswith("]") and "[" in step:
            name, _, key = step[:-1].partition("[")
            steps.extend((name, key))
        elif dot:
            steps.extend((name, key))
        else:
            steps.append(step)
    return tuple(steps)


def check_order(orders: Sequence[Order], children: Children) -> None:
    """Raises `invalid_path` if an order names an aggregation that is not below."""
    for order in orders:
        if order.is_metric and children.find(order.path[0]) is None:
            raise _invalid_path(order, no_such_aggregation(order.path[0]))


def _invalid_path(order: Order, error: InvalidOrderError) -> EngineError:
    reason = f"Invalid aggregation order path [{order.text}]. {error}"
    return EngineError("invalid_path", reason)


def metric_children(orders: Sequence[Order], children: Children) -> Children:
    """The aggregations that an order needs for all buckets, before any is chosen."""
    names = {order.path[0] for order in orders if order.is_metric}
    return Children([child for child in children.aggregators if child.name in names])


def sort_cells(
    orders: Sequence[Order], owners: IntArray, keys: IntArray, counts: IntArray, metrics: ChildResults | None
) -> IntArray:
    """Indices of the cells by owner and then by the orders. `keys` are ordinals in key order; NaN comes last."""
    columns: list[IntArray | FloatArray] = []
    for order in orders:
        if order.path == ("_count",):
            columns.append(counts if order.ascending else -counts)
        elif order.path == ("_key",):
            columns.append(keys if order.ascending else -keys)
        else:
            assert metrics is not None
            try:
                values = metric_of(metrics.results, order.path)
            except InvalidOrderError as error:
                raise _invalid_path(order, error) from error
            absent = np.isnan(values)
            columns.append(absent.astype(np.int64))
            columns.append(np.where(absent, 0.0, values if order.ascending else -values))
    return np.lexsort((*reversed(columns), owners))
