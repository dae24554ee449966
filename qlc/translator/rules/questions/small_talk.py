"""What is said to whoever answers, and asks for nothing: thanks, greetings, praise, and what the world is like.

A sentence is small talk as a whole: a word of the catalog in it (`you're a star`) asks for nothing either.
"""

from __future__ import annotations

from collections.abc import Iterator

from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words
from qlc.translator.rules.words.tokens import TokenKind

_COURTEOUS = words(
    "thanks thank thx thanx tx ty tysm ta cheers hello hi hey hiya howdy yo bye goodbye goodnight welcome sorry great "
    "cool nice awesome perfect brilliant excellent fantastic amazing wonderful lovely super good helpful morning "
    "evening afternoon night lol haha bravo congrats ok okay alright yes no fine appreciated appreciate"
)
_BESIDE = words(
    "that was are how there everyone team folks all very much so is it going what 's up sup day have a again lot lots "
    "bunch million many really just too indeed mate buddy pal dude man friend sir guys again for the this your now "
    "then weekend one time help work effort answer answers info information quick reply useful that 'll be will do "
    "for today wow ah oh well and you i we me my to of"
)
"""What goes with words of courtesy, and says nothing by itself."""
_TO_THE_LISTENER = phrases(
    "you ('re | are | were | have been | 've been | rock | rule | did | made my) | ur | i ('m | am) (happy | glad | "
    "grateful | bored | tired | impressed) | i (love | like | adore | hate) (you | it | this) | i appreciate | "
    "(much | very much) appreciated | that (was | is | 's) (all | it | enough | everything | what i needed) | "
    "(that | this) (helps | helped | will do | worked | works) | (see | talk to) you | have a (nice | good | great) | "
    "(no | nothing) (more | further) (questions | for now) | never mind | nevermind | (many | lots of) thanks | "
    "(thanks | thank you | thx | cheers | ta | ty) [so much | very much | a lot | again] for"
)
"""How a sentence begins that says something of the listener or the talk, and asks for nothing."""
_ENDS = frozenset(",.!;-–—")

_OF_THE_WORLD = words(
    "weather forecast joke jokes poem song story recipe recipes horoscope lottery news football soccer basketball "
    "president capital meaning universe bitcoin"
)
_OF_THE_WORLD_ASKED = phrases(
    "(what 's | what is | what are | whats) the | tell me (a | the) | (who is | who 's | whos) the | (how | what) "
    "about the | (give | write) me (a | the) | will it | is it | what 's | what is | do you know (a "
    "| the | any)"
)


def is_small_talk(p: Parse) -> bool:
    """Whether every part of a text is thanks, a greeting, or something said of the listener."""
    parts = list(_parts(p))
    if not parts or any(token.kind is TokenKind.QUOTED for token in p.tokens):
        return False
    return all(_is_courtesy(p, start, end) or _is_of_the_listener(p, start, end) for start, end in parts)


def is_of_the_world(p: Parse, unknown: list[int]) -> bool:
    """Whether the world at large is asked about, in words that neither catalog nor index has: `the weather in Rome`."""
    start = p.past(0, english.POLITE | {","})
    asked = any(end <= at for end in p.phrases(start, _OF_THE_WORLD_ASKED) for at in unknown)
    return asked and any(p.word(at) in _OF_THE_WORLD for at in unknown)


def _parts(p: Parse) -> Iterator[tuple[int, int]]:
    """The parts of a text between its marks; a question mark asks."""
    start = 0
    for at in range(p.end + 1):
        if at == p.end or (p.tokens[at].kind is TokenKind.MARK and p.tokens[at].text in _ENDS):
            if at > start:
                yield start, at
            start = at + 1


def _is_courtesy(p: Parse, start: int, end: int) -> bool:
    said = [p.word(at) for at in range(start, end) if p.tokens[at].kind is not TokenKind.MARK]
    polite = [at for at in range(start, end) if p.word(at) in _COURTEOUS]
    plain = any(p.word(at) in english.POLITE for at in polite) or not any(p.lexemes[at] for at in polite)
    return bool(polite) and plain and all(word in _COURTEOUS | _BESIDE for word in said)


def _is_of_the_listener(p: Parse, start: int, end: int) -> bool:
    begin = p.past(start, _COURTEOUS | words("and well oh wow so ah"))
    asks = any(p.word(at) == "?" for at in range(start, end))
    ends = [stop for at in {start, begin} for stop in p.phrases(at, _TO_THE_LISTENER)]
    return not asks and any(stop <= end for stop in ends)
