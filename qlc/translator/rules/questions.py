"""Whole questions: lists, value questions, numbers. `FORMS` are the ways to read one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.rules import english
from qlc.translator.rules.aggregates import (
    amounts_by,
    counted,
    distinct_number,
    distinct_values,
    listed_by,
    measured,
    share,
    spent,
)
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.clauses import things
from qlc.translator.rules.lexicon import ConditionWord, EntityWord, ValueWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.names import is_hierarchical, named, widest
from qlc.translator.rules.nouns import NounPhrase, find, noun_phrase, of_reference
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import phrases, words
from qlc.translator.rules.rankings import groups_with, more_of, most_often, ranked, ranked_by_measure
from qlc.translator.rules.references import related
from qlc.translator.rules.subjects import people
from qlc.translator.rules.value_questions import value_question
from qlc.translator.rules.whereabouts import belongs_to, what_of, which_holds

_TAILS = phrases(
    "please | for me | do we have | do i have | are there | can i have those | can you find it | can you "
    "find them | can you find that | if possible | thanks | thank you | exist | can you | could you | in "
    "total | altogether | right now | at the moment | in all | i need them | i need it | i need those | "
    "you have | we have | i have | there are | are they | can i see them | can i see those | can i have "
    "them | so far | have we got | in the index | can i get those | if any | there | overall | can you "
    "list them | list them | show them | show me | in the system | in here | anyway | do you have | "
    "exactly | in the drive | in my drive | for us | and which | which ones | is there | can i get them | "
    "whatever they are | again | that we have | that i have | that exist | on file | i got | got | be | "
    "in there | only | thing | how many are there | (on | in | across) the whole "
    "(drive | system | index | archive | store | database) | (of | in) all [of them] | how many are they | "
    "(show | list | give) (me | us) (that | this | those | these | them) [one | ones] | list (those | these) | "
    "show (those | these)"
)


def readings(p: Parse) -> list[Found[Statement]]:
    """Every reading of the whole question, cheapest first."""
    best: dict[Statement, float] = {}
    versus = any(p.word(i) in english.VERSUS for i in range(p.end))
    for start in beginnings(p):
        compared = p.word(start) in ("compare", "comparing")
        for form in FORMS:
            for one in form(p, start + compared):
                statement = side_by_side(one.value) if versus or compared else one.value
                if statement is not None and finished(p, one.end) and one.cost < best.get(statement, 1e9):
                    best[statement] = one.cost
    return sorted((Found(p.end, statement, cost) for statement, cost in best.items()), key=lambda one: one.cost)


def beginnings(p: Parse) -> list[int]:
    """Where the question itself may begin: behind greetings and ways of asking."""
    found, pending = [], [0]
    while pending:
        at = pending.pop()
        if at in found or at >= p.end:
            continue
        found.append(at)
        after = p.past(at, english.POLITE | english.END_MARKS)
        pending += [
            end
            for start in {at, after}
            for end in (*p.phrases(start, english.ASKING), start)
            if not _said_of_things(p, start, end)
        ]
    return found


def _said_of_things(p: Parse, start: int, end: int) -> bool:
    """`open invoices`: a way of asking that is a value of what is asked for."""
    kinds = (ValueWord, ConditionWord)
    nouns = (one for kind in (ValueWord, EntityWord) for one in p.starting(end, kind))
    plural = p.plural(end + 1) or any(p.plural(one.end) for one in nouns)
    return end == start + 1 and plural and any(True for kind in kinds for _ in p.starting(start, kind))


def finished(p: Parse, at: int) -> bool:
    """Whether only marks, thanks and the like are left."""
    while at < p.end:
        after = p.past(at, english.END_MARKS | english.POLITE | english.SOFTENERS)
        after = next(p.phrases(after, _TAILS), after)
        if after == at:
            return False
        at = after
    return True


def side_by_side(statement: Statement) -> Statement | None:
    """`January vs February`: a row for each; None where nothing is compared."""
    if isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return None
    if isinstance(statement, tree.Aggregate) and statement.groups:
        return None
    parts = statement.where.items if isinstance(statement.where, tree.And) else (statement.where,)
    compared = [one for one in parts if isinstance(one, tree.Comparison) and isinstance(one.right, tree.ListValue)]
    if len(compared) != 1 or not isinstance(compared[0].left, tree.Path) or compared[0].operator == "not in":
        return None
    assert isinstance(compared[0].right, tree.ListValue)
    by = (tree.Group(compared[0].left, _calendar_of(compared[0].right.items)),)
    measures = statement.measures if isinstance(statement, tree.Aggregate) else (tree.Measure("count"),)
    return tree.Aggregate(measures, statement.entity, statement.where, by)


_CALENDAR: dict[int, tree.GroupFunction] = {4: "year", 7: "month", 10: "day"}


def _calendar_of(values: tuple[tree.Value, ...]) -> tree.GroupFunction | None:
    """The unit of the calendar that periods are of; None for other values."""
    first = values[0]
    if isinstance(first, tree.Number):
        return "year"
    if not isinstance(first, tree.DateLiteral):
        return None
    return "quarter" if "Q" in first.text else "week" if "W" in first.text else _CALENDAR.get(len(first.text))


# --- lists -----------------------------------------------------------------------------------------------------------


@rule
def listing(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`PDFs in Legal over 3 MB, newest first`."""
    start = p.past(at, words("which what all the of whatever any other whichever"))
    other = any(p.word(i) in english.OTHER for i in range(at, start))
    for begin in {at, start}:
        for one in things(p, begin):
            statement = find(p, _in_order(p, one.value))
            if one.value.fixed is None and one.value.where is None and one.value.limit is None:
                continue
            yield Found(one.end, _without_itself(statement) if other else statement, one.cost)
            for end in p.phrases(p.past(one.end, (",",)), english.EXCEPT):
                if p.word(end) in ("itself", "themselves"):
                    yield Found(end + 1, _without_itself(statement), one.cost)


