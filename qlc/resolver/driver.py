"""Drivers that send requests, with deadline, retries and errors: a synchronous and an asynchronous one with equal
rules.

Requests only read, so they can be repeated. The official client's retries are switched off, since the deadline covers
all round trips together.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote
from weakref import WeakKeyDictionary

from qlc import telemetry
from qlc.base import driving as driver
from qlc.base.deadline import GivenUp, checkpoint, until
from qlc.base.errors import RequestFailed, UsageError
from qlc.base.waiting import within
from qlc.compiler.request import Response, SearchRequest
from qlc.mapping.shapes import check_mapping, check_search, check_shards
from qlc.planner.plan import Rounds
from qlc.resolver.failures import failure_of, failure_of_error, partial_failure
from qlc.resolver.wrong_server import is_stranger, stranger_at, stranger_at_async
from qlc.telemetry import report
from qlc.telemetry.names import COUNT_SEARCHES, SEARCH

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

CIRCUIT_OPEN = "circuit-open"
FAILURES = 10
PAUSE = 5.0
UNHEALTHY = frozenset({"unreachable", "unavailable", "overloaded", "garbled"})
"""Failure reasons that concern the server as a whole. Any other response shows that it works."""
LONG_ENOUGH = 1.0
"""Seconds. A time-out of a request that was given less says more about the caller than about the server."""

State = Literal["closed", "open", "half-open"]


class CircuitBreaker:
    """A circuit breaker. It opens after `failures` failed attempts in a row, retries included.

    While it is open, it refuses every attempt for `pause` seconds. Then it is half-open: one attempt goes through. If
    that succeeds, the breaker closes; otherwise the pause begins again. Safe in threads and tasks; several compilers
    can share one. With `failures=math.inf` it never opens. `state` is "closed", "open" or "half-open".

    Raises UsageError for `failures` below 1 or a negative `pause`.
    """

    def __init__(self, failures: float = FAILURES, pause: float = PAUSE) -> None:
        numbers = isinstance(failures, int | float) and isinstance(pause, int | float)
        if not numbers or not failures >= 1 or not pause >= 0:
            raise UsageError("a circuit breaker opens after at least one failure, and its pause is not negative")
        self.failures = failures
        self.pause = pause
        self._lock = threading.Lock()
        self._failed = 0
        self._opened_at: float | None = None
        self._trial: object | None = None
        self._generation = 0

    def __repr__(self) -> str:
        return f"CircuitBreaker(failures={self.failures}, pause={self.pause}, state={self.state!r})"

    @property
    def state(self) -> State:
        with self._lock:
            if self._opened_at is None:
                return "closed"
            return "half-open" if self._trial is not None or self._left() <= 0 else "open"

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Wrap one attempt. Raises RequestFailed("circuit-open") instead of making it while the breaker is open."""
        mine = self._admit()
        started = time.monotonic()
        try:
            yield
        except GivenUp:
            self._ended(mine, failed=None)
            raise
        except RequestFailed as problem:
            if problem.reason in UNHEALTHY:
                self._ended(mine, failed=True)
            elif problem.reason == "timeout":
                self._ended(mine, failed=True if time.monotonic() - started >= LONG_ENOUGH else None)
            else:
                self._ended(mine, failed=False)
            raise
        except BaseException:
            self._ended(mine, failed=None)
            raise
        else:
            self._ended(mine, failed=False)

    def _left(self) -> float:
        assert self._opened_at is not None
        return self._opened_at + self.pause - time.monotonic()

    def _admit(self) -> tuple[int, object]:
        token = object()
        with self._lock:
            if self._opened_at is not None:
                if self._trial is not None or self._left() > 0:
                    raise RequestFailed(CIRCUIT_OPEN, f"{self._failed} attempts in a row failed; none is made now")
                self._trial = token
            return self._generation, token

    def _ended(self, mine: tuple[int, object], *, failed: bool | None) -> None:
        """Record the end of an attempt. `failed` None: it says nothing about the server (cancelled, or without
        time)."""
        generation, token = mine
        with self._lock:
            if token is self._trial:
                self._trial = None
            elif generation != self._generation:
                return  # begun before the breaker opened or closed: it tells of a time that is over
            if failed is None:
                return
            if not failed:
                self._failed = 0
                if self._opened_at is not None:
                    self._opened_at = None
                    self._generation += 1
                return
            self._failed += 1
            if self._opened_at is not None or self._failed >= self.failures:
                self._opened_at = time.monotonic()
                self._generation += 1


