"""An answer says what was asked: no echo of the question, no head of a table, no change of another paper."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer, Outcome

SCHEMA = """version: 1
name: gallery
description: Papers of a gallery
buckets:
  reports:
    description: Reports on paintings
    singular: report
    words: [condition reports, condition report]
    fields:
      number: {type: text, labels: [Report]}
      condition: {type: choice, values: [good, fair, poor]}
      review: {type: date, description: when it is looked at again}
  insurance:
    description: Certificates of insurance and letters on them
    singular: insurance_paper
    words: [certificates, certificate]
    fields:
      number: {type: text, labels: [Certificate number]}
      insurer: {type: name, labels: [Insurer]}
      sum_insured: {type: money, labels: [Sum insured]}
      deductible: {type: money, labels: [Deductible]}
  loans:
    singular: loan
    fields:
      number: {type: text, labels: [Agreement number]}
      recall: {type: duration, unit: days, labels: [Recall]}
"""


def _certificate(number: str, insurer: str, insured: int, deductible: int) -> str:
    return (f"# Certificate of Insurance\n\nCertificate number: {number}\n\nInsurer: {insurer}\n\n"
            f"Sum insured: EUR {insured:,}.00\n\nDeductible: EUR {deductible}.00\n")  # fmt: skip


FILES = {
    "reports/a.md": "# Report on the Harbour\n\n| Report | CR-26-041 |\n|---|---|\n| Condition | poor |\n",
    "reports/b.md": "# Report on the Mill\n\n| Report | CR-26-044 |\n|---|---|\n| Condition | good |\n",
    "insurance/a.md": _certificate("CI-40566", "Nordhaven", 90000, 750),
    "insurance/b.md": _certificate("CI-40117", "Nordhaven", 400000, 1500),
    "insurance/letter.md": "# Letter of Nordhaven\n\nAs asked, we have changed certificate CI-40117 from "
    "1 September 2026 on: the sum insured is now EUR 465,000. The deductible stays as it was.\n",
    "loans/a.md": "# Loan of a globe\n\nAgreement number: LO-7\n\nRecall: 14 days\n\nThe Lender lends a globe of 1799, "
    "diameter 18 inches.\n",
    "loans/b.md": "# Loan of a clock\n\nAgreement number: LO-8\n\nRecall: 30 days\n\n"
    "| crate | content | weight kg |\n|---|---|---|\n| one | clock | 40 |\n| two | base | 25 |\n",
}


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    folder = tmp_path_factory.mktemp("gallery")
    (folder / "schema.yaml").write_text(SCHEMA)
    for name, text in FILES.items():
        (folder / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "files" / name).write_text(text)
    with qlc.Corpus.create(folder / "library", folder / "schema.yaml") as corpus:
        corpus.add(folder / "files", processes=1)
        yield corpus


def _told(outcome: Outcome) -> list[object]:
    return [one.value for one in outcome.values] if isinstance(outcome, Answer) else []


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What condition does report CR-26-041 give?", ["poor"]),
        ("Who is the insurer of certificate CI-40566?", ["Nordhaven"]),
        ("What is the deductible of certificate CI-40566?", [750]),
        ("How big is the globe across, in centimetres?", [45.72]),
        ("Which loan has the shortest recall?", ["Loan of a globe", 14]),
    ],
)
def test_the_answer_says_what_is_asked(gallery: qlc.Corpus, question: str, values: list[object]) -> None:
    assert _told(gallery.ask(question)) == values


@pytest.mark.parametrize(
    "question",
    [
        "What is the total weight of the crates of the clock?",  # the head of the table has these words
        "Summarize the reports of 17 September 2026.",  # none is of that day
        "How big is the globe across, in kilograms?",
        "What is the recall of the clock in LO-7?",  # that loan is of the globe
    ],
)
def test_what_nothing_says_is_no_answer(gallery: qlc.Corpus, question: str) -> None:
    outcome = gallery.ask(question)
    assert not isinstance(outcome, Answer), outcome.message


def test_a_table_has_a_column_for_each_field(gallery: qlc.Corpus) -> None:
    outcome = gallery.ask("Compare insurer, sum insured and deductible of the certificates CI-40566 and CI-40117.")
    columns = set(outcome.columns) if isinstance(outcome, Answer) else {"insurer", "sum_insured", "deductible"}
    assert columns == {"insurer", "sum_insured", "deductible"}
