"""Points in time are let go of when their time is over, whether or not anyone asks for them again."""

from collections.abc import Iterator

import pytest

from qlc_engine import Engine
from qlc_engine.search import points_in_time
from tests.engine.asked import Asked


class Clock:
    now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(points_in_time, "time", found)
    return found


@pytest.fixture
def asked() -> Iterator[Asked]:
    with Engine.open(None) as engine:
        asked = Asked(engine)
        asked.put("i", {str(number): {"a": number} for number in range(5)})
        yield asked


def opened(asked: Asked, seconds: int) -> str:
    return str(asked.ok("POST", f"/i/_pit?keep_alive={seconds}s")["id"])


def used(asked: Asked, pit_id: str, seconds: int) -> int:
    """The status of a use that asks for more time."""
    return asked.ask("POST", "/_search", {"size": 1, "pit": {"id": pit_id, "keep_alive": f"{seconds}s"}})[0]


def n_kept(asked: Asked) -> int:
    return len(asked.engine._points_in_time._open)


def test_opening_another_lets_go_of_what_expired(asked: Asked, clock: Clock) -> None:
    for _ in range(3):
        opened(asked, 60)
    clock.now += 61
    opened(asked, 60)
    assert n_kept(asked) == 1


def test_what_expired_pins_no_segment(asked: Asked, clock: Clock) -> None:
    opened(asked, 60)
    assert len(asked.engine._points_in_time.pinned()) == 1
    clock.now += 61
    assert asked.engine._points_in_time.pinned() == []
    assert n_kept(asked) == 0


def test_a_use_keeps_on_and_changes_the_time(asked: Asked, clock: Clock) -> None:
    pit_id = opened(asked, 60)
    clock.now += 59
    assert used(asked, pit_id, 10) == 200
    clock.now += 9
    assert used(asked, pit_id, 10) == 200
    clock.now += 11
    assert used(asked, pit_id, 10) == 404


def test_what_expired_was_not_open(asked: Asked, clock: Clock) -> None:
    pit_id = opened(asked, 60)
    clock.now += 61
    status, answered = asked.ask("DELETE", "/_pit", {"id": pit_id})
    assert (status, answered["num_freed"]) == (404, 0)


def test_a_point_in_time_keeps_what_it_saw(asked: Asked) -> None:
    asked.put("j", {"1": {"a": 1}, "2": {"a": 2}})
    pit = asked.ok("POST", "/j/_pit?keep_alive=1m")["id"]
    asked.put("j", {"1": {"a": 5}, "3": {"a": 3}})
    asked.ok("DELETE", "/j/_doc/2?refresh=true")
    asked.ok("POST", "/j/_forcemerge")
    body = {"pit": {"id": pit}, "sort": [{"a": "asc"}]}
    hits = asked.ok("POST", "/_search", body)["hits"]["hits"]
    assert [(hit["_id"], hit["_source"]["a"]) for hit in hits] == [("1", 1), ("2", 2)]
    assert len(hits[0]["sort"]) == 2
    assert asked.ok("DELETE", "/_pit", {"id": pit}) == {"succeeded": True, "num_freed": 1}
    assert asked.ask("POST", "/_search", body)[0] == 404
