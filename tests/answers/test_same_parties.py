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


def paper(title: str, company: str, number: str, more: str) -> str:
    head = f"# {title}\n\nCompany: {company}\n\nKind: Quarterly paper\n\nFile number: {number}\n\n"
    return f"{head}{more}\n"


REPLACES = "The quarterly paper replaces the dividend of EUR 1.20 by a dividend of EUR 1.50 a share."
FILES = table(__file__, "FILES")


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
