"""The forms of a condition: each writes one about a field that a given document (the witness) meets, if it can."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from ipaddress import IPv6Address, ip_address
from typing import Any

from qlc.base.units import find_unit
from qlc.compiler.operators import has_gaps
from qlc.mapping.fields import RANGES, FieldKind
from qlc.resolver.names.entries import stored
from qlc_engine.analysis import word_break
from tests.differential.dates import absolute, instant, local, relative
from tests.differential.drafts import NUMBERS, At, Draft, Form, Forms, literal, literals, number, shown, text
from tests.differential.material import Place, written

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FORMS = Forms()
SCRIPTS = Forms()
"""Forms that are sent as scripts, for servers that have them."""


# --- equality ---------------------------------------------------------------------------------------------------------


@FORMS.add("a value", "comparable")
def _equals(draft: Draft, at: At) -> str | None:
    operator = draft.random.choice(["=", "=", "has"]) if at.place.field.many is not False else "="
    return f"{at.name} {operator} {literal(draft, at.place, draft.random.choice(at.values))}"


@FORMS.add("comparable")
def _differs(draft: Draft, at: At) -> str | None:
    other = draft.other(at.place, at.values)
    return None if other is None else f"{at.name} != {literal(draft, at.place, other, fine=True)}"


@FORMS.add("a value", "comparable")
def _among(draft: Draft, at: At) -> str | None:
    operator = draft.random.choice(["in", "has any"]) if at.place.field.many is not False else "in"
    return f"{at.name} {operator} {literals(draft, at)}"


@FORMS.add("a value", FieldKind.KEYWORD)
def _exactly(draft: Draft, at: At) -> str | None:
    field = at.place.field
    if not field.folds or field.mapped.normalizer is not None:
        return None
    value = str(draft.random.choice(at.values))
    other = draft.other(at.place, at.values)
    few = "" if other is None or draft.random.random() < 0.5 else f", {text(str(other))}"
    return f"{at.name} in [exactly {text(value)}{few}]" if few else f"{at.name} = exactly {text(value)}"


@FORMS.add("comparable")
def _not_among(draft: Draft, at: At) -> str | None:
    others = [draft.other(at.place, at.values) for _ in range(3)]
    some = [literal(draft, at.place, one, fine=True) for one in others if one is not None]
    return f"{at.name} not in [{', '.join(dict.fromkeys(some))}]" if some else None


@FORMS.add("a value", "comparable", "perhaps a list")
def _has_all(draft: Draft, at: At) -> str | None:
    some = draft.random.sample(at.values, draft.random.randint(1, min(3, len(at.values))))
    return f"{at.name} has all [{', '.join(dict.fromkeys(literal(draft, at.place, one) for one in some))}]"


@FORMS.add("a value", "comparable", "perhaps a list")
def _has_only(draft: Draft, at: At) -> str | None:
    field = at.place.field
    if not has_gaps(field) or field.mapped.normalizer is not None or len("".join(map(str, at.values))) > 50:
        return None
    some = [*at.values, *draft.random.choices(draft.material.pool(at.place), k=draft.random.randint(0, 2))]
    some = [one for one in some if not isinstance(one, str) or len(one) < 20] or at.values
    values = ", ".join(dict.fromkeys(literal(draft, at.place, one) for one in some))
    return f"{at.name} {'=' if field.many and draft.random.random() < 0.4 else 'has only'} [{values}]"


@FORMS.add("a value", "comparable")
def _parameter(draft: Draft, at: At) -> str | None:
    value = draft.random.choice(at.values)
    if isinstance(value, datetime) and at.place.field.whole_days:
        value = value.astimezone(UTC).date().isoformat()
    return f"{at.name} = {draft.parameter(value)}"


@FORMS.add("a value", FieldKind.BOOLEAN)
def _true(draft: Draft, at: At) -> str | None:
    return at.name if True in at.values else f"not {at.name}"


@FORMS.add("a value")
def _exists(draft: Draft, at: At) -> str | None:
    return f"{at.name} exists"


@FORMS.add("no value")
def _missing(draft: Draft, at: At) -> str | None:
    return f"{at.name} missing"


# --- order ------------------------------------------------------------------------------------------------------------


def _bound(draft: Draft, at: At, value: Any, *, up: bool, strict: bool = False) -> str:
    """A bound above or below a value, or the value itself unless it is to be `strict`."""
    if isinstance(value, datetime):
        moment = shown(draft, at.place, value)
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
    """Return the sort key of a text or an address."""
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


@FORMS.add("a value", *NUMBERS)
def _calculated(draft: Draft, at: At) -> str | None:
    """`pages * 2 + 1 >= 21`: with one field and constants it is a range, which every server has."""
    value = _to_calculate_with(draft, at)
    if value is None:
        return None
    times, plus = draft.random.choice([(2, 1), (-3, 7), (5, -2)])
    operator = draft.random.choice([">=", "<=", "="])
    return f"{at.name} * {times} + {plus} {operator} {value * times + plus:f}"


@FORMS.add("a value", *NUMBERS)
def _formula(draft: Draft, at: At) -> str | None:
    """`pages >= 20 / 2`: calculated before the search."""
    value = _to_calculate_with(draft, at)
    return None if value is None else f"{at.name} {draft.random.choice(['>=', '<=', '='])} {value * 2:f} / 2"


def _to_calculate_with(draft: Draft, at: At) -> Decimal | None:
    field, value = at.place.field, draft.random.choice(at.values)
    is_plain = at.name.isidentifier() and not (field.many or field.values or field.unit_field or field.base_units)
    known = find_unit(field.unit) if field.unit is not None else None
    if not is_plain or field.mapped.es_type == "unsigned_long" or (known is not None and known.dimension == "part"):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 10**15:
        return None
    return Decimal(repr(value))


@SCRIPTS.add("a value", *NUMBERS, FieldKind.DATE)
def _of_two(draft: Draft, at: At) -> str | None:
    """`pages * size >= 40`, `closed - opened <= 3 days`."""
    place, is_date = at.place, at.place.field.kind is FieldKind.DATE
    kinds = (FieldKind.DATE,) if is_date else NUMBERS
    others = [one for one in draft.material.places(place.entity)
              if one.element is place.element and one != place and one.field.kind in kinds]  # fmt: skip
    if not others:
        return None
    other = draft.random.choice(others)
    first, second = draft.random.choice(at.values), draft.random.choice([*draft.material.pool(other), None])
    name = other.text if at.name == place.text else other.inside
    sign, operator = draft.random.choice("+-*/"), draft.random.choice([">=", "<=", "<", "!="])
    if isinstance(first, datetime) and isinstance(second, datetime):
        bound = f"{(first - second).days} days" if draft.random.random() < 0.7 else ""
        return f"{at.name} - {name} {operator} {bound}" if bound else f"{at.name} {operator} {name} + 36 hours"
    if isinstance(first, str | datetime) or isinstance(second, str | datetime | None):
        return None
    return f"{at.name} {sign} {name} {operator} {number(round(float(first), 3))}"


@SCRIPTS.add("a value", FieldKind.KEYWORD)
def _counted(draft: Draft, at: At) -> str:
    """`size(tags) >= 2`, `length(name) * 2 > 40`."""
    if at.place.field.many is False:
        return f"length({at.name}) * 2 >= {len(str(at.values[0]))}"
    return f"size({at.name}) {draft.random.choice(['>=', '=', '<'])} {draft.random.randint(1, 3)}"


_ORDERED = (*NUMBERS, FieldKind.DATE, FieldKind.KEYWORD, FieldKind.IP)


@FORMS.add("a value", *_ORDERED)
def _below(draft: Draft, at: At) -> str:
    return f"{at.name} {_sided(draft, at, up=True)}"


@FORMS.add("a value", *_ORDERED)
def _above(draft: Draft, at: At) -> str:
    return f"{at.name} {_sided(draft, at, up=False)}"


@FORMS.add("a value", *_ORDERED)
def _between(draft: Draft, at: At) -> str | None:
    value = draft.random.choice(at.values)
    if isinstance(value, datetime):
        moment = shown(draft, at.place, value)
        return f"{at.name} between {_day(draft, moment, -draft.random.choice([0, 1, 40]))} and {_day(draft, moment, 1)}"
    if not isinstance(value, str):
        return f"{at.name} between {_bound(draft, at, value, up=False)} and {_bound(draft, at, value, up=True)}"
    other = str(draft.other(at.place, at.values) or value)
    low, high = sorted((value, other), key=lambda one: _order(one, at.place))
    return f"{at.name} between {text(low)} and {text(high)}"


@FORMS.add("a value", *NUMBERS)
def _in_range(draft: Draft, at: At) -> str:
    value = draft.random.choice(at.values)
    return f"{at.name} in {_bound(draft, at, value, up=False)}..{_bound(draft, at, value, up=True)}"


@FORMS.add("a value", *NUMBERS, FieldKind.KEYWORD)
def _value_first(draft: Draft, at: At) -> str:
    operator, _, bound = _sided(draft, at, up=True).partition(" ")
    return f"{bound} {operator.replace('<', '>')} {at.name}"


@FORMS.add("a value", FieldKind.IP)
def _in_block(draft: Draft, at: At) -> str:
    address = draft.random.choice(at.values)
    return f'{at.name} in "{address}/{draft.random.choice([1, 7, 8, 16, 30, 32])}"'


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


def _pattern(operator: str, kind: str) -> Form:
    def write(draft: Draft, at: At) -> str | None:
        strings = _strings(draft, at)
        piece = _piece(draft, draft.random.choice(strings), kind) if strings else ""
        return f"{at.name} {operator} {text(piece)}" if piece.strip() else None

    write.__name__ = operator.split()[0]
    return write


for _operator, _kind in (("contains", "any"), ("starts with", "start"), ("ends with", "end")):
    FORMS.add(FieldKind.KEYWORD)(_pattern(_operator, _kind))


@FORMS.add(FieldKind.KEYWORD)
def _like(draft: Draft, at: At) -> str | None:
    strings = _strings(draft, at)
    if not strings:
        return None
    value = re.sub(r"([*?\\])", r"\\\1", draft.random.choice(strings))
    cut = draft.random.randint(0, len(value))
    while cut and value[:cut].endswith("\\"):
        cut -= 1
    pattern = draft.random.choice([value[:cut] + "*", "*" + value[cut:], value, value[:cut] + "*"])
    return f"{at.name} like {text(pattern)}"


def _words(draft: Draft, at: At, *, adjacent: bool) -> str | None:
    strings = _strings(draft, at)
    words = word_break.words(draft.random.choice(strings)) if strings else []
    if not words or at.place.field.mapped.analysed is None:
        return None
    count = draft.random.randint(1, min(3, len(words)))
    start = draft.random.randint(0, len(words) - count)
    some = words[start : start + count] if adjacent else draft.random.sample(words, count)
    return " ".join(some)


@FORMS.add()
def _matches(draft: Draft, at: At) -> str | None:
    some = _words(draft, at, adjacent=False)
    return some and f"{at.name} matches {text(some)}"


@FORMS.add()
def _matches_in_other_ways(draft: Draft, at: At) -> str | None:
    way = draft.random.choice(["any", "prefix", "roughly"])
    some = _words(draft, at, adjacent=False)
    if some and way == "prefix":
        some = some[: -draft.random.randint(0, 2) or None].strip() or some
    return some and f"{at.name} matches {way} {text(some)}"


@FORMS.add()
def _mentions_within(draft: Draft, at: At) -> str | None:
    some = _words(draft, at, adjacent=draft.random.random() < 0.6)
    return some and f"{at.name} mentions {text(some)} within {draft.random.randint(1, 6)}"


@FORMS.add()
def _mentions(draft: Draft, at: At) -> str | None:
    some = _words(draft, at, adjacent=True)
    return some and f"{at.name} mentions {text(some)}"


# --- dates ------------------------------------------------------------------------------------------------------------


def _date(draft: Draft, at: At) -> datetime | None:
    dates = [shown(draft, at.place, value) for value in at.values if isinstance(value, datetime)]
    return draft.random.choice(dates) if dates else None


@FORMS.add()
def _relative(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    return value and f"{at.name} in {relative(value, draft.moment(value), draft.zone, draft.random)}"


@FORMS.add("a value", FieldKind.DATE)
def _months_before(draft: Draft, at: At) -> str | None:
    """`created > now - 3 months`, by the calendar."""
    value = draft.random.choice(at.values)
    if not isinstance(value, datetime):
        return None
    months = (draft.moment(value).astimezone(UTC) - value).days // 28 + draft.random.randint(1, 3)
    return f"{at.name} > now - {months} months" if 0 < months < 1200 else None


@FORMS.add()
def _against_now(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    return value and f"{at.name} {'<' if value < draft.moment(value) else '>='} now"


@FORMS.add()
def _periods(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    return f"{at.name} in [{absolute(value, draft.zone, draft.random)}, {absolute(value, draft.zone, draft.random)}]"


@FORMS.add()
def _weekday(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    day = _WEEKDAYS[local(value, draft.zone).weekday()]
    return f"weekday({at.name}) " + (f"= {text(day)}" if draft.random.choice([True, False]) else f"in [{text(day)}]")


@FORMS.add()
def _hour_of_day(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    hour = local(value, draft.zone).hour
    return f"hour_of_day({at.name}) between {max(0, hour - 1)} and {hour}"


@FORMS.add()
def _day_of_month(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    day = local(value, draft.zone).day
    low = draft.random.choice([day, max(1, day - 3)])
    return f"day_of_month({at.name}) " + draft.random.choice([f"= {day}", f"between {low} and {day}", f"in [1, {day}]"])


@FORMS.add()
def _month_of_year(draft: Draft, at: At) -> str | None:
    value = _date(draft, at)
    if value is None:
        return None
    month = local(value, draft.zone)
    return f"month_of_year({at.name}) " + draft.random.choice(
        [f'= "{month:%B}"', f"= {month.month}", f"<= {month.month}", f'in ["{month:%b}", "May"]']
    )


@FORMS.add()
def _period_around(draft: Draft, at: At) -> str | None:
    """A period around the date of a document that is looked up: as a rule that of the witness itself."""
    if _date(draft, at) is None:
        return None
    found = draft.material.name_of(at.place, draft.random, at.hit if draft.random.random() < 0.9 else None)
    if len(draft.material.values(replace(at.place, element=None), found[1])) != 1:
        return None
    unit = draft.random.choice(["day", "week", "month", "quarter", "year"])
    return f"{at.name} in {unit}({written(at.place.entity.name)}({text(found[0])}).{at.place.text})"


# --- places -----------------------------------------------------------------------------------------------------------


@FORMS.add("a value", FieldKind.GEO_POINT)
def _within(draft: Draft, at: At) -> str | None:
    latitude, longitude = draft.random.choice(at.values)
    near = max(-90.0, min(90.0, latitude + draft.random.uniform(-2, 2)))
    distance = draft.random.choice(["400 km", "1500 km", "5000 km", "400000 m", "900 miles"])
    return f"{at.name} within {distance} of ({number(round(near, 3))}, {number(longitude)})"


@FORMS.add("a value", FieldKind.GEO_POINT)
def _within_an_area(draft: Draft, at: At) -> str | None:
    """A box or a polygon around a place of the witness, or beside it."""
    latitude, longitude = draft.random.choice(at.values)
    top, bottom = (max(-90.0, min(90.0, latitude + draft.random.uniform(low, low + 30))) for low in (-3, -30))
    left, right = (longitude + draft.random.uniform(low, low + 40) for low in (-40, -5))
    left, right = (round((one + 540) % 360 - 180, 3) for one in (left, right))
    if round(top, 3) <= round(bottom, 3):
        return None
    if draft.random.random() < 0.5 or left >= right:
        return f"{at.name} within box {_point(top, left)} to {_point(bottom, right)}"
    middle = (left + right) / 2
    corners = [_point(top, middle), _point((top + bottom) / 2, right), _point(bottom, middle), _point(bottom, left)]
    return f"{at.name} within polygon [{', '.join(corners)}]"


def _point(latitude: float, longitude: float) -> str:
    return f"({number(round(latitude, 3))}, {number(round(longitude, 3))})"


# --- ranges -----------------------------------------------------------------------------------------------------------


@FORMS.add("a value", *RANGES)
def _contains_a_value(draft: Draft, at: At) -> str | None:
    return f"{at.name} contains {_near_an_end(draft, at)}"


@FORMS.add("a value", *RANGES)
def _overlaps(draft: Draft, at: At) -> str | None:
    """From an end of a range of the witness to another value."""
    first, second = _near_an_end(draft, at), _near_an_end(draft, at)
    if at.place.field.kind is not FieldKind.DATE_RANGE and first == second:
        return f"{at.name} overlaps {first}"
    return f"{at.name} overlaps {first} to {second}"


def _near_an_end(draft: Draft, at: At) -> str:
    """A value at an end of a range of the witness, or a little further in or out."""
    found = draft.random.choice(at.values)
    end = draft.random.choice(list(found.values())) if isinstance(found, dict) else found
    match at.place.field.kind:
        case FieldKind.DATE_RANGE:
            moment = datetime.fromisoformat(end) + timedelta(hours=draft.random.choice([-1, 0, 0, 1, 500]))
            return absolute(shown(draft, at.place, moment), draft.zone, draft.random)
        case FieldKind.IP_RANGE:
            return text(end.partition("/")[0] if "/" in end else end)
        case _:
            return number(round(end + draft.random.choice([-1, 0, 0, 0, 1, 0.5]), 3))
