"""JSON bodies: parsed within bounds and validated on a thread, so that no body holds up the event loop."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, cast

from fastapi import Request
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError

from qlc.base.beside import beside
from qlc.base.limits import MOST_VALUES

from .problems import Problem, invalid_request, no_json_object

MOST_KEYS = 1_000
"""Keys of all objects of a body together."""
MOST_ITEMS = 2 * MOST_VALUES
"""Values of all objects and lists of a body together; parameters may be bound to lists of `MOST_VALUES`."""
DEEPEST = 32


def parsed(body: bytes) -> Any:
    """Parse a JSON body. Raises Problem if it is not JSON, or has more in it than any request needs."""
    try:
        found = json.loads(body)
    except json.JSONDecodeError as problem:
        raise Problem(400, "invalid-json", f"The body is not JSON (at character {problem.pos:,}).") from None
    except (ValueError, RecursionError):
        raise Problem(400, "unreadable-body", "The body cannot be read: it is not a text, too deep, or has a number "
                      "that is too long.") from None  # fmt: skip
    _check_amount(found)
    return found


def _check_amount(found: Any) -> None:
    level, keys, items = [found], 0, 1
    for _ in range(DEEPEST):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                keys += len(one)
                below += one.values()
            elif isinstance(one, list):
                below += one
            if keys > MOST_KEYS or items + len(below) > MOST_ITEMS:
                raise _too_much()
        items += len(below)
        level = below
        if not level:
            return
    raise _too_much()


def _too_much() -> Problem:
    return Problem(422, "body-too-complex", f"The body has more than {MOST_KEYS:,} keys, {MOST_ITEMS:,} values or "
                   f"{DEEPEST} levels of lists and objects.")  # fmt: skip


def validated(found: Any, model: type[BaseModel]) -> BaseModel:
    """Validate the request in a body. Raises Problem with the first mistakes."""
    if not isinstance(found, dict):
        raise no_json_object()
    try:
        return model.model_validate(found)
    except ValidationError as problem:
        raise invalid_request(problem.errors(include_url=False, include_context=False, include_input=False)) from None


class BodyRoute(APIRoute):
    """A route whose body was parsed by the guard (`state["json"]`) and is validated on a thread."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()
        if self.body_field is None:
            return handler
        model = cast("type[BaseModel]", self.body_field.field_info.annotation)

        async def handle(request: Request) -> Response:
            return await handler(_Validated(request, model))

        return handle


class _Validated(Request):
    """A request whose `json()` is its validated body; FastAPI takes an instance of the model as it is."""

    def __init__(self, request: Request, model: type[BaseModel]) -> None:
        super().__init__(request.scope, request.receive)
        self._model = model

    async def json(self) -> BaseModel:
        return await beside(validated, self.scope["state"]["json"], self._model)
