"""Compare a model's program with the words of the question: what of each has no part in the other?

"how many lakes border Chad?" -> `count lakes`: no part of the program says 'border' and 'Chad'
"lamps that flash twice" -> `find lights where character = "Fl(2)"`: no word says "Fl(2)", unless the model says which
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc.grammar import parse as parsed
from qlc.grammar import print_value, tree
from qlc.grammar.printer import print_condition
from qlc.translator.protocol import Turn
from qlc.translator.rules.accounting import Said, unaccounted, words_used
from qlc.translator.rules.confidence import Call, unmet
from qlc.translator.rules.lexicon.lexemes import NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, stem, words
from qlc.translator.rules.words.tokens import fold, name_key, with_more_words

MOST_NAMED = 5
ASKED = "left out"  # the key of what a model is asked about its program
ALIKE = 4  # letters that two words begin with to be taken for forms of one: `Norwegian`, `Norway`
_WORD = re.compile(r"\w+")
_SMALL = words("during upon till toward towards such even too own whether")
"""Words that mean nothing alone. Rules know fewer: they read no sentence with a word that they do not know."""
_DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_SCALES = (1, 0.01, 60, 100, 1_000, 3_600, 1_000_000, 1_000_000_000)
"""Factors by which a number of the question may be multiplied: `2 million`, `5 %`, `3 minutes` in seconds."""


@dataclass(frozen=True, slots=True)
class Because:
    """Words of a question, and the part of the program that a model says they are."""

    said: str
    means: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`words` of the question without a part of the program; `calls`, kinds of words that lack theirs ("negation");
    `constants`, conditions with values that no word of the question says, and the words that they are taken for, or '';
    `longer`, other values of the field of a condition that have its words, by field; `beside`, such values of a field
    whose values the model saw, of which it is not asked again.
    """

    words: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    constants: tuple[tuple[str, str], ...] = ()
    longer: tuple[tuple[str, Sequence[str]], ...] = ()
    beside: tuple[tuple[str, Sequence[str]], ...] = ()

    @property
    def doubtful(self) -> bool:
        return bool(self.words or self.calls or self.longer) or not all(said for _, said in self.constants)

    @property
    def problem(self) -> Mapping[str, Any]:
        """The question to the model about its program."""
        unnamed = [constant for constant, said in self.constants if not said]
        parts = [f"nothing in the program says {_listed(self.words)}"] if self.words else []
        parts += [f"the question has words for {_listed(self.calls)}, the program no part"] if self.calls else []
        parts += [f"no word of the question says {' or '.join(unnamed[:MOST_NAMED])}"] if unnamed else []
        parts += [f"the comparison of {name} leaves out {_listed(texts)}, which `contains` finds"
                  for name, texts in self.longer]  # fmt: skip
        way = "put it right, or say in `because` what stands for what; decline if the program answers another question"
        return {"accepted": False, ASKED: f"{'; '.join(parts)}: {way}"}

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the answer."""
        found = [f"Nothing in the query stands for {_listed(self.words)}."] if self.words else []
        found += [f"The question has words for {_listed(self.calls)}, the query no part."] if self.calls else []
        found += [f"'{name}' is also {_listed(texts)}, which {'is' if len(texts) == 1 else 'are'} left out."
                  for name, texts in (*self.longer, *self.beside)]  # fmt: skip
        for said in dict.fromkeys(said for _, said in self.constants):
            several = ", ".join([constant for constant, of in self.constants if of == said][:MOST_NAMED])
            found.append(f"Taken for '{said}': {several}." if said else f"The question does not say {several}.")
        return tuple(found)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{one}'" for one in words[:MOST_NAMED])


def left_out(p: Parse, program: str, because: Sequence[Because], history: Sequence[Turn] = (),
             values: bool = True) -> LeftOut:
    """Return what a program leaves out of a question or adds; `values`: the model may see values of the index."""
    statement = parsed(program).statement
    said = Said(statement, p.schema)
    explained = {stem(word) for one in because if _is_in(one.means, program) for word in name_key(one.said)}
    explained |= {stem(word) for word in _WORD.findall(fold(program))}
    places = [at for at in unaccounted(p, said) if not history or p.lexemes[at]]  # the others may be of what was before
    left = tuple(p.tokens[at].raw for at in places if p.word(at) not in _SMALL and not _explains(p, at, explained))
    before = " ".join(f"{turn.program} {turn.outcome}" for turn in history)
    visible = {stem(word) for one in because if _is_in(one.means, program) and _VISIBLE.search(one.means)
               for word in name_key(one.said)}  # fmt: skip
    shown = frozenset(at for at in range(p.end) if _explains(p, at, visible))
    calls = () if history else tuple(_calls(p, said, shown))
    longer = tuple(_longer(p, statement)) if values else ()
    beside = tuple(_beside(p, statement)) if values else ()
    return LeftOut(left, calls, tuple(_constants(p, statement, because, before)), longer, beside)


_VISIBLE = re.compile(r"[<>=!*/+-]|\b(?:not|missing|sort|desc|limit|having|min|max|avg|median|distinct)\b")
"""Matches parts of a program that compare, order, deny or calculate: `not more than once` means `count <= 1`."""


def _is_in(means: str, program: str) -> bool:
    """Return whether a program has a word of a model, also in another number (`record`), or its sign (`<`)."""
    if not _WORD.search(means):
        return means.strip() in program
    return not set(map(stem, _WORD.findall(fold(means)))).isdisjoint(map(stem, _WORD.findall(fold(program))))


def _explains(p: Parse, at: int, explained: Collection[str]) -> bool:
    return any(stem(one) in explained for one in (p.tokens[at].text, *name_key(p.tokens[at].raw)))


_OF_A_TIME = Call(
    "time",
    (english.MONTHS.keys() | english.WEEKDAYS.keys()) - words("may march mar sat sun"),
    lambda said: said.is_timed,
    phrases("(in | of | since | before | after | until | during | every | last | this | next) (may | march | mar | sat "
            "| sun)"),
)  # fmt: skip
_CALLED = words("negation superlative comparison average date")
"""Kinds of words whose part a program has in few ways; of the others a model finds more than the rules know."""
_OF_ROWS = words("superlative comparison")  # kinds of words for an order, which rows of groups always have


def _calls(p: Parse, said: Said, shown: Collection[int]) -> Iterator[str]:
    """Yield kinds of words without a part, but for places `shown`: `not paid`, `find bills` -> `negation`."""
    rows = isinstance(said.statement, tree.Aggregate) and bool(said.statement.groups)
    met = _OF_ROWS if rows else {"comparison"} if tree.Arithmetic in said.kinds else frozenset()  # "how many more"
    yield from (one for one in unmet(p, said, shown) if one in _CALLED and one not in met)
    if not _OF_A_TIME.met(said) and _OF_A_TIME.is_said(p, words_used(p, said).union(shown)):
        yield _OF_A_TIME.name


def _constants(p: Parse, statement: tree.Statement, because: Sequence[Because],
               before: str) -> Iterator[tuple[str, str]]:
    """Yield the conditions with values that the question does not have, each with the words that it is taken for."""
    said_words = {fold(one.text) for one in p.tokens}
    values = {fold(one.payload.text) for row in p.lexemes for one in row
              if isinstance(one.payload, ValueWord | NameWord)}  # fmt: skip
    text = fold(p.text)
    numbers = {float(digits.replace(",", "")) * scale for digits in _DIGITS.findall(text) for scale in _SCALES}
    seen: set[str] = set()
    for condition, one in _literals(statement):
        shown = print_condition(condition)
        content = fold(one.value) if isinstance(one, tree.String) else one.text
        known = content in values or content in text or print_value(one).strip('"') in before
        if isinstance(one, tree.Number):
            number = abs(float(one.value))
            in_words = {english.NUMBERS.get(word) for word in said_words}
            known |= number in (0, 1) or number in numbers or number in in_words
        else:
            long = [word[:ALIKE] for word in name_key(content) if len(word) >= ALIKE]
            known |= any(one[:ALIKE] in long for one in said_words)
        if not known and shown not in seen:
            seen.add(shown)
            yield shown, next((each.said for each in because if _is_in(each.means, content)), "")


def _longer(p: Parse, statement: tree.Statement) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield open values with all words of the compared one: `team = "Oakland"` leaves out "at Oakland"."""
    values, wanted = p.lexicon.values, _compared(statement)
    for entity in p.schema.entities.values():
        for name, field in entity.fields.items():
            is_open = field.values is None and field.reference is None and not field.sensitive and not field.is_id
            if name in wanted and is_open and (entity.index, field.mapped.path) not in values.several:
                texts = values.names.get(entity.name) if field in entity.names[:1] else values.values.get((name,))
                if found := _left_out_values(texts or (), wanted[name]):
                    yield name, found


