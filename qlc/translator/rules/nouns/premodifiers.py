"""Read the words before a noun: counts, degrees, values and names, in every possible way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, either, negation, path, string
from qlc.translator.rules.conditions import date_condition, values, values_condition
from qlc.translator.rules.constructions.condition_slots import denied_adjective
from qlc.translator.rules.constructions.value_costs import is_rather_an_adjective
from qlc.translator.rules.lexicon.lexemes import (
    ConditionWord,
    EntityWord,
    FieldRef,
    FieldWord,
    Lexeme,
    NameWord,
    ValueWord,
)
from qlc.translator.rules.modifiers.elements import from_one_to_another
from qlc.translator.rules.modifiers.events import by_now, says_what_is_over
from qlc.translator.rules.nested import Before, Ways
from qlc.translator.rules.nouns.compounds import COMPOUND, names_kinds, of_what_is_listed, thing_of_its_own
from qlc.translator.rules.nouns.degrees import by_degree, counts, usual_dates
from qlc.translator.rules.nouns.names import (
    TOP_LEVEL,
    entity_with,
    hierarchical,
    is_a_path,
    is_hierarchical,
    kind_in_plural,
    named,
    said_as_kind,
)
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import DateTest
from qlc.translator.rules.quantities.dates import period
from qlc.translator.rules.quantities.numbers import cardinal
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, words

DETERMINERS = english.ARTICLES | words(
    "single very entire whole child immediate direct nested both either which what many other certain various "
    "individual sub more further additional"
)
_MOST_PREMODIFIERS = 6

# How unsure a reading is, beyond its words. A value that the catalog lists is surer than one found in the index; words
# that are something else as well are less sure.
LISTED_VALUE = 0.1
ANY_VALUE = 0.25
LISTED_OR_FIELD = 0.5
VALUE_OR_FIELD = 0.65
OR_PERSON = 0.9
OR_LONGER = 0.2
OF_ELEMENT = 0.4
PERIOD = 0.2
PERIOD_OR_NAME = 0.8
POSSESSIVE = 0.1
WHOLE_NAME = 0.4
PART_OF_A_NAME = 0.7
PERSON = 1.0
OR_KIND = 0.4


def before(p: Parse, at: int, so_far: Before, most: int = _MOST_PREMODIFIERS) -> Iterator[Found[Before]]:
    """Everything up to the noun, in every way to read it, with so many premodifiers more at most."""
    yield Found(at, so_far, 0.0)
    if at >= p.end or not most or so_far.kind:
        return
    if p.word(at) == "my":
        mine = so_far.also(None, tree.Bare(path("mine")))
        yield from before(p, at + 1, replace(mine, named_conditions=(*so_far.named_conditions, "mine")), most)
    elif (p.word(at) in DETERMINERS or (p.word(at) == "-" and p.word(at - 1) == "sub")
          or (p.word(at) in (",", "and") and so_far.conditions and not p.plural(at))):
        yield from before(p, at + 1, so_far, most)
    for end, read, cost in (*counts(p, at, so_far), *by_degree(p, at, so_far), *_properties(p, at, so_far)):
        for rest in before(p, end, read, most - 1):
            yield Found(rest.end, rest.value, rest.cost + cost)
        for after, both_read, more in _joined(p, end, so_far, read):
            for rest in before(p, after, both_read, most - 1):
                yield Found(rest.end, rest.value, rest.cost + cost + more + 0.2)


def _joined(p: Parse, at: int, so_far: Before, first: Before) -> Ways:
    """`draft or rejected`, `photos and videos`: kinds are joined with kinds, and of two of them each is asked for."""
    union = p.word(at) in english.OR or (p.word(at) in english.AND and first.kind)
    if not union or len(first.conditions) != len(so_far.conditions) + 1:
        return
    for after, other, cost in _properties(p, at + 1, so_far):
        if len(other.conditions) == len(so_far.conditions) + 1 and other.kind == first.kind:
            joined = (None, either((first.conditions[-1][1], other.conditions[-1][1])))
            yield after, replace(other, conditions=(*so_far.conditions, joined)), cost


def _properties(p: Parse, at: int, so_far: Before) -> Ways:
    """Values, named conditions, boolean fields, periods and names before the noun."""
    if p.word(at) in ("early", "mid", "late") and period(p, p.past(at + 1, ("-",))):
        return  # a part of the period, which is not said so
    denied = p.word(at) in ("not", "non")
    begin = p.past(at + 1, ("-",)) if denied else at
    yield from _values(p, begin, so_far, denied=denied)
    yield from _at_the_top(p, at, so_far)
    for pair in from_one_to_another(p, at, entity_with(p, None) or ""):
        yield pair.end, so_far.also(None, pair.value), pair.cost
    yield from _conditions_by_name(p, begin, so_far, denied=denied)
    yield from _flags(p, begin, so_far, denied=denied)
    yield from _field_and_value(p, at, so_far)
    for name in (e.name for e in p.things):
        for one in denied_adjective(p, at, name):
            yield one.end, so_far.also(*one.value), one.cost
    yield from _periods(p, at, so_far)
    yield from _weekdays(p, at, so_far)
    yield from _so_many(p, at, so_far)
    yield from _numbers_like_years(p, at, so_far)
    yield from _owners(p, at, so_far)


def _values(p: Parse, at: int, so_far: Before, *, denied: bool) -> Ways:
    """`signed W2s`, `draft or final invoices`, `PDFs`: values, one or several of a field."""
    for lexeme in p.starting(at, ValueWord):
        ref = lexeme.payload.ref
        for several in values(p, at, ref):
            if of_what_is_listed(p, several.end, ref):
                continue
            if _is_said(so_far, ref, lexeme.payload.text):  # `mp4 videos` are mp4s
                yield several.end, replace(so_far, kind=kind_in_plural(p, several.end, ref)), several.cost
                continue
            said = values_condition(ref, *several.value)
            found = so_far.also(ref, negation(said) if denied else said)
            for noun in p.starting(p.past(several.end, ("-",)), FieldWord):
                if noun.payload.ref.path == ref.path and p.word(several.end) not in english.PREPOSITIONS:
                    yield noun.end, found, several.cost
            kept = replace(
                found,
                value=so_far.value or ref,
                kind=not denied and kind_in_plural(p, several.end, ref),
                like_a_name=_is_a_place(p, at, several.end, ref),
                own=_own_thing(p, at, several.end, lexeme, so_far),
            )
            end = several.end + (p.word(several.end) in english.POSSESSIVES)  # `children's books`
            yield end, kept, several.cost + _doubt(p, at, lexeme, several.end, kept, so_far)


def _own_thing(p: Parse, at: int, end: int, value: Lexeme[ValueWord], so_far: Before) -> FieldRef | None:
    ref = value.payload.ref
    if thing_of_its_own(p, at, end, ref, value.payload.text):
        return ref
    return None if names_kinds(p, ref) else so_far.own


def _doubt(p: Parse, at: int, value: Lexeme[ValueWord], end: int, kept: Before, so_far: Before) -> float:
    """How unsure it is that words before a noun are this value: they may be a field, a person, or part of more."""
    ref = value.payload.ref
    listed = ref.field.values is not None
    if any(word.end == end and word.cost <= value.cost for word in p.starting(at, FieldWord)):
        doubt = LISTED_OR_FIELD if listed else VALUE_OR_FIELD
    else:
        # A noun in the plural says what things are, as a value that the catalog lists does.
        doubt = LISTED_VALUE if listed or kept.kind else ANY_VALUE
    if (not listed and _is_a_person(p, at, value.end)) or is_rather_an_adjective(p, value):
        doubt += OR_PERSON
    elif end == value.end and any(one.end > end and not one.cost for one in p.starting(at, ValueWord)):
        doubt += OR_LONGER
    if so_far.own and names_kinds(p, ref):
        doubt += COMPOUND
    of_element = ref.within is not None and ref.within.key is None  # `group documents` are not those of a group
    return doubt + OF_ELEMENT if of_element else doubt


def _conditions_by_name(p: Parse, at: int, so_far: Before, *, denied: bool) -> Ways:
    """`overdue invoices`: conditions that the catalog names."""
    for one in p.starting(at, ConditionWord):
        bare: Condition = tree.Bare(path(one.payload.name))
        found = so_far.also(None, negation(bare) if denied else bare)
        yield one.end, replace(found, named_conditions=(*so_far.named_conditions, one.payload.name)), one.cost + 0.05


def _flags(p: Parse, at: int, so_far: Before, *, denied: bool) -> Ways:
    """`signed contracts`, `shared documents`: what is so or not, and lists that have something in them."""
    for word, ref in p.fields(at):
        if ref.kind is FieldKind.BOOLEAN and ref.within is None:
            yield word.end, so_far.also(ref, ref.equals(tree.Boolean(not denied))), word.cost + 0.1
        elif not denied and _was_done(p, at, word):
            yield word.end, so_far.also(ref, by_now(p, ref, *p.schema.entities)), word.cost + 0.3
        elif not denied and p.word(at).endswith("ed") and ref.field.many is True and word.end == at + 1:
            yield word.end, so_far.also(ref, tree.Presence(ref.left, False)), 0.4


def _is_said(so_far: Before, ref: FieldRef, group: str) -> bool:
    """Whether one of a group of values was asked for just before: `zip archives`, `jpg images`."""
    closed = ref.field.values
    inside = closed.groups.get(group.casefold(), ()) if closed is not None else ()
    among = [string(closed.label(one)) for one in inside] if closed is not None else []
    asked = (one for path_of, one in so_far.conditions if path_of is not None and path_of.path == ref.path)
    return any(isinstance(one, tree.Comparison) and one.operator == "=" and one.right in among for one in asked)


def _field_and_value(p: Parse, at: int, so_far: Before) -> Ways:
    """`project code HELIOS documents`: a value after the word for its field."""
    for word, ref in p.fields(at):
        if ref.kind is not FieldKind.KEYWORD or ref.target is not None or word.payload.tail or p.plural(word.end):
            continue
        for lexeme in p.starting(word.end, ValueWord):
            if lexeme.payload.ref.path == ref.path and lexeme.payload.whole:
                found = so_far.also(ref, values_condition(ref, (string(lexeme.payload.text),), "", False))
                yield lexeme.end, replace(found, value=so_far.value or ref), word.cost + lexeme.cost + 0.05


def _periods(p: Parse, at: int, so_far: Before) -> Ways:
    """`last week's letters`, `March invoices`: of the dates that are meant where none is named."""
    for when in period(p, at):
        possessive = p.word(when.end) in english.POSSESSIVES
        if possessive or not p.word(at).isalpha() or p.word(at) in english.MONTHS:
            doubt = PERIOD_OR_NAME if _names_one(p, at, when.end) else PERIOD
            for ref in usual_dates(p):
                found = so_far.also(ref, date_condition(ref, DateTest("in", when.value)))
                yield when.end + possessive, found, when.cost + doubt


def _weekdays(p: Parse, at: int, so_far: Before) -> Ways:
    """`Monday meetings`."""
    if p.word(at) in english.WEEKDAYS and p.word(at).endswith("day"):
        day = tree.String(english.WEEKDAY_NAMES[english.WEEKDAYS[p.word(at)]])
        for ref in usual_dates(p):
            yield at + 1, so_far.also(ref, compare(tree.Cyclic("weekday", ref.left), "=", day)), 0.1


def _was_done(p: Parse, at: int, word: Lexeme[FieldWord]) -> bool:
    """`deleted posts`, `settled claims`: what a date is called says that it was done, where things are named after."""
    ref = word.payload.ref
    is_date = ref.kind is FieldKind.DATE and ref.within is None and word.end == at + 1 and not word.payload.tail
    verb = is_participle(p.word(at)) and p.word(at) not in english.AHEAD
    verb = verb and not says_what_is_over(p, at, word.end, ref)
    things = any(p.plural(noun.end) for noun in p.starting(word.end, EntityWord))
    return is_date and verb and things and p.word(at) in (ref.field.name, *ref.field.words)


def _names_one(p: Parse, at: int, end: int) -> bool:
    """Whether one thing is spoken of that is called as a period is: `the 2024 folder`."""
    names = (one for one in p.starting(at, NameWord) if one.end == end and one.payload.whole and p.word(at).isdecimal())
    return any(noun.payload.entity in one.payload.entities and not p.plural(noun.end) for one in names
               for noun in p.starting(end, EntityWord))


def _is_a_person(p: Parse, at: int, end: int) -> bool:
    """Whether a value that is spelled the same is somebody's whole name."""
    virtual = {e.name for e in p.people}
    names = (one.payload for one in p.starting(at, NameWord) if one.end >= end and one.payload.whole)
    return any(virtual & set(one.entities) for one in names)


