"""Questions over tables from elsewhere: each file is loaded as it is, its catalog is drafted, the rules answer."""

from pathlib import Path
from typing import Any

import pytest
import yaml

import qlc
from qlc.tables.loading import load

HERE = Path(__file__).parent
GROUPS: dict[str, Any] = yaml.safe_load((HERE / "questions.yaml").read_text("utf-8"))
NOW = "2026-03-15T12:00:00Z"


@pytest.mark.parametrize("group", GROUPS)
def test_the_programs_of_questions(group: str) -> None:
    with qlc.connect() as client:
        indices = [one.index for file in GROUPS[group]["files"] for one in load(client, HERE / "files" / file)]
        asker = qlc.Asker(qlc.Compiler(client, index=",".join(sorted(indices))))
        questions = GROUPS[group]["questions"]
        found = {text: asker.ask(text, now=NOW, size=1) for text in questions}
    assert {text: read_as(outcome) for text, outcome in found.items()} == questions


def read_as(outcome: Any) -> str:
    """Return the program of an outcome, or its kind if there is none or several."""
    return outcome.query if outcome.query and outcome.kind not in ("declined", "clarify") else outcome.kind
