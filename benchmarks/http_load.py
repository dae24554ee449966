"""Many users at once over the HTTP service: `python -m benchmarks.http_load --users 200 --seconds 120`.

A store of papers is made, each of one team, and each user sees the papers of one team. Users run programs, ask in
words, hold a conversation, and now and then close their connection in the middle, or send and read as slowly as they
can. Every answer is compared with what the data of the user's team has: another number, or a paper of another team, is
counted as wrong. With `--url` the papers are in an index of that server, which has to be on this machine. With `--kill`
the service is killed (SIGKILL) after so many seconds and started again; a turn that was answered and is not in its
conversation afterwards is counted as wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from elasticsearch.helpers import bulk

import qlc

TEAMS = 50
KINDS = ("report", "letter", "invoice", "plan")
INDEX = "papers-of-teams"
CATALOG = f"""
version: 1
index: {INDEX}
entities:
  paper:
    plural: papers
    id: id
    names: [title]
    access: team = $team
    show: [title, team, kind, size]
fields:
  id: id
  title: title
  team: team
  kind:
    path: kind
    values: {{report: [reports], letter: [letters], invoice: [invoices], plan: [plans]}}
  size: {{path: size, unit: bytes}}
"""


def paper(number: int) -> dict[str, Any]:
    mixed = int(hashlib.sha256(str(number).encode()).hexdigest()[:8], 16)
    return {"id": f"p{number}", "title": f"Paper {number}", "team": f"t{number % TEAMS}",
            "kind": KINDS[mixed % len(KINDS)], "size": mixed % 1_000_000}  # fmt: skip


@dataclass
class Team:
    """What the papers of a team are, for comparing."""

    kinds: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)


def load(client: Any, count: int) -> list[Team]:
    teams = [Team() for _ in range(TEAMS)]
    kinds = {name: {"type": "keyword"} for name in ("id", "team", "kind")}
    title = {"type": "keyword", "fields": {"text": {"type": "text"}}}
    client.indices.delete(index=INDEX, ignore_unavailable=True)
    client.indices.create(index=INDEX, mappings={"properties": {**kinds, "title": title, "size": {"type": "long"}}})
    papers = [paper(number) for number in range(count)]
    for one in papers:
        team = teams[int(one["team"][1:])]
        team.kinds[one["kind"]] += 1
        team.sizes.append(one["size"])
    patient = client.options(request_timeout=120)  # the machine may have much else to do
    bulk(patient, ({"_index": INDEX, "_id": one["id"], "_source": one} for one in papers), chunk_size=5_000)
    client.indices.refresh(index=INDEX)
    return teams


class Service:
    """A service over the papers. `process` is that which answers now."""

    def __init__(self, folder: Path, url: str, users: int) -> None:
        where = ["--url", url] if url else ["--data", str(folder / "store")]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self._command = [
            sys.executable, "-P", "-m", "qlc", "serve", "--port", str(port),
            "--catalog", str(folder / "papers.yaml"), *where,
            "--api-keys", str(folder / "keys.yaml"), "--rate", "none", "--queue", str(users), "--store",
            str(folder / "talk.sqlite"), "--rules-only",
        ]  # fmt: skip
        self.process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(self._command, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        line = process.stderr.readline()
        if "http://" not in line:
            raise SystemExit(line + process.stderr.read())
        return process

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.process = self._started()


@contextmanager
def serving(folder: Path, url: str, users: int) -> Iterator[Service]:
    (folder / "papers.yaml").write_text(CATALOG)
    keys = [{"name": f"user{n}", "sha256": hashlib.sha256(f"key{n}".encode()).hexdigest(),
             "context": {"team": f"t{n % TEAMS}"}} for n in range(users)]  # fmt: skip
    (folder / "keys.yaml").write_text(json.dumps(keys))
    service = Service(folder, url, users)
    try:
        yield service
    finally:
        service.process.terminate()
        service.process.communicate()


@dataclass
class Figures:
    """What was measured. `times` are seconds by the kind of request; `wrong` are the first wrong answers."""

    times: dict[str, list[float]] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    left: int = 0
    slow: int = 0
    broken: int = 0
    turns: int = 0
    memory: list[int] = field(default_factory=list)


class User:
    def __init__(self, number: int, address: str, session: aiohttp.ClientSession, team: Team, found: Figures) -> None:
        self._headers = {"X-API-Key": f"key{number}"}
        self._name, self._team, self._address = f"t{number % TEAMS}", team, address
        self._session, self._found, self._random = session, found, random.Random(number)
        self._talk, self._turns, self._unknown = "", 0, 0

    async def go_on(self, until: float, pause: float) -> None:
        actions = [self._count] * 4 + [self._list] * 4 + [self._words] * 3 + [self._turn] * 3
        actions += [self._leave, self._slowly]
        while time.monotonic() < until:
            await self._random.choice(actions)()
            if pause:
                await asyncio.sleep(self._random.uniform(0, 2 * pause))

    async def _post(self, kind: str, path: str, body: dict[str, Any]) -> Any:
        started = time.perf_counter()
        try:
            async with self._session.post(self._address + path, json=body, headers=self._headers) as answered:
                data = await answered.json(content_type=None)
        except aiohttp.ClientError:  # the service was killed
            self._found.broken += 1
            await asyncio.sleep(0.5)
            return None
        self._found.times.setdefault(kind, []).append(time.perf_counter() - started)
        self._found.statuses[answered.status] += 1
        return data if answered.status < 300 else None

    def _check(self, right: bool, what: str) -> None:
        if not right:
            self._found.wrong.append(f"{self._name}: {what}")

    async def _count(self) -> None:
        kind = self._random.choice(KINDS)
        data = await self._post("run: count", "/v1/run", {"program": f'count papers where kind = "{kind}"'})
        self._check(data is None or data["value"] == self._team.kinds[kind], f"count {kind}: {data}")

    async def _list(self) -> None:
        least = self._random.randrange(1_000_000)
        program = f"find papers where size >= {least} bytes sort size desc"
        data = await self._post("run: list", "/v1/run", {"program": program})
        total = sum(size >= least for size in self._team.sizes)
        right = data is None or (data["total"] == total and {h["values"]["team"] for h in data["hits"]} <= {self._name})
        self._check(right, f"list from {least}: {data and data['total']} instead of {total}")

    async def _words(self) -> None:
        kind = self._random.choice(KINDS)
        data = await self._post("ask: words", "/v1/ask", {"text": f"how many {kind}s are there?"})
        self._check(data is None or data.get("value") == self._team.kinds[kind], f"how many {kind}s: {data}")

    async def _turn(self) -> None:
        if not self._talk:
            made = await self._post("conversation", "/v1/conversations", {})
            if made is None:
                return
            self._talk, self._turns, self._unknown = made["id"], 0, 0
        kind = KINDS[self._turns % len(KINDS)]
        message = {"text": f"how many {kind}s are there?"}
        data = await self._post("conversation", f"/v1/conversations/{self._talk}/turns", message)
        if data is None:
            self._unknown += 1  # it may have been stored before the service was killed
        else:
            self._found.turns += 1
            is_next = self._turns < data["number"] <= self._turns + 1 + self._unknown
            self._turns, self._unknown = data["number"], 0
            right = is_next and data["outcomes"][-1].get("value") == self._team.kinds[kind]
            self._check(right, f"turn {self._turns}: {data}")

    async def ended(self) -> None:
        """What was answered is in the conversation, after whatever happened to the service."""
        if self._turns:
            address = f"{self._address}/v1/conversations/{self._talk}"
            async with self._session.get(address, headers=self._headers) as answered:
                turns = (await answered.json()).get("turns", [])
            last = max((one["number"] for one in turns), default=0)
            self._check(last >= self._turns, f"turn {self._turns} was answered, and the last one is {last}")

    async def _slowly(self) -> None:
        """A client that sends a few bytes at a time, and then reads an export as slowly."""

        async def sent() -> Any:
            for one in b'{"text": "find papers limit 200"}':
                yield bytes([one])
                await asyncio.sleep(0.05)

        given: Any = {"data": sent(), "headers": {**self._headers, "Content-Type": "application/json"}}
        try:
            async with self._session.post(self._address + "/v1/export.ndjson", **given) as answered:
                lines = b""
                while part := await answered.content.read(4_096):
                    lines += part
                    await asyncio.sleep(0.1)
        except aiohttp.ClientError:
            self._found.broken += 1
            return
        self._found.slow += 1
        self._found.statuses[answered.status] += 1
        if answered.status == 200:
            teams = {json.loads(line)["team"] for line in lines.splitlines()}
            self._check(teams == {self._name} and lines.count(b"\n") == 200, f"export: {len(lines)} bytes of {teams}")

    async def _leave(self) -> None:
        """A client that goes away before its answer is there."""
        try:
            async with asyncio.timeout(self._random.uniform(0.001, 0.05)):
                await self._post("left", "/v1/run", {"program": "count papers by kind"})
        except TimeoutError:
            self._found.left += 1


def resident(process: int) -> int:
    """Memory of a process in KiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