def _is_a_place(p: Parse, at: int, end: int, ref: FieldRef) -> bool:
    """Whether a value is also the whole name of what holds things that have it: `Legal` is a folder."""
    names = {one for name in p.starting(at, NameWord) if name.end == end and name.payload.whole
             for one in name.payload.entities}  # fmt: skip
    holding = {above.target for e in p.schema.entities.values() if ref.belongs_to(e) for above in hierarchical(e)}
    return not kind_in_plural(p, end, ref) and bool(names & holding)


def _at_the_top(p: Parse, at: int, so_far: Before) -> Ways:
    """`top-level folders`, `root documents`."""
    for end in p.phrases(at, TOP_LEVEL):
        for ref in p.lexicon.fields():
            constants = tuple(ref.field.reference.constants) if ref.field.reference is not None else ()
            if is_hierarchical(p, ref) and len(constants) == 1:
                yield end, so_far.also(ref, ref.equals(tree.NameValue(path(constants[0])))), 0.0


def _so_many(p: Parse, at: int, so_far: Before) -> Ways:
    """`5 page documents`, `two-page letters`: of what a field counts, in the singular before the noun."""
    one = [Found(at + 1, tree.Number(1, "1"), 0.0)] if p.word(at) == "single" else []
    for count in (*cardinal(p, at), *one):
        for lexeme, ref in p.fields(p.past(count.end, ("-",))):
            counted = ref.kind is FieldKind.WHOLE_NUMBER and ref.within is None and not p.plural(lexeme.end)
            if counted and lexeme.end < p.end and ref.field.name.endswith("s") and not ref.field.unit:
                yield lexeme.end, so_far.also(ref, ref.equals(count.value)), 0.1
    for lexeme, ref in p.fields(at):  # `version 4 documents`
        if ref.kind is FieldKind.WHOLE_NUMBER and ref.within is None and not p.plural(lexeme.end):
            for count in cardinal(p, lexeme.end):
                yield count.end, so_far.also(ref, ref.equals(count.value)), 0.1


