"""Compare a model's program with the words of the question: what of each has no part in the other?

"how many lakes border Chad?" -> `count lakes`: no part of the program says 'border' and 'Chad'
"lamps that flash twice" -> `find lights where character = "Fl(2)"`: no word says "Fl(2)", unless the model says which
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc.grammar import parse as parsed
from qlc.grammar import print_value, tree
from qlc.translator.protocol import Turn
from qlc.translator.rules.accounting import unaccounted
from qlc.translator.rules.lexicon.lexemes import NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.said import Said
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.tokens import fold, name_key

MOST_TOLD = 5
ASKED = "left out"
"""The key of what a model is asked about its program."""
ALIKE = 4
"""Letters that two words begin with to be taken for forms of one: `Norwegian`, `Norway`."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Because:
    """Words of a question, and the part of the program that a model says they are."""

    said: str
    means: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`words` of the question without a part of the program; `constants` of the program without a word of the question,
    each with the words that the model takes it for, or ''."""

    words: tuple[str, ...] = ()
    constants: tuple[tuple[str, str], ...] = ()

    @property
    def doubtful(self) -> bool:
        return bool(self.words) or not all(said for _, said in self.constants)

    @property
    def problem(self) -> Mapping[str, Any]:
        """What a model is asked about its program."""
        unnamed = [constant for constant, said in self.constants if not said]
        parts = [f"nothing in the program says {_listed(self.words)}"] if self.words else []
        parts += [f"no word of the question is {' or '.join(unnamed[:MOST_TOLD])}"] if unnamed else []
        way = "put it right, or say in `because` what stands for what; decline if the program answers another question"
        return {"accepted": False, ASKED: f"{'; '.join(parts)}: {way}"}

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answer tells of it."""
        found = [f"Nothing in the query stands for {_listed(self.words)}."] if self.words else []
        for said in dict.fromkeys(said for _, said in self.constants):
            several = ", ".join([constant for constant, of in self.constants if of == said][:MOST_TOLD])
            found.append(f"Taken for '{said}': {several}." if said else f"The question does not name {several}.")
        return tuple(found)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{one}'" for one in words[:MOST_TOLD])


def left_out(p: Parse, program: str, because: Sequence[Because], history: Sequence[Turn] = ()) -> LeftOut:
    """Return what a program leaves out of a question, and what it has besides."""
    statement = parsed(program).statement
    said = Said(statement, p.schema)
    explained = {stem(word) for one in because if _is_in(one.means, program) for word in name_key(one.said)}
    explained |= {stem(word) for word in _WORD.findall(fold(program))}
    places = {*unaccounted(p, said), *_extremes(p, said)}
    if history:  # the words of a question that goes on may be of what was asked or shown before
        places = {at for at in places if p.lexemes[at]}
    left = tuple(p.tokens[at].raw for at in sorted(places) if p.tokens[at].text and not _explains(p, at, explained))
    before = " ".join(f"{turn.program} {turn.outcome}" for turn in history)
    return LeftOut(left, tuple(_constants(p, statement, because, before)))


def _is_in(means: str, program: str) -> bool:
    """Return whether a program has a word of what a model says that words mean."""
    return not set(_WORD.findall(fold(means))).isdisjoint(_WORD.findall(fold(program)))


def _explains(p: Parse, at: int, explained: Collection[str]) -> bool:
    return any(stem(one) in explained for one in (p.tokens[at].text, *name_key(p.tokens[at].raw)))


def _extremes(p: Parse, said: Said) -> Iterator[int]:
    """Yield the places of words for the first or the last, if a program orders nothing: `lowest`, `most`."""
    rows = isinstance(said.statement, tree.Aggregate) and bool(said.statement.groups)
    if said.is_sorted or said.is_cut or rows or said.functions & {"min", "max", "median", "percentile"}:
        return
    for at in range(p.end):
        if p.word(at) in english.SUPERLATIVES and p.word(at - 1) != "at" and p.lexemes[at] == []:
            yield at


def _constants(
    p: Parse, statement: tree.Statement, because: Sequence[Because], before: str
) -> Iterator[tuple[str, str]]:
    """Yield the texts and numbers of a program that no word of the question says, with what they are taken for."""
    words = {fold(one.text) for one in p.tokens}
    values = {fold(one.payload.text) for row in p.lexemes for one in row
              if isinstance(one.payload, ValueWord | NameWord)}  # fmt: skip
    text = fold(p.text)
    seen: set[str] = set()
    for one in _literals(statement):
        shown = print_value(one)
        content = fold(one.value) if isinstance(one, tree.String) else one.text
        known = content in values or content in text or shown.strip('"') in before
        if isinstance(one, tree.Number):
            number = abs(float(one.value))
            known |= number in (0, 1) or any(english.NUMBERS.get(word) == number for word in words)
        else:
            long = [word[:ALIKE] for word in name_key(content) if len(word) >= ALIKE]
            known |= any(one[:ALIKE] in long for one in words)
        if not known and shown not in seen:
            seen.add(shown)
            yield shown, next((each.said for each in because if _is_in(each.means, content)), "")


def _literals(statement: tree.Statement) -> Iterator[tree.String | tree.Number]:
    """Yield the values that conditions compare with; no limits, no widths of groups."""
    for node in tree.walked(statement):
        sides: tuple[tree.Value, ...] = (node.right,) if isinstance(node, tree.Comparison) else ()
        for side in (node.low, node.high) if isinstance(node, tree.Between) else sides:
            yield from (one for one in tree.walked(side) if isinstance(one, tree.String | tree.Number))
