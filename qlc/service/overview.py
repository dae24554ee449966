"""The first view of the page: what was found, what was not read, and questions that have answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict

from .bodies import BodyRoute
from .problems import model_json
from .service import service_of
from .starters import Starter, starters

if TYPE_CHECKING:
    from qlc.corpus.files import Problem
    from qlc.corpus.status import Status
    from qlc.tables.folder import Collected

routes = APIRouter(prefix="/v1", tags=["catalog"], route_class=BodyRoute)

MOST_UNREAD = 200
"""Files that are listed; more are counted."""


class _Shown(BaseModel):
    model_config = ConfigDict(frozen=True)


class FoundTable(_Shown):
    """A table: what it is called in questions, its file, and sentences about what was left out."""

    name: str
    file: str
    rows: int
    columns: list[str]
    notes: list[str] = []


class FoundPapers(_Shown):
    """Documents that have text, in all and by bucket, and the fields that some of them have."""

    documents: int
    buckets: dict[str, int] = {}
    fields: list[str] = []


class UnreadFile(_Shown):
    file: str
    reason: str


class Found(_Shown):
    """What `qlc ui` found in its files, and the language model that is connected."""

    name: str = ""
    tables: list[FoundTable] = []
    papers: FoundPapers | None = None
    unread: list[UnreadFile] = []
    more_unread: int = 0
    model: str = ""

    @classmethod
    def of_tables(cls, name: str, loaded: Collected) -> Found:
        tables = [
            FoundTable(name=one.index.replace("_", " "), file=one.title, rows=one.rows, columns=list(one.columns),
                       notes=list(one.notes))
            for one in loaded.tables
        ]  # fmt: skip
        return cls(name=name, tables=tables).with_unread(loaded.unread)

    def with_papers(self, status: Status, problems: Iterable[Problem]) -> Found:
        buckets = {name: one.ready for name, one in status.buckets.items() if one.ready}
        known = [name for one in status.buckets.values() for name, field in one.fields.items() if field.known]
        fields = [one.replace("_", " ") for one in dict.fromkeys(known) if "." not in one]
        papers = FoundPapers(documents=sum(buckets.values()), buckets=buckets, fields=fields)
        unread = [(one.file, one.message) for one in problems]
        return self.model_copy(update={"papers": papers}).with_unread(unread)

    def with_unread(self, files: Iterable[tuple[str, str]]) -> Found:
        """Add files, each with the reason why it was not read."""
        every = [*self.unread, *(UnreadFile(file=file, reason=reason) for file, reason in files)]
        more = self.more_unread + max(0, len(every) - MOST_UNREAD)
        return self.model_copy(update={"unread": every[:MOST_UNREAD], "more_unread": more})


class Overview(BaseModel):
    """`found` is empty unless `qlc ui` serves. `questions` were answered with the access of the caller."""

    found: Found | None = None


class Starters(BaseModel):
    questions: list[Starter]


@routes.get("/overview", response_model=Overview, operation_id="getOverview")
async def overview(request: Request) -> Any:
    """What the page tells first: the tables and papers that were found, and the files that were not read."""
    return model_json(Overview(found=service_of(request).backend.found))


@routes.get("/starters", response_model=Starters, operation_id="getStarters")
async def offered(request: Request) -> Any:
    """Questions of different kinds that have answers here; each was answered with the access of the caller."""
    service = service_of(request)
    access = service.backend.access(service.caller(request))

    async def made() -> Starters:
        return Starters(questions=await starters(service.backend, access))

    return await service.answer(request, made(), model_json)
