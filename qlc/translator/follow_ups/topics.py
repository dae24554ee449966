"""Which earlier turn a text goes back to: `back to the NDAs`, `my first search again`, `go back`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from qlc.grammar import print_program, tree
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.history import Earlier, is_answered
from qlc.translator.programs import conditions_of
from qlc.translator.rules.build import parts
from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.numbers import ordinal
from qlc.translator.rules.questions.intents import FUNCTION_WORDS
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind, tokenize


@dataclass(frozen=True, slots=True)
class Returned:
    """The turn that is gone back to, by its place in the history; what is asked of it begins at `rest`, or is what the
    text begins with (`asks`). `described`: by the things that it was about."""

    turn: int
    rest: int
    described: bool = False
    asks: str = ""


def returned(p: Parse, earlier: Sequence[Earlier]) -> Returned | None:
    """None where a text goes back to nothing, or to what cannot be distinguished from other things."""
    searches = [number for number, one in enumerate(earlier) if _is_search(one)]
    if not searches:
        return None
    for end in p.phrases(p.past(0, plain.POLITE), english.BACK):
        # After a message that was not understood, what comes before that is meant.
        at = -2 if is_answered(earlier[-1].turn) else -1
        if end >= p.end and len(searches) >= -at:
            return Returned(searches[at], p.end)
    for end in p.phrases(p.past(0, plain.POLITE), english.BACK_TO_THE_LIST):
        lists = [number for number in searches if earlier[number].kind == "hits" and len(earlier[number].ids) > 1]
        rest = _rest(p, end)
        if rest is not None and lists:
            return Returned(lists[-1], rest)
    for at in range(1, p.end):  # "how many are in the first list"
        found = _by_place(p, p.articles(at + 1), searches, earlier) if p.word(at) in _WITHIN else None
        if found is not None and found.rest >= p.end:
            return replace(found, asks=p.text[: p.tokens[at].start])
    for start, sure in _openings(p):
        found = _by_place(p, start, searches, earlier)
        if found is None and (sure or _again(p)):
            found = _by_description(p, start, earlier, searches)
        if found is not None:
            return found
    return None


def speaks_of_earlier(text: str) -> bool:
    """Whether a text says that it is about an earlier search, and not about the last message."""
    said = {token.text for token in tokenize(text)}
    return bool(said & (english.PREVIOUS | {"first"}) and said & english.SEARCHES)


def _is_search(one: Earlier) -> bool:
    return one.program is not None and one.kind not in ("declined", "invalid", "failed", "unsupported")


def _again(p: Parse) -> bool:
    """Return whether a text says that it was asked before: `the damaged ones from before`, not `before November`."""
    last = (at for at in range(p.end) if p.tokens[at].text in ("before", "earlier"))
    at_the_end = any(p.past(at + 1, plain.END_MARKS | plain.POLITE) >= p.end for at in last)
    return at_the_end or any(token.text == "again" for token in p.tokens)


def _openings(p: Parse) -> Iterator[tuple[int, bool]]:
    begin = p.past(0, plain.POLITE | plain.AND | {",", "then"})
    for at in dict.fromkeys((begin, 0)):
        sure = set(p.phrases(at, english.RETURNING_SURELY))
        for end in p.phrases(at, english.RETURNING):
            yield p.past(end, plain.ARTICLES | {"my", "our"}), end in sure
    for end in p.phrases(begin, english.SHOWING):
        yield p.articles(end), False
    yield p.past(begin, plain.ARTICLES | {"my", "our"}), False


def _by_place(p: Parse, at: int, searches: Sequence[int], earlier: Sequence[Earlier]) -> Returned | None:
    """`my first search`, `the previous question`, `the second list`, `the other list`."""
    place: int | None = None
    end = at
    if p.word(at) in plain.OTHER and p.word(at + 1) == "list":
        other = _other_list(searches, earlier)
        rest = _rest(p, at + 2)
        return Returned(other, rest) if other is not None and rest is not None else None
    if p.word(at) in english.PREVIOUS:
        place, end = -1, at + 1
    elif (found := ordinal(p, at)) is not None:
        place, end = found.value - 1, found.end
    if place is None or p.word(end) not in english.SEARCHES - {"result", "results", "one", "answer"}:
        return None
    rest = _rest(p, end + 1)
    if rest is None or not -len(searches) <= place < len(searches):
        return None
    if place == -1 and p.word(at) in ("previous", "earlier", "preceding", "prior") and len(searches) > 1:
        place = -2
    return Returned(searches[place], rest)


def _other_list(searches: Sequence[int], earlier: Sequence[Earlier]) -> int | None:
    """The list before the last one; None where that was of something else once more, so that there are several."""
    lists: dict[object, int] = {}
    for number in searches:
        if earlier[number].kind == "hits":
            lists[earlier[number].program] = number
    return next(iter(lists.values())) if len(lists) == 2 else None


_WITHIN = words("of in from on")


def _rest(p: Parse, at: int) -> int | None:
    """Where what is asked of it begins: after a joint, or at the end."""
    after = p.past(at, plain.POLITE | english.CLOSING | {"again", "before"})
    if after >= p.end or after > p.past(at, {"again", "please", "before"}) or p.word(after) in english.EITHER_JOINTS:
        return p.past(after, english.EITHER_JOINTS)
    return None


def _by_description(p: Parse, at: int, earlier: Sequence[Earlier], searches: Sequence[int]) -> Returned | None:
    """The last turn that was about what is described."""
    best: tuple[int, Returned] | None = None
    for end in range(p.end, at, -1):
        if end < p.end and p.word(end) not in english.EITHER_JOINTS | {"again"}:
            continue
        rest = p.past(end, english.EITHER_JOINTS | {"again"})
        said = {stem(t.text) for t in p.tokens[at:end] if t.kind is not TokenKind.MARK
                and t.text not in FUNCTION_WORDS | english.SEARCHES | english.PREVIOUS}  # fmt: skip
        conditions, kind = _conditions(p, at, end), _kind_alone(p, at, end)
        about = [number for number in reversed(searches) if _is_about(earlier[number], said, conditions)]
        if kind is not None:  # "back to the flights": whatever was asked of them
            about = [number for number in reversed(searches) if _lists(earlier[number], kind)] or about
        if "all" in {token.text for token in p.tokens[:end]}:
            # "all policies again" are not those that expire soon
            about = [number for number in about if _own_conditions(earlier[number]) == conditions]
        if about and (best is None or end < best[0]):
            things = kind is not None or bool(conditions)
            turn = _narrowest(about, earlier) if things else _as_left(about[0], earlier, searches)
            best = (end, Returned(turn, rest, described=True))
    return best[1] if best is not None else None


def _kind_alone(p: Parse, at: int, end: int) -> str | None:
    """`the flights`: the kind of things that is all that is said of where it is gone back to."""
    nouns = (one for one in p.starting(at, EntityWord) if one.end == end and p.plural(end))
    return next((one.payload.entity for one in nouns), None)


def _lists(one: Earlier, kind: str) -> bool:
    """Whether a turn asked for a list of things of a kind."""
    statement = one.program.statement if one.program is not None else None
    named = isinstance(statement, tree.Find) and isinstance(statement.entity, tree.Name)
    return named and one.turn.outcome.get("entity") == kind


def _narrowest(about: Sequence[int], earlier: Sequence[Earlier]) -> int:
    """The list that things were left at, of the turns about them, newest first: after a number, a group or the largest
    of them, and after what found none."""
    lists = [number for number in about if _is_a_list(earlier[number])]
    return next((number for number in lists if earlier[number].ids), (lists or about)[0])


def _as_left(turn: int, earlier: Sequence[Earlier], searches: Sequence[int]) -> int:
    """`back to the revenue`, after `revenue by category` and `only from Cairo`: what that was narrowed to."""
    for number in searches:
        if number > turn and _narrows(earlier[number], earlier[turn]) and not _found_nothing(earlier[number]):
            turn = number
    return turn


def _narrows(one: Earlier, other: Earlier) -> bool:
    """Whether a turn asked the same as another one, of fewer things."""
    new, old = (each.program.statement if each.program is not None else None for each in (one, other))
    if isinstance(new, tree.Get) or isinstance(old, tree.Get) or new is None or old is None:
        return False
    same = replace(new, where=None, sort=()) == replace(old, where=None, sort=())
    return same and _own_conditions(one) >= _own_conditions(other)


def _found_nothing(one: Earlier) -> bool:
    outcome = one.turn.outcome
    return not (outcome.get("ids") or outcome.get("rows") or outcome.get("value"))


def _is_a_list(one: Earlier) -> bool:
    statement = one.program.statement if one.program is not None else None
    return isinstance(statement, tree.Find) and statement.limit != 1


def _conditions(p: Parse, at: int, end: int) -> frozenset[tree.Condition]:
    for one in noun_phrase(p, at):
        if one.end >= end and one.value.where is not None:
            return frozenset(parts(one.value.where))
    return frozenset()


def _own_conditions(one: Earlier) -> frozenset[tree.Condition]:
    return frozenset(conditions_of(one.program.statement if one.program is not None else None))


def _is_about(one: Earlier, said: set[str], conditions: frozenset[tree.Condition]) -> bool:
    if conditions and conditions <= _own_conditions(one):
        return True
    words = {stem(token.text) for token in tokenize(one.turn.text)}
    if not said or not said & words:
        return False
    return said <= words


def program_of(one: Earlier, back: Returned) -> str:
    """The program that is gone back to; of things that were only counted, a list of them, which tells their number."""
    assert one.program is not None
    statement = one.program.statement
    counted = isinstance(statement, tree.Aggregate) and statement.where is not None and _only_counts(statement)
    if back.described and counted and isinstance(statement, tree.Aggregate):
        return print_program(replace(one.program, statement=tree.Find(statement.entity, statement.where)))
    return print_program(one.program)


def _only_counts(statement: tree.Aggregate) -> bool:
    return not statement.groups and [one.function for one in statement.measures] == ["count"]
