"""Laws of every program: a typed outcome in time, no failure, a canonical text with the same meaning."""

from __future__ import annotations

import gzip
import json
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from elasticsearch import Elasticsearch, helpers

from qlc import catalogs
from qlc.grammar import SyntaxProblem, format_source, parse, print_program
from qlc.outcome import OUTCOME, Failed
from qlc.pipeline.compiler import Compiler
from qlc.store.clients import connect
from tests.fuzz.programs import TOKEN, Programs
from tests.fuzz.running import ERRORS, place, remembered, smallest

NOW = "2026-03-15T12:00:00Z"
ENTITIES = 400
TIME_LIMIT = 20.0
"""Seconds of processor time for one program: what else the machine does is not counted."""

FIRST_LINE = 300


class TooLong(BaseException):
    """The time limit of a program has passed. No Exception: nothing inside may catch it."""


class Broken(Exception):
    """Something that must hold does not. `args[0]` says what, the same for programs with the same defect."""


@dataclass
class Report:
    count: int = 0
    compiled: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    found: dict[str, str] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "")
    """Seconds of processor time, of all that is asked of the program: other work on the machine does not count."""

    def add(self, other: Report) -> None:
        """Take over what another process reports."""
        self.count += other.count
        self.compiled += other.compiled
        self.kinds += other.kinds
        self.found = {**other.found, **self.found}
        self.slowest = max(self.slowest, other.slowest)

    def lines(self) -> Iterator[str]:
        yield f"{self.count:,} programs, {self.compiled:,} compile: {dict(self.kinds.most_common())}"
        yield f"slowest: {self.slowest[0]:.2f} s: {self.slowest[1][:FIRST_LINE]!r}"
        yield f"{len(self.found)} different findings"


def seeds() -> list[str]:
    from tests.reference.case import CASES

    return [case.program for case in CASES if case.data == "drive" and case.program.strip()]


