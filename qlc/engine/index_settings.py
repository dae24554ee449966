"""Settings of an index: which there are, and how they are written (dotted or as objects, with or without `index.`)."""

from __future__ import annotations

from typing import Any

from qlc.engine.analysis import AnalysisRegistry
from qlc.engine.errors import EngineError, illegal_argument

#: Settings that change what the engine does, or what it prints.
_KNOWN = frozenset({"number_of_shards", "number_of_replicas", "refresh_interval", "max_result_window"})

#: Settings that are about performance or allocation: kept and printed, without effect.
_KEPT = (
    "codec", "routing.", "auto_expand_replicas", "mapping.", "max_terms_count", "max_inner_result_window", "hidden",
    "translog.", "merge.", "sort.", "search.", "store.", "blocks.", "lifecycle.", "query.", "highlight.", "unassigned.",
    "max_docvalue_fields_search", "max_regex_length", "number_of_routing_shards", "requests.", "priority", "write.",
    "max_ngram_diff", "max_shingle_diff", "indexing.", "soft_deletes.", "gc_deletes",
)  # fmt: skip


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
        elif name in _KNOWN or name.startswith(_KEPT):
            out[name] = value
        else:
            raise illegal_argument(
                f"unknown setting [index.{name}] please check that any required plugins are installed, or check the "
                "breaking changes documentation for removed settings"
            )
    for name, least in (("number_of_shards", 1), ("number_of_replicas", 0)):
        if name in out:
            out[name] = _whole(name, out[name], least)
    if out.get("refresh_interval") is not None:
        time_seconds(str(out["refresh_interval"]), "index.refresh_interval")
    if analysis:
        out["analysis"] = analysis
        AnalysisRegistry(analysis)
    return out


def flattened(tree: dict[str, Any]) -> dict[str, Any]:
    """Settings by their dotted names."""
    flat: dict[str, Any] = {}
    _flatten(tree, "", flat)
    return flat


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
    raise EngineError(
        "illegal_argument_exception",
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
