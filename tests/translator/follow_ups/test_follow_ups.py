"""Notes, clarifications and refusals of follow-ups, beside the programs that they become."""

from collections.abc import Callable
from typing import Any

import pytest

from qlc.translator.entry import Asker
from qlc.translator.protocol import Turn
from tests.tables import holds, table

from .dialogues import NOW

ROWS = [(title, *row) for title, rows in table(__file__, "ROWS").items() for row in rows]
"""A title, a message, the turns before it, and its outcome. A turn is a program that was run, or words
with the outcome that they had."""


def history(asker: Asker, *turns: str | dict[str, Any], now: str = NOW["drive"]) -> list[Turn]:
    made = []
    for number, turn in enumerate(turns, 1):
        if isinstance(turn, dict):
            made.append(Turn(turn["text"], "", {"kind": "declined", "message": "", **turn}))
        else:
            outcome = asker.compiler.run(turn, now=now).model_dump(mode="json")
            made.append(Turn(f"question {number}", outcome["query"], outcome, number=number))
    return made


def said(asker: Callable[[str], Asker], text: str, *turns: str | dict[str, Any], data: str = "drive") -> Any:
    one = asker(data)
    return one.program_of(text, history=history(one, *turns, now=NOW[data]), now=NOW[data])


@pytest.mark.parametrize(
    ("title", "text", "before", "wanted"), ROWS, ids=[f"{title}: {text}" for title, text, *_ in ROWS]
)
def test_what_a_follow_up_becomes(
    asker: Callable[[str], Asker], title: str, text: str, before: list[Any], wanted: dict[str, Any]
) -> None:
    holds(said(asker, text, *before), wanted)


def test_those_of_a_list_that_was_cut_are_those_that_were_shown(asker: Callable[[str], Asker]) -> None:
    cut = 'find documents where type = "NDA" sort created desc limit 3'
    ids = history(asker("drive"), cut)[0].outcome["ids"]
    wanted = ", ".join(f'"{one}"' for one in ids)
    assert said(asker, "only the signed ones", cut).program == (
        f"find documents where id in [{wanted}] and signed = true sort created desc"
    )


def test_ids_are_reported_by_their_names(asker: Callable[[str], Asker]) -> None:
    folders = 'find folders where folder = "Business" sort name'
    drive = asker("drive")
    first, second = history(drive, folders)[0].outcome["ids"][:2]
    found = said(asker, "and the second?", folders, f'count documents where folder = "{first}"')
    assert found.program == f'count documents where folder = "{second}"'
    assert not any(id in note for id in (first, second) for note in found.notes)
    assert "before it was: folder is 'Banking'" in found.notes[0]
