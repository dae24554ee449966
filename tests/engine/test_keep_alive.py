"""Scrolls and points in time are let go of when their time is over, whether or not anyone asks for them again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from qlc_engine import Engine
from qlc_engine.search import keep_alive
from tests.engine.asked import Asked

KINDS = ["_scrolls", "_points_in_time"]


class Clock:
    now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(keep_alive, "time", found)
    return found


@pytest.fixture
def asked() -> Iterator[Asked]:
    with Engine.open(None) as engine:
        asked = Asked(engine)
        asked.put("i", {str(number): {"a": number} for number in range(5)})
        yield asked


def opened(asked: Asked, kind: str, seconds: int) -> str:
    if kind == "_scrolls":
        return str(asked.ok("POST", f"/i/_search?scroll={seconds}s&size=1")["_scroll_id"])
    return str(asked.ok("POST", f"/i/_pit?keep_alive={seconds}s")["id"])


def used(asked: Asked, kind: str, opened_id: str, seconds: int) -> int:
    """The status of a use that asks for more time."""
    if kind == "_scrolls":
        return asked.ask("POST", "/_search/scroll", {"scroll_id": opened_id, "scroll": f"{seconds}s"})[0]
    return asked.ask("POST", "/_search", {"size": 1, "pit": {"id": opened_id, "keep_alive": f"{seconds}s"}})[0]


def n_kept(asked: Asked, kind: str) -> int:
    return len(getattr(asked.engine, kind)._open)


@pytest.mark.parametrize("kind", KINDS)
def test_opening_another_lets_go_of_what_expired(asked: Asked, clock: Clock, kind: str) -> None:
    for _ in range(3):
        opened(asked, kind, 60)
    clock.now += 61
    opened(asked, kind, 60)
    assert n_kept(asked, kind) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_expired_pins_no_segment(asked: Asked, clock: Clock, kind: str) -> None:
    opened(asked, kind, 60)
    keeper = getattr(asked.engine, kind)
    assert len(keeper.pinned()) == 1
    clock.now += 61
    assert keeper.pinned() == []
    assert n_kept(asked, kind) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_use_keeps_on_and_changes_the_time(asked: Asked, clock: Clock, kind: str) -> None:
    opened_id = opened(asked, kind, 60)
    clock.now += 59
    assert used(asked, kind, opened_id, 10) == 200
    clock.now += 9
    assert used(asked, kind, opened_id, 10) == 200
    clock.now += 11
    assert used(asked, kind, opened_id, 10) == 404


@pytest.mark.parametrize("kind", KINDS)
def test_what_expired_was_not_open(asked: Asked, clock: Clock, kind: str) -> None:
    opened_id = opened(asked, kind, 60)
    clock.now += 61
    if kind == "_scrolls":
        status, answered = asked.ask("DELETE", "/_search/scroll", {"scroll_id": opened_id})
    else:
        status, answered = asked.ask("DELETE", "/_pit", {"id": opened_id})
    assert (status, answered["num_freed"]) == (404, 0)
