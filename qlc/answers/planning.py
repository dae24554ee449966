"""From words to conditions: which documents of a bucket a question means, which of their fields, and what is left over.

A plan is made by the named passes of `PASSES` over one frozen state: each explains some words of the question, and the
words that none of them explains are its `topic`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from qlc.base.units import find_unit
from qlc.corpus.schema import CorpusSchema
from qlc.grammar.printer import print_string
from qlc.language.quantities import named_currency
from qlc.language.reporting_periods import reporting_periods
from qlc.language.stems import stem

from .accounting import NOW, generic_words, is_generic, is_strict, soft_words, supported
from .asked import EXTREME, are_columns, asked_fields, is_condition, is_listed, usual_field
from .conditions import Condition, Open, bounded, condition_of, declared_fields, lapsed
from .decomposition import Constraint, Decomposition, EntityRef, Operator, OutputPreferences, Subquery
from .groups import Group
from .linking import Chosen, Linked, is_asking
from .naming import Name, are_alternatives, joined_names, names_in
from .searching import Reading, Searches
from .terms import CHANGE, OF_PERIODS, Term, stems
from .vocabulary import HALF_NAMED, LEAST, LinkedField, is_plain

DOCUMENTS = "documents"
"""All documents, of any bucket."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The search in one bucket that a question asks for. `topic` are the words that no field, name or bucket
    explains."""

    linked: Linked
    bucket: str
    conditions: tuple[Condition, ...]
    names: tuple[Name, ...]
    asked: tuple[LinkedField, ...]
    topic: tuple[Term, ...]
    unused: tuple[Open, ...]
    rest: str
    """The question without its amounts, and without the words that conditions stand for."""
    shown: tuple[LinkedField, ...] = ()
    """Fields that a list is of: `which tenants`."""
    are_joined: bool = False
    """Whether all fields that are asked for are known to be wanted."""
    groups: tuple[Group, ...] = ()
    """Groups by which documents are counted or measured."""
    limit: int = 0
    """How many documents with extreme values are asked for: 1 for `the dearest lease`; 0 if only the value is."""
    asked_of_it: tuple[LinkedField, ...] = ()
    """Fields that are asked of the document with the extreme value: `the landlord of the dearest lease`."""

    @property
    def where(self) -> str:
        """Conditions of the fields and the names together; empty if there are none."""
        return " and ".join((*(one.text for one in self.conditions), *self.named))

    @property
    def named(self) -> list[str]:
        """The conditions of the names."""
        return joined_names(self.names, self.linked.text)

    @property
    def is_typed(self) -> bool:
        return bool(self.conditions or self.names)

    @property
    def left(self) -> list[str]:
        """The words and amounts of the question that no condition, name or field stands for."""
        return [one.raw for one in self.topic] + [one.text for one in self.unused]

    def decomposition(self) -> Decomposition:
        linked = self.linked
        program = f"find {self.bucket}{f' where {self.where}' if self.where else ''}"
        return Decomposition(
            intent=linked.intent,
            primary_buckets=(self.bucket,) if self.bucket in linked.buckets or self.is_typed else (),
            entities=tuple(EntityRef(name=one.text, role=(*one.fields, "text")[0]) for one in self.names),
            constraints=tuple(one.constraint for one in self.conditions if one.constraint is not None),
            topic_terms=tuple(one.raw for one in self.topic),
            subqueries=tuple(Subquery(purpose=one.name, query=f"{program} show {one.name}") for one in self.asked),
            output_preferences=OutputPreferences(
                format={"compare": "table", "list": "list"}.get(linked.intent, "natural_language")  # type: ignore[arg-type]
            ),
        )


def plans(linked: Linked, searches: Searches) -> list[Plan]:
    """Return a plan for each bucket that the question can be about, the one that explains most of it first."""
    schema = searches.schema
    hinted = [one.bucket for one in linked.fields if one.score >= LEAST] + [one.bucket for one in linked.chosen]
    named = linked.buckets or tuple(dict.fromkeys(hinted))
    first = named or (*schema.file.buckets, DOCUMENTS)
    found = searches.in_step([_plan(linked, bucket, searches) for bucket in first])
    if not linked.buckets and named and all(one.topic or one.unused for one in found):
        others = [one for one in schema.file.buckets if one not in named]
        found += searches.in_step([_plan(linked, bucket, searches) for bucket in others])
    return sorted(
        found,
        key=lambda one: (len(one.topic) + len(one.unused), -len(one.conditions), -sum(f.score for f in one.asked)),
    )


# --- the state, and the passes over it -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _State:
    """A plan under construction. `fields` are candidates from the question, `done` the positions of the words that are
    accounted for."""

    linked: Linked
    bucket: str
    schema: CorpusSchema
    chosen_field: str | None
    """The field that was chosen where an amount could be about several."""
    rest: str
    fields: tuple[LinkedField, ...] = ()
    groups: tuple[Group, ...] = ()
    conditions: tuple[Condition, ...] = ()
    unused: tuple[Open, ...] = ()
    asked: tuple[LinkedField, ...] = ()
    shown: tuple[LinkedField, ...] = ()
    has_columns: bool = False
    names: tuple[Name, ...] = ()
    left: tuple[Term, ...] = ()
    """The words that are not explained yet."""
    done: frozenset[int] = frozenset()
    used: frozenset[int] = frozenset()
    """The places of words that fields explain."""
    limit: int = 0
    asked_of_it: tuple[LinkedField, ...] = ()
    past: range = range(0)
    """Place in the question that says that something has expired."""

    @property
    def constrained(self) -> set[str]:
        """The fields that have a condition."""
        return {one.field for one in self.conditions}

    @property
    def selects(self) -> bool:
        """Whether documents are listed or counted."""
        return self.linked.intent == "list" or self.linked.measure == "count"

    @property
    def explained(self) -> list[LinkedField]:
        """Return the fields of conditions and names, and the fields that are asked for."""
        named = {field for one in self.names for field in one.fields}
        own = [one for one in self.fields if one.name in self.constrained]
        own += [*self.asked, *self.shown]
        return own + [one for one in self.fields if one.name in named and one not in own]

    def values(self) -> set[int]:
        """The places of the values of conditions and names."""
        said = {one.raw for one in self.conditions}
        places = {one.start for one in self.linked.bounds if one.text in said} | {*self.past} | _chosen_places(self)
        return places | {at for one in self.names for at in one.used}


def _plan(linked: Linked, bucket: str, searches: Searches) -> Reading[Plan]:
    state = _State(linked, bucket, searches.schema, searches.chosen("field"), linked.rest)
    for one in BEFORE_NAMES:
        state = one(state)
    soft = soft_words(linked, state.explained)
    named_by = [one for one in state.left if one.begin not in soft]
    beside = {one.begin for one, other in pairwise(linked.terms)  # `Unit 7` is a name, `units` is none
              if other in named_by and other.raw[0].isdigit() and one.raw[0].isupper() and other.begin == one.end + 1}
    places = (state.used | linked.bucket_words) - _chosen_places(state) | beside
    others = [one for one in linked.terms if one.begin in places]
    names = yield from names_in(linked, named_by, others, bucket, searches)
    firm = (one for one in names if not (one.is_loose and (is_strict(linked) or _is_asked_of_a_field(one, linked))))
    state = replace(state, names=tuple(firm))
    for one in AFTER_NAMES:
        state = one(state)
    return Plan(
        state.linked, bucket, state.conditions, state.names, state.asked, state.left, state.unused, state.rest,
        state.shown, state.has_columns, state.groups, state.limit, state.asked_of_it,
    )  # fmt: skip


def _is_asked_of_a_field(name: Name, linked: Linked) -> bool:
    """Whether a word is what is asked for, and of a field: `the limit for iron` asks for no document with a `limit`."""
    between = (linked.text[name.end : one.begin] for one in linked.fields if one.begin > name.end)
    return any(re.fullmatch(r"\w+\s+(?:of|for)\s+(?:the\s+)?", text) for text in between)


def _with_groups(state: _State) -> _State:
    """`per vendor` -> the group `vendor`; its words, and the field, are for nothing else."""
    linked = state.linked
    groups = tuple(one for one in linked.groups if one.bucket == state.bucket)
    own = [one for one in linked.fields if one.bucket == state.bucket]
    by = {one.field for one in groups}
    places = {at for one in groups for at in (*range(one.begin, one.end), *range(*one.extreme_at))}
    places |= {at for one in own if one.name in by for at in one.used}
    again = {one.stem for one in linked.terms if one.begin in places}
    places |= {one.begin for one in linked.terms if one.stem in again}  # `per vendor, for vendors that`
    rest = state.rest
    for group in groups:
        rest = _blank(rest, group.begin, group.end)
    fields = tuple(one for one in own if one.name not in by and not one.used <= places)
    return replace(state, groups=groups, fields=fields, rest=rest, done=frozenset(places))


def _with_choices(state: _State) -> _State:
    """`PNP transistors` -> `polarity = "PNP"`."""
    conditions, rest = [*state.conditions], state.rest
    own = [one for one in state.linked.chosen if one.bucket == state.bucket]
    for field in dict.fromkeys(one.field for one in own):
        chosen = [one for one in own if one.field == field]
        raw = next(one.raw for one in state.linked.terms if one.begin in chosen[0].used)
        values = tuple(dict.fromkeys(one.value for one in chosen))
        condition, rest = _of_choice(chosen[0], values, raw, rest)
        conditions.append(condition)
    return replace(state, conditions=tuple(conditions), rest=rest)


def _with_periods(state: _State) -> _State:
    """`in fiscal 2021` -> words of no other field, if a field by period is asked for: its rows tell the year."""
    series = [one for one in state.fields if one.part.by and one.score >= LEAST]
    if not series:
        return state
    linked, rest = state.linked, state.rest
    spans = [(one.start, one.end) for one in reporting_periods(linked.text) if one.year]
    bounds = tuple(one for one in linked.bounds if not any(begin < one.end and one.start < end for begin, end in spans))
    for begin, end in spans:
        rest = _blank(rest, begin, end)
    places = {one.begin for one in linked.terms if one.stem in OF_PERIODS or CHANGE.fullmatch(one.raw)}
    places |= {at for begin, end in spans for at in range(begin, end)}
    fields = tuple(one for one in state.fields if not one.used <= places)
    is_plain = linked.intent == "list" and not linked.bucket_words
    linked = replace(linked, bounds=bounds, intent="qa" if is_plain else linked.intent)
    return replace(state, linked=linked, rest=rest, fields=fields, done=state.done | places)


def _with_amounts(state: _State) -> _State:
    """`under 60 days` -> `notice < 60 days`."""
    conditions, unused = [*state.conditions], [*state.unused]
    for bound in state.linked.bounds:
        one = bounded(bound, state.bucket, [*state.fields], state.linked, state.schema)
        if isinstance(one, Open) and (meant := state.chosen_field) is not None and meant in one.fields:
            one = condition_of(meant, declared_fields(state.bucket, state.schema)[meant], bound)
        if isinstance(one, Open):
            unused.append(one)
        else:
            conditions.append(one)
    return replace(state, conditions=tuple(conditions), unused=tuple(unused))


def _with_currency(state: _State) -> _State:
    """`orders in euros` -> `total_currency = "EUR"`."""
    made = _currency(state.linked, state.bucket, [*state.fields], state.conditions, state.schema)
    if made is None:
        return state
    said = made.raw.split()
    places = {one.begin for one in state.linked.terms if one.raw in said}
    return replace(state, conditions=(*state.conditions, made), done=state.done | places)


def _with_past(state: _State) -> _State:
    """`expired` -> `expiry < today`."""
    past, places = lapsed(state.linked, [*state.fields], state.bucket, state.schema)
    if past is None or past.field in state.constrained:
        return replace(state, done=state.done | {*places})
    rest = _blank(state.rest, places.start, places.stop)
    return replace(state, conditions=(*state.conditions, past), rest=rest, past=places, done=state.done | {*places})


def _with_asked(state: _State) -> _State:
    """Return the state with the fields that are asked for. In a list, some of them are conditions, others its
    columns."""
    linked = state.linked
    asked = asked_fields([one for one in state.fields if one.name not in state.constrained], linked)
    has_columns = linked.intent == "list" and are_columns(asked, linked)
    if has_columns:
        asked = sorted(asked, key=lambda one: one.begin)
    shown: list[LinkedField] = []
    if state.selects and not has_columns:
        conditions, rest = [*state.conditions], state.rest
        for one in asked:
            if is_condition(one, linked):
                condition, rest = _presence_condition(one, rest)
                conditions.append(condition)
            elif is_listed(one, linked):
                shown.append(one)
        state = replace(state, conditions=tuple(conditions), rest=rest)
        told = {at for one in state.fields if one.name in state.constrained for at in one.explained}
        asked = [one for one in asked
                 if one.name not in state.constrained and one not in shown and not one.used <= told]  # fmt: skip
    return replace(state, asked=tuple(asked), shown=tuple(shown), has_columns=has_columns)


def _with_left(state: _State) -> _State:
    """Return the state with the words that nothing explains yet. They may be names."""
    linked, explained = state.linked, state.explained
    used = {at for one in explained for at in (one.used if one.score >= HALF_NAMED else one.used - one.hinted)}
    used |= supported(linked, explained, state.values())
    generic = generic_words(linked, explained, state.bucket, state.schema) - NOW
    done = state.done | _chosen_places(state) | linked.bucket_words | linked.spent | used
    left = tuple(
        one for one in linked.terms
        if one.begin not in done and not is_generic(one, generic) and not _is_unit(one, linked)
    )  # fmt: skip
    return replace(state, used=frozenset(used), done=frozenset(done), left=left)


def _without_names(state: _State) -> _State:
    """Mark the words of names as explained. Fields that contain the names are no longer asked for."""
    in_names = {at for one in state.names for at in one.used}
    named = {field for one in state.names for field in one.fields}
    keeps = state.linked.intent == "compare" or state.has_columns
    asked = tuple(one for one in state.asked if not one.used <= in_names and (one.name not in named or keeps))
    state = replace(state, asked=asked)
    told = in_names | {
        at for one in state.explained if one.name in named and one.score >= HALF_NAMED for at in one.used - one.hinted
    }
    told |= supported(state.linked, state.explained, state.values())
    return replace(state, left=tuple(one for one in state.left if one.begin not in told))


def _with_chosen_field(state: _State) -> _State:
    """Keep only the chosen field, if several are asked for."""
    chosen = tuple(one for one in state.asked if one.name == state.chosen_field)
    return replace(state, asked=chosen) if chosen and len(state.asked) > 1 else state


def _with_denied(state: _State) -> _State:
    """`not by ACME` -> `supplier exists and not supplier contains "ACME"`."""
    linked, rest = state.linked, state.rest
    said = state.used | (linked.spent if linked.intent == "compare" else frozenset())
    for term in linked.terms:
        if term.begin in said and term.raw.lower() not in ("not", "no", "without"):
            rest = _blank(rest, term.begin, term.end)
    names = []
    for one in state.names:
        denied, without = _denied(rest, min(one.used)) if linked.intent in ("list", "compute") else (False, rest)
        is_of_field = len(one.fields) == 1 and one.fields[0] not in ("title", "file")
        if denied and is_of_field:
            one, rest = replace(one, made=f"{one.fields[0]} exists and not {one.condition()}"), without
        names.append(one)
    left = tuple(one for one in state.left if rest[one.begin : one.end].strip())
    return replace(state, names=tuple(names), rest=rest, left=left)


def _without_rest(state: _State) -> _State:
    """Blank the words of `rest` that restrict nothing further: names, `or` between them, `per tonne` of a field."""
    linked, asked, rest = state.linked, state.asked, state.rest
    rest = re.sub(r"\b(?:per|for each|for every) (\w+)", lambda found: _unless_grouped(found, asked, linked), rest)
    for name in state.names:
        rest = _blank(rest, min(name.used), name.end)
    for name, other in pairwise(sorted(state.names, key=lambda name: min(name.used))):
        if are_alternatives(name, other, linked.text):
            rest = _blank(rest, name.end, min(other.used))
    return replace(state, rest=rest)


def _with_usual(state: _State) -> _State:
    """`the latest contract` -> the maximum of `agreement_date`; `sum of all invoices` -> the sum of `total_due`."""
    linked = state.linked
    is_of_bucket = state.bucket in linked.buckets and linked.intent == "compute"
    name = usual_field(state.asked, linked, state.bucket, state.schema) if is_of_bucket else None
    if name is None:
        return state
    explained = state.done | linked.unit_places | {at for one in state.names for at in one.used}
    if any(one.begin not in explained for one in linked.terms):
        name = ""  # `paid` of `sum of the invoices that were paid` may restrict them
    said = EXTREME.search(state.rest) if linked.measure in ("min", "max") else None
    rest = _blank(state.rest, *said.span()) if said else state.rest
    part = declared_fields(state.bucket, state.schema).get(name)
    asked = (LinkedField(state.bucket, name, part, LEAST, frozenset()),) if part is not None else ()
    limit = int(bool(said) and not state.groups)
    return replace(state, asked=asked, asked_of_it=state.asked, limit=limit, rest=rest)


def _as_list(state: _State) -> _State:
    """Make a question a list if it only describes documents: `PNP transistors`."""
    linked = state.linked
    of_fields = all(set(one.fields) - {"title", "file"} for one in state.names)
    is_list = bool(state.conditions or state.names) and of_fields and not is_asking(linked.text)
    if linked.intent == "qa" and is_list and not (state.asked or state.left or state.unused):
        return replace(state, linked=replace(linked, intent="list"))
    return state


_Pass = Callable[[_State], _State]
BEFORE_NAMES: tuple[_Pass, ...] = (
    _with_groups, _with_choices, _with_periods, _with_amounts, _with_currency, _with_past, _with_asked, _with_left,
)  # fmt: skip
AFTER_NAMES: tuple[_Pass, ...] = (
    _without_names, _with_chosen_field, _with_denied, _without_rest, _with_usual, _as_list,
)  # fmt: skip


# --- parts of passes -------------------------------------------------------------------------------------------------


def _chosen_places(state: _State) -> set[int]:
    return {at for one in state.linked.chosen if one.bucket == state.bucket for at in one.used}


def _unless_grouped(found: re.Match[str], asked: Sequence[LinkedField], linked: Linked) -> str:
    """Return blanks for `per tonne` if that is a unit or part of the field that is asked for; else the words
    unchanged."""
    said = stem(found[1], linked.language)
    of_field = any(said in stems(" ".join((one.part.description, *one.part.labels)), linked.language) for one in asked)
    return " " * len(found[0]) if of_field or find_unit(found[1]) is not None else found[0]


def _blank(text: str, begin: int, end: int) -> str:
    return text[:begin] + " " * (end - begin) + text[end:]


_DENIED = re.compile(
    r"\b(?:not|never|no|without|(?:is|are|do|does|did|was|were|has|have)n['’]t)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)


def _denied(rest: str, begin: int) -> tuple[bool, str]:
    """Whether the word at a place is denied, and the text without the words that deny it."""
    found = _DENIED.search(rest, 0, begin)
    return (True, _blank(rest, found.start(), begin)) if found else (False, rest)


def _of_choice(chosen: Chosen, values: tuple[str, ...], raw: str, rest: str) -> tuple[Condition, str]:
    """Return the condition that one of several closed values holds. If it is negated, the field must have another
    value."""
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


def _currency(
    linked: Linked, bucket: str, fields: list[LinkedField], conditions: Sequence[Condition], schema: CorpusSchema
) -> Condition | None:
    """Return the condition for a currency without an amount: `orders in euros worth more than 2,000`."""
    found = named_currency(linked.rest)
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


def _presence_condition(one: LinkedField, rest: str) -> tuple[Condition, str]:
    """Return the condition that a property is true, or that a field has a value.

    A negated property must be false: an unknown one does not count.
    """
    if one.part.type != "boolean":
        return Condition(one.name, f"{one.name} exists", one.called), rest
    denied, rest = _denied(rest, one.begin)
    return Condition(one.name, f"{one.name} = false" if denied else one.name, one.called), rest
