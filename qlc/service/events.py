"""Answers as a stream of events (SSE), which a client that lost its connection can read on."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fastapi.responses import Response
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from qlc.base.beside import beside
from qlc.conversation import Reply
from qlc.outcome import AggregateOut, Answer, Clarify, Outcome
from qlc.telemetry import listening

from .auth import Caller
from .limits import Turn, in_time
from .problems import defect, problem_of, status_of
from .settings import Settings

MEDIA_TYPE = "text/event-stream"
PING = 15.0
"""Seconds of silence after which a comment is sent: proxies close connections on which nothing comes."""
MOST_STAGES = 500
"""Reports of stages in one stream. Answers are never left out."""
RETRY_MS = 1_000
_POSITION = re.compile(r"[0-9]{1,9}")
EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}}
"""OpenAPI's description of a response that can be a stream."""


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    data: str


@dataclass(eq=False)
class Stream:
    """The events of one answer. `asked` is a hash of the request: another one does not continue it, and neither does
    another caller, or the same one with other rights."""

    id: str
    owner: Caller
    asked: str
    events: list[Event] = field(default_factory=list)
    is_done: bool = False
    readers: int = 0
    task: asyncio.Task[None] | None = None
    _stages: int = 0
    _partial: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, name: str, data: Any) -> None:
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        self.events.append(Event(name, text))
        self._wake()

    def reported(self, stage: str, details: dict[str, Any]) -> None:
        """Send an event when a stage is finished, or one of several questions is answered."""
        outcome = details.get("outcome")
        if outcome is not None:
            self._partial += 1
            self.add("partial", f'{{"number":{self._partial},"outcome":{outcome.model_dump_json()}}}')
        elif self._stages < MOST_STAGES:
            self._stages += 1
            self.add("stage", {"stage": stage, **details})

    def finish(self) -> None:
        self.is_done = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def after(self, position: int) -> AsyncIterator[bytes]:
        """Yield the events after a position, as they come, in the format of SSE."""
        yield f"retry: {RETRY_MS}\n\n".encode()
        while True:
            while position < len(self.events):  # more may come while one is sent
                event = self.events[position]
                position += 1
                yield f"id: {self.id}.{position}\nevent: {event.name}\ndata: {event.data}\n\n".encode()
            if self.is_done:
                return
            changed = self._changed
            try:
                async with asyncio.timeout(PING):
                    await changed.wait()
            except TimeoutError:
                yield b": waiting\n\n"


def answer_events(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield the events of a finished and checked answer: its table, its sentences, then all of it."""
    if isinstance(outcome, Answer):
        if outcome.rows:
            yield "table", outcome.model_dump_json(include={"columns", "rows"})
        for claim in outcome.claims:
            yield "sentence", claim.model_dump_json()
    elif isinstance(outcome, AggregateOut):
        yield "table", outcome.model_dump_json(include={"groups", "measures", "rows", "units", "row_units"})
    yield "clarify" if isinstance(outcome, Clarify) else "outcome", outcome.model_dump_json()


class Streams:
    """The streams of one application: those on their way, and for some time those that are done."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._streams: dict[str, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def continued(self, headers: Headers, caller: Caller, path: str, body: bytes) -> tuple[Stream, int] | None:
        """Return the stream that a client continues after losing its connection, and its position there.

        The stream must have begun with the same request of the same caller.
        """
        id, _, number = headers.get("last-event-id", "").rpartition(".")
        stream = self._streams.get(id)
        if stream is None or not wants_events(headers) or not _POSITION.fullmatch(number):
            return None
        if (stream.owner, stream.asked) != (caller, _digest(path, body)):
            return None
        return stream, min(int(number), len(stream.events))

    async def response(
        self, request: Request, work: Callable[[], Any], finish: Callable[[Any], Iterator[tuple[str, str]]]
    ) -> Response:
        """Return the events of some work, or the rest of them. `finish` makes the last events from the result."""
        if request.state.stream is not None:
            return _EventStream(self, *request.state.stream)
        asked = _digest(request.scope["path"].removeprefix(request.scope.get("root_path", "")), await request.body())
        stream = Stream(secrets.token_urlsafe(9), request.state.caller, asked)
        turn: Turn = request.state.turn
        turn.is_kept = True  # until the answer is there, whether or not the client is
        stream.task = asyncio.create_task(self._answer(stream, work, finish, request.state.ends, turn))
        self._tasks.add(stream.task)
        stream.task.add_done_callback(self._tasks.discard)
        self._streams[stream.id] = stream
        self._forget_oldest()
        return _EventStream(self, stream, 0)

    async def _answer(self, stream: Stream, work: Any, finish: Any, ends: float, turn: Turn) -> None:
        loop = asyncio.get_running_loop()

        def listener(stage: str, details: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(stream.reported, stage, details)

        status = 200
        try:
            with in_time(ends) as seconds:
                async with asyncio.timeout(seconds):
                    with listening(listener):
                        found = await work()
                    last = await beside(lambda: list(finish(found)))
            # What was reported by threads is in the stream before the answer: both come here in turn.
            for name, data in last:
                stream.add(name, data)
            status = 200 if isinstance(found, Reply) else status_of(found)
        except Exception as problem:  # noqa: BLE001  it is an event
            known = problem_of(problem) or defect(problem)
            stream.add("problem", known.body())
            status = known.status_code
        finally:
            turn.release()
            stream.add("done", {"status": status})
            stream.finish()
        loop.call_later(self._settings.kept_time, self._streams.pop, stream.id, None)

    def _forget_oldest(self) -> None:
        done = [id for id, stream in self._streams.items() if stream.is_done and not stream.readers]
        for id in done[: max(0, len(self._streams) - self._settings.kept_streams)]:
            del self._streams[id]

    def left(self, stream: Stream) -> None:
        """Note that a reader has left. If nobody resumes the stream, its work is cancelled."""
        stream.readers -= 1
        if stream.readers or stream.is_done:
            return

        def give_up() -> None:
            if not stream.readers and not stream.is_done and stream.task is not None:
                stream.task.cancel()
                self._streams.pop(stream.id, None)

        asyncio.get_running_loop().call_later(self._settings.resume_time, give_up)

    async def close(self) -> None:
        """Wait for the streams that are running."""
        if self._tasks:
            await asyncio.wait(set(self._tasks))


class _EventStream(Response):
    media_type = MEDIA_TYPE

    def __init__(self, streams: Streams, stream: Stream, position: int) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._streams, self._stream, self._position = streams, stream, position
        stream.readers += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            async for part in self._stream.after(self._position):
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._streams.left(self._stream)


def wants_events(headers: Headers) -> bool:
    return MEDIA_TYPE in headers.get("accept", "")


def _digest(path: str, body: bytes) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogatepass") + b"\0" + body).hexdigest()
