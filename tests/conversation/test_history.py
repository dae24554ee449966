"""The history is plain JSON with a version, within bounds, and damage in it is reported."""

import json
from typing import Any

import pytest

from qlc.conversation import HistoryError
from qlc.conversation.history import (
    MOST_BYTES,
    MOST_TURNS,
    Exchange,
    History,
    Part,
    as_json,
    gist,
    read_history,
)
from qlc.conversation.stages import STAGES
from qlc.conversation.working import Working

from .conftest import Talk, said


def test_the_history_is_plain_json_that_goes_on_anywhere(talk: Talk) -> None:
    first = talk()
    said(first, "documents in Travel", "the business one")
    text = json.dumps(first.history)
    second = talk(json.loads(text))
    assert second.history == json.loads(text)
    assert second.turn("show more").outcome.model_dump()["ids"] == first.turn("show more").outcome.model_dump()["ids"]
    assert second.history == first.history


@pytest.mark.parametrize("version", [2, 17])
def test_a_newer_version_is_reported(talk: Talk, version: int) -> None:
    with pytest.raises(HistoryError, match=f"version {version}.*update qlc"):
        talk({"version": version, "turns": []})


DAMAGE: list[Any] = [
    {}, [], "x", {"version": "1"}, {"version": 0}, {"version": 1, "turns": 5}, {"version": 1, "turns": [{}]},
    {"version": 1, "said": -1.5}, {"version": 1, "more": 1}, {"version": 1, "turns": [{"number": 1, "text": "x"}]},
    {"version": 1, "turns": [{"number": 1, "text": "x", "origin": "words", "parts": [{"words": 1}]}]},
    {"version": 1, "said": {1, 2}}, {"version": 1, "said": float("nan")}, {"version": True},
]  # fmt: skip


@pytest.mark.parametrize("data", DAMAGE, ids=repr)
def test_damage_is_reported(data: Any) -> None:
    with pytest.raises(HistoryError, match="egin a new one"):
        read_history(data)


def turn(number: int, text: str = "x") -> Exchange:
    return Exchange(number=number, text=text, origin="words", parts=(Part(words=text),))


def test_the_oldest_turns_are_forgotten() -> None:
    history = History()
    for number in range(1, MOST_TURNS + 20):
        history = history.with_turn(turn(number))
    assert (len(history.turns), history.said) == (MOST_TURNS, MOST_TURNS + 19)
    assert history.turns[0].number == 20


def test_bytes_are_bounded_too() -> None:
    history = History()
    for number in range(1, 40):
        history = history.with_turn(turn(number, "é" * 10_000))
        assert len(json.dumps(as_json(history))) <= MOST_BYTES
    assert history.turns[-1].number == 39
    assert len(history.turns) >= 2


def test_what_is_remembered_of_an_outcome_is_what_was_shown() -> None:
    hits = [{"id": str(n), "name": "n" * 1_000, "values": {"size": n}} for n in range(1_000)]
    found = gist({"kind": "hits", "ids": [one["id"] for one in hits], "hits": hits, "total": 1_000, "stats": {"x": 1}})
    assert (len(found["hits"]), len(found["ids"]), found["total"]) == (20, 100, 1_000)
    assert len(found["hits"][0]["name"]) == 300
    assert "stats" not in found
    assert gist({"kind": "count", "value": 0}) == {"kind": "count", "value": 0}


def test_every_stage_says_what_it_keeps_and_what_is_remembered_of_it() -> None:
    """Together the stages account for all of a turn, each part of it once."""
    kept = [name for stage in STAGES for name in stage.keeps]
    remembered = [name for stage in STAGES for name in stage.remembers]
    assert sorted(kept) == sorted(set(Working.model_fields) - {"number", "text", "given", "stage", "replies"})
    assert sorted(remembered) == sorted(Part.model_fields)
