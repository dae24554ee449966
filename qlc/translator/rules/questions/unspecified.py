"""Find what a question points at and nothing before it names: `how tall is it?`, `is the dish vegan?`."""

from __future__ import annotations

from dataclasses import dataclass

from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldWord, Lexeme, NameWord, Payload, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind

_PERSONAL = words("it he she him her its his hers they them their theirs")
_BEFORE_KINDS = words("the which what")
"""Words before a kind of thing that make it none that a pronoun can stand for: `which folder is it in?`."""
_PLURAL = words("they them their theirs")
_POSSESSIVE = words("his her its their")
_WHICH_IT_IS = (
    english.SUPERLATIVES.keys() | english.ORDINALS.keys() | english.LAST | english.NEXT | english.MOST_ADJECTIVES.keys()
    | english.ARTICLES - {"the", "a", "an", "of"} | english.RELATIVE_PRONOUNS | english.HAVING
    | words("one only same other another per by average mean total sum median called named")
)  # fmt: skip
"""Words that say which thing is meant, or that a question is of several."""
_NAMES_ONE = (
    english.SUPERLATIVES.keys() | english.ORDINALS.keys() | english.MOST_ADJECTIVES.keys() | english.AND
    | words("every each any all if , ;")
)
"""Words after which a pronoun may stand for what the question itself says."""


@dataclass(frozen=True, slots=True)
class Unspecified:
    """Words that point at one thing, its `kind`; `surely` if nothing else can be meant, as with a pronoun."""

    said: str
    kind: str
    surely: bool
    is_pronoun: bool = False

    @property
    def question(self) -> str:
        return f"{f'Which {self.kind}' if self.kind else 'What'} do you mean by '{self.said}'? Name it in the question."


def unspecified(p: Parse) -> Unspecified | None:
    """Return what a question without others before it points at, if it does not say which thing that is."""
    known = [one for row in p.lexemes for one in row]
    has_literal = any(one.kind not in (TokenKind.WORD, TokenKind.MARK) for one in p.tokens)
    if has_literal or any(_names_one(p, one) for one in known):
        return None
    kinds = [one for one in known if isinstance(one.payload, EntityWord | ValueWord)]
    single = [one for one in kinds if not p.plural(one.end)]
    only = next(iter(p.schema.entities)) if len(p.schema.entities) == 1 else ""
    for at in range(p.end):
        word = p.word(at)
        names_one = word in _NAMES_ONE or any(one.start == at for one in single if p.word(at - 1) not in _BEFORE_KINDS)
        if names_one and word not in english.DEMONSTRATIVES:
            break  # what follows may point at it: "which lighthouse is the tallest, and how far does it reach?"
        if word in english.DEMONSTRATIVES:
            pointed = next((one for one in single if one.start == at + 1), None)
            if pointed is not None:
                return Unspecified(p.raw(at, pointed.end), p.word(pointed.end - 1), True)
            if p.word(at + 1) == "one":
                return Unspecified(p.raw(at, at + 2), only, not kinds)
        of_several = word in _PLURAL and any(one.start < at for one in kinds)
        if word in _PERSONAL and not of_several and not _is_of_the_subject(p, at) and not _has_no_thing(p, at):
            return Unspecified(p.tokens[at].raw, only if word in ("it", "its") else "", not kinds, True)
        if word == "there" and _ends(p, at + 1) and p.word(at - 1) not in english.COPULAS and not kinds:
            return Unspecified(p.tokens[at].raw, "", True)
    if any(p.word(at) in _WHICH_IT_IS for at in range(p.end)):
        return None
    if p.word(0) in english.PREDICATING and p.word(1) == "the":
        kinds_or_fields = [one for one in p.lexemes[2] if isinstance(one.payload, EntityWord | FieldWord)]
    else:
        kinds_or_fields = [one for one in single if p.word(one.start - 1) == "the" and _ends(p, one.end)]
    one = min(kinds_or_fields, key=lambda one: one.end, default=None)
    if one is None:
        return None
    kind = p.word(one.end - 1) if isinstance(one.payload, EntityWord) else ""
    return Unspecified(p.raw(one.start - 1, one.end), kind, False)


def _names_one(p: Parse, one: Lexeme[Payload]) -> bool:
    """Return whether words are a name or a value. Small letters are no part of a name; `that invoice` is a kind."""
    match one.payload:
        case NameWord(whole=whole):
            return whole or p.tokens[one.start].raw[:1].isupper()
        case ValueWord(closed=closed):
            return not (closed and p.word(one.start - 1) in english.DEMONSTRATIVES)
    return False


def _is_of_the_subject(p: Parse, at: int) -> bool:
    """Return whether a possessive belongs to who does it: `which area had their sign changed first`."""
    between = {p.word(n) for n in range(1, at)}
    return p.word(at) in _POSSESSIVE and p.word(0) in ("which", "what", "who") and english.COPULAS.isdisjoint(between)


def _has_no_thing(p: Parse, at: int) -> bool:
    """Return whether a pronoun has no thing: `how long does it take to ...`, `is it true that ...`."""
    return p.word(at) == "it" and not {"that", "to", "when", "if"}.isdisjoint(p.word(n) for n in range(at + 1, p.end))


def _ends(p: Parse, at: int) -> bool:
    return at >= p.end or p.word(at) in english.END_MARKS
