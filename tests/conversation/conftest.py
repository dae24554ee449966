"""The document store, the flights and the orders in memory, and conversations over them."""

from collections.abc import Callable
from typing import Any

import pytest

from qlc.conversation import Conversation, Reply
from qlc.translator.entry import Asker
from qlc.translator.protocol import CannotSay, Question, Step, Translating
from tests import data_sets
from tests.translator.conftest import drive, flights

__all__ = ["drive", "flights"]

NOW = "2026-03-15T12:00:00Z"


class LastResort:
    """A translator behind the rules, as a model is: it counts the questions that come to it, and knows no answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        self.asked.append(question.text)
        return CannotSay()
        yield


@pytest.fixture(scope="session")
def orders() -> Asker:
    return data_sets.asker("ecommerce", "qlc/catalogs/ecommerce.yaml")


Talk = Callable[..., Conversation]


@pytest.fixture
def talk(drive: Asker) -> Talk:
    """Begin a conversation over the document store."""

    def begin(history: Any = None, **options: Any) -> Conversation:
        return Conversation(drive, history, **{"now": NOW, **options})

    return begin


def said(conversation: Conversation, *texts: str) -> list[Reply]:
    return [conversation.turn(text) for text in texts]


def counted(asker: Asker) -> tuple[Asker, LastResort]:
    """The same compiler behind the rules and a last resort that counts."""
    last = LastResort()
    return Asker(asker.compiler, (*asker.translators, last)), last
