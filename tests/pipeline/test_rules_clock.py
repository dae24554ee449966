"""Dates of an access rule use the compiler's clock and the catalog's zone; options of a run do not change them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from elasticsearch import Elasticsearch, helpers

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.pasted.entry import run_pasted
from tests import engines
from tests.tables import table

NOON = datetime(2026, 3, 15, 12, tzinfo=UTC)
CATALOG = table(__file__, "CATALOG")
RULES = (
    "at <= now", "at <= today", "day <= today", "at < tomorrow", "at <= 2026-03-15", "day = last 400 days",
    "at in 2026-W11",
    "not at > today", "at <= $until", "open in (find days where opens <= today)",
    "open in (find days where opens < now)", "at = last 400 days", "open in (find days where opens <= 2026-03-15)",
)  # fmt: skip
"""Each shows the notes up to the fifteenth, at noon UTC of that day."""
OPTIONS: tuple[dict[str, Any], ...] = (
    {}, *({"timezone": zone} for zone in ("+14:00", "-12:00", "Pacific/Kiritimati", "America/New_York")),
    {"now": "2031-01-01T00:00:00Z"}, {"as_of": "2031-01-01T00:00:00Z"}, {"now": "2001-01-01T00:00:00Z"},
    {"now": "2031-01-01T00:00:00Z", "timezone": "+14:00"},
)  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Elasticsearch]:
    keyword, date = {"type": "keyword"}, {"type": "date"}
    with engines.open_client() as client:
        client.indices.create(
            index="notes", mappings={"properties": {"id": keyword, "at": date, "day": date, "open": keyword}}
        )
        client.indices.create(index="days", mappings={"properties": {"id": keyword, "opens": date}})
        days = [NOON.date() + timedelta(days=number) for number in (-4, -1, 0, 1, 2, 300)]
        actions = [{"_index": "notes", "_id": f"n{day}", "_source": {
            "id": f"n{day}", "at": f"{day}T00:30:00Z", "day": str(day), "open": str(day)}} for day in days]  # fmt: skip
        actions += [{"_index": "days", "_id": str(day), "_source": {"id": str(day), "opens": f"{day}T00:30:00Z"}}
                    for day in days]  # fmt: skip
        helpers.bulk(client, actions, refresh=True)
        yield client


def compiler(client: Elasticsearch, rule: str, zone: str = "", now: datetime = NOON) -> qlc.Compiler:
    text = CATALOG.replace("RULE", rule).replace("TIMEZONE", f"timezone: {zone}" if zone else "")
    return qlc.Compiler(client, read_catalog(text), clock=lambda: now)


def seen(one: qlc.Compiler, **options: Any) -> int:
    found = one.run("count notes", **{"context": {"until": "2026-03-15"}, **options})
    return found.value


@pytest.mark.parametrize("rule", RULES)
def test_a_caller_does_not_move_a_rule(client: Elasticsearch, rule: str) -> None:
    one = compiler(client, rule)
    context = {"context": {"until": "2026-03-15"}}
    for options in OPTIONS:
        assert seen(one, **options) == 3, options
        (found,) = run_pasted('GET notes/_search\n{"query": {"exists": {"field": "id"}}}', one, **context, **options)
        assert getattr(found, "total", None) == 3, options
        page = one.run("find notes where id exists sort id", size=1, **context, **options)
        further = one.run("find notes where id exists sort id", size=9, cursor=page.cursor, **context, **options)  # type: ignore[union-attr]
        assert further.total == 3, options  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "rule", ["at <= now", "at <= today", "day <= today", "open in (find days where opens <= today)"]
)
def test_the_clock_of_the_compiler_moves_it(client: Elasticsearch, rule: str) -> None:
    assert seen(compiler(client, rule, now=NOON - timedelta(days=1))) == 2
    assert seen(compiler(client, rule, now=NOON + timedelta(days=900))) == 6


def test_the_zone_of_the_catalog_says_which_day_it_is(client: Elasticsearch) -> None:
    for zone, count in (("UTC", 3), ("+14:00", 4), ("Pacific/Kiritimati", 4), ("-12:00", 3)):
        assert seen(compiler(client, "day <= today", zone)) == count, zone
    with pytest.raises(CatalogError, match="'timezone' of the catalog must be an IANA name"):
        compiler(client, "day <= today", "Mars/Olympus")


def test_a_rule_writes_no_note(client: Elasticsearch) -> None:
    found = compiler(client, "day = last 400 days").run("count notes")
    assert found.notes == []


def test_dates_of_a_question_go_by_the_caller(client: Elasticsearch) -> None:
    one = compiler(client, "at <= now")
    for zone, count in ((None, 1), ("+14:00", 0), ("-12:00", 0)):
        found = one.run("count notes where at = today", now=NOON, timezone=zone)
        assert getattr(found, "value", None) == count, zone


@pytest.mark.parametrize("options", OPTIONS)
def test_a_conversation_does_not_move_a_rule(client: Elasticsearch, options: dict[str, Any]) -> None:
    talk = qlc.Conversation(qlc.Asker(compiler(client, "day <= today")), **options)
    for said in ("find notes where id exists", "how many are there", "show all"):
        for outcome in talk.turn(said).outcomes:
            assert getattr(outcome, "total", getattr(outcome, "value", 3)) == 3, said
