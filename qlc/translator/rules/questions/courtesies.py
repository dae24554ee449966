"""Recognize messages that ask for no data: saving an answer to a file, thanks, greetings, small talk.

`files saved as csv` describes documents, and `download Report.pdf` asks for one: neither asks to save an answer. Small
talk must be the whole sentence.
"""

from __future__ import annotations

from collections.abc import Iterator

from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words
from qlc.translator.rules.words.tokens import TokenKind

SAVE = "save"
"""The intent of a request to write what was found to a file."""

_LEADS = phrases(
    "(can | could | may | would | will) (you | i | we | someone) | i (need | want | have | wish) (you to | to) | i "
    "(would | 'd) like (you to | to) | is there (a | any) (way | option | button) (to | for) | is it possible (to | "
    "for me to) | how (do | can | could | would | should) (i | we | you) | help me [to] | let (me | us | 's) | "
    "please | now | and | then | ok | okay | also | just | so | pls | , | can | could | may | i | we"
)
_FORM = phrases(
    "(as | to | into | in) [a | an] [new] [google | microsoft | ms] (csv | tsv | excel | xlsx | xls | spreadsheet | "
    "json | ndjson | sheet | workbook) [file | format | sheet | document] | to (a | my) (file | disk | computer)"
)
"""Phrases at the end of a request that ask for a list as a file."""
_SHEET = phrases(
    "(a | an | the) (csv | excel | xlsx | spreadsheet | json | ndjson) [file | export | sheet] (of | with | for)"
)
_SHEETS = words("csv tsv excel xlsx spreadsheet json ndjson")
_EXPORTING = words("export save download")
_WRITING = words("put write convert turn copy dump print get need want have give show list make create generate")
_POINTED_AT = words(
    "this that these those them it everything all the a list lists result results table answer answers output data "
    "rows hits search listing my whole full entire last me us of"
)
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
"""Words that accompany courtesies and mean nothing alone."""
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
    "about the | (give | write) me (a | the) | will it | is it | what 's | what is | do you know (a | the | any)"
)


def asks_to_save(p: Parse) -> bool:
    """Whether an answer is to be written to a file: `export these to excel`, `as csv please`, `a csv of that`."""
    at = p.past(0, english.POLITE | {",", "!", "."})
    while (after := max(p.phrases(at, _LEADS), default=at)) > at:
        at = p.past(after, english.POLITE | words("just also now then"))
    form = next((i for i in range(at, p.end) if any(_ends(p, end) for end in p.phrases(i, _FORM))), None)
    if p.word(at) in _POINTED_AT | _SHEETS and any(_is_exported(p, i) for i in (at + 1, at + 2)):
        return True  # `can this be exported?`, `csv export please`
    said = range(at + 1, p.end if form is None else form)
    if any(p.quoted(i) is not None or (p.word(i) == "." and i + 1 < p.end) for i in said):
        return False  # one thing that is stored is spoken of: `Report.xlsx`
    pointed = all(p.word(i) in _POINTED_AT | english.POLITE | english.END_MARKS for i in said)
    if form is not None and (form == at or p.word(at) in _EXPORTING):
        return form == at or pointed or p.plural(form)
    sheet = any(end > at + 1 for i in (at + 1, at + 2) for end in p.phrases(i, _SHEET))
    if p.word(at) in _WRITING:
        return pointed if form is not None else sheet and p.word(p.end - 1) in _POINTED_AT
    return p.word(at) in _EXPORTING and pointed and p.end - at <= _LONGEST


_LONGEST = 4
"""Words of a request that only points: `export the whole list`."""


def _is_exported(p: Parse, at: int) -> bool:
    return p.word(at) in ("export", "exported", "saved", "downloaded") and _ends(p, at + 1)


def _ends(p: Parse, at: int) -> bool:
    return p.past(at, english.POLITE | english.END_MARKS) >= p.end


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
