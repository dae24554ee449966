"""Drafts of indices with several kinds of documents: an entity for each, with what its documents have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from qlc.mapping.catalog import read_catalog
from qlc.mapping.catalog_model import CatalogFile
from tests.mapping.test_draft import DATE, KEYWORD, drafted, unmarked

PROPERTIES: dict[str, Any] = {
    **dict.fromkeys(["docType", "id", "name", "title", "status", "boatId", "helperIds", "skipperId", "replaces"],
                    KEYWORD),
    "launchedOn": DATE,
    "log": {"type": "nested", "properties": {"authorId": KEYWORD, "authorName": KEYWORD, "text": {"type": "text"}}},
}


def _harbour() -> Iterator[dict[str, Any]]:
    """Many trips before a few boats, guests and skippers."""
    for n in range(1100):
        trip = {"docType": "trip", "id": f"T-{n:04}", "title": f"Trip {n}", "status": ("done", "planned")[n % 2]}
        author = f"S-{n % 3}" if n % 5 else f"G-{n % 7}"
        log = {"authorId": author, "authorName": author.lower(), "text": "calm"}
        yield trip | {"boatId": f"B-{n % 4}", "log": [log]}
    for n in range(12):
        yield {"docType": "guest", "id": f"G-{n}", "name": f"Guest {n}", "status": ("member", "visitor")[n % 2]}
    for n in range(6):
        boat = {"docType": "BOAT", "id": f"B-{n}", "name": f"Boat {n}", "launchedOn": f"2001-01-0{n + 1}"}
        yield boat | {"skipperId": f"S-{n % 3}", "helperIds": [f"S-{n % 2}", f"S-{n % 3}"]}
    for n in range(4):
        yield {"docType": "skipper", "id": f"S-{n}", "name": f"Skipper {n}"} | ({"replaces": f"S-{n - 1}"} if n else {})


@cache
def harbour() -> str:
    return drafted(PROPERTIES, list(_harbour()))


def taken() -> CatalogFile:
    """The catalog with all guesses taken as right."""
    return read_catalog(unmarked(harbour(), "values", "whole_days", "refers_to", "name_at", "show")).file


def test_every_kind_is_an_entity() -> None:
    entities = taken().entities
    wheres = {name: one.where["docType"] for name, one in entities.items() if "_or_" not in name}
    assert wheres == {"trip": ("trip",), "guest": ("guest",), "boat": ("BOAT",), "skipper": ("skipper",)}
    assert (entities["trip"].names, entities["boat"].names) == (("title",), ("name",))


def test_a_field_is_under_the_kinds_that_fill_it() -> None:
    file = taken()
    assert set(file.fields) == {"doc_type", "id"}
    assert file.defaults.id == "id"
    assert set(file.entities["boat"].fields) == {"name", "skipper", "helpers", "launched_on"}
    assert set(file.entities["trip"].lists) == {"log"}
    assert not file.entities["guest"].lists


def test_a_rare_kind_is_looked_at_as_closely_and_closed_values_are_those_of_the_kind() -> None:
    entities = taken().entities
    assert entities["boat"].fields["launched_on"].whole_days
    assert set(entities["trip"].fields["status"].values or ()) == {"done", "planned"}
    assert set(entities["guest"].fields["status"].values or ()) == {"member", "visitor"}


def test_references_name_the_kind_whose_ids_they_are() -> None:
    entities = taken().entities
    assert entities["trip"].fields["boat"].refers_to == "boat"
    assert entities["boat"].fields["skipper"].refers_to == "skipper"
    assert entities["boat"].fields["helpers"].refers_to == "skipper"
    assert entities["skipper"].fields["replaces"].refers_to == "skipper"


def test_ids_of_two_kinds_are_those_of_an_entity_that_is_both() -> None:
    file = taken()
    author = file.entities["trip"].lists["log"].fields["author"]
    assert (author.refers_to, author.name_at) == ("guest_or_skipper", "authorName")
    both = file.entities["guest_or_skipper"]
    assert both.where == {"docType": ("guest", "skipper")}
    assert (both.plural, both.names, set(both.fields)) == ("guests_or_skippers", ("name",), {"name"})


def test_what_all_of_them_are_together_can_be_an_entity() -> None:
    text = harbour().replace("# ? entry:", "entry:")
    assert read_catalog(text).file.entities["entry"].plural == "entries"


def test_of_kinds_with_the_same_ids_the_one_that_the_field_is_called_after() -> None:
    documents = [{"type": "part", "id": f"{n:03}", "supplierId": f"{n % 30:03}", "weight": n} for n in range(60)]
    documents += [{"type": "buyer", "id": f"{n:03}", "name": str(n)} for n in range(30)]
    documents += [{"type": "supplier", "id": f"{n:03}", "city": str(n)} for n in range(35)]
    properties = {"type": KEYWORD, "id": KEYWORD, "supplierId": KEYWORD, "name": KEYWORD, "city": KEYWORD}
    text = drafted(properties | {"weight": {"type": "long"}}, documents)
    assert read_catalog(unmarked(text, "refers_to")).file.entities["part"].fields["supplier"].refers_to == "supplier"
