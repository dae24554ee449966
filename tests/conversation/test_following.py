"""Parts of a program that come from earlier turns are inferred from the program and the words, for any translator."""

import pytest

from qlc.conversation import Conversation
from qlc.conversation.translating import carried, followed
from qlc.translator.entry import Asker
from qlc.translator.protocol import Turn
from tests.tables import rows

from .conftest import NOW, counted
from .test_context import TRAVEL

RECEIPTS = Turn("receipts in Meals", 'find documents where type = "Receipt" and folder = "Meals"', number=1)
SIGNED = Turn("signed contracts", 'find documents where signed and type = "Contract"', number=2)

FOLLOWED = rows(__file__, "FOLLOWED")


@pytest.mark.parametrize(("words", "program", "number"), FOLLOWED, ids=[case[0] for case in FOLLOWED])
def test_which_turn_a_program_follows(words: str, program: str, number: int | None) -> None:
    assert followed(program, words, [RECEIPTS, SIGNED]) == number


def test_choices_go_on_where_the_name_is_not_said_anew() -> None:
    turns = [Turn("documents in Travel", "...", choices={TRAVEL: "old"}), Turn("2", "...", choices={TRAVEL: "new"})]
    program = 'find documents where folder = "Travel" and signed'
    assert carried(program, "only the signed ones", turns) == {TRAVEL: "new"}
    assert carried(program, "signed documents in travel", turns) == {}
    assert carried(program, "back to Travel, only the signed ones", turns) == {TRAVEL: "new"}
    assert carried("find documents where signed", "the signed ones", turns) == {}


@pytest.mark.parametrize("text", ["newest first", "sort by size", "more", "5 at a time", "top 3"])
def test_a_turn_that_only_sorts_or_pages_asks_no_model(drive: Asker, text: str) -> None:
    asker, model = counted(drive)
    conversation = Conversation(asker, now=NOW)
    conversation.turn("list the NDAs")
    assert conversation.turn(text).outcome.kind == "hits"
    assert model.asked == []
