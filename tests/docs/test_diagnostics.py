"""docs/diagnostics.md: every code that exists is there, and every example has the code that it stands for."""

import ast
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import qlc
from qlc import Compiler
from qlc.compiler.check import CHECKS, check
from qlc.compiler.conditions import check_condition
from qlc.compiler.context import Context, Refused
from qlc.compiler.sources import _no_brackets
from qlc.grammar import tree
from qlc.outcome import Invalid, Unsupported

from .syntax_table import HEADING, PAGE, table
from .wrong import CODES

NOW = "2026-03-15T12:00:00Z"
TEXT = PAGE.read_text("utf-8")
CHECKED, _, RUNNING = TEXT.partition(HEADING)[0].partition("## While running")
SOURCE = Path(qlc.__file__).parent
TREES = ("needs-group",)
MANY = ("too-many-errors", "no-embedder", "no-search", "no-vector")
"""Codes without an example of one line."""


class Program(NamedTuple):
    world: str
    source: str
    options: dict[str, Any]


class Row(NamedTuple):
    code: str
    wrong: Program
    fixed: Program


def rows(text: str) -> list[Row]:
    found = []
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) == 6 and (code := re.fullmatch(r" `([a-z-]+)` ", cells[1])):
            world, _, wrong = cells[3].strip().rpartition(": `")
            found.append(Row(code[1], program(world, f"`{wrong.removeprefix('`')}"), program(world, cells[4].strip())))
    return found


def program(world: str, cell: str) -> Program:
    source, _, options = cell.partition("` with `")
    text = re.sub(r"«([\d,]+) letters»", lambda match: "é" * int(match[1].replace(",", "")), source.strip("`"))
    return Program(world, text, json.loads(options.strip("`")) if options else {})


def codes_of(worlds: Mapping[str, Compiler], given: Program) -> list[str]:
    """The codes of a program that is checked and not run."""
    compiler = worlds[given.world]
    params = given.options.get("params", {})
    return [found.code for found in compiler.diagnose(given.source, now=NOW, params=params).diagnostics]


def codes_of_run(worlds: Mapping[str, Compiler], given: Program) -> list[str]:
    outcome = worlds[given.world].run(given.source, **{"now": NOW, **given.options})
    if isinstance(outcome, Unsupported):
        return [outcome.what]
    assert outcome.kind != "failed", outcome
    return [note.code for note in outcome.diagnostics]


@pytest.mark.parametrize("row", rows(CHECKED), ids=lambda row: row.code)
def test_a_wrong_program_has_exactly_this_finding_and_the_fixed_one_none(
    worlds: Mapping[str, Compiler], row: Row
) -> None:
    assert codes_of(worlds, row.wrong) == [row.code]
    assert codes_of(worlds, row.fixed) == []


@pytest.mark.parametrize("row", rows(RUNNING), ids=lambda row: row.code)
def test_a_run_ends_with_exactly_this_code_and_the_fixed_one_does_not(worlds: Mapping[str, Compiler], row: Row) -> None:
    assert codes_of_run(worlds, row.wrong) == [row.code]
    assert codes_of_run(worlds, row.fixed) == []


def test_a_run_reports_what_a_check_reports(worlds: Mapping[str, Compiler]) -> None:
    for row in rows(CHECKED):
        if row.wrong.world == "" and row.code not in ("unused-binding", "always-true"):
            outcome = worlds[""].run(row.wrong.source, now=NOW)
            assert isinstance(outcome, Invalid)
            assert [note.code for note in outcome.diagnostics] == [row.code]


# --- syntax ----------------------------------------------------------------------------------------------------------


def test_the_table_of_syntax_errors_is_current() -> None:
    assert TEXT.partition(HEADING)[2] == table().partition(HEADING)[2], "run: python -m tests.docs.syntax_table"


# --- trees -----------------------------------------------------------------------------------------------------------


def test_a_tree_with_clauses_that_need_groups_is_refused(store: Compiler) -> None:
    count = tree.Aggregate((tree.Measure("count"),), tree.Name("documents"), limit=5)
    checked = check(tree.Program((), count), store.schema)
    assert [found.code for found in checked.diagnostics] == ["needs-group"]


def test_a_tree_with_brackets_after_a_value_is_refused(store: Compiler) -> None:
    from qlc.compiler.context import Scope

    entity = store.schema.entity("document")
    signed = tree.Bare(tree.Path((tree.Segment(tree.Name("signed")),)))
    with pytest.raises(Refused) as refused:
        _no_brackets(Context(store.schema, CHECKS), signed, Scope(entity))
    assert refused.value.code == "brackets-not-here"
    context = Context(store.schema, CHECKS)
    check_condition(context, signed, Scope(entity))
    assert context.diagnostics == []


# --- the index is complete -------------------------------------------------------------------------------------------

MAKERS = {"Refused", "Diagnostic", "BindingError", "CannotAnswer", "OptionError", "warn", "problem", "refuse",
          "Rule", "_reported"}  # fmt: skip
"""Functions and classes whose first argument is a code."""


@cache
def codes_in_source() -> set[str]:
    found: set[str] = set()
    for file in SOURCE.rglob("*.py"):
        if {"engine", "service"} & {*file.parts} or file.name == "_tables.py":
            continue  # those of the HTTP service are in docs/http.md
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and called(node) in MAKERS and node.args:
                found |= texts(node.args[0])
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
                found |= texts(node.value)
    coded = {code for code in found if re.fullmatch(r"[a-z]+(-[a-z]+)*", code)}
    return {code for code in coded if not code.startswith(("catalog-", "corpus-"))}  # of files, on pages of their own


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def texts(node: ast.expr) -> set[str]:
    """The texts that an expression can be."""
    if isinstance(node, ast.IfExp):
        return texts(node.body) | texts(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def test_every_code_is_in_the_index() -> None:
    listed = {row.code for row in (*rows(CHECKED), *rows(RUNNING))} | set(CODES) | set(TREES) | set(MANY)
    assert codes_in_source() - listed == set()


def test_every_code_in_the_index_exists() -> None:
    exists = codes_in_source() | set(CODES)
    assert {row.code for row in (*rows(CHECKED), *rows(RUNNING))} - exists == set()
    for code in (*TREES, *MANY):
        assert f"| `{code}` |" in TEXT
        assert code in exists


def test_no_code_is_explained_twice_in_one_part() -> None:
    for part in (CHECKED, RUNNING):
        listed = [row.code for row in rows(part)]
        assert len(listed) == len(set(listed))
