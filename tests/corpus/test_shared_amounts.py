"""The quantities of pages, read once and shared."""

from decimal import Decimal

from qlc.corpus.pages import Page, Span
from qlc.corpus.values.amounts import Amounts
from qlc.language.quantities import Style

TEXT = "The fee is EUR 40 within 30\ndays. Paid on 4 May 2024."
PAGE = Page(1, TEXT, ())


def test_a_part_has_the_quantities_inside_it() -> None:
    amounts = Amounts([PAGE], Style())
    assert [(one.kind, one.number) for _, one in amounts] == [("money", 40), ("measure", 30), ("date", 0)]
    assert [one.kind for one in amounts.within(PAGE, Span(TEXT.index("Paid"), len(TEXT)))] == ["date"]


def test_a_quantity_that_goes_past_a_part_is_read_anew() -> None:
    """The line ends after `30`: in it this is a number, on the page a measure in days."""
    line = Span(0, TEXT.index("\n"))
    found = Amounts([PAGE], Style()).within(PAGE, line)
    assert [(one.kind, one.number) for one in found] == [("money", Decimal(40)), ("number", Decimal(30))]
