"""`qlc ui`: what it serves for each thing that it is given, where it puts a corpus, and when it opens a browser."""

import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import openpyxl
import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.cli.main import main
from qlc.cli.page import _listed, _listening, _stored
from qlc.cli.settings import Page
from tests import tables
from tests.corpora import written
from tests.service.test_serving import serving

LEASE = "Lease\n\nThe tenant of Mill Lane 4 is Ada Byron. The notice period of the lease is 3 months.\n"
MINUTES = "Minutes of the board\n\nThe board approved the new roof. The roofer is Holt and Sons.\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return written(tmp_path / "files", {"lease.md": LEASE, "minutes.txt": MINUTES})


ORDERS = "Order No;Customer;Status;Placed;Amount\n" + "".join(
    f"G-{n:03};{('Ann Lind', 'Bo Chen')[n % 2]};{('open', 'paid', 'late')[n % 3]};2025-0{1 + n % 9}-11;{n},50 EUR\n"
    for n in range(1, 31)
)  # fmt: skip
VISITS = "Visitor,Day\n" + "".join(f"{('Ann', 'Bo')[n % 2]},0{n}/0{1 + n % 5}/2025\n" for n in range(1, 9))
INVOICE = [["Invoice 17"], ["To: Ann Lind"], ["Mill Lane 4"], ["Date: 4 May 2025"], [], ["Item", "Price"],
           ["Spade", 12.5], ["Rake", 9.75], ["Total", 22.25]]  # fmt: skip


def workbook(path: Path, visible: list[list[Any]], hidden: str = "") -> None:
    book = openpyxl.Workbook()
    sheets = [book.worksheets[0], *([book.create_sheet(hidden)] if hidden else [])]
    for sheet in sheets:
        for row in visible:
            sheet.append(row)
    sheets[0].title = "Tickets"
    if hidden:
        sheets[1].sheet_state = "hidden"
    book.save(path)


