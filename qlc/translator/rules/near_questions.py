"""Repair the spelling of a question, or suggest one near to it: a part of it, or its words spelt otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from qlc.base.deadline import checkpoint
from qlc.language.nouns import plural_of as plural
from qlc.outcome import has_answer
from qlc.translator.protocol import Need, Question, Try
from qlc.translator.rules.conditions import is_of_each
from qlc.translator.rules.lexicon.lexemes import INFLECTED, ValueWord
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.list_sizes import not_counted
from qlc.translator.rules.nouns.degrees import has_no_measure
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.programs import GUESSED, MARGIN, MOST, MOST_PER_WORD, accepted_programs
from qlc.translator.rules.questions.forms import FORMS, beginnings
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS, means_something, unknown_words
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, words
from qlc.translator.rules.words.tokens import Token, TokenKind, tokenize

SHORTEST = 4  # letters of the shortest word that is repaired
TYPOS = {"form": "from", "fro": "for", "fom": "from", "frm": "from", "teh": "the", "hte": "the", "adn": "and"}
"""Typos that make other words of the language, or words too short to be corrected: where nothing else can be read."""
_AGENTS = ("er", "or")
LONG = 9  # letters from which on a word may have two typos
Fixes = tuple[tuple[Token, ...], tuple[tuple[str, str], ...]]
"""The tokens of a question with their words corrected, and what was corrected: as written, and as read."""
SHORTEST_VALUE = 5  # letters of the shortest word that is corrected into a value
_SAYING_NOTHING = english.SOFTENERS | english.KEPT
"""Deeds that are passed over: who `failed` a test would have done nothing if that were a typo for `filed`."""
_SHORT = ("how", "many", "much", "who", "what", "when", "from", "with", "than", "over", "have", "does", "show", "list")
MOST_TYPOS = 2
LONG_ENOUGH = 6  # letters from which on a word may be far from what was meant, and still be meant for it
VOWELS_FROM = 6
_VOWELS = "aeiouy"
_FUNCTION_WORDS = tuple(w for w in FUNCTION_WORDS if len(w) >= SHORTEST and w.isalpha())


def repaired(p: Parse) -> Fixes | None:
    """The tokens with their misspelt words corrected, and what was corrected; None where nothing is to be."""
    tokens = list(p.tokens)
    fixed: list[tuple[str, str]] = []
    known = {i for row in p.lexemes for one in row for i in range(one.start, one.end)}
    for at, token in enumerate(tokens):
        meant = TYPOS.get(token.text)
        if meant is not None and token.kind is TokenKind.WORD and 0 < at < p.end - 1 and at not in known:
            tokens[at] = replace(token, text=meant)
            fixed.append((token.raw, meant))
    for at in unknown_words(p):
        token = tokens[at]
        if token.kind is not TokenKind.WORD or not token.text.isalpha() or token is not p.tokens[at]:
            continue  # no word, or corrected above
        short = len(token.text) < SHORTEST
        word = _without_a_letter(token.raw) if short else nearest_word(token.text, p.lexicon)
        if (word is not None and (short or not _another_word(token.text, word, p.lexicon))
            and not (is_participle(word) and word in _SAYING_NOTHING)):
            tokens[at] = replace(token, text=word)
            fixed.append((token.raw, word))
    return (tuple(tokens), tuple(fixed)) if fixed else None


def _another_word(word: str, known: str, lexicon: Lexicon) -> bool:
    """Return whether a short word is rather one of the language than a typo: a `sale` is no status `stale`."""
    asked = known in FUNCTION_WORDS or lexicon.is_spoken_with(known)
    return len(word) < SHORTEST_VALUE and not asked and sorted(word) != sorted(known)


def says_a_value(fixed: tuple[Token, ...], at: Sequence[int], p: Parse) -> bool:
    """Whether each of these words is (a part of) the value of a field when it is corrected."""
    second = Parse(fixed, p.lexicon, p.now, p.text)
    values = [one for row in second.lexemes for one in row if isinstance(one.payload, ValueWord)]
    return second.end == p.end and all(any(one.start <= i < one.end for one in values) for i in at)


def _without_a_letter(word: str) -> str | None:
    """`how` for `hw`, `many` for `mny`: short words in small letters that a question is asked with."""
    left = {full for full in _SHORT for at in range(1, len(full)) if full[:at] + full[at + 1 :] == word}
    return left.pop() if len(left) == 1 else None


def nearest_word(word: str, lexicon: Lexicon) -> str | None:
    """The known word that is one typing error away, where there is only one.

    A typo leaves a letter out, doubles or adds one, or turns two round. Another letter in the place of one makes
    another word (`status`, `states`), except in long words, which may have two typos, and for a vowel inside a word
    (`vacent`): what is said there is the same.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    checkpoint()
    long = len(word) >= LONG
    allowed = 2 if long else 1
    known = [w for w in (*lexicon.words, *_FUNCTION_WORDS) if abs(len(w) - len(word)) <= allowed and len(w) >= SHORTEST]
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=allowed, limit=6)
    typos = [(w, far) for w, far, _ in near if w[0] == word[0] and (long or _is_typo(word, w))]
    if word.rstrip("s").endswith(_AGENTS):
        typos = [(w, far) for w, far in typos if w.rstrip("s").endswith(_AGENTS)]  # `filers` are not `files`
    if not typos:
        return None
    least = typos[0][1]
    best = {w for w, far in typos if far == least}
    best -= {plural(w) for w in best}
    if len(best) > 1:  # the last letter is hardly the wrong one
        best = {w for w in best if w[-1] == word[-1]} or best
    stems = {w.rstrip("s") for w in best}
    return min(best, key=len) if len(stems) == 1 else None


