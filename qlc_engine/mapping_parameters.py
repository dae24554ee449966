"""The parameters of each field type in a mapping, with their defaults, and those that may change later."""

from __future__ import annotations

from typing import Any

from qlc_engine.mapping import FLOAT_TYPES, INTEGER_TYPES
from qlc_engine.range_types import RANGE_TYPES

_LEAF: dict[str, Any] = {"copy_to": [], "meta": {}, "store": False, "synthetic_source_keep": None}
_DIMENSION: dict[str, Any] = {"time_series_dimension": False}
_NUMBER: dict[str, Any] = {
    **_LEAF, "index": True, "doc_values": True, "coerce": True, "ignore_malformed": False, "null_value": None,
    "time_series_metric": None,
}  # fmt: skip
_WHOLE_NUMBER: dict[str, Any] = {**_NUMBER, **_DIMENSION}
_EXACT: dict[str, Any] = {
    **_LEAF, **_DIMENSION, "index": True, "doc_values": True, "ignore_malformed": False, "null_value": None,
}  # fmt: skip
_RANGE: dict[str, Any] = {**_LEAF, "index": True, "doc_values": True, "coerce": True}
_TEXT: dict[str, Any] = {
    **_LEAF, "analyzer": "default", "search_analyzer": None, "search_quote_analyzer": None, "index": True,
    "index_options": "positions", "norms": True, "position_increment_gap": 100, "fielddata": False,
    "term_vector": "no", "index_phrases": False, "index_prefixes": None, "eager_global_ordinals": False,
    "similarity": "BM25",
}  # fmt: skip

#: type -> parameter -> default
PARAMETERS: dict[str, dict[str, Any]] = {
    "keyword": {
        **_LEAF, **_DIMENSION, "index": True, "doc_values": True, "ignore_above": 2147483647, "null_value": None,
        "normalizer": None,
        "norms": False, "index_options": "docs", "eager_global_ordinals": False, "similarity": "BM25",
        "split_queries_on_whitespace": False,
    },
    "text": _TEXT,
    "match_only_text": {**_LEAF, "analyzer": "default", "search_analyzer": None},
    "constant_keyword": {"meta": {}, "value": None},
    "wildcard": {**_LEAF, "ignore_above": 2147483647, "null_value": None},
    **dict.fromkeys(INTEGER_TYPES, _WHOLE_NUMBER),
    **dict.fromkeys(FLOAT_TYPES, _NUMBER),
    "scaled_float": {**_NUMBER, "scaling_factor": None},
    "date": {
        **_LEAF, "index": True, "doc_values": True, "format": "strict_date_optional_time||epoch_millis",
        "locale": "en", "ignore_malformed": False, "null_value": None,
    },
    "date_nanos": {
        **_LEAF, "index": True, "doc_values": True, "format": "strict_date_optional_time_nanos||epoch_millis",
        "locale": "en", "ignore_malformed": False, "null_value": None,
    },
    **dict.fromkeys(sorted(RANGE_TYPES - {"date_range"}), _RANGE),
    "date_range": {**_RANGE, "locale": "en", "format": "strict_date_optional_time||epoch_millis"},
    "binary": {**_LEAF, "doc_values": False},
    "boolean": _EXACT,
    "ip": _EXACT,
    "geo_point": {
        **_LEAF, "index": True, "doc_values": True, "ignore_malformed": False, "ignore_z_value": True,
        "null_value": None,
    },
    "geo_shape": {
        **_LEAF, "index": True, "doc_values": True, "ignore_malformed": False, "ignore_z_value": True, "coerce": False,
        "orientation": "right",
    },
    "dense_vector": {
        "meta": {}, "dims": None, "index": True, "similarity": "cosine", "element_type": "float",
        "index_options": None,
    },
    "flattened": {
        "meta": {}, "synthetic_source_keep": None, "depth_limit": 20, "index": True, "doc_values": True,
        "ignore_above": 2147483647, "null_value": None, "eager_global_ordinals": False, "index_options": "docs",
        "similarity": "BM25", "split_queries_on_whitespace": False,
    },
    "alias": {"path": None},
}  # fmt: skip

#: kept in the mapping and shown; no answer of a search depends on them
WITHOUT_EFFECT = frozenset(
    {
        "eager_global_ordinals", "meta", "store", "synthetic_source_keep", "time_series_dimension",
        "time_series_metric",
    }
)  # fmt: skip

OBJECT_PARAMETERS = frozenset({"type", "properties", "enabled", "dynamic", "synthetic_source_keep"})
NESTED_PARAMETERS = OBJECT_PARAMETERS | {"include_in_parent", "include_in_root"}

ROOT_PARAMETERS = frozenset(
    {
        "properties", "dynamic", "dynamic_templates", "date_detection", "numeric_detection", "dynamic_date_formats",
        "_meta", "_source", "_routing", "enabled",
    }
)  # fmt: skip

#: Parameters that a later `_mapping` request may change.
UPDATABLE = frozenset(
    {
        "ignore_above", "ignore_malformed", "coerce", "search_analyzer", "search_quote_analyzer", "copy_to", "meta",
        "eager_global_ordinals", "split_queries_on_whitespace", "fielddata", "ignore_z_value", "path", "depth_limit",
        "synthetic_source_keep",
    }
)  # fmt: skip

#: Types of the server that the engine has not; their names are no typing errors.
NOT_IMPLEMENTED = frozenset({"completion", "passthrough", "counted_keyword"})
