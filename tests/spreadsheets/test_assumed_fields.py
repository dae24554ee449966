"""Words that name no field, over tables as they are drafted: the usual one is taken and named, or it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.tables.loading import load

NOW = "2026-03-15T12:00:00Z"
PEOPLE = ("Ann Berg", "Tom Silva", "Mira Oka")
TABLES = {
    "leases": "lease_no,tenant,managed_by,previous_manager,rent,signed_on,start_date,end_date,inspection_date",
    "shipments": "shipment_id,carrier,backup_carrier,proposed_approver,shipped,estimated_delivery,parcels,lost_parcels,"
                 "refund,weight_kg,max_weight_kg",
    "projects": "project_id,lead,manager_birth_date,budgeted_hours,spent_hours,planned_end,updated_at",
    "harvests": "harvest_id,grower,yield_tons,lost_tons,picked_on,next_inspection",
}  # fmt: skip


def row(table: str, n: int) -> str:
    day = f"202{4 + n % 2}-0{n % 9 + 1}-{n % 28 + 1:02}"
    ahead = f"202{6 + n % 2}-0{n % 9 + 1}-{n % 28 + 1:02}"
    later = f"202{5 + n % 2}-0{n % 9 + 1}-{n % 28 + 1:02}"
    one, other = PEOPLE[n % 3], PEOPLE[n % 2]
    return {
        "leases": f"{3000 + n},Tenant {n},{one},{other},{900 + n * 37},{day},{later},{ahead},2025-{n % 12 + 1:02}-11",
        "shipments": f"{9000 + n},{('DPX', 'Nordpost')[n % 2]},{('Swiftline', 'DPX')[n % 2]},{one},{day},{ahead},{n},"
                     f"{n % 3},{n % 4 * 25},{n + 0.5},100",
        "projects": f"{500 + n},{one},19{60 + n}-05-11,{n * 10},{n * 9},{ahead},2026-02-{n % 28 + 1:02}",
        "harvests": f"{700 + n},{one},{n + 0.5},{n / 10},{day},{ahead}",
    }[table]  # fmt: skip


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Asker]:
    folder: Path = tmp_path_factory.mktemp("tables")
    with qlc.connect() as client:
        indices = []
        for name, header in TABLES.items():
            lines = [header, *(row(name, n) for n in range(36))]
            (folder / f"{name}.csv").write_text("\n".join(lines), "utf-8")
            indices += [one.index for one in load(client, folder / f"{name}.csv")]
        yield qlc.Asker(qlc.Compiler(client, index=",".join(indices)))


@pytest.mark.parametrize(("words", "kind"), [
    ("leases in 2025", "clarify"),  # signed, started or ended
    ("the oldest lease", "declined"),
    ("the oldest project", "declined"),  # by the birth of its manager it has no age
    ("shipments approved by Ann Berg", "declined"),  # it was proposed
    ("when was shipment 9005 delivered", "declined"),  # it was estimated
])  # fmt: skip
def test_no_other_field_stands_for_the_one_that_is_missing(asker: qlc.Asker, words: str, kind: str) -> None:
    assert asker.ask(words, now=NOW).kind == kind


@pytest.mark.parametrize(("words", "program", "note"), [
    ("shipments before June 2025", "find shipments where shipped < 2025-06", "the date 'shipped'"),
    ("harvests in 2025", "find harvests where picked_on = 2025", "the date 'picked on'"),
    ("shipments with Swiftline", 'find shipments where backup_carrier = "Swiftline"', "does not say 'backup'"),
    ("when does project 515 end", 'get project("515").planned_end', "does not say 'planned'"),
    ("projects over 200 hours", "find projects where spent_hours > 200 hours", "the number 'spent hours'"),
])  # fmt: skip
def test_a_field_that_nobody_named_is_in_a_note(asker: qlc.Asker, words: str, program: str, note: str) -> None:
    outcome = asker.ask(words, now=NOW)
    assert outcome.query == program
    assert any(note in one for one in outcome.notes)


@pytest.mark.parametrize(("words", "program"), [
    ("leases signed in 2025", "find leases where signed_on = 2025"),
    ("leases managed by Ann Berg", 'find leases where managed_by = "Ann Berg"'),
    ("shipments over 20 parcels", "find shipments where parcels > 20"),
    ("shipments with refunds", "find shipments where refund > 0"),
    ("shipments without a refund", "find shipments where refund missing or refund = 0"),
    ("lease 3005", 'find lease("3005")'),  # no year
    ("who is the previous manager of lease 3002", 'get lease("3002").previous_manager'),
])  # fmt: skip
def test_a_field_that_is_named_needs_no_note(asker: qlc.Asker, words: str, program: str) -> None:
    outcome = asker.ask(words, now=NOW)
    assert (outcome.query, outcome.notes) == (program, [])


@pytest.mark.parametrize(("first", "then", "program"), [
    ("leases signed in 2025", "only 2024", "find leases where signed_on = 2024"),
    ("shipments shipped in 2025", "only 2024", "find shipments where shipped = 2024"),
    ("total yield by grower", "the biggest",
     "sum(yield_tons) of harvests by grower sort sum(yield_tons) desc limit 1"),
])  # fmt: skip
def test_a_follow_up_replaces_what_cannot_be_both(asker: qlc.Asker, first: str, then: str, program: str) -> None:
    talk = qlc.Conversation(asker, now=NOW)
    talk.turn(first)
    assert talk.turn(then).outcome.query == program


def test_a_deed_is_one_that_was_done_by_the_time_of_the_question(asker: qlc.Asker) -> None:
    assert asker.ask("leases inspected in March 2025", now=NOW).query == "find leases where inspection_date = 2025-03"
    assert asker.ask("leases inspected in March 2025", now="2025-06-01T12:00:00Z").kind == "declined"


def test_a_question_about_nothing_that_is_known_is_told_what_there_is(asker: qlc.Asker) -> None:
    notes = asker.ask("total frobs by gizmo", now=NOW).notes
    assert notes == ["You can ask for leases, shipments, projects, harvests."]


@pytest.mark.parametrize(("words", "program", "notes"), [
    ("jobs by Ann Poe", 'find jobs where accepted_by = "Ann Poe"',
     ["Uses 'accepted by': the question does not say 'accepted'."]),
    ("jobs accepted by Ann Poe", 'find jobs where accepted_by = "Ann Poe"', []),
    ("jobs with a fee over 1.500 EUR", "find jobs where fee > 1.5",
     ["Read '1.500' as 1.5. If thousands are meant, leave out the point."]),
    ("jobs with a fee over 1500 EUR", "find jobs where fee > 1500", []),
    ("jobs with a reach over 1000000", "find jobs where reach > 1000000",
     ["'Reach (thousands)' is compared as the table writes it."]),
    ("jobs with a discount", "find jobs where discount > 0", []),
    ("jobs without a discount", "find jobs where discount missing or discount = 0", []),
])  # fmt: skip
def test_what_a_table_says_otherwise_than_a_question_is_in_a_note(
    tmp_path: Path, words: str, program: str, notes: list[str]
) -> None:
    rows = (f"J{n},{PEOPLE[n % 3]},{('Ann Poe', 'Cy Lee')[n % 2]},{900 + n * 40},{n * 300},{n % 3 * 5}%"
            for n in range(20))  # fmt: skip
    header = "Job,Worker,Accepted by,Fee (EUR),Reach (thousands),Discount"
    (tmp_path / "jobs.csv").write_text("\n".join([header, *rows]), "utf-8")
    with qlc.connect() as client:
        load(client, tmp_path / "jobs.csv")
        outcome = qlc.Asker(qlc.Compiler(client, index="jobs")).ask(words, now=NOW)
    assert (outcome.query, outcome.notes) == (program, notes)
