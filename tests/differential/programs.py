"""Programs: statements whose conditions one document meets, so that most have an answer."""

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, NestedList
from qlc_engine.analysis import word_break
from tests.differential import conditions, lookups
from tests.differential.drafts import At, Draft, number, text
from tests.differential.material import Hit, Material, Place, written

_NUMBERS = (FieldKind.NUMBER, FieldKind.WHOLE_NUMBER)
FORMS = {**conditions.FORMS, **lookups.FORMS}
_CYCLES = ("weekday", "hour_of_day", "day_of_month", "month_of_year")
_CALENDAR = ("year", "quarter", "month", "week", "day", "hour", *_CYCLES)
_FORMS = {**FORMS, **conditions.SCRIPTS}
_MEASURES = ("sum", "avg", "min", "max", "median", "percentile", "distinct", "share", "calculation")


@dataclass(frozen=True)
class Program:
    """A program and how it is run."""

    world: str
    text: str
    timezone: str
    now: str
    params: dict[str, Any] = field(default_factory=dict)
    size: int = 10

    @property
    def options(self) -> dict[str, Any]:
        return {"now": self.now, "timezone": self.timezone, "params": self.params, "size": self.size}

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Use:
    """One way to use one field: a form of condition, a measure, a group, a sort key, a shown or taken field."""

    part: str
    form: str
    place: Place


Choose = Callable[[str, Entity], Use | None]
"""Another use of a field, for a part of a statement; None where nothing is to be added."""


class Writing:
    """One program being written around a witness."""

    def __init__(self, material: Material, entity: Entity, hit: Hit, zone: str, random_: random.Random) -> None:
        self.material = material
        self.entity = entity
        self.hit = hit
        self.random = random_
        self.draft = Draft(material, random_, zone)

    def condition(self, place: Place, form: str) -> str | None:
        """A condition on a field; on an element's field by its path, or in the brackets of its list."""
        if place.element is None:
            return _FORMS[form](self.draft, At(place, place.text, self.hit, self.material.values(place, self.hit)))
        elements = self.material.elements(place.element, self.hit)
        holding = [one for one in elements if self.material.values(place, one)]
        if form == "missing":
            if holding:
                return None
            return f"{place.text} missing"
        if not holding:
            return None
        element = self.random.choice(holding)
        values = self.material.values(place, element)
        if self.random.random() < 0.4:
            return _FORMS[form](self.draft, At(place, place.text, self.hit, values))
        first = _FORMS[form](self.draft, At(place, place.inside, self.hit, values))
        if first is None:
            return None
        second = self.beside(place.element, element) if self.random.random() < 0.5 else None
        return f"{written(place.element.name)}[{first}{f' and {second}' if second else ''}]"

    def beside(self, item: NestedList, element: Hit) -> str | None:
        """Another condition that the same element meets."""
        some = [place for place in self.material.places(self.entity) if place.element is item]
        place = self.random.choice(some)
        at = At(place, place.inside, self.hit, self.material.values(place, element))
        return FORMS[self.random.choice(["equals", "exists", "among", "above", "contains", "differs"])](self.draft, at)

    def holds(self, place: Place) -> bool:
        """Whether the witness has a value of the field, in some element where it is one of a list."""
        return bool(self.material.values(replace(place, element=None), self.hit))

    # --- rows ---------------------------------------------------------------------------------------------------------

    def measure(self, place: Place, function: str) -> str | None:
        if function == "share":
            found = self.condition(place, self.random.choice(["equals", "exists", "above", "contains"]))
            return found and f"share({found})"
        if function == "percentile":
            return f"percentile({place.text}, {self.random.choice([1, 25, 90, 95, 99.9])})"
        if function == "calculation":
            return "(count + 1) / 2"
        return f"{function}({place.text})"

    def group(self, place: Place, function: str) -> str | None:
        if function in _CALENDAR:
            return f"{function}({place.text})"
        if function == "group":
            return place.text
        if function == "through":
            return self._through(place)
        if function == "narrowed":
            if place.element is None:
                return None
            elements = self.material.elements(place.element, self.hit)
            inner = self.beside(place.element, self.random.choice(elements)) if elements else None
            return inner and f"{written(place.element.name)}[{inner}].{place.inside}"
        values = [value for value in self.material.pool(place) if isinstance(value, int | float)]
        if not values:
            return None
        if function == "step":
            wide = max((max(values) - min(values)) / self.random.choice([3, 10, 40]), 1)
            return f"step({place.text}, {number(round(wide))})"
        edges = sorted({round(float(value), 2) for value in self.random.choices(values, k=self.random.randint(1, 4))})
        return f"bins({place.text}, {', '.join(map(number, edges))})"

    def _through(self, place: Place) -> str | None:
        reference = place.field.reference
        entity = self.material.schema.entity(reference.entity) if reference is not None else None
        if entity is None or entity.virtual:
            return None
        kinds = (FieldKind.KEYWORD, FieldKind.BOOLEAN, FieldKind.WHOLE_NUMBER)
        there = [one for one in self.material.places(entity) if one.element is None and one.field.kind in kinds]
        return f"{place.text}.{self.random.choice(there).text}"


