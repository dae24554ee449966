"""Conversations: each belongs to its caller, and is not there for any other."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response

from qlc.base.beside import beside
from qlc.conversation import AsyncConversation, Reply
from qlc.conversation.saved import begin

from .bodies import BodyRoute
from .events import EVENTS, answer_events, wants_events
from .problems import Problem, model_json
from .schemas import ConversationList, Created, History, Turn, TurnRequest, Zone
from .service import Service, service_of

routes = APIRouter(prefix="/v1/conversations", tags=["conversations"], route_class=BodyRoute)

Id = Annotated[str, Path(max_length=100, pattern=r"^[\w.-]+$")]


@routes.post("", response_model=Created, status_code=201, operation_id="createConversation")
async def create(request: Request) -> Any:
    """Begin a conversation."""
    service = service_of(request)
    id = secrets.token_urlsafe(16)
    await service.work(request, beside(begin, service.backend.store(service.caller(request)), id))
    return JSONResponse({"id": id}, 201, {"Location": f"{request.url.path.rstrip('/')}/{id}"})


@routes.get("", response_model=ConversationList, operation_id="listConversations")
async def listed(request: Request) -> Any:
    """The caller's conversations, the latest first."""
    service = service_of(request)
    listing = beside(service.backend.store(service.caller(request)).ids)
    return await service.answer(request, listing, lambda ids: model_json(ConversationList(ids=list(ids))))


@routes.post("/{id}/turns", response_model=Turn, responses=EVENTS, operation_id="takeTurn")
async def turn(id: Id, given: TurnRequest, request: Request) -> Any:
    """Answer a message in the light of those before it."""
    service = service_of(request)
    options = service.options(given, request)

    async def answered() -> Reply:
        return await (await conversation_of(id, request)).turn(given.text, **options)

    if wants_events(request.headers):
        return await service.streams.response(request, answered, partial(_events, service))
    return await service.answer(request, answered(), partial(_response, service))


@routes.post("/{id}/resume", response_model=Turn, operation_id="resumeConversation")
async def resume(id: Id, request: Request, timezone: Zone = None) -> Any:
    """Continue the turn that was interrupted, or repeat the last answer. `timezone` is that of the turn."""
    service = service_of(request)
    options = service.backend.resumed(service.caller(request), timezone)

    async def resumed() -> Reply:
        reply = await (await conversation_of(id, request)).resume(**options)
        if reply is None:
            raise Problem(404, "no-turn", "This conversation has no turn that can be repeated.")
        return reply

    return await service.answer(request, resumed(), partial(_response, service))


@routes.get("/{id}", response_model=History, operation_id="getConversation")
async def get(id: Id, request: Request) -> Any:
    """Return the turns of a conversation that the caller may still see."""
    service = service_of(request)
    access = service.backend.access(service.caller(request))

    async def shown() -> dict[str, Any]:
        return {"turns": [], **await (await conversation_of(id, request)).shown(**access)}

    return await service.answer(request, shown(), JSONResponse)


@routes.delete("/{id}", status_code=204, operation_id="deleteConversation", response_class=Response,
               response_model=None)  # fmt: skip
async def delete(id: Id, request: Request) -> Any:
    """Forget a conversation."""
    service = service_of(request)
    store = service.backend.store(service.caller(request))

    def deleted() -> None:
        if store.read(id) is None:
            raise _not_there()
        store.delete(id)

    await service.work(request, beside(deleted))
    return Response(status_code=204)


async def conversation_of(id: str, request: Request, **options: Any) -> AsyncConversation:
    """Open a conversation. Raises Problem if the caller has none with this id."""
    service = service_of(request)
    caller = service.caller(request)
    if await beside(service.backend.store(caller).read, id) is None:
        raise _not_there()
    return await service.backend.conversation(id, caller, options)


def _not_there() -> Problem:
    return Problem(404, "no-conversation", "You have no conversation of this id. POST /v1/conversations begins one.")


def _response(service: Service, reply: Reply) -> Response:
    service.count(*reply.outcomes)
    return model_json(Turn.of(reply))


def _events(service: Service, reply: Reply) -> Iterator[tuple[str, str]]:
    service.count(*reply.outcomes)
    for outcome in reply.outcomes:
        yield from answer_events(outcome)
    yield "turn", Turn.of(reply).model_dump_json()
