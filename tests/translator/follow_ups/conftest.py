"""The data sets in memory, each behind the translators once."""

from collections.abc import Callable
from functools import cache

import pytest

from qlc.base.options import moment
from qlc.conversation import Conversation
from qlc.outcome import Outcome
from qlc.translator.entry import Asker

from .dialogues import NOW, asker_of

Talk = Callable[..., list[Outcome]]


@pytest.fixture(scope="session")
def asker() -> Callable[[str], Asker]:
    return cache(asker_of)


@pytest.fixture
def talk(asker: Callable[[str], Asker]) -> Talk:
    """The answers to the turns of one conversation over a data set."""

    def turns(data: str, *texts: str) -> list[Outcome]:
        conversation = Conversation(asker(data), now=moment(NOW[data]), timezone="UTC")
        return [outcome for text in texts for outcome in conversation.turn(text).outcomes]

    return turns
