"""Generated programs: the language is total, canonical, and what it compiles to is accepted."""

import inspect
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from elasticsearch.dsl import Q
from elasticsearch.dsl.query import Query
from hypothesis import example, given, settings

from qlc import catalogs
from qlc.base.diagnostics import NO_SPAN
from qlc.grammar import parse, print_program
from tests import engines

from .programs import programs
from .world import NOW, drive, relaxed


@cache
def empty_index() -> Any:
    client = engines.open_client()
    body = json.loads(catalogs.mapping_path("drive").read_text("utf-8"))
    client.indices.create(index="entities-v4", mappings=body["mappings"], settings=body.get("settings"))
    return client


@relaxed
@given(programs())
def test_findings_have_a_place_and_a_sentence(source: str) -> None:
    for found in drive().findings(source):
        assert found.code in ("contradiction", "always-true", "unused-binding", "reversed-range")
        assert found.message
        assert found.span == NO_SPAN or 0 <= found.span.start < found.span.end <= len(source)


@relaxed
@given(programs())
def test_canonical_text_is_printed_the_same_again_and_asks_the_same(source: str) -> None:
    text = drive().compiled(source)[0].text
    tree = parse(text)
    assert print_program(tree) == text
    assert drive().compiled(text)[0].text == text
    assert bodies(text) == bodies(source)


@settings(relaxed, max_examples=60)
@given(programs())
def test_clauses_have_parameters_of_their_kind_and_fields_of_the_mapping_alone(source: str) -> None:
    """`elasticsearch.dsl` checks neither: `Term("type", value="W2")` asks for a field called `value`."""
    for _, _, body in bodies(source):
        for query in queries_in(Q(body["query"])):
            known = inspect.signature(type(query)).parameters
            unknown = [name for name in query._params if name not in known and name not in drive_paths()]
            assert not unknown, (query, unknown)


def queries_in(node: Any) -> Iterator[Query]:
    if isinstance(node, Query):
        yield node
        node = node._params
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from queries_in(part)


def drive_paths() -> set[str]:
    mapping = drive().compiler.schema.entities["document"].mapping
    return {*mapping.fields, *mapping.sub_fields}


def bodies(source: str) -> list[Any]:
    return [(level, request.index, request.body) for level, request in drive().requests(source)]


@settings(relaxed, max_examples=60)
@given(programs())
@example("count documents where signed = amended")
@example("count documents where vendor != employer")
def test_every_request_is_accepted(source: str) -> None:
    for _, request in drive().requests(source):
        text = json.dumps(request.body)
        assert '"script' not in text
        body = {"size": 0, **without_placeholders(request.body)}
        answer = empty_index().search(index=request.index, body=body)
        assert answer["_shards"]["failed"] == 0


def without_placeholders(node: Any) -> Any:
    """A number where the text `<avg of the rows>` stands for one."""
    if isinstance(node, dict):
        return {key: without_placeholders(value) for key, value in node.items()}
    if isinstance(node, list):
        return [without_placeholders(item) for item in node]
    return 0 if isinstance(node, str) and node.endswith(" of the rows>") else node


@settings(relaxed, max_examples=30)
@given(programs())
def test_a_prepared_program_compiles_as_a_cold_one_with_another_now_and_zone(source: str) -> None:
    prepared = drive().compiler.prepare(source)
    prepared.compiled({}, frozenset(), None)
    warm, _ = prepared.compiled({}, frozenset(), None)
    elsewhere = drive().at(zone="Asia/Tokyo", now="2020-02-29T23:30:00Z")
    assert warm.statement == elsewhere.statement(source)
    assert elsewhere.now != NOW
