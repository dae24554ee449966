"""How people ask for the next page, and what only sounds like it."""

import pytest

from qlc.conversation.paging import More, read_more, read_page_size
from tests.tables import rows

ON = More("on")
PAGES = {
    "more": ON,
    "show more": ON,
    "next": ON,
    "next page": ON,
    "keep going": ON,
    "what else?": ON,
    "are there more?": ON,
    "more of them": ON,
    "next 10": More("on", 10),
    "show the next 5": More("on", 5),
    "the next five results": More("on", 5),
    "5 more": More("on", 5),
    "20 at a time": More("on", 20),
    "more, 20 at a time": More("on", 20),
    "show me 3 per page": More("on", 3),
    "now the 20 after those": More("on", 20, after=True),
    "skip to page 4": More("page", page=4),
    "and the ones that follow": More("on"),
    "the rest": More("all"),
    "and the rest please": More("all"),
    "previous": More("back"),
    "go back": More("back"),
    "previous page": More("back"),
    "page 3": More("page", page=3),
    "back to page 1": More("page", page=1),
    "go back to page 2": More("page", page=2),
    "more receipts": More("on", of=("receipt",)),
    "next 5 NDAs": More("on", 5, of=("nda",)),
    "more of the cancelled flights": More("on", of=("cancelled", "flight")),
    "the rest of the receipts": More("all", of=("receipt",)),
    "back to the NDAs: show the next 10 of those": More("on", 10, of=("nda",)),
    "back to the NDAs, next page": More("on", of=("nda",)),
    "receipts: next 5": More("on", 5, of=("receipt",)),
}


@pytest.mark.parametrize("text", PAGES)
def test_a_page_is_asked_for(text: str) -> None:
    assert read_more(text) == PAGES[text]


@pytest.mark.parametrize("text", rows(__file__, "test_what_only_sounds_like_it"))
def test_what_only_sounds_like_it(text: str) -> None:
    found = read_more(text)
    # A name that is no list's is no page either; that is decided where the lists are known.
    assert found is None or found.of == ("kin", "form")


SIZES = rows(__file__, "SIZES")


@pytest.mark.parametrize("text", SIZES)
def test_a_question_may_say_how_long_a_page_is(text: str) -> None:
    assert read_page_size(text) == SIZES[text]
