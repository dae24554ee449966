"""Reads the JSON of one part of a request key by key, so that an unknown key is an error rather than ignored."""

from __future__ import annotations

from typing import Any, TypeVar

from qlc_engine.errors import EngineError, not_implemented, parsing_error
from qlc_engine.json_input import json_token

T = TypeVar("T")

#: parameters that the server's queries have
_KNOWN_ELSEWHERE = frozenset({"rewrite", "fuzzy_rewrite", "quote_field_suffix"})


class Params:
    """The parameters of the query, aggregation or other part `name`. Raises EngineError (400) for malformed ones."""

    def __init__(self, name: str, body: Any) -> None:
        if not isinstance(body, dict):
            raise parsing_error(f"[{name}] query malformed, no start_object after query name")
        self.name = name
        self._left = dict(body)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def take(self, key: str, default: Any = None) -> Any:
        return self._left.pop(key, default)

    def require(self, key: str) -> Any:
        if key not in self._left:
            raise parsing_error(f"[{self.name}] requires '{key}' field")
        return self._left.pop(key)

    def text(self, key: str) -> str | None:
        if key not in self._left:
            return None
        value = self.take(key)
        if isinstance(value, dict | list) or value is None:
            raise self.wrong(key, value)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def number(self, key: str, default: float) -> float:
        return self._converted(key, self.take(key, default), float)

    def integer(self, key: str, default: int, *, at_least: int | None = None, keep: bool = False) -> int:
        """The number; with `keep` it is left for whoever asks for it next."""
        number = self._converted(key, self._left.get(key, default) if keep else self.take(key, default), int)
        if at_least is not None and number < at_least:
            raise self.failed(key, f"must be at least {at_least}, found [{number}]")
        return number

    def _converted(self, key: str, value: Any, kind: type[T]) -> T:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.wrong(key, value)
        try:
            return kind(value)  # type: ignore[call-arg]
        except ValueError:
            raise self.failed(key, f'For input string: "{value}"') from None

    def boolean(self, key: str, default: bool = False) -> bool:
        value = self.take(key, default)
        if value in (True, "true"):
            return True
        if value in (False, "false"):
            return False
        raise self.failed(key, f"Failed to parse value [{value}] as only [true] or [false] are allowed.")

    def of_type(self, key: str, kind: type[T]) -> T | None:
        """An object or a list, if it is there."""
        value = self.take(key)
        if value is not None and not isinstance(value, kind):
            raise self.wrong(key, value)
        return value

    def single_field(self) -> tuple[str, Any]:
        """The one field that the query is on, once all other parameters are taken."""
        if not self._left:
            raise parsing_error(f"[{self.name}] query malformed, no field")
        (field, value), *more = self._left.items()
        if more:
            raise parsing_error(
                f"[{self.name}] query doesn't support multiple fields, found [{field}] and [{more[0][0]}]"
            )
        self._left.clear()
        return field, value

    def finish(self) -> None:
        """Check that all parameters were read. Raises EngineError."""
        for key in self._left:
            if key in _KNOWN_ELSEWHERE:
                raise not_implemented(f"[{key}] of query [{self.name}]")
            raise parsing_error(f"[{self.name}] does not support [{key}]")

    def wrong(self, key: str, value: Any) -> EngineError:
        return parsing_error(f"[{self.name}] {key} doesn't support values of type: {json_token(value)}")

    def failed(self, key: str, reason: str | None) -> EngineError:
        return parsing_error(f"[{self.name}] failed to parse field [{key}]: {reason}")
