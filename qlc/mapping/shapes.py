"""Checks that a response has the shape that its request implies.

The rest of the code takes responses to be Elasticsearch's. A proxy, a defect or a hostile server may send anything; it
is checked here, so that garbage is reported as garbage and not as a defect of the code that reads it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, NoReturn

from qlc.base.errors import RequestFailed

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

Json = Mapping[str, Any]

DEFAULT_SIZE = 10
"""Default number of hits of a search."""
DEEPEST = 200
"""Deepest nesting of a document. A mapping ends at 20, unmapped parts may be deeper."""


_OBJECTS = dict, Mapping
"""Both types of JSON objects; `dict`, the common one, is tested first."""


def searched(client: Elasticsearch, **body: Any) -> Json:
    """Send a search outside a plan, and return its response. Raises what the client raises, and RequestFailed for a
    response of the wrong shape."""
    answer = _answered(client.search, **body)
    check_shards(answer, _partial)
    check_search(body, answer)
    return answer


def in_batches(client: Elasticsearch, **body: Any) -> Iterator[list[Json]]:
    """Yield all hits of a search, in the order of their ids, `size` at a time. Raises as `searched`."""
    after: Json = {}
    while hits := searched(client, sort=[{"id": "asc"}], **body, **after)["hits"]["hits"]:
        yield hits
        after = {"search_after": hits[-1]["sort"]}


def mapping_answer(call: Callable[..., Any], index: str) -> Json:
    """Fetch mappings or settings of an index by `client.indices.get_mapping` or `get_settings`. Raises what the client
    raises, and RequestFailed for a response of the wrong shape."""
    answer = _answered(call, index=index)
    check_mapping(answer)
    return answer


def _answered(call: Callable[..., Any], **given: Any) -> Json:
    return _object(call(**given).body, "the answer")


_PARTS = (("_shards", "failed"), ("_clusters", "skipped"), ("_clusters", "partial"), ("_clusters", "failed"))
"""The counts of a response that are 0 where all of it is there."""


def check_shards(response: Json, partial: Callable[[str, Any], RequestFailed]) -> None:
    """Check that every shard answered in time: a part of an answer is a wrong answer. Raises RequestFailed, made by
    `partial` of a sentence and the error of one of the shards."""
    if not isinstance(response.get("timed_out", False), bool):
        raise RequestFailed("garbled", "the answer does not say whether it is whole", retryable=True)
    if response.get("timed_out"):
        raise RequestFailed("timeout", "the search timed out on the server")
    for part, lacking in _PARTS:
        state = response.get(part, {})
        if not isinstance(state, Mapping) or not isinstance(state.get(lacking, 0), int):
            raise RequestFailed("garbled", "the answer does not say whether it is whole", retryable=True)
        if state.get(lacking):
            failures = state.get("failures") or [{}]
            what = f"{state[lacking]} of {state.get('total')} {part.removeprefix('_')} {lacking}"
            raise partial(what, failures[0] if isinstance(failures, list) else failures)
    if response.get("_shards", {}).get("total") == 0:  # the server answers 200 for a pattern that matches no index
        raise RequestFailed("no-index", "200 with no shard: no index has the name that was searched")


def _partial(what: str, failure: Any) -> RequestFailed:
    return RequestFailed("partial", f"{what}: {failure}"[:2000], retryable=True)


def check_search(body: Json, response: Json) -> None:
    """Check the response to a search with this body. Raises RequestFailed."""
    hits = response.get("hits")
    size = body.get("size", DEFAULT_SIZE)
    _check_hits(body, hits, size if isinstance(size, int) else None)
    if body.get("track_total_hits") is not False:
        _check_total(_object(hits, "hits").get("total"))
    _check_aggregations(_below(body), response.get("aggregations"))


def check_mapping(response: Json) -> None:
    """Check a response with mappings or settings of indices. Raises RequestFailed."""
    for body in response.values():
        _object(body, "an index")
        _check_json(body)


def _garbled(what: str) -> NoReturn:
    raise RequestFailed("garbled", f"the answer is not what was asked for: {what}", retryable=True)


def _object(value: Any, what: str) -> Json:
    if not isinstance(value, _OBJECTS):
        _garbled(f"{what} is not an object")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        _garbled(f"{what} is not a list")
    return value


def _check_count(value: Any, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        _garbled(f"{what} is not a count")


def _check_number(value: Any, what: str) -> None:
    """Check that a value is a finite number or null."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        _garbled(f"{what} is not a number")


