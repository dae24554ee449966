"""Derive phrases from the names of fields (`AvgTicketPrice` -> `ticket price`), and mark fields that documents have."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

from qlc.language.field_words import ALTERING, ALWAYS_TO_COME
from qlc.language.nouns import plural_of as plural
from qlc.mapping.fields import NUMERIC
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.rules.lexicon.lexemes import FieldWord, Payload, ValueWord
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, verbs_of, words
from qlc.translator.rules.words.phrases import spaced as spaced
from qlc.translator.rules.words.tokens import name_key

_Named = TypeVar("_Named")
_ABBREVIATIONS = {
    "dest": "destination", "dst": "destination", "src": "source", "orig": "origin", "avg": "average", "num": "number",
    "no": "number", "nr": "number", "qty": "quantity", "amt": "amount", "addr": "address", "dept": "department",
    "cust": "customer", "msg": "message", "desc": "description", "descr": "description", "temp": "temperature",
    "org": "organization", "mgr": "manager", "emp": "employee", "prod": "product", "cat": "category",
    "lang": "language", "loc": "location", "pct": "percent", "btl": "bottle", "abv": "alcohol", "ccy": "currency",
    "curr": "currency", "tech": "technician", "lvl": "level", "mfr": "manufacturer", "mfg": "manufacturing",
    "veh": "vehicle", "acct": "account", "inv": "invoice", "appt": "appointment", "dob": "birth date",
    "est": "estimated", "cnt": "count", "bal": "balance", "cert": "certificate", "pkg": "package", "wt": "weight",
    "ht": "height", "vol": "volume", "wh": "warehouse", "std": "standard", "dur": "duration", "freq": "frequency",
    "spd": "speed", "alt": "altitude", "elev": "elevation", "pos": "position", "doc": "document", "img": "image",
    "pic": "picture", "tel": "telephone", "proj": "project", "sched": "scheduled", "maint": "maintenance",
    "equip": "equipment", "insp": "inspection", "svc": "service", "srv": "server", "usr": "user", "grp": "group",
    "mbr": "member", "yr": "year", "mth": "month", "wk": "week", "hr": "hour", "stmt": "statement",
    "txn": "transaction", "trx": "transaction", "pmt": "payment", "disc": "discount", "cond": "condition",
    "resp": "response", "req": "request", "perf": "performance", "util": "utilization", "cap": "capacity",
    "batt": "battery", "pax": "passengers", "crs": "course", "instr": "instructor", "attn": "attention",
}  # fmt: skip
_SAYS_NO_MORE = words("name code value text label type id number score address")
_NAMING = words("name code id key number")
_UNITS = words(
    "min mins minutes minute sec secs seconds ms hours hrs days km kilometers kilometres miles metres meters m cm mm "
    "kg kilograms grams g tons tonnes bytes kb mb gb usd eur gbp chf cents percent pct celsius ppm ppb hpa dbm psi rpm "
    "kwh kmh kph mph m2 m3 sqm sqft kw mw hz khz mhz ghz ml lb lbs oz ft feet foot nmi knots kts mi acres gal gallons "
    "bbl bbls"
)
_OF_TIME = words("min mins minutes minute sec secs seconds ms hours hrs days")
_DEGREES = words("c f k")
_WARMTH = words("temperature temp")
_BOUNDS = {"min": "minimum", "max": "maximum"}
_SOUGHT_TIME = words("time duration delay")
_BEFORE = words("avg average total is has the")
_OF_DATES = words("on at date time when")
_MEANS = words("via through with using")
_IRREGULAR = {"author": "written", "writer": "written", "driver": "driven", "seller": "sold", "buyer": "bought",
              "sender": "sent", "maker": "made", "leader": "led"}  # fmt: skip
SHORTEST = 3  # letters of a last word that is too short to stand for the whole phrase
_SHORTEST_JOINED = 6


def leading_words(field: Field) -> frozenset[str]:
    """Return the first words of a field's phrases, without prepositions and `date`: `call back date` -> `call`."""
    return _leading((field.name, *field.words))


@lru_cache(maxsize=4096)
def _leading(phrases: tuple[str, ...]) -> frozenset[str]:
    said = (name_key(spaced(one)) for one in phrases)
    return frozenset({one[0] for one in said if one and one[0].isalpha()} - english.PREPOSITIONS - _OF_DATES)


def said_for(name: str) -> tuple[str, ...]:
    """A name as it is, and as words where that is another text."""
    as_words = spaced(name)
    return (name,) if as_words == name.replace("_", " ").lower() else (name, as_words)


