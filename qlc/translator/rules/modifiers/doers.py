"""Those that did something, as a field of other things tells: `who adopted a dog`, `who never attended a call-out`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, lookup, member, path, string
from qlc.translator.rules.conditions import date_condition, default_date, list_fields
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ValueWord, has_field
from qlc.translator.rules.modifiers.elements import one_element
from qlc.translator.rules.modifiers.referring import only_reference, way_to
from qlc.translator.rules.nouns.names import Reference, named
from qlc.translator.rules.nouns.references import verbs
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.questions.asked_fields import date_of_the_verb
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

OF_THE_OTHERS = 0.4
"""What it costs to take what stands behind the things that somebody did something to for something said of them."""
_DATED_OTHERWISE = 0.4
"""What the usual date of things costs behind a verb that has a date of its own."""


def having_done(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`adopted a dog in 2025`, `never attended a call-out`, `runs J-12`: who is named by a field of such things."""
    own = p.entity(entity)
    if own.virtual or own.kinds or own.id is None:
        return
    begin = p.past(at, english.RELATIVE_PRONOUNS | english.AUXILIARIES - english.MODALS)
    never = p.word(begin) in english.NEGATIONS
    before = p.past(begin + never, words("yet ever have has"))
    verb = next(p.phrases(before, _LAST), before)
    for end, ref in verbs(p, verb, entity):
        for holder in p.schema.entities.values():
            if holder.virtual or holder.kinds or not has_field(holder, ref) or holder.name == entity:
                continue
            for one in named(p, end, holder.name) if not never else ():
                if one.value.text:
                    theirs = member(lookup(holder.name, one.value.text), *ref.path)
                    yield Found(one.end, compare(path(own.id.name), "=", theirs), one.cost + 0.1)
            for such in _such_things(p, end, holder, ref, verb):
                among: tree.ComparisonOperator = "not in" if never else "in"
                more = p.word(such.end) in english.PREPOSITIONS or bool(date_test(p, such.end))
                torn = OF_THE_OTHERS if more else 0.1  # `fixed a fault in Leeds` says where the fault was
                if verb == before:
                    yield Found(such.end, compare(path(own.id.name), among, such.value), such.cost + torn)
                for behind in [such.end] if verb > before else p.phrases(such.end, _LAST):
                    if (last := _the_last(such.value, holder)) is not None and not never:
                        yield Found(behind, compare(path(own.id.name), "in", last), such.cost + 0.1)


_LAST = phrases("last | most recently | [the] last time")


def _the_last(records: tree.Value, holder: Entity) -> tree.Value | None:
    """`treated Rex last`: whom the last of the records names."""
    match records, default_date(holder):
        case tree.Member(base=tree.Subquery(statement=tree.Find() as find)), (date, _):
            last = replace(find, sort=(tree.SortKey(path(*date.path), True),), limit=1)
            return replace(records, base=tree.Subquery(last))
        case _:
            return None


def _such_things(p: Parse, at: int, holder: Entity, ref: FieldRef, verb: int) -> Iterator[Found[tree.Value]]:
    """The things behind a verb, by the field that says who did it to them: dated by the date of the verb."""
    from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase

    yield from _of_what_they_refer_to(p, at, holder, ref)
    dates = date_of_the_verb(holder, p.word(verb))
    for things in noun_phrase(p, at):
        phrase = things.value
        plain = phrase.fixed is None and phrase.limit is None and not phrase.sort and phrase.entity == holder.name
        if not plain:
            continue
        dated = bool(dates) and any(date_test(p, i) for i in range(at, things.end + 1))
        yield Found(things.end, _of(holder, ref, phrase.where), things.cost + (_DATED_OTHERWISE if dated else 0.0))
    for head in bare_noun(p, at) if len(dates) == 1 else ():
        if head.value.entity == holder.name and head.value.fixed is None and head.value.limit is None:
            for test in date_test(p, head.end):
                then = both(head.value.where, date_condition(dates[0], test.value))
                yield Found(test.end, _of(holder, ref, then), head.cost + test.cost)


def _of_what_they_refer_to(p: Parse, at: int, holder: Entity, ref: FieldRef) -> Iterator[Found[tree.Value]]:
    """`rented a boat`, `rented the Albatross`, where hires say who rented, and which boat."""
    from qlc.translator.rules.modifiers.sequences import modifiers
    from qlc.translator.rules.nouns.noun_phrases import bare_noun

    for one, which in _of_one_by_name(p, at, holder, ref):
        yield Found(one.end, _of(holder, ref, which), one.cost + 0.1)
        for rest in modifiers(p, one.end, holder.name):
            yield Found(rest.end, _of(holder, ref, both(which, rest.value)), one.cost + rest.cost + 0.1)
    for head in bare_noun(p, at):
        phrase = head.value
        way = way_to(p, holder, phrase.entity)
        if not way or not phrase.headed or phrase.fixed is not None or phrase.limit is not None or phrase.sort:
            continue
        such: Condition = tree.Presence(path(*way), False)
        if phrase.where is not None:
            found = tree.Subquery(tree.Find(tree.Name(p.entity(phrase.entity).plural), phrase.where))
            such = compare(path(*way), "in", found)
        yield Found(head.end, _of(holder, ref, such), head.cost + 0.1)
        for rest in modifiers(p, head.end, holder.name):
            then = rest.value if phrase.where is None else both(such, rest.value)
            yield Found(rest.end, _of(holder, ref, then), head.cost + rest.cost + 0.1)


def _of_one_by_name(
    p: Parse, at: int, holder: Entity, ref: FieldRef
) -> Iterator[tuple[Found[Reference], Condition]]:
    """What a thing refers to beside who did it, by its name."""
    for target in p.schema.entities.values():
        way = way_to(p, holder, target.name) if target.name != ref.target else ()
        for one in named(p, at, target.name) if way else ():
            if one.value.text:
                yield one, compare(path(*way), "=", one.value.value)


