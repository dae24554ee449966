"""A question taken apart by a language model, in two phases: the router sees buckets, the planner the fields of those.

What it gives becomes conditions through the compiler, as what the rules read does. What is wrong goes back once; what
is still wrong becomes words to search for, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from qlc.answers.accounting import left_over
from qlc.answers.conditions import Condition, can_be, compared
from qlc.answers.decomposition import Constraint, EntityRef
from qlc.answers.groups import Group
from qlc.answers.linking import Linked, link
from qlc.answers.naming import Name
from qlc.answers.planning import DOCUMENTS, Plan
from qlc.answers.searching import Searches, label_of
from qlc.answers.terms import Term, restricts_otherwise
from qlc.answers.vocabulary import LinkedField
from qlc.base.options import Options, zone_of
from qlc.base.words.spelling import nearest
from qlc.corpus.schema import CorpusSchema, FieldPart
from qlc.grammar.printer import print_string
from qlc.language.comparisons import Comparison, Operator, comparisons, in_currency, period_comparisons
from qlc.language.quantities import Style, named_currency, quantities
from qlc.language.stems import stem
from qlc.language.units import convert
from qlc.models.exchange import ModelReply
from qlc.outcome import Invalid

from .calls import Calls, Wrong, given
from .forms import PLAN, ROUTE, Planned, Routed
from .prompts import MOST_UNROUTED, all_fields, planner, router

_MOST_VALUES = 200
"""Values of a field among which near ones are looked for."""
_MOST_SHOWN = 8
"""Values of a field that are shown where none is near."""
NOT_SAID = "The language model added a condition that is not in the question: I left it out."
UNUSED = (
    "nothing in the plan stands for {words}: put each word into the raw_text of the constraint that means it, or into "
    "topic_terms"
)
_PERIOD = re.compile(
    r"\d{4}(?:-\d\d|-[qw]\d{1,2})?|(?:this|last|next) (?:year|month|week|quarter)|today|yesterday|tomorrow",
    re.IGNORECASE,
)


_GROUP = re.compile(r"(year|quarter|month|week|weekday|day)\((\w+)\)")


@dataclass(frozen=True, slots=True)
class Read:
    """A question as a model read it. `notes` say what could not be a condition."""

    plan: Plan
    notes: tuple[str, ...] = ()


def decomposed(linked: Linked, calls: Calls, searches: Searches) -> Read:
    """Raises NoReply."""
    schema = searches.schema
    buckets: Sequence[str] = list(schema.file.buckets)
    if sum(1 + len(one.fields) for one in schema.file.buckets.values()) > MOST_UNROUTED:
        buckets = calls.asked(router(linked.text, schema), lambda one: _routed(one, schema)) or buckets[:3]
    request = planner(linked.text, buckets, schema, today(searches), searches.earlier, searches.coverage)
    return calls.asked(request, lambda one: _plan(given(one, PLAN, Planned), linked, buckets, searches))


def today(searches: Searches) -> str:
    """The day of the caller's clock, in ISO 8601."""
    options = Options.of(searches.options)
    return options.instant.astimezone(zone_of(options.timezone)).date().isoformat()


def _routed(reply: ModelReply, schema: CorpusSchema) -> tuple[Sequence[str], Wrong | None]:
    chosen, known = given(reply, ROUTE, Routed).buckets, schema.file.buckets
    if wrong := [name for name in chosen if name not in known]:
        near = [other for name in wrong for other in nearest(name, known)]
        raise Wrong(*(f"there is no bucket '{name[:60]}'" for name in wrong), nearest=near)
    return chosen, None


@dataclass(slots=True)
class _Rest:
    """The leftovers of a model's plan: problems, words that are searched for, and words that have no use."""

    problems: list[str]
    topic: list[str]
    lost: list[str]


