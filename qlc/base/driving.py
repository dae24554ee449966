"""Drivers for generators that yield the calls they need, so that one generator serves both APIs."""

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
    """A call in two forms: a function of the synchronous API, and one of the asynchronous API."""

    run: Callable[[], Any]
    run_async: Callable[[], Awaitable[Any]]


def call(run: Callable[P, Any], run_async: Callable[P, Awaitable[Any]], /, *given: P.args, **named: P.kwargs) -> Call:
    return Call(partial(run, *given, **named), partial(run_async, *given, **named))


def in_thread(work: Callable[P, Any], /, *given: P.args, **named: P.kwargs) -> Call:
    """Return a call of slow work, which the asynchronous API runs in a thread."""
    run = partial(work, *given, **named)
    return Call(run, partial(beside, run))


def in_place(work: Callable[[], Any]) -> Call:
    """Return a call of fast work, run in the context of the driver."""

    async def run_async() -> Any:
        return work()

    return Call(work, run_async)


def together(calls: Sequence[Call]) -> Call:
    """Return a call that runs several calls at the same time, and returns the list of their results."""

    def run() -> list[Any]:
        contexts = [(copy_context(), one) for one in calls]
        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(lambda pair: pair[0].run(pair[1].run), contexts))

    async def run_async() -> list[Any]:
        return await asyncio.gather(*(one.run_async() for one in calls))

    return Call(run, run_async)


def itself(call: Call) -> Call:
    """Return the call itself, for generators that yield calls."""
    return call


def drive(work: Generator[N, Any, T], call_for: Callable[[N], Call]) -> T:
    """Run a generator, executing each need by its call, and return its result. Errors of calls are raised in the
    generator."""
    with closing(_Progress(work)) as progress:
        while (need := progress.need) is not None:
            try:
                step = partial(progress.send, call_for(need).run())
            except Exception as problem:  # noqa: BLE001  it is raised where the answer is waited for
                step = partial(progress.throw, problem)
            step()
        return progress.result


async def drive_async(work: Generator[N, Any, T], call_for: Callable[[N], Call]) -> T:
    """Run a generator as `drive` does; its computation between needs runs in a thread."""
    with closing(await beside(_Progress, work)) as progress:
        while (need := progress.need) is not None:
            try:
                step = partial(progress.send, await call_for(need).run_async())
            except Exception as problem:  # noqa: BLE001  it is raised where the answer is waited for
                step = partial(progress.throw, problem)
            await beside(step)
        return progress.result


class _Progress(Generic[N, T]):
    """A generator in progress. `need` is the current need; None at the end."""

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
