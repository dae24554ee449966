"""A command that takes long says so: on a terminal in one line, elsewhere line by line."""

import io
import os
import pty
import subprocess
import sys
import time

import pytest

from qlc.cli import waiting as module
from qlc.cli.waiting import doing, waiting
from tests.docs.pages import ROOT
from tests.tables import table


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QLC_PROGRESS")
    for name in ("FIRST", "AGAIN", "EVERY"):
        monkeypatch.setattr(module, name, 0.05)


def said(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, seconds: float = 0.4) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with waiting(), doing("loading the sample data"):
        time.sleep(seconds)
        print("answer", file=sys.stderr)
        assert sys.stderr is not stream
    assert sys.stderr is stream
    return stream.getvalue()


def test_lines_come_again_and_again_outside_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = said(io.StringIO(), monkeypatch).splitlines()
    assert lines[-1] == "answer"
    assert len(lines) > 2
    assert set(lines[:-1]) == {"qlc: loading the sample data, 0 s"}


def test_a_command_that_waits_for_somebody_says_what_it_does_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    with doing("loading the sample data"):
        time.sleep(0.4)
    assert "qlc: loading the sample data, 0 s" in stream.getvalue().splitlines()
    assert sys.stderr is stream


def test_a_line_on_a_terminal_is_erased_before_other_output(monkeypatch: pytest.MonkeyPatch) -> None:
    text = said(Screen(), monkeypatch)
    line = "qlc: loading the sample data, 0 s"
    assert text.startswith(f"\r{line}\r{line}")
    assert text.endswith(f"\r{' ' * len(line)}\ranswer\n")


def test_a_short_command_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY", 5)
    assert said(io.StringIO(), monkeypatch, 0.01) == "answer\n"


def test_it_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QLC_PROGRESS", "off")
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with waiting():
        time.sleep(0.2)
        assert sys.stderr is stream
    assert stream.getvalue() == ""


SLOW = table(__file__, "SLOW")


def test_a_command_is_not_silent_on_a_terminal() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", SLOW], cwd=ROOT, stderr=theirs, stdout=subprocess.PIPE,
                          text=True) as process:  # fmt: skip
        os.close(theirs)
        assert process.stdout is not None
        assert process.stdout.read() == "done\n"
    assert "qlc: working, " in os.read(ours, 4096).decode()
    os.close(ours)
