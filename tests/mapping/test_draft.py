"""Drafted catalogs: they load and check as they are, and their guesses are right where they can be tried."""

from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch, NotFoundError
from syrupy.assertion import SnapshotAssertion

from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.mapping.errors import MappingError
from qlc.mapping.index_mapping import fetch_mapping
from qlc.store.clients import connect
from tests import data_sets
from tests.mapping.double import Counted, index_of
from tests.pairs import check_beside
from tests.tables import table

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


def drafted(properties: dict[str, Any], documents: Documents, index: str = "things") -> str:
    body = {"mappings": {"properties": properties}}
    return draft(index_of(index, body, [(str(n), one) for n, one in enumerate(documents)]), index)


def unmarked(text: str, *keys: str) -> str:
    """A draft whose guesses of some keys are taken as right."""
    for key in keys:
        text = text.replace(f"# ? {key}:", f"{key}:")
    return text


def test_the_document_store_is_drafted_as_written_beside(snapshot: SnapshotAssertion) -> None:
    """From the embedded engine; `test_live.py` drafts from servers."""
    with connect(data_sets.stored("drive"), read_only=True) as client:
        check_beside(Path(__file__), draft(client, "entities-v4"), snapshot)


def test_few_requests_are_sent() -> None:
    """Some for fifty fields each, for each kind."""
    client = Counted(drive())
    draft_catalog(client, "entities-v4")  # type: ignore[arg-type]
    assert client.searches < 30


def nth(count: int, **values: Any) -> Documents:
    """Make documents: N in a value is the document's number, and a list of values is used in turn."""

    def value(one: Any, n: int) -> Any:
        if isinstance(one, list):
            return one[n % len(one)]
        return one.replace("N", str(n)) if isinstance(one, str) else one

    return [{name: value(one, n) for name, one in values.items()} for n in range(count)]


EARLY = nth(1100, code="cN")
DRAFTS: dict[str, tuple[dict[str, Any], Documents, str]] = {
    "an id is unique in the whole index": (
        {"number": KEYWORD, "code": KEYWORD},
        [*nth(1200, number="N", code="N"), {"number": "0", "code": "new"}], "    id: code\n"),
    "days that only late documents have": (
        {"code": KEYWORD, "due": DATE}, [*EARLY, *nth(5, code="dN", due="2024-05-1N")], "    whole_days: true"),
    "references that only late documents have": (
        {"code": KEYWORD, "copy": KEYWORD}, [*EARLY, *nth(3, code="dN", copy="cN")], "# ? refers_to: thing"),
}  # fmt: skip
"""Of very many documents; those of few are in drafts/of_few_documents.yaml."""


@pytest.mark.parametrize("name", DRAFTS)
def test_what_a_draft_says(name: str) -> None:
    properties, documents, said = DRAFTS[name]
    assert said in drafted(properties, documents)


STEERING = table(__file__, "STEERING")


@pytest.mark.parametrize("filled", [True, False], ids=["filled", "empty"])
@pytest.mark.parametrize("name", STEERING)
def test_a_name_of_a_field_writes_no_line_of_its_own(name: str, filled: bool) -> None:
    """Writers of documents can name fields at will. The draft contains the name as data only."""
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
