"""Words of a question that nothing is known of, neither English nor catalog nor index; and what cannot be asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qlc.base.units import find_unit
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.lexicon.lexemes import FieldWord, phrases_of
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import spaced, stem
from qlc.translator.rules.words.phrases import phrases, words
from qlc.translator.rules.words.tokens import Token, TokenKind

LONGEST_NAME = 5
MOST_SPANS = 24
FEWEST_UNKNOWN = 3
"""Unknown words that make a question one about something else. Fewer may be misspelt."""
_INDEFINITE = words("anything something stuff things")
_OF_A_TOPIC = words("on about like regarding concerning for with from mentioning")
FUNCTION_WORDS = frozenset(
    english.ARTICLES | english.POLITE | english.SOFTENERS | english.RELATIVE_PRONOUNS | english.COPULAS
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
    """Runs of words that are written as names, or that nothing is known of, with their places; longest first. What is
    written with marks like an id comes before: `17/B`."""
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
    spans = {p.raw(start, end): (start, end) for start, end in _with_marks(p)}
    for length in range(LONGEST_NAME, 0, -1):
        for start in range(p.end - length + 1):
            if all(eligible[start : start + length]):
                spans.setdefault(p.raw(start, start + length), (start, start + length))
    return dict(list(spans.items())[:MOST_SPANS])


def _with_marks(p: Parse) -> Iterator[tuple[int, int]]:
    """Yield the places of words with marks between them, and no space, in which are letters and digits."""
    start = 0
    for at in range(1, len(p.tokens) + 1):
        if at < len(p.tokens) and p.tokens[at].start == p.tokens[at - 1].end:
            continue
        end = at
        while end > start and p.tokens[end - 1].kind is TokenKind.MARK:
            end -= 1
        kinds = {one.kind for one in p.tokens[start:end]}
        text = p.raw(start, end) if end - start > 1 and kinds <= _OF_IDS and TokenKind.MARK in kinds else ""
        if any(one.isdecimal() for one in text) and any(one.isalpha() for one in text):
            yield start, end
        start = at


_OF_IDS = frozenset({TokenKind.WORD, TokenKind.NUMBER, TokenKind.MARK})


def nothing_known(p: Parse, fewest: int = FEWEST_UNKNOWN) -> bool:
    """Return whether there are content words and the lexicon knows none of them: the question has another subject."""
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


def confidential(p: Parse, tokens: Iterable[Token]) -> str | None:
    """Return the phrase of a confidential field if the question has all its words: `phone number of the keyholder`."""
    said = {stem(token.text) for token in tokens}
    for one in p.lexicon.closed_fields:
        for phrase in phrases_of(one):
            words_of = set(map(stem, phrase))
            if words_of and words_of <= said:
                return spaced(one.name)
    return None


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
