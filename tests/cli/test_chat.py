"""`qlc chat` and `qlc conversation`: what is said, what is kept, what is shown of it."""

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Command

pytestmark = pytest.mark.usefixtures("demo")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "state" / "talk.sqlite"
    monkeypatch.setenv("QLC_CONVERSATIONS", str(path))
    return path


def messages(monkeypatch: pytest.MonkeyPatch, *texts: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{text}\n" for text in texts)))


def test_a_conversation_through_a_pipe(qlc: Command, monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    messages(monkeypatch, "documents in Travel", "", "the business one", "next 2", "quit", "never read")
    ended = qlc("chat", "--demo", "--size", "3")
    assert (ended.code, ended.err) == (0, "")
    asked, first, second = ended.out.strip().split("\n\n")
    assert asked.splitlines() == [
        "There are 2 folders called 'Travel'. Which do you mean?",
        "  1. Travel (root/Business/Expenses/Travel, created 2023-05-20, owner Omar Haddad)",
        "  2. Travel (root/Personal/Travel, created 2019-05-28, owner Dana Ortiz)",
        "Answer with a number, a name, or a word that only one has.",
    ]
    assert "27 documents. 3 shown." in first.splitlines()[:2]
    assert first.splitlines()[-2:] == ["More: say 'show more'.", "'Travel' is root/Business/Expenses/Travel."]
    assert second.splitlines()[0] == "27 documents. 4 to 5 shown."
    assert second.splitlines()[-1] == "More: say 'show more'."
    assert not store.exists()


def test_every_turn_is_a_line_of_json(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    messages(monkeypatch, "W2s in Tax Documents", "the rest", "more")
    lines = [json.loads(line) for line in qlc("chat", "--demo", "--json").out.splitlines()]
    assert [line["number"] for line in lines] == [1, 2, 3]
    assert [line["origin"] for line in lines] == ["words", "more", "more"]
    assert [line["has_more"] for line in lines] == [True, False, False]
    assert [len(line["outcomes"][0].get("ids", ())) for line in lines] == [10, 7, 0]
    assert lines[0]["cursor"] == lines[0]["outcomes"][0]["cursor"] is not None


def test_what_has_an_id_is_kept_and_gone_on_with(qlc: Command, monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    messages(monkeypatch, "documents in Travel")
    qlc("chat", "--demo", "--id", "trips")
    messages(monkeypatch, "2", "how many W2s are there?")
    ended = qlc("chat", "--demo", "--id", "trips")
    assert ended.err == "qlc: continuing after message 1: documents in Travel\n"
    assert "8 documents." in ended.out
    assert store.exists()
    shown = qlc("conversation", "show", "trips").out.splitlines()
    assert shown == [
        "1  documents in Travel",
        '   find documents where folder = "Travel"',
        "   There are 2 folders called 'Travel'. Which do you mean?",
        "     1. Travel (root/Business/Expenses/Travel, created 2023-05-20, owner Omar Haddad)",
        "     2. Travel (root/Personal/Travel, created 2019-05-28, owner Dana Ortiz)",
        "2  2",
        '   find documents where folder = "Travel"',
        "   8 documents.",
        "3  how many W2s are there?",
        '   count documents where type = "W2"',
        "   143 documents.",
    ]
    history = qlc("conversation", "show", "trips", "--json").json
    assert [turn["text"] for turn in history["turns"]] == ["documents in Travel", "2", "how many W2s are there?"]
    assert qlc("conversation", "list").out == "trips\n"
    assert qlc("conversation", "delete", "trips").code == 0
    assert qlc("conversation", "list", "--json").json == []


def test_what_is_not_there_is_reported(qlc: Command, monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    ended = qlc("conversation", "show", "x")
    assert (ended.code, ended.out) == (2, "")
    assert "no conversations are stored" in ended.err
    messages(monkeypatch, "W2s")
    qlc("chat", "--demo", "--id", "a")
    ended = qlc("conversation", "show", "x")
    assert (ended.code, "there is no conversation 'x'" in ended.err) == (2, True)


def test_a_terminal_has_a_prompt_and_line_editing(demo: Path, tmp_path: Path) -> None:
    """Typed keys, with one taken back; the lines are there for the next time."""
    main, other = pty.openpty()
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm"}
    arguments = [sys.executable, "-m", "qlc.cli.main", "chat", "--demo"]
    with subprocess.Popen(arguments, stdin=other, stdout=other, stderr=other, env=environment, close_fds=True) as talk:
        os.close(other)
        shown = _read_until(main, b"':save FILE.csv'", b"> ")
        os.write(main, b"how many W2x\x7fs are there?\n")
        shown += _read_until(main, b"143 documents.", b"> ")
        os.write(main, b"\x04")
        assert talk.wait(60) == 0
    os.close(main)
    assert "how many W2s are there?" in (tmp_path / "qlc" / "chat-history").read_text("utf-8")


def _read_until(terminal: int, *wanted: bytes) -> bytes:
    """Read a terminal until all wanted texts have appeared, in this order. A prompt may come together with an
    answer."""
    found, until = b"", time.monotonic() + 120
    while not re.search(b".*".join(map(re.escape, wanted)), found, re.DOTALL):
        assert time.monotonic() < until, found
        if select.select([terminal], [], [], 1)[0]:
            found += os.read(terminal, 4096)
    return found


def test_an_answer_is_saved(qlc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows, lines = tmp_path / "w2.csv", tmp_path / "w2.ndjson"
    messages(monkeypatch, f":save {rows}", "W2s in Tax Documents", "next 2", f":save {rows}", f":save {lines}",
             ":save /nowhere/x.csv")  # fmt: skip
    ended = qlc("chat", "--demo", "--size", "3")
    assert len(rows.read_text("utf-8").splitlines()) == 18
    assert len(lines.read_text("utf-8").splitlines()) == 17
    assert f"Saved 17 rows in '{rows}'." in ended.out
    first, last = ended.err.splitlines()
    assert first == "qlc: there is no answer yet to write to a file"
    assert last == "qlc: '/nowhere/x.csv' cannot be written: there is no such file or folder"


def test_what_is_saved_for_a_spreadsheet_has_no_formula(
    qlc: Command, notes: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines, saved = tmp_path / "more.ndjson", tmp_path / "saved.csv"
    lines.write_text('{"id": "f", "title": "=1+1", "pages": -4}\n')
    qlc("index", str(lines), "--name", "notes", "--id", "id", "--data", str(notes))
    messages(monkeypatch, 'find entries where id = "f" show title, pages', f":save {saved}")
    qlc("chat", "--data", str(notes), "--index", "notes")
    assert saved.read_text("utf-8") == 'id,title,pages\nf,"\'=1+1",-4\n'


@pytest.mark.parametrize("text", [":help", ":save", "export that as csv"])
def test_how_an_answer_is_saved_is_reported(qlc: Command, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    messages(monkeypatch, "W2s in Tax Documents", text)
    assert "':save FILE.csv' writes the last answer" in qlc("chat", "--demo").out


def test_nothing_found_has_ways_on_that_are_understood(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    messages(monkeypatch, "receipts in Meals with an amount over 100000")
    lines = qlc("chat", "--demo").out.splitlines()
    ways = [line.strip() for line in lines[lines.index("Perhaps:") + 1 :] if line]
    assert ways == ["forget the amount", 'find documents where type = "Receipt" and folder = "Meals"']
    for way in ways:
        messages(monkeypatch, "receipts in Meals with an amount over 100000", way)
        assert "22 documents." in qlc("chat", "--demo").out


def test_the_prompt_of_a_kept_conversation(qlc: Command, monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    messages(monkeypatch, "receipts from Costco", "how many is that?")
    qlc("chat", "--demo", "--id", "shop")
    told = qlc("prompt", "--demo", "--id", "shop", "and the ones of Staples, nothing under 50 dollars").out
    earlier = told.split("\n<earlier>\n")[-1].split("\n</earlier>")[0].splitlines()
    assert earlier[:2] == [
        'turn 1: "receipts from Costco"', '  program: find documents where type = "Receipt" and vendor = "Costco"',
    ]  # fmt: skip
    assert earlier[2].startswith('  answer: a list of 43: (1) "Receipt_2019-04-24_Costco.pdf" id "')
    assert earlier[-1] == "  answer: count 43"
    ended = qlc("prompt", "--demo", "--id", "nobody", "x")
    assert (ended.code, "no conversation 'nobody'" in ended.err) == (2, True)


def test_what_is_too_long_is_reported_and_loses_nothing(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    long, longer = "documents in Tax and " * 200, "documents in Tax and " * 30_000
    messages(monkeypatch, "documents in Travel", long, longer, "the business one")
    lines = [json.loads(line) for line in qlc("chat", "--demo", "--json").out.splitlines()]
    kinds = [line["outcomes"][0]["kind"] for line in lines]
    assert kinds == ["clarify", "declined", "declined", "hits"]
    for text, told in ((long, "at most 100 words"), (longer, "at most 500,000 characters")):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        ended = qlc("ask", "--demo", "-")
        assert (ended.code, told in ended.out) == (4, True)
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        assert told in qlc("explain", "--demo", "-").out
