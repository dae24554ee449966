"""Reads the pasted texts in cases/NAME.request and compares the results with cases/NAME.txt."""

from __future__ import annotations

import json
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from qlc import Compiler
from qlc.base.options import moment, zone_of
from qlc.compiler.periods import Clock
from qlc.outcome import Explain, RejectedQuery
from qlc.pasted.checking import check
from qlc.pasted.queries import QUERIES
from qlc.pasted.recognise import Pasted, recognise
from qlc.pasted.translate import Translation, translate
from tests.pairs import Case, check_beside, pairs, read_cases, report
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
    (told,) = run(store, case.source, want="explain")
    lines += told.message.splitlines()
    if isinstance(told, Explain):
        lines += [f"note: {note}" for note in told.notes]
    said = translated(store, found, case.options.get("zone", "UTC"))
    if said is not None:
        lines += [f"= {said.program}"] if said.program else []
        lines += [f"differs: {one}" for one in said.differences]
    return "\n".join(lines)


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
    geo = {"geo_distance", "geo_bounding_box"}  # the sample store has no places
    texts = [case.source for case in read_cases(CASES / "explained.request") if case.title == "A query in words"]
    assert {next(iter(json.loads(text)["query"])) for text in texts} | geo == set(QUERIES)