def _plan(planned: Planned, linked: Linked, buckets: Sequence[str], searches: Searches) -> tuple[Read, Wrong | None]:
    """Return the valid part of the model's plan, and the problems of the rest."""
    rest = _Rest([], [*planned.topic_terms], [])
    bucket = planned.bucket or DOCUMENTS
    if bucket != DOCUMENTS and bucket not in buckets:
        rest.problems.append(f"there is no bucket '{bucket[:60]}' here; there are {', '.join(buckets)}")
        bucket = buckets[0] if len(buckets) == 1 else DOCUMENTS
    part = searches.schema.file.buckets.get(bucket)
    fields = all_fields(part) if part is not None else {}
    within = _Within(f"{linked.text}\n{searches.earlier}", bucket, fields, searches)
    if searches.earlier and planned.question.strip():
        linked = link(" ".join(planned.question.split()), searches.schema)
    conditions, names = _constraints(planned, within, rest)
    names, titled = _entities(planned, names, within, rest)
    conditions += titled
    asked = []
    for name in dict.fromkeys(planned.fields):
        if name in fields:
            asked.append(_linked_field(within, name))
        else:
            rest.problems.append(f"{bucket} have no field '{name[:60]}'")
            within.near[name[:60]] = nearest(name, fields)
    groups = _groups(planned, within, rest)
    if planned.intent not in ("qa", "summarize") and part is not None:
        meant = [one.field for one in planned.constraints if one.field in fields] + [one.field for one in groups]
        parts = [one.raw_text for one in planned.constraints] + [one.name for one in planned.entities]
        parts += [planned.computed_text] if within.says(planned.computed_text) else []
        known = [*asked, *(_linked_field(within, one) for one in meant)]
        left = left_over(linked, bucket, known, [*parts, *planned.topic_terms], searches.schema)
        rest.problems += [UNUSED.format(words=", ".join(map(repr, left[:8])))] if left else []
        rest.lost += left
    said = [one for one in dict.fromkeys(rest.lost) if within.says(one)]
    valued = [(one.constraint, quantities(str(one.constraint.value), Style())) for one in conditions if one.constraint]
    is_table = planned.intent == "qa" and planned.format == "table"
    read = replace(
        linked, intent="compare" if is_table else planned.intent, measure=planned.measure,
        buckets=(bucket,) if part is not None else (), chosen=(),
        bounds=tuple(Comparison(_sign(one), found[0], one.raw_text, 0, 0) for one, found in valued if found),
    )  # fmt: skip
    words = [one for one in dict.fromkeys([*rest.topic, *said]) if one.strip()]
    plan = Plan(read, bucket, tuple(conditions), tuple(names), tuple(asked),
                tuple(Term(stem(one, linked.language), one, 0, 0) for one in words), (), "", are_joined=True,
                groups=groups, limit=planned.limit if planned.measure in ("min", "max") else 0)  # fmt: skip
    notes = [f"'{one}' is not used as a condition: I searched for its words." for one in said]
    notes += [NOT_SAID] if len(said) < len({*rest.lost}) else []
    return Read(plan, tuple(notes)), Wrong(*rest.problems, nearest=within.near) if rest.problems else None


def _linked_field(within: _Within, name: str) -> LinkedField:
    return LinkedField(within.bucket, name, within.fields[name], 1.0, frozenset())


def _constraints(planned: Planned, within: _Within, rest: _Rest) -> tuple[list[Condition], list[Name]]:
    """Return the conditions and names that the constraints of a plan say; `either` joins some of them."""
    made_ones: dict[int, Condition | Name] = {}
    known = within.searches.coverage(within.bucket, [one.field for one in planned.constraints])
    for at, constraint in enumerate(planned.constraints):
        if known.get(constraint.field, (1, 1))[0] == 0:  # nothing follows from a field that no document tells
            rest.topic.append(constraint.raw_text)
            continue
        made = within.condition(constraint)
        if isinstance(made, str):
            rest.problems += [f"constraint on '{constraint.field[:60]}': {made}"] if made else []
            rest.lost.append(constraint.raw_text)
        else:
            made_ones[at] = made
    conditions = []
    for numbers in planned.either:
        some = [made_ones.pop(at) for at in dict.fromkeys(numbers) if at in made_ones]
        some = [one for one in some if not (isinstance(one, Name) and one.is_only_mentioned)]
        if len(some) == len({*numbers}) > 1:
            conditions.append(_one_is_enough(some))
        else:  # without one of them, the others would leave documents out
            rest.problems.append(f"either {[*numbers]}: not each of them is a constraint of its own that holds")
            rest.lost += [planned.constraints[at].raw_text for at in {*numbers} if at < len(planned.constraints)]
    conditions += [one for one in made_ones.values() if isinstance(one, Condition)]
    return conditions, [one for one in made_ones.values() if isinstance(one, Name)]