_BREAKERS: WeakKeyDictionary[Any, CircuitBreaker] = WeakKeyDictionary()
_BREAKERS_LOCK = threading.Lock()


def breaker_of(client: Any) -> CircuitBreaker:
    """Return the breaker that all compilers with this client share by default."""
    with _BREAKERS_LOCK:
        found = _BREAKERS.get(client)
        if found is None:
            found = _BREAKERS[client] = CircuitBreaker()
        return found


T = TypeVar("T")

ATTEMPTS = 4
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
RANKED = {"search_type": "dfs_query_then_fetch"}
"""Score by word counts of the whole index. By default each shard counts its own, which makes the order arbitrary."""
_HEADERS = {
    "accept": "application/vnd.elasticsearch+json; compatible-with=8",
    "content-type": "application/vnd.elasticsearch+json; compatible-with=8",
}
_ALSO_CLOSED = {"expand_wildcards": "open,closed"}
"""The settings of closed indices too, which a pattern leaves out of a search without a word."""
_MULTI_HEADERS = {**_HEADERS, "content-type": "application/vnd.elasticsearch+x-ndjson; compatible-with=8"}


@dataclass(slots=True)
class Sent:
    """One request as it was sent, for explain. `took_ms` is the wall time of its round trip."""

    request: SearchRequest
    level: int
    took_ms: float


@dataclass(slots=True)
class Traffic:
    """Requests sent in one run. `round_trips` had to be sequential; `further` are further pages of one reading."""

    deadline: float
    breaker: CircuitBreaker
    round_trips: int = 0
    further: int = 0
    searches: int = 0
    sent: list[Sent] | None = None
    notes: list[str] = field(default_factory=list)
    span: Any = None
    """The span of the current round, if OpenTelemetry is active."""

    def within(self) -> AbstractContextManager[None]:
        """Enforce the deadline in the code inside, which checks it where work can be long."""
        return until(self.deadline)

    def remaining(self) -> float:
        """Return the seconds left. Raises RequestFailed if there are none, or the caller has cancelled."""
        checkpoint()
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise RequestFailed("timeout", "the deadline has passed")
        return left

    def round_ended(self, error: str = "") -> None:
        telemetry.ended(self.span, error)
        self.span = None

    def record(self, batch: Sequence[SearchRequest], seconds: float) -> None:
        if batch[0].action == "read mapping":
            return  # it is read for all runs, and belongs to none
        report("searched", searches=len(batch), took_ms=round(1000 * seconds, 3))
        continues = all(request.continues for request in batch)
        searches = sum(request.action == "search" for request in batch)
        self.searches += searches
        telemetry.counted(searches, continues=continues)
        if continues:
            self.further += 1
        else:
            self.round_trips += 1
        if self.sent is not None:
            level = self.round_trips
            self.sent += [Sent(request, level, 1000 * seconds) for request in batch]


def drive(rounds: Rounds[T], client: Elasticsearch, traffic: Traffic) -> T:
    """Run to the end. Raises RequestFailed."""
    with traffic.within():
        work = _exchanging(rounds, traffic, partial(_check_client, client, asynchronous=False))
        return driver.drive(work, partial(_call_for, client, traffic))


async def drive_async(rounds: Rounds[T], client: AsyncElasticsearch, traffic: Traffic) -> T:
    """Run to the end, as `drive`, for asyncio. Computation between requests runs in a thread."""
    with traffic.within():
        work = _exchanging(rounds, traffic, partial(_check_client, client, asynchronous=True))
        return await driver.drive_async(work, partial(_call_for, client, traffic))


def _call_for(client: Any, traffic: Traffic, need: HttpCall | float) -> driver.Call:
    if isinstance(need, float):
        return driver.Call(partial(time.sleep, need), partial(asyncio.sleep, need))
    return driver.call(_send, _send_async, need, client, traffic)


def _exchanging(
    rounds: Rounds[T], traffic: Traffic, check_client: Callable[[], None]
) -> Generator[HttpCall | float, Any, T]:
    """Yield every call of the rounds, with its retries, and pauses in seconds. Errors are thrown into the rounds."""
    try:
        wanted = next(rounds)
        while True:
            try:
                responses: Sequence[Response] = ()
                if isinstance(wanted, float):
                    yield min(wanted, traffic.remaining())
                else:
                    check_client()
                    started = time.monotonic()
                    traffic.span = telemetry.opened(SEARCH, {COUNT_SEARCHES: len(wanted)})
                    responses = yield from _answered(wanted, traffic)
                    traffic.record(wanted, time.monotonic() - started)
                    traffic.round_ended()
            except Exception as problem:  # noqa: BLE001  it is raised where the answer is waited for
                reason = getattr(problem, "reason", type(problem).__name__)
                traffic.round_ended(reason)
                wanted = rounds.throw(problem)
            else:
                wanted = rounds.send(responses)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        traffic.round_ended("cancelled")
        rounds.close()


