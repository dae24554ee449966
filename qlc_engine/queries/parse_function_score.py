"""`function_score` from its JSON."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from qlc_engine.dates import NANOS_PER_MS, parse_date, parse_date_nanos
from qlc_engine.errors import EngineError, illegal_argument, no_scripts, not_implemented, parsing_error
from qlc_engine.geo import parse_distance, parse_point
from qlc_engine.index_settings import time_seconds
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchAll, Query
from qlc_engine.queries.context import ParseQuery, QueryContext
from qlc_engine.queries.function_score import (
    BOOST_MODES,
    DECAYS,
    MODIFIERS,
    SCORE_MODES,
    Decay,
    Factor,
    FieldValue,
    Function,
    FunctionScore,
    One,
)
from qlc_engine.value_parsers import text_of

_FUNCTIONS = ("field_value_factor", *DECAYS)


def parse_function_score(body: Any, context: QueryContext, parse_query: ParseQuery) -> Query:
    params = Params("function_score", body)
    inner = params.take("query")
    listed = params.take("functions")
    score_mode = str(params.take("score_mode", "multiply")).lower()
    boost_mode = str(params.take("boost_mode", "multiply")).lower()
    max_boost = params.number("max_boost", float(np.finfo(np.float32).max))
    if "min_score" in params:
        raise not_implemented("[min_score] of query [function_score]")
    functions = [_function(one, context, parse_query) for one in listed or ()]
    alone = _take_factor(params, context)
    weight = _weight(params)
    params.finish()
    if (alone is not None or weight is not None) and listed is not None:
        raise parsing_error(
            "failed to parse [function_score] query. already found function definitions, now encountering [functions]."
        )
    if alone is not None or weight is not None:
        functions = [Function(alone or One(), None, weight)]
    for name, given, allowed in (
        ("score_mode", score_mode, SCORE_MODES),
        ("boost_mode", boost_mode, tuple(BOOST_MODES)),
    ):
        if given not in allowed:
            raise illegal_argument(f"No enum constant for [{name}]: [{given}]")
    if len(functions) == 1 and functions[0].filter is None:
        # a single function is no mean of several
        score_mode = "first"
    return FunctionScore(
        query=MatchAll() if inner is None else parse_query(inner, context),
        functions=tuple(functions),
        score_mode=score_mode,
        boost_mode=boost_mode,
        max_boost=max_boost,
    )


def _function(body: Any, context: QueryContext, parse_query: ParseQuery) -> Function:
    params = Params("function_score", body)
    condition = params.take("filter")
    factor = _take_factor(params, context)
    weight = _weight(params)
    params.finish()
    if factor is None and weight is None:
        raise parsing_error("an entry in functions list is missing a function.")
    made = None if condition is None else parse_query(condition, context)
    return Function(factor or One(), None if isinstance(made, MatchAll) else made, weight)


def _weight(params: Params) -> float | None:
    weight = params.number("weight", math.nan)
    if weight < 0:
        raise illegal_argument(f"[weight] cannot be negative for a filtering function, got [{weight}]")
    return None if math.isnan(weight) else weight


def _take_factor(params: Params, context: QueryContext) -> Factor | None:
    if "script_score" in params:
        raise no_scripts("[script_score] of query [function_score]")
    if "random_score" in params:
        raise not_implemented("[random_score] of query [function_score]")
    given = [name for name in _FUNCTIONS if name in params]
    if not given:
        return None
    if len(given) > 1:
        raise parsing_error(f"failed to parse function_score functions. already found [{given[0]}]")
    (name,) = given
    inner = Params(name, params.take(name))
    return _field_value(inner, context) if name == "field_value_factor" else _decay(inner, context)


def _field_value(params: Params, context: QueryContext) -> Factor:
    path = params.take("field")
    factor = params.number("factor", 1.0)
    modifier = str(params.take("modifier", "none")).lower()
    missing = params.number("missing", math.nan)
    params.finish()
    if path is None:
        raise parsing_error("[field_value_factor] required field 'field' missing")
    if modifier not in MODIFIERS:
        raise illegal_argument(f"No enum constant for [modifier]: [{modifier}]")
    field = context.field(str(path))
    if field is not None and not (field.is_numeric or field.type in ("date", "boolean")):
        raise not_implemented(f"[field_value_factor] on a field of type [{field.type}]")
    if field is not None and field.type == "unsigned_long":
        raise not_implemented("[field_value_factor] on a field of type [unsigned_long]")
    if field is None and math.isnan(missing):
        reason = f"Unable to find a field mapper for field [{path}]. No 'missing' value defined."
        raise EngineError("exception", reason)
    name = str(path) if field is None else field.path
    return FieldValue(name, factor, modifier, None if math.isnan(missing) else missing)


def _decay(params: Params, context: QueryContext) -> Factor:
    shape = params.name
    if "multi_value_mode" in params:
        raise not_implemented(f"[multi_value_mode] of [{shape}]")
    path, spec = params.single_field()
    own = Params(shape, spec)
    origin, scale, offset = own.take("origin"), own.take("scale"), own.take("offset", 0)
    decay = own.number("decay", 0.5)
    own.finish()
    if not 0 < decay < 1:
        raise illegal_argument("function_score : decay must be in the range [0..1].")
    return _bound_decay(shape, path, origin, scale, offset, decay, context)


def _bound_decay(
    shape: str, path: str, origin: Any, scale: Any, offset: Any, decay: float, context: QueryContext
) -> Factor:
    field = context.field(path)
    if field is None:
        raise EngineError("parsing_exception", f"unknown field [{path}]")
    if field.type not in ("date", "date_nanos", "geo_point") and not field.is_numeric:
        raise illegal_argument(f"field [{path}] is of type [{field.type}], but only numeric types are supported.")
    if scale is None or (origin is None and not field.is_date):
        reason = "both [scale] and [origin] must be set for numeric fields."
        raise EngineError("parse_exception", reason)
    start: float | tuple[float, float]
    if field.is_date:
        # the server compares a `date_nanos` in milliseconds with an origin in nanoseconds, but for the one by default
        in_nanos = field.type == "date_nanos" and origin is not None
        read = parse_date_nanos if in_nanos else parse_date
        start = float(read("now" if origin is None else text_of(origin), field.format, now_ms=context.now_ms))
        reach, slack = time_seconds(text_of(scale), "scale") * 1000, time_seconds(text_of(offset), "offset") * 1000
    elif field.type == "geo_point":
        try:
            start = parse_point(origin)
            reach, slack = parse_distance(scale), parse_distance(offset)
        except (ValueError, KeyError) as error:
            raise EngineError("parse_exception", str(error)) from None
    elif field.type != "unsigned_long":
        try:
            start, reach, slack = float(origin), float(scale), float(offset)
        except (TypeError, ValueError):
            raise EngineError("number_format_exception", f'For input string: "{origin}"') from None
    else:
        raise not_implemented(f"[{shape}] on a field of type [{field.type}]")
    if reach <= 0:
        raise illegal_argument("function_score : scale must be > 0.0.")
    unit = NANOS_PER_MS if field.type == "date_nanos" else 1
    return Decay(shape, field.path, start, reach, slack, decay, unit)
