"""A labelled value: its type, and what readers of lines and of tables share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from qlc.language.quantities import Style, quantities, unit_of_label

from ..pages import Page, Span


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value with its label; both are verbatim on their page."""

    label: str
    value: str
    page: int
    span: Span
    """Span of the label and the value together."""
    value_span: Span
    unit: str = ""
    """Unit in another cell of the row, or in the head of the column, as written."""
    column: str = ""
    """The head of the value's column, if the row has several values."""
    row: int = -1
    """Row number in the document, for a table with a head; values of one row belong together."""
    is_amount: bool = False
    """Whether only the beginning of an amount separates label and value."""
    scale: int = 1
    """Factor of an amount of money without a scale of its own: 1000 for `(EUR in thousands)`."""
    is_again: bool = False
    """Whether its cell also has another reading: with the label of its row, or with the label beside it."""


COLON = re.compile(r"(?P<label>[^\s:|][^:\n\t]{0,58}[^\s:(])\s*:(?:\*\*|__)?[ \t]+(?P<value>[^\s\n][^\n\t]*)")
_NUMBERING = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[a-z][.)])\s+(?=[^\W\d_])")


def labelled_at(label: str, value: str, page: Page, begin: int, value_begin: int) -> Labelled:
    end = value_begin + len(value)
    label = label.strip(" *_:=")
    label = label[found.end() :] if (found := _NUMBERING.match(label)) else label
    return Labelled(label, value, page.number, Span(begin, end), Span(value_begin, end), unit_of_label(label))


def kind_of(text: str, style: Style) -> str:
    found = quantities(text, style)
    return found[0].kind if found and (found[0].end - found[0].start) * 2 > len(text) else "text"
