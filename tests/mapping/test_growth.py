"""Named conditions that name each other are bounded when a catalog is loaded, however they are chained."""

from collections.abc import Callable

import pytest

from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.errors import CatalogError
from qlc.mapping.index_mapping import read_mapping
from qlc.pipeline.compiler import Compiler

MAPPING = read_mapping({"mappings": {"properties": {"id": {"type": "keyword"}, "n": {"type": "integer"}}}}, "x")


def catalog(*entities: str) -> str:
    return "version: 1\nindex: x\ndefaults: {id: id}\nentities:\n" + "".join(entities) + "fields: {id: id, n: n}\n"


def entity(name: str, conditions: dict[str, str]) -> str:
    lines = "".join(f"      {one}: {means!r}\n" for one, means in conditions.items())
    return f"  {name}:\n    plural: {name}s\n    conditions:\n{lines}"


def chain(length: int, each: Callable[[int], str]) -> dict[str, str]:
    return {"c0": "n > 1", **{f"c{at}": each(at) for at in range(1, length)}}


GROWING: dict[str, tuple[str, ...]] = {
    "doubling": (entity("book", chain(40, lambda at: f"c{at - 1} and c{at - 1}")),),
    "doubling with or and not": (entity("book", chain(40, lambda at: f"c{at - 1} or not (c{at - 1} and n > {at})")),),
    "the one before and the one before it": (
        entity("book", chain(60, lambda at: f"c{at - 1} or c{max(at - 2, 0)}")),),
    "all that came before": (entity("book", chain(40, lambda at: " or ".join(f"c{one}" for one in range(at)))),),
    "in capitals": (entity("book", chain(40, lambda at: f"c{at - 1} AND c{at - 1}")),),
    "through sub-queries of another entity": (
        entity("book", {f"c{at}": f"id in (find notes where d{at}).id or id in (find notes where d{at}).id"
                        for at in range(40)}),
        entity("note", {"d0": "n > 1", **{f"d{at}": f"id in (find books where c{at - 1}).id" for at in range(1, 40)}}),
    ),
    "one after the other": (entity("book", chain(1_200, lambda at: f"c{at - 1}")),),
    "at last written first": (entity("book", dict(reversed(chain(1_100, lambda at: f"c{at - 1}").items()))),),
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_conditions_that_grow_are_an_error_of_the_catalog(name: str) -> None:
    with pytest.raises(CatalogError) as raised:
        build_schema(read_catalog(catalog(*GROWING[name])), MAPPING)
    found = raised.value.diagnostics
    assert {(one.code, one.severity) for one in found} == {("catalog-condition", "error")}
    assert all("the condition '" in one.message and one.hint for one in found)


FINE: dict[str, tuple[str, ...]] = {
    "a few": (entity("book", chain(5, lambda at: f"c{at - 1} and n > {at}")),),
    "many that name one": (entity("book", chain(900, lambda at: f"c0 and n > {at}")),),
    "a long list": (entity("book", {"c": "n in [" + ", ".join(map(str, range(1_500))) + "]"}),),
    "a name in quotes": (entity("book", chain(60, lambda at: f'id = "c{at - 1} c{at - 1}"')),),
}  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_conditions_that_do_not_grow_are_loaded(name: str) -> None:
    schema = build_schema(read_catalog(catalog(*FINE[name])), MAPPING)
    assert schema.entities["book"].conditions


def test_conditions_that_name_each_other_in_a_circle_end() -> None:
    conditions = {"a": "b and b", "b": "a or a", "c": "c and n > 1"}
    compiler = Compiler(None, read_catalog(catalog(entity("book", conditions))), mapping=MAPPING)
    assert [one.code for one in compiler.diagnose("find books where a").diagnostics] == ["endless-condition"]
