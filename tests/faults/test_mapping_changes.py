"""The index changes under a running compiler: it is read again, or told; never misread in silence."""

from collections.abc import Iterator
from typing import Any

import pytest

from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from tests.faults import world
from tests.faults.conftest import ON_EACH, Bench

pytestmark = ON_EACH
OLD_ENOUGH = "qlc.pipeline.prepared.JUST_NOW"


@pytest.fixture
def changing(bench: Bench) -> Iterator[Bench]:
    yield bench
    world.load(bench.direct)


def rebuilt(bench: Bench, **types: Any) -> None:
    """The same documents under another mapping; None leaves a field out of it."""
    properties = {**world.PROPERTIES, **types}
    world.load(bench.direct, properties={name: one for name, one in properties.items() if one is not None})


async def ask(compiler: Compiler, program: str, *, way: str) -> Outcome:
    return compiler.run(program) if way == "sync" else await compiler.run_async(program)


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("age", [0, 60])
async def test_another_type(changing: Bench, way: str, age: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text where a keyword was: a name in several words is found by no term of it, and the sort is refused."""
    monkeypatch.setattr(OLD_ENOUGH, 0.0)
    compiler = made(changing, way, age)
    programs = ["find things where box = \"Box 7\"", "count things by label", 'count things where label = "odd"']
    before = [world.answer_of(await ask(compiler, program, way=way)) for program in programs]
    version = compiler.schema.version
    with_keyword = {"type": "text", "fields": {"raw": {"type": "keyword"}}}
    rebuilt(changing, name=with_keyword, label=with_keyword)
    after = [world.answer_of(await ask(compiler, program, way=way)) for program in programs]
    assert after == before
    assert compiler.schema.version != version
    await closed(compiler)


@pytest.mark.parametrize("way", ["sync", "async"])
async def test_a_number_that_became_a_word_is_reported(changing: Bench, way: str) -> None:
    compiler = made(changing, way, 0)
    program = "find things where size > 2000 sort size limit 2"
    assert world.answer_of(await ask(compiler, program, way=way)) == ["t200-1", "t200-2"]
    rebuilt(changing, size={"type": "keyword"})
    outcome = await ask(compiler, program, way=way)
    assert outcome.kind == "invalid"
    assert [found.code for found in outcome.diagnostics] == ["wrong-type"]
    await closed(compiler)


@pytest.mark.parametrize("way", ["sync", "async"])
@pytest.mark.parametrize("age", [0, 60])
async def test_a_field_that_the_catalog_needs_is_gone(
    changing: Bench, way: str, age: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OLD_ENOUGH, 0.0)
    compiler = made(changing, way, age)
    program = "count things where size = 71"
    assert world.answer_of(await ask(compiler, program, way=way)) == 1
    changing.direct.indices.delete(index=world.INDEX)
    changing.direct.indices.create(index=world.INDEX, mappings={
        "dynamic": False, "properties": {k: v for k, v in world.PROPERTIES.items() if k != "size"}})  # fmt: skip
    for _ in range(2):
        outcome = await ask(compiler, program, way=way)
        assert (outcome.reason, outcome.retryable) == ("changed", False)
        assert "size" not in outcome.message
    world.load(changing.direct)
    assert world.answer_of(await ask(compiler, program, way=way)) == 1
    await closed(compiler)


async def test_a_field_that_is_new(changing: Bench) -> None:
    compiler = made(changing, "sync", 0)
    assert compiler.run("count things where colour = \"red\"").kind == "invalid"
    changing.direct.indices.put_mapping(index=world.INDEX, properties={"colour": {"type": "keyword"}})
    changing.direct.index(index=world.INDEX, id="new", refresh=True, document={
        "id": "new", "kind": "thing", "name": "New", "colour": "red"})  # fmt: skip
    assert world.answer_of(compiler.run("count things where colour = \"red\"")) == 1
    await closed(compiler)


@pytest.mark.parametrize("way", ["sync", "async"])
async def test_the_index_is_gone_and_comes_back(changing: Bench, way: str) -> None:
    compiler = made(changing, way, 60)
    assert world.answer_of(await ask(compiler, "count things", way=way)) == 750
    changing.direct.indices.delete(index=world.INDEX)
    gone = await ask(compiler, "count things", way=way)
    assert (gone.reason, gone.retryable) == ("no-index", False)
    world.load(changing.direct)
    assert world.answer_of(await ask(compiler, "count things", way=way)) == 750
    await closed(compiler)


async def test_checking_over_an_asynchronous_client_does_with_what_is_known(changing: Bench) -> None:
    compiler = made(changing, "async", 0)
    await compiler.load()
    known = compiler.schema
    assert not compiler.diagnose("count things").failed
    assert compiler.schema is known
    await closed(compiler)


async def test_what_did_not_change_is_not_compiled_anew(changing: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OLD_ENOUGH, 0.0)
    compiler = made(changing, "sync", 60)
    known = compiler.schema
    changing.proxy.requests.clear()
    outcome = compiler.run("count things where size = 7")
    assert (outcome.kind, world.answer_of(outcome)) == ("count", 0)
    assert sum(path.endswith("_search") for _, path in changing.proxy.requests) == 1
    assert compiler.schema is known
    await closed(compiler)


def made(bench: Bench, way: str, age: float) -> Compiler:
    return (bench.compiler if way == "sync" else bench.async_compiler)(mapping_age=age)


async def closed(compiler: Compiler) -> None:
    ending = compiler.client.close()
    if ending is not None:
        await ending
