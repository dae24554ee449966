"""The routes that answer one text: ask, run, check, explain, complete, pasted."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from qlc.base.beside import beside
from qlc.compiler.completion import Candidate as Found
from qlc.conversation.documents import read_of_tables
from qlc.conversation.tables_first import is_sure
from qlc.outcome import Outcome
from qlc.outcome.chart import svg_chart
from qlc.pasted.entry import run_pasted_async
from qlc.pasted.recognise import recognise
from qlc.pipeline.compiler import Diagnosis
from qlc.pipeline.explain import record_of
from qlc.pipeline.present import note
from qlc.pipeline.trace import Trace
from qlc.translator.recognise import looks_like_program
from qlc.translator.several import together

from .backend import Backend
from .bodies import BodyRoute
from .events import EVENTS, answer_events, wants_events
from .problems import json_of, model_json
from .schemas import (
    AskRequest,
    Candidate,
    ChartRequest,
    Checked,
    CheckRequest,
    Completed,
    CompleteRequest,
    PastedRequest,
    ProgramRequest,
)
from .service import Service, service_of

routes = APIRouter(tags=["questions"], route_class=BodyRoute)

_CHART: dict[int | str, dict[str, Any]] = {
    200: {"description": "The chart: image/svg+xml."}, 204: {"description": "There is no chart."},
}
HIDDEN = ("requests", "failure", "plan")
"""Parts of an explanation in which the conditions of the access rules, or words of the server, can be read."""


@routes.post("/v1/ask", response_model=Outcome, responses=EVENTS, operation_id="ask")
async def ask(given: AskRequest, request: Request) -> Any:
    """Answer words, a program or a pasted request."""
    service = service_of(request)
    options = service.options(given, request)
    return await _answered(request, partial(service.backend.ask, given.text, given.read_as, options))


@routes.post("/v1/run", response_model=Outcome, responses=EVENTS, operation_id="run")
async def run(given: ProgramRequest, request: Request) -> Any:
    """Run a program."""
    service = service_of(request)
    options = service.options(given, request)
    return await _answered(request, partial(service.backend.ask, given.program, "program", options))


@routes.post("/v1/pasted", response_model=Outcome, responses=EVENTS, operation_id="pasted")
async def pasted(given: PastedRequest, request: Request) -> Any:
    """Run, explain or fix a pasted Elasticsearch request. Tables and a list of one request are `several`."""
    service = service_of(request)
    options = service.options(given, request)

    async def answered() -> Outcome:
        asker = await service.backend.asker()
        outcomes = await run_pasted_async(given.text, asker.compiler, want=given.want, **options)
        return together(outcomes[-1:] if given.cursor else outcomes)

    return await _answered(request, answered)


async def _answered(request: Request, answer: Callable[[], Coroutine[Any, Any, Outcome]]) -> Response:
    """Return the answer as JSON, or as a stream of events if the client wants one."""
    service = service_of(request)

    def finished(outcome: Outcome) -> Iterator[tuple[str, str]]:
        service.count(outcome)
        return answer_events(outcome)

    def rendered(outcome: Outcome) -> Response:
        service.count(outcome)
        return json_of(outcome)

    if wants_events(request.headers):
        return await service.streams.response(request, answer, finished)
    return await service.answer(request, answer(), rendered)


@routes.post("/v1/check", response_model=Checked, operation_id="check")
async def check(given: CheckRequest, request: Request) -> Any:
    """Check a program without running it."""
    service = service_of(request)
    access = service.backend.access(service.caller(request))

    async def checked() -> Diagnosis:
        compiler = (await service.backend.asker()).compiler
        await compiler.load()
        return await beside(
            compiler.diagnose, given.program, params=given.params, timezone=given.timezone, **access
        )

    def rendered(found: Diagnosis) -> Response:
        notes = [note(one) for one in found.diagnostics]
        return model_json(Checked(text=found.text, failed=found.failed, diagnostics=notes))

    return await service.answer(request, checked(), rendered)


@routes.post("/v1/complete", response_model=Completed, operation_id="complete")
async def complete(given: CompleteRequest, request: Request) -> Any:
    """Return the possible continuations of a program, the best first."""
    service = service_of(request)
    context = service.backend.access(service.caller(request))["context"]

    async def completed() -> Sequence[Found]:
        compiler = (await service.backend.asker()).compiler
        return await compiler.complete_async(given.program, given.cursor, context=context)

    def rendered(found: Sequence[Found]) -> Response:
        return model_json(Completed(candidates=[Candidate(**asdict(one)) for one in found]))

    return await service.answer(request, completed(), rendered)


@routes.post("/v1/chart", operation_id="chart", response_class=Response, responses=_CHART)
async def chart(given: ChartRequest, request: Request) -> Any:
    """Draw the rows of an answer. Rows of which there is no chart, such as those of three groups, give no content."""

    async def drawn() -> str | None:
        return await beside(svg_chart, given.outcome, given.width, given.total)

    def rendered(svg: str | None) -> Response:
        return Response(svg, media_type="image/svg+xml") if svg is not None else Response(status_code=204)

    return await service_of(request).answer(request, drawn(), rendered)


@routes.post("/v1/explain", operation_id="explain", response_model=dict[str, Any])
async def explain(given: AskRequest, request: Request) -> Any:
    """Answer a text, and show what each stage made of it, as `qlc explain --json` does. A pasted request is explained
    and not run."""
    service = service_of(request)
    options = service.options(given, request)

    def shown(record: dict[str, Any]) -> Response:
        return JSONResponse({name: one for name, one in record.items() if service.shows_requests or name not in HIDDEN})

    return await service.answer(request, _explained(service, given, options), shown)


async def _is_of_tables(backend: Backend, text: str, options: dict[str, Any]) -> bool:
    """Whether the rules surely read words as a question to an index beside the corpus."""
    if backend.corpus is None or not backend.corpus.corpus.has_other_indices:
        return False
    read, note = await read_of_tables(text, await backend.asker(), backend.corpus, **options)
    return bool(note) and is_sure(read)


async def _explained(service: Service, given: AskRequest, options: dict[str, Any]) -> dict[str, Any]:
    backend = service.backend
    request = await beside(recognise, given.text) if given.read_as == "auto" else None
    if request is not None:
        compiler = (await backend.asker()).compiler
        (outcome,) = await run_pasted_async(request, compiler, want="explain", **options)
        return await beside(outcome.model_dump, mode="json")
    is_program = given.read_as == "program" or await beside(looks_like_program, given.text)
    if backend.corpus is not None and not is_program and not await _is_of_tables(backend, given.text, options):
        traced = await backend.corpus.explain(given.text, reader=backend.reader, budget=backend.budget, **options)
        return await beside(traced.model_dump, mode="json")
    trace = Trace()
    outcome = await (await backend.asker()).ask_async(given.text, read_as=given.read_as, trace=trace, **options)
    return await beside(record_of, trace, given.text, outcome)
