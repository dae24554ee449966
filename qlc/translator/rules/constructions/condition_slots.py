"""The slots of conditions: fields of the entity that is spoken of, their values, periods, amounts, people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import date_fields, default_date, list_words, values_condition
from qlc.translator.rules.conditions import values as several_values
from qlc.translator.rules.constructions.construction import Match, Slot, slot_of
from qlc.translator.rules.constructions.value_costs import cost_of_value, nouns_after, past_leading
from qlc.translator.rules.lexicon.lexemes import ConditionWord, FieldRef, FieldWord, ListWord, ValueWord
from qlc.translator.rules.modifiers.elements import inside_an_element, is_who_did_it
from qlc.translator.rules.nouns.names import named, way_to
from qlc.translator.rules.nouns.references import related, verbs
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import date_test, on_weekday, within_days
from qlc.translator.rules.quantities.numbers import OR_MORE_OR_LESS, quantity_test
from qlc.translator.rules.quantities.years import is_a_year, year_number, year_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, stem, undenied, words

CONDITION_SLOTS: dict[str, Slot] = {}
slot = slot_of(CONDITION_SLOTS)
Reads = Iterator[tuple[Found[Any], str]]
_FARTHEST = 8  # words back from `by` to the verb that it belongs to
_MAKING = {stem(one) for one in ("created", "made", "author", "wrote", "creator")}


def word_slot(function: Slot) -> Slot:
    """Make a function a slot that depends on nothing but the place and the entity: it is read once for all rows."""

    @wraps(function)
    def remembered(match: Match) -> Iterable[tuple[Found[Any], str]]:
        known, key = match.parse.slots_read, (function, match.end, match.entity)
        if key not in known:
            known[key] = tuple(function(match))
        return known[key]

    return slot(remembered)


def _entity(match: Match) -> Any:
    return match.parse.entity(match.entity)


def _of(match: Match, found: Iterable[Found[Any]]) -> Reads:
    return ((one, match.entity) for one in found)


def _fields(match: Match, accepts: Callable[[FieldRef], bool]) -> Reads:
    p = match.parse
    for lexeme, ref in p.fields(match.end, _entity(match)):
        if accepts(ref):
            end = lexeme.end
            keyed = ref.within.name if ref.within is not None and ref.within.key is not None else ""
            nouns = (noun.end for noun in p.starting(end, ListWord) if noun.payload.name == keyed)
            end = next(nouns, end)  # `the priority attribute`
            yield Found(end, ref, lexeme.cost), match.entity


@word_slot
def described(match: Match) -> Reads:
    """`type`, `owned by`: a field with texts for values, or one that refers to something."""
    p = match.parse
    for found, entity in _fields(match, lambda ref: ref.kind not in (FieldKind.DATE, FieldKind.BOOLEAN)):
        shorter = any(one.end < found.end for one in p.starting(match.end, ValueWord))
        yield found._replace(cost=found.cost + (0.2 if shorter else 0.0)), entity


@word_slot
def doing(match: Match) -> Reads:
    """`approved by`, `linked to`: a field's words that lead to who or what it is."""
    for lexeme, ref in match.parse.fields(match.end, _entity(match)):
        if lexeme.payload.tail:
            yield Found(lexeme.end, ref, lexeme.cost), match.entity


@word_slot
def number(match: Match) -> Reads:
    """`size`, `pages`: a number, or a year."""
    p = match.parse
    for found, entity in _fields(match, lambda ref: ref.is_number):
        if not any(one.end > found.end for one in p.starting(match.end, ListWord)):
            yield found, entity


@word_slot
def counted(match: Match) -> Reads:
    """`documents`, where a field is their number."""
    p = match.parse
    refs = p.lexicon.counting(p.word(match.end)) if p.word(match.end).isalpha() else ()
    return _of(match, (Found(match.end + 1, ref, 0.0) for ref in refs if ref.belongs_to(_entity(match))))


