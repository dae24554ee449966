"""Catalog help as a translator: it answers questions about what can be asked, and leaves all others to the next."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from qlc.mapping.fields import FieldKind
from qlc.outcome import Explain, ValueOut
from qlc.translator.catalog_help.texts import PAGES, Handbook, Help
from qlc.translator.protocol import Explained, Need, Question, Step, Translating, Translator, Try
from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    ConditionWord,
    EntityWord,
    FieldWord,
    Lexeme,
    ListWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.translator import RuleTranslator
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import Phrases, phrases, words


@dataclass(frozen=True, slots=True)
class Overview:
    """A question for everything that can be asked: `what can I ask?`."""


@dataclass(frozen=True, slots=True)
class HowToPage:
    """How do I see more?"""


@dataclass(frozen=True, slots=True)
class FieldsOf:
    """A question for fields: `which fields do contracts have?`. Without a `thing` it asks for all fields."""

    thing: EntityWord | ValueWord | ListWord | None


@dataclass(frozen=True, slots=True)
class MeaningOf:
    """A question for a meaning: `what is a relationship id?`, `what can the status be?`."""

    thing: Payload


Asked = Overview | HowToPage | FieldsOf | MeaningOf
_AROUND = words("please pls here exactly anyway again then , . ! ?")
_OVERVIEWS = phrases(
    "help [me] | show help | i need [some] help | can you help [me] | what can i (ask [you | for | about] | search "
    "[for] | find | look for | query | say | do) | what could i ask | what can you (do [for me] | find | tell me | "
    "answer) | what do you know [about] | what are you able to do | (what | which | what (kind | kinds | sort) of) "
    "questions can i ask | how does this work | how do i (use this | ask | search) | how can i (ask | search) | what "
    "data (is there | do you have | have you got) | what (do you have | have you got) | what is in (this | the) (index "
    "| data) | what is this (data | index) | what is possible | give me an example | (give | show) me [some] examples "
    "| [what are some] example questions"
)
_PAGES = phrases(
    "(how | where) (do | can | could) (i | we | you) (page | scroll | (see | get | show | list | view | find | load) "
    "[me] (more | the rest | the others | all of them | [the] (next | other | more) (page | ones | results | pages | "
    "hits)) | (go | get) to [the] (next | previous | other) page | (go | page) (back | forward | on) | (turn | change) "
    "[the] (page | page size | size of [a | the] page)) | how does paging work | how do pages work"
)
_FIELD_NOUNS = words(
    "field fields attribute attributes property properties column columns detail details metadata filter filters "
    "criterion criteria"
)
_PLAIN_NOUNS = words("fields attributes properties columns")
_FIELD_QUESTIONS = phrases(
    "(what | which) [are the] | list [all] [the] | show [[me [all]] [the]] | (name | tell me | give me) the"
)
_OF = phrases("do | does | of | for | on | are there for | are there of | are there on | are there in | exist for | "
              "can i use for | can i use with | are known of | are known for | are stored for | are stored of | "
              "are available for | i can use for | there are for | have you got for | do you have for | "
              "do you know of")  # fmt: skip
_NO_THING = phrases("are there | do you have | have you got | exist | are available | can i use | can i filter by | "
                    "can i search by | can i sort by | can i group by | can i ask about | can i ask for | "
                    "can i filter on | can i search | can be searched | can be used | there are")  # fmt: skip
_ABOUT_THING = phrases(
    "what can i (ask (about | of) | filter | sort | group) | what do you know about | what can you tell me about | "
    "what is known (about | of) | what is stored (about | for) | how can i (filter | search [for] | ask for) | how do "
    "i (search | ask) for"
)
_AFTER_THING = words("have by with on")
_MEANINGS = phrases(
    "define | explain [the (word | field)] | [what is] the (meaning | definition) of | what is meant by | what do you "
    "mean (by | with) | what is the (field | attribute | property | column) | what does the (field | word)"
)
_IS = phrases("what is | what are | what 's")
_VALUES = phrases(
    "(what | which) values (can | does | may) | what can | [what are the | the] (possible | allowed) values of | [what "
    "are the] (possible | allowed) values for | [what are the] valid values (of | for) | (what | which) values are "
    "(allowed | possible) for | what options are there for | what are the options for"
)
_VALUE_ENDS = words("have be take hold contain values value")


def asks_for_help(text: str) -> bool:
    """Return whether a text asks what can be asked, and nothing else: `what can I ask?`."""
    said = [one for one in re.findall(r"\w+", text.lower()) if one not in _AROUND]
    return tuple(said) in _OVERVIEWS.sequences


def asked(p: Parse, *, follows: bool) -> Asked | None:
    """Read a question about the catalog: `which fields are there?`; None for a request for data."""
    start = p.past(0, english.POLITE | _AROUND)
    end = p.end
    while end > start and p.word(end - 1) in _AROUND:
        end -= 1
    if any(stop == end for stop in p.phrases(start, _spoken(_OVERVIEWS))):
        return Overview()
    if any(stop == end for stop in p.phrases(start, _PAGES)):
        return HowToPage()
    readers = (_fields, _values, _meaning) if not follows else (_fields, _values, _explained, _of_a_kind)
    return next((found for reader in readers for found in reader(p, start, end)), None)


def _fields(p: Parse, start: int, end: int) -> Iterator[FieldsOf]:
    for at in p.phrases(start, _spoken(_ABOUT_THING)):
        yield from (FieldsOf(thing) for thing in _things(p, at, _before(p, end, _AFTER_THING)))
    for at in (start, *p.phrases(start, _FIELD_QUESTIONS)):
        noun = p.past(at, words("possible available known searchable other"))
        if p.word(noun) not in _FIELD_NOUNS or any(True for _ in p.starting(noun, EntityWord)):
            continue
        after = noun + 1
        alone = after == end and at > start and p.word(noun) in _PLAIN_NOUNS
        if alone or any(stop == end for stop in p.phrases(after, _NO_THING)):
            yield FieldsOf(None)
        for of in p.phrases(after, _OF):
            yield from (FieldsOf(thing) for thing in _things(p, of, _before(p, end, _AFTER_THING)))
        if p.word(end - 1) == "have":
            yield from (FieldsOf(thing) for thing in _things(p, after, end - 1))


def _values(p: Parse, start: int, end: int) -> Iterator[MeaningOf]:
    for at in p.phrases(start, _spoken(_VALUES)):
        stop = _before(p, end, _VALUE_ENDS)
        if p.word(start) in ("what", "which") and p.word(at - 1) in words("can may does") and stop == end:
            continue
        for one in _whole(p, p.past(at, english.ARTICLES), stop):
            if isinstance(one.payload, FieldWord):
                yield MeaningOf(one.payload)


def _meaning(p: Parse, start: int, end: int) -> Iterator[MeaningOf]:
    yield from _explained(p, start, end)
    for at in p.phrases(start, _IS):
        article = p.word(at) in ("a", "an")
        yield from (MeaningOf(one.payload) for one in _whole(p, at + article, end) if article or _is_a_noun(p, one))


def _of_a_kind(p: Parse, start: int, end: int) -> Iterator[MeaningOf]:
    """`what is a relationship id?`: with that article it is nothing that was found before."""
    for at in p.phrases(start, _IS):
        if p.word(at) in ("a", "an"):
            yield from (MeaningOf(one.payload) for one in _whole(p, at + 1, end))


def _explained(p: Parse, start: int, end: int) -> Iterator[MeaningOf]:
    """Read wordings that ask for a meaning even after an earlier turn: `what does NDA mean`."""
    for at in p.phrases(start, _spoken(_MEANINGS)):
        stop = _before(p, end, words("mean stand for"))
        yield from (MeaningOf(one.payload) for one in _whole(p, p.past(at, english.ARTICLES), stop))
    for at in (end_of for opening in ("does", "do") if (end_of := p.phrase(start, "what", opening)) is not None):
        stop = _before(p, end, words("mean stand for"))
        if stop < end:
            yield from (MeaningOf(one.payload) for one in _whole(p, p.past(at, english.ARTICLES), stop))
    for at in p.phrases(start, phrases("what is the | what 's the | what is")):
        if p.word(end - 1) in words("field attribute property column") or p.phrase(end - 2, "field", "for"):
            stop = _before(p, _before(p, end, words("for")), _FIELD_NOUNS)
            yield from (MeaningOf(one.payload) for one in _whole(p, at, stop))


def _is_a_noun(p: Parse, one: Lexeme[Payload]) -> bool:
    """Without an article "what is overdue" asks for documents: only names of fields and things are asked about so."""
    match one.payload:
        case EntityWord():
            return p.plural(one.end)
        case ListWord(name=name):
            return p.word(one.start) == name
        case FieldWord(ref=ref):
            plain = ref.path[-1].replace("_", " ") == p.raw(one.start, one.end).lower()
            return plain and ref.kind not in (FieldKind.BOOLEAN, FieldKind.DATE)
        case _:
            return False


def _things(p: Parse, at: int, end: int) -> Iterator[EntityWord | ValueWord | ListWord]:
    for one in _whole(p, p.past(at, english.ARTICLES), end):
        thing = one.payload
        if isinstance(thing, EntityWord | ListWord) or (isinstance(thing, ValueWord) and thing.closed):
            yield thing


def _whole(p: Parse, at: int, end: int) -> Iterator[Lexeme[Payload]]:
    """Yield the catalog entries that exactly these tokens stand for, surest first."""
    if at >= end or at >= p.end:
        return
    known = [one for one in p.lexemes[at] if one.end == end and one.cost <= INFLECTED + 0.01]
    kinds = (EntityWord, ListWord, FieldWord, ConditionWord, ValueWord)
    yield from sorted(
        (one for one in known if isinstance(one.payload, kinds)),
        key=lambda one: (one.cost, next(n for n, kind in enumerate(kinds) if isinstance(one.payload, kind))),
    )


def _before(p: Parse, end: int, after: frozenset[str]) -> int:
    while end and p.word(end - 1) in after:
        end -= 1
    return end


@lru_cache
def _spoken(table: Phrases) -> Phrases:
    """The phrases, also with `what's` for `what is`."""
    return table + Phrases(lambda: tuple(("what", "'s", *one[2:]) for one in table if one[:2] == ("what", "is")))


class CatalogHelpTranslator:
    """Answers from the catalog with the lexicon of `rules`; leaves what asks for the data to `then`."""

    def __init__(self, rules: RuleTranslator, then: Translator | None = None) -> None:
        self.rules = rules
        self.then = then or rules

    def forget(self) -> None:
        self.rules.forget()

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        parse = yield from self.rules.parsed(question)
        what = asked(parse, follows=bool(question.history))
        if what is None:
            # In a conversation other words are read than those that were said.
            known = replace(question, parse=None if question.history else parse)
            return (yield from self.then.translate(known, steps))
        steps.append(Step("catalog help", type(what).__name__))
        said = yield from _answer(Handbook(parse.lexicon), what)
        return Explained(Explain(message=said.message, about="help", notes=list(said.notes),
                                 suggestions=list(said.suggestions)))


def _answer(book: Handbook, what: Asked) -> Generator[Need, Any, Help]:
    match what:
        case Overview():
            return book.overview()
        case HowToPage():
            return PAGES
        case FieldsOf(thing=ValueWord() as kind):
            return book.fields_of(kind, (yield from _filled(book, kind)))
        case FieldsOf(thing=thing):
            return book.fields_of(thing)
        case MeaningOf(thing=thing):
            return book.meaning_of(thing)


def _filled(book: Handbook, kind: ValueWord) -> Generator[Need, Any, frozenset[str] | None]:
    """The fields that some document of this kind has; None where that was not counted."""
    entity, measures = book.asks_what_is_filled(kind)
    where = book.where(kind.ref, kind.text)
    outcome = yield Try(f"{', '.join(measures.values())} of {entity.plural} where {where}")
    value = outcome.value if isinstance(outcome, ValueOut) else None
    if not isinstance(value, dict):
        return None
    return frozenset(name for name, measure in measures.items() if value.get(measure))
