"""The saved parser: used where it is of these versions and of this user, else the parser is built."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from qlc.grammar.lark_parser import GRAMMAR, built
from qlc.grammar.saved import load, save

PROGRAM = 'find documents where type = "W2" limit 3'


@cache
def parser() -> Any:
    return built(GRAMMAR.read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the saved parser."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "qlc" / "parser"


@pytest.fixture
def file(folder: Path) -> Path:
    save(parser(), b"grammar")
    (file,) = folder.iterdir()
    return file


def test_a_saved_parser_makes_another_tree(file: Path) -> None:
    assert load(b"grammar").parse(PROGRAM) == parser().parse(PROGRAM)
    assert load(b"another grammar") is None


class Harm:
    """An object that makes a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> object:
        return os.mkdir, (str(self.folder),)


UNUSED: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "another version of lark": lambda file, patch: patch.setattr("lark.__version__", "0.0"),
    **{f"cut at {at}": lambda file, _, at=at: file.write_bytes(file.read_bytes()[:at]) for at in (0, 10, 40, -1)},
    "damaged": lambda file, _: file.write_bytes(file.read_bytes()[:32] + pickle.dumps(Harm(file.parent / "harmed"))),
    "a file that others can write": lambda file, _: file.chmod(0o777),
    "a folder that others can write": lambda file, _: file.parent.chmod(0o777),
}


@pytest.mark.parametrize("name", UNUSED)
def test_a_file_that_may_not_be_ours_is_loaded(file: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    UNUSED[name](file, monkeypatch)
    assert load(b"grammar") is None
    assert not (file.parent / "harmed").exists()


def test_a_parser_is_saved_where_others_can_write(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    save(parser(), b"grammar")
    assert list(folder.iterdir()) == []


def test_no_place_to_write_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    occupied = tmp_path / "file"
    occupied.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    save(parser(), b"grammar")
    assert load(b"grammar") is None


def test_a_full_disk_leaves_half_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    save(parser(), b"grammar")
    assert list(folder.iterdir()) == []


def test_the_second_process_builds_the_tables(tmp_path: Path) -> None:
    """The first one saves the parser, the second one reads its file and makes no LALR tables."""
    code = (
        "from lark.parsers import lalr_parser\n"
        "def made(*given, **options): print('built'); return made.first(*given, **options)\n"
        "made.first, lalr_parser.LALR_Analyzer = lalr_parser.LALR_Analyzer, made\n"
        "from qlc.grammar import SyntaxProblem, complete, parse\n"
        "try: parse('find documents whre a = 1')\n"
        "except SyntaxProblem as problem: print(problem.diagnostic.code)\n"
        "print(complete('find documents ', 15).keywords)\n"
        f"print(parse({PROGRAM!r}).statement.limit)"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        ).stdout.split()
        for _ in range(2)
    )  # fmt: skip
    assert "built" in first
    assert [word for word in first if word != "built"] == second
    assert (second[0], second[-1]) == ("misspelt-keyword", "3")
    assert "'where')" in second
