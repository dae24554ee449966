"""One request of the REST layer: its path, parameters and body."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote

from qlc_engine.errors import EngineError, illegal_argument, parsing_error
from qlc_engine.json_input import json_token, read_json

#: Parameters that every route takes.
COMMON_PARAMETERS = frozenset({"pretty", "human", "error_trace", "filter_path"})


@dataclass(slots=True)
class Request:
    method: str
    parts: tuple[str, ...]
    params: dict[str, str]
    body: bytes
    #: whether the client takes an answer as objects (`Handed`)
    takes_objects: bool = False
    #: how long the client waits (None: as long as it takes)
    seconds: float | None = None
    #: the values of the names in the route's pattern
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        method: str,
        target: str,
        body: bytes | None,
        *,
        takes_objects: bool = False,
        seconds: float | None = None,
    ) -> Request:
        path, _, query = target.partition("?")
        parts = tuple(unquote(part) for part in path.split("/") if part)
        params = dict(parse_qsl(query, keep_blank_values=True))
        return cls(method, parts, params, body or b"", takes_objects, seconds)

    @property
    def index(self) -> str:
        return self.names.get("index", "")

    def flag(self, name: str) -> bool:
        given = self.params.get(name, "false")
        if given not in ("true", "false", ""):
            raise illegal_argument(f"Failed to parse value [{given}] as only [true] or [false] are allowed.")
        return given != "false"

    def json_object(self) -> dict[str, Any]:
        """The body as an object; an absent one is empty."""
        if not self.body.strip():
            return {}
        parsed = parse_json(self.body)
        if not isinstance(parsed, dict):
            raise parsing_error(f"Expected [START_OBJECT] but found [{json_token(parsed)}]")
        return parsed


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    body: Any
    #: whether `body` was made for this answer alone, of objects throughout
    as_objects: bool = False


def parse_json(text: bytes) -> Any:
    try:
        return read_json(text)
    except json.JSONDecodeError as error:
        at_end = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
        kind = "x_content_e_o_f_exception" if at_end else "x_content_parse_exception"
        raise EngineError(kind, f"[{error.lineno}:{error.colno}] {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise EngineError("x_content_parse_exception", f"[1:1] {error}") from None
