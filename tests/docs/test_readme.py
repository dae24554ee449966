"""Every command and every Python block of README.md, docs/cli.md and docs/api.md, executed as it is written."""

import gzip
import pkgutil
import re
import shlex
import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import qlc
from qlc import catalogs
from qlc.base.errors import QlcError
from qlc.cli import main as cli
from qlc.cli.main import EXIT_CODES, parser
from tests import data_sets

from .pages import ROOT, blocks, commands, table, text


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    """A folder with what the pages speak of: documents, mapping, catalog, the demo."""
    shutil.copytree(data_sets.stored("drive"), tmp_path / "demo")
    (tmp_path / "demo.ready").write_text(qlc.__version__, encoding="ascii")
    shutil.copy(catalogs.documents_path("drive"), tmp_path / "documents.ndjson.gz")
    shutil.copy(catalogs.mapping_path("drive"), tmp_path / "mapping.json")
    shutil.copy(catalogs.path("drive"), tmp_path / "drive.yaml")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        patch.setenv("QLC_DEMO", str(tmp_path / "demo"))
        for name in ("QLC_URL", "QLC_DATA", "QLC_CATALOG", "QLC_LOG"):
            patch.delenv(name, raising=False)
        yield tmp_path


@pytest.mark.parametrize("page", ["README.md", "docs/cli.md", "docs/words.md", "docs/pasted.md", "docs/corpus.md",
                                  "docs/tutorial.md", "docs/spreadsheet.md", "docs/answers.md"])  # fmt: skip
def test_every_session_prints_what_the_page_shows(here: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands(page)
    if page == "docs/answers.md":  # the corpus of docs/corpus.md
        cli.main(shlex.split(commands("docs/corpus.md")[0].line)[1:])
        capsys.readouterr()
    for command in commands(page):
        name, *arguments = shlex.split(command.line)
        assert name == "qlc"
        cli.main(arguments)
        printed = capsys.readouterr()
        assert printed.out.rstrip("\n") == command.printed, f"$ {command.line}\n{printed.err}"


@pytest.mark.parametrize(
    "page",
    ["README.md", "qlc_engine/README.md", "docs/api.md", "docs/model.md", "docs/conversation.md", "docs/pasted.md",
     "docs/corpus.md", "docs/notebooks.md", "docs/tutorial.md"],
)
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_the_python_of_a_page_runs(here: Path, page: str) -> None:
    shutil.copytree(data_sets.stored("drive"), here / "store")
    for command in commands(page):
        if command.line.startswith("qlc index "):
            cli.main(shlex.split(command.line)[1:])
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), names)
    client: Any = names["client"]
    client.close()


def test_the_queries_of_the_readme_are_right(store: qlc.Compiler) -> None:
    (block,) = blocks("README.md", "qlc")
    for line in block.splitlines():
        found = store.diagnose(line, now="2026-03-15T12:00:00Z")
        assert (found.diagnostics, found.text) == ((), line)


PAGES = ["README.md", "CONTRIBUTING.md", "qlc_engine/README.md", "benchmarks/README.md",
         *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_commands_that_are_shown_without_output_are_commands(page: str) -> None:
    written = re.sub(r"^```[a-z]+\n.*?^```$", "", text(page), flags=re.DOTALL | re.MULTILINE)
    blocks = re.findall(r"^```\n(.*?)^```$", written, re.DOTALL | re.MULTILINE)
    shown = [*re.findall(r"^ {4}.*$", written, re.MULTILINE), *blocks]
    for line in re.findall(r"^(?: {4})?(?:[A-Z_]+=\S+ )*qlc ((?:.*\\\n)*.*)$", "\n".join(shown), re.MULTILINE):
        line = line if page != "docs/mcp.md" else line.partition("      ")[0]  # what it is for is written beside it
        arguments = shlex.split(line.replace("\\\n", " "), comments=True)
        parser().read(arguments[: next((at for at, one in enumerate(arguments) if one in (">", "|")), None)])
    makefile = text("Makefile")
    for target in re.findall(r"`make ([a-z-]+)(?:`| [A-Z])", text(page)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", *(f"docs/{name}.md" for name in (
    "language", "diagnostics", "catalog", "words", "pasted", "api", "cli", "model", "conversation",
    "corpus", "http", "notebooks", "tutorial", "spreadsheet"))])  # fmt: skip
