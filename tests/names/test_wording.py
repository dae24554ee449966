"""Labels: days in the caller's zone, the name beside an id, nothing sensitive; and which of many things are offered."""

from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.schema import Entity, Field, Reference
from qlc.resolver.names.entries import Candidate, Found, entries, name_fields
from qlc.resolver.names.wording import document_label, offered
from tests.tables import rows

KINDS = {
    "name": FieldKind.KEYWORD, "created": FieldKind.DATE, "due": FieldKind.DATE, "signed": FieldKind.BOOLEAN,
    "pages": FieldKind.WHOLE_NUMBER, "tags": FieldKind.KEYWORD, "salary": FieldKind.NUMBER, "owner": FieldKind.KEYWORD,
}


def mapped(path: str, kind: FieldKind) -> MappedField:
    return MappedField(path, str(kind), kind, exact=path)


def entity(*tell_apart: str) -> Entity:
    fields = {name: Field(name, mapped(name, kind), kind) for name, kind in KINDS.items()}
    fields["due"] = replace(fields["due"], whole_days=True)
    fields["salary"] = replace(fields["salary"], guards=frozenset({"salary"}))
    name_at = mapped("owner_name", FieldKind.KEYWORD)
    fields["owner"] = replace(fields["owner"], reference=Reference("person", name_at=name_at))
    return Entity(
        "file", "files", IndexMapping("files", {}), fields, names=(fields["name"],), tell_apart=tell_apart,
        index="files",
    )


def label(one: Entity, source: dict[str, Any], path: str = "") -> str:
    (entry,) = entries(one, [{"_id": "1", "_source": {"name": "x", **source}}])
    return document_label(one, entry, "x", path, timezone(timedelta(hours=-5)))


@pytest.mark.parametrize(("field", "source", "told"), rows(__file__, "test_labels"))
def test_labels(field: str, source: dict[str, Any], told: str) -> None:
    assert label(entity(field), source) == told


def test_the_path_comes_first() -> None:
    assert label(entity("pages", "signed"), {"pages": 3, "signed": False}, "a/b") == "x (a/b, pages 3, signed false)"


def test_a_sensitive_name_is_not_looked_into() -> None:
    one = entity()
    hidden = replace(one, names=tuple(replace(field, guards=frozenset({field.name})) for field in one.names))
    assert [field.path for field in name_fields(one)] == ["name"]
    assert name_fields(hidden) == ()


def test_values_are_read_through_objects_lists_and_dotted_keys() -> None:
    one = entity("tags")
    deep = replace(
        one, fields={**one.fields, "tags": replace(one.fields["tags"], mapped=mapped("a.b.c", FieldKind.KEYWORD))}
    )
    for source in ({"a": {"b": {"c": "v"}}}, {"a.b": {"c": "v"}}, {"a": [{"b.c": "v"}, {"b": None}]}, {"a.b.c": ["v"]}):
        assert label(deep, source) == "x (tags v)"
    assert label(deep, {"a": {"b": {"c": None}}}) == "x"
    assert label(deep, {"a": "no object"}) == "x"


def found(number: int) -> Found:
    paths = (f"root/{'deep/' * (number - at)}2024" for at in range(number))
    candidates = (Candidate(str(at), "2024", path, path) for at, path in enumerate(paths))
    return Found("folder", "2024", "exact", tuple(candidates))


def test_of_many_the_likeliest_come_first() -> None:
    assert [one.id for one in offered(found(30))][:3] == ["29", "28", "27"]
    assert len(offered(found(300))) == 100
    assert [one.id for one in offered(found(5))] == ["0", "1", "2", "3", "4"]
