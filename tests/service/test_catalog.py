"""The schema as data has no sensitive fields, and a program is its head, its rows and its tail."""

import pytest
from hypothesis import given
from starlette.testclient import TestClient

import qlc
from qlc.grammar import parse, print_program, tree
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import read_mapping
from qlc.service.catalog import Outline, described, outlined
from qlc.service.problems import Problem
from tests import tables
from tests.grammar.strategies import programs


def test_the_catalog_of_the_store(http: TestClient) -> None:
    found = http.get("/v1/catalog").json()
    assert [one["plural"] for one in found["kinds"]] == ["documents", "folders", "entries", "people"]
    assert [one["is_counted"] for one in found["kinds"]] == [True, True, True, False]
    fields = {one["name"]: one for one in found["fields"]}
    assert fields["type"]["values"][:2] == ["Invoice", "Receipt"]
    assert (fields["folder"]["type"], fields["folder"]["refers_to"]) == ("reference", "folder")
    assert (fields["size"]["type"], fields["size"]["unit"]) == ("whole number", "bytes")
    assert fields["tags"]["is_list"]
    assert {one["label"] for one in found["fields"]} == {""}
    assert not found["truncated"]
    assert len(found["examples"]) == 10


@pytest.mark.parametrize(("program", "rows", "tail"), tables.rows(__file__, "test_a_program_by_its_parts"))
def test_a_program_by_its_parts(http: TestClient, program: str, rows: list[list[str | None]], tail: str) -> None:
    found = http.post("/v1/outline", json={"program": f"{program} {tail}"}).json()
    assert [[one["field"], one["operator"], one["value"]] for one in found["rows"]] == rows
    assert found["tail"] == tail
    assert print_program(parse(joined(Outline(**found)))) == print_program(parse(f"{program} {tail}"))


def joined(outline: Outline) -> str:
    where = " and ".join(one.text for one in outline.rows)
    return " ".join(part for part in (outline.head, where and f"where {where}", outline.tail) if part)


@given(programs())
def test_the_parts_together_are_the_program(program: tree.Program) -> None:
    text = print_program(program)
    if isinstance(program.statement, tree.Get) or getattr(program.statement, "counted", False) or program.lets:
        with pytest.raises(Problem, match="Only a search"):
            outlined(text)
    else:
        assert parse(joined(outlined(text))) == parse(text)


def test_fields_have_the_headers_of_their_columns() -> None:
    mapping = {"mappings": {"properties": {"due": {"type": "date", "meta": {"label": "Next due"}}}}}
    catalog = read_catalog("version: 1\nindex: jobs\nentities: {job: {}}\nfields: {due: due}")
    schema = qlc.Compiler(None, catalog, mapping=read_mapping(mapping, "jobs")).schema
    assert [(one.name, one.label) for one in described(schema).fields] == [("due", "Next due")]


def test_what_is_sensitive_is_not_there() -> None:
    catalog = """
version: 1
index: people
entities:
  person: {conditions: {rich: salary > 100000, old: born < 1970}}
fields: {name: name, born: born, salary: {path: salary, sensitive: true}}
"""
    mapping = {"mappings": {"properties": {"name": {"type": "keyword"}, "born": {"type": "date"},
                                           "salary": {"type": "integer"}}}}  # fmt: skip
    compiler = qlc.Compiler(None, read_catalog(catalog), mapping=read_mapping(mapping, "people"))
    found = described(compiler.schema)
    assert "salary" not in found.model_dump_json()
    assert [one.conditions for one in found.kinds] == [{"old": "born < 1970"}]


def test_a_program_without_rows_says_so(http: TestClient) -> None:
    for program, code in (('get document("Q3 Report.pdf").owner', "no-rows"),
                          ("find documents -- of all years", "no-rows"), ("find documents where", "syntax")):
        found = http.post("/v1/outline", json={"program": program})
        assert (found.status_code, found.json()["code"]) == (422, code)
