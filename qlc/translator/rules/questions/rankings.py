"""Which has the most: groups in the order of a count or a measure, the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import name_of, path
from qlc.translator.rules.conditions import date_fields, default_number
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, ListWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.clauses import every_group, groups
from qlc.translator.rules.nouns.names import entity_words, possession
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase
from qlc.translator.rules.nouns.references import of_another_kind, of_their_kind, verbs
from qlc.translator.rules.parse import Found, Parse, needs, rule
from qlc.translator.rules.quantities.numbers import cardinal, ordinal
from qlc.translator.rules.questions.aggregates import (
    COUNT,
    SHARES,
    aggregate,
    narrowed,
    part_of_all,
    rate_of,
    such_things,
    with_a_number,
)
from qlc.translator.rules.questions.measures import money_beside
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words

_FROM_US = phrases("(from | out of | off) us | of ours | of our money")
_COMMONLY = words("common commonly frequent frequently used popular often")
_BIGGEST = words("biggest largest greatest busiest best")
_RANKED_BY = phrases("by [[the] number of | count of] | with [the] most | in terms of")
_HAPPENING = words(
    "used requested seen chosen visited ordered sold bought booked reported mentioned listed occurs occur occurring "
    "appears appear appearing served"
)
_TRADING = words("sell ship deliver")
_OFTEN = phrases("[the] (most | least) [often | frequently]")
_MOST_OR_LEAST = words("most least")
_EXTREMES = {
    "highest": True, "largest": True, "longest": True, "biggest": True, "greatest": True, "most": True, "best": True,
    "lowest": False, "smallest": False, "shortest": False, "least": False, "cheapest": False, "fewest": False,
}  # fmt: skip
_PAYING_MOST = phrases(
    "(do | did | have | are | were) (we | i | you | they) (pay | paid | paying | spend | spent | spending) [the] (most "
    "| least) [money] [to | for | on | at | with | in]"
)


@rule
@needs(words("most fewest least highest top"), _BIGGEST)
def ranked(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which owner has the most documents`, `top 5 vendors by number of invoices`, `who uploaded the most PDFs`."""
    yield from _which_has_most(p, at)
    yield from _top_groups(p, at)
    yield from _who_most(p, at)
    nth = ordinal(p, p.past(at, words("the which what is show me")))
    for one in _top_groups(p, nth.end) if nth is not None and p.word(nth.end) in ("most", "least", "busiest") else ():
        if isinstance(one.value, tree.Aggregate) and one.value.limit == 1:  # `the third most common reason`
            yield Found(one.end, replace(one.value, offset=nth.value - 1 if nth else None), one.cost)


def _which_has_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    start = p.past(at, words("which what the show me find in on at during"))
    for begin, limit in with_a_number(p, start, 1):
        for entity, by in every_group(p, begin):
            yield from _has_most_money(p, by, entity, limit)
    for entity, by in every_group(p, start):
        yield from _has_most(p, by, entity, None, 0.0)
        if by.value.function is not None:  # "which month of 2024"
            for narrowing in modifiers(p, by.end, entity.name):
                moved = Found(narrowing.end, by.value, by.cost)
                yield from _has_most(p, moved, entity, narrowing.value, narrowing.cost)


def _has_most(
    p: Parse, by: Found[tree.Group], entity: Entity, where: tree.Condition | None, cost: float
) -> Iterator[Found[Statement]]:
    middle = p.past(_past_their_verb(p, by.end, by.value, entity), english.LIGHT_VERBS)
    middle += middle > by.end and p.word(middle) in ("us", "me")  # `sent us the most invoices`
    middle += p.word(middle) == "in" and p.word(middle - 1) in ("brings", "bring", "brought")
    extreme = p.phrase(middle, "the") or middle
    if p.word(extreme) not in ("most", "fewest", "least", "highest"):
        return
    descending = p.word(extreme) in ("most", "highest")
    after = p.past(extreme + 1, ("number", "of", "count"))
    for things in such_things(p, after, entity):
        row = first_row(p, things.value.also(where), COUNT, by.value, descending, 1)
        end = p.past(things.end, words("from with for by in"))
        yield Found(end, row, things.cost + by.cost + cost + 0.1 + has_a_number(p, after, by.value, entity))
    for lexeme, ref in p.numbers(after, entity):
        counted = ref.kind is FieldKind.WHOLE_NUMBER and p.plural(lexeme.end) and not ref.field.unit
        if counted or p.word(extreme + 1) == "total":
            measure = tree.Measure("sum", ref.left)
            row = first_row(p, NounPhrase(entity.name, where), measure, by.value, descending, 1)
            yield Found(lexeme.end, row, by.cost + cost + 0.3)


