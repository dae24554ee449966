"""What the surfaces add to the library: `python -m benchmarks.surfaces --rounds 25`.

The sample index on the embedded engine. The same questions and programs are asked in turns of the library in this
process, of `qlc mcp` over standard input and output with the client of the SDK, and of `qlc serve` over HTTP on one
connection that stays open. Printed are milliseconds of wall time, so run it on a machine with nothing else to do. A
process that has rested for some milliseconds takes longer for the same work, so what a surface adds is its time without
that which the library took for the same call, as the outcome says it (an MCP client is not told).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import qlc
from qlc import catalogs
from qlc.base.options import moment
from qlc.cli.demo_store import demo_client

NOW = "2026-03-15T12:00:00Z"
KINDS = ("Invoice", "Receipt", "Contract", "Report", "Letter", "Quote")
PROGRAMS = tuple(f'find documents where type = "{kind}" and size > {size} kB' for kind in KINDS for size in (10, 200))
QUESTIONS = tuple(f"{kind.lower()}s created in {year}" for kind in KINDS for year in (2024, 2025))

Outcome = Mapping[str, Any]
Call = Callable[[str, str], Awaitable[Outcome]]
"""Sends a text as a program (`run`) or a question (`ask`)."""


def in_process() -> Call:
    asker = qlc.Asker(qlc.Compiler(demo_client(), catalogs.path("drive")))

    async def call(action: str, text: str) -> Outcome:
        asked = asker.ask if action == "ask" else asker.compiler.run
        outcome = asked(text, now=moment(NOW), size=10)
        return {"kind": outcome.kind, "stats": {"took_ms": outcome.stats.took_ms}}

    return call


@asynccontextmanager
async def over_stdio() -> AsyncIterator[Call]:
    server = StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "qlc.cli.main", "mcp", "--demo", "--now", NOW], env=dict(os.environ)
    )
    async with Client(server) as client:

        async def call(action: str, text: str) -> Outcome:
            argument = {"words": text} if action == "ask" else {"program": text}
            result = await client.call_tool(action, argument)
            outcome: Outcome = (result.structured_content or {})["outcome"]
            return outcome

        yield call


@asynccontextmanager
async def over_http() -> AsyncIterator[Call]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    where = ["--demo", "--port", str(port), "--now", NOW, "--rate", "none"]
    command = [sys.executable, "-P", "-m", "qlc.cli.main", "serve", *where]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as service:
        try:
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
                await ready(session)

                async def call(action: str, text: str) -> Outcome:
                    body = {"text": text} if action == "ask" else {"program": text}
                    async with session.post(f"/v1/{action}", json=body) as response:
                        outcome: Outcome = await response.json()
                        return outcome

                yield call
        finally:
            service.terminate()


async def ready(session: aiohttp.ClientSession) -> None:
    for _ in range(600):
        try:
            async with session.get("/readyz") as response:
                if response.status == 200:
                    return
        except aiohttp.ClientConnectionError:
            pass
        await asyncio.sleep(0.1)
    raise RuntimeError("the service was not ready after a minute")


async def measured(rounds: int) -> dict[tuple[str, str], list[tuple[float, float | None]]]:
    """By action and surface: the milliseconds of each call, and without those that the library took."""
    times: dict[tuple[str, str], list[tuple[float, float | None]]] = {}
    kinds: dict[str, set[str]] = {}
    async with AsyncExitStack() as stack:
        surfaces = {
            "library": in_process(),
            "MCP over stdio": await stack.enter_async_context(over_stdio()),
            "HTTP": await stack.enter_async_context(over_http()),
        }
        for action, texts in (("run", PROGRAMS), ("ask", QUESTIONS)):
            for number in range(-1, rounds):  # the first round fills what is kept for all calls
                for name, call in surfaces.items():
                    for text in texts:
                        started = time.perf_counter()
                        outcome = await call(action, text)
                        taken = (time.perf_counter() - started) * 1000
                        kinds.setdefault(text, set()).add(outcome["kind"])
                        own = outcome["stats"].get("took_ms") if "stats" in outcome else None
                        if number >= 0:
                            times.setdefault((action, name), []).append((taken, None if own is None else taken - own))
    if disagreed := [text for text, found in kinds.items() if len(found) > 1]:
        raise RuntimeError(f"the surfaces disagree on {disagreed}")
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="calls of each text on each surface, in turns")
    times = asyncio.run(measured(parser.parse_args().rounds))
    print(f"{'':5} {'':16} {'p50 ms':>8} {'p95 ms':>8} {'added, p50':>11}")
    for (action, name), taken in times.items():
        walls = [wall for wall, _ in taken]
        added = [more for _, more in taken if more is not None]
        p95 = statistics.quantiles(walls, n=20)[-1]
        more = f"{statistics.median(added):11.2f}" if added else ""
        print(f"{action:5} {name:16} {statistics.median(walls):8.2f} {p95:8.2f} {more}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
