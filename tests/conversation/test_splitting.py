"""Several questions in one message."""

import pytest

from qlc.translator.splitting import questions_in
from tests.tables import rows

SEVERAL = rows(__file__, "SEVERAL")


@pytest.mark.parametrize(("message", "parts"), SEVERAL)
def test_several_questions(message: str, parts: list[str]) -> None:
    assert ["*" * goal.depends + goal.text for goal in questions_in(message)] == parts


def test_a_thing_named_first_is_what_is_asked_about() -> None:
    assert [one.text for one in questions_in("Dock Permit.pdf: what is its size?")] == [
        "what is Dock Permit.pdf's size?"
    ]
    assert [one.text for one in questions_in("show me this: is it signed?")] == ["show me this: is it signed?"]


@pytest.mark.parametrize("message", rows(__file__, "test_one_question"))
def test_one_question(message: str) -> None:
    assert [goal.text for goal in questions_in(message)] == [message]
