"""A number of elements of a list is not stored: it is declined in every wording, and never read as another number."""

from itertools import product

import pytest

from qlc.conversation import Conversation
from qlc.outcome import Declined

from .test_asked import asker_of

SIZES = [
    "more than one {one}", "more than two {many}", "at least 3 {many}", "two or more {many}", "no more than one {one}",
    "at most 2 {many}", "fewer than three {many}", "exactly two {many}", "several {many}", "multiple {many}",
    "numerous {many}", "a single {one}", "only one {one}", "between 2 and 3 {many}", "less than 4 different {many}",
    "at least one {one}", "one or more {many}", "fewer than one {one}",
]  # fmt: skip
NOUNS = [("frame", "frames"), ("pest", "pests")]
FOLLOW_UPS = ["only those with {}", "how many of them have {}?"]
FORMS = ["hives with {}", "how many hives have {}", "hives in Fen that have {}", "number of hives with {}"]
ONCE = [*zip(FORMS * 5, SIZES, NOUNS * 9, strict=False), *product(FORMS, SIZES[:1], NOUNS)]
"""Each number in one question, and each question and each list with one number."""


@pytest.mark.parametrize(("form", "size", "noun"), ONCE)
def test_a_number_of_elements_is_declined(form: str, size: str, noun: tuple[str, str]) -> None:
    outcome = asker_of("hives").ask(form.format(size.format(one=noun[0], many=noun[1])))
    assert isinstance(outcome, Declined), outcome.query
    assert outcome.message.startswith(f"How many {noun[1]} a hive has is not stored.")
    assert [asker_of("hives").ask(one).query for one in outcome.suggestions] == [
        f"find hives where {noun[1]} exists", f"find hives where {noun[1]} missing"]  # fmt: skip


@pytest.mark.parametrize(("form", "size"), [*zip(FOLLOW_UPS * 9, SIZES, strict=True)])
def test_a_number_of_elements_is_declined_in_a_follow_up(form: str, size: str) -> None:
    talk = Conversation(asker_of("hives"))
    talk.turn("hives in Fen")
    outcome = talk.turn(form.format(size.format(one="frame", many="frames"))).outcomes[-1]
    assert isinstance(outcome, Declined), outcome.query
    assert outcome.message.startswith("How many frames a hive has is not stored.")
