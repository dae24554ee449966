"""The state of one parse, and how rules are written.

A rule is a function of the parse and a position (and perhaps of the entity that is spoken of). It yields every way to
read what begins there: where it ends, what it means, and what it costs. Rules call each other and are remembered by
position, so that nothing is read twice; a question has as many readings as the rules find, and the cheapest counts.

Costs add up, and the sum decides (see `MOST`, `MARGIN` and the others in `qlc/translator/rules/translator.py`). 0 is
said in so many words; up to 0.1 there is one way to mean it; at 0.2 to 0.3 something else is as near; from about 0.5 on
words rather mean something else; 1 is for where nothing else can be meant. A cost says how much dearer a way is than
those it competes with, and a new one is chosen beside these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from functools import cache, cached_property, partial, wraps
from typing import Any, Generic, NamedTuple, TypeVar, cast

from qlc.base.deadline import checkpoint
from qlc.grammar import tree
from qlc.language.nouns import UNCHANGED
from qlc.mapping.fields import NUMERIC
from qlc.mapping.schema import Entity, Schema
from qlc.translator.protocol import TooMuchToRead
from qlc.translator.rules.lexicon.lexemes import (
    EntityWord,
    FieldRef,
    FieldWord,
    K,
    Lexeme,
    NameWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.lexicon.lexicon import Lexicon, longest_first, marked, parted, phrasal
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import LastPlaces, Phrases, is_participle
from qlc.translator.rules.words.tokens import Token, TokenKind, one_or_the_other, same_deeds, written_out

T = TypeVar("T")
Rule = TypeVar("Rule", bound=Callable[..., Any])
MOST_READINGS = 12  # readings of one rule at one place that are kept: the cheapest
DIGITS = "0"  # placeholder among a rule's needed words: any word that begins with a digit
_EVERY = 16  # readings after which the time is looked at
MOST_READ = 5_000  # readings of parts that are made of one question at most: a long sentence of people takes a thousand


class Found(NamedTuple, Generic[T]):
    """A reading: tokens up to `end` mean `value`. `cost`: how unsure that is (see above)."""

    end: int
    value: T
    cost: float


def if_any(end: int, value: Any, cost: float) -> Iterator[Found[Any]]:
    """A reading, where there is a value."""
    if value is not None:
        yield Found(end, value, cost)


class Parse:
    """One question: its tokens, what they can stand for, and what was read so far."""

    def __init__(self, tokens: tuple[Token, ...], lexicon: Lexicon, now: datetime, text: str) -> None:
        tokens = written_out(phrasal(one_or_the_other(tokens), lexicon, english.PHRASAL), lexicon.knows_alone)
        tokens = phrasal(same_deeds(tokens, lexicon.knows, lexicon.fields_of_verb), lexicon, english.LASTLY)
        self.tokens = tokens
        self._words = tuple("" if one.kind is TokenKind.QUOTED else one.text for one in tokens)
        self.cues = tuple(map(_cue, self._words))
        """The words, with `DIGITS` for each that begins with a digit."""
        self.lexicon = lexicon
        self.now = now
        self.text = text
        rows = lexicon.lexemes(tokens)
        for apart in parted(tokens, lexicon):
            if all(one.end != apart.end or one.payload != apart.payload for one in rows[apart.start]):
                rows[apart.start].append(apart)
        self.lexemes: list[list[Lexeme[Payload]]] = [longest_first(row, tokens) for row in rows]
        self.end = len(tokens)
        self.marked: set[int] = set()
        """Positions where a value with marks begins, such as `A+`."""
        for written in marked(text, tokens, lexicon):
            longer = any(one.end > written.end for one in self.lexemes[written.start])
            if not longer:
                if written.start not in self.marked:
                    self.lexemes[written.start] = []
                self.marked.add(written.start)
                self.lexemes[written.start].append(written)
        self._keep_file_names_whole()
        self._leave_out_what_is_yet_to_be()
        self._leave_numbers_to_their_fields()
        self.unsaid: dict[int, str] = {}
        """Positions where the noun may be missing because it was mentioned before, with its entity."""
        self.before: tree.Condition | None = None
        """Condition of the earlier search."""
        self.measured: tuple[str, ...] = ()
        """Path of the number that the earlier search measures, which a bare bound (`over 30`) is of."""
        self.guessed: set[str] = set()
        """Fields that a rule assumed without a word for them; almost all documents must have them."""
        self.everything = ""
        """The program of a reading that asks for all things of a kind there are."""
        self.unknown_asker = False
        """Whether the question depends on who asks, who is unknown."""
        self.readings = 0
        """How many readings of parts were made so far."""
        self.slots_read: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._read: dict[Any, list[Found[Any]]] = {}
        self.last = LastPlaces(self.cues)

    def _keep_file_names_whole(self) -> None:
        """Remove other meanings inside of a file's name: `Q3 Report.pdf` has no quarter."""
        self.inside: set[int] = set()
        for row in self.lexemes:
            for one in row:
                whole = isinstance(one.payload, NameWord) and one.payload.whole and "." in one.payload.text[-6:]
                if whole and one.end - one.start > 3:
                    self.inside.update(range(one.start + 1, one.end))
                    self.inside.add(one.start)
        for at in self.inside:
            self.lexemes[at] = [one for one in self.lexemes[at] if isinstance(one.payload, NameWord)]
        for row in self.lexemes:  # `Hotel Nice.pdf` is not Hotel Nice
            row[:] = [one for one in row if not isinstance(one.payload, NameWord) or not self._goes_on(one.end)]

    def _goes_on(self, at: int) -> bool:
        """Whether the ending of a file's name follows without a space."""
        if at + 1 >= self.end or self.tokens[at].text != "." or self.tokens[at + 1].kind is not TokenKind.WORD:
            return False
        mark, ending = self.tokens[at], self.tokens[at + 1]
        glued = self.tokens[at - 1].end == mark.start and mark.end == ending.start
        return glued and len(ending.text) in range(2, 5) and ending.raw.islower()

    def _leave_out_what_is_yet_to_be(self) -> None:
        """Remove the state of `to be paid`: the participle there is not a state."""
        for at in range(2, self.end):
            if self.word(at - 2) == "to" and self.word(at - 1) == "be" and is_participle(self.word(at)):
                self.lexemes[at] = [one for one in self.lexemes[at] if isinstance(one.payload, NameWord | EntityWord)]

    def _leave_numbers_to_their_fields(self) -> None:
        """`5 ships` are so many, even where 5 is the code of a status: only after a word for its field it is one."""
        spoken: set[tuple[str, ...]] = set()
        for at, row in enumerate(self.lexemes):
            if self.word(at).isdecimal():
                row[:] = [one for one in row if one.end > at + 1 or not isinstance(one.payload, ValueWord)
                          or one.payload.ref.path in spoken or one.payload.ref.kind not in NUMERIC]
            spoken |= {one.payload.ref.path for one in row if isinstance(one.payload, FieldWord)}

    @property
    def schema(self) -> Schema:
        return self.lexicon.schema

    def entity(self, name: str) -> Entity:
        return self.schema.entities[name]

    @cached_property
    def things(self) -> tuple[Entity, ...]:
        """The entities that have documents of their own."""
        return tuple(one for one in self.schema.entities.values() if not one.virtual)

    @cached_property
    def people(self) -> tuple[Entity, ...]:
        """The entities that have none: who occurs only in fields of others."""
        return tuple(one for one in self.schema.entities.values() if one.virtual)

    @cached_property
    def people_referred_to(self) -> tuple[str, ...]:
        """Return the virtual entities that fields refer to, in the order of the fields."""
        targets = dict.fromkeys(ref.target for ref in self.lexicon.fields() if ref.target is not None)
        return tuple(one for one in targets if self.entity(one).virtual)

    def word(self, at: int) -> str:
        """The word at a position; empty after the end, and for a quoted text."""
        return self._words[at] if at < self.end else ""

    def quoted(self, at: int) -> str | None:
        if at < self.end and self.tokens[at].kind is TokenKind.QUOTED:
            return self.tokens[at].raw
        return None

    def starting(self, at: int, kind: type[K]) -> list[Lexeme[K]]:
        """The lexemes of a kind that begin here."""
        if at >= self.end:
            return []
        return [one for one in self.lexemes[at] if isinstance(one.payload, kind)]  # type: ignore[misc]

    def ending(self, at: int, most: int = 3) -> list[Lexeme[Payload]]:
        """The lexemes of so many words at most that end here."""
        return [one for row in self.lexemes[max(0, at - most) : at] for one in row if one.end == at]

    def fields(self, at: int, entity: Entity | None = None) -> list[tuple[Lexeme[FieldWord], FieldRef]]:
        """The words for fields that begin here, of an entity where one is given, each with its field."""
        found = [(one, one.payload.ref) for one in self.starting(at, FieldWord)]
        return found if entity is None else [(one, ref) for one, ref in found if ref.belongs_to(entity)]

    def numbers(self, at: int, entity: Entity) -> list[tuple[Lexeme[FieldWord], FieldRef]]:
        """The words for numbers of an entity that begin here."""
        return [(one, ref) for one, ref in self.fields(at, entity) if ref.is_number]

    def phrase(self, at: int, *words: str) -> int | None:
        """The end of the words, if they are here."""
        end = at + len(words)
        return end if self._words[at:end] == words else None

    def phrases(self, at: int, table: Phrases) -> Iterator[int]:
        """The ends of the phrases that are here, longest first."""
        beginning = table.beginning(self.word(at))
        if not beginning:
            return iter(())
        said = self._words
        return iter([at + len(words) for words in beginning if said[at : at + len(words)] == words])

    def past(self, at: int, words: Collection[str]) -> int:
        """After any number of these words."""
        while at < self.end and self._words[at] in words and at not in self.marked:
            at += 1
        return at

    def raw(self, start: int, end: int) -> str:
        """The text of some tokens as written."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""

    def token_at(self, offset: int) -> int:
        """The first token that begins at or after a place in the text."""
        for at, token in enumerate(self.tokens):
            if token.start >= offset:
                return at
        return self.end

    def guess(self, field: str) -> None:
        """Take a field that is not said, if no word stands for it anywhere."""
        said = (one.payload.ref.path[0] for row in self.lexemes for one in row if isinstance(one.payload, FieldWord))
        if field not in said:
            self.guessed.add(field)

    def plural(self, end: int) -> bool:
        """Whether the noun that ends here is in the plural."""
        word = self.word(end - 1)
        one_form = word in self.schema.entities or word in UNCHANGED
        return word.endswith("s") and not word.endswith(("ss", "us", "is")) and not one_form

    def lies_ahead(self, entity: str, field: str) -> bool:
        """Whether some thing has a date that is still to come."""
        return (self.lexicon.values.latest(entity, field) or 0.0) > 1_000 * self.now.timestamp()

    @property
    def says_all(self) -> bool:
        """Whether every one of some things is asked for: `all documents`."""
        return not {"all", "every", "everything", "each"}.isdisjoint(one.text for one in self.tokens)

    def articles(self, at: int) -> int:
        return self.past(at, english.ARTICLES)


def needs(*said: Collection[str] | Phrases) -> Callable[[Rule], Rule]:
    """Enter a rule only if one of these words or phrases is said at its place or after it."""
    return _entered(lambda: map(_telling, _sequences(said)), lambda cues, parse, at: at > parse.last[cues()])


def begins(*said: Collection[str] | Phrases) -> Callable[[Rule], Rule]:
    """As `needs`, where one of them has to begin at the rule's place."""
    first = lambda: (one[0] for one in _sequences(said))  # noqa: E731
    return _entered(first, lambda cues, parse, at: cues().isdisjoint(parse.cues[at : at + 1]))


