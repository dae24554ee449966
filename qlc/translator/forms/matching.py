"""Whether a question has the words of a form, and what stands in its slots.

All words have to match. Left aside are articles, punctuation and politeness, and of a form that gives a list the ways
to ask for one. Two words are the same where the lexicon has them for exactly the same things.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from qlc.grammar import parse, tree
from qlc.mapping.schema import Schema
from qlc.translator.forms.form import SLOT, Form, Slot
from qlc.translator.forms.places import LIMIT, Place, places
from qlc.translator.forms.readers import CATALOG, SURELY, as_taught, fillers
from qlc.translator.rules.lexicon.lexemes import Payload
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import Phrases, is_participle, stem, words
from qlc.translator.rules.words.tokens import TokenKind

MOST_STEPS = 5_000  # tries to match one form with one question
_ARTICLES = words("the a an")
MARKS = frozenset("?!.,;:'\"()-")
_POLITE = words("please pls plz thanks thank thx hi hey hello kindly cheers")
_ON = words("in on during")
_OF_OTHERS = words("out group explain break split work figure")
"""Words of `english.ASKING` that ask for more than a list."""
_ASKING = Phrases(lambda: tuple(x for x in english.ASKING if "about" not in x and x[0] not in _OF_OTHERS))
_SAME = tuple(map(words, ("is are 's", "was were", "has have", "do does", "n't not", "which what", "& and")))
_VERBAL = ("ed", "ing")


@dataclass(frozen=True, slots=True)
class Match:
    """Values of the slots by name. `free`: the value of some slot is not known in the index."""

    values: tuple[tuple[str, tree.Value], ...]
    free: bool = False


@dataclass(frozen=True)
class Pattern:
    """A form, read with the words that a lexicon knows. `slots` are those of the question, with what they stand for."""

    form: Form
    program: tree.Program
    words: Parse
    slots: Mapping[str, tuple[Slot, Place]]

    @property
    def lists(self) -> bool:
        return isinstance(self.program.statement, tree.Find)

    @property
    def counts_words(self) -> bool:
        """Whether it matters if one thing is asked for or several: the program has a limit."""
        return any(getattr(one, "limit", None) is not None for one in tree.walked(self.program))

    @property
    def has_words(self) -> bool:
        """Whether a word of its own tells its questions from others."""
        at, end = _opening(self.words, self.lists), _closing(self.words)
        return any(self.words.quoted(i) is None and _past(self.words, i) == i for i in range(at, end))

    def matches(self, question: Parse) -> list[Match]:
        return [*dict.fromkeys(_Matching(self, question).found())]


def places_of(
    program: str, slots: Mapping[str, Slot], schema: Schema
) -> tuple[tree.Program, dict[str, tuple[Slot, Place]]]:
    """The program of a form, and the places of its slots. Raises ValueError where they are not as they were."""
    parsed = parse(program)
    found = {one.node.name: one for one in places(parsed, schema) if isinstance(one.node, tree.Parameter)}
    found[LIMIT] = Place(tree.Parameter(LIMIT), "count")
    for name, slot in slots.items():
        place = found.get(name)
        if place is None or place.kind != slot.type or place.of != slot.of:
            raise ValueError(f"the slot '{name}' is no longer a {slot.type} of '{slot.of}'")
    return parsed, {name: (slot, found[name]) for name, slot in slots.items()}


class _Matching:
    def __init__(self, pattern: Pattern, question: Parse) -> None:
        self.pattern, self.words, self.question = pattern, pattern.words, question
        self.steps = 0
        self.last = (_closing(self.words), _closing(question))

    def found(self) -> Iterator[Match]:
        openings = (_opening(self.words, self.pattern.lists), _opening(self.question, self.pattern.lists))
        yield from self._from(*openings)

    def _slot(self, i: int) -> str | None:
        name = SLOT.fullmatch(self.words.quoted(i) or "")
        return name[1] if name and name[1] in self.pattern.slots else None

    def _from(self, i: int, j: int) -> Iterator[Match]:
        self.steps += 1
        i = _past(self.words, i)
        if self.steps > MOST_STEPS:
            return
        if i >= self.last[0]:
            if _past(self.question, j) >= self.last[1]:
                yield Match(())
            return
        name = self._slot(i)
        if name is not None:
            slot, place = self.pattern.slots[name]
            for start in range(j, _past(self.question, j) + 1):  # `The Old Mill` begins with an article
                for one in fillers(self.question, start, place):
                    if one.end <= self.last[1] and as_taught(one, slot):
                        for rest in self._from(i + 1, one.end):
                            yield Match(((name, one.value), *rest.values), one.free or rest.free)
            return
        j = _past(self.question, j)
        for i_end, j_end in dict.fromkeys(self._same(i, j)):
            yield from self._from(i_end, j_end)

    def _same(self, i: int, j: int) -> Iterator[tuple[int, int]]:
        """How far pattern and question say the same from two places on."""
        after = self._slot(_past(self.words, i + 1))
        if self.words.word(i) in _ON and after is not None and self.pattern.slots[after][1].alone:
            yield i + 1, j  # `in 2024` and `yesterday`
            if self.question.word(j) in _ON:
                yield i + 1, j + 1
        if j >= self.last[1]:
            return
        if self._same_word(self.words.word(i), self.question.word(j)):
            yield i + 1, j + 1
        said = _by_end(self.question, j)
        for i_end, payloads in _by_end(self.words, i).items():
            for j_end, others in said.items():
                last, other = self.words.word(i_end - 1), self.question.word(j_end - 1)
                same_form = _kind_of_form(last) == _kind_of_form(other) and self._same_number(last, other)
                if payloads == others and same_form:
                    yield i_end, j_end

    def _same_word(self, one: str, other: str) -> bool:
        if one == other:
            return bool(one)
        if any(one in same and other in same for same in _SAME):
            return True
        same = bool(one and other) and stem(one) == stem(other) and _kind_of_form(one) == _kind_of_form(other) == ""
        return same and self._same_number(one, other)

    def _same_number(self, one: str, other: str) -> bool:
        return not self.pattern.counts_words or one.endswith("s") == other.endswith("s")


def _kind_of_form(word: str) -> str:
    """Return the verb ending of a word: two words of one field differ if it does (`expired`, `expires`)."""
    return "ed" if is_participle(word) else next((one for one in _VERBAL if word.endswith(one)), "")


def _by_end(p: Parse, at: int) -> dict[int, frozenset[Payload]]:
    """Return the catalog entries of words by where they end. Words that may be a name have none."""
    found: dict[int, set[Payload]] = {}
    for one in p.lexemes[at] if at < p.end else ():
        if one.cost < SURELY or not isinstance(one.payload, CATALOG):
            found.setdefault(one.end, set()).add(one.payload)
    return {end: frozenset(payloads) for end, payloads in found.items()
            if all(isinstance(x, CATALOG) for x in payloads)}


def _past(p: Parse, at: int) -> int:
    while at < p.end and at not in p.marked and p.tokens[at].kind is not TokenKind.QUOTED and (
        p.word(at) in _ARTICLES or p.word(at) in MARKS
    ):  # fmt: skip
        at += 1
    return at


def _opening(p: Parse, lists: bool) -> int:
    """Return where a question begins after politeness and phrases that ask for a list: `please show me` -> 3."""
    at = 0
    while at < p.end:
        polite = p.word(at) in _POLITE or (p.word(at) in MARKS and at not in p.marked)
        ends = [end for end in p.phrases(at, _ASKING) if not _says_something(p, at, end)] if lists else []
        if not polite and (not ends or ends[0] >= p.end):
            break
        at = at + 1 if polite else ends[0]
    return at


def _says_something(p: Parse, at: int, end: int) -> bool:
    """Whether the catalog has a meaning for one of the words: `open tickets` does not ask for tickets to be opened."""
    return any(isinstance(one.payload, CATALOG) for row in p.lexemes[at:end] for one in row)


def _closing(p: Parse) -> int:
    end = p.end
    while end > 0 and (p.word(end - 1) in _POLITE or p.word(end - 1) in MARKS) and end - 1 not in p.marked:
        end -= 1
    return end
