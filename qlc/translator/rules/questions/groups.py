"""What things are grouped by where a sentence says it of them: `of each`, `spread over`, `who uploads most`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, walked
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import name_of
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ListWord
from qlc.translator.rules.modifiers.elements import is_who_did_it
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.clauses import every_group, group, groups
from qlc.translator.rules.nouns.degrees import fields_of_dimension
from qlc.translator.rules.nouns.names import entity_words, named
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.nouns.references import of_another_kind, of_their_kind, verbs
from qlc.translator.rules.parse import Found, Parse, begins, needs, rule
from qlc.translator.rules.quantities.numbers import A_NUMBER, quantity_test
from qlc.translator.rules.questions.aggregates import COUNT, aggregate, first_with, grouped, narrowed
from qlc.translator.rules.questions.asked_fields import date_of_the_verb
from qlc.translator.rules.questions.counts import counted
from qlc.translator.rules.questions.measures import SAYS_A_MEASURE, measured
from qlc.translator.rules.questions.rankings import first_row
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import phrases, words

_SPREAD = phrases(
    "(distributed | spread | split | divided | broken down | grouped | scattered) [up | out] "
    "(over | across | by | between | among | amongst | into | per | in | throughout)"
)
_SPREADING = phrases("(distribution | split | spread | breakdown) of")
_OVER = phrases("over | across | by | between | among | amongst | into | per | in")
_ROOM = phrases("[disk | storage] (storage | space)")
_TAKING = words(
    "use uses used using take takes took taken taking up occupy occupies occupied consume consumes have has hold holds "
    "own owns need needs contain contains"
)
_EACH = phrases("(for | of | in | from | by | to) (each | every) | per | each | for all")
_LEADING = words("on in at during from of for by under")
_EXTREMES = {"most": True, "fewest": False, "least": False}
_ANYTHING = words("anything something things stuff")
_MADE = words("written write wrote made make left leave posted post added add given give")
_HOW_OFTEN = phrases("how (often | many times) (was | has | is | were | have | did)")


@rule
@needs(_SPREAD, _SPREADING)
def spread_over(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how are the files spread across categories`, `the distribution of files over categories`."""
    if p.word(at) == "how" and p.word(at + 1) in english.COPULAS:
        for things in noun_phrase(p, p.articles(at + 2)):
            for end in p.phrases(things.end, _SPREAD):
                yield from _over(p, end, things)
    start = p.past(at, words("what is 's the a show me give"))
    for begin in p.phrases(start, _SPREADING):
        for things in noun_phrase(p, p.articles(begin)):
            for end in p.phrases(things.end, _OVER):
                yield from _over(p, end, things)
        yield from _of_values(p, p.articles(begin))