def knows(*kinds: type) -> Callable[[Rule], Rule]:
    """Enter a rule only if a word at its place or after it stands for one of these kinds of things."""

    def guard(function: Rule) -> Rule:
        @wraps(function)
        def entered(parse: Parse, at: int, *arguments: Any) -> Any:
            known = any(isinstance(one.payload, kinds) for row in parse.lexemes[at:] for one in row)
            return function(parse, at, *arguments) if known else iter(())

        return cast("Rule", entered)

    return guard


def _sequences(said: Iterable[Collection[str] | Phrases]) -> Iterator[tuple[str, ...]]:
    for one in said:
        yield from one if isinstance(one, Phrases) else ((word,) for word in one)


def _telling(phrase: tuple[str, ...]) -> str:
    """The word of a phrase that the fewest questions have."""
    return max(phrase, key=lambda word: (word not in english.PREPOSITIONS, len(word)))


Cues = Callable[[], frozenset[str]]


def _entered(words: Callable[[], Iterable[str]], idle: Callable[[Cues, Parse, int], bool]) -> Callable[[Rule], Rule]:
    @cache
    def cues() -> frozenset[str]:  # when first asked: tables of phrases are not read before
        return frozenset(map(_cue, words()))

    finds_nothing = partial(idle, cues)

    def guard(function: Rule) -> Rule:
        @wraps(function)
        def entered(parse: Parse, at: int, *arguments: Any) -> Any:
            return iter(()) if finds_nothing(parse, at) else function(parse, at, *arguments)

        entered.finds_nothing = finds_nothing  # type: ignore[attr-defined]
        return cast("Rule", entered)

    return guard