@pytest.fixture
def mixed(files: Path) -> Path:
    """Papers, tables, a form, and files that cannot be loaded."""
    (files / "orders.csv").write_text(ORDERS, "utf-8")
    (files / "visits.csv").write_text(VISITS, "utf-8")
    workbook(files / "tickets.xlsx", [["Ticket", "Hours"], *([f"T-{n}", n / 2] for n in range(1, 21))], "Pay")
    workbook(files / "invoice.xlsx", INVOICE)
    (files / "broken.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    return files


@contextmanager
def shown(tmp_path: Path, *options: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`qlc ui` with a state folder of its own."""
    state = str(tmp_path / "state")
    with serving(*options, command="ui", XDG_STATE_HOME=state, QLC_URL="", QLC_DATA="", **variables) as served:
        yield served


def passages(address: str, text: str) -> list[str]:
    program = f'find passages where about "{text}" by words show file'
    found: Any = httpx.post(f"{address}/v1/run", json={"program": program}, timeout=60).json()
    assert found["kind"] == "hits", found
    return [hit["values"]["file"][0] for hit in found["hits"]]


def test_a_folder_of_files_is_served_and_not_written_to(files: Path, tmp_path: Path) -> None:
    before = sorted(files.iterdir())
    with shown(tmp_path, str(files), "--no-browser") as (process, address):
        assert address.startswith("http://127.0.0.1:")
        assert passages(address, "roofer") == ["minutes.txt"]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130, -signal.SIGINT)
    assert sorted(files.iterdir()) == before
    (made,) = (tmp_path / "state/qlc/corpora").iterdir()
    assert made.parent.stat().st_mode & 0o077 == 0

    (files / "minutes.txt").unlink()
    (files / "rent.txt").write_text("The rent is due on the first.\n", "utf-8")
    with shown(tmp_path, str(files), "--no-browser") as (_, address):
        assert passages(address, "rent") == ["rent.txt"]
        assert passages(address, "roofer") == []
    assert [*(tmp_path / "state/qlc/corpora").iterdir()] == [made]


def said(address: str, talk: str, text: str) -> Any:
    turn = httpx.post(f"{address}/v1/conversations/{talk}/turns", json={"text": text}, timeout=120).json()
    return turn["outcomes"][-1]


def test_tables_and_papers_of_a_folder_are_asked_together(mixed: Path, tmp_path: Path) -> None:
    with shown(tmp_path, str(mixed), "--no-browser") as (_, address):
        found = httpx.get(f"{address}/v1/overview", timeout=60).json()["found"]
        assert found["name"] == "files"
        assert [(one["name"], one["rows"], one["columns"]) for one in found["tables"]] == [
            ("orders", 30, ["Order No", "Customer", "Status", "Placed", "Amount"]),
            ("tickets", 20, ["Ticket", "Hours"]), ("visits", 8, ["Visitor", "Day"]),
        ]  # fmt: skip
        assert found["tables"][1]["notes"] == ["the hidden sheet 'Pay' is left out"]
        assert "--set Day=date:dmy" in found["tables"][2]["notes"][0]
        assert found["papers"]["documents"] == 3  # the invoice is a form
        assert [one["file"] for one in found["unread"]] == ["broken.xlsx"]

        starters = httpx.get(f"{address}/v1/starters", timeout=120).json()["questions"]
        assert [one["kind"] for one in starters] == ["list", "count", "group", "latest", "value", "quote"]
        talk = httpx.post(f"{address}/v1/conversations", timeout=60).json()["id"]
        answers = [said(address, talk, one["text"]) for one in starters]
        has_answer = {"hits", "count", "aggregate", "value", "answer", "passages"}
        assert {one["kind"] for one in answers} <= has_answer, answers

        counted = said(address, talk, "how many orders are there?")
        assert (counted["value"], counted["notes"]) == (30, ["Asked of orders."])
        assert said(address, talk, "only the late ones")["value"] == 10
        lease = said(address, talk, "What is the notice period of the lease?")
        assert "3 months" in str(lease["claims"] if lease["kind"] == "answer" else lease["passages"])
        assert said(address, talk, "orders per status")["kind"] == "aggregate"
        other = said(address, talk, "orders that smell of the sea")
        assert other["message"].startswith("I did not understand 'smell'")
        assert other["notes"][-1] == "The papers do not answer it either."

        for text, stage in ("orders per status", "translation"), ("What is the notice period of the lease?", "routes"):
            assert stage in httpx.post(f"{address}/v1/explain", json={"text": text}, timeout=60).json()
        asked = httpx.post(f"{address}/v1/ask", json={"text": "orders of Bo Chen", "size": 2}, timeout=60).json()
        assert (asked["total"], asked["notes"]) == (15, ["Asked of orders."])
        more = {"text": "orders of Bo Chen", "size": 2, "cursor": asked["cursor"]}
        assert httpx.post(f"{address}/v1/ask", json=more, timeout=60).json()["ids"] != asked["ids"]


def test_a_table_is_enough_and_says_how_its_dates_are_written(mixed: Path, tmp_path: Path) -> None:
    visits = str(mixed / "visits.csv")
    for given, first in ("Day=date:dmy", "2025-01-05"), ("Day=date:mdy", "2025-01-02"):
        with shown(tmp_path, visits, "--set", given, "--no-browser") as (_, address):
            (table,) = httpx.get(f"{address}/v1/overview", timeout=60).json()["found"]["tables"]
            assert table["notes"] == []
            asked = httpx.post(f"{address}/v1/ask", json={"text": "the first visit"}, timeout=60).json()
            assert asked["hits"][0]["values"]["day"].startswith(first), asked


def test_nothing_of_ones_own_files_is_confidential_by_its_name(tmp_path: Path) -> None:
    rows = "Full Name,Department,Annual Salary\nAda Ash,Sales,50000\nBen Birch,HR,60000\n"
    (tmp_path / "workers.csv").write_text(rows)
    with shown(tmp_path, str(tmp_path / "workers.csv"), "--no-browser") as (_, address):
        asked = httpx.post(f"{address}/v1/ask", json={"text": "average salary by department"}, timeout=60).json()
        assert asked["query"] == "avg(annual_salary) of workers by department"


def test_what_is_gone_from_a_folder_is_no_longer_asked(
    mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    page = Page(paths=[str(mixed)])
    listed = _listed(page)
    assert listed is not None
    first = _stored(page, listed)
    assert first["corpus"]
    for name in ("orders.csv", "lease.md", "minutes.txt", "invoice.xlsx"):
        (mixed / name).unlink()
    listed = _listed(page)
    assert listed is not None
    then = _stored(page, listed)
    assert [one.name for one in then["found"].tables] == ["tickets", "visits"]
    assert then["data"] == first["corpus"]
    assert not qlc.Corpus.exists(then["data"])


def test_a_corpus_that_is_named_keeps_its_other_files(files: Path, tmp_path: Path) -> None:
    other = tmp_path / "memo.txt"
    other.write_text("The memo is about parking.\n", "utf-8")
    with qlc.Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(other, processes=1)
    named = str(tmp_path / "corpus")
    with shown(tmp_path, str(files), "--no-browser", "--into", named) as (_, address):
        assert passages(address, "parking") == ["memo.txt"]
        assert passages(address, "roofer") == ["minutes.txt"]
    with shown(tmp_path, named, "--no-browser") as (_, address):
        assert passages(address, "roofer") == ["minutes.txt"]
    assert not (tmp_path / "state/qlc/corpora").exists()


@pytest.fixture
def browser(tmp_path: Path) -> tuple[str, Path]:
    """A value for $BROWSER, and the file to which its program writes the address that it is given."""
    if sys.platform == "win32":
        pytest.skip("the browser of the test is a shell script")
    seen, program = tmp_path / "seen", tmp_path / "browser"
    program.write_text(f'#!{shutil.which("sh")}\necho "$1" > {seen}.new && mv {seen}.new {seen}\n')
    program.chmod(0o755)
    return f"{program} %s", seen


def test_a_folder_of_the_engine_without_a_browser(tmp_path: Path, browser: tuple[str, Path]) -> None:
    with qlc.connect(tmp_path / "data") as client:
        client.index(index="cities", document={"name": "Ulm"}, refresh=True)
    with shown(tmp_path, str(tmp_path / "data"), "--no-browser", BROWSER=browser[0]) as (_, address):
        counted = httpx.post(f"{address}/v1/run", json={"program": "count cities"}, timeout=60).json()
        assert counted["value"] == 1
        time.sleep(2)
    assert not browser[1].exists()


def test_the_browser_is_opened(tmp_path: Path, browser: tuple[str, Path]) -> None:
    command, seen = browser
    with shown(tmp_path, "--demo", BROWSER=command) as (_, address):
        assert httpx.get(f"{address}/", timeout=60).status_code == 200
        end = time.monotonic() + 20
        while time.monotonic() < end and not seen.exists():
            time.sleep(0.05)
        assert seen.read_text() == f"{address}/\n"


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port}"):
            _listening(port)
    with _listening(None) as first, _listening(None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]


@pytest.mark.parametrize(("options", "said"), tables.rows(__file__, "test_what_it_refuses"))
def test_what_it_refuses(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("QLC_URL", raising=False)
    monkeypatch.delenv("QLC_DATA", raising=False)
    for _ in range(2):  # also where the tables are stored
        assert main(["ui", "--port", "0", *options]) == 2
        assert said in capsys.readouterr().err


def test_a_folder_without_files_makes_no_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "empty").mkdir()
    assert main(["ui", "--port", "0", str(tmp_path / "empty")]) == 2
    assert "has no files that could be asked" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()


def test_a_state_folder_that_cannot_be_made(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").write_text("a file in its place", "utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert main(["ui", "--port", "0", str(files)]) == 2
    assert "--into STORE names another place" in capsys.readouterr().err


def test_extras_that_are_missing_are_named_at_once(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = {"fastapi", "pypdfium2"}
    monkeypatch.setattr("qlc.base.extras.find_spec", lambda name: None if name in missing else name)
    assert main(["ui", "--port", "0", str(files)]) == 2
    assert 'pip install "qlc-search[serve,corpus]"' in capsys.readouterr().err
    assert main(["ui", "--port", "0", "--into", "x"]) == 2
    assert 'pip install "qlc-search[serve]"' in capsys.readouterr().err