def test_links_lead_somewhere(page: str) -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", text(page)):
        assert not target.startswith(("http:", "https:"))
        other = (ROOT / page).parent / target if target else ROOT / page
        assert other.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", other.read_text("utf-8"), re.MULTILINE)
            anchors = {"#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in anchors, f"{target}{anchor}"


def test_the_number_of_documents_is_right() -> None:
    with gzip.open(catalogs.documents_path("drive"), "rt", encoding="utf-8") as lines:
        count = sum(1 for _ in lines)
    assert f"{count:,} documents and folders" in text("README.md")


def test_the_status_names_this_version() -> None:
    assert f"Version {qlc.__version__}" in text("README.md")
    assert f"## {qlc.__version__}" in text("CHANGELOG.md")


def test_the_license_is_the_one_that_is_declared() -> None:
    assert 'license = "Apache-2.0"' in text("pyproject.toml")
    assert "Apache License" in text("LICENSE")[:200]


# --- command line ----------------------------------------------------------------------------------------------------


def test_the_table_of_commands_is_that_of_the_help() -> None:
    shown = {row[0].strip("`").removeprefix("qlc "): row[1] for row in table("docs/cli.md", "# The command line")}
    actions = next(action for action in parser()._actions if action.dest == "command")
    assert shown == {choice.dest: choice.help for choice in actions._choices_actions}  # type: ignore[attr-defined]


def test_the_exit_codes_are_those_of_the_help() -> None:
    shown = [tuple(row) for row in table("docs/cli.md", "## Exit codes")]
    assert shown == re.findall(r"^  ([0-9])  (.*)$", EXIT_CODES, re.MULTILINE)


def test_every_option_is_described() -> None:
    page = text("docs/cli.md") + text("docs/catalog.md")
    actions = next(action for action in parser()._actions if action.dest == "command")
    assert isinstance(actions.choices, dict)
    for name in ("run", "explain", "check"):
        for option in actions.choices[name]._option_string_actions:
            assert option in ("-h", "--help") or f"`{option}" in page, option


# --- python ----------------------------------------------------------------------------------------------------------


def test_the_names_of_the_package_are_described() -> None:
    page = text("docs/api.md")
    assert [name for name in qlc.__all__ if f"`qlc.{name}" not in page] == []


def test_the_options_of_a_run_are_described() -> None:
    from dataclasses import fields

    from qlc.base.options import Options, RunOptions

    shown = [row[0].strip("`") for row in table("docs/api.md", "## Options of a run")]
    assert sorted(shown) == sorted(option.name for option in fields(Options))
    assert get_type_hints(RunOptions) == get_type_hints(Options)


def test_the_kinds_of_outcomes_are_described_with_their_attributes() -> None:
    from typing import get_args

    from qlc import outcome

    shown = {row[0].strip("`"): row[1] for row in table("docs/api.md", "## Outcomes")}
    union, *_ = get_args(outcome.Outcome)
    kinds = {kind.model_fields["kind"].default: kind for kind in get_args(union)}
    assert shown.keys() == kinds.keys()
    common = set(outcome.Invalid.model_fields)
    for name, kind in kinds.items():
        assert [own for own in set(kind.model_fields) - common if f"`{own}`" not in shown[name]] == [], name
    page = text("docs/api.md")
    assert [name for name in common - {"kind"} if f"`{name}`" not in page] == []


def test_the_reasons_are_described() -> None:
    from qlc.outcome import NotFound
    from qlc.pipeline import present

    page = text("docs/api.md")
    reasons = [*re.findall(r"[a-z]+(?:-[a-z]+)+", NotFound.__doc__ or ""), "deleted", *present._FAILURES]
    assert [reason for reason in reasons if f"`{reason}`" not in page] == []


def test_the_exceptions_are_described_with_what_they_are_kinds_of() -> None:
    for module in pkgutil.walk_packages(qlc.__path__, "qlc."):
        import_module(module.name)
    shown, above = {}, QlcError
    for name, _ in table("docs/api.md", "## Exceptions")[1:]:
        module, _, own = name.strip("– `").rpartition(".")
        found = getattr(import_module(module), own)
        shown[found] = above if name.startswith("–") else QlcError
        above = above if name.startswith("–") else found
    assert shown == {one: one.__base__ for one in kinds_of(QlcError)}


def kinds_of(above: type[Exception]) -> set[type[Exception]]:
    """The classes of the package below one, at any depth."""
    own = {kind for kind in above.__subclasses__() if kind.__module__.startswith("qlc.")}
    return own.union(*map(kinds_of, own))


def test_the_methods_of_the_compiler_are_described() -> None:
    public = [name for name in vars(qlc.Compiler) if not name.startswith("_") and name != "environment"]
    page = text("docs/api.md")
    assert [name for name in public if f"`{name}" not in page] == []
