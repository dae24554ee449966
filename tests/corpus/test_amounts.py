"""Amounts in the manners of several countries: `amounts.txt` has an example per line, with its value."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.corpus.pages import Page
from qlc.corpus.readers.plain import paragraphs
from qlc.corpus.values.fields import Wanted, field_values
from qlc.corpus.values.labelling import labelled_values
from qlc.language.quantities import style_of

WANTED = (Wanted("total", "money", labels=("Total",)), Wanted("weight", "number", "kg", labels=("Weight",)))
LINES = Path(__file__).with_name("amounts.txt").read_text("utf-8").splitlines()
EXAMPLES = [line.split(" => ") for line in LINES if " => " in line]


def read(lines: str, wanted: tuple[Wanted, ...] = WANTED) -> tuple[str, str]:
    """Return the value of a document's field, `?` if it is left out, `-` if nothing is said; and the reason."""
    text = "# Paper 7\n\n" + "\n\n".join(lines.split(" ;; "))
    pages = [Page(1, text, tuple(paragraphs(text)))]
    style = style_of([text])
    found = field_values(wanted, pages, [*labelled_values(pages, style)], style)
    sure = [f"{one.value.normalize() + 0:f} {one.unit}".strip() for one in found
            if not one.is_disputed and isinstance(one.value, Decimal)]  # fmt: skip
    doubtful = [one for one in found if one.is_disputed]
    assert len(sure) <= 1
    return (sure[0], "") if sure else ("?", doubtful[0].why) if doubtful else ("-", "")


def _normal(text: str) -> str:
    number, _, unit = text.partition(" ")
    return f"{Decimal(number).normalize() + 0:f} {unit}" if unit else text


@pytest.mark.parametrize(("lines", "right"), EXAMPLES, ids=[lines for lines, _ in EXAMPLES])
def test_an_amount(lines: str, right: str) -> None:
    value, why = read(lines)
    assert value in {_normal(each) for each in right.split(" | ")}
    assert bool(why) == (value == "?")


# --- any amount, in any manner ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Manner:
    """How amounts are written: marks between thousands and before cents, and the currency before or behind."""

    thousands: str
    cents: str
    is_behind: bool
    minus: str

    def written(self, amount: Decimal, currency: str, places: int = 2) -> str:
        digits = f"{abs(amount):,.{places}f}".replace(",", "\0").replace(".", self.cents).replace("\0", self.thousands)
        digits = self.minus.format(digits) if amount < 0 else digits
        return f"{digits} {currency}" if self.is_behind else f"{currency} {digits}"


MANNERS = st.builds(
    lambda marks, is_behind, minus: Manner(*marks, is_behind, minus),
    st.sampled_from([(",", "."), (".", ","), ("'", "."), ("\u00a0", ","), (" ", ","), ("", "."), ("", ",")]),
    st.booleans(),
    st.sampled_from(["-{}", "\u2212{}", "{}-", "({})"]),
)
CURRENCIES = st.sampled_from(["EUR", "USD", "GBP", "CHF", "€", "CAD", "R$", "INR"])
AMOUNTS = st.integers(-(10**9), 10**9).map(lambda cents: Decimal(cents) / 100)
CODES = {"€": "EUR", "R$": "BRL"}


@given(AMOUNTS, MANNERS, CURRENCIES)
def test_an_amount_with_cents_is_read_in_any_manner(amount: Decimal, manner: Manner, currency: str) -> None:
    assert read(f"Total: {manner.written(amount, currency)}")[0] == _normal(f"{amount} {CODES.get(currency, currency)}")


@given(AMOUNTS, MANNERS, CURRENCIES, st.integers(0, 3))
def test_an_amount_is_read_as_it_is_meant_or_left_out_with_the_reason(
    amount: Decimal, manner: Manner, currency: str, places: int
) -> None:
    meant = round(amount, places)
    value, why = read(f"Total: {manner.written(meant, currency, places)}")
    if value == "?":
        assert why
    else:
        three_places = places == 3 and manner.cents == "," and abs(meant) < 1000  # money is hardly written so
        assert three_places or value == _normal(f"{meant} {CODES.get(currency, currency)}")


@given(st.integers(1, 10**8), AMOUNTS.filter(bool), MANNERS.filter(lambda one: one.thousands not in ("", "'")))
def test_another_number_of_the_document_shows_what_the_mark_is(whole: int, other: Decimal, manner: Manner) -> None:
    text = f"Total: {manner.written(Decimal(whole), 'EUR', 0)} ;; Freight {manner.written(abs(other), 'EUR')}"
    assert read(text)[0] == f"{whole} EUR"


@given(st.text("0123456789.,'- €$()kMEURUSD ", max_size=30))
def test_any_text_beside_a_label_is_read_or_left_out(text: str) -> None:
    value, why = read(f"Total: {text}")
    assert bool(why) == (value == "?")
