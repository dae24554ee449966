"""A FastAPI application of your own over Elasticsearch: tenants by token, answers, and all rows as a stream.

    pip install 'qlc-search[serve]' 'elasticsearch<9'    # servers 8 and 9
    ELASTICSEARCH_URL=http://localhost:9200 TOKEN_SECRET=... uvicorn app:application
"""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import Response, StreamingResponse

import qlc
from qlc.outcome import Hits
from qlc.service import BearerTokens, Caller, Settings, create_app
from qlc.service.problems import json_of, status_of

CATALOG = Path(__file__).with_name("rentals.yaml")
PAGE = 500

tokens = BearerTokens(os.environ["TOKEN_SECRET"], ["HS256"], claims={"company": "company"})
client = qlc.connect_async(os.environ.get("ELASTICSEARCH_URL", "http://localhost:9200"))  # an AsyncElasticsearch
compiler = qlc.Compiler(client, CATALOG, cursor_key=os.environ.get("CURSOR_KEY"))


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    await compiler.load()  # a catalog that does not fit the index stops the application here
    yield
    await client.close()


application = FastAPI(lifespan=lifespan)
# Everything that `qlc serve` has, with its page, streams of events and conversations.
application.mount("/qlc", create_app(compiler, auth=[tokens], settings=Settings(rate="300/minute")))


async def caller(request: Request) -> Caller:
    found = await tokens.caller(request.headers)
    if found is None:
        raise HTTPException(401, "a bearer token is needed", {"WWW-Authenticate": "Bearer"})
    return found


Tenant = Annotated[Caller, Depends(caller)]


@application.get("/rentals/answer")
async def answer(question: str, tenant: Tenant) -> Response:
    """Answer a question about the rentals of the caller's company."""
    return json_of(await qlc.compile_and_run_async(question, compiler, context=tenant.context))


@application.get("/rentals/rows")
async def rows(question: str, tenant: Tenant) -> StreamingResponse:
    """Send every row that a question finds, a JSON object on each line. The first page decides the status."""

    async def page(cursor: str | None) -> Any:
        options = {"context": tenant.context, "size": PAGE, "cursor": cursor}
        return await qlc.compile_and_run_async(question, compiler, **options)

    async def lines(found: Hits) -> AsyncIterator[str]:
        while True:
            for hit in found.hits:
                yield json.dumps({"id": hit.id, **hit.values}, default=str, ensure_ascii=False) + "\n"
            if not found.has_more:
                return
            found = await page(found.cursor)
            if not isinstance(found, Hits):  # the status is sent already: end the stream so that clients see an error
                raise RuntimeError(found.message)

    first = await page(None)
    if not isinstance(first, Hits):
        status = status_of(first)
        raise HTTPException(status if status >= 400 else 422, first.message or "the answer is not a list")
    return StreamingResponse(lines(first), media_type="application/x-ndjson")