@word_slot
def date(match: Match) -> Reads:
    """`created`, `due`: a date, or a year; by its verb also what is called `filed date`."""
    p, word = match.parse, match.parse.word(match.end)
    yield from _fields(match, lambda ref: ref.kind is FieldKind.DATE or is_a_year(ref))
    if not word.isalpha() or match.end in p.inside or (is_participle(word) and p.word(match.end + 1) == "for"):
        return  # what was ordered for Friday was ordered before
    for ref in date_fields(_entity(match)):
        if any(one[1:] == ("date",) and stem(one[0]) == stem(word) for one in ref.phrases):
            yield Found(match.end + 1, ref, 0.1), match.entity


@word_slot
def flag(match: Match) -> Reads:
    """`signed`: a field that is true or false."""
    return _fields(match, lambda ref: ref.kind is FieldKind.BOOLEAN and ref.within is None)


@word_slot
def list_(match: Match) -> Reads:
    """`comments`, `shared with`: a list of the things."""
    p = match.parse
    return _of(match, (Found(end, name, 0.0) for end, name, _ in list_words(p, match.end, _entity(match))))


@word_slot
def condition(match: Match) -> Reads:
    """A condition that the catalog names: `overdue`."""
    p, entity = match.parse, _entity(match)
    for one in p.starting(match.end, ConditionWord):
        noun = one.end == one.start + 1 and p.plural(one.end)
        another = noun and (not one.start or p.word(one.start - 1) in english.HAVING or p.word(one.end) == "of")
        if one.payload.name in entity.conditions and not another:
            yield Found(one.end, tree.Bare(path(one.payload.name)), one.cost), match.entity


@word_slot
def opposite(match: Match) -> Reads:
    """`unsigned`, `inactive`, `untagged`."""
    denied = denied_adjective(match.parse, match.end, match.entity)
    return _of(match, (Found(one.end, one.value[1], one.cost) for one in denied))


@slot
def values(match: Match) -> Reads:
    """The values of the field before: `Ann or Bob`, as a condition."""
    ref: FieldRef = match.get("described") or match.get("doing")
    p, at = match.parse, match.end
    linked_by = p.word(at - 1) == "by" and at > max(match.ends.values())
    groups = {lexeme.end for lexeme in p.starting(at, FieldWord)} if linked_by else set()
    for several in several_values(p, at, ref):
        if several.end in groups:
            continue  # `delays by carrier`: what a field is called is rather a group than a value
        said = values_condition(ref, *several.value)
        yield Found(several.end, said, several.cost), match.entity
        for end in nouns_after(p, several.end, ref):  # `governed by Delaware law`
            yield Found(end, said, several.cost), match.entity


@word_slot
def stated(match: Match) -> Reads:
    """`overdue`, `from Costco`, `in review`: a value by its own words, with what leads to it."""
    p, at, entity = match.parse, match.end, _entity(match)
    paid = p.word(at) == "paid" and p.word(at + 1) in english.PREPOSITIONS  # `paid by card`
    at += paid
    start = past_leading(p, at)
    infinitive = p.word(at) == "to" and p.word(at + 1) in english.MOTION  # `to leave Rome` is not to Rome
    leading = [p.word(i) for i in range(at + infinitive, start)]
    for begin in dict.fromkeys((at, start)):
        for lexeme in p.starting(begin, ValueWord):
            ref = lexeme.payload.ref
            cost = cost_of_value(p, lexeme, at, leading if begin == start else [], match.entity)
            ways = [(*way, *ref.path) for other in p.things if p.unsaid and ref.belongs_to(other)
                    and (way := way_to(p, entity, other.name))]  # fmt: skip
            if cost is None or not (ref.belongs_to(entity) or len(ways) == 1):
                continue
            if paid and not any(word.startswith(("pay", "paid")) for word in ref.parts):
                continue
            cost -= 0.15 if paid else 0.0
            for several in several_values(p, begin, ref):
                of = ref if ref.belongs_to(entity) else FieldRef(ways[0], ref.field)  # `only Hamburg`, of its customer
                said = values_condition(of, *several.value)
                yield Found(several.end, said, several.cost + cost), match.entity
                if p.word(several.end) in ("ones", "status", "state"):
                    yield Found(several.end + 1, said, several.cost + cost - 0.1), match.entity
                for end in nouns_after(p, several.end, ref):  # with the word for its field, it is no other's
                    named = min(cost - 0.1, 0.15 if ref.within is None else 0.25)
                    yield Found(end, said, several.cost + named), match.entity


