"""The order of rows, `top N`, `limit`, and notes on ties at a cut.

Decisions of the language:

- Without `sort`, rows are sorted by the keys of all groups with an order of their own (calendar, cyclic, bins, steps),
  in
the order of the groups, then by the first measure, descending. Ties are in the order of the keys.
- `GROUP top N` ranks the keys of the group inside each combination of the groups before it, by the measure of all their
documents, even if further groups follow. Rows that `having` removed are not ranked.
- Two rows tie at a cut if they are equal in all sort criteria, before keys decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc.base.deadline import checkpoint
from qlc.compiler.aggregations.tree import Keys
from qlc.compiler.titles import row_titles
from qlc.compiler.typed import Aggregate, Scalar
from qlc.resolver.rows.labels import KeyForm
from qlc.resolver.rows.model import Amount, Key
from qlc.resolver.rows.table import Table


@dataclass(frozen=True, slots=True)
class Line:
    """A row in progress: raw keys, and all measures, including hidden ones."""

    keys: Keys
    values: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A sort criterion. Missing values come last in both directions."""

    name: str
    of: Callable[[Line], Any]
    descending: bool = False

    def sorted(self, lines: Iterable[Line]) -> list[Line]:
        """Sort the lines, stable."""
        present: list[Line] = []
        missing: list[Line] = []
        for line in lines:
            (missing if self.of(line) is None else present).append(line)
        return sorted(present, key=self.of, reverse=self.descending) + missing


