"""Every command, in the process: what it prints, where, and how it ends."""

import io
import json
import logging
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from qlc import __version__, connect
from qlc.outcome import OUTCOME
from tests import replies, tables
from tests.cli.conftest import Command, process
from tests.tables import table

pytestmark = pytest.mark.usefixtures("demo")

ENDS = tables.rows(__file__, "ENDS")


@pytest.mark.parametrize(("kind", "code", "query"), ENDS)
def test_run_ends_as_documented(qlc: Command, kind: str, code: int, query: str) -> None:
    as_json = qlc("run", "--demo", "--json", query)
    assert as_json.code == code
    assert as_json.json["kind"] == kind
    assert OUTCOME.validate_json(as_json.out).kind == kind
    as_text = qlc("run", "--demo", query)
    assert as_text.code == code
    assert as_text.out.strip()
    assert "\x1b" not in as_text.out
    assert as_text.err == as_json.err == ""


@pytest.mark.parametrize(("kind", "code", "query"), ENDS)
def test_explain_ends_like_the_run(qlc: Command, kind: str, code: int, query: str) -> None:
    ended = qlc("explain", "--demo", "--json", query)
    assert ended.code == code
    assert ended.json["outcome"]["kind"] == kind
    assert qlc("explain", "--demo", query).out.startswith("query\n")
    dry = qlc("explain", "--demo", "--dry", "--json", query)
    assert dry.code == (1 if kind == "invalid" else 0)
    assert ("requests" in dry.json) == (kind != "invalid")


def test_a_clarification_is_chosen_from(qlc: Command) -> None:
    query = 'find documents where folder = "Travel"'
    asked = qlc("run", "--demo", "--json", query).json
    for option in asked["options"]:
        ended = qlc("run", "--demo", "--json", query, "--token", asked["token"], "--choose", option["id"])
        assert ended.code == 0
        assert ended.json["kind"] == "hits"
    assert qlc("run", "--demo", query, "--choose", "x").code == 2


def test_pages(qlc: Command) -> None:
    query = 'find documents where type = "W2" sort created'
    everything = qlc("run", "--demo", "--json", "--all", query).json
    assert everything["cursor"] is None
    assert len(everything["ids"]) == everything["total"] > 10
    first = qlc("run", "--demo", "--json", "--size", "7", query).json
    second = qlc("run", "--demo", "--json", "--size", "7", "--cursor", first["cursor"], query).json
    assert [*first["ids"], *second["ids"]] == everything["ids"][:14]
    assert qlc("run", "--demo", "--cursor", "nonsense", query).code == 1


@pytest.mark.parametrize("value", ["[" * 5_000, "9" * 5_000])
@pytest.mark.parametrize("flag", ["--param", "--context"])
def test_a_value_that_is_too_large_is_a_wrong_call(qlc: Command, flag: str, value: str) -> None:
    ended = qlc("run", "--demo", "count documents", flag, f"a={value}")
    assert (ended.code, ended.err) == (2, f"qlc: {flag} a is too large or too deeply nested\n")


def test_parameters_and_context(qlc: Command) -> None:
    query = "count documents where size > $n and type = $t"
    ended = qlc("run", "--demo", "--json", query, "--param", "n=5", "--param", "$t=W2")
    assert ended.json["value"] > 0
    assert qlc("run", "--demo", query, "--param", "n=5").code == 1
    assert qlc("run", "--demo", query, "--param", "n").code == 2
    assert qlc("run", "--demo", query, "--param", "=5").code == 2
    assert qlc("run", "--demo", "count documents", "--context", "tenant").code == 2


def test_the_time_and_the_zone(qlc: Command, notes: Path) -> None:
    query = "count entries where made = yesterday"
    at = ("run", "--json", "--data", str(notes), "--index", "notes")
    assert qlc(*at, "--now", "2026-03-15T12:00:00Z", query).json["value"] == 1
    assert qlc(*at, "--now", "2026-03-15T22:00:00Z", "--tz", "Asia/Tokyo", query).json["value"] == 0
    for wrong in (("--now", "soon"), ("--tz", "Mars"), ("--tz", "America")):
        ended = qlc(*at, *wrong, query)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith("qlc: ")


