"""A document changes another one only if it is about the same parties, or names its number."""

from collections.abc import Iterator

import pytest

import qlc
from qlc.answers.answering import searches_of
from qlc.answers.model.evidence import changes
from qlc.outcome import Answer, Citation, Claim
from tests.corpora import made
from tests.tables import table

SCHEMA = table(__file__, "SCHEMA")


LETTER = """# Letter of 3 May

Re: the Birch paper, file number NF-606, of Birch Sails

{between}

## Changes

The dividend of EUR 5.10 is replaced by EUR 5.60.
""".format(between="The board met at the quay and spoke about ropes, sails, masts and the weather of the year. " * 30)
FILES = table(__file__, "FILES") | {
    "papers/birch.md": "# Birch paper\n\nCompany: Birch Sails\n\nFile number: NF-606\n\nDividend: EUR 5.10\n",
    "papers/letter.md": LETTER,
}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("parties"), FILES, SCHEMA) as corpus:
        yield corpus


def test_a_paper_of_another_company_changes_nothing(papers: qlc.Corpus) -> None:
    found = papers.ask("What is the dividend of Larch Gears?")
    assert found.kind == "answer", found.message
    assert "EUR 1.20" in found.message


def test_a_paper_of_the_same_company_changes_a_value(papers: qlc.Corpus) -> None:
    found = papers.ask("What is the dividend in the Cedar paper NF-303?")
    assert found.kind != "answer"
    assert "2.60" in found.message


def test_a_letter_changes_the_paper_that_it_names_at_its_beginning(papers: qlc.Corpus) -> None:
    found = papers.ask("What is the dividend in the Birch paper NF-606?")
    assert found.kind != "answer"
    assert "replaced by EUR 5.60" in found.message


@pytest.mark.parametrize(
    ("file", "value", "is_changed"),
    [
        ("papers/larch.md", "EUR 1.20", False),
        ("papers/cedar.md", "EUR 2.40", True),
        ("papers/aspen.md", "EUR 3.10", True),
    ],
)
def test_claims_of_a_model_are_compared_with_papers_of_the_same_parties(
    file: str, value: str, is_changed: bool, papers: qlc.Corpus
) -> None:
    document = papers.document(file)
    cited = Citation(document=document.id, file=file, page=1, quote=f"Dividend: {value}")
    claim = Claim(text=f"The dividend is {value}.", citations=[cited])
    found = [*changes(Answer(message=claim.text, claims=[claim]), searches_of(papers, {}))]
    assert bool(found) == is_changed