def _answered(batch: Sequence[SearchRequest], traffic: Traffic) -> Generator[HttpCall | float, Any, list[Response]]:
    last: RequestFailed | None = None
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with traffic.breaker.attempt():
                made: list[tuple[HttpCall, Any]] = []
                for call in calls(batch):
                    try:
                        body = yield call
                    except Exception as problem:  # noqa: BLE001  what is no failure of the request is raised on
                        body = _instead(call, problem)
                    made.append((call, body))
                return answers(batch, made)
        except RequestFailed as problem:
            if problem.reason == CIRCUIT_OPEN and last is not None:
                raise last from None  # the earlier failure, since an open breaker only cuts the retries short
            last = problem
            yield pause_before_retry(last, attempt, traffic)
    raise AssertionError("the last attempt either answers or raises")


def is_asynchronous(client: Any) -> bool:
    """Whether requests through the client are awaited; False without a client."""
    return client is not None and iscoroutinefunction(client.perform_request)


def _check_client(client: Any, *, asynchronous: bool) -> None:
    """Check that the client is of the right kind (synchronous or not). Raises UsageError."""
    if client is None:
        raise UsageError("a compiler without a client checks and compiles, and runs nothing")
    if is_asynchronous(client) and not asynchronous:
        raise UsageError("the client is asynchronous (qlc.connect_async): await 'run_async', 'ask_async' and the like")
    if asynchronous and not is_asynchronous(client):
        raise UsageError("the client is synchronous (qlc.connect): call 'run', 'ask' and the like, without await")


