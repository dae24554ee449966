"""How a follow-up begins, and what its pronouns stand for: each way to take them is a parse of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import (
    CLOSING,
    OPENING,
    Base,
    Earlier,
    Meant,
    each_of,
    nth,
    people,
    things,
)
from qlc.translator.rules.lexicon.lexemes import (
    EntityWord,
    FieldWord,
    Lexeme,
    ThingWord,
    ThoseWord,
    ValueWord,
)
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.numbers import cardinal, ordinal
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import Phrases, words
from qlc.translator.rules.words.tokens import Token, TokenKind

_MODES: tuple[tuple[Mode, Phrases], ...] = (
    ("narrow", english.NARROWING),
    ("replace", english.REPLACING),
    ("add", english.ADDING),
    ("leave out", english.LEAVING_OUT),
    ("drop", english.DROPPING),
)
_MARKS = words("? ! . , ; : - – …")
_ORDERS = plain.NEWEST_FIRST + plain.OLDEST_FIRST + plain.DESCENDING + plain.ASCENDING + plain.ALPHABETICALLY
MOST_WAYS = 8
_MOST_BEGINNINGS = 24


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where the content of a follow-up begins, and what the words before say: how it changes what was asked for (or
    those `after` it), whether it goes on (`and`), whether it asks for a list, and whether it asks `which` of them."""

    at: int
    mode: Mode = ""
    goes_on: bool = False
    asks: bool = False
    after: bool = False
    which: bool = False

    @property
    def cued(self) -> bool:
        return self.goes_on or bool(self.mode)


def beginnings(p: Parse, mode: Mode = "") -> list[Beginning]:
    """Every way to read how it begins. `mode` is what its end says (`instead`, `too`)."""
    found: list[Beginning] = []
    pending = [Beginning(0, mode, after=bool(mode))]
    while pending and len(found) < _MOST_BEGINNINGS:
        one = pending.pop(0)
        found.append(one)
        word = p.word(one.at)
        modes = {end for _, table in _MODES for end in p.phrases(one.at, table)}
        if (word in plain.POLITE and not modes) or word in _MARKS:
            pending.append(replace(one, at=one.at + 1))
        if word in plain.AND and not modes:
            pending.append(replace(one, at=one.at + 1, goes_on=True))
        pending += [replace(one, at=end, asks=True) for end in p.phrases(one.at, plain.ASKING) if end not in modes]
        ordered = (
            end for end in p.phrases(one.at, english.SORTING_LEADS) if any(True for _ in p.phrases(end, _ORDERS))
        )
        pending += [replace(one, at=end) for end in ordered]
        if one.mode in ("", "add", "narrow") or one.mode == mode:
            for said, table in _MODES:
                if one.mode == "narrow" != mode and said != "narrow":
                    continue  # "of these just the ones of 2025"
                if not mode or said in (mode, "narrow", "replace", "add"):
                    # "no, the drafts" corrects, "no drafts" leaves out
                    ends = [end for end in p.phrases(one.at, table) if said != "leave out" or p.word(end) not in _MARKS]
                    pending += [replace(one, at=end, mode=mode or said) for end in ends]
    return [replace(one, which=any(p.word(at) == "which" for at in range(one.at + 1)))
            for one in found if p.word(one.at) not in plain.AND]  # fmt: skip


def ending(tokens: Sequence[Token]) -> tuple[int, Mode]:
    """Where the content ends, and what the words after it say."""
    end = len(tokens)
    mode: Mode = ""
    while end > 1:
        word = tokens[end - 1].text
        tail = next(
            ((said, len(sequence)) for said, table in english.TAILS.items() for sequence in table
             if tuple(t.text for t in tokens[max(end - len(sequence), 0):end]) == sequence), None
        )  # fmt: skip
        if tail is not None and end > tail[1]:
            mode, end = tail[0] or mode, end - tail[1]
        elif word in english.CLOSING:
            end -= 1
        else:
            break
    return end, mode


# --- pronouns --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Said:
    """Tokens up to `end` in other words: what stands for them, and what the first of these points to."""

    end: int
    tokens: tuple[Token, ...]
    payload: ThingWord | ThoseWord | None = None
    cost: float = 0.0

    @property
    def place(self) -> int:
        """Which of the tokens points."""
        return next((at for at, token in enumerate(self.tokens) if token.kind is TokenKind.MARK), 0)


@dataclass(frozen=True, slots=True)
class Way:
    """The tokens with one way to take each pronoun; `points` at the places of those that point back."""

    tokens: tuple[Token, ...]
    points: tuple[tuple[int, ThingWord | ThoseWord], ...]
    cost: float

    def parse(self, p: Parse) -> Parse:
        made = Parse(self.tokens, p.lexicon, p.now, p.text)
        for at, payload in self.points:
            made.lexemes[at].append(Lexeme(at, at + 1, payload))
        return made


