"""Phrases inside of phrases: a noun phrase holds conditions, and a condition may hold a noun phrase.

What a rule reads with that is defined above it, it takes from `nested`. `questions/forms.py`, which knows all rules,
fills it, so that no two modules import each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from qlc.base.frozen import unguarded_dataclass
from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.translator.rules.build import both
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nouns.names import Reference
from qlc.translator.rules.parse import Found, Parse


@unguarded_dataclass(frozen=True, slots=True)
class Before:
    """Readings of the words before a noun. `kind`: they end with a plural kind (`invoices`): no adjective follows."""

    conditions: tuple[tuple[FieldRef | None, Condition], ...] = ()
    limit: int | None = None
    offset: int | None = None
    degree: tuple[str, bool] | None = None
    sort: tuple[FieldRef, bool] | None = None
    value: FieldRef | None = None
    names: tuple[Reference, ...] = ()
    named_conditions: tuple[str, ...] = ()
    kind: bool = False
    like_a_name: bool = False
    """Whether a value is spelled as what holds such things is called: `Legal`."""
    own: FieldRef | None = None
    """The field of a value that is a thing of its own: nothing says yet what those asked for have to do with it."""

    def also(self, ref: FieldRef | None, condition: Condition) -> Before:
        return replace(self, conditions=(*self.conditions, (ref, condition)))


Ways = Iterator[tuple[int, Before, float]]  # readings of the words: where each ends, its value and its cost


@unguarded_dataclass(frozen=True, slots=True)
class NounPhrase:
    """Things of an entity, `fixed` by name; `headed` by a noun, whose condition is `kind` if it is a value."""

    entity: str
    where: Condition | None = None
    sort: tuple[tree.SortKey, ...] = ()
    limit: int | None = None
    offset: int | None = None
    fixed: Value | None = None
    single: bool = False
    headed: bool = False
    kind: Condition | None = None

    @property
    def all_such(self) -> bool:
        """Whether all things are meant that are described so: none by name, and no number of them."""
        return self.fixed is None and self.limit is None

    @property
    def plain(self) -> bool:
        """Whether nothing is said but which things are meant: no order either."""
        return self.all_such and not self.sort

    def also(self, condition: Condition | None) -> NounPhrase:
        return replace(self, where=both(self.where, condition))


def find(p: Parse, phrase: NounPhrase) -> tree.Find:
    """The statement that lists what a phrase means."""
    what = phrase.fixed
    things = what if isinstance(what, tree.EntityLookup) else tree.Name(p.entity(phrase.entity).plural)
    return tree.Find(things, phrase.where, phrase.sort, phrase.limit, phrase.offset)


def as_value(p: Parse, phrase: NounPhrase) -> Value | None:
    """The one thing that a phrase means, as a value that has fields."""
    if phrase.fixed is not None:
        return phrase.fixed
    if phrase.where is not None or phrase.limit == 1:
        return tree.Subquery(find(p, phrase))
    return None


class Nested:
    """The rules that rules below them read with."""

    noun_phrase: Callable[[Parse, int], list[Found[NounPhrase]]]
    reference: Callable[[Parse, int, str], list[Found[Reference]]]


nested = Nested()
