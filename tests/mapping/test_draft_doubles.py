"""Drafts keep one of fields that say the same: told from values, not from names."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from qlc.base.words.countries import countries, forms_of
from qlc.mapping.catalog import read_catalog
from tests.mapping.test_draft import DATE, KEYWORD, LONG, NUMBER, drafted, nth
from tests.tables import rows

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
DATES = [datetime(2024, 1, 1, 9, tzinfo=UTC) + timedelta(hours=31 * n) for n in range(40)]  # a Monday
DOUBLE = "# left out, by its full path only: "


def dated(**more: Any) -> list[dict[str, Any]]:
    return [{"at": at.isoformat(), **{name: one(at) for name, one in more.items()}} for at in DATES]


LINES = {"lines": {"properties": {"kind": KEYWORD, "size": LONG}}}
CASES: dict[str, tuple[dict[str, Any], list[dict[str, Any]], list[str], list[str]]] = {
    "a list that says what the document says":
        ({"kind": KEYWORD, **LINES},
         [{"kind": [kind, "x"], "lines": [{"kind": kind, "size": n}, {"kind": "x", "size": n + 1}]}
          for n, kind in enumerate(["a", "b"] * 20)],
         [f"{DOUBLE}lines.kind, which has the values of kind", "\n      size: size\n"], ["      kind:"]),
    "not where one document has another value":
        ({"kind": KEYWORD, "sort": KEYWORD}, [*nth(40, kind=["a", "b"], sort=["a", "b"]), {"kind": "a", "sort": "b"}],
         [], [DOUBLE]),
    "parts of a date":
        ({"at": DATE, "day_of_week": KEYWORD, "dow": LONG, "hour": LONG, "month": KEYWORD},
         dated(day_of_week=lambda at: DAYS[at.weekday()], dow=lambda at: at.isoweekday(), hour=lambda at: at.hour,
               month=lambda at: at.strftime("%b")),
         [f"{DOUBLE}day_of_week, which is the weekday of at", f"{DOUBLE}dow, which is the weekday of at",
          f"{DOUBLE}hour, which is the hour of at", f"{DOUBLE}month, which is the month of at"], []),
    "a weekday of something else":
        ({"at": DATE, "delivery_day": KEYWORD}, dated(delivery_day=lambda at: DAYS[at.day % 7]), ["delivery_day:"],
         [DOUBLE]),
    "two units":
        ({"DistanceMiles": NUMBER, "DistanceKilometers": NUMBER},
         [{"DistanceMiles": n * 3.1, "DistanceKilometers": n * 3.1 * 1.609344} for n in range(40)],
         [f"{DOUBLE}DistanceMiles, which is DistanceKilometers in another unit"], []),
    "two distances":
        ({"DistanceMiles": NUMBER, "DistanceKilometers": NUMBER},
         [{"DistanceMiles": n * 3.1, "DistanceKilometers": n * 4.1} for n in range(40)], [], [DOUBLE]),
    "an id with several names in a list":
        ({"keepers": {"type": "nested", "properties": {"id": KEYWORD, "name": KEYWORD}}},
         [{"keepers": [{"id": f"k{n % 2}", "name": name}]} for n, name in enumerate(["A B", "C D", "E F"] * 9)],
         ["path: keepers"], ['""', "words: [s"]),
    # values
    "countries by their codes":
        ({"geo": {"properties": {"src": KEYWORD}}, "country_code": KEYWORD, "state": KEYWORD},
         [{"geo": {"src": code}, "country_code": "DE" if n % 2 else "NL", "state": code if n else "US"}
          for n, code in enumerate(list(countries())[:60])],
         ["  src_country:\n    path: geo.src", "NL: [Netherlands, Dutch, Holland, the Netherlands]", "  country:\n"],
         ["state_country"]),
    "what says of all documents what they are":
        ({"type": KEYWORD, "n": LONG}, nth(40, type="order", n=3), ["  order:"], ["  type: type"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_a_draft_says(name: str) -> None:
    properties, documents, said, unsaid = CASES[name]
    index = "shop" if name.startswith("what says of all") else "things"
    text = drafted(properties, documents, index)
    assert [one for one in said if one not in text] == [], text
    assert [one for one in unsaid if one in text] == [], text


@pytest.mark.parametrize(("index", "properties", "called"), rows(__file__, "test_an_entity_is_called_after_what_it_is"))
def test_an_entity_is_called_after_what_it_is(index: str, properties: dict[str, Any], called: str) -> None:
    file = read_catalog(drafted(properties, nth(5, **dict.fromkeys(properties, "aN")), index)).file
    assert list(file.entities) == [called]


def test_countries_go_by_code_name_and_adjective() -> None:
    assert forms_of("mc") == forms_of("Monaco") == forms_of("monegasque")
    assert "Saint Lucia" in countries()["LC"]
    assert len(countries()) == 249
