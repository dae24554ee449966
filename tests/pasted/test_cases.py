"""Reads the pasted texts in cases/NAME.request and compares the results with cases/NAME.txt."""

import json
from pathlib import Path
from typing import Any

from syrupy.assertion import SnapshotAssertion

from qlc import Compiler
from qlc.base.options import moment, zone_of
from qlc.compiler.periods import Clock
from qlc.outcome import AggregateOut, Count, Explain, Failed, Hits, Outcome, RejectedQuery, ValueOut
from qlc.pasted.checking import check
from qlc.pasted.queries import QUERIES
from qlc.pasted.recognise import Pasted, recognise
from qlc.pasted.translate import Translation, translate
from tests.pairs import Case, check_beside, pairs, read_cases, readable, report
from tests.pasted.conftest import NOW, run

CASES = Path(__file__).parent / "cases"


@pairs(CASES, "request")
def test_texts_are_read_as_what_is_written_beside_them(
    store: Compiler, path: Path, snapshot: SnapshotAssertion
) -> None:
    check_beside(path, report(path, lambda case: understood(store, case)), snapshot)


def understood(store: Compiler, case: Case) -> str:
    found = recognise(case.source)
    if found is None:
        return "no request"
    lines = [f"{found.want} {found.method} {found.path}".rstrip()]
    if found.words:
        lines.append(f"words: {found.words}")
    if found.body is not None and found.body.text not in case.source:
        lines.append(f"body: {found.body.text}")
    if case.options.get("only") == "read":
        return "\n".join(lines)
    for outcome in run(store, case.source, timezone=case.options.get("zone", "UTC")):
        for one in outcome.diagnostics if isinstance(outcome, RejectedQuery) else ():
            place = f" at {case.source[slice(*one.span)]}" if one.span else ""
            lines.append(f"{one.code}{place}: {one.message}")
            lines += [f"fixed: {one.fixed}"] if one.fixed else []
    (said,) = run(store, case.source, want="explain")
    lines += said.message.splitlines()
    if isinstance(said, Explain):
        lines += [f"note: {note}" for note in said.notes]
    program = translated(store, found, case.options.get("zone", "UTC"))
    if program is not None:
        lines += [f"= {program.program}"] if program.program else []
        lines += [f"differs: {one}" for one in program.differences]
    return "\n".join(lines)


@pairs(CASES.with_name("outcomes"), "request")
def test_requests_are_answered_as_written_beside_them(store: Compiler, path: Path, snapshot: SnapshotAssertion) -> None:
    def answered(case: Case) -> str:
        options = {"size": case.options["size"]} if "size" in case.options else {}
        return "\n".join(line for one in run(store, case.source, **options) for line in told(one, case))

    check_beside(path, report(path, answered), snapshot)


def told(found: Outcome, case: Case) -> list[str]:
    """An outcome in lines: names and values of hits where the case asks for them, of many rows the first."""
    lines = [f"{found.kind}: {found.message}"]
    match found:
        case Hits():
            lines = [f"{found.total} hits, {len(found.ids)} shown{', and more' * found.has_more}"]
            lines += [f"{one.name}" for one in found.hits if "names" in case.options]
            lines += [readable(rounded(one.values)) for one in found.hits if "values" in case.options]
        case Count() | ValueOut():
            lines = [f"{found.kind} {readable(rounded(found.value))}"]
        case AggregateOut():
            lines = [f"{len(found.rows)} rows of {', '.join(found.measures)} by {', '.join(found.groups)}"]
            lines += [readable([row.key, rounded(row.value)]) for row in found.rows[:12]]
        case Failed():
            lines = [f"failed: {found.reason}"]
        case RejectedQuery():
            lines = [f"rejected: {', '.join(sorted({one.code for one in found.diagnostics}))}"]
    lines += [f"= {found.query}"] if found.query else []
    return [*lines, *(f"note: {note}" for note in found.notes)]


def rounded(value: Any) -> Any:
    """Servers add floats in another order."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return float(f"{value:.9g}") if isinstance(value, float) else value


def pasted(text: str) -> Pasted:
    found = recognise(text)
    assert found is not None
    return found


def translated(compiler: Compiler, request: Pasted, zone: str = "UTC") -> Translation | None:
    """The program for a request, where nothing is wrong with it."""
    clock = Clock(moment(NOW), zone_of(zone), compiler.schema.week_start)
    checked = check(request, compiler.schema, clock, frozenset(), 10)
    return None if checked.problems else translate(checked, compiler.schema, clock)


def test_every_kind_of_query_is_explained() -> None:
    apart = {"geo_distance", "geo_bounding_box", "geo_shape", "script"}  # no places in the store; test_scripts
    texts = [case.source for case in read_cases(CASES / "explained.request") if case.title == "A query in words"]
    assert {next(iter(json.loads(text)["query"])) for text in texts} | apart == set(QUERIES)
