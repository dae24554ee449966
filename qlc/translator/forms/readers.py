"""Read the value of a question at a place where a certain type is expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.printer import print_value
from qlc.mapping.schema import Entity, Field
from qlc.translator.forms.form import Slot
from qlc.translator.forms.places import Place
from qlc.translator.rules.build import string
from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    ConditionWord,
    EntityWord,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import period
from qlc.translator.rules.quantities.numbers import amount, cardinal
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind, name_key

MOST_FREE = 4  # words without quotes that may be a text that is searched for, or a name of more than were read
SURELY = INFLECTED + 0.001
CATALOG = (EntityWord, FieldWord, ListWord, ConditionWord, ValueWord)
_PART = 0.3  # highest cost of a part of a name that people use for the whole
_LEAST = 0.15  # highest cost of a date that is written out
_ENDS = words("? ! , ; : . 's '")
_CONNECTING = (
    english.COMMON_WORDS | english.NEGATIONS | english.LACKING | english.HAVING | english.SOFTENERS | english.BELOW
    | english.RELATIVE_PRONOUNS | english.ASKING_WORDS | english.POLITE | english.OTHER | english.VERSUS
    | english.SUPERLATIVES.keys() | english.MORE_ADJECTIVES.keys() | english.LESS_ADJECTIVES.keys()
    | words("than before after since until till between except excluding besides more less over above during per "
            "sorted ordered grouped first last next")
)  # fmt: skip
"""Words that join conditions: no name and no text is believed to have one, unless it is known or in quotes."""


@dataclass(frozen=True, slots=True)
class Filler:
    """Tokens up to `end` say `value`. `free`: nothing is known of them, so that they have to find something."""

    end: int
    value: tree.Value
    unit: str = ""
    money: str = ""
    free: bool = False


def fillers(p: Parse, at: int, place: Place) -> Iterator[Filler]:
    """Every way to read a value of the type of a place at a token."""
    if at >= p.end:
        return
    match place.kind:
        case "date":
            yield from (Filler(one.end, one.value) for one in period(p, at) if one.cost < _LEAST)
        case "number":
            yield from _amounts(p, at)
        case "count":
            for count in cardinal(p, at):
                if isinstance(count.value.value, int) and count.value.value > 0:
                    yield Filler(count.end, count.value)
        case "name" | "value" | "text":
            yield from _texts(p, at, place)


def as_taught(one: Filler, slot: Slot) -> bool:
    """Whether an amount is in a unit of the dimension, or in the currency, that the form was taught with."""
    if one.unit == slot.unit and one.money == slot.money:
        return True
    new, taught = find_unit(one.unit), find_unit(slot.unit)
    same = new is not None and taught is not None and new.dimension == taught.dimension
    return same and one.money == slot.money


def same_value(one: tree.Value, other: tree.Node, place: Place) -> bool:
    """Whether a filler is what a program says."""
    if isinstance(one, tree.String) and isinstance(other, tree.String):
        values = place.field.values if place.field is not None and place.kind == "value" else None
        if values is not None:
            texts = (one.value.casefold(), other.value.casefold())
            return len({values.spellings.get(text, text) for text in texts}) == 1
        return bool(name_key(one.value)) and name_key(one.value) == name_key(other.value)
    return isinstance(other, tree.Number | tree.DateLiteral | tree.Day | tree.RelativePeriod) and (
        print_value(one) == print_value(other)
    )


def _amounts(p: Parse, at: int) -> Iterator[Filler]:
    for one in amount(p, at):
        found = one.value
        money = "" if found.money is None else english.CURRENCIES.get(found.money, found.money)
        if one.cost == 0:
            yield Filler(one.end, found.node, found.unit or "", money)


def _texts(p: Parse, at: int, place: Place) -> Iterator[Filler]:
    token = p.tokens[at]
    if token.kind is TokenKind.QUOTED:
        values = place.field.values if place.field is not None and place.kind == "value" else None
        if values is None or token.raw.casefold() in values.spellings:
            yield Filler(at + 1, string(token.raw))
        return
    said = [(one, text) for one in p.lexemes[at] if (text := _said(one, place)) is not None]
    for one, text in said:
        if one.cost <= min(other.cost for other, _ in said if other.end == one.end):
            yield Filler(one.end, string(text), free=isinstance(one.payload, NameWord) and not one.payload.whole)
    if place.kind == "name":
        yield from _id(p, at)
    if place.kind == "text" or not _all_known(p, place):
        yield from _free(p, at)


def _said(one: Lexeme[Payload], place: Place) -> str | None:
    word = one.payload
    if place.kind == "name" and isinstance(word, NameWord):
        mine = place.entity is not None and place.entity.name in word.entities
        return word.text if mine and one.cost < (SURELY if word.whole else _PART) else None
    if one.cost >= SURELY:
        return None
    if isinstance(word, ValueWord) and word.whole and place.kind != "text" and place.field is not None:
        mine = word.ref.path[-1] in (place.field.name, place.field.name.rpartition(".")[2])
        if place.field.values is None:
            return word.text if mine and not word.closed else None
        known = word.text.casefold()
        return word.text if mine and known in {**place.field.values.spellings, **place.field.values.groups} else None
    return None


def _all_known(p: Parse, place: Place) -> bool:
    """Whether all names or values that the place can have were read: what is none of them is no filler."""
    values = p.lexicon.values
    if place.kind == "name" and place.entity is not None:
        return _names_known(place.entity, place.field, p)
    return place.field is None or place.is_closed or all(place.field.name != path[-1] for path in values.partly)


def _names_known(entity: Entity, field: Field | None, p: Parse) -> bool:
    names = p.lexicon.values.names
    partly = field is not None and any(path[-1] == field.name for path in p.lexicon.values.partly)
    return (entity.name not in names or names[entity.name] is not None) and not partly


def _id(p: Parse, at: int) -> Iterator[Filler]:
    """Read an id: letters and digits without a blank, such as `T-20118`. Something must have it."""
    end = at + 1
    while end < p.end and p.tokens[end].start == p.tokens[end - 1].end and p.tokens[end].text not in _ENDS:
        end += 1
    raw, before = p.raw(at, end), p.tokens[at - 1].end if at else -1
    if any(map(str.isdecimal, raw)) and any(map(str.isalpha, raw)) and before < p.tokens[at].start:
        yield Filler(end, string(raw), free=True)


def _free(p: Parse, at: int) -> Iterator[Filler]:
    """Words that nothing is known of. A word for a kind of thing, a field or a value is none of several."""
    for end in range(at + 1, min(at + MOST_FREE, p.end) + 1):
        token = p.tokens[end - 1]
        if token.kind is not TokenKind.WORD or token.text in _CONNECTING or any(period(p, end - 1)):
            return
        known = any(isinstance(one.payload, CATALOG) for one in p.lexemes[end - 1])
        if (known or any(cardinal(p, end - 1))) and end > at + 1:
            return
        yield Filler(end, string(p.raw(at, end)), free=True)
        if known:
            return
