"""What people do: how many of them do it, who does it most; and how often something was done to a thing."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.grammar.walk import walked
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import date_condition, list_fields, list_words
from qlc.translator.rules.lexicon.lexemes import FieldRef, ListWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.elements import is_who_did_it, one_element
from qlc.translator.rules.nouns.names import Reference, entity_words, named
from qlc.translator.rules.nouns.noun_phrases import NounPhrase, find, noun_phrase
from qlc.translator.rules.nouns.references import of_another_kind, of_their_kind, verbs
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.questions.aggregates import COUNT, aggregate, first_with
from qlc.translator.rules.questions.asked_fields import date_of_the_verb, parts_of
from qlc.translator.rules.questions.rankings import first_row
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import phrases, words

_ANYTHING = words("anything something things stuff")


def acts(p: Parse, at: int) -> Iterator[tuple[int, FieldRef]]:
    """A verb for what people do to things, with the field that says who did it: `uploads`, `comment on`."""
    for target in (e for e in p.schema.entities.values() if e.virtual):
        for end, ref in verbs(p, at, target.name):
            yield p.past(end, ("on",)), ref
        for lexeme in p.starting(at, ListWord):
            for entity in p.schema.entities.values():
                many = entity.lists.get(lexeme.payload.name)
                if many is None or entity.virtual or lexeme.end != at + 1:
                    continue
                refs = [FieldRef((many.name, key), one, many) for key, one in many.fields.items()]
                by = [ref for ref in refs if ref.target == target.name and is_who_did_it(ref)]
                if len(by) == 1:
                    yield p.past(lexeme.end, ("on",)), by[0]
                    break


def _done_to(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[NounPhrase]]:
    """What it is done to, behind the verb: `invoices in Legal`, `anything`, `in 2025`; nothing at all."""
    entity = first_with(p, ref)
    if entity is None:
        return
    for start in {at, p.past(at, ("on",))}:
        for things in noun_phrase(p, start):
            plain = things.value.fixed is None and things.value.limit is None and not things.value.sort
            if plain and has_field(p.entity(things.value.entity), ref):
                yield things
    for start in {at, p.past(at, _ANYTHING)}:
        yield Found(start, NounPhrase(entity.name), 0.0)
        for rest in modifiers(p, start, entity.name):
            yield Found(rest.end, NounPhrase(entity.name, rest.value), rest.cost)


@rule
def how_many_do(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many people comment on invoices`, `number of users who uploaded something in 2025`."""
    for end in p.phrases(p.past(at, words("the what is 's")), english.COUNTING):
        start = p.past(end, words("different distinct unique"))
        for target in (e for e in p.schema.entities.values() if e.virtual):
            for noun in entity_words(p, start, target.name):
                verb = p.past(noun, english.RELATIVE_PRONOUNS | english.AUXILIARIES)
                for after, ref in acts(p, verb):
                    for things in _done_to(p, after, ref):
                        measure = tree.Measure("distinct", path(*ref.path))
                        yield Found(things.end, aggregate(p, things.value, (measure,)), things.cost + 0.1)


_MADE = words("written write wrote made make left leave posted post added add given give")


