"""Reading the body of one aggregation: every key is taken once, what is left over is refused by name."""

from __future__ import annotations

from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, parsing_error, xcontent_error

_MISSING = object()


def token_of(value: Any) -> str:
    """The name of a JSON value's first token, as the server's parser prints it."""
    if isinstance(value, dict):
        return "START_OBJECT"
    if isinstance(value, list):
        return "START_ARRAY"
    if isinstance(value, bool):
        return "VALUE_BOOLEAN"
    if isinstance(value, int | float):
        return "VALUE_NUMBER"
    return "VALUE_NULL" if value is None else "VALUE_STRING"


class Body:
    """The parameters of the aggregation `name` of type `type`. All errors are `EngineError` with status 400."""

    def __init__(self, name: str, type: str, parameters: dict[str, Any]) -> None:
        self.name = name
        self.type = type
        self._left = dict(parameters)

    def take(self, key: str, default: Any = None) -> Any:
        return self._left.pop(key, default)

    def has(self, key: str) -> bool:
        return key in self._left

    def text(self, key: str) -> str | None:
        value = self.take(key, _MISSING)
        if value is _MISSING:
            return None
        if isinstance(value, dict | list) or value is None:
            raise self.wrong_token(key, value)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def integer(self, key: str, default: int, *, at_least: int = 0, label: str | None = None) -> int:
        value = self.take(key, _MISSING)
        if value is _MISSING:
            return default
        if isinstance(value, dict | list | bool) or value is None:
            raise self.wrong_token(key, value)
        try:
            number = int(value)
        except ValueError:
            cause = EngineError("number_format_exception", f'For input string: "{value}"')
            raise self.failed(key, cause) from None
        if number < at_least:
            bound = "greater than 0" if at_least == 1 else f"greater than or equal to {at_least}"
            reason = f"[{label or key}] must be {bound}. Found [{number}] in [{self.name}]"
            raise self.failed(key, illegal_argument(reason))
        return number

    def number(self, key: str, default: float | None = None) -> float | None:
        value = self.take(key, _MISSING)
        if value is _MISSING:
            return default
        if isinstance(value, dict | list | bool) or value is None:
            raise self.wrong_token(key, value)
        try:
            return float(value)
        except ValueError:
            cause = EngineError("number_format_exception", f'For input string: "{value}"')
            raise self.failed(key, cause) from None

    def boolean(self, key: str, default: bool = False) -> bool:
        value = self.take(key, _MISSING)
        if value is _MISSING:
            return default
        if value in (True, "true"):
            return True
        if value in (False, "false"):
            return False
        if not isinstance(value, str):
            raise self.wrong_token(key, value)
        reason = f"Failed to parse value [{value}] as only [true] or [false] are allowed."
        raise self.failed(key, illegal_argument(reason))

    def object(self, key: str) -> dict[str, Any] | None:
        value = self.take(key)
        if value is not None and not isinstance(value, dict):
            raise self.wrong_token(key, value)
        return value

    def array(self, key: str) -> list[Any] | None:
        value = self.take(key)
        if value is not None and not isinstance(value, list):
            raise self.wrong_token(key, value)
        return value

    def refuse_script(self) -> None:
        if self.has("script"):
            raise illegal_argument("script_lang not supported [painless]", on_shard=True)

    def finish(self) -> None:
        """Refuses what nobody has taken."""
        for key in self._left:
            raise xcontent_error(f"[1:1] [{self.type}] unknown field [{key}]")

    def wrong_token(self, key: str, value: Any) -> EngineError:
        return xcontent_error(f"[1:1] [{self.type}] {key} doesn't support values of type: {token_of(value)}")

    def failed(self, key: str, cause: EngineError) -> EngineError:
        return xcontent_error(f"[1:1] [{self.type}] failed to parse field [{key}]", caused_by=cause)

    def missing_key(self, key: str) -> EngineError:
        return parsing_error(f"Missing [{key}] field for {self.type} aggregation [{self.name}]")
