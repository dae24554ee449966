"""A turn that is killed inside of an answer goes on: a language model is not asked again for what it said."""

import asyncio
import json
from typing import Any

import pytest

import qlc
from qlc.answers.model import Reader
from qlc.conversation import AsyncConversation, Conversation, MemoryStore
from qlc.models.anthropic_model import AnthropicModel
from qlc.outcome import Answer, Hits
from tests.amounts import some
from tests.answers.model.conftest import Scripted, judges, plans, routes, writes
from tests.model.messages_api import Said, Server, uses

NOW = "2026-03-15T12:00:00Z"
HOTEL = "A hotel costs at most EUR 140 a night"
ROOMS = "Which sort of rooms may staff take, and what are they paid?"
LEAVE = "Anything we can walk away from in less than 80 days, please tell which"
WRONG = writes(("A hotel costs at most EUR 141 a night.", [("p1", HOTEL)]))
RIGHT = writes(("Hotels may cost up to EUR 140 a night.", [("p1", HOTEL)]))
SEARCH = uses("search_text", {"query": "hotel"})
LIMIT = {"field": "notice", "operator": "<", "value": "80 days", "raw_text": "walk away from in less than 80 days"}
STAGES: dict[str, tuple[str, str, list[Said]]] = {
    "a written answer": ("orchestrator", ROOMS, [routes(), plans(topic_terms=["hotel"]), WRONG, RIGHT]),
    "a list": ("orchestrator", LEAVE, [plans("contracts", "list", constraints=[LIMIT]), judges(True)]),
    "a loop": ("single_loop", ROOMS, [SEARCH, SEARCH, writes(status="not_in_evidence")]),
}  # fmt: skip


class Killed(BaseException):
    """The process is gone."""


class Deadly(MemoryStore):
    """Kills its process when it has written so often; a process that is gone writes nothing more."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.left = writes

    def write(self, id: str, data: str, revision: int) -> None:
        if self.left == 0:
            raise Killed
        super().write(id, data, revision)
        self.left -= 1
        if self.left == 0:
            raise Killed


def _told(reply: qlc.conversation.Reply | None) -> dict[str, Any]:
    return reply.outcome.model_dump(exclude={"stats": True, "steps": {"__all__": {"took_ms"}}})


def _asked(server: Server) -> list[str]:
    return [json.dumps([one["system"], one["messages"], one["tools"]]) for one in server.requests]


@pytest.mark.parametrize("case", STAGES)
def test_a_kill_after_any_checkpoint_changes_no_answer_and_repeats_no_call(
    library: qlc.Corpus, scripted: Scripted, case: str
) -> None:
    mode, question, script = STAGES[case]

    def talk(store: MemoryStore, reader: Reader) -> Conversation:
        return Conversation(library, reader=reader, store=store, id="a", now=NOW, deadline=300)

    reader, server = scripted(*script, mode=mode)
    whole = Deadly(-1)
    expected = talk(whole, reader).turn(question)
    asked, count = _asked(server), -1 - whole.left
    assert len(asked) == len(script)
    assert isinstance(expected.outcome, Answer | Hits) or mode == "single_loop"
    assert count >= len(script) + 6, "a checkpoint after each stage, and after each call"
    for writes_ in range(1, count, some(2, 1)):
        reader, server = scripted(*script, mode=mode)
        store = Deadly(writes_)
        with pytest.raises(Killed):
            talk(store, reader).turn(question)
        store.left = -1
        reply = talk(store, reader).resume()
        assert _told(reply) == _told(expected)
        assert _asked(server) == asked


def test_what_was_said_to_another_request_is_not_taken(library: qlc.Corpus, scripted: Scripted) -> None:
    _, question, script = STAGES["a written answer"]
    said = [*script[:2], RIGHT]
    reader, server = scripted(*said, *said)
    store = Deadly(5)
    with pytest.raises(Killed):
        Conversation(library, reader=reader, store=store, id="a", now=NOW, deadline=300).turn(question)
    assert len(server.requests) == 3
    store.left = -1
    data = json.loads(store.read("a").data)  # type: ignore[union-attr]
    assert len(data["turn"]["replies"]) == 3
    other = AnthropicModel("claude-haiku-4-6", api_key="sk-test", base_url=server.url)
    reply = Conversation(library, reader=Reader(other), store=store, id="a", now=NOW, deadline=300).resume()
    other.close()
    assert isinstance(reply.outcome, Answer)
    assert len(server.requests) == 6


def test_replies_are_forgotten_when_their_stage_is_done(library: qlc.Corpus, scripted: Scripted) -> None:
    _, question, script = STAGES["a written answer"]
    reader, _ = scripted(*script)
    store = MemoryStore()
    Conversation(library, reader=reader, store=store, id="a", now=NOW, deadline=300).turn(question)
    saved = store.read("a")
    assert "replies" not in json.loads(saved.data)["turn"]


def test_the_asynchronous_conversation_goes_on_as_well(library: qlc.Corpus, scripted: Scripted) -> None:
    _, question, script = STAGES["a written answer"]

    async def both() -> None:
        reader, server = scripted(*script)
        store = Deadly(4)
        with pytest.raises(Killed):
            await AsyncConversation(library, reader=reader, store=store, id="a", now=NOW, deadline=300).turn(question)
        before = len(server.requests)
        store.left = -1
        reply = await AsyncConversation(library, reader=reader, store=store, id="a", now=NOW, deadline=300).resume()
        assert reply.outcome.message == "Hotels may cost up to EUR 140 a night."
        assert before < len(server.requests) == len(script)

    asyncio.run(both())


def test_a_thread_that_goes_on_after_its_turn_writes_nothing(library: qlc.Corpus, scripted: Scripted) -> None:
    _, question, script = STAGES["a list"]
    slow = [Said(one.body, slow=1.0) for one in script]

    async def given_up() -> None:
        reader, server = scripted(*slow)
        store = MemoryStore()
        talk = AsyncConversation(library, reader=reader, store=store, id="a", now=NOW, deadline=300)
        task = asyncio.create_task(talk.turn(question))
        while not server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        saved = store.read("a")
        await asyncio.sleep(1.5)
        assert store.read("a") == saved

    asyncio.run(given_up())
