"""The one door takes pasted requests as the command line and conversations do, in both APIs."""

import json
from typing import Any

import pytest

import qlc
from qlc.outcome import Several
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests.pipeline import world
from tests.tables import table

from .conftest import NOW, TYPE, C

MANY = {"query": {"term": {TYPE: "W2"}}, "size": 2, "aggs": {"kinds": {"terms": {"field": f"{C}.fileExtension"}}}}
REQUESTS = table(__file__, "REQUESTS")


def plain(outcome: Any) -> Any:
    """Return an outcome without its statistics and cursor, which differ from run to run."""
    if isinstance(outcome, Several):
        return [plain(one) for one in outcome.outcomes]
    return outcome.model_dump(exclude={"stats", "cursor"})


@pytest.mark.parametrize("text", REQUESTS)
def test_a_request_is_answered_as_run_pasted_does(store: Compiler, text: str) -> None:
    expected = [plain(one) for one in run_pasted(text, store, now=NOW)]
    for outcome in (qlc.Asker(store).ask(text, now=NOW), qlc.compile_and_run(text, store, now=NOW)):
        assert plain(outcome) == (expected if len(expected) > 1 else expected[0])
        assert outcome.message


def test_its_list_is_read_on_in(store: Compiler) -> None:
    asker, text = qlc.Asker(store), json.dumps(MANY)
    first = asker.ask(text, now=NOW)
    second = asker.ask(text, now=NOW, cursor=first.outcomes[-1].cursor)
    assert second.kind == "hits"
    assert not set(second.ids) & set(first.outcomes[-1].ids)


def test_what_is_said_to_be_words_or_a_program_is_none(store: Compiler) -> None:
    asker = qlc.Asker(store)
    assert asker.ask(REQUESTS[0], read_as="words", now=NOW).kind in ("declined", "refuse", "invalid")
    assert asker.ask(REQUESTS[0], read_as="program", now=NOW).kind == "invalid"


def test_it_runs_within_the_rights_of_who_asks(tenants: Compiler) -> None:
    asker, secret = qlc.Asker(tenants), '{"query": {"range": {"pay.salary": {"gte": 1}}}}'
    assert asker.ask(secret, context={"tenant": "red", "level": 5}).kind == "rejected_query"
    found = asker.ask('{"query": {"match_all": {}}, "size": 100}', context={"tenant": "red", "level": 5})
    assert found.ids
    assert all(one.startswith("red-") for one in found.ids)


async def test_the_asynchronous_entry_point_does_the_same() -> None:
    async with qlc.connect_async(":memory:") as client:
        await client.indices.create(index=world.INDEX, mappings=world.MAPPING)
        for one in world.documents():
            await client.index(index=world.INDEX, id=one["id"], document=one)
        await client.indices.refresh(index=world.INDEX)
        compiler = Compiler(client, index=world.INDEX)
        text = '{"query": {"term": {"tenant": "red"}}, "size": 2, "aggs": {"k": {"terms": {"field": "kind"}}}}'
        outcome = await qlc.compile_and_run_async(text, compiler, now=NOW)
        assert [one.kind for one in outcome.outcomes] == ["aggregate", "hits"]
        more = await qlc.Asker(compiler).ask_async(text, now=NOW, cursor=outcome.outcomes[-1].cursor)
        assert more.kind == "hits"
