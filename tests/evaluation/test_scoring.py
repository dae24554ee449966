"""Each kind of right answer and each note of its conventions: what meets it, what is no answer, what is wrong."""

from typing import Any

import pytest

from qlc.evaluation.scoring import Verdict, score, together

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


CASES: list[tuple[str, Data, Data, Verdict]] = [
    ("rows of one name", rows(("Dana", 2), ("Eve", 1), ("dana", 1)), TWINS, RIGHT),
    ("rows of one name, another value", rows(("dana", 2), ("Eve", 1), ("dana", 3)), TWINS, WRONG),
    ("rows of one name, one of them", rows(("dana", 2), ("Eve", 1)), TWINS, WRONG),
    ("all of several golds", rows(("Eve", 1)), {"kind": "all", "golds": [buckets(eve=1), COUNTED]}, WRONG),
    ("all of one gold", rows(("Eve", 1)), {"kind": "all", "golds": [buckets(eve=1)]}, RIGHT),
    ("not found, of several golds", {"kind": "not_found"}, {"kind": "all", "golds": [buckets(eve=1)]}, WRONG),
    ("both of two answers", several(COUNTED, VALUED), TWO, RIGHT),
    ("both, the other way round", several(VALUED, COUNTED), TWO, RIGHT),
    ("one of two answers", several(COUNTED, {"kind": "declined"}), TWO, DECLINED),
    ("one of two answers, and a wrong one", several({"kind": "count", "value": 8}, VALUED), TWO, WRONG),
    ("one answer twice", several(COUNTED, COUNTED), TWO, WRONG),
    ("two of three answers", several(COUNTED, VALUED), {"kind": "all", "golds": [*TWO["golds"], NO]}, DECLINED),
    ("an answer too many", several(COUNTED, VALUED, {"kind": "count", "value": 8}), TWO, WRONG),
    ("another answer that is accepted", several(COUNTED, COUNTED), {**TWO, "also_accept": [COUNTED]}, RIGHT),
    ("two answers where one was wanted", several(VALUED, COUNTED), COUNTED, RIGHT),
    ("two answers where the first was wanted", several(VALUED, COUNTED), VALUE, WRONG),
    ("the same set", hits("a", "b"), expected("b", "a"), RIGHT),
    ("an entry too many", hits("a", "b", "c"), expected("a", "b"), WRONG),
    ("an entry missing", hits("a"), expected("a", "b"), WRONG),
    ("only the first page", hits("a", total=2), expected("a", "b"), WRONG),
    ("an entry twice", hits("a", "a", "b"), expected("a", "b"), WRONG),
    ("ids that are numbers in the gold", hits("1", "2"), {"kind": "hits", "ids": [1, 2]}, RIGHT),
    ("in order", hits("a", "b"), expected("a", "b", ordered=True), RIGHT),
    ("in another order", hits("b", "a"), expected("a", "b", ordered=True), WRONG),
    ("the slice that was asked for", hits("a", "b"), expected("a", "b", ordered=True, limit=2, total=50), RIGHT),
    ("more than the slice", hits("a", "b", "c"), expected("a", "b", ordered=True, limit=2, offset=1), WRONG),
    ("any two", hits("c", "a"), expected("a", "b", "c", any_n=2), RIGHT),
    ("any two, and three given", hits("a", "b", "c"), expected("a", "b", "c", any_n=2), WRONG),
    ("any two, one of them foreign", hits("a", "x"), expected("a", "b", "c", any_n=2), WRONG),
    ("any two, one of them twice", hits("a", "a"), expected("a", "b", "c", any_n=2), WRONG),
    ("any five of three", hits("a", "b", "c"), expected("a", "b", "c", any_n=5), RIGHT),
    ("an empty list that may be", hits(), EMPTY, RIGHT),
    ("none, counted", {"kind": "count", "value": 0}, EMPTY, RIGHT),
    ("some, counted", {"kind": "count", "value": 1}, EMPTY, WRONG),
    ("the one entity as a value", {"kind": "value", "value": {"id": "a", "name": "A"}}, expected("a"), RIGHT),
    ("another entity as a value", {"kind": "value", "value": {"id": "b", "name": "A"}}, expected("a"), WRONG),
    ("a question back where there is an answer", clarify("a", "b"), expected("a"), DECLINED),
    ("not understood", {"kind": "declined", "words": ["x"]}, expected("a"), DECLINED),
    ("a program that cannot run", {"kind": "invalid"}, expected("a"), DECLINED),
    ("a server that does not answer", {"kind": "failed"}, expected("a"), DECLINED),
    ("nothing there, although there is", {"kind": "not_found", "what": "a"}, expected("a"), WRONG),
    ("refused, although it can be answered", {"kind": "refuse", "intent": "other"}, expected("a"), WRONG),
    ("unsupported, although it can be answered", {"kind": "unsupported", "what": "a"}, COUNT, WRONG),
    ("the number", {"kind": "count", "value": 1000}, COUNT, RIGHT),
    ("nearly the number", {"kind": "count", "value": 1001}, COUNT, WRONG),
    ("the total of a list", hits("a", total=1000), COUNT, RIGHT),
    ("a list of another number", hits("a", total=999), COUNT, WRONG),
    ("the number as a value", {"kind": "value", "value": 1000}, COUNT, RIGHT),
    ("the number as a row without groups", rows((None, 1000), groups=()), COUNT, RIGHT),
    ("a question with two answers", clarify("a"), COUNT, DECLINED),
    ("rows", rows(("W2", 3), ("NDA", 1)), buckets(W2=3, nda=1), RIGHT),
    ("a row missing", rows(("W2", 3)), buckets(W2=3, NDA=1), WRONG),
    ("a row too many", rows(("W2", 3), ("NDA", 1)), buckets(W2=3), WRONG),
    ("a number that is off", rows(("W2", 4)), buckets(W2=3), WRONG),
    ("a number within the tolerance", rows(("W2", 1004.0)), buckets(W2=1000), RIGHT),
    ("a number beyond the tolerance", rows(("W2", 1006.0)), buckets(W2=1000), WRONG),
    ("rows of missing values and of nothing", rows(("W2", 3), (None, 5), ("NDA", 0)), buckets(W2=3), RIGHT),
    ("a gold bucket of missing values", rows(("W2", 3)), buckets(W2=3, missing=7), RIGHT),
    ("references go by their names", rows(({"id": "u1", "name": "Dana"}, 3)), buckets(Dana=3), RIGHT),
    ("several groups", rows(({"type": "W2", "year": 2024}, 3)), {"kind": "aggregate", "buckets": {"w2 / 2024": 3}},
     RIGHT),
    ("whole numbers as labels", rows((2024.0, 3)), {"kind": "aggregate", "buckets": {"2024": 3}}, RIGHT),
    ("one of several measures", rows(("W2", {"count": 3, "avg": 9.5})), buckets(W2=3), RIGHT),
    ("none of several measures", rows(("W2", {"count": 2, "avg": 9.5})), buckets(W2=3), WRONG),
    ("two rows of one name", rows(("W2", 3), ("w2", 3)), buckets(W2=3), WRONG),
    ("a single number has a nominal label", {"kind": "value", "value": 12.5}, buckets(average=12.5), RIGHT),
    ("a single number in a row", rows((None, 12.5), groups=()), buckets(average=12.5), RIGHT),
    ("another single number", {"kind": "value", "value": 13}, buckets(average=12.5), WRONG),
    ("a list where numbers were wanted", hits("a"), buckets(W2=1), WRONG),
    ("largest first", rows(("b", 3), ("a", 1)), {"kind": "aggregate", "ordered": True, "buckets": {"b": 3, "a": 1}},
     RIGHT),
    ("smallest first", rows(("a", 1), ("b", 3)), {"kind": "aggregate", "ordered": True, "buckets": {"b": 3, "a": 1}},
     WRONG),
    ("the name", {"kind": "value", "value": {"id": "9197", "name": "dana whitfield"}}, VALUE, RIGHT),
    ("another name", {"kind": "value", "value": "Dana Ortiz"}, VALUE, WRONG),
    ("a part of the name", {"kind": "value", "value": "Dana"}, VALUE, WRONG),
    ("no name", {"kind": "value", "value": None}, VALUE, WRONG),
    ("the entry of that name alone", hits("f1", names={"f1": "Dana Whitfield"}), VALUE, RIGHT),
    ("that name among others", hits("f1", "f2", names={"f1": "Dana Whitfield", "f2": "X"}), VALUE, WRONG),
    ("the only row's name", rows(({"id": "u", "name": "Dana Whitfield"}, 5)), VALUE, RIGHT),
    ("one row of several", rows(("Dana Whitfield", 5), ("Omar", 4)), VALUE, WRONG),
    ("the day of a time", {"kind": "value", "value": "2024-03-05T10:00:00Z"},
     {"kind": "value", "any_of": ["2024-03-05"]}, RIGHT),
    ("a text that begins like it", {"kind": "value", "value": "0123456789abc"},
     {"kind": "value", "any_of": ["0123456789"]}, WRONG),
    ("a number as text", {"kind": "value", "value": 1500.0}, {"kind": "value", "any_of": ["1500"]}, RIGHT),
    ("all values", {"kind": "value", "value": {"owner": {"id": "9197", "name": "Dana"}, "pages": 3}}, BOTH, RIGHT),
    ("one of all values", {"kind": "value", "value": {"owner": {"id": "9197", "name": "Dana"}}}, BOTH, WRONG),
    ("true is yes", {"kind": "value", "value": True}, {"kind": "value", "any_of": ["yes"]}, RIGHT),
    ("true is not no", {"kind": "value", "value": True}, NO, WRONG),
    ("an empty list is no", hits(), NO, RIGHT),
    ("a list is not no", hits("a"), NO, WRONG),
    ("none is no", {"kind": "count", "value": 0}, NO, RIGHT),
    ("the top level", {"kind": "not_found", "reason": "top-level"}, {"kind": "value", "any_of": ["top level"]}, RIGHT),
    ("every candidate", clarify("a", "b", "c"), {"kind": "clarify", "candidates": ["a", "b"]}, RIGHT),
    ("a candidate missing", clarify("a"), {"kind": "clarify", "candidates": ["a", "b"]}, DECLINED),
    ("people as candidates", clarify("u1", "u2"),
     {"kind": "clarify", "candidates": ["u1", "u2"], "candidate_kind": "account"}, RIGHT),
    ("asking beside a guess", {**clarify("a", "b"), "ids": ["x"]}, {"kind": "clarify", "candidates": ["a", "b"]},
     WRONG),
    ("a guess instead of asking", hits("x"), {"kind": "clarify", "candidates": ["a", "b"]}, WRONG),
    ("not found, named", {"kind": "not_found", "what": "Photos 2", "message": "There is no folder 'Photos 2'."},
     NOT_FOUND, RIGHT),
    ("something else not found", {"kind": "not_found", "what": "Dana", "message": "Nobody is called 'Dana'."},
     NOT_FOUND, DECLINED),
    ("not found, and others shown", {"kind": "not_found", "what": "Photos 2", "ids": ["x"]}, NOT_FOUND, WRONG),
    ("others shown instead", hits("x"), NOT_FOUND, WRONG),
    ("what has no words was not found", {"kind": "not_found", "message": "Nothing is called '*'."},
     {"kind": "not_found", "what": "*"}, RIGHT),
    ("refused", {"kind": "refuse", "intent": "move"}, {"kind": "refuse", "intent": "move"}, RIGHT),
    ("refused for another reason", {"kind": "refuse", "intent": "other"}, {"kind": "refuse", "intent": "move"},
     DECLINED),
    ("a search instead", hits("a"), {"kind": "refuse", "intent": "move"}, WRONG),
    ("unsupported", {"kind": "unsupported", "what": "rating"}, {"kind": "unsupported", "attribute": "stars"}, RIGHT),
    ("an answer from what is not there", hits("a"), {"kind": "unsupported", "attribute": "stars"}, WRONG),
    ("a pasted query, with its errors", {"kind": "invalid"}, {"kind": "rejected_query", "reason": "syntax"}, RIGHT),
    ("a pasted query, run", hits("a"), {"kind": "rejected_query", "reason": "script"}, WRONG),
    ("explained", {"kind": "explain", "message": "I looked for documents."},
     {"kind": "explain", "must_mention": [["document", "file"]]}, RIGHT),
    ("explained without a word of each group", {"kind": "explain", "message": "I looked for documents."},
     {"kind": "explain", "must_mention": [["document"], ["2024"]]}, WRONG),
    ("no more pages", {"kind": "exhausted"}, {"kind": "exhausted"}, RIGHT),
    ("a page again", hits("a"), {"kind": "exhausted"}, WRONG),
    ("a kind that is not known", hits("a"), {"kind": "dance"}, WRONG),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "gold", "verdict"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_verdicts(outcome: Data, gold: Data, verdict: Verdict) -> None:
    assert score(outcome, gold) is verdict


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
