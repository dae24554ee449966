"""A further page of a list costs one search, even if the first page had lookups, and has the same hits as without a
cache."""

from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.mapping.catalog import read_catalog
from tests.pipeline import world
from tests.pipeline.wire import Wire

NOW = "2026-03-15T12:00:00Z"
RED: dict[str, Any] = {"now": NOW, "context": {"tenant": "red", "me": "Olga Crimson", "level": 5}, "size": 1}

THROUGH_OTHERS = [
    "find documents where folder in (find folders where clearance >= 0)",
    "find documents where folder.clearance exists",
]


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        world.load(client)
        yield made


def compiler(wire: Wire) -> qlc.Compiler:
    return qlc.Compiler(wire.client(), read_catalog(world.CATALOG))


@pytest.mark.parametrize("program", THROUGH_OTHERS)
def test_a_further_page_is_one_search_and_the_same(wire: Wire, program: str) -> None:
    kept, fresh = compiler(wire), compiler(wire)
    first = kept.run(program, **RED).model_dump()
    assert first["total"] > 1
    cursor = first["cursor"]
    while cursor is not None:
        wire.calls.clear()
        page = kept.run(program, **{**RED, "cursor": cursor})
        assert (len([call for call in wire.calls if call.searches]), page.stats.round_trips) == (1, 1)
        fresh.forget()
        expected = fresh.run(program, **{**RED, "cursor": cursor})
        assert page.model_dump(exclude={"stats"}) == expected.model_dump(exclude={"stats"})
        cursor = page.model_dump()["cursor"]


def test_other_callers_and_other_instants_have_first_pages_of_their_own(wire: Wire) -> None:
    program, found = THROUGH_OTHERS[0], {}
    one = compiler(wire)
    for tenant in ("red", "blue"):
        options = {**RED, "context": {**RED["context"], "tenant": tenant}}
        first = one.run(program, **options).model_dump()
        second = one.run(program, **{**options, "cursor": first["cursor"]}).model_dump()
        found[tenant] = {*first["ids"], *second["ids"]}
    assert not found["red"] & found["blue"]


def test_what_was_written_is_looked_up_anew_after_forget(wire: Wire) -> None:
    one, program = compiler(wire), THROUGH_OTHERS[0]
    cursor = one.run(program, **RED).model_dump()["cursor"]
    one.forget()
    wire.calls.clear()
    assert one.run(program, **{**RED, "cursor": cursor}).stats.round_trips == 2
