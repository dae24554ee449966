"""What the name of a field says by itself: `AvgTicketPrice` is the ticket price."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.translator.rules import english
from qlc.translator.rules.lexemes import FieldWord, Payload, ValueWord
from qlc.translator.rules.phrases import words
from qlc.translator.rules.tokens import name_key

_ABBREVIATIONS = {
    "dest": "destination", "dst": "destination", "src": "source", "orig": "origin", "avg": "average", "num": "number",
    "no": "number", "qty": "quantity", "amt": "amount", "addr": "address", "dept": "department", "cust": "customer",
    "msg": "message", "desc": "description", "temp": "temperature", "org": "organization", "mgr": "manager",
    "emp": "employee", "prod": "product", "cat": "category", "lang": "language", "loc": "location", "pct": "percent",
}  # fmt: skip
_SAYS_NO_MORE = words("name code value text label type id number")
_NAMING = words("name code id key number")
_UNITS = words(
    "min mins minutes minute sec secs seconds ms hours hrs days km kilometers kilometres miles metres meters m cm mm "
    "kg "
    "kilograms grams g tons tonnes bytes kb mb gb usd eur percent pct celsius"
)
_BEFORE = words("avg average total is has the")


def spaced(name: str) -> str:
    """`homeTeam` and `home_team` as words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()


def said_for(name: str) -> tuple[str, ...]:
    """A name as it is, and as words where that is another text."""
    as_words = spaced(name)
    return (name,) if as_words == name.replace("_", " ").lower() else (name, as_words)


def shorter(name: str, entity: str) -> Iterator[str]:
    """What may be said for a field of several words: written out, without its unit and what says no more."""
    parts = spaced(name.rsplit(".", 1)[-1]).split()
    if len(parts) < 2:
        return
    written_out = [_ABBREVIATIONS.get(part, part) for part in parts]
    for one in (parts, written_out):
        kept = one
        while len(kept) > 1 and kept[-1] in _SAYS_NO_MORE | _UNITS:
            kept = kept[:-1]
        own = kept[1:] if len(kept) > 1 and kept[0] in _BEFORE | {entity} else kept
        # The `assigned_driver` is the driver.
        doing = len(own) > 1 and own[0].endswith("ed") and own[1] not in english.PREPOSITIONS | english.PARTICLES
        for phrase in (one, kept, own, *((own[1:],) if doing else ())):
            if phrase != parts:
                yield " ".join(phrase)


def last_words(values: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The last words of values of several, each with the only value that ends with it."""
    keys = {stored: name_key(stored) for stored in values}
    often = Counter(key[-1] for key in keys.values() if key)
    for stored, key in keys.items():
        if len(key) > 1 and often[key[-1]] == 1 and len(key[-1]) > SHORTEST and key[-1].isalpha():
            yield key[-1], stored


SHORTEST = 3
"""Letters of words that are too short to stand for what they are the last of."""


def what_is_named(key: str) -> str:
    """`project` of a field that is called `project code`: what it names. Empty for other fields."""
    parts = name_key(spaced(key))
    return parts[0] if len(parts) == 2 and parts[1] in _NAMING else ""


def kind_group(field: Field) -> str:
    """Kinds of fields of which a word may mean one each: whether something is late, and how late it is."""
    if field.kind in (FieldKind.NUMBER, FieldKind.WHOLE_NUMBER):
        return "number"
    return str(field.kind)


def of_others(word: Payload, group: str, entity: Entity) -> bool:
    """Whether a word is for a field of another kind, or for one of other things."""
    if isinstance(word, FieldWord) and kind_group(word.ref.field) != group:
        return True
    return isinstance(word, FieldWord | ValueWord) and word.ref.path[0] not in entity.fields
