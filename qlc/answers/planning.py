"""From words to conditions: which bucket, which documents in it, which of their fields, and what is left as a topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from qlc.base.units import find_unit
from qlc.corpus.schema import CorpusSchema
from qlc.corpus.values.quantities import currency_said
from qlc.grammar.printer import print_string

from .accounting import generic_words, is_generic, soft_words, supported, value_places
from .asked import are_columns, asked_fields, is_condition, is_listed, only_one_that_fits
from .conditions import (
    Condition,
    Open,
    bounded,
    compared,
    condition_of,
    declared_fields,
    is_plain,
    lapsed,
    numbered,
)
from .decomposition import Constraint, Decomposition, EntityRef, Operator, OutputPreferences, Subquery
from .groups import Group
from .in_rows import names_in_rows
from .indirect import words_of_ends
from .linking import Chosen, Linked, is_asking
from .naming import Name, are_alternatives, joined_names, names_in, names_of_countries
from .searching import Reading, Searches
from .terms import RELATIONAL, Term, stem, stems
from .vocabulary import HALF_NAMED, LEAST, LinkedField

DOCUMENTS = "documents"
"""All documents, whatever their bucket."""


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
    rest: str
    """The question without its amounts, and without the words that conditions stand for."""
    expected: int = 0
    """How many documents the question speaks of: `the two reports`; 0 where it does not say."""
    shown: tuple[LinkedField, ...] = ()
    """Fields that a list is of: `which tenants`."""
    are_joined: bool = False
    """Whether all fields that are asked for are known to be wanted."""
    groups: tuple[Group, ...] = ()
    """What documents are counted or measured by."""

    @property
    def where(self) -> str:
        """The conditions of the fields and the names together; empty where there are none."""
        return " and ".join((*(one.text for one in self.conditions), *self.named))

    @property
    def is_unclear(self) -> bool:
        """Whether words are left that speak of a field, but do not say surely of which."""
        left = {one.begin for one in self.topic}
        return any(
            one.bucket == self.bucket and one.score >= HALF_NAMED and one.used & left for one in self.linked.fields
        )

    @property
    def named(self) -> list[str]:
        """The conditions of the names."""
        return joined_names(self.names, self.linked.text)

    @property
    def is_typed(self) -> bool:
        return bool(self.conditions or self.names)

    def decomposition(self) -> Decomposition:
        linked = self.linked
        program = f"find {self.bucket}{f' where {self.where}' if self.where else ''}"
        return Decomposition(
            intent=linked.intent,
            primary_buckets=(self.bucket,) if self.bucket in linked.buckets or self.is_typed else (),
            entities=tuple(
                EntityRef(name=one.text, role=one.fields[0] if one.fields else "text") for one in self.names
            ),
            constraints=tuple(one.constraint for one in self.conditions if one.constraint is not None),
            topic_terms=tuple(one.raw for one in self.topic),
            subqueries=tuple(Subquery(purpose=one.name, query=f"{program} show {one.name}") for one in self.asked),
            output_preferences=OutputPreferences(
                format={"compare": "table", "list": "list"}.get(linked.intent, "natural_language")  # type: ignore[arg-type]
            ),
        )


def plans(linked: Linked, searches: Searches) -> list[Plan]:
    """One for each bucket that the question can be about, the one that explains most of it first."""
    schema = searches.schema
    named = linked.buckets or tuple(dict.fromkeys(_hinted(linked)))
    first = named or (*schema.file.buckets, DOCUMENTS)
    found = searches.in_step([_plan(linked, bucket, searches) for bucket in first])
    if not linked.buckets and named and all(one.topic or one.unused for one in found):
        others = [one for one in schema.file.buckets if one not in named]
        found += searches.in_step([_plan(linked, bucket, searches) for bucket in others])
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


def _plan(linked: Linked, bucket: str, searches: Searches) -> Reading[Plan]:
    groups = tuple(one for one in linked.groups if one.bucket == bucket)
    grouping = {at for one in groups for at in (*range(one.begin, one.end), *range(*one.extreme_at))}
    by = {one.field for one in groups}
    grouping |= {at for one in linked.fields if one.bucket == bucket and one.name in by for at in one.used}
    again = {one.stem for one in linked.terms if one.begin in grouping}
    grouping |= {one.begin for one in linked.terms if one.stem in again}  # `per vendor, for vendors that`
    fields = [one for one in linked.fields if one.bucket == bucket and one.name not in by and not one.used <= grouping]
    rest = linked.rest
    for group in groups:
        rest = _blank(rest, group.begin, group.end)
    conditions: list[Condition] = []
    constrained: set[str] = set()
    unused: list[Open] = []
    for chosen in linked.chosen:
        if chosen.bucket == bucket and chosen.field not in constrained:
            raw = next(one.raw for one in linked.terms if one.begin in chosen.used)
            values = [one.value for one in linked.chosen if one.bucket == bucket and one.field == chosen.field]
            condition, rest = _of_choice(chosen, tuple(dict.fromkeys(values)), raw, rest)
            conditions.append(condition)
            constrained.add(chosen.field)
    for bound in linked.bounds:
        one = bounded(bound, bucket, fields, linked, searches.schema)
        if isinstance(one, Open) and (meant := searches.chosen("field")) is not None and meant in one.fields:
            one = condition_of(meant, declared_fields(bucket, searches.schema)[meant], bound)
        if isinstance(one, Open):
            unused.append(one)
        else:
            conditions.append(one)
            constrained.add(one.field)
    currency = _currency(linked, bucket, fields, conditions, searches.schema)
    conditions += [currency] if currency else []
    constrained |= {currency.field} if currency else set()
    past, past_places = lapsed(linked, fields, bucket, searches.schema)
    if past is not None and past.field not in constrained:
        conditions.append(past)
        constrained.add(past.field)
        rest = _blank(rest, past_places.start, past_places.stop)
    free = [one for one in fields if one.name not in constrained]
    asked = asked_fields(free, linked)
    shown: list[LinkedField] = []
    has_columns = linked.intent == "list" and are_columns(asked, linked)
    asked = sorted(asked, key=lambda one: one.begin) if has_columns else asked
    selects = linked.intent == "list" or linked.measure == "count"
    if selects and not has_columns:
        there = [one for one in asked if is_condition(one, linked)]
        for field in there:
            condition, rest = _there(field, rest)
            conditions.append(condition)
        constrained |= {one.name for one in there}
        shown = [one for one in asked if one not in there and is_listed(one, linked)]
        asked = [one for one in asked if one not in there and one not in shown]
    told = {at for one in fields if one.name in constrained for at in one.explained}
    asked = [one for one in asked if not selects or has_columns or not one.used <= told]
    explained = [one for one in fields if one.name in constrained] + asked + shown
    soft = soft_words(linked, explained)
    used = {at for one in explained for at in (one.used if one.score >= HALF_NAMED else one.used - one.hinted)}
    chosen_places = {at for one in linked.chosen if one.bucket == bucket for at in one.used}
    currency_places = {one.begin for one in linked.terms if currency and one.raw in currency.raw.split()}
    generic = generic_words(linked, explained, bucket, searches.schema)
    past_values = dict.fromkeys(past_places, past.field) if past is not None else {}
    placed = value_places(linked, bucket, conditions, (), past_values)
    used |= supported(soft, linked, explained, placed)
    done = chosen_places | linked.bucket_words | linked.spent | currency_places | {*past_places} | grouping
    expected, counted = numbered(linked)
    left = [
        one for one in linked.terms
        if one.begin not in used | done | counted and not is_generic(one, generic) and not _is_unit(one, linked)
    ]  # fmt: skip
    others = [one for one in linked.terms if one.begin in (used | linked.bucket_words) - chosen_places]
    named_by = [one for one in left if one.begin not in soft]
    names = yield from names_in(linked, named_by, others, bucket, searches)
    names += names_of_countries(left, names, asked, linked)
    in_names = {at for one in names for at in one.used}
    topic = [one for one in left if one.begin not in in_names]
    named = {field for one in names for field in one.fields}
    asked = [
        one
        for one in asked
        if not one.used <= in_names and (one.name not in named or linked.intent == "compare" or has_columns)
    ]
    explained = [*explained, *(one for one in fields if one.name in named and one not in explained)]
    placed = value_places(linked, bucket, conditions, names, past_values)
    told = {at for one in explained if one.name in named and one.score >= HALF_NAMED for at in one.used - one.hinted}
    told |= supported(soft_words(linked, explained), linked, explained, placed)
    topic = [one for one in topic if one.begin not in told]
    if len(asked) > 1:
        asked = [one for one in asked if one.name == searches.chosen("field")] or asked
    if not asked and names and linked.kind:
        asked = only_one_that_fits(free, linked, bucket, searches.schema)
        of_ends = words_of_ends(asked)
        topic = [one for one in topic if one.stem not in of_ends
                 and not any(one.begin in field.explained for field in asked)]  # fmt: skip
    if topic and asked and linked.intent != "list" and bucket != DOCUMENTS:
        half = {at for one in fields if one.score >= HALF_NAMED for at in one.used}
        mentioned = (
            []
            if any(one.begin in half for one in topic)
            else _mentioned(topic, conditions, names, bucket, linked, searches)
        )
        names += mentioned
        topic = [one for one in topic if not any(one.begin in name.used for name in mentioned)]
    loose = [one for one in names if one.text.islower() and not all(one.text in each.lower() for each in one.values)]
    if (topic or loose) and bucket in linked.buckets and (linked.intent == "list" or linked.measure == "count"):
        sure = [one for one in names if one not in loose]
        where = [*(one.text for one in conditions), *joined_names(sure, linked.text)]
        for name in loose:  # `tyres` are bought of whoever, and not only of `Tyre & Auto`
            words = [one for one in linked.terms if one.begin in name.used]
            names = [*(one for one in names if one is not name),
                     *(names_in_rows(words, where, bucket, linked, searches) or [name])]  # fmt: skip
        where = [*(one.text for one in conditions), *joined_names(names, linked.text)]
        names += (in_rows := names_in_rows(topic, where, bucket, linked, searches))
        said = {at for one in in_rows for at in one.used}
        topic = [one for one in topic if one.begin not in said]
    if unused and not topic:
        agreed = [one for one in (_either(one, bucket, conditions, names, linked, searches) for one in unused) if one]
        if len(agreed) == len(unused):
            conditions += agreed
            unused = []
    said = used | (linked.spent if linked.intent == "compare" else frozenset())
    for term in linked.terms:
        if term.begin in said and term.raw.lower() not in ("not", "no", "without"):
            rest = _blank(rest, term.begin, term.end)
    names, rest = _with_denied(names, rest, linked)
    topic = [one for one in topic if rest[one.begin : one.end].strip()]
    rest = re.sub(r"\b(?:per|for each|for every) (\w+)", lambda found: _unless_grouped(found, asked, linked), rest)
    for name in names:
        rest = _blank(rest, min(name.used), name.end)
    for name, other in pairwise(sorted(names, key=lambda name: min(name.used))):
        if are_alternatives(name, other, linked.text):
            rest = _blank(rest, name.end, min(other.used))
    if linked.intent == "qa" and asked:
        rest = re.sub(r"\b(?:today|current(?:ly)?|now)\b", lambda found: " " * len(found[0]), rest, flags=re.I)
    if linked.intent == "qa" and _lists(linked, conditions, names) and not (asked or topic or unused):
        linked = replace(linked, intent="list")
    return Plan(
        linked, bucket, tuple(conditions), tuple(names), tuple(asked), tuple(topic), tuple(unused), rest, expected,
        tuple(shown), has_columns, groups,
    )  # fmt: skip


def _lists(linked: Linked, conditions: Sequence[Condition], names: Sequence[Name]) -> bool:
    """Whether a question is no more than what documents are to be found: `PNP transistors`."""
    of_fields = all(set(one.fields) - {"title", "file"} for one in names)
    return bool(conditions or names) and of_fields and not is_asking(linked.text)


def _with_denied(names: list[Name], rest: str, linked: Linked) -> tuple[list[Name], str]:
    """Names that a list is not to have: those documents count that tell another one. And the question without what
    denies them."""
    found = []
    for one in names:
        denied, rest = _denied(rest, min(one.used)) if linked.intent in ("list", "compute") else (False, rest)
        if denied and len(one.fields) == 1 and one.fields[0] not in ("title", "file"):
            found.append(replace(one, made=f"{one.fields[0]} exists and not {one.condition()}"))
        else:
            found.append(one)
            rest = linked.rest if denied else rest
    return found, rest


def _unless_grouped(found: re.Match[str], asked: Sequence[LinkedField], linked: Linked) -> str:
    """Nothing in place of `per tonne`, where that is a unit, or said of the field that is asked for."""
    said = stem(found[1], linked.language)
    of_field = any(said in stems(" ".join((one.part.description, *one.part.labels)), linked.language) for one in asked)
    return " " * len(found[0]) if of_field or find_unit(found[1]) is not None else found[0]


def _blank(text: str, begin: int, end: int) -> str:
    return text[:begin] + " " * (end - begin) + text[end:]


_DENIED = re.compile(
    r"\b(?:not|never|no|without|(?:is|are|do|does|did|was|were|has|have)n['’]t)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)


def _denied(rest: str, begin: int) -> tuple[bool, str]:
    """Whether what stands at a place is denied, and the text without the words that say so."""
    found = _DENIED.search(rest, 0, begin)
    return (True, _blank(rest, found.start(), begin)) if found else (False, rest)


def _of_choice(chosen: Chosen, values: tuple[str, ...], raw: str, rest: str) -> tuple[Condition, str]:
    """A closed value, or one of several, or none of them where it is denied: then those documents count that have
    another value."""
    name = chosen.field
    denied, rest = _denied(rest, min(chosen.used))
    listed = ", ".join(print_string(one) for one in values)
    text = f"{name} = {listed}" if len(values) == 1 else f"{name} in [{listed}]"
    if denied:
        text = f"{name} exists and not {text}"
    if len(values) > 1:
        rest = re.sub(r"\bor\b", "  ", rest)
    operator: Operator = "=" if len(values) == 1 and not denied else "in"
    constraint = Constraint(field=name, operator=operator, value=listed.strip('"'), raw_text=raw)
    return Condition(name, text, raw, constraint if not denied else None), rest


def _mentioned(
    topic: Sequence[Term],
    conditions: Sequence[Condition],
    names: Sequence[Name],
    bucket: str,
    linked: Linked,
    searches: Searches,
) -> list[Name]:
    """Words that no field has, but that tell the documents apart that are meant: each run of them in a row of a table,
    or as it stands in the text. None unless some document has all of them, and not every one has."""
    if any(one.stem in RELATIONAL for one in topic):
        return []
    where = [*(one.text for one in conditions), *joined_names(names, linked.text)]
    found = names_in_rows(topic, where, bucket, linked, searches)
    where += [one.made for one in found]
    in_rows = {at for one in found for at in one.used}
    topic = [one for one in topic if one.begin not in in_rows]
    is_said = linked.intent in ("qa", "summarize")  # of a list it would tell who is mentioned
    at = 0
    while at < len(topic):
        end = at + 1
        while end < len(topic) and not linked.text[topic[end - 1].end : topic[end].begin].strip():
            end += 1
        for stop in range(end, at, -1):
            text = linked.text[topic[at].begin : topic[stop - 1].end]
            made = f"mentions {print_string(text)}"
            is_name = is_said and not text.isdecimal() and (stop - at > 1 or not text.islower())
            program = f"count {bucket} where {' and '.join([*where, made])}"
            if is_name and searches.count(program, f"which of them have '{text}'"):
                used = frozenset(one.begin for one in topic[at:stop])
                found.append(Name(text, used, (), (), frozenset(), made))
                break
        else:
            return []
        where.append(made)
        at = stop
    return found


def _either(
    one: Open, bucket: str, conditions: Sequence[Condition], names: Sequence[Name], linked: Linked, searches: Searches
) -> Condition | None:
    """A condition on any of the fields that an amount can be about, where it makes no difference which is meant."""
    if not 1 < len(one.fields) <= _MOST_READINGS:
        return None
    declared = declared_fields(bucket, searches.schema)
    texts = [compared(name, declared[name], one.bound)[0] for name in one.fields]
    texts = [f"({text})" if " and " in text else text for text in texts]
    where = [*(other.text for other in conditions), *joined_names(names, linked.text)]
    either, all_of = searches.counts(
        (f"count {bucket} where {' and '.join([*where, text])}", "whether it matters which is meant")
        for text in (f"({' or '.join(texts)})", " and ".join(texts))
    )
    return Condition(one.fields[0], f"({' or '.join(texts)})", one.text) if either == all_of else None


_MOST_READINGS = 4
"""Fields that an amount can be about, of which is looked whether they agree."""


def _currency(
    linked: Linked, bucket: str, fields: list[LinkedField], conditions: Sequence[Condition], schema: CorpusSchema
) -> Condition | None:
    """A currency that is said apart from an amount: `orders in euros worth more than 2,000`."""
    found = currency_said(linked.rest)
    money = [name for name, part in declared_fields(bucket, schema).items() if part.type == "money"]
    said = [one.field for one in conditions if one.field in money] or [
        one.name for one in fields if one.name in money and one.score >= LEAST
    ]
    money = said or money
    if len(money) > 1:  # the currency of the whole is that of its parts
        money = [one for one in money if is_plain(one, bucket, schema, linked.language)]
    if found is None or len(money) != 1 or linked.intent == "qa":
        return None
    code, raw = found
    constraint = Constraint(field=f"{money[0]}_currency", operator="=", value=code, raw_text=raw)
    return Condition(money[0], f"{money[0]}_currency = {print_string(code)}", raw, constraint)


def _is_unit(term: Term, linked: Linked) -> bool:
    """Whether a word only says in which unit, or in which form, the answer is wanted."""
    before = linked.text[: term.begin].rstrip().lower()
    if (term.raw == "C" and before.endswith("°")) or (term.raw == "table" and before.endswith((" as a", " in a"))):
        return True
    return term.begin in linked.unit_places or (find_unit(term.raw) is not None and linked.kind == "duration")


def _there(one: LinkedField, rest: str) -> tuple[Condition, str]:
    """What is true of a document, or is in it. What is denied is counted only where a document says so: that a field
    is not known tells nothing."""
    if one.part.type != "boolean":
        return Condition(one.name, f"{one.name} exists", one.called), rest
    denied, rest = _denied(rest, one.begin)
    return Condition(one.name, f"{one.name} = false" if denied else one.name, one.called), rest
