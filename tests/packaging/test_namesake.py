"""Another project owns the name `qlc` on the package index: its package in the place of ours is reported."""

import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import qlc
from qlc_search import DISTRIBUTION, install, requirement

ROOT = Path(__file__).parents[2]
REPAIR = f"pip uninstall --yes qlc {DISTRIBUTION} && pip install {DISTRIBUTION}"
FOREIGN = "raise SystemExit('foreign code ran')\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with our package, as pip would put it there."""
    folder = tmp_path / "site"
    shutil.copytree(ROOT / "qlc", folder / "qlc", ignore=shutil.ignore_patterns("__pycache__", "*.gz"))
    (folder / "qlc_search.py").write_bytes((ROOT / "qlc_search.py").read_bytes())
    return folder


def ran(folder: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


COMMAND = "sys.argv = ['qlc', '--version']; from qlc_search import entry; entry()"


def test_the_name_in_messages_is_the_one_that_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == DISTRIBUTION == qlc.__distribution__
    assert version(DISTRIBUTION) == project["version"] == qlc.__version__
    assert install("serve", "corpus") == f'pip install "{DISTRIBUTION}[serve,corpus]"'
    assert requirement() == DISTRIBUTION


@pytest.mark.parametrize("code", ["import qlc", COMMAND])
def test_nothing_is_reported_without_a_namesake(site: Path, code: str) -> None:
    (site / f"{DISTRIBUTION.replace('-', '_')}-{qlc.__version__}.dist-info").mkdir()
    (site / "qlc_midi_mapper-1.0.0.dist-info").mkdir()
    ended = ran(site, code)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(("code", "form"), [("import qlc; import qlc", "RuntimeWarning: the"), (COMMAND, "qlc: the")])
def test_a_distribution_qlc_in_the_same_folder_is_reported_once(site: Path, code: str, form: str) -> None:
    (site / "qlc-1.0.3.dist-info").mkdir()
    ended = ran(site, code)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count(REPAIR) == 1
    assert form in ended.stderr


def test_the_command_does_not_run_a_package_that_has_overwritten_ours(site: Path) -> None:
    (site / "qlc" / "__init__.py").write_text(FOREIGN)
    ended = ran(site, COMMAND)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "foreign code ran" not in ended.stderr
    assert REPAIR in ended.stderr


@pytest.mark.parametrize("name", ["qlc.py", "qlc/__init__.py"])
def test_the_command_does_not_run_what_comes_first_on_the_path(site: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / "own" / name
    file.parent.mkdir(parents=True)
    file.write_text(FOREIGN)
    ended = ran(site, f"sys.path.insert(0, {str(tmp_path / 'own')!r})\n{COMMAND}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert f"'{file}' is not the package 'qlc'" in ended.stderr
    assert "foreign code ran" not in ended.stderr


OURS = ["qlc.pipeline.compiler", "qlc.store.clients", "qlc.answers.corpora", "qlc.grammar.parsing"]


@pytest.mark.parametrize("module", OURS)
def test_our_modules_refuse_a_foreign_package(site: Path, module: str) -> None:
    """A foreign `qlc/__init__.py` that does not stop anything: what is ours of the mixed folder does."""
    (site / "qlc" / "__init__.py").write_text("__version__ = '1.0.3'\n")
    ended = ran(site, f"import {module}")
    assert ended.returncode == 1
    assert f"ImportError: '{site / 'qlc' / '__init__.py'}' is not the package 'qlc'" in ended.stderr
    assert REPAIR in ended.stderr
