"""From the `aggs` of a request to a tree of aggregators."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from qlc_engine.aggregations.composite import CompositeAggregator, parse_composite
from qlc_engine.aggregations.filters import (
    FilterAggregator,
    FiltersAggregator,
    MissingAggregator,
    NestedAggregator,
    ReverseNestedAggregator,
    parse_filters,
    parse_missing,
)
from qlc_engine.aggregations.histograms import HistogramAggregator, parse_date_histogram, parse_histogram
from qlc_engine.aggregations.metrics import (
    CardinalityAggregator,
    SingleValueAggregator,
    StatsAggregator,
    TopHitsAggregator,
    ValueCountAggregator,
    parse_cardinality,
    parse_extended_stats,
    parse_metric,
    parse_top_hits,
    parse_value_count,
)
from qlc_engine.aggregations.percentiles import (
    MedianAbsoluteDeviationAggregator,
    PercentilesAggregator,
    parse_median_absolute_deviation,
    parse_percentiles,
)
from qlc_engine.aggregations.ranges import (
    DateRangeAggregator,
    RangeAggregator,
    parse_date_range,
    parse_range,
)
from qlc_engine.aggregations.terms import TermsAggregator, parse_terms
from qlc_engine.aggregations.tree import Aggregator, Children
from qlc_engine.errors import EngineError, illegal_argument, no_scripts, not_implemented, parsing_error
from qlc_engine.json_input import json_token
from qlc_engine.mapping import FieldLookup
from qlc_engine.params import Params

Parse = Callable[[Params, FieldLookup], dict[str, Any]]

#: type -> the aggregator and how its own parameters are read
AGGREGATIONS: dict[str, tuple[type[Aggregator], Parse]] = {
    "terms": (TermsAggregator, parse_terms),
    "histogram": (HistogramAggregator, parse_histogram),
    "date_histogram": (HistogramAggregator, parse_date_histogram),
    "range": (RangeAggregator, parse_range),
    "date_range": (DateRangeAggregator, parse_date_range),
    "filters": (FiltersAggregator, parse_filters),
    "missing": (MissingAggregator, parse_missing),
    "composite": (CompositeAggregator, parse_composite),
    "cardinality": (CardinalityAggregator, parse_cardinality),
    "value_count": (ValueCountAggregator, parse_value_count),
    "sum": (SingleValueAggregator, parse_metric),
    "avg": (SingleValueAggregator, parse_metric),
    "min": (SingleValueAggregator, parse_metric),
    "max": (SingleValueAggregator, parse_metric),
    "stats": (StatsAggregator, parse_metric),
    "extended_stats": (StatsAggregator, parse_extended_stats),
    "percentiles": (PercentilesAggregator, parse_percentiles),
    "median_absolute_deviation": (MedianAbsoluteDeviationAggregator, parse_median_absolute_deviation),
    "top_hits": (TopHitsAggregator, parse_top_hits),
}
#: read by this module, because they depend on where they are
_PLACED = ("filter", "nested", "reverse_nested")
_IMPLEMENTED = frozenset({*AGGREGATIONS, *_PLACED})

#: What the server has besides: refused by name.
_KNOWN_ELSEWHERE = frozenset(
    {
        "adjacency_matrix", "auto_date_histogram", "avg_bucket", "boxplot", "bucket_correlation",
        "bucket_count_ks_test", "bucket_sort", "categorize_text", "change_point", "children",
        "cumulative_cardinality", "cumulative_sum", "derivative", "diversified_sampler", "extended_stats_bucket",
        "frequent_item_sets", "geo_bounds", "geo_centroid", "geo_distance", "geo_line", "geohash_grid", "geohex_grid",
        "geotile_grid", "global", "inference", "ip_prefix", "ip_range", "matrix_stats", "max_bucket", "min_bucket",
        "moving_fn", "moving_percentiles", "multi_terms", "normalize", "parent", "percentile_ranks",
        "percentiles_bucket", "random_sampler", "rare_terms", "rate", "sampler", "serial_diff", "significant_terms",
        "significant_text", "stats_bucket", "string_stats", "sum_bucket", "t_test", "time_series", "top_metrics",
        "variable_width_histogram", "weighted_avg",
    }
)  # fmt: skip
_SCRIPTED = ("bucket_script", "bucket_selector", "scripted_metric")
#: aggregations in one another
MAX_DEPTH = 50
_INVALID_NAME = re.compile(r"[\[\]>]")
_SUB_KEYS = ("aggs", "aggregations")
#: where a composite may be
_COMPOSITE_PARENTS = ("nested", "filter")


def implemented_aggregations() -> list[str]:
    """The types that are answered, for the documentation."""
    return sorted(_IMPLEMENTED)


def parse_children(spec: Any, mapping: FieldLookup, above: tuple[Aggregator, ...]) -> Children:
    """The aggregations of one level. `above` are the ones they are in, outermost first."""
    children = Children()
    if len(above) > MAX_DEPTH:
        raise not_implemented(f"aggregations in more than {MAX_DEPTH} others")
    if not isinstance(spec, dict):
        raise parsing_error(f"Expected [START_OBJECT] under [aggs], but got a [{json_token(spec)}]")
    for name, definition in spec.items():
        _parse_one(name, definition, mapping, above, children)
    return children


def _parse_one(name: str, definition: Any, mapping: FieldLookup, above: tuple[Aggregator, ...], into: Children) -> None:
    if not name or _INVALID_NAME.search(name):
        raise parsing_error(
            f"Invalid aggregation name [{name}]. Aggregation names can contain any character except '[', ']', and '>'"
        )
    if not isinstance(definition, dict):
        raise parsing_error(
            f"Aggregation definition for [{name} starts with a [{json_token(definition)}], expected a [START_OBJECT]."
        )
    type_name, parameters, below = _split(name, definition)
    aggregator = _aggregator(name, Params(type_name, parameters), parameters, mapping, above)
    if below and not aggregator.takes_children:
        raise _no_children(name, type_name)
    if below:
        aggregator.children = parse_children(below, mapping, (*above, aggregator))
    into.aggregators.append(aggregator)


def _split(name: str, definition: dict[str, Any]) -> tuple[str, dict[str, Any], Any]:
    """Type, parameters and sub-aggregations of one definition."""
    type_name: str | None = None
    parameters: dict[str, Any] = {}
    below = None
    for key, value in definition.items():
        if not isinstance(value, dict):
            raise parsing_error(f"Expected [START_OBJECT] under [{key}], but got a [{json_token(value)}] in [{name}]")
        if key == "meta":
            raise not_implemented("[meta] of an aggregation")
        if key in _SUB_KEYS:
            if below is not None:
                raise parsing_error(f"Found two sub aggregation definitions under [{name}]")
            below = value
        elif type_name is not None:
            raise parsing_error(f"Found two aggregation type definitions in [{name}]: [{type_name}] and [{key}]")
        else:
            type_name, parameters = key, value
    if type_name is None:
        raise parsing_error(f"Missing definition for aggregation [{name}]")
    if type_name in _SCRIPTED:
        raise no_scripts(f"aggregation [{type_name}]")
    if type_name in _KNOWN_ELSEWHERE:
        raise not_implemented(f"aggregation [{type_name}]")
    if type_name not in _IMPLEMENTED:
        raise parsing_error(f"Unknown aggregation type [{type_name}]")
    return type_name, parameters, below


def _aggregator(
    name: str,
    body: Params,
    parameters: dict[str, Any],
    mapping: FieldLookup,
    above: tuple[Aggregator, ...],
) -> Aggregator:
    if body.name == "filter":
        # its parameters are the query itself
        return FilterAggregator(name, body.name, Children(), parameters)
    if body.name in ("nested", "reverse_nested"):
        return _nesting(name, body, mapping, above)
    if body.name == "composite":
        _check_composite_place(above)
    kind, parse = AGGREGATIONS[body.name]
    arguments = parse(body, mapping)
    body.finish()
    return kind(name=name, type=body.name, children=Children(), **arguments)


def _nesting(name: str, body: Params, mapping: FieldLookup, above: tuple[Aggregator, ...]) -> Aggregator:
    path = body.text("path")
    body.finish()
    if body.name == "nested":
        if path is None:
            raise parsing_error(f"Missing [path] field for nested aggregation [{name}]")
        return NestedAggregator(name, body.name, Children(), path if mapping.is_nested(path) else None)
    if not any(isinstance(outer, NestedAggregator) for outer in above):
        raise illegal_argument(f"Reverse nested aggregation [{name}] can only be used inside a [nested] aggregation")
    return ReverseNestedAggregator(name, body.name, Children(), path)


def _check_composite_place(above: tuple[Aggregator, ...]) -> None:
    for outer in above:
        if outer.type not in _COMPOSITE_PARENTS:
            factory = "".join(word.capitalize() for word in outer.type.split("_")) + "AggregatorFactory"
            raise illegal_argument(
                f"[composite] aggregation cannot be used with a parent aggregation of type: [{factory}]"
            )


def _no_children(name: str, type_name: str) -> EngineError:
    return illegal_argument(f"Aggregator [{name}] of type [{type_name}] cannot accept sub-aggregations")
