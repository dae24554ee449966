"""What is asked for: a search, or something that a search cannot do. English verbs only; no word of a domain."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.base.units import find_unit
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.lexicon.lexemes import ConditionWord, EntityWord, FieldWord, NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.questions.other_requests import asks_to_save, is_small_talk
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words
from qlc.translator.rules.words.tokens import TokenKind

_VERBS = {
    "move": ("move", "relocate", "shift", "put", "transfer", "refile", "drag"),
    "delete": ("delete", "remove", "trash", "erase", "purge", "discard", "wipe", "scrub", "destroy", "shred", "bin",
               "dump", "empty", "clear", "nuke", "drop", "truncate", "scrap", "dispose", "kill"),
    "create": ("create", "make", "add", "build", "generate", "compose", "draft", "insert", "register"),
    "share": ("share", "invite", "unshare", "grant", "revoke", "publish"),
    "other": ("rename", "upload", "email", "mail", "send", "forward", "print", "summarize", "summarise", "translate",
              "convert", "merge", "copy", "duplicate", "download", "export", "import", "archive", "tag",
              "untag", "relabel", "lock", "unlock", "approve", "reject", "sign", "pay", "edit", "update", "change",
              "modify", "set", "mark", "unmark", "star", "unstar", "flag", "unflag", "write", "remind", "schedule",
              "call", "book", "buy", "order", "install", "execute", "run", "ignore", "forget", "disregard", "pretend",
              "act", "play", "sing", "tell", "explain", "teach", "rewrite", "fix", "reset", "replace", "encrypt",
              "compress", "zip", "unzip", "scan", "sync", "backup", "back", "assign", "notify", "message", "post",
              "cancel", "refund", "reschedule", "rebook", "extract", "proofread", "analyze", "analyse", "recommend",
              "apply", "attach", "enable", "disable", "increase", "decrease", "overwrite", "override", "bypass",
              "reveal", "drop", "reply", "answer", "subscribe", "unsubscribe", "submit", "ship", "return",
              "restart", "reboot", "undo", "revert", "ocr", "restore", "stop", "start", "shut", "block", "unblock",
              "ban", "deploy", "kick", "prescribe", "plan", "arrange", "reserve", "postpone", "renew", "extend",
              "confirm", "reimburse", "charge", "invoice", "dispatch", "deliver", "reorder", "crop", "resize", "rotate",
              "combine", "redact", "anonymise", "anonymize", "annotate", "comment", "pin", "unpin", "follow",
              "unfollow", "phone", "ring", "text", "upgrade", "downgrade", "repeat", "imagine", "simulate", "diagnose",
              "correct", "amend", "adjust", "accept", "decline", "log"),
}  # fmt: skip
SAVE = "save"
"""What was found is to be written to a file."""

_INTENT_OF = {verb: intent for intent, verbs in reversed(_VERBS.items()) for verb in verbs}
_PHRASES = {
    ("get", "rid", "of"): "delete", ("throw", "away"): "delete", ("throw", "out"): "delete", ("clean", "up"): "delete",
    ("clean", "out"): "delete", ("take", "out"): "delete", ("set", "up"): "create", ("start", "a", "new"): "create",
    ("new", "folder"): "create", ("stop", "sharing"): "share",
    ("clear", "out"): "delete", ("give", "access"): "share", ("back", "up"): "other", ("you", "are", "now"): "other",
    ("tell", "me", "a", "joke"): "other", ("from", "now", "on"): "other", ("who", "are", "you"): "other",
    ("how", "are", "you"): "other", ("what", "are", "you"): "other", ("what", "is", "your"): "other",
    ("what", "'s", "your"): "other", ("are", "you"): "other", ("do", "you"): "other", ("how", "do", "i"): "other",
    ("how", "can", "i"): "other", ("why", "do", "you"): "other",
}  # fmt: skip
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
_BY_POST = words("email mail e-mail post fax text whatsapp slack sms")
_REQUESTING = phrases("(can | could | may | would | will) | i (want | need) | i (would | 'd) like | (want | need)")
_OBJECTS = words("them it those these everything all the each both this that every any my our me us")
_SMALL_TALK = words(
    "night that was hello hi hey thanks thank you bye goodbye cheers great cool nice good morning evening afternoon "
    "ok okay yes no how are lol there everyone team very much so awesome perfect is it going what 's "
    "up sup yo day have a"
)
_CHANGING = words(
    "change turn stop go come start move slow speed wait call stay return leave pay send bring take give make do be get"
)
_A_LIST = phrases("a [full | complete | short] list of")
LONGEST_NAME = 5
MOST_SPANS = 24
FEWEST_UNKNOWN = 3
"""Unknown words that make a question one about something else. Fewer may be misspelt."""
_INDEFINITE = words("anything something stuff things")
_OF_A_TOPIC = words("on about like regarding concerning for with from mentioning")
FUNCTION_WORDS = frozenset(
    english.ARTICLES
    | english.POLITE
    | english.SOFTENERS
    | english.RELATIVE_PRONOUNS
    | english.COPULAS
    | english.AUXILIARIES
    | english.HAVING
    | english.LACKING
    | english.NEGATIONS
    | english.CONTAINMENT
    | english.BELOW
    | english.ANYWHERE
    | english.PREPOSITIONS
    | english.AND
    | english.OR
    | english.OTHER
    | english.PRONOUNS
    | english.SUPERLATIVES.keys()
    | english.MORE_ADJECTIVES.keys()
    | english.LESS_ADJECTIVES.keys()
    | english.MOST_ADJECTIVES.keys()
    | english.ORDINALS.keys()
    | english.NUMBERS.keys()
    | english.SCALES.keys()
    | english.MONTHS.keys()
    | english.WEEKDAYS.keys()
    | english.CALENDAR.keys()
    | english.THIS
    | english.LAST
    | english.NEXT
    | english.DEGREES.keys()
    | {one for one in english.CURRENCIES if one.isalpha()}
    | {
        w
        for table in (
            english.ASKING,
            english.EXCEPT,
            english.AT_LEAST,
            english.AT_MOST,
            english.MORE,
            english.LESS,
            english.EXACTLY,
            english.OR_MORE,
            english.OR_LESS,
            english.SORTING,
            english.DESCENDING,
            english.ASCENDING,
            english.COUNTING,
            english.GROUPING,
            english.DISTINCT,
            english.NAMED,
            english.MENTIONING,
            tuple(english.MEASURES),
            tuple(english.CYCLIC),
            english.NEWEST_FIRST,
            english.OLDEST_FIRST,
        )
        for one in table
        for w in one
    }
    | words(
        "what when where who whose why how many much before after since until between ago today yesterday "
        "tomorrow i we you me both either neither nor same first than as up other if while because ones "
        "my not years days am pm per percentage percent im anything something stuff things tree hierarchy "
        "subtree recursively else somebody everybody child alongside beside along appears occurs recorded "
        "whats outside vs versus compared percentile often dr mr mrs "
        "single very popular word words phrase there anyone someone nobody anybody everything nothing "
        "half negative positive among amongst mine yours his hers ours theirs whoever whomever distribution breakdown"
    )
)
NOT_AMONG_THEMSELVES = (
    "Things are not compared with each other here. Ask how many there are of each value, or for those that are like "
    "one that you name."
)
_EACH_OTHER = phrases(
    "each other | each others | one another | eachother | (among | amongst | between | within) themselves | mutually"
)
_AFTER = english.POSSESSIVES | english.PREPOSITIONS | english.AND | english.POLITE | words("? ! . , ; )")
EVERY_YEAR = (
    "These days come back every year, and dates are only compared with those of one year. Ask with a year, or for a "
    "list with the dates in it."
)
_COMING_BACK = words("birthday birthdays anniversary anniversaries jubilee")


def action(p: Parse) -> str | None:
    """The intent of a sentence that asks for something to be done; None for a search."""
    if p.end and (all(t.text in _SMALL_TALK or t.kind is TokenKind.MARK for t in p.tokens) or is_small_talk(p)):
        return "other"
    if asks_to_save(p):
        return SAVE
    for at in _verb_places(p):
        intent = _intent_at(p, at)
        if intent is not None:
            return intent
    for at in range(1, p.end):
        if p.word(at) in ("and", "then", "&") or (p.word(at) == "," and p.word(at + 1) not in ("and", "then")):
            after = p.past(at + 1, ("then", "please", "just", "also"))
            verb = _INTENT_OF.get(p.word(after))
            if verb is not None and p.word(after + 1) in _OBJECTS - words("the all any every"):
                if p.word(after) == "tell":
                    continue  # "and tell me who created it" asks
                return verb
            phrase = next(
                (
                    i
                    for words, i in _PHRASES.items()
                    if i == "delete" and (e := p.phrase(after, *words)) and p.word(e) in _OBJECTS
                ),
                None,
            )
            if phrase:
                return phrase
    return _wished(p)


def deed(p: Parse) -> tuple[int, int] | None:
    """Where the verb of a request begins and ends; None where none was found that has an object."""
    for at in _verb_places(p):
        for sequence, meant in _PHRASES.items():
            end = p.phrase(at, *sequence)
            if end is not None and meant != "other":
                return at, end
        if p.word(at) in _INTENT_OF:
            return at, at + 1
    return None


def has_known_object(p: Parse, after: int) -> bool:
    """Whether a request says to what something is to be done, as the data calls it, or as `it` or `the ...`. Else the
    verb may be half of a noun that nobody knows here: `discard reasons breakdown`."""
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
    if any(_things_are(p, end) for end in p.phrases(at, _LISTING)):
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
    named = named or _one_with_a_number(p, at) or _is_a_file(p, at + 1)
    if word in _ALSO_NOUNS and following not in _OBJECTS | english.ARTICLES and not named:
        return None
    if following in ("/", ">", "") and p.quoted(at + 1) is None:
        return None
    if word in ("tell", "ask", "instruct") and following not in ("me", "us") and _is_to_do(p, at + 2):
        return "other"
    if word == "tell" or (word == "return" and following != "to"):
        return "other" if p.phrase(at, "tell", "me", "a") or p.phrase(at, "tell", "me", "about", "yourself") else None
    if word == "give" or word == "show":
        return None
    if intent == "create" and p.tokens[p.end - 1].text in ("public", "private"):
        return "share"
    if word == "add" and following in ("up", "together"):
        return None
    if word in ("remind", "explain") and p.word(p.past(at + 1, ("me", "us"))) in _QUESTION_WORDS:
        return None
    if word == "order" and any(p.word(later) == "by" for later in range(at + 2, p.end)):
        return None
    if word in ("order", "call") and following in ("them", "by", "it"):
        return None
    if intent in ("share", "create", "other", "move") and following in ("of", "with", "by", "and"):
        return None
    return intent


def _is_to_do(p: Parse, at: int) -> bool:
    """Whether somebody is to do something: `tell Ann to turn round`."""
    return any(p.word(i) == "to" and p.word(i + 1) in _CHANGING for i in range(at, p.end))


def _things_are(p: Parse, at: int) -> bool:
    """Whether what the data holds is named right here, and nothing is said of how it is to be sent: `all overdue
    invoices`, `the list of unsigned contracts`. One of it is a thing to be sent: `a reminder`, `a copy`."""
    if p.word(at) in ("a", "an") and not any(True for _ in p.phrases(at, _A_LIST)):
        return False
    begins = p.past(at, english.ARTICLES | words("list of all full complete every"))
    kinds = EntityWord | ConditionWord | ValueWord | NameWord
    known = begins < p.end and any(isinstance(one.payload, kinds) for one in p.lexemes[begins])
    is_said = known or p.word(begins) in english.SUPERLATIVES or p.word(begins) in english.NUMBERS
    return is_said and not any(token.text in _BY_POST for token in p.tokens)


def _wished(p: Parse) -> str | None:
    """`can the old invoices be deleted`, `I'd like this to be moved`: who is asked for a deed names it at the end."""
    if not any(True for _ in p.phrases(p.past(0, english.POLITE), _REQUESTING)):
        return None
    for at in range(2, p.end - 1):
        done, before = p.word(at + 1), p.word(at - 1)
        if p.word(at) != "be" or not is_participle(done) or before in english.MODALS | english.NEGATIONS:
            continue
        intent = next((_INTENT_OF[verb] for verb in _INTENT_OF if stem(verb) == stem(done)), None)
        # Contracts to be signed are a search; nobody looks for things to be deleted.
        if intent is not None and (before != "to" or intent != "other"):
            return intent
    return None


def _is_a_file(p: Parse, at: int) -> bool:
    """`upload scan.pdf`."""
    end = at + 3
    glued = end <= p.end and all(p.tokens[i].end == p.tokens[i + 1].start for i in (at, at + 1))
    return glued and p.word(at + 1) == "." and p.word(at + 2).isalnum() and len(p.word(at + 2)) in range(2, 5)


def _one_with_a_number(p: Parse, at: int) -> bool:
    """`pay invoice INV-28968`: the one thing that it is to be done to; not `draft contract Acme`, which is a draft."""
    state = any(not one.cost and one.end == at + 1 for one in p.starting(at, ValueWord))
    kinds = (one.end for one in p.starting(at + 1, ValueWord) if one.payload.closed and not p.plural(one.end))
    ids = (p.tokens[end].raw for end in kinds if end < p.end)
    return not state and any(raw.isupper() or raw[:1].isdecimal() for raw in ids)


def _asks_for_data(p: Parse, at: int) -> bool:
    """Whether a verb of finding is here, and after it something that the catalog or the index knows."""
    kinds = EntityWord | ConditionWord | ValueWord | NameWord
    known = (isinstance(one.payload, kinds) for row in p.lexemes[at + 1 :] for one in row)
    return p.word(at) in _TO_BE_FOUND and any(known)


def _in_the_data(p: Parse, at: int) -> bool:
    """Whether the catalog or the index knows the verb as a thing: an entity, a value, a name of several words."""
    for lexeme in p.lexemes[at] if at < p.end else ():
        longer = lexeme.end - lexeme.start > 1
        if isinstance(lexeme.payload, EntityWord | ConditionWord) and lexeme.cost < 0.1:
            return True
        if longer and isinstance(lexeme.payload, ValueWord | NameWord | FieldWord):
            return True
        # "zip downloads" speaks of a value; "zip the files" of an action
        if (
            isinstance(lexeme.payload, ValueWord)
            and lexeme.cost < 0.1
            and p.word(at + 1) not in _OBJECTS | english.ARTICLES
        ):
            return True
    return False


def unknown_words(p: Parse) -> list[int]:
    """The tokens that nothing is known of: neither English function words nor words of the catalog or the index."""
    covered = {i for lexemes in p.lexemes for one in lexemes for i in range(one.start, one.end)}
    return [i for i, t in enumerate(p.tokens)
            if t.kind is TokenKind.WORD and i not in covered and t.text not in FUNCTION_WORDS
            and not t.text[0].isdecimal() and not p.lexicon.knows(t.text) and not _is_unit(p, i)]  # fmt: skip


def _is_unit(p: Parse, at: int) -> bool:
    """Whether a word is the unit of the number before it: `20 knots`."""
    return at > 0 and p.word(at - 1)[:1].isdecimal() and find_unit(p.word(at)) is not None


def unread_names(p: Parse) -> dict[str, tuple[int, int]]:
    """Runs of words that are written as names, or that nothing is known of, with their places; longest first."""
    unknown = set(unknown_words(p))
    eligible = [
        t.kind in (TokenKind.WORD, TokenKind.NUMBER)
        and (
            i in unknown
            or (t.raw[:1].isupper() and i > 0)
            or (t.raw[:1].isdecimal() and any(c.isalpha() for c in t.raw))
        )
        for i, t in enumerate(p.tokens)
    ]
    spans: dict[str, tuple[int, int]] = {}
    for length in range(LONGEST_NAME, 0, -1):
        for start in range(p.end - length + 1):
            if all(eligible[start : start + length]):
                spans.setdefault(p.raw(start, start + length), (start, start + length))
    return dict(list(spans.items())[:MOST_SPANS])


def nothing_known(p: Parse, fewest: int = FEWEST_UNKNOWN) -> bool:
    """Whether no word of substance is known, of which there are some: the question is about something else."""
    substance = [
        i
        for i, t in enumerate(p.tokens)
        if t.kind is TokenKind.WORD and t.text not in FUNCTION_WORDS and not t.text[0].isdecimal()
    ]
    unknown = set(unknown_words(p))
    asked = any(t.text in _INDEFINITE and p.word(at + 1) in _OF_A_TOPIC for at, t in enumerate(p.tokens))
    counted = asked or any(t.text in english.CALENDAR or t.text in ("many", "average", "per") for t in p.tokens)
    # quoted, or an id
    quoted = any(t.kind is TokenKind.QUOTED or (len(t.text) > 4 and t.text[0].isdecimal()) for t in p.tokens)
    return len(substance) >= fewest and not counted and not quoted and all(i in unknown for i in substance)


def is_among_themselves(p: Parse) -> bool:
    """Whether a text speaks of things in relation to each other; not of `each other vendor`."""
    for at in range(p.end):
        known = any(True for one in p.lexemes[at] if one.end > at + 1)
        for end in () if known else p.phrases(at, _EACH_OTHER):
            if end >= p.end or p.word(end) in _AFTER:
                return True
    return False


def comes_back(p: Parse) -> bool:
    """Whether a birthday, which the index has as a date, is asked for by a month or a day of no year."""
    dates = any(
        p.word(at) in _COMING_BACK and any(one.payload.ref.kind is FieldKind.DATE for one in p.starting(at, FieldWord))
        for at in range(p.end)
    )
    return dates and not any(is_year(token.text) for token in p.tokens) and any(date_test(p, at) for at in range(p.end))
