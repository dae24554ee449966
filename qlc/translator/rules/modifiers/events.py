"""What happened, and when: the verbs of dates, with a date after them, without one, and never."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import both, negation
from qlc.translator.rules.conditions import date_condition, date_fields, default_date, not_past
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord
from qlc.translator.rules.modifiers.place import containment
from qlc.translator.rules.modifiers.relative import EARLIER, LATER, against_document
from qlc.translator.rules.parse import Found, Parse, needs
from qlc.translator.rules.quantities.date_tests import DateTest, date_test
from qlc.translator.rules.quantities.dates import SAYS_WHEN, is_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words

_GOING_ON = words(
    "and or but & + , . ? ! ; ) - in inside under below since before after that which who not sorted newest oldest "
    "anywhere somewhere throughout"
)
_BY_ITSELF = frozenset(map(stem, words("expired lapsed ended elapsed matured begun")))
_MONTH = len("2026-03")
_HALF_A_YEAR = 6
_FARTHER = 0.2
"""What the date costs that is farther from today."""
_AHEAD = phrases(
    "(is | are) [still] (ahead | to come) | [is | are | lies | still] in the future | (has | have) not [yet] passed | "
    "(is | are) not [yet] (past | over)"
)


def complete(p: Parse, at: int) -> bool:
    """Whether nothing is here that would say more of the field than that it exists."""
    if at >= p.end or p.word(at) in _GOING_ON:
        return p.word(at) not in ("that", "which") or True
    return is_participle(p.word(at)) and any(one.payload.ref.within is None for one in p.starting(at, FieldWord))


def never(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`never viewed`, `not yet returned`: after the denial, a date that has no value; `have not yet expired`."""
    for lexeme, ref in p.fields(p.past(at, words("been yet ever"))):
        end = p.past(lexeme.end, ("yet", "so", "far", "at", "all"))
        if not ref.belongs_to(p.entity(entity)) or ref.within is not None or not complete(p, end):
            continue
        if ref.kind is FieldKind.DATE:
            ahead = p.word(at - 1) != "never" and says_what_is_over(p, at, lexeme.end, ref)
            yield Found(end, not_past(ref) if ahead else negation(by_now(p, ref, entity)), lexeme.cost + 0.1)
        elif ref.field.many is True and is_participle(p.word(lexeme.start)) and lexeme.end == lexeme.start + 1:
            yield Found(p.past(end, ("at", "all")), tree.Presence(ref.left, True), lexeme.cost + 0.1)
        elif ref.kind is FieldKind.WHOLE_NUMBER and is_participle(p.word(at)):  # `never downloaded`
            yield Found(end, negation(ref.compared(">", tree.Number(0, "0"))), lexeme.cost + 0.2)


def says_what_is_over(p: Parse, at: int, end: int, ref: FieldRef) -> bool:
    """Whether a verb says that a date to come is past: `have expired`; nobody does it to them (`have been opened`).

    A date to come that is known before is a whole day which is not called by what was done on it.
    """
    first = at - 1
    while first > 0 and p.word(first) in english.NEGATIONS | words("already yet since now all ever"):
        first -= 1
    alone = stem(p.word(end - 1)) in _BY_ITSELF  # nobody does it to them, whatever comes before it
    passive = any(p.word(i) == "been" for i in range(max(0, first), end))
    active = alone or (p.word(first) in ("have", "has", "had", "'ve") and not passive)
    noun = ref.field.name.rpartition("_")[2]
    is_known = ref.kind is FieldKind.DATE and ref.field.whole_days and not is_participle(noun)
    return active and is_known and is_participle(p.word(end - 1))


