"""The application, made of its parts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from qlc.answers.corpora import AsyncCorpus
from qlc.answers.model import Reader
from qlc.base.beside import beside
from qlc.base.extras import need
from qlc.base.version import VERSION
from qlc.conversation import MemoryStore, Store
from qlc.models.budgets import Budget
from qlc.pipeline.compiler import Compiler
from qlc.translator.entry import Asker
from qlc.translator.protocol import Translator

from . import catalog, conversations, exports, metrics, overview, page, questions
from .auth import Authenticator
from .backend import Backend
from .found import Found
from .guard import Guard
from .limits import Admission, RateLimit
from .metrics import Metrics
from .problems import MEDIA_TYPE, ProblemBody, as_problem
from .schemas import Health
from .service import Service, service_of
from .settings import Settings

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "The request cannot be answered as it is.", "model": ProblemBody},
    "5XX": {"description": "There is no answer now.", "model": ProblemBody},
}


def create_app(
    asked: Asker | Compiler | AsyncCorpus,
    *,
    corpus: AsyncCorpus | None = None,
    translators: Sequence[Translator] | None = None,
    reader: Reader | None = None,
    budget: Budget | None = None,
    store: Store | None = None,
    auth: Sequence[Authenticator] = (),
    context: Mapping[str, Any] | None = None,
    now: datetime | str | None = None,
    files: str | Path | None = None,
    found: Found | None = None,
    settings: Settings | None = None,
) -> FastAPI:
    """The HTTP service as an ASGI application, to serve it or to mount it in another application.

        compiler = qlc.Compiler(qlc.connect_async("store", read_only=True), "drive.yaml")
        application.mount("/search", create_app(compiler))

    - `asked`: a compiler or an asker with an asynchronous client, or an `AsyncCorpus`.
    - `corpus`: documents to query beside a compiler.
    - `translators`: for words, if `asked` is a corpus.
    - `reader`, `budget`: as in `AsyncCorpus.ask`.
    - `store`: the store of conversations (default: in memory).
    - `auth`: kinds of authentication; the first for which a request has credentials counts. Without any, every caller
      is accepted.
    - `context`: values of access rules for all callers.
    - `now`: a fixed time for `today` in questions. Access rules go by the clock of the compiler.
    - `files`: the folder from which the corpus was added, to show pages as images.
    - `found`: what the first view of the page lists; `qlc ui` passes it.
    - `settings`: limits.

    Close the client yourself. Raises UsageError for arguments that do not fit each other.
    """
    settings = settings or Settings()
    backend = Backend(
        asked, settings, corpus, translators, reader, budget, MemoryStore() if store is None else store,
        dict(context or {}), now, Path(files) if files is not None else None, found,
    )  # fmt: skip
    admission = Admission(settings)
    numbers = Metrics(admission.numbers)
    service = Service(backend, settings, admission, numbers, settings.show_requests or not auth)
    app = FastAPI(
        title="qlc", version=VERSION, description="Questions, programs and documents, each with one JSON of outcomes.",
        openapi_url=None, docs_url=None, redoc_url=None, telemetry={"tracing": False},
        responses=PROBLEMS, lifespan=_lifespan,
    )  # fmt: skip
    app.state.qlc = service
    app.add_middleware(Guard, service=service, authenticators=tuple(auth), rates=RateLimit(settings))
    for kind in (HTTPException, RequestValidationError):  # the guard answers all others
        app.add_exception_handler(kind, as_problem)
    for one in (questions, conversations, exports, catalog, overview, page):
        app.include_router(one.routes)
    if backend.files is not None:
        need("corpus", "showing pages")
        from . import documents

        app.include_router(documents.routes)
        service.drawing = documents.drawing()
    _add_health(app)
    _describe(app, auth)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    service: Service = app.state.qlc
    service.admission.is_closing = True
    await service.streams.close()
    if service.drawing is not None:
        service.drawing.close()


def _add_health(app: FastAPI) -> None:
    @app.get("/healthz", response_model=Health, tags=["operation"], operation_id="healthz")
    async def healthz() -> Any:
        """Whether the process answers."""
        return JSONResponse({"status": "ok", "version": VERSION})

    @app.get("/readyz", response_model=Health, tags=["operation"], operation_id="readyz")
    async def readyz(request: Request) -> Any:
        """Whether the index, the catalog and the store of conversations can be used."""
        if detail := await service_of(request).unreadiness():
            return JSONResponse({"status": "unavailable", "version": VERSION, "detail": detail}, 503)
        return JSONResponse({"status": "ok", "version": VERSION})

    @app.get("/metrics", tags=["operation"], operation_id="metrics", response_class=Response)
    async def numbers(request: Request) -> Any:
        """The metrics in the text format of Prometheus."""
        return Response(service_of(request).metrics.text(), media_type=metrics.MEDIA_TYPE)


def _describe(app: FastAPI, auth: Sequence[Authenticator]) -> None:
    """Make the OpenAPI description, with the security schemes and the bodies of error statuses."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = made()
            for path in schema["paths"].values():
                for operation in path.values():
                    _describe_problems(operation["responses"])
            for unused in ("HTTPValidationError", "ValidationError"):
                schema["components"]["schemas"].pop(unused, None)
            for part in schema["components"]["schemas"].values():
                if "const" in part.get("properties", {}).get("kind", {}):  # it says which outcome this is
                    part["required"] = sorted({"kind", *part.get("required", ())})
            if auth:
                schema["components"]["securitySchemes"] = {one.name: dict(one.scheme) for one in auth}
                schema["security"] = [{one.name: []} for one in auth]
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    written: dict[str, bytes] = {}

    def text(root: str) -> bytes:
        servers = {"servers": [{"url": root}]} if root else {}
        return json.dumps({**openapi(), **servers}, ensure_ascii=False).encode()

    @app.get("/openapi.json", include_in_schema=False)
    async def described(request: Request) -> Any:
        """The description; where the service is mounted in another application, with that address."""
        root = request.scope.get("root_path", "")
        if root not in written:
            written[root] = await beside(text, root)
        return Response(written[root], media_type="application/json")


def _describe_problems(responses: dict[str, Any]) -> None:
    """Add the media type of problems. Where a route answers with outcomes, an outcome can have such a status, too."""
    responses.pop("422", None)  # one of the problems
    answered = responses.get("200", {}).get("content", {}).get("application/json", {}).get("schema", {})
    for status in ("4XX", "5XX"):
        problem = responses[status]["content"]["application/json"]
        responses[status]["content"] = {MEDIA_TYPE: problem}
        if "oneOf" in answered:
            both = {"oneOf": [problem["schema"], *answered["oneOf"]]}
            responses[status]["content"] = {"application/json": {"schema": both}, MEDIA_TYPE: problem}