def _has_most_money(p: Parse, by: Found[tree.Group], entity: Entity, limit: int | None) -> Iterator[Found[Statement]]:
    """`which three vendors got the most money from us`, `which vendor did we pay the most`: amounts added up."""
    number = money_beside(entity, by.value)
    middle = p.past(by.end, english.LIGHT_VERBS | english.SPENDING | {"to", "with", "at", "us", "that", "have"})
    extreme = p.past(middle, ("the",))
    if number is None or p.word(extreme) not in ("most", "least") or middle == by.end:
        return
    paying = any(p.word(i) in english.SPENDING for i in range(by.end, middle))
    end = extreme + 2 if p.word(extreme + 1) == "money" else extreme + 1
    if not paying and end == extreme + 1:
        return
    end = next(p.phrases(end, _FROM_US), p.past(end, ("to", "with", "at") if paying else ()))
    measure = tree.Measure("sum", number.left)
    things = NounPhrase(entity.name)
    # Of the elements of a list more is said of them, and not of the things.
    for rest in narrowed(p, end, things) if number.within is None else [Found(end, things, 0.0)]:
        row = first_row(p, rest.value, measure, by.value, p.word(extreme) == "most", limit)
        yield Found(rest.end, row, by.cost + rest.cost + _later(p, entity, by.value) + 0.1)


def _past_their_verb(p: Parse, at: int, by: tree.Group, entity: Entity) -> int:
    """After `published` of `which author published the most books`: what is done to them, by whom or when."""
    verb = p.past(at, english.AUXILIARIES)
    own = FieldRef.at(entity, by.path)
    if own is None or own.kind is not FieldKind.KEYWORD or not p.word(verb):
        return at
    deeds = {one[0] for one in own.phrases if len(one) > 1 and one[-1] == "by"}
    deeds |= {ref.field.name for ref in date_fields(entity) if is_participle(ref.field.name)}
    return verb + 1 if stem(p.word(verb)) in map(stem, deeds) else at


def has_a_number(p: Parse, at: int, by: tree.Group, entity: Entity) -> float:
    """What it costs to count what those that hold it have a number of: `the folder with the most documents`."""
    own = FieldRef.at(entity, by.path)
    if own is None or own.target is None or len(by.path.segments) > 1:
        return 0.0
    holder = p.entity(own.target)
    return 0.4 if any(ref.belongs_to(holder) for ref in p.lexicon.counting(p.word(at))) else 0.0


def _top_groups(p: Parse, at: int) -> Iterator[Found[Statement]]:
    start = p.past(at, words("the which what are show me is our my"))
    for end, most, descending in _most_done(p, start):
        for entity, by in every_group(p, end):
            yield from _common(p, by, entity, most, descending=descending)
    if p.word(start) == "busiest":
        for entity, by in every_group(p, start + 1):
            yield from _common(p, by, entity, 1)
    if p.word(start) == "least" and p.word(start + 1) in _COMMONLY:
        for entity, by in every_group(p, p.past(start + 1, _COMMONLY)):
            yield from _common(p, by, entity, 1, descending=False)
    counted = next((one for one in cardinal(p, start) if p.word(one.end) == "most"), None)
    if counted is not None and p.word(counted.end + 1) in _COMMONLY:  # "the five most used tags"
        for entity, by in every_group(p, p.past(counted.end + 1, _COMMONLY)):
            yield from _common(p, by, entity, int(counted.value.value))
    before = next((one for one in cardinal(p, start) if p.word(one.end) in _BIGGEST), None)
    first = before.end if before is not None else start  # `3 biggest clients`
    if p.word(first) not in _BIGGEST | {"top", "most"}:
        return
    sized = p.word(first) in _BIGGEST
    alone = int(before.value.value) if before is not None else None if p.plural(first + 2) and sized else 1
    limits: list[tuple[int, int | None]] = [(p.past(first + 1, _COMMONLY), alone)]
    often = _COMMONLY | {"most"}
    limits += [(p.past(one.end, often), int(one.value.value)) for one in cardinal(p, first + 1)]
    for begin, limit in limits:
        for entity, by in every_group(p, begin):
            common = begin > start + 1 and p.word(begin - 1) in _COMMONLY
            done = p.word(begin - 1) == "most" and is_participle(p.word(begin))
            if not sized and (common or limit != 1) and not (done and _of_a_number(entity, by.value)):
                yield from _common(p, by, entity, limit, each=common)
            for end in p.phrases(by.end, _RANKED_BY):
                for things in such_things(p, end, entity):
                    for one in _measured_after(p, things, entity, counted=p.word(end - 1) != "by"):
                        row = first_row(p, things.value, one.value, by.value, True, limit)
                        yield Found(one.end, row, one.cost + by.cost)
                if not common:  # what is most frequent is counted
                    yield from _by_measure(p, end, by, entity, limit)


