"""Words over an untouched draft: the noun of an id, languages by their codes, objects that only some documents have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.outcome import Several
from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"
KEYWORD, DATE, FLAG = {"type": "keyword"}, {"type": "date"}, {"type": "boolean"}
DAMAGE = {"found_on": DATE, "cause": KEYWORD, "repaired": FLAG}
MAPPING = {
    "tape_no": KEYWORD, "archive": {"properties": {"name": KEYWORD}}, "genre": KEYWORD, "spoken_language": KEYWORD,
    "from_language": KEYWORD, "to_language": KEYWORD, "recorded_at": DATE, "summary": {"type": "text"},
    "minutes": {"type": "integer"}, "damage": {"properties": DAMAGE},
    "check": {"properties": {"on": DATE, "by": KEYWORD}}, "digitised": {"properties": {"on": DATE}},
}  # fmt: skip
GENRES = ("folk tale", "fairy tale", "memoir", "ballad")
LANGUAGES = ("en", "sv", "fi", "et")


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    client = qlc.connect(str(tmp_path_factory.mktemp("recordings")))
    client.indices.create(index="recordings", mappings={"properties": MAPPING})
    for n in range(40):
        document: dict[str, Any] = {
            "tape_no": f"TP-{n:04}", "archive": {"name": f"Archive {'NESW'[n % 4]}"}, "genre": GENRES[n % 4],
            "from_language": LANGUAGES[n % 4], "to_language": LANGUAGES[(n + 1 + n // 20) % 4],
            "recorded_at": f"2025-{n % 12 + 1:02}-03T10:30:00Z", "minutes": n,
            "summary": f"The teller of tape {n} speaks of winter",
        }  # fmt: skip
        if n % 3 == 0:
            cause = ("late", "mould", "heat")[n % 9 // 3]
            document["damage"] = {"found_on": f"2026-0{n % 2 + 1}-07", "cause": cause, "repaired": n % 2 == 0}
        if n % 2 == 0:
            document["check"] = {"on": f"2026-01-{n % 28 + 1:02}", "by": ("Aino Kask", "Per Lund")[n % 4 // 2]}
        if n % 5 == 0:
            document["digitised"] = {"on": f"2026-02-{n % 28 + 1:02}"}
        client.index(index="recordings", id=f"TP-{n:04}", document=document, refresh=n == 39)
    yield Asker(qlc.Compiler(client, index="recordings"))
    client.close()


@pytest.mark.parametrize(("words", "program"), [
    ("how many tapes are there", "count recordings"),
    ("memoir tapes", 'find recordings where genre = "memoir"'),
    ("how many tales are there", 'count recordings where genre = "tale"'),
    ("tapes from Swedish to Finnish", 'find recordings where from_language = "sv" and to_language = "fi"'),
    ("Swedish to Finnish tapes", 'find recordings where from_language = "sv" and to_language = "fi"'),
    ("tapes into Estonian", 'find recordings where to_language = "et"'),
    ("tapes with damage", "find recordings where damage"),
    ("how many checks are there", "count recordings where check"),
    ("damages by genre", "count recordings where damage by genre"),
    ("tapes recorded in May 2025", "find recordings where recorded_at = 2025-05"),
    ("checks of tapes recorded in May 2025", "find recordings where check and recorded_at = 2025-05"),
])  # fmt: skip
def test_words_go_by_the_draft(asker: Asker, words: str, program: str) -> None:
    outcome = asker.ask(words, now=NOW)
    assert outcome.query == program, outcome.message


@pytest.mark.parametrize("words", [
    "tapes of Kissler",  # no number of a tape
    "Swedish tapes",  # from it, or into it
    "checks of tapes in January 2026",  # when which of them?
    "late tapes",  # no cause of damage
    "open memoir tapes",
])  # fmt: skip
def test_what_nobody_can_know_is_not_answered(asker: Asker, words: str) -> None:
    assert asker.ask(words, now=NOW).kind in ("declined", "clarify")


def test_what_is_left_of_a_question_that_was_not_understood(asker: Asker) -> None:
    outcome = asker.ask("Did any teller wobble the frobnicator? Which tapes, please.", now=NOW)
    assert isinstance(outcome, Several)
    assert [one.kind for one in outcome.outcomes] == ["declined", "declined"]