def _is_typo(word: str, known: str) -> bool:
    if len(word) != len(known) or sorted(word) == sorted(known):
        return True
    at = next(n for n, (one, other) in enumerate(zip(word, known, strict=True)) if one != other)
    heard = word[at] in _VOWELS and known[at] in _VOWELS
    return heard and len(word) >= VOWELS_FROM and at < len(word) - 2


def respelt(p: Parse) -> str:
    """Return the text with unknown words as the known ones most like them, to be asked about; empty if unclear."""
    text = p.text
    for at in reversed(unknown_words(p)):
        token = p.tokens[at]
        word = _most_like(token.text, p.lexicon) or nearest_word(token.text, p.lexicon)
        if word is None:
            return ""
        text = text[: token.start] + word + text[token.end :]
    return text if text != p.text else ""


def _most_like(word: str, lexicon: Lexicon) -> str | None:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    checkpoint()
    if not word.isalpha() or len(word) < LONG_ENOUGH:
        return None
    known = [w for w in lexicon.words if abs(len(w) - len(word)) <= MOST_TYPOS and w[0] == word[0]]
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=MOST_TYPOS, limit=6)
    left_out = {w for w, _, _ in near if not (Counter(word) - Counter(w) and Counter(w) - Counter(word))}
    best = {w for w, far, _ in near if far == near[0][1]}
    best = best & left_out or best  # a letter is left out or turned round rather than another one
    same_end = {w for w in best if w[-1] == word[-1]} or best
    return min(same_end, key=len) if len({w.rstrip("s") for w in same_end}) == 1 else None


