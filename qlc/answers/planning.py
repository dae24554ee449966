"""From words to conditions: which bucket, which documents in it, which of their fields, and what is left as a topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from qlc.corpus.schema import CorpusSchema, FieldPart
from qlc.grammar.printer import print_string
from qlc.grammar.units import find_unit

from .decomposition import Constraint, Decomposition, EntityRef, OutputPreferences, Subquery
from .linking import KIND_NOUNS, LEAST, Bound, Linked, LinkedField, fits, is_year, phrases
from .naming import Name, names_in
from .searching import Searches
from .terms import Term, stem

_GENERIC = frozenset(
    stem(word)
    for word in re.findall(
        r"\S+",
        """documents files models products items types kinds units pieces things ones entries records papers name names
        value values data information detail details current currently exactly only also each per total overall maximum
        minimum max min date number amount currency main key important exactly
        now pay pays paid made found come comes hold held holds keep keeps carried go goes got become allowed use
        used""", )
)
"""Words that restrict nothing: every document is of some kind, every value is a value."""


DOCUMENTS = "documents"
"""All documents, whatever their bucket."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in the query language, the field it is on, and the part of the question that says so."""

    field: str
    text: str
    raw: str
    constraint: Constraint | None = None
    is_guess: bool = False
    """Whether no word says which field is meant, and it is the only one that can be."""


