"""Generated conversations: narrow, narrow, regroup, narrow. What was said holds, or a note says what does not."""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import qlc
from qlc.base.options import moment
from qlc.conversation import Conversation
from qlc.grammar import parse, tree
from qlc.outcome import AggregateOut, Count, Hits, ValueOut
from qlc.translator.entry import Asker
from qlc.translator.in_words import condition_in_words
from qlc.translator.rules.build import parts
from tests.tables import rows

NOW = "2026-03-15T12:00:00Z"
CONVERSATIONS = int(os.environ.get("QLC_EXAMPLES", "20"))
KEYWORD = {"type": "keyword"}
MAPPING = {
    "parcel_no": KEYWORD, "depot": KEYWORD, "carrier": KEYWORD, "state": KEYWORD, "weight": {"type": "double"},
    "sent": {"type": "date"}, "fragile": {"type": "boolean"},
}  # fmt: skip
DEPOTS, CARRIERS, STATES = ("Kiel", "Nice", "Turin"), ("Hermod", "Iris", "Pheme"), ("open", "damaged", "returned")


@dataclass(frozen=True)
class World:
    """Messages of a conversation: first searches, narrower conditions, groups."""

    first: tuple[str, ...]
    narrow: tuple[str, ...]
    regroup: tuple[str, ...]


WORLDS = {
    "parcels": World(
        ("parcels sent in September", "parcels in Kiel", "damaged parcels", "how many parcels of Iris are there",
         "parcels over 2", "parcels sent since October by carrier"),
        ("only Kiel", "only Nice", "which of them are open?", "and those of Hermod?", "which are fragile?", "only Iris",
         "only damaged ones", "which of those are returned?", "sent before November", "how many of them are damaged?"),
        ("by carrier", "by depot", "per state", "by month", "how many?", "group them by depot"),
    ),
    "drive": World(
        ("PDFs from last year", "documents in Legal", "invoices over $1,000", "how many receipts are there",
         "documents created this year", "contracts by owner"),
        ("only PDFs", "which of them are signed?", "only those in Legal", "over 1 MB", "which are starred?",
         "only unpaid ones", "from 2025", "which of those are shared?", "how many of them are locked?"),
        ("by owner", "by type", "per month", "how many?", "group them by folder", "by year"),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def asked(asker: Callable[[str], Asker], tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Asker]]:
    client = qlc.connect(str(tmp_path_factory.mktemp("parcels")))
    client.indices.create(index="parcels", mappings={"properties": MAPPING})
    for n in range(60):
        document = {
            "parcel_no": f"P-{n}", "depot": DEPOTS[n % 3], "carrier": CARRIERS[n // 3 % 3], "weight": float(n % 7),
            "state": STATES[n // 2 % 3], "sent": f"2025-{8 + n % 5:02}-{n % 27 + 1:02}", "fragile": n % 4 == 0,
        }  # fmt: skip
        client.index(index="parcels", id=f"P-{n}", document=document, refresh=n == 59)
    yield {"parcels": Asker(qlc.Compiler(client, index="parcels")), "drive": asker("drive")}
    client.close()


def conversation(world: World, number: int) -> list[str]:
    """Return the turns of one conversation: equal numbers are equal conversations."""
    chosen = random.Random(number)
    narrow = chosen.sample(world.narrow, 3)
    return [chosen.choice(world.first), narrow[0], narrow[1], chosen.choice(world.regroup), narrow[2]]


def conditions(outcome: Any) -> tuple[tree.Condition, ...]:
    statement = parse(outcome.query).statement
    assert not isinstance(statement, tree.Get)
    return parts(statement.where)


def lost(before: tuple[tree.Condition, ...], outcome: Any) -> list[str]:
    """Return the conditions that the program of an answer has no more, and that no note of it names."""
    kept, notes = {*tree.walked(parse(outcome.query))}, " ".join(outcome.notes)
    return [said for one in before if one not in kept and (said := condition_in_words(one)) not in notes]


@pytest.mark.parametrize("data", WORLDS)
def test_no_condition_is_lost_without_a_word(asked: dict[str, Asker], data: str) -> None:
    answered, failures = 0, []
    for number in range(CONVERSATIONS):
        talk = Conversation(asked[data], now=moment(NOW), timezone="UTC")
        before: tuple[tree.Condition, ...] = ()
        for text in (texts := conversation(WORLDS[data], number)):
            outcome = talk.turn(text).outcomes[-1]
            if not isinstance(outcome, Hits | Count | AggregateOut | ValueOut):
                break
            gone = lost(before, outcome)
            if gone:
                failures.append((texts[: texts.index(text) + 1], gone, outcome.query, outcome.notes))
            before = conditions(outcome)
            answered += 1
    assert not failures
    assert answered > 2 * CONVERSATIONS  # most of them are read to the third turn


@pytest.mark.parametrize(("turns", "program"), rows(__file__, "test_what_later_turns_are_of"))
def test_what_later_turns_are_of(asked: dict[str, Asker], turns: tuple[str, ...], program: str) -> None:
    talk = Conversation(asked["parcels"], now=moment(NOW), timezone="UTC")
    assert [talk.turn(text).outcomes[-1].query for text in turns][-1] == program