async def measured(
    service: Service, users: int, seconds: float, pause: float, kill: float, teams: list[Team]
) -> Figures:
    found, address = Figures(), service.address
    killing = time.monotonic() + kill if kill else float("inf")
    until = time.monotonic() + seconds
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(60)) as session:
        everyone = [User(n, address, session, teams[n % TEAMS], found) for n in range(users)]
        work = asyncio.gather(*(one.go_on(until, pause) for one in everyone))
        while not work.done():
            found.memory.append(resident(service.process.pid))
            await asyncio.wait({work}, timeout=5)
            if time.monotonic() > killing:
                killing = float("inf")
                await asyncio.to_thread(service.kill)
        await work
        await asyncio.gather(*(one.ended() for one in everyone))
        await asyncio.sleep(1)
        async with session.get(address + "/metrics", headers={"X-API-Key": "key0"}) as answered:
            working = re.search(r"^qlc_working (\S+)", await answered.text(), re.MULTILINE)
    assert working is not None
    if float(working[1]):
        found.wrong.append(f"{working[1]} requests are still worked on after all users left")
    return found


async def overhead(address: str, target: str | Path, catalog: Path, count: int = 500) -> tuple[float, float]:
    """Milliseconds in the median of one program after the other, by the library and over the service."""
    times: dict[str, list[float]] = {"library": [], "service": []}
    program, options = "count papers", {"context": {"team": "t0"}}
    client = qlc.connect_async(target, **({} if isinstance(target, str) else {"read_only": True}))
    compiler = qlc.Compiler(client, catalog)
    async with aiohttp.ClientSession(headers={"X-API-Key": "key0"}) as session:
        for at in range(count):
            started = time.perf_counter()
            await compiler.run_async(program, **options)  # type: ignore[arg-type]
            between = time.perf_counter()
            async with session.post(address + "/v1/run", json={"program": program}) as answered:
                await answered.read()
            if at >= count // 10:  # the first ones load what is loaded once
                times["library"].append(between - started)
                times["service"].append(time.perf_counter() - between)
    await client.close()
    return 1000 * statistics.median(times["library"]), 1000 * statistics.median(times["service"])