def _cue(word: str) -> str:
    return DIGITS if word[:1].isdecimal() else word


def rule(function: Callable[..., Iterator[Found[T]]]) -> Callable[..., list[Found[T]]]:
    """A rule whose readings are remembered: the cheapest of each end and meaning, at most `MOST_READINGS`.

    A rule that comes back to itself at the same place finds nothing there: no meaning holds itself. Raises
    TooMuchToRead where a question has more readings than a sentence of people has.
    """

    finds_nothing: Callable[[Parse, int], bool] | None = vars(function).get("finds_nothing")

    @wraps(function)
    def remembered(parse: Parse, at: int, *arguments: Any) -> list[Found[T]]:
        if finds_nothing is not None and finds_nothing(parse, at):
            return []
        key = (function, at, arguments)
        known = parse._read.get(key)
        if known is not None:
            return known
        if at > parse.end:
            return []
        checkpoint()
        parse._read[key] = []
        found: list[Found[T]] = []
        for one in function(parse, at, *arguments):
            parse.readings += 1
            if parse.readings % _EVERY == 0:
                checkpoint()
            if parse.readings > MOST_READ:
                raise TooMuchToRead
            found.append(one)
        if len(found) > 1:
            found = _cheapest(found)
        if found:
            parse._read[key] = found
        return found

    return remembered


def _cheapest(found: list[Found[T]]) -> list[Found[T]]:
    """Return each end and meaning once, cheapest first; of too many, the cheapest four of every end."""
    best: dict[tuple[int, Any], Found[T]] = {}
    for one in found:
        place = (one.end, one.value)
        if one.cost < best.setdefault(place, one).cost:
            best[place] = one
    found = sorted(best.values(), key=lambda one: (one.cost, -one.end))
    if len(found) <= MOST_READINGS:
        return found
    kept: list[Found[T]] = []
    ends: dict[int, int] = {}
    for one in found:
        if ends.setdefault(one.end, 0) < 4:
            ends[one.end] += 1
            kept.append(one)
    return kept
