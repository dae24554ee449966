"""Commands in a folder of files that have the names of modules: none of them is run, by whatever process.

Each file would leave a mark. Their names are those of all modules that the readers, the command line, the service, the
notebook and the plugin import, or look for: taken down in a process that does all of it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.corpus import files
from tests.tables import table

ROOT = Path(__file__).parents[2]
IMPORTED = table(__file__, "IMPORTED")
PAPERS = table(__file__, "PAPERS")
CASES = table(__file__, "CASES")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Papers beside files with the names of modules."""
    folder = tmp_path_factory.mktemp("papers")
    for name, text in PAPERS.items():
        (folder / name).write_text(text, "cp1252" if name == "latin.txt" else "utf-8")
    files.pdf(folder / "sheet.pdf", files.data_sheet)
    files.word(folder / "manual.docx")
    files.slides(folder / "slides.pptx")
    files.sheet(folder / "stock.xlsx")
    (folder / "notes.ndjson").write_text('{"id": "a", "text": "roof"}\n{"id": "b", "text": "door"}\n', "utf-8")
    told = subprocess.run(
        [sys.executable, "-P", "-c", IMPORTED, *(str(folder / name) for name in os.listdir(folder))],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    names = {name for name in told.stdout.split() if name.isidentifier()} - {"__main__"}
    assert {"pickle", "docx", "pypdfium2", "typing", "chardet", "yaml", "fastapi", "qlc", "__future__"} <= names
    (folder / "marks").mkdir()
    for name in names:
        mark = f"open(__file__[:-{len(name) + 3}] + 'marks/{name}', 'w').close()\n"
        (folder / f"{name}.py").write_text(mark, "utf-8")
    return folder


def a_copy(folder: Path, place: Path) -> Path:
    """With the marks in a folder of its own, since a file leaves them where it is run."""
    return shutil.copytree(folder, place / "papers")


def marks(folder: Path) -> set[str]:
    return {mark.name for mark in (folder / "marks").iterdir()}


def run(folder: Path, arguments: Sequence[str], text: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """A process that starts in the folder of papers, as a person starts it: nothing protects it but the product."""
    kept = {name: one for name, one in os.environ.items() if not name.startswith(("PYTHON", "QLC_", "COV_"))}
    place = {"XDG_STATE_HOME": str(folder.parent / "state"), "QLC_DEMO": str(folder.parent / "demo")}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={**kept, **place, **variables}, input=text,
        capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script that an installer writes."""
    script = tmp_path_factory.mktemp("bin") / "qlc"
    script.write_text("import sys\nfrom qlc.cli.main import entry\nsys.exit(entry())\n", "utf-8")
    return str(script)


@pytest.fixture(scope="module")
def for_modules(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder without what Python itself runs there, whatever `python -m MODULE` names. `python -P` runs nothing."""
    copied = a_copy(folder, tmp_path_factory.mktemp("copied"))
    (copied / "qlc.py").unlink()
    (copied / "nothing_else.py").write_text("", "utf-8")
    leave_out_what_runs(copied, ["-m", "nothing_else"])
    return copied


def leave_out_what_runs(folder: Path, arguments: Sequence[str]) -> None:
    """Remove the files that run where a command without a part in this is started."""
    while run(folder, arguments) and (ran := marks(folder)):
        for name in ran:
            (folder / f"{name}.py").unlink()
            (folder / "marks" / name).unlink()
    assert (folder / "pydantic.py").exists()


QUESTION = "What is the notice period of the lease?"
ALL = (
    (["corpus", "draft", "lease.md"], "buckets:"),
    (["corpus", "add", "{library}", "."], "Files:"),
    (["ask", "--rules-only", "--corpus", "{library}", QUESTION], "3 months"),
    (["index", "notes.ndjson", "--data", "{store}"], "2 documents"),
    (["ask", "--rules-only", "--data", "{store}", "--index", "notes", "how many notes"], "2 "),
)


@pytest.mark.parametrize(
    ("start", "commands"),
    [
        (["qlc"], ALL),
        (["-P", "-m", "qlc"], ALL[:1]),
        (["-m", "qlc"], ALL[:1]),
        (["-Wdefault", "-mqlc.cli.main"], ALL[:1]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_no_command_runs_what_lies_in_the_current_folder(
    request: pytest.FixtureRequest, command: str, folder: Path, tmp_path: Path, start: list[str],
    commands: Sequence[tuple[list[str], str]],
) -> None:  # fmt: skip
    here = request.getfixturevalue("for_modules") if start[0][:2] in ("-m", "-W") else folder
    how = [command if one == "qlc" and len(start) == 1 else one for one in start]
    for arguments, said in commands:
        filled = [one.format(library=tmp_path / "library", store=tmp_path / "store") for one in arguments]
        ended = run(here, [*how, *filled])
        assert marks(here) == set(), filled
        assert said in ended.stdout, ended.stderr


UI = table(__file__, "UI")


def test_the_page_over_the_current_folder_runs_nothing_of_it(folder: Path, command: str) -> None:
    ended = run(folder, ["-P", "-c", UI, command, "ui", ".", "--no-browser", "--port", "0", "--rules-only"])
    assert marks(folder) == set()
    assert "3 months" in ended.stdout, ended.stderr


CELLS = table(__file__, "CELLS")


def test_a_notebook_runs_nothing_of_its_folder(for_modules: Path, tmp_path: Path) -> None:
    here = a_copy(for_modules, tmp_path)
    leave_out_what_runs(here, ["-P", "-c", CELLS.partition("shell.run_line_magic")[0]])
    ended = run(here, ["-P", "-c", CELLS, str(tmp_path / "library")])
    assert marks(here) == set()
    assert "3 months" in ended.stdout, ended.stderr


def test_a_path_of_modules_with_the_current_folder_is_not_believed(folder: Path, command: str, tmp_path: Path) -> None:
    """`PYTHONPATH=$PYTHONPATH:/lib` puts it there where the variable was empty."""
    for name in ("docx", "chardet", "pypdfium2", "markdown_it"):
        shutil.copy(folder / f"{name}.py", tmp_path)
    (tmp_path / "marks").mkdir()
    shutil.copy(folder / "lease.md", tmp_path)
    ended = run(tmp_path, [command, "corpus", "add", "library", "lease.md"], PYTHONPATH=":/nothing")
    assert marks(tmp_path) == set()
    assert "Files: 1 added" in ended.stdout, ended.stderr


@pytest.mark.parametrize("mode", ["prepend", "append", "importlib"])
def test_the_plugin_imports_nothing_of_the_folder_of_cases(folder: Path, tmp_path: Path, mode: str) -> None:
    """The folder has tests and a conftest.py, so that pytest puts it on the path of modules."""
    here = a_copy(folder, tmp_path)
    (here / "conftest.py").write_text("", "utf-8")
    (here / "test_other.py").write_text("def test_other():\n    pass\n", "utf-8")
    arguments = ["-P", "-m", "pytest", "-p", "no:cacheprovider", f"--import-mode={mode}", "--rootdir=."]
    leave_out_what_runs(here, arguments)
    (here / "notes.qlc.yaml").write_text(CASES, "utf-8")
    ended = run(here, arguments)
    assert marks(here) == set()
    assert "3 passed" in ended.stdout, ended.stdout
