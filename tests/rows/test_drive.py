"""The document store: names of references, keys behind references, elements of lists, currencies."""

from collections import Counter
from collections.abc import Iterator
from statistics import median
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc import catalogs
from tests.reference import model
from tests.reference.tables import groups, numbers
from tests.rows.world import Asker, flat, stored


@pytest.fixture(scope="module")
def drive(client: Elasticsearch) -> Iterator[Asker]:
    mapping = model.drive_mapping()
    documents = {document["systemAttributes"]["id"]: document for document in model.drive_documents()}
    catalog = catalogs.path("drive").read_text(encoding="utf-8").replace("entities-v4", "INDEX")
    with stored(client, mapping, documents, shards=3) as index:
        yield Asker.with_catalog(client, index, mapping, catalog)


def by_id(drive: Asker, program: str) -> dict[Any, Any]:
    """The first measure by the value of the one key."""
    return {row.keys[0].value: row.values[0] for row in drive.run(program).rows}


def test_references_to_documents_are_looked_up_for_the_rows_shown(drive: Asker) -> None:
    found = drive.run("count documents by folder limit 3")
    expected = Counter(row.folder for row in model.documents()).most_common(3)
    assert [(row.keys[0].value, row.values[0]) for row in found.rows] == expected
    assert [str(row.keys[0].name).partition(" (")[0] for row in found.rows] == [
        model.by_id()[folder].name for folder, _ in expected]  # two are called 'Receipts', with their paths after it


def test_a_target_that_is_gone_has_no_name(drive: Asker) -> None:
    found = drive.run("count documents by copied_from")
    nameless = [row.keys[0] for row in found.rows if row.keys[0].name is None]
    assert [key.value for key in nameless] == [key.label for key in nameless]
    assert {key.value for key in nameless} == {
        row.copied_from for row in model.documents() if row.copied_from and row.copied_from not in model.by_id()
    }


def test_references_sort_by_name(drive: Asker) -> None:
    names = [row.keys[0].label for row in drive.run("count documents by folder sort folder").rows]
    assert names == sorted(names)


def holder(row: model.Row) -> model.Row | None:
    return model.holder(row)


def test_groups_through_two_references(drive: Asker) -> None:
    expected: Counter[Any] = Counter()
    for row in model.documents():
        above = holder(row)
        if above is not None and (higher := holder(above)) is not None:
            expected[higher.owner] += 1
    assert by_id(drive, "count documents by folder.folder.owner") == expected


def test_measures_through_a_reference(drive: Asker) -> None:
    table = groups(model.documents(), lambda row: above.owner if (above := holder(row)) is not None else None)
    found = drive.run("median(size), distinct(type), avg(size), share(starred = true) of documents by folder.owner")
    assert {row.keys[0].value for row in found.rows} == set(table)
    for row in found.rows:
        members = table[row.keys[0].value]
        about, types, mean, starred = row.values
        sizes = numbers(members, "size")
        assert about == pytest.approx(median(sizes), rel=0.02)
        assert types == len({member.type for member in members} - {None})
        assert mean == pytest.approx(sum(sizes) / len(sizes))
        assert starred == pytest.approx(sum(member.starred is True for member in members) / len(members))
    assert found.approximate == ("median",)


def test_elements_of_one_list_stay_together(drive: Asker) -> None:
    expected = Counter(
        pair for row in model.documents() for pair in {(share.who_type, share.role) for share in row.shares}
    )
    found = flat(drive.run("count documents by shares.who_type, shares.role"))
    assert {(who, role): count for who, role, count in found} == expected


def test_two_lists_are_crossed(drive: Asker) -> None:
    expected = Counter(
        pair
        for row in model.documents()
        for pair in {(share.role, comment.resolved) for share in row.shares for comment in row.comments}
    )
    found = drive.run("count documents by shares.role, comments.resolved")
    assert {(row.keys[0].value, row.keys[1].value): row.values[0] for row in found.rows} == expected


def test_amounts_in_several_currencies_are_reported(drive: Asker) -> None:
    whole = drive.run("sum(amount), avg(amount) of documents")
    assert whole.notes == ("'sum' and 'avg' mix amounts of different currency: EUR, USD.",)
    assert drive.run("sum(amount) of documents by currency").notes == ()
    by_type = drive.run("sum(amount) of documents by type")
    table = groups([row for row in model.documents() if row.amount is not None], lambda row: row.type)
    mixed = [kind for kind, members in table.items() if len({member.currency for member in members} - {None}) > 1]
    nothing = len(by_type.rows) - len(table)
    assert by_type.notes == (
        f"'sum' has no value in {nothing} of {len(by_type.rows)} rows: no document there has one.",
        f"'sum' mixes amounts of different currency in {len(mixed)} of {len(by_type.rows)} rows: EUR, USD.",
    )
    units = {kind: {member.currency for member in members} - {None} for kind, members in table.items()}
    assert {row.keys[0].value: row.units["sum"] for row in by_type.rows if row.units} == {
        kind: next(iter(found)) for kind, found in units.items() if len(found) == 1
    }