def _entities(
    planned: Planned, names: Sequence[Name], within: _Within, rest: _Rest
) -> tuple[list[Name], list[Condition]]:
    """Return the names of a plan, and a condition on the title where other names hold together with it."""
    names, titled = [*names], list[Name]()
    for entity in planned.entities:
        named = within.name(entity)
        if isinstance(named, Name):
            (names if entity.role in within.fields else titled).append(named)
        elif entity.role in within.fields:
            rest.problems += [f"entity '{entity.name[:60]}': {named}"] if named else []
            rest.lost.append(entity.name)
        elif within.says(entity.name):
            rest.topic.append(entity.name)
    if not (names and titled):
        return list(dict.fromkeys(names or titled)), []
    either = " or ".join(dict.fromkeys(one.condition() for one in titled))
    raw = " ".join(one.text for one in titled)
    return list(dict.fromkeys(names)), [Condition("title", f"({either})" if len(titled) > 1 else either, raw)]


def _groups(planned: Planned, within: _Within, rest: _Rest) -> tuple[Group, ...]:
    """Return what the numbers of a plan are grouped by."""
    groups = []
    for said in planned.group_by if planned.intent == "compute" else ():
        name = _GROUP.sub(r"\2", said)
        if name in within.fields and within.fields[name].type != "rows":
            groups.append(Group(within.bucket, name, said, 0, 0))
        else:
            rest.problems.append(f"{within.bucket} have no field '{said[:60]}' to group by")
    return tuple(groups)


def _one_is_enough(some: Sequence[Condition | Name]) -> Condition:
    """Join conditions by or: `rent > 900 EUR`, `city = "Bonn"` -> `(rent > 900 EUR or city = "Bonn")`."""
    text = " or ".join(one.condition() if isinstance(one, Name) else one.text for one in some)
    fields = dict.fromkeys(field for one in some for field in one.fields)
    raw = " or ".join(one.text if isinstance(one, Name) else one.raw for one in some)
    return Condition(next(iter(fields)), f"({text})", raw, others=(*fields,)[1:])


