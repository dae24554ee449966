"""Drafts of indices with several kinds of documents: an entity for each, with what its documents have."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from syrupy.assertion import SnapshotAssertion

from qlc.mapping.catalog import read_catalog
from tests.mapping.test_draft import DATE, KEYWORD, drafted, unmarked
from tests.pairs import check_beside

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


def test_each_kind_is_drafted_as_written_beside(snapshot: SnapshotAssertion) -> None:
    """Also an entity for ids that two kinds share, and fields under the kinds that fill them."""
    text = drafted(PROPERTIES, list(_harbour()))
    check_beside(Path(__file__), text, snapshot)
    taken = read_catalog(unmarked(text, "values", "whole_days", "refers_to", "name_at", "show", "entry")).file
    assert taken.entities["entry"].plural == "entries"
    assert taken.entities["trip"].lists["log"].fields["author"].refers_to == "guest_or_skipper"


def test_of_kinds_with_the_same_ids_the_one_that_the_field_is_called_after() -> None:
    documents = [{"type": "part", "id": f"{n:03}", "supplierId": f"{n % 30:03}", "weight": n} for n in range(60)]
    documents += [{"type": "buyer", "id": f"{n:03}", "name": str(n)} for n in range(30)]
    documents += [{"type": "supplier", "id": f"{n:03}", "city": str(n)} for n in range(35)]
    properties = {"type": KEYWORD, "id": KEYWORD, "supplierId": KEYWORD, "name": KEYWORD, "city": KEYWORD}
    text = drafted(properties | {"weight": {"type": "long"}}, documents)
    assert read_catalog(unmarked(text, "refers_to")).file.entities["part"].fields["supplier"].refers_to == "supplier"
