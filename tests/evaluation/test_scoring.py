"""Each kind of right answer and each note of its conventions: what meets it, what is no answer, what is wrong."""

from typing import Any

import pytest

from qlc.evaluation.scoring import Verdict, score, together
from tests.tables import rows as rows_in

RIGHT, DECLINED, WRONG = Verdict.RIGHT, Verdict.DECLINED, Verdict.WRONG
Data = dict[str, Any]


def hits(*ids: str, total: int | None = None, names: dict[str, str] | None = None) -> Data:
    shown = [{"id": id, "name": (names or {}).get(id)} for id in ids]
    return {"kind": "hits", "ids": list(ids), "total": len(ids) if total is None else total, "hits": shown}


def expected(*ids: str, **more: Any) -> Data:
    return {"kind": "hits", "ids": list(ids), "ordered": False, "total": len(ids), **more}


def rows(*pairs: tuple[Any, Any], groups: tuple[str, ...] = ("type",)) -> Data:
    return {"kind": "aggregate", "groups": list(groups), "rows": [{"key": key, "value": value} for key, value in pairs]}


def buckets(**values: Any) -> Data:
    return {"kind": "aggregate", "buckets": values}


def clarify(*ids: str) -> Data:
    return {"kind": "clarify", "options": [{"id": id, "label": id} for id in ids]}


TWINS = {"kind": "aggregate", "buckets": [["dana", 1], ["dana", 2], ["eve", 1]]}
COUNTED = {"kind": "count", "value": 7}
COUNT = {"kind": "count", "value": 1000}
VALUE = {"kind": "value", "any_of": ["Dana Whitfield", "9197"]}
BOTH = {"kind": "value", "any_of": ["Dana"], "all_of": [["dana", "Dana Whitfield"], 3]}
EMPTY = expected(may_be_empty=True)
NO = {"kind": "value", "any_of": ["no", "none"]}
NOT_FOUND = {"kind": "not_found", "what": "folder Photos 2"}
VALUED = {"kind": "value", "value": {"id": "9197", "name": "Dana Whitfield"}}
TWO: Data = {"kind": "all", "golds": [COUNTED, VALUE]}


def several(*outcomes: Data) -> Data:
    """The outcome of a turn with several questions."""
    return {**outcomes[-1], "outcomes": list(outcomes)}


CASES = rows_in(__file__, "CASES")
"""A title, an outcome, its gold, and the verdict."""


@pytest.mark.parametrize(("outcome", "gold", "verdict"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_verdicts(outcome: Data, gold: Data, verdict: str) -> None:
    assert score(outcome, gold) is Verdict(verdict)


def test_any_alternative_is_enough() -> None:
    gold = expected("a", also_accept=[{"kind": "count", "value": 0}, {"kind": "clarify", "candidates": ["b"]}])
    assert score(hits("a"), gold) is RIGHT
    assert score({"kind": "count", "value": 0}, gold) is RIGHT
    assert score(clarify("b"), gold) is RIGHT
    assert score(hits("b"), gold) is WRONG


def test_other_pages_do_not_repeat_what_was_shown() -> None:
    gold = expected("a", "b", "c", any_n=2, disjoint_from_turns=[0])
    before = [hits("a")]
    assert score(hits("b", "c"), gold, before) is RIGHT
    assert score(hits("a", "c"), gold, before) is WRONG
    assert score(hits("c"), gold, [hits("a", "b")]) is RIGHT  # no more than these are left
    assert score(hits("b"), gold, before) is WRONG


def test_a_choice_by_number_is_judged_by_what_was_offered_there() -> None:
    gold = {"kind": "by_choice", "index": 1, "options": {"x": expected("1"), "y": expected("2", also_accept=[COUNT])}}
    assert score(hits("2"), gold, [clarify("x", "y")]) is RIGHT
    assert score(COUNT, gold, [clarify("x", "y")]) is RIGHT
    assert score(hits("1"), gold, [clarify("x", "y")]) is WRONG
    assert score(hits("1"), gold, [clarify("y", "x"), hits("9")]) is RIGHT
    assert score(clarify("x"), gold, [clarify("x", "y")]) is DECLINED
    for asked in ([], [hits("1")], [clarify("x")], [clarify("x", "other")]):
        assert score(hits("1"), gold, asked) is WRONG


def test_a_conversation_is_right_where_all_turns_are() -> None:
    assert together([RIGHT, RIGHT]) is RIGHT
    assert together([RIGHT, DECLINED]) is DECLINED
    assert together([WRONG, DECLINED, RIGHT]) is WRONG
