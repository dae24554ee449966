"""Whether something is there, or is so: `with comments`, `without an owner`, `signed`, `not archived`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, either, negation, path, string
from qlc.translator.rules.conditions import list_words, objects_of
from qlc.translator.rules.lexicon.lexemes import ConditionWord, FieldRef, FieldWord, Lexeme
from qlc.translator.rules.modifiers.events import complete, says_what_is_over
from qlc.translator.rules.modifiers.fields import NOBODY_KNOWS, NOT_KNOWN, list_noun
from qlc.translator.rules.modifiers.scope import more_is_said
from qlc.translator.rules.nouns.names import entity_words
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import words

_YES = words("yes true y no false n none unknown")

_RECORDED = words(
    "set assigned attached recorded given known specified entered noted stated value values listed involved"
)

_AT_ALL = words("at all yet whatsoever on them")
_SHOWING = words("including include includes showing show shows")
"""`invoices including the amount` are to be shown with it, whether they have one or not."""
_ANY = english.ARTICLES - words("all every each this these those")
"""What may come before the thing that there is; `every tag` and `these tags` are certain ones."""
_SOMEONE = words("anyone anybody anything someone somebody nobody something")
_OTHERS = words("anyone anybody someone somebody nobody others people")
_NOTHING = words("none no nothing nil")
_AS_YET = words("yet still already ever currently")
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
    for end in p.phrases(at, NOBODY_KNOWS):
        for lexeme, ref in p.fields(p.past(end, words("the their its a an any which what")), p.entity(entity)):
            if ref.within is None and ref.kind is not FieldKind.BOOLEAN:
                yield Found(lexeme.end, tree.Presence(ref.left, True), lexeme.cost + 0.1)
    for lexeme in p.starting(lead.start, FieldWord):
        if lexeme.payload.ref.belongs_to(p.entity(entity)):
            yield from _of_field(p, lead, lexeme, entity)
    for named in p.starting(lead.start, ConditionWord) if lead.asked and lead.missing else ():
        if named.payload.name in objects_of(p.entity(entity)) and complete(p, named.end):
            yield Found(named.end, negation(tree.Bare(path(named.payload.name))), named.cost + 0.05)
    yield from _none_of(p, lead.start, entity, asked=lead.asked, missing=lead.missing)
    yield from _of_lists(p, lead, entity)


def _lead(p: Parse, at: int) -> _Lead:
    at = p.past(at, ("do", "does", "did"))
    word, start = p.word(at), at
    missing, unknown = word in english.LACKING, False
    having = word in english.HAVING - _SHOWING
    if missing or having:
        start = p.past(at + 1, _ANY - {"no"})
        if p.word(start) == "no" and not missing:
            missing, start = True, start + 1
        if p.phrase(start, "not", "any"):
            missing, start = True, start + 2
        if p.word(start) in NOT_KNOWN and not missing:
            missing, start, unknown = True, start + 1, True
    nowhere = p.word(at + 1) in english.PREPOSITIONS and p.word(at + 2) == "any"
    if word in english.NEGATIONS and nowhere:  # `not on any platform`
        missing, start = True, at + 3
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
    if lead.asked and (yes := _said_yes(p, ref)):  # who has answered `no` has none
        said = ref.equals(string(yes))
        yield Found(noun_end, negation(said) if lead.missing else said, lexeme.cost + 0.2)
        return
    end = p.past(noun_end, _RECORDED | _AT_ALL)
    recorded = lead.unknown or any(p.word(i) in _RECORDED for i in range(noun_end, end))
    if lead.asked and not recorded and _said_none(ref) and complete(p, end):
        return
    if ref.kind is FieldKind.BOOLEAN:
        if lead.missing and ref.within is None:
            yield Found(end, ref.equals(tree.Boolean(False)), lexeme.cost + 0.1)
    elif lead.asked and complete(p, end):
        for condition, cost in _having(ref, lead.missing, recorded=recorded):
            yield Found(end, condition, lexeme.cost + cost)
    after = p.past(p.articles(lexeme.end), english.COPULAS)
    if after > lexeme.end and p.word(after) in NOT_KNOWN and complete(p, after + 1):
        yield Found(after + 1, tree.Presence(ref.left, True), lexeme.cost + 0.1)
    elif not lead.asked and lexeme.payload.tail:
        yield from _of_someone(p, lexeme)


def _of_someone(p: Parse, lexeme: Lexeme[FieldWord]) -> Iterator[Found[Condition]]:
    """`approved by someone`, `signed by nobody`, `linked to another document`."""
    ref, end = lexeme.payload.ref, 0
    if p.word(lexeme.end) in ("another", "some") and ref.target is not None:
        kinds = (ref.target, *p.entity(ref.target).kinds)
        end = next((e for one in kinds for e in entity_words(p, lexeme.end + 1, one)), 0)
    if not end:
        if p.word(lexeme.end) not in _SOMEONE:
            return
        end = lexeme.end + 1
    if p.word(end) not in english.PREPOSITIONS | english.RELATIVE_PRONOUNS and not is_participle(p.word(end)):
        yield Found(end, tree.Presence(ref.left, p.word(lexeme.end) == "nobody"), lexeme.cost)


def _of_lists(p: Parse, lead: _Lead, entity: str) -> Iterator[Found[Condition]]:
    """Whether a list has elements: `with comments`, `shared with anyone`."""
    for end, name, tail in list_words(p, lead.start, p.entity(entity)):
        if p.word(end + 1) == "only" or p.word(end + 2) == "only":
            continue  # who else it is not shared with
        whom = end + 1 if p.word(end) == "with" else end
        # `with people` goes on with which
        if p.word(whom) in (_OTHERS if whom == end else _OTHERS - {"people"}):
            missing = lead.missing != (p.word(whom) == "nobody")
            yield Found(whom + 1, tree.Presence(path(name), missing), 0.0)
        done = p.past(end, words("at all on them yet attached whatsoever"))
        if (lead.asked or not tail) and complete(p, done):
            yield Found(done, tree.Presence(path(name), lead.missing), 0.2 if lead.asked else 0.5)


def _said_none(ref: FieldRef) -> str | None:
    """The value of a closed field that says there is nothing, where one does: `none`, `no error`."""
    closed = ref.field.values
    spellings = closed.spellings.items() if closed is not None else ()
    own = ref.phrases
    for spelling, stored in spellings:
        first, *rest = spelling.casefold().split() or [""]
        if first in _NOTHING and (not rest or tuple(rest) in own):
            return closed.label(stored) if closed is not None else None
    return None


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
    if _is_an_amount(ref):
        yield either((presence, zero)) if missing else zero, 0.3
    else:
        yield presence, 0.3
        yield zero, 0.5


def _is_an_amount(ref: FieldRef) -> bool:
    """Whether zero of it is nothing: money, a part, a time, a size, or a count, which is called in the plural."""
    plural = any(word.endswith("s") and not word.endswith("ss") for word in (ref.field.name, *ref.field.words))
    counted = ref.kind is FieldKind.WHOLE_NUMBER and plural
    return ref.field.shown_unit is not None or ref.field.unit_field is not None or counted


def _none_of(p: Parse, at: int, entity: str, *, asked: bool, missing: bool) -> Iterator[Found[Condition]]:
    """`folders without subfolders`, `that have no documents`: what a field counts is none."""
    if not asked or not p.word(at).isalpha() or p.word(at - 1) in words("including include includes"):
        return
    for ref in p.lexicon.counting(p.word(at)):
        if ref.belongs_to(p.entity(entity)) and ref.is_number:
            end = p.past(at + 1, words("at all directly right immediately in them it inside"))
            if complete(p, end) and (end > at + 1 or not more_is_said(p, end)):
                none = ref.compared("=" if missing else ">", tree.Number(0, "0"))
                yield Found(end, none, 0.15)


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
    for one in denied_adjective(p, at, entity):
        yield Found(one.end, one.value[1], one.cost)


def split_flag(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A flag that is called after a thing and what is said of it, in other words: `whose fee is not paid`, `with
    incomplete documents`, `suspected of fraud`, `out of warranty`."""
    start = p.past(at, english.RELATIVE_PRONOUNS | english.COPULAS | words("where whose")) if p.lexicon.flags else at
    for ref, noun, said in p.lexicon.flags:
        if not ref.belongs_to(p.entity(entity)):
            continue
        for end, so in _said_of(p, start, noun, said) if said else _with_or_without(p, start, noun):
            yield Found(end, ref.equals(tree.Boolean(so)), 0.1)


