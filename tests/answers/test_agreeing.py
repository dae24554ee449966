"""Values that no word of a question names: words and meaning have to agree on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest

import qlc
from qlc.outcome import Answer, Declined, NotInCorpus

SCHEMA = """version: 1
name: hire
buckets:
  hires:
    singular: hire
    fields:
      hirer: {type: name, labels: [Hirer]}
      rental_period: {type: duration, unit: days, labels: [Rental period]}
      notice: {type: duration, unit: days, labels: [Notice]}
      start: {type: date, labels: [Start]}
      returned_by: {type: date, labels: [To be returned by]}
      deposit: {type: money, labels: [Deposit]}
"""
FILES = {
    "crane.md": "# Hire of a crane\n\nHirer: Ostrava Works\n\nRental period: 45 days to keep it\n\nNotice: 10 days\n\n"
                "Start: 3 March 2025\n\nTo be returned by: 17 April 2025, brought to the yard\n\nDeposit: EUR 900 "
                "lodged with us\n",
    "barge.md": "# Hire of a barge\n\nHirer: Brecon Ferries\n\nRental period: 30 days to keep it\n\nNotice: 5 days\n\n"
                "Start: 1 May 2025\n\nTo be returned by: 31 May 2025, brought to the yard\n\nDeposit: EUR 700 "
                "lodged with us\n",
    "letter.md": "# Letter\n\nHire of a lorry, number LK-77\n\nHirer: Tarn Mills\n\nDeposit: EUR 400 lodged with us\n",
}  # fmt: skip
MEANINGS = ("keep rental period", "quit leave notice", "begin fetch start", "back returned", "money security deposit")


class Meanings:
    """An embedder that knows which words mean the same, and a bit of every word."""

    name, dimensions = "meanings", len(MEANINGS) + 1

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        found = []
        for text in texts:
            words = re.findall(r"[a-z]+", text.lower())
            vector = [float(any(word in words for word in one.split())) for one in MEANINGS]
            vector.append(0.2)
            length = sum(one * one for one in vector) ** 0.5
            found.append([one / length for one in vector])
        return found


@pytest.fixture(scope="module")
def hires(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    folder = tmp_path_factory.mktemp("hires")
    (folder / "schema.yaml").write_text(SCHEMA)
    for name, text in FILES.items():
        (folder / "files" / "hires").mkdir(parents=True, exist_ok=True)
        (folder / "files" / "hires" / name).write_text(text)
    with qlc.Corpus.create(folder / "corpus", folder / "schema.yaml", embedder=Meanings()) as corpus:
        corpus.add(folder / "files", processes=1)
        yield corpus


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How long may Ostrava keep it?", 45),
        ("How long may the people of Brecon keep it?", 30),
        ("By which day must Ostrava have it brought back?", "2025-04-17"),
        ("How much does Brecon lodge with us as security?", 700),
    ],
)
def test_words_and_meaning_agree(hires: qlc.Corpus, question: str, value: object) -> None:
    found = hires.ask(question)
    assert isinstance(found, Answer), found
    assert [one.value for one in found.values] == [value]
    assert found.claims[0].citations


@pytest.mark.parametrize(
    "question",
    [
        "How long may Ravenna keep it?",  # no document has the name
        "How long may Tarn keep it?",  # its document has no such value
        "How long may Ostrava really keep it now?",  # what is so now, another document may say
        "How long may each of them keep it?",
        "How long does Ostrava insure it?",  # no word but the name leads to a value
    ],
)
def test_else_nothing_is_answered(hires: qlc.Corpus, question: str) -> None:
    assert isinstance(hires.ask(question), Declined | NotInCorpus)


def test_a_note_tells_what_was_taken(hires: qlc.Corpus) -> None:
    found = hires.ask("Somebody quarrels about wages: how long may Ostrava keep it?")
    assert isinstance(found, Answer), found
    assert any("'rental period' of Hire of a crane" in note for note in found.notes), found.notes