@slot
def amount(match: Match) -> Reads:
    """`over 3 MB`, `between 5 and 9`, `12`: a bound or a number, with its unit. Not of an element of a list."""
    p = match.parse
    if match.get("number") is None and inside_an_element(p, match.start, _entity(match)):
        return iter(())
    return _of(match, quantity_test(p, match.end))


@slot
def or_more(match: Match) -> Reads:
    """`or more`, after the noun of a number."""
    for table, relation in OR_MORE_OR_LESS:
        for end in match.parse.phrases(match.end, table):
            yield Found(end, relation, 0.0), match.entity


@slot
def comparative(match: Match) -> Reads:
    """`bigger`, `more expensive`: a dimension, and whether it is upwards."""
    p, at = match.parse, match.end
    if p.word(at) in ("more", "less") and p.word(at + 1) in english.MOST_ADJECTIVES:
        said = (english.MOST_ADJECTIVES[p.word(at + 1)], p.word(at) == "more")
        yield Found(at + 2, said, 0.0), match.entity
    for table, more in ((english.MORE_ADJECTIVES, True), (english.LESS_ADJECTIVES, False)):
        if p.word(at) in table:
            yield Found(at + 1, (table[p.word(at)], more), 0.0), match.entity


@slot
def period(match: Match) -> Reads:
    """`in May`, `since 2020`, `older than 30 days`, of the date before or of the usual one."""
    p, at = match.parse, match.end
    ref: FieldRef | None = match.get("date")
    if ref is None and inside_an_element(p, at, _entity(match), dated=True):
        return
    for test in date_test(p, at):
        yield test, match.entity
    for test in within_days(p, at, future=ref.field.whole_days) if ref is not None else ():
        yield test, match.entity
    for test in year_test(p, at) if ref is not None and is_a_year(ref) else ():
        yield test, match.entity


@slot
def year(match: Match) -> Reads:
    """`for 2023`, `before 2000`, of a field that is a year; as a condition."""
    return _of(match, year_number(match.parse, match.end, match.entity))


@slot
def recurring(match: Match) -> Reads:
    """`on Sundays`: of the date before, or the usual one; as a condition."""
    p = match.parse
    usual = default_date(_entity(match))
    ref = match.get("date") or (usual[0] if usual is not None else None)
    if ref is not None:
        yield from _of(match, on_weekday(p, match.end, ref))


@word_slot
def part_flag(match: Match) -> Reads:
    """Read a part and its flag as a condition: `deposit is not paid` -> `deposit_paid = false`."""
    p, at = match.parse, match.end
    for ref, noun, said in p.lexicon.flags:
        named_so = all(stem(p.word(at + i)) == one for i, one in enumerate(noun))
        if not said or not named_so or not ref.belongs_to(_entity(match)):
            continue
        after = at + len(noun)
        said_so = english.COPULAS | english.AUXILIARIES | english.NEGATIONS | words("yet still already ever")
        last = p.past(after, said_so)
        denied = any(p.word(i) in english.NEGATIONS for i in range(after, last))
        if last > after and stem(p.word(last)) == said:
            yield Found(last + 1, ref.equals(tree.Boolean(not denied)), 0.0), match.entity


