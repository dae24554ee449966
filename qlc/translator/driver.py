"""What drives a generator that yields what it needs done: one generator serves both APIs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

from qlc.beside import beside

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
        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(lambda one: one.run(), calls))

    async def run_async() -> list[Any]:
        return await asyncio.gather(*(one.run_async() for one in calls))

    return Call(run, run_async)


def itself(call: Call) -> Call:
    """For work whose needs are calls."""
    return call


@dataclass(frozen=True, slots=True)
class _Ended(Generic[T]):
    result: T


def drive(work: Generator[N, Any, T], call_for: Callable[[N], Call]) -> T:
    """What the work returns, where each thing that it needs is done by a call."""
    step = _next(work, None)
    while not isinstance(step, _Ended):
        step = _next(work, call_for(step).run())
    return step.result


async def drive_async(work: Generator[N, Any, T], call_for: Callable[[N], Call]) -> T:
    """As `drive`; what the work computes between its needs is done beside the event loop."""
    step = await beside(_next, work, None)
    while not isinstance(step, _Ended):
        step = await beside(_next, work, await call_for(step).run_async())
    return step.result


def _next(work: Generator[N, Any, T], answer: Any) -> N | _Ended[T]:
    try:
        return work.send(answer)
    except StopIteration as end:
        return _Ended(end.value)
