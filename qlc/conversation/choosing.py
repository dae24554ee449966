"""Answers to a question back: which options a message means, read without a model and without the index; also later,
when another of them is asked for: `what about the archive one?`, `and in the other one?`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from qlc.conversation import english
from qlc.conversation.context import Context, Task
from qlc.conversation.history import History
from qlc.conversation.matching import described, joined, named, stems, unknown
from qlc.language.nouns import singular
from qlc.outcome import Option
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.tokens import Token, TokenKind, tokenize

LONGEST_ANSWER = 12
"""Words of the longest message that can be an answer."""

FEW = 4
"""Words up to which a message that fits no option may still be meant as an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a message answers. `chosen` are places of options, from 0.

    `kind`: chosen (`chosen` are meant, all of them), several (one of `chosen` is meant, and it is not said which),
    unclear (an answer, of no option), maybe (an answer of no option, or another question), question (another question),
    dropped (the question is taken back; `rest` is what is asked instead), aside (said beside the question, which stays
    open), why (it is asked what the question is for).
    """

    kind: Literal["chosen", "several", "unclear", "maybe", "question", "dropped", "aside", "why"]
    chosen: tuple[int, ...] = ()
    rest: str = ""


def read_answer(text: str, options: Sequence[Option]) -> Answer:
    """Return how a message answers a clarification with these options."""
    exact = _exactly(text, options)
    if exact is not None:
        return Answer("chosen", (exact,))
    tokens = _tokens(text)
    rest = taken_back(text)
    if rest is not None:
        return Answer("dropped", rest=rest)
    words = [token.text for token in tokens]
    if not words:
        return Answer("unclear")
    if len(words) > LONGEST_ANSWER:
        return Answer("question")
    if _is_all(words):
        return Answer("chosen", tuple(range(len(options))))
    places = _places(words, options)
    if places is not None:
        return Answer("chosen", places) if places else Answer("unclear")
    if len(options) == 1 and words and english.YES.issuperset(words):
        return Answer("chosen", (0,))
    found = _by_words(words, options)
    if found is not None:
        return Answer("chosen" if len(found) == 1 else "several", found)
    return Answer(_misfit(text, words))


def _exactly(text: str, options: Sequence[Option]) -> int | None:
    """Return the option whose id, label, name or path is the whole message; None if none or several are."""
    wanted = text.strip().strip("\"'“”").casefold()
    if not wanted or (wanted.isdecimal() and int(wanted) <= len(options)):
        return None
    for spelled in zip(*((one.id, one.label, one.details.get("path"), one.name) for one in options), strict=True):
        found = [at for at, text in enumerate(spelled) if str(text or "").casefold() == wanted]
        if len(found) == 1:
            return found[0]
    return None


def _tokens(text: str) -> list[Token]:
    return [token for token in tokenize(text) if token.kind is not TokenKind.MARK or token.text == "#"]


def taken_back(text: str) -> str | None:
    """Return the rest of a message that begins with "never mind"; None for other messages."""
    tokens = _tokens(text)
    words = [token.text for token in tokens]
    start = 1 if words[:1] in (["no"], ["oh"], ["ok"], ["well"]) else 0
    clearing = english.CLEARING.longest(words, start)
    length = clearing or english.NEVER_MIND.longest(words, start)
    if not length:
        return None
    at = start + length
    if clearing and words[at : at + 1] == ["but"]:
        return None
    while at < len(words) and words[at] in english.INSTEAD:
        at += 1
    rest = text[tokens[at].start :] if at < len(tokens) else ""
    between = text[tokens[start].end if length == 1 else tokens[at - 1].end : tokens[at].start] if rest else ""
    marked = re.search(r"[.,;:!?\-–—]", between) is not None
    return None if rest and not marked and _runs_on(words, start, length, at) else rest


def _runs_on(words: Sequence[str], start: int, length: int, at: int) -> bool:
    """Whether a message begins as if something was taken back by chance: a word alone, as in `stop sign photos`, or
    `remove all`, `drop that`, before what all of is meant or which is, unless that asks for something by itself."""
    asked = words[at] in plain.ASKING_WORDS or plain.ASKING.longest(words, at) > 0
    open_ended = words[at - 1] in english.EVERYTHING | {"that"}
    return length == 1 or (at == start + length and open_ended and not asked)


def _is_all(words: Sequence[str]) -> bool:
    rest = [word for word in words if word not in english.AROUND_ALL]
    if rest[:1] == ["all"] and len(rest) == 2 and (rest[1].isdecimal() or rest[1] in plain.NUMBERS):
        return True  # all three
    return bool(rest) and tuple(rest) in english.ALL_OF_THEM.sequences


# --- by place --------------------------------------------------------------------------------------------------------

_ORDINAL = re.compile(r"(\d{1,3})(?:st|nd|rd|th)")


def _places(words: Sequence[str], options: Sequence[Option]) -> tuple[int, ...] | None:
    """Return the options at the places that the message names; () if no option is there, None if it names no place."""
    shared = _shared_words(options)
    found: list[int] = []
    at, pointed = 0, False
    while at < len(words):
        word = words[at]
        ordinal = _ORDINAL.fullmatch(word)
        place = int(ordinal[1]) if ordinal else plain.ORDINALS.get(word)
        if word.isdecimal() and len(word) <= 3 and not (int(word) > len(options) and _has_word(word, options)):
            found.append(int(word))
        elif place is not None:
            following = words[at + 1] if at + 1 < len(words) else ""
            count = plain.NUMBERS.get(following, 0) if following != "one" else 0
            if place == 1 and count:
                found += range(1, count + 1)
                at += 1
            elif place == -1 and count:
                found += range(len(options) - count + 1, len(options) + 1)
                at += 1
            else:
                found.append(place if place > 0 else len(options) + 1 + place)
        elif word in plain.NUMBERS and (len(words) == 1 or (pointed and word != "one")):
            found.append(plain.NUMBERS[word])
        elif word not in english.OF_A_CHOICE and singular(word) not in shared:
            return None
        pointed = word in ("option", "number", "choice", "no", "nr", "#")
        if pointed and at + 1 < len(words) and words[at + 1] == "one":
            found.append(1)
            at += 1
        at += 1
    if not found:
        return None
    fits = all(1 <= place <= len(options) for place in found)
    return tuple(dict.fromkeys(place - 1 for place in found)) if fits else ()


def _texts(one: Option) -> list[str]:
    """Return the texts that identify an option. For a reading that is the label: the programs of all readings share
    words."""
    if one.name is None and not one.details and one.label != one.id:
        return [one.label]
    return [one.label, one.name or "", one.id, *(str(value) for value in one.details.values())]


def _shared_words(options: Sequence[Option]) -> frozenset[str]:
    """Return the words that distinguish no option: words of all options, and the names of their kinds."""
    kinds = {word for one in options for word in stems(one.entity or "")}
    return frozenset.intersection(*(described(_texts(one)).words for one in options)) | kinds


def _has_word(word: str, options: Sequence[Option]) -> bool:
    return any(word in described(_texts(one)).words for one in options)


def chosen_by_words(text: str, options: Sequence[Option]) -> int | None:
    """Return the only option that the words describe; None if they name a place or a day."""
    words = [token.text for token in _tokens(text)]
    if not words or _places(words, options) is not None or _newest(words, options) is not None:
        return None
    found = _by_words(words, options)
    return found[0] if found is not None and len(found) == 1 else None


# --- by words --------------------------------------------------------------------------------------------------------

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")


def _by_words(words: Sequence[str], options: Sequence[Option]) -> tuple[int, ...] | None:
    """Return the options that the distinguishing words describe; None if a word fits no option."""
    shared = _shared_words(options)
    negated = any(word in english.NOT_THAT for word in words)
    said = [stem for word in words if word not in english.OF_A_CHOICE | english.NOT_THAT for stem in stems(word)]
    distinctive = [stem for stem in said if stem not in shared]
    newest = _newest(words, options)
    if newest is not None:
        return newest
    things = [described(_texts(one)) for one in options]
    distinctive = joined(distinctive, things)
    strange = unknown(distinctive, things)
    distinctive = [stem for stem in distinctive if stem not in strange]
    if not distinctive or any(stem not in _RELATION_STEMS for stem in strange):
        return None
    found = named(distinctive, things)
    if negated:
        found = [at for at in range(len(options)) if at not in found] if found else []
    if len(found) == 1 and _says_a_part(said, options, found[0]):
        return None
    return tuple(found) if found and len(found) < len(options) else None


def _says_a_part(said: Collection[str], options: Sequence[Option], at: int) -> bool:
    """Return whether words name some values of a reading that all readings have, and leave out others: `Apple phones`
    is not "maker is 'Apple' and kind is 'phone' or 'laptop'"."""
    of_each = [{frozenset(stems(one)) for one in _QUOTED.findall(option.label)} for option in options]
    named = {one for one in of_each[at] if one <= {*said}}
    return any(all(one in values for values in of_each) for one in named) and named != of_each[at]


_QUOTED = re.compile(r"'([^']+)'")


_RELATION_STEMS = frozenset(stem for word in english.OF_RELATIONS for stem in stems(word))


def _newest(words: Sequence[str], options: Sequence[Option]) -> tuple[int, ...] | None:
    """Return the option with the latest or the earliest day, if each shows one: "the newest one", "the older"."""
    rest = [word for word in words if word not in english.OF_A_CHOICE and word != "most"]
    if len(rest) != 1:
        return None
    word = rest[0]
    later = {**{one: is_last for one, (of, is_last) in plain.SUPERLATIVES.items() if of in plain.OF_DATES},
             **{one: True for one, of in plain.MORE_ADJECTIVES.items() if of in plain.OF_DATES},
             **{one: False for one, of in plain.LESS_ADJECTIVES.items() if of in plain.OF_DATES}}  # fmt: skip
    latest = later.get(word)
    days = [_DAY.findall(one.label) for one in options]
    if latest is None or any(len(found) != 1 for found in days):
        return None
    ordered = sorted((found[0] for found in days), reverse=latest)
    return tuple(at for at, found in enumerate(days) if found[0] == ordered[0])


# --- neither ---------------------------------------------------------------------------------------------------------


def _misfit(text: str, words: Sequence[str]) -> Literal["unclear", "maybe", "question", "aside", "why"]:
    """Return the kind of a message that fits no option: an unclear answer, an aside, `why`, or another question."""
    if all(word in english.PUZZLED for word in words):
        return "unclear"
    after = _past_asides(words)
    if after == len(words):
        return "aside"
    why = english.WHY.longest(words, after)
    if why and all(word in english.ABOUT_ASKING for word in words[after + why : _before_asides(words)]):
        return "why"
    if "?" in text or words[0] in english.ASKS or len(words) > 2 * FEW:
        return "question"
    if words[-1] in ("one", "ones") or words[0] in ("option", "number"):
        return "unclear"
    return "maybe"


def _past_asides(words: Sequence[str], at: int = 0) -> int:
    """Return the position after the asides that begin here: `ok`, `thank you`, `wait a second`."""
    while length := english.ASIDES.longest(words, at):
        at += length
    return at


def _before_asides(words: Sequence[str]) -> int:
    """Return the position where the asides at the end of a message begin."""
    return next((at for at in range(len(words)) if _past_asides(words, at) == len(words)), len(words))


# --- another one, later ----------------------------------------------------------------------------------------------


def another_choice(message: str, history: History) -> Context | None:
    """The last search with the name meaning another of its options; None where the message says no such thing."""
    said = _said(message)
    _, part = next(history.parts(), (None, None))
    if said is None or part is None or not part.program:
        return None
    at = part.execution
    for turn in reversed(history.turns):
        asked = turn.pending
        chosen = part.choices.get(asked.token) if asked is not None and asked.what == "name" else None
        if asked is None or chosen is None:
            continue
        if said in english.THE_OTHER:
            others = [one for one in asked.options if one.id != chosen]
        else:
            place = chosen_by_words(said, asked.options)
            others = [asked.options[place]] if place is not None else []
        if len(others) != 1 or others[0].id == chosen:
            return None
        task = Task(
            words=part.words, program=part.program, choices={**part.choices, asked.token: others[0].id},
            now=at.now if at is not None else asked.now, follows=at.list if at is not None else None,
        )  # fmt: skip
        return Context(origin="choice", tasks=(task,))
    return None


def _said(message: str) -> str | None:
    """Return the words that tell one option from the others: `what about the WORDS one`, `the one in WORDS`."""
    tokens = [token for token in tokenize(message) if token.kind is not TokenKind.MARK]
    words = [token.text for token in tokens]
    while words and words[-1] in english.AROUND_ANOTHER:
        words.pop()
    start = english.ANOTHER_ONE.longest(words, 0)
    inner = words[start:]
    if not start or len(inner) < 3 or inner[0] != "the":
        return None
    after = 3 if inner[1] == "other" else 2
    if inner[after - 1] in ("one", "ones") and len(inner) > after + 1 and inner[after] in plain.PREPOSITIONS:
        return message[tokens[start + after + 1].start : tokens[len(words) - 1].end]
    return message[tokens[start + 1].start : tokens[len(words) - 2].end] if inner[-1] == "one" else None
