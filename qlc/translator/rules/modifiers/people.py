"""Who did what: `that Omar owns`, `created by somebody else`, `Ann can edit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, either, negation, path, string
from qlc.translator.rules.conditions import date_condition, list_fields, list_words, values, values_condition
from qlc.translator.rules.lexicon.field_names import deeds_of
from qlc.translator.rules.lexicon.lexemes import FieldRef, ListWord, NameWord, ValueWord
from qlc.translator.rules.modifiers.elements import element_conditions, field_of, is_who_did_it, one_element
from qlc.translator.rules.modifiers.fields import when_done
from qlc.translator.rules.nouns.names import Reference, literal, named, possession
from qlc.translator.rules.nouns.references import related, verbs
from qlc.translator.rules.parse import Found, Parse, begins, knows, needs
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.questions.asked_fields import date_of_the_verb
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words

_LEAVING = words("left leave leaves wrote write writes made make makes added add adds posted post posts put has have")

_SOMEBODY_ELSE = phrases("somebody else | someone else | another person | other people | a different person")
_PERSON_WHO = phrases("person who | same person who | one who | people who")
_SEEN_BY = phrases("(visible | accessible | available | open | viewable | readable) (to | for | by)")
_LONGEST_DATE = 8
_MAKING = {stem(one) for one in ("created", "made", "author", "wrote", "creator")}
ACCESS = words("access permission permissions rights")
SEEING = words("see access open reach")
"""What everybody can do who has any access at all."""
_TORN_FROM_ITS_DATE = 0.3
"""What it costs to take the date after a verb for another one than when that was done."""


def by_agent(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Active voice: `that Omar owns`, `Wei has created since March`."""
    where = at + (p.word(at) in ("on", "in") and p.word(at + 1) == "which")
    start = p.past(where, english.RELATIVE_PRONOUNS | english.AUXILIARIES | {"where"})
    for target in p.people_referred_to:
        for who in named(p, at + 1, target) if p.word(at) in english.HAVING else ():
            if p.word(who.end) in english.POSSESSIVES:  # `with Ann's comment`
                yield from _wrote(p, who, who.end + 1, entity, at + 1)
        for who in (*named(p, start, target), *related(p, start, target), *_stranger(p, start, target)):
            doing = p.past(who.end, english.AUXILIARIES | english.SOFTENERS | english.COPULAS | {"last", "first"})
            # Who can edit something need not have edited it.
            able = any(p.word(i) in english.MODALS - {"'d"} for i in (*range(at, start), *range(who.end, doing)))
            if not able and p.word(doing) in english.NEGATIONS:
                yield from _not_done(p, who, doing + 1, target, entity)
            for after, ref in () if able else verbs(p, doing, target):
                if ref.belongs_to(p.entity(entity)):
                    done = Found(after, who.value.meant_by(ref), who.cost)
                    yield done
                    if p.word(after) == "last" and _keeps_the_last(p.entity(entity), p.word(doing)):
                        yield done._replace(end=after + 1)
                    yield from when_done(p, done, p.word(doing), entity)
                    yield from _but_did_not(p, done, who.value, target, entity)
            if p.word(start - 1) != "only" or not start:  # who alone may do it is another question
                yield from _may(p, who, entity)
                yield from _wrote(p, who, doing, entity, start)


def _keeps_the_last(entity: Entity, verb: str) -> bool:
    """Whether only who did it last is kept, as beside a date of when it was `last edited`."""
    return any("last" in date.parts for date in date_of_the_verb(entity, verb))


