"""Programs and their canonical text, their errors, and completions at a cursor, in pairs of files."""

import dataclasses
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from qlc.base.diagnostics import render
from qlc.grammar import SyntaxProblem, complete, parse, print_program
from tests.pairs import Case, check_beside, pairs, report

CASES = Path(__file__).parent / "cases"


@pairs(CASES)
def test_programs_are_printed_as_what_is_written_beside_them(path: Path, snapshot: SnapshotAssertion) -> None:
    check_beside(path, report(path, printed), snapshot)


def printed(case: Case) -> str:
    try:
        program = parse(case.source)
    except SyntaxProblem as problem:
        found = problem.diagnostic
        return render(found, case.source) + (f"\nfixed: {found.fixed}" if found.fixed else "")
    text = print_program(program)
    assert parse(text) == program
    return "as written" if text == case.source else text


@pairs(CASES.with_name("cursors"), "cursor")
def test_completions_at_a_cursor_are_written_beside_it(path: Path, snapshot: SnapshotAssertion) -> None:
    check_beside(path, report(path, completed), snapshot)


def completed(case: Case) -> str:
    """`|` is the cursor."""
    found = complete(case.source.replace("|", "", 1), case.source.index("|"))
    parts = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)}
    around = parts.pop("around")
    parts |= {field.name: getattr(around, field.name) for field in dataclasses.fields(around)}
    parts["kinds"] = sorted(found.kinds)
    return "\n".join(
        f"{name}: {', '.join(map(str, part)) if isinstance(part, tuple | list) else part}"
        for name, part in parts.items()
        if part not in (None, "", (), [])
    )