def _check_scalar(value: Any, what: str) -> None:
    if type(value) in _NUMBERS:
        _check_number(value, what)
    elif type(value) not in _PLAIN:
        _garbled(f"{what} is not a plain value")


_NUMBERS = (int, float)
_PLAIN = (str, bool, NoneType)
"""The scalar types of JSON."""


def _check_json(value: Any) -> None:
    """Check the nesting, and refuse numbers that JSON lacks (NaN). Raises RequestFailed."""
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            _garbled("it is nested too deeply")
        below = []
        for one in level:
            for part in one.values() if isinstance(one, _OBJECTS) else one:
                if type(part) in _PLAIN or type(part) is int:
                    continue
                if isinstance(part, float):
                    if not math.isfinite(part):
                        _garbled("a number in it is none")
                elif isinstance(part, (*_OBJECTS, list)):
                    below.append(part)
        level = below


# --- hits -------------------------------------------------------------------------------------------------------------


def _check_hits(body: Json, hits: Any, most: int | None) -> None:
    found = _list(_object(hits, "hits").get("hits"), "hits")
    if most is not None and len(found) > most:
        _garbled("there are more hits than were asked for")
    lacks_source = body.get("_source") is False
    sorts = body.get("sort") not in (None, [], "_score", ["_score"])
    for hit in found:
        _check_hit(_object(hit, "a hit"))
        if "_id" not in hit:
            _garbled("a hit is without its id")
        if not (lacks_source or "_source" in hit):
            _garbled("a hit is without its source")
        if sorts and not isinstance(hit.get("sort"), list):
            _garbled("a hit is without its place in the order")


def _check_hit(hit: Json) -> None:
    for name in ("_id", "_index"):
        if not isinstance(hit.get(name, ""), str):
            _garbled(f"{name} is not a text")
    _check_number(hit.get("_score"), "a score")
    for value in _list(hit.get("sort", []), "a place in the order"):
        _check_scalar(value, "a place in the order")
    for name in ("_source", "fields"):
        if name in hit:
            _check_json(_object(hit[name], name))
    for name, values in hit.get("fields", {}).items():
        _list(values, name)
    if "matched_queries" in hit:
        named = hit["matched_queries"]
        if not isinstance(named, Mapping | list) or not all(isinstance(name, str) for name in named):
            _garbled("the queries that matched are no names")
    if "highlight" in hit:
        for texts in _object(hit["highlight"], "a highlight").values():
            if not all(isinstance(text, str) for text in _list(texts, "a highlight")):
                _garbled("a highlight is no text")


def _check_total(total: Any) -> None:
    found = _object(total, "the number of hits")
    _check_count(found.get("value"), "the number of hits")
    if found.get("relation") not in ("eq", "gte"):
        _garbled("the number of hits is neither exact nor a least one")


# --- aggregations -----------------------------------------------------------------------------------------------------


def _below(body: Json) -> Json:
    return body.get("aggs") or body.get("aggregations") or {}


def _check_aggregations(asked: Json, answered: Any) -> None:
    if not asked:
        return
    found = _object(answered, "what was counted")
    for name, spec in asked.items():
        kind = next((key for key in spec if key not in ("aggs", "aggregations", "meta")), "")
        if name not in found:
            _garbled(f"'{name}' is missing")
        answer = _object(found[name], name)
        if kind in _CHECKS:
            _CHECKS[kind](kind, spec, answer)
        else:
            _check_json(answer)


