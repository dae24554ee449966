"""What is said that asks for no data: to save an answer to a file, thanks, greetings, what the world is like.

Only the words for deeds and for tables are known here. `files saved as csv` speaks of what is stored, and `download
Report.pdf` of one thing: neither asks for an answer to be saved. A sentence is small talk as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import phrases, words
from qlc.translator.rules.words.tokens import TokenKind

_LEADS = phrases(
    "(can | could | may | would | will) (you | i | we | someone) | i (need | want | have | wish) (you to | to) | i "
    "(would | 'd) like (you to | to) | is there (a | any) (way | option | button) (to | for) | is it possible (to | "
    "for me to) | how (do | can | could | would | should) (i | we | you) | help me [to] | let (me | us | 's) | "
    "please | now | and | then | ok | okay | also | just | so | pls | , | can | could | may | i | we"
)
_TABLES = words("csv tsv excel xlsx xls spreadsheet spreadsheets json ndjson jsonl sheet sheets worksheet workbook")
"""Forms of a file that hold a list, and not a text."""
_PAPERS = words("pdf html markdown docx word file files table disk computer desktop document")
_MAKERS = words("google microsoft ms open libre apple")
_AFTER_TABLES = words(
    "file files format sheet sheets document table workbook form please pls thanks for me us . ! ? ,"
)
_EXPORTING = words("export save download store")
_PUTTING = words("put write convert turn copy paste load transform dump pull extract transfer stick drop throw print")
_WRITING = words("write put dump print")
_FILES = words("file files table")
_MAKING = words("make create generate build produce prepare compile")
_GETTING = words("get have give show list see need want provide output return receive view display find send")
_POINTING = words("this that these those them it")
_ALL_OF_IT = words("everything all")
_LISTS = words("list lists result results table answer answers output data rows hits search query listing overview")
_BEFORE_LISTS = english.ARTICLES | words("my whole full entire complete last them")
_SAVED = words("exported saved downloaded")
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


def asks_to_save(p: Parse) -> bool:
    """Whether an answer is to be written to a file."""
    return any(_asks_from(p, at) for at in _places(p))


def _places(p: Parse) -> Iterator[int]:
    at = p.past(0, english.POLITE | {",", "!", "."})
    yield at
    for _ in range(3):
        end = max(p.phrases(at, _LEADS), default=None)
        if end is None:
            return
        at = p.past(end, english.POLITE | words("just also now then"))
        yield at


def _asks_from(p: Parse, at: int) -> bool:
    verb, end = p.word(at), _end(p)
    tail = _tail(p, at, end)
    if tail == at:
        return p.word(at) == "as"  # "as csv please"
    if p.word(at) in _TABLES and p.word(at + 1) in _EXPORTING and at + 2 >= end:
        return True  # "csv export please"
    if _names_one(p, at + 1, tail if tail is not None else end):
        return False
    if verb in _EXPORTING:
        return _speaks_of_a_list(p, at + 1, tail if tail is not None else end, verb, is_said=tail is not None)
    if verb in _POINTING | english.ARTICLES:
        return any(p.word(i) == "be" and p.word(i + 1) in _SAVED for i in range(at + 1, min(at + 4, end)))
    if verb in _MAKING and _of_what_was_found(p, at + 1, end):
        return True
    if verb in _WRITING and tail is not None and p.word(end - 1) in _FILES:
        return _is_pointed_at(p, at + 1, tail)
    if tail is None or not any(p.word(i) in _TABLES for i in range(tail, end)):
        return verb in _GETTING and _of_what_was_found(p, at + 1, end, pointing=True)
    pointed = _is_pointed_at(p, at + 1, tail)
    if verb in _PUTTING:
        return pointed or (p.word(tail) != "in" and _is_of_things(p, at + 1, tail))
    return verb in _GETTING and (pointed or (p.word(tail) == "as" and _is_of_things(p, at + 1, tail)))


def _end(p: Parse) -> int:
    end = p.end
    while end and p.word(end - 1) in english.POLITE | words(". ! ? , now then again for me us to my with here"):
        end -= 1
    return end


def _tail(p: Parse, start: int, end: int) -> int | None:
    """Where `as a csv file`, `to excel`, `in a spreadsheet` begins, with which a text ends."""
    for at in range(start, end):
        if p.word(at) not in ("as", "to", "into", "in") or p.tokens[at].kind is TokenKind.QUOTED:
            continue
        form = p.past(at + 1, english.ARTICLES | _MAKERS | words("my new the form of"))
        kept = p.word(form) in _TABLES or (p.word(form) in _PAPERS and p.word(start) in _EXPORTING | _PUTTING)
        if kept and p.past(form + 1, _AFTER_TABLES | _TABLES) >= end:
            return at
    return None


def _names_one(p: Parse, start: int, end: int) -> bool:
    """`Report.xlsx`, `"the plan"`: one thing that is stored is spoken of."""
    quoted = any(p.quoted(at) is not None for at in range(start, end))
    return quoted or any(p.word(at) == "." and at + 1 < end for at in range(start, end))


def _is_pointed_at(p: Parse, start: int, end: int) -> bool:
    """`that`, `all of these`, `the list`, `these results`."""
    at = p.past(start, _BEFORE_LISTS | _POINTING | _ALL_OF_IT | _LISTS | words("me us"))
    said = {p.word(i) for i in range(start, end)}
    return end > start and at >= end and bool(said & (_POINTING | _ALL_OF_IT | _LISTS))


def _is_of_things(p: Parse, start: int, end: int) -> bool:
    """`all leases`, `the delayed flights`: and nothing that says how these are stored."""
    if end <= start or is_participle(p.word(end - 1)) or not english.RELATIVE_PRONOUNS.isdisjoint(
        p.word(at) for at in range(start + 1, end)
    ):  # fmt: skip
        return False
    return any(p.plural(one.end) for at in range(start, end) for one in p.lexemes[at] if one.end <= end) or any(
        True for at in range(start, end) for one in p.starting(at, EntityWord) if one.end <= end
    )


def _speaks_of_a_list(p: Parse, start: int, end: int, verb: str, *, is_said: bool) -> bool:
    """What comes after `export`, `save`: a list in so many words, or with its form (`is_said`) any things."""
    if _is_pointed_at(p, start, end):
        alone = end == start + 1 and p.word(start) in words("it that this")
        return is_said or verb != "download" or not alone  # "download it": the thing
    if start == end:
        return True
    if is_said:
        return p.word(start) in _BEFORE_LISTS or _is_of_things(p, start, end)
    called = any(one.end == end and p.plural(end) for one in p.lexemes[start])
    begins = called or p.word(start) in _BEFORE_LISTS | _POINTING  # "export control agreements" are a kind of these
    is_noun = bool(p.lexemes[start - 1])  # `export licences`, where the data has exports
    return verb == "export" and begins and not is_noun and _is_of_things(p, start, end)


def _of_what_was_found(p: Parse, start: int, end: int, *, pointing: bool = False) -> bool:
    """`a csv of these`, `an excel file for the delayed flights`."""
    at = p.past(start, english.POLITE | english.ARTICLES | _MAKERS | words("me us new"))
    after = p.past(at + 1, words("file files format export sheet table"))
    if p.word(at) not in _TABLES or p.word(after) not in words("of with from for out containing"):
        return False
    what = p.past(after + 1, words("of"))
    return _is_pointed_at(p, what, end) or (not pointing and _is_of_things(p, what, end))


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
