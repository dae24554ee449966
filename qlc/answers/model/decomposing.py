"""A question taken apart by a language model, in two phases: the router sees buckets, the planner the fields of those.

What it gives becomes conditions through the compiler, as what the rules read does. What is wrong goes back once; what
is still wrong becomes words to search for, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from qlc.answers.accounting import left_over
from qlc.answers.conditions import Condition
from qlc.answers.groups import Group
from qlc.answers.linking import Linked, link
from qlc.answers.naming import Name
from qlc.answers.planning import DOCUMENTS, Plan
from qlc.answers.searching import Searches
from qlc.answers.terms import Term
from qlc.answers.vocabulary import LinkedField
from qlc.base.options import Options, zone_of
from qlc.base.words.spelling import nearest
from qlc.corpus.schema import CorpusSchema
from qlc.language.comparisons import Comparison
from qlc.language.quantities import Style, quantities
from qlc.language.stems import stem
from qlc.models.exchange import ModelReply

from .calls import Calls, Wrong, given
from .constraints import Within, operator_of
from .forms import PLAN, ROUTE, Planned, Routed
from .prompts import MOST_UNROUTED, all_fields, planner, router

NOT_SAID = "The language model added a condition that is not in the question: I left it out."
UNUSED = (
    "nothing in the plan stands for {words}: put each word into the raw_text of the constraint that means it, or into "
    "topic_terms"
)
_GROUP = re.compile(r"(year|quarter|month|week|weekday|day)\((\w+)\)")


@dataclass(frozen=True, slots=True)
class Read:
    """A question as a model read it.

    notes: what could not be a condition. limits: what a condition on another bucket leaves out.
    """

    plan: Plan
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


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
    within = Within(f"{linked.text}\n{searches.earlier}", bucket, fields, searches)
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
        parts += [one.raw_text for one in planned.joined]
        parts += [each.raw_text for one in planned.joined for each in one.constraints]
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
        bounds=tuple(Comparison(operator_of(one), found[0], one.raw_text, 0, 0) for one, found in valued if found),
    )  # fmt: skip
    words = [one for one in dict.fromkeys([*rest.topic, *said]) if one.strip()]
    plan = Plan(read, bucket, tuple(conditions), tuple(names), tuple(asked),
                tuple(Term(stem(one, linked.language), one, 0, 0) for one in words), (), "", are_joined=True,
                groups=groups, limit=planned.limit if planned.measure in ("min", "max") else 0)  # fmt: skip
    notes = [f"'{one}' is not used as a condition: I searched for its words." for one in said]
    notes += [NOT_SAID] if len(said) < len({*rest.lost}) else []
    wrong = Wrong(*rest.problems, nearest=within.near) if rest.problems else None
    return Read(plan, tuple(notes), tuple(within.limits)), wrong


def _linked_field(within: Within, name: str) -> LinkedField:
    return LinkedField(within.bucket, name, within.fields[name], 1.0, frozenset())


def _constraints(planned: Planned, within: Within, rest: _Rest) -> tuple[list[Condition], list[Name]]:
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
    for joined in planned.joined:
        made = within.joined(joined)
        if isinstance(made, Condition):
            conditions.append(made)
        else:
            rest.problems.append(f"joined with '{joined.bucket[:60]}': {made}")
            rest.lost.append(joined.raw_text)
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
    planned: Planned, names: Sequence[Name], within: Within, rest: _Rest
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


def _groups(planned: Planned, within: Within, rest: _Rest) -> tuple[Group, ...]:
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
