"""The asynchronous twin gives the same outcomes; many threads and tasks at once mix nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from qlc import compile_and_run, compile_and_run_async
from qlc.base.errors import UsageError
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from tests.amounts import some
from tests.pipeline import world
from tests.pipeline.conftest import never_open
from tests.pipeline.test_access import NOW, PROGRAMS, of_another, shown
from tests.pipeline.test_sensitive import USES
from tests.pipeline.wire import Wire

CONTEXT = {"tenant": "red", "level": 5}
BAD = ["", "find", "find documents", "find documents where (", "find nothing where x = 1",
       "find documents where sise > 1", 'find documents where folder = "Drafts"',
       'find documents where folder = "No Such"', "get $x.size",
       "find documents where size > $x", "find documents where created > 2026-99"]  # fmt: skip


@pytest.fixture
async def twin(wire: Wire) -> AsyncIterator[Compiler]:
    async with wire.async_client() as client:
        yield Compiler(client, read_catalog(world.CATALOG), breaker=never_open())


def comparable(outcome: Outcome) -> dict[str, Any]:
    """Everything but times, and the ids of log entries."""
    found = outcome.model_dump(mode="json", exclude={"id"})
    found["stats"] = (found["stats"]["round_trips"], found["stats"]["further"])
    return found


@pytest.mark.parametrize("program", [*PROGRAMS, *USES[:5], *BAD])
async def test_the_same_outcomes(wire: Wire, twin: Compiler, program: str) -> None:
    with wire.client() as client:
        compiler = Compiler(client, read_catalog(world.CATALOG))
        expected = compile_and_run(program, compiler, context=CONTEXT, now=NOW, size=3)
    found = await compile_and_run_async(program, twin, context=CONTEXT, now=NOW, size=3)
    assert comparable(found) == comparable(expected)


@pytest.mark.parametrize("typed", ["find doc", "find documents where si", 'find documents where folder = "'])
async def test_the_same_completions(wire: Wire, twin: Compiler, typed: str) -> None:
    with wire.client() as client:
        expected = Compiler(client, read_catalog(world.CATALOG)).complete(typed, context=CONTEXT)
    assert expected
    assert await twin.complete_async(typed, context=CONTEXT) == expected
    assert {one.start for one in expected} == {max(typed.rfind(" ") + 1, 0)}


async def test_a_cancelled_run_ends(wire: Wire, twin: Compiler) -> None:
    await twin.load()
    held = asyncio.Event()
    running = asyncio.create_task(_held(twin, held))
    await held.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await twin.run_async("count documents", context=CONTEXT)).kind == "count"


async def _held(compiler: Compiler, held: asyncio.Event) -> None:
    held.set()
    while True:
        await compiler.run_async("count documents", context=CONTEXT)


async def test_the_wrong_kind_of_client_is_reported(twin: Compiler) -> None:
    with pytest.raises(UsageError, match="asynchronous"):
        twin.run("count documents", context=CONTEXT)
    await twin.load()
    assert not twin.diagnose("count documents").failed
    await twin.refresh_async()


# --- many at once ----------------------------------------------------------------------------------------------------


def expected(wire: Wire) -> dict[tuple[str, str], dict[str, Any]]:
    with wire.client() as client:
        alone = Compiler(client, read_catalog(world.CATALOG))
        return {
            (tenant, program): told(alone.run(program, context={"tenant": tenant, "level": 5}, now=NOW))
            for tenant in world.TENANTS
            for program in PROGRAMS
        }


def told(outcome: Outcome) -> dict[str, Any]:
    return outcome.model_dump(mode="json", exclude={"stats", "cursor"})


def test_threads_mix_nothing(wire: Wire, fresh: Compiler) -> None:
    """One compiler and its prepared queries under 200 threads: each gets its own tenant's answer."""
    right = expected(wire)
    prepared = {program: fresh.prepare(program) for program in PROGRAMS}
    work = [(tenant, program) for program in PROGRAMS for tenant in (*world.TENANTS, *world.TENANTS)]
    barrier = threading.Barrier(40)

    def one(number: int) -> list[str]:
        if number < 40:
            barrier.wait(timeout=60)
        tenant, program = work[number % len(work)]
        runner = prepared[program] if number % 2 else fresh.prepare(program)
        if number % 17 == 0:
            fresh.forget()
        outcome = runner.run(context={"tenant": tenant, "level": 5}, now=NOW)
        same = told(outcome) == right[tenant, program]
        return of_another(shown(outcome), tenant) + ([] if same else [program])

    with ThreadPoolExecutor(200) as pool:
        assert [wrong for found in pool.map(one, range(some(160, 400))) for wrong in found] == []


async def test_tasks_mix_nothing(wire: Wire, twin: Compiler) -> None:
    right = expected(wire)

    async def one(number: int) -> list[str]:
        tenant, program = world.TENANTS[number % 2], PROGRAMS[number % len(PROGRAMS)]
        outcome = await twin.run_async(program, context={"tenant": tenant, "level": 5}, now=NOW)
        same = told(outcome) == right[tenant, program]
        return of_another(shown(outcome), tenant) + ([] if same else [program])

    found = await asyncio.gather(*(one(number) for number in range(some(80, 200))))
    assert [wrong for one_found in found for wrong in one_found] == []


def test_threads_that_start_together_read_the_mapping_once(wire: Wire, fresh: Compiler) -> None:
    with wire.watched() as calls, ThreadPoolExecutor(20) as pool:
        kinds = list(pool.map(lambda _: fresh.run("count documents", context=CONTEXT).kind, range(20)))
    assert set(kinds) == {"count"}
    assert sum(call.path.endswith("/_mapping") for call in calls) == 1