def _of_a_number(entity: Entity, by: tree.Group) -> bool:
    """Whether groups are those of a number: what was downloaded most has a high one, which no others share."""
    own = FieldRef.at(entity, by.path)
    return own is not None and len(by.path.segments) == 1 and own.is_number


def _measured_after(
    p: Parse, things: Found[NounPhrase], entity: Entity, *, counted: bool
) -> Iterator[Found[tree.Measure]]:
    """What groups are ranked by: how many of the things, or `by invoice total`, what is said after them."""
    said = [(p.phrase(things.end, *sequence), function) for sequence, function in english.MEASURES.items()]
    measures = [(end, function) for end, function in said if end is not None]
    if counted or not measures:
        yield Found(things.end, COUNT, things.cost)
        return
    number = default_number(entity)
    if number is not None:
        for end, function in measures:
            yield Found(end, tree.Measure(function, number.left), things.cost + 0.1)


def _most_done(p: Parse, at: int) -> Iterator[tuple[int, int | None, bool]]:
    """After `most prescribed`, `5 least booked`: what was done most often with what follows."""
    for begin, limit in with_a_number(p, at, 1):
        end = begin + 1
        if p.word(begin) in ("most", "least") and is_participle(p.word(end)) and p.word(end) not in _COMMONLY:
            numbers = (one for one in p.starting(end, FieldWord) if one.payload.ref.is_number)
            known = p.word(end) in _HAPPENING or any(
                isinstance(one.payload, ListWord | FieldWord) for one in p.lexemes[end] if one.end == end + 1
            )
            if known and not any(numbers):
                yield end + 1, limit, p.word(begin) == "most"


def _common(
    p: Parse, by: Found[tree.Group], entity: Entity, limit: int | None, *, descending: bool = True, each: bool = True
) -> Iterator[Found[Statement]]:
    """`each`: what comes after `by` is a further group; `top 5 borrowers by fines` are ranked by it."""
    links = p.phrases(by.end, phrases("of | for | among | in | on"))
    named = [things for after in links for things in such_things(p, after, entity)]
    for one in (*narrowed(p, by.end, NounPhrase(entity.name), 0.1), *named):
        row = first_row(p, one.value, COUNT, by.value, descending, limit)
        yield Found(one.end, row, one.cost + by.cost + _later(p, entity, by.value))
        for end in p.phrases(one.end, english.GROUPING) if each or p.word(one.end) != "by" else ():
            for outer in groups(p, end, entity):
                within = (*outer.value, replace(by.value, top=limit or 1))
                rows = replace(row, groups=within, limit=None, sort=() if descending else row.sort)
                if by.value not in outer.value:
                    cost = one.cost + by.cost + outer.cost + _later(p, entity, by.value)
                    yield Found(outer.end, rows, cost)


def _by_measure(
    p: Parse, at: int, by: Found[tree.Group], entity: Entity, limit: int | None
) -> Iterator[Found[Statement]]:
    """`top 5 vendors by total amount`."""
    for sequence, function in (*english.MEASURES.items(), ((), "sum")):
        end = p.phrase(at, *sequence) if sequence else at
        if end is None:
            continue
        for lexeme, ref in p.numbers(p.articles(end), entity):
            measure = tree.Measure(function, ref.left)
            counting = 0.3 if p.word(end) in ("number", "count") else 0.0  # rather of the things themselves
            cost = by.cost + lexeme.cost + (0.0 if sequence else 0.2) + counting
            links = p.phrases(lexeme.end, phrases("of | for | across | in"))
            named = [things for after in links for things in such_things(p, after, entity)]
            for one in (*narrowed(p, lexeme.end, NounPhrase(entity.name)), *named):
                yield Found(one.end, first_row(p, one.value, measure, by.value, True, limit), cost + one.cost)


