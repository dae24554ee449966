"""The schema that catalog and mapping make, as pairs of files in schemas/."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from syrupy.assertion import SnapshotAssertion

from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.fields import FieldKind, IndexMapping, MappedField
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.schema import Entity, Field, NestedList, Schema
from tests.pairs import Case, check_beside, pairs, readable, report
from tests.tables import table

KEYWORD = {"type": "keyword"}
MAPPING = read_mapping(table(__file__, "MAPPING"), "things")


def build(text: str) -> Schema:
    return build_schema(read_catalog("version: 1\nindex: things\n" + text), MAPPING)


@pairs(Path(__file__).parent / "schemas", "catalog")
def test_schemas_are_as_written_beside_their_catalogs(path: Path, snapshot: SnapshotAssertion) -> None:
    check_beside(path, report(path, described), snapshot)


def described(case: Case) -> str:
    if case.world == "read":
        file = read_catalog(f"version: 1\nindex: things\nentities: {{thing: {{}}}}\n{case.source}\n").file
        return readable(file.model_dump(mode="json", exclude_defaults=True, include={"fields", "lists"}))
    try:
        more = table(__file__, "VIRTUAL") if case.world == "virtual" else ""
        schema = build_schema(None, MAPPING) if case.world == "plain" else build(f"{case.source}\n{more}")
    except CatalogError as error:
        return "\n".join(one.message for one in error.diagnostics)
    return "\n".join(line for entity in schema.entities.values() for line in lines(entity))


def lines(entity: Entity) -> list[str]:
    """Settings of an entity, its fields and its lists that differ from the defaults."""
    found = [f"{entity.name}: {readable(parts(entity, 'name', 'fields', 'lists', 'mapping'))}"]
    found += [f"  {name}: {field.mapped.path} {readable(parts(field, 'mapped', 'name'))}"
              for name, field in entity.fields.items() if name != "_id"]  # fmt: skip
    for name, nested in entity.lists.items():
        found.append(f"  {name}: {readable(parts(nested, 'name', 'fields'))}")
        found += [f"    {one.name}: {one.mapped.path} {readable(parts(one, 'mapped', 'name'))}"
                  for one in nested.fields.values()]  # fmt: skip
    return found


def parts(one: Any, *left_out: str) -> dict[str, Any]:
    given = {part.name: (getattr(one, part.name), part) for part in fields(one) if part.name not in left_out}
    defaults = {name: part.default_factory() if callable(part.default_factory) else part.default
                for name, (_, part) in given.items()}  # fmt: skip
    return {name: shown(value) for name, (value, _) in given.items() if value != defaults[name]}


def shown(value: Any) -> Any:
    match value:
        case IndexMapping() | NestedList():
            return "..."
        case MappedField():
            return value.path
        case Field():
            return value.name
        case Mapping():
            return {str(name): shown(one) for name, one in value.items()}
        case frozenset():
            return sorted(value)
        case tuple() | list():
            return [shown(one) for one in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return parts(value)
    return value


def test_several_indices() -> None:
    catalog = read_catalog("version: 1\nindex: a\nentities: {x: {}, y: {index: b, fields: {f: m}}}\nfields: {f: k}")
    types = {"a": ("k", "keyword"), "b": ("m", "date")}
    mappings = {n: read_mapping({"properties": {path: {"type": kind}}}, n) for n, (path, kind) in types.items()}
    found = [(e.index, e.fields["f"].kind) for e in build_schema(catalog, mappings).entities.values()]
    assert found == [("a", FieldKind.KEYWORD), ("b", FieldKind.DATE)]


def test_the_rest_of_a_catalog() -> None:
    schema = build("entities: {thing: {}}\nbounds: {rows: 10}\nweek_start: sunday")
    assert (schema.bounds.rows, schema.bounds.depth, schema.week_start, schema.index) == (10, 50, 6, "things")
    thing = build("entities: {thing: {}}\ndefaults: {id: key}\nfields: {key: kind}").entity("thing")
    assert thing.id is thing.fields["key"]


def test_the_version_changes_with_catalog_and_mapping() -> None:
    one, same, other = (build(f"entities: {{{name}: {{}}}}").version for name in ("a", "a", "b"))
    assert one == same != other
    catalog = read_catalog("version: 1\nindex: things\nentities: {a: {}}")
    mapping = read_mapping({"properties": {"new": KEYWORD}}, "things")
    assert build_schema(catalog, MAPPING).version != build_schema(catalog, mapping).version


def test_only_the_fields_of_a_mapping_that_are_texts_are_searched_for_words() -> None:
    mapping = read_mapping({"properties": {"a": {"type": "text"}, "b": KEYWORD}})
    assert [field.name for field in build_schema(None, mapping).entity("entry").text] == ["a"]
