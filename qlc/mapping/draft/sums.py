"""Numbers that do not add up to anything: ids, years, rates, coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from qlc.base.units import find_unit
from qlc.mapping.draft.naming import ID_WORDS, words_of
from qlc.mapping.fields import NUMERIC, FieldKind, MappedField

_REASONS: dict[str, str] = {
    "a rate": "rate rates ratio share percentage percent pct quota density efficiency per taux quote satz tva vat mwst",
    "an average": "avg average mean median",
    "a score": "score rating rank ranking place grade level index priority position pos percentile floor storey",
    "a coordinate": "latitude longitude lat lon lng easting northing altitude elevation breitengrad längengrad",
    "a reading": "temp temperature humidity pressure ph speed velocity voltage temperatur température temperatura",
    "an age": "age alter âge edad",
    "a part of a date": "year month hour weekday quarter jahr année año anno monat mois mes",
    "a version": "version revision",
}
_WORDS = {word: reason for reason, words in _REASONS.items() for word in words.split()}
"""Words of names of numbers that have no sum: `vat_rate`, `avg_delay`, `kcal_per_serving`."""

_NO_SUM_IN = {
    "temperature": "a temperature", "part": "a share", "speed": "a speed", "frequency": "a frequency",
    "pressure": "a pressure", "voltage": "a voltage", "rotation": "a rotation", "concentration": "a concentration",
    "content": "a content", "level": "a level", "flow": "a flow",
}  # fmt: skip
"""Dimensions of units in which amounts have no sum."""

_CODES = ID_WORDS | frozenset(
    ["nummer", "numero", "numéro", "número", "folio", "plz", "zip", "zipcode", "postcode", "phone", "serial"]
)
_AMOUNTS = frozenset(
    ["qty", "quantity", "amount", "count", "total", "sum", "units", "pieces", "cost", "price", "points"]
)
"""Words of numbers that add up, whatever their values look like: `qty_ordered`."""

_YEARS = frozenset(["since", "vintage", "established", "baujahr", "founded", "built"])
_POSSIBLE_YEARS = range(1, 2201)
_LIKELY_YEARS = range(1500, 2101)
_FEWEST_NUMBERED = 10
"""Rows with numbers one after another that make them row numbers."""


def why_no_sum(path: str, mapped: MappedField, values: Sequence[object], unit: str | None) -> str:
    """Return why the numbers of a field do not add up, in two or three words; empty if they may.

    `vat_rate` -> `a rate`, `founded` with 1850 and 1902 -> `a year`, 1, 2, ... 48 -> `a number for each row`.
    """
    if mapped.kind not in NUMERIC:
        return ""
    if mapped.counts_rows:
        return "a number for each row"
    words = words_of(path)
    known = find_unit(unit) if unit else None
    if known is not None and known.dimension in _NO_SUM_IN:
        return _NO_SUM_IN[known.dimension]
    are_goals = bool(mapped.read_from) and words[-1].isdigit()  # `3–1` is a result, 4.5 a rating
    if unit is not None and {"unit", "per"} & set(words[:-1]):
        return "an amount of one"
    said = next((_WORDS[word] for word in words if word in _WORDS and not (are_goals and word == "score")), "")
    if said and (unit is None or said == "an average"):
        return said
    if unit is not None or mapped.kind is not FieldKind.WHOLE_NUMBER or not _AMOUNTS.isdisjoint(words):
        return ""
    if words[-1] in _CODES or words[-1].endswith(("nummer", "nr")):
        return "an id or a code"
    whole = [value for value in values if isinstance(value, int)]
    if _are_years(words, whole):
        return "a year"
    return "a number for each row" if _are_row_numbers(whole) else ""


def _are_years(words: Sequence[str], values: Sequence[int]) -> bool:
    called = bool(_YEARS & set(words))
    years = _POSSIBLE_YEARS if called else _LIKELY_YEARS
    return (called or words[-1].endswith(("ed", "jahr"))) and bool(values) and all(value in years for value in values)


def _are_row_numbers(values: Sequence[int]) -> bool:
    """Whether numbers count the rows in their order: 1, 2, 3 ..."""
    return len(values) >= _FEWEST_NUMBERED and list(values) == list(range(values[0], values[0] + len(values)))