@rule
@needs(_MOST_OR_LEAST)
def most_often(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which carrier is delayed most often`, `the two pages that were requested most often with a 404`."""
    start = p.past(at, words("the which what show me find"))
    for begin, limit in with_a_number(p, start, 1):
        for entity, by in every_group(p, begin):
            verb = p.past(by.end, english.COPULAS | english.AUXILIARIES | english.RELATIVE_PRONOUNS)
            found = [*narrowed(p, verb, NounPhrase(entity.name))]
            same = (one.payload.ref.path for one in p.starting(verb, FieldWord) if one.end == verb + 1)
            if p.word(verb) in _HAPPENING or tree.Group(path(*next(same, ("",)))) == by.value:
                found.append(Found(verb + 1, NounPhrase(entity.name), 0.0))
            paying = p.word(p.past(verb, words("we i you did do have"))) in english.SPENDING
            if p.word(p.past(verb, words("we i you"))) in _TRADING and verb > by.end:
                found.append(Found(p.past(verb, words("we i you")) + 1, NounPhrase(entity.name), 0.1))
            for happening in found if not paying else ():  # the most that was paid is an amount
                for end in p.phrases(happening.end, _OFTEN):
                    descending = "most" in (p.word(happening.end), p.word(happening.end + 1))
                    if p.word(end - 1) in ("most", "least") and not _says_all(p, end, happening.end > verb):
                        continue  # the most of something else
                    if not descending and happening.value.where is not None:
                        continue  # what never was would not be among the rows
                    for rest in narrowed(p, end, happening.value):
                        row = first_row(p, rest.value, COUNT, by.value, descending, limit)
                        later = _later(p, entity, by.value)
                        end_of_it = p.past(rest.end, ("on", "in"))  # `which weekday do we sell most on`
                        done = end_of_it if p.past(end_of_it, english.END_MARKS) >= p.end else rest.end
                        yield Found(done, row, by.cost + happening.cost + rest.cost + later + 0.1)


def _says_all(p: Parse, at: int, happened: bool) -> bool:
    """Whether `most` ends what is said of who did something: `which airline cancels most`."""
    return happened and (at >= p.end or p.word(at) in english.END_MARKS or p.word(at) in english.PREPOSITIONS)


def _who_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who owns the most folders`, `who has uploaded the fewest documents`."""
    if p.word(at) not in ("who", "which"):
        return
    start = at + 1
    if p.word(at) == "which":
        start = next((end for e in p.people for end in entity_words(p, at + 1, e.name)), start)
    begin = p.past(start, english.AUXILIARIES | {"last"})
    for target in (e for e in p.schema.entities.values() if e.virtual or not e.kinds):
        owning = [
            (begin, ref)
            for e in p.schema.entities.values()
            for ref in FieldRef.own(e)
            if begin > start and p.word(begin - 1) in ("has", "have")
            if ref.target == target.name and possession(ref)
        ]
        for end, ref in dict.fromkeys((*verbs(p, begin, target.name), *owning)):
            extreme = p.past(end, ("the",))
            if p.word(extreme) not in ("most", "fewest", "least"):
                continue
            for things in noun_phrase(p, extreme + 1):
                if (
                    ref.belongs_to(p.entity(things.value.entity))
                    and things.value.all_such
                    and not of_another_kind(p, at + 1, ref)
                ):
                    by = tree.Group(ref.left)
                    such = things.value.also(of_their_kind(p, at + 1, ref))
                    row = first_row(p, such, COUNT, by, p.word(extreme) == "most", 1)
                    yield Found(things.end, row, things.cost)


@rule
@needs(_EXTREMES, words("by worst"))
def ranked_by_measure(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which carrier has the longest average delay`, `rank carriers by average price`."""
    start = p.past(at, words("the which what show me find is are rank order compare list"))
    for begin, limit in with_a_number(p, start, 1):
        for entity, by in every_group(p, begin):
            link = p.past(by.end, english.LIGHT_VERBS | words("having which the by"))
            if link == by.end:
                continue
            descending = _EXTREMES.get(p.word(link))
            if p.word(link) == "worst" and any(p.word(i) in english.BAD for i in range(link, link + 4)):
                descending = True
            ranking = p.word(by.end) == "by"
            if descending is None and not ranking:
                continue
            after = link + 1 if descending is not None else link
            for end, measure, kind in _measure_at(p, after, entity):
                top = None if ranking else limit
                cost = by.cost + (0.1 if ranking else 0.0)
                if measure.function == "share" and ranking:
                    continue
                for things in narrowed(p, end, NounPhrase(entity.name)):
                    row = first_row(p, things.value.also(kind), measure, by.value, descending is not False, top)
                    yield Found(things.end, row, cost + things.cost)


def _measure_at(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, tree.Measure, tree.Condition | None]]:
    """`average delay`, `total invoice amount`; a number alone is added up if it is money, else averaged nowhere."""
    for sequence, function in english.MEASURES.items():
        end = p.phrase(at, *sequence)
        if end is None or function not in ("sum", "avg", "median"):
            continue
        for lexeme in p.starting(p.articles(end), FieldWord):
            if lexeme.payload.ref.is_number and lexeme.payload.ref.belongs_to(entity):
                yield lexeme.end, tree.Measure(function, lexeme.payload.ref.left), None
        for things in bare_noun(p, p.articles(end)):
            plain = things.value.where is not None and things.value.all_such
            for lexeme in p.starting(things.end, FieldWord) if plain and things.value.entity == entity.name else ():
                if lexeme.payload.ref.is_number and lexeme.payload.ref.belongs_to(entity):
                    of_them = tree.Measure(function, lexeme.payload.ref.left)
                    yield lexeme.end, of_them, things.value.where
    for lexeme, ref in p.fields(at):
        summed = ref.field.unit_field is not None or p.word(lexeme.end - 1) in english.SUMMED
        if summed and ref.is_number and ref.belongs_to(entity) and ref.within is None:
            yield lexeme.end, tree.Measure("sum", ref.left), None
    for rate in rate_of(p, at):
        if rate.value[0].entity == entity.name:
            yield rate.end, rate.value[1], rate.value[0].where
    for end in p.phrases(at, SHARES):
        for part in part_of_all(p, p.articles(end)):
            if part.value[0].entity == entity.name:
                yield part.end, part.value[1], part.value[0].where


