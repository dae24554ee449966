"""Values of parameters in a mapping that a field would refuse."""

from __future__ import annotations

from typing import Any

from qlc_engine.dates import date_format
from qlc_engine.errors import EngineError, MalformedValueError
from qlc_engine.ip import encode_ip
from qlc_engine.mapping import FLOAT_TYPES, INTEGER_RANGES, INTEGER_TYPES
from qlc_engine.mapping_parameters import PARAMETERS
from qlc_engine.value_parsers import text_of, to_boolean, to_double, to_long

Json = dict[str, Any]


def mapper_error(reason: str | None) -> EngineError:
    return EngineError("mapper_parsing_exception", f"Failed to parse mapping: {reason}")


def shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}={shown(part)}" for key, part in value.items()) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_null_value(kind: str, spec: Json) -> None:
    """Raises EngineError for one that the field itself would refuse."""
    given = spec["null_value"]
    try:
        if kind in INTEGER_TYPES:
            to_long(given, *INTEGER_RANGES[kind], kind)
        elif kind in FLOAT_TYPES:
            to_double(given, kind)
        elif kind == "boolean":
            to_boolean(given)
        elif kind == "ip":
            encode_ip(text_of(given))
        elif kind in ("date", "date_nanos"):
            date_format(spec.get("format", PARAMETERS[kind]["format"])).parse(text_of(given))
    except (MalformedValueError, ValueError, EngineError):
        raise mapper_error(f'For input string: "{shown(given)}"') from None


#: parameters whose values are words, with those that there are
_WORDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("text", "term_vector"): (
        "no", "yes", "with_positions", "with_offsets", "with_positions_offsets", "with_positions_payloads",
        "with_positions_offsets_payloads",
    ),
    ("text", "index_options"): ("positions", "docs", "freqs", "offsets"),
    ("keyword", "index_options"): ("docs", "freqs"),
    ("flattened", "index_options"): ("docs", "freqs"),
}  # fmt: skip


#: the same whatever the type
_WORDS_OF_ALL: dict[str, tuple[str, ...]] = {
    "synthetic_source_keep": ("none", "arrays", "all"),
    "time_series_metric": ("gauge", "counter"),
}


def check_kept(key: str, spec: Json) -> None:
    """Raises EngineError for a value that there is not, of a parameter that is only kept."""
    if key in spec and spec[key] not in _WORDS_OF_ALL[key]:
        listed = ", ".join(_WORDS_OF_ALL[key])
        raise mapper_error(f"Unknown value [{shown(spec[key])}] for field [{key}] - accepted values are [{listed}]")


def check_words(name: str, kind: str, spec: Json) -> None:
    """Check parameters with a fixed set of words, lengths of prefixes, and `meta`. Raises EngineError."""
    for (type_, key), words in _WORDS.items():
        if type_ == kind and spec.get(key, words[0]) not in words:
            listed = ", ".join(words)
            message = f"Unknown value [{shown(spec[key])}] for field [{key}] - accepted values are [{listed}]"
            raise mapper_error(message)
    for key in _WORDS_OF_ALL:
        check_kept(key, spec)
    prefixes = spec.get("index_prefixes")
    if isinstance(prefixes, dict):
        least, most = int(prefixes.get("min_chars", 2)), int(prefixes.get("max_chars", 5))
        if least > most:
            raise mapper_error(f"min_chars [{least}] must be less than max_chars [{most}]")
    for value in spec.get("meta", {}).values():
        if not isinstance(value, str):
            given = f"{type(value).__name__}[{shown(value)}]"
            raise mapper_error(f"[meta] values can only be strings, but got {given} for field [{name}]")
