"""Numbers by group, differences of two values, units that are asked for, and values that other documents change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.outcome import Answer, Declined, Hits

SCHEMA = """
version: 1
name: yard
buckets:
  contracts:
    description: Signed agreements
    fields:
      party: {type: name, labels: [Contractor], words: [supplier]}
      signed: {type: date, labels: [Signed]}
      expires: {type: date, labels: [Expires]}
      rate: {type: money, labels: [Hourly rate]}
      notice: {type: duration, unit: days, labels: [Notice]}
  winches:
    description: Data sheets
    fields:
      model: {type: name, labels: [Model]}
      weight: {type: number, unit: kg, labels: [Weight]}
  letters: {description: Letters and e-mails}
"""


def contract(party: str, signed: str, expires: str, rate: str, notice: str) -> str:
    return (
        f"# Contract with {party}\n\nContractor: {party}\n\nSigned: {signed}\n\nExpires: {expires}\n\n"
        f"Hourly rate: {rate}\n\nNotice: {notice}\n"
    )


FILES = {
    "contracts/ruddock.md": contract("Ruddock Rigging", "2024-03-01", "2026-02-28", "EUR 41.00", "60 days"),
    "contracts/selwyn.md": contract("Selwyn Divers", "2024-03-15", "2027-03-14", "EUR 95.50", "21 days"),
    "contracts/ruddock_painting.md": contract("Ruddock Rigging", "2025-06-02", "2026-06-01", "EUR 38.00", "30 days"),
    "winches/w4.md": "# W4\n\nModel: W4\n\nWeight: 120 kg\n",
    "winches/w9.md": "# W9\n\nModel: W9\n\nWeight: 300 kg\n",
    "letters/divers.txt": (
        "Dear Ms Holt,\n\nas agreed: from 1 January 2025 an hour of Selwyn Divers costs you EUR 99.00 instead of "
        "EUR 95.50. Everything else stays.\n\nJ. Selwyn\n"
    ),
}


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    root = tmp_path_factory.mktemp("yard")
    (root / "yard.yaml").write_text(SCHEMA, "utf-8")
    for name, text in FILES.items():
        path = root / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    with qlc.Corpus.create(root / "corpus", root / "yard.yaml") as corpus:
        corpus.add(root / "files", processes=1)
        yield corpus


def answered(corpus: qlc.Corpus, question: str) -> Answer:
    found = corpus.ask(question, now="2026-01-10T12:00:00Z")
    assert isinstance(found, Answer), found.message
    return found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("contracts by supplier", {"Ruddock Rigging": 2, "Selwyn Divers": 1}),
        ("How many contracts per contractor?", {"Ruddock Rigging": 2, "Selwyn Divers": 1}),
        ("number of contracts signed in each month", {"2024-03": 2, "2025-06": 1}),
        ("How many contracts were signed for each year?", {"2024": 2, "2025": 1}),
    ],
)
def test_documents_are_counted_by_group_with_their_places(
    yard: qlc.Corpus, question: str, expected: dict[str, int]
) -> None:
    found = answered(yard, question)
    assert {row.name: row.cells["count"].value for row in found.rows} == expected
    assert [len(row.cells["count"].citations) for row in found.rows] == [*expected.values()]


def test_the_group_with_the_most_documents(yard: qlc.Corpus) -> None:
    assert [one.value for one in answered(yard, "Which supplier has the most contracts?").values] == ["Ruddock Rigging"]


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("How much more does the W9 weigh than the W4?", 180, "kg"),
        ("What is the difference in weight between the W4 and the W9?", 180, "kg"),
        ("How many times the weight of the W4 is that of the W9?", 0.4, ""),
        ("How many days lie between signed and expires of the Selwyn contract?", 1094, "days"),
    ],
)
def test_two_values_are_compared(yard: qlc.Corpus, question: str, value: float, unit: str) -> None:
    found = answered(yard, question)
    assert [(one.value, one.unit) for one in found.values] == [(value, unit)]
    assert len(found.claims) == 3


def test_a_unit_is_asked_for_anywhere(yard: qlc.Corpus) -> None:
    (one,) = answered(yard, "In weeks, what is the notice of the Selwyn contract?").values
    assert (one.value, one.unit) == (3, "week")
    refused = yard.ask("What is the rate in dollars of the Selwyn contract?")
    assert isinstance(refused, Declined)


def test_a_value_that_a_letter_changes_is_told_with_both(yard: qlc.Corpus) -> None:
    found = answered(yard, "What is the hourly rate of the Selwyn contract?")
    assert [(one.value, one.unit) for one in found.values] == [(99, "EUR")]
    files = [one.file for claim in found.claims for one in claim.citations]
    assert files == ["letters/divers.txt", "contracts/selwyn.md"]


def test_a_list_is_not_given_where_a_letter_changes_what_belongs_to_it(yard: qlc.Corpus) -> None:
    assert isinstance(yard.ask("Contracts with a rate under EUR 97"), Declined)
    found = yard.ask("Contracts with a rate under EUR 40")
    assert isinstance(found, Hits)
    assert found.total == 1
    assert any("letters/divers.txt" in note for note in found.notes)


def lease(name: str, days: int) -> str:
    return f"# Lease of {name}\n\nTenant: {name} Weavers\n\nNotice: {days} days\n"


@pytest.mark.parametrize(
    ("condition", "new", "is_sure"),
    [
        ("of 30 days or less", 120, True), ("of 30 days or less", 20, False), ("of at least 100 days", 120, False),
        ("over 60 days", 120, True), ("over 60 days", 45, False), ("under 100 days", 95, True),
        ("under 100 days", 120, False), ("between 80 and 100 days", 95, True), ("between 80 and 100 days", 101, False),
    ],
)
def test_only_a_change_that_decides_makes_a_list_unsure(
    condition: str, new: int, is_sure: bool, tmp_path: Path
) -> None:
    fields = "{tenant: {type: name, labels: [Tenant]}, notice: {type: duration, unit: days, labels: [Notice]}}"
    schema = f"version: 1\nbuckets:\n  leases:\n    fields: {fields}\n  letters: {{}}\n"
    (tmp_path / "corpus.yaml").write_text(schema, "utf-8")
    days = {"Alder": 90, "Birch": 30, "Cedar": 14, "Dogwood": 200, "Elder": 85}
    texts = {f"leases/{name.lower()}.md": lease(name, at) for name, at in days.items()}
    texts["letters/alder.txt"] = (
        f"Dear Alder Weavers,\n\nthe notice of the lease of Alder is changed from 90 days to {new} days.\n"
    )
    for name, text in texts.items():
        (tmp_path / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "files" / name).write_text(text, "utf-8")
    with qlc.Corpus.create(tmp_path / "library", tmp_path / "corpus.yaml") as corpus:
        corpus.add(tmp_path / "files", processes=1)
        others = f'find leases where notice {_COMPARED[condition]} and not title contains "Alder"'
        right = corpus.compiler().run(others)
        assert isinstance(right, Hits)
        asked = ["Which leases"] if "between" in condition else ["Which leases", "How many leases"]
        for question in (f"{one} have a notice {condition}?" for one in asked):
            found = corpus.ask(question)
            assert isinstance(found, Declined) != is_sure, (question, found)
            if isinstance(found, Declined):
                assert {row.document for row in found.rows} == {*right.ids}
                assert all(row.cells["notice"].citations for row in found.rows)
                sure, _, unsure = found.message.partition(", but ")
                assert all(row.file in sure for row in found.rows)
                assert "leases/alder.md" in unsure
                assert "letters/alder.txt" in unsure


_COMPARED = {"of 30 days or less": "<= 30 days", "of at least 100 days": ">= 100 days", "over 60 days": "> 60 days",
             "under 100 days": "< 100 days",
             "between 80 and 100 days": ">= 80 days and notice <= 100 days"}  # fmt: skip


def test_a_change_of_a_document_that_fails_another_condition_does_not_matter(yard: qlc.Corpus) -> None:
    found = yard.ask("Contracts of Ruddock with a rate under EUR 97")
    assert isinstance(found, Hits)
    assert found.total == 2


def test_a_measure_over_a_changed_value_is_declined(yard: qlc.Corpus) -> None:
    found = yard.ask("What is the average rate of the contracts?")
    assert isinstance(found, Declined)
    assert "letters/divers.txt" in found.message


def test_a_report_that_asks_for_a_second_one_does_not_replace_it(tmp_path: Path) -> None:
    first = "# Report 342\n\nPlace: Quay tap\n\nLead: 12 mm\n\nTest again when the pipes have been changed.\n"
    second = "# Report 398\n\nPlace: Quay tap\n\nLead: 4 mm\n\n{more}\n"
    schema = "version: 1\nbuckets:\n  reports:\n    fields:\n      place: name\n      lead: {type: number, unit: mm}\n"
    (tmp_path / "corpus.yaml").write_text(schema, "utf-8")
    (tmp_path / "files/reports").mkdir(parents=True)
    (tmp_path / "files/reports/342.md").write_text(first, "utf-8")
    with qlc.Corpus.create(tmp_path / "library", tmp_path / "corpus.yaml") as corpus:
        for more, kind in (("The pipes were new.", "clarify"), ("The 12 mm of report 342 are replaced.", "answer")):
            (tmp_path / "files/reports/398.md").write_text(second.format(more=more), "utf-8")
            corpus.add(tmp_path / "files", processes=1)
            found = corpus.ask("What is the lead of the Quay tap?")
            assert found.kind == kind, (more, found)
