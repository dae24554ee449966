"""Every path to what is confidential is closed, whichever entity is asked; who may see it, sees it by all of them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qlc.cli.prompt import first_request
from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.fields import IndexMapping
from qlc.mapping.guards import permits
from qlc.mapping.index_mapping import read_mapping
from qlc.outcome import Invalid, Outcome
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.tables import rows, table

KEYWORD = {"type": "keyword"}
MAPPING: dict[str, Any] = table(__file__, "MAPPING")
CATALOG = table(__file__, "CATALOG")


def documents() -> Iterator[dict[str, Any]]:
    for number in range(6):
        yield {
            "id": f"e{number}", "kind": "employee", "tenant": "red" if number % 2 else "blue", "title": f"Person {number}",
            "salary": 1000 + number, "attrs": {"rank": f"rank{number}", "shape": "round"}, "owner_id": f"e{number % 2}",
            "owner_name": f"Name {number % 2}", "lines": [{"text": "plain", "cost": f"cost{number}"}],
            "parts": [{"text": "plain", "memo": f"memo{number}"}],
        }  # fmt: skip
    yield {"id": "j1", "kind": "job", "tenant": "blue", "title": "Welder", "salary": 9}
    yield {"id": "b1", "kind": ["employee", "job"], "tenant": "blue", "title": "Secret agent", "salary": 77}


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with engines.open_client() as client:
        client.indices.create(index="staff", mappings=MAPPING)
        for one in documents():
            client.index(index="staff", id=one["id"], document=one)
        client.indices.refresh(index="staff")
        yield Compiler(client, read_catalog(CATALOG))


def run(compiler: Compiler, source: str, **more: Any) -> Outcome:
    return compiler.run(source, context={"tenant": "red", **more})


SECRETS = ("rank1", "cost1", "memo1", "Name 1", "1001", "1003")
USES = table(__file__, "USES")


@pytest.mark.parametrize("source", USES)
def test_whoever_may_not_see_it_is_refused_by_every_path(compiler: Compiler, source: str) -> None:
    found = compiler.run(source, context={"tenant": "red"}, params={"x": "red"})
    assert isinstance(found, Invalid), found
    assert found.diagnostics[0].code in ("not-permitted", "no-name-beside")
    assert not any(secret in found.model_dump_json() for secret in SECRETS if secret not in source)


@pytest.mark.parametrize("source", [one for one in USES if "contains" not in one and "sort owner" not in one])
def test_whoever_may_see_it_is_answered_by_every_path(compiler: Compiler, source: str) -> None:
    found = compiler.run(source, context={"tenant": "red", "sensitive": True}, params={"x": "red"})
    # What the index copies is not in the document, so it is found and counted there, and not shown.
    assert found.kind == ("not_found" if ".figures" in source else found.kind)
    assert found.kind in ("hits", "aggregate", "value", "count", "not_found"), found


@pytest.mark.parametrize("source", table(__file__, "test_what_is_beside_it_is_answered_without_it"))
def test_what_is_beside_it_is_answered_without_it(compiler: Compiler, source: str) -> None:
    told = run(compiler, source).model_dump_json()
    assert not any(secret in told.replace(source.replace('"', '\\"'), "") for secret in SECRETS if secret not in source)
    assert "agent" not in told


def test_documents_are_protected_by_the_rules_of_every_entity_that_they_are_of(compiler: Compiler) -> None:
    assert run(compiler, "count employees").value == 3  # type: ignore[union-attr]
    assert run(compiler, "count entries").value == 4  # type: ignore[union-attr]
    assert run(compiler, "count jobs").value == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("body", table(__file__, "test_pasted_requests_have_the_same_walls"))
def test_pasted_requests_have_the_same_walls(compiler: Compiler, body: dict[str, Any]) -> None:
    (found,) = run_pasted(json.dumps(body), compiler, context={"tenant": "red"})
    assert found.kind == "rejected_query"
    (found,) = run_pasted(
        json.dumps({"query": {"match_all": {}}, "_source": True}), compiler, context={"tenant": "red"}
    )
    assert not any(secret in found.model_dump_json() for secret in SECRETS)


@pytest.mark.parametrize(
    "query", table(__file__, "test_nobody_chooses_among_how_many_words_those_of_hidden_documents_count")
)
def test_nobody_chooses_among_how_many_words_those_of_hidden_documents_count(
    compiler: Compiler, query: dict[str, Any]
) -> None:
    (found,) = run_pasted(json.dumps({"query": query}), compiler, context={"tenant": "red"})
    assert found.kind == "rejected_query"


def test_completion_offers_none_of_it(compiler: Compiler) -> None:
    for source in (
        "find employees where ", "find entries where ", "count employees by ", "find employees where owner.",
    ):
        offered = {one.text for one in compiler.complete(source, context={"tenant": "red"})}
        assert not offered & {"salary", "pay", "figures", "attrs", "owner_label", "everything", "rank"}, source


# --- what the mapping tells ------------------------------------------------------------------------------------------


def schema_of(catalog: str, mapping: IndexMapping) -> Any:
    return build_schema(read_catalog("version: 1\nindex: staff\n" + catalog), mapping)


def test_runtime_fields_whose_scripts_can_read_it_are_guarded_and_those_that_read_these() -> None:
    script = {name: {"type": "keyword", "script": {"source": text}} for name, text in {
        "raised": "emit(doc['salary'].value * 2)", "whole": "emit(params._source.x)", "again": "emit(doc['raised'].value)",
        "length": "emit(doc['title'].value.length())"}.items()}  # fmt: skip
    mapping = read_mapping(
        {**MAPPING, "runtime": {**script, "stored": {"type": "long", "script": {"id": "x"}}}}, "staff"
    )
    thing = schema_of("entities: {thing: {}}\nfields: {salary: {path: salary, sensitive: true}}", mapping).entity(
        "thing"
    )
    guarded = {name for name in (*script, "stored") if thing.guards.of(name, mapping)}
    assert guarded == {"raised", "whole", "again", "stored"}


def test_another_name_of_the_same_index_is_the_same_documents() -> None:
    catalog = read_catalog(
        "version: 1\nindex: staff-*\nentities:\n  thing: {access: tenant = $t, fields: {pay: {path: salary, sensitive: true}}}\n"
        "  other: {index: staff-1, fields: {wage: salary}}\n  apart: {index: stock, fields: {wage: salary}}")  # fmt: skip
    mappings = {name: read_mapping(MAPPING, name) for name in ("staff-*", "staff-1", "stock")}
    schema = build_schema(catalog, mappings)
    assert schema.entity("other").fields["wage"].guards == {"pay"}
    assert schema.entity("other").same_documents == ("thing",)
    assert not schema.entity("apart").fields["wage"].sensitive
    assert schema.entity("apart").same_documents == ()


def test_who_needs_several_permissions_needs_all() -> None:
    assert permits(frozenset({"a", "b"}), frozenset({"a", "b", "c"}))
    assert not permits(frozenset({"a", "b"}), frozenset({"a"}))
    assert permits(frozenset({"a"}), None)
    assert permits(frozenset(), frozenset())


# --- what the check of a catalog says --------------------------------------------------------------------------------


def told(catalog: str) -> list[tuple[str, str]]:
    found = check_catalog(read_catalog("version: 1\nindex: staff\n" + catalog), read_mapping(MAPPING, "staff"))
    return [(one.code, one.message) for one in found if one.severity == "error"]


@pytest.mark.parametrize(
    ("catalog", "message"), rows(__file__, "test_the_check_of_a_catalog_calls_an_open_way_an_error")
)
def test_the_check_of_a_catalog_calls_an_open_way_an_error(catalog: str, message: str) -> None:
    assert message in [one for _, one in told(catalog)]


@pytest.mark.parametrize("catalog", table(__file__, "test_a_closed_catalog_is_right"))
def test_a_closed_catalog_is_right(catalog: str) -> None:
    assert told(catalog) == []


def test_a_rule_that_looks_into_itself_is_no_rule() -> None:
    from qlc.base.errors import ConfigurationError

    catalog = "version: 1\nindex: staff\nentities: {e: {id: id, names: [id], access: id in (find es where tenant = $t)}}\nfields: {id: id}"
    with pytest.raises(ConfigurationError, match="looks into itself"):
        Compiler(None, read_catalog(catalog), mapping=read_mapping(MAPPING, "staff"))


def test_a_rule_may_look_into_an_entity_of_the_same_documents() -> None:
    """Only the rule of the other entity restricts this lookup."""
    catalog = ("version: 1\nindex: staff\nentities:\n  e: {id: id, names: [id], access: owner in (find fs where tenant = $t)}\n"
               "  f: {id: id, names: [id], where: {kind: f}}\nfields: {id: id, owner: {path: owner_id, refers_to: f}}")  # fmt: skip
    compiler = Compiler(None, read_catalog(catalog), mapping=read_mapping(MAPPING, "staff"))
    assert not compiler.diagnose('find fs where id = "x"').failed


def test_a_model_sees_none_of_it_whoever_asks(compiler: Compiler) -> None:
    jobs = "  job: {id: id, names: [title], where: {kind: job}}\n"  # of whom nothing is confidential
    asked = Compiler(compiler.client, read_catalog(CATALOG.replace(jobs, "")))
    for question in ("what do they earn", "employees by attrs rank", "everything with figures over 1000", "Name 1"):
        for context in ({"tenant": "red"}, {"tenant": "red", "sensitive": True}):
            sent = json.dumps(first_request(asked, question, context=context).body()).replace(question, "")
            assert not [one for one in ("salary", "figures", "attrs", "owner_label", "everything") if one in sent]
            assert not [one for one in SECRETS if one in sent]


def test_names_come_from_documents_never_from_another_entity_without_any(compiler: Compiler) -> None:
    """Such a one has no access rule; read as documents of it, the pairs were everybody's."""
    text = CATALOG.replace(
        "fields:\n  id: id\n  title", "  boss: {sources: [{key: id, name: title}]}\nfields:\n  id: id\n  title"
    )
    schema = build_schema(read_catalog(text), read_mapping({"mappings": MAPPING}, "staff"))
    assert {source.entity for source in schema.entity("boss").sources} == {"entry"}