def _later(p: Parse, entity: Entity, by: tree.Group) -> float:
    """What it costs to speak of another entity than the first that can be grouped so."""
    first = next((e for e in p.things if name_of(by.path) in e.fields), entity)
    return 0.0 if first.name == entity.name else 0.3


@rule
@needs(_MOST_OR_LEAST)
def paid_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The groups by what they cost all together, the dearest first; one where one is asked for."""
    leading = p.past(at, words("on in at to for with"))
    if p.word(leading) not in ("which", "what"):
        return
    for entity, by in every_group(p, leading + 1):
        money = money_beside(entity, by.value)
        own = FieldRef.at(entity, by.value.path)
        if by.value.function is not None or money is None or own is None or own.kind is not FieldKind.KEYWORD:
            continue
        for end in p.phrases(by.end, _PAYING_MOST):
            falling = any(p.word(i) == "most" for i in range(by.end, end))
            for one in narrowed(p, end, NounPhrase(entity.name)):
                limit = None if p.plural(by.end) else 1
                rows = first_row(p, one.value, tree.Measure("sum", money.left), by.value, falling, limit)
                yield Found(one.end, rows, one.cost + by.cost + 0.1)


def first_row(
    p: Parse, phrase: NounPhrase, measure: tree.Measure, by: tree.Group, descending: bool, limit: int | None
) -> tree.Aggregate:
    """Groups in the order of a measure, at most `limit` of them."""
    key = tree.SortKey(tree.Measure(measure.function, measure.path), descending)
    return replace(aggregate(p, phrase, (measure,), (by,)), sort=(key,), limit=limit)


FORMS = (ranked, paid_most, ranked_by_measure, most_often)
