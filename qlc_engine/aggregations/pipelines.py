"""Pipeline aggregations without scripts: they work on the finished answers of other aggregations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.metrics import Stats
from qlc_engine.aggregations.ordering import order_path
from qlc_engine.aggregations.tree import AggJson, Aggregator, Children, Pipeline
from qlc_engine.aggregations.value_format import ValueFormat, decimal_format
from qlc_engine.errors import EngineError, illegal_argument, no_scripts, not_implemented, parsing_error
from qlc_engine.value_parsers import format_float

#: of `percentiles_bucket` unless asked for others
_PERCENTS = (1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0)
PLAIN = ValueFormat()
_GAP_POLICIES = ("skip", "insert_zeros", "keep_values")


def _refused(reason: str) -> EngineError:
    return EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")


def value_at(bucket: dict[str, Any], path: tuple[str, ...]) -> float | None:
    """The number at a path in a bucket (`_count`, `sum`, `stats.avg`, `nested>sum`); None where there is none."""
    if path == ("_count",):
        return float(bucket["doc_count"])
    found: Any = bucket
    for step in path:
        if not isinstance(found, dict):
            return None
        if step == "_count" and "doc_count" in found:
            found = found["doc_count"]
        elif step in found:
            found = found[step]
        else:
            found = found.get("values", {}).get(step)
    if isinstance(found, dict):
        found = found.get("value")
    return None if found is None or isinstance(found, str) else float(found)


@dataclass
class SiblingPipeline:
    """`max_bucket`, `min_bucket`, `sum_bucket`, `avg_bucket`, `stats_bucket`: over the buckets of a sibling."""

    name: str
    type: str
    meta: dict[str, Any] | None
    path: tuple[str, ...]
    gaps_are_zero: bool
    format: ValueFormat = PLAIN
    #: `keep_values`: empty buckets count where they have a value
    keeps_values: bool = False
    sigma: float = 2.0
    percents: tuple[float, ...] = _PERCENTS
    keyed: bool = True
    is_parent = False

    def over_buckets(self, buckets: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return buckets

    def over_siblings(self, siblings: dict[str, Any]) -> AggJson:
        pairs = list(self._values(siblings))
        numbers = [value for _, value in pairs]
        if self.type in ("max_bucket", "min_bucket"):
            return self._extreme(pairs, max if self.type == "max_bucket" else min)
        if self.type == "stats_bucket":
            return _with_texts(_stats(numbers), self.format)
        if self.type == "extended_stats_bucket":
            return self._extended(numbers)
        if self.type == "percentiles_bucket":
            return self._percentiles(sorted(numbers))
        value = _sum(numbers) if self.type == "sum_bucket" else _mean(numbers)
        return AggJson("simple_value", {"value": value, **_text_of(value, self.format)})

    def _extreme(self, pairs: list[tuple[str, float]], pick: Callable[[list[float]], float]) -> AggJson:
        if not pairs:
            return AggJson("bucket_metric_value", {"value": None, "keys": []})
        best = pick([value for _, value in pairs])
        keys = [key for key, value in pairs if value == best]
        return AggJson("bucket_metric_value", {"value": best, **_text_of(best, self.format), "keys": keys})

    def _extended(self, numbers: list[float]) -> AggJson:
        values = np.array(numbers, np.float64)
        squares = values * values
        return Stats(
            kind="extended_stats_bucket",
            counts=np.array([len(values)]),
            sums=np.array([_sum(values)]),
            least=np.array([values.min() if len(values) else math.inf]),
            greatest=np.array([values.max() if len(values) else -math.inf]),
            format=self.format,
            sums_of_squares=np.array([_sum(squares)]),
            sigma=self.sigma,
        ).render(0)

    def _percentiles(self, numbers: list[float]) -> AggJson:
        found: list[tuple[float, float | None]] = []
        for percent in self.percents:
            # Java's Math.round: halves go up
            place = math.floor(percent / 100 * (len(numbers) - 1) + 0.5)
            found.append((percent, numbers[place] if numbers else None))
        if not self.keyed:
            shown = [{"key": percent, "value": value, **_text_of(value, self.format)} for percent, value in found]
            return AggJson("percentiles_bucket", {"values": shown})
        values: dict[str, Any] = {}
        for percent, value in found:
            values[format_float(percent)] = value
            text = _text_of(value, self.format)
            if text:
                values[f"{format_float(percent)}_as_string"] = text["value_as_string"]
        return AggJson("percentiles_bucket", {"values": values})

    def _values(self, siblings: dict[str, Any]) -> Iterator[tuple[str, float]]:
        found: Any = siblings
        rest = list(self.path)
        while rest and isinstance(found, dict) and rest[0] in found and "buckets" not in found:
            found = found[rest.pop(0)]
        buckets = found.get("buckets") if isinstance(found, dict) else None
        if isinstance(buckets, dict):
            named = list(buckets.items())
        else:
            named = [(str(b.get("key_as_string", b.get("key"))), b) for b in buckets or []]
        for key, bucket in named:
            value = value_at(bucket, tuple(rest))
            gap = bucket["doc_count"] == 0 and rest != ["_count"] and not self.keeps_values
            if value is not None and (self.gaps_are_zero or not gap):
                yield key, value
            elif self.gaps_are_zero:
                yield key, 0.0


def _mean(numbers: list[float]) -> float | None:
    return math.fsum(numbers) / len(numbers) if numbers else None


def _text_of(value: float | None, format: ValueFormat) -> dict[str, str]:
    text = None if value is None else format.as_string(value)
    return {} if text is None else {"value_as_string": text}


def _with_texts(found: AggJson, format: ValueFormat) -> AggJson:
    for name in ("min", "max", "avg", "sum"):
        text = None if found[name] is None else format.as_string(found[name])
        if text is not None:
            found[f"{name}_as_string"] = text
    return found


def _sum(numbers: Iterable[float]) -> float:
    """Beyond the greatest double is infinity."""
    values = list(numbers)
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):
        return sum(values)


def _stats(numbers: list[float]) -> AggJson:
    if not numbers:
        return AggJson("stats_bucket", {"count": 0, "min": None, "max": None, "avg": None, "sum": 0.0})
    total = _sum(numbers)
    return AggJson(
        "stats_bucket",
        {
            "count": len(numbers),
            "min": min(numbers),
            "max": max(numbers),
            "avg": total / len(numbers),
            "sum": total,
        },
    )


@dataclass
class CumulativeSum:
    name: str
    meta: dict[str, Any] | None
    path: tuple[str, ...]
    format: ValueFormat = PLAIN
    is_parent = True

    def over_buckets(self, buckets: list[dict[str, Any]]) -> list[dict[str, Any]]:
        total = 0.0
        for bucket in buckets:
            value = value_at(bucket, self.path)
            total += 0.0 if value is None else value
            bucket[self.name] = AggJson("simple_value", {"value": total, **_text_of(total, self.format)})
        return buckets

    def over_siblings(self, siblings: dict[str, Any]) -> AggJson:
        raise AssertionError("works on buckets")


@dataclass
class SerialDiff:
    """What a value differs by from the one `lag` buckets before."""

    name: str
    meta: dict[str, Any] | None
    path: tuple[str, ...]
    gaps_are_zero: bool
    lag: int
    format: ValueFormat = PLAIN
    is_parent = True

    def over_buckets(self, buckets: list[dict[str, Any]]) -> list[dict[str, Any]]:
        values: list[float | None] = []
        for bucket in buckets:
            value = value_at(bucket, self.path)
            values.append(0.0 if value is None and self.gaps_are_zero else value)
        for bucket, value, before in zip(buckets[self.lag :], values[self.lag :], values, strict=False):
            if value is not None and before is not None:
                change = value - before
                bucket[self.name] = AggJson("simple_value", {"value": change, **_text_of(change, self.format)})
        return buckets

    def over_siblings(self, siblings: dict[str, Any]) -> AggJson:
        raise AssertionError("works on buckets")


@dataclass
class Derivative:
    name: str
    meta: dict[str, Any] | None
    path: tuple[str, ...]
    gaps_are_zero: bool
    format: ValueFormat = PLAIN
    is_parent = True

    def over_buckets(self, buckets: list[dict[str, Any]]) -> list[dict[str, Any]]:
        previous: float | None = None
        for number, bucket in enumerate(buckets):
            value = value_at(bucket, self.path)
            if value is None and self.gaps_are_zero:
                value = 0.0
            if number and value is not None and previous is not None:
                bucket[self.name] = AggJson(
                    "derivative", {"value": value - previous, **_text_of(value - previous, self.format)}
                )
            previous = value
        return buckets

    def over_siblings(self, siblings: dict[str, Any]) -> AggJson:
        raise AssertionError("works on buckets")


@dataclass
class BucketSort:
    """Sorts and cuts the buckets of the aggregation that holds it."""

    name: str
    meta: dict[str, Any] | None
    sorts: list[tuple[tuple[str, ...], bool]]
    start: int
    size: int | None
    is_parent = True

    def over_buckets(self, buckets: list[dict[str, Any]]) -> list[dict[str, Any]]:
        kept = buckets
        for path, ascending in reversed(self.sorts):
            present = [b for b in kept if self._value(b, path) is not None]
            absent = [b for b in kept if self._value(b, path) is None]
            present.sort(key=lambda b: self._value(b, path), reverse=not ascending)
            kept = present + absent
        if self.sorts:
            kept = [b for b in kept if any(self._value(b, path) is not None for path, _ in self.sorts)]
        return kept[self.start : None if self.size is None else self.start + self.size]

    @staticmethod
    def _value(bucket: dict[str, Any], path: tuple[str, ...]) -> Any:
        return bucket["key"] if path == ("_key",) else value_at(bucket, path)

    def over_siblings(self, siblings: dict[str, Any]) -> AggJson:
        raise AssertionError("works on buckets")


SIBLINGS = (
    "max_bucket", "min_bucket", "sum_bucket", "avg_bucket", "stats_bucket", "extended_stats_bucket",
    "percentiles_bucket",
)  # fmt: skip
PARENTS = ("cumulative_sum", "derivative", "bucket_sort", "serial_diff", "bucket_script")


def parse_pipeline(
    body: Body, meta: dict[str, Any] | None
) -> SiblingPipeline | CumulativeSum | Derivative | BucketSort | SerialDiff:
    if body.type == "bucket_script":
        # found while the answer is put together
        cause = no_scripts("aggregation [bucket_script]", on_shard=False)
        raise EngineError("search_phase_execution_exception", "", caused_by=cause)
    if body.has("script"):
        raise no_scripts(f"[script] of aggregation [{body.type}]")
    pattern = body.text("format")
    format = ValueFormat() if pattern is None else decimal_format(pattern)
    if body.type == "bucket_sort":
        return _parse_bucket_sort(body, meta)
    given = body.take("buckets_path")
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    if not isinstance(given, str):
        raise parsing_error(f"Missing required field [buckets_path] for aggregation [{body.name}]")
    policy = body.text("gap_policy") or "skip"
    if policy not in _GAP_POLICIES:
        raise parsing_error(f"Invalid gap policy: [{policy}], accepted values: [insert_zeros, skip, keep_values]")
    path = order_path(given)
    if body.type == "cumulative_sum":
        return CumulativeSum(body.name, meta, path, format)
    if body.type == "derivative":
        if body.has("unit"):
            raise not_implemented("[unit] of [derivative]")
        return Derivative(body.name, meta, path, policy == "insert_zeros", format)
    if body.type == "serial_diff":
        lag = body.integer("lag", 1, at_least=-(2**31))
        if lag < 1:
            reason = f"Lag must be a positive, non-zero integer.  Value supplied was{lag} in [{body.name}]."
            raise parsing_error(reason)
        return SerialDiff(body.name, meta, path, policy == "insert_zeros", lag, format)
    return SiblingPipeline(
        body.name, body.type, meta, path, policy == "insert_zeros", format, policy == "keep_values", **_options(body)
    )


def _options(body: Body) -> dict[str, Any]:
    """What one of the siblings takes beside what all do."""
    if body.type == "extended_stats_bucket":
        sigma = body.number("sigma", 2.0)
        if sigma is None or sigma < 0:
            raise illegal_argument("sigma must be a non-negative double")
        return {"sigma": sigma}
    if body.type == "percentiles_bucket":
        given = body.array("percents")
        percents = _PERCENTS if given is None else tuple(float(percent) for percent in given)
        for percent in percents:
            if not 0 <= percent <= 100:
                raise illegal_argument("percents must only contain non-null doubles from 0.0-100.0 inclusive")
        return {"percents": percents, "keyed": body.boolean("keyed", True)}
    return {}


def check_sibling(pipeline: SiblingPipeline, siblings: Children) -> None:
    """Raises if the path leads to no aggregation beside the pipeline or below one."""
    told = ">".join(pipeline.path)
    holder = siblings.find(pipeline.path[0])
    if holder is None:
        raise _refused(f"No aggregation found for path [{told}]")
    several = _has_several_buckets(holder)
    for step in pipeline.path[1:]:
        if not holder.takes_children or step.startswith(("_", "'")) or step in _names(holder.children.pipelines):
            # a number of a metric, a count, the key of one bucket, or what is computed from the buckets
            break
        below = holder.children.find(step)
        if below is None:
            raise _refused(f"No aggregation [{step}] found for path [{told}]")
        holder = below
        several = several or _has_several_buckets(holder)
    if not several:
        raise _refused(
            "Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a multi-bucket "
            f"aggregation for aggregation [{pipeline.name}] found :{holder.type} for buckets path: {told}"
        )


def _has_several_buckets(aggregator: Aggregator) -> bool:
    one = ("filter", "nested", "reverse_nested", "missing", "global")
    return aggregator.takes_children and aggregator.type not in one


def _names(pipelines: Iterable[Pipeline]) -> set[str]:
    return {pipeline.name for pipeline in pipelines}


def _parse_bucket_sort(body: Body, meta: dict[str, Any] | None) -> BucketSort:
    body.take("gap_policy")
    start = body.integer("from", 0)
    size = body.integer("size", -1, at_least=1)
    given = body.take("sort", [])
    sorts: list[tuple[tuple[str, ...], bool]] = []
    for entry in given if isinstance(given, list) else [given]:
        if isinstance(entry, str):
            sorts.append((order_path(entry), True))
            continue
        if not isinstance(entry, dict):
            raise body.wrong_token("sort", entry)
        for path, options in entry.items():
            direction = options.get("order", "asc") if isinstance(options, dict) else options
            if str(direction).lower() not in ("asc", "desc"):
                raise body.failed("sort", illegal_argument(f"Unknown sort order [{direction}]"))
            sorts.append((order_path(path), str(direction).lower() == "asc"))
    if not sorts and start == 0 and size < 0:
        raise _refused(
            f"[{body.name}] is configured to perform nothing. Please set either of [sort, size, from] to use "
            "bucket_sort"
        )
    return BucketSort(body.name, meta, sorts, start, None if size < 0 else size)
