"""Answers as CSV or newline-delimited JSON: page after page, as fast as the client reads. XLSX and Parquet are sent
when they are complete."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Any, cast

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from qlc.answers.corpora import Corpus
from qlc.answers.rows import all_rows_of, export_answer
from qlc.base.beside import beside
from qlc.base.errors import UsageError
from qlc.base.options import zone_of
from qlc.outcome import Answer, Clarify, Hits, Outcome, Passages
from qlc.outcome.export import EXPORTED, PAGE, Format, export_async
from qlc.outcome.files import MOST_ROWS, FileFormat, write
from qlc.pasted.entry import run_pasted_async
from qlc.pasted.recognise import recognise
from qlc.translator.recognise import looks_like_program

from .backend import Backend
from .bodies import BodyRoute
from .conversations import Id, conversation_of
from .problems import status_of
from .schemas import ExportRequest, Zone
from .service import Service, service_of

routes = APIRouter(prefix="/v1", tags=["exports"], route_class=BodyRoute)

MEDIA_TYPES: dict[FileFormat, str] = {
    "csv": "text/csv; charset=utf-8; header=present", "ndjson": "application/x-ndjson",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}  # fmt: skip
CHUNK = 32_768
"""Characters that are sent at once."""
_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind.partition(";")[0]: {"schema": {"type": "string"}} for kind in MEDIA_TYPES.values()}}
}


@routes.post("/export.{format}", operation_id="export", response_class=Response, responses=_RESPONSES)
async def export(format: FileFormat, given: ExportRequest, request: Request) -> Any:
    """Every row of an answer, with every page of a list. What has no rows is answered by its outcome."""
    service = service_of(request)
    options = {**service.options(given, request), "size": PAGE}
    further = {**options, "deadline": service.settings.deadline}

    async def begun() -> Response:
        outcome = await service.backend.ask(given.text, given.read_as, options)
        service.count(outcome)
        if status_of(outcome) != 200:
            return await beside(_without_rows, outcome)
        safe = format == "csv" and given.for_spreadsheets
        lines = await _lines(service.backend, given, outcome, _lines_of(format), safe, further)
        if lines is None:
            return await beside(_without_rows, outcome)
        return await _export(service, lines, format, given.timezone)

    return await service.work(request, begun())


@routes.get("/conversations/{id}/export.{format}", operation_id="exportConversation", response_class=Response,
            responses=_RESPONSES)  # fmt: skip
async def export_conversation(
    id: Id, format: FileFormat, request: Request, for_spreadsheets: bool = True, timezone: Zone = None
) -> Any:
    """Every row of the last answer with rows in a conversation. `timezone` is that of the turn."""
    service = service_of(request)
    options = service.backend.resumed(service.caller(request), timezone)

    async def begun() -> Response:
        talk = await conversation_of(id, request, **options)
        await talk.load()
        lines = talk.export(_lines_of(format), for_spreadsheets=format == "csv" and for_spreadsheets)
        return await _export(service, lines, format, timezone)

    return await service.work(request, begun())


def _lines_of(format: FileFormat) -> Format:
    """Return the format of a file's lines."""
    return format if format == "csv" or format == "ndjson" else "table"


async def _lines(
    backend: Backend, given: ExportRequest, outcome: Outcome, format: Format, safe: bool, options: dict[str, Any]
) -> AsyncIterator[str] | None:
    """Return the lines of an outcome; None if it has none."""
    is_request = given.read_as == "auto" and await beside(recognise, given.text) is not None
    is_program = given.read_as == "program" or is_request or await beside(looks_like_program, given.text)
    if backend.corpus is not None and not is_program and isinstance(outcome, Answer | Clarify | Hits | Passages):
        corpus = cast("Corpus", backend.corpus.corpus)
        if await beside(all_rows_of, outcome, corpus, options) is None:
            return None
        return _from_thread(export_answer(outcome, format, corpus, for_spreadsheets=safe, **options))
    if outcome.kind not in EXPORTED:
        return None
    compiler = (await backend.asker()).compiler

    async def more(cursor: str) -> Outcome:
        if is_request:
            return (await run_pasted_async(given.text, compiler, **{**options, "cursor": cursor}))[-1]
        return await compiler.run_async(outcome.query, **{**options, "cursor": cursor})

    return export_async(outcome, format, more, for_spreadsheets=safe)


async def _from_thread(lines: Iterator[str]) -> AsyncIterator[str]:
    while some := await beside(lambda: list(islice(lines, PAGE))):
        for line in some:
            yield line


async def _export(service: Service, lines: AsyncIterator[str], format: FileFormat, zone: str | None) -> Response:
    """Return a response that begins with the first lines; with the whole file, where it is not made of lines."""
    if _lines_of(format) == "table":
        read: list[str] = []
        async for line in lines:
            if len(read) > MOST_ROWS:
                raise UsageError(f"a .{format} file has at most {MOST_ROWS:,} rows here: save the answer as CSV")
            read.append(line)
        file = io.BytesIO()
        await beside(write, file, format, lambda *_: read, zone_of(zone) if zone else None)
        name = {"Content-Disposition": f'attachment; filename="export.{format}"'}
        return Response(file.getvalue(), headers=name, media_type=MEDIA_TYPES[format])
    chunks = _chunks(lines)
    return _Export(service, await anext(chunks, b""), chunks, format)


class _Export(Response):
    """An export that cannot be written to its end is cut off, so that no client takes it for whole."""

    def __init__(self, service: Service, first: bytes, rest: AsyncIterator[bytes], format: FileFormat) -> None:
        super().__init__(headers={"Content-Disposition": f'attachment; filename="export.{format}"'},
                         media_type=MEDIA_TYPES[format])  # fmt: skip
        del self.headers["content-length"]
        self._service, self._first, self._rest = service, first, rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a turn for reading the index, but not while the client receives: slow clients do not block others."""
        chunk = self._first
        async with asyncio.timeout(self._service.settings.export_time):
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while chunk:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                async with self._service.admission.further_turn():
                    chunk = await anext(self._rest, b"")
            await send({"type": "http.response.body", "body": b""})


async def _chunks(lines: AsyncIterator[str]) -> AsyncIterator[bytes]:
    kept: list[str] = []
    length = 0
    async for line in lines:
        kept.append(line)
        length += len(line)
        if length >= CHUNK:
            yield "".join(kept).encode("utf-8", "replace")
            kept, length = [], 0
    if kept:
        yield "".join(kept).encode("utf-8", "replace")


def _without_rows(outcome: Outcome) -> Response:
    """Return the outcome in place of rows: a clarification, a refusal, a mistake."""
    status = status_of(outcome)
    return Response(outcome.model_dump_json(), 422 if status == 200 else status, media_type="application/json")

