"""The reference that models read: its examples are programs, and they check on the catalog that they speak of."""

from __future__ import annotations

import re

import pytest

from qlc import Compiler, catalogs
from qlc.mapping.index_mapping import load_mapping
from qlc.translator.model.prompt import reference

NOW = "2026-03-15T12:00:00Z"


def programs() -> list[str]:
    """Each line of a `qlc` block is a program; one that begins with `let` goes on to the end of its block."""
    found: list[str] = []
    for block in re.findall(r"^```qlc\n(.*?)^```", reference(), re.DOTALL | re.MULTILINE):
        lines = [re.sub(r"\s+-- .*", "", line) for line in block.splitlines() if line.strip()]
        found += ["\n".join(lines)] if lines[0].startswith("let ") else lines
    return found


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return Compiler(None, catalogs.path("drive"), mapping=load_mapping(catalogs.mapping_path("drive"), "entities-v4"))


def test_reference_has_examples() -> None:
    assert len(programs()) > 50


@pytest.mark.parametrize("program", programs())
def test_examples_check(program: str, compiler: Compiler) -> None:
    found = compiler.diagnose(program, now=NOW)
    assert found.diagnostics == (), program
