"""Several questions in one message, separated. Pure English: nothing is known here of catalog or index."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from qlc.base.words.sentences import ends_with_abbreviation
from qlc.translator.follow_ups import english
from qlc.translator.recognise import is_readable
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import phrases, words
from qlc.translator.rules.words.tokens import Token, TokenKind, tokenize

MOST_QUESTIONS = 5  # questions of one message that are answered. More than that are hardly questions.
_CLEAR = phrases(
    "how (many | much | large | big | old) | show [me] | list | find [me] | (give | tell | get) me | count | display | "
    "what (is | 's | are | was | were | do | does | did | about) | who (is | 's | are | owns | created | made | "
    "uploaded | edited | has) | where (is | 's | are) | when (is | was | did | does | do) | (is | are) there | do (we "
    "| i) have | which of | how about"
)
"""Phrases that begin a question and hardly ever a clause."""
_ASKING = words("who what which whose where when")
"""Words that begin a question, or a clause within one: `people who own NDAs and who edit them`."""
_AUXILIARY = plain.PREDICATING | words("can could will would")
_SUBJECTS = words("it he she they there the any these those i we you")
"""Subjects after an auxiliary that asks: `is it signed`. In `are signed` the auxiliary continues the sentence."""
_AFTER_PREPOSITIONS = words("which what whom whose")
_AFTER_NOUNS = words("who which whose")
_JOINING = (plain.AND - {"but", "yet"}) | words("then as well besides additionally")
_REFERRING = english.PERSON | english.SEVERAL | english.WHOSE.keys() | english.ONES | words("it theirs")
_REFINING = words("only just but without except not")
_NOTHING_ASKED = plain.POLITE | words("great perfect good morning afternoon evening team can could would help me us")
_NEEDING = words("need needs want wanted")
_WHO_NEEDS = words("i we just only")
_SHOWING = words("show display list")
_THANKING = _NOTHING_ASKED | words("a lot very in advance for your bye regards table as")


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One question of a message; `depends`: it waits for another's answer; `asks`: it has the form of a question."""

    text: str
    depends: bool = False
    asks: bool = True


_TOPIC = re.compile(r"\s*([^:?!\n]{2,60}):\s+(.+)", re.DOTALL)
_HOW_MANY_ARE = re.compile(r"how many\s+(?=(?:are|is|were|was|have|has|do|did)\s+(?!there\b))", re.IGNORECASE)
_OF_IT = re.compile(r"\b(?:it|its)\b(?!')", re.IGNORECASE)


def _with_its_topic(message: str) -> str:
    """`Brand Assets: who owns it?` with the thing in the place of its pronoun."""
    found = _TOPIC.fullmatch(message)
    topic = tokenize(found[1]) if found is not None else ()
    if found is None or not topic or _may_ask(topic, 0) or _is_clear(topic, 0) or len(topic) > LONGEST_TOPIC:
        return message
    asked = tokenize(found[2])
    if _HOW_MANY_ARE.match(found[2]):
        return _HOW_MANY_ARE.sub(f"how many {found[1].strip()} ", found[2], count=1)
    if not (_is_clear(asked, 0) or _word(asked, 0) in _ASKING | _AUXILIARY) or not _OF_IT.search(found[2]):
        return message
    named = found[1].strip()
    return _OF_IT.sub(lambda it: named if it[0].casefold() == "it" else f"{named}'s", found[2])


LONGEST_TOPIC = 8  # words of the longest thing that is named before what is asked of it


def questions_in(message: str) -> tuple[SubQuestion, ...]:
    """The questions of a message in their order; the message itself where it is one, too many, or too long."""
    if not is_readable(message):
        return (SubQuestion(message),)
    message = _with_its_topic(message)
    tokens = tokenize(message)
    cuts = [at for at in range(1, len(tokens)) if _begins(tokens, at) and not _is_abbreviated(message, tokens, at)]
    bounds = [0, *cuts, len(tokens)]
    parts = [_trimmed(tokens, start, end) for start, end in pairwise(bounds)]
    asked = [(start, end) for start, end in parts if not _asks_nothing(tokens[start:end])]
    if not 1 < len(asked) <= MOST_QUESTIONS or any(end - start < 2 for start, end in asked):
        return (SubQuestion(message),)
    if any(_asks_of_each(tokens[start:end]) for start, end in asked[1:]):
        return (SubQuestion(message),)
    texts = _with_what_they_share([message[tokens[start].start : tokens[end - 1].end] for start, end in asked])
    return tuple(SubQuestion(text, n > 0 and _depends(tokens, start, end), _has_form_of_question(tokens, start, end))
                 for n, (text, (start, end)) in enumerate(zip(texts, asked, strict=True)))


