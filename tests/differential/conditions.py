"""The forms of a condition: each writes one about a field that a given document (the witness) meets, if it can."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from ipaddress import IPv6Address, ip_address
from typing import Any

from qlc.engine.analysis import word_break
from qlc.grammar import print_value, tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.resolver.names.entries import stored
from tests.differential.dates import absolute, instant, local, relative, shown_in
from tests.differential.material import Hit, Material, Place, folded, written

_NUMBERS = (FieldKind.NUMBER, FieldKind.WHOLE_NUMBER)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass
class Draft:
    """What a program is being made of. `now` is chosen by the first relative period, so that it holds the witness."""

    material: Material
    random: random.Random
    zone: str
    now: datetime | None = None
    params: dict[str, Any] = field(default_factory=dict)

    def moment(self, near: datetime) -> datetime:
        if self.now is None:
            self.now = near + timedelta(
                seconds=self.random.choice([60, 7200, 86_400, 10**6, 10**7]) * self.random.random()
            )
            self.now = self.now.astimezone(UTC).replace(microsecond=0)
        return self.now

    def parameter(self, value: Any) -> str:
        name = f"p{len(self.params)}"
        self.params[name] = value.isoformat() if isinstance(value, datetime) else value
        return f"${name}"

    def other(self, place: Place, values: Sequence[Any]) -> Any:
        """A value of the field that the witness has not; None where there is none."""
        pool = self.material.pool(place)
        days = {value.date() for value in values if isinstance(value, datetime)}
        drawn = self.random.choices(pool, k=6) if pool else []
        some = [one for one in drawn if one not in values and not (isinstance(one, datetime) and one.date() in days)]
        return some[0] if some else None


@dataclass(frozen=True)
class At:
    """Where a form writes: the field as it is called there, the witness and its values of the field."""

    place: Place
    name: str
    hit: Hit
    values: tuple[Any, ...]


Form = Callable[[Draft, At], "str | None"]
FORMS: dict[str, Form] = {}


def form(write: Form) -> Form:
    FORMS[write.__name__.removeprefix("_")] = write
    return write


def text(value: str) -> str:
    return print_value(tree.String(value))


def number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{Decimal(repr(value)):f}"


def _shown(draft: Draft, place: Place, moment: datetime) -> datetime:
    """A stored date as the zone of the program sees it."""
    return shown_in(moment, draft.zone) if place.field.whole_days else moment


def literal(draft: Draft, place: Place, value: Any, *, fine: bool = False) -> str:
    """A value as a program writes it; `fine`: of a date no more than its second, or its day where it is a whole one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        moment = _shown(draft, place, value)
        exact = local(moment, draft.zone).replace(microsecond=0, tzinfo=None).isoformat()
        return exact if fine else absolute(moment, draft.zone, draft.random)
    if isinstance(value, int | float):
        return number(value)
    reference = place.field.reference
    for name, constant in (reference.constants if reference is not None else {}).items():
        if constant == value:
            return written(name)
    if place.field.values is not None and draft.random.random() < 0.4:
        known = place.field.values
        groups = [name for name, members in known.groups.items() if value in members]
        return text(draft.random.choice([name for name, one in known.spellings.items() if one == value] + groups))
    if reference is not None:
        return text(_name_of(draft, reference.entity, value) or str(value))
    if place.field.kind is FieldKind.KEYWORD and place.field.values is None and draft.random.random() < 0.25:
        return text(draft.random.choice([str.upper, str.lower, str.title, str.swapcase])(str(value)))
    return text(str(value))


def _name_of(draft: Draft, entity_name: str, key: Any) -> str | None:
    """The name of what a reference points at, where it has one that is its own."""
    entity = draft.material.schema.entity(entity_name)
    hit = None if entity.virtual else draft.material.by_id(entity).get(key)
    if hit is None or draft.random.random() < 0.3:
        return None
    names = [str(one) for name in entity.names for one in draft.material.values(Place(entity, name, None, "", ""), hit)]
    return next((name for name in names if draft.material.names(entity)[folded(name)] == 1), None)


