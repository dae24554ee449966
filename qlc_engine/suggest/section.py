"""The `suggest` section from its JSON, and its answer from those of the shards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.json_input import json_token
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.params import Params
from qlc_engine.suggest.terms import TermSuggester, merged, parse_term_suggester, suggest_terms
from qlc_engine.value_parsers import text_of

Suggester = TermSuggester

_PARSERS: dict[str, Callable[[Params, str | None], Suggester]] = {"term": parse_term_suggester}

#: what is named to be refused
_NOT_IMPLEMENTED = frozenset({"phrase", "completion"})

_TEXTS = ("text", "prefix", "regex")


def parse_suggest(given: Any) -> dict[str, Suggester] | None:
    """The suggesters by their names; None where there are none. Raises EngineError."""
    if not isinstance(given, dict):
        raise parsing_error(f"Unknown key for a {json_token(given)} in [suggest].")
    found: dict[str, Suggester] = {}
    for name, body in given.items():
        if isinstance(body, dict):
            found[name] = _parse(body, given.get("text"))
        elif isinstance(body, list):
            raise parsing_error(f"unexpected token [{json_token(body)}] after [{name}]")
        elif name != "text":
            raise illegal_argument(f"[suggest] does not support [{name}]")
    return found or None


def _parse(body: dict[str, Any], global_text: Any) -> Suggester:
    texts: dict[str, str] = {}
    suggester: tuple[str, dict[str, Any]] | None = None
    for key, value in body.items():
        if isinstance(value, dict):
            suggester = key, value
        elif key in _TEXTS and not isinstance(value, list):
            texts[key] = text_of(value)
        elif not isinstance(value, list):
            raise parsing_error(f"suggestion does not support [{key}]")
    if suggester is None:
        raise EngineError("parse_exception", "missing suggestion object")
    kind, options = suggester
    if kind in _NOT_IMPLEMENTED:
        raise not_implemented(f"suggester [{kind}]")
    if kind not in _PARSERS:
        raise EngineError("named_object_not_found_exception", f"unknown field [{kind}]")
    text = next((texts[key] for key in _TEXTS if key in texts), None)
    if text is None and global_text is not None:
        text = text_of(global_text)
    return _PARSERS[kind](Params(f"suggester[{kind}]", options), text)


def implemented_suggesters() -> list[str]:
    """The kinds that are answered, for the documentation."""
    return sorted(_PARSERS)


def suggested(suggesters: dict[str, Suggester], shards: Sequence[QueryContext], *, typed_keys: bool) -> dict[str, Any]:
    """The answers by name."""
    return {
        f"term#{name}" if typed_keys else name: _of_shards(suggester, shards) for name, suggester in suggesters.items()
    }


def _of_shards(suggester: Suggester, shards: Sequence[QueryContext]) -> list[dict[str, Any]]:
    per_shard = [suggest_terms(suggester, shard) for shard in shards]
    return [entry.shown(suggester.size) for entry in merged(per_shard, suggester)]