def _has_form_of_question(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    marked = end < len(tokens) and tokens[end].raw == "?"
    return marked or tokens[end - 1].raw == "?" or _starts_as_question(tokens, start)


_HOW_MANY = re.compile(r"(?P<lead>how many|how much|which)\s+(?P<what>[^?.!]+?)[\s?.!]*", re.IGNORECASE)
_PREDICATE = re.compile(
    r"\s(?:(?:do|does|did|has|have|had|is|are|was|were|can|in|under|inside|within|from|by|with|without|below|on|at|for|"
    r"that|which|who|were|over|of|since|before|after)\b.*)",
    re.IGNORECASE | re.DOTALL,
)


def _with_what_they_share(texts: list[str]) -> list[str]:
    """Complete each question by what others say: `how many folders and how many documents does Ann own`."""
    found = list(texts)
    for at, text in enumerate(texts):
        asked = _HOW_MANY.fullmatch(text)
        if asked is None or _PREDICATE.search(text[: asked.end("what")], asked.end("lead")):
            continue  # it says itself what is asked
        other = found[at - 1] if at else texts[1]
        if (found[at - 1] if at else text).rstrip()[-1:] in "?.!" or asked["what"].endswith(("not", "n't")):
            continue
        same = _HOW_MANY.fullmatch(other)
        if same is None or same["lead"].casefold() != asked["lead"].casefold() or _speaks_of_others(other):
            continue
        said = _PREDICATE.search(other, same.end("lead"))
        if said is not None and _are_things(asked["what"]):
            found[at] = f"{text.rstrip(' ?.!')}{said[0].rstrip(' ?.!')}"
        elif said is not None and said[0].split()[0].casefold() in plain.COPULAS and at:
            # "how many flights were cancelled", "how many delayed"
            found[at] = f"{other[: said.start()]} {said[0].split()[0]} {asked['what']}"
    return found


def _are_things(what: str) -> bool:
    last = what.split()[-1]
    return last.endswith("s") or not last.islower()


def _speaks_of_others(text: str) -> bool:
    return not _REFERRING.isdisjoint(text.casefold().split())


def _begins(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether a question begins here: after the end of a sentence, or after `and` as only questions begin."""
    before = tokens[at - 1]
    if before.kind is TokenKind.MARK and before.raw in "?!":
        return tokens[at].kind is not TokenKind.MARK and not _is_a_limit(tokens, at)
    stop = before.kind is TokenKind.MARK and before.raw in ".;" and before.end < tokens[at].start
    if stop or (before.kind is TokenKind.MARK and before.raw == ";"):
        after = _past(tokens, at, _JOINING)
        return _is_clear(tokens, after) or _word(tokens, after) in _ASKING | _AUXILIARY | _REFINING
    joined = _joined_from(tokens, at)
    if joined is None:
        return False
    if _only_where(tokens, joined, at):
        return False
    if _may_be_clause(tokens, at):
        return _asks(tokens, joined) and (_is_clear(tokens, at) or _may_ask(tokens, at))
    return _is_clear(tokens, at) or (_may_ask(tokens, at) and _starts_as_question(tokens, joined))


def _is_abbreviated(message: str, tokens: tuple[Token, ...], at: int) -> bool:
    """Whether the full stop before belongs to its word, and the sentence goes on: `unpaid, i.e. are not signed`."""
    return ends_with_abbreviation(message[: tokens[at - 1].end]) and not tokens[at].raw[:1].isupper()


def _may_be_clause(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether `who are lawyers`, `which cost less` goes on with the noun before: it speaks of nothing found before."""
    if _word(tokens, at) not in _AFTER_NOUNS:
        return False
    if _is_clear(tokens, at) and _word(tokens, at + 1) not in _AUXILIARY | plain.HAVING:
        return False  # `who owns`, `which of`
    ends = (n for n in range(at, len(tokens)) if tokens[n].kind is TokenKind.MARK and tokens[n].raw in "?!;,")
    rest = tokens[at + 1 : next(ends, len(tokens))]
    return not any(token.text in _REFERRING for token in rest)


def _asks(tokens: tuple[Token, ...], at: int) -> bool:
    """Return whether the first word of a sentence asks, so that it is not a request for a list."""
    first = _word(tokens, _past(tokens, at, _NOTHING_ASKED | {","}))
    return first in _ASKING | _AUXILIARY | {"how"}


_WHERE = plain.PREPOSITIONS | words("per each every among during before after since until")


def _only_where(tokens: tuple[Token, ...], start: int, at: int) -> bool:
    """Whether what comes before a comma asks nothing, but says where and when: `in 2025, how many`."""
    first = _past(tokens, start, _NOTHING_ASKED | {","})
    comma = tokens[at - 1].kind is TokenKind.MARK
    return comma and _word(tokens, first) in _WHERE and not any(_may_ask(tokens, i) for i in range(first, at - 1))


def _is_a_limit(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether nothing but `top 3` is left: how much is to be shown of what was asked."""
    number = _word(tokens, at + 1)
    if _word(tokens, at) != "top" or not (number.isdecimal() or number in plain.NUMBERS):
        return False
    return all(token.kind is TokenKind.MARK or token.text in _SHOWN for token in tokens[at + 2 :])


_SHOWN = words("with the their numbers counts figures only please")


def _may_ask(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether a question may begin here, where one comes before: after a noun it would be a clause."""
    word, following = _word(tokens, at), _word(tokens, at + 1)
    if word in _AUXILIARY:
        return following in _SUBJECTS
    if word in plain.PREPOSITIONS and following in _AFTER_PREPOSITIONS:
        return _word(tokens, at - 1) in _JOINING  # after a comma alone it is a clause
    return word in _ASKING and not (word in ("which", "who") and following in _AUXILIARY)


def _joined_from(tokens: tuple[Token, ...], at: int) -> int | None:
    """Return where the part before an `and` or a comma begins; None if neither precedes this place."""
    before = at
    while before and _word(tokens, before - 1) in _JOINING:
        before -= 1
    comma = before > 0 and tokens[before - 1].kind is TokenKind.MARK and tokens[before - 1].raw == ","
    if before == at and not comma:
        return None
    ends = (n + 1 for n in range(before - 1, -1, -1) if tokens[n].kind is TokenKind.MARK and tokens[n].raw in "?!;")
    return next(ends, 0)


def _starts_as_question(tokens: tuple[Token, ...], at: int) -> bool:
    start = _past(tokens, at, _NOTHING_ASKED | {","})
    return _is_clear(tokens, start) or _word(tokens, start) in _ASKING | _AUXILIARY


def _is_clear(tokens: tuple[Token, ...], at: int) -> bool:
    return _CLEAR.longest([_word(tokens, n) for n in range(at, len(tokens))], 0) > 0


def _depends(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Return whether a sentence depends on the one before: `how many per year? highest first` -> True."""
    sentence = tokens[start:end]
    said = [token.text for token in sentence if token.kind is TokenKind.WORD]
    last = [token.text for token in sentence if token.kind is not TokenKind.MARK][-1:]
    if said[-1:] == ["first"] and len(said) <= LONGEST_ORDER:
        return True  # "how many per year? highest first"
    needs = next((word in _NEEDING for word in said if word not in _WHO_NEEDS), False)  # "I just need the receipts"
    if (said[:1] and said[0] in _REFINING and not needs) or last in (["not"], ["n't"]):
        return True  # "how many aren't?"
    if not (needs or _starts_as_question(sentence, 0)):
        return True  # "most first", "and receipts?"
    if _REFERRING & set(said) or _is_of_a_place(said) or _points_back(sentence) or _only_groups(said):
        return True
    after_an_end = tokens[start - 1].raw in ".?!"
    return _names_nothing(said) or (after_an_end and (_names_it_again(sentence) or _is_bare(said)))


def _points_back(sentence: tuple[Token, ...]) -> bool:
    """Whether one thing is spoken of as known: `give me that tree`, `who is the owner of this bill`."""
    return any(
        token.text in english.DEMONSTRATIVES
        and _word(sentence, at) in _BEFORE_A_THING
        and _word(sentence, at + 2) not in plain.CALENDAR_UNITS
        and sentence[at + 2].kind is TokenKind.WORD
        for at, token in enumerate(sentence[1:-1])
    )


def _only_groups(said: list[str]) -> bool:
    """Whether a request has groups and nothing that is counted in them: `count per kind of work`."""
    return said[:1] == ["count"] and said[1:2] in (["by"], ["per"])


def _asks_of_each(sentence: tuple[Token, ...]) -> bool:
    """`which colours do we have, and how many of each?` is one question: its groups are what it asks for first."""
    said = [token.text for token in sentence if token.kind is not TokenKind.MARK]
    return said[:1] == ["how"] and said[-1:] == ["each"]


def _names_nothing(said: list[str]) -> bool:
    """`how many?`, `who?`, `how many do we have?`"""
    return all(word in _BARE_QUESTION for word in said)


def _names_it_again(sentence: tuple[Token, ...]) -> bool:
    """Whether all that is named is named as what is known by now: `show me the copies`, `what is the total size?`"""
    told = [token for token in sentence if token.kind is not TokenKind.MARK and token.text not in _THANKING - {"the"}]
    the = max((at for at, token in enumerate(told) if token.text == "the"), default=0)
    named = [token.text for token in told[the + 1 :]]
    if not the or not 1 <= len(named) <= LONGEST_NAMED_AGAIN or told[the - 1].text in plain.PREPOSITIONS - {"of"}:
        return False
    if any(token.kind is not TokenKind.WORD or not token.raw.islower() for token in told[1:]):
        return False
    own = plain.SUPERLATIVES.keys() if len(named) > 1 and named[-1] not in english.ONE else ()
    return not any(word in _OF_ITS_OWN or word in own for word in named)


_BEFORE_A_THING = plain.PREPOSITIONS | plain.PREDICATING | _SHOWING | words("me us get give find open")
"""Words after which `that` and `this` point to a document; after a noun `that` begins a clause."""
_BARE_QUESTION = plain.PREDICATING | words(
    "how many much who which whose where when we i you there in total altogether"
)
_OF_ITS_OWN = plain.PREPOSITIONS | plain.RELATIVE_PRONOUNS | plain.PREDICATING | plain.AND | plain.OR
LONGEST_NAMED_AGAIN = 3
"""Words of what is named as known: `the total size`. What is named with more of them says itself which it is."""


def _is_bare(said: list[str]) -> bool:
    """Whether a sentence asks for things and does not say which: `how many are under Home? list documents`."""
    asked = [word for word in said if word not in _NOTHING_ASKED]
    if not 0 < len(asked) <= LONGEST_BARE or asked[0] not in _BARE_FIRST:
        return False
    return (_EVERY | _AUXILIARY | plain.HAVING).isdisjoint(asked)


_BARE_FIRST = _SHOWING | words("which what")
LONGEST_BARE = 3  # words of what asks for things and does not say which: `list the documents`
_EVERY = frozenset(["all", "every", "everything", "each"])
LONGEST_ORDER = 4  # words of what asks for nothing but an order: `most expensive ones first`


def _is_of_a_place(said: list[str]) -> bool:
    """Whether `the first one`, `the second` is spoken of: one of what another question finds."""
    places = (at for at, word in enumerate(said[1:], 1) if word in plain.ORDINALS and said[at - 1] == "the")
    return any(said[at + 1 : at + 2] in ([], ["one"]) for at in places)


def _asks_nothing(tokens: tuple[Token, ...]) -> bool:
    """Thanks and greetings, and `show me` with nothing after it: what was asked before is shown anyway."""
    said = [token.text for token in tokens if token.kind is not TokenKind.MARK]
    return all(word in _THANKING | _SHOWING for word in said)


def _trimmed(tokens: tuple[Token, ...], start: int, end: int) -> tuple[int, int]:
    """Without the words and marks that join one question to the next."""
    while start < end and (_word(tokens, start) in _JOINING or tokens[start].raw in ",;.!?"):
        start += 1
    while end > start and (_word(tokens, end - 1) in _JOINING or tokens[end - 1].raw in ",;."):
        end -= 1
    return start, end


def _past(tokens: tuple[Token, ...], at: int, among: frozenset[str] | set[str]) -> int:
    while at < len(tokens) and (_word(tokens, at) in among or tokens[at].raw == ","):
        at += 1
    return at


def _word(tokens: tuple[Token, ...], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) and tokens[at].kind is not TokenKind.QUOTED else ""
