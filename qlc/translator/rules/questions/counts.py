"""Questions for how many: of things, of different values, and groups by how many are in each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, name_of
from qlc.translator.rules.conditions import date_condition
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.clauses import every_group, group
from qlc.translator.rules.nouns.names import entity_words, hierarchical, named
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase, several_kinds
from qlc.translator.rules.nouns.references import of_another_kind, of_their_kind, verbs
from qlc.translator.rules.parse import Found, Parse, needs, rule
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.questions.aggregates import (
    COUNT,
    SAYS_GROUPS,
    THERE_ARE,
    aggregate,
    count_of,
    first_with,
    grouped,
    narrowed,
    such_things,
    with_a_number,
)
from qlc.translator.rules.questions.asked_fields import date_of_the_verb
from qlc.translator.rules.questions.rankings import first_row, has_a_number
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words

_HOW_OFTEN = phrases("how often (is | are | was | were | do | does | did | has | have)")
OF_AN_AGENT = 0.6
"""What it costs to take `by` after a participle for groups: what is `read by OCR` is not counted by it."""
_ACTING = words(
    "who that which have has had did made make makes took take came come to a an the any with placed got get bought "
    "requested did do"
)
_DEALING = phrases(
    "(do | did) we ((buy | purchase | order) from | (work | deal) with | use | pay | see | get) | have we "
    "((bought | purchased | ordered) from | (worked | dealt) with | used | paid | seen | got)"
)
"""What says of those that a field names that there are some."""
_COMING = phrases("come (from | in) | go to | have | use | exist in | belong to | fall into | occur in | appear in")
_LEFT_OVER = phrases("from | by | in | of | with | under | at")
"""What is left at the end of a question for what things are from."""
_PER = phrases("per | for each | for every | by | of each | of every | in each | on each")


@rule
@needs(english.COUNTING, _HOW_OFTEN)
def counted(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many PDFs are in Legal`, `number of NDAs by review status`, `count the documents per month`."""
    start = p.past(at, words("the what is 's a me tell show give get are please"))
    for end in p.phrases(start, english.COUNTING):
        if p.word(end - 1) == "of" and p.word(end - 2) not in ("number", "count") and _is_a_number(p, end - 2):
            continue  # the amount of invoices is money, where there is a field of that name
        inner = p.past(end, english.ARTICLES | {"different"})
        for things in (*noun_phrase(p, inner), *several_kinds(p, inner)):
            phrase = things.value
            if phrase.plain:
                yield Found(things.end, count_of(p, phrase), things.cost)
                yield from grouped(p, things, (COUNT,))
                yield from _that_there_are(p, things)
                yield from _each_has(p, things)
        yield from distinct(p, inner, start)
    for end in p.phrases(start, _HOW_OFTEN):
        for things in noun_phrase(p, p.articles(end)):
            if things.value.headed and things.value.plain:
                for rest in modifiers(p, things.end, things.value.entity):
                    yield Found(rest.end, count_of(p, things.value.also(rest.value)), things.cost + rest.cost + 0.1)