class Pronouns:
    """What the pronouns of one text can stand for."""

    def __init__(self, p: Parse, earlier: Sequence[Earlier], base: Base | None) -> None:
        self.p = p
        self._earlier = earlier
        self._base = base
        self._things = things(earlier, p.schema)
        self._people = people(earlier, p.schema)

    def ways(self, start: int) -> list[Way]:
        """Every way to take the pronouns from a place on, surest first."""
        found = [Way(self.p.tokens[:start], (), 0.0)]
        at = [start]
        done: list[Way] = []
        while found:
            way, here = found.pop(0), at.pop(0)
            if here >= self.p.end:
                done.append(way)
                continue
            for said in self._said(here, start):
                points = way.points
                if said.payload is not None:
                    points = (*points, (len(way.tokens) + said.place, said.payload))
                found.append(Way((*way.tokens, *said.tokens), points, way.cost + said.cost))
                at.append(said.end)
        return sorted(done, key=lambda one: one.cost)[:MOST_WAYS]

    def _said(self, at: int, start: int) -> list[_Said]:
        p, word = self.p, self.p.word(at)
        as_it_is = _Said(at + 1, (p.tokens[at],))
        if at > start and p.word(at - 1) in english.NOT_AFTER and p.word(at - 1) not in ("of", "show", "list", "count"):
            return [as_it_is]
        ordered = list(self._nth(at, start))
        if ordered:
            return ordered
        if word in ("of", "in", "among", "from") and p.word(at + 1) in english.SEVERAL and at > start and self._base:
            after = self._with_noun(at + 2)
            those = self._those(at + 1, after)
            return [self._those(at, after), replace(those, tokens=(p.tokens[at], *those.tokens))]
        several = list(self._each(at, start))
        if several:
            return several
        if word in english.WHOSE:
            return self._whose(at)
        if word in english.PERSON:
            return self._pointing(at, at + 1, self._people) or [self._unknown(at)]
        if word in english.SEVERAL:
            return self._several(at)
        if word in english.ONES or (word in english.ONE and self._is_noun(at)):
            return [self._those(at, at + 1)] if self._base is not None else [self._unknown(at)]
        if word == "there" and at > start and not {p.word(at - 1), p.word(at + 1)} & plain.COPULAS:
            return self._in_there(at) or [self._unknown(at)]
        return self._thing(at) or [as_it_is]

    def _is_noun(self, at: int) -> bool:
        """`the signed one`, `which one`, but not `one document`."""
        before = self.p.word(at - 1) if at else ""
        entity = any(True for _ in self.p.starting(at + 1, EntityWord))
        return before not in ("", "top", "first", "last") and not entity and before not in plain.PREPOSITIONS

    def _within(self, at: int, start: int) -> bool:
        """`folders with receipts in them`: what is in the same sentence."""
        if self.p.word(at) not in words("it them its their"):
            return False
        nouns = [i for i in range(start, at) if any(True for _ in self.p.starting(i, EntityWord))]
        having = plain.HAVING | plain.LACKING
        return bool(nouns) and any(self.p.word(i) in having for i in range(nouns[0], at)) and "in" in (
            self.p.word(at - 1), self.p.word(at - 2))  # fmt: skip

    def _those(self, at: int, end: int) -> _Said:
        assert self._base is not None
        return _Said(end, (_marked(self.p, at, end),), ThoseWord(self._base.entity.name))

    def _with_noun(self, at: int) -> int:
        """After the noun of `those documents`."""
        return at + 1 if self.p.word(at) in english.RESULTS or self.p.word(at) in english.ONES else at

    def _pointing(self, at: int, end: int, meant: Sequence[Meant], *, whose: bool = False) -> list[_Said]:
        token = _marked(self.p, at, end)
        after = (Token("'s", "'s", token.end, token.end, TokenKind.CLITIC),) if whose else ()
        return [_Said(end, (token, *after), word, cost) for word, cost in meant]

    def _in_there(self, at: int) -> list[_Said]:
        """`show me the contracts there`: in it, whether or not that is said."""
        pointing = self._pointing(at, at + 1, self._things)
        if self.p.word(at - 1) in plain.PREPOSITIONS:
            return pointing
        start = self.p.tokens[at].start
        within = Token("in", "in", start, start, TokenKind.WORD)
        return [replace(one, tokens=(within, *one.tokens)) for one in pointing]

    def _unknown(self, at: int) -> _Said:
        """A pronoun for nothing that is known: no rule reads it."""
        return _Said(at + 1, (_marked(self.p, at, at + 1),))

    def _whose(self, at: int) -> list[_Said]:
        word = self.p.word(at)
        kind = english.WHOSE[word]
        found: list[_Said] = []
        if kind in ("person", "any"):
            found += self._pointing(at, at + 1, self._people, whose=True)
            if word == "her":
                found += self._pointing(at, at + 1, [(one, cost + 0.05) for one, cost in self._people])
        if kind in ("thing", "any"):
            found += self._pointing(at, at + 1, self._things, whose=True)
        if kind == "any" and self._base is not None:
            found.append(self._those(at, at + 1))
            found += self._pointing(at, at + 1, each_of(self._base), whose=True)
        return found or [self._unknown(at)]

    def _several(self, at: int) -> list[_Said]:
        word, found = self.p.word(at), []
        if self._base is not None:
            found.append(self._those(at, self._with_noun(at + 1)))
            found += self._pointing(at, self._with_noun(at + 1), each_of(self._base))
        if word in ("they", "them"):
            found += self._pointing(at, at + 1, [(one, cost + 0.05) for one, cost in self._people])
        return found or [self._unknown(at)]

    def _thing(self, at: int) -> list[_Said]:
        """`it`, `that one`, `this folder`, `the same person`, `the results`."""
        p, word = self.p, self.p.word(at)
        if word == "it":
            return self._pointing(at, at + 1, self._things) or [self._unknown(at)]
        begins = word in english.DEMONSTRATIVES or (word == "the" and p.word(at + 1) == "same")
        if begins or word == "the":
            noun = at + 2 if p.word(at + 1) == "same" else at + 1
            for lexeme in p.starting(noun, EntityWord):
                name = lexeme.payload.entity
                known = self._people if p.entity(name).virtual else self._things
                fitting = [(one, cost) for one, cost in known if _fits(p, one, name)]
                if fitting and not p.plural(lexeme.end) and (begins or self._is_alone(lexeme.end)):
                    return self._pointing(at, lexeme.end, fitting)
            if begins and p.word(noun) in english.ONE:
                return self._pointing(at, noun + 1, self._things) or [self._unknown(at)]
        before, asking = (p.word(at - back) if at >= back else "" for back in (1, 2))
        led = before in plain.PREPOSITIONS | plain.COPULAS | plain.AUXILIARIES or asking in ("who", "when")
        if word in english.DEMONSTRATIVES and led and self._is_alone(at + 1):
            return self._pointing(at, at + 1, self._things)  # else it begins a clause: "those that expire"
        return []

    def _is_alone(self, at: int) -> bool:
        """Whether nothing after a noun says more about it: the end, a verb, the property of a thing."""
        p = self.p
        if at >= p.end or p.word(at) in english.AFTER_THING or p.word(at) in plain.POSSESSIVES:
            return True
        return any(True for _ in p.starting(at, FieldWord)) and not any(True for _ in p.starting(at, ValueWord))

    def _each(self, at: int, start: int) -> Iterator[_Said]:
        """`each of them`; `the first three`, of which something is asked."""
        p = self.p
        begin = at + 1 if p.word(at) == "the" else at
        for number in cardinal(p, begin + 1) if p.word(begin) in ("first", "top") and at > start else ():
            end, count = number.end, int(number.value.value)
            of = end + 2 if p.word(end) == "of" and p.word(end + 1) in english.SEVERAL else self._with_noun(end)
            if count > 1 and (of >= p.end or p.word(of) in english.AFTER_THING):
                yield from self._pointing(at, of, each_of(self._base, count))
                yield _Said(at + 1, (p.tokens[at],))

    def _nth(self, at: int, start: int) -> Iterator[_Said]:
        """`the first one`, `the second document`, `the last of them`, `number 2`, `the 3rd`."""
        p = self.p
        begin = at + 1 if p.word(at) == "the" else at
        place, end = 0, begin
        if p.word(begin) == "last":
            place, end = -1, begin + 1
        elif (found := ordinal(p, begin)) is not None:
            place, end = found.value, found.end
        if not place:
            return
        noun = end
        if p.word(end) in english.ORDINAL_NOUNS:
            noun = end + 1
        of = noun + 2 if p.word(noun) == "of" and p.word(noun + 1) in english.SEVERAL else noun
        if of == end and not (self._is_alone(end) and (begin > at or at == start)):
            return  # "newest first"
        word = nth(self._earlier, place, p.schema)
        if word is None:
            yield _Said(of, (_marked(p, at, of),))
            return
        yield _Said(of, (_marked(p, at, of),), word)


def _marked(p: Parse, at: int, end: int) -> Token:
    """One token for words that point back: a mark, so that nothing else is read into them."""
    first, last = p.tokens[at], p.tokens[end - 1]
    raw = p.text[first.start : last.end]
    return Token(f"{OPENING}{raw.casefold()}{CLOSING}", raw, first.start, last.end, TokenKind.MARK)


def _fits(p: Parse, word: ThingWord, name: str) -> bool:
    """Whether what is known to be one of these kinds may be of a kind. A history may name kinds that there are not."""
    of = [p.schema.entities[one] for one in word.entities if one in p.schema.entities]
    kinds = {one.name for one in of}
    return name in kinds or bool(set(p.entity(name).kinds) & kinds) or any(name in one.kinds for one in of)