@dataclass(frozen=True, slots=True)
class RowOrder:
    """The sort order of an aggregate's rows. `names`: for each group, the known names of its keys."""

    aggregate: Aggregate
    forms: tuple[KeyForm, ...]
    names: Sequence[Mapping[Scalar, str]]

    def criteria(self) -> list[Criterion]:
        chosen = [self._named(key.name, key.descending) for key in self.aggregate.sort]
        # Calendar units, cycles, bins and steps come in their own order, not by the measure.
        ordered = [self._group(n) for n, form in enumerate(self.forms) if form.group.function is not None]
        return chosen or [*ordered, self._leading()]

    def _leading(self) -> Criterion:
        """Return the default criterion: the first visible measure, descending; a total only if there is no other."""
        shown = [n for n, measure in enumerate(self.aggregate.measures) if not measure.hidden]
        first = next((n for n in shown if not self.aggregate.measures[n].total), shown[0])
        return self._measure(first, descending=True)

    def _measure(self, number: int, *, descending: bool) -> Criterion:
        return Criterion(self.aggregate.measures[number].name, lambda line: line.values[number], descending)

    def _group(self, number: int, *, descending: bool = False) -> Criterion:
        form, names = self.forms[number], self.names[number]

        def place(line: Line) -> Any:
            raw = line.keys[number]
            return names.get(raw, str(raw)) if names else form.rank(raw)

        return Criterion(self.aggregate.groups[number].name, place, descending)

    def _named(self, name: str, descending: bool) -> Criterion:
        for number, group in enumerate(self.aggregate.groups):
            if group.name == name:
                return self._group(number, descending=descending)
        number = next(n for n, measure in enumerate(self.aggregate.measures) if measure.name == name)
        return self._measure(number, descending=descending)

    def sorted(self, lines: Iterable[Line], criteria: Sequence[Criterion]) -> list[Line]:
        def ranks(line: Line) -> tuple[Scalar, ...]:
            return tuple(form.rank(key) for form, key in zip(self.forms, line.keys, strict=False))

        ordered = sorted(lines, key=ranks)
        for criterion in reversed(criteria):
            ordered = criterion.sorted(ordered)
        return ordered

    # --- cuts --------------------------------------------------------------------------------------------------------

    def limited(self, lines: Sequence[Line]) -> tuple[list[Line], list[Tie]]:
        """Apply `limit` and `offset` to sorted rows; return the rest, and the ties at both ends."""
        start, limit = self.aggregate.offset, self.aggregate.limit
        criteria = self.criteria()
        end = len(lines) if limit is None else start + limit
        while self.aggregate.ties and 0 < end < len(lines) and equal(criteria, lines[end - 1], lines[end]):
            end += 1
        cuts = [cut for cut in sorted({start, end}) if 0 < cut < len(lines)]
        ties = [
            Tie(lines[cut - 1], lines[cut], sum(equal(criteria, line, lines[cut]) for line in lines), place=cut)
            for cut in cuts
            if equal(criteria, lines[cut - 1], lines[cut])
        ]
        return list(lines[start:end]), ties

    def topped(self, lines: list[Line], number: int, prefixes: Table) -> tuple[list[Line], list[Tie]]:
        """Keep the rows whose key of group `number` is among the first N inside its parent; return them, and ties at
        the cut.

        `prefixes` are the measures by the groups up to this one.
        """
        most = self.aggregate.groups[number].top
        assert most is not None
        criteria = self._prefix_criteria(number)
        parents: dict[Keys, list[Line]] = {}
        for keys in dict.fromkeys(line.keys[: number + 1] for line in lines if line.keys[: number + 1] in prefixes):
            parents.setdefault(keys[:-1], []).append(Line(keys, prefixes[keys]))
        kept: set[Keys] = set()
        ties: list[Tie] = []
        for candidates in parents.values():
            ranked = self.sorted(candidates, criteria)
            kept.update(line.keys for line in ranked[:most])
            if len(ranked) > most and equal(criteria, ranked[most - 1], ranked[most]):
                same = sum(equal(criteria, line, ranked[most]) for line in ranked)
                ties.append(Tie(ranked[most - 1], ranked[most], same, group=number))
        return [line for line in lines if line.keys[: number + 1] in kept], ties

    def _prefix_criteria(self, number: int) -> list[Criterion]:
        """Return the criteria for ranking keys of a group: the sort keys that are measures or this group."""
        others = {group.name for at, group in enumerate(self.aggregate.groups) if at != number}
        usable = [self._named(key.name, key.descending) for key in self.aggregate.sort if key.name not in others]
        return usable or [self._leading()]

    # --- what is said -------------------------------------------------------------------------------------------------

    def keys(self, line: Line) -> tuple[Key, ...]:
        checkpoint()
        return tuple(
            form.key(key, names.get(key)) for form, key, names in zip(self.forms, line.keys, self.names, strict=False)
        )

    def _label(self, line: Line, part: slice) -> str:
        return " / ".join(key.label for key in self.keys(line)[part])

    def tie_notes(self, ties: Sequence[Tie], shown: Sequence[Line]) -> list[str]:
        """Return a note for each cut of `limit`, and for each `top` whose keys are shown."""
        notes, called = [self._limit_note(tie) for tie in ties if tie.group is None], row_titles(self.aggregate)
        for number, group in enumerate(self.aggregate.groups):
            kept = {line.keys[: number + 1] for line in shown}
            if cut := [tie for tie in ties if tie.group == number and tie.before.keys in kept]:
                last = slice(number, None)
                inside = f" for {self._label(cut[0].before, slice(number))}" if number else ""
                more = f", and {len(cut) - 1} more tie{'s' * (len(cut) > 2)} like it" if len(cut) > 1 else ""
                notes.append(
                    f"'{called.get(group.name, group.name)} top {group.top}' splits a tie{inside}: "
                    f"{self._label(cut[0].before, last)} is in and "
                    f"{self._label(cut[0].after, last)} is not, by the order of their keys{more}."
                )
        return notes

    def _limit_note(self, tie: Tie) -> str:
        called = row_titles(self.aggregate)
        named = " and ".join(f"'{called.get(criterion.name, criterion.name)}'" for criterion in self.criteria())
        before, after = (self._label(line, slice(None)) for line in (tie.before, tie.after))
        is_offset = bool(self.aggregate.offset) and tie.place == self.aggregate.offset
        shown, left_out = (after, before) if is_offset else (before, after)
        way = "" if self.aggregate.offset else f" 'limit {tie.place} with ties' shows all."
        return f"{tie.equals:,} rows have the same {named}: {shown} is shown, {left_out} is not.{way}"


@dataclass(frozen=True, slots=True)
class Tie:
    """A cut between equal rows: the last row before it, the first after it, and how many are equal to them.

    `group`: the position of the group that `top` cuts (keys end with it); None for `limit` and `offset`, which cut
    after row number `place`.
    """

    before: Line
    after: Line
    equals: int
    group: int | None = None
    place: int = 0


def equal(criteria: Sequence[Criterion], one: Line, other: Line) -> bool:
    return all(criterion.of(one) == criterion.of(other) for criterion in criteria)
