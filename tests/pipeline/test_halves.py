"""Half a surrogate pair in what is stored: every answer can be written down, with U+FFFD in its place."""

import asyncio
import json
import logging

import pytest

import qlc
from qlc.base.errors import RequestFailed
from qlc.mapping.catalog import read_catalog
from qlc.outcome import OUTCOME, Clarify, Count, Hit, Hits, Note, NotFound, Outcome
from qlc.outcome.export import export
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler, all_pages
from qlc.pipeline.trace import Trace
from tests import engines
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
KEYWORD = {"type": "keyword"}
MAPPING = {
    **dict.fromkeys(("kind", "id", "name", "note", "folder"), KEYWORD),
    "size": {"type": "long"},
    "owner": {"properties": {"id": KEYWORD, "name": KEYWORD}},
    "shares": {"type": "nested", "properties": {"who": KEYWORD}},
}
HIGH, LOW = "\\ud83d", "\\ude00"  # as JSON has them


def source(kind: str, n: int) -> str:
    half = HIGH if n % 2 else LOW
    owner = f'{{"id": "{HIGH}{n}", "name": "Ann {HIGH}"}}'
    return (
        f'{{"kind": "{kind}", "id": "{kind}{n}", "name": "Plan {HIGH}", "note": "n{n}{half}", "size": {n}, '
        f'"folder": "folder{n}", "owner": {owner}, "shares": [{{"who": "w{half}"}}]}}'
    )


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    client = engines.open_client()
    client.indices.create(index="halves", mappings={"properties": MAPPING})
    each = [(kind, n) for n in range(6) for kind in ("folder", "document")]
    lines = [line for kind, n in each for line in (f'{{"index": {{"_id": "{kind}{n}"}}}}', source(kind, n))]
    headers = {"content-type": "application/x-ndjson", "accept": "application/json"}
    client.perform_request("POST", "/halves/_bulk?refresh=true", headers=headers, body="\n".join([*lines, ""]))
    return Compiler(client, read_catalog(CATALOG))


PROGRAMS = table(__file__, "PROGRAMS")


def written(outcome: Outcome) -> str:
    """The outcome as JSON, in each way that hosts make it."""
    text = outcome.model_dump_json()
    assert OUTCOME.validate_json(text).model_dump(mode="json") == outcome.model_dump(mode="json")
    json.dumps(outcome.model_dump(mode="json"), ensure_ascii=False).encode("utf-8")
    return text


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_answer_can_be_written(compiler: Compiler, program: str) -> None:
    trace = Trace()
    outcome = compiler.run(program, trace=trace)
    assert outcome.kind != "failed", outcome
    written(outcome)
    if outcome.kind in ("hits", "aggregate", "value"):
        for format in ("csv", "ndjson"):
            "".join(export(outcome, format)).encode("utf-8")  # type: ignore[arg-type]
    asked = qlc.compile_and_run(program, compiler)
    written(asked)


def test_half_a_character_is_shown_replaced(compiler: Compiler) -> None:
    outcome = compiler.run("find documents where size = 1")
    assert outcome.hits[0].name == "Plan \ufffd"
    assert outcome.hits[0].values["note"] == "n1\ufffd"
    assert outcome.hits[0].values["owner"] == {"id": "\ufffd1", "name": "Ann \ufffd"}


@pytest.mark.parametrize("order", ["note", "note desc", "name, note desc", "owner desc"])
def test_pages_go_on_after_half_a_character(compiler: Compiler, order: str) -> None:
    program = f"find documents where size >= 0 sort {order}"
    whole = compiler.run(program, size=10)
    paged = all_pages(compiler, program, size=1)
    assert sorted(paged.ids) == sorted(whole.ids)
    assert len(set(paged.ids)) == whole.total == 6


def test_pasted_requests_too(compiler: Compiler) -> None:
    aggs = '"aggs": {"a": {"terms": {"field": "note"}}}'
    for want in ("run", "explain", "fix"):
        request = f'{{"query": {{"match_all": {{}}}}, "sort": ["note"], {aggs}}}'
        for outcome in run_pasted(request, compiler, want=want):  # type: ignore[arg-type]
            assert outcome.kind != "failed"
            written(outcome)


def test_completion_offers_what_can_be_written(compiler: Compiler) -> None:
    for source in (
        'find documents where note = "',
        'find documents where folder = "Pl',
        'find documents where owner = "A',
    ):
        for found in compiler.complete(source):
            found.text.encode("utf-8")
            str(found.detail).encode("utf-8")


HALF = "\ud800"


def test_whatever_makes_an_outcome_it_can_be_written() -> None:
    made: list[Outcome] = [
        Hits(message=HALF, hits=[Hit(id=HALF, values={HALF: [{"a": HALF}, (HALF,)]})]),
        Count(diagnostics=[Note(code="c", severity="error", message=HALF)]),
        Count(value=1, notes=[HALF], suggestions=[HALF], query=HALF),
        NotFound(what=HALF, suggestions=[HALF]),
        Clarify(options=[], token=HALF).model_copy(update={"notes": [HALF], "message": HALF}),
    ]
    for outcome in made:
        assert HALF not in str(outcome.model_dump())
        assert "\ufffd" in written(outcome)


def test_what_is_whole_is_left_alone() -> None:
    values = {"a": ["x", {"b": "日本 😀"}]}
    assert Hit(id="1", values=values).values == values


def test_the_log_can_be_written(caplog: pytest.LogCaptureFixture) -> None:
    from qlc.pipeline.prepared import ending

    ended = ending(RequestFailed("rejected", HALF), lambda message, found=(): {"message": message})
    assert ended.kind == "failed"
    for record in caplog.records:
        assert record.levelno == logging.WARNING
        record.getMessage().encode("utf-8")


def test_conversations_and_asyncio_too(compiler: Compiler) -> None:
    talk = qlc.Conversation(compiler, size=2)
    for text in (
        "find documents where size >= 0",
        "show more",
        "how many folders?",
        'find documents where note = "n1"',
    ):
        reply = talk.turn(text)
        for outcome in reply.outcomes:
            written(outcome)
        json.dumps(talk.history, ensure_ascii=False).encode("utf-8")

    async def ask() -> Outcome:
        async with qlc.connect_async() as client:
            headers = {"content-type": "application/json", "accept": "application/json"}
            await client.perform_request(
                "PUT", "/x/_doc/1?refresh=true", headers=headers, body=f'{{"name": "a{HIGH}"}}'
            )
            return await Compiler(client, index="x").run_async("find entries limit 5")

    written(asyncio.run(ask()))