@dataclass
class _Within:
    """Checks a model's plan against the question and the fields of a bucket. `near` collects values and fields that
    resemble unknown ones."""

    question: str
    bucket: str
    fields: Mapping[str, FieldPart]
    searches: Searches
    near: dict[str, list[str]] = field(default_factory=dict)

    def says(self, part: str) -> bool:
        """Whether a text is a part of the question. Other texts are neither quoted nor searched for."""
        said, asked = (" ".join(text.casefold().split()) for text in (part, self.question))
        return bool(said) and said in asked

    def condition(self, one: Constraint) -> Condition | Name | str:
        """Return the condition of a constraint, after compiling it, or an error."""
        if not self.says(one.raw_text):
            return f"raw_text {one.raw_text[:80]!r} is not a part of the question"
        part = self.fields.get(one.field)
        if part is None:
            self.near[one.field[:60]] = nearest(one.field, self.fields)
            return f"{self.bucket} have no field '{one.field[:60]}'"
        rows, _, inner = one.field.rpartition(".")
        if one.value is None or one.value == [] or (isinstance(one.value, str) and not one.value.strip()):
            if one.operator not in ("=", "!="):
                return "an empty value goes with = (no value is known) or != (any value)"
            exists = f"{rows}[{inner} exists]" if rows else f"{one.field} exists"
            text = exists if one.operator == "!=" else f"not {exists}" if rows else f"{one.field} missing"
            return Condition(rows or one.field, text, one.raw_text, one)
        if isinstance(one.value, list) and part.type != "choice":
            return self._one_of(one)
        if part.type in ("name", "text"):
            if one.operator not in ("=", "!=", "in", "contains"):
                return f"a field of type {part.type} has no {one.operator}"
            if one.operator == "!=" and not rows:
                text = f"{one.field} exists and not {one.field} contains {print_string(str(one.value))}"
                return Condition(one.field, f"({text})", one.raw_text, one)
            return self.name(EntityRef(name=str(one.value), role=one.field))
        made = _typed(one.model_copy(update={"field": inner}), part)
        if made is None:
            self.near[one.field] = list(part.values)[:40]
            unit = f" in {part.unit}" if part.unit else ""
            return f"{str(one.value)[:80]!r} is not a value of a field of type {part.type}{unit}"
        if rows:
            made = replace(made, field=rows, text=f"{rows}[{made.text}]", constraint=one)
        if (otherwise := _raw_text_mismatch(one)) is not None:
            return otherwise
        program = f"count {self.bucket} where {made.text}"
        found = self.searches.run("check", program, "whether the condition can be checked")
        if isinstance(found, Invalid):
            return "; ".join(f"{note.message} ({note.hint})" for note in found.diagnostics[:2])
        return made

    def _one_of(self, one: Constraint) -> Condition | str:
        """Return the condition that one of several values holds, or none of them; or an error."""
        if one.operator not in ("=", "in", "contains", "!="):
            return f"{one.operator} takes one value, no list"
        is_none = one.operator == "!="
        texts = []
        for value in one.value:
            made = self.condition(one.model_copy(update={"value": value, "operator": "!=" if is_none else "="}))
            if isinstance(made, str):
                return made
            texts.append(made.condition() if isinstance(made, Name) else made.text)
        text = f"({(' and ' if is_none else ' or ').join(texts)})"
        return Condition(one.field.partition(".")[0], text, one.raw_text, one)

    def name(self, one: EntityRef) -> Name | str:
        """Return a name that documents of the bucket have, or an error; the error is empty if no document has the
        field.

        Values that the caller may not see do not count.
        """
        part = self.fields.get(one.role)
        if part is not None and part.type not in ("name", "text"):
            return f"'{one.role}' has no names: it is of type {part.type}"
        begin = max(self.question.casefold().find(one.name.casefold()), 0)
        name = Name(one.name, frozenset({begin}), (), (), frozenset())
        rows, _, inner = one.role.rpartition(".") if part is not None else ("", "", "")
        among = (one.role,) if part is not None else ("title", "file")
        said = print_string(one.name)
        tried = [replace(name, fields=among, values=(one.name,))]
        if rows:
            tried = [replace(name, fields=(rows,), made=f"{rows}[{inner} contains {said}]", in_rows=True)]
        elif part is None:  # the words of a title, in any order
            words = " and ".join(f"(title contains {text} or file contains {text})"
                                 for text in map(print_string, one.name.split()))  # fmt: skip
            tried.append(replace(name, made=f"({words})"))
        elif part.type == "name":
            tried.append(replace(name, fields=(one.role, "title", "file"), values=(one.name,)))
        if not rows and any(letter.isupper() or letter.isdigit() for letter in one.name):
            tried.append(replace(name, made=f"mentions {said}"))
        for attempt in tried:
            program = f"find {self.bucket} where {attempt.condition()} limit 100"
            total, hits = self.searches.hits("check", program, f"who has {said}")
            if total:
                return replace(attempt, documents=frozenset(hit.id for hit in hits))
        values = [] if rows else list(self._values(among[0]))
        self.near[one.name[:60]] = nearest(one.name, values) or values[:_MOST_SHOWN]
        return f"no {among[0]} has it" if values or rows else ""

    def _values(self, field: str) -> Iterator[str]:
        if field == "title":
            _, hits = self.searches.hits("near", f"find {self.bucket} limit 100 show title", "titles that are near")
            yield from (str(hit.values.get("title")) for hit in hits)
            return
        program = f"count {self.bucket} by {field} limit {_MOST_VALUES}"
        rows: Any = self.searches.run("near", program, f"values of {field}")
        yield from (label for row in getattr(rows, "rows", ()) if (label := label_of(row.key)))