def report(found: Figures, seconds: float) -> None:
    total = sum(len(times) for times in found.times.values())
    print(f"{total:,} answers in {seconds:.0f} s ({total / seconds:.0f}/s); {found.left:,} connections cut by clients")
    print(f"{found.slow:,} slow clients; {found.turns:,} turns; {found.broken:,} requests lost with the service")
    print(f"statuses: {dict(found.statuses)}; wrong answers: {len(found.wrong)}")
    for kind, times in sorted(found.times.items()):
        cuts = statistics.quantiles(times, n=100) if len(times) > 1 else times * 99
        p50, p95, p99 = (1000 * cuts[at] for at in (49, 94, 98))
        print(f"  {kind:14} {len(times):8,}  p50 {p50:8.1f} ms  p95 {p95:8.1f} ms  p99 {p99:8.1f} ms")
    memory = [kib // 1024 for kib in found.memory]
    tenths = [memory[at * (len(memory) - 1) // 10] for at in range(11)]
    print(f"memory of the service in MiB, from begin to end: {', '.join(map(str, tenths))}; {max(memory)} at most")
    for one in found.wrong[:5]:
        print(f"WRONG {one[:300]}")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--users", type=int, default=200)
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--papers", type=int, default=100_000)
    options.add_argument("--pause", type=float, default=0.0, help="seconds between the requests of a user, on average")
    options.add_argument("--kill", type=float, default=0.0, help="seconds until the service is killed")
    options.add_argument("--url", default="", help="an Elasticsearch server on this machine, in place of the engine")
    given = options.parse_args()
    if given.url and not re.match(r"https?://(127\.\d+\.\d+\.\d+|localhost)(:|/|$)", given.url):
        raise SystemExit("--url must be on this machine")
    with tempfile.TemporaryDirectory() as folder:
        with qlc.connect(given.url or Path(folder) / "store") as client:
            teams = load(client, given.papers)
        with serving(Path(folder), given.url, given.users) as service:
            target = given.url or Path(folder) / "store"
            alone, served = asyncio.run(overhead(service.address, target, Path(folder) / "papers.yaml"))
            print(f"one program after the other, median: {alone:.2f} ms by the library, {served:.2f} ms over HTTP")
            found = asyncio.run(measured(service, given.users, given.seconds, given.pause, given.kill, teams))
    report(found, given.seconds)
    return 1 if found.wrong or any(status >= 400 for status in found.statuses) else 0


if __name__ == "__main__":
    sys.exit(main())