def test_check(qlc: Command) -> None:
    good = qlc("check", "--demo", "find documents where bytes>5MB")
    assert good.code == 0
    assert good.out == "find documents where size > 5 MB\n"
    bad = qlc("check", "--demo", 'find documents where folderName = "Tax" and size > 5 minutes')
    assert bad.code == 1
    assert bad.out.count("error[") == 2
    notes = qlc("check", "--demo", "--json", "find documents where folderName = 1").json
    assert [note["code"] for note in notes] == ["unknown-field"]
    assert qlc("check", "--demo", "--json", "count documents").json == []


def test_check_with_a_mapping_alone(qlc: Command, tmp_path: Path) -> None:
    """Without a server: the mapping file says what there is."""
    mapping = tmp_path / "m.json"
    mapping.write_text('{"properties": {"size": {"type": "long"}}}', encoding="utf-8")
    assert qlc("check", "--mapping", str(mapping), "find entries where size > 5").code == 0
    assert qlc("check", "--mapping", str(mapping), "find entries where sice > 5").code == 1
    assert qlc("explain", "--dry", "--mapping", str(mapping), "find entries where size > 5").code == 0
    for text in ("{", "[]", '{"x": 1}'):
        mapping.write_text(text, encoding="utf-8")
        ended = qlc("check", "--mapping", str(mapping), "find entries where size > 5")
        assert ended.code == 2
        assert ended.err.startswith("qlc: ")
    assert qlc("check", "--mapping", str(tmp_path / "none.json"), "count entries").code == 2


def test_fmt(qlc: Command, tmp_path: Path) -> None:
    assert qlc("fmt", "find   documents where a=1").out == "find documents where a = 1\n"
    assert qlc("fmt", "--json", "count  x").json == {"text": "count x\n"}
    bad = qlc("fmt", "find x where")
    assert (bad.code, bad.out) == (1, "")
    assert bad.err.startswith("error[")
    assert qlc("fmt", "--json", "find x where").json["diagnostics"]
    file = tmp_path / "q.qlc"
    file.write_text("-- kept\nfind   x where a=1\n", encoding="utf-8")
    assert "-- kept" in qlc("fmt", str(file)).out
    assert qlc("fmt", "--write", str(file)).code == 0
    assert file.read_text(encoding="utf-8") == "-- kept\nfind x where a = 1\n"
    assert qlc("fmt", "--write", "count x").code == 2
    file.write_bytes(b"count \xff")
    assert qlc("fmt", str(file)).code == 2
    wide = qlc("fmt", "--width", "30", "find documents where a = 1 and b = 2 and c = 3 and d = 4").out
    assert all(len(line) <= 30 for line in wide.splitlines())


def test_complete(qlc: Command) -> None:
    told = qlc("complete", "--demo", "--json", "find documents where fol").json
    folder = next(one for one in told if one["text"] == "folder")
    assert (folder["kind"], folder["start"]) == ("field", len("find documents where "))
    assert '"Tax Documents"' in qlc("complete", "--demo", 'find documents where folder = "Tax Doc').out
    assert qlc("complete", "--demo", "--cursor", "4", "find documents").code == 0
    assert qlc("complete", "--demo", "").out


