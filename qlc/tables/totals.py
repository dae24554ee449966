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
    """Whether the filled cells of a row are a total: its label is the only text, if in several cells.

    The total of a part, a tax and a carried amount leave other columns of the table empty, which has `width` columns.
    """
    first = [one.rstrip(": ") for one in texts[:2]]
    if width > 2 and len({one for one in texts if read_number(one) is None and read_day(one) is None}) > 1:
        return False
    if any(_TOTAL.fullmatch(one) for one in first):
        return True
    return len(texts) < width and any(_TOTAL_OF.fullmatch(one) or _TAX_OR_CARRIED.fullmatch(one) for one in first)


_COUNTED = re.compile(r"(?P<number>\d+)(?:\s[^\W\d_]+){0,2}")
"""A number with the noun that it counts: `72 attendees`."""
_OF_ALL = re.compile(
    r"(?:all|overall|together|combined|altogether|count|number|entries|rows|alle|anzahl|ensemble|tous)\b", re.IGNORECASE
)
_FEWEST, _FEWEST_DIGITS = 3, 3
"""Rows above a sum that no word names, and its digits, from which on it is hardly a coincidence."""


def is_sum_below(row: Sequence[str], above: Sequence[Sequence[str]]) -> bool:
    """Whether each number of a last row is the sum of its column, or the count of the rows above, and hardly by chance:
    `All shops | 400` below 100, 250 and 50.

    A word such as `all`, or no label, is enough; a sum beside a name like those above needs rows and digits.
    """
    filled = [at for at, text in enumerate(row) if text]
    numbers = {at: number for at in filled if (number := _number(row[at])) is not None}
    texts = [*dict.fromkeys(row[at] for at in filled if at not in numbers)]
    if len(above) < 2 or not numbers or len(texts) > 1 or len(filled) == len(numbers) == len(row):
        return False
    sums = [at for at, number in numbers.items() if (total := _total(at, above)) is not None and abs(number - total)
            < 1e-6 * max(1.0, abs(total)) and number]  # fmt: skip
    counts = [at for at, number in numbers.items() if at not in sums and number == len(above)]
    if len(sums) + len(counts) < len(numbers):
        return False
    is_named = bool(texts) and (_OF_ALL.match(texts[0]) is not None or may_be_total(texts[0]))
    if counts and not is_named:
        return False
    size = max((len(re.sub(r"\D", "", row[at]).strip("0")) for at in sums), default=0)
    is_alone = not texts and any(sum(map(bool, cells)) > len(filled) for cells in above)
    is_no_chance = len(above) >= _FEWEST and (size >= _FEWEST_DIGITS or (len(sums) > 1 and size > 1))
    return is_named or is_alone or is_no_chance


def _total(at: int, above: Sequence[Sequence[str]]) -> float | None:
    """Return the sum of a column; None if it has other texts, or fewer than two numbers."""
    cells = [cells[at] for cells in above if at < len(cells) and cells[at]]
    numbers = [number for one in cells if (number := _number(one)) is not None]
    return sum(numbers) if len(numbers) == len(cells) > 1 else None


def _number(text: str) -> float | None:
    found = read_number(text)
    if found is not None:
        return float(found.value(found.decimal or ("," if found.grouped == "." else ".")))
    counted = _COUNTED.fullmatch(text.strip())
    return float(counted["number"]) if counted else None