@dataclass(frozen=True, slots=True)
class Open:
    """An amount that no condition is made of, and the fields that it could be about."""

    text: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to look for in one bucket. `topic` are the words that nothing explains."""

    linked: Linked
    bucket: str
    conditions: tuple[Condition, ...]
    names: tuple[Name, ...]
    asked: tuple[LinkedField, ...]
    topic: tuple[Term, ...]
    unused: tuple[Open, ...]

    @property
    def where(self) -> str:
        """The conditions of the fields and the names together; empty where there are none."""
        return " and ".join((*(one.text for one in self.conditions), *joined_names(self.names)))

    @property
    def is_typed(self) -> bool:
        return bool(self.conditions or self.names)

    def decomposition(self) -> Decomposition:
        linked = self.linked
        program = f"find {self.bucket}{f' where {self.where}' if self.where else ''}"
        return Decomposition(
            intent=linked.intent,
            primary_buckets=(self.bucket,) if self.bucket in linked.buckets or self.is_typed else (),
            entities=tuple(EntityRef(name=one.text, role=one.fields[0]) for one in self.names),
            constraints=tuple(one.constraint for one in self.conditions if one.constraint is not None),
            topic_terms=tuple(one.raw for one in self.topic),
            subqueries=tuple(Subquery(purpose=one.name, query=f"{program} show {one.name}") for one in self.asked),
            output_preferences=OutputPreferences(
                format={"compare": "table",
                "list": "list"}.get(linked.intent, "natural_language")  # type: ignore[arg-type]
            ),
        )


def joined_names(names: Iterable[Name]) -> list[str]:
    """Names of one field are alternatives, of different ones they hold together."""
    groups: list[tuple[set[str], list[str]]] = []
    for one in names:
        group = next((some for some in groups if some[0] & set(one.fields)), None)
        if group is None:
            groups.append((set(one.fields), [one.condition()]))
        else:
            group[0].update(one.fields)
            group[1].append(one.condition())
    return [some[0] if len(some) == 1 else f"({' or '.join(some)})" for _, some in groups]


def plans(linked: Linked, searches: Searches) -> list[Plan]:
    """One for each bucket that the question can be about, the one that explains most of it first."""
    schema = searches.schema
    named = linked.buckets or tuple(dict.fromkeys(_hinted(linked)))
    found = [_plan(linked, bucket, searches) for bucket in named or tuple(schema.file.buckets)]
    if not named:
        found.append(_plan(linked, DOCUMENTS, searches))
    return sorted(
        found,
        key=lambda one: (len(one.topic) + len(one.unused), -len(one.conditions), -sum(f.score for f in one.asked)),
    )


def _hinted(linked: Linked) -> Iterator[str]:
    for one in linked.fields:
        if one.score >= LEAST:
            yield one.bucket
    for chosen in linked.chosen:
        yield chosen.bucket


def _plan(linked: Linked, bucket: str, searches: Searches) -> Plan:
    fields = [one for one in linked.fields if one.bucket == bucket]
    conditions: list[Condition] = []
    constrained: set[str] = set()
    unused: list[Open] = []
    for chosen in linked.chosen:
        if chosen.bucket == bucket and chosen.field not in constrained:
            raw = next(one.raw for one in linked.terms if one.begin in chosen.used)
            text = f"{chosen.field} = {print_string(chosen.value)}"
            constraint = Constraint(field=chosen.field, operator="=", value=chosen.value, raw_text=raw)
            conditions.append(Condition(chosen.field, text, raw, constraint))
            constrained.add(chosen.field)
    for bound in linked.bounds:
        one = _bounded(bound, bucket, fields, linked.text, searches.schema)
        if isinstance(one, Open) and (name := searches.chosen("field")) is not None and name in one.fields:
            text, amount = _compared(name, _declared(bucket, searches.schema)[name], bound)
            constraint = Constraint(field=name, operator=bound.operator, value=amount, raw_text=bound.text)
            one = Condition(name, text, bound.text, constraint)
        if isinstance(one, Open):
            unused.append(one)
        else:
            conditions.append(one)
            constrained.add(one.field)
    for period in linked.periods:
        dates = [name for name, part in _declared(bucket, searches.schema).items() if part.type == "date"]
        said = [one.name for one in fields if one.part.type == "date"]
        linked_dates = said or dates
        if len(linked_dates) == 1 and linked_dates[0] not in constrained:
            name = linked_dates[0]
            constraint = Constraint(field=name, operator="in", value=period.text, raw_text=period.text)
            conditions.append(Condition(name, f"{name} in {period.text}", period.text, constraint, not said))
            constrained.add(name)
        else:
            unused.append(Open(period.text, tuple(linked_dates)))
    past = _past(linked, fields)
    if past is not None and past.field not in constrained:
        conditions.append(past)
        constrained.add(past.field)
    free = [one for one in fields if one.name not in constrained]
    asked = _asked(free, linked)
    if linked.intent == "list":
        there = [one for one in asked if _is_condition(one, linked)]
        conditions += [_there(one) for one in there]
        constrained |= {one.name for one in there}
        asked = [one for one in asked if one not in there]
    used = {at for one in fields if one.name in constrained for at in one.used} | {
        at for one in asked for at in one.used
    }
    chosen_places = {at for one in linked.chosen if one.bucket == bucket for at in one.used}
    kinds = {one.part.type for one in fields if one.name in constrained or one in asked} | {linked.kind}
    generic = _GENERIC.union(*(KIND_NOUNS.get(kind, ()) for kind in kinds))
    left = [
        one for one in linked.terms
        if one.begin not in used | chosen_places | linked.bucket_words | linked.spent and one.stem not in generic
        and not _is_unit(one, linked)
    ]  # fmt: skip
    names = names_in(linked, left, bucket, searches)
    used |= {at for one in names for at in one.used}
    topic = tuple(one for one in left if one.begin not in used)
    named = {field for one in names for field in one.fields}
    if len(asked) > 1:
        asked = [one for one in asked if one.name == searches.chosen("field")] or asked
    if not asked and names and linked.kind:
        asked = _only_one_that_fits(free, linked, bucket, searches.schema)
        topic = tuple(one for one in topic if not any(one.begin in field.used for field in asked))
    asked = [one for one in asked if one.name not in named or linked.intent == "compare"]
    return Plan(linked, bucket, tuple(conditions), tuple(names), tuple(asked), topic, tuple(unused))


def _is_unit(term: Term, linked: Linked) -> bool:
    """Whether a word only says in which unit the answer is wanted."""
    before = linked.text[: term.begin].rstrip().lower()
    return find_unit(term.raw) is not None and (
        before.endswith((" in", "how many", "many")) or linked.kind == "duration"
    )


def _only_one_that_fits(
    fields: list[LinkedField], linked: Linked, bucket: str, schema: CorpusSchema
) -> list[LinkedField]:
    """The field that the words hint at, where the bucket has no other of the kind that is asked for."""
    fitting = [one for one in fields if fits(linked.kind, one.part)]
    declared = [part for part in _declared(bucket, schema).values() if fits(linked.kind, part)]
    return fitting if len(fitting) == len(declared) == 1 else []


def _asked(fields: list[LinkedField], linked: Linked) -> list[LinkedField]:
    """The fields whose values are wanted: those that explain words that no better field explains."""
    found: list[LinkedField] = []
    taken: set[int] = set()
    for one in fields:
        if one.score >= LEAST and not one.used & taken:
            rivals = [
                other for other in fields
                if other is not one and other.used & one.used and other.name not in {f.name for f in found}
                and one.score - other.score < LEAST / 3
            ]  # fmt: skip
            taken |= one.used
            if not rivals:
                found.append(one)
    return found


_HAVING = re.compile(r"\b(?:with|have|has|having)\s+(?:an?\s+|any\s+)?$", re.IGNORECASE)


def _is_condition(one: LinkedField, linked: Linked) -> bool:
    """Whether a list is of what has a field: a property that is true or not, or `with a liability cap`."""
    return one.part.type == "boolean" or _HAVING.search(linked.text, 0, one.begin) is not None


def _there(one: LinkedField) -> Condition:
    text = one.name if one.part.type == "boolean" else f"{one.name} exists"
    return Condition(one.name, text, phrases(one.name, one.part)[0])


_PAST = frozenset(stem(word) for word in ("expired", "lapsed", "overdue"))


def _past(linked: Linked, fields: list[LinkedField]) -> Condition | None:
    """What has expired has its date before today."""
    said = next((one for one in linked.terms if one.stem in _PAST and one.raw.endswith(("ed", "due"))), None)
    dates = [one for one in fields if one.part.type == "date" and said is not None and said.begin in one.used]
    if said is None or len(dates) != 1:
        return None
    name = dates[0].name
    constraint = Constraint(field=name, operator="<", value="today", raw_text=said.raw)
    return Condition(name, f"{name} < today", said.raw, constraint)


# --- amounts ---------------------------------------------------------------------------------------------------------


def _bounded(
    bound: Bound, bucket: str, fields: list[LinkedField], question: str, schema: CorpusSchema
) -> Condition | Open:
    """An amount as a condition on the field that it is nearest to, or on the only one that it can be about."""
    declared = _declared(bucket, schema)
    fitting = {name: part for name, part in declared.items() if _can_be(bound, part)}
    linked = [one for one in fields if one.name in fitting]
    if len(fitting) > 1 and all(_only_qualifies(one, bound, question) for one in linked):
        return Open(bound.text, tuple(fitting))
    if linked:
        name = min(linked, key=lambda one: (min(abs(at - bound.begin) for at in one.used), -one.score)).name
        is_guess = False
    elif len(fitting) == 1 and (bound.amount.unit or bound.amount.kind == "date" or is_year(bound)):
        name, is_guess = next(iter(fitting)), True
    else:
        return Open(bound.text, tuple(fitting))
    text, value = _compared(name, fitting[name], bound)
    constraint = Constraint(field=name, operator=bound.operator, value=value, raw_text=bound.text)
    return Condition(name, text, bound.text, constraint, is_guess)


def _declared(bucket: str, schema: CorpusSchema) -> dict[str, FieldPart]:
    """The fields of a bucket that everyone may see."""
    part = schema.file.buckets.get(bucket)
    return {name: one for name, one in part.fields.items() if not one.sensitive} if part is not None else {}


def _only_qualifies(one: LinkedField, bound: Bound, question: str) -> bool:
    """Whether a field is only said to be in an amount, or not in it: `more than 300 with VAT`."""
    between = question[bound.end : one.begin] if one.begin >= bound.end else ""
    return re.search(r"\b(?:with|including|incl|plus|without|excluding|excl|before)\b", between, re.I) is not None


def _can_be(bound: Bound, part: FieldPart) -> bool:
    amount = bound.amount
    match amount.kind:
        case "date":
            return part.type == "date"
        case "money":
            return part.type == "money"
        case "measure":
            one, other = find_unit(spelled_unit(amount.unit)), find_unit(part.unit) if part.unit else None
            return (
                part.type in ("number", "duration")
                and one is not None and other is not None
                and one.dimension == other.dimension
            )  # fmt: skip
        case _:
            return part.type == "date" if is_year(bound) else part.type in ("number", "money")


def spelled_unit(unit: str) -> str:
    """A unit of documents as the query language writes it."""
    return {"d": "days", "h": "hours", "s": "seconds", "week": "weeks", "month": "months", "year": "years"}.get(
        unit, unit
    )


def _compared(name: str, part: FieldPart, bound: Bound) -> tuple[str, object]:
    amount, sign = bound.amount, bound.operator
    if amount.kind == "date":
        assert amount.date is not None
        return f"{name} {sign} {amount.date.isoformat()}", amount.date.isoformat()
    if part.type == "date":
        return f"{name} {'in' if sign == '=' else sign} {int(amount.number)}", int(amount.number)
    number = f"{amount.number.normalize():f}"
    if amount.kind == "money":
        return (
            f"{name} {sign} {number} and {name}_currency = {print_string(amount.unit)}",
            f"{number} {amount.unit}",
        )
    unit = spelled_unit(amount.unit)
    return f"{name} {sign} {number} {unit}".rstrip(), f"{number} {unit}".rstrip()