def done_to_it(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`animals treated by Lars Holm`, `boats that Ann rented in May`: what records refer to, as they say who did it."""
    from qlc.translator.rules.modifiers.sequences import modifiers

    own = p.entity(entity)
    if own.virtual or own.kinds or own.id is None:
        return
    start = p.past(at, english.RELATIVE_PRONOUNS | english.AUXILIARIES - english.MODALS | english.COPULAS)
    for holder, way in _records_of(p, own):
        for end, such in (*_by_somebody(p, start, holder), *_somebody_did(p, start, holder)):
            yield Found(end, _those(own, holder, way, such), 0.15)
            for rest in modifiers(p, end, holder.name):
                yield Found(rest.end, _those(own, holder, way, both(such, rest.value)), rest.cost + 0.15)


def _those(own: Entity, holder: Entity, way: tuple[str, ...], such: Condition | None) -> Condition:
    assert own.id is not None
    records = tree.Subquery(tree.Find(tree.Name(holder.plural), such))
    return compare(path(own.id.name), "in", member(records, *way))


def _records_of(p: Parse, own: Entity) -> Iterator[tuple[Entity, tuple[str, ...]]]:
    """The things that refer to those of an entity, each with its one way to them."""
    for holder in p.schema.entities.values():
        way = way_to(p, holder, own.name) if not holder.virtual and not holder.kinds and holder.name != own.name else ()
        if way:
            yield holder, way


def _by_somebody(p: Parse, at: int, holder: Entity) -> Iterator[tuple[int, Condition]]:
    """`treated by Lars Holm`."""
    for lexeme in p.starting(at, FieldWord):
        ref = lexeme.payload.ref
        if ref.target is None or ref.within is not None or not has_field(holder, ref) or p.word(lexeme.end - 1) != "by":
            continue
        for who in named(p, lexeme.end, ref.target):
            if who.value.text:
                yield who.end, compare(path(*ref.path), "=", who.value.value)


def _somebody_did(p: Parse, at: int, holder: Entity) -> Iterator[tuple[int, Condition]]:
    """`Lars Holm treated`, `did Lars Holm treat`."""
    for target in p.schema.entities.values():
        for who in named(p, at, target.name):
            for end, ref in verbs(p, who.end, target.name) if who.value.text else ():
                if has_field(holder, ref):
                    yield end, compare(path(*ref.path), "=", who.value.value)


def _of(holder: Entity, ref: FieldRef, where: Condition | None) -> tree.Value:
    such = where or tree.Presence(path(*ref.path), False)
    return member(tree.Subquery(tree.Find(tree.Name(holder.plural), such)), *ref.path)


_BELONGING = phrases("[that] (belong | belongs | belonging | belonged) to | [that] (go | goes | going) with")


def belonging_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`which invoice belongs to job J-12`: what a thing refers to."""
    own = p.entity(entity)
    for end in p.phrases(at, _BELONGING) if not own.virtual else ():
        for target in p.schema.entities.values():
            way = way_to(p, own, target.name) if not target.virtual and target.name != entity else ()
            for one in named(p, end, target.name) if way else ():
                if one.value.text:
                    yield Found(one.end, compare(path(*way), "=", one.value.value), one.cost + 0.1)


_IN = words("in inside within")


def empty(p: Parse, at: int) -> Iterator[Found[tuple[str, Condition]]]:
    """`empty rooms`, before a noun: those that nothing is kept in, where one field alone says what is."""
    for noun in p.starting(at + 1, EntityWord) if p.word(at) == "empty" else ():
        condition = _nothing_in(p, p.entity(noun.payload.entity))
        if condition is not None:
            yield Found(noun.end, (noun.payload.entity, condition), noun.cost + 0.1)


def is_empty(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`that are empty`."""
    condition = _nothing_in(p, p.entity(entity)) if p.word(at) == "empty" and at else None
    if condition is not None and p.word(at - 1) in english.COPULAS | {"currently", "now", "still"}:
        yield Found(at + 1, condition, 0.1)


def _nothing_in(p: Parse, own: Entity) -> Condition | None:
    real = [one for one in p.schema.entities.values() if not one.virtual and not one.kinds]
    refs = [(one, ref) for one in real if (ref := only_reference(one, own.name)) is not None]
    kept = [(one, ref) for one, ref in refs if any(said.split()[-1] in _IN for said in ref.field.words)]
    if len(kept) != 1 or own.id is None or own.virtual or own.kinds or own.parent is not None:
        return None
    return compare(path(own.id.name), "not in", _of(*kept[0], None))


_DID = words("did does do made makes make handled handles performed performs")


def who_did_a_part(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`where Ann did the cleaning`: who did it, and what, of one element of a list."""
    start = p.past(at, words("where that which in whose"))
    for many in p.entity(entity).lists.values() if start > at else ():
        fields = list_fields(p.entity(entity), many.name)
        for who in (ref for ref in fields if ref.target is not None):
            for one in named(p, start, who.target or ""):
                if not one.value.text or p.word(one.end) not in _DID:
                    continue
                for kind in p.starting(p.articles(one.end + 1), ValueWord):
                    if kind.payload.ref.path in {ref.path for ref in fields}:
                        theirs = compare(path(who.path[-1]), "=", one.value.value)
                        such = compare(path(kind.payload.ref.path[-1]), "=", string(kind.payload.text))
                        yield Found(kind.end, one_element(many.name, (theirs, such)), one.cost + kind.cost + 0.1)


DOERS = (having_done, done_to_it, belonging_to, is_empty, who_did_a_part)
