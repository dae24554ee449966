"""The wheel holds everything, and works from anywhere."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

import qlc
from qlc_search import DISTRIBUTION
from tests.tables import table

ROOT = Path(__file__).parents[2]
LINKS = ("compiler", "grammar", "mapping", "planner", "resolver")
PACKAGES = ("qlc", "qlc_engine")
MODULE = "qlc_search.py"
METADATA = f"{DISTRIBUTION.replace('-', '_')}-{qlc.__version__}.dist-info"
DATA = (".lark", ".yaml", ".json", ".gz", ".md", ".txt", ".typed", ".html", ".css", ".js", ".svg")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """Built from a copy, so that no build folder stands beside the sources."""
    if int(version("setuptools").partition(".")[0]) < 77:
        pytest.skip("setuptools 77 or newer is needed: pip install --group dev")
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE", MODULE, *PACKAGES):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--wheel-dir", str(made), str(source)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (file,) = made.glob("*.whl")
    with zipfile.ZipFile(file) as opened:
        yield opened


def files() -> list[Path]:
    found = (path for name in PACKAGES for path in (ROOT / name).rglob("*"))
    return [path for path in found if path.is_file() and "__pycache__" not in path.parts]


def test_it_holds_every_module_and_data_file(wheel: zipfile.ZipFile) -> None:
    expected = {path.relative_to(ROOT).as_posix() for path in files() if path.name.endswith((".py", *DATA))}
    held = {name for name in wheel.namelist() if not name.startswith((METADATA, MODULE))}
    assert expected - held == set()
    assert held - expected == set()
    for suffix in (".lark", "py.typed", "documents.ndjson.gz", "drive.yaml", "mapping.json"):
        assert any(name.endswith(suffix) for name in held), suffix
    assert any(name.endswith(".json") and "schema" in name for name in held)


def test_it_holds_nothing_else(wheel: zipfile.ZipFile) -> None:
    assert {name.split("/")[0] for name in wheel.namelist()} == {*PACKAGES, MODULE, METADATA}


def test_every_file_of_the_package_is_of_a_kind_that_is_packed() -> None:
    """A data file of a new kind would be left out in silence."""
    assert {path.name for path in files() if not path.name.endswith((".py", *DATA))} == set()


def test_it_names_its_command_and_its_version(wheel: zipfile.ZipFile) -> None:
    assert "qlc = qlc_search:entry" in wheel.read(f"{METADATA}/entry_points.txt").decode()
    assert f"Name: {DISTRIBUTION}\nVersion: {qlc.__version__}\n" in wheel.read(f"{METADATA}/METADATA").decode()


def test_it_answers_from_where_it_was_unpacked(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    """Catalog, sample data, grammar and engine come out of the wheel, not from beside the tests."""
    wheel.extractall(tmp_path / "site")
    program = (
        "import sys; sys.path.insert(0, 'site')\n"
        "import qlc, qlc_engine, qlc_search\n"
        "assert all('site' in one.__file__ for one in (qlc, qlc_engine, qlc_search))\n"
        "from qlc.cli.main import main\n"
        "sys.exit(main(['run', '--demo', 'count folders where name = \"Recipes\"']))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "QLC_DEMO": str(tmp_path / "store"), "PYTHONPATH": ""},
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, "1 folder.\n"), ended.stderr


@pytest.mark.parametrize("name", qlc.__all__)
def test_what_is_named_can_be_imported(name: str) -> None:
    assert getattr(qlc, name).__doc__


def test_what_is_not_there_is_no_attribute() -> None:
    assert not hasattr(qlc, "nothing")


@pytest.mark.parametrize("name", LINKS)
def test_the_links_beside_the_package_lead_into_it(name: str) -> None:
    link = ROOT / name
    assert link.is_symlink()
    assert link.resolve() == ROOT / "qlc" / name
    assert (link / "__init__.py").is_file()


IMPORTED_ALONE = table(__file__, "IMPORTED_ALONE")


def test_no_module_needs_another_to_be_imported_first() -> None:
    """Each module of the public surface alone, in a process of its own."""
    modules = ["qlc.outcome", "qlc.pipeline.compiler", "qlc.store.clients", "qlc.base.errors", "qlc.cli.main",
               "qlc.resolver.run", "qlc.planner.plan", "qlc.compiler.check", "qlc.mapping.build", "qlc_engine",
               "qlc.pipeline.present"]  # fmt: skip
    command = [sys.executable, "-W", "error", "-c", IMPORTED_ALONE, *modules]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
