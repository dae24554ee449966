"""The words of a question that carry its meaning, stemmed by the rules of the corpus's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from qlc.base.words.folding import fold
from qlc.language.stems import stem

_EMPTY = frozenset(
    re.findall(
        r"\S+",
        """a an the this that these those it its of in on at by for from to into with within and or is are was were be
        been being am do does did done has have had having will would shall should can could may might must i we us our
        my me you your they them their he she him her his there here as if so then what which who whom whose where why
        how much many often please tell show list find give get want need know say says said let see look all any each
        every both some one ones about up out via state states mention mentions specify specifies contain contains ask
        asks concerning regarding according going make makes takes take took put there's what's when among
        mean means meaning against across through am everything anything everyone everybody anybody somebody someone
        something really actually just quite rather too even still already yet so please let's i'm we're i've we've
        gets getting got give gives given us able could get want wanted looking show gist very during while such own
        again further once ourselves yourself yourselves themselves itself himself herself myself""",
    )
)
"""Words without a meaning of their own. Words that change the meaning (`not`, `last`, `per`) are not in this set."""

_OTHERWISE = re.compile(
    r"\b(?:not|no|never|without|except|excluding|neither|nor|none|other than|but)\b|n['’]t\b"
    r"|\b(?:per|for (?:each|every)|grouped|breakdown|broken down|respectively)\b"
    r"|\b(?:today|yesterday|tomorrow|ago|recent|recently|first|second|third|last|next|previous|newest|oldest|top|bottom)\b"
    r"|\b(?:current|this|past|coming) (?:year|month|week|quarter|day)s?\b"
    r"|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|q[1-4])\b",
    re.IGNORECASE,
)
RELATIONAL = frozenset(
    """before after between than more less most least same different or not no only per never without but since other
    anoth""".split()  # noqa: SIM905
)
"""Words that say how things are related: no document is told apart by having them."""


CHANGE = re.compile(
    r"\b(?:growth|gr[eo]w\w*|increase[ds]?|decrease[ds]?|chang\w+|ris\w+|rose|declin\w+|f[ae]ll\w*|drop\w*|differ\w+)\b",
    re.IGNORECASE,
)
"""Words for a change between two periods."""
OF_PERIODS = frozenset(map(stem, "year period quarter fiscal financial annual month ended".split()))  # noqa: SIM905
"""Stems of words that say no more than that a period is meant."""


def restricts_otherwise(text: str) -> bool:
    """Whether a question has words that no condition made from fields, names and amounts can stand for."""
    return said_otherwise(text) is not None


def said_otherwise(text: str) -> re.Match[str] | None:
    return _OTHERWISE.search(text)


_WORD = re.compile(r"[^\W_]+(?:[-./'’&][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a text with its place. `stem` is the same for the forms of a word."""

    stem: str
    raw: str
    begin: int
    end: int


def terms(text: str, language: str = "english", kept: frozenset[str] = frozenset()) -> tuple[Term, ...]:
    """The words of a text, without those that every text has, except those that are `kept`."""
    found = []
    for match in _WORD.finditer(text):
        raw = re.sub(r"['’]s?$", "", match[0])
        is_letter = len(raw) == 1 and raw.isupper() and raw != "I" and match.start() > 0  # `Unit A`
        if is_letter or raw.lower() not in _EMPTY - kept or _is_noun(text, match):
            found.append(Term(stem(raw, language), raw, match.start(), match.start() + len(raw)))
    return tuple(found)


VERBS = frozenset("show list find state say look put need".split())  # noqa: SIM905
"""Verbs of questions that are nouns in names."""


def _is_noun(text: str, word: re.Match[str]) -> bool:
    """Whether a verb of questions is a part of a name: `the show committee`, `by State Bank`; not `show the committee`,
    `a list of`."""
    if word[0].lower() not in VERBS:
        return False
    before, after = text[: word.start()].rstrip(), re.match(r"[ -](\w+)", text[word.end() :])
    is_capital = word[0][0].isupper() and before[-1:] not in ("", ".", "?", "!", ":", ";")
    is_after_article = re.search(r"\b(?:the|an?)$", before, re.IGNORECASE) is not None
    return is_capital or (is_after_article and after is not None and after[1].lower() not in _EMPTY)