@word_slot
def done(match: Match) -> Reads:
    """`departed`, after `have` or before a place: a participle that is the name of a date."""
    p, at = match.parse, match.end
    helped = at > 0 and p.word(at - 1) in words("have has been were was already 've")
    for lexeme, ref in p.fields(at, _entity(match)):
        if ref.kind is not FieldKind.DATE or ref.within is not None or lexeme.payload.tail:
            continue
        goes_on = helped or p.word(lexeme.end) in english.PREPOSITIONS
        if lexeme.end == at + 1 and is_participle(p.word(at)) and goes_on and not date_test(p, lexeme.end):
            yield Found(lexeme.end, ref, lexeme.cost), match.entity


@slot
def agent(match: Match) -> Reads:
    """`Omar`, `the owner of X`: who does something."""
    p = match.parse
    for target in p.people_referred_to:
        for who in (*named(p, match.end, target), *related(p, match.end, target)):
            yield who, match.entity


@slot
def act(match: Match) -> Reads:
    """Read the verb of the agent before, by its field: `owns`, `has created`. Who can edit need not have edited."""
    p, who = match.parse, match["agent"]
    if any(p.word(i) in english.MODALS - {"'d"} for i in range(match.start, match.end)):
        return
    for end, ref in verbs(p, match.end, who.entity):
        if ref.belongs_to(_entity(match)):
            yield Found(end, ref, 0.0), match.entity


@slot
def maker(match: Match) -> Reads:
    """`Hannah`, after `by`: who did what was said last, else who made it; as a condition."""
    p, at, entity = match.parse, match.start, _entity(match)
    who_did = [ref for ref in FieldRef.own(entity) if ref.target is not None and p.entity(ref.target).virtual]
    verbs_before = (stem(p.word(i)) for i in range(at - 1, max(-1, at - _FARTHEST), -1) if is_participle(p.word(i)))
    said = next((verb for verb in verbs_before if any(verb in ref.stems for ref in who_did)), "")
    deeds = [ref for ref in who_did if said in ref.stems]  # `modified yesterday by Ann`
    if not deeds and at and is_participle(p.word(at - 1)):
        return  # who approved something is not who made it
    elements = {one.payload.name for one in p.ending(at) if isinstance(one.payload, ListWord)}
    if any(is_who_did_it(FieldRef((name, key), one)) for name in elements if name in entity.lists
           for key, one in entity.lists[name].fields.items()):  # fmt: skip
        return  # who wrote a comment is not who made the thing
    for ref in deeds or [ref for ref in who_did if _MAKING & ref.stems]:
        for who in (*named(p, match.end, ref.target or ""), *related(p, match.end, ref.target or "")):
            yield Found(who.end, who.value.meant_by(ref), who.cost + (0.1 if deeds else 0.2)), match.entity


def denied_adjective(p: Parse, at: int, entity: str) -> Iterator[Found[tuple[FieldRef, Condition]]]:
    """`unsigned`, `non-confidential`, `inactive`, `untagged`."""
    word = p.word(at)
    rest = "" if (plain := undenied(word)) == word else plain
    own = [ref for ref in p.lexicon.fields() if ref.within is None and ref.belongs_to(p.entity(entity))] if rest else []
    said = False
    for ref in own:
        spoken = (ref.field.name, *ref.field.words)
        if ref.kind is FieldKind.BOOLEAN and any(stem(rest) == stem(one.casefold()) for one in spoken):
            yield Found(at + 1, (ref, ref.equals(tree.Boolean(False))), 0.1)
            said = True
    if not word.startswith("un") or not is_participle(rest) or said or any(one.end == at + 1 for one in p.lexemes[at]):
        return
    for ref in own:
        many = ref.field.many is True and ref.path in {one.path for one in p.lexicon.called((rest,))}
        if many:  # `untagged`: without any
            yield Found(at + 1, (ref, tree.Presence(ref.left, True)), 0.1)
