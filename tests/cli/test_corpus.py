"""`qlc corpus`, and `--corpus` of the commands that ask."""

import json
import shutil
import sys
from io import StringIO
from pathlib import Path

import pytest
import yaml

from qlc.cli import meter
from tests.docs.pages import ROOT
from tests.tables import rows

from .conftest import Command, process

EXAMPLES = ROOT / "examples"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of the files in `examples`."""
    folder = tmp_path_factory.mktemp("corpus") / "library"
    ended = process(
        ["corpus", "add", str(folder), str(EXAMPLES / "library"), "--schema", str(EXAMPLES / "library.yaml")]
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == f"qlc: created the corpus '{folder}'\n"
    assert ended.stdout.splitlines()[:2] == [
        "Files: 16 added, 1 of them with the same content as another.",
        "3 files without text:",
    ]
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> str:
    """A corpus that a test may change."""
    return str(shutil.copytree(made, tmp_path / "library"))


def test_the_status_lists_buckets_fields_and_problems(made: Path, qlc: Command) -> None:
    shown = qlc("corpus", "status", str(made))
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0] == "19 documents, 30 passages."
    assert "contracts: 7 documents, 5 with text" in lines
    assert "  notice: known in 5 of 5" in lines
    assert "  notes/empty.txt: The file is empty. (empty)" in lines
    status = qlc("corpus", "status", str(made), "--json").json
    assert status["buckets"]["invoices"]["fields"]["total"] == {
        "known": 3, "disputed": 0, "lacking": 0, "files": [],
    }  # fmt: skip
    assert {one["reason"] for one in status["problems"]} == {"encrypted", "damaged", "empty"}


def test_a_document_is_shown_with_the_places_of_its_values(made: Path, qlc: Command) -> None:
    assert qlc("corpus", "show", str(made), "invoices/INV-1001.pdf").out.splitlines()[-2:] == [
        '  items: Winter tyre 205/55 R16 | 4 | EUR 476.00 (page 1, "Winter tyre 205/55 R16 4 EUR 476.00")',
        '  items: Fitting and balancing | 4 | EUR 60.00 (page 1, "Fitting and balancing 4 EUR 60.00")',
    ]
    shown = qlc("corpus", "show", str(made), "contracts/acme_services.pdf", "--json").json
    assert (shown["title"], shown["state"], shown["pages"]) == ("Master Services Agreement", "ready", 2)
    (cap,) = (place for place in shown["places"] if place["field"] == "liability_cap")
    assert (cap["value"], cap["page"], cap["quote"]) == ("250,000.00 EUR", 1, "Liability cap: EUR 250,000.00")
    assert qlc("corpus", "show", str(made), "contracts/none.pdf").code == 4


def test_values_that_disagree_are_listed(library: str, qlc: Command, tmp_path: Path) -> None:
    (tmp_path / "files/contracts").mkdir(parents=True)
    text = "# Lease\n\nNotice period: 5 days\n\nNotice period: 6 days\n"
    (tmp_path / "files/contracts/two.md").write_text(text, "utf-8")
    qlc("corpus", "add", library, str(tmp_path / "files"))
    lines = qlc("corpus", "status", library).out.splitlines()
    at = lines.index("1 document with values that are left out:")
    assert lines[at + 1 : at + 3] == [
        '  contracts/two.md: notice: 5 (page 1, "Notice period: 5 days"), left out: another place says otherwise',
        '  contracts/two.md: notice: 6 (page 1, "Notice period: 6 days"), left out: another place says otherwise',
    ]


def test_a_search_shows_passages_below_their_places(made: Path, qlc: Command) -> None:
    shown = qlc("corpus", "search", str(made), "bleed the pump", "--limit", "1")
    assert shown.code == 0
    place, *text = shown.out.splitlines()
    assert place == "1. manuals/B-120_maintenance.pdf, page 2 - 3. Cooling"
    assert any("The pump is bled at the upper valve" in line for line in text)
    where = ("--where", 'bucket = "contracts" and document.party = "Corvid Systems"', "--json")
    hits = qlc("corpus", "search", str(made), "maintenance", *where).json["hits"]
    assert [hit["values"]["file"] for hit in hits] == [["contracts/corvid_hosting.html"]]


@pytest.mark.parametrize(("arguments", "code", "told"), rows(__file__, "test_a_search_that_is_wrong"))
def test_a_search_that_is_wrong(made: Path, qlc: Command, arguments: list[str], code: int, told: str) -> None:
    shown = qlc("corpus", "search", str(made), "pump", *arguments)
    assert shown.code == code, shown
    assert told in shown.out + shown.err


COUNTED = """2 contracts. [1] [2]
[1] contracts/acme_services.pdf, page 1: "Supplier: ACME Corp"
[2] contracts/acme_supply.md, page 1: "Supplier: ACME Corp"
Note: Read as: contracts where party contains "ACME Corp".
Note: 2 files could not be read, and may belong to this: contracts/cut_off.pdf and contracts/locked.pdf.
"""


@pytest.mark.parametrize(
    ("command", "query", "answer"),
    [
        ("run", 'count invoices where items[description contains "tyre" and quantity >= 4]', "1 invoice.\n"),
        ("ask", "how many contracts with ACME Corp", COUNTED),
        ("run", 'get contract("Hosting Agreement").notice', "14 days.\n"),
        ("check", "count datasheets where width > 1 m", "count datasheets where width > 1 m\n"),
    ],
)
def test_other_commands_ask_a_corpus(made: Path, qlc: Command, command: str, query: str, answer: str) -> None:
    shown = qlc(command, query, "--corpus", str(made))
    assert (shown.code, shown.out) == (0, answer)


NOTICE = "What is the notice period?"


def test_a_file_that_may_not_be_opened_is_not_called_damaged(
    qlc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "a.md").write_text("text", "utf-8")
    monkeypatch.setattr("qlc.corpus.adding.opened", refused)
    added = qlc("corpus", "add", str(tmp_path / "corpus"), str(tmp_path / "a.md"), "--processes", "1")
    assert "a.md: The file cannot be opened: its permissions forbid it. (not_opened)" in added.out


def test_an_option_is_chosen_by_its_number_or_its_id(made: Path, qlc: Command) -> None:
    at = ("--corpus", str(made), "--token", "document")
    asked = qlc("ask", NOTICE, *at[:2], "--json")
    options = asked.json["options"]
    assert (asked.code, len(options)) == (3, 5)
    answers = []
    for number, option in enumerate(options, 1):
        by_number = qlc("ask", NOTICE, *at, "--choose", str(number))
        assert by_number.code == 0
        assert by_number.out == qlc("ask", NOTICE, *at, "--choose", option["id"]).out
        assert option["label"].partition(" (")[0] in by_number.out
        answers.append(by_number.out.splitlines()[0])
    assert len({*answers}) == 5
    written = qlc("ask", NOTICE, *at, "--choose", "2", "--csv")
    assert written.out.splitlines()[0] == "statement,file,page,quote"
    assert answers[1].removesuffix(" [1]") in written.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--choose", "6", "--token", "document"), "--choose 6: the question has the options 1 to 5"),
        (("--choose", "0", "--token", "document"), "--choose 0: the question has the options 1 to 5"),
        (("--choose", "1"), "--choose answers the clarification that --token names: give both, as its last line does"),
        (("--csv", "--json"), "give --json, --csv, --ndjson or --export, not two of them"),
    ],
)
def test_a_choice_that_is_none(made: Path, qlc: Command, arguments: tuple[str, ...], told: str) -> None:
    shown = qlc("ask", NOTICE, "--corpus", str(made), *arguments)
    assert (shown.code, shown.out, shown.err) == (2, "", f"qlc: {told}\n")


def test_a_choice_of_another_question_asks_again(made: Path, qlc: Command) -> None:
    shown = qlc("ask", NOTICE, "--corpus", str(made), "--choose", "1", "--token", "field")
    assert (shown.code, shown.err) == (3, "qlc: --token field is not of the clarification below\n")
    assert shown.out.splitlines()[-2] == "Choose with --choose NUMBER --token document"


def test_amounts_of_a_list_have_their_currency(made: Path, qlc: Command) -> None:
    listed = qlc("ask", "List all invoices", "--corpus", str(made)).out
    assert all(one in listed for one in ("EUR 536.00", "GBP 370.00", "EUR 360.00"))
    assert "total_currency" not in listed
    in_euros = qlc("ask", "invoices over EUR 400", "--corpus", str(made)).out
    assert "EUR 536.00" in in_euros
    assert "GBP" not in in_euros
    assert "'total' is in EUR and GBP" in qlc("ask", "invoices over 100", "--corpus", str(made)).out


def test_a_list_that_is_too_long_is_chosen_from_or_written(qlc: Command, tmp_path: Path) -> None:
    (tmp_path / "files/notes").mkdir(parents=True)
    for number in range(120):
        text = f"# Note {number}\n\nColour: {'red' if number % 12 else 'blue'}\n"
        (tmp_path / f"files/notes/{number}.md").write_text(text, "utf-8")
    (tmp_path / "corpus.yaml").write_text(
        "version: 1\nname: c\nbuckets:\n  notes:\n    fields:\n      colour: {type: name, labels: [Colour]}\n", "utf-8"
    )
    corpus = str(tmp_path / "corpus")
    qlc("corpus", "add", corpus, str(tmp_path / "files"), "--schema", str(tmp_path / "corpus.yaml"))
    asked = qlc("ask", "List all notes", "--corpus", corpus)
    assert asked.code == 3
    assert asked.out.startswith("There are 120 notes.")
    assert "or write all with --csv or --ndjson" in asked.out
    assert len(qlc("ask", "List all notes", "--corpus", corpus, "--csv").out.splitlines()) == 121
    options = qlc("ask", "List all notes", "--corpus", corpus, "--json").json["options"]
    red = next(number for number, one in enumerate(options, 1) if "red" in one["label"])
    chosen = ("ask", "List all notes", "--corpus", corpus, "--choose", str(red), "--token", "overload")
    assert "110 notes. 100 shown." in qlc(*chosen).out
    assert qlc(*chosen, "--all").out.count("/") == 110


@pytest.mark.parametrize(("command", "said"), rows(__file__, "test_access_rules_of_a_catalog_hold"))
def test_access_rules_of_a_catalog_hold(
    made: Path, qlc: Command, tmp_path: Path, command: list[str], said: str | None
) -> None:
    catalog = yaml.safe_load(qlc("corpus", "catalog", str(made)).out)
    catalog["entities"]["contract"]["access"] = "party in $parties"
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(catalog), "utf-8")
    limited = ["--catalog", str(tmp_path / "own.yaml")]
    at = ["--corpus", str(made)] if command[0] != "corpus" else [str(made)]
    arguments = [*command[:2], *at, *command[2:]]
    shown = qlc(*arguments, *limited, "--context", 'parties=["ACME Corp"]')
    assert said is None or said in shown.out
    assert not any(one in shown.out + shown.err for one in ("Facility", "Corvid", "borden_", "corvid_"))
    without = qlc(*arguments, *limited)
    assert without.code in (2, 5)
    assert "needs 'parties' of the caller" in without.out + without.err


def test_a_chat_and_an_evaluation_have_access_rules(made: Path, qlc: Command, tmp_path: Path) -> None:
    catalog = yaml.safe_load(qlc("corpus", "catalog", str(made)).out)
    catalog["entities"]["contract"]["access"] = "party in $parties"
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(catalog), "utf-8")
    limited = ["--corpus", str(made), "--catalog", str(tmp_path / "own.yaml"), "--context", 'parties=["ACME Corp"]']
    talk = process(["chat", *limited], "how many contracts are there?\nwhich ones?\nquote it\n")
    assert "2 contracts." in talk.stdout
    assert "borden" not in talk.stdout.lower()
    (tmp_path / "q.jsonl").write_text('{"id": "1", "question": "List all contracts"}\n', "utf-8")
    qlc("eval", str(tmp_path / "q.jsonl"), *limited, "--answers", str(tmp_path / "out.jsonl"))
    (answer,) = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    assert len(answer["files"]) == 2


def test_a_catalog_can_have_another_index_beside_the_corpus(library: str, qlc: Command, tmp_path: Path) -> None:
    tickets = [{"id": str(at), "subject": f"Pump {at}", "state": state} for at, state in enumerate(["open", "shut"])]
    (tmp_path / "tickets.ndjson").write_text("\n".join(map(json.dumps, tickets)), "utf-8")
    fields = {name: {"type": "keyword"} for name in ("id", "subject", "state")}
    (tmp_path / "mapping.json").write_text(json.dumps({"mappings": {"properties": fields}}), "utf-8")
    qlc("index", str(tmp_path / "tickets.ndjson"), "--mapping", str(tmp_path / "mapping.json"), "--data", library)
    catalog = yaml.safe_load(qlc("corpus", "catalog", library).out)
    shown = {"id": "id", "subject": "subject", "state": {"path": "state", "values": ["open", "shut"]}}
    catalog["entities"]["ticket"] = {"index": "tickets", "id": "id", "names": ["subject"], "fields": shown}
    (tmp_path / "both.yaml").write_text(yaml.safe_dump(catalog), "utf-8")
    both = ["--corpus", library, "--catalog", str(tmp_path / "both.yaml")]
    assert qlc("ask", "how many open tickets are there?", *both).out == "1 ticket.\n"
    assert qlc("ask", "how many contracts with ACME Corp", *both).out == COUNTED
    talk = process(["chat", *both], "how many contracts with ACME Corp?\nhow many open tickets are there?\n").stdout
    assert "2 contracts." in talk
    assert "1 ticket." in talk


def test_a_catalog_of_the_environment_is_not_for_a_corpus(
    made: Path, qlc: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QLC_CATALOG", "drive")
    assert qlc("ask", "how many contracts are there?", "--corpus", str(made)).code == 0
    assert "index" in qlc("ask", "contracts", "--corpus", str(made), "--catalog", "drive").err


def test_the_catalog_that_is_printed_is_one(made: Path, qlc: Command, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(qlc("corpus", "catalog", str(made)).out, "utf-8")
    checked = qlc("catalog", "check", str(tmp_path / "own.yaml"), "--data", str(made))
    assert (checked.code, checked.out.splitlines()[0]) == (0, "own.yaml: fine")
    counted = qlc("run", "count datasheets", "--catalog", str(tmp_path / "own.yaml"), "--data", str(made))
    assert counted.out == "4 datasheets.\n"


def test_files_are_added_again_and_removed(library: str, qlc: Command, tmp_path: Path) -> None:
    files = str(shutil.copytree(EXAMPLES / "library", tmp_path / "files"))
    assert qlc("corpus", "add", library, files, "--json").json["unchanged"] == 19
    (tmp_path / "files/notes/travel_policy.md").write_text("# Travel policy\n\nNobody travels.\n", "utf-8")
    (tmp_path / "files/notes/doors.eml").unlink()
    again = qlc("corpus", "add", library, files, "--prune")
    assert again.out.startswith("Files: 1 added, 17 unchanged, 1 replacing an older version, 1 dropped.\n")
    assert qlc("corpus", "remove", library, "invoices/*").out == "3 files removed.\n"
    gone = qlc("corpus", "remove", library, "invoices/*")
    assert (gone.code, gone.out) == (4, "The corpus has no such file: nothing is removed.\n")
    assert qlc("run", "count invoices", "--corpus", library).out.startswith("0 invoices.\n")
    assert qlc("corpus", "remove", library).code == 2
    assert qlc("corpus", "remove", library, "--all").out.endswith("with its 15 documents is deleted.\n")
    assert qlc("corpus", "status", library).err == (
        f"qlc: there is no corpus '{library}'; create it first: qlc corpus add {library} FOLDER\n")


def test_without_a_schema_folders_are_buckets(qlc: Command, tmp_path: Path) -> None:
    for folder in ("Lab Reports", "documents", "2024"):
        (tmp_path / "files" / folder).mkdir(parents=True)
        (tmp_path / "files" / folder / "a.txt").write_text(f"A text in {folder}.", "utf-8")
    corpus = str(tmp_path / "c")
    assert qlc("corpus", "create", corpus).code == 0
    files = str(tmp_path / "files")
    added = qlc("corpus", "add", corpus, files)
    assert added.code == 0
    assert f"  qlc corpus add {corpus} {files} --schema corpus.yaml\n" in added.out
    assert qlc("run", "count lab_reports", "--corpus", corpus).out == "1 lab report.\n"
    assert qlc("run", 'count documents where bucket = "generic"', "--corpus", corpus).out == "2 documents.\n"


@pytest.mark.parametrize(("arguments", "told"), rows(__file__, "test_wrong_usage"))
def test_wrong_usage(
    qlc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("full", "more/full"):
        Path(name).mkdir(parents=True)
        Path(name, "a.txt").write_text("A text.", "utf-8")
    Path("wrong.yaml").write_text("version: 1\nbuckets:\n  a:\n    fieldz: {}\n", "utf-8")
    Path("documents.yaml").write_text("version: 1\nbuckets:\n  documents: {}\n", "utf-8")
    shown = qlc("corpus", *arguments)
    assert shown.code == 2
    assert told in shown.err
    assert shown.out == ""
    assert not Path("new/engine.sqlite3").exists() or arguments[0] == "add"


def test_an_extra_that_is_missing_is_named(qlc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from qlc.base import extras

    monkeypatch.setattr(extras, "find_spec", lambda name: None if name in ("docx", "pint") else sys)
    shown = qlc("corpus", "create", str(tmp_path / "c"))
    assert shown.code == 2
    assert shown.err == 'qlc: a corpus needs docx, pint, not installed here: pip install "qlc-search[corpus]"\n'


def test_the_meter_shows_how_far_a_run_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QLC_PROGRESS")
    shown: StringIO = StringIO()
    shown.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", shown)
    shows = meter.Meter("files")
    shows.show(2, 2, "a.pdf")
    shows.end()
    bar, _, cleared = shown.getvalue().lstrip("\r").partition("\r")
    assert bar.startswith(f"[{'#' * meter.BAR}] 2 of 2 files, ")
    assert bar.endswith("  a.pdf")
    assert cleared.strip() == ""


def test_files_without_a_corpus_yaml_get_the_fields_that_they_seem_to_have(tmp_path: Path, qlc: Command) -> None:
    (tmp_path / "files" / "pumps").mkdir(parents=True)
    for number in range(1, 5):
        text = f"Pump {number}\n\nHead: {number}0 m\nBody: steel\nName: Torrent {number}\nDelivery: {number} days\n"
        (tmp_path / "files" / "pumps" / f"{number}.txt").write_text(text)
    added = qlc("corpus", "add", str(tmp_path / "made"), str(tmp_path / "files"))
    assert "there is no corpus.yaml" in added.err
    assert "qlc: there is no corpus.yaml, so the corpus has the " in added.err
    assert "fields that its files seem to have. To see and change them:" in added.err
    assert "unit: days" in qlc("corpus", "draft", str(tmp_path / "files")).out
    counted = qlc("run", "--corpus", str(tmp_path / "made"), 'count pumps where head > 20 m and name = "Torrent 4"')
    assert (counted.code, counted.out.strip()) == (0, "1 pump.")
    assert "Pump 3" in qlc("corpus", "search", str(tmp_path / "made"), "Torrent 3").out


def test_an_evaluation_compares_citations_with_the_right_ones(made: Path, qlc: Command, tmp_path: Path) -> None:
    questions, gold, out = (tmp_path / name for name in ("q.jsonl", "g.jsonl", "out.jsonl"))
    asked = {"id": "1", "question": "What is the notice period of the Borden contract?"}
    questions.write_text(json.dumps(asked) + "\n", "utf-8")
    qlc("eval", str(questions), "--corpus", str(made), "--answers", str(out))
    cited = json.loads(out.read_text("utf-8"))["citations"]
    gold.write_text(json.dumps({"id": "1", "citations": [*cited, {"file": "other.pdf"}]}) + "\n", "utf-8")
    judged = qlc("eval", str(questions), "--corpus", str(made), "--gold", str(gold), "--json").json["citations"]
    files = len({one["file"] for one in cited})
    assert (judged["answers"], judged["cited"], judged["citations"]) == (1, 1, len(cited))
    assert judged["files"]["precision"] == 1
    assert judged["files"]["recall"] == pytest.approx(files / (files + 1))
    shown = qlc("eval", str(questions), "--corpus", str(made), "--gold", str(gold)).out
    assert "cited pages: precision 1.00" in shown