def may_be_misspelt(word: str, lexicon: Lexicon) -> bool:
    """Return whether an unknown word is one or two typos away from some known word."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    checkpoint()
    allowed = 1 if len(word) < LONG_ENOUGH else 2
    known = [w for w in lexicon.words if abs(len(w) - len(word)) <= allowed and len(w) >= SHORTEST]
    found = process.extractOne(word, known, scorer=OSA.distance, score_cutoff=allowed)
    return len(word) >= SHORTEST and found is not None and found[0][0] == word[0]


MOST_IN_PART = 0.7  # highest cost of reading a part
_GOES_ON = english.AUXILIARIES | english.COPULAS | english.PREPOSITIONS | english.AND | {"we", "i", "you", "the", "a"}


def longest_part(p: Parse) -> tuple[int, int] | None:
    """Return start and end of the longest part that is a question of its own and has words after it."""
    best: tuple[int, int, float, int] | None = None
    for start in beginnings(p):
        for form in FORMS:
            for one in form(p, start):
                end = one.end
                while end > start and p.tokens[end - 1].kind is TokenKind.MARK:
                    end -= 1
                if p.word(end - 1) in _GOES_ON:
                    continue  # "which customer do we" is no question
                left = any(token.kind is not TokenKind.MARK for token in p.tokens[end:])
                found = (end, start, -one.cost, one.end)
                if (
                    left and one.cost <= MOST_IN_PART and means_something(p, start, end)
                    and (best is None or found > best)
                ):  # fmt: skip
                    best = found
    return (best[1], best[0]) if best is not None else None


def is_whole(p: Parse, at: int) -> bool:
    """Whether a part can end at a place: `orders | without a date`, but not `orders without a ship | date`."""
    return p.tokens[at].kind is TokenKind.MARK or p.word(at) in FUNCTION_WORDS


def left_over(p: Parse, at: int) -> str:
    """Return the text after a part, without the marks around it."""
    end = p.end
    while at < end and p.tokens[at].kind is TokenKind.MARK:
        at += 1
    while end > at and p.tokens[end - 1].kind is TokenKind.MARK:
        end -= 1
    return p.raw(at, end)


def with_whole_values(p: Parse) -> str:
    """Return the text with beginnings completed: `from acme` -> `from Acme Corp`; empty if one fits several values."""
    text, after = p.text, len(p.text)
    for row in reversed(p.lexemes):
        beginnings_here = [one for one in row if isinstance(one.payload, ValueWord) and not one.payload.whole]
        wholes = {(one.end, one.payload.text) for one in beginnings_here if isinstance(one.payload, ValueWord)}
        if len(wholes) == 1:
            ((end, whole),) = wholes
            start, stop = p.tokens[beginnings_here[0].start].start, p.tokens[end - 1].end
            if stop <= after:
                text, after = f"{text[:start]}{whole}{text[stop:]}", start
    return text if text != p.text else ""


def without_measure(question: Question, parse: Parse) -> Generator[Need, Any, tuple[str, tuple[str, ...]]]:
    """Return why a size cannot be asked, with questions surely read; without a reason those of `with_a_measure`."""
    sentence, ways = has_no_measure(parse)
    if not sentence:
        sentence, ways = not_counted(parse)
    most = 0.0 if sentence else MOST + MOST_PER_WORD * parse.end
    sure: list[str] = []
    for one in ways or with_a_measure(parse):
        sure += yield from _with_answer(question, one, parse, most)
    return sentence, tuple(sure)


def understood_part(
    question: Question, parse: Parse
) -> Generator[Need, Any, tuple[tuple[str, str] | None, tuple[str, ...]]]:
    """Return the longest part that is a whole question, with the text after it, and similar questions."""
    most = MOST + MOST_PER_WORD * parse.end
    whole = with_whole_values(parse)
    near = (yield from _with_answer(question, whole, parse, most)) if whole else ()
    found = longest_part(parse)
    if found is not None:
        text = parse.raw(*found)
        if (yield from _surely_read(question, text, parse)):
            if not near and is_whole(parse, found[1]):
                near = yield from _with_answer(question, text, parse)
            return (text, left_over(parse, found[1])), near
    if near:
        return None, near
    again = respelt(parse)
    return None, (yield from _with_answer(question, again, parse, most)) if again else ()


def _with_answer(
    question: Question, text: str, parse: Parse, most: float = 0.0
) -> Generator[Need, Any, tuple[str, ...]]:
    """Return a text if it is surely read and its program has an answer."""
    program = yield from _surely_read(question, text, parse, most)
    return (text,) if program and has_answer((yield Try(program))) else ()


def _surely_read(question: Question, text: str, parse: Parse, most: float = 0.0) -> Generator[Need, Any, str]:
    """Return the program of a text with one reading that is sure, or one of the cost that is asked for."""
    sure = yield from accepted_programs(question, Parse(tokenize(text), parse.lexicon, parse.now, text), [])
    alone = len(sure) == 1 or (len(sure) > 1 and sure[1].reading.cost >= sure[0].reading.cost + MARGIN)
    is_sure = (alone and sure[0].reading.cost < GUESSED) or (bool(sure) and sure[0].reading.cost < most)
    return sure[0].program if is_sure else ""


_ASKING = words("how many number of what which is are was were the show me give list")


def with_a_measure(p: Parse) -> tuple[str, ...]:
    """Return the text with measures: `hours per ward` -> `total hours per ward`, `average hours per ward`."""
    at = p.past(0, _ASKING)
    numbers = [ref for one, ref in p.fields(at) if ref.is_number and one.cost <= INFLECTED]
    measures = ("average",) if any(map(is_of_each, numbers)) else ("total", "average") if numbers else ()
    return tuple(f"{measure} {p.raw(at, p.end)}" for measure in measures)