def _beside(p: Parse, statement: tree.Statement) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the same of fields whose values are listed: `surface = "Clay"` leaves out "Clay (i)"."""
    for name, wanted in _compared(statement).items():
        fields = (entity.fields.get(name) for entity in p.schema.entities.values())
        closed = next((one.values for one in fields if one is not None and one.values and not one.sensitive), None)
        stored = map(str, dict.fromkeys(closed.spellings.values())) if closed is not None else ()
        if found := _left_out_values(stored, wanted):
            yield name, found


def _left_out_values(texts: Iterable[str], compared: Collection[tuple[str, str]]) -> list[str]:
    """Return values with all words of the compared one and more: `= "Clay"` leaves out `Clay (i)`."""
    meets = {"starts with": str.startswith, "ends with": str.endswith}
    found = with_more_words(texts, {name_key(text) for _, text in compared})
    kept = [(meets[operator], fold(text)) for operator, text in compared if operator in meets]
    return [one for one in found if not any(is_met(fold(one), text) for is_met, text in kept)]


def _compared(statement: tree.Statement) -> Mapping[str, set[tuple[str, str]]]:
    """Return the texts that fields are compared with and the operators, by field."""
    found = defaultdict[str, set[tuple[str, str]]](set)
    for condition, one in _literals(statement):
        if isinstance(condition, tree.Comparison) and isinstance(condition.left, tree.Path):
            path, operator = condition.left.segments, condition.operator
            is_whole = operator in ("=", "in", "starts with", "ends with")
            if is_whole and len(path) == 1 and isinstance(one, tree.String) and name_key(one.value):
                found[path[0].name.text].add((operator, one.value))
    return found


def _literals(statement: tree.Statement) -> Iterator[tuple[tree.Comparison | tree.Between, tree.String | tree.Number]]:
    """Yield the values that conditions compare with, each with its condition; no limits, no widths of groups."""
    for node in tree.walked(statement):
        if isinstance(node, tree.Comparison | tree.Between):
            for side in (node.right,) if isinstance(node, tree.Comparison) else (node.low, node.high):
                yield from ((node, one) for one in tree.walked(side) if isinstance(one, tree.String | tree.Number))
