"""Numbers by group, units that are asked for, and values that other documents change."""

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer, Declined
from tests.corpora import made
from tests.tables import table

SCHEMA = table(__file__, "SCHEMA")


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
    with made(tmp_path_factory.mktemp("yard"), FILES, SCHEMA) as corpus:
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


def test_a_unit_is_asked_for_anywhere(yard: qlc.Corpus) -> None:
    (one,) = answered(yard, "In weeks, what is the notice of the Selwyn contract?").values
    assert (one.value, one.unit) == (3, "week")
    refused = yard.ask("What is the rate in dollars of the Selwyn contract?")
    assert isinstance(refused, Declined)


def test_a_value_that_a_letter_changes_is_not_sure(yard: qlc.Corpus) -> None:
    found = yard.ask("What is the hourly rate of the Selwyn contract?")
    assert isinstance(found, Declined)
    assert "EUR 95.50" in found.message
    assert "letters/divers.txt, page 1: “as agreed" in found.message


def test_a_list_is_not_sure_of_a_document_that_a_letter_changes(yard: qlc.Corpus) -> None:
    found = yard.ask("Contracts with a rate under EUR 40")
    assert isinstance(found, Declined)
    assert [row.file for row in found.rows] == ["contracts/ruddock_painting.md"]
    sure, _, unsure = found.message.partition(", but ")
    assert "ruddock_painting" in sure
    assert "contracts/selwyn.md" in unsure
    assert "letters/divers.txt" in unsure


def test_a_change_of_a_document_that_fails_another_condition_does_not_matter(yard: qlc.Corpus) -> None:
    found = yard.ask("Contracts of Ruddock with a rate under EUR 97")
    assert found.total == 2


def test_a_measure_over_a_changed_value_is_declined(yard: qlc.Corpus) -> None:
    found = yard.ask("What is the average rate of the contracts?")
    assert isinstance(found, Declined)
    assert "letters/divers.txt" in found.message
