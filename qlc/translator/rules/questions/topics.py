"""A thing that is named first, and spoken of as `it` in the question behind it: `Lease 2024.docx: who owns it?`."""

from __future__ import annotations

from typing import NamedTuple

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.grammar.walk import walked
from qlc.translator.rules.lexicon.lexemes import Lexeme, NameWord, ThingWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

_BEHIND_IT = words(": , - – —")


class Topic(NamedTuple):
    """The question itself begins at `start`, and has to speak of what is called `text`."""

    start: int
    text: str

    def is_in(self, statement: Statement) -> bool:
        return any(isinstance(one, tree.String) and one.value == self.text for one in walked(statement))


def topic(p: Parse) -> Topic | None:
    """What the question is about, where its name stands before it; `it` stands for that from here on."""
    at = p.past(0, english.POLITE | english.BEFORE_NAMES)
    for name in sorted(p.starting(at, NameWord), key=lambda one: -one.end):
        start = p.past(name.end, _BEHIND_IT)
        said = [i for i in range(start, p.end) if p.word(i) == "it" and i not in p.inside]
        if start == name.end or len(said) != 1:
            continue
        found = Topic(start, p.raw(name.start, name.end))
        p.lexemes[said[0]].append(Lexeme(said[0], said[0] + 1, ThingWord(name.payload.entities, found.text)))
        return found
    return None
