"""What speaks against an answer that was found: then it is declined, and why is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer, Declined

SCHEMA = """version: 1
name: quay
buckets:
  leases:
    fields:
      lessor: {type: name, labels: [Lessor]}
      rent: {type: money, labels: [Rent]}
      guarantee: {type: number, unit: "%", labels: [Guarantee]}
      life: {type: duration, unit: hours, labels: [Running time]}
      berths: {type: number, labels: [Berths]}
"""
FILES = {
    "leases/north.md": "# Lease of the north quay\n\nLessor: Ostrava Port\n\nRent: EUR 700 per month\n\n"
    "Guarantee: 97 %\n\nRunning time: 188 hours\n\nBerths: 6\n",
    "leases/south.md": "# Lease of the south quay\n\nLessor: Brecon Harbour\n\nRent: EUR 9,000 per year\n\n"
    "Guarantee: 95 %\n\nRunning time: 40 hours\n\nBerths: 4\n",
    "letters/ostrava.md": "# Letter\n\nOstrava Port writes that 98 % is promised as of May 2025.\n",
}


@pytest.fixture(scope="module")
def quay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    folder = tmp_path_factory.mktemp("doubts")
    for name, text in FILES.items():
        (folder / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "files" / name).write_text(text, "utf-8")
    (folder / "corpus.yaml").write_text(SCHEMA, "utf-8")
    with qlc.Corpus.create(folder / "quay", folder / "corpus.yaml") as corpus:
        corpus.add(folder / "files", processes=1)
        yield corpus


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the rent of the north quay?", 700),
        ("What is the rent of the north quay per month?", 700),
        ("What is the rent of the south quay per year?", 9_000),
        ("What is the guarantee of the south quay now?", 95),
        ("What is the running time of the north quay?", 188),
        ("How many berths does the lease of the north quay have?", 6),
    ],
)
def test_what_nothing_speaks_against_is_answered(quay: qlc.Corpus, question: str, value: float) -> None:
    found = quay.ask(question)
    assert isinstance(found, Answer), found.message
    assert [one.value for one in found.values] == [value]


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("What is the rent of the north quay per year?", "for a month, and the question asks for a year"),
        ("What is the guarantee of Ostrava Port now?", "letters/ostrava.md may have changed it"),
        ("How much of the running time of the north quay is left?", ""),
    ],
)
def test_what_speaks_against_an_answer_is_said(quay: qlc.Corpus, question: str, why: str) -> None:
    found = quay.ask(question)
    assert isinstance(found, Declined), found.message
    assert why in found.message
