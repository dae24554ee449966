"""Meanings of constructions that ask for values of one document."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.base.units import convert, find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import member, name_of
from qlc.translator.rules.conditions import date_fields, default_date
from qlc.translator.rules.constructions.construction import Match
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nested import as_value
from qlc.translator.rules.nouns.degrees import degrees
from qlc.translator.rules.nouns.names import Reference, entity_words, like_a_file, named
from qlc.translator.rules.nouns.noun_phrases import name_cost, noun_phrase, of_reference
from qlc.translator.rules.nouns.references import related
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, stem, words

Fields = tuple[FieldRef, ...]
_NOUNS = words("field fields attribute attributes value values property properties entry column")
"""Generic words for fields."""
_JOINING = words(", and & + / plus also")
_MOST = 5
NEARER = -0.15  # cost of a field whose phrase has all of the words, if they are also fields one by one


@rule
def asked_fields(p: Parse, at: int) -> Iterator[Found[Fields]]:
    """`the size`, `type, size and owner`, `the e-mail address of the owner` (of what comes after it)."""
    for first in _one(p, at):
        yield Found(first.end, (first.value,), first.cost)
        yield from _more(p, first.end, (first.value,), first.cost)


def _more(p: Parse, at: int, fields: Fields, cost: float) -> Iterator[Found[Fields]]:
    after = p.past(at, _JOINING)
    if after == at or len(fields) >= _MOST:
        return
    for one in _one(p, after):
        if one.value not in fields:
            found = (*fields, one.value)
            yield Found(one.end, found, cost + one.cost)
            yield from _more(p, one.end, found, cost + one.cost)


def _one(p: Parse, at: int) -> Iterator[Found[FieldRef]]:
    start = p.articles(at)
    for lexeme, ref in p.fields(start):
        if ref.within is None or ref.within.key is not None:
            yield Found(lexeme.end, ref, lexeme.cost)
            if p.word(lexeme.end) in _NOUNS:
                yield Found(lexeme.end + 1, ref, lexeme.cost)
    yield from _of_what_it_has(p, start)


def _of_what_it_has(p: Parse, at: int) -> Iterator[Found[FieldRef]]:
    """`the e-mail address of the owner` where there is an owner's e-mail address."""
    for link in range(at + 1, min(at + 5, p.end)):
        if p.word(link) not in ("of", "'s"):
            continue
        first = tuple(p.word(i) for i in range(at, link) if p.word(i) != "-")
        begin = p.articles(link + 1)
        for end in range(begin + 1, min(begin + 3, p.end) + 1):
            second = tuple(p.word(i) for i in range(begin, end))
            said = (*second, *first) if p.word(link) == "of" else (*first, *second)
            for ref in p.lexicon.called(said):
                if ref.within is None:
                    yield Found(end, ref, NEARER)
        return


def past_the_unit(p: Parse, at: int, fields: Fields) -> int:
    """After `in minutes`, where the one number asked for can be given so: answers choose a readable unit themselves."""
    start = p.past(at, (",", "("))
    if p.word(start) != "in" or len(fields) != 1:
        return at
    if fields[0].field.currency is not None and english.CURRENCIES.get(p.word(start + 1)) == fields[0].field.currency:
        return start + 2
    if fields[0].field.unit is None:
        return at
    unit = find_unit(p.word(start + 1)) if p.word(start + 1) else None
    return start + 2 if unit is not None and convert(unit.name, fields[0].field.unit) is not None else at


def single_things(p: Parse, at: int) -> Iterator[Found[tree.Value]]:
    start = p.articles(at)
    several = any(p.word(i) in ("all", "any", "every", "each", "some") for i in range(at, start))
    for entity in () if several else p.things:
        for name in named(p, start, entity.name):
            if name.value.text:
                ends = (end for back in (1, 2) for end in entity_words(p, max(0, name.end - back), entity.name))
                said = any(True for _ in entity_words(p, start, entity.name)) or name.end in ends
                value = name.value.value
                base = tree.EntityLookup(tree.Name(entity.name), value) if isinstance(value, tree.String) else value
                yield Found(name.end, base, name.cost + name_cost(p, entity, name.value.text, said=said) - 0.4)
    for entity in p.things:
        for relation in related(p, at, entity.name):
            if isinstance(relation.value.value, tree.Member | tree.Subquery):
                yield Found(relation.end, relation.value.value, relation.cost + (0.2 if entity.kinds else 0.0))
    for phrase in noun_phrase(p, at):
        if phrase.value.limit == 1 and (value_of := as_value(p, phrase.value)) is not None:
            yield Found(phrase.end, value_of, phrase.cost)


def entity_of(p: Parse, value: tree.Value) -> str | None:
    """The entity of a single thing, where its value says it."""
    match value:
        case tree.EntityLookup():
            return value.entity.text
        case tree.Subquery(statement=tree.Find(entity=tree.Name() as entity)):
            return next((e.name for e in p.schema.entities.values() if entity.text in (e.plural, e.name)), None)
        case _:
            return None


Statements = Iterator[Found[Statement]]