def test_standard_input(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["run", "--demo"], ["check", "--demo"], ["fmt"], ["explain", "--demo"], ["complete", "--demo"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("count documents\n"))
        ended = qlc(*arguments, "-")
        assert ended.code == 0
        assert ended.out


def test_letters_of_all_kinds(qlc: Command, notes: Path) -> None:
    at = ("--data", str(notes), "--index", "notes")
    ended = qlc("run", *at, 'find entries where title = "äpfel & öl" or title = "日本出張" show title')
    assert "Äpfel & Öl" in ended.out
    assert "日本出張" in ended.out
    raw = qlc("run", "--json", *at, 'find entries where title = "日本出張" show title').out
    assert "日本出張" in raw
    half = qlc("run", *at, 'find entries where title = "\\ud800"')
    assert half.code in (0, 1, 4)


def test_colour_is_for_terminals_without_no_color(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from qlc.cli import render

    monkeypatch.setattr(render.Style, "of", classmethod(lambda cls, _: cls("NO_COLOR" not in os.environ, 80)))
    assert "\x1b[" in qlc("run", "--demo", "count documents").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in qlc("run", "--demo", "count documents").out


def test_a_terminal_has_a_width() -> None:
    from qlc.cli.render import Style

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert Style.of(Terminal()).width is not None
    assert Style.of(io.StringIO()) == Style()


@pytest.mark.parametrize(("line", "told"), tables.rows(__file__, "WRONG"))
def test_wrong_usage_is_told_in_plain_words(
    qlc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name, text in table(__file__, "FILES").items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    if "--data store" in line or "--corpus corp" in line:
        assert qlc("index", "a.csv", "--data", "store").code == 0
    ended = qlc(*shlex.split(line))
    assert (ended.code, ended.out) in ((2, ""), (5, ""))
    assert told in ended.err
    assert not re.search(r"Traceback|\[Errno|invalid (int|float) value", ended.err)
    assert 0 < len(ended.err.splitlines()) < 5


@pytest.mark.parametrize("flag", ["url", "data", "catalog", "index", "mapping"])
def test_the_sample_store_is_not_asked_in_place_of_another(qlc: Command, flag: str) -> None:
    ended = qlc("run", "--demo", f"--{flag}", "elsewhere", "count documents")
    assert (ended.code, ended.out) == (2, "")
    assert f"leave out --{flag}, or --demo" in ended.err


def test_an_option_that_a_command_does_not_have_is_reported_with_the_help_of_that_command(qlc: Command) -> None:
    ended = qlc("index", "x.ndjson", "--indexes", "y")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "qlc index: unrecognized arguments: --indexes\n'qlc index --help' lists the options.\n"


def test_groups_of_one_name_are_told_apart(qlc: Command) -> None:
    rows = qlc("run", "--demo", "--csv", 'count documents where folder under "Business" by folder').out.splitlines()
    names = [one.rpartition(",")[0] for one in rows[1:]]
    assert "2024 (root/Business/Tax/2024)" in names
    assert len({*names}) == len(names) > 50


def test_an_index_is_named_to_be_loaded_as_it_is_to_be_asked(qlc: Command, tmp_path: Path) -> None:
    (tmp_path / "one.ndjson").write_text('{"a": 1}\n', encoding="utf-8")
    target = ("--data", str(tmp_path / "new"), "--index", "things")
    assert qlc("index", str(tmp_path / "one.ndjson"), *target).code == 0
    assert qlc("run", *target, "count entries").out == "1 entry.\n"
    missing = qlc("run", "--data", str(tmp_path / "new"), "--index", "thingz", "count entries")
    assert "there is no index 'thingz' in the folder" in missing.err


@pytest.mark.parametrize("arguments", [["run", "--index", "x", "count entries"],
                                       ["check", "--index", "x", "count entries"],
                                       ["complete", "--index", "x", "find "], ["catalog", "draft", "x"],
                                       ["catalog", "check", "drive"],
                                       ["explain", "--index", "x", "count entries"]])  # fmt: skip
def test_a_server_that_is_not_there(qlc: Command, arguments: list[str]) -> None:
    ended = qlc(*arguments, "--url", "http://127.0.0.1:9")
    assert ended.code == 5
    assert "cannot be reached" in ended.err + ended.out
    assert "Traceback" not in ended.err


def test_an_index_that_is_not_there(qlc: Command, notes: Path) -> None:
    for arguments in (["run", "count entries"], ["check", "count entries"]):
        ended = qlc(*arguments, "--index", "none", "--data", str(notes))
        assert (ended.code, "there is no index 'none' in the folder" in ended.err) == (2, True)


def test_the_environment_says_where(qlc: Command, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QLC_DATA", str(notes))
    assert qlc("run", "--index", "notes", "count entries").out == "3 entries.\n"
    assert qlc("run", "count entries").out == "3 entries.\n"


def test_the_only_index_needs_no_name(qlc: Command, notes: Path, tmp_path: Path) -> None:
    client = connect(tmp_path / "some")
    assert "there is no index yet" in qlc("run", "count entries", "--data", str(tmp_path / "some")).err
    for name in ("books", "readers"):
        client.index(index=name, document={"name": "A"}, refresh=True)
    assert qlc("run", "count readers", "--data", str(tmp_path / "some")).out == "1 reader.\n"
    for number in range(20):
        client.indices.create(index=f"more{number}")
    ended = qlc("run", "count entries", "--data", str(tmp_path / "some"))
    assert ended.code == 2
    assert "there are 22 indices (books, more0, " in ended.err
    assert "name one with --index" in ended.err


def test_version_and_help(qlc: Command) -> None:
    assert qlc("--version").out == f"qlc {__version__}\n"
    told = qlc("--help").out
    for line in ("exit codes:", "0  answered", "5  the search server"):
        assert line in told
    for command in ("run", "explain", "check", "fmt", "complete", "index", "catalog"):
        assert qlc(command, "--help").code == 0


def test_a_defect_is_no_plain_message(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("qlc.cli.formatting.fmt", broken)
    with pytest.raises(ZeroDivisionError):
        qlc("fmt", "count x")


def test_interrupted(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("qlc.cli.formatting.fmt", interrupted)
    assert qlc("fmt", "count x").code == 130


def test_the_log_goes_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    file = tmp_path / "qlc.log"
    ended = process(["run", "--index", "x", "--url", "http://127.0.0.1:9", "--json", "count entries"],
                    QLC_LOG=str(file))  # fmt: skip
    assert ended.returncode == 5
    assert json.loads(ended.stdout)["id"] in file.read_text(encoding="utf-8")
    assert logging.getLogger("qlc").level == logging.NOTSET


# --- words, and what is done with answers ----------------------------------------------------------------------------


def test_a_log_that_cannot_be_written_is_reported(
    qlc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QLC_LOG", str(tmp_path / "none" / "log"))
    ended = qlc("run", "--demo", "count documents")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("qlc: $QLC_LOG names '")


def test_the_query_that_words_became_is_for_the_eye(qlc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from qlc.cli import render

    words, query = "how many W2s are there?", 'count documents where type = "W2"'
    assert qlc("ask", "--demo", words).out == "143 documents.\n"
    assert qlc("ask", "--demo", "--json", words).json["query"] == query
    monkeypatch.setattr(render.Style, "of", classmethod(lambda cls, *_: cls(False, 80)))
    assert qlc("ask", "--demo", words).out == f"{query}\n143 documents.\n"
    # Whoever wrote the query knows it, and what became none has none.
    assert qlc("run", "--demo", query).out == "143 documents.\n"
    assert not qlc("ask", "--demo", "delete all W2s").out.startswith("\n")


def test_any_answer_as_a_file(qlc: Command) -> None:
    whole = qlc("ask", "--demo", "--csv", "receipts")
    assert (whole.code, whole.err) == (0, "")
    lines = whole.out.splitlines()
    assert lines[0].startswith("id,name,")
    assert len(lines) == 1 + qlc("ask", "--demo", "--json", "receipts").json["total"] > 900
    rows = [json.loads(line) for line in qlc("run", "--demo", "--ndjson", "count documents by type").out.splitlines()]
    assert {"type": "W2", "count": 143} in rows
    asked = qlc("ask", "--demo", "--csv", "files for Contoso")
    assert (asked.code, asked.out) == (3, "")
    assert "Which do you mean?" in asked.err
    noted = qlc("run", "--demo", "--csv", 'find documents where folder = "Tax Docments"')
    assert (noted.code, "Tax Documents" in noted.err, "Note" in noted.out) == (0, True, False)
    assert qlc("run", "--demo", "--csv", "--json", "count documents").code == 2
    pasted = qlc("run", "--demo", "--csv", '{"query": {"term": {"commonAttributes.fileExtension": "mp4"}}, "size": 4}')
    assert len(pasted.out.splitlines()) == 14


def test_csv_is_for_spreadsheets_unless_it_is_to_be_plain(notes: Path, qlc: Command, tmp_path: Path) -> None:
    lines = tmp_path / "formulas.ndjson"
    lines.write_text(json.dumps({"id": "f", "title": "=1+1", "pages": -4}) + "\n")
    assert qlc("index", str(lines), "--name", "notes", "--id", "id", "--data", str(notes)).code == 0
    query = 'find entries where id = "f" show title, pages'
    at = ("run", "--data", str(notes), "--index", "notes")
    assert qlc(*at, "--csv", query).out == "id,title,pages\nf,\"'=1+1\",-4\n"
    assert qlc(*at, "--plain-csv", query).out == "id,title,pages\nf,=1+1,-4\n"
    assert qlc(*at, "--plain-csv", "--csv", query).code == 2


@pytest.mark.parametrize("question", [
    "receipts in Meals over 100000 dollars", "how many W2s from 1999", "NDAs in Clients",
    'find documents where type = "W2" and size < 1', "find documents where size > 100 GB",
    "find documents where created > 2030-01-01",
])  # fmt: skip
def test_nothing_found_is_explained_with_queries_that_find(qlc: Command, question: str) -> None:
    told = qlc("ask", "--demo", question)
    assert told.code == 0
    lines = told.out.splitlines()
    ways = lines[lines.index("Perhaps:") + 1 :]
    assert 1 <= len(ways) <= 2
    for way in ways:
        found = qlc("ask", "--demo", "--json", way.strip()).json
        assert found.get("total") or found.get("value") or found.get("rows")


def test_several_questions_are_each_answered(qlc: Command) -> None:
    asked = qlc("ask", "--demo", "--size", "1", "Who owns Brand Assets, how many NDAs are there, and list the leases?")
    assert (asked.code, asked.out.splitlines()[:2]) == (0, ["Mei-Ling Chen.", "47 documents."])
    assert asked.out.splitlines()[2] == "40 documents. 1 shown."
    assert asked.out.splitlines()[-1] == "More: --size N or --all."
    found = qlc("ask", "--demo", "--json", "--size", "1", "how many NDAs are there, and list the leases").json
    assert (found["narrative"], found["narrated"], found["notes"]) == ("", [], [])
    assert (found["kind"], [one["kind"] for one in found["outcomes"]]) == ("several", ["count", "hits"])
    assert len(found["outcomes"][1]["ids"]) == 1
    every = qlc("ask", "--demo", "--json", "--all", "how many NDAs are there, and list the leases").json
    assert len(every["outcomes"][1]["ids"]) == 40


def test_of_several_questions_one_can_be_asked_back(qlc: Command) -> None:
    asked = qlc("ask", "--demo", "How many NDAs are there, and who owns Travel?")
    assert asked.code == 3
    assert asked.out.splitlines()[0] == "47 documents."
    assert asked.out.splitlines()[-1] == "Ask this question by itself to choose."
    assert "--token" not in asked.out


def test_a_file_is_of_one_question(qlc: Command) -> None:
    asked = qlc("ask", "--demo", "--csv", "how many NDAs are there, and list the leases")
    assert asked.code == 4
    assert "These are 2 questions." in asked.err


def test_times_of_rows_are_those_of_the_zone_that_the_query_is_read_in(qlc: Command) -> None:
    query = 'find documents where name = "Ortiz_W2_2024.pdf" and created = 2025-02-03 show created'
    utc, there = (qlc("run", "--demo", "--tz", zone, query).out for zone in ("UTC", "Asia/Tokyo"))
    assert "2025-02-03 08:20" in utc
    assert "2025-02-03 17:20" in there


def test_a_query_is_completed_with_the_options_that_it_is_run_with(qlc: Command) -> None:
    ended = qlc("complete", "--demo", "--now", "2026-03-15", "--tz", "UTC", "count documents where typ")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("type")


def test_the_command_that_is_advised_where_there_is_no_catalog_can_be_run(qlc: Command, notes: Path) -> None:
    advised = qlc("ask", "--data", str(notes), "how many notes are there?").err
    command = shlex.split(advised.partition("correct it: qlc ")[2].partition(" > ")[0])
    drafted = qlc(*command)
    assert (drafted.code, "index: notes" in drafted.out) == (0, True)


def test_an_unknown_option_is_named_without_the_query_behind_it(qlc: Command) -> None:
    ended = qlc("complete", "--demo", "--unheard", "x", "count documents")
    assert ended.err.startswith("qlc complete: unrecognized arguments: --unheard\n")


def test_outcomes_of_these_tests_are_validated_against_the_schema(qlc: Command) -> None:
    before = replies.checked
    qlc("run", "--demo", "--json", "count documents")
    assert replies.checked == before + 1
    process(["run", "--demo", "--json", "count documents"])
    assert replies.checked == before + 2
