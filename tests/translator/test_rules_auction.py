"""Translates questions over lots and clerks: actions, their dates, and their persons."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

from .cases_auction import ASKED

NOW = "2025-06-18T12:00:00Z"


@pytest.mark.parametrize(
    ("text", "program"),
    [case for cases in ASKED.values() for case in cases],
    ids=[f"{about}: {text}" for about, cases in ASKED.items() for text, _ in cases],
)
def test_the_program(auction: Asker, text: str, program: str) -> None:
    outcome = auction.ask(text, now=NOW, size=0)
    assert outcome.query == program, outcome.message
