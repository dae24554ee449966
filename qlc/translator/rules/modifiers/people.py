"""Who did what: `that Omar owns`, `created by somebody else`, `Ann can edit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import list_fields, list_words
from qlc.translator.rules.lexicon.lexemes import FieldRef, ListWord, NameWord
from qlc.translator.rules.modifiers.elements import element_conditions, field_of, is_who_did_it, one_element
from qlc.translator.rules.modifiers.fields import when_done
from qlc.translator.rules.nouns.names import Reference, literal, named
from qlc.translator.rules.nouns.references import related, verbs
from qlc.translator.rules.parse import Found, Parse, begins
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import words

_LEAVING = words("left leave leaves wrote write writes made make makes added add adds posted post posts put has have")

_LONGEST_DATE = 8
_MAKING = {stem(one) for one in ("created", "made", "author", "wrote", "creator")}


def by_agent(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Active voice: `that Omar owns`, `Wei has created since March`."""
    where = at + (p.word(at) in ("on", "in") and p.word(at + 1) == "which")
    start = p.past(where, english.RELATIVE_PRONOUNS | english.AUXILIARIES | {"where"})
    for target in p.people_referred_to:
        for who in (*named(p, start, target), *related(p, start, target), *_stranger(p, start, target)):
            doing = p.past(who.end, english.AUXILIARIES | english.SOFTENERS | english.COPULAS | {"last", "first"})
            # Who can edit something need not have edited it.
            able = any(p.word(i) in english.MODALS - {"'d"} for i in (*range(at, start), *range(who.end, doing)))
            for after, ref in () if able else verbs(p, doing, target):
                if ref.belongs_to(p.entity(entity)):
                    done = Found(after, who.value.meant_by(ref), who.cost)
                    yield done
                    yield from when_done(p, done, p.word(doing), entity)
            if p.word(start - 1) != "only" or not start:  # who alone may do it is another question
                yield from _wrote(p, who, doing, entity, start)


def _stranger(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`what did Omar Sharif upload`, where nobody is called so: that is what is to be reported."""
    if 0 < at < p.end and p.tokens[at].raw[:1].isupper() and not bool(p.starting(at, NameWord)):
        for one in literal(p, at, target):
            if all(p.tokens[i].raw[:1].isupper() and not p.lexicon.knows(p.word(i)) for i in range(at, one.end)):
                yield one


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


RULES = (by_agent, made_by)
