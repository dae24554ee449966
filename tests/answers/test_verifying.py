"""Quotes are compared with what is on the page."""

import pytest

import qlc
from qlc.answers.answering import searches_of
from qlc.answers.sentences import spans_of
from qlc.answers.verifying import is_quoted, verified
from qlc.outcome import Citation, Claim

PAGE = "The notice period is thirty (30) days.\nThe Sup-\nplier pays “in full” – at once.\nWidth\t1,134 mm"


@pytest.mark.parametrize(
    "quote",
    ["thirty (30) days.", "The Supplier pays", 'pays "in full" - at once', "Width | 1,134 mm", "THE NOTICE period"],
)
def test_a_quote_is_there_whatever_setting_it_did(quote: str) -> None:
    assert is_quoted(quote, PAGE)


@pytest.mark.parametrize(
    "quote", ["", "  ", "thirty (31) days", "notice period was thirty", "1,135 mm", "30 days notice"]
)
def test_a_quote_that_is_not_there_word_for_word_is_none(quote: str) -> None:
    assert not is_quoted(quote, PAGE)


@pytest.mark.parametrize(
    ("file", "page", "quote", "is_true"),
    [
        ("contracts/borden_cleaning.docx", 1, "Notice period: three months", True),
        ("contracts/borden_cleaning.docx", 1, "Notice period: four months", False),
        ("contracts/borden_cleaning.docx", 7, "Notice period: three months", False),
        ("contracts/acme_supply.md", 1, "Notice period: three months", False),
    ],
)
def test_a_claim_is_kept_with_true_citations_only(
    library: qlc.Corpus, file: str, page: int, quote: str, is_true: bool
) -> None:
    document = library.document(file)
    claim = Claim(
        text="It is three months.", citations=[Citation(document=document.id, file=file, page=page, quote=quote)]
    )
    kept, notes = verified([claim], searches_of(library, {}))
    assert (kept == [claim], bool(notes)) == (is_true, not is_true)


def test_a_line_below_the_head_of_a_table_is_no_sentence() -> None:
    text = "Wash your hands.\n\n| Area | Cleaned |\n|---|---|\n| Kennel | daily |"
    said = [text[one.begin : one.end] for one in spans_of(text)]
    assert said == ["Wash your hands.", "| Area | Cleaned |", "| Kennel | daily |"]
