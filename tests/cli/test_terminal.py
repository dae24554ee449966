"""Values of an index, a file or a question cannot control the terminal that shows them."""

import io
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Thread

import pytest

from qlc.base.diagnostics import Diagnostic, Span, render
from qlc.base.texts import escaped, width_of
from qlc.cli.main import main
from qlc.cli.render import Style, table
from qlc.cli.terminal import CSI, Terminal, guard
from tests import tables

STEERS = tables.table(__file__, "STEERS")


@pytest.mark.parametrize("text", STEERS)
def test_what_steers_is_written_out(text: str) -> None:
    assert escaped(f"a{text}b") == f"a{STEERS[text]}b"


@pytest.mark.parametrize("text", ["plain", "Äpfel & Öl", "日本", "a\tb\nc", "e\u0301", "\u0661", "❤️", "\\x1b", ""])
def test_what_is_seen_stays_as_it_is(text: str) -> None:
    assert escaped(text) == text


def test_nothing_invisible_is_forgotten() -> None:
    """Every control, every character that turns the direction of writing, and what separates lines."""
    marks = range(0x600, 0x606), range(0x6DD, 0x6DE), range(0x70F, 0x710), range(0x890, 0x892), range(0x8E2, 0x8E3)
    seen = {chr(code) for one in marks for code in one}  # signs that are drawn around digits
    seen |= {chr(code) for code in (*range(0x110BD, 0x110CE), *range(0x13430, 0x13456), *range(0x1BCA0, 0x1D17B))}
    for code in range(0x110000):
        one = chr(code)
        if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp") and one not in "\t\n" and one not in seen:
            assert escaped(one) != one, hex(code)


def test_carets_are_below_what_they_mean() -> None:
    for before in ("", "\x1b[2J", "\u202e", "日本 ", "e\u0301", "\t", "\u200b\x00", "\ud800"):
        source = f'find x where {before}"日\x1b本" = 1'
        start = source.index('"')
        found = Diagnostic("code", "a message", Span(start, source.rindex('"') + 1), "hint")
        _, line, carets = render(found, source).split("\n")
        shown = line.index('"')
        assert width_of(line[:shown].expandtabs(1)) == width_of(carets[: carets.index("^")].expandtabs(1))
        assert carets.count("^") == width_of('"日\\x1b本"')
        assert carets.endswith("^ hint")


def test_columns_of_a_table_are_below_each_other() -> None:
    lines = table(["name", "n"], [["a\u202eb", "x"], ["日本", "y"]], Style(width=80)).splitlines()
    assert lines[1:] == ["a\\u202eb  x", "日本      y"]
    assert table(["name"], [["a\u202eb"]], Style()).splitlines() == ["name", "a\u202eb"]


def test_colours_are_the_programs_own() -> None:
    stream = io.StringIO()
    terminal = Terminal(stream)
    style = Style(colour=True, sign=terminal.sign)
    terminal.write(style.paint("bold\x1b[31m", "1"))
    assert stream.getvalue() == f"{CSI}1mbold\\x1b[31m{CSI}0m"
    assert Terminal(stream).sign != terminal.sign


def test_a_meter_writes_over_its_line() -> None:
    stream = io.StringIO()
    Terminal(stream).write("\r5 lines\rX")
    assert stream.getvalue() == "\r5 lines\\x0dX"


# --- commands --------------------------------------------------------------------------------------------------------

EVIL = "a\x1b[2J\x07\x00\u202e\x9b\u200bz"
HALF = '"half\\ud800"'


def on_terminal(*arguments: str | Path, typed: str = "") -> str:
    """Return the output of a command on a terminal, both streams, without its own colours."""
    ours, theirs = pty.openpty()
    parts: list[bytes] = []
    reader = Thread(target=_read_to_the_end, args=(ours, parts))
    reader.start()
    with (
        pytest.MonkeyPatch.context() as patch,
        open(theirs, "w", encoding="utf-8", errors="backslashreplace", buffering=1) as screen,
        TextIOWrapper(BytesIO(typed.encode("utf-8", "surrogatepass")), "utf-8", "surrogateescape") as keys,
    ):
        patch.setenv("COLUMNS", "200")
        patch.setattr(sys, "stdout", screen)
        patch.setattr(sys, "stderr", screen)
        patch.setattr(sys, "stdin", keys)
        guard()
        with suppress(SystemExit):  # argparse
            main([str(argument) for argument in arguments])
    reader.join(timeout=60)
    os.close(ours)
    text = b"".join(parts).decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    return re.sub(r"\x1b\[(?:0|1|2|31|33)m", "", text)


def _read_to_the_end(terminal: int, parts: list[bytes]) -> None:
    with suppress(OSError):  # the other end is closed
        while part := os.read(terminal, 65536):
            parts.append(part)