@rule
def how_many_of_a_list(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many comments has Ann written`: the things that have such an element are counted, which is told."""
    for end in p.phrases(p.past(at, words("the what is 's")), english.COUNTING):
        for entity in (e for e in p.schema.entities.values() if not e.virtual):
            for verb, name, _ in list_words(p, end, entity):
                doers = [ref for ref in list_fields(entity, name) if ref.target is not None and is_who_did_it(ref)]
                begin = p.past(verb, english.AUXILIARIES - english.MODALS)
                for who in named(p, begin, doers[0].target or "") if len(doers) == 1 and begin > verb else ():
                    after = p.past(who.end, _MADE)
                    if after == who.end or (such := _of_one(doers[0], who.value)) is None:
                        continue
                    kinds = 0.3 if entity.kinds else 0.0
                    behind = after + (p.word(after) == "on")
                    yield Found(after, aggregate(p, NounPhrase(entity.name, such), (COUNT,)), who.cost + 0.1 + kinds)
                    for things in noun_phrase(p, behind) if behind > after else ():
                        plain = things.value.entity == entity.name and things.value.fixed is None
                        if plain and things.value.limit is None and not things.value.sort:
                            counted = aggregate(p, things.value.also(such), (COUNT,))
                            yield Found(things.end, counted, who.cost + things.cost + 0.1)


@rule
def who_made_most_of_a_list(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who wrote the most comments`, `who left the most remarks on contracts`: by the things that have theirs."""
    verb = p.past(at + 1, english.AUXILIARIES) if p.word(at) == "who" else p.end
    extreme = p.past(verb + 1, ("the",))
    if p.word(verb) not in _MADE or p.word(extreme) != "most":
        return
    for entity in (e for e in p.schema.entities.values() if not e.virtual and not e.kinds):
        for end, name, _ in list_words(p, extreme + 1, entity):
            doers = [ref for ref in list_fields(entity, name) if ref.target is not None and is_who_did_it(ref)]
            if len(doers) != 1 or _first_with_list(p, name) != entity.name:
                continue
            by = tree.Group(path(*doers[0].path))
            yield Found(end, first_row(p, NounPhrase(entity.name), COUNT, by, True, 1), 0.1)
            for things in noun_phrase(p, end + 1) if p.word(end) == "on" else ():
                plain = things.value.entity == entity.name and things.value.fixed is None
                if plain and things.value.limit is None and not things.value.sort:
                    yield Found(things.end, first_row(p, things.value, COUNT, by, True, 1), things.cost + 0.1)


def _first_with_list(p: Parse, name: str) -> str:
    """The first kind of things that have a list of that name."""
    return next((e.name for e in p.schema.entities.values() if not e.virtual and name in e.lists), "")


def _of_one(ref: FieldRef, who: Reference) -> Condition | None:
    return one_element(ref.path[0], (compare(path(ref.path[-1]), "in" if who.many else "=", who.value),))


def things_counted(p: Parse, statement: Statement) -> tuple[str, ...]:
    """A sentence that things were counted, where elements of a list of theirs were asked for."""
    if not isinstance(statement, tree.Aggregate) or statement.measures != (COUNT,):
        return ()
    asked_of = {part.segments[0].name.text for part in walked(statement) if isinstance(part, tree.Path)}
    for at in range(p.end):
        most = at + 1 if p.word(at) == "most" else p.end
        for end in (*p.phrases(at, english.COUNTING), most):
            for one in p.starting(end, ListWord):
                if one.payload.name in asked_of:
                    said = p.raw(one.start, one.end)
                    return (f"Counted: {statement.entity.text} with such {said}; one of them may have several.",)
    return ()


@rule
def who_does_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who comments the most`, `who uploads most in Legal`, `which user commented on the most contracts`."""
    starts = [at + 1] if p.word(at) == "who" else []
    if p.word(at) in ("which", "what"):
        virtual = (e for e in p.schema.entities.values() if e.virtual)
        starts += [end for e in virtual for end in entity_words(p, at + 1, e.name)]
    for start in starts:
        for after, ref in acts(p, p.past(start, english.AUXILIARIES | english.RELATIVE_PRONOUNS)):
            extreme = p.past(after, ("the",))
            if p.word(extreme) != "most" or of_another_kind(p, at + 1, ref):
                continue
            such = of_their_kind(p, at + 1, ref)
            for things in _done_to(p, p.past(extreme + 1, ("often", "frequently")), ref):
                row = first_row(p, things.value.also(such), COUNT, tree.Group(path(*ref.path)), True, 1)
                yield Found(things.end, row, things.cost + 0.05)


@rule
def whether_done(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`did Nikhil edit anything yesterday`, `has Ann uploaded any contracts`: what they did it to."""
    if p.word(at) not in ("did", "has", "have", "does"):
        return
    for target in (e for e in p.schema.entities.values() if e.virtual):
        for who in named(p, at + 1, target.name):
            for after, ref in acts(p, p.past(who.end, ("ever", "recently"))):
                if ref.target != target.name or ref.within is not None:
                    continue
                verb = p.word(after - 1)
                for things in _done_to(p, p.past(after, ("any",)), ref):
                    if things.end == after:
                        continue
                    theirs = things.value.also(compare(path(*ref.path), "=", who.value.value))
                    if not _dated_otherwise(p, after, things, verb):
                        yield Found(things.end, find(p, theirs), things.cost + who.cost + 0.1)
                    for date in date_of_the_verb(p.entity(things.value.entity), verb):
                        for test in date_test(p, things.end):
                            then = theirs.also(date_condition(date, test.value))
                            yield Found(test.end, find(p, then), things.cost + who.cost + test.cost + 0.1)


def _dated_otherwise(p: Parse, at: int, things: Found[NounPhrase], verb: str) -> bool:
    """Whether a date stands behind the things, and the verb has a date of its own."""
    entity = p.entity(things.value.entity)
    dates = any(one.end == things.end for i in range(at, things.end) for one in date_test(p, i))
    return dates and bool(date_of_the_verb(entity, verb))


_HOW_OFTEN = phrases("how (often | many times) (was | has | is | were | have | did)")


@rule
def how_often_done(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many times has X been copied`: the things that refer to X by that verb."""
    for end in p.phrases(at, _HOW_OFTEN):
        for entity in (e for e in p.schema.entities.values() if not e.virtual):
            for ref in _references_to(p, entity):
                for one in named(p, end, ref.target or ""):
                    verb = p.past(one.end, english.COPULAS)
                    if one.value.text and p.word(verb).endswith("ed") and stem(p.word(verb)) in _verbs_of(ref):
                        such: Condition = compare(path(*ref.path), "=", one.value.value)
                        count = aggregate(p, NounPhrase(entity.name, such), (COUNT,))
                        yield Found(verb + 1, count, one.cost + 0.1)
            break


def _references_to(p: Parse, entity: Entity) -> Iterator[FieldRef]:
    """The fields of an entity that refer to a thing of its kind: what it was made from."""
    for one in entity.fields.values():
        ref = FieldRef((one.name,), one)
        if ref.target is not None and (ref.target == entity.name or entity.name in p.entity(ref.target).kinds):
            yield ref


def _verbs_of(ref: FieldRef) -> set[str]:
    return {stem(part) for part in parts_of(ref)}
