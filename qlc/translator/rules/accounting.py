"""Compare the words of a question with a program: which of them does the program account for?

The program may come from rules, forms or a model; the question is not translated here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import get_args

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.translator.programs import named_condition
from qlc.translator.rules.build import name_of
from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.nouns.compounds import of_a_participle
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, stem, undenied, words
from qlc.translator.rules.words.tokens import TokenKind, fold, name_key

_TIMES = (tree.DateLiteral, tree.Now, tree.Day, tree.RelativePeriod, tree.PeriodOf, tree.Cyclic)


class Said:
    """Contents of a program: its names, texts, numbers and kinds of nodes."""

    def __init__(self, statement: tree.Statement, schema: Schema) -> None:
        self.statement = statement
        self.schema = schema
        nodes = list(tree.walked(statement))
        self.said_itself = frozenset(nodes)
        nodes += [inside for one in nodes if isinstance(one, tree.Bare) for inside in _meant_by(one, schema)]
        self.names = {fold(one.text) for one in nodes if isinstance(one, tree.Name)}
        self.texts = {fold(one.value) for one in nodes if isinstance(one, tree.String)}
        self.numbers = {abs(float(one.value)) for one in nodes if isinstance(one, tree.Number)}
        self.numbers |= {float(one.count) for one in nodes if isinstance(one, tree.RelativePeriod) and one.count}
        self.kinds = {type(one) for one in nodes}
        self.operators: set[str] = {one.operator for one in nodes if isinstance(one, tree.Comparison)}
        self.functions: set[str] = {one.function for one in nodes if isinstance(one, tree.Measure)}
        self.leaves_out_a_day = any(one.operator == "!=" and isinstance(one.right, tree.DateLiteral | tree.Day)
                                    for one in nodes if isinstance(one, tree.Comparison))
        self.denies = any(isinstance(one, tree.Boolean) and not one.value for one in nodes)
        self.is_cut = self.is_sorted = False
        for one in nodes:
            if isinstance(one, tree.Find | tree.Aggregate):
                self.numbers |= {float(each) for each in (one.limit, one.offset) if each is not None}
                self.is_cut |= one.limit is not None
                self.is_sorted |= bool(one.sort)
            elif isinstance(one, tree.Group) and one.top is not None:
                self.numbers.add(float(one.top))
                self.is_cut = self.is_sorted = True
        self.is_timed = bool(self.kinds & {*_TIMES}) or any(
            isinstance(one, tree.Group) and one.function is not None for one in nodes
        )

    @property
    def has_condition(self) -> bool:
        """Whether anything is left out, or cut off."""
        conditions = {*get_args(tree.Condition)} - {tree.And, tree.Or, tree.Not}
        return self.is_cut or bool(self.kinds & {*conditions, tree.EntityLookup})

    @cached_property
    def fields(self) -> list[FieldRef]:
        """The fields that a program may speak of: those of the names in it."""
        return [ref for entity in self.schema.entities.values() for ref in FieldRef.all_of(entity)
                if fold(ref.path[-1]) in self.names]

    @cached_property
    def entities(self) -> list[Entity]:
        """The entities that a program speaks of: those that it names, and those that its fields refer to."""
        targets = {ref.target for ref in self.fields}
        return [one for one in self.schema.entities.values()
                if one.name in targets or {fold(one.name), fold(one.plural)} & self.names]

    @cached_property
    def stems(self) -> set[str]:
        """The words for what a program speaks of."""
        said = [*self.texts, *self.names]
        for ref in self.fields:
            said += [" ".join(phrase) for phrase in ref.phrases]
        for entity in self.entities:
            said += [entity.name, entity.plural, *entity.words]
        for entity in self.schema.entities.values():
            for name, several in entity.condition_words.items():
                said += several if fold(name) in self.names else ()
            for name, many in entity.lists.items():
                said += many.words if fold(name) in self.names else ()
        return {stem(word) for one in said for word in name_key(one.replace("_", " "))}

    def has(self, payload: Payload) -> bool:
        """Whether what words stand for is in the program."""
        match payload:
            case EntityWord(entity=name):
                return any(one.name == name for one in self.entities)
            case FieldWord(ref=ref):
                return fold(ref.path[-1]) in self.names
            case ListWord(name=name) | ConditionWord(name=name):
                return fold(name) in self.names
            case ValueWord(ref=ref):
                return self.names.issuperset(map(fold, ref.path[-1:])) and self._has_value(ref, payload.text)
            case NameWord(text=text):
                return any(fold(text) in one or one in fold(text) for one in self.texts)
            case _:
                return True

    def _has_value(self, ref: FieldRef, text: str) -> bool:
        same, closed = {fold(text)}, ref.field.values
        if closed is not None:
            same.add(fold(closed.spellings.get(text.casefold(), text)))
            same |= {fold(said) for said, stored in closed.spellings.items() if fold(stored) in same}
        return ref.kind is FieldKind.BOOLEAN or bool(same & (self.texts | self.names))

    def has_number(self, text: str) -> bool:
        value: float | None = english.NUMBERS.get(text)
        digits = "".join(c for c in text if c.isdecimal() or c == ".").strip(".")
        if value is None and digits.replace(".", "", 1).isdecimal():
            value = float(digits)
        if value is None or any(text in one for one in self.texts):
            return True
        return not self.numbers.isdisjoint(value * scale for scale in (1, 0.01, 100, 1_000, 1_000_000))


def _meant_by(condition: tree.Bare, schema: Schema) -> Iterator[tree.Node]:
    """Yield the nodes of the condition that a named condition stands for."""
    for entity in schema.entities.values():
        inside = named_condition(entity.conditions.get(name_of(condition.path), ""))
        if inside is not None:
            yield from tree.walked(inside)


OF_NO_CONDITION = FUNCTION_WORDS | english.LIGHT_VERBS | words(
    "whole store drive database index table overview numbers times used kind kinds form forms level depth field value "
    "values too instead back sorry fine end round took happen happens went result results match matches names entry "
    "record records beginning begins begin starts ending ends off distributed spread sibling siblings grandparent "
    "parent during moment unknown share words behind"
)  # fmt: skip
"""Words that a program need not have a part for."""
_OF_TIME = words(
    "morning afternoon evening night noon midnight weekend weekends date time end start beginning early late summer "
    "winter spring autumn fall easter christmas xmas eve minutes hours seconds"
)
_OF_SHARES = words("rate rates ratio percentage")
_OF_AMOUNTS = (
    english.SUMMED | english.SPENDING
    | words("worth money amount amounts costing disk storage space brings bring buy bought")
)  # fmt: skip


def words_used(p: Parse, said: Said) -> set[int]:
    """The places of the words that stand for a part of the program."""
    return {at for row in p.lexemes for one in row if said.has(one.payload) for at in range(one.start, one.end)}


def unaccounted(p: Parse, said: Said) -> tuple[int, ...]:
    """The places of the words that no part of a program accounts for: no thing, field, value, name, number or time."""
    used = words_used(p, said)
    return tuple(at for at in range(p.end) if at not in used and not _is_accounted(p, at, said))


def _is_accounted(p: Parse, at: int, said: Said) -> bool:
    token = p.tokens[at]
    text = token.text
    if token.kind is TokenKind.QUOTED:
        return any(text in one or one in text for one in said.texts | said.names)
    if token.kind not in (TokenKind.WORD, TokenKind.NUMBER):
        return True
    if find_unit(text) is not None and (p.word(at - 1)[:1].isdecimal() or p.word(at - 1) in english.NUMBERS):
        return True
    if any(c.isdecimal() for c in text) or text in english.NUMBERS:
        return said.is_timed or said.has_number(text) or text == "one"
    if {stem(text), stem(undenied(text))} & said.stems or any(text in name_key(one) for one in said.texts):
        return True
    if text in OF_NO_CONDITION and not _is_a_measure(p, at):
        is_said = text in english.SOFTENERS and is_participle(text)
        return not (is_said and (_is_a_deed(p, at) or _ends_with_a_date(p, at)))
    if ("share" in said.functions and text in _OF_SHARES) or any(map(said.has, of_a_participle(p, at))):
        return True
    if text in ("best", "worst"):
        return said.is_sorted
    if text in _OF_AMOUNTS or text in english.CURRENCIES:
        return bool(said.functions - {"count", "share", "distinct"}) or said.is_sorted or bool(said.numbers)
    return said.is_timed and text in _OF_TIME | english.CALENDAR.keys()


def _is_a_deed(p: Parse, at: int) -> bool:
    """Return whether a verb comes after its subject, or before its object: `flats Eva left`, `who left Berlin`."""
    if p.word(at - 1) in english.RELATIVE_PRONOUNS:
        return any(p.starting(at + 1, ValueWord))
    subjects = (one.start for one in p.ending(at) if isinstance(one.payload, NameWord | ValueWord))
    nouns = (isinstance(one.payload, EntityWord) for start in subjects for one in p.ending(start))
    return any(nouns) or any(p.word(one.start - 1) in english.RELATIVE_PRONOUNS for one in p.ending(at) if one.start)


def _ends_with_a_date(p: Parse, at: int) -> bool:
    """Return whether the last word is what a date is called, or `left`: `how many pupils left`, of those who did."""
    dates = (one for one, ref in p.fields(at) if ref.kind is FieldKind.DATE and one.cost < INFLECTED)
    return p.past(at + 1, english.END_MARKS) == p.end and (p.word(at) == "left" or any(True for _ in dates))


def _is_a_measure(p: Parse, at: int) -> bool:
    """Whether a word is what a number is called, and not part of a count: `by amount`, not `the amount of files`."""
    numbers = (one for one, ref in p.fields(at) if ref.is_number and one.cost == 0 and one.end == at + 1)
    counted = p.word(at + 1) == "of" or p.word(at) in english.DEGREES | english.SUPERLATIVES | english.CALENDAR
    return any(True for _ in numbers) and not counted and (p.word(at),) not in english.MEASURES


def misses_the_one(p: Parse, said: Said) -> bool:
    """Whether one thing is spoken of as known by now, and the program is of several: `show me that bill`."""
    statement = said.statement
    if isinstance(statement, tree.Get) or getattr(statement, "limit", None) == 1 or tree.EntityLookup in said.kinds:
        return False
    pointed = [one.payload for one in after_demonstratives(p) if not p.plural(one.end)]
    known = {ref.target for ref in said.fields} | {"" for ref in said.fields if ref.field.is_id}
    kinds = {one.entity for one in pointed if isinstance(one, EntityWord)}
    return bool(pointed) and not known & (kinds | {""})


def after_demonstratives(p: Parse) -> Iterator[Lexeme[Payload]]:
    """The words for things, and for kinds of them, that `this`, `those` are said before."""
    for one in (one for row in p.lexemes for one in row if p.word(one.start - 1) in english.DEMONSTRATIVES):
        if p.word(one.start) in FUNCTION_WORDS:
            continue  # "how much is that in total?"
        if isinstance(one.payload, EntityWord) or (isinstance(one.payload, ValueWord) and one.payload.closed):
            yield one


def taken_for_names(p: Parse, said: Said) -> tuple[int, ...]:
    """The places of plain words of the language, in small letters, that were taken for a part of a name: `outside`."""
    places: set[int] = set()
    for at in range(p.end):
        for one in p.starting(at, NameWord):
            if not one.payload.whole and fold(one.payload.text) in said.texts:
                places.update(range(one.start, one.end))
    return tuple(sorted(at for at in places if p.word(at) in FUNCTION_WORDS and p.tokens[at].raw.islower()))