def _said_of(p: Parse, at: int, noun: tuple[str, ...], said: str) -> Iterator[tuple[int, bool]]:
    """The ends of the words that say it of the thing, and whether they do."""
    start = p.past(at, english.ARTICLES | {"with"})
    if (after := _stems_at(p, start, noun)) is not None:
        last = p.past(after, english.COPULAS | english.AUXILIARIES | english.NEGATIONS | _AS_YET)
        denied = any(p.word(i) in english.NEGATIONS for i in range(after, last))
        if last > after and (so := _says(p.word(last), said)) is not None:
            yield last + 1, so != denied
    if (so := _says(p.word(start), said)) is not None:
        of = p.past(start + 1, words("of for by with the a an"))
        end = _stems_at(p, of, noun)
        if end is not None:
            yield end, so


def _says(word: str, said: str) -> bool | None:
    """Whether a word says what is said of something, or its opposite; None where it says neither."""
    if stem(word) == said:
        return True
    return False if any(word.startswith(no) and stem(word[len(no):]) == said for no in _DENYING) else None


def _with_or_without(p: Parse, at: int, noun: tuple[str, ...]) -> Iterator[tuple[int, bool]]:
    lacking = p.phrase(at, "out", "of") or (at + 1 if p.word(at) in english.LACKING else None)
    having = at + 1 if p.word(at) in english.HAVING else None
    for start, so in ((lacking, False), (having, True)):
        if start is not None and (end := _stems_at(p, p.articles(start), noun)) is not None:
            yield end, so


