"""The first view of the page: what was found, what was not read, and questions that have answers."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel

from .bodies import BodyRoute
from .found import Found
from .problems import model_json
from .service import service_of
from .starters import Starter, starters

routes = APIRouter(prefix="/v1", tags=["catalog"], route_class=BodyRoute)

class Overview(BaseModel):
    """`found` is empty unless `qlc ui` serves. `questions` were answered with the access of the caller."""

    found: Found | None = None


class Starters(BaseModel):
    questions: list[Starter]


@routes.get("/overview", response_model=Overview, operation_id="getOverview")
async def overview(request: Request) -> Any:
    """Return the tables and papers that were found, and the files that were not read."""
    return model_json(Overview(found=service_of(request).backend.found))


@routes.get("/starters", response_model=Starters, operation_id="getStarters")
async def offered(request: Request) -> Any:
    """Questions of different kinds that have answers here; each was answered with the access of the caller."""
    service = service_of(request)
    access = service.backend.access(service.caller(request))

    async def made() -> Starters:
        return Starters(questions=await starters(service.backend, access))

    return await service.answer(request, made(), model_json)
