"""Which earlier turn a text goes back to: `back to the NDAs`, `my first search again`, `go back`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from qlc.grammar import print_program, tree
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import parts
from qlc.translator.follow_ups.history import Earlier, is_answered
from qlc.translator.rules import english as plain
from qlc.translator.rules.intents import FUNCTION_WORDS
from qlc.translator.rules.morphology import stem
from qlc.translator.rules.nouns import noun_phrase
from qlc.translator.rules.numbers import ordinal
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.tokens import TokenKind, tokenize


@dataclass(frozen=True, slots=True)
class Returned:
    """The turn that is gone back to, by its place in the history; what is asked of it begins at `rest`. `described`: by
    the things that it was about."""

    turn: int
    rest: int
    described: bool = False


def returned(p: Parse, earlier: Sequence[Earlier]) -> Returned | None:
    """None where a text goes back to nothing, or to what cannot be told from other things."""
    searches = [number for number, one in enumerate(earlier) if _is_search(one)]
    if not searches:
        return None
    for end in p.phrases(p.past(0, plain.POLITE), english.BACK):
        # Behind a message that was not understood, what stands before that is meant.
        at = -2 if is_answered(earlier[-1].turn) else -1
        if end >= p.end and len(searches) >= -at:
            return Returned(searches[at], p.end)
    for end in p.phrases(p.past(0, plain.POLITE), english.BACK_TO_THE_LIST):
        lists = [number for number in searches if earlier[number].kind == "hits" and len(earlier[number].ids) > 1]
        if end >= p.end and lists:
            return Returned(lists[-1], p.end)
    for start, sure in _openings(p):
        found = _by_place(p, start, searches)
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
    return any(token.text in ("again", "before", "earlier") for token in p.tokens)


def _openings(p: Parse) -> Iterator[tuple[int, bool]]:
    begin = p.past(0, plain.POLITE | plain.AND | {",", "then"})
    for at in dict.fromkeys((begin, 0)):
        sure = set(p.phrases(at, english.RETURNING_SURELY))
        for end in p.phrases(at, english.RETURNING):
            yield p.past(end, plain.ARTICLES | {"my", "our"}), end in sure
    yield p.past(begin, plain.ARTICLES | {"my", "our"}), False


def _by_place(p: Parse, at: int, searches: Sequence[int]) -> Returned | None:
    """`my first search`, `the previous question`."""
    place: int | None = None
    end = at
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


def _rest(p: Parse, at: int) -> int | None:
    """Where what is asked of it begins: behind a joint, or at the end."""
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
        conditions = _conditions(p, at, end)
        about = [number for number in reversed(searches) if _is_about(earlier[number], said, conditions)]
        exact = [number for number in about if conditions and _own_conditions(earlier[number]) == conditions]
        if "all" in {token.text for token in p.tokens[:end]} and not exact:
            continue  # "all policies again" are not those that expire soon
        if about and (best is None or end < best[0]):
            best = (end, Returned((exact or about)[0], rest, described=True))
    return best[1] if best is not None else None


def _conditions(p: Parse, at: int, end: int) -> frozenset[tree.Condition]:
    for one in noun_phrase(p, at):
        if one.end >= end and one.value.where is not None:
            return frozenset(parts(one.value.where))
    return frozenset()


def _own_conditions(one: Earlier) -> frozenset[tree.Condition]:
    statement = one.program.statement if one.program is not None else None
    return frozenset(parts(statement.where)) if isinstance(statement, tree.Find | tree.Aggregate) else frozenset()


def _is_about(one: Earlier, said: set[str], conditions: frozenset[tree.Condition]) -> bool:
    statement = one.program.statement if one.program is not None else None
    if isinstance(statement, tree.Find | tree.Aggregate) and conditions:
        own = set(parts(statement.where))
        if conditions <= own:
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
