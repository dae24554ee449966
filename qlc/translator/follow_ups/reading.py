"""Every way to read a text as a follow-up, and as a question of its own; which of them count."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from qlc.base.deadline import checkpoint
from qlc.grammar import tree
from qlc.grammar.tree import Statement, walked
from qlc.mapping.names import find_entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import denies, speaks_of_those, without_those
from qlc.translator.follow_ups.edits import EDITS, OF_ONE, PHRASED
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import OPENING, Base, Earlier, base_of, latest, one_thing
from qlc.translator.follow_ups.joining import Beginning, Content, Joined, Meaning, joined, with_further_ones
from qlc.translator.follow_ups.meanings import by_the_same_deed
from qlc.translator.follow_ups.pointing import Pronouns, Way, points_by_name, with_what_it_means
from qlc.translator.rules.build import both, compare, parts, path
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, Lexeme, NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.programs import MOST, MOST_PER_WORD
from qlc.translator.rules.quantities.dates import YEARS, period
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.questions.forms import FORMS, finished, narrowed
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import Token, TokenKind

MOST_OF_A_NAME = 0.7  # cost up to which a name makes a text complete by itself: the name is known or quoted
BEING = words("is 's are whats was were")
_TAKING_AWAY = ("leave out", "drop")
_MOST_BEGINNINGS = 24
_JOINS = plain.AND | words("or ,")
_ORDERS = plain.NEWEST_FIRST + plain.OLDEST_FIRST + plain.DESCENDING + plain.ASCENDING + plain.ALPHABETICALLY


@dataclass(frozen=True, slots=True)
class Readings:
    """Readings of a text: its meanings as a follow-up, and as a question of its own."""

    meanings: tuple[Meaning, ...]
    own: tuple[tuple[Statement, float], ...]
    cued: bool
    refers: bool


class Follow(NamedTuple):
    """A meaning as a follow-up: whether it begins like one, and points to what was said."""

    meaning: Meaning
    cued: bool
    points: bool = False


def beginnings(p: Parse, mode: Mode = "") -> list[Beginning]:
    """Every way to read how it begins. `mode` is what its end says (`instead`, `too`)."""
    found: list[Beginning] = []
    pending = [Beginning(0, mode, after=bool(mode))]
    while pending and len(found) < _MOST_BEGINNINGS:
        one = pending.pop(0)
        if one in found or one.at >= p.end:
            continue
        found.append(one)
        word = p.word(one.at)
        leads = [(said, end) for said, table in english.LEADS.items() for end in p.phrases(one.at, table)]
        ends = {end for _, end in leads}
        if (word in plain.POLITE or word in plain.END_MARKS) and not leads:
            pending.append(replace(one, at=one.at + 1))
        if word in plain.AND and not leads:
            pending.append(replace(one, at=one.at + 1, goes_on=True))
        pending += [replace(one, at=end, asks=True) for end in p.phrases(one.at, plain.ASKING) if end not in ends]
        if (word == "for" and one.mode in ("", "narrow") and any(True for _ in period(p, one.at + 1))) or (
            word in english.ANY_THINGS and any(test.value.compared for test in quantity_test(p, one.at + 1))
        ):
            pending.append(replace(one, at=one.at + 1, mode="narrow"))
        pending += [replace(one, at=end) for end in p.phrases(one.at, english.SORTING_LEADS)
                    if any(True for _ in p.phrases(end, _ORDERS))]  # fmt: skip
        if one.mode in ("", "add", "narrow") or one.mode == mode:
            for said, end in leads:
                if one.mode == "narrow" != mode and said != "narrow":
                    continue  # "of these just the ones of 2025"
                corrects = said == "leave out" and p.word(end) in plain.END_MARKS  # "no, the drafts"
                if not corrects and (not mode or said in (mode, "narrow", "replace", "add")):
                    pending.append(replace(one, at=end, mode=mode or said))
    return [replace(one, which=any(p.word(at) == "which" for at in range(one.at + 1)))
            for one in found if p.word(one.at) not in plain.AND]  # fmt: skip


def ending(tokens: Sequence[Token]) -> tuple[int, Mode]:
    """Return where the content ends, and the mode of the words after it: `receipts instead` -> 1, `replace`."""
    end = len(tokens)
    mode: Mode = ""
    while end > 1 and tokens[end - 1].kind is not TokenKind.QUOTED:
        said = tuple(token.text for token in tokens[:end])
        tails = ((one, len(phrase)) for one, table in english.TAILS.items() for phrase in table
                 if len(phrase) < end and said[-len(phrase) :] == phrase)  # fmt: skip
        tail, length = next(tails, ("", 0))
        if length:
            mode, end = tail or mode, end - length
        elif said[-1] in english.CLOSING:
            end -= 1
        else:
            break
    return end, mode


def readings(parse: Parse, mode: Mode, earlier: Sequence[Earlier],
             found: Sequence[Lexeme[NameWord | ValueWord]]) -> Readings:
    base, last = base_of(earlier, parse.schema), latest(earlier)
    pronouns = Pronouns(parse, earlier, base)
    begins = beginnings(parse, mode)
    made: dict[tuple[object, ...], Parse] = {}
    follow: list[Follow] = []
    own: dict[Statement, float] = {}
    refers = False
    parse.unsaid = _unsaid(parse, begins, base)
    parse.before = base.statement.where if base is not None else None
    parse.measured = _measured(base) if base is not None else ()
    for said in begins:
        word = parse.word(said.at)
        if not said.mode and (word in english.INCLUDE or (word == "now" and parse.end > said.at + 1)):
            continue  # "include subfolders" asks for more, "now in Legal" says no time
        in_phrases = list(PHRASED.meanings(Content(parse, said, base, last, earlier)))
        follow += [Follow(meaning, said.cued) for meaning in in_phrases]
        # What "drop the folder" leaves out is no folder that was spoken of.
        for way in (*([Way(parse.tokens)] if said.mode == "drop" else ()), *pronouns.ways(said.at)):
            checkpoint()
            p = made.get((way.tokens, way.points))
            if p is None:
                p = made[way.tokens, way.points] = way.parse(parse, found)
                p.unsaid = _unsaid(p, begins, base)
            points = any(token.text.startswith(OPENING) for token in way.tokens)
            refers = refers or points
            c = Content(p, said, base, last, earlier)
            if points_by_name(way):
                meant = ((with_what_it_means(one, base), cost + way.cost) for one, cost in _statements(c))
                follow += [Follow(Meaning((Joined(one),), cost), said.cued, True) for one, cost in meant if one]
                continue
            for meaning in (*EDITS.meanings(c), *OF_ONE.meanings(c)):
                sure = meaning.sure or said.mode in _TAKING_AWAY
                follow.append(Follow(replace(meaning, cost=meaning.cost + way.cost, sure=sure), said.cued, points))
            if said.mode in _TAKING_AWAY:
                continue
            for statement, cost in _with_and_without_noun(c, made, way, parse, found):
                if not (in_phrases and _only_limits(statement)):
                    changed = _as_follow_up(statement, cost + way.cost, c, points)
                    follow += [Follow(one, c.said.cued, points) for one in changed]
                if speaks_of_those(statement) or points:
                    continue
                if is_question(p, statement, said.at) and not (is_of_a_name(statement) and _is_a_period(p, said.at)):
                    if cost <= (MOST_OF_A_NAME if is_of_a_name(statement) else MOST + MOST_PER_WORD * p.end):
                        own[statement] = min(cost, own.get(statement, cost))
                elif isinstance(statement, tree.Aggregate) and base is not None and not said.cued:
                    # "average price by carrier": of those spoken of, or of all
                    ways = tuple(joined(statement, base, said, p.schema))
                    follow += [Follow(Meaning(ways, cost), cued=False)] if ways else []
                    if statement.groups:
                        follow.append(Follow(Meaning((Joined(statement),), cost, changes=False), cued=False))
    return _weighed(parse, follow, own, refers, mode == "narrow" or parse.word(0) in english.ONLY)


def _measured(base: Base) -> tuple[str, ...]:
    """Return the path of the only number that a search measures or bounds: `weight` after `average weight of dogs`."""
    measures = base.statement.measures if isinstance(base.statement, tree.Aggregate) else ()
    paths = {one.path for one in measures if one.function != "distinct"} - {None}
    bounds = [one for one in base.conditions if isinstance(one, tree.Comparison | tree.Between)]
    refs = [FieldRef.at(base.entity, one.left) for one in bounds] if not paths else []
    paths |= {ref.left for ref in refs if ref is not None and ref.is_number}
    only = next(iter(paths)) if len(paths) == 1 and len(measures) < 2 else None
    return tuple(segment.name.text for segment in only.segments) if isinstance(only, tree.Path) else ()


def _statements(c: Content) -> Iterator[tuple[Statement, float]]:
    """Yield the statements of complete questions. References to earlier results stay placeholders."""
    for form in FORMS:
        for one in form(c.p, c.at) if form is not narrowed else ():
            if finished(c.p, one.end):
                yield one.value, one.cost


def _with_and_without_noun(
    c: Content, made: dict[tuple[object, ...], Parse], way: Way, parse: Parse,
    found: Sequence[Lexeme[NameWord | ValueWord]],
) -> list[tuple[Statement, float]]:  # fmt: skip
    """Readings that leave the noun out and those that have one are read apart: neither kind crowds out the other."""
    if not c.p.unsaid:
        return list(_statements(c))
    key = (way.tokens, way.points, "whole")
    whole = made.get(key)
    if whole is None:
        whole = made[key] = way.parse(parse, found)
    return [one for one in _statements(c) if speaks_of_those(one[0])] + list(_statements(replace(c, p=whole)))


def _unsaid(p: Parse, begins: Sequence[Beginning], base: Base | None) -> dict[int, str]:
    """Return the positions where the noun may be missing, with its entity: at the beginning, and after `how many`."""
    if base is None:
        return {}
    # "what's in it?" asks for what is there, not for those of the last that are
    places = {one.at for one in begins if not (one.asks and p.word(one.at - 1) in BEING)}
    places |= {end for at in places for end in p.phrases(at, plain.COUNTING)}
    return dict.fromkeys(places, base.entity.name)


def _only_limits(statement: Statement) -> bool:
    """`just the top 3`: keeps the order that there is."""
    return isinstance(statement, tree.Find) and statement.limit is not None and without_those(statement.where) is None


def _as_follow_up(statement: Statement, cost: float, c: Content, points: bool) -> Iterator[Meaning]:
    """Yield the meanings of a statement after the earlier search."""
    marked = speaks_of_those(statement)
    if isinstance(statement, tree.Find) and not marked and isinstance(statement.entity, tree.EntityLookup):
        yield from [Meaning((Joined(statement),), cost, changes=False)] if points else ()
        return
    if marked and isinstance(statement, tree.Find):
        orders = bool(statement.sort) and c.base is not None and not c.base.statement.sort
        if (c.said.mode == "replace" and (_only_limits(statement) or orders)) or statement.limit in YEARS:
            return  # "only 2024" asks for no 2,024 of them, "by due date instead" for another date
    if c.p.word(c.at) in plain.OTHER - {"rest", "remaining"} and (marked or not points):
        return  # others than those: not understood
    alone = points and not marked and not c.said.mode and is_question(c.p, statement, c.at)
    if not alone and c.base is not None and (marked or c.said.cued):
        for one in by_the_same_deed(_in_the_same_way(statement, c), c):
            if ways := tuple(joined(one, c.base, c.said, c.schema)):
                yield Meaning(ways, cost)
                yield from (Meaning((way,), cost + ways[0].cost) for way in with_further_ones(one, c, ways[0]))
    elif points:
        yield Meaning((Joined(_but_it(statement, c)),), cost, changes=False)


def _in_the_same_way(statement: Statement, c: Content) -> Statement:
    """Complete by the earlier search: `only March` of its year, `which one expires first?`, `and by downloads`."""
    if not isinstance(statement, tree.Find) or len(statement.sort) != 1 or statement.limit is not None:
        return c.in_its_year(statement)
    if _ONE_OF_THEM.search(c.p.text):
        return replace(statement, limit=1)
    sort = c.base.statement.sort if c.base is not None else ()
    alike = bool(sort) and sort[0].descending and isinstance(statement.sort[0].key, tree.Path) and c.said.cued
    says_how = {token.text for token in c.p.tokens[c.at : c.p.end]} & _OF_A_DIRECTION
    return (replace(statement, sort=(replace(statement.sort[0], descending=True),)) if alike and not says_how
            else statement)


_ONE_OF_THEM = re.compile(r"\bwhich (?:one|of (?:them|those|these)) (?:is|was|has|had|\w+s)\b", re.IGNORECASE)
_OF_A_DIRECTION = plain.SUPERLATIVES.keys() | words(
    "first asc ascending up low high alphabetically chronologically name"
)


def _but_it(statement: Statement, c: Content) -> Statement:
    """`what else does she own?`, after the question who owns a thing: all but that thing."""
    last = c.last.statement if c.last is not None else None
    where = last.where if isinstance(last, tree.Find) else None
    asked = where.right if isinstance(where, tree.Comparison) and where.operator == "=" else None
    holder = asked.base if isinstance(asked, tree.Member) and isinstance(asked.base, tree.EntityLookup) else None
    thing = holder or one_thing(c.last)  # `folders where id = X.folder` was asked of X
    says_other = any(token.text in ("else", "other") for token in c.p.tokens[c.at :])
    if thing is None or not says_other or not isinstance(statement, tree.Find):
        return statement
    entity = find_entity(c.schema, statement.entity.text) if isinstance(statement.entity, tree.Name) else None
    if entity is None or entity.id is None or thing.entity.text not in (entity.name, *entity.kinds):
        return statement
    if any(one == thing for part in parts(statement.where) if denies(part) for one in walked(part)):
        return statement
    return replace(statement, where=both(*parts(statement.where), compare(path(entity.id.name), "!=", thing)))


def is_of_a_name(statement: Statement) -> bool:
    return isinstance(statement, tree.Find) and isinstance(statement.entity, tree.EntityLookup)


def _is_a_period(p: Parse, at: int) -> bool:
    """`last week`, after a list: that time, and not the folder that is called so."""
    is_name = any(token.kind is TokenKind.QUOTED or token.raw[:1].isupper() for token in p.tokens[at:])
    return not is_name and any(finished(p, one.end) for one in period(p, at))


def is_question(p: Parse, statement: Statement, at: int) -> bool:
    """Whether a statement is a question by itself: about things that are named in it."""
    if isinstance(statement, tree.Get) or isinstance(statement.entity, tree.EntityLookup):
        return p.word(at) not in plain.PREPOSITIONS  # "of Dana": hers, and not what is called so
    asks_within = p.word(at) in ("what", "whats") and p.word(p.past(at + 1, BEING)) in plain.PREPOSITIONS
    measures = statement.measures if isinstance(statement, tree.Aggregate) else ()
    if asks_within or names_things(p, at, [one.path for one in measures]):
        return True
    begins = range(at, p.end) if isinstance(statement, tree.Aggregate) else (at,)
    return any(_plural_value(p, begin) for begin in begins)


def names_things(p: Parse, at: int = 0, measured: Collection[tree.Node | None] = ()) -> bool:
    """Return whether a word is for things with documents, and not for a `measured` field: `total seeds`."""
    things = (i for i in range(at, p.end) for one in p.starting(i, EntityWord)
              if not p.entity(one.payload.entity).virtual)  # fmt: skip
    return any(all(one.payload.ref.left not in measured for one in p.starting(i, FieldWord)) for i in things)


def names_any(p: Parse, at: int) -> bool:
    return any(p.starting(i, EntityWord) for i in range(at, p.end))


def _plural_value(p: Parse, at: int) -> bool:
    """Whether a value in the plural stands for the things: `NDAs`, `PDFs in Legal`."""
    start = p.articles(at)
    return any(p.plural(one.end) for i in range(start, min(start + 3, p.end)) if p.word(i) not in plain.CURRENCIES
               for one in p.starting(i, ValueWord))  # fmt: skip


def is_a_part(p: Parse) -> bool:
    """Whether a text names no things, so that it is a part of what was said before."""
    return not names_things(p) and not _plural_value(p, 0)


def is_a_noun_alone(p: Parse) -> bool:
    """`PDFs`, `PDFs or images`: all of them, or those of what was found?"""
    at = p.past(0, plain.POLITE | plain.ARTICLES | plain.AND | {"keep", "show", "list"})
    begins = [at]
    for begin in begins if not names_any(p, at) else ():
        ends = {one.end for one in p.starting(begin, ValueWord) if p.plural(one.end)}
        if any(end >= p.end for end in ends):
            return True
        begins += {p.past(end, _JOINS) for end in ends if p.word(end) in _JOINS} - {*begins}
    return False


def _weighed(parse: Parse, follow: list[Follow], own: dict[Statement, float], refers: bool, narrows: bool) -> Readings:
    """Choose readings: a text that is complete by itself is no follow-up unless it begins or points like one."""
    meant = tuple(sorted(own.items(), key=lambda one: one[1]))
    surely = tuple(one.meaning for one in follow if one.meaning.sure)
    if surely:
        # What leaves something out is not to be read as asking for it, nor what asks for the first of those as for one.
        return Readings(surely, (), True, refers)
    cued = any(one.cued for one in follow)
    if not own:
        return Readings(tuple(one.meaning for one in follow), (), cued, refers)
    pointing = [one.meaning for one in follow if one.points or one.cued]
    alone = bool(follow) and is_a_noun_alone(parse)
    if not pointing and not alone:
        return Readings((), meant, False, refers)
    chosen = pointing or [one.meaning for one in follow]
    best = min((one.cost for one in chosen), default=0.0)
    near = [(statement, cost if pointing else min(cost, best)) for statement, cost in meant[:2]]
    rival = [Meaning((Joined(statement),), cost + 0.05, changes=False) for statement, cost in near]
    # A text that goes on can be a new question as well where it says more than another value. "receipts only" is of the
    # list before, also where no receipt is in it.
    says_more = any(isinstance(one, tree.Find | tree.Aggregate) and isinstance(one.where, tree.And)
                    for one, cost in meant if cost <= meant[0][1] + 0.1)  # fmt: skip
    replaces = any(one.ways[0].notes for one in chosen)
    cheapest = min(chosen, key=lambda one: one.cost) if chosen else None
    in_place = cheapest is not None and any(way.notes for way in cheapest.ways)
    doubtful = not pointing or (not narrows and ((says_more and replaces) or (alone and not in_place)))
    return Readings((*chosen, *(rival if doubtful else ())), meant, cued, refers)
