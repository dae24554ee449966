"""What is said that asks for no data: to save an answer to a file, thanks, greetings, what the world is like.

Only the words for deeds and for tables are known here. `files saved as csv` speaks of what is stored, and `download
Report.pdf` of one thing: neither asks for an answer to be saved. A sentence is small talk as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words
from qlc.translator.rules.words.tokens import TokenKind

_LEADS = phrases(
    "(can | could | may | would | will) (you | i | we | someone) | i (need | want | have | wish) (you to | to) | i "
    "(would | 'd) like (you to | to) | is there (a | any) (way | option | button) (to | for) | is it possible (to | "
    "for me to) | how (do | can | could | would | should) (i | we | you) | help me [to] | let (me | us | 's) | "
    "please | now | and | then | ok | okay | also | just | so | pls | , | can | could | may | i | we"
)
_PUTTING = words("put write convert turn copy paste load transform dump pull extract transfer stick drop throw print")
_MAKING = words("make create generate build produce prepare compile")
_LISTS = words("list lists result results table answer answers output data rows hits search query listing overview")
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


def _places(p: Parse) -> Iterator[int]:
    at = p.past(0, english.POLITE | {",", "!", "."})
    yield at
    for _ in range(3):
        end = max(p.phrases(at, _LEADS), default=None)
        if end is None:
            return
        at = p.past(end, english.POLITE | words("just also now then"))
        yield at


def _end(p: Parse) -> int:
    end = p.end
    while end and p.word(end - 1) in english.POLITE | words(". ! ? , now then again for me us to my with here"):
        end -= 1
    return end


def _names_one(p: Parse, start: int, end: int) -> bool:
    """`Report.xlsx`, `"the plan"`: one thing that is stored is spoken of."""
    quoted = any(p.quoted(at) is not None for at in range(start, end))
    return quoted or any(p.word(at) == "." and at + 1 < end for at in range(start, end))


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


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be done to what, and where to, in the words of the request; `lead` is what comes before the target."""

    verb: str
    object: str
    target: str = ""
    lead: str = ""

    def __str__(self) -> str:
        """`move your invoices to Archive`: as it is said to who asked for it."""
        said = " ".join(filter(None, (self.verb.casefold(), self.object, self.lead, self.target))).rstrip(" .")
        return " ".join("your" if word.casefold() in ("my", "our") else word for word in said.split())

    @property
    def is_vague(self) -> bool:
        """Whether the object is no more than `it` or `a file`."""
        return all(word in _VAGUE for word in self.object.casefold().split())


def requested(p: Parse, intent: str, verb: tuple[int, int] | None) -> Request | None:
    """The parts of a request for a deed; None where it says no object."""
    if verb is None:
        return None
    at, end = verb[0], p.past(verb[1], ("me", "us"))
    ends = (i for i in range(end, p.end) if p.tokens[i].kind is TokenKind.MARK and p.tokens[i].raw in "?!;")
    last = next(ends, p.end)
    while last > end and p.word(last - 1) in english.POLITE:
        last -= 1
    has_target = intent in ("move", "share") or p.word(at) in _WITH_A_TARGET
    leads = (i for i in range(end + 1, last - 1) if has_target and p.word(i) in _LEADING)
    to = next(leads, last)
    if to <= end or p.word(at) == "tell":
        return None
    target, lead = (p.raw(to + 1, last), p.word(to)) if to < last else ("", "")
    return Request(p.raw(*verb), p.raw(end, to), target, lead)


_WITH_A_TARGET = words(
    "upload send forward email mail copy export import download rename convert attach add change set"
)
_LEADING = words("to into onto with")
_VAGUE = words("it them this that these those everything all one ones me us of file folder a the")