def _check_value(kind: str, spec: Json, answer: Json) -> None:
    if "value" not in answer:
        _garbled(f"a value of '{kind}' is missing")
    if kind in ("value_count", "cardinality"):
        _check_count(answer["value"], kind)
    else:
        _check_number(answer["value"], kind)


def _check_statistics(kind: str, spec: Json, answer: Json) -> None:
    _check_count(answer.get("count"), kind)
    for name in ("min", "max", "avg", "sum"):
        if name not in answer:
            _garbled(f"'{name}' is missing")
        _check_number(answer[name], name)
    _check_json(answer)


def _check_percentiles(kind: str, spec: Json, answer: Json) -> None:
    values = answer.get("values")
    if not isinstance(values, Mapping | list):
        _garbled("percentiles are no values")
    named = values.items() if isinstance(values, Mapping) else [("", _object(one, kind).get("value")) for one in values]
    for name, value in named:
        if not (name.endswith("_as_string") and isinstance(value, str)):
            _check_number(value, kind)


def _check_top_hits(kind: str, spec: Json, answer: Json) -> None:
    _check_hits(spec[kind], answer.get("hits"), spec[kind].get("size"))


def _check_bucket(kind: str, spec: Json, bucket: Json) -> None:
    _check_count(bucket.get("doc_count"), "the count of a bucket")
    _check_aggregations(_below(spec), bucket)


def _check_buckets(kind: str, spec: Json, answer: Json) -> None:
    buckets, own = answer.get("buckets"), _object(spec[kind], kind)
    if isinstance(buckets, Mapping):
        named = own.get("filters")
        if isinstance(named, Mapping) and not named.keys() <= buckets.keys():
            _garbled("a bucket is missing")
    elif not isinstance(buckets, list) or isinstance(own.get("filters"), Mapping):
        _garbled("buckets are no list")
    elif kind != "filters":
        for bucket in buckets:
            _check_key(kind, own, _object(bucket, "a bucket"))
    for bucket in buckets.values() if isinstance(buckets, _OBJECTS) else buckets:
        _check_bucket(kind, spec, _object(bucket, "a bucket"))
    _check_count(answer.get("sum_other_doc_count", 0), "the count of other buckets")
    if answer.get("after_key") is not None:
        _check_composite_key(own, answer["after_key"])


def _check_key(kind: str, own: Json, bucket: Json) -> None:
    if "key" not in bucket:
        _garbled("a bucket is without its key")
    key = bucket["key"]
    if kind == "composite":
        _check_composite_key(own, key)
    elif key is None:
        _garbled("a key is null")
    elif kind in _KEYS_ARE_NUMBERS:
        _check_number(key, "a key")
    else:
        _check_scalar(key, "a key")
    if not isinstance(bucket.get("key_as_string", ""), str):
        _garbled("a key as text is no text")


def _check_composite_key(own: Json, key: Any) -> None:
    found = _object(key, "a key")
    for source in own.get("sources", ()):
        for name, spec in source.items():
            if name not in found:
                _garbled(f"a key is without '{name}'")
            plain = any(kind in _KEYS_ARE_NUMBERS and "format" not in one for kind, one in spec.items())
            (_check_number if plain else _check_scalar)(found[name], "a key")


_SINGLE_VALUES = ("sum", "avg", "min", "max", "value_count", "cardinality", "median_absolute_deviation")
_KEYS_ARE_NUMBERS = ("histogram", "date_histogram")
_Check = Callable[[str, Json, Json], None]
_CHECKS: Mapping[str, _Check] = {
    **dict.fromkeys(("filter", "nested", "reverse_nested", "missing"), _check_bucket),
    **dict.fromkeys(
        ("terms", "histogram", "date_histogram", "range", "date_range", "filters", "composite"), _check_buckets
    ),
    **dict.fromkeys(_SINGLE_VALUES, _check_value),
    **dict.fromkeys(("stats", "extended_stats"), _check_statistics),
    "percentiles": _check_percentiles,
    "top_hits": _check_top_hits,
}
"""The check of each aggregation that a program or a pasted request may use."""
