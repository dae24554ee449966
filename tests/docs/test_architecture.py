"""ARCHITECTURE.md stays true: folders, modules and functions that it names exist, and the layers are those checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import import_module

import grimp
import pytest

from .pages import ROOT, table, text

PAGE = "ARCHITECTURE.md"


def test_each_path_that_is_named_exists() -> None:
    paths = set(re.findall(r"`((?:qlc|qlc_engine|tests|docs)/[\w./]*)`", text(PAGE)))
    assert len(paths) > 100
    assert {path for path in paths if not (ROOT / path).exists()} == set()


@pytest.mark.parametrize("row", table(PAGE, "# Architecture"), ids=lambda row: row[0])
def test_a_stages_function_is_where_it_says(row: list[str]) -> None:
    module = import_module(row[4].strip("`").removesuffix(".py").replace("/", "."))
    for function in re.findall(r"`(\w+)`", row[3]):
        assert callable(getattr(module, function)), function


def test_the_layers_are_those_that_are_checked() -> None:
    contracts = tomllib.loads(text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    checked = [layer.replace(" | ", ", ") for layer in contracts[0]["layers"]]
    shown = [re.split(r"  ", line.strip())[0] for line in text(PAGE).splitlines() if line.startswith("    qlc.")]
    assert shown == checked


def test_no_module_imports_another_in_a_circle() -> None:
    graph = grimp.build_graph("qlc", "qlc_engine", cache_dir=None)
    imports = {name: graph.find_modules_directly_imported_by(name) & graph.modules for name in graph.modules}
    circles = [name for name in imports if _leads_back(name, imports)]
    assert circles == []


def _leads_back(start: str, imports: Mapping[str, set[str]]) -> bool:
    seen: set[str] = set()
    left = list(imports[start])
    while left:
        name = left.pop()
        if name == start:
            return True
        if name not in seen:
            seen.add(name)
            left += imports[name]
    return False


def test_the_links_at_the_root_are_the_folders() -> None:
    for name in ("grammar", "mapping", "compiler", "planner", "resolver"):
        assert f"`{name}`" in text(PAGE)
        assert (ROOT / name).resolve() == ROOT / "qlc" / name


def test_names_in_code_exist() -> None:
    from qlc.compiler import codegen, environment, request
    from qlc.compiler.context import Context
    from qlc.planner.plan import Rounds, Step
    from qlc.resolver import early_exits, steps

    named = {
        "emit": codegen.emit, "Bindings": environment.Bindings, "CannotAnswer": request.CannotAnswer,
        "Context": Context, "Step": Step, "Ask": early_exits.Ask, "Missing": early_exits.Missing, "Rounds": Rounds,
        "Run": steps.Run,
    }  # fmt: skip
    page = text(PAGE)
    assert [name for name in named if f"`{name}`" not in page] == []