def _in_order(p: Parse, phrase: NounPhrase) -> NounPhrase:
    """The first three that expire this year are those that expire first."""
    if phrase.limit is None or phrase.sort or phrase.where is None:
        return phrase
    entity = p.entity(phrase.entity)
    parts = phrase.where.items if isinstance(phrase.where, tree.And) else (phrase.where,)
    lefts = [one.left for one in parts if isinstance(one, tree.Comparison | tree.Between)]
    names = [left.segments[0].name.text for left in lefts if isinstance(left, tree.Path)]
    dates = [name for name in names if name in entity.fields and entity.fields[name].whole_days]
    return replace(phrase, sort=(tree.SortKey(path(dates[0]), False),)) if len(dates) == 1 else phrase


def _without_itself(statement: tree.Find) -> tree.Find:
    """`other documents in the same folder as X`: X itself is not one of them."""
    from qlc.translator.rules.build import both, compare

    bases: list[tree.Value] = []

    def collect(condition: tree.Condition | None) -> None:
        match condition:
            case tree.And():
                for item in condition.items:
                    collect(item)
            case tree.Comparison(right=tree.Member(base=tree.EntityLookup() as base)):
                bases.append(base)

    collect(statement.where)
    if len(set(bases)) != 1:
        return statement
    excluded = compare(path("id"), "!=", bases[0])
    return tree.Find(
        statement.entity, both(statement.where, excluded), statement.sort, statement.limit, statement.offset
    )


@rule
def referred(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`the parent folder of X`, `the folder containing X`, `the owner of X`: what a relation leads to."""
    for entity in p.schema.entities.values():
        start = p.past(at, words("which what whats the in is are 's"))
        for begin in {at, start}:
            for one in related(p, begin, entity.name):
                cost = one.cost + (0.2 if entity.kinds else 0.0)
                if entity.virtual:
                    if isinstance(one.value.value, tree.Member):
                        yield Found(one.end, tree.Get((one.value.value,)), cost)
                elif (statement := of_reference(p, one.value)) is not None:
                    yield Found(one.end, statement, cost)
                    narrowed = NounPhrase(entity.name, statement.where)
                    for rest in modifiers(p, one.end, entity.name):
                        yield Found(rest.end, find(p, narrowed.also(rest.value)), cost + rest.cost)


@rule
def within(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what's in Legal`, `whats under Clients`, `in Legal: ...`: everything there."""
    start = p.past(
        at, words("what whats is 's all there everything do did we have has been was i else file store keep")
    )
    if start == at:
        return
    other = any(p.word(i) == "else" for i in range(at, start))
    for name in (widest(p),):
        for one in modifiers(p, start, name):
            statement = find(p, NounPhrase(name, one.value))
            yield Found(one.end, _without_itself(statement) if other else statement, one.cost + 0.3)


@rule
def whether_it_holds(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`does Legal contain invoices`, `does Marketing have subfolders`: those that lie there."""
    if p.word(at) not in ("does", "do", "did", "has", "have"):
        return
    own_verb = p.word(at) in ("has", "have")
    for ref in p.lexicon.fields():
        if ref.target is None or ref.within is not None or not is_hierarchical(p, ref):
            continue
        for holder in named(p, at + 1, ref.target):
            if p.word(holder.end) not in words("got any" if own_verb else "have contain hold include"):
                continue
            for one in noun_phrase(p, p.past(holder.end + 1, english.ARTICLES | {"got"})):
                plain = one.value.fixed is None and one.value.limit is None
                if plain and ref.path[0] in p.entity(one.value.entity).fields:
                    lies = compare(path(*ref.path), "=", holder.value.value)
                    yield Found(one.end, find(p, one.value.also(lies)), one.cost + holder.cost)


@rule
def narrowed(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """Conditions without a noun: `tagged audit and owned by Ann`; or before it: `in 2024, what documents ...`."""
    if p.word(at) in words("who whom whose when how"):
        return  # what is asked for would be lost
    first = next(e for e in p.schema.entities.values() if not e.virtual)
    for one in modifiers(p, at, first.name):
        yield Found(one.end, find(p, NounPhrase(first.name, one.value)), one.cost + 0.5)
        after = p.past(one.end, words(", : - which what show me list find the all"))
        if after > one.end:
            for several in things(p, after):
                if several.value.fixed is None and several.value.entity == first.name:
                    yield Found(several.end, find(p, several.value.also(one.value)), one.cost + several.cost + 0.2)


FORMS: tuple[Callable[[Parse, int], list[Found[Statement]]], ...] = (
    listing,
    referred,
    what_of,
    which_holds,
    belongs_to,
    value_question,
    people,
    counted,
    listed_by,
    measured,
    spent,
    amounts_by,
    ranked,
    ranked_by_measure,
    groups_with,
    most_often,
    more_of,
    share,
    distinct_values,
    distinct_number,
    within,
    whether_it_holds,
    narrowed,
)
