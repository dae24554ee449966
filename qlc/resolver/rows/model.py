"""The rows of a group-by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from qlc.compiler.typed import Scalar

KeyValue = Scalar | datetime | None
Amount = int | float | datetime | None
"""A measure of one row: a whole number for `count`, `distinct` and whole-number fields; a datetime in UTC for `min`,
`max`, `median`, `percentile` of dates; None without values."""


@dataclass(frozen=True, slots=True)
class Key:
    """One group's key of a row.

    `value` is the value as stored; a date in UTC; the start of a calendar unit in the zone it was cut by; the lower end
    of a step or bin (None below the first edge); 0 (Monday) to 6 or 0 to 23 for cyclic groups; the id of a reference.
    `label` is how it is written: `2024-Q1`, `Monday`, `300 to under 600`; the name of a reference, else its id.
    `name` is the name of a reference where it is known.
    """

    value: KeyValue
    label: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row. `units`: units stored in another field, by measure, if the row has only one; `mixed`: the measures whose
    amounts have several."""

    keys: tuple[Key, ...]
    values: tuple[Amount, ...]
    units: Mapping[str, str] = field(default_factory=dict)
    mixed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RowSet:
    """Rows in their final order. `groups` and `measures` name the parts of `Row.keys` and `Row.values`.

    `notes` are plain sentences for the answer; `approximate` lists measures that are estimates. Without groups,
    `by_unit` has the values of mixed measures for each unit.
    """

    groups: tuple[str, ...]
    measures: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    approximate: tuple[str, ...] = ()
    by_unit: Mapping[str, Sequence[tuple[str, Amount]]] = field(default_factory=dict)
