"""Differential runs by hand: `soak` for as long as wanted, `table` for what is covered, `record` and `run`."""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from qlc.store.clients import connect
from tests.differential import found
from tests.differential.coverage import ENOUGH, Cell, lacking, table
from tests.differential.drawing import Drawing
from tests.differential.engines import Engine
from tests.differential.running import Bench, Finding, Report
from tests.servers import ElasticsearchServer
from tests.servers.build import MINIMUM_JAVA, Kind, kind, named

FILLED = 20_000
"""A soak of so many programs fails where a cell of the coverage table has less than `ENOUGH` of them."""


def main(arguments: list[str]) -> int:
    """Run one command and give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    soak = commands.add_parser("soak", help="many programs on both engines; goes on where it was interrupted")
    soak.add_argument("--count", type=int, default=100_000)
    soak.add_argument("--seed", type=int, help="a new one by default")
    soak.add_argument("--state", type=Path, default=Path(".cache/soak.json"), help="where it is kept how far it came")
    shown = commands.add_parser("table", help="print the coverage table of a run on the embedded engine")
    shown.add_argument("--count", type=int, default=4_000)
    shown.add_argument("--seed", type=int, default=1)
    commands.add_parser("record", help="write what the server answers to the programs of found.yaml")
    run = commands.add_parser("run", help="one program on both engines, and what differs")
    run.add_argument("world")
    run.add_argument("program")
    run.add_argument("--timezone", default="UTC")
    for command in (soak, run):
        command.add_argument("--major", type=kind, choices=list(MINIMUM_JAVA), default=8)
        command.add_argument(
            "--url", help="a server that runs, instead of one of ours; indices differential-* are replaced"
        )
    options = parser.parse_args(arguments)
    commands_by_name = {"soak": _soak, "table": _table, "record": _record, "run": _run}
    return commands_by_name[options.command](options)


@contextmanager
def benches(major: Kind | None, url: str | None = None) -> Iterator[Bench]:
    """The embedded engine, and a server unless `major` is None, with everything loaded."""
    drawing = Drawing(scripts=major is not None and named(major).startswith("OpenSearch"))
    embedded = Engine("embedded", connect(), drawing.compilers)
    embedded.load()
    with ExitStack() as stack:
        servers = []
        if major is not None:
            address = url or stack.enter_context(ElasticsearchServer(major)).url
            client = stack.enter_context(connect(address, request_timeout=120))
            servers.append(Engine(named(major), client, drawing.compilers))
            servers[0].load()
            stack.callback(servers[0].unload)
        yield Bench(drawing, embedded, servers)


def _soak(options: argparse.Namespace) -> int:
    state = _state(options.state)
    if options.seed is not None or not state or state["count"] >= options.count:
        state = {"seed": options.seed or time.time_ns() % 10**9, "count": 0, "cells": [], "findings": 0}
    report = Report(count=state["count"])
    report.cells.update({Cell(*cell): times for *cell, times in state["cells"]})
    print(f"seed {state['seed']}, from program {report.count:,}", flush=True)
    before = state["findings"]
    with benches(options.major, options.url) as bench:

        def tell(finding: Finding) -> None:
            small = bench.smallest(finding) if finding.answers else finding
            print("\n".join(["DIFFERENCE", found.as_case(small.program), *small.lines[:10]]))
            for name, answer in small.answers.items():
                print(f"{name}: {json.dumps(answer, ensure_ascii=False)[:3000]}", flush=True)

        for _ in bench.run(report, state["seed"], options.count, tell=tell, most_findings=sys.maxsize):
            state |= {"count": report.count, "findings": before + len(report.findings)}
            state["cells"] = [[*cell, times] for cell, times in sorted(report.cells.items())]
            _keep(options.state, state)
            if report.count % 1000 < 40:
                print(f"{report.count:,} programs, {state['findings']} differences", flush=True)
        print("\n".join(table(report.cells, bench.drawing.possible)))
        missing = lacking(report.cells, bench.drawing.possible)
    print(f"{report.count:,} programs on the embedded engine and {named(options.major)}: "
          f"{state['findings']} differences; seed {state['seed']}")  # fmt: skip
    print(f"{len(missing):,} of the cells that can occur have less than {ENOUGH} programs with an answer")
    return int(state["findings"] > 0 or bool(missing and report.count >= FILLED))


def _state(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def _keep(path: Path, state: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".new")  # a run that is cut off in the midst of writing goes on from the state before
    aside.write_text(json.dumps(state), encoding="utf-8")
    aside.replace(path)


def _table(options: argparse.Namespace) -> int:
    with benches(None) as bench:
        report = Report()
        for _ in bench.run(report, options.seed, options.count):
            pass
        print("\n".join(table(report.cells, bench.drawing.possible)))
        missing = lacking(report.cells, bench.drawing.possible)
    print(f"{report.count:,} programs, {report.answered:,} with an answer; {len(missing)} cells have too few")
    return int(bool(missing))


def _record(options: argparse.Namespace) -> int:
    with benches(8) as bench:
        (server,) = bench.servers
        found.record({about: bench.answer(server, program) for about, program in found.programs().items()})
    return 0


def _run(options: argparse.Namespace) -> int:
    from tests.differential.programs import Program

    with benches(options.major, options.url) as bench:
        now = bench.drawing.worlds[options.world].now
        finding = bench.check(Program(options.world, options.program, options.timezone, now))
    print("\n".join(finding.lines) if finding is not None else "alike")
    return int(finding is not None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
