"""Distinct values and pairs of values, read to the end."""

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc.compiler.request import CannotAnswer
from qlc.compiler.typed import All, Pairs
from qlc.mapping.fields import ID_FIELD, FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.resolver.rows import read_pairs, read_values
from tests.rows.world import Asker, ids, mapping_of, stored

MAPPING = mapping_of(
    a="keyword", b="keyword", n="long", ok="boolean", sure="boolean", many="keyword", e={"x": "keyword", "y": "keyword"}
)
DOCUMENTS: list[dict[str, Any]] = [
    {"a": "Rome", "b": "ROME", "n": 3, "ok": True, "sure": True, "e": [{"x": "p", "y": "P"}, {"x": "q", "y": "r"}]},
    {"a": "Rome", "b": "Oslo", "n": [7, 7, -1], "ok": False, "sure": True, "e": [{"x": "r", "y": "q"}]},
    {"a": "Zürich", "b": "ZÜRICH"},
    {"a": "straße", "b": "STRASSE"},
    *({"many": [f"v{number}", f"w{number}"]} for number in range(12_000)),
]


@pytest.fixture(scope="module")
def asker(client: Elasticsearch) -> Iterator[Asker]:
    with stored(client, MAPPING, ids(DOCUMENTS), shards=5) as index:
        yield Asker.without_catalog(client, index, MAPPING)


@pytest.fixture
def entry(asker: Asker) -> Entity:
    return asker.schema.entity("entry")


def values(asker: Asker, field: Field, *filters: Any, limit: int | None = None) -> Any:
    return asker.read(read_values(asker.schema.entity("entry"), field, filters, asker.environment(), limit))


def test_values_of_documents_and_of_elements(asker: Asker, entry: Entity) -> None:
    assert values(asker, entry.fields["n"]) == [-1, 3, 7]
    assert values(asker, entry.fields["ok"]) == [False, True]
    assert values(asker, entry.lists["e"].fields["x"]) == ["p", "q", "r"]
    assert values(asker, entry.fields["a"], {"term": {"b": "Oslo"}}) == ["Rome"]
    assert values(asker, entry.fields["a"], {"term": {"b": "nowhere"}}) == []


def test_many_values_are_read_on_to_the_end(asker: Asker, entry: Entity) -> None:
    assert values(asker, entry.fields["many"]) == sorted(f"{c}{n}" for n in range(12_000) for c in "vw")
    assert [request.continues for request in asker.asked] == [False, True, True, True]


@pytest.mark.parametrize(("limit", "fits"), [(24_000, True), (23_999, False)])
def test_too_many_values_are_refused(asker: Asker, entry: Entity, limit: int, fits: bool) -> None:
    if fits:
        assert len(values(asker, entry.fields["many"], limit=limit)) == limit
    else:
        with pytest.raises(CannotAnswer) as refused:
            values(asker, entry.fields["many"], limit=limit)
        assert refused.value.code == "set-too-large"


def test_the_id_that_only_elasticsearch_keeps_cannot_be_gathered(asker: Asker) -> None:
    with pytest.raises(CannotAnswer) as refused:
        values(asker, Field("_id", ID_FIELD, FieldKind.KEYWORD, is_id=True))
    assert refused.value.code == "no-id-field"


def pairs(asker: Asker, left: Field, right: Field) -> Any:
    asked = Pairs(asker.schema.entity("entry"), left, right, All())
    return asker.read(read_pairs(asked, [], asker.environment()))


def test_pairs_are_equal_up_to_case_in_one_document_or_element(asker: Asker, entry: Entity) -> None:
    assert pairs(asker, entry.fields["a"], entry.fields["b"]) == [("Rome", "ROME"), ("Zürich", "ZÜRICH")]
    assert pairs(asker, entry.fields["ok"], entry.fields["sure"]) == [(True, True)]
    elements = entry.lists["e"].fields
    assert pairs(asker, elements["x"], elements["y"]) == [("p", "P")]


def test_too_many_pairs_are_refused(asker: Asker, entry: Entity) -> None:
    with pytest.raises(CannotAnswer) as refused:
        pairs(asker.bounded(pairs=1), entry.fields["a"], entry.fields["b"])
    assert refused.value.code == "too-many-pairs"
