"""Runs the programs of outcomes/NAME.qlc over small domains, and compares the outcomes with outcomes/NAME.txt."""

from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from qlc.outcome import Clarify, Outcome
from tests import engines
from tests.pairs import Case, check_beside, pairs, readable, report
from tests.small_worlds import compiler_of

FOLDER = Path(__file__).parent / "outcomes"
UNLIKE_ON_OPENSEARCH = {"field_notes": "OpenSearch lists no values that are too long for a keyword"}
UNLIKE_ON_ELASTICSEARCH = {
    "arithmetic": "the built servers of Elasticsearch have no Painless; OpenSearch's have it",
    "shapes": "the built servers of Elasticsearch have no shapes; OpenSearch's have them",
}
UNSAID = {"kind", "stats", "fields", "cursor", "token", "entity"}
NOW = "2026-03-15T12:00:00Z"


@pairs(FOLDER)
def test_programs_answer_what_is_written_beside_them(path: Path, snapshot: SnapshotAssertion) -> None:
    if engines.IS_OPENSEARCH and path.stem in UNLIKE_ON_OPENSEARCH:
        pytest.skip(UNLIKE_ON_OPENSEARCH[path.stem])
    if engines.IS_ELASTICSEARCH and path.stem in UNLIKE_ON_ELASTICSEARCH:
        pytest.skip(UNLIKE_ON_ELASTICSEARCH[path.stem])
    check_beside(path, report(path, answered), snapshot)


def answered(case: Case) -> str:
    """The outcome, and where `choose` has the ids of options, what follows each choice."""
    options: dict[str, Any] = {"now": NOW, **case.options}
    chosen: dict[str, str] = {}
    compiler, lines = compiler_of(case.world), []
    for choice in (*options.pop("choose", ()), None):
        compiler.forget()
        outcome = compiler.run(case.source, choices=chosen, **options)
        lines.append(said(outcome, case.source))
        if choice is None or not isinstance(outcome, Clarify):
            break
        chosen[outcome.token] = choice
        lines.append(f"chosen: {choice}")
    return "\n".join(lines)


def said(outcome: Outcome, source: str) -> str:
    """Everything that an outcome says, without counts of requests and what is only for the next request."""
    parts = outcome.model_dump(mode="json", exclude=UNSAID, exclude_defaults=True)
    if parts.get("query") == source:
        del parts["query"]
    message = parts.pop("message", "")
    if "hits" in parts:
        parts.pop("ids")  # each hit has its own
    return "\n".join([f"{outcome.kind}: {message}", *(f"{name}: {readable(part)}" for name, part in parts.items())])