def _literals(draft: Draft, at: At, count: int = 3) -> str:
    """A list with one of the witness's values and some others."""
    some = [draft.random.choice(at.values), *draft.random.choices(draft.material.pool(at.place), k=count - 1)]
    draft.random.shuffle(some)
    return "[" + ", ".join(dict.fromkeys(literal(draft, at.place, one) for one in some)) + "]"


def _comparable(place: Place) -> bool:
    return place.field.kind not in (FieldKind.TEXT, FieldKind.GEO_POINT, FieldKind.VECTOR, FieldKind.UNSUPPORTED)


# --- equality ---------------------------------------------------------------------------------------------------------


@form
def _equals(draft: Draft, at: At) -> str | None:
    if not at.values or not _comparable(at.place):
        return None
    operator = draft.random.choice(["=", "=", "has"]) if at.place.field.many is not False else "="
    return f"{at.name} {operator} {literal(draft, at.place, draft.random.choice(at.values))}"


@form
def _differs(draft: Draft, at: At) -> str | None:
    other = draft.other(at.place, at.values) if _comparable(at.place) else None
    return None if other is None else f"{at.name} != {literal(draft, at.place, other, fine=True)}"


@form
def _among(draft: Draft, at: At) -> str | None:
    if not at.values or not _comparable(at.place):
        return None
    operator = draft.random.choice(["in", "has any"]) if at.place.field.many is not False else "in"
    return f"{at.name} {operator} {_literals(draft, at)}"


@form
def _not_among(draft: Draft, at: At) -> str | None:
    others = [draft.other(at.place, at.values) for _ in range(3)] if _comparable(at.place) else []
    some = [literal(draft, at.place, one, fine=True) for one in others if one is not None]
    return f"{at.name} not in [{', '.join(dict.fromkeys(some))}]" if some else None


@form
def _has_all(draft: Draft, at: At) -> str | None:
    if not at.values or not _comparable(at.place):
        return None
    if at.place.field.many is False:
        return None
    some = draft.random.sample(at.values, draft.random.randint(1, min(3, len(at.values))))
    return f"{at.name} has all [{', '.join(dict.fromkeys(literal(draft, at.place, one) for one in some))}]"


@form
def _parameter(draft: Draft, at: At) -> str | None:
    if not at.values or not _comparable(at.place):
        return None
    value = draft.random.choice(at.values)
    if isinstance(value, datetime) and at.place.field.whole_days:
        value = value.astimezone(UTC).date().isoformat()
    return f"{at.name} = {draft.parameter(value)}"


@form
def _true(draft: Draft, at: At) -> str | None:
    if at.place.field.kind is not FieldKind.BOOLEAN or not at.values:
        return None
    return at.name if True in at.values else f"not {at.name}"


@form
def _exists(draft: Draft, at: At) -> str | None:
    return f"{at.name} exists" if at.values else None


@form
def _missing(draft: Draft, at: At) -> str | None:
    return None if at.values else f"{at.name} missing"


# --- order ------------------------------------------------------------------------------------------------------------


