"""The first view of the page: what there is, what was not read, and questions that have answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel

from qlc.base.beside import beside
from qlc.mapping.schema import Entity
from qlc.outcome import Count
from qlc.translator.model.fields import Fields

from .backend import Backend
from .bodies import BodyRoute
from .found import Found
from .problems import model_json
from .service import service_of
from .starters import Starter, starters

routes = APIRouter(prefix="/v1", tags=["catalog"], route_class=BodyRoute)

MOST_KINDS = 12
"""Kinds of things that are counted for the first view."""
MOST_FIELDS = 40
"""Fields of a kind that are named."""


class Holding(BaseModel):
    """A kind of thing: how many of them the caller may see, and the labels of its fields. `count` is None where it
    could not be counted."""

    name: str
    count: int | None = None
    fields: list[str] = []


class Overview(BaseModel):
    """`found` has the files that `qlc ui` read; without files, `holdings` are the kinds of things of the catalog."""

    found: Found | None = None
    holdings: list[Holding] = []


class Starters(BaseModel):
    questions: list[Starter]


@routes.get("/overview", response_model=Overview, operation_id="getOverview")
async def overview(request: Request) -> Any:
    """Return what there is: tables, papers and files that were not read, or the kinds of things with their numbers."""
    service = service_of(request)
    found = service.backend.found
    if found is not None and (found.tables or found.papers):
        return model_json(Overview(found=found))
    access = service.backend.access(service.caller(request))

    async def made() -> Overview:
        return Overview(found=found, holdings=await _holdings(service.backend, access))

    return await service.answer(request, made(), model_json)


def noun_of(entity: Entity) -> str:
    """Return what people call the things of an entity: `generic documents` for a bucket whose name is no noun."""
    noun = entity.plural.replace("_", " ")
    return f"{noun} documents" if entity.name == f"{entity.plural}_document" else noun


async def _holdings(backend: Backend, access: Mapping[str, Any]) -> list[Holding]:
    compiler = (await backend.asker()).compiler
    await compiler.load()
    offered = await beside(lambda: Fields(compiler.schema).offered)
    found = []
    for entity in [one for one in compiler.schema.entities.values() if not one.virtual][:MOST_KINDS]:
        counted = await compiler.run_async(f"count {entity.plural}", **access)
        own = [one for one in offered if entity.name in one.entities and "." not in one.name]
        own = [one for one in own if not (one.field.is_id or one.field.mapped.is_added)]
        own.sort(key=lambda one: one.name not in entity.show)
        fields = [one.field.label or one.name.replace("_", " ") for one in own]
        found.append(Holding(
            name=noun_of(entity), count=counted.value if isinstance(counted, Count) else None,
            fields=fields[:MOST_FIELDS],
        ))  # fmt: skip
    return found


@routes.get("/starters", response_model=Starters, operation_id="getStarters")
async def offered(request: Request) -> Any:
    """Questions of different kinds that have answers here; each was answered with the access of the caller."""
    service = service_of(request)
    access = service.backend.access(service.caller(request))

    async def made() -> Starters:
        return Starters(questions=await starters(service.backend, access))

    return await service.answer(request, made(), model_json)
