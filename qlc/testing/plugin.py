"""The pytest plugin. Without files of cases it imports only this module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.base.import_path import imports_from_elsewhere
from qlc.testing import PROPERTY

if TYPE_CHECKING:
    import pytest

SUFFIX = ".qlc.yaml"

_STATUS: dict[str, tuple[str, str, tuple[str, dict[str, bool]]]] = {
    "right": ("passed", ".", ("RIGHT", {"green": True})),
    "declined": ("declined", "D", ("DECLINED", {"yellow": True})),
    "wrong": ("wrong", "W", ("WRONG", {"red": True})),
}
"""The category, letter and word of a verdict in pytest."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("qlc", "questions and programs in *.qlc.yaml").addoption(
        "--qlc-penalty", type=float, metavar="N",
        help="print a score of the cases: right answers less N for each wrong one, divided by all",
    )  # fmt: skip


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not file_path.name.endswith(SUFFIX):
        return None
    with imports_from_elsewhere(file_path.parent):
        from qlc.testing.collecting import CaseFile

    collected: pytest.Collector = CaseFile.from_parent(parent, path=file_path)
    return collected


def pytest_report_teststatus(report: Any) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    verdict = _verdict(report)
    return _STATUS[verdict] if verdict else None


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the declined and wrong cases in full, and the count of each verdict."""
    counts = {name: [one for one in terminalreporter.stats.get(_STATUS[name][0], ()) if _verdict(one) == name]
              for name in _STATUS}  # fmt: skip
    total = sum(map(len, counts.values()))
    if not total:
        return
    terminalreporter.section("questions and programs")
    for name in ("declined", "wrong"):
        for one in counts[name]:
            terminalreporter.write_line(f"{name.upper()} {one.nodeid}", bold=True)
            terminalreporter.write_line(f"{one.longreprtext}\n")
    line = ", ".join(f"{len(found)} {name}" for name, found in counts.items())
    if (penalty := config.getoption("--qlc-penalty")) is not None:
        score = (len(counts["right"]) - penalty * len(counts["wrong"])) / total
        line += f"; score {score:.3f} with a penalty of {penalty:g} for a wrong answer"
    terminalreporter.write_line(line)


def _verdict(report: Any) -> str:
    """Return the verdict of a case's call; empty for other reports."""
    return dict(report.user_properties).get(PROPERTY, "") if getattr(report, "when", "") == "call" else ""