def _bound(draft: Draft, at: At, value: Any, *, up: bool, strict: bool = False) -> str:
    """A bound above or below a value, or the value itself unless it is to be `strict`."""
    if isinstance(value, datetime):
        moment = _shown(draft, at.place, value)
        if strict:
            return _day(draft, moment, 2 if up else -2)
        moved = moment + timedelta(seconds=draft.random.choice([0, 1, 3600, 86_400 * 40]) * (1 if up else -1))
        return instant(moved, draft.zone, draft.random)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text(str(value))
    # a float of few bits is stored as the nearest that there is
    steps = [1, 17, max(1, abs(value) // 3)] if strict or at.place.field.mapped.es_type in _ROUNDED else [0, 1, 17]
    step = draft.random.choice(steps) * (1 if up else -1)
    moved = value + step if isinstance(value, int) else round(value + step, 4)
    unit = at.place.field.unit
    if unit == "bytes" and moved > 10**6 and draft.random.random() < 0.5:
        return f"{number(moved // 10**6 + up)} MB"
    if unit == "fraction" and draft.random.random() < 0.5:
        return f"{number(round(float(moved) * 100, 3))} %"
    return number(moved)


_ROUNDED = ("float", "half_float")


def _day(draft: Draft, moment: datetime, days: int) -> str:
    return f"{local(moment + timedelta(days=days), draft.zone):%Y-%m-%d}"


def _order(value: str, place: Place) -> Any:
    """What texts and addresses are ordered by."""
    if place.field.kind is not FieldKind.IP:
        return value.encode()
    address = ip_address(value)
    return address if address.version == 6 else IPv6Address(f"::ffff:{value}")


def _sided(draft: Draft, at: At, *, up: bool) -> str:
    """An operator and a bound that a value of the witness is below (`up`) or above."""
    value = draft.random.choice(at.values)
    strict, operator = draft.random.random() < 0.4, "<" if up else ">"
    if isinstance(value, str) and strict:
        further = [
            one
            for one in draft.random.choices(draft.material.pool(at.place), k=6)
            if (_order(one, at.place) > _order(value, at.place)) == up and one != value
        ]
        strict, value = bool(further), (further or [value])[0]
    return f"{operator if strict else operator + '='} {_bound(draft, at, value, up=up, strict=strict)}"


_ORDERED = (*_NUMBERS, FieldKind.DATE, FieldKind.KEYWORD, FieldKind.IP)


@form
def _below(draft: Draft, at: At) -> str | None:
    if not at.values or at.place.field.kind not in _ORDERED:
        return None
    return f"{at.name} {_sided(draft, at, up=True)}"


@form
def _above(draft: Draft, at: At) -> str | None:
    if not at.values or at.place.field.kind not in _ORDERED:
        return None
    return f"{at.name} {_sided(draft, at, up=False)}"


@form
def _between(draft: Draft, at: At) -> str | None:
    if not at.values or at.place.field.kind not in _ORDERED:
        return None
    value = draft.random.choice(at.values)
    if isinstance(value, datetime):
        moment = _shown(draft, at.place, value)
        return f"{at.name} between {_day(draft, moment, -draft.random.choice([0, 1, 40]))} and {_day(draft, moment, 1)}"
    if not isinstance(value, str):
        return f"{at.name} between {_bound(draft, at, value, up=False)} and {_bound(draft, at, value, up=True)}"
    other = str(draft.other(at.place, at.values) or value)
    low, high = sorted((value, other), key=lambda one: _order(one, at.place))
    return f"{at.name} between {text(low)} and {text(high)}"


# --- texts ------------------------------------------------------------------------------------------------------------


def _piece(draft: Draft, value: str, kind: str) -> str:
    cut = draft.random.randint(1, max(1, min(12, len(value))))
    start = draft.random.randint(0, len(value) - cut) if kind == "any" else 0
    piece = value[-cut:] if kind == "end" else value[start : start + cut]
    return piece.swapcase() if draft.random.random() < 0.3 else piece


def _strings(draft: Draft, at: At) -> list[str]:
    """The texts of a field; of a reference with a name beside it these are the names."""
    reference, found = at.place.field.reference, list(at.values)
    if reference is not None and reference.name_at is not None:
        item = at.place.element
        hits = [at.hit] if item is None else draft.material.elements(item, at.hit)
        holding = [hit for hit in hits if draft.material.values(at.place, hit) == at.values]
        found = [value for hit in holding[:1] for value in stored(hit, reference.name_at)]
    return [value for value in found if isinstance(value, str) and value.strip()]


def _pattern(draft: Draft, at: At, operator: str, kind: str) -> str | None:
    strings = _strings(draft, at)
    if not strings or at.place.field.kind is not FieldKind.KEYWORD:
        return None
    piece = _piece(draft, draft.random.choice(strings), kind)
    return f"{at.name} {operator} {text(piece)}" if piece.strip() else None


@form
def _contains(draft: Draft, at: At) -> str | None:
    return _pattern(draft, at, "contains", "any")


@form
def _starts(draft: Draft, at: At) -> str | None:
    return _pattern(draft, at, "starts with", "start")


@form
def _ends(draft: Draft, at: At) -> str | None:
    return _pattern(draft, at, "ends with", "end")


@form
def _like(draft: Draft, at: At) -> str | None:
    strings = _strings(draft, at)
    if not strings or at.place.field.kind is not FieldKind.KEYWORD:
        return None
    value = re.sub(r"([*?\\])", r"\\\1", draft.random.choice(strings))
    cut = draft.random.randint(0, len(value))
    while cut and value[:cut].endswith("\\"):
        cut -= 1
    return (
        f"{at.name} like {text(draft.random.choice([value[:cut] + '*', '*' + value[cut:], value, value[:cut] + '*']))}"
    )


def _words(draft: Draft, at: At, *, adjacent: bool) -> str | None:
    strings = _strings(draft, at)
    words = word_break.words(draft.random.choice(strings)) if strings else []
    if not words or at.place.field.mapped.analysed is None:
        return None
    count = draft.random.randint(1, min(3, len(words)))
    start = draft.random.randint(0, len(words) - count)
    some = words[start : start + count] if adjacent else draft.random.sample(words, count)
    return " ".join(some)


@form
def _matches(draft: Draft, at: At) -> str | None:
    some = _words(draft, at, adjacent=False)
    return some and f"{at.name} matches {text(some)}"


@form
def _mentions(draft: Draft, at: At) -> str | None:
    some = _words(draft, at, adjacent=True)
    return some and f"{at.name} mentions {text(some)}"


# --- dates ------------------------------------------------------------------------------------------------------------


def _date(draft: Draft, at: At) -> datetime | None:
    dates = [_shown(draft, at.place, value) for value in at.values if isinstance(value, datetime)]
    return draft.random.choice(dates) if dates else None


@form
def _relative(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    return value and f"{at.name} in {relative(value, draft.moment(value), draft.zone, draft.random)}"


@form
def _against_now(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    return value and f"{at.name} {'<' if value < draft.moment(value) else '>='} now"


@form
def _periods(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    return f"{at.name} in [{absolute(value, draft.zone, draft.random)}, {absolute(value, draft.zone, draft.random)}]"


@form
def _weekday(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    day = _WEEKDAYS[local(value, draft.zone).weekday()]
    return f"weekday({at.name}) {draft.random.choice(['=', 'in'])} {text(day)}".replace(
        f"in {text(day)}", f"in [{text(day)}]"
    )


@form
def _hour_of_day(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    hour = local(value, draft.zone).hour
    return f"hour_of_day({at.name}) between {max(0, hour - 1)} and {hour}"


@form
def _period_around(draft: Draft, at: At) -> str | None:
    """A period around the date of a document that is looked up: as a rule that of the witness itself."""
    if _date(draft, at) is None:
        return None
    found = draft.material.name_of(at.place, draft.random, at.hit if draft.random.random() < 0.9 else None)
    if len(draft.material.values(replace(at.place, element=None), found[1])) != 1:
        return None
    unit = draft.random.choice(["day", "week", "month", "quarter", "year"])
    return f"{at.name} in {unit}({written(at.place.entity.name)}({text(found[0])}).{_own(at.place)})"


# --- places -----------------------------------------------------------------------------------------------------------


@form
def _within(draft: Draft, at: At) -> str | None:
    if at.place.field.kind is not FieldKind.GEO_POINT or not at.values:
        return None
    latitude, longitude = draft.random.choice(at.values)
    near = max(-90.0, min(90.0, latitude + draft.random.uniform(-2, 2)))
    distance = draft.random.choice(["400 km", "1500 km", "5000 km", "400000 m", "900 miles"])
    return f"{at.name} within {distance} of ({number(round(near, 3))}, {number(longitude)})"


# --- values from documents --------------------------------------------------------------------------------------------


def _own(place: Place) -> str:
    """The field behind a look-up of its entity."""
    return place.text


def _simple(draft: Draft, entity: Entity, hit: Hit) -> str | None:
    """A short condition that a document meets, for the inside of a sub-query."""
    for place in draft.random.sample(draft.material.places(entity), k=min(12, len(draft.material.places(entity)))):
        if place.element is not None:
            continue
        at = At(place, place.text, hit, draft.material.values(place, hit))
        found = FORMS[draft.random.choice(["equals", "exists", "among"])](draft, at)
        if found:
            return found
    return None


@form
def _in_search(draft: Draft, at: At) -> str | None:
    if not at.values or not _comparable(at.place):
        return None
    entity = at.place.entity
    inner = _simple(draft, entity, at.hit) if at.place.element is None else None
    if inner and at.place.field.kind is FieldKind.DATE:
        inner += f" sort {at.place.text} limit 500"  # each date is a range of its own
    return inner and f"{at.name} in (find {written(entity.plural)} where {inner}).{_own(at.place)}"


@form
def _of_lookup(draft: Draft, at: At) -> str | None:
    """Equal to the value of a document that is looked up, or on a side of it."""
    if at.place.element is not None or not _comparable(at.place):
        return None
    compares = at.place.field.kind in (*_NUMBERS, FieldKind.DATE) and draft.random.random() < 0.5
    found = draft.material.name_of(at.place, draft.random, None if compares else at.hit)
    theirs = draft.material.values(at.place, found[1])
    if not theirs:
        return None
    member = f"{written(at.place.entity.name)}({text(found[0])}).{_own(at.place)}"
    if compares and len(theirs) == 1 and at.values:
        return f"{at.name} {'<=' if min(at.values) <= theirs[0] else '>'} {member}"
    operator = "in" if len(theirs) > 1 else "="
    return f"{at.name} {operator} {member}"


@form
def _of_rows(draft: Draft, at: At) -> str | None:
    if not at.values or at.place.element is not None or at.place.field.kind not in _NUMBERS:
        return None
    below = min(at.values) < draft.material.average(at.place)
    measure, operator = draft.random.choice([("min", ">="), ("max", "<="), ("avg", "<" if below else ">")])
    return f"{at.name} {operator} ({measure}({at.place.text}) of {written(at.place.entity.plural)})"


@form
def _most_frequent(draft: Draft, at: At) -> str | None:
    if at.place.element is not None or at.place.field.kind is not FieldKind.KEYWORD or not at.values:
        return None
    plural = written(at.place.entity.plural)
    operator = "=" if draft.material.most_frequent(at.place) in at.values else "!="
    return f"{at.name} {operator} (count {plural} by {at.place.text} limit 1).{at.place.text.split('.')[-1]}"


@form
def _reference(draft: Draft, at: At) -> str | None:
    """A field of what a reference points at."""
    if at.place.field.reference is None or not at.values:
        return None
    entity = draft.material.schema.entity(at.place.field.reference.entity)
    hit = None if entity.virtual else draft.material.by_id(entity).get(draft.random.choice(at.values))
    inner = _simple(draft, entity, hit) if hit is not None else None
    if inner is None:
        return None
    if draft.random.random() < 0.5:
        return f"{at.name} in (find {written(entity.plural)} where {inner})"
    return f"{at.name}.{inner}" if not inner.startswith(("not ", "`")) else None


@form
def _under(draft: Draft, at: At) -> str | None:
    reference = at.place.field.reference
    entity = draft.material.schema.entity(reference.entity) if reference is not None else None
    if entity is None or entity.parent is None or not at.values or at.place.element is not None:
        return None
    above = [draft.random.choice(at.values)]
    parent = entity.fields[entity.parent]
    while draft.random.random() < 0.6 and above[-1] in draft.material.by_id(entity):
        upward = draft.material.values(Place(entity, parent, None, "", ""), draft.material.by_id(entity)[above[-1]])
        if not upward:
            break
        above.append(upward[0])
    value = literal(draft, at.place, above[-1])
    if draft.random.random() < 0.3 and value.startswith('"'):
        return f"{at.name} under in [{value}]"
    return f"{at.name} under {value}"


@form
def _same_value(draft: Draft, at: At) -> str | None:
    """Another field of the same entity with a value in common."""
    if (
        at.place.element is not None
        or not at.values
        or at.place.field.kind not in (FieldKind.KEYWORD, FieldKind.BOOLEAN)
    ):
        return None
    for place in draft.random.sample(draft.material.places(at.place.entity), k=10):
        alike = place.element is None and place.field.kind is at.place.field.kind and place.field != at.place.field
        if alike and place.text not in (at.place.field.reference.constants if at.place.field.reference else {}):
            theirs = draft.material.values(place, at.hit)
            operator = "=" if set(theirs) & set(at.values) else "!="
            return f"{at.name} {operator} {place.text}"
    return None