PARTS: dict[str, tuple[str, ...]] = {
    "where": tuple(FORMS),
    "measure": _MEASURES,
    "group": ("group", "through", "narrowed", "bins", "step", *_CALENDAR),
    "sort": ("asc", "desc"),
    "show": ("show",),
    "get": ("lookup", "search"),
}
"""The ways to use a field, by the part of a statement."""


def draw(
    material: Material,
    entity: Entity,
    zone: str,
    choose: Choose,
    random_: random.Random,
    first: Use | None = None,
) -> Program | None:
    """A program about an entity; `first` is used if it can be, the other uses are chosen."""
    place = first.place if first is not None else None
    lacking = first is not None and first.form == "missing"
    holders = material.holders(place) if place is not None and not lacking else []
    if lacking and place is not None:
        holders = [hit for hit in material.documents(entity) if not material.values(place, hit)]
    hit = random_.choice(holders or material.documents(entity))
    writing = Writing(material, entity, hit, zone, random_)
    part = (
        first.part
        if first is not None
        else random_.choice(["where", "where", "measure", "group", "sort", "show", "get"])
    )
    if part == "get":
        taken = first or choose("get", entity)
        found = _get(writing, taken, choose) if taken is not None else None
    elif part in ("measure", "group") or (part == "where" and random_.random() < 0.35):
        found = _rows(writing, first, choose)
    else:
        found = _find(writing, first, choose)
    if found is None:
        return None
    now = writing.draft.now or datetime.fromisoformat(material.world.now)
    size = random_.choice([1, 3, 10, 10, 50])
    return Program(material.world.name, found, zone, now.astimezone(UTC).isoformat(), writing.draft.params, size)


def _where(writing: Writing, first: Use | None, choose: Choose, most: int) -> str | None:
    random_ = writing.random
    parts: list[str] = []
    if first is not None and first.part != "where" and most == 0:
        return ""
    if first is not None and first.part == "where":
        found = writing.condition(first.place, first.form)
        if found is None:
            return None
        parts.append(found)
    for _ in range(20):
        if len(parts) >= most:
            break
        use = choose("where", writing.entity)
        found = writing.condition(use.place, use.form) if use is not None else None
        if found:
            parts.append(found)
    kind = random_.random()
    if kind < 0.06 and (named := _named(writing)):
        parts.append(named)
    elif kind < 0.12 and (words := _about(writing)):
        parts.append(words)
    if len(parts) > 1 and random_.random() < 0.15:
        joined = f"({parts[0]} or {parts[1]})"
        return " and ".join([joined, *parts[2:]])
    return " and ".join(
        f"not (not ({part}))" if random_.random() < 0.05 and "about" not in part else part for part in parts
    )


def _chosen(writing: Writing, choose: Choose, part: str, count: int) -> list[Use]:
    uses = [choose(part, writing.entity) for _ in range(count)]
    return [use for use in uses if use is not None]


def _named(writing: Writing) -> str | None:
    names = list(writing.entity.conditions)
    if not names:
        return None
    name = writing.random.choice(names)
    if "$me" in writing.entity.conditions[name]:
        for place in writing.material.places(writing.entity):
            if place.field.reference is not None and f"{place.text} = $me" in writing.entity.conditions[name]:
                values = writing.material.values(place, writing.hit)
                writing.draft.params["me"] = str(values[0]) if values else "nobody"
    return written(name)


def _about(writing: Writing) -> str | None:
    """Words of a text field of the entity: ranked, or as a phrase in one of them."""
    fields = [field for field in writing.entity.text if field.mapped.analysed]
    strings = [
        value
        for one in fields
        for value in writing.material.values(Place(writing.entity, one, None, "", ""), writing.hit)
        if isinstance(value, str)
    ]
    words = word_break.words(writing.random.choice(strings)) if strings else []
    if not words:
        return None
    start = writing.random.randrange(len(words))
    return f"{writing.random.choice(['about', 'about', 'mentions'])} {text(' '.join(words[start : start + 2]))}"


def _find(writing: Writing, first: Use | None, choose: Choose) -> str | None:
    random_ = writing.random
    where = _where(writing, first, choose, random_.choice([1, 3, 5, 7, 9]))
    if where is None:
        return None
    parts = [f"find {written(writing.entity.plural)}" + (f" where {where}" if where else "")]
    sorts = [first] if first is not None and first.part == "sort" else []
    if " about " not in f" {where}" or sorts:
        sorts += _chosen(writing, choose, "sort", random_.choice([0, 2, 4, 6]))
    keys = dict.fromkeys(f"{use.place.text}{' desc' if use.form == 'desc' else ''}" for use in sorts)
    if keys and random_.random() < 0.15:
        groups = [use for use in _chosen(writing, choose, "group", 2) if writing.holds(use.place)]
        texts = [found for use in groups if (found := writing.group(use.place, use.form))]
        if texts:
            parts.append(f"top {random_.randint(1, 3)} per {', '.join(dict.fromkeys(texts))}")
    if keys:
        parts.append(f"sort {', '.join(keys)}")
    if not where or random_.random() < 0.3:
        ties = " with ties" if keys and random_.random() < 0.3 else ""
        offset = f" offset {random_.randint(1, 3)}" if random_.random() < 0.2 else ""
        parts.append(f"limit {random_.randint(1, 40)}{ties}{offset}")
    shown = [first] if first is not None and first.part == "show" else []
    if shown or random_.random() < 0.5:
        shown += _chosen(writing, choose, "show", random_.choice([1, 3, 6, 12]))
    if shown:
        parts.append("show " + ", ".join(dict.fromkeys(use.place.text for use in shown)))
    return " ".join(parts)