def pause_before_retry(problem: RequestFailed, attempt: int, traffic: Traffic) -> float:
    """Return the seconds to wait: exponential backoff with jitter, or the server's `Retry-After`. Raises the problem if
    a retry is unsafe, was done often enough, or cannot end before the deadline."""
    backoff: float = min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
    pause = max(backoff * random.uniform(0.5, 1.0), problem.pause or 0.0)
    if not problem.retryable or attempt >= ATTEMPTS or time.monotonic() + pause >= traffic.deadline:
        raise problem
    return pause


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One HTTP request. `covers`: the positions in the batch that it answers.

    `closes`: it frees what would expire anyway, so its failure does not fail the run.
    """

    method: str
    path: str
    body: Any
    covers: tuple[int, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    closes: bool = False


def calls(batch: Sequence[SearchRequest]) -> list[HttpCall]:
    """Turn a batch into calls: searches as one `_search` or `_msearch`; points in time are opened and closed one by
    one."""
    searches = tuple(n for n, request in enumerate(batch) if request.action == "search")
    found = []
    for number, request in enumerate(batch):
        index = _quoted(request.index)
        match request.action:
            case "open point in time":
                found.append(HttpCall("POST", f"/{index}/_pit", None, (number,), request.body))
            case "close point in time":
                found.append(HttpCall("DELETE", "/_pit", request.body, (number,), closes=True))
            case "read mapping":
                found.append(HttpCall("GET", f"/{index}/_mapping", None, (number,)))
            case "read settings":
                params = _ALSO_CLOSED if "*" in index else {}
                found.append(HttpCall("GET", f"/{index}/_settings", None, (number,), params))
    if len(searches) == 1:
        request = batch[searches[0]]
        path = f"/{_quoted(request.index)}/_search" if request.index else "/_search"
        found.append(HttpCall("POST", path, request.body, searches, RANKED if request.ranked else {}))
    elif searches:
        lines: list[Any] = []
        for number in searches:
            request = batch[number]
            lines += [({"index": request.index} if request.index else {}) | (RANKED if request.ranked else {})]
            lines += [request.body]
        found.append(HttpCall("POST", "/_msearch", lines, searches))
    return found


@lru_cache(maxsize=256)
def _quoted(index: str) -> str:
    return quote(index, safe=",*")


_PATIENT: WeakKeyDictionary[Any, dict[int, Any]] = WeakKeyDictionary()


def patient(client: Any, seconds: float) -> Any:
    """Return the client with a request time-out and without its own retries. Clients are cached by whole seconds, since
    creating one takes longer than a small request; below one second the time-out is exact."""
    if seconds < 1:
        return client.options(request_timeout=seconds, max_retries=0)
    kept = _PATIENT.setdefault(client, {})
    whole = math.floor(seconds)
    if whole not in kept:
        kept[whole] = client.options(request_timeout=whole, max_retries=0)
    return kept[whole]


def _send(call: HttpCall, client: Elasticsearch, traffic: Traffic) -> Any:
    seconds = traffic.remaining()
    ask = partial(patient(client, seconds).perform_request, **_arguments(call))
    in_process = getattr(client.transport.node_pool.node_class, "in_process", False)
    with telemetry.inside(traffic.span):
        try:
            return (ask() if in_process else within(seconds, ask)).body
        except Exception as problem:
            if is_stranger(problem):
                raise within(seconds, partial(stranger_at, client, problem)) from None
            raise


async def _send_async(call: HttpCall, client: AsyncElasticsearch, traffic: Traffic) -> Any:
    async with asyncio.timeout(seconds := traffic.remaining()):
        with telemetry.inside(traffic.span):
            try:
                return (await patient(client, seconds).perform_request(**_arguments(call))).body
            except Exception as problem:
                if is_stranger(problem):
                    raise await stranger_at_async(client, problem) from None
                raise


def _arguments(call: HttpCall) -> dict[str, Any]:
    headers = _MULTI_HEADERS if isinstance(call.body, list) else _HEADERS
    if call.body is None:
        headers = {name: value for name, value in headers.items() if name != "content-type"}
    return {
        "method": call.method,
        "path": call.path,
        "params": dict(call.params),
        "headers": dict(headers),
        "body": call.body,
        "endpoint_id": call.path.rpartition("/")[2].lstrip("_"),  # names the span that the client makes of it
    }


def _instead(call: HttpCall, problem: Exception) -> Response:
    """Return a substitute for the response of a failed call. Raises RequestFailed unless nothing depends on the
    call."""
    from elastic_transport import TransportError
    from elasticsearch import ApiError

    if isinstance(problem, TimeoutError):
        failed = RequestFailed("timeout", "no whole answer in time")
    elif isinstance(problem, RequestFailed):
        failed = problem
    elif isinstance(problem, ApiError | TransportError):
        failed = failure_of(problem)
    elif isinstance(problem, RecursionError):
        failed = RequestFailed("garbled", "the answer is nested too deeply to be read", retryable=True)
    else:
        raise problem
    if call.closes:
        return {}
    raise failed from None  # the cause may repeat, in a traceback, what a server said; `detail` has what may be shown


def answers(batch: Sequence[SearchRequest], made: Sequence[tuple[HttpCall, Any]]) -> list[Response]:
    """The response of each request, in order. Raises RequestFailed for one that is missing, wrong or partial."""
    found: dict[int, Response] = {}
    for call, body in made:
        parts = body.get("responses") if call.path == "/_msearch" and isinstance(body, Mapping) else [body]
        if not isinstance(parts, list) or len(parts) != len(call.covers):
            raise RequestFailed("garbled", "the answer is not what was asked for", retryable=True)
        for number, part in zip(call.covers, parts, strict=True):
            check_whole(batch[number], part, closes=call.closes)
            found[number] = part
    return [found[number] for number in range(len(batch))]


def check_whole(request: SearchRequest, response: Any, *, closes: bool = False) -> None:
    """Check that a response answers its request, and that every shard answered in time: a partial answer is a wrong
    answer. Raises RequestFailed. Closing is idempotent; errors of a second close are ignored."""
    if closes:
        return
    if not isinstance(response, Mapping):
        raise RequestFailed("garbled", "the answer is not a JSON object", retryable=True)
    if "error" in response and ("status" in response or not request.action.startswith("read ")):
        # an index may have that name
        status = response.get("status")
        if not isinstance(response["error"], Mapping | str):
            raise RequestFailed("garbled", "the answer is an error that says nothing", retryable=True)
        raise failure_of_error(status if isinstance(status, int) else 500, response["error"])
    match request.action:
        case "search":
            check_shards(response, partial_failure)
            check_search(request.body, response)
        case "open point in time":
            if not isinstance(response.get("id"), str):
                raise RequestFailed("garbled", "the answer has no point in time", retryable=True)
        case _:
            check_mapping(response)
