"""Turns that were asked with other rights are not mentioned: by another person, or with a permission that has ended."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.conversation import Conversation, MemoryStore
from qlc.conversation.conversation import LEFT_OUT
from qlc.conversation.history import read_history
from qlc.translator.entry import Asker
from qlc.translator.model.earlier import earlier_lines
from qlc.translator.protocol import CannotSay, Question, Step, Translating, Turn
from qlc.translator.rights import ALL, Rights, may_be_shown
from tests.amounts import some
from tests.pipeline import world
from tests.pipeline.wire import Wire
from tests.tables import rows, table

NOW = "2026-03-15T12:00:00Z"
RED = {"tenant": "red", "level": 5}
BLUE = {"tenant": "blue", "level": 5}
PERMITTED = [True, ["salary", "grade"], "salary"]
SECRET = ("salary", "grade", "pay.", "4700", "8000", "4,700")
"""The names of the sensitive fields, and values that conditions compare them with."""


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Compiler]:
    from elasticsearch.helpers import bulk

    catalog = tmp_path_factory.mktemp("rights") / "catalog.yaml"
    catalog.write_text(world.CATALOG)
    wire = Wire()
    with wire.client() as client:
        client.indices.create(index=world.INDEX, mappings=world.MAPPING)
        bulk(client, ({"_index": world.INDEX, "_id": one["id"], "_source": one} for one in world.documents()))
        client.indices.refresh(index=world.INDEX)
        yield qlc.Compiler(client, catalog)


class Prompted:
    """A translator behind the rules that looks at what a model would be told of the turns before."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        self.told += earlier_lines(question, values=True)
        return CannotSay()
        yield


WITH = table(__file__, "WITH")
AFTER = [
    "why nothing?", "which filters?", "show the query", "show more", "go back", "how many is that?", "the second one",
    "who owns the first one?", "only the signed ones", "forget the salary", "and those in Plans?", "is that all?", "2",
    "explain it", "fix and run", "the rest", "newest first", "back to the documents", "what did I ask?", "both",
    "why so few?", "drop the last filter", "what about 5000?", "flurb the grotz", "which ones?", "page 1", "run it",
]  # fmt: skip


def everything_said(reply: Any) -> str:
    parts = [one.model_dump_json() for one in reply.outcomes]
    return "\n".join([*parts, json.dumps(reply.history), reply.narrative, *reply.notes, repr(reply.choices)])


@pytest.mark.parametrize("seed", range(some(9, 200)))
def test_nothing_is_said_of_what_is_confidential_now(compiler: qlc.Compiler, seed: int) -> None:
    """Conversations with a permission, gone on with without it."""
    chance = random.Random(seed)
    prompted = Prompted()
    asker = Asker(compiler, (*Asker(compiler).translators, prompted))
    talk = Conversation(asker, now=NOW, size=2)
    seen = [talk.turn(text, context={**RED, "sensitive": PERMITTED[seed % 3]}) for text in chance.sample(WITH, 3)]
    totals = {str(one.outcome.total) for one in seen if one.outcome.kind == "hits" and one.outcome.total > 2}
    del prompted.told[:]
    asked = [text for text in chance.sample(AFTER, 5) if "salary" not in text]
    for number, text in enumerate(asked):
        reply = talk.turn(text, context=RED)
        told = everything_said(reply)
        assert not [word for word in SECRET if word in told], (text, told)
        assert reply.outcome.kind not in ("hits", "count", "value", "aggregate", "failed") or not totals, text
        assert (LEFT_OUT in reply.outcomes[0].notes) == (number == 0)
    assert not [line for line in prompted.told if any(word in line for word in SECRET)]