def _rows(writing: Writing, first: Use | None, choose: Choose) -> str | None:
    random_ = writing.random
    where = _where(writing, first, choose, random_.choice([0, 1, 3, 4, 5]))
    if where is None or "about " in where:
        return None
    measures: list[str] = ["count"] if random_.random() < 0.4 else []
    uses = [first] if first is not None and first.part == "measure" else []
    uses += _chosen(writing, choose, "measure", random_.choice([1, 3, 6, 9]))
    measures += [found for use in uses if (found := writing.measure(use.place, use.form))]
    for use in _chosen(writing, choose, "where", random_.choice([1, 3, 5])):
        found = writing.condition(use.place, use.form)
        measures += [f"share({found})"] if found else []
    uses = [first] if first is not None and first.part == "group" else []
    more = _chosen(writing, choose, "group", random_.choice([2, 3, 3]) if where.count(" and ") > 1 else 1)
    uses += [use for use in more if writing.holds(use.place)]  # a row needs a key of each group
    groups = list(dict.fromkeys(found for use in uses[:3] if (found := writing.group(use.place, use.form))))
    measures = list(dict.fromkeys(measures)) or ["count"]
    if groups and _is_estimate(measures[0]):
        measures.insert(0, "count")  # rows come by the first measure
    exact = [one for one in measures if not _is_estimate(one) and not one.startswith("(")]
    if groups and exact and random_.random() < 0.2:
        measures.append(f"total({random_.choice(exact)})")
    head = "count" if measures == ["count"] else f"{', '.join(measures)} of"
    parts = [f"{head} {written(writing.entity.plural)}"]
    if where:
        parts.append(f"where {where}")
    if groups:
        parts.append(_grouped(writing, groups, measures))
    return " ".join(parts)


def _grouped(writing: Writing, groups: list[str], measures: list[str]) -> str:
    random_ = writing.random
    if len(groups) > 1 and random_.random() < 0.3:
        groups = [*groups[:-1], f"{groups[-1]} top {random_.randint(1, 3)}"]
    found = f"by {', '.join(groups)}"
    if random_.random() < 0.2:
        least = random_.choice([0, 0, 0, 1])
        found += random_.choice(
            [
                f" having count >= {least + 1}",
                f" having count > {least} and count < 5000",
                f" having not count = {least}",
                " having count = 1 or count >= 3",
            ]
        )
    if random_.random() < 0.5:
        key = random_.choice([*(one for one in measures if not _is_estimate(one)), "count"])
        found += f" sort {key}{random_.choice([' desc', ''])}"
        if random_.random() < 0.5:
            found += f" limit {random_.randint(1, 12)}{random_.choice(['', ' with ties'])}"
    return found


def _is_estimate(measure: str) -> bool:
    """The server estimates it, or adds up longs as doubles, so that no order and no cut may hang on it."""
    return measure.startswith(("median(", "percentile(", "sum(long", "avg(long"))


def _get(writing: Writing, use: Use, choose: Choose) -> str | None:
    random_, entity = writing.random, writing.entity
    texts = [use.place.text]
    more = _chosen(writing, choose, "get", random_.choice([4, 8, 16]))
    # One without a value would leave no answer.
    texts += [one.place.text for one in more if writing.material.values(one.place, writing.hit)]
    if use.form == "lookup":
        names = [
            str(value)
            for one in entity.names
            for value in writing.material.values(Place(entity, one, None, "", ""), writing.hit)
        ]
        key = (
            writing.material.values(Place(entity, entity.id, None, "", ""), writing.hit)[0]
            if entity.id
            else writing.hit["_id"]
        )
        name = random_.choice([*names, str(key)])
        return f"get {written(entity.name)}({text(name)}).{', '.join(dict.fromkeys(texts))}"
    if len(writing.material.values(replace(use.place, element=None), writing.hit)) != 1:
        return None  # the one that is needed would be asked for
    name = entity.id.name if entity.id is not None and random_.random() < 0.8 else None
    places = [one for one in writing.material.places(entity) if one.element is None and name in (None, one.field.name)]
    place = random_.choice(places)
    values = writing.material.values(place, writing.hit)
    condition = FORMS["equals"](writing.draft, At(place, place.text, writing.hit, values))
    if condition is None:
        return None
    return f"get (find {written(entity.plural)} where {condition} and {use.place.text} exists limit 1).{texts[0]}"
