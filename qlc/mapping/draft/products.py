"""Calculations that a draft proposes: the amount of a quantity at a price for one, `quantity * unit_price`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.mapping.draft.guesses import Guesses, Siblings, is_of_money
from qlc.mapping.draft.naming import words_of
from qlc.mapping.draft.units import unit_of
from qlc.mapping.fields import NUMERIC

_QUANTITIES = frozenset({"quantity", "qty", "pieces", "menge", "anzahl", "quantité", "cantidad"})
_FOR_ONE = frozenset({"unit", "each", "single", "per", "piece", "item", "list"})
_UNFIT = ("values:", "unit_field:", "list:")
"""Facts of a field that cannot be calculated with."""
_NAMES = ("amount", "total_amount")


def proposed(beside: Siblings, guesses: dict[str, Guesses], taken: frozenset[str]) -> Iterator[str]:
    """Yield the entries of `computed`. Only where one number is a quantity, one is a price, and none is the amount."""
    own = {path: one for path, one in beside.fields.items() if one.kind in NUMERIC and not one.is_added}
    numbers = [path for path, one in own.items() if one.doc_values]
    fit = [path for path in numbers if not any(fact.startswith(_UNFIT) for fact in guesses[path].facts)]
    quantities = [path for path in fit if _QUANTITIES & set(words_of(path)) and unit_of(path) is None]
    money = [path for path in numbers if is_of_money(path)]
    name = next((one for one in _NAMES if one not in taken), None)
    if name is None or len(quantities) != 1 or len(money) != 1 or money[0] not in fit or not _is_for_one(money[0]):
        return
    quantity, price = beside.names[quantities[0]], beside.names[money[0]]
    yield f"{name}: {quantity} * {price}  # ? a quantity at a price for one"
    yield f"# ? revenue: {{measure: sum({name})}}  # what the amounts of several are called"


def _is_for_one(price: str) -> bool:
    words = words_of(price)
    return "price" in words and (len(words) == 1 or not _FOR_ONE.isdisjoint(words))
