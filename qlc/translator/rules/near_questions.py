"""Suggest a question that is near to one that is not understood: a part of it, or its words spelt otherwise."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from qlc.outcome import has_answer
from qlc.translator.protocol import Need, Question, Try
from qlc.translator.rules.conditions import is_of_each
from qlc.translator.rules.lexicon.lexemes import INFLECTED, ValueWord
from qlc.translator.rules.lexicon.spelling import respelt
from qlc.translator.rules.list_sizes import not_counted
from qlc.translator.rules.nouns.degrees import has_no_measure
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.programs import GUESSED, MARGIN, MOST, MOST_PER_WORD, accepted_programs
from qlc.translator.rules.questions.forms import FORMS, beginnings
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS, means_something
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind, tokenize

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
