"""The forms of a follow-up: each reads the rest of a text as a change of an earlier program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, mapped
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.complement import not_with, which_are_not
from qlc.translator.follow_ups.content import Content, Meaning, surely
from qlc.translator.follow_ups.dropping import dropping, forgotten
from qlc.translator.follow_ups.editing import field_of, has_several, replaced_note, slot_of, widened, without_those
from qlc.translator.follow_ups.english import Mode
from qlc.translator.follow_ups.history import Base, Earlier, as_base
from qlc.translator.follow_ups.merging import joined
from qlc.translator.follow_ups.one_thing import (
    another_field,
    doers_of_dates,
    listed_of_the_row,
    shown,
)
from qlc.translator.follow_ups.ordering import another_of_the_order, first_group, first_of_those, limited, reordered
from qlc.translator.follow_ups.replacing import replaced_bounds, replaced_values, says_no_year
from qlc.translator.follow_ups.reshaping import (
    another_share,
    counted_again,
    counted_in_each,
    grouped,
    listed_again,
    measured_again,
)
from qlc.translator.follow_ups.rows import of_these_rows, rows_beyond, rows_in_that_order, total_of_rows
from qlc.translator.rules.build import both, compare, negation, parts, path
from qlc.translator.rules.conditions import fields_for, is_number, quantity_condition
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.place import with_all_below
from qlc.translator.rules.nouns.names import hierarchical, named
from qlc.translator.rules.nouns.noun_phrases import THOSE, noun_phrase
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.questions.forms import FORMS, finished, narrowed
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import words
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


def directly(c: Content, base: Base) -> Iterator[Meaning]:
    """`direct only`, `without subfolders`: what lies in something, and not further below."""
    if c.anywhere(english.DIRECTLY):
        lacks = not {"without", "no"}.isdisjoint(token.text for token in c.p.tokens)  # "folders without subfolders"
        refs = {ref.path for ref in hierarchical(base.entity) if not (lacks and ref.target == base.entity.name)}
        for one in parts(base.statement.where):
            inside = isinstance(one, tree.Comparison) and slot_of(one, base.entity) in refs
            if inside and isinstance(one, tree.Comparison) and one.operator in ("=", "in", "under", "under in"):
                new = replace(one, operator="in" if one.operator.endswith("in") else "=")
                where = both(*(new if part == one else part for part in parts(base.statement.where)))
                yield surely(replace(base.statement, where=where))


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


def done_by(c: Content, base: Base) -> Iterator[Meaning]:
    """`by Tom`, after what was modified last month: he modified it, where that verb has a person as well."""
    p = c.p
    for one in doers_of_dates(base, c.schema) if p.word(c.at) == "by" else ():
        assert one.reference is not None
        for who in named(p, c.at + 1, one.reference.entity):
            if finished(p, who.end):
                own = _like(base, compare(path(one.name), "=", who.value.value))
                ways = tuple(joined(own, base, replace(c.said, mode="narrow"), c.schema))
                if ways:
                    yield Meaning(ways, who.cost)


def of_what_is_so(c: Content, base: Base) -> Iterator[Meaning]:
    """`more than 2 hours`, after what is `delayed`: the number of that name, where it has such a unit."""
    p, entity = c.p, base.entity
    flags = {slot_of(one, entity) for one in parts(base.statement.where)}
    said = {stem(one.name) for one in entity.fields.values() if one.kind is FieldKind.BOOLEAN and (one.name,) in flags}
    for test in quantity_test(p, p.past(c.at, ("by",))):
        fields = fields_for(entity, test.value.amount) if test.value.amount.unit is not None else []
        dimension = {one.field.unit for one in fields}
        for one in entity.fields.values():
            ref = FieldRef((one.name,), one)
            if stem(one.name) in said and one.unit in dimension and is_number(ref) and finished(p, test.end):
                condition = quantity_condition(ref, test.value)
                if condition is not None:
                    ways = tuple(joined(_like(base, condition), base, replace(c.said, mode="narrow"), c.schema))
                    yield Meaning(ways, test.cost, sure=True)


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


def both_of_them(c: Content, base: Base) -> Iterator[Meaning]:
    """`both`, after `invoices from Globex` and `same for Initech`: those of either.

    Of a list it may be those that have both values: nothing says which is meant.
    """
    if len(c.earlier) < 2 or c.earlier[-1] != base.earlier or not c.anywhere(english.BOTH):
        return
    old = _only_other_value(c.earlier[-2], base, c.schema)
    further = len(c.earlier) > 2 and _only_other_value(c.earlier[-3], base, c.schema) is not None
    if old is None or further or has_several(old, base.entity):
        return
    wider = widened(base.statement.where, (old,), base.entity)
    if wider is not None:
        yield surely(replace(base.statement, where=wider.where), 0.0, *wider.notes)


def _only_other_value(earlier: Earlier, base: Base, schema: Schema) -> Condition | None:
    """The one condition of a search in which another one has another value."""
    before = as_base(earlier, schema)
    if before is None or replace(before.statement, where=base.statement.where) != base.statement:
        return None
    old = [one for one in parts(before.statement.where) if one not in parts(base.statement.where)]
    new = [one for one in parts(base.statement.where) if one not in parts(before.statement.where)]
    alike = len(old) == len(new) == 1 and slot_of(old[0], base.entity) == slot_of(new[0], base.entity)
    return old[0] if alike else None


def by_another_date(c: Content, base: Base) -> Iterator[Meaning]:
    """`by due date instead`, `use the creation date`: of the period that another date has."""
    p = c.p
    if base.statement.sort:
        return
    dates = {(one.name,): one for one in base.entity.fields.values() if one.kind is FieldKind.DATE}
    old = [one for one in parts(base.statement.where) if slot_of(one, base.entity) in dates]
    for lexeme in p.starting(p.past(c.at, words("by use the on go with based for")), FieldWord):
        ref = lexeme.payload.ref
        end = p.past(lexeme.end, ("date",))
        if len(old) != 1 or ref.path not in dates or not finished(p, end) or slot_of(old[0], base.entity) == ref.path:
            continue
        match old[0]:
            case tree.Comparison(left=tree.Path()) | tree.Between(left=tree.Path()):
                new: Condition = replace(old[0], left=path(*ref.path))
                where = both(*(new if one == old[0] else one for one in parts(base.statement.where)))
                yield surely(replace(base.statement, where=where), lexeme.cost, replaced_note(old, new))


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
    (listed_of_the_row, _ANY),
    (counted_again, _PLAIN),
    (counted_in_each, _ANY),
    (listed_again, _PLAIN),
    (grouped, (*_PLAIN, "replace", "add")),
    (measured_again, (*_PLAIN, "replace")),
    (another_share, ("", "replace")),
    (which_are_not, (*_PLAIN, "leave out")),
    (rows_beyond, _PLAIN),
    (of_these_rows, ("narrow", "leave out")),
    (total_of_rows, _PLAIN),
    (rows_in_that_order, _PLAIN),
    (limited, (*_PLAIN, "replace")),
    (reordered, _PLAIN),
    (first_of_those, _PLAIN),
    (first_group, _ANY),
    (another_of_the_order, ("", "replace")),
    (of_another_kind, (*_PLAIN, "replace", "add")),
    (below_too, (*_PLAIN, "replace", "add")),
    (directly, _ANY),
)

_FORMS: tuple[Form, ...] = (
    (both_of_them, _PLAIN),
    (by_another_date, ("replace",)),
    (not_with, ("leave out",)),
    (left_out, ("leave out",)),
    (forgotten, ("drop",)),
    (done_by, _PLAIN),
    (of_what_is_so, _PLAIN),
)

_OF_THE_LAST = (another_field, another_value)
"""What changes a question about one thing as well, which is no search for several."""
