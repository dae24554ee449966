"""The material for the forms of a condition: the witness, the clock, the literals."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from qlc.grammar import print_value, tree
from qlc.mapping.fields import NO_EXACT_VALUES, FieldKind
from tests.differential.dates import absolute, local, shown_in
from tests.differential.material import Hit, Material, Place, folded, written

NUMBERS = (FieldKind.NUMBER, FieldKind.WHOLE_NUMBER)


@dataclass
class Draft:
    """The state of a program that is being made. The first relative period chooses `now` so that it contains the
    witness."""

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
    """The place of a form: the field by its name there, the witness and its values of the field."""

    place: Place
    name: str
    hit: Hit
    values: tuple[Any, ...]


Form = Callable[[Draft, At], "str | None"]


NEEDS: dict[str, Callable[[At], bool]] = {
    "a value": lambda at: bool(at.values),
    "no value": lambda at: not at.values,
    "comparable": lambda at: at.place.field.kind not in NO_EXACT_VALUES,
    "perhaps a list": lambda at: at.place.field.many is not False,
    "of the document": lambda at: at.place.element is None,
    "a reference": lambda at: at.place.field.reference is not None,
}
"""Return what a form needs: a kind of witness or of field."""


class Forms(dict[str, Form]):
    """Forms by their names."""

    def add(self, *needs: str | FieldKind) -> Callable[[Form], Form]:
        """Register a form for fields of some kinds, if any are named, that meets all that it needs."""
        kinds = [one for one in needs if isinstance(one, FieldKind)]
        tests = [NEEDS[one] for one in needs if not isinstance(one, FieldKind)]

        def register(write: Form) -> Form:
            def form(draft: Draft, at: At) -> str | None:
                fits = (not kinds or at.place.field.kind in kinds) and all(test(at) for test in tests)
                return write(draft, at) if fits else None

            self[write.__name__.removeprefix("_")] = form
            return write

        return register


def text(value: str) -> str:
    return print_value(tree.String(value))


def number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{Decimal(repr(value)):f}"


def shown(draft: Draft, place: Place, moment: datetime) -> datetime:
    """A stored date as the zone of the program sees it."""
    return shown_in(moment, draft.zone) if place.field.whole_days else moment


def literal(draft: Draft, place: Place, value: Any, *, fine: bool = False) -> str:
    """A value as a program writes it; `fine`: of a date no more than its second, or its day where it is a whole one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        moment = shown(draft, place, value)
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


def literals(draft: Draft, at: At, count: int = 3) -> str:
    """A list with one of the witness's values and some others."""
    some = [draft.random.choice(at.values), *draft.random.choices(draft.material.pool(at.place), k=count - 1)]
    draft.random.shuffle(some)
    return "[" + ", ".join(dict.fromkeys(literal(draft, at.place, one) for one in some)) + "]"