@needs(SAYS_WHEN, LATER, EARLIER, words("between"))
def verb_of_date(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`that end in 2027`, `starting next month`: the verb of an `end date` with a date after it."""
    word = p.word(at)
    if not word.isalpha() or at in p.inside or (is_participle(word) and p.word(at + 1) == "for"):
        return  # what was ordered for Friday was ordered before
    for ref in date_fields(p.entity(entity)):
        if any(one[1:] == ("date",) and stem(one[0]) == stem(word) for one in ref.phrases):
            for test in date_test(p, at + 1):
                for value, cost in upcoming(p, ref, test.value, at):
                    yield Found(test.end, date_condition(ref, value), test.cost + cost + 0.1)
            yield from against_document(p, at + 1, ref)


def upcoming(p: Parse, ref: FieldRef, test: DateTest, verb: int) -> Iterator[tuple[DateTest, float]]:
    """A date as it is, and what it costs; of what may lie ahead, a month or a day without a year is rather the nearer.

    `due in April` is this year's in March, `ending before July` always the next one, and `ended in July` the last one.
    """
    literal, word = test.period, p.word(verb)
    over = word.endswith("ed") or p.word(verb - 1) in words("was were had been")
    said = any(token.text in english.MONTHS for token in p.tokens) and not any(is_year(t.text) for t in p.tokens)
    ends = (literal, *test.others) if test.until is None else (literal, test.until)
    plain = all(isinstance(one, tree.DateLiteral) and len(one.text) >= _MONTH for one in ends)
    if not plain or over or not said or not ref.field.whole_days:
        yield test, 0.0
        return
    assert isinstance(literal, tree.DateLiteral)
    year, _, rest = literal.text.partition("-")
    months = (p.now.year - int(year)) * 12 + p.now.month - int(rest[:2])
    ahead = word.endswith("ing") or test.relation in ("<", "<=") or months > _HALF_A_YEAR
    yield test, _FARTHER if ahead else 0.0
    yield (test, 0.0 if ahead else _FARTHER)


def done(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`played in the rain`, `that have departed`: a date's verb without a date says that there is one."""
    by_itself = p.word(at - 1) in ("are", "is") and stem(p.word(at)) in _BY_ITSELF
    helped = at > 0 and (by_itself or p.word(at - 1) in words("have has been were was already 've"))
    for lexeme, ref in p.fields(at):
        if ref.kind is not FieldKind.DATE or ref.within is not None or not ref.belongs_to(p.entity(entity)):
            continue
        alone = lexeme.end == at + 1 and not lexeme.payload.tail and is_participle(p.word(at))
        goes_on = p.word(lexeme.end) in english.PREPOSITIONS and not date_test(p, lexeme.end)
        goes_on = goes_on and not any(one.payload.tail == "by" for one in p.starting(at, FieldWord))  # says by whom
        if alone and (goes_on or (helped and complete(p, lexeme.end))):
            dated = any(date_test(p, i) for i in range(lexeme.end, p.end))
            over = says_what_is_over(p, at, lexeme.end, ref)
            gone = ref.compared("<", tree.Day("today"))
            happened = gone if over else by_now(p, ref, entity)
            yield Found(lexeme.end, happened, lexeme.cost + (0.7 if dated else 0.2))
            yield from _then_when(p, lexeme.end, ref, entity) if dated else ()


def by_now(p: Parse, ref: FieldRef, *entities: str) -> Condition:
    """That a date tells of what has happened: that there is one, which is not to come where the index has such.

    By their usual date things are there: what was `ordered` is an order.
    """
    planned = [one for one in entities if p.lies_ahead(one, ref.path[0])]
    if all(usual[0].path == ref.path for one in planned if (usual := default_date(p.entity(one))) is not None):
        return tree.Presence(ref.left, False)
    return ref.compared("<=", tree.Day("today") if ref.field.whole_days else tree.Now())


def _then_when(p: Parse, at: int, ref: FieldRef, entity: str) -> Iterator[Found[Condition]]:
    """`changed in Legal this week`: the date is the one of the verb."""
    for place in containment(p, at, entity):
        for test in date_test(p, place.end):
            condition = both(date_condition(ref, test.value), place.value)
            yield Found(test.end, condition, place.cost + test.cost + 0.1)


RULES = (done, verb_of_date)
