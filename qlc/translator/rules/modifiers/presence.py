"""Whether something is there, or is so: `with comments`, `without an owner`, `signed`, `not archived`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import objects_of
from qlc.translator.rules.lexicon.lexemes import ConditionWord, FieldRef, FieldWord, Lexeme
from qlc.translator.rules.modifiers.events import complete, says_what_is_over
from qlc.translator.rules.modifiers.fields import list_noun
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import words

_RECORDED = words(
    "set assigned attached recorded given known specified entered noted stated value values listed involved"
)

_AT_ALL = words("at all yet whatsoever on them")
_SHOWING = words("including include includes showing show shows")
"""`invoices including the amount` are to be shown with it, whether they have one or not."""
_ANY = english.ARTICLES - words("all every each this these those")
"""What may come before the thing that there is; `every tag` and `these tags` are certain ones."""
_OTHERS = words("anyone anybody someone somebody nobody others people")
_NOTHING = words("none no nothing nil")
_DENYING = ("un", "in", "im", "ir", "il")


@dataclass(frozen=True, slots=True)
class _Lead:
    """What is said before the thing that there is or is not."""

    at: int
    #: where the thing begins
    start: int
    missing: bool
    #: `with no known owner`
    unknown: bool
    #: `with`, `has`, `without`, `no`: whether there is one is what is asked
    asked: bool


def presence(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`with a description`, `without a category`, `that have comments`, `with no tags`, `not shared with anyone`."""
    lead = _lead(p, at)
    for lexeme in p.starting(lead.start, FieldWord):
        if lexeme.payload.ref.belongs_to(p.entity(entity)):
            yield from _of_field(p, lead, lexeme, entity)


def _lead(p: Parse, at: int) -> _Lead:
    at = p.past(at, ("do", "does", "did"))
    word, start = p.word(at), at
    missing, unknown = word in english.LACKING, False
    having = word in english.HAVING - _SHOWING
    if missing or having:
        start = p.past(at + 1, _ANY - {"no"})
        if p.word(start) == "no" and not missing:
            missing, start = True, start + 1
    start = p.past(start, _ANY | {"set", "assigned", "both", "either"})
    return _Lead(at, start, missing, unknown, asked=missing or having)


def _of_field(p: Parse, lead: _Lead, lexeme: Lexeme[FieldWord], entity: str) -> Iterator[Found[Condition]]:
    """Whether a field has a value; what says so by a value of its own, or by its day, is read as that."""
    ref = lexeme.payload.ref
    if ref.path[0] == p.entity(entity).parent and not lead.missing:
        return  # everything lies somewhere
    if lead.start > lead.at and says_what_is_over(p, lead.start, lexeme.end, ref):
        if complete(p, lexeme.end):
            yield Found(lexeme.end, ref.compared("<", tree.Day("today")), lexeme.cost + 0.1)
        return
    noun_end = list_noun(p, lexeme.end, ref)
    end = p.past(noun_end, _RECORDED | _AT_ALL)
    recorded = lead.unknown or any(p.word(i) in _RECORDED for i in range(noun_end, end))
    if ref.kind is FieldKind.BOOLEAN:
        if lead.missing and ref.within is None:
            yield Found(end, ref.equals(tree.Boolean(False)), lexeme.cost + 0.1)
    elif lead.asked and complete(p, end):
        for condition, cost in _having(ref, lead.missing, recorded=recorded):
            yield Found(end, condition, lexeme.cost + cost)
    p.past(p.articles(lexeme.end), english.COPULAS)


def _having(ref: FieldRef, missing: bool, *, recorded: bool) -> Iterator[tuple[Condition, float]]:
    """Whether there is a value. None of what is counted or paid is also zero: `without a discount`, `no reminders`.

    What is `recorded` or `known` is a value, whichever it is.
    """
    left = ref.left
    presence = tree.Presence(left, missing)
    if not ref.is_number or recorded:
        yield presence, 0.3
        return
    zero = compare(left, "=" if missing else ">", tree.Number(0, "0"))
    yield presence, 0.3
    yield zero, 0.5


def named_condition(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A condition that the catalog names, or a boolean field: `overdue`, `signed`, `with a pci flag`."""
    start = p.past(
        at,
        english.ARTICLES
        | words("with under has have had having marked as flagged are is on for went go goes to into whose where"),
    )
    for begin in {at, start}:
        for named in p.starting(begin, ConditionWord):
            own, name = p.entity(entity), named.payload.name
            is_had = name in objects_of(own) and p.word(begin - 1) in english.HAVING
            if name in own.conditions and (is_had or not _is_another_thing(p, named.start, named.end)):
                yield Found(named.end, tree.Bare(path(name)), named.cost + 0.05)
        for lexeme, ref in p.fields(begin, p.entity(entity)):
            if ref.kind is FieldKind.BOOLEAN and ref.within is None:
                yield Found(lexeme.end, ref.equals(tree.Boolean(True)), lexeme.cost + 0.1)


def _says(word: str, said: str) -> bool | None:
    """Whether a word says what is said of something, or its opposite; None where it says neither."""
    if stem(word) == said:
        return True
    return False if any(word.startswith(no) and stem(word[len(no) :]) == said for no in _DENYING) else None


def _is_another_thing(p: Parse, start: int, end: int) -> bool:
    """Whether a state is said as a noun, and not of the things themselves: `contracts with copies`, `copies of it`."""
    is_noun = end == start + 1 and p.plural(end)
    return is_noun and (not start or p.word(start - 1) in english.HAVING or p.word(end) == "of")


def opposite(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`not finished`, after the `not`, where the catalog says what is `unfinished`."""
    for name in p.entity(entity).conditions:
        if name == f"un{p.word(at)}":
            yield Found(at + 1, tree.Bare(path(name)), 0.0)


RULES = (named_condition, presence)
