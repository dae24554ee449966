"""Drafted catalogs: they load and check as they are, and their guesses are right where they can be tried."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from elasticsearch import Elasticsearch, NotFoundError

from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.mapping.errors import MappingError
from qlc.mapping.index_mapping import fetch_mapping
from tests import data_sets
from tests.mapping.double import Counted, index_of

KEYWORD, DATE, LONG, NUMBER = {"type": "keyword"}, {"type": "date"}, {"type": "long"}, {"type": "double"}
TEXT = {"type": "text", "fields": {"keyword": KEYWORD}}
Documents = list[dict[str, Any]]


def drive() -> Elasticsearch:
    return data_sets.client("drive")


def draft(client: Elasticsearch, index: str) -> str:
    """The draft, which has loaded and checked without a finding."""
    text = draft_catalog(client, index)
    assert check_catalog(read_catalog(text), fetch_mapping(client, index)) == []
    return text


@cache
def document_store() -> str:
    return draft(drive(), "entities-v4")


def drafted(properties: dict[str, Any], documents: Documents, index: str = "things") -> str:
    body = {"mappings": {"properties": properties}}
    return draft(index_of(index, body, [(str(n), one) for n, one in enumerate(documents)]), index)


def unmarked(text: str, *keys: str) -> str:
    """A draft whose guesses of some keys are taken as right."""
    for key in keys:
        text = text.replace(f"# ? {key}:", f"{key}:")
    return text


class TestDocumentStore:
    def test_facts(self) -> None:
        catalog = read_catalog(document_store()).file
        assert catalog.defaults.id == "id"
        document, folder = catalog.entities["document"], catalog.entities["folder"]
        assert (document.where, folder.where) == ({"entityType": ("DOCUMENT",)}, {"entityType": ("FOLDER",)})
        assert (document.names, document.sort) == (("name",), "create_date desc")
        assert document.fields["size_in_bytes"].unit == "bytes"
        assert catalog.fields["tags"].list
        assert set(document.lists) == {"permissions", "comments", "custom_attributes"}
        assert document.lists["permissions"].fields["role"].path == "role"

    def test_guesses_count_and_say_what_they_were_guessed_from(self) -> None:
        text = document_store()
        for line in (
            "    whole_days: true  # ? no value has a time of day",
            "    # ? sensitive: true",
            "    values: [paid, overdue, unpaid]  # ? ",
            "    refers_to: folder  # ? its values are ids",
        ):
            assert line in text

    def test_people_whose_id_and_name_other_documents_have(self) -> None:
        file = read_catalog(document_store()).file
        assert (file.entities["person"].virtual, file.entities["person"].plural) == (True, "people")
        owner = file.fields["owner"]
        assert (owner.refers_to, owner.name_at) == ("person", "systemAttributes.owner.ownerName")
        assert "ownerName" not in {one.path.rpartition(".")[2] for one in file.fields.values()}

    def test_few_requests_are_sent(self) -> None:
        """Some for fifty fields each, for each kind."""
        client = Counted(drive())
        draft_catalog(client, "entities-v4")  # type: ignore[arg-type]
        assert client.searches < 30


def nth(count: int, **values: Any) -> Documents:
    """Documents of which each has its number in the place of N, and one of several values in turn."""

    def value(one: Any, n: int) -> Any:
        if isinstance(one, list):
            return one[n % len(one)]
        return one.replace("N", str(n)) if isinstance(one, str) else one

    return [{name: value(one, n) for name, one in values.items()} for n in range(count)]


SAID = ["It came back with a broken lock", "The lid does not close any more", "Nobody knows what this one is"]
EARLY = nth(1100, code="cN")
DRAFTS: dict[str, tuple[dict[str, Any], Documents, list[str], list[str]]] = {
    "a blank value is one of those there are":
        ({"box": KEYWORD}, nth(24, box=["", "open", "closed"]), ['  values: ["", closed, open]  # ? '], []),
    "a state is said in other words too":
        ({"status": KEYWORD, "shape": KEYWORD},
         nth(40, status=["rejected", "on_hold", "paused", "new"], shape=["open", "done"]),
         ["  values: {new: [], on_hold: [put on hold], paused: [], rejected: [turned down, refused, denied]}",
          "  values: [done, open]  # ? "], []),
    "codes are short for words, where two of a family stand together":
        ({"trade": KEYWORD, "colour": KEYWORD, "grade": KEYWORD, "kind": KEYWORD},
         nth(60, trade=["MECH", "PLMB", "XQ"], colour=["R", "W", "SP"], grade=["R", "W"], kind=["CM", "KG"]),
         ["  values: {MECH: [mechanical], PLMB: [plumbing], XQ: []}",
          "  values: {R: [red], SP: [sparkling], W: [white]}", "  values: [R, W]  # ? ", "  values: [CM, KG]  # ? "],
         []),
    "sentences and ids are no values":
        ({"said": KEYWORD, "boxRef": KEYWORD, "state": KEYWORD},
         nth(30, said=SAID, boxRef=["b0", "b1", "b2"], state=["in use", "lost"]),
         ["    values: [in use, lost]  # ? "], ["values: [It", "values: [b0"]),
    # lists
    "an object in several places of a document is a list":
        ({"lines": {"properties": {"sku": KEYWORD, "n": LONG}}, "one": {"properties": {"x": KEYWORD}}},
         [{"lines": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}], "one": {"x": "y"}}],
         ["  x:\n    path: one.x\n", "\nlists:\n  lines:\n    path: lines\n    # not nested in the mapping",
          "      sku: sku\n"],
         []),
    "a point written as two numbers is one value":
        ({"at": {"type": "geo_point"}}, [{"at": [12.5, 41.9]}], ["  at: at"], ["list: true"]),
    # what is left out
    "what cannot be asked about, or no document has":
        ({"a": KEYWORD, "b": KEYWORD, "span": {"type": "long_range"}}, [{"a": "x"}],
         ["# left out: span, mapped as long_range, which cannot be searched", "# left out, no document has them: b"],
         []),
    "of many fields that are never filled some are named":
        ({"a": KEYWORD, **{f"empty{n:03}": KEYWORD for n in range(300)}}, [{"a": "x"}],
         ["# left out, no document has them: empty000, ", "empty038, empty039 and 260 more\n"], []),
    "an index without documents has all its fields": ({"a": KEYWORD, "b": DATE}, [], ["fields:\n  a: a\n  b: b\n"], []),
    # ids
    "an id is unique in the whole index":  # one further on than the first thousand has a number again
        ({"number": KEYWORD, "code": KEYWORD}, [*nth(1200, number="N", code="N"), {"number": "0", "code": "new"}],
         ["    id: code\n"], []),
    "ids of letters and a number are known by them":
        ({"code": KEYWORD}, nth(10, code="T-N"), ["\n    id_pattern: 'T-[0-9]+'"], []),
    "numbers may be names as well": ({"code": KEYWORD}, nth(10, code="N"), ["\n    # ? id_pattern: '[0-9]+'"], []),
    # names
    "the name in an object is that of the object":
        ({"title": TEXT, "supplier": {"properties": {"name": KEYWORD, "country": KEYWORD}}},
         [{"title": f"Thing {n}", "supplier": {"name": "ab"[n % 2], "country": "PT"}} for n in range(8)],
         ["    names: [title]", "  supplier_name: supplier.name"], []),
    "unless most documents have another":
        ({"common": {"properties": {"name": KEYWORD, "state": KEYWORD}}},
         [{"common": {"name": f"n{n}", "state": "new"}} for n in range(8)],
         ["    names: [name]", "  name:\n    path: common.name"], []),
    "a name of longer words tells documents apart":
        ({"firstName": KEYWORD, "fullName": KEYWORD, "job_title": KEYWORD},
         nth(8, firstName=["A", "B"], fullName="A N", job_title="nurse"), ["    names: [full_name]"], []),
    "what is called after the things is their name":
        ({"thing_name": KEYWORD}, nth(8, thing_name="bolt"), ["    names: [thing_name]"], []),
    "a name in several languages":
        ({"name": {"properties": {"en": TEXT, "native": TEXT}}, "state": KEYWORD},
         [{"name": {"en": f"Museum {n}", "native": f"博物館 {n}"}, "state": "x"} for n in range(8)],
         ["    names: [name_en, name_native]"], []),
    # texts
    "text fields are analysed ones with names or prose":
        ({"name": KEYWORD, "title": TEXT, "code": TEXT, "note": TEXT, "body": {"type": "text"}},
         [{"name": "a b", "title": "t", "code": "x-1", "note": "to be sold", "body": "all of it"}],
         ["    text: [title, note, body]"], []),
    "a text that is not for everybody is not searched":
        ({"phone": TEXT, "note": TEXT}, [{"phone": "+49 30 1234", "note": "call back"}], ["    text: [note]"], []),
    # dates
    "days are told from instants":
        ({"day": DATE, "at": DATE},
         [{"day": f"2024-05-{n:02}", "at": f"2024-05-{n:02}T0{n % 3}:00:00Z"} for n in range(1, 20)],
         ["  day:\n    path: day\n    whole_days: true  # ? ", "  at: at\n"], []),
    "days in milliseconds": ({"day": DATE}, [{"day": n * 86_400_000} for n in range(3)], ["    whole_days: true"], []),
    "days that only late documents have":
        ({"code": KEYWORD, "due": DATE}, [*EARLY, *nth(5, code="dN", due="2024-05-1N")], ["    whole_days: true"], []),
    "the order is by a date that most documents have and it is shown":
        ({"scrapped": DATE, "bought": DATE, "color": KEYWORD},
         [*nth(9, bought="2024-01-1N", color="red"),
          {"bought": "2024-01-10", "color": "red", "scrapped": "2025-01-01"}],
         ["    show: [color, bought]", "    sort: bought desc"], []),
    "by none that few have":
        ({"scrapped": DATE, "color": KEYWORD}, [*nth(2, color="red"), {"color": "red", "scrapped": "2025-01-01"}], [],
         ["sort:"]),
    "the date of a document is when it was made":
        ({"ended_at": DATE, "date_of_birth": DATE, "created_at": DATE},
         nth(3, ended_at="2024-01-02", created_at="2024-01-01", date_of_birth="1999-01-01"),
         ["    sort: created_at desc", "\n    date: created_at"], []),
    "another date is a guess":
        ({"ended": DATE, "paid": DATE}, nth(3, ended="2024-01-02", paid="2024-01-01"), ["    # ? date: ended"], []),
    **{f"{name} is the date of a document":
       ({name: DATE, "until": DATE}, nth(5, **{name: "2024-01-1N", "until": "2025-01-1N"}), [f"\n    date: {called}"],
        [])
       for name, called in (("signedUp", "signed_up"), ("hired_on", "hired_on"), ("customerSince", "customer_since"))},
    "what is booked ahead may be asked for by when it takes place":
        ({"booked_on": DATE, "planned_for": DATE}, nth(3, booked_on="2024-01-01", planned_for="2024-02-01"),
         ["    # ? date: booked_on"], []),
    "the only date is the one": ({"joined": DATE}, nth(5, joined="2024-01-1N"), ["\n    date: joined"], []),
    # numbers
    "the only number": ({"beds": LONG}, nth(4, beds=3), ["\n    number: beds"], []),
    "the only amount": ({"beds": LONG, "price": LONG}, nth(4, beds=3, price=1), ["\n    # ? number: price"], []),
    "none of several": ({"beds": LONG, "floors": LONG}, nth(4, beds=3, floors=1), [], ["number:"]),
    "a year is no amount": ({"year": LONG}, nth(4, year=1999), [], ["number:"]),
    # units
    "speeds are hardly in milliseconds":
        ({"topSpeedMs": LONG, "delayMs": LONG}, [{"topSpeedMs": 3, "delayMs": 4}],
         ["    # ? unit: m/s", "    unit: ms"], []),
    "siblings are marked alike":
        ({"response_min": LONG, "repair_min": LONG}, [{"response_min": 3, "repair_min": 4}],
         ["path: response_min\n    unit: minutes", "path: repair_min\n    unit: minutes"], ["# ? unit"]),
    "what may be the smallest is a guess": ({"value_min": LONG}, [{"value_min": 3}], ["# ? unit: minutes"], []),
    "the smallest beside the largest is no unit":
        ({"response_time_min": LONG, "response_time_max": LONG}, [{"response_time_min": 3, "response_time_max": 5}], [],
         ["unit:"]),
    # amounts
    "the currency called after an amount":
        ({"listPrice": NUMBER, "height": NUMBER, "priceCurrency": KEYWORD},
         nth(1, listPrice=1.5, height=2.5, priceCurrency="EUR"),
         ["path: listPrice\n    unit_field: price_currency", "  height: height"], []),
    "the only currency, and what is no money":
        ({"cost": NUMBER, "weight": NUMBER, "interest_rate": NUMBER, "lines": LONG, "currency": KEYWORD},
         nth(1, cost=1.5, weight=2.5, interest_rate=0.5, lines=2, currency="EUR"),
         ["path: cost\n    unit_field: currency", "  weight: weight", "  interest_rate: interest_rate",
          "  lines: lines"], []),
    # references
    "references that only late documents have":
        ({"code": KEYWORD, "copy": KEYWORD}, [*EARLY, *nth(3, code="dN", copy="cN")], ["# ? refers_to: thing"], []),
    "no reference is seen in a few bare numbers":  # an author's is called an id
        ({"nr": KEYWORD, "mark": KEYWORD, "authorId": KEYWORD},
         nth(40, nr="N", mark=["1", "2", "3"], authorId=["1", "2", "3"]),
         ["  author:\n    path: authorId\n    # ? refers_to: thing"], ["path: mark\n    # ? refers_to"]),
    # kinds
    "a state that goes with more fields tells no kinds":
        ({"state": KEYWORD, "ended": DATE}, [{"state": "open"}, {"state": "done", "ended": "2024-05-05"}] * 20,
         ["  thing:"], ["where: {state"]),
    "nor does a type whose documents have the same fields":
        ({"type": KEYWORD, "size": KEYWORD}, nth(40, type=["cup", "mug"], size=["1", "2"]), ["  thing:"],
         ["where: {type"]),
    "nor one that some documents lack":
        ({"type": KEYWORD, "x": KEYWORD, "y": KEYWORD, "z": KEYWORD},
         [{"type": "cup", "x": "1"}, {"type": "mug", "y": "2"}, {"z": "3"}] * 20, ["  thing:"], ["where: {type"]),
    "nor a class whose values are no words":
        ({"class": KEYWORD, "status": KEYWORD, "sail": KEYWORD},
         [{"class": "A", "status": "moored"}, {"class": "B", "sail": "yes"}] * 20, ["  thing:"], ["where: {class"]),
    "nor the type of what several documents share":
        ({"device_id": KEYWORD, "device_type": KEYWORD, "co2": LONG, "warmth": LONG, "opened": LONG},
         [{"device_id": kind, "device_type": kind, field: 1}
          for kind, field in (("air", "co2"), ("thermostat", "warmth"), ("door", "opened"))] * 4, ["  thing:"],
          ["where: {device_type"]),
    "another field does where each kind has fields of its own":
        ({"role": KEYWORD, "x": KEYWORD, "y": KEYWORD}, [{"role": "cook", "x": "1"}, {"role": "guest", "y": "2"}] * 20,
         ["  cook:", "    where: {role: cook}", "  guest:"], ["  thing:"]),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAFTS)
def test_what_a_draft_says(name: str) -> None:
    properties, documents, said, unsaid = DRAFTS[name]
    text = drafted(properties, documents)
    assert [one for one in said if one not in text] == [], text
    assert [one for one in unsaid if one in text] == [], text


STEERING = {
    "a line": "x\nfields: {}",
    "an entity": "x\n  spy: {index: secrets}",
    "a line of Unicode": "x\u2028y",
    "the next line": "x\x85y",
    "a control": "x\x1b[31my",
    "a comment": "x # y",
    "quotes": "x'y\"z",
    "an alias": "*x",
}


@pytest.mark.parametrize("filled", [True, False], ids=["filled", "empty"])
@pytest.mark.parametrize("name", STEERING)
def test_a_name_of_a_field_writes_no_line_of_its_own(name: str, filled: bool) -> None:
    """Who may write documents may call their fields what they like: a draft has the field, and nothing else of it."""
    odd = STEERING[name]
    documents = [{"plain": "p", **({odd: f"v{n % 3}"} if filled else {})} for n in range(30)]
    catalog = read_catalog(drafted({"plain": KEYWORD, odd: KEYWORD}, documents)).file
    assert list(catalog.entities) == ["thing"]
    assert {one.path for one in catalog.fields.values()} == ({"plain", odd} if filled else {"plain"})


@pytest.mark.parametrize("name", STEERING)
def test_a_value_writes_no_line_of_its_own(name: str) -> None:
    odd = STEERING[name]
    documents = [{"state": (odd, "open")[n % 2], "id": f"{odd}-{n}"} for n in range(30)]
    catalog = read_catalog(drafted({"state": KEYWORD, "id": KEYWORD}, documents)).file
    assert (list(catalog.entities), catalog.fields["state"].path) == (["thing"], "state")


def test_units_are_what_a_name_ends_with() -> None:
    names = {
        "weight_kg": "kg", "weightG": "g", "top_speed_kmh": "km/h", "diameterMm": "mm", "notice_days": "days",
        "fuel_litres": "l", "elapsed_s": "seconds", "duration_min": "minutes", "height_m": "m", "price_m": None,
        "co2_g_km": None, "km_per_l": None, "min": None, "code_s": None, "seats": None, "ram_gb": "GB",
        "latency_ms": "ms", "FlightTimeMin": "minutes", "cost_gbp": "GBP", "try": None,
    }  # fmt: skip
    text = drafted(dict.fromkeys(names, NUMBER), [{name: 1.5 + n for n, name in enumerate(names)}])
    found = {one.path: one.unit for one in read_catalog(text).file.fields.values()}
    assert {name: found[name] for name in names} == names


def test_a_longer_name_of_an_index_ends_with_what_people_say() -> None:
    entity = read_catalog(drafted({"speed": KEYWORD}, [{"speed": "slow"}], "ais_positions")).file.entities[
        "ais_position"
    ]
    assert (entity.plural, entity.words) == ("ais_positions", ("position", "positions"))


def test_an_index_that_does_not_exist_is_reported() -> None:
    with pytest.raises((MappingError, NotFoundError), match="other"):
        draft_catalog(index_of("things", {}, []), "other")


def test_numbers_identify_and_are_referred_to_by_numbers_only() -> None:
    properties = {"type": KEYWORD, "id": LONG, "name": KEYWORD, "since": DATE, "customer_id": LONG, "total": LONG}
    customers = [{"type": "customer", "id": 500 + n, "name": f"C{n}", "since": "2020-01-01"} for n in range(6)]
    orders = [{"type": "order", "id": 900 + n, "customer_id": 500 + n % 6, "total": n} for n in range(20)]
    file = read_catalog(drafted(properties, [*customers, *orders])).file
    order = file.entities["order"]
    assert (file.defaults.id, order.id_pattern) == ("id", "[0-9]+")
    assert (order.fields["customer"].path, order.fields["customer"].refers_to) == ("customer_id", "customer")
    assert order.fields["total"].refers_to is None
    texts = [one | {"customer_id": "c500"} for one in orders]
    file = read_catalog(drafted(properties | {"customer_id": KEYWORD}, [*customers, *texts])).file
    assert file.entities["order"].fields["customer_id"].refers_to is None