def get_of(p: Parse, base: tree.Value, *refs: FieldRef) -> Statement | None:
    """`get` some fields of one thing; None where it cannot have them, or where what they refer to is listed."""
    name = entity_of(p, base)
    if name is not None and not all(ref.belongs_to(p.entity(name)) and _can_have(p, base, ref) for ref in refs):
        return None
    if len(refs) == 1 and refs[0].target is not None and not p.entity(refs[0].target).virtual:
        return None  # what can be listed is listed: `find folders where id = X.folder`
    first = member(base, *refs[0].path)
    assert isinstance(first, tree.Member)
    return tree.Get((first, *(ref.left for ref in refs[1:])))


def _can_have(p: Parse, base: tree.Value, ref: FieldRef) -> bool:
    """Whether something of that name has the field: a folder has no pages, although an entry may."""
    if not isinstance(base, tree.EntityLookup) or not isinstance(base.name, tree.String):
        return True
    kinds = set(p.entity(base.entity.text).kinds)
    called = {e for word in p.lexicon.named(base.name.value) for e in word.entities} & kinds
    return not called or any(ref.belongs_to(p.entity(one)) for one in called)


def _value(m: Match, *refs: FieldRef, cost: float = 0.0) -> Statements:
    statement = get_of(m.parse, m["one"], *refs) if refs else None
    if statement is not None:
        yield Found(m.end, statement, cost)


def value(m: Match) -> Statements:
    """`the size of X`, `who owns X`, `how many pages does X have` -> `get X.size`."""
    refs = m.get("fields") or tuple(filter(None, (m.get(one) for one in ("deed", "done", "date", "number", "flag"))))
    if _is_ordered_otherwise(m["one"], refs):
        return iter(())
    return _value(m, *refs)


def value_beside(m: Match) -> Statements:
    """`Lease.pdf amount`, `Lease: amount?`: after a name that can hardly be anything else, or a mark."""
    p, begin = m.parse, m.ends["one"]
    named = any(p.quoted(at) is not None or at in p.inside for at in range(m.start, begin))
    if named or like_a_file(p.raw(m.start, begin)) or p.past(begin, (":", "-", "–", ",")) > begin:
        yield from value(m)


def usual_date(m: Match) -> Statements:
    """`when was X`: the date that the catalog prefers."""
    name = entity_of(m.parse, m["one"])
    if is_participle(m.parse.word(m.end - 1)):
        return iter(())  # `when was X signed` asks for no other date
    usual = default_date(m.parse.entity(name)) if name else None
    return _value(m, usual[0]) if usual is not None else iter(())


def date_of_the_deed(m: Match) -> Statements:
    """`when was X paid` where the field is `paid on`."""
    p, name = m.parse, entity_of(m.parse, m["one"])
    verb = stem(p.word(m.end))
    for ref in date_fields(p.entity(name)) if name and verb else ():
        if verb in ref.stems:
            yield from (one._replace(end=m.end + 1) for one in _value(m, ref, cost=0.05))


def amount_of_a_degree(m: Match) -> Statements:
    """`how big is X` -> `get X.size`, where one field is meant."""
    name = entity_of(m.parse, m["one"])
    refs = [ref for ref, _ in degrees(m.parse.entity(name), m["degree"], True)] if name else []
    if len(refs) == 1 and _order_of(m["one"]) in ("", refs[0].path[0]):
        yield from _value(m, refs[0])


def _is_ordered_otherwise(base: tree.Value, refs: tuple[FieldRef, ...]) -> bool:
    """Whether one thing was chosen by another date: the last lease is not the one that expires last."""
    dated = len(refs) == 1 and refs[0].kind is FieldKind.DATE
    return dated and _order_of(base) not in ("", refs[0].path[0])


def _order_of(base: tree.Value) -> str:
    """The field by which one thing was chosen; empty where it was named."""
    if not isinstance(base, tree.Subquery) or not isinstance(base.statement, tree.Find):
        return ""
    return next((name_of(one.key) for one in base.statement.sort if isinstance(one.key, tree.Path)), "")


def where_it_is(m: Match) -> Statements:
    """`where is X` -> the thing, with its path. Where something goes to is not where it is."""
    if isinstance(m["one"], tree.EntityLookup) and m.parse.word(m.end) not in english.MOTION.keys() | {"from", "to"}:
        yield Found(m.end, tree.Find(m["one"]), 0.0)


def referred(m: Match) -> Statements:
    """`which folder is X in` -> `find folders where id = X.folder`; `what is X a copy of`."""
    ref: FieldRef = m.get("above") or m["leading"]
    p, target = m.parse, ref.target or ""
    name = entity_of(p, m["one"])
    if name is not None and not p.entity(target).virtual and ref.path[0] in p.entity(name).fields:
        found = of_reference(p, Reference(target, member(m["one"], *ref.path)))
        if found is not None:
            yield Found(m.end, found, 0.0)


def people_of(m: Match) -> Statements:
    """`who is X shared with` -> `get X.shares.who`."""
    return _value(m, m["people"])
