"""Rows of totals below the rows of a table, in sheets and in papers: sums, sums of parts, taxes, carried amounts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qlc.tables.cells import read_day, read_number

_TOTAL = re.compile(
    r"(grand |sub)?-?totals?|sums?|gesamt(summe|betrag)?|zwischensumme|summe|total( général)?|somme|totale|suma|"
    r"average|mittelwert|durchschnitt", re.IGNORECASE
)  # fmt: skip
_TOTAL_OF = re.compile(r"(grand |sub)?-?totals?\b.*|.*\b(sub)?-?totals?", re.IGNORECASE)
"""The total of a part: `Total North`, `North total`. A firm can be called so: `Total Energies`."""
_TAX_OR_CARRIED = re.compile(
    r"(amounts? |balances? )?(carried|brought) (forward|over|down)|übertrag|(à )?report(er)?( à nouveau)?|suma y sigue|"
    r"(plus |incl\.? |including |zzgl\.? |zuzüglich |inkl\.? |\+ ?)?(\d[\d.,]* ?% )?"
    r"(VAT|GST|HST|sales tax|tax|MwSt\.?|USt\.?|Umsatzsteuer|Mehrwertsteuer|TVA|T\.V\.A\.|IVA|BTW|moms)"
    r"( (at )?\(?\d[\d.,]* ?%\)?)?( (on|of|auf|sur) .*)?", re.IGNORECASE,
)  # fmt: skip


def may_be_total(text: str) -> bool:
    """Whether the first cells of a row can be those of a total."""
    return _TOTAL.match(text) is not None or ("total" in text.lower() and _TOTAL_OF.fullmatch(text) is not None)


def is_total(texts: Sequence[str], width: int) -> bool:
    """Whether the filled cells of a row are a total: its label is the only text.

    The total of a part, a tax and a carried amount leave other columns of the table empty, which has `width` columns.
    """
    first = [one.rstrip(": ") for one in texts[:2]]
    if width > 2 and sum(read_number(one) is None and read_day(one) is None for one in texts) > 1:
        return False
    if any(_TOTAL.fullmatch(one) for one in first):
        return True
    return len(texts) < width and any(_TOTAL_OF.fullmatch(one) or _TAX_OR_CARRIED.fullmatch(one) for one in first)
