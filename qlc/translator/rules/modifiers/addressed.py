"""To whom something is: `letters to Initech`, where no field says for whom things are meant."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.translator.rules.build import compare, path, string
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, NameWord, ValueWord, entity_fields
from qlc.translator.rules.nouns.names import unknown_texts
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind

ADDRESSING = "to "
"""What stands before whom something is to, in what it is called."""

_WRITTEN = words("addressed written sent")
_IN_ITS_NAME, _IN_ITS_TEXT = 0.2, 0.4
"""What it costs to look for whom something is to in its name, and anywhere in its text."""


def whom_it_is_to(p: Parse, at: int) -> bool:
    """Whether `to` stands right behind the things: a `letter to Ann` lies nowhere, it was written to her."""
    end = at - 1 if at and p.word(at - 1) in _WRITTEN else at
    nouns = (one for row in p.lexemes[max(0, end - 3) : end] for one in row if one.end == end)
    return p.word(at) == "to" and any(isinstance(one.payload, EntityWord | ValueWord) for one in nouns)


def addressed_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`letters to Initech`, `addressed to Ann Lee`: by the names of the things, as `Letter to Initech 2026-03-08`.

    Only where no field says to whom or where to; the text that mentions somebody may be to somebody else, so it counts
    only where no name says it.
    """
    own = p.entity(entity)
    to = at + 1 if p.word(at) in _WRITTEN else at
    if not own.names or not set(own.text) - set(own.names) or not whom_it_is_to(p, to):
        return
    if own.names[0] == own.id or any(_is_a_code(said) for said in (own.names[0].name, *own.names[0].words)):
        return
    if any(_says_to_whom(ref) for ref in entity_fields(own)):
        return
    for end in _somebody(p, to + 1):
        said = p.quoted(to + 1) or p.raw(to + 1, end)
        called = compare(path(own.names[0].name), "contains", string(f"{ADDRESSING}{said}"))
        yield Found(end, called, _IN_ITS_NAME)
        yield Found(end, tree.EntityText("mentions", string(said)), _IN_ITS_TEXT)


def _is_a_code(said: str) -> bool:
    """Whether what things are called by is a number: nothing of the world is told by it."""
    return bool(_CODES & set(spaced(said).casefold().split()))


_CODES = words("number numbers no nr code codes id ids key reference")


def _says_to_whom(ref: FieldRef) -> bool:
    """Whether a field is called as who gets something is: `recipient`, `sent to`, `to`."""
    phrases_of = (phrase.split() for phrase in (spaced(ref.path[-1]), *map(str.casefold, ref.field.words)))
    return any(
        parts[:1] == ["to"] or _GETTING & set(parts) or (parts[-1:] == ["to"] and parts[0] in _WRITTEN | _BROUGHT)
        for parts in phrases_of
    )


_GETTING = words("recipient recipients receiver addressee destination")
_BROUGHT = words("shipped delivered mailed emailed billed")


def _somebody(p: Parse, at: int) -> list[int]:
    """Where a name ends that stands here, known or written as one."""
    if at >= p.end:
        return []
    token = p.tokens[at]
    if token.kind is TokenKind.QUOTED:
        return [at + 1]
    if not token.raw[:1].isupper():
        return []
    known = [one.end for one in p.starting(at, NameWord) if one.payload.whole]
    known += [one.end for one in p.starting(at, ValueWord) if _is_open(one.payload.ref)]
    return [max(known)] if known else [end for end, _ in unknown_texts(p, at)]


def _is_open(ref: FieldRef) -> bool:
    return ref.field.values is None
