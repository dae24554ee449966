"""Words over an index without a catalog: parts of values, names of people, codes, shortened names, notes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Hits
from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"
KEYWORD, WHOLE = {"type": "keyword"}, {"type": "integer"}
MAPPING = {
    "job": KEYWORD, "works": KEYWORD, "foreman": KEYWORD, "trade": KEYWORD, "status": KEYWORD, "wall_type": KEYWORD,
    "qty_ordered": WHOLE, "pkg_kg": WHOLE, "actual_cost": WHOLE, "hall": KEYWORD, "scheduled_on": {"type": "date"},
    "booked_on": {"type": "date"}, "inspector": KEYWORD, "planned_by": KEYWORD,
}  # fmt: skip
WORKS = ("Old gable end repair", "Chimney for a kiln", "Lead flashing")
PEOPLE = ("Ms Ada Holm", "Mr Ivo Brandt", "Mr Olav Kerr")
WALLS = ("Dry stone wall", "Brick wall", "Hollow panel")


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    client = qlc.connect(str(tmp_path_factory.mktemp("yard")))
    client.indices.create(index="yard", mappings={"properties": MAPPING})
    for n in range(36):
        name = f"{('OSL', 'BGO')[n % 2]}-{n + 100}"
        document = {
            "job": name, "works": WORKS[n % 3], "foreman": PEOPLE[n // 12], "trade": ("MECH", "PLMB")[n % 2],
            "status": ("done", "cancelled", "on_hold")[n % 3], "wall_type": WALLS[n % 3], "qty_ordered": n,
            "pkg_kg": 80 - n, "actual_cost": n * n,
            "hall": ("North", "South")[n % 2], "scheduled_on": f"2026-03-{n % 28 + 1:02}",
            "booked_on": f"2026-01-{n % 28 + 1:02}", "inspector": ("Una Lie", "Per Dahl")[n % 2],
            "planned_by": ("Odd Moe", "Liv Vik")[n // 18],
        }  # fmt: skip
        client.index(index="yard", id=name, document=document, refresh=n == 35)
    yield Asker(qlc.Compiler(client, index="yard"))
    client.close()


@pytest.mark.parametrize(("words", "program"), [
    # parts of values
    ("jobs with a gable end repair", 'find jobs where works = "Old gable end repair"'),
    ("cancelled chimneys", 'find jobs where status = "cancelled" and works = "Chimney for a kiln"'),
    ("jobs of Holm in the north hall", 'find jobs where foreman = "Ms Ada Holm" and hall = "North"'),
    ("jobs by Mr Brandt", 'find jobs where foreman = "Mr Ivo Brandt"'),
    ("hollow panels", 'find jobs where wall_type = "Hollow panel"'),
    # codes, states, shortened names, ids
    ("how many plumbing jobs are there", 'count jobs where trade = "PLMB"'),
    ("finished mechanical jobs", 'find jobs where status = "done" and trade = "MECH"'),
    ("how many jobs were called off", 'count jobs where status = "cancelled"'),
    ("total quantity ordered", "sum(qty_ordered) of jobs"),
    ("hall of BGO-105", 'get job("BGO-105").hall'),
    # the date of what is arranged is when it is to be
    ("jobs this week", "find jobs where scheduled_on = this week"),
    # what somebody did, and the last of what was done
    ("last 3 jobs booked", "find jobs sort booked_on desc limit 3"),
    ("last 2 jobs booked in the north hall", 'find jobs where hall = "North" sort booked_on desc limit 2'),
    # notes
])  # fmt: skip
def test_words_go_by_a_draft(asker: Asker, words: str, program: str) -> None:
    assert asker.ask(words, now=NOW).query == program


@pytest.mark.parametrize("words", [
    "jobs with at least 4 packages",  # of the package the weight is known
    "jobs that are not finished",  # cancelled ones are not done either
    "jobs booked and done in February",  # nothing says when something was done
    "jobs with a scaffolding for Holm",
    "project in the north hall",  # not what is projecting
    "hall breakdown 2026",  # by which date
])  # fmt: skip
def test_what_the_documents_do_not_say_is_declined(asker: Asker, words: str) -> None:
    assert asker.ask(words, now=NOW).kind in ("declined", "clarify")


def test_what_was_taken_for_a_value_is_reported_once(asker: Asker) -> None:
    outcome = asker.ask("jobs by Mr Brandt", now=NOW)
    assert isinstance(outcome, Hits)
    assert outcome.notes == ["Took 'Mr Brandt' for 'Mr Ivo Brandt'."]