def term_stems(text: str, language: str = "english") -> frozenset[str]:
    """The stems of the words of a text that carry meaning."""
    return frozenset(one.stem for one in terms(text, language))


def stems(text: str, language: str = "english") -> frozenset[str]:
    """The stems of a text, and of the parts of words that marks join: `non-disclosure`, `AS-405`."""
    return frozenset(stems_in_order(text, language))


@lru_cache(maxsize=8_192)
def stems_in_order(text: str, language: str = "english") -> tuple[str, ...]:
    found: list[str] = []
    for match in _WORD.finditer(text):
        raw = re.sub(r"['’]s?$", "", match[0])
        parts = re.split(r"[-./'’&]", raw)
        found += [stem(part, language) for part in ([raw, *parts] if len(parts) > 1 else [raw]) if part]
    return tuple(found)


_NOUN_OF = {
    adjective: noun
    for noun, adjectives in {
        "width": "wide wider widest narrow narrower narrowest", "height": "high higher highest tall taller tallest",
        "length": "long longer longest", "depth": "deep deeper deepest",
        "weight": "heavy heavier heaviest light lighter weigh weighs",
        "price": "expensive cheap cheaper cheapest", "age": "old older oldest", "thickness": "thick thicker thickest",
        "temperature": "hot hotter hottest cold colder coldest", "speed": "fast faster fastest slow slower slowest",
        "noise": "loud louder loudest quiet", "area": "big bigger biggest large small", "duration": "lasting lasts",
        "expiry": "expire expires expired expiring",
    }.items()
    for adjective in adjectives.split()
}  # fmt: skip
"""Adjectives of measures, and verbs of dates: who asks how wide a thing is asks for its width."""


def noun_stem(word: str, language: str = "english") -> str:
    """Return the stem of the noun that belongs to an adjective of a measure, else of the word: `narrow` -> that of
    `width`."""
    return stem(_NOUN_OF.get(fold(word), word) if language == "english" else word, language)


_COUNTRIES = tuple(
    pairwise(
        """Austria Austrian Belgium Belgian Bulgaria Bulgarian Croatia Croatian Czechia Czech Denmark Danish England
        English Estonia Estonian Finland Finnish France French Germany German Greece Greek Hungary Hungarian Iceland
        Icelandic Ireland Irish Italy Italian Latvia Latvian Lithuania Lithuanian Luxembourg Luxembourgish Malta Maltese
        Netherlands Dutch Norway Norwegian Poland Polish Portugal Portuguese Romania Romanian Scotland Scottish Serbia
        Serbian Slovakia Slovak Slovenia Slovenian Spain Spanish Sweden Swedish Switzerland Swiss Turkey Turkish Ukraine
        Ukrainian Wales Welsh Australia Australian Brazil Brazilian Canada Canadian China Chinese India Indian
        Israel Israeli Japan Japanese Korea Korean Mexico Mexican Russia Russian Singapore Singaporean""".split()  # noqa: SIM905
    )
)[::2]  # fmt: skip
"""Countries with their adjectives: documents have `the law of Austria` and `Austrian law`."""


def forms_of(name: str) -> tuple[str, ...]:
    """Return a name, and its other form if it is a country or the adjective of one."""
    pair = next((one for one in _COUNTRIES if name.casefold() in (one[0].casefold(), one[1].casefold())), (name,))
    return tuple(dict.fromkeys(pair))


@lru_cache(maxsize=8_192)
def country_stem(stemmed: str, language: str = "english") -> str:
    """Return the stem of a country for the stem of its adjective; other stems are returned unchanged."""
    found = (country for country, adjective in _COUNTRIES if stem(adjective, language) == stemmed)
    return stem(next(found, stemmed), language) if language == "english" else stemmed


def is_run(wanted: Sequence[str], text: Sequence[str]) -> bool:
    """Whether stems stand in a text one after the other."""
    return any(tuple(text[at : at + len(wanted)]) == tuple(wanted) for at in range(len(text) - len(wanted) + 1))


def share(wanted: Iterable[str], text: Iterable[str]) -> float:
    """Return the share of the wanted stems that a text has, from 0 to 1."""
    asked, had = set(wanted), set(text)
    return len(asked & had) / len(asked) if asked else 0.0