def steers(text: str) -> list[str]:
    return [one for one in text if one != "\n" and escaped(one) != one]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose names, values and fields steer terminals."""
    folder = tmp_path_factory.mktemp("terminal")
    lines = [
        json.dumps({"id": f"n{n}", "title": EVIL, f"f{EVIL[2:]}": "x", "note": "text " + EVIL, "pages": n})
        for n in range(3)
    ]
    (folder / "notes.ndjson").write_text("\n".join(lines) + f'\n{{"id": "n9", "title": {HALF}, "pages": 9}}\n', "utf-8")
    (folder / "bad.ndjson").write_text(json.dumps({"id": "b", "pages": EVIL}) + "\n" + EVIL + "\n", "utf-8")
    keyword = {"type": "keyword"}
    mapping = {
        "mappings": {
            "properties": {"id": keyword, "title": keyword, "note": {"type": "text"}, "pages": {"type": "integer"}}
        }
    }
    (folder / "mapping.json").write_text(json.dumps(mapping))
    (folder / "evil.yaml").write_text(
        "version: 1\nindex: notes\nentities:\n  note: {access: 'a\u202e\u200b =', plurl: \u2066x}\n", "utf-8"
    )
    told = on_terminal(
        "index", folder / "notes.ndjson", "--mapping", folder / "mapping.json", "--id", "id", "--data", folder / "store"
    )
    assert "4 documents in 'notes'" in told
    assert steers(told.replace("\r", "")) == []
    return folder


COMMANDS = [
    ["run", "find entries where pages >= 0 show title, note, id"],
    ["run", "count entries by title"],
    ["run", f'find entries where title = "{EVIL.replace(chr(0), "")}"'],
    ["run", f"find entries where {EVIL.replace(chr(0), '')} = 1"],
    ["run", "--csv", "find entries where pages >= 0 show title"],
    ["run", "--tz", "Mars\x1b[2J", "count entries"],
    ["run", "--cursor", "\x1b[2J", "find entries where pages > 0"],
    ["ask", f"entries called {EVIL.replace(chr(0), '')}"],
    ["explain", "find entries where pages >= 0"],
    ["check", "find entries where \u202e\x1b[2J title = 'x"],
    ["complete", 'find entries where title = "'],
    ["fmt", "find entries where title = 'a\u202eb'"],
    ["fmt", "find \x1b[2J"],
    ["run", "--bogus\x1b[2J", "x"],
    ["run", "--index", "no\x1b[2J", "count entries"],
    ["explain", '{"query": {"term": {"ti\u202etle": "\x1b[2J"}}}'],
    ["run", '{"query": {"term": {"title": "\u202e"}}}'],
]


@pytest.mark.parametrize("command", COMMANDS, ids=range(len(COMMANDS)))
def test_no_command_lets_a_value_steer_the_terminal(folder: Path, command: list[str]) -> None:
    at = [] if command[0] == "fmt" else ["--data", folder / "store"]
    told = on_terminal(command[0], *at, *command[1:])
    assert told.strip() or command[0] == "complete"
    assert steers(told) == []
    assert "Traceback" not in told


def test_json_on_a_terminal_is_still_json(folder: Path) -> None:
    found = json.loads(
        on_terminal("run", "--data", folder / "store", "--json", "find entries where pages >= 0 show title")
    )
    assert found["hits"][0]["values"]["title"] == EVIL
    assert found["hits"][-1]["values"]["title"] == "half\ufffd"


def test_a_conversation_is_shown_as_anything_else(folder: Path) -> None:
    store = folder / "conversations.sqlite"
    typed = [
        "find entries where pages >= 0 show title",
        f"how many entries called {EVIL}?",
        "\ud800",
        f":save {folder}/x\u202e.csv",
    ]
    told = on_terminal(
        "chat", "--data", folder / "store", "--store", store, "--id", "a\u202eb", typed="\n".join([*typed, ""])
    )
    assert "\\x1b[2J" in told
    assert steers(told) == []
    for command in (["show", "a\u202eb"], ["list"], ["show", "no\x1b[2J"], ["show", "--json", "a\u202eb"]):
        assert steers(on_terminal("conversation", command[0], "--store", store, *command[1:])) == []


def test_files_are_reported_as_anything_else(folder: Path) -> None:
    for command in (
        ["index", folder / "bad.ndjson", "--data", folder / "other", "--mapping", folder / "mapping.json"],
        ["index", folder / "no\x1b[2J.ndjson", "--data", folder / "other"],
        ["catalog", "check", folder / "evil.yaml", "--mapping", folder / "mapping.json"],
        ["catalog", "draft", "--data", folder / "store"],
        ["prompt", "--data", folder / "store", f"what is called {EVIL.replace(chr(0), '')}"],
    ):
        told = on_terminal(*command)
        assert told.strip()
        assert steers(told.replace("\r", "")) == []


def test_a_pipe_gets_the_values_as_they_are(folder: Path) -> None:
    command = [sys.executable, "-m", "qlc.cli.main", "run", "--data", str(folder / "store"), 'get entry("n1").note']
    told = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8")
    assert EVIL in told


def test_the_log_of_a_command_is_escaped(folder: Path) -> None:
    log = folder / "log.txt"
    run = [sys.executable, "-m", "qlc.cli.main", "run"]
    command = [*run, "--url", "http://127.0.0.1:9", "--index", "a\u202eb", "count entries"]
    subprocess.run(command, capture_output=True, check=False, env={**os.environ, "QLC_LOG": str(log)})
    assert log.read_text("utf-8")
    assert steers(log.read_text("utf-8")) == []
