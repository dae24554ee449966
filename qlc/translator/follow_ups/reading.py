"""Every way to read a text as a follow-up, and as a question of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from qlc.base.deadline import checkpoint
from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.complement import but_it
from qlc.translator.follow_ups.completeness import BEING, is_a_period, is_of_a_name, is_question
from qlc.translator.follow_ups.content import Content, Follow, Meaning, Readings, alone, weighed
from qlc.translator.follow_ups.editing import speaks_of_those, without_those
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import CLOSING, OPENING, Base, Earlier, base_of, latest, speaks_of_each
from qlc.translator.follow_ups.merging import Joined, joined
from qlc.translator.follow_ups.ordering import in_its_direction
from qlc.translator.follow_ups.placeholders import asked_of_each, is_found_by_a_query, with_the_query
from qlc.translator.follow_ups.refining import in_the_year, phrased, refinements, statements
from qlc.translator.follow_ups.speech import Beginning, Pronouns, Way, beginnings
from qlc.translator.rules.build import both, parts
from qlc.translator.rules.lexicon.lexemes import Lexeme, NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.translator import MOST, MOST_PER_WORD
from qlc.translator.rules.words import english as plain

MOST_OF_A_NAME = 0.7
"""What a name that makes a text complete by itself may cost: it is one that is known, or in quotes."""

_TAKING_AWAY = ("leave out", "drop")


def _parsed(way: Way, parse: Parse, found: Sequence[Lexeme[NameWord | ValueWord]]) -> Parse:
    """The parse of one way to take the pronouns, with what was looked up for the text at the same places."""
    made = way.parse(parse)
    starts = {token.start: at for at, token in enumerate(made.tokens)}
    ends = {token.end: at + 1 for at, token in enumerate(made.tokens)}
    for one in found:
        start, end = starts.get(parse.tokens[one.start].start), ends.get(parse.tokens[one.end - 1].end)
        if start is not None and end is not None:
            made.lexemes[start].append(Lexeme(start, end, one.payload, one.cost))
    made.before = parse.before
    return made


def readings(
    parse: Parse, mode: Mode, earlier: Sequence[Earlier], found: Sequence[Lexeme[NameWord | ValueWord]]
) -> Readings:
    base, last = base_of(earlier, parse.schema), latest(earlier)
    pronouns = Pronouns(parse, earlier, base)
    begins = beginnings(parse, mode)
    made: dict[tuple[object, ...], Parse] = {}
    follow: list[Follow] = []
    own: dict[Statement, float] = {}
    refers = False
    parse.unsaid = _unsaid(parse, begins, base)
    parse.before = base.statement.where if base is not None else None
    for said in begins:
        if not said.mode and parse.word(said.at) in english.INCLUDE:
            continue  # "include subfolders" asks for more, and for none that include them
        if not said.mode and parse.word(said.at) == "now" and parse.end > said.at + 1:
            continue  # "now in Legal" says no time
        in_phrases = list(phrased(Content(parse, said, base, last, earlier)))
        follow += [Follow(meaning, said.cued, sure=meaning.sure) for meaning in in_phrases]
        # What "drop the folder" leaves out is no folder that was spoken of.
        as_said = [Way(parse.tokens, (), 0.0)] if said.mode == "drop" else []
        for way in (*as_said, *pronouns.ways(said.at)):
            checkpoint()
            key = (way.tokens, way.points)
            p = made.get(key)
            if p is None:
                p = made[key] = _parsed(way, parse, found)
                p.unsaid = _unsaid(p, begins, base)
            points = any(token.text.startswith(OPENING) for token in way.tokens)
            refers = refers or points
            content = Content(p, said, base, last, earlier)
            if any(speaks_of_each(payload) for _, payload in way.points):
                each = (asked_of_each(one, cost + way.cost, content) for one, cost in statements(content))
                follow += [Follow(one, said.cued, points=True) for one in each if one is not None]
                continue
            if any(is_found_by_a_query(payload) for _, payload in way.points):
                found_one = ((with_the_query(one), cost + way.cost) for one, cost in statements(content))
                follow += [Follow(alone(one, cost), said.cued, points=True) for one, cost in found_one if one]
                continue
            takes_away = said.mode in _TAKING_AWAY
            for meaning in refinements(content):
                dearer = replace(meaning, cost=meaning.cost + way.cost)
                follow.append(Follow(dearer, said.cued, points, takes_away or meaning.sure))
            if takes_away:
                continue
            for statement, cost in _statements(content, made, key, way, parse, found):
                changed = _as_follow_up(statement, cost + way.cost, content, points)
                if changed is not None and not (in_phrases and _only_limits(statement)):
                    goes_on = said.goes_on or (isinstance(statement, tree.Aggregate) and not _says_those(p, said.at))
                    others = list(_of_the_same(statement, changed, base)) if points and goes_on else []
                    if not (others and isinstance(statement, tree.Aggregate)):
                        follow.append(Follow(changed, said.cued, points))
                    follow += [Follow(other, cued=True, points=True) for other in others]
                if speaks_of_those(statement) or points:
                    continue
                if is_question(p, statement, said.at) and not (is_of_a_name(statement) and is_a_period(p, said.at)):
                    if cost <= (MOST_OF_A_NAME if is_of_a_name(statement) else MOST + MOST_PER_WORD * p.end):
                        own[statement] = min(cost, own.get(statement, cost))
                elif isinstance(statement, tree.Aggregate) and base is not None and not said.cued:
                    # "average price by carrier": of those spoken of, or of all
                    ways = tuple(joined(statement, base, said, p.schema))
                    follow += [Follow(Meaning(ways, cost), cued=False)] if ways else []
                    if statement.groups:
                        follow.append(Follow(Meaning((Joined(statement),), cost, changes=False), cued=False))
    narrows = mode == "narrow" or parse.word(0) in english.ONLY
    return weighed(parse, follow, own, refers=refers, narrows=narrows)


def _statements(
    content: Content, made: dict[tuple[object, ...], Parse], key: tuple[object, ...], way: Way, parse: Parse,
    found: Sequence[Lexeme[NameWord | ValueWord]],
) -> list[tuple[Statement, float]]:  # fmt: skip
    """What the rules of questions read. Readings that leave the noun out and those that have one are read apart, as
    neither kind is to crowd out the other."""
    if not content.p.unsaid:
        return list(statements(content))
    whole = made.get((*key, "whole"))
    if whole is None:
        whole = made[*key, "whole"] = _parsed(way, parse, found)
    left_out = [one for one in statements(content) if speaks_of_those(one[0])]
    return left_out + list(statements(replace(content, p=whole)))


def _is_a_year(limit: int | None) -> bool:
    return limit is not None and limit in YEARS


def _only_limits(statement: Statement) -> bool:
    """`just the top 3`: keeps the order that there is."""
    return (
        isinstance(statement, tree.Find) and statement.limit is not None and not parts(without_those(statement.where))
    )


def _only_orders(statement: tree.Find) -> bool:
    return bool(statement.sort) and statement.limit is None and not parts(without_those(statement.where))


def _as_follow_up(statement: Statement, cost: float, content: Content, points: bool) -> Meaning | None:
    marked = speaks_of_those(statement)
    if isinstance(statement, tree.Find) and not marked and isinstance(statement.entity, tree.EntityLookup):
        return Meaning((Joined(statement),), cost, changes=False) if points else None
    if marked and content.said.mode == "replace" and _only_limits(statement):
        return None
    if marked and isinstance(statement, tree.Find) and _is_a_year(statement.limit):
        return None  # "only 2024" asks for no 2,024 of them
    if content.p.word(content.at) in plain.OTHER - {"rest", "remaining"} and (marked or not points):
        return None  # others than those: not understood
    if points and not marked and not content.said.mode and is_question(content.p, statement, content.at):
        others = but_it(statement, content)
        return Meaning((Joined(others),), cost, changes=False)  # "and which documents has she created?"
    if content.base is not None and (marked or content.said.cued):
        statement = in_the_year(statement, content)
        if isinstance(statement, tree.Find) and _only_orders(statement):
            statement = in_its_direction(statement, content)
        ways = tuple(joined(statement, content.base, content.said, content.schema))
        return Meaning(ways, cost) if ways else None
    return Meaning((Joined(but_it(statement, content)),), cost, changes=False) if points else None


def _of_the_same(statement: Statement, changed: Meaning, base: Base | None) -> Iterator[Meaning]:
    """`and the ones he owns`, after what he created: in place of those, or of those; `and how many does he own?`: in
    place of those."""
    if base is None or isinstance(statement, tree.Get) or not speaks_of_those(statement):
        return
    if isinstance(statement, tree.Aggregate) and (statement.groups or isinstance(base.statement, tree.Find)):
        return
    own, new = parts(base.statement.where), parts(without_those(statement.where))
    meant = {one.right for one in new if isinstance(one, tree.Comparison) and isinstance(one.right, tree.String)}
    kept = tuple(one for one in own if not (isinstance(one, tree.Comparison) and one.right in meant))
    if len(kept) < len(own) and not set(new) & set(own):
        yield Meaning((Joined(replace(base.statement, where=both(*kept, *new))),), changed.cost)


def _says_those(p: Parse, at: int) -> bool:
    """Whether those spoken of are said in so many words: `how many of them`."""
    said = {word for token in p.tokens[at:] for word in token.text.strip(OPENING + CLOSING).split()}
    return bool(said & {"them", "those", "these"})


def _unsaid(p: Parse, begins: Sequence[Beginning], base: Base | None) -> dict[int, str]:
    """Where the noun can be left out: at the beginning, and after `how many`."""
    if base is None:
        return {}
    # "what's in it?" asks for what is there, not for those of the last that are
    places = {one.at for one in begins if not (one.asks and p.word(one.at - 1) in BEING)}
    places |= {end for at in places for end in p.phrases(at, plain.COUNTING)}
    return dict.fromkeys(places, base.entity.name)
