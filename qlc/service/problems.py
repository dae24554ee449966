"""Errors as `application/problem+json` (RFC 9457), and the HTTP status of an outcome."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request

from qlc.base.errors import OptionError, RequestFailed, UsageError
from qlc.base.texts import with_capital
from qlc.conversation import ConversationBusy, HistoryError, StoreUnavailable
from qlc.outcome import Failed, Outcome, RejectedQuery
from qlc.outcome.export import ExportFailed
from qlc.pipeline.present import failure_message

log = logging.getLogger("qlc.service")

MEDIA_TYPE = "application/problem+json"
MOST_MISTAKES = 5
"""Most mistakes that are reported for one request: a body can have very many."""
LONGEST_PATH = 100
"""Characters of the path to a mistake: the name of a key can be as long as a body."""
RETRY_AFTER = 5
"""Seconds after which the circuit breaker lets a request through."""

_OF_KIND = {"invalid": 400, "unsupported": 422, "rejected_query": 400, "failed": 500}
_OF_REASON = {
    **dict.fromkeys(("script", "other_index", "confidential", "not_allowed"), 403),
    "too_large": 413,
    "expired": 410,
    "too-large": 422,
    **dict.fromkeys(("overloaded", "unavailable", "circuit-open"), 503),
    **dict.fromkeys(("unreachable", "partial", "garbled"), 502),
    "timeout": 504,
}


def status_of(outcome: Outcome) -> int:
    """Return the HTTP status of an outcome, as docs/api.md lists them."""
    status = _OF_KIND.get(outcome.kind, 200)
    return _OF_REASON.get(outcome.reason, status) if isinstance(outcome, Failed | RejectedQuery) else status


def json_of(outcome: Outcome) -> Response:
    """Return an outcome as a response, with the JSON of `--json`."""
    status = status_of(outcome)
    return Response(outcome.model_dump_json(), status, _headers(status), "application/json")


def _headers(status: int) -> dict[str, str]:
    return {"Retry-After": str(RETRY_AFTER)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}


def model_json(found: BaseModel) -> Response:
    return Response(found.model_dump_json(), media_type="application/json")


class Problem(HTTPException):
    """An error response in place of an outcome. `code` names it for programs."""

    def __init__(
        self, status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(status, with_capital(detail).rstrip(".") + ".", dict(headers or {}))
        self.code, self.more = code, more

    def body(self) -> dict[str, Any]:
        status = self.status_code
        title = HTTPStatus(status).phrase
        body = {"type": "about:blank", "title": title, "status": status, "code": self.code, "detail": self.detail}
        return {**body, **self.more}

    def response(self) -> Response:
        return JSONResponse(self.body(), self.status_code, self.headers, MEDIA_TYPE)


class Mistake(BaseModel):
    """One thing that is wrong with a request: `at` is the path to it in the body, or the name of a parameter."""

    at: str
    message: str


class ProblemBody(BaseModel):
    """An error response (RFC 9457). `code` is stable; `detail` says what to do."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str
    errors: list[Mistake] = []
    id: str = ""


def problem_of(problem: Exception) -> Problem | None:
    """Return the problem for an exception; None for a defect."""
    match problem:
        case Problem():
            return problem
        case RequestValidationError():
            # The parameters of an address, or a request without a JSON body.
            if any(tuple(one.get("loc", ())) == ("body",) for one in problem.errors()):
                return no_json_object()
            return invalid_request(problem.errors())
        case HTTPException():
            return _of_http(problem)
        case ConversationBusy():
            return Problem(409, "conversation-busy", str(problem), headers={"Retry-After": "1"})
        case StoreUnavailable():
            return Problem(503, "store-unavailable", "Conversations cannot be read or written at the moment. Try again "
                           "later.", headers=_headers(503))  # fmt: skip
        case HistoryError():
            return Problem(500, "conversation-damaged", str(problem))
        case ExportFailed():
            return Problem(status_of(problem.outcome), "export-failed", str(problem))
        case RequestFailed():
            status = _OF_REASON.get(problem.reason, 500)
            return Problem(status, problem.reason, failure_message(problem), headers=_headers(status))
        case OptionError():
            return Problem(400, problem.code, f"{problem}. {problem.hint}".rstrip(". "))
        case UsageError():
            return Problem(400, "not-possible", str(problem))
        case TimeoutError():
            return Problem(504, "timeout", "There was no answer in time. Ask for less, or try again later.")
    return None


_CODES = {404: "not-found", 405: "method-not-allowed"}
_DETAILS = {
    404: "There is nothing at this address. /openapi.json lists all that there is.",
    405: "This address does not take this method. The header Allow lists those that it takes.",
}


def _of_http(problem: HTTPException) -> Problem:
    status = problem.status_code
    code = _CODES.get(status, HTTPStatus(status).phrase.lower().replace(" ", "-"))
    if status == HTTPStatus.BAD_REQUEST and problem.detail:
        code = "unreadable-body"
    return Problem(status, code, _DETAILS.get(status, str(problem.detail)), headers=problem.headers)


def no_json_object() -> Problem:
    return Problem(422, "no-json-object", "The body must be a JSON object, sent with the header Content-Type: "
                   "application/json.")  # fmt: skip


def invalid_request(errors: Sequence[Any]) -> Problem:
    """Return the first mistakes of a request, without the values: they can be large, or secret."""
    first = errors[:MOST_MISTAKES]
    mistakes = [Mistake(at=_path(one.get("loc", ())), message=str(one.get("msg", ""))) for one in first]
    listed = "; ".join(f"{one.at}: {one.message}" if one.at else one.message for one in mistakes)
    more = f"; and {len(errors) - len(mistakes):,} more" if len(errors) > len(mistakes) else ""
    return Problem(422, "invalid-request", f"The request is not valid: {listed}{more}.",
                   errors=[one.model_dump() for one in mistakes])  # fmt: skip


def _path(location: Sequence[Any]) -> str:
    path = ".".join(map(str, location[1:] if location[:1] == ("body",) else location))
    return path if len(path) <= LONGEST_PATH else f"{path[:LONGEST_PATH]}..."


async def as_problem(request: Request, problem: Exception) -> Response:
    """Handle exceptions of FastAPI and Starlette. All other exceptions reach the guard."""
    found = problem_of(problem)
    assert found is not None
    return found.response()


def defect(problem: Exception) -> Problem:
    """Return the problem for an unexpected exception, and log the exception under the same id."""
    id = uuid.uuid4().hex
    log.error("request %s failed", id, exc_info=problem)
    return Problem(500, "internal", "Something went wrong. The log of the service has the details.", id=id)
