"""What is asked of the one thing that a question chose by its place in an order."""

from __future__ import annotations

import pytest

from qlc.conversation import Conversation
from qlc.translator.door import Asker

NOW = "2026-03-15T12:00:00Z"
VIDEO = 'find documents where extension = "video" sort size desc limit 1'
FOLDER = "find folders sort created desc limit 1"


@pytest.mark.parametrize(
    ("first", "then", "program"),
    [
        ("who owns the biggest video", "where is it?", VIDEO),
        ("who owns the biggest video", "how big is it", f"get ({VIDEO}).size"),
        ("who owns the biggest video", "how many documents are in its folder",
         f"count documents where folder = ({VIDEO}).folder"),
        ("who owns the newest folder", "what's in it", f"find entries where folder in ({FOLDER})"),
    ],
)  # fmt: skip
def test_it_is_the_thing_that_was_found(drive: Asker, first: str, then: str, program: str) -> None:
    talk = Conversation(drive, now=NOW, timezone="UTC")
    talk.turn(first)
    assert talk.turn(then).outcome.query == program


def test_both_are_asked_at_once(drive: Asker) -> None:
    reply = Conversation(drive, now=NOW, timezone="UTC").turn("who owns the biggest video and where is it")
    assert [one.query for one in reply.outcomes] == [f"get ({VIDEO}).owner", VIDEO]
