"""Finds columns of item tables by arithmetic, whatever their heads: quantity x price = amount.

A head in another language or in trade terms (`Anzahl`, `EP EUR`, `Days`) does not resemble the field's name, but
columns that multiply in every row are not a coincidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import permutations

from qlc.language.quantities import Style, currency_of

from .labelled import Labelled
from .labels import words
from .typed import Wanted, typed

Row = Mapping[str, Labelled]
"""The cells of a row, by the heads of their columns."""

_OF_ONE = frozenset(words("price rate each unit single per cost fee tariff"))
"""Words that make an amount a price per item, rather than a total."""
_ROUNDING = Decimal("0.015")


def columns_of_items(rows: Wanted, table: Sequence[Row], style: Style) -> dict[str, str]:
    """Return the column head for each field of rows that multiply; empty if they do not."""
    money = [one for one in rows.columns if one.type == "money"]
    counts = [one for one in rows.columns if one.type == "number" and not one.unit]
    texts = [one for one in rows.columns if one.type in ("text", "name")]
    if not money or len(counts) > 1 or len(texts) != 1:
        return {}
    heads = list(dict.fromkeys(head for row in table for head in row))
    count = counts[0] if counts else Wanted("quantity", "number")
    numbers = {head: [_number(count, row.get(head), style) for row in table] for head in heads}
    for quantity, price, amount in permutations((one for one in heads if any(numbers[one])), 3):
        factors = [*zip(numbers[quantity], numbers[price], numbers[amount], strict=True)]
        is_first = heads.index(quantity) < heads.index(price)
        if not _multiply(factors) or _is_money(quantity, table) or not (is_first or _is_money(price, table)):
            continue
        others = [head for head in heads if not any(numbers[head])]
        described = max(others, key=lambda head: sum(len(row[head].value) for row in table if head in row), default="")
        found = {texts[0].name: described}
        found |= {one.name: quantity for one in counts}
        found |= {one.name: price if _is_of_one(one) else amount for one in money}
        return found if all(found.values()) and len({*found.values()}) == len(found) else {}
    return {}


def _number(one: Wanted, cell: Labelled | None, style: Style) -> Decimal | None:
    value = typed(one, cell.value, style) if cell is not None else None
    return value if isinstance(value, Decimal) else None


def _multiply(rows: Sequence[tuple[Decimal | None, Decimal | None, Decimal | None]]) -> bool:
    whole = [(a, b, c) for a, b, c in rows if a is not None and b is not None and c is not None]
    multiply = all(abs(a * b - c) <= _ROUNDING * max(Decimal(1), abs(a)) for a, b, c in whole)
    return multiply and len(whole) == len(rows) and any(a != 1 and b != 1 and c for a, b, c in whole)


def _is_money(head: str, table: Sequence[Row]) -> bool:
    return any(currency_of(row[head].unit) for row in table if head in row)


def _is_of_one(one: Wanted) -> bool:
    return any(not _OF_ONE.isdisjoint(words(phrase)) for phrase in (*one.phrases, one.description))