def _stems_at(p: Parse, at: int, sought: tuple[str, ...]) -> int | None:
    found = all(stem(p.word(at + i)) == one for i, one in enumerate(sought))
    return at + len(sought) if found else None


def _is_another_thing(p: Parse, start: int, end: int) -> bool:
    """Whether a state is said as a noun, and not of the things themselves: `contracts with copies`, `copies of it`."""
    is_noun = end == start + 1 and p.plural(end)
    return is_noun and (not start or p.word(start - 1) in english.HAVING or p.word(end) == "of")


def opposite(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`not finished`, after the `not`, where the catalog says what is `unfinished`."""
    for name in p.entity(entity).conditions:
        if name == f"un{p.word(at)}":
            yield Found(at + 1, tree.Bare(path(name)), 0.0)


def denied_adjective(p: Parse, at: int, entity: str) -> Iterator[Found[tuple[FieldRef, Condition]]]:
    """`unsigned`, `non-confidential`, `inactive`; what nobody did yet: `unsettled`, `unassigned`."""
    word = p.word(at)
    rest = word[2:] if word.startswith(_DENYING) and len(word) > 4 else ""
    own = [ref for ref in p.lexicon.fields() if ref.within is None and ref.belongs_to(p.entity(entity))] if rest else []
    said = False
    for ref in own:
        spoken = (ref.field.name, *ref.field.words)
        if ref.kind is FieldKind.BOOLEAN and any(stem(rest) == stem(one.casefold()) for one in spoken):
            yield Found(at + 1, (ref, ref.equals(tree.Boolean(False))), 0.1)
            said = True
    if not word.startswith("un") or not is_participle(rest) or said or any(one.end == at + 1 for one in p.lexemes[at]):
        return
    for ref in own:
        many = ref.field.many is True and ref.path in {one.path for one in p.lexicon.called((rest,))}
        if many or _says_that_it_was_done(ref, stem(rest)):  # `untagged`: without any
            yield Found(at + 1, (ref, tree.Presence(ref.left, True)), 0.1)


def _says_that_it_was_done(ref: FieldRef, verb: str) -> bool:
    """Whether a field is when something was done, or by whom: `settled`, `acknowledged by`, `assigned to`."""
    for first, *rest in ref.phrases:
        if not is_participle(first) or stem(first) != verb:
            continue
        if ref.kind is FieldKind.DATE and (not rest or rest in (["on"], ["at"], ["date"])):
            return True
        if ref.kind is FieldKind.KEYWORD and rest in (["by"], ["to"]):
            return True
    return False


def _said_yes(p: Parse, ref: FieldRef) -> str | None:
    """How a key of a list, or a field, says that something is so, where it tells no more than whether it is."""
    many = ref.within
    keyed = many is not None and many.key is not None
    found = p.lexicon.values.keys.get(many.name, {}).get(ref.path[-1], ()) if many is not None and keyed else ()
    if not keyed:
        found = tuple(ref.field.values.display) if ref.field.values is not None else ()
    if not found or not all(one.casefold() in _YES for one in found):
        return None
    return next((one for one in found if one.casefold() in ("yes", "true", "y")), None)


RULES = (named_condition, presence, split_flag)
