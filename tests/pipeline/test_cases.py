"""Runs the programs of outcomes/NAME.qlc over small domains, and compares the outcomes with outcomes/NAME.txt.

`wishes/NAME.qlc` are wishes in words, each with the program that says it; beside them stand the searches that are sent,
and the answers.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from qlc.outcome import Clarify, Outcome
from qlc.pipeline.trace import Trace
from qlc.store.opensearch import Server, search_body
from tests import engines
from tests.pairs import Case, check_beside, pairs, readable, report
from tests.small_worlds import compiler_of

FOLDER = Path(__file__).parent / "outcomes"
WISHES = FOLDER.with_name("wishes")
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


# --- wishes ----------------------------------------------------------------------------------------------------------


@pairs(WISHES)
def test_wishes_are_sent_and_answered_as_is_written_beside_them(path: Path, snapshot: SnapshotAssertion) -> None:
    if engines.IS_ELASTICSEARCH and "painless" in path.with_suffix(".txt").read_text("utf-8"):
        pytest.skip(UNLIKE_ON_ELASTICSEARCH["arithmetic"])
    check_beside(path, report(path, sent_and_answered), snapshot)


def sent_and_answered(case: Case) -> str:
    """The searches on each kind of server, once where they are the same, and what the outcome says. Those for notes and
    bounds are left out."""
    compiler, trace = compiler_of(case.world), Trace()
    compiler.forget()
    outcome = compiler.prepare(case.source).run(trace=trace, now=NOW, **case.options)
    lines = []
    for request in [sent.request for sent in trace.requests]:
        if FOR_NOTES.match(request.purpose):
            continue
        body = {name: part for name, part in request.body.items() if name not in UNTOLD}
        about = f"{request.index} on {{}}, {request.purpose}"
        translated = search_body(json.loads(json.dumps(body)), OPENSEARCH)
        kinds = {"both": body} if translated == body else {"Elasticsearch": body, "OpenSearch": translated}
        lines += [f"{about.format(kind)}: {readable(shortened(one))}" for kind, one in kinds.items()]
    return "\n".join([*lines, *answer_of(outcome)])


def shortened(part: Any) -> Any:
    """Replace all but the ends of a long list: `month_of_year(f) = 11` has a clause for each year."""
    if isinstance(part, dict):
        return {name: shortened(one) for name, one in part.items()}
    if not isinstance(part, list):
        return part
    ends = part if len(part) <= LONGEST_LIST else [part[0], f"... {len(part) - 2} more ...", part[-1]]
    return [shortened(one) for one in ends]


def answer_of(outcome: Outcome) -> list[str]:
    parts = outcome.model_dump(mode="json", exclude_defaults=True)
    shown = [f"{outcome.kind}: {outcome.message}"]
    shown += [f"  {readable(hit.get('values', hit['id']))}" for hit in parts.get("hits", ())]
    shown += [f"  {readable(row['key'])}: {readable(row['value'])}" for row in parts.get("rows", ())]
    shown += [f"note: {note}" for note in parts.get("notes", ())]
    for one in parts.get("diagnostics", ()):
        shown += [f"{one['code']}: {one['message']}: {one.get('hint', '')}"]
    return shown


LONGEST_LIST = 20
OPENSEARCH = Server(opensearch=(2, 19))
FOR_NOTES = re.compile(r"for how many|in how many|whether the values|what the index has|.* equal to the last one$")
UNTOLD = {"track_total_hits", "timeout", "_source", "allow_partial_search_results", "fields"}
