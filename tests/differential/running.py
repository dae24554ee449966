"""Runs drawn programs on two engines and keeps count: what differs, what the server refuses, what is covered."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from qlc.grammar import SyntaxProblem
from tests.differential.comparing import differences
from tests.differential.coverage import Cell, is_answered
from tests.differential.drawing import Drawing, compiled
from tests.differential.engines import Answer, Engine, invalid_queries
from tests.differential.estimates import estimated, split, strays
from tests.differential.limits import OverdueError, where, within
from tests.differential.orders import in_one_order
from tests.differential.programs import Program
from tests.fuzz.programs import TOKEN
from tests.fuzz.running import smallest

CHUNK = 40
RESTS = (2.0, 5.0)
"""Seconds that a server is left alone whose circuit breaker counts what its collector has not freed yet."""

LIMIT = 300.0
"""Seconds for a program on one engine, more than the deadlines of its two pages. It takes some hundredths: one that is
ended so would go on for ever."""


@dataclass
class Finding:
    """A program whose answers differ, or that the server refuses. `lines` say how."""

    program: Program
    lines: list[str]
    answers: dict[str, Answer]


@dataclass
class Report:
    """Counts of a run, and its findings."""

    count: int = 0
    answered: int = 0
    searches: int = 0
    on: Counter[str] = field(default_factory=Counter)
    """Programs by the engine that they were compared on, or run on alone."""
    kinds: Counter[str] = field(default_factory=Counter)
    cells: Counter[Cell] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    slow: list[Program] = field(default_factory=list)
    """Programs that were not compared, because an engine did not answer within the deadline."""


ON_LONG_VALUES = "that the index left out (longer than"


def without_notes_on_long_values(answer: Answer) -> Answer:
    """Return an outcome without the notes on values that are too long for a keyword, which OpenSearch does not list:
    docs/opensearch.md, "What differs"."""
    if "notes" not in answer:
        return answer
    return {**answer, "notes": [note for note in answer["notes"] if ON_LONG_VALUES not in note]}


def is_slow(answer: Answer) -> bool:
    """Whether there was no time for the first or the next page."""
    return "timeout" in (answer.get("reason"), answer.get("next page", {}).get("reason"))


class Bench:
    """The embedded engine and servers with the same indices in them, which take turns."""

    def __init__(self, drawing: Drawing, embedded: Engine, servers: Sequence[Engine]) -> None:
        self.drawing = drawing
        self.embedded = embedded
        self.servers = list(servers)
        self.too_large: list[Program] = []
        """Programs that a server has too little memory for, also after it was left alone: nothing was compared."""

    def run(
        self,
        report: Report,
        seed: int,
        count: int,
        *,
        tell: Callable[[Finding], None] | None = None,
        most_findings: int = 20,
    ) -> Iterator[Report]:
        """Draw and run programs until there are `count`; the report after each chunk. A seed and a number of programs
        run so far draw the same ones again."""
        while report.count < count and len(report.findings) < most_findings:
            chunk = self.drawn(report, seed, min(CHUNK, count - report.count))
            server = self.servers[report.count // CHUNK % len(self.servers)] if self.servers else None
            engines = [self.embedded] if server is None else [self.embedded, server]
            for finding, (program, cells), answers in self._chunk(engines, chunk):
                report.on[engines[-1].name] += 1
                report.count += 1
                report.kinds[answers[0]["kind"]] += 1
                if is_answered(answers[0]):
                    report.answered += 1
                    report.cells.update(cells)
                if any(is_slow(answer) for answer in answers):
                    report.slow.append(program)
                elif finding is not None:
                    report.findings.append(finding)
                    if tell is not None:
                        tell(finding)
            report.searches += len(self.embedded.bodies)
            refused = self._validated(engines)
            if refused:
                finding = Finding(
                    chunk[0][0], ["_validate/query refuses a search of one of these programs", *refused], {}
                )
                report.findings.append(finding)
                if tell is not None:
                    tell(finding)
            yield report

    def drawn(self, report: Report, seed: int, count: int) -> list[tuple[Program, set[Cell]]]:
        """The next programs, with the cells that they are in."""
        random_ = random.Random(f"{seed}/{report.count}")
        planned = report.cells.copy()
        chunk = []
        for _ in range(count):
            program, cells = self.drawing.program(planned, random_)
            planned.update(cells)
            chunk.append((program, cells))
        return chunk

    def _chunk(
        self, engines: Sequence[Engine], chunk: Sequence[tuple[Program, set[Cell]]]
    ) -> Iterator[tuple[Finding | None, tuple[Program, set[Cell]], list[Answer]]]:
        programs = [program for program, _ in chunk]
        with ThreadPoolExecutor(len(engines)) as pool:
            answers = list(pool.map(lambda engine: [self.answer(engine, one) for one in programs], engines))
        for one, *found in zip(chunk, *answers, strict=True):
            yield self._finding(engines, one[0], found), one, found

    def answer(self, engine: Engine, program: Program) -> Answer:
        """The outcome; of a program that does not end in time a failure that says so."""
        compiler = self.drawing.compilers[program.world]
        try:
            answer = within(LIMIT, lambda: engine.run(program, compiled(compiler, program)[0]))
            for rest in RESTS:
                if answer.get("reason") != "overloaded":
                    break
                time.sleep(rest)
                answer = within(LIMIT, lambda: engine.run(program, compiled(compiler, program)[0]))
            return answer
        except OverdueError as error:
            message = f"has not ended after {LIMIT:g} s: {where(error)}"
            return {"kind": "failed", "reason": "overdue", "message": message}

    def _finding(self, engines: Sequence[Engine], program: Program, answers: list[Answer]) -> Finding | None:
        if any(answer.get("reason") == "overloaded" for answer in answers[1:]):
            self.too_large.append(program)
            return None
        lines: list[str] = []
        for engine, answer in zip(engines, answers, strict=True):
            if answer["kind"] == "failed":
                lines.append(f"{engine.name}: failed: {answer['reason']}: {answer['message']}")
        positions = estimated(program.text)
        for engine, answer in zip(engines[1:], answers[1:], strict=True):
            unlike = self._unlike(engine, program, positions, answer, answers[0])
            lines += [f"{engine.name} and embedded: {line}" for line in unlike]
        named = dict(zip([engine.name for engine in engines], answers, strict=True))
        return Finding(program, lines, named) if lines else None

    def _unlike(
        self, engine: Engine, program: Program, positions: list[int], theirs: Answer, ours: Answer
    ) -> list[str]:
        """Return one line for each part of two answers that differs, estimates apart."""

        def ordered(answer: Answer) -> Answer:
            if not engine.is_opensearch:
                return answer
            answer = without_notes_on_long_values(answer)
            entities = self.drawing.compilers[program.world].schema.entities.values()
            has_ids = all(entity.id is not None or entity.virtual for entity in entities)
            return in_one_order(program.text, answer, has_ids=has_ids, has_estimates=bool(positions))

        def rows_of(answer: Answer) -> list[str]:
            return [json.dumps(row["key"]) for row in answer.get("rows", [])]

        theirs, ours = ordered(theirs), ordered(ours)
        if engine.is_opensearch and positions and rows_of(theirs) != rows_of(ours):
            return []  # an estimate decided which rows there are
        (expected, found), (got, exact) = split(theirs, positions), split(ours, positions)
        moved = lambda text: ordered(self.exactly(program, text))  # noqa: E731
        return [
            *differences(expected, got),
            *strays(program.text, positions, exact, found, moved, outward=engine.is_opensearch),
        ]

    def exactly(self, program: Program, text: str) -> Answer:
        return self.answer(self.embedded, replace(program, text=text))

    def check(self, program: Program) -> Finding | None:
        """Run one program."""
        engines = [self.embedded, *self.servers]
        return self._finding(engines, program, [self.answer(engine, program) for engine in engines])

    def _validated(self, engines: Sequence[Engine]) -> list[str]:
        bodies = [body for engine in engines for body in engine.bodies]
        found = [f"{server.name}: {line}" for server in engines[1:] for line in invalid_queries(server.client, bodies)]
        for engine in engines:
            engine.bodies.clear()
        return found

    def smallest(self, finding: Finding) -> Finding:
        """The finding of a program with the tokens left out that are not needed to have a difference."""
        found = [finding]

        def still(text: str) -> bool:
            shorter = self._differs(finding.program, text)
            found.extend([shorter] if shorter is not None else [])
            return shorter is not None

        smallest(TOKEN.findall(finding.program.text), still)
        return found[-1]

    def _differs(self, program: Program, text: str) -> Finding | None:
        shorter = replace(program, text=text)
        try:
            if self.drawing.covered(shorter) is None:
                return None
        except SyntaxProblem:  # half a program
            return None
        return self.check(shorter)
