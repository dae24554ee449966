"""ARCHITECTURE.md stays true: folders, modules and functions that it names exist, and the layers are those checked."""

import re
import tomllib
from collections.abc import Mapping
from importlib import import_module

import grimp
import pytest

from qlc.base.old_paths import GO_IN, OLD_PATHS

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


def rooms(graph: grimp.ImportGraph) -> dict[str, set[str]]:
    """The folders of qlc, each with those that its modules import; the package itself and old paths are none."""
    folders = {path.name for path in (ROOT / "qlc").iterdir() if (path / "__init__.py").exists()}
    room = {name: name.split(".")[1] for name in graph.modules if name.count(".") and name.split(".")[1] in folders}
    found: dict[str, set[str]] = {one: set() for one in folders}
    for name, own in room.items():
        found[own] |= {room.get(other, other) for other in graph.find_modules_directly_imported_by(name)
                       if other.partition(".")[0] == "qlc" and room.get(other) != own}  # fmt: skip
    return found


def test_no_room_imports_another_in_a_circle() -> None:
    found = rooms(grimp.build_graph("qlc", cache_dir=None))
    assert len(found) <= 24
    assert sum(map(len, found.values())) <= 170
    assert [name for name in found if _leads_back(name, found)] == []
    assert set().union(*found.values()) <= found.keys(), "a room imports `qlc` itself, or by an old path"


BY_NAME = {"qlc/base/lazy.py", "qlc/mapping/documents.py"}
"""Files that import modules by a name in a text: those of extras, and the module that a user names."""


def test_no_module_is_imported_by_its_name() -> None:
    call = re.compile(r"\b(?:import_module|__import__)\(")
    files = [file for file in (ROOT / "qlc").rglob("*.py") if call.search(file.read_text("utf-8"))]
    assert {str(file.relative_to(ROOT)) for file in files} == BY_NAME


def test_old_paths_have_what_the_new_ones_have() -> None:
    page = text("docs/api.md")
    files = {str(file.relative_to(ROOT)) for file in (ROOT / "qlc").glob("*.py")}
    for old, new in OLD_PATHS.items():
        assert f"| `{old}` | `{new}` |" in page
        file = f"{old.replace('.', '/')}.py"
        assert len((ROOT / file).read_text("utf-8").splitlines()) <= 2, old
        assert _public(old) >= _public(new), old
        files -= {file}
    assert f"until version {GO_IN}" in page
    assert files == {"qlc/__init__.py", "qlc/__main__.py"}


def _public(module: str) -> set[str]:
    """Return the public names of a module: those defined in qlc, and those of its `__all__`."""
    found = import_module(module)
    own = {name for name, one in vars(found).items() if getattr(one, "__module__", "").startswith("qlc.")}
    return {name for name in (*own, *getattr(found, "__all__", ())) if not name.startswith("_")}


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
