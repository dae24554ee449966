"""Mistakes of users get one line that says what to do, the documented exit code, and no traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.tables import rows

QLC = (sys.executable, "-m", "qlc.cli.main")


@pytest.mark.parametrize(("given", "said"), rows(__file__, "test_it_is_said_in_one_line"))
def test_it_is_said_in_one_line(qlc: Command, tmp_path: Path, demo: None, given: tuple[str, ...], said: str) -> None:
    (tmp_path / "latin").write_bytes(b"\xe9")
    (tmp_path / "list").write_text("[]", "utf-8")
    ended = qlc(*(one.replace("{}", str(tmp_path)) for one in given))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"qlc: {said.replace('{}', str(tmp_path))}\n"


@pytest.mark.parametrize("content", [b"\xff", b"{}"])
def test_a_corpus_yaml_that_cannot_be_read_is_named_once(qlc: Command, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "corpus.yaml"
    path.write_bytes(content)
    if content == b"{}":
        path.unlink()
    ended = qlc("corpus", "create", str(tmp_path / "c"), "--schema", str(path))
    reason = "cannot be read: there is no such file or folder" if content == b"{}" else "is not UTF-8 text"
    assert (ended.code, ended.err.splitlines()[1]) == (2, f"error[corpus-file]: {path} {reason}")


def test_bytes_that_are_no_text_are_not_asked_for(tmp_path: Path) -> None:
    """In a locale that hands them on as half characters, nothing has such a name, and that would be the answer."""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": ""}
    given = b'find documents where name = "\xe9"'
    ended = subprocess.run([*QLC, "run", "--demo", "-"], input=given, capture_output=True, env=environment, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(b"qlc: the input is not UTF-8: ")


@pytest.mark.parametrize(("closed", "code"), [("0<&-", 1), ("1>&-", 0), ("2>&-", 0)])
def test_a_stream_that_the_caller_closed_is_an_empty_one(closed: str, code: int) -> None:
    query = "-" if closed == "0<&-" else "count documents"
    command = f'exec "$0" -m qlc.cli.main fmt "$1" {closed}'
    ended = subprocess.run(["sh", "-c", command, sys.executable, query], capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr


def test_what_the_only_document_lacks_is_said_of_one(qlc: Command, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files/a.txt").write_text("The deposit is 5 EUR.\n", "utf-8")
    assert qlc("corpus", "add", str(tmp_path / "corpus"), str(tmp_path / "files")).code == 0
    asked = qlc("ask", "--corpus", str(tmp_path / "corpus"), "who sold wombats in Paris?")
    assert asked.code == 4
    assert asked.out == "The only document does not have 'Paris'.\n"