@rule
@needs(english.COUNTING, _HOW_OFTEN)
def counted_there(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`the Payroll folder: how many documents`, `in 2025, how many invoices`: where and when before what is counted."""
    if not any(_asks_for_a_number(p, after) for after in range(at + 1, p.end)):
        return
    for entity in p.things:
        for above in hierarchical(entity):
            for place in named(p, at, above.target or ""):
                if place.value.text:
                    lies = above.equals(place.value.value)
                    yield from _counted_after(p, Found(place.end, lies, place.cost), entity)
        for said in modifiers(p, at, entity.name):
            yield from _counted_after(p, Found(said.end, said.value, said.cost + 0.1), entity)


def _asks_for_a_number(p: Parse, at: int) -> bool:
    return any(True for asking in (english.COUNTING, _HOW_OFTEN) for _ in p.phrases(at, asking))


def _counted_after(p: Parse, said: Found[Condition], entity: Entity) -> Iterator[Found[Statement]]:
    after = p.past(said.end, words(", : - –"))
    for one in counted(p, after) if after > said.end else ():
        number = one.value
        if isinstance(number, tree.Aggregate) and number.entity.text == entity.plural and number.having is None:
            yield Found(one.end, replace(number, where=both(number.where, said.value)), one.cost + said.cost + 0.05)


def _that_there_are(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """`how many visits did we have in March`, `how many books are there per language`."""
    for end in p.phrases(things.end, THERE_ARE):
        yield from grouped(p, Found(end, things.value, things.cost), (COUNT,))
        for rest in modifiers(p, end, things.value.entity):
            those = Found(rest.end, things.value.also(rest.value), things.cost + rest.cost)
            yield Found(rest.end, count_of(p, those.value), those.cost)
            yield from grouped(p, those, (COUNT,))


def _is_a_number(p: Parse, at: int) -> bool:
    """Whether one word is called so, as `amount`."""
    return any(one.payload.ref.is_number and one.end == at + 1 for one in p.starting(at, FieldWord))


@rule
@needs(SAYS_GROUPS, words("count counts numbers"))
def listed_by(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`documents per quarter in 2024`, `invoices by vendor`, `invoice count by month`: counted, because grouped."""
    for kind in bare_noun(p, p.articles(at)):
        plain = (kind.value.headed or kind.value.where is not None) and kind.value.fixed is None
        plain = plain and kind.value.limit is None
        if plain and p.word(kind.end) in ("count", "counts", "numbers") and not kind.value.sort:
            moved = Found(kind.end + 1, kind.value, kind.cost)
            yield Found(moved.end, count_of(p, kind.value), kind.cost + 0.1)
            for rest in modifiers(p, moved.end, kind.value.entity):
                yield Found(rest.end, count_of(p, kind.value.also(rest.value)), kind.cost + rest.cost + 0.1)
            yield from grouped(p, moved, (COUNT,))
    start = p.past(
        at, words("the a breakdown distribution of split show me give counts histogram break down group bucket segment")
    )
    for things in noun_phrase(p, start):
        phrase = things.value
        if phrase.plain:
            said = any(p.word(i) in words("breakdown distribution split counts histogram") for i in range(at, start))
            for one in grouped(p, things, (COUNT,)):
                rather_by_whom = OF_AN_AGENT if _by_an_agent(p, things.end, one.value, p.entity(phrase.entity)) else 0.0
                yield Found(one.end, one.value, one.cost + (0.0 if said else 0.15) + rather_by_whom)


def _by_an_agent(p: Parse, at: int, rows: Statement, entity: Entity) -> bool:
    """Whether `by` names who or what did it: a flag groups by nothing that could be named so, `the carrier` is one."""
    if not isinstance(rows, tree.Aggregate) or p.word(at) != "by" or not is_participle(p.word(at - 1)):
        return False
    names = [name_of(one.path) for one in rows.groups if one.function is None]
    flags = any(name in entity.fields and entity.fields[name].kind is FieldKind.BOOLEAN for name in names)
    return len(names) == len(rows.groups) and (flags or p.word(at + 1) in english.ARTICLES)


def _each_has(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """`how many folders does each owner have`, `... did each person upload`."""
    start = p.past(things.end, english.AUXILIARIES | english.COPULAS | words("there in for by"))
    if p.word(start) not in ("each", "every"):
        return
    entity = p.entity(things.value.entity)
    for by in group(p, start + 1, entity):
        end = p.past(by.end, words("have has own owns hold contain there"))
        yield Found(end, aggregate(p, things.value, (COUNT,), (by.value,)), things.cost + by.cost)
    for target_end, ref, kind in _people_doing(p, start + 1, entity):
        by_whom = (tree.Group(ref.left),)
        such = things.value.also(kind)
        yield Found(target_end, aggregate(p, such, (COUNT,), by_whom), things.cost + 0.1)
        done = list(date_of_the_verb(entity, p.word(target_end - 1)))
        for date in done:
            for test in date_test(p, target_end):
                then = such.also(date_condition(date, test.value))
                yield Found(test.end, aggregate(p, then, (COUNT,), by_whom), things.cost + test.cost + 0.1)
        for rest in modifiers(p, target_end, entity.name):
            unsure = 0.4 if done and date_test(p, target_end) else 0.1
            narrowed = such.also(rest.value)
            yield Found(rest.end, aggregate(p, narrowed, (COUNT,), by_whom), things.cost + rest.cost + unsure)


def _people_doing(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, FieldRef, Condition | None]]:
    """`each person own`, `each organisation upload`: who does it, and of which kind they are."""
    for target in p.people:
        for end in entity_words(p, at, target.name):
            for after, ref in verbs(p, p.past(end, english.AUXILIARIES), target.name):
                if ref.belongs_to(entity) and not of_another_kind(p, at, ref):
                    yield after, ref, of_their_kind(p, at, ref)


@rule
@needs(words("unique"))
def distinct_number(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`unique visitors in September`: how many there were."""
    start = p.past(at, words("the our total what is were"))
    if p.word(start) == "unique":
        yield from distinct(p, start, start)


def distinct(p: Parse, at: int, start: int) -> Iterator[Found[Statement]]:
    """`how many different vendors`, `number of distinct owners of folders`."""
    said = any(p.word(i) in ("different", "distinct", "unique") for i in range(start, at + 1))
    begin = at + 1 if p.word(at) in ("different", "distinct", "unique") else at
    for lexeme, ref in p.fields(begin):
        entity = first_with(p, ref)
        if entity is None or ref.within is not None:
            continue
        if not said:
            yield from _how_many_there_are(p, lexeme.end, ref, entity, lexeme.cost)
            continue
        measure = tree.Measure("distinct", ref.left)
        bare = NounPhrase(entity.name)
        found = [Found(lexeme.end, bare, 0.0)]
        found += (things for end in p.phrases(lexeme.end, _DEALING) for things in narrowed(p, end, bare))
        acting = p.past(lexeme.end, _ACTING)
        found += _having(p, acting, ref, 0.1) if acting > lexeme.end else ()
        there = p.past(lexeme.end, words("are there do we have appear used is in use"))
        for after in p.phrases(there, phrases("of | among | across | in | for | on")):
            found += _having(p, after, ref)
        asked = p.past(lexeme.end, words("are were is do does did"))
        for things in _having(p, p.articles(asked), ref, 0.1) if asked > lexeme.end else ():  # `are our receipts from`
            ends = p.phrases(things.end, _COMING + _LEFT_OVER) if things.value.headed else ()
            found += (things._replace(end=end) for end in ends)
        for rest in modifiers(p, lexeme.end, entity.name):
            found.append(Found(rest.end, bare.also(rest.value), rest.cost - lexeme.cost + 0.2))
        for one in found:
            yield Found(one.end, aggregate(p, one.value, (measure,)), one.cost + lexeme.cost)


def _having(p: Parse, at: int, ref: FieldRef, cost: float = 0.0) -> Iterator[Found[NounPhrase]]:
    """The things spoken of here, where they have a field."""
    for things in noun_phrase(p, at):
        if ref.belongs_to(p.entity(things.value.entity)) and things.value.limit is None:
            yield things._replace(cost=things.cost + cost)


def _how_many_there_are(p: Parse, at: int, ref: FieldRef, entity: Entity, cost: float) -> Iterator[Found[Statement]]:
    """`how many carriers are there`: what has values of its own is counted by them."""
    if ref.kind is not FieldKind.KEYWORD or not p.plural(at):
        return
    if any(one.end == at for i in range(max(0, at - 3), at) for one in p.starting(i, EntityWord)):
        return  # things of their own are counted as such
    measure = tree.Measure("distinct", ref.left)
    verb = at + 1 if p.word(at) in ("do", "does", "did", "are", "were") else p.end
    for things in noun_phrase(p, p.articles(verb)):
        after = next(p.phrases(things.end, _COMING), None)
        if after is not None and things.value.plain and things.value.entity == entity.name and things.value.headed:
            yield Found(after, aggregate(p, things.value, (measure,)), cost + things.cost + 0.1)
    for end in p.phrases(at, THERE_ARE + _DEALING):
        yield Found(end, aggregate(p, NounPhrase(entity.name), (measure,)), cost + 0.1)
        for rest in modifiers(p, end, entity.name):
            yield Found(rest.end, aggregate(p, NounPhrase(entity.name, rest.value), (measure,)), cost + rest.cost + 0.2)


@rule
def distinct_values(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which tags are used in Legal`, `what types of documents are there`, `list all vendors`."""
    start = p.past(at, words("which what list all show me the different distinct unique kinds of give"))
    for entity, by in every_group(p, start):
        if isinstance(by.value, tree.Group) and by.value.function is not None:
            continue
        ref = FieldRef.at(entity, by.value.path)
        if ref is None or ref.kind is not FieldKind.KEYWORD:
            continue
        if ref.target and ref.path == (entity.parent,):
            continue  # `list all folders`: the folders themselves
        first = first_with(p, ref)
        if first is not None and first.name != entity.name:
            by = by._replace(cost=by.cost + 0.3)  # rather of the first that has it
        bare = NounPhrase(entity.name)
        kinds = p.plural(by.end) and not _is_of_another(p, start, by.end, ref, entity)
        for end in p.phrases(by.end, _PER) if kinds else ():
            for other in group(p, end, entity):
                if other.value != by.value and name_of(other.value.path) not in entity.lists:
                    for things in narrowed(p, other.end, bare, by.cost + other.cost + 0.2):
                        rows = aggregate(p, things.value, (COUNT,), (other.value, by.value))
                        yield Found(things.end, rows, things.cost)
        found: list[Found[NounPhrase]] = []
        for end in p.phrases(by.end, phrases("of | for")) if start == at and p.plural(by.end) else ():
            found += (one for one in such_things(p, p.articles(end), entity) if one.value.headed)
        if start > at:
            after = p.past(by.end, words("are is used there do we have exist appear present occur"))
            listed = any(p.word(i) in words("all different distinct unique kinds") for i in range(at, start))
            if after > by.end or (listed and p.plural(by.end)):
                found.append(Found(after, bare, 0.0))
            there = words("are there exist do we have")
            for place in modifiers(p, after, entity.name) if p.word(after) in english.CONTAINMENT - {"of"} else ():
                found.append(Found(p.past(place.end, there), bare.also(place.value), place.cost - 0.1))
            for link in p.phrases(after, phrases("of | for | among | by")):
                found += (one._replace(end=p.past(one.end, there)) for one in such_things(p, link, entity))
        for one in found:
            yield Found(one.end, aggregate(p, one.value, (COUNT,), (by.value,)), one.cost + by.cost + 0.4)


def _is_of_another(p: Parse, at: int, end: int, own: FieldRef, entity: Entity) -> bool:
    """Whether words are those of a number or a flag too: `delays` have happened, they are no kinds of delay."""
    said = [stem(p.word(i)) for i in range(p.articles(at), end)]
    if said in ([stem(part) for part in phrase] for phrase in own.phrases):
        return False
    called = (one.payload.ref for one in p.starting(p.articles(at), FieldWord) if one.end == end)
    flags = {part for ref in FieldRef.own(entity) if ref.kind is FieldKind.BOOLEAN for part in ref.stems}
    return any(ref.is_number and ref.belongs_to(entity) for ref in called) or set(said) <= flags


@rule
def groups_with(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`customers with more than 5 orders`, `the 5 cities with the most delayed flights`."""
    start = p.past(at, words("the which what are show me list find all"))
    for begin, limit in with_a_number(p, start, None):
        for entity, by in every_group(p, begin):
            link = p.past(by.end, words("with having that which have has who had"))
            link = _past_deed(p, link, by.value, entity)
            if link == by.end:
                continue
            extreme = p.past(link, ("the",))
            if p.word(extreme) in ("most", "fewest") and limit is not None:
                for things in such_things(p, extreme + 1, entity):
                    row = first_row(p, things.value, COUNT, by.value, p.word(extreme) == "most", limit)
                    numbered = has_a_number(p, extreme + 1, by.value, entity)
                    yield Found(things.end, row, things.cost + by.cost + numbered)
            named_so = by.value.function is None and limit is None and len(by.value.path.segments) == 1
            if named_so and p.plural(by.end) and name_of(by.value.path) != entity.parent:
                for things in such_things(p, link, entity):
                    if things.value.where is not None and things.value.headed:
                        rows = aggregate(p, things.value, (COUNT,), (by.value,))
                        yield Found(things.end, rows, things.cost + by.cost + 0.3)  # those that have any
            above = 0.3 if name_of(by.value.path) == entity.parent else 0.0
            for test in quantity_test(p, link):
                if not test.value.of_a_count:
                    continue
                if above and test.value.relation == ">=" and test.value.amount.value == 1:
                    continue  # folders with at least one invoice are folders
                for things in such_things(p, test.end, entity):
                    having = tree.Comparison(COUNT, test.value.relation, test.value.amount.node)
                    rows = replace(aggregate(p, things.value, (COUNT,), (by.value,)), having=having)
                    yield Found(things.end, rows, things.cost + by.cost + test.cost + above)


def _past_deed(p: Parse, at: int, by: tree.Group, entity: Entity) -> int:
    """After the verb of those who are grouped by: `customers who opened`, where a field is called `opened by`."""
    own = FieldRef.at(entity, by.path)
    if own is None or own.target is None or len(by.path.segments) > 1:
        return at
    return next((end for end, ref in verbs(p, at, own.target) if ref.path == own.path), at)


FORMS = (counted, counted_there, listed_by, groups_with, distinct_values, distinct_number)
