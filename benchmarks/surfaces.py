"""What the surfaces add to the library: `python -m benchmarks.surfaces --calls 300`.

The sample index on the embedded engine. The same questions and programs are asked in turns of the library in this
process, of `qlc mcp` over standard input and output with the client of the SDK, and of `qlc serve` over HTTP on one
connection that stays open. Printed are milliseconds of wall time, so run it on a machine with nothing else to do.
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
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import qlc
from qlc import catalogs
from qlc.cli.demo_store import demo_client
from qlc.options import moment

NOW = "2026-03-15T12:00:00Z"
KINDS = ("Invoice", "Receipt", "Contract", "Report", "Letter", "Quote")
PROGRAMS = tuple(f'find documents where type = "{kind}" and size > {size} kB' for kind in KINDS for size in (10, 200))
QUESTIONS = tuple(f"{kind.lower()}s created in {year}" for kind in KINDS for year in (2024, 2025))

Call = Callable[[str, str], Awaitable[str]]
"""Sends a text as a program (`run`) or a question (`ask`); the kind of the outcome."""


def in_process() -> Call:
    asker = qlc.Asker(qlc.Compiler(demo_client(), catalogs.path("drive")))

    async def call(action: str, text: str) -> str:
        asked = asker.ask if action == "ask" else asker.compiler.run
        return asked(text, now=moment(NOW), size=10).kind

    return call


@asynccontextmanager
async def over_stdio() -> AsyncIterator[Call]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "qlc.cli.main", "mcp", "--demo", "--now", NOW], env=dict(os.environ)
    )
    async with Client(server) as client:

        async def call(action: str, text: str) -> str:
            argument = {"words": text} if action == "ask" else {"program": text}
            result = await client.call_tool(action, argument)
            return str((result.structured_content or {})["outcome"]["kind"])

        yield call


@asynccontextmanager
async def over_http() -> AsyncIterator[Call]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "qlc.cli.main", "serve", "--demo", "--port", str(port), "--now", NOW]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as service:
        try:
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
                await ready(session)

                async def call(action: str, text: str) -> str:
                    body = {"text": text} if action == "ask" else {"program": text}
                    async with session.post(f"/v1/{action}", json=body) as response:
                        return str((await response.json())["kind"])

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


async def measured(calls: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds by action and surface."""
    async with AsyncExitStack() as stack:
        surfaces = {
            "library": in_process(),
            "MCP over stdio": await stack.enter_async_context(over_stdio()),
            "HTTP": await stack.enter_async_context(over_http()),
        }
        times: dict[str, dict[str, list[float]]] = {}
        for action, texts in (("run", PROGRAMS), ("ask", QUESTIONS)):
            for number in range(-len(texts), calls):  # the first round fills what is kept for all calls
                text = texts[number % len(texts)]
                kinds = set()
                for name, call in surfaces.items():
                    started = time.perf_counter()
                    kinds.add(await call(action, text))
                    if number >= 0:
                        taken = (time.perf_counter() - started) * 1000
                        times.setdefault(action, {}).setdefault(name, []).append(taken)
                if len(kinds) > 1:
                    raise RuntimeError(f"{text}: the surfaces disagree: {kinds}")
        return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=300, help="calls of each kind and surface")
    times = asyncio.run(measured(parser.parse_args().calls))
    print(f"{'':8} {'':16} {'p50 ms':>8} {'p95 ms':>8} {'p50 over the library':>22}")
    for action, by_surface in times.items():
        for name, taken in by_surface.items():
            over = statistics.median(one - own for one, own in zip(taken, by_surface["library"], strict=True))
            p95 = statistics.quantiles(taken, n=20)[-1]
            print(f"{action:8} {name:16} {statistics.median(taken):8.2f} {p95:8.2f} {over:22.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
