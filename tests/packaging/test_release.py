"""`make release`: what keeps a version from being released, and the files for those who carry the work on."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import qlc
from scripts.release import problems
from tests.docs.pages import ROOT, text

FILES = ("pyproject.toml", "qlc/base/version.py", "README.md", "CHANGELOG.md")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A repository with the files that name the version, all committed."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def test_a_version_that_all_files_name_can_be_released(copy: Path) -> None:
    assert problems(qlc.__version__, copy) == []


def test_files_that_name_another_version_and_changes_are_named(copy: Path) -> None:
    assert problems("9.9.9", copy) == [f"{name} does not name version 9.9.9" for name in FILES]
    (copy / "new").touch()
    assert problems(qlc.__version__, copy) == ["there are changes that are not committed"]


def test_the_workflow_runs_what_the_page_says() -> None:
    jobs = yaml.safe_load(text(".github/workflows/test.yml"))["jobs"]
    steps = {name: [step.get("run", "") for step in job["steps"]] for name, job in jobs.items()}
    assert any(step.startswith("make test") for step in steps["linux"])
    assert any(step.startswith("python -m tests.engine.alone") for step in steps["engine"])
    assert any("--quick" in step for step in steps["quick"])
    assert jobs["quick"]["strategy"]["matrix"]["os"] == ["macos-latest", "windows-latest"]


@pytest.mark.parametrize("form", sorted(path.name for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")
                                        if path.name not in ("config.yml", "engine.yml")))  # fmt: skip
def test_forms_for_issues_ask_for_a_record_without_values(form: str) -> None:
    assert "qlc explain --share" in text(f".github/ISSUE_TEMPLATE/{form}")


def test_hooks_run_the_tools_of_the_makefile() -> None:
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    tools = [hook["entry"].split()[0] for hook in hooks]
    for tool in ("ruff", "mypy", "lint-imports"):
        assert f".venv/bin/{tool}" in tools
        assert f"$(BIN)/{tool}" in text("Makefile")


def test_commands_of_the_page_exist() -> None:
    page = text("CONTRIBUTING.md")
    for path in ("tests/translator/test_entry.py", "tests/compiler", "qlc/translator/rules/constructions/",
                 "qlc/corpus/readers/", "tests/conformance/cases/"):  # fmt: skip
        assert path in page
        assert (ROOT / path).exists(), path