def in_other_orders(phrase: str) -> Iterator[str]:
    """Yield other orders of a state: `inspection overdue` -> `overdue inspections`, `inspections are overdue`."""
    parts = name_key(spaced(phrase))
    if len(parts) < 2 or set(parts) & (english.COMMON_WORDS | english.NEGATIONS):
        return
    for adjective, noun in ((parts[-1], parts[:-1]), (parts[0], parts[1:])):
        one, several = " ".join(noun), " ".join((*noun[:-1], plural(noun[-1])))
        yield from (f"{adjective} {one}", f"{adjective} {several}", f"{one} {adjective}", f"{several} {adjective}")
        yield from (f"{one} is {adjective}", f"{several} are {adjective}")


def flag_parts(name: str) -> tuple[tuple[str, ...], str]:
    """Split a flag's name: `fee_paid` -> (`fee`), `paid`; `under_warranty` -> (`warranty`), ``; one word -> (), ``."""
    parts = spaced(name.rsplit(".", 1)[-1]).split()
    own = parts[1:] if len(parts) > 1 and parts[0] in _BEFORE | {"was", "were", "have"} else parts
    if len(own) < 2:
        return (), ""
    if own[0] in english.PREPOSITIONS:
        return tuple(own[1:]), ""
    if is_participle(own[0]) and not is_participle(own[-1]):
        return tuple(own[1:]), own[0]
    return tuple(own[:-1]), own[-1]


def shorter(name: str, entity: str, beside: Collection[str] = (), *, flag: bool = False) -> Iterator[str]:
    """Yield shorter phrases for a field of several words: written out, without its unit and generic words.

    `beside`: the names of the entity's fields; beside `salary_max`, `salary_min` is not called `salary`. A `flag` keeps
    its participle: not every building is a `listed_building`.
    """
    *around, own_name = name.split(".")
    parts = spaced(own_name).split()
    if around and len(parts) == 1 and parts[0] in _SAYS_NO_MORE:
        parts = [*spaced(around[-1]).split(), *parts]  # `customer.name` is the customer
    written_out = [_ABBREVIATIONS.get(part, part) for part in parts]
    if len(parts) < 2:
        yield from () if parts == written_out else (written_out[0],)
        return
    bound = _bound_of(parts, beside)
    if bound:
        yield " ".join(bound)
        return
    for one in (parts, written_out):
        kept = one
        while len(kept) > 1 and _says_no_more(kept) and not (len(kept) == 2 and _counted_things(parts, kept)):
            kept = kept[:-1]
        own = kept[1:] if len(kept) > 1 and kept[0] in _BEFORE | {entity} else kept
        # The `assigned_driver` is the driver.
        of_it = len(own) > 1 and own[1] not in english.PREPOSITIONS | english.PARTICLES
        doing = of_it and own[0].endswith("ed") and not flag and own[0] not in ALTERING
        to_come = own[0] in ("next", "upcoming") and own[-1] in ALWAYS_TO_COME  # `due` is the `next_due`
        doing = doing or (to_come and own[-1] not in beside)
        taken = one[-1] in _OF_TIME and len(kept) > 1 and kept[-1] not in _SOUGHT_TIME
        for phrase in (one, kept, own, *((own[1:],) if doing else ()), *(([*kept, "time"],) if taken else ())):
            if phrase != parts:
                yield " ".join(phrase)


def _says_no_more(parts: list[str]) -> bool:
    """Whether a name ends with its unit, or with what says no more."""
    *_, before, last = parts
    return last in _SAYS_NO_MORE | _UNITS or (before in _WARMTH and last in _DEGREES)


def _counted_things(parts: list[str], kept: list[str]) -> bool:
    """Return whether a unit belongs to a counted noun: millilitres of a bottle (`btl_ml`) are not bottles."""
    is_measure = any(kept[0] in nouns for nouns in english.NOUNS_OF_DEGREE.values())
    return parts[0] in _ABBREVIATIONS and kept[1] in _UNITS and not is_measure


def _bound_of(parts: list[str], beside: Collection[str]) -> list[str]:
    """`minimum salary` of `salary_min` or `minSalary`, where the other bound is next to it."""
    for at in (0, len(parts) - 1):
        other = {"min": "max", "max": "min"}.get(parts[at])
        if other and any(spaced(one).split() == [*parts[:at], other, *parts[at + 1 :]] for one in beside):
            return [_BOUNDS[parts[at]], *parts[:at], *parts[at + 1 :]]
    return []


