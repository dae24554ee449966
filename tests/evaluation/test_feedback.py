"""Feedback on answers becomes cases of an evaluation."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from qlc import feedback, telemetry
from qlc.evaluation.feedback import add_cases
from qlc.evaluation.questions import read_gold, read_questions
from qlc.outcome import Count, Declined


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