@pytest.mark.parametrize("seed", range(some(6, 100)))
def test_nothing_is_said_of_what_another_tenant_asked(compiler: qlc.Compiler, seed: int) -> None:
    chance = random.Random(seed)
    prompted = Prompted()
    asker = Asker(compiler, (*Asker(compiler).translators, prompted))
    first = Conversation(asker, now=NOW, size=2, context=RED)
    for text in ("documents in Plans", "documents by Olga Crimson", 'find documents where name contains "Report"'):
        first.turn(text)
    talk = Conversation(asker, json.loads(json.dumps(first.history)), now=NOW, size=2, context=BLUE)
    del prompted.told[:]
    for number, text in enumerate(chance.sample(AFTER, 4), 1):
        reply = talk.turn(text)
        assert reply.number == number
        told = everything_said(reply) + "".join(prompted.told)
        assert not [word for word in ("red-", '"red', "Crimson", "Report", "documents in Plans") if word in told]
        assert LEFT_OUT not in reply.outcomes[0].notes  # that there was anything is not told
        assert reply.outcome.kind in ("declined", "refuse", "explain"), text


def test_with_the_same_rights_or_more_all_is_spoken_of(compiler: qlc.Compiler) -> None:
    talk = Conversation(compiler, now=NOW, size=2, context=RED)
    talk.turn("find documents where size > 0")
    assert talk.turn("show more", context={**RED, "sensitive": ["salary"]}).origin == "more"
    assert talk.turn("show more", context=RED).origin == "more"  # behind the first turn; the second is left out
    assert len(talk.history["turns"]) == 2


def test_a_permission_for_what_is_not_sensitive_makes_no_difference(compiler: qlc.Compiler) -> None:
    talk = Conversation(compiler, now=NOW, size=2)
    talk.turn("find documents where size > 0", context={**RED, "sensitive": ["size"]})
    assert talk.turn("show more", context=RED).origin == "more"


def test_what_became_confidential_since_is_not_spoken_of(compiler: qlc.Compiler) -> None:
    """A turn made by the host has no recorded rights, so its program is checked."""
    asker = Asker(compiler)
    turns = [Turn("well paid", "find documents where salary > 4700", {"kind": "hits", "ids": [], "total": 0})]
    for text in ("why nothing?", "which filters?", "show the query"):
        assert "salary" not in asker.ask(text, history=turns, context=RED, now=NOW).model_dump_json()
        permitted = asker.ask(text, history=turns, context={**RED, "sensitive": True}, now=NOW)
        assert "salary" in permitted.model_dump_json()


@pytest.mark.parametrize(("outcome", "program"), rows(__file__, "test_what_shows_it_is_not_reported"))
def test_what_shows_it_is_not_reported(compiler: qlc.Compiler, outcome: dict[str, Any], program: str) -> None:
    few, all_ = Rights.of(RED), Rights.of({**RED, "sensitive": True})
    assert not may_be_shown(few, compiler.schema, [(program, outcome)])
    assert may_be_shown(all_, compiler.schema, [(program, outcome)])
    assert all_.sees == (ALL,)


def test_exports_and_the_last_answer_are_of_who_asks(compiler: qlc.Compiler) -> None:
    store, secret = MemoryStore(), {**RED, "sensitive": True}
    talk = Conversation(compiler, store=store, id="a", now=NOW, context=secret)
    talk.turn("find documents where salary > 4700 show name, salary")
    assert "salary" in next(iter(talk.export("csv")))
    assert Conversation(compiler, store=store, id="a", now=NOW, context=secret).resume() is not None
    for context in (RED, BLUE, {}):
        other = Conversation(compiler, store=store, id="a", now=NOW, context=context)
        assert other.resume() is None
        with pytest.raises(qlc.UsageError, match="there is no answer yet"):
            other.export("csv")


def test_the_history_has_no_values_of_the_context(compiler: qlc.Compiler) -> None:
    talk = Conversation(compiler, now=NOW, context={"tenant": "red", "level": 5, "secret": "t0ken"})
    talk.turn("find documents where size > 0")
    assert "t0ken" not in json.dumps(talk.history)
    assert read_history(talk.history).turns[0].rights.who
