"""A text over several answers may only say what the answers say, in the wordings that people use."""

from datetime import UTC, datetime

import pytest

from qlc.translator.narrative.grounding import unfounded
from qlc.translator.protocol import Fact
from tests.tables import rows, table

NOW = datetime(2026, 3, 15, 12, tzinfo=UTC)
FACTS = {name: Fact(*parts) for name, parts in table(__file__, "FACTS").items()}


def problems(facts: str, text: str) -> str:
    return "; ".join(unfounded(text, tuple(map(FACTS.__getitem__, facts.split())), NOW, UTC))


@pytest.mark.parametrize(("facts", "text"), rows(__file__, "FOUNDED"))
def test_what_the_answers_say_may_be_said(facts: str, text: str) -> None:
    assert problems(facts, text) == ""


@pytest.mark.parametrize(("facts", "text", "what"), rows(__file__, "UNFOUNDED"))
def test_what_they_do_not_say_is_found(facts: str, text: str, what: str) -> None:
    assert what in problems(facts, text)