def _of_values(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`breakdown of file extensions in Archive`: of the things that have them, by what they are."""
    for lexeme, ref in p.fields(at):
        entity = first_with(p, ref) if ref.kind in (FieldKind.KEYWORD, FieldKind.BOOLEAN) else None
        plain = ref.within is None and not lexeme.payload.tail and p.plural(lexeme.end)
        if entity is not None and plain and not any(one.end == lexeme.end for one in p.starting(at, EntityWord)):
            for things in narrowed(p, lexeme.end, NounPhrase(entity.name), lexeme.cost + 0.1):
                yield Found(things.end, aggregate(p, things.value, (COUNT,), (tree.Group(ref.left),)), things.cost)


def _over(p: Parse, at: int, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    if things.value.plain:
        for by in groups(p, p.articles(at), p.entity(things.value.entity)):
            for one in narrowed(p, by.end, things.value, things.cost + by.cost):
                yield Found(one.end, aggregate(p, one.value, (COUNT,), by.value), one.cost)


@rule
@needs(_ROOM, words("how"))
def of_each(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how much storage does each owner use`, `how many pages has each vendor`, `space used per folder`."""
    if p.word(at) == "how" and p.word(at + 1) in ("much", "many"):
        for end, ref, entity in _amounts(p, at + 2):
            auxiliary = p.past(end, english.AUXILIARIES | english.COPULAS | {"used", "by"})
            if auxiliary > end and p.word(auxiliary) in ("each", "every"):
                for by in group(p, auxiliary + 1, entity):
                    total = aggregate(p, NounPhrase(entity.name), (tree.Measure("sum", ref.left),), (by.value,))
                    yield Found(p.past(by.end, _TAKING), total, by.cost + 0.05)
                continue
            for things in noun_phrase(p, p.articles(auxiliary)) if auxiliary > end else ():
                plain = things.value.plain
                if plain and things.value.where is not None and ref.belongs_to(p.entity(things.value.entity)):
                    after = p.past(things.end, _TAKING | words("in total together altogether overall all"))
                    if after > things.end:
                        measure = tree.Measure("sum", ref.left)
                        yield Found(after, aggregate(p, things.value, (measure,)), things.cost + 0.1)
    start = p.past(at, words("the total what is 's show me give"))
    for end, ref, entity in _room(p, start):
        things = Found(p.past(end, words("used taken up occupied")), NounPhrase(entity.name), 0.0)
        yield from grouped(p, things, (tree.Measure("sum", ref.left),))


def _amounts(p: Parse, at: int) -> Iterator[tuple[int, FieldRef, Entity]]:
    for lexeme in p.starting(at, FieldWord):
        entity = first_with(p, lexeme.payload.ref)
        if lexeme.payload.ref.is_number and lexeme.payload.ref.within is None and entity is not None:
            yield lexeme.end, lexeme.payload.ref, entity
    yield from _room(p, at)


def _room(p: Parse, at: int) -> Iterator[tuple[int, FieldRef, Entity]]:
    """`storage`, `disk space`: what things take up, where they have a size in bytes."""
    for end in p.phrases(at, _ROOM):
        for entity in p.things:
            sizes = fields_of_dimension(entity, "size")
            unit = find_unit(sizes[0].field.unit or "") if len(sizes) == 1 else None
            if unit is not None and unit.dimension == "size":
                yield end, sizes[0], entity
                return


@rule
@begins(_EACH)
def groups_first(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`for each owner, how many folders`, `per vendor the total amount`."""
    for end in p.phrases(at, _EACH):
        for entity in p.things:
            for by in groups(p, end, entity):
                after = p.past(by.end, words(", : - – the show me give tell"))
                for form in (counted, measured):
                    for one in form(p, after):
                        if isinstance(one.value, tree.Aggregate) and _of(one.value, entity):
                            yield Found(one.end, replace(one.value, groups=by.value), one.cost + by.cost + 0.05)


def _of(rows: tree.Aggregate, entity: Entity) -> bool:
    """Whether numbers are of things of an entity, and in no groups yet."""
    return not rows.groups and rows.entity.text == entity.plural


@rule
@needs(SAYS_A_MEASURE)
def measured_after(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`invoices 2025, total amount`, `photos in Legal: average size`: the measure after what it is of."""
    for things in noun_phrase(p, at):
        phrase = things.value
        after = p.past(things.end, words(", : - –"))
        if after == things.end or phrase.fixed is not None or phrase.limit is not None or phrase.sort:
            continue
        for one in measured(p, after):
            rows = one.value
            if phrase.where is None or not isinstance(rows, tree.Aggregate) or rows.where is not None:
                continue
            if _of(rows, p.entity(phrase.entity)) and rows.measures != (COUNT,):
                yield Found(one.end, replace(rows, where=phrase.where), things.cost + one.cost)


@rule
@needs(words("which what"))
def busiest(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """Groups in the order of how many things fall into them; the first of them where one is asked for."""
    start = at + 1 if p.word(at) in _LEADING else at
    if p.word(start) not in ("which", "what"):
        return
    for entity, by in every_group(p, start + 1):
        limit = None if p.plural(by.end) else 1
        all_of_them = NounPhrase(entity.name)
        of = [Found(by.end, all_of_them, 0.0)]
        if by.value.function is not None:  # "which month of 2024"
            of = [*narrowed(p, by.end, all_of_them)]
        for those in of:
            verb = p.past(those.end, english.COPULAS | english.AUXILIARIES)
            if verb == those.end:
                continue
            for end, things, dated, descending, cost in _happening(p, verb, by.value, entity):
                row = first_row(p, things.also(those.value.where), COUNT, dated, descending, limit)
                yield Found(end, row, by.cost + those.cost + cost + 0.05)


def _happening(
    p: Parse, at: int, by: tree.Group, entity: Entity
) -> Iterator[tuple[int, NounPhrase, tree.Group, bool, float]]:
    """`most files uploaded`, `the fewest W2s created`, `files uploaded most often`."""
    extreme = p.past(at, ("the",))
    if p.word(extreme) in _EXTREMES:
        first = p.past(extreme + 1, words("of our the my all"))
        for start in {first, first + 1} if p.word(first) == "new" and not p.lexemes[first] else {first}:
            for things in noun_phrase(p, start):
                if _plain(things.value, entity):
                    for end, dated in _done(p, things.end, at - 1, by, entity):
                        yield end, things.value, dated, _EXTREMES[p.word(extreme)], things.cost
    for things in noun_phrase(p, at):
        for end, dated in _done(p, things.end, at - 1, by, entity) if _plain(things.value, entity) else ():
            last = p.past(end, ("the",))
            if p.word(last) in _EXTREMES and (p.word(last) == "most" or things.value.where is None):
                finish = p.past(last + 1, ("often", "frequently"))
                yield finish, things.value, dated, _EXTREMES[p.word(last)], things.cost


def _plain(phrase: NounPhrase, entity: Entity) -> bool:
    return phrase.entity == entity.name and phrase.plain


def _done(p: Parse, at: int, begun: int, by: tree.Group, entity: Entity) -> Iterator[tuple[int, tree.Group]]:
    """After the verb, where one is here: that of the date which is grouped by, or one of the field's own words."""
    if p.word(begun) not in ("do", "does", "did"):  # "do most files come from" is not over before its verb
        yield at, by
    verb = p.past(at, english.COPULAS | english.AUXILIARIES)
    if not p.word(verb):
        return
    end = verb + 1
    if by.function is not None:
        for date in date_of_the_verb(entity, p.word(verb)):
            yield end, replace(by, path=date.left)
        return
    ref = FieldRef.at(entity, by.path)
    if ref is not None and stem(p.word(verb)) in ref.stems:
        yield p.past(end, ("from", "in", "by", "on", "with", "to")), by


def acts(p: Parse, at: int) -> Iterator[tuple[int, FieldRef]]:
    """A verb for what people do to things, with the field that says who did it: `uploads`, `comment on`."""
    for target in p.people:
        for end, ref in verbs(p, at, target.name):
            yield p.past(end, ("on",)), ref
        for lexeme in p.starting(at, ListWord):
            for entity in p.schema.entities.values():
                many = entity.lists.get(lexeme.payload.name)
                if many is None or entity.virtual or lexeme.end != at + 1:
                    continue
                refs = (FieldRef((many.name, key), one, many) for key, one in many.fields.items())
                by = [ref for ref in refs if ref.target == target.name and is_who_did_it(ref)]
                if len(by) == 1:
                    yield p.past(lexeme.end, ("on",)), by[0]
                    break


def _done_to(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[NounPhrase]]:
    """What it is done to, after the verb: `invoices in Legal`, `anything`, `in 2025`; nothing at all."""
    entity = first_with(p, ref)
    if entity is None:
        return
    for start in {at, p.past(at, ("on",))}:
        for things in noun_phrase(p, start):
            plain = things.value.plain
            if plain and ref.belongs_to(p.entity(things.value.entity)):
                yield things
    for start in {at, p.past(at, _ANYTHING)}:
        yield from narrowed(p, start, NounPhrase(entity.name))


@rule
@needs(english.COUNTING)
def how_many_do(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many people comment on invoices`, `number of users who uploaded something in 2025`."""
    for end in p.phrases(p.past(at, words("the what is 's")), english.COUNTING):
        start = p.past(end, words("different distinct unique"))
        for target in p.people:
            for noun in entity_words(p, start, target.name):
                verb = p.past(noun, english.RELATIVE_PRONOUNS | english.AUXILIARIES)
                for after, ref in acts(p, verb):
                    for things in _done_to(p, after, ref):
                        measure = tree.Measure("distinct", ref.left)
                        yield Found(things.end, aggregate(p, things.value, (measure,)), things.cost + 0.1)


def things_counted(p: Parse, statement: tree.Aggregate) -> tuple[str, ...]:
    """A sentence that things were counted, where elements of a list of theirs were asked for."""
    if statement.measures != (COUNT,):
        return ()
    asked_of = {name_of(part) for part in walked(statement) if isinstance(part, tree.Path)}
    for at in range(p.end):
        most = at + 1 if p.word(at) == "most" else p.end
        for end in (*p.phrases(at, english.COUNTING), most):
            for one in p.starting(end, ListWord):
                if one.payload.name in asked_of:
                    said = p.raw(one.start, one.end)
                    return (f"Counted: {statement.entity.text} with such {said}; one of them may have several.",)
    return ()


@rule
@needs(words("most"))
def who_does_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who comments the most`, `who uploads most in Legal`, `which user commented on the most contracts`."""
    starts = [at + 1] if p.word(at) == "who" else []
    if p.word(at) in ("which", "what"):
        virtual = p.people
        starts += [end for e in virtual for end in entity_words(p, at + 1, e.name)]
    for start in starts:
        for after, ref in acts(p, p.past(start, english.AUXILIARIES | english.RELATIVE_PRONOUNS)):
            extreme = p.past(after, ("the",))
            if p.word(extreme) != "most" or of_another_kind(p, at + 1, ref):
                continue
            such = of_their_kind(p, at + 1, ref)
            for things in _done_to(p, p.past(extreme + 1, ("often", "frequently")), ref):
                row = first_row(p, things.value.also(such), COUNT, tree.Group(ref.left), True, 1)
                yield Found(things.end, row, things.cost + 0.05)


@rule
@needs(A_NUMBER)
def people_with(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`people who own more than 50 folders`, `who uploaded over 300 documents`: those with such a number of them."""
    start = p.past(at, words("the which what are show me list find all"))
    for target in p.people:
        nouns = [*entity_words(p, start, target.name), *([start + 1] if p.word(start) == "who" else [])]
        for noun in nouns:
            verb = p.past(noun, english.RELATIVE_PRONOUNS | english.AUXILIARIES)
            for end, ref in verbs(p, verb, target.name):
                for test in quantity_test(p, end):
                    if not test.value.of_a_count:
                        continue
                    for things in noun_phrase(p, test.end):
                        own = ref.belongs_to(p.entity(things.value.entity)) and not of_another_kind(p, start, ref)
                        if own and things.value.all_such:
                            having = tree.Comparison(COUNT, test.value.relation, test.value.amount.node)
                            such = things.value.also(of_their_kind(p, start, ref))
                            rows = aggregate(p, such, (COUNT,), (tree.Group(ref.left),))
                            yield Found(things.end, replace(rows, having=having), things.cost + test.cost + 0.05)


@rule
@begins(_HOW_OFTEN)
def how_often_done(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many times has X been copied`: the things that refer to X by that verb."""
    for end in p.phrases(at, _HOW_OFTEN):
        for entity in p.things:
            for ref in _references_to(p, entity):
                for one in named(p, end, ref.target or ""):
                    verb = p.past(one.end, english.COPULAS)
                    if one.value.text and p.word(verb).endswith("ed") and stem(p.word(verb)) in ref.stems:
                        such: Condition = ref.equals(one.value.value)
                        count = aggregate(p, NounPhrase(entity.name, such), (COUNT,))
                        yield Found(verb + 1, count, one.cost + 0.1)
            break


def _references_to(p: Parse, entity: Entity) -> Iterator[FieldRef]:
    """The fields of an entity that refer to a thing of its kind: what it was made from."""
    for ref in FieldRef.own(entity):
        if ref.target is not None and (ref.target == entity.name or entity.name in p.entity(ref.target).kinds):
            yield ref


FORMS = (
    people_with,
    busiest,
    how_many_do,
    who_does_most,
    how_often_done,
    spread_over,
    of_each,
    groups_first,
    measured_after,
)
