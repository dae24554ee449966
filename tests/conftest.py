"""Fixtures for all tests, and what tests tell at the end of a run."""

from typing import Any

pytest_plugins = ["tests.servers.fixtures"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests recorded under the property `told`."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    properties = [pair for report in reports for pair in getattr(report, "user_properties", ())]
    for line in dict.fromkeys(value for name, value in properties if name == "told"):
        terminalreporter.write_line(str(line))
