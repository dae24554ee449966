"""Drafts over several indices: an entity for each, called without what their names share, and what refers to what."""

from functools import cache
from pathlib import Path
from typing import Any

from elasticsearch import Elasticsearch
from syrupy.assertion import SnapshotAssertion

from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.catalog_model import CatalogFile, EntityPart
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.shared import index_names
from qlc.store.clients import connect
from tests.mapping.double import index_of
from tests.mapping.test_draft import DATE, KEYWORD
from tests.pairs import check_beside

INDICES: dict[str, dict[str, Any]] = {
    "farm-animals": {"animal_id": KEYWORD, "name": KEYWORD, "barn_id": KEYWORD, "keeperRef": KEYWORD, "born": DATE},
    "farm-barns": {"barn_id": KEYWORD, "label": KEYWORD},
    "farm-people": {"person_id": KEYWORD, "name": KEYWORD},
}


@cache
def farm() -> Elasticsearch:
    client = connect(":memory:")
    for index, properties in INDICES.items():
        client.indices.create(index=index, mappings={"properties": properties})
    for n in range(12):
        client.index(index="farm-barns", document={"barn_id": f"b{n}", "label": f"Barn {n}"})
        client.index(index="farm-people", document={"person_id": f"p{n}", "name": f"Person {n}"})
    for n in range(60):
        animal = {"animal_id": f"a{n}", "name": f"Animal {n}", "born": "2024-01-01"}
        refs = {"barn_id": f"b{n % 7}", "keeperRef": f"p{n % 6}"}
        client.index(index="farm-animals", document=animal | refs)
    client.indices.refresh(index="farm-*")
    return client


def without_index(file: CatalogFile) -> dict[str, EntityPart]:
    return {kind: one.model_copy(update={"index": None}) for kind, one in file.entities.items()}


def test_each_index_is_an_entity_and_its_ids_are_references_in_others(snapshot: SnapshotAssertion) -> None:
    text = draft_catalog(farm(), "farm-*")
    check_beside(Path(__file__), text, snapshot)
    for name in ("farm-*", "farm-animals,farm-barns,farm-people", "farm-a*,farm-b*,farm-p*"):
        catalog = read_catalog(draft_catalog(farm(), name))
        assert check_catalog(catalog, {index: fetch_mapping(farm(), index) for index in index_names(catalog)}) == []
        assert all(one.index for one in catalog.file.entities.values())
        assert without_index(catalog.file) == without_index(read_catalog(text).file)


def test_indices_of_one_sort_are_one_entity() -> None:
    client = connect(":memory:")
    for month in ("2026.01", "2026.02"):
        client.index(index=f"tolls-{month}", document={"road": "A1"}, refresh=True)
    client.indices.put_alias(index="tolls-2026.01,tolls-2026.02", name="tolls")
    for name in ("tolls-*", "tolls-2026.01,tolls-2026.02", "tolls"):
        file = read_catalog(draft_catalog(client, name)).file
        assert (set(file.entities), file.index) == ({"toll"}, name)
    client.index(index="notes", document={"by": "Ada"}, refresh=True)
    entities = read_catalog(draft_catalog(client, "*")).file.entities
    assert {name: one.index for name, one in entities.items()} == {
        "note": "notes",
        "toll": "tolls-2026.01,tolls-2026.02",
    }


def test_several_indices_of_which_one_has_a_list() -> None:
    """A list that few of the documents read have is looked for in all of them."""
    body = {"mappings": {"properties": {"lines": {"type": "nested", "properties": {"sku": KEYWORD}}, "a": KEYWORD}}}
    client = index_of("bills-1", body, [(str(n), {"a": "x"}) for n in range(1100)])
    client.index(index="bills-1", document={"lines": [{"sku": "s"}]}, refresh=True)
    client.index(index="bills-2", document={"b": "y"}, refresh=True)
    assert "lines" in read_catalog(draft_catalog(client, "bills-1,bills-2")).file.lists


def test_an_entity_keeps_the_words_that_its_index_alone_would_have() -> None:
    """`employee_records` are called employees and workers, but not items, as a list of the orders is called so."""
    client = connect(":memory:")
    for n in range(6):
        client.index(index="hr-employee-records", document={"employee_id": f"E{n}", "full_name": f"Ann {n}"})
        client.index(index="hr-orders", document={"order_no": f"O{n}", "items": [{"sku": f"S{n}"}]})
        client.index(index="hr-products", document={"sku": f"S{n}", "title": f"Thing {n}"})
    client.indices.refresh(index="hr-*")
    told: list[str] = []
    entities = read_catalog(draft_catalog(client, "hr-*", tell=told.append)).file.entities
    assert {"employee", "workers"} <= set(entities["employee_record"].words)
    assert not {"item", "items"} & set(entities["product"].words)
    assert told[0] == "reading 2 fields of hr-employee-records (1 of 3)"
    assert any(one.startswith("comparing ") and one.endswith("(3 of 3)") for one in told)


def test_fields_that_tell_most_equal_names_apart_are_drafted() -> None:
    client = connect(":memory:")
    for n in range(40):
        document = {"name": f"Ann {n % 4}", "city": f"City {n % 3}", "joined": f"20{n % 7 + 10}-01-01"}
        client.index(index="people", document=document | {"person_id": f"P{n}"})
    client.indices.refresh(index="people")
    assert "tell_apart: [joined, city]" in draft_catalog(client, "people")


def test_the_noun_of_an_id_that_other_documents_are_called_by_is_no_word() -> None:
    client = connect(":memory:")
    for index, fields in (("deliveries", {"part_no": KEYWORD, "arrived": DATE}), ("parts", {"sku": KEYWORD})):
        client.indices.create(index=index, mappings={"properties": fields})
        for n in range(12):
            values = {"part_no": f"x{n}", "arrived": "2024-01-01"} if "arrived" in fields else {"sku": f"S{n}"}
            client.index(index=index, id=f"x{n}", document=values, refresh=True)
    catalog = read_catalog(draft_catalog(client, "deliveries,parts"))
    assert {*Compiler(client, catalog).schema.entities} >= {"delivery", "part"}
    assert "parts" not in catalog.file.entities["delivery"].words
    assert "parts" in read_catalog(draft_catalog(client, "deliveries")).file.entities["delivery"].words
