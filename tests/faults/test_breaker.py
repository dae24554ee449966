"""The circuit breaker: closed, open, half-open, under threads and tasks."""

import asyncio
import math
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import qlc
from qlc.base.errors import RequestFailed, UsageError
from qlc.resolver.driver import CircuitBreaker, breaker_of


class Clock:
    """A monotonic clock that stands still unless it is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("qlc.resolver.driver.time.monotonic", made)
    return made


def attempt(breaker: CircuitBreaker, reason: str = "", during: Callable[[], object] = lambda: None) -> str:
    """One attempt that ends so; what came of it."""
    try:
        with breaker.attempt():
            during()
            if reason:
                raise RequestFailed(reason, "as the test wants it")
    except RequestFailed as problem:
        return problem.reason
    return "answered"


def test_it_opens_after_failures_in_a_row_and_refuses_at_once(clock: Clock) -> None:
    breaker = CircuitBreaker(failures=3, pause=5)
    assert [attempt(breaker, "unavailable") for _ in range(2)] == ["unavailable"] * 2
    assert attempt(breaker) == "answered"
    assert [attempt(breaker, "unreachable") for _ in range(3)] == ["unreachable"] * 3
    assert breaker.state == "open"
    reached: list[int] = []
    assert attempt(breaker, during=lambda: reached.append(1)) == "circuit-open"
    assert reached == []


def test_one_attempt_closes_it_or_begins_the_pause_again(clock: Clock) -> None:
    breaker = CircuitBreaker(failures=1, pause=5)
    attempt(breaker, "unavailable")
    clock.now += 4.9
    assert attempt(breaker) == "circuit-open"
    clock.now += 0.2
    assert breaker.state == "half-open"
    others: list[str] = []
    assert attempt(breaker, "unavailable", lambda: others.append(attempt(breaker))) == "unavailable"
    assert others == ["circuit-open"]
    assert breaker.state == "open"
    clock.now += 5
    assert attempt(breaker) == "answered"
    assert breaker.state == "closed"
    assert attempt(breaker) == "answered"


@pytest.mark.parametrize("reason", ["unauthorized", "forbidden", "no-index", "rejected", "too-large", "expired",
                                    "partial"])  # fmt: skip
def test_an_answer_that_is_a_refusal_is_no_failure_of_the_server(clock: Clock, reason: str) -> None:
    breaker = CircuitBreaker(failures=2)
    attempt(breaker, "unavailable")
    attempt(breaker, reason)
    attempt(breaker, "unavailable")
    assert breaker.state == "closed"


def test_only_time_outs_that_took_their_time_count(clock: Clock) -> None:
    breaker = CircuitBreaker(failures=2)
    for _ in range(5):
        attempt(breaker, "timeout")
    assert breaker.state == "closed"

    def wait() -> None:
        clock.now += 2

    attempt(breaker, "timeout", wait)
    attempt(breaker, "timeout", wait)
    assert breaker.state == "open"


def test_a_trial_that_is_given_up_leaves_the_way_free(clock: Clock) -> None:
    breaker = CircuitBreaker(failures=1, pause=1)
    attempt(breaker, "unavailable")
    clock.now += 2
    with pytest.raises(KeyboardInterrupt), breaker.attempt():
        raise KeyboardInterrupt
    assert breaker.state == "half-open"
    assert attempt(breaker) == "answered"
    assert breaker.state == "closed"


def test_what_began_before_it_opened_does_not_close_it(clock: Clock) -> None:
    breaker = CircuitBreaker(failures=2)

    def meanwhile() -> None:
        attempt(breaker, "unavailable")
        attempt(breaker, "unavailable")

    assert attempt(breaker, during=meanwhile) == "answered"
    assert breaker.state == "open"


def test_one_trial_among_many_threads() -> None:
    breaker = CircuitBreaker(failures=1, pause=0)
    attempt(breaker, "unavailable")
    together, inside, held = threading.Barrier(16), [], threading.Event()

    def one(_: int) -> str:
        together.wait(timeout=30)
        return attempt(breaker, during=lambda: (inside.append(1), held.wait(timeout=30)))

    with ThreadPoolExecutor(16) as pool:
        futures = [pool.submit(one, number) for number in range(16)]
        while sum(future.done() for future in futures) < 15:
            held.wait(timeout=0.01)
        held.set()
        told = [future.result() for future in futures]
    assert len(inside) == 1
    assert sorted(told) == ["answered"] + ["circuit-open"] * 15


async def test_one_trial_among_many_tasks() -> None:
    breaker = CircuitBreaker(failures=1, pause=0)
    attempt(breaker, "unavailable")

    async def one() -> str:
        try:
            with breaker.attempt():
                await asyncio.sleep(0.05)
        except RequestFailed as problem:
            return problem.reason
        return "answered"

    assert sorted(await asyncio.gather(*(one() for _ in range(20)))) == ["answered"] + ["circuit-open"] * 19


def test_never(clock: Clock) -> None:
    breaker = CircuitBreaker(failures=math.inf)
    for _ in range(1000):
        attempt(breaker, "unavailable")
    assert breaker.state == "closed"


@pytest.mark.parametrize(("failures", "pause"), [(0, 1), (-1, 1), (math.nan, 1), (1, -1), (1, math.nan)])
def test_numbers_that_make_no_sense(failures: float, pause: float) -> None:
    with pytest.raises(UsageError):
        CircuitBreaker(failures, pause)


def test_compilers_of_one_client_share_one() -> None:
    with qlc.connect(":memory:") as client, qlc.connect(":memory:") as other:
        one, two = qlc.Compiler(client, index="x"), qlc.Compiler(client, index="y")
        assert one.breaker is two.breaker is breaker_of(client)
        assert qlc.Compiler(other, index="x").breaker is not one.breaker
        mine = CircuitBreaker(failures=3)
        assert qlc.Compiler(client, index="x", breaker=mine).breaker is mine
