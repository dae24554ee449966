"""Settings of an index: which there are, and how they are written (dotted or as objects, with or without `index.`)."""

from __future__ import annotations

import difflib
from typing import Any

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.effective_settings import FLAGS, WHOLE
from qlc_engine.errors import illegal_argument, not_implemented
from qlc_engine.reading import reading

#: Settings that are about speed, space or allocation: kept and printed, without effect on answers.
_KEPT = frozenset(
    {
        "codec", "auto_expand_replicas", "number_of_routing_shards", "priority", "write.wait_for_active_shards",
        "max_ngram_diff", "max_shingle_diff", "max_script_fields", "max_adjacency_matrix_filters", "gc_deletes",
        "max_slices_per_scroll", "max_rescore_window", "analyze.max_token_count", "max_refresh_listeners",
        "soft_deletes.enabled", "soft_deletes.retention_lease.period",
        "soft_deletes.retention.operations", "requests.cache.enable", "queries.cache.enabled", "search.idle.after",
        "search.throttled", "unassigned.node_left.delayed_timeout", "warmer.enabled", "compound_format",
        "shard.check_on_startup", "load_fixed_bitset_filters_eagerly", "highlight.weight_matches_mode.enabled",
        "query.parse.allow_unmapped_fields", "mapping.dimension_fields.limit", "fielddata.cache",
        "optimize_auto_generated_id", "bloom_filter_for_id_field.enabled", "allocation.max_retries", "format",
        "flush_after_merge", "mapping.synthetic_source_keep",
    }
)  # fmt: skip
_KEPT_GROUPS = (
    "routing.allocation.", "routing.rebalance.", "translog.", "merge.", "search.slowlog.", "indexing.slowlog.",
    "store.", "lifecycle.",
)  # fmt: skip

#: Settings that would change answers, with the value that changes nothing.
_NOT_IMPLEMENTED: dict[str, object] = {
    "hidden": False, "default_pipeline": "_none", "final_pipeline": "_none", "mode": "standard",
    "routing_partition_size": 1,
    "routing_path": [], "mapping.source.mode": "stored",
    "mapping.total_fields.ignore_dynamic_beyond_limit": False, "mapping.field_name_length.limit": 2**63 - 1,
    "mapper.dynamic": True, "sort.field": [], "sort.order": [], "sort.mode": [], "sort.missing": [],
}  # fmt: skip


@reading("the settings")
def checked_settings(given: Any) -> dict[str, Any]:
    """The settings by name without `index.`; `analysis` stays an object."""
    flat: dict[str, Any] = {}
    _flatten(given or {}, "", flat)
    out: dict[str, Any] = {}
    analysis: dict[str, Any] = {}
    for key, value in flat.items():
        name = key.removeprefix("index.")
        if name.startswith("analysis."):
            _put(analysis, name.split(".")[1:], value)
        else:
            out[name] = _checked(name, value)
    if out.get("refresh_interval") is not None:
        time_seconds(str(out["refresh_interval"]), "index.refresh_interval")
    if analysis:
        out["analysis"] = analysis
        AnalysisRegistry(analysis)
    return out


def _checked(name: str, value: Any) -> Any:
    """The value of one setting. None, which takes it back, is good for each. Raises EngineError."""
    if name in WHOLE:
        return None if value is None else _whole(name, value, WHOLE[name][1])
    if name in FLAGS:
        if value not in (True, False, "true", "false", None):
            text = _texts(value)
            raise illegal_argument(f"Failed to parse value [{text}] as only [true] or [false] are allowed.")
        return value
    if name == "codec" and value not in _CODECS:
        text = f"unknown value for [index.codec] must be one of [default, best_compression] but was: {_texts(value)}"
        raise illegal_argument(text)
    if name in ("refresh_interval", "query.default_field") or name in _KEPT or name.startswith(_KEPT_GROUPS):
        return value
    if name in _NOT_IMPLEMENTED:
        if value is not None and str(value).lower() != str(_NOT_IMPLEMENTED[name]).lower():
            raise not_implemented(f"index setting [index.{name}] with [{_texts(value)}]")
        return value
    near = difflib.get_close_matches(name, sorted({*WHOLE, *FLAGS, *_KEPT, *_NOT_IMPLEMENTED}), n=1, cutoff=0.7)
    hint = f"did you mean [index.{near[0]}]?" if near else _UNKNOWN
    raise illegal_argument(f"unknown setting [index.{name}] {hint}")


_CODECS = (None, "default", "best_compression", "lucene_default", "legacy_default", "legacy_best_compression")

_UNKNOWN = (
    "please check that any required plugins are installed, or check the breaking changes documentation for removed "
    "settings"
)


def _flatten(value: Any, prefix: str, out: dict[str, Any]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(inner, f"{prefix}{key}.", out)
    else:
        out[prefix[:-1]] = value


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        tree = tree.setdefault(part, {})
    tree[path[-1]] = value


def _whole(name: str, value: Any, least: int) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise illegal_argument(f"Failed to parse value [{value}] for setting [index.{name}]") from None
    if number < least:
        raise illegal_argument(f"Failed to parse value [{value}] for setting [index.{name}] must be >= {least}")
    return number


_UNITS = (("nanos", 1e-9), ("micros", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0))


def time_seconds(text: str, setting: str) -> float:
    """A time value such as `1s` or `500ms`, in seconds; `-1` and `0` need no unit."""
    for unit, seconds in _UNITS:
        if text.endswith(unit):
            try:
                return float(text[: -len(unit)]) * seconds
            except ValueError:
                break
    if text in ("-1", "0"):
        return float(text)
    raise illegal_argument(
        f"failed to parse setting [{setting}] with value [{text}] as a time value: unit is missing or unrecognized",
    )


def printed_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings below `index`, values as text, as `_settings` prints them."""
    out: dict[str, Any] = {}
    for name, value in settings.items():
        if name == "analysis":
            out["analysis"] = _texts(value)
        else:
            _put(out, name.split("."), _texts(value))
    return out


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_texts(inner) for inner in value]
    return str(value).lower() if isinstance(value, bool) else str(value)
