"""Reads the JSON of a query key by key, so that a key nobody asked for is an error and not ignored."""

from __future__ import annotations

from typing import Any

from qlc_engine.errors import EngineError, not_implemented, parsing_error, xcontent_error

_MISSING = object()

#: parameters that the server's queries have
_KNOWN_ELSEWHERE = frozenset({"rewrite", "fuzzy_rewrite", "quote_field_suffix"})

#: queries that give the error of their object parser as their own
_WRAPPED = frozenset({"match_all", "ids"})


#: bytes of the longest term that an index can have
MAX_TERM_BYTES = 32_766


def checked_term(value: Any, *, on_shard: bool = False) -> Any:
    """A value that terms are compared with. Raises EngineError for one that is longer than any term."""
    if not isinstance(value, str) or len(value) * 4 <= MAX_TERM_BYTES:
        return value
    if len(value.encode("utf-8", "surrogatepass")) > MAX_TERM_BYTES:
        reason = f"Term is longer than maximum indexable length, term starting with [{value[:10]}"
        raise EngineError("illegal_argument_exception", reason, on_shard=on_shard)
    return value


class Params:
    """The parameters of one query (or other part of a request) named `name`."""

    def __init__(self, name: str, body: Any, *, object_parser: bool = False) -> None:
        if not isinstance(body, dict):
            raise parsing_error(f"[{name}] query malformed, no start_object after query name")
        self.name = name
        self._left = dict(body)
        #: parts that Elasticsearch reads with its ObjectParser word their errors differently
        self._object_parser = object_parser

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def take(self, key: str, default: Any = None) -> Any:
        return self._left.pop(key, default)

    def require(self, key: str) -> Any:
        value = self._left.pop(key, _MISSING)
        if value is _MISSING:
            raise parsing_error(f"[{self.name}] requires '{key}' field")
        return value

    def number(self, key: str, default: float) -> float:
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self._bad(key, value)
        try:
            return float(value)
        except ValueError:
            raise self._bad(key, value) from None

    def integer(self, key: str, default: int, *, keep: bool = False) -> int:
        """The number; with `keep` it is left for whoever asks for it next."""
        value = self._left.get(key, default) if keep else self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self._bad(key, value)
        try:
            return int(value)
        except ValueError:
            raise self._bad(key, value) from None

    def boolean(self, key: str, default: bool) -> bool:
        value = self.take(key, default)
        if value in (True, "true"):
            return True
        if value in (False, "false"):
            return False
        raise EngineError(
            "illegal_argument_exception", f"Failed to parse value [{value}] as only [true] or [false] are allowed."
        )

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
        for key in self._left:
            if key in _KNOWN_ELSEWHERE:
                raise not_implemented(f"[{key}] of query [{self.name}]")
            if self._object_parser:
                unknown = xcontent_error(f"[1:1] [{self.name}] unknown field [{key}]")
                if self.name in _WRAPPED:
                    raise parsing_error(f"[1:1] [{self.name}] unknown field [{key}]", caused_by=unknown)
                raise unknown
            raise parsing_error(f"[{self.name}] query does not support [{key}]")

    def _bad(self, key: str, value: Any) -> EngineError:
        shown = value if isinstance(value, str) else type(value).__name__
        return EngineError("number_format_exception", f'For input string: "{shown}" ([{self.name}] {key})')
