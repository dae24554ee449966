"""`qlc/outcome/outcome.schema.json` describes the JSON of every outcome, with and without what is empty."""

import json
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from qlc.base.json_schema import schema_text
from qlc.outcome import (
    OUTCOME,
    AggregateOut,
    Answer,
    AnswerRow,
    AnswerStep,
    Asked,
    Cell,
    Citation,
    Claim,
    Count,
    Hit,
    Hits,
    Named,
    Note,
    NotFound,
    Option,
    Outcome,
    Passage,
    RowOut,
    Several,
    Spent,
    Stats,
)
from qlc.outcome.reply import as_data
from qlc.outcome.schema import PUBLISHED, outcome_json_schema
from tests import replies

ALL: dict[str, Any] = {one.model_fields["kind"].default: one for one in get_args(get_args(Outcome)[0])}
CITED = Citation(document="d", file="f", page=2, quote="words")
STEP = AnswerStep(tool="run_query", program="count x", matches=3, kept=1, took_ms=0.5, why="to know")
COMMON: dict[str, Any] = {
    "query": "count x", "message": "m", "notes": ["n"], "fields": ["a"],
    "diagnostics": [Note(code="c", severity="warning", message="m", span=(1, 2), suggestions=["s"], fixed="count x"),
                    Note(code="c", severity="error", message="m")],
    "stats": Stats(took_ms=2.5, stages={"run": 1.0}, spent=Spent(cost=None), asked=Asked(question="q", now="t")),
    "names": [Named(entity="e", id="1", name="n"), Named(entity="e", id="1", name="n", path="a/b")],
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "hits": {"ids": ["1"], "total": 2, "matching": 5, "cursor": "c", "has_more": True, "units": {"a": "B"},
             "hits": [Hit(id="1", score=0.5, values={"a": [1, None, {"id": "x"}]},
                          passage=Passage(id="p", entity="e", text="t", marks=[(0, 1)]))]},
    "aggregate": {"groups": ["a"], "measures": ["count"], "rows": [RowOut(key=None, value={"n": 1.5})],
                  "row_units": [{"n": "EUR"}]},
    "value": {"value": [1, "a", None], "units": {"": "B"}},
    "clarify": {"options": [Option(id="1", label="l", details={"a": 1})], "token": "t", "total": 3},
    "answer": {"claims": [Claim(text="t", citations=[CITED], quoted=True)], "values": [Cell(value=None)],
               "rows": [AnswerRow(document="d", name="n", file="f", cells={"a": Cell(value=1, citations=[CITED])})],
               "steps": [STEP, AnswerStep(tool="t", program="")], "computed": True},
    "explain": {"queries": ["count x"]},
    "not_in_corpus": {"steps": [STEP], "documents": 3},
    "passages": {"passages": [CITED], "steps": [STEP], "words": ["w"]},
    "several": {"outcomes": [Count(value=2), Hits(ids=["1"]), Several(outcomes=[NotFound(reason="deleted")])],
                "narrative": "n", "narrated": [0, 1]},
}  # fmt: skip
WHOLE = Draft202012Validator(json.loads(PUBLISHED.read_text("utf-8")))


def test_the_published_schema_is_that_of_the_types() -> None:
    assert PUBLISHED.read_text("utf-8") == schema_text(outcome_json_schema())
    Draft202012Validator.check_schema(replies.SCHEMA)
    assert set(replies.KINDS) == set(ALL)


@pytest.mark.parametrize("kind", ALL)
def test_the_json_of_an_outcome_fits(kind: str) -> None:
    for outcome in (ALL[kind](), ALL[kind](**COMMON), ALL[kind](**COMMON, **OWN.get(kind, {}))):
        for given in (outcome.model_dump(mode="json"), as_data(outcome)):
            replies.check_outcome(given)
            assert list(WHOLE.iter_errors(given)) == []


@pytest.mark.parametrize("kind", ALL)
def test_another_json_does_not_fit(kind: str) -> None:
    good = ALL[kind]().model_dump(mode="json")
    without = {name: value for name, value in good.items() if name != "kind"}
    changes: list[dict[str, Any]] = [{"more": 1}, {"message": None}, {"names": [{}]}, {"kind": "other"}]
    others = [*(good | change for change in changes), without]
    for one in others:
        assert not WHOLE.is_valid(one)
    with pytest.raises(AssertionError, match=r"outcome.schema.json at \$.message: None is not of type 'string'"):
        replies.check_outcome(others[1])


def test_an_outcome_is_found_wherever_it_is_in_a_reply() -> None:
    one, lean = Count(value=3).model_dump(mode="json"), as_data(AggregateOut())
    assert list(replies.outcomes_in({"outcomes": [one, one], "number": 1})) == [one, one]
    assert list(replies.outcomes_in([{"result": {"structuredContent": {"outcome": lean}}}])) == [lean]
    assert list(replies.outcomes_in({"kind": "count", "field": "x"})) == []
    wrong = json.dumps({"outcome": {**lean, "rows": 3}})
    for text in (wrong, f"{json.dumps(one)}\n{wrong}\n", f"event: answer\ndata: {wrong}\n\n"):
        with pytest.raises(AssertionError, match=r"at \$.rows"):
            replies.check_text(text)


@pytest.mark.parametrize("row", [AnswerRow(name=""), AnswerRow(name="g", cells={"n": Cell(value="")})])
def test_an_outcome_for_an_agent_is_read_back_whatever_is_empty_in_it(row: AnswerRow) -> None:
    for kind, more in OWN.items():
        outcome = ALL[kind](**more)
        assert OUTCOME.validate_python(as_data(outcome)).kind == kind
    nothing = Passage(id="p", entity="e", text="")
    for outcome in (Answer(rows=[row], claims=[Claim(text="")]), Hits(hits=[Hit(id="1", passage=nothing)])):
        replies.check_outcome(as_data(outcome))
        assert OUTCOME.validate_python(as_data(outcome)) == outcome


