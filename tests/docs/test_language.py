"""docs/language.md: every example answered from the sample document store, and compared with its comment."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from qlc import Compiler
from qlc.grammar import parse, print_program
from qlc.outcome import AggregateOut, Clarify, Count, Hits, Invalid, NotFound, Outcome, Unsupported, ValueOut
from tests import engines
from tests.small_worlds import compiler_of

NOW = "2026-03-15T12:00:00Z"
TEXT = (Path(__file__).parents[2] / "docs" / "language.md").read_text("utf-8")
EXPECTED = re.compile(r"^(?P<program>.*?)\s+-- (?P<result>.*?)(?: with (?P<params>\{.*\}))?$", re.DOTALL)


class Example(NamedTuple):
    """An example of the page; `world` has its documents, empty for the sample document store."""

    program: str
    result: str
    params: dict[str, Any]
    world: str = ""


def examples(text: str) -> list[Example]:
    """A program ends with the line that has a comment."""
    found, lines = [], list[str]()
    for world, block in re.findall(r"^```qlc ?(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            lines.append(line)
            if " -- " in line:
                match = EXPECTED.match("\n".join(lines).strip())
                params = json.loads(match["params"]) if match["params"] else {}
                found.append(Example(match["program"], match["result"], params, world))
                lines = []
    assert not "".join(lines).strip()
    return found


def in_short(outcome: Outcome) -> str:
    """The outcome in a few words."""
    match outcome:
        case Hits():
            return f"{outcome.total:,} {'hit' if outcome.total == 1 else 'hits'}"
        case Count():
            return f"count {outcome.value:,}"
        case ValueOut():
            return f"value {valued(outcome.value)}"
        case AggregateOut():
            return f"{len(outcome.rows)} rows"
        case Clarify():
            return f"clarify: {len(outcome.options)} options"
        case NotFound():
            return f"not_found: {outcome.reason}"
        case Invalid():
            return f"invalid: {', '.join(note.code for note in outcome.diagnostics)}"
        case Unsupported():
            return f"unsupported: {outcome.what}"
        case _:
            return f"{outcome.kind}: {outcome.message}"


def valued(value: Any) -> str:
    if isinstance(value, dict):
        return str(value["name"]) if "name" in value else ", ".join(f"{k} {valued(v)}" for k, v in value.items())
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@pytest.mark.parametrize("example", examples(TEXT), ids=lambda example: example.program)
def test_an_example_and_its_canonical_text_answer_as_the_page_says(store: Compiler, example: Example) -> None:
    if example.world == "plots" and engines.IS_ELASTICSEARCH:
        pytest.skip("the built servers of Elasticsearch have no shapes; OpenSearch's have them")
    compiler = compiler_of(example.world) if example.world else store
    outcome = compiler.run(example.program, now=NOW, params=example.params)
    assert in_short(outcome) == example.result
    if outcome.query:
        assert print_program(parse(outcome.query)) == outcome.query
        again = compiler.run(outcome.query, now=NOW, params=example.params)
        assert (in_short(again), again.query) == (example.result, outcome.query)


def test_every_kind_of_outcome_is_shown() -> None:
    shown = {example.result.split()[0].rstrip(":") for example in examples(TEXT)}
    assert {"count", "value", "clarify", "not_found", "invalid"} <= shown
    assert any(example.result.endswith("hits") for example in examples(TEXT))
    assert any(example.result.endswith("rows") for example in examples(TEXT))


def test_every_operator_of_the_table_is_tried() -> None:
    programs = " ".join(example.program for example in examples(TEXT))
    for word in ("has all", "has any", "contains", "like", "mentions", "about", "missing", "under", "between",
                 "weekday(", "hour_of_day(", " in ", "!=", "not ", "within box", "within polygon", "intersects",
                 "disjoint", "overlaps"):  # fmt: skip
        assert word in programs, word
