"""Tables of cases: read from the YAML file beside a module, or checked row by row as one test."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml

T = TypeVar("T")


def each(rows: Iterable[T], check: Callable[[T], object]) -> None:
    """All rows are checked; those that fail are reported together, each with what it failed by."""
    checked, failed = 0, []
    for row in rows:
        checked += 1
        try:
            check(row)
        except Exception as problem:  # noqa: BLE001
            failed.append(f"{row!r:.300}\n    {type(problem).__name__}: {problem}")
    assert checked, "a table without rows proves nothing"
    if failed:
        pytest.fail(f"{len(failed)} of {checked} rows fail:\n" + "\n".join(failed), pytrace=False)


@cache
def _tables(path: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(Path(path).with_suffix(".yaml").read_text("utf-8"))
    return found


def table(file: str, name: str) -> Any:
    """A table of the YAML file beside a module: `table(__file__, "CASES")`."""
    return deepcopy(_tables(file)[name])


def rows(file: str, name: str) -> Any:
    """As `table`, each row a tuple."""
    found = table(file, name)
    if isinstance(found, dict):
        return {key: tuple(row) if isinstance(row, list) else row for key, row in found.items()}
    return [tuple(row) if isinstance(row, list) else row for row in found]