def _raw_text_mismatch(one: Constraint) -> str | None:
    """Return an error if `raw_text` has another amount than the constraint, or compares in the other direction; else
    None."""
    said = [bound for bound in comparisons(one.raw_text) if bound.quantity.kind in ("measure", "money")]
    given = [bound for bound in comparisons(str(one.value)) if bound.quantity.kind != "date"]
    if len(said) != 1 or len(given) != 1 or restricts_otherwise(one.raw_text):
        return None
    asked, amount = said[0].quantity, given[0].quantity
    unit = amount.unit or asked.unit
    number = amount.number if unit == asked.unit else convert(amount.number, unit, asked.unit)
    if number is not None and number != asked.number:
        return f"raw_text says {one.raw_text!r}, and the value is {str(one.value)[:40]!r}"
    sides = {sign[:1] for sign in (said[0].operator, one.operator)} & {"<", ">"}
    return f"raw_text says {one.raw_text!r}, and the operator is {one.operator}" if len(sides) == 2 else None


def _typed(one: Constraint, part: FieldPart) -> Condition | None:
    """A condition on a choice, a truth, a date or an amount; None for a value of another kind."""
    name, said = one.field, str(one.value).strip()
    if part.type == "boolean":
        is_true = {"true": True, "yes": True, "false": False, "no": False}.get(said.lower())
        if is_true is None or one.operator not in ("=", "!=", "in", "contains"):
            return None
        return Condition(name, name if is_true == (one.operator != "!=") else f"not {name}", one.raw_text, one)
    if part.type == "choice":
        listed = one.value if isinstance(one.value, list) else [one.value]
        chosen = [_choice(str(value), part) for value in listed]
        if any(value is None for value in chosen) or one.operator not in ("=", "!=", "in", "contains"):
            return None
        values = ", ".join(print_string(str(value)) for value in chosen)
        text = f"{name} {'not in' if one.operator == '!=' else 'in'} [{values}]"
        if len(chosen) == 1:
            text = f"{name} {'!=' if one.operator == '!=' else '='} {values}"
        return Condition(name, text, one.raw_text, one)
    operator = _sign(one)
    if part.type == "date" and (times := _times(said, operator)):
        signs = ["in" if sign == "=" and not period.isalpha() else sign for sign, period in times]
        text = " and ".join(f"{name} {sign} {period}" for sign, (_, period) in zip(signs, times, strict=True))
        return Condition(name, f"{name} exists and not ({text})" if operator == "!=" else text, one.raw_text, one)
    found = [in_currency(amount, said) for amount in quantities(said, Style())]
    if part.type == "money" and not found and operator in ("=", "!=") and (currency := named_currency(said)):
        return Condition(name, f"{name}_currency {operator} {print_string(currency[0])}", one.raw_text, one)
    if len(found) != 1 or re.search(r"[^\W\d_]", said[: found[0].start] + said[found[0].end :]):
        return None  # a unit that is not known is no number without one
    bound = Comparison(operator, found[0], one.raw_text, 0, 0)
    if not can_be(bound, part) and not (found[0].kind == "number" and part.type in ("number", "duration", "money")):
        return None
    return Condition(name, compared(name, part, bound)[0], one.raw_text, one)


def _sign(one: Constraint) -> Operator:
    """Return the comparison of a constraint; `in` and `contains` are `=`."""
    return "=" if one.operator == "in" or one.operator == "contains" else one.operator


def _times(said: str, operator: Operator) -> list[tuple[Operator, str]]:
    """Return a time as comparisons of the query language: `Q1 2024`, `March 2024`; `H1 2024` has two ends."""
    sign: Operator = "=" if operator == "!=" else operator
    if _PERIOD.fullmatch(said):
        return [(sign, said.upper() if said[:1].isdigit() else said.lower())]
    spoken = {"=": "", ">=": "since ", "<=": "up to ", ">": "after ", "<": "before "}[sign] + said
    found = [one for one in period_comparisons(spoken) if one.text == spoken]
    return [(one.operator, one.period) for one in found]


def _choice(said: str, part: FieldPart) -> str | None:
    for value, others in part.values.items():
        if said.casefold() in (one.casefold() for one in (value, *others)):
            return value
    return None
