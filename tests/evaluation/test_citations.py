"""Citations of answers, compared with the right ones; and what people said of answers, as cases."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from qlc import feedback, telemetry
from qlc.base.errors import UsageError
from qlc.evaluation.citations import CitationReport, read_cited
from qlc.evaluation.feedback import add_cases
from qlc.evaluation.questions import read_gold, read_questions
from qlc.outcome import Count, Declined


def line(id: str, *places: tuple[str, int | None], outcome: str = "answer") -> dict[str, Any]:
    cited = [{"file": file, "page": page, "quote": ""} for file, page in places]
    return {"id": id, "outcome": outcome, "citations": cited}


def test_precision_and_recall_of_files_and_pages() -> None:
    report = CitationReport({"1": [("a.pdf", 1), ("b.pdf", None)], "2": [("c.pdf", 3)], "3": []})
    report.add(line("1", ("a.pdf", 2), ("b.pdf", 7), ("b.pdf", 8), ("x.pdf", 1)))
    report.add(line("2", outcome="refused"))
    report.add(line("3", outcome="not_found"))
    report.add(line("4", ("z.pdf", 1)))
    report.add(line("5"))
    data = report.as_data()
    assert (data["answers"], data["cited"], data["citations"], data["judged"]) == (3, 2, 5, 3)
    assert data["files"] == {"precision": 2 / 3, "recall": 2 / 3, "f1": pytest.approx(2 / 3)}
    assert data["pages"] == {"precision": 2 / 4, "recall": 1 / 3, "f1": pytest.approx(0.4)}


def test_what_declines_cites_nothing_whatever_comes_near() -> None:
    report = CitationReport({"1": []})
    report.add(line("1", ("near.pdf", 1), outcome="refused"))
    assert report.as_data()["files"] == {"precision": None, "recall": None, "f1": 0.0}


@pytest.mark.parametrize("wrong", ['{"id": "1"}', '{"id": "1", "citations": ["a.pdf"]}', '{"citations": []}'])
def test_a_line_that_is_no_gold_is_reported(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "gold.jsonl").write_text(wrong, encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        read_cited(tmp_path / "gold.jsonl")


def test_events_become_cases_once(tmp_path: Path) -> None:
    events, questions, gold = (tmp_path / name for name in ("log.jsonl", "questions.jsonl", "gold.jsonl"))
    handler = logging.FileHandler(events, encoding="utf-8")
    handler.setFormatter(telemetry.JsonFormatter())
    log = logging.getLogger("qlc.feedback")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        outcome = Count(query="count documents", value=3)
        feedback(outcome, "good", question="how many files?")
        feedback(outcome, "bad", question="how many receipts?", program='count documents where type = "Receipt"')
        feedback(Declined(), "bad", "nobody knows", question="how many of them?")
        feedback(outcome, "bad", "no question is known")
    finally:
        log.removeHandler(handler)
        log.setLevel(logging.NOTSET)
        handler.close()
    questions.write_text(json.dumps({"id": "1", "text": "all files"}), encoding="utf-8")  # its line has no end
    gold.write_text(json.dumps({"id": "1", "program": "find documents"}) + "\n", encoding="utf-8")
    assert add_cases(events, questions, gold) == (2, 1)
    assert add_cases(events, questions, gold) == (0, 1)
    asked = read_questions(questions)
    right = read_gold(gold, asked)
    assert [one.texts for one in asked] == [("all files",), ("how many files?",), ("how many receipts?",)]
    assert [right[one.id].golds[0]["program"] for one in asked] == [
        "find documents", "count documents", 'count documents where type = "Receipt"',
    ]  # fmt: skip
