"""What is read of a follow-up, what it can mean, and which of its readings count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.schema import Schema
from qlc.translator.follow_ups.completeness import is_a_noun_alone
from qlc.translator.follow_ups.editing import LEFT_OUT
from qlc.translator.follow_ups.history import Base, Earlier
from qlc.translator.follow_ups.merging import Joined
from qlc.translator.follow_ups.speech import Beginning
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.numbers import cardinal
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words.phrases import Phrases


@dataclass(frozen=True, slots=True)
class Meaning:
    """A program that a follow-up may mean: the first of the `ways` that holds together. `changes`: it is the earlier
    program, changed. `sure`: it is said in so many words, and what others read of them does not count."""

    ways: tuple[Joined, ...]
    cost: float
    changes: bool = True
    sure: bool = False

    @property
    def drops(self) -> bool:
        """Whether a condition is left out."""
        return any(note.startswith(LEFT_OUT) for way in self.ways for note in way.notes)


@dataclass(frozen=True, slots=True)
class Content:
    """The rest of a follow-up after its beginning, with what it goes on from."""

    p: Parse
    said: Beginning
    base: Base | None
    last: Earlier | None
    earlier: Sequence[Earlier] = ()

    @property
    def at(self) -> int:
        return self.said.at

    @property
    def schema(self) -> Schema:
        return self.p.schema

    def whole(self, *tables: Phrases) -> bool:
        """Whether a phrase of a table is all that is left."""
        return any(finished(self.p, end) for table in tables for end in self.p.phrases(self.at, table))

    def anywhere(self, *tables: Phrases) -> bool:
        """Whether a phrase of a table, which may begin before what is left, is all there is."""
        starts = range(self.at + 1)
        return any(finished(self.p, end) for table in tables for at in starts for end in self.p.phrases(at, table))


def counts_at(p: Parse, at: int) -> Iterator[tuple[int, int]]:
    """Whole numbers, and where they end."""
    for one in cardinal(p, at):
        if float(one.value.value).is_integer():
            yield one.end, int(one.value.value)


def alone(statement: Statement, cost: float = 0.0, *notes: str) -> Meaning:
    return Meaning((Joined(statement, notes),), cost)


def surely(statement: Statement, cost: float = 0.0, *notes: str) -> Meaning:
    return Meaning((Joined(statement, notes),), cost, sure=True)


def counts(spoken: tuple[str, ...], noun: str) -> bool:
    """Whether a field is called `number of documents`."""
    return f"number of {noun.casefold()}" in {one.casefold() for one in spoken}


# --- which readings count --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Readings:
    """What was read from a text: its meanings as a follow-up, and those as a question of its own."""

    meanings: tuple[Meaning, ...]
    own: tuple[tuple[Statement, float], ...]
    cued: bool
    refers: bool


class Follow(NamedTuple):
    """A meaning as a follow-up: whether it begins like one, points to what was said, and is surely no question."""

    meaning: Meaning
    cued: bool
    points: bool = False
    sure: bool = False


def weighed(
    parse: Parse, follow: list[Follow], own: dict[Statement, float], *, refers: bool, narrows: bool
) -> Readings:
    """What counts of the readings: what is complete by itself is no follow-up, unless it begins or points like one."""
    meant = tuple(sorted(own.items(), key=lambda one: one[1]))
    surely = tuple(one.meaning for one in follow if one.sure)
    if surely:
        # What leaves something out is not to be read as asking for it, nor what asks for the first of those as for one.
        return Readings(surely, (), True, refers)
    cued = any(one.cued for one in follow)
    if not own:
        return Readings(tuple(one.meaning for one in follow), (), cued, refers)
    pointing = [one.meaning for one in follow if one.points or one.cued]
    if not pointing and not is_a_noun_alone(parse):
        return Readings((), meant, False, refers)
    chosen = pointing or [one.meaning for one in follow]
    best = min((one.cost for one in chosen), default=0.0)
    near = [(statement, cost if pointing else min(cost, best)) for statement, cost in meant[:2]]
    rival = [Meaning((Joined(statement),), cost + 0.05, changes=False) for statement, cost in near]
    # "receipts only" is of the list before, also where no receipt is in it.
    doubtful = not pointing or (not narrows and (_doubtful(chosen, own) or _is_another_kind(parse, chosen)))
    return Readings((*chosen, *(rival if doubtful else ())), meant, cued, refers)


def _doubtful(chosen: Sequence[Meaning], own: dict[Statement, float]) -> bool:
    """Whether a text that goes on can be a new question as well: it says more than another value."""
    best = min(own.values())
    several = any(
        isinstance(statement, tree.Find | tree.Aggregate) and isinstance(statement.where, tree.And)
        for statement, cost in own.items() if cost <= best + 0.1
    )  # fmt: skip
    return several and any(one.ways[0].notes for one in chosen)


def _is_another_kind(parse: Parse, chosen: Sequence[Meaning]) -> bool:
    """Whether `and photos?` can be meant of others than those spoken of: it takes the place of nothing there."""
    best = min(chosen, key=lambda one: one.cost)
    return is_a_noun_alone(parse) and not any(way.notes for way in best.ways)
