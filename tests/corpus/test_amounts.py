"""Amounts in the manners of several countries: `amounts.txt` has an example per line, with its value."""

from decimal import Decimal
from pathlib import Path

import pytest

from qlc.corpus.pages import Page
from qlc.corpus.readers.plain import paragraphs
from qlc.corpus.values.fields import Wanted, field_values
from qlc.corpus.values.labelled import labelled_values
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
    sure = [f"{one.value.normalize():f} {one.unit}".strip() for one in found
            if not one.is_disputed and isinstance(one.value, Decimal)]  # fmt: skip
    doubtful = [one for one in found if one.is_disputed]
    assert len(sure) <= 1
    return (sure[0], "") if sure else ("?", doubtful[0].why) if doubtful else ("-", "")


def _normal(text: str) -> str:
    number, _, unit = text.partition(" ")
    return f"{Decimal(number).normalize():f} {unit}" if unit else text


@pytest.mark.parametrize(("lines", "right"), EXAMPLES, ids=[lines for lines, _ in EXAMPLES])
def test_an_amount(lines: str, right: str) -> None:
    value, why = read(lines)
    assert value in {_normal(each) for each in right.split(" | ")}
    assert bool(why) == (value == "?")
