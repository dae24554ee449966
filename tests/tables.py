"""Tables of cases: read from the YAML file beside a module, or checked row by row as one test."""

import re
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


def read_yaml(path: Path) -> Any:
    """Return the content of a file, read in C where it has no half characters: that is ten times as fast."""
    text = path.read_text("utf-8")
    return yaml.load(text, yaml.SafeLoader if "\\ud" in text else yaml.CSafeLoader)


@cache
def _tables(path: str) -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(Path(path).with_suffix(".yaml"))
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


@cache
def described(path: Path) -> dict[str, Any]:
    """A world of a test: what it has, and what is asked of it (`asked`)."""
    found: dict[str, Any] = read_yaml(path)
    return found


def rows_of(group: Any) -> Iterable[tuple[str, Any, dict[str, Any]]]:
    """The questions of a group: rows, or a mapping, of a question, what is expected and perhaps options; or `texts` of
    which `each` has the same."""
    if "texts" in group:
        group = [(text, group["each"]) for text in group["texts"]]
    for text, expected, *options in group.items() if isinstance(group, dict) else group:
        yield text, expected, *(options or [{}])


_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "": lambda found, wanted: (set(found) if isinstance(wanted, set) else found) == wanted,
    "has": lambda found, wanted: all(part in found for part in _listed(wanted)),
    "lacks": lambda found, wanted: not any(part in found for part in _listed(wanted)),
    "in": lambda found, wanted: found in wanted,
    "not in": lambda found, wanted: found not in wanted,
    "any starts": lambda found, wanted: any(one.startswith(wanted) for one in found),
    "any has": lambda found, wanted: any(wanted in one for one in found),
    "none has": lambda found, wanted: not any(wanted in one for one in found),
    "starts": lambda found, wanted: found.startswith(wanted),
    "ends": lambda found, wanted: found.endswith(wanted),
    "matches": lambda found, wanted: re.search(wanted, found, re.DOTALL) is not None,
    "size": lambda found, wanted: len(found) == wanted,
}


def holds(outcome: Any, wanted: dict[str, Any]) -> None:
    """An outcome is as a row of a table says: `{kind: hits, message has: [in Legal, in 2024], options.id: [a, b]}`.

    A key is a path of attributes, of each element behind a list or of one by its place, and how it is compared: equal,
    or one of `_HOLDS`.
    """
    for key, value in wanted.items():
        path, _, how = key.partition(" ")
        found = outcome
        for name in path.split("."):
            if name.lstrip("-").isdecimal():
                found = found[int(name)]
            else:
                found = [_part(one, name) for one in found] if isinstance(found, list | tuple) else _part(found, name)
        if isinstance(found, tuple):
            found = list(found)
        assert _HOLDS[how](found, value), f"{key}: {value!r}, and it is {found!r} in {outcome!r:.500}"


def _part(whole: Any, name: str) -> Any:
    return whole.get(name) if isinstance(whole, dict) else getattr(whole, name)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
