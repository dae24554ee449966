"""The forms of a follow-up: each reads the rest of a text as a change of an earlier program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, mapped
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.complement import which_are_not
from qlc.translator.follow_ups.content import Content, Meaning, surely
from qlc.translator.follow_ups.dropping import dropping, forgotten
from qlc.translator.follow_ups.editing import field_of, slot_of, without_those
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.merging import joined
from qlc.translator.follow_ups.one_thing import (
    another_field,
    shown,
)
from qlc.translator.follow_ups.ordering import first_of_those, limited, reordered
from qlc.translator.follow_ups.replacing import replaced_bounds, replaced_values, says_no_year
from qlc.translator.follow_ups.reshaping import (
    counted_again,
    grouped,
    listed_again,
    measured_again,
)
from qlc.translator.rules.build import both, compare, negation, parts
from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.place import with_all_below
from qlc.translator.rules.nouns.names import hierarchical
from qlc.translator.rules.nouns.noun_phrases import THOSE, noun_phrase
from qlc.translator.rules.questions.forms import FORMS, finished, narrowed
from qlc.translator.rules.words.tokens import TokenKind


def phrased(content: Content) -> Iterator[Meaning]:
    """The changes that are said in phrases, whatever their pronouns point to."""
    yield from shown(content)
    yield from _read(_PHRASED, content)


def refinements(content: Content) -> Iterator[Meaning]:
    """The changes by values, fields and names, which pronouns can stand for."""
    yield from _read(_FORMS, content)
    for read in _OF_THE_LAST:
        yield from read(content)


def _read(forms: Sequence[Form], content: Content) -> Iterator[Meaning]:
    base = content.base
    for read, modes in forms if base is not None else ():
        if content.said.mode in modes and base is not None:
            yield from read(content, base)


def statements(content: Content) -> Iterator[tuple[Statement, float]]:
    """What the rules of whole questions read; those spoken of before are left as their mark."""
    for form in FORMS:
        if form is narrowed:
            continue
        for one in form(content.p, content.at):
            if finished(content.p, one.end):
                yield one.value, one.cost


def of_another_kind(c: Content, base: Base) -> Iterator[Meaning]:
    """`the folders instead`, `include folders as well`, `what about folders?`"""
    if not c.said.cued:
        return
    p = c.p
    for lexeme in p.starting(p.articles(c.at), EntityWord):
        name = lexeme.payload.entity
        entity = p.entity(name)
        if entity.virtual or name == base.entity.name or not finished(p, lexeme.end):
            continue
        if p.word(lexeme.start).startswith("sub") and any(True for _ in below_too(c, base)):
            continue  # "including subfolders" says how deep
        found = tree.Find(tree.Name(entity.plural))
        ways = tuple(joined(found, base, c.said, c.schema))
        if ways:
            yield Meaning(ways, lexeme.cost)


def below_too(c: Content, base: Base) -> Iterator[Meaning]:
    """`including subfolders`, `and everything below`, `what about the subfolders?`"""
    p, before = c.p, base.statement
    for ref in hierarchical(base.entity):
        inside = [one for one in parts(before.where) if isinstance(one, tree.Comparison) and one.operator in ("=", "in")
                  and slot_of(one, base.entity) == ref.path]  # fmt: skip
        if len(inside) != 1:
            continue
        levels = [one.end for one in p.starting(p.articles(c.at), EntityWord) if c.said.mode in ("add", "replace")
                  and one.payload.entity == ref.target and p.word(one.start).startswith("sub")]  # fmt: skip
        for start in range(c.at + 1):
            for end in (*with_all_below(p, start, ref.target or ""), *levels):
                if finished(p, p.past(end, english.BELOW_TOO)):
                    old = inside[0]
                    assert isinstance(old, tree.Comparison)
                    new = compare(old.left, "under" if old.operator == "=" else "under in", old.right)
                    where = both(*(new if one == old else one for one in parts(before.where)))
                    yield surely(replace(before, where=where))
                    return


def left_out(c: Content, base: Base) -> Iterator[Meaning]:
    """`not the drafts`, `except Dana's`, `without Asia`."""
    p, entity = c.p, base.entity
    if p.word(c.at) == "to":
        return  # "skip to page 4" goes somewhere
    found: list[tuple[Condition, float]] = []
    for one in noun_phrase(p, c.at):
        phrase = one.value
        if finished(p, one.end) and phrase.entity == entity.name and phrase.fixed is None and phrase.limit is None:
            where = without_those(phrase.where)
            if where is not None and not phrase.sort:
                found.append((where, one.cost))
    found += [(one.value, one.cost) for one in modifiers(p, c.at, entity.name) if finished(p, one.end)]
    for condition, cost in found:
        if _is_only_a_name(condition, c, base):
            continue
        if p.word(c.at - 1) == "without" and set(parts(condition)) <= set(parts(base.statement.where)):
            yield dropping(base.statement, list(parts(condition)), entity, cost)  # nothing would be left
            continue
        denied = tree.Not(condition) if isinstance(condition, tree.And) else negation(condition)
        said = replace(c.said, mode="narrow")
        ways = tuple(joined(in_the_year(_like(base, denied), c), base, said, c.schema))
        if ways:
            yield Meaning(ways, cost)


def _is_only_a_name(condition: Condition, c: Content, base: Base) -> bool:
    """`without the notes`: written as a noun is, it is hardly the folder that happens to be called so; `the copies`,
    which the catalog says what they are, are no name."""
    if isinstance(condition, tree.Bare):
        return False
    slot = slot_of(condition, base.entity)
    field = base.entity.fields.get(slot[-1]) if slot is not None else None
    target = c.schema.entities[field.reference.entity] if field is not None and field.reference is not None else None
    said = c.p.tokens[c.p.articles(c.at) : c.p.end]
    is_noun = len(said) == 1 and said[0].kind is TokenKind.WORD and said[0].raw.islower()
    return target is not None and not target.virtual and is_noun


def _like(base: Base, condition: Condition) -> tree.Find:
    return tree.Find(tree.Name(base.entity.plural), both(THOSE, condition))


def in_the_year(statement: Statement, c: Content) -> Statement:
    """`only March`, after a list of one year: the March of that year; `February`, after one of its months."""
    if c.base is None or not says_no_year(c.p, c.at):
        return statement
    dated = [one.right for one in parts(c.base.statement.where)
             if isinstance(one, tree.Comparison) and one.operator == "=" and _is_date(one, c.base.entity)]  # fmt: skip
    years = {str(one.value) if isinstance(one, tree.Number) else one.text[:4] for one in dated
             if isinstance(one, tree.Number | tree.DateLiteral)}  # fmt: skip
    if len(years) != 1:
        return statement
    year = years.pop()

    def moved(one: tree.Node) -> tree.Node | None:
        return tree.DateLiteral(year + one.text[4:]) if isinstance(one, tree.DateLiteral) else None

    return mapped(statement, moved)


def _is_date(condition: Condition, entity: Entity) -> bool:
    left = condition.left if isinstance(condition, tree.Comparison) else None
    field = field_of(entity, left) if isinstance(left, tree.Path) else None
    return field is not None and field.kind is FieldKind.DATE


def another_value(c: Content) -> Iterator[Meaning]:
    """`what about Staples?`, `make that 2024`, `same for Ann`, `and the second?`, `or Ann`; `under 300` by itself."""
    if c.said.mode not in ("", "replace", "add"):
        return
    if not c.said.cued:
        for found, cost in replaced_bounds(c.p, c.at, c.base, c.schema):
            yield Meaning((found,), cost)
        return
    further = c.said.goes_on and not c.said.mode
    widen = c.said.mode == "add"
    for found, cost in replaced_values(c.p, c.at, c.base, c.last, c.schema, widen=widen, further=further):
        yield Meaning((found,), cost)


Form = tuple[Callable[[Content, Base], Iterator[Meaning]], tuple[Mode, ...]]
"""How a change of a search is read, and after which beginnings it can be said."""

_PLAIN: tuple[Mode, ...] = ("", "narrow")
_ANY: tuple[Mode, ...] = ("", "narrow", "replace", "add", "leave out", "drop")

_PHRASED: tuple[Form, ...] = (
    (counted_again, _PLAIN),
    (listed_again, _PLAIN),
    (grouped, (*_PLAIN, "replace", "add")),
    (measured_again, (*_PLAIN, "replace")),
    (which_are_not, (*_PLAIN, "leave out")),
    (limited, (*_PLAIN, "replace")),
    (reordered, _PLAIN),
    (first_of_those, _PLAIN),
    (of_another_kind, (*_PLAIN, "replace", "add")),
    (below_too, (*_PLAIN, "replace", "add")),
)

_FORMS: tuple[Form, ...] = ((left_out, ("leave out",)), (forgotten, ("drop",)))

_OF_THE_LAST = (another_field, another_value)
"""What changes a question about one thing as well, which is no search for several."""
