"""What drives a generator that yields what it needs done: one generator serves both APIs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

from qlc.base.beside import beside

N = TypeVar("N")
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """Something to be done, as a function of the synchronous API and as one of the asynchronous API."""

    run: Callable[[], Any]
    run_async: Callable[[], Awaitable[Any]]


def call(run: Callable[P, Any], run_async: Callable[P, Awaitable[Any]], /, *given: P.args, **named: P.kwargs) -> Call:
    return Call(partial(run, *given, **named), partial(run_async, *given, **named))


def in_thread(work: Callable[P, Any], /, *given: P.args, **named: P.kwargs) -> Call:
    """What takes a while: beside the event loop in the asynchronous API."""
    run = partial(work, *given, **named)
    return Call(run, partial(beside, run))


def in_place(work: Callable[[], Any]) -> Call:
    """What takes no time, done in the context of whoever drives."""

    async def run_async() -> Any:
        return work()

    return Call(work, run_async)


def together(calls: Sequence[Call]) -> Call:
    """Several calls at the same time, for the list of what they give."""

    def run() -> list[Any]:
        contexts = [(copy_context(), one) for one in calls]
        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(lambda pair: pair[0].run(pair[1].run), contexts))

    async def run_async() -> list[Any]:
        return await asyncio.gather(*(one.run_async() for one in calls))

    return Call(run, run_async)


def itself(call: Call) -> Call:
    """For work whose needs are calls."""
    return call


def drive(work: Generator[N, Any, T], call_for: Callable[[N], Call]) -> T:
    """What the work returns, where each thing that it needs is done by a call. What a call raises is raised in it."""
    with closing(_Progress(work)) as progress:
        while (need := progress.need) is not None:
            try:
                step = partial(progress.send, call_for(need).run())
            except Exception as problem:  # noqa: BLE001  it is raised where the answer is waited for
                step = partial(progress.throw, problem)
            step()
        return progress.result


async def drive_async(work: Generator[N, Any, T], call_for: Callable[[N], Call]) -> T:
    """As `drive`; what the work computes between its needs is done beside the event loop."""
    with closing(await beside(_Progress, work)) as progress:
        while (need := progress.need) is not None:
            try:
                step = partial(progress.send, await call_for(need).run_async())
            except Exception as problem:  # noqa: BLE001  it is raised where the answer is waited for
                step = partial(progress.throw, problem)
            await beside(step)
        return progress.result


class _Progress(Generic[N, T]):
    """Work on its way to its result. `need` is what it waits for; None at its end."""

    need: N | None
    result: T

    def __init__(self, work: Generator[N, Any, T]) -> None:
        self._work = work
        self.send(None)

    def send(self, answer: Any) -> None:
        self._go_on(partial(self._work.send, answer))

    def throw(self, problem: Exception) -> None:
        self._go_on(partial(self._work.throw, problem))

    def _go_on(self, step: Callable[[], N]) -> None:
        try:
            self.need = step()
        except StopIteration as end:
            self.need, self.result = None, end.value

    def close(self) -> None:
        with suppress(ValueError):  # of a task that was cancelled, a step is still on its way, and is the last
            self._work.close()