def _numbers_like_years(p: Parse, at: int, so_far: Before) -> Ways:
    """`2023 W2s`: a whole number whose field is a year by its name."""
    word = p.word(at)
    for ref in p.lexicon.fields() if word.isdecimal() and len(word) == 4 else ():
        if is_a_year(ref) and ref.within is None:
            yield at + 1, so_far.also(ref, ref.equals(tree.Number(int(word), word))), 0.35


def _owners(p: Parse, at: int, so_far: Before) -> Ways:
    """`Omar's documents`, `C++ Course files`: a name that says whose, or where."""
    if so_far.names:
        return
    for entity in p.schema.entities.values():
        for one in named(p, at, entity.name):
            if not one.value.text:
                continue
            possessive = p.word(one.end) in english.POSSESSIVES
            if entity.virtual and not possessive:
                continue
            written = p.tokens[one.end - 1].raw[:1].isupper()
            if possessive and not written and any(when.end == one.end for when in period(p, p.articles(at))):
                continue  # `last week's letters` are of that week
            end = one.end + 1 if possessive else one.end
            whole = one.end > at + 1 and any(w.end == one.end and w.payload.whole for w in p.starting(at, NameWord))
            person = _is_a_person(p, at, one.end)  # whose, or where?
            whole = whole and not person
            whole = whole or (is_a_path(p, at, one.end) and one.value.entity == entity.name)
            unsure = PERSON if person else WHOLE_NAME if whole else PART_OF_A_NAME
            unsure += OR_KIND if so_far.conditions and said_as_kind(p, at, one.end) else 0.0  # `scanned receipts`
            yield end, replace(so_far, names=(one.value,)), one.cost + (POSSESSIVE if possessive else unsure)
