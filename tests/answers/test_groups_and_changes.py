"""Numbers by group, units that are asked for, and values that other documents change."""

from collections.abc import Iterator

import pytest

import qlc
from qlc.answers.answering import prompts_of
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


MILL = """
version: 1
buckets:
  leases:
    description: Leases of units
    fields:
      tenant: {type: name, labels: [Tenant]}
      premises: {type: text, labels: [Premises]}
      number: {type: text, labels: [Lease number]}
      rent: {type: money, labels: [Rent]}
      notice: {type: duration, unit: days, labels: [Notice period]}
      guarantor: {type: name, labels: [Guarantor]}
  letters: {description: Letters to tenants}
"""


def lease(unit: str, tenant: str, number: str, *more: str) -> str:
    head = f"Tenant: {tenant}\n\nPremises: {unit}, Corn Mill\n\nLease number: {number}\n\n"
    return f"# Lease of {unit}\n\n{head}" + "".join(f"{one}\n\n" for one in more)


MILL_FILES = {
    "leases/unit_3.md": lease("Unit 3", "Pell Joinery", "HE-103", "Rent: GBP 18,400", "Notice period: six months"),
    "leases/unit_7.md": lease("Unit 7", "Osric Bakery", "HE-107", "Rent: GBP 15,600", "Notice period: 90 days"),
    "leases/unit_9.md": lease("Unit 9", "Vale Pottery", "HE-109", "Rent: GBP 9,900"),
    "letters/a.md": "# To the joiners\n\nOur reference: HE-103\n\nClause 2 is void. In its place: either party "
    "ends the lease by nine months' notice.\n",
    "letters/b.md": "# To the bakers\n\nRe: Unit 7, Corn Mill\n\nThe yearly rent is GBP 17,200. This replaces the "
    "previous figure.\n",
}


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("mill"), MILL_FILES, MILL) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What is the notice period of Unit 3?", "nine months' notice"),  # it names the number, and no title
        ("What is the rent of Unit 7?", "GBP 17,200"),  # it names the premises
        ("How many leases have a notice period over 100 days?", "nine months' notice"),
        ("What is the highest rent of the leases with a notice period over 100 days?", "nine months' notice"),
    ],
)
def test_a_letter_changes_what_it_shares_a_number_or_premises_with(
    mill: qlc.Corpus, question: str, sentence: str
) -> None:
    found = mill.ask(question)
    assert isinstance(found, Declined), found
    assert sentence in found.message


def test_a_letter_about_other_premises_changes_nothing(mill: qlc.Corpus) -> None:
    found = mill.ask("What is the rent of Unit 3?")
    assert isinstance(found, Answer), found
    assert [one.value for one in found.values] == [18_400]


def test_a_writer_sees_what_changes_the_document(mill: qlc.Corpus) -> None:
    prompt = str(prompts_of("What is the notice period of Unit 3?", mill, {})["writer"].body())
    assert "nine months" in prompt
    assert "17,200" not in prompt


def test_what_no_document_tells_excludes_none(mill: qlc.Corpus) -> None:
    for question in ("How many leases have a guarantor?", "Which leases have a guarantor?"):
        found = mill.ask(question)
        assert found.kind in ("passages", "declined")
        assert found.message.startswith("'guarantor' is known in none of the 3 leases.")


def test_each_result_says_in_how_many_documents_a_field_is_known(mill: qlc.Corpus) -> None:
    said = "'notice' is known in 2 of 3 leases."
    ran = mill.call_tool("run_query", {"program": "count leases where notice < 100 days"})
    assert said in ran.model_dump()["outcome"]["notes"]
    planner = str(prompts_of("What is the notice period of Unit 3?", mill, {})["planner"].body())
    assert "notice (duration in days, known in 2 of 3)" in planner
    assert "guarantor (name, known in 0 of 3)" in planner
    found = mill.ask("Which leases have a notice period under 100 days?")
    assert "Of 1 more lease, 'notice' is not known: leases/unit_9.md." in found.notes


def test_documents_of_one_title_are_told_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    fields = "{held: {type: date, labels: [Date]}, chair: {type: name, labels: [Chair]}}"
    schema = f"version: 1\nbuckets:\n  minutes:\n    fields: {fields}\n"
    text = "# Minutes of the tenants' meeting\n\nDate: 2024-0{}-21\n\nChair: Petra Halden\n\n## Bins\n\nFull.\n"
    files = {f"minutes/{at}.md": text.format(at) for at in (1, 2, 3)}
    with made(tmp_path_factory.mktemp("minutes"), files, schema) as corpus:
        found = answered(corpus, "List the minutes with their chair")
    assert {row.name for row in found.rows} == {f"Minutes of the tenants' meeting, 2024-0{at}-21" for at in (1, 2, 3)}
