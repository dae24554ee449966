"""Many callers at once through a line that fails: each gets the answer to its own question or is told why not."""

import asyncio
import math
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from qlc.resolver.driver import CircuitBreaker
from tests.faults import proxy as faults
from tests.faults import world
from tests.faults.conftest import ON_EACH, Bench

pytestmark = ON_EACH
CALLERS = 200
THREADS = 32
DEADLINE = 20.0
GRACE = 120
"""How late an outcome may come: the programs of all callers are compiled by one loop before it looks at a clock, on a
machine that does other things too. Without its deadline a caller would wait for `DEADLINE` and more."""

KINDS = [
    faults.reset, faults.silent, faults.truncated, faults.cut, faults.says(200, b"{"),
    faults.error(503, "unavailable_shards_exception"), faults.error(429, "es_rejected_execution_exception"),
    faults.changed(faults.lacking_a_shard), faults.slow(0.05),
]  # fmt: skip


def sometimes(share: float, seed: int) -> faults.Fault:
    """Fails a share of the requests, in every way there is."""
    dice, lock = random.Random(seed), threading.Lock()

    def fault(exchange: faults.Exchange) -> None:
        with lock:
            fails, kind = dice.random() < share, dice.choice(KINDS)
        if fails:
            kind(exchange)
        else:
            exchange.answer(exchange.forward())

    return fault


def judged(number: int, outcome: Outcome, seconds: float, deadline: float = DEADLINE) -> str:
    """Right, or failed with a reason; anything else is wrong."""
    assert seconds < deadline + GRACE, (number, seconds)
    if outcome.kind == "failed":
        assert outcome.reason in ("unreachable", "garbled", "unavailable", "overloaded", "partial", "timeout",
                                  "circuit-open"), outcome  # fmt: skip
        return outcome.reason
    program, answer = world.question(number)
    assert (outcome.query, world.answer_of(outcome)) == (program, answer)
    return "right"


async def asked(compiler: Compiler, number: int, deadline: float = DEADLINE) -> str:
    before = time.monotonic()
    outcome = await compiler.run_async(world.question(number)[0], deadline=deadline)
    return judged(number, outcome, time.monotonic() - before, deadline)


async def test_tasks_lose_and_mix_nothing(bench: Bench, twin: Compiler) -> None:
    with bench.proxy.failing(sometimes(0.25, 1)) as planned:
        told = Counter(await asyncio.gather(*(asked(twin, number) for number in range(CALLERS))))
    assert sum(told.values()) == CALLERS
    assert planned.met > CALLERS
    assert told["right"] > 0.8 * CALLERS, told  # four attempts at a quarter each fail together once in 256


async def test_tasks_that_begin_together_with_nothing_read(bench: Bench) -> None:
    """The mapping is read once for all, through the same line."""
    compiler = bench.async_compiler()
    async with compiler.client:
        bench.proxy.requests.clear()
        told = Counter(await asyncio.gather(*(asked(compiler, number) for number in range(CALLERS))))
        assert told == {"right": CALLERS}
        assert sum(path.endswith("/_mapping") for _, path in bench.proxy.requests) == 1


def test_threads_lose_and_mix_nothing(bench: Bench, compiler: Compiler) -> None:
    def one(number: int) -> str:
        before = time.monotonic()
        outcome = compiler.run(world.question(number)[0], deadline=DEADLINE)
        return judged(number, outcome, time.monotonic() - before)

    with bench.proxy.failing(sometimes(0.25, 2)) as planned, ThreadPoolExecutor(THREADS) as pool:
        told = Counter(pool.map(one, range(CALLERS)))
    assert sum(told.values()) == CALLERS
    assert planned.met > CALLERS
    assert told["right"] > 0.8 * CALLERS, told


async def test_short_deadlines_are_kept_by_all(bench: Bench, twin: Compiler) -> None:
    with bench.proxy.failing(faults.hung):
        told = Counter(await asyncio.gather(*(asked(twin, number, 0.5) for number in range(CALLERS))))
    assert told == {"timeout": CALLERS}


async def test_a_server_that_comes_back_is_used_again(bench: Bench) -> None:
    """The breaker opens under the callers, spares the server, and closes by itself."""
    compiler = bench.async_compiler(CircuitBreaker(failures=10, pause=math.inf))
    async with compiler.client:
        await compiler.load()
        with bench.proxy.failing(faults.error(503, "no_shard_available_action_exception")) as planned:
            first = Counter(await asyncio.gather(*(asked(compiler, number) for number in range(CALLERS))))
            assert compiler.breaker.state == "open"
            met = planned.met
            told = Counter(await asyncio.gather(*(asked(compiler, number) for number in range(CALLERS))))
            assert (told, planned.met) == ({"circuit-open": CALLERS}, met)
        assert first["right"] == 0
        compiler.breaker.pause = 0.1  # however long the callers took, it was not over before
        await asyncio.sleep(0.1)
        assert await asked(compiler, 7) == "right"
        assert compiler.breaker.state == "closed"
        assert Counter(await asyncio.gather(*(asked(compiler, number) for number in range(20)))) == {"right": 20}


def test_the_message_of_an_open_breaker(bench: Bench) -> None:
    compiler = bench.compiler(CircuitBreaker(failures=2, pause=math.inf))
    with compiler.client:
        compiler.schema  # noqa: B018
        with bench.proxy.failing(faults.error(503, "x")):
            cut_short = compiler.run("count things")
            assert (cut_short.kind, getattr(cut_short, "reason", "")) == ("failed", "unavailable")
            at_once = compiler.run("count things")
        assert at_once.kind == "failed"
        assert (at_once.reason, at_once.retryable) == ("circuit-open", True)
        assert at_once.stats.took_ms < 1000
        assert at_once.message.endswith("Try again in a moment.")
        compiler.breaker.pause = 0.0
        assert compiler.run("count things").kind == "count"