def done_by(name: str) -> str:
    """Return who did it: `owner` -> `owned by`, `assignee` -> `assigned to`; empty for other names."""
    parts = [part for one in name.split(".")[-2:] for part in spaced(one).split() if part not in _NAMING]
    doer = parts[-1] if parts else ""
    if len(parts) == 2 and is_participle(parts[0]) and doer in _MEANS:
        return f"{parts[0]} by"
    if not ALTERING.isdisjoint(parts):
        return ""  # who is to approve it has not approved it
    if doer in _IRREGULAR:
        return f"{_IRREGULAR[doer]} by"
    if len(doer) <= SHORTEST:
        return ""
    ends = {"er": "by", "or": "by", "ee": "to"}
    return f"{doer[:-2]}ed {ends[doer[-2:]]}" if doer[-2:] in ends else ""


def done_on(name: str) -> Iterator[str]:
    """Yield what was done on a date: `completed` on the `completion_date`, `hired` on the `hire_date`."""
    parts = spaced(name.rsplit(".", 1)[-1]).split()
    if not ALTERING.isdisjoint(parts):
        return
    if len(parts) == 2 and parts[0] in _OF_DATES and is_participle(parts[1]):
        yield parts[1]  # `date_received`
    elif len(parts) == 2 and parts[1] in _OF_DATES and len(parts[0]) > SHORTEST and not is_participle(parts[0]):
        yield from (f"{verb}ed" for verb in verbs_of(parts[0]))


def the_name_of(refs: Mapping[str, _Named]) -> Mapping[str, _Named]:
    """Choose the name if a word means the id and the name of one entity: `customer` -> `customer_name`."""
    ends = {one: spaced(one.rsplit(".", 1)[-1]).strip().rpartition(" ")[2] for one in refs}
    names = [one for one, end in ends.items() if end == "name"]
    ids = [one for one, end in ends.items() if end in _NAMING - {"name"}]
    return {names[0]: refs[names[0]]} if len(names) == 1 and len(names) + len(ids) == len(refs) else refs


def last_words(values: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The last words of values of several, each with the only value that ends with it."""
    keys = {stored: name_key(stored) for stored in values}
    often = Counter(key[-1] for key in keys.values() if key)
    for stored, key in keys.items():
        if len(key) > 1 and often[key[-1]] == 1 and len(key[-1]) > SHORTEST and key[-1].isalpha():
            yield key[-1], stored


def what_is_named(key: str) -> str:
    """`project` of a field that is called `project code`: what it names. Empty for other fields."""
    parts = name_key(spaced(key))
    return parts[0] if len(parts) == 2 and parts[1] in _NAMING else ""


def written_as_one(phrase: str) -> str:
    """`filename` of `file name`; empty for phrases that nobody writes so."""
    parts = name_key(spaced(phrase))
    joined = "".join(parts)
    plain = len(parts) == 2 and joined.isalpha() and not set(parts) & (english.PREPOSITIONS | english.COPULAS)
    return joined if plain and len(joined) >= _SHORTEST_JOINED else ""


def kind_group(field: Field) -> str:
    """Return the group of a field's kind. A word may mean one field of each: whether it is late, and by how much."""
    if field.kind in NUMERIC:
        return "number"
    return str(field.kind)


def of_others(word: Payload, group: str, entity: Entity) -> bool:
    """Whether a word is for a field of another kind, or for one of other things."""
    if isinstance(word, FieldWord) and kind_group(word.ref.field) != group:
        return True
    return isinstance(word, FieldWord | ValueWord) and word.ref.path[0] not in entity.fields


def as_filled(schema: Schema, filled: Mapping[str, frozenset[str]]) -> Schema:
    """The schema without the fields that only documents of other entities have: loans have no pages if books do."""
    having = {name for names in filled.values() for name in names}

    def is_own(entity: Entity, one: Field) -> bool:
        special = one.is_id or one in entity.names or one.name == entity.parent
        return special or one.name in filled[entity.name] or one.name not in having

    entities = {
        name: dataclasses.replace(
            entity, fields={key: one for key, one in entity.fields.items() if is_own(entity, one)}
        )
        if name in filled
        else entity
        for name, entity in schema.entities.items()
    }
    return dataclasses.replace(schema, entities=entities) if filled else schema


def with_lists(schema: Schema, several: Collection[tuple[str, str]]) -> Schema:
    """Return the schema with fields as lists where documents have several values and the catalog does not say."""

    def marked(entity: Entity) -> Entity:
        lists = {key: dataclasses.replace(one, many=True) for key, one in entity.fields.items()
                 if one.many is None and (entity.index, one.mapped.path) in several}
        return dataclasses.replace(entity, fields={**entity.fields, **lists}) if lists else entity

    entities = {name: marked(entity) for name, entity in schema.entities.items()}
    return dataclasses.replace(schema, entities=entities) if several else schema
