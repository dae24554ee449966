"""Access rules that look things up, read the clock or hold for a part of the indices: nothing of them is the caller's."""

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import Elasticsearch, helpers

from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import mapping_from_responses, read_mapping
from qlc.outcome import Failed, Hits, Invalid, Outcome
from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.tables import table

K = {"type": "keyword"}
MAPPING = {"properties": {"id": K, "folder": K, "name": K, "pub": {"type": "boolean"}, "at": {"type": "date"},
                          "size": {"type": "long"}, "ten": K, "kind": K}}
CATALOG = table(__file__, "CATALOG")
FOLDERS = {"f1": "Red", "f2": "Blue", "f3": "Twin", "f4": "Twin", "f5": "Secret"}


@pytest.fixture(scope="module")
def client() -> Iterator[Elasticsearch]:
    with engines.open_client() as client:
        for index in ("docs", "folders", "t1", "t2"):
            client.indices.create(index=index, mappings=MAPPING)
        actions = [{"_index": "docs", "_id": f"d{key}", "_source": {"id": f"d{key}", "folder": key}} for key in FOLDERS]
        actions += [{"_index": "folders", "_id": key, "_source": {"id": key, "name": name, "pub": key != "f4"}}
                    for key, name in FOLDERS.items()]  # fmt: skip
        actions += [{"_index": index, "_id": key, "_source": {"id": key, "ten": ten}}
                    for index, key, ten in (("t1", "1", "red"), ("t1", "2", "blue"), ("t2", "3", None), ("t2", "4", None))]
        helpers.bulk(client, actions, refresh=True)
        yield client


def run(client: Elasticsearch, rule: str, source: str = "find docs where id exists", **options: Any) -> Outcome:
    return Compiler(client, read_catalog(CATALOG.replace("RULE", rule))).run(source, **options)


@pytest.mark.parametrize("rule", table(__file__, "test_a_value_of_a_rule_comes_from_the_context_alone"))
def test_a_value_of_a_rule_comes_from_the_context_alone(client: Elasticsearch, rule: str) -> None:
    for context in ({}, {"other": "Red"}):
        found = run(client, rule, context=context, params={"team": "Blue"})
        assert isinstance(found, Failed)
        assert found.reason == "context-missing"
    team = "f1" if rule == "folder = $team" else "Red"
    found = run(client, rule, context={"team": team}, params={"team": "Blue"})
    assert ("df1" in found.ids) != rule.startswith("not")


@pytest.mark.parametrize("rule", ["at < $team", "at >= $team", "size > $team", "size between 1 and $team"])
@pytest.mark.parametrize("team", [[], ["2024", "2025"], [1, 2]])
def test_a_list_is_no_bound_of_a_rule(client: Elasticsearch, rule: str, team: list[Any]) -> None:
    found = run(client, rule, context={"team": team})
    assert isinstance(found, Invalid)
    assert [one.code for one in found.diagnostics] == ["parameter-type"]


@pytest.mark.parametrize(
    "rule", table(__file__, "test_what_a_rule_does_not_find_exactly_opens_nothing_and_is_shown_to_nobody")
)
def test_what_a_rule_does_not_find_exactly_opens_nothing_and_is_shown_to_nobody(client: Elasticsearch, rule: str) -> None:
    for choices in ({}, {"x": "f3"}):
        found = run(client, rule, choices=choices)
        assert isinstance(found, Failed)
        told = found.model_copy(update={"id": ""}).model_dump_json()
        assert not [name for name in (*FOLDERS, "Secret", "Twin", "Blue") if name in told]


def test_a_set_that_a_rule_finds_empty_is_reported_in_no_note(client: Elasticsearch) -> None:
    found = run(client, 'folder in (find folders where name = "Nowhere")')
    assert (found.total, found.notes) == (0, [])


def test_what_a_rule_looked_up_by_its_own_rights_is_kept_for_nobody_else(client: Elasticsearch) -> None:
    """`item` shows a part of what the rule of `doc` looks into."""
    compiler = Compiler(client, read_catalog(CATALOG.replace("RULE", 'folder = folder("Secret")')))
    assert isinstance(compiler.run("find docs where id exists"), Hits)
    found = compiler.run('get folder("Twin").id')
    assert found.kind != "clarify"  # the other one is kept back by the rule of items


SEVERAL = table(__file__, "SEVERAL")


def test_a_rule_holds_where_its_entity_has_documents(client: Elasticsearch) -> None:
    compiler = Compiler(client, read_catalog(SEVERAL))
    found = compiler.run("find entries where id exists", context={"ten": "red"})
    assert sorted(found.ids) == ["1", "3", "4"]
    count = compiler.run("count docs", context={"ten": "red"})
    assert count.value == 1


# --- runtime fields --------------------------------------------------------------------------------------------------

SECRET = "version: 1\nindex: t\nentities: {doc: {id: id}}\nfields: {id: id, s: {path: hr.pay, sensitive: true}}"
PAY = {"id": K, "hr": {"properties": {"pay": {"type": "long", "copy_to": "all", "fields": {"raw": K}}}},
       "all": {"type": "long"}}  # fmt: skip


@pytest.mark.parametrize(("path", "alias"), [("hr.pay", "wage"), ("hr.pay.raw", "wage"), ("all", "wage")])
def test_a_script_reads_a_secret_by_an_alias_too(path: str, alias: str) -> None:
    runtime = {"r": {"type": "long", "script": f"emit(field('{alias}').get(0))"}, "o": {"type": "long", "script": "emit(1)"}}
    properties = {**PAY, alias: {"type": "alias", "path": path}}
    mapping = read_mapping({"mappings": {"properties": properties, "runtime": runtime}}, "t")
    doc = build_schema(read_catalog(SECRET), mapping).entity("doc")
    assert doc.guards.of("r", mapping)
    assert not doc.guards.of("o", mapping)


def test_the_script_of_every_index_is_judged() -> None:
    each = {name: {"mappings": {"properties": PAY, "runtime": {"r": {"type": "long", "script": f"emit(doc['{field}'].value)"}}}}
            for name, field in (("t1", "id"), ("t2", "hr.pay"))}  # fmt: skip
    mapping = mapping_from_responses("t", each, {})
    assert build_schema(read_catalog(SECRET), mapping).entity("doc").guards.of("r", mapping)
