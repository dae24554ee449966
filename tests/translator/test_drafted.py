"""Words over an index without a catalog, which go by a draft: flags, times that something takes, codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.outcome import Count, Hits
from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"
KEYWORD, FLAG, DATE = {"type": "keyword"}, {"type": "boolean"}, {"type": "date"}
MAPPING = {
    "repair_no": KEYWORD, "job_type": KEYWORD, "summary": {"type": "text"}, "workshop": KEYWORD, "received_on": DATE,
    "repair_days": {"type": "integer"}, "surface_m2": {"type": "float"}, "deposit_paid": FLAG, "under_guarantee": FLAG,
    "is_damage_reported": FLAG, "express": FLAG,
    "state": KEYWORD, "collected_on": DATE,
}  # fmt: skip
TEXTS = {"POL": "Polishing of the top", "UPH": "New upholstery for a chair", "XX": "Something else"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    client = qlc.connect(str(tmp_path_factory.mktemp("repairs")))
    client.indices.create(index="repairs", mappings={"properties": MAPPING})
    for n in range(36):
        code = ("POL", "UPH", "XX")[n % 3]
        document = {
            "repair_no": f"R-{n}", "job_type": code, "summary": TEXTS[code], "workshop": ("Lund", "Ystad")[n % 2],
            "received_on": f"2026-01-{n % 28 + 1:02}", "repair_days": n, "surface_m2": n / 2, "deposit_paid": n % 4 > 0,
            "under_guarantee": n % 5 == 0, "is_damage_reported": n % 6 == 0, "express": n % 7 == 0,
            "state": ("collected", "waiting")[n % 2],
            "collected_on": None if n % 2 else f"2026-02-{n % 28 + 1:02}",
        }  # fmt: skip
        client.index(index="repairs", id=f"R-{n}", document=document, refresh=n == 35)
    yield client
    client.close()


@pytest.fixture(scope="module")
def asker(client: Any) -> Asker:
    return Asker(qlc.Compiler(client, index="repairs"))


@pytest.mark.parametrize(("words", "program"), [
    ("repairs where the deposit is paid", ""),
    ("how many express repairs are there", "count repairs where express = true"),
    ("which repair took longest", "find repairs sort repair_days desc limit 1"),
    ("average surface per workshop", "avg(surface_m2) of repairs by workshop"),
    ("longest repairs by surface", "find repairs where surface_m2 exists sort surface_m2 desc"),
    ("collected repairs received since 10 January",
     'find repairs where state = "collected" and received_on >= 2026-01-10'),
    ("collections since 10 February", 'find repairs where state = "collected" and collected_on >= 2026-02-10'),
])  # fmt: skip
def test_words_go_by_a_draft(asker: Asker, words: str, program: str) -> None:
    assert asker.ask(words, now=NOW).query == program


@pytest.mark.parametrize("words", ["polishing repairs in Lund", "upholstery repairs"])
def test_a_code_has_no_words_from_texts_beside_it(asker: Asker, words: str) -> None:
    assert asker.ask(words, now=NOW).query == ""


def test_programs_by_mapping_paths_stay_as_they_are(asker: Asker) -> None:
    outcome = asker.ask("find entries where express = true", now=NOW)
    assert isinstance(outcome, Hits)
    assert outcome.query == "find entries where express = true"


def test_entries_are_known_beside_the_drafted_name(asker: Asker) -> None:
    assert [asker.ask(one, now=NOW).query for one in ("how many entries are there", "how many repairs")] == [
        "count repairs", "count repairs"]  # fmt: skip


def test_without_a_draft_words_know_the_mapping_alone(client: Any) -> None:
    outcome = Asker(qlc.Compiler(client, index="repairs", draft=False)).ask("how many entries are there", now=NOW)
    assert isinstance(outcome, Count)
    assert outcome.query == "count entries"


def test_an_index_that_is_not_there_is_reported_as_ever(client: Any) -> None:
    assert Asker(qlc.Compiler(client, index="nothing")).ask("how many entries are there").kind == "failed"
