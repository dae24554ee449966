"""Wrong arguments of a service raise an error that explains the mistake; arguments that are only large work in time."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.mapping.index_mapping import read_mapping
from qlc.pipeline.compiler import Compiler
from qlc.translator.by_rules import ByRules
from tests.pipeline.wire import Wire
from tests.tables import rows

QUERY = "find documents where size > 5 MB"

MISTAKES = [
    ("context", ["tenant"], "context must map names to values"),
    ("sizes", 5, "no option 'sizes'; the options are now, timezone, .*size"),
]


@pytest.mark.parametrize(("option", "value", "told"), MISTAKES)
def test_an_option_that_is_none_is_the_callers_mistake(
    store: tuple[Wire, Compiler], option: str, value: Any, told: str
) -> None:
    _, compiler = store
    for ask in (compiler.run, lambda source, **given: qlc.compile_and_run(source, compiler, **given)):
        with pytest.raises(qlc.UsageError, match=told):
            ask(QUERY, **{option: value})


PARTS = rows(__file__, "PARTS")


@pytest.mark.parametrize(("parts", "told"), PARTS)
def test_a_part_of_a_compiler_is_checked_where_it_is_passed(wire: Wire, parts: dict[str, Any], told: str) -> None:
    with wire.client() as client, pytest.raises(qlc.UsageError, match=told):
        Compiler(**{"client": client, **parts})


@pytest.mark.parametrize("numbers", [{"failures": 0}, {"failures": "5"}, {"pause": -1}, {"pause": "5"}])
def test_a_circuit_breaker_has_numbers(numbers: dict[str, Any]) -> None:
    with pytest.raises(qlc.UsageError, match="a circuit breaker opens after"):
        qlc.CircuitBreaker(**numbers)


def test_arguments_in_the_wrong_order_are_the_callers_mistake(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    request = '{"query": {"match_all": {}}}'
    for call in (
        lambda: qlc.compile_and_run(compiler, QUERY),  # type: ignore[arg-type]
        lambda: qlc.run_pasted(compiler, request),  # type: ignore[arg-type]
        lambda: qlc.run_pasted(request, compiler.client),  # type: ignore[arg-type]
        lambda: qlc.Asker(compiler.client),  # type: ignore[arg-type]
        lambda: qlc.Conversation(compiler.client),  # type: ignore[arg-type]
        lambda: qlc.Conversation(compiler).turn(compiler),  # type: ignore[arg-type]
    ):
        with pytest.raises(qlc.UsageError, match=r"must be a (qlc\.Compiler|text)|^a conversation takes"):
            call()


@pytest.mark.parametrize("translators", [ByRules(), ["rules"], [None], 5])
def test_translators_are_a_list_of_what_translates(store: tuple[Wire, Compiler], translators: Any) -> None:
    with pytest.raises(qlc.UsageError, match="translators must be a list"):
        qlc.Asker(store[1], translators)


def test_a_way_of_reading_that_is_none_is_not_guessed_at(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    with pytest.raises(qlc.UsageError, match="read_as must be auto, program or words, not 'query'"):
        qlc.Asker(compiler).ask("count documents", read_as="query")  # type: ignore[arg-type]
    request = '{"query": {"match_all": {}}}'
    with pytest.raises(qlc.UsageError, match="want must be run, explain or fix, not 'show'"):
        qlc.run_pasted(request, compiler, want="show")  # type: ignore[arg-type]
    with pytest.raises(qlc.UsageError, match="page must be a number of hits, not '5'"):
        qlc.run_pasted(request, compiler, page="5")  # type: ignore[arg-type]


async def test_a_client_of_the_other_kind_is_reported_and_no_defect(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    with pytest.raises(qlc.UsageError, match="the client is synchronous"):
        await compiler.run_async("count documents")
    async with qlc.connect_async() as client:
        await client.index(index="notes", id="1", document={"name": "One"}, refresh=True)
        twin = Compiler(client, index="notes")
        await twin.load()
        with pytest.raises(qlc.UsageError, match="the client is asynchronous"):
            twin.run("count entries")


def test_a_compiler_without_a_client_runs_nothing() -> None:
    compiler = Compiler(mapping=read_mapping({"mappings": {"properties": {"size": {"type": "long"}}}}, "notes"))
    assert compiler.client is None
    assert not compiler.diagnose("count entries where size > 5").failed
    with pytest.raises(qlc.UsageError, match="without a client"):
        compiler.run("count entries where size > 5")


@pytest.mark.parametrize("target", ["", None, 5, [], "localhost:9200", "es.example.com:443/", "ftp://here", ["here"]])
def test_a_target_that_is_no_address_makes_no_folder(
    target: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(qlc.UsageError):
        qlc.connect(target)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_opened_is_reported_in_one_family_of_errors(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "engine.sqlite3").write_bytes(b"nothing that a database begins with")
    for name, told in (("file", "it is a file"), ("damaged", "'qlc repair")):
        for connect in (qlc.connect, qlc.connect_async):
            with pytest.raises(qlc.FolderError, match=told) as found:
                connect(tmp_path / name)
            assert not isinstance(found.value, qlc.FolderLocked)
    with qlc.connect(tmp_path / "used"), pytest.raises(qlc.FolderLocked, match="read_only=True"):
        qlc.connect(tmp_path / "used")
    qlc.connect(tmp_path / "used").close()


def test_a_folder_that_is_not_there_is_not_damaged(tmp_path: Path) -> None:
    with pytest.raises(qlc.UsageError, match="there is no folder"):
        qlc.connect(tmp_path / "none", read_only=True)
    (tmp_path / "other").mkdir()
    with pytest.raises(qlc.FolderError, match="no index is kept in the folder"):
        qlc.connect(tmp_path / "other", read_only=True)


@pytest.mark.parametrize("source", [None, 5, b"count documents"])
def test_what_is_asked_is_a_text(store: tuple[Wire, Compiler], source: Any) -> None:
    _, compiler = store
    asks: list[Callable[[Any], Any]] = [
        compiler.run, compiler.prepare, compiler.diagnose, compiler.complete,
        lambda given: qlc.compile_and_run(given, compiler),
    ]  # fmt: skip
    for ask in asks:
        with pytest.raises(qlc.UsageError, match="must be a text"):
            ask(source)


def test_a_cursor_of_completion_is_a_place_in_the_text(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    assert compiler.complete(QUERY, 0)
    assert compiler.complete(QUERY, len(QUERY))
    for cursor in (-1, len(QUERY) + 1):
        with pytest.raises(qlc.UsageError, match=f"from 0 to {len(QUERY)}"):
            compiler.complete(QUERY, cursor)


def test_many_texts_that_nothing_has_are_reported_in_short(store: tuple[Wire, Compiler]) -> None:
    wire, compiler = store
    names = [f"Dock Permit {n}" for n in range(200)]
    wire.calls.clear()
    outcome = compiler.run("find documents where " + " or ".join(f'name = "{name}"' for name in names))
    assert outcome.total == 0
    assert outcome.notes[0].startswith("No document has the name 'Dock Permit 0'. Similar: 'Dock Permit.pdf'")
    assert outcome.notes[5:] == ["Also found nowhere: 195 more of the values in the query."]
    # The values of a field are read once, whatever number of texts is compared with it.
    assert len(wire.calls) < 10


def test_a_long_list_of_texts_is_searched_and_not_gone_through_one_by_one(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    names = ", ".join(f'"{n}"' for n in range(5_000))
    outcome = compiler.run(f'find documents where name in ("Dock Permit.pdf", {names})')
    assert (outcome.total, outcome.notes) == (1, [])


@pytest.mark.parametrize("text", ["x" * 100_000, "1x" * 50_000, "x." * 50_000, "x " * 50_000])
def test_completion_of_a_long_text_takes_no_square_of_its_length(store: tuple[Wire, Compiler], text: str) -> None:
    _, compiler = store
    for source, cursor in (
        (f'find documents where name = "{text}"', None),
        (f"find documents where {text}", None),
        (f"avg({text} of documents", 4),
    ):
        began = time.thread_time()
        compiler.complete(source, cursor)
        assert time.thread_time() - began < 5


@pytest.mark.parametrize("asked", ["find documents", "count documents"])
def test_words_that_no_document_has_together_are_named_one_by_one(store: tuple[Wire, Compiler], asked: str) -> None:
    _, compiler = store
    counted = compiler.run('count documents where mentions "majeure"')
    assert counted.value > 0
    apart = compiler.run(f'{asked} where mentions "majeure unheardof"').notes
    each = f"'majeure' in {counted.value}, 'unheardof' in none"
    assert apart[0] == f"No document has all words of 'majeure unheardof': {each}."
    turned = compiler.run(f'{asked} where mentions "majeure force" and size > 1 MB').notes
    assert turned[0].startswith("No document has the words 'majeure force' side by side; ")


def test_words_that_some_have_are_not_the_reason_for_nothing(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    notes = compiler.run('find documents where mentions "force majeure" and size > 900 GB').notes
    assert not any("force" in note and note.startswith("No document has") for note in notes)
