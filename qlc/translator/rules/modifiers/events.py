"""Read events: verbs of dates, with a date after them, without one, and negated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import negation
from qlc.translator.rules.conditions import default_date, past
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, NameWord
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import DateTest
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, stem, words

_GOING_ON = words(
    "and or but & + , . ? ! ; ) - in inside under below since before after that which who not sorted newest oldest "
    "anywhere somewhere throughout"
)
_POSSESSING = words("has have had carries carry got uses use")
_BY_ITSELF = frozenset(map(stem, words("expired lapsed ended elapsed matured begun")))
_MONTH = len("2026-03")
_HALF_A_YEAR = 6
_FARTHER = 0.2  # cost of the date that is farther from today


def complete(p: Parse, at: int) -> bool:
    """Whether nothing is here that would say more of the field than that it exists."""
    if at >= p.end or p.word(at) in _GOING_ON:
        return p.word(at) not in ("that", "which") or not _had_by_another(p, at + 1)
    return is_participle(p.word(at)) and any(one.payload.ref.within is None for one in p.starting(at, FieldWord))


def more_is_said(p: Parse, at: int) -> bool:
    """Whether what is here is said of the noun before it: `documents tagged draft`, `invoices that Ann owns`."""
    return p.word(at) in ("that", "which", "who", "by") or is_participle(p.word(at))


def _had_by_another(p: Parse, at: int) -> bool:
    """`tags that X has`: which ones, and not whether there are any."""
    names = (one.end for one in p.starting(p.articles(at), NameWord))
    return any(p.word(end) in _POSSESSING for end in names)


def never(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`never viewed`, `not yet returned`: after the denial, a date that has no value; `have not yet expired`."""
    for lexeme, ref in p.fields(p.past(at, words("been yet ever"))):
        end = p.past(lexeme.end, ("yet", "so", "far", "at", "all"))
        if not ref.belongs_to(p.entity(entity)) or ref.within is not None or not complete(p, end):
            continue
        if ref.kind is FieldKind.DATE:
            ahead = p.word(at - 1) != "never" and says_what_is_over(p, at, lexeme.end, ref)
            over = tree.Not(past(ref)) if ahead else negation(by_now(p, ref, entity))  # what has no end goes on
            yield Found(end, over, lexeme.cost + 0.1)
        elif ref.field.many is True and is_participle(p.word(lexeme.start)) and lexeme.end == lexeme.start + 1:
            yield Found(p.past(end, ("at", "all")), tree.Presence(ref.left, True), lexeme.cost + 0.1)
        elif ref.kind is FieldKind.WHOLE_NUMBER and is_participle(p.word(at)):  # `never downloaded`
            yield Found(end, negation(ref.compared(">", tree.Number(0, "0"))), lexeme.cost + 0.2)


def says_what_is_over(p: Parse, at: int, end: int, ref: FieldRef) -> bool:
    """Return whether a verb says that a planned date is past: `have expired`, but not `have been opened`."""
    first = at - 1
    while first > 0 and p.word(first) in english.NEGATIONS | words("already yet since now all ever"):
        first -= 1
    alone = stem(p.word(end - 1)) in _BY_ITSELF  # nobody does it to them, whatever comes before it
    passive = any(p.word(i) == "been" for i in range(max(0, first), end))
    active = alone or (p.word(first) in ("have", "has", "had", "'ve") and not passive)
    noun = ref.field.name.rpartition("_")[2]
    is_known = ref.kind is FieldKind.DATE and ref.field.whole_days and not is_participle(noun)
    return active and is_known and is_participle(p.word(end - 1))


def upcoming(p: Parse, ref: FieldRef, test: DateTest, verb: int) -> Iterator[tuple[DateTest, float]]:
    """Yield a date with costs, also a year later: `ending before July` is the next July, `ended in July` the last."""
    if is_past(p, ref):
        yield test, 0.0
        return
    literal, word = test.period, p.word(verb)
    day = _last_weekday(p, test)
    if day is not None and (_lies_ahead(p, verb) or (ref.field.whole_days and not word.endswith("ed"))):
        yield DateTest(test.relation, tree.DateLiteral(f"{day + timedelta(days=7)}")), 0.0
        yield test, _FARTHER
        return
    over = word.endswith("ed") or p.word(verb - 1) in words("was were had been")
    said = any(token.text in english.MONTHS for token in p.tokens) and not any(is_year(t.text) for t in p.tokens)
    ends = (literal, *test.others) if test.until is None else (literal, test.until)
    plain = all(isinstance(one, tree.DateLiteral) and len(one.text) >= _MONTH for one in ends)
    if not plain or over or not said or not ref.field.whole_days:
        yield test, 0.0
        return
    assert isinstance(literal, tree.DateLiteral)
    year, _, rest = literal.text.partition("-")
    today = f"{p.now:%Y-%m-%d}"[: len(literal.text)]
    if literal.text >= today or not rest.replace("-", "").isdecimal():
        yield test, 0.0
        return
    months = (p.now.year - int(year)) * 12 + p.now.month - int(rest[:2])
    ahead = word.endswith("ing") or test.relation in ("<", "<=") or months > _HALF_A_YEAR
    yield test, _FARTHER if ahead else 0.0
    yield _a_year_later(test), 0.0 if ahead else _FARTHER


def is_past(p: Parse, ref: FieldRef) -> bool:
    """Whether it is known that no thing has a date that is still to come: then none is of next March."""
    known = [one for one in p.schema.entities if p.lexicon.values.latest(one, ref.path[0]) is not None]
    return bool(known) and not any(p.lies_ahead(one, ref.path[0]) for one in known)


def _lies_ahead(p: Parse, verb: int) -> bool:
    """Whether what was said is of days to come: `scheduled for`, `booked for`."""
    at = verb - 1 if p.word(verb) == "for" else verb
    return p.word(at) in english.AHEAD and at < verb


def _a_year_later(test: DateTest) -> DateTest:
    """The same months and days of the next year: both ends of a span, and all of several periods."""
    first, *others = (_next_year(one) for one in (test.period, *test.others))
    until = _next_year(test.until) if test.until is not None else None
    return DateTest(test.relation, first, until, tuple(others))


def _next_year(value: tree.Value) -> tree.Value:
    assert isinstance(value, tree.DateLiteral)
    year, _, rest = value.text.partition("-")
    return tree.DateLiteral(f"{int(year) + 1:04}-{rest}")


def _last_weekday(p: Parse, test: DateTest) -> date | None:
    """The day of a test that was said as a weekday alone: `due by Friday`."""
    which = [(p.word(at - 1), token.text) for at, token in enumerate(p.tokens) if token.text in english.WEEKDAYS]
    literal = test.period
    if len(which) != 1 or which[0][0] in english.LAST | {"this", "next"} or not isinstance(literal, tree.DateLiteral):
        return None
    if test.until is not None or test.others or not re.fullmatch(r"\d{4}-\d\d-\d\d", literal.text):
        return None
    day = date.fromisoformat(literal.text)
    last = 0 < (p.now.date() - day).days <= 7 and day.weekday() == english.WEEKDAYS[which[0][1]]
    return day if last else None


def by_now(p: Parse, ref: FieldRef, *entities: str) -> Condition:
    """Return the condition that a date is past; that it exists, if none is to come or it is the usual date."""
    planned = [one for one in entities if p.lies_ahead(one, ref.path[0])]
    if all(usual[0].path == ref.path for one in planned if (usual := default_date(p.entity(one))) is not None):
        return tree.Presence(ref.left, False)
    return ref.compared("<=", tree.Day("today") if ref.field.whole_days else tree.Now())
