"""The file of docs/testing.md runs as the page shows it, and the page has every key."""

import pytest

from qlc.testing.cases import Case, CaseFile
from tests.docs.pages import blocks, table, text

PAGE = "docs/testing.md"
pytest_plugins = "pytester"


def test_the_example_runs(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (example,) = blocks(PAGE, "yaml")
    (pytester.path / "things.qlc.yaml").write_text(example, encoding="utf-8")
    found = pytester.runpytest_subprocess("-p", "qlc.testing.plugin", "--qlc-penalty", "2", "-p", "no:cacheprovider")
    (shown,) = [line for line in text(PAGE).splitlines() if line.startswith("5 right")]
    found.stdout.fnmatch_lines([shown])


@pytest.mark.parametrize(("heading", "kind"), [("## The file", CaseFile), ("## A case", Case)])
def test_every_key_is_described(heading: str, kind: type[Case | CaseFile]) -> None:
    shown = [name.strip("`") for row in table(PAGE, heading) for name in row[0].split(", ")]
    assert sorted(shown) == sorted(kind.model_fields)
