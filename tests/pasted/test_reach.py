"""Access to fields and documents where entities overlap, lie in several indices, or keep secrets in odd ways."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Outcome, RejectedQuery
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.tables import rows, table

CATALOG = table(__file__, "CATALOG")
PEOPLE = table(__file__, "PEOPLE")
MAPPING = table(__file__, "MAPPING")
CONTEXT = {"group": "a", "level": 5}


def records() -> Iterator[dict[str, Any]]:
    number = 0
    for group in ("a", "b"):
        for kind in ("letter", "memo", "other"):
            for level in (1, 9):
                for open_ in (True, False):
                    number += 1
                    yield {"id": f"r{number}", "title": f"{group} {kind} {level} {open_}", "kind": kind, "group": group,
                           "level": level, "open": open_, "stamp": "s", "body": "words", "code": "C7", "salary": 5,
                           "labels": {"motive": "greed", "tone": "dry"}, "boss_id": "p1", "boss_name": "Zoe",
                           "hidden": "h"}  # fmt: skip


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    client = engines.open_client()
    client.indices.create(index="records", mappings=MAPPING)
    client.indices.create(
        index="machines",
        mappings={
            "properties": {"serial": {"type": "keyword"}, "model": {"type": "keyword"}, "maker": {"type": "keyword"}}
        },
    )
    for one in records():
        client.index(index="records", id=one["id"], document=one)
    client.index(index="machines", id="m1", document={"serial": "m1", "model": "x", "maker": "y"})
    client.indices.refresh(index="records,machines")
    return Compiler(
        client, read_catalog(CATALOG.replace("fields:\n  id: id", PEOPLE.lstrip("\n") + "fields:\n  id: id"))
    )


def run(compiler: Compiler, request: Any, line: str = "", **context: Any) -> Outcome:
    (found,) = run_pasted(line + json.dumps(request), compiler, context={**CONTEXT, **context}, size=100)
    return found


def titles(found: Outcome) -> set[str]:
    return {str(one.values["title"]) for one in found.hits}


def expected(group: str, level: int) -> set[str]:
    """The rule of each entity that a record is of must hold: letters and memos are records, memos are letters."""
    return {
        one["title"]
        for one in records()
        if one["group"] == group
        and (one["kind"] == "other" or one["level"] <= level)
        and (one["kind"] != "memo" or one["open"])
    }


@pytest.mark.parametrize(("group", "level"), [("a", 5), ("a", 9), ("b", 5), ("b", 0), ("c", 9)])
@pytest.mark.parametrize("query", [{"match_all": {}}, {"exists": {"field": "title"}},
                                   {"bool": {"should": [{"match_all": {}}, {"term": {"kind": "memo"}}]}},
                                   {"bool": {"must_not": {"term": {"id": "none"}}}}])  # fmt: skip
def test_the_rule_of_each_entity_holds(compiler: Compiler, group: str, level: int, query: Any) -> None:
    assert titles(run(compiler, {"query": query}, group=group, level=level)) == expected(group, level)


def test_a_missing_value_of_any_rule_is_an_error(compiler: Compiler) -> None:
    (found,) = run_pasted('{"query": {"match_all": {}}}', compiler, context={"group": "a"})
    assert (found.kind, found.reason) == ("failed", "context-missing")  # type: ignore[union-attr]


def test_a_field_of_one_entity_keeps_the_request_to_it(compiler: Compiler) -> None:
    found = run(compiler, {"query": {"term": {"stamp": "s"}}})
    assert titles(found) == {one for one in expected("a", 5) if "letter" in one or "memo" in one}
    assert found.notes == ["Only letters are searched: these fields are not permitted in others."]


def test_an_index_of_its_own_is_found_by_its_fields(compiler: Compiler) -> None:
    found = run(compiler, {"query": {"term": {"model": "x"}}})
    assert (found.entity, found.ids) == ("machine", ["m1"])
    found = run(compiler, {"query": {"match_all": {}}}, "GET /machines/_search\n")
    assert found.total == 1


CLOSED = rows(__file__, "CLOSED")


@pytest.mark.parametrize(("field", "reason"), CLOSED)
@pytest.mark.parametrize("line", ["", "GET /records/_search\n"])
def test_no_way_leads_to_what_is_closed(compiler: Compiler, field: str, reason: str, line: str) -> None:
    for query in ({"term": {field: "x"}}, {"exists": {"field": field}}, {"terms": {field: ["x"]}}):
        found = run(compiler, {"query": query}, line)
        assert isinstance(found, RejectedQuery), (query, found)
        assert found.reason == reason
    for request in ({"query": {"match_all": {}}, "_source": [field]}, {"query": {"match_all": {}}, "sort": [field]},
                    {"size": 0, "aggs": {"a": {"terms": {"field": field}}}}):  # fmt: skip
        assert run(compiler, request, line).kind == "rejected_query"


def test_what_a_confidential_field_is_copied_to_is_confidential(compiler: Compiler) -> None:
    open_paths = CATALOG.replace(", open_paths: false", "").replace(
        "fields:\n  id: id", PEOPLE.lstrip("\n") + "fields:\n  id: id"
    )
    other = Compiler(compiler.client, read_catalog(open_paths))
    found = run(other, {"query": {"match": {"everything": "5"}}})
    assert isinstance(found, RejectedQuery)
    assert found.reason == "confidential"
    found = run(other, {"query": {"multi_match": {"query": "5"}}})
    assert found.total == 0
    assert titles(run(other, {"query": {"term": {"hidden": "h"}}})) == expected("a", 5)
    assert titles(run(other, {"query": {"term": {"labels.tone": "dry"}}})) == expected("a", 5)
    assert run(other, {"query": {"term": {"code.lower": "c7"}}}).kind == "rejected_query"


def test_nothing_confidential_is_suggested(compiler: Compiler) -> None:
    for wrong in ("salery", "boss", "motive", "hiden", "code"):
        found = run(compiler, {"query": {"term": {wrong + "x": 1}}})
        told = found.model_dump_json()
        assert not any(
            f"'{secret}'" in told for secret in ("salary", "boss_id", "boss_name", "labels.motive", "hidden")
        )
