"""Requests for a deed: to move, delete, create or share what is stored. English verbs only, no word of a domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.translator.rules.lexicon.lexemes import ConditionWord, EntityWord, FieldWord, NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import by_phrase, by_word, phrases, words
from qlc.translator.rules.words.tokens import TokenKind

_VERBS = {
    "move": "move relocate shift put transfer refile drag",
    "delete":
        "delete remove trash erase purge discard wipe scrub destroy shred bin dump empty clear nuke drop truncate "
        "scrap dispose kill",
    "create": "create make add build generate compose draft insert register",
    "share": "share invite unshare grant revoke publish",
    "other":
        "rename upload email mail send forward print summarize summarise translate convert merge copy duplicate "
        "download export import archive tag untag relabel lock unlock approve reject sign pay edit update change "
        "modify set mark unmark star unstar flag unflag write remind schedule call book buy order install execute run "
        "ignore forget disregard pretend act play sing tell explain teach rewrite fix reset replace encrypt compress "
        "zip unzip scan sync backup back assign notify message post cancel refund reschedule rebook extract proofread "
        "analyze analyse recommend apply attach enable disable increase decrease overwrite override bypass reveal "
        "drop reply answer subscribe unsubscribe submit ship return restart reboot undo revert ocr restore stop start "
        "shut block unblock ban deploy kick prescribe plan arrange reserve postpone renew extend confirm reimburse "
        "charge invoice dispatch deliver reorder crop resize rotate combine redact anonymise anonymize annotate "
        "comment pin unpin follow unfollow phone ring text upgrade downgrade repeat imagine simulate diagnose correct "
        "amend adjust accept decline log",
}  # fmt: skip
_INTENT_OF = by_word(dict(reversed(_VERBS.items())))
_PHRASES = by_phrase({
    "delete": "get rid of | throw away | throw out | clean up | clean out | take out | clear out",
    "create": "set up | start a new | new folder", "share": "stop sharing | give access",
    "other": "back up | you are now | tell me a joke | from now on | who are you | how are you | what are you | what "
             "is your | what 's your | are you | do you | how do i | how can i | why do you",
})  # fmt: skip
_TO_BE_FOUND = words("have know see find get list show look view search check tell got able display give")
"""Verbs of questions that are put to a listener and ask for what is stored: `do you have any leases?`."""
_BEFORE_VERBS = phrases(
    "please | kindly | pls | plz | (can | could | will) you | would you [mind] | i want [[you] to] | i need [you] to | "
    "i would like [you] to | i'd like [you] to | help me [to] | let us | let 's | go [ahead and] | just | now | can "
    "(we | i) | could we | we need to | you (should | must) | hey | hi | hello | ok | okay | so | and | then | also | "
    "i have to | (try | want) to | quickly | do me a (favor | favour) and | how (do | can) i | , | -"
)
_ALSO_NOUNS = words(
    "duplicate mail email scan copy print post message draft archive tag star sign book order call import export "
    "ship act run back fix mark flag zip set pay change update share transfer move drop dump bin clear "
    "empty lock download upload build play reply answer return cancel refund support drag shift grant "
    "attach sync backup restore ocr undo replace reset reject approve stop start block ban register plan reserve "
    "charge invoice comment pin follow phone ring text upgrade downgrade repeat log decline correct"
)
"""Verbs that are nouns or adjectives as well: an action only with an object after them."""
_ADJECTIVES = words("empty duplicate clear plan log text charge invoice comment ring phone follow reserve register")
"""Verbs that say, right before a noun, what things are like: `empty folders`."""
_LISTING = phrases(
    "(send | forward) (me | us | over) | (make | create | compile | prepare | generate | write | build | draw up | put "
    "together) [me | us] (a | the) [full | complete | short] list of | send [me | us | over] (a | the) list of | "
    "(run | do | make | start) a (search | query) for"
)
"""Ways to ask for a list that are verbs of actions: `send me the unpaid invoices`."""
_QUESTION_WORDS = words("who whose what which when where how")
_OBJECTS = words("them it those these everything all the each both this that every any my our me us")
_BY_POST = words("email mail e-mail post fax text whatsapp slack sms")
_POINTING = _OBJECTS - words("the all any every")
_KINDS = EntityWord | ConditionWord | ValueWord | NameWord
_WITH_A_TARGET = words(
    "upload send forward email mail copy export import download rename convert attach add change set"
)
_LEADING = words("to into onto with")
_VAGUE = words("it them this that these those everything all one ones me us of file folder a the")


def action(p: Parse) -> str | None:
    """The intent of a sentence that asks for something to be done; None for a search."""
    if is_small_talk(p):
        return "other"
    if asks_to_save(p):
        return SAVE
    for at in _verb_places(p):
        intent = _intent_at(p, at)
        if intent is not None:
            return intent
    for at in range(1, p.end):  # `find the drafts and delete them`
        after = p.past(at, words("and then & , please just also"))
        verb = _INTENT_OF.get(p.word(after)) if after > at else None
        if verb is not None and p.word(after) != "tell" and p.word(after + 1) in _POINTING:
            return verb
    return None


def deed(p: Parse) -> tuple[int, int] | None:
    """Return start and end of the verb of a request; None if none has an object."""
    for at in _verb_places(p):
        for sequence, meant in _PHRASES.items():
            end = p.phrase(at, *sequence)
            if end is not None and meant != "other":
                return at, end
        if p.word(at) in _INTENT_OF:
            return at, at + 1
    return None


def has_known_object(p: Parse, after: int) -> bool:
    """Return whether a request has an object that the data knows; `discard reasons breakdown` may be a noun."""
    return any(
        p.lexemes[at] or p.word(at) in _OBJECTS | english.ARTICLES or not p.tokens[at].raw.isalpha()
        or p.tokens[at].raw[:1].isupper() for at in range(after, p.end) if p.tokens[at].kind is not TokenKind.MARK
    )  # fmt: skip


def _verb_places(p: Parse) -> Iterator[int]:
    at = p.past(0, english.POLITE | {",", "!", "."})
    yield at
    for _ in range(4):
        end = next(p.phrases(at, _BEFORE_VERBS), None)
        if end is None:
            return
        at = p.past(end, ("please", "just", "also", ","))
        yield at


def _intent_at(p: Parse, at: int) -> str | None:
    if any(_is_list(p, end) for end in p.phrases(at, _LISTING)):
        return None
    for sequence, meant in _PHRASES.items():
        end = p.phrase(at, *sequence)
        if end is not None:
            return None if _in_the_data(p, at) or _asks_for_data(p, end) else meant
    word = p.word(at)
    granted = words("access rights permission permissions") & {t.text for t in p.tokens}
    if word in ("give", "grant") and p.word(at + 1) not in ("me", "us") and granted:
        return "share"
    intent = _INTENT_OF.get(word)
    if intent is None or _in_the_data(p, at):
        return None
    following = p.word(at + 1)
    named = p.quoted(at + 1) is not None or (at + 1 < p.end and p.tokens[at + 1].raw[:1].isupper())
    named = named or (word not in _ADJECTIVES and bool(p.starting(at + 1, EntityWord)))
    named = named or _one_with_a_number(p, at)
    if word in _ALSO_NOUNS and following not in _OBJECTS | english.ARTICLES and not named:
        return None
    if word == "tell" or (word == "return" and following != "to"):
        return "other" if p.phrase(at, "tell", "me", "a") or p.phrase(at, "tell", "me", "about", "yourself") else None
    if word in ("give", "show") or (following in ("/", ">", "") and p.quoted(at + 1) is None):
        return None
    if intent == "create" and p.tokens[p.end - 1].text in ("public", "private"):
        return "share"
    return None if _asks_with_the_verb(p, at, intent) else intent


def _asks_with_the_verb(p: Parse, at: int, intent: str) -> bool:
    """Whether a verb of doing asks for something here: `add up`, `remind me who`, `order them by`, `share of`."""
    word, following = p.word(at), p.word(at + 1)
    return (
        (word == "add" and following in ("up", "together"))
        or (word in ("remind", "explain") and p.word(p.past(at + 1, ("me", "us"))) in _QUESTION_WORDS)
        or (word == "order" and any(p.word(later) == "by" for later in range(at + 2, p.end)))
        or (word in ("order", "call") and following in ("them", "by", "it"))
        or (intent in ("share", "create", "other", "move") and following in ("of", "with", "by", "and"))
    )


def _one_with_a_number(p: Parse, at: int) -> bool:
    """`pay invoice INV-28968`: the one thing that it is to be done to; not `draft contract Acme`, which is a draft."""
    state = any(not one.cost and one.end == at + 1 for one in p.starting(at, ValueWord))
    kinds = (one.end for one in p.starting(at + 1, ValueWord) if one.payload.closed and not p.plural(one.end))
    ids = (p.tokens[end].raw for end in kinds if end < p.end)
    return not state and any(raw.isupper() or raw[:1].isdecimal() for raw in ids)


def _asks_for_data(p: Parse, at: int) -> bool:
    """Whether a verb of finding is here, and after it something that the catalog or the index knows."""
    return p.word(at) in _TO_BE_FOUND and any(_is_known(p, later) for later in range(at + 1, p.end))


def _is_list(p: Parse, at: int) -> bool:
    """Whether things are asked for here: `the unpaid invoices`; not one to be sent, `a copy`, nor `... by mail`."""
    known = _is_known(p, p.past(at, english.ARTICLES | words("list of all")))
    return known and p.word(at) not in ("a", "an") and _BY_POST.isdisjoint(p.cues)


def _is_known(p: Parse, at: int) -> bool:
    return at < p.end and any(isinstance(one.payload, _KINDS) for one in p.lexemes[at])


def _in_the_data(p: Parse, at: int) -> bool:
    """Whether the catalog or the index knows the verb as a thing: an entity, a value, a name of several words."""
    for lexeme in p.lexemes[at] if at < p.end else ():
        longer = lexeme.end - lexeme.start > 1
        if isinstance(lexeme.payload, EntityWord | ConditionWord) and lexeme.cost < 0.1:
            return True
        if longer and isinstance(lexeme.payload, ValueWord | NameWord | FieldWord):
            return True
        # "zip downloads" speaks of a value; "zip the files" of an action
        if (isinstance(lexeme.payload, ValueWord) and lexeme.cost < 0.1
            and p.word(at + 1) not in _OBJECTS | english.ARTICLES):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Request:
    """A request in its own words: verb, object, target, and the words before the target (`lead`)."""

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
        """Return whether the object is only `it` or `a file`."""
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


SAVE = "save"  # the intent of a request to write what was found to a file
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
    exported = words("export exported saved downloaded")
    if p.word(at) in _POINTED_AT | _SHEETS and any(p.word(i) in exported and _ends(p, i + 1) for i in (at + 1, at + 2)):
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


_LONGEST = 4  # words of a request that only points: `export the whole list`


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
