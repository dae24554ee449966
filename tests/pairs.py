"""Pairs of files in a folder: `NAME.qlc`, what is asked, beside `NAME.txt`, what comes of it.

    # A title: what the programs below it show
    @ flights zone=Asia/Tokyo least=5
    find flights where price > $least

The line with `@` names the world and the options of the programs up to the next title. A line that begins with spaces
goes on with the program above, and ⏎ is the end of a line in it. `pytest --snapshot-update` writes `NAME.txt` anew.
"""

import json
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

WIDTH = 116


@dataclass(frozen=True)
class Case:
    """A program and how it is asked."""

    title: str
    source: str
    world: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    head: str = ""
    """The line that names the world and the options."""


def read_cases(path: Path) -> Iterator[Case]:
    title, world, options, head, lines = "", "", {}, "", []
    for line in [*path.read_text("utf-8").splitlines(), ""]:
        if lines and not line.startswith(" "):
            yield Case(title, "\n".join(lines).replace("⏎", "\n"), world, dict(options), head)
            lines = []
        if line.startswith("# "):
            title, world, options, head = line[2:], "", {}, ""
        elif line.startswith("@ "):
            head = line
            world, _, given = line[2:].partition(" ")
            options = {
                name: _value(text) for name, text in re.findall(r"(\w+)=((?:\{.*?\}|\[.*?\]|\".*?\"|\S)+)", given)
            }
        elif line.strip():
            lines.append(line)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def report(path: Path, answer: Callable[[Case], str]) -> str:
    """Return the programs of a file, each with its answer below."""
    parts, said = [], ("", "")
    for case in read_cases(path):
        if said != (case.title, case.head):
            parts.append(f"# {case.title}\n{case.head}\n" if case.head else f"# {case.title}\n")
            said = case.title, case.head
        parts.append(f"{shown(case.source)}\n{indented(answer(case))}")
    return "\n".join(parts)


def shown(source: str) -> str:
    return source.replace("\n", "⏎")


def indented(text: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


def readable(value: Any, indent: int = 0) -> str:
    """JSON with short parts on one line."""
    flat = json.dumps(value, ensure_ascii=False, default=str)
    if len(flat) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {readable(part, indent + 2)}" for key, part in value.items()]
    else:
        parts = [readable(part, indent + 2) for part in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{inner}" + f",\n{inner}".join(parts) + f"\n{' ' * indent}{last}"


class _Beside(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    path: Path

    @classmethod
    def get_snapshot_name(cls, **_: Any) -> str:
        return cls.path.stem

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """Return an empty collection: `--snapshot-update` would delete the other files of the folder, the programs
        too."""
        return SnapshotCollections()

    @classmethod
    def matches_test_location(cls, **_: Any) -> bool:
        return True

    @classmethod
    def dirname(cls, **_: Any) -> str:
        return str(cls.path.parent)


def check_beside(path: Path, text: str, snapshot: SnapshotAssertion, suffix: str = "txt") -> None:
    """The text is what the file of the same name beside `path` has."""
    beside = type("Beside", (_Beside,), {"path": path, "file_extension": suffix})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the file is not called as the test
        assert text == snapshot.use_extension(beside)


def pairs(folder: Path, suffix: str = "qlc") -> pytest.MarkDecorator:
    """A test for each file of a folder."""
    paths = sorted(folder.glob(f"*.{suffix}"))
    assert paths, f"{folder} has no cases"
    alone = {path.stem for path in folder.glob("*.txt")} - {path.stem for path in paths}
    assert not alone, f"{folder} has what comes of nothing: {alone}"
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)
