"""`qlc eval`: what is asked, what is kept, what is told about files that cannot be used."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from qlc.outcome import OUTCOME
from tests.cli.conftest import Command
from tests.tables import table

pytestmark = pytest.mark.usefixtures("demo")

QUESTIONS: list[dict[str, Any]] = table(__file__, "QUESTIONS")
GOLD: list[dict[str, Any]] = table(__file__, "GOLD")


def written(path: Path, lines: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, Path]:
    return written(tmp_path / "q.jsonl", QUESTIONS), written(tmp_path / "g.jsonl", GOLD), tmp_path / "a.jsonl"


def kept(path: Path) -> dict[str, Any]:
    return {line["id"]: line for line in map(json.loads, path.read_text("utf-8").splitlines())}


def test_answers_are_counted_and_kept(qlc: Command, files: tuple[str, str, Path]) -> None:
    questions, gold, answers = files
    ended = qlc("eval", questions, "--gold", gold, "--answers", str(answers), "--demo", "--json", "--rules-only")
    assert (ended.code, ended.err) == (0, "")
    assert ended.json["questions"] == {"n": 6, "right": 3, "declined": 1, "wrong": 2}
    assert ended.json["conversations"] == {"n": 1, "right": 1, "declined": 0, "wrong": 0}
    assert ended.json["turns"] == {"n": 7, "right": 4, "declined": 1, "wrong": 2}
    assert ended.json["categories"]["count"] == {"n": 2, "right": 1, "declined": 1, "wrong": 0}
    assert ended.json["categories"]["from the gold"]["wrong"] == 1
    assert (ended.json["wrong"], ended.json["declined"]) == (["q2", "q3"], ["q5"])
    assert ended.json["asked_back"] == 1
    found = kept(answers)
    assert list(found) == ["q1", "q2", "q3", "q4", "q5", "c1"]
    for line in found.values():
        for outcome in line.get("outcomes", [line.get("outcome")]):
            assert OUTCOME.validate_python(outcome).kind == outcome["kind"]
    assert [one["value"] for one in found["c1"]["outcomes"]] == [510, 5947]


def test_a_right_answer_may_be_a_program(qlc: Command, files: tuple[str, str, Path], tmp_path: Path) -> None:
    right = [{"id": "q2", "program": "find documents where folder = \"Tax Documents\" and type = \"W2\""}]
    right.append({"id": "c1", "turns": [{"program": "count folders"}, {"program": "count entries"}]})
    lines = {line["id"]: line for line in [*GOLD, *right]}
    path = written(tmp_path / "p.jsonl", list(lines.values()))
    ended = qlc("eval", files[0], "--gold", path, "--demo", "--json", "--rules-only")
    assert (ended.code, ended.err) == (0, "")
    assert (ended.json["wrong"], ended.json["wrong_turns"]) == (["q3", "c1"], ["c1:2"])


def test_hits_are_complete_unless_the_program_has_a_limit(qlc: Command, files: tuple[str, str, Path]) -> None:
    questions, _, answers = files
    assert qlc("eval", questions, "--answers", str(answers), "--demo").code == 0
    found = kept(answers)
    whole = found["q2"]["outcome"]
    assert len(whole["ids"]) == len(set(whole["ids"])) == whole["total"] == 17
    assert (len(whole["hits"]), whole["cursor"]) == (10, None)
    assert len(found["q3"]["outcome"]["ids"]) == 2


def test_the_table_is_for_people(qlc: Command, files: tuple[str, str, Path]) -> None:
    questions, gold, _ = files
    told = qlc("eval", questions, "--gold", gold, "--demo").out
    lines = [line.split() for line in told.splitlines()]
    assert ["category", "n", "right", "declined", "wrong", "right", "%", "wrong", "%"] in lines
    assert ["all", "questions", "6", "3", "1", "2", "50.0", "33.3"] in lines
    assert ["all", "turns", "7", "4", "1", "2", "57.1", "28.6"] in lines
    assert "1 of the declined turns ask which reading is meant." in told
    assert "wrong: q2 q3\n" in told
    assert "declined: q5\n" in told
    assert "q2: W2s in Tax Documents\n  expected: hits {\"ids\": [\"x\"]" in told
    assert "  came out: find documents where type = \"W2\" and folder = \"Tax Documents\"  (17 documents." in told
    unjudged = [line.split() for line in qlc("eval", questions, "--demo").out.splitlines()]
    assert ["count", "3"] in unjudged
    assert ["hits", "2"] in unjudged


def test_progress_is_shown_on_a_terminal(
    qlc: Command, files: tuple[str, str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.delenv("QLC_PROGRESS")
    assert qlc("eval", files[0], "--demo", "--json", "--rules-only").code == 0
    drawn = terminal.getvalue()
    assert "6 of 6" in drawn
    assert f"[{'#' * 24}] 6 of 6" in drawn
    assert drawn.endswith(" \r")
    assert "#" not in qlc("eval", files[0], "--demo", "--json", "--rules-only").out


def test_what_is_answered_is_not_asked_again(qlc: Command, files: tuple[str, str, Path]) -> None:
    """A kept answer stays unchanged, even one that qlc would not give."""
    questions, gold, answers = files
    line = {"id": "q1", "outcome": {"kind": "count", "value": 1}}
    failed = {"id": "q2", "outcome": {"kind": "failed", "reason": "unreachable"}}
    text = "".join(json.dumps(one) + "\n" for one in (line, failed))
    answers.write_text(text + '{"id": "q4", "outcome": {"kind": "refu', encoding="utf-8")
    ended = qlc("eval", questions, "--gold", gold, "--answers", str(answers), "--demo", "--json")
    assert ended.code == 0
    found = kept(answers)
    assert list(found) == ["q1", "q2", "q3", "q4", "q5", "c1"]
    assert found["q1"] == line
    assert found["q2"]["outcome"]["kind"] == "hits"
    assert found["q4"]["outcome"]["kind"] == "refuse"
    assert "q1" in ended.json["wrong"]
    before = answers.read_bytes()
    assert qlc("eval", questions, "--gold", gold, "--answers", str(answers), "--demo", "--json").json == ended.json
    assert answers.read_bytes() == before


def test_a_last_line_that_is_whole_needs_no_line_end(qlc: Command, files: tuple[str, str, Path]) -> None:
    questions, _, answers = files
    answers.write_text(json.dumps({"id": "q1", "outcome": {"kind": "count", "value": 1}}), encoding="utf-8")
    assert qlc("eval", questions, "--answers", str(answers), "--demo").code == 0
    assert kept(answers)["q1"]["outcome"] == {"kind": "count", "value": 1}


FAULTS = {
    '{"id": "a", "text": "x"}\n{"id": "b", "text"\n': "line 2 of ",
    '{"id": "a", "text": "x"}\n\n[1]\n': "line 3 of ",
    '{"text": "x"}\n': "it has no 'id'",
    '{"id": "a"}\n': "either 'text' or 'turns'",
    '{"id": "a", "text": 5}\n': "a question has no 'text'",
    '{"id": "a", "text": "x", "turns": []}\n': "either 'text' or 'turns'",
    '{"id": "a", "turns": []}\n': "not a list of questions",
    '{"id": "a", "turns": ["x"]}\n': "a question has no 'text'",
    '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n': "the id 'a' is already in line 1",
    "\n": "has no questions",
    '{"id": "a", "text": "\udcff"}\n': "it is not UTF-8",
    "[" * 100_000 + "\n": "it is not JSON",
}


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_a_line_that_cannot_be_used_is_reported_with_its_number(qlc: Command, tmp_path: Path, text: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    ended = qlc("eval", str(path), "--demo")
    assert ended.code == 2
    assert FAULTS[text] in ended.err
    assert str(path) in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (GOLD[1:], "has no answer to the question 'q1'"),
        ([{"id": "q1", "gold": "x"}], "line 1 of "),
        ([{"id": "q1", "program": "count nonsense"}, *GOLD[1:]], "the program 'count nonsense' has no answer"),
        ([*GOLD[:-1], {"id": "c1", "gold": {"kind": "count"}}], "has 1 answers to the 2 turns of 'c1'"),
    ],
)
def test_a_gold_that_does_not_fit_is_reported(
    qlc: Command, files: tuple[str, str, Path], tmp_path: Path, lines: list[dict[str, Any]], told: str
) -> None:
    ended = qlc("eval", files[0], "--gold", written(tmp_path / "other.jsonl", lines), "--demo")
    assert ended.code == 2
    assert told in ended.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no json\n", "line 1 of "),
        ('{"id": "q1"}\n', "it has no 'outcome'"),
        ('{"id": "c1", "outcome": {"kind": "count"}}\n', "it answers 1 turns, and 'c1' has 2"),
    ],
)
def test_a_file_of_something_else_is_never_written_to(
    qlc: Command, files: tuple[str, str, Path], text: str, told: str
) -> None:
    files[2].write_text(text, encoding="utf-8")
    ended = qlc("eval", files[0], "--answers", str(files[2]), "--demo")
    assert ended.code == 2
    assert told in ended.err
    assert files[2].read_text(encoding="utf-8") == text


def test_files_that_are_not_there(qlc: Command, files: tuple[str, str, Path], tmp_path: Path) -> None:
    assert qlc("eval", str(tmp_path / "none"), "--demo").code == 2
    assert qlc("eval", files[0], "--gold", str(tmp_path / "none"), "--demo").code == 2
    assert "say where the data is" in qlc("eval", files[0]).err
