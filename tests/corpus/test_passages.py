"""Sentences and passages: parts of pages, word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.corpus.pages import Page, PageText, Span
from qlc.corpus.passages import TOKENS, passages, tokens
from qlc.corpus.sentences import sentences
from tests.tables import rows


def _said(text: str) -> list[str]:
    return [text[span.begin : span.end] for span in sentences(text, Span(0, len(text)))]


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_sentences_end_where_a_reader_ends_them"))
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert _said(text) == expected


@given(st.text(max_size=300))
def test_sentences_keep_every_word_in_order(text: str) -> None:
    assert " ".join(_said(text)).split() == text.split()


def _page(number: int, *blocks: tuple[str, str, int]) -> Page:
    page = PageText(number)
    for kind, text, level in blocks:
        page.add(kind, text, level)  # type: ignore[arg-type]
    return page.page()


_SENTENCE = st.lists(st.sampled_from(["alpha", "beta", "3.5", "V", "No.", "gamma"]), min_size=1, max_size=40).map(
    lambda words: " ".join(words).capitalize() + "."
)
_BLOCK = st.one_of(
    st.tuples(st.just("paragraph"), st.lists(_SENTENCE, min_size=1, max_size=6).map(" ".join), st.just(0)),
    st.tuples(st.just("heading"), st.sampled_from(["Scope", "Term", "Law"]), st.integers(1, 3)),
)


@given(st.lists(st.lists(_BLOCK, max_size=5), min_size=1, max_size=3))
def test_a_passage_stands_word_for_word_on_its_page_and_nothing_is_lost(
    sheets: list[list[tuple[str, str, int]]],
) -> None:
    pages = [_page(number, *blocks) for number, blocks in enumerate(sheets, 1)]
    found = list(passages(pages))
    covered = {page.number: set[int]() for page in pages}
    for passage in found:
        if passage.page_from == passage.page_to:
            text = pages[passage.page_from - 1].text
            assert text[passage.begin : passage.end] == passage.text
            covered[passage.page_from].update(range(passage.begin, passage.end))
        else:
            first, last = pages[passage.page_from - 1].text, pages[passage.page_to - 1].text
            head, _, _ = passage.text.partition("\n")
            assert passage.text.startswith(first[passage.begin : passage.begin + len(head)])
            assert last[: passage.end].endswith(passage.text.rpartition("\n")[2])
            covered[passage.page_from].update(range(passage.begin, len(first)))
            covered[passage.page_to].update(range(passage.end))
        assert tokens(passage.text) <= 3 * TOKENS
    for page in pages:
        assert all(at in covered[page.number] for at, letter in enumerate(page.text) if not letter.isspace())
    assert [passage.ordinal for passage in found] == list(range(len(found)))


def test_a_section_begins_a_passage_and_its_headings_go_with_it() -> None:
    page = _page(
        1,
        ("heading", "Agreement", 1),
        ("paragraph", "It is made today.", 0),
        ("heading", "1. Term", 2),
        ("paragraph", "It lasts.", 0),
    )
    first, second = passages([page])
    assert (first.section, first.text) == (("Agreement",), "Agreement\n\nIt is made today.")
    assert (second.section, second.text) == (("Agreement", "1. Term"), "1. Term\n\nIt lasts.")


def test_a_sentence_that_goes_on_over_a_page_is_kept_whole() -> None:
    one, two = _page(1, ("paragraph", "The notice period", 0)), _page(2, ("paragraph", "is thirty days. The end.", 0))
    first, second = passages([one, two])
    assert (first.page_from, first.page_to, first.text) == (1, 2, "The notice period\nis thirty days.")
    assert (second.page_from, second.text) == (2, "The end.")


def test_rows_of_a_long_table_keep_the_heads_of_its_columns() -> None:
    page = PageText()
    page.add_table(
        [["Item", "Price"], *[[f"Part {number} of the machine", f"{number}.00"] for number in range(90)]], True
    )
    first, *others = passages([page.page()])
    assert first.head == ""
    assert others
    assert all(other.head == "Item\tPrice" for other in others)
    assert not any(part.text.startswith("\t") or "\t" not in part.text.splitlines()[0] for part in others)
