"""Headlines: one sentence that says the answer of rows or of a sorted list, made of the typed query and the rows.

`count orders by month(placed)` -> "28 to 36 orders a month, most in April 2026."
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property
from itertools import pairwise
from typing import Any

from qlc.base.texts import with_capital
from qlc.base.words.sentences import ended, listed
from qlc.compiler import typed
from qlc.compiler.numbers import is_number
from qlc.compiler.titles import measure_phrase, noun
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.outcome import AggregateOut, Hit
from qlc.outcome.amounts import MIXED, are_years, cell, several
from qlc.outcome.courses import UNITS, in_words, place
from qlc.outcome.tables import keys_of, values_of
from qlc.resolver.field_notes import is_default_order

MOST_TIED = 3
"""Rows with the largest value that are named; of more, their number is."""


def of_rows(found: AggregateOut, aggregate: typed.Aggregate, approximate: Sequence[str], zone: tzinfo | None) -> str:
    """Return the range of the first measure over the rows, and where it is largest. Ties are named."""
    if not found.rows:
        return "No rows."
    return _Rows(found, aggregate, found.measures[0] in approximate, zone).sentence()


@dataclass(frozen=True)
class _Rows:
    found: AggregateOut
    aggregate: typed.Aggregate
    is_estimate: bool
    zone: tzinfo | None

    def sentence(self) -> str:
        known = [one for one in zip(self.keys, self.values, self.units, strict=True) if one[1] is not None]
        if not known:
            return f"{self.what}: no value."
        different = {unit for *_, unit in known}
        if len(different) > 1 or MIXED in different:
            return f"{self.what} by {self.by}, in different units."
        if len(known) == 1:
            (key, value, _), = known
            return self._of_one(key, value)
        finished = [one for one in known if not self.is_open(one[0])] or known
        extremes = self._extremes([(key, value) for key, value, _ in finished])
        rest = f"; {self.open_periods} is not over" if len(finished) < len(known) else ""
        return ended(f"{extremes}{rest}")

    def _of_one(self, key: tuple[Any, ...], value: Any) -> str:
        at = f"{self.preposition} {self.words(key)}"
        return ended(f"{self.counted(value)} {at}" if self.is_count else f"{self.what} {at}: {self.text(value)}")

    def _extremes(self, known: Sequence[tuple[tuple[Any, ...], Any]]) -> str:
        values = [value for _, value in known]
        low, high = min(values), max(values)
        if self.text(low) == self.text(high):
            span, where = self.text(high), ""
        else:
            span = f"{self.text(low)} to {self.text(high)}"
            tied = [key for key, value in known if value == high]
            named = listed([self.words(key) for key in tied] if len(tied) <= MOST_TIED else
                           [f"{len(tied):,} of {self._all(len(known))}"])  # fmt: skip
            where = f", {self.most} {self.preposition} {named}"
        if self.is_count and self.unit is not None:
            each = f"a {self.unit}" if self.has_no_gap else f"in each of the {several(len(known), self.unit)} here"
            return f"{span} {self._noun(1 if span == '1' else 2)} {each}{where}"
        blank = sum(one is None for one in self.values)
        each = f" in {len(known):,} of {len(known) + blank:,} rows" if blank else " each"
        return f"{self.what} by {self.by}{self.cut}: {span}{where or each}"

    def _all(self, count: int) -> str:
        """Return the number of rows, with the periods that they are: `the 16 months`."""
        return f"{count:,}" if self.unit is None else f"the {several(count, self.unit)}"

    # --- what is measured ---------------------------------------------------------------------------------------------

    @cached_property
    def measure(self) -> typed.Measure:
        return next(one for one in self.aggregate.measures if not one.hidden)

    @property
    def is_count(self) -> bool:
        return self.measure.function == "count" and not self.measure.total

    @property
    def what(self) -> str:
        return with_capital(self._noun(2) if self.is_count else measure_phrase(self.measure))

    @property
    def most(self) -> str:
        if self.measure.function in ("count", "distinct"):
            return "most"
        is_date = self.measure.field is not None and self.measure.field.kind is FieldKind.DATE
        return "highest" if not is_date or self.measure.function == "distinct" else "latest"

    def _noun(self, count: int) -> str:
        return noun(self.aggregate.entity, count)

    def counted(self, value: Any) -> str:
        return f"{self.text(value)} {self._noun(value)}"

    def text(self, value: Any) -> str:
        """Return a value of the measure as the table shows it."""
        unit = self.units[0] if self.found.row_units else self.found.units.get(self.measure.name)
        written = cell(value, value_name(self.measure), unit if is_number(value) else None, zone=self.zone)
        return f"about {written}" if self.is_estimate else written

    # --- the rows -----------------------------------------------------------------------------------------------------

    @cached_property
    def keys(self) -> list[tuple[Any, ...]]:
        return [keys_of(self.found, row) for row in self.found.rows]

    @cached_property
    def values(self) -> list[Any]:
        return [values_of(self.found, row)[0] for row in self.found.rows]

    @cached_property
    def units(self) -> list[str | None]:
        name = self.measure.name
        return [one.get(name) for one in self.found.row_units] or [None] * len(self.found.rows)

    @property
    def unit(self) -> str | None:
        """The calendar unit of the only group."""
        groups = self.aggregate.groups
        return groups[0].function if len(groups) == 1 and groups[0].function in UNITS else None

    def is_open(self, key: tuple[Any, ...]) -> bool:
        """Whether a row is of a period that is not over."""
        return any(self.found.unfinished.get(name) == one for name, one in zip(self.found.groups, key, strict=True))

    @property
    def open_periods(self) -> str:
        units = {group.name: group.function for group in self.aggregate.groups}
        return listed([in_words(units[name] or "", key) for name, key in self.found.unfinished.items()])

    @property
    def has_no_gap(self) -> bool:
        """Whether the rows are all periods from the first to the last: then a range is one of every period."""
        at = sorted(one for (key,) in self.keys if (one := place(self.unit or "", key)) is not None)
        is_whole = self.aggregate.having is None and not self.cut
        return is_whole and len(at) == len(self.keys) and all(two - one == 1 for one, two in pairwise(at))

    @property
    def preposition(self) -> str:
        return {"day": "on", "hour": "at", None: "for"}.get(self.unit, "in")

    @property
    def by(self) -> str:
        return listed([self.found.labels.get(name, name).replace("_", " ") for name in self.found.groups])

    @property
    def cut(self) -> str:
        """Return which rows are there, if the query or a group leaves some out."""
        aggregate, count = self.aggregate, len(self.found.rows)
        if aggregate.offset:
            return f", rows {aggregate.offset + 1:,} to {aggregate.offset + count:,}"
        if aggregate.limit is not None and count >= aggregate.limit:
            return f", the first {count:,} rows"
        tops = [f"top {one.top}" for one in aggregate.groups if one.top is not None]
        return f", {listed(tops)}" if tops else ""

    def words(self, key: tuple[Any, ...]) -> str:
        columns = zip(*self.keys, strict=True)
        return ", ".join(
            in_words(group.function, one) if group.function in UNITS and isinstance(one, str)
            else cell(one, "year" if are_years(column, name) else name, zone=self.zone)
            or ("no value" if one is None else "an empty text")
            for group, name, one, column in zip(self.aggregate.groups, self.found.groups, key, columns, strict=True)
        )


def value_name(measure: typed.Measure) -> str:
    """Return what the values of a measure are called: those of `max(build_year)` are years, those of a sum are not."""
    is_own = measure.function in ("min", "max")
    return measure.field.name if is_own and measure.field is not None else measure.name


def of_sorted(find: typed.Find, hits: Sequence[Hit], is_whole: bool, text_of: Callable[[Hit], str]) -> str:
    """Return the first hit of a list that the query sorts, and the last one if the page is the whole list: ". First:
    G-001, Amount EUR 1,249.50; last: G-004, Amount EUR 45.00.". Empty without an order or its values."""
    field = find.sort[0].field if find.sort and not is_default_order(find.sort, find.entity) else None
    if field is None or not hits or field.name not in hits[0].values:
        return ""

    is_name = field.is_id or field in find.entity.names

    def said(hit: Hit) -> str:
        name = called(find.entity, hit)
        if is_name:
            return name
        title = field.label or field.name.replace("_", " ")
        known = f"{title} {text_of(hit)}" if field.name in hit.values else f"no {title}"
        return f"{name}, {known}" if name != known else name

    if len(hits) == 1 and is_whole:
        return ended(f": {said(hits[0])}")
    last = f"; last: {said(hits[-1])}" if is_whole else ""
    return ended(f". First: {said(hits[0])}{last}")


def called(entity: Entity, hit: Hit, zone: tzinfo | None = None) -> str:
    """Return what a hit is called: its name or id; of rows without an id of their own the first text that is shown,
    else the first value with its title: `Season 2`."""
    if hit.name or entity.id is not None or not hit.values:
        return hit.name or hit.id
    texts = {name for name, one in entity.fields.items() if one.kind is FieldKind.KEYWORD and not one.sensitive}
    shown = {name: value for name, value in hit.values.items() if name in texts and isinstance(value, str)}
    name, value = next(iter((shown or hit.values).items()))
    title = (entity.fields[name].label if name in entity.fields else "") or name.replace("_", " ")
    return str(value) if shown else f"{title} {cell(value, name, zone=zone)}"