def _stranger(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`what did Omar Sharif upload`, where nobody is called so: that is what is to be reported."""
    if 0 < at < p.end and p.tokens[at].raw[:1].isupper() and not bool(p.starting(at, NameWord)):
        for one in literal(p, at, target):
            if all(p.tokens[i].raw[:1].isupper() and not p.lexicon.knows(p.word(i)) for i in range(at, one.end)):
                yield one


def _not_done(p: Parse, who: Found[Reference], at: int, target: str, entity: str) -> Iterator[Found[Condition]]:
    """`Ann has not edited`, `Ann hasn't commented on`."""
    for after, ref in verbs(p, at, target):
        if ref.belongs_to(p.entity(entity)) and not who.value.many:
            yield Found(after, ref.compared("!=", who.value.value), who.cost)
    for one in _wrote(p, who, at, entity):
        yield Found(one.end, negation(one.value), one.cost)


@needs(words("neither"))
def neither_does(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`that neither Omar nor Tom Baker own`."""
    start = p.past(at, english.RELATIVE_PRONOUNS)
    if p.word(start) != "neither":
        return
    for ref in p.lexicon.fields():
        if ref.target is None or not p.entity(ref.target).virtual or not ref.belongs_to(p.entity(entity)):
            continue
        for first in named(p, start + 1, ref.target):
            for second in named(p, first.end + 1, ref.target) if p.word(first.end) in english.OR else ():
                for end, done in verbs(p, p.past(second.end, english.AUXILIARIES), ref.target):
                    if done.path == ref.path:
                        one = (first.value.value, second.value.value)
                        condition = negation(values_condition(ref, one, "or", False))
                        yield Found(end, condition, first.cost + second.cost)


def _wrote(p: Parse, who: Found[Reference], at: int, entity: str, who_at: int = 0) -> Iterator[Found[Condition]]:
    """`Marcus commented on`, `did Marcus comment on`: an element of a list that is theirs."""
    own = p.entity(entity)
    for end, name, _ in list_words(p, at, own):
        people = [ref for ref in list_fields(own, name) if ref.target == who.value.entity]
        # With whom something is shared has not shared it.
        asked = who.end == at and p.word(who_at - 1) in ("did", "does", "do")
        if len(people) == 1 and is_who_did_it(people[0]) and (asked or is_participle(p.word(at))):
            person = compare(path(people[0].path[-1]), "=", who.value.value)
            after = p.past(end, ("on",))
            # When they did it, and what they wrote, is said of the same element.
            more = bool(date_test(p, after)) or p.quoted(after) is not None
            yield Found(after, one_element(name, (person,)), who.cost + (0.7 if more else 0.1))
            for test in element_conditions(p, after, name, own, 0) if more else ():
                if all(field_of(one) != field_of(person) for one in test.value):  # nobody else wrote the same one
                    yield Found(test.end, one_element(name, (person, *test.value)), who.cost + test.cost + 0.1)
    having = p.word(who_at - 1) in english.HAVING and p.word(who.end) in english.POSSESSIVES
    verb = next((i for i in range(who.end, at + 1) if p.word(i) in _LEAVING or having), p.end)
    for end, name, tail in list_words(p, p.past(verb + 1, english.ARTICLES), own):
        people = [ref for ref in list_fields(own, name) if ref.target == who.value.entity]
        if len(people) != 1 or not is_who_did_it(people[0]) or tail:
            continue
        theirs = compare(path(people[0].path[-1]), "=", who.value.value)
        yield Found(end, one_element(name, (theirs,)), who.cost + 0.1)
        for said in element_conditions(p, end, name, own, 0):
            after = p.past(said.end, ("on",))  # `left the comment "..." on`
            yield Found(after, one_element(name, (theirs, *said.value)), who.cost + said.cost + 0.1)


@begins(words("by"))
def made_by(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`PDFs by Hannah`: who made them."""
    who_did = [ref for ref in FieldRef.own(p.entity(entity)) if ref.target is not None and p.entity(ref.target).virtual]
    spoken = {ref: ref.stems for ref in who_did}
    doing = _last_deed(p, at, spoken)  # "modified yesterday by Ann"
    if not doing and _of_a_deed(p, at):
        return  # who approved something is not who made it
    lists = {one.payload.name for i in range(max(0, at - 2), at) for one in p.starting(i, ListWord) if one.end == at}
    theirs = any(is_who_did_it(ref) for name in lists for ref in list_fields(p.entity(entity), name) if ref.target)
    if theirs:
        return  # who wrote a comment is not who made the thing
    unsaid = 0.1 if doing else 0.2
    for ref in doing or [ref for ref, stems in spoken.items() if _MAKING & stems]:
        for who in (*named(p, at + 1, ref.target or ""), *related(p, at + 1, ref.target or "")):
            yield Found(who.end, who.value.meant_by(ref), who.cost + unsaid)
            one_of_two = p.word(who.end) == "or" and bool(who.value.text) and not who.value.many
            for other in named(p, who.end + 1, ref.target or "") if one_of_two else ():
                if other.value.text and not other.value.many:  # `by Grace Kim or Tom Baker`
                    either_of = tree.ListValue((who.value.value, other.value.value))
                    yield Found(other.end, ref.compared("in", either_of), who.cost + other.cost + unsaid)


@knows(ValueWord)
def by_a_value(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`that Omar bought`, `did Omar buy`, of what has a `buyer` whose values are names."""
    start = p.past(at, english.RELATIVE_PRONOUNS | _DID)
    for who in p.starting(start, ValueWord):
        ref, verb = who.payload.ref, stem(p.word(who.end))
        if verb and verb in deeds_of(ref.field.name) and ref.within is None and ref.belongs_to(p.entity(entity)):
            yield Found(who.end + 1, ref.equals(string(who.payload.text)), who.cost + 0.05)


_DID = words("did has have had does do")


def _of_a_deed(p: Parse, at: int) -> bool:
    """Whether `by` belongs to a participle before it, with at most a date between: `approved in June by Ann`."""
    for i in range(max(0, at - _LONGEST_DATE), at):
        dated = i == at - 1 or any(test.end == at for test in date_test(p, i + 1))
        if is_participle(p.word(i)) and p.word(i).isalpha() and dated:
            return True
    return False


def _last_deed(p: Parse, at: int, spoken: Mapping[FieldRef, set[str]]) -> list[FieldRef]:
    """Who did what the last participle before `by` says: `signed by Ann, uploaded in June by Ben`."""
    for i in range(at - 1, -1, -1):
        done = p.word(i)
        found = [ref for ref, stems in spoken.items() if done.isalpha() and stem(done) in stems]
        if found and is_participle(done):
            return found
    return []


def _may(p: Parse, who: Found[Reference], entity: str) -> Iterator[Found[Condition]]:
    """`the Finance Team can view`, `Ann can edit`: one element of a list that has both."""
    own = p.entity(entity)
    verb, done = p.word(who.end), p.word(who.end + 1)
    for many in own.lists.values():
        people = [ref for ref in list_fields(own, many.name) if ref.target == who.value.entity]
        if not people:
            continue
        spoken = {word for one in many.fields.values() for word in one.words}
        theirs = compare(path(people[0].path[-1]), "=", who.value.value)
        if verb in ("has", "have", "can") and done in spoken:  # "has access to"
            yield Found(p.past(who.end + 2, ("to",)), one_element(many.name, (theirs,)), who.cost + 0.1)
        if ACCESS & spoken and verb in english.MODALS and done in SEEING:
            yield Found(who.end + 2, one_element(many.name, (theirs,)), who.cost + 0.1)
        able = verb in english.MODALS | {"has", "have"}
        at_once = [one for one in p.starting(who.end, ValueWord) if able or not one.cost]
        for lexeme in (*at_once, *(p.starting(who.end + 1, ValueWord) if able else ())):
            ref = lexeme.payload.ref
            if ref.within is not None and ref.within.name == many.name:
                role = compare(path(ref.path[-1]), "=", string(lexeme.payload.text))
                may = one_element(many.name, (theirs, role))
                end = p.past(lexeme.end, words("access rights on to permission permissions"))
                yield Found(end, may, who.cost + 0.1)
                yield from _but_may_not(p, end, may, ref, who)


@needs(_SOMEBODY_ELSE, _PERSON_WHO)
def by_another(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`somebody else uploaded`, `created by someone else`: another than whose it is."""
    own = p.entity(entity)
    whose = next((ref for ref in FieldRef.own(own) if ref.target is not None and possession(ref)), None)
    if whose is None:
        return
    for i in range(at):  # `created by Ann but edited by somebody else`: than Ann
        for before, field in p.fields(i, own):
            if before.payload.tail and field.target == whose.target and field.within is None:
                whose = field
    for end in p.phrases(at, _SOMEBODY_ELSE):
        begin = p.past(end, english.AUXILIARIES)
        for after, ref in verbs(p, begin, whose.target or ""):
            if ref.path != whose.path and ref.belongs_to(own):
                another = ref.compared("!=", tree.NameValue(whose.left))
                yield from _and_when(p, Found(after, another, 0.1), begin, own)
    for lexeme, ref in p.fields(at, own):
        if ref.target == whose.target and ref.within is None:
            for end in p.phrases(p.articles(lexeme.end), _PERSON_WHO):
                for after, other in verbs(p, end, whose.target or ""):
                    if other.path != ref.path and other.belongs_to(own) and p.word(after) in ("them", "it", "those"):
                        yield Found(after + 1, ref.equals(tree.NameValue(other.left)), 0.1)


def _and_when(p: Parse, done: Found[Condition], verb: int, own: Entity) -> Iterator[Found[Condition]]:
    """`edited by somebody else last month`: a date after it is that of the verb."""
    dates = date_of_the_verb(own, p.word(verb))
    tests = date_test(p, done.end) if len(dates) == 1 else []
    yield done._replace(cost=done.cost + (_TORN_FROM_ITS_DATE if tests else 0.0))
    for test in tests:
        condition = both(done.value, date_condition(dates[0], test.value))
        yield Found(test.end, condition, done.cost + test.cost)


@needs(english.AND, english.OR)
def of_two_deeds(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`created or edited by Omar`, `neither created nor owned by Ann`: both verbs are of the same people."""
    neither = p.word(at) == "neither"
    start = at + neither
    own = p.entity(entity)
    for target in p.people:
        for link, first in verbs(p, start, target.name):
            if p.word(link) not in english.AND | english.OR or not first.belongs_to(own):
                continue
            for verb, second in p.fields(link + 1):
                people = verb.payload.tail == "by" and second.target == target.name and second.within is None
                if not people or second.path == first.path or not second.belongs_to(own):
                    continue
                for who in values(p, verb.end, second):
                    parts = [values_condition(ref, *who.value) for ref in (first, second)]
                    joined = either(parts) if p.word(link) in english.OR else both(*parts)
                    if joined is not None:
                        yield Found(who.end, negation(joined) if neither else joined, verb.cost + who.cost)


@begins(_SEEN_BY)
def visible_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`visible to the Finance Team`, `open to anyone with the link`: who has access, by a list or by a value."""
    own = p.entity(entity)
    for end in p.phrases(at, _SEEN_BY):
        for word in p.starting(p.articles(end), ValueWord):
            ref = word.payload.ref
            if word.payload.closed and ref.within is None and ref.belongs_to(own):
                for several in values(p, end, ref):
                    yield Found(several.end, values_condition(ref, *several.value), several.cost + 0.1)
        for many in own.lists.values():
            if not ACCESS & {word for one in many.fields.values() for word in one.words}:
                continue
            for ref in list_fields(own, many.name):
                for who in named(p, end, ref.target) if ref.target is not None else ():
                    theirs = compare(path(ref.path[-1]), "=", who.value.value)
                    yield Found(who.end, one_element(many.name, (theirs,)), who.cost + 0.1)


def _but_may_not(p: Parse, at: int, may: Condition, ref: FieldRef, who: Found[Reference]) -> Iterator[Found[Condition]]:
    """`Ann can comment on but not edit`: neither by another element."""
    start = p.past(at, (",",))
    denied = p.past(start + 1, english.MODALS)
    if p.word(start) not in ("but", "and") or p.word(denied) not in english.NEGATIONS or ref.within is None:
        return
    for lexeme in p.starting(denied + 1, ValueWord):
        if lexeme.payload.ref.path == ref.path:
            person = next(one for one in ref.within.fields if ref.within.fields[one].reference is not None)
            parts = (
                compare(path(person), "=", who.value.value),
                compare(path(ref.path[-1]), "=", string(lexeme.payload.text)),
            )
            condition = both(may, negation(one_element(ref.within.name, parts)))
            yield Found(lexeme.end, condition, who.cost + lexeme.cost + 0.1)


def _but_did_not(
    p: Parse, done: Found[Condition], who: Reference, target: str, entity: str
) -> Iterator[Found[Condition]]:
    """`that Omar owns but did not upload`: of the same person."""
    joint = p.past(done.end, (",",))
    start = p.past(joint + 1, english.AUXILIARIES)
    if p.word(joint) not in english.AND or who.many:
        return
    denied = p.word(start) in english.NEGATIONS
    for after, ref in verbs(p, start + denied, target):
        if ref.belongs_to(p.entity(entity)):
            yield Found(after, both(done.value, ref.compared("!=" if denied else "=", who.value)), done.cost)


RULES = (of_two_deeds, visible_to, by_agent, by_a_value, neither_does, made_by, by_another)