def small_store(entities: int = ENTITIES, client: Elasticsearch | None = None) -> Compiler:
    """Some of the sample store's entities, all folders among them: lookups find, and searches are quick."""
    client = client or connect()
    body = json.loads(catalogs.mapping_path("drive").read_text(encoding="utf-8"))
    client.indices.create(index="entities-v4", mappings=body["mappings"], settings=body.get("settings"))
    with gzip.open(catalogs.documents_path("drive"), "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    folders = [one for one in documents if one["entityType"] == "FOLDER"]
    some = [*folders, *documents[:: max(1, len(documents) // entities)]]
    chosen = {one["systemAttributes"]["id"]: one for one in some}
    actions = ({"_index": "entities-v4", "_id": key, "_source": one} for key, one in chosen.items())
    helpers.bulk(client, actions, refresh=True)
    return Compiler(client, catalogs.path("drive"))


class Target:
    """Tries programs. Without `runs` they are only compiled, which is some hundred times quicker."""

    def __init__(self, compiler: Compiler, *, runs: bool = True) -> None:
        self.compiler = compiler
        self.runs = runs

    def check(self, program: str, random_: random.Random) -> str:
        """The kind of the outcome. Raises Broken."""
        return self.run(program, random_) if self.runs else self.compile(program)

    def compile(self, program: str) -> str:
        """`compiled` or `invalid`. Raises Broken."""
        found = self.guarded("diagnose", lambda: self.compiler.diagnose(program, now=NOW))
        for diagnostic in found.diagnostics:
            if not diagnostic.hint:
                raise Broken(f"no way out: {diagnostic.code}: {diagnostic.message}")
        if found.text:
            self.canonical(program, found.text, "invalid" if found.failed else "compiled")
        self.formatted(program)
        return "invalid" if found.failed else "compiled"

    def run(self, program: str, random_: random.Random) -> str:
        outcome = self.guarded("run", lambda: self.compiler.run(program, now=NOW, size=5))
        if isinstance(outcome, Failed):
            raise Broken(f"failed: {outcome.reason}: {ERRORS.text}")
        self.guarded("json", lambda: OUTCOME.validate_json(outcome.model_dump_json()))
        found = self.guarded("diagnose", lambda: self.compiler.diagnose(program, now=NOW))
        if found.failed and outcome.kind != "invalid":
            raise Broken(f"the check finds errors, and the run ends as {outcome.kind}")
        if outcome.kind == "invalid" and not any(note.severity == "error" for note in outcome.diagnostics):
            raise Broken("invalid without an error")
        for note in outcome.diagnostics:
            if note.span is not None and not 0 <= note.span[0] <= note.span[1] <= len(program):
                raise Broken(f"a span outside of the program: {note.code}")
            if not note.hint:
                raise Broken(f"no way out: {note.code}: {note.message}")
            if note.fixed is not None and self.compiler.diagnose(note.fixed, now=NOW).failed:
                raise Broken(f"what is mended has errors: {note.code}")
        if outcome.query:
            self.canonical(program, outcome.query, outcome.kind)
        self.formatted(program)
        if random_.random() < 0.2:
            cursor = random_.randint(0, len(program))
            self.guarded("complete", lambda: self.compiler.complete(program, cursor))
        return str(outcome.kind)

    def canonical(self, program: str, text: str, kind: str) -> None:
        """The canonical text parses to the tree that it was printed from, and is checked with the same result."""
        try:
            again = self.guarded("parse the canonical text", lambda: print_program(parse(text)))
        except SyntaxProblem as problem:
            raise Broken(f"the canonical text does not parse: {problem.diagnostic.code}") from None
        if again != text:
            raise Broken("the canonical text is not printed as it stands")
        if self.compiler.diagnose(text, now=NOW).failed and kind != "invalid":
            raise Broken("the canonical text has errors, and the program has none")

    def formatted(self, program: str) -> None:
        try:
            once = self.guarded("format", lambda: format_source(program))
        except SyntaxProblem:
            return
        twice = self.guarded("format twice", lambda: format_source(once))
        if once != twice:
            raise Broken("formatting twice changes the text")

    def guarded(self, what: str, do: Callable[[], Any]) -> Any:
        try:
            return do()
        except (Broken, SyntaxProblem, TooLong):
            raise
        except BaseException as problem:
            raise Broken(f"{what} raises {type(problem).__name__}: {place(problem)}") from problem


def fuzz(target: Target, count: int, seed: int, *, tell: Callable[[str], None] | None = None) -> Report:
    """Try programs. What is found is made small, and told at once."""
    report = Report()
    random_ = random.Random(seed)
    programs = Programs(seeds(), random_)
    with remembered():
        for _ in range(count):
            program = programs.draw()
            started = time.process_time()
            what = _broken(target, program, report, random_.randrange(2**32))
            report.slowest = max(report.slowest, (time.process_time() - started, program))
            report.count += 1
            if what is not None and what not in report.found:
                report.found[what] = minimal(target, program, what)
                if tell is not None:
                    tell(f"FOUND {what}\n  {report.found[what][:2000]!r}")
    return report


def part(count: int, seed: int, entities: int, runs: bool) -> Report:
    """Do the part of a long run that belongs to one process."""
    return fuzz(Target(small_store(entities), runs=runs), count, seed, tell=partial(print, flush=True))


def _broken(target: Target, program: str, report: Report | None, seed: int) -> str | None:
    """Return the law that a program breaks, or None."""
    try:
        with _time_limit(TIME_LIMIT):
            kind = target.check(program, random.Random(seed))
    except Broken as broken:
        return str(broken)
    except TooLong:
        return "takes too long"
    if report is not None:
        report.kinds[kind] += 1
        report.compiled += kind != "invalid"
    return None


def minimal(target: Target, program: str, what: str) -> str:
    """The program with the tokens left out that are not needed to find the same, as far as there is time for it."""
    until = time.process_time() + TIME_LIMIT
    return smallest(TOKEN.findall(program), lambda shorter: (
        time.process_time() < until and _broken(target, shorter, None, 0) == what))  # fmt: skip


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
