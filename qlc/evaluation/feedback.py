"""Converts feedback events, logged by `qlc.feedback` as JSON lines, to questions with right answers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from qlc.evaluation.questions import lines
from qlc.telemetry import names

CATEGORY = "feedback"


def add_cases(events: Path, questions: Path, gold: Path) -> tuple[int, int]:
    """Add new questions of the events with their right answers; the latest event of a question counts.

    Returns how many were added, and how many have no right program. Raises UsageError for a line that is not JSON.
    """
    said: dict[str, dict[str, Any]] = {}
    for _, line in lines(events):
        if line.get("event.name") == names.EVALUATION and line.get(names.QUESTION):
            said[str(line[names.QUESTION])] = dict(line)
    known = {line.get("text") for _, line in lines(questions)} if questions.exists() else set()
    new = {text: one for text, one in said.items() if text not in known}
    right = {text: program for text, one in new.items() if (program := one.get(names.RIGHT_PROGRAM))}
    for path, key, values in ((questions, "text", {text: text for text in right}), (gold, "program", right)):
        _append(path, [{"id": _id(text), key: value, "category": CATEGORY} for text, value in values.items()])
    return len(right), len(new) - len(right)


def _id(text: str) -> str:
    return "feedback-" + hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=5).hexdigest()


def _append(path: Path, new: list[dict[str, Any]]) -> None:
    before = path.read_text("utf-8") if path.exists() else ""
    end = "" if not before or before.endswith("\n") else "\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(end + "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in new))
