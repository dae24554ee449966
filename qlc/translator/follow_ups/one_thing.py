"""What is asked of the one thing that was spoken of last: `and the size?`, `who is the owner?`, `by whom?`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from qlc.grammar import parse, print_program, tree
from qlc.grammar.printer import print_condition
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, alone, surely
from qlc.translator.follow_ups.editing import field_of, slot_of
from qlc.translator.follow_ups.history import FROM_CONDITION, Base, Earlier, nth, things
from qlc.translator.follow_ups.merging import Joined
from qlc.translator.follow_ups.placeholders import is_found_by_a_query, with_the_query
from qlc.translator.in_words import condition_in_words
from qlc.translator.protocol import Translated
from qlc.translator.rules.build import both, compare, lookup, member, parts, string
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldWord, ThingWord, has_field
from qlc.translator.rules.quantities.numbers import ordinal
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import words


def another_field(c: Content) -> Iterator[Meaning]:
    """`and the size?`, `who is the owner?`: of the one thing that was spoken of last."""
    thing = one_thing(c.last)
    start = c.p.past(c.at, plain.ARTICLES | _ASKING_OF_IT)
    asks = any(c.p.word(at) in _ASKING_OF_IT for at in range(start))
    goes_on = c.said.cued and c.last is not None and c.last.kind != "hits"  # after a list, "and signed" narrows it
    if thing is None or c.said.mode not in ("", "replace") or not (goes_on or asks):
        return
    entity = c.schema.entities.get(thing.entity.text)
    for lexeme in c.p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        if entity is not None and has_field(entity, ref) and ref.within is None and finished(c.p, lexeme.end):
            found = member(thing, *ref.path)
            if isinstance(found, tree.Member) and not lexeme.payload.tail:
                yield alone(tree.Get((found,)), lexeme.cost)


_ASKING_OF_IT = words("what who when which is 's was are it its")


def one_thing(last: Earlier | None) -> tree.EntityLookup | None:
    """The one thing whose property was asked for, or that was all that was found."""
    statement = last.program.statement if last is not None and last.program is not None else None
    if isinstance(statement, tree.Get):
        item = statement.items[0]
        base = item.base if isinstance(item, tree.Member) else None
        return base if isinstance(base, tree.EntityLookup) and len(statement.items) == 1 else None
    if last is not None and last.kind == "hits" and last.complete and len(last.ids) == 1:
        return lookup(str(last.turn.outcome.get("entity")), last.ids[0])
    return None


def doers_of_dates(base: Base, schema: Schema) -> list[Field]:
    """The fields that say who did what a search has a date of."""
    slots = {slot_of(one, base.entity) for one in parts(base.statement.where)}
    dates = [one for one in base.entity.fields.values() if one.kind is FieldKind.DATE and (one.name,) in slots]
    return list(dict.fromkeys(one for date in dates for one in doers(base.entity, date, schema)))


def doers(entity: Entity, date: Field, schema: Schema) -> Iterator[Field]:
    """The fields that say who did what a date tells when: `edited by` of `last edited`."""
    verbs = {stem(word) for phrase in (date.name, *date.words) for word in phrase.casefold().split()}
    for one in entity.fields.values():
        target = schema.entities[one.reference.entity] if one.reference is not None else None
        spoken = [phrase.casefold().split() for phrase in one.words]
        said = any(phrase[-1:] == ["by"] and stem(phrase[-2]) in verbs for phrase in spoken if len(phrase) > 1)
        if target is not None and target.virtual and said and date.kind is FieldKind.DATE:
            yield one


# --- shown -----------------------------------------------------------------------------------------------------------

NOT_OPENED = "Nothing can be opened here. This is what is known of it."


def shown(c: Content) -> Iterator[Meaning]:
    """`show it`, after the question who owns a thing; `open the second one`, after a list."""
    p = c.p
    start = p.past(0, plain.POLITE | plain.AND | words("can could would will you i we may let 's want need like to"))
    for end in p.phrases(start, english.SHOWING) if c.at == 0 else ():
        opens = not english.OPENING.isdisjoint(p.word(at) for at in range(start, end))
        for word, after in (*_it(c, end), *_nth(c, end, opens=opens)):
            if not finished(p, p.past(after, words("up to me us for again now please here"))):
                continue
            found = _found(word)
            if found is not None and not c.schema.entities[word.entities[0]].virtual:
                notes = (NOT_OPENED,) if opens else ()
                yield Meaning((Joined(found, notes),), 0.0, changes=False, sure=True)


def _it(c: Content, at: int) -> Iterator[tuple[ThingWord, int]]:
    """`it`, `that`, `that one`, `this document`: what the last turn spoke of, and no turn before."""
    p, ends = c.p, []
    if p.word(at) in ("it", *english.DEMONSTRATIVES):
        ends.append(at + 1)
        ends += [at + 2] if p.word(at) != "it" and p.word(at + 1) in english.ORDINAL_NOUNS | {"thing"} else []
    known = things((c.last,), c.schema) if c.last is not None else []
    for word, cost in known[:1] if ends else ():
        if cost < FROM_CONDITION:
            yield from ((word, end) for end in ends)
            for noun in p.starting(at + 1, EntityWord) if p.word(at) != "it" else ():
                if noun.payload.entity in word.entities and not p.plural(noun.end):
                    yield word, noun.end


def _nth(c: Content, at: int, *, opens: bool) -> Iterator[tuple[ThingWord, int]]:
    """`the second one`, `number 3`, `the first document`."""
    p = c.p
    begin = p.articles(at)
    place = ordinal(p, begin)
    number = int(p.word(begin + 1)) if p.word(begin) in ("number", "#") and p.word(begin + 1).isdecimal() else 0
    if place is not None:
        number, end = place.value, place.end
    elif number:
        end = begin + 2
    else:
        return
    ends = [end + 1] if p.word(end) in english.ORDINAL_NOUNS else [end] if opens else []
    ends += [noun.end for noun in p.starting(end, EntityWord) if opens and not p.plural(noun.end)]
    word = nth(c.earlier, number, c.schema) if ends and len(str(number)) <= LONGEST_PLACE else None
    yield from ((word, one) for one in ends if word is not None)


LONGEST_PLACE = 3
"""Digits of a place in a list."""


def _found(word: ThingWord) -> tree.Find | None:
    found = tree.Find(lookup(word.entities[0], word.text))
    if not is_found_by_a_query(word):
        return found
    query = with_the_query(found)
    return query if isinstance(query, tree.Find) else None


# --- of the only row -------------------------------------------------------------------------------------------------

_WHOSE = re.compile(r"\b(?:their|its|his|her)\b(?!\s*$)", re.IGNORECASE)
_OF_THEM = re.compile(
    r"\s+(?:from|by|with|for|at|to)\s+(?:them|it|him|her|that one|this one|that (?P<noun>\w+)|this (?P<other>\w+))"
    r"(?=\s*(?:[?.!,]|$)|\s+(?:in|from|since|before|after|over|under|above|below|that|which|last|this|are|is|do)\b)",
    re.IGNORECASE,
)
_THEY_HAVE = re.compile(
    r"\b(?:do|does|did) (?:they|it|he|she|that one) have\b|\b(?:they|it) (?:have|has)\b", re.IGNORECASE
)
_OTHERS = re.compile(r"\b(?:they|them|their|theirs|its|it|his|her|him|she|he|those|these|ones|one)\b", re.IGNORECASE)


def asked_of_the_row(text: str, last: Earlier | None, schema: Schema) -> tuple[str, tree.Path, str] | None:
    """The question without its pronoun, and the field and the value of those that it is asked of. None where the last
    answer had not just one row, by a value that names no thing, or the text has no such pronoun."""
    row = _the_row(last, schema)
    if row is None or any(mark in text for mark in '"“”'):
        return None
    for pattern, instead in ((_WHOSE, "the"), (_OF_THEM, ""), (_THEY_HAVE, "are there")):
        plainer, times = pattern.subn(instead, text)
        if times == 1 and not _OTHERS.search(plainer):
            return plainer, *row
    return None


def _the_row(last: Earlier | None, schema: Schema) -> tuple[tree.Path, str] | None:
    """The field and the value of the only row."""
    rows = list(last.turn.outcome.get("rows") or ()) if last is not None and last.kind == "aggregate" else []
    statement = last.program.statement if last is not None and last.program is not None else None
    if not isinstance(statement, tree.Aggregate) or len(statement.groups) != 1 or len(rows) != 1:
        return None
    by, key = statement.groups[0], rows[0].get("key") if isinstance(rows[0], Mapping) else None
    field = field_of(find_entity(schema, statement.entity.text), by.path)
    is_plain = field is not None and field.kind is FieldKind.KEYWORD and field.reference is None and by.function is None
    return (by.path, key) if is_plain and isinstance(key, str) else None


def of_that_value(
    said: Translated, last: Earlier | None, left: tree.Path, value: str, schema: Schema
) -> Translated | None:
    """What was asked, of the things with that value alone. None where it is asked of other things."""
    program = parse(said.program)
    asked = program.statement
    before = last.program.statement if last is not None and last.program is not None else None
    if isinstance(asked, tree.Get) or isinstance(asked.entity, tree.EntityLookup):
        return None
    if not isinstance(before, tree.Aggregate):
        return None
    entity = find_entity(schema, asked.entity.text)
    if entity is None or field_of(entity, left) is None or entity is not find_entity(schema, before.entity.text):
        return None
    own = parts(asked.where)
    if any(isinstance(one, tree.Comparison) and one.left == left for one in own):
        return None
    where = both(*own, compare(left, "=", string(value)))
    changed = print_program(replace(program, statement=replace(asked, where=where)))
    of_the_row = f"Those for which {condition_in_words(compare(left, '=', string(value)))}."
    return replace(said, program=changed, notes=(*said.notes, *([of_the_row] if before.where else ())))


def listed_of_the_row(c: Content, base: Base) -> Iterator[Meaning]:
    """`list those`, after the month in which most were made; `show me theirs`: what the only row counts."""
    asked = c.anywhere(english.LISTING_THOSE, english.THEIRS)
    found = _counted_in_the_row(base.earlier) if asked else None
    if found is not None:
        yield surely(found)


def ones_of_the_row(text: str, last: Earlier | None) -> tuple[str, str] | None:
    """`show me their overdue ones` as `show me the overdue ones`, and the program of those that it is asked of: what
    the only row counts."""
    found = _counted_in_the_row(last) if last is not None else None
    plainer, times = _WHOSE.subn("the", text)
    if found is None or times != 1 or [one.casefold() for one in _OTHERS.findall(plainer)] not in (["ones"], ["one"]):
        return None
    return plainer, print_program(tree.Program((), found))


def _counted_in_the_row(last: Earlier) -> tree.Find | None:
    """The things that the only row of an answer counts."""
    rows = list(last.turn.outcome.get("rows") or ()) if last.kind == "aggregate" else []
    statement = last.program.statement if last.program is not None else None
    if not isinstance(statement, tree.Aggregate) or len(statement.groups) != 1 or len(rows) != 1:
        return None
    by, key = statement.groups[0], rows[0].get("key") if isinstance(rows[0], Mapping) else None
    value = _value_of(by, key) if statement.having is None else None
    if value is None:
        return None
    own = parts(statement.where)
    if isinstance(value, tree.DateLiteral):
        own = tuple(one for one in own if not _is_of_a_year(one, by))  # which the month lies in
    return tree.Find(statement.entity, both(*own, compare(by.path, "=", value)))


def _is_of_a_year(condition: Condition, by: tree.Group) -> bool:
    """Whether a condition is on the date of the groups, and a whole year."""
    if not isinstance(condition, tree.Comparison) or condition.left != by.path or condition.operator != "=":
        return False
    return re.fullmatch(r".* = (?:\d{4}|(?:this|last|next) year)", print_condition(condition)) is not None


def _value_of(by: tree.Group, key: object) -> tree.Value | None:
    """What a group compares with the key of a row."""
    if isinstance(key, Mapping):
        return string(str(key["id"])) if "id" in key and by.function is None else None
    if by.function in ("year", "quarter", "month", "day"):
        return tree.DateLiteral(str(key)) if key is not None else None
    return string(key) if isinstance(key, str) and by.function is None else None
