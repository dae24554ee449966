"""Noun phrases: which things are spoken of, with everything that narrows, orders and limits them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules import english
from qlc.translator.rules.build import both, compare, either, lookup, member, negation, path
from qlc.translator.rules.conditions import (
    date_condition,
    default_date,
    fields_of_dimension,
    has_field,
    is_number,
    values,
    values_condition,
)
from qlc.translator.rules.dates import period
from qlc.translator.rules.lexicon import ConditionWord, EntityWord, FieldRef, FieldWord, NameWord, ValueWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.directions import from_one_to_another
from qlc.translator.rules.modifiers.fields import denied_adjective
from qlc.translator.rules.modifiers.referring import only_reference
from qlc.translator.rules.names import CLOSED_CLASS, Reference, entity_words, hierarchical, literal, named
from qlc.translator.rules.numbers import cardinal, ordinal
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import words
from qlc.translator.rules.references import reference

_DETERMINERS = english.ARTICLES | words(
    "single very entire whole child immediate direct nested both which what of many other certain various individual"
)
_CLASSIFIERS = words("forms form ones records record results items things one stuff")
_GENERIC = words("anything everything something stuff things items all those ones whatever")
_MOST_PREMODIFIERS = 6


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Things of an entity. `fixed` is set where the phrase means one by name."""

    entity: str
    where: Condition | None = None
    sort: tuple[tree.SortKey, ...] = ()
    limit: int | None = None
    offset: int | None = None
    fixed: Value | None = None
    single: bool = False

    def also(self, condition: Condition | None) -> NounPhrase:
        return replace(self, where=both(self.where, condition))


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands before the noun."""

    conditions: tuple[tuple[FieldRef | None, Condition], ...] = ()
    limit: int | None = None
    offset: int | None = None
    degree: tuple[str, bool] | None = None
    sort: tuple[FieldRef, bool] | None = None
    value: FieldRef | None = None
    names: tuple[Reference, ...] = ()
    named_conditions: tuple[str, ...] = ()
    count: int = 0


@rule
def noun_phrase(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """`the 10 largest PDFs in Legal that are signed`."""
    for head in bare_noun(p, at):
        yield head
        for rest in modifiers(p, head.end, head.value.entity):
            yield Found(rest.end, head.value.also(rest.value), head.cost + rest.cost)


@rule
def bare_noun(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """The noun with what stands before it."""
    for before in _before(p, at, _Before()):
        for head, entity, cost in _heads(p, before.end, before.value):
            single = _singular(p, head) or (head == before.end and not p.plural(head))
            phrase = _phrase(p, before.value, entity, single=single)
            if phrase is not None:
                yield Found(head, phrase, before.cost + cost)


def _heads(p: Parse, at: int, before: _Before) -> Iterator[tuple[int, str, float]]:
    """The word for the entity; with a value before it, none is needed."""
    for lexeme in p.starting(at, EntityWord):
        if not p.entity(lexeme.payload.entity).virtual:
            yield lexeme.end, lexeme.payload.entity, lexeme.cost
            yield from _joined_heads(p, lexeme.end, lexeme.payload.entity, lexeme.cost)
    for lexeme in p.starting(at - 1, EntityWord) if before.conditions and at else ():
        if lexeme.end == at and not p.entity(lexeme.payload.entity).virtual:
            yield at, lexeme.payload.entity, lexeme.cost + 0.1  # `first visits` are visits
    if before.value is not None or before.named_conditions:
        entity = _entity_with(p, before.value)
        if entity is not None:
            yield at, entity, 0.2 if before.value is not None else 0.9
            if p.word(at) in _CLASSIFIERS:
                yield at + 1, entity, 0.1
    for predicate in p.starting(at, FieldWord):
        # `copies of X`: a predicate as a noun
        if predicate.payload.tail == "of" and (entity := _entity_with(p, predicate.payload.ref)) is not None:
            yield at, entity, 0.1
    if p.word(at) in _GENERIC and before.degree is None and before.limit is None:
        yield at + 1, widest(p), 0.3


def _joined_heads(p: Parse, at: int, entity: str, cost: float) -> Iterator[tuple[int, str, float]]:
    """`documents and folders`: the entity that covers both."""
    if p.word(at) in ("and", "or", "&", "/"):
        for lexeme in p.starting(p.articles(at + 1), EntityWord):
            for covering in p.schema.entities.values():
                if {entity, lexeme.payload.entity} <= set(covering.kinds):
                    yield lexeme.end, covering.name, cost + lexeme.cost


def widest(p: Parse) -> str:
    """The entity for `everything`: one that covers the others, else the first."""
    real = [e for e in p.schema.entities.values() if not e.virtual]
    return next((e.name for e in real if e.kinds), real[0].name)


def _entity_with(p: Parse, ref: FieldRef | None) -> str | None:
    """The first entity of the catalog that has a field."""
    for entity in p.schema.entities.values():
        if not entity.virtual and (ref is None or has_field(entity, ref)):
            return entity.name
    return None


def _singular(p: Parse, end: int) -> bool:
    """Whether the noun that ends here is one thing: `the largest file`."""
    word = p.word(end - 1)
    return bool(word) and any(
        word == e.name.split()[-1] or (word in e.words and not word.endswith("s")) for e in p.schema.entities.values()
    )


# --- before the noun -------------------------------------------------------------------------------------------------


def _before(p: Parse, at: int, so_far: _Before) -> Iterator[Found[_Before]]:
    """Everything up to the noun, in every way to read it."""
    yield Found(at, so_far, 0.0)
    if at >= p.end or so_far.count >= _MOST_PREMODIFIERS:
        return
    counted = replace(so_far, count=so_far.count + 1)
    if p.word(at) == "my":
        mine = replace(so_far, conditions=(*so_far.conditions, (None, tree.Bare(path("mine")))))
        yield from _before(p, at + 1, replace(mine, named_conditions=(*so_far.named_conditions, "mine")))
    elif p.word(at) in _DETERMINERS or (p.word(at) in (",", "and") and so_far.conditions and not p.plural(at)):
        yield from _before(p, at + 1, so_far)
    for end, read, cost in (*_counts(p, at, counted), *_degrees(p, at, counted), *_properties(p, at, counted)):
        for rest in _before(p, end, read):
            yield Found(rest.end, rest.value, rest.cost + cost)
        if p.word(end) in english.OR and len(read.conditions) > len(so_far.conditions):
            for after, other, more in _properties(p, end + 1, counted):
                if len(other.conditions) == len(so_far.conditions) + 1:
                    joined = (None, either((read.conditions[-1][1], other.conditions[-1][1])))
                    both_read = replace(other, conditions=(*so_far.conditions, joined))
                    for rest in _before(p, after, both_read):
                        yield Found(rest.end, rest.value, rest.cost + cost + more + 0.2)


def _counts(p: Parse, at: int, so_far: _Before) -> Iterator[tuple[int, _Before, float]]:
    if so_far.limit is None:
        start = at + 1 if p.word(at) in ("top", "first", "last") else at
        for one in cardinal(p, start):
            n = one.value.value
            said = start > at
            like_a_year = 1900 <= n <= 2100 and len(p.word(start)) == 4
            if float(n).is_integer() and 0 < n <= 10_000 and "," not in p.word(start) and (said or not like_a_year):
                way = replace(so_far, limit=int(n))
                if p.word(at) == "top" and so_far.degree is None:
                    way = replace(way, degree=("number", True))
                elif p.word(at) == "last" and so_far.degree is None:
                    way = replace(way, degree=("date", True))
                value_of = any(True for kind in (ValueWord, NameWord) for _ in p.starting(at, kind))
                yield one.end, way, 0.05 if said else 0.5 if value_of else 0.1
    nth = ordinal(p, at)
    if nth is not None and so_far.offset is None:
        following = p.word(nth.end)
        if following in english.SUPERLATIVES or following in ("most", "least"):
            yield nth.end, replace(so_far, offset=nth.value - 1, limit=1), 0.0


def _degrees(p: Parse, at: int, so_far: _Before) -> Iterator[tuple[int, _Before, float]]:
    """`largest`, `most recent`, `most viewed`, `latest`."""
    word = p.word(at)
    if (so_far.degree is not None and so_far.degree != ("number", True)) or so_far.sort is not None:
        return
    if word in english.SUPERLATIVES and word not in ("most", "least", "top"):
        yield at + 1, replace(so_far, degree=english.SUPERLATIVES[word]), 0.0
    if word in ("most", "least"):
        following = p.word(at + 1)
        if following in english.MOST_ADJECTIVES:
            dimension = english.MOST_ADJECTIVES[following]
            yield at + 2, replace(so_far, degree=(dimension, word == "most")), 0.0
        begin = at + 2 if following == "recently" else at + 1
        for lexeme in p.starting(begin, FieldWord):
            ref = lexeme.payload.ref
            if is_number(ref) or (ref.kind is FieldKind.DATE and following == "recently"):
                yield lexeme.end, replace(so_far, sort=(ref, word == "most")), lexeme.cost
    if word in words("latest newest last oldest earliest"):
        for lexeme in p.starting(at + 1, FieldWord):
            ref = lexeme.payload.ref
            if ref.kind is FieldKind.DATE:
                yield lexeme.end, replace(so_far, sort=(ref, word in ("latest", "newest", "last"))), lexeme.cost
    if word in ("last", "first") and so_far.limit is None and so_far.degree is None:
        yield at + 1, replace(so_far, degree=("date", word == "last")), 0.4
    if word in ("recent", "new"):
        return


def _properties(p: Parse, at: int, so_far: _Before) -> Iterator[tuple[int, _Before, float]]:
    """Values, named conditions, boolean fields, periods and names before the noun."""
    if p.word(at) in ("early", "mid", "late") and period(p, p.past(at + 1, ("-",))):
        return  # a part of the period, which is not said so
    denied = p.word(at) in ("not", "non")
    begin = p.past(at + 1, ("-",)) if denied else at
    for lexeme in p.starting(begin, ValueWord):
        ref = lexeme.payload.ref
        for several in values(p, begin, ref):
            condition = values_condition(ref, *several.value)
            condition = negation(condition) if denied else condition
            closed = ref.field.values is not None
            fields = any(w.end == several.end and w.cost <= lexeme.cost for w in p.starting(begin, FieldWord))
            end = several.end
            for noun in p.starting(end, FieldWord):
                if noun.payload.ref.path == ref.path and p.word(end) not in english.PREPOSITIONS:
                    yield noun.end, replace(so_far, conditions=(*so_far.conditions, (ref, condition))), several.cost
            end += p.word(end) in english.POSSESSIVES  # `children's books`
            kept = replace(so_far, conditions=(*so_far.conditions, (ref, condition)), value=so_far.value or ref)
            yield end, kept, several.cost + (0.1 if closed else 0.25) + (0.4 if fields else 0.0)
    for pair in from_one_to_another(p, at, _entity_with(p, None) or ""):
        route = (*so_far.conditions, (None, pair.value))
        yield pair.end, replace(so_far, conditions=route), pair.cost
    for named_one in p.starting(begin, ConditionWord):
        bare: Condition = tree.Bare(path(named_one.payload.name))
        added = (*so_far.conditions, (None, negation(bare) if denied else bare))
        names = (*so_far.named_conditions, named_one.payload.name)
        yield named_one.end, replace(so_far, conditions=added, named_conditions=names), named_one.cost + 0.05
    for word in p.starting(begin, FieldWord):
        ref = word.payload.ref
        if ref.kind is FieldKind.BOOLEAN and ref.within is None:
            flag = compare(path(*ref.path), "=", tree.Boolean(not denied))
            yield word.end, replace(so_far, conditions=(*so_far.conditions, (ref, flag))), word.cost + 0.1
        elif p.word(at).endswith("ed") and ref.field.many is True and word.end == at + 1:
            present: Condition = tree.Presence(path(*ref.path), False)
            yield word.end, replace(so_far, conditions=(*so_far.conditions, (ref, present))), 0.4
    for one in denied_adjective(p, at, _entity_with(p, None) or ""):
        yield one.end, replace(so_far, conditions=(*so_far.conditions, (None, one.value))), one.cost
    for when in period(p, at):
        if p.word(when.end) in english.POSSESSIVES or not p.word(at).isalpha() or p.word(at) in english.MONTHS:
            default = _default_of(p)
            if default is not None:
                from qlc.translator.rules.dates import DateTest

                condition = date_condition(default, DateTest("in", when.value))
                end = when.end + (p.word(when.end) in english.POSSESSIVES)
                yield end, replace(so_far, conditions=(*so_far.conditions, (default, condition))), when.cost + 0.2
    day = english.WEEKDAYS.get(p.word(at))
    default_ref = _default_of(p)
    if day is not None and default_ref is not None and p.word(at).endswith("day"):
        on_day = compare(tree.Cyclic("weekday", path(*default_ref.path)), "=", tree.String(english.WEEKDAY_NAMES[day]))
        yield at + 1, replace(so_far, conditions=(*so_far.conditions, (default_ref, on_day))), 0.1
    for number_field in _numbers_like_years(p, at):
        yield number_field[0], replace(so_far, conditions=(*so_far.conditions, number_field[1])), 0.35
    yield from _owners(p, at, so_far)


def said_before(p: Parse, at: int) -> Iterator[Found[Condition | None]]:
    """What is said before a noun that stands for no entity: `German` of `German customers`."""
    for one in _before(p, at, _Before()):
        said = one.value
        plain = said.limit is None and said.offset is None and said.degree is None and said.sort is None
        if plain and not said.names and not said.named_conditions:
            yield Found(one.end, both(*(condition for _, condition in said.conditions)), one.cost)


def _default_of(p: Parse) -> FieldRef | None:
    for entity in p.schema.entities.values():
        if not entity.virtual and (default := default_date(entity)) is not None:
            return default[0]
    return None


def _numbers_like_years(p: Parse, at: int) -> Iterator[tuple[int, tuple[FieldRef, Condition]]]:
    """`2023 W2s`: a whole number whose field is a year by its name."""
    word = p.word(at)
    if not (word.isdigit() and len(word) == 4):
        return
    for ref in p.lexicon.fields():
        if ref.kind is FieldKind.WHOLE_NUMBER and ref.within is None and "year" in ref.field.name.split("_"):
            yield at + 1, (ref, compare(path(*ref.path), "=", tree.Number(int(word), word)))


def _owners(p: Parse, at: int, so_far: _Before) -> Iterator[tuple[int, _Before, float]]:
    """`Omar's documents`, `C++ Course files`: a name that says whose, or where."""
    if so_far.names:
        return
    for entity in p.schema.entities.values():
        for one in named(p, at, entity.name):
            if not one.value.text:
                continue
            possessive = p.word(one.end) in english.POSSESSIVES
            if entity.virtual and not possessive:
                continue
            end = one.end + 1 if possessive else one.end
            yield end, replace(so_far, names=(one.value,)), one.cost + (0.1 if possessive else 0.7)


def _phrase(p: Parse, before: _Before, name: str, *, single: bool) -> NounPhrase | None:
    entity = p.entity(name)
    where: Condition | None = None
    for ref, condition in before.conditions:
        if ref is not None and not has_field(entity, ref):
            return None
        where = both(where, condition)
    if any(one not in entity.conditions for one in before.named_conditions):
        return None
    for one in before.names:
        condition_of = _belonging(p, entity, one)
        if condition_of is None:
            return None
        where = both(where, condition_of)
    sort: tuple[tree.SortKey, ...] = ()
    if before.sort is not None:
        ref, descending = before.sort
        if not has_field(entity, ref):
            return None
        sort = (tree.SortKey(path(*ref.path), descending),)
    elif before.degree is not None:
        fields = fields_of_dimension(entity, before.degree[0])
        if len(fields) != 1:
            return None
        sort = (tree.SortKey(path(*fields[0].path), before.degree[1]),)
    limit = before.limit
    if sort and limit is None and single:
        limit = 1
    if limit is not None and not sort and before.limit is not None and before.offset is not None:
        return None
    return NounPhrase(name, where, sort, limit, before.offset or None, single=single)


def _belonging(p: Parse, entity: Entity, one: Reference) -> Condition | None:
    """What `X's things` means: owned by X where X is a person, in X where X is what holds them."""
    for ref in hierarchical(entity):
        if ref.target == one.entity:
            return compare(path(*ref.path), "=", one.value)
    if p.entity(one.entity).virtual:
        for ref in (FieldRef((f.name,), f) for f in entity.fields.values()):
            if ref.target == one.entity and possession(ref):
                return compare(path(*ref.path), "=", one.value)
    only = only_reference(entity, one.entity)
    return compare(path(*only.path), "=", one.value) if only is not None else None


def possession(ref: FieldRef) -> bool:
    """Whether a reference says whose something is."""
    words = {ref.field.name, *(w.casefold() for w in ref.field.words)}
    return bool(words & {"owner", "belongs to", "owned by", "belonging to"})


# --- one by name -----------------------------------------------------------------------------------------------------


@rule
def one_by_name(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """One thing by its name: `Q3 Report.pdf`, `the Legal folder`, `document "x"`."""
    start = p.articles(at)
    for entity in p.schema.entities.values():
        if entity.virtual:
            continue
        for one in named(p, start, entity.name):
            if not one.value.text:
                continue
            plural = next((end for end in entity_words(p, start, entity.name) if p.plural(end)), None)
            if plural is not None and plural < one.end:
                continue  # "files named X" are a list
            said = any(True for _ in entity_words(p, start, entity.name)) or _word_behind(p, one.end, entity.name)
            value = lookup(entity.name, one.value.text)
            yield Found(
                one.end,
                NounPhrase(entity.name, fixed=value, single=True),
                one.cost + name_cost(p, entity, one.value.text, said=said),
            )
    yield from _by_part_of_its_name(p, start)
    text = p.quoted(start)
    if text is not None and not p.lexicon.named(text):
        entity = p.entity(_entity_with(p, None) or widest(p))
        if entity.text:
            yield Found(start + 1, NounPhrase(entity.name, tree.EntityText("mentions", tree.String(text))), 0.3)


def _by_part_of_its_name(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """`the catering menu`: words that may be part of one name. It is looked up before it is believed."""
    definite = at > 0 and p.word(at - 1) in words("the that my this our")
    for one in literal(p, at, widest(p)):
        if one.value.text:
            end = one.end + 1 if p.word(one.end) in words("thing file doc one") else one.end
            found = NounPhrase(widest(p), fixed=lookup(widest(p), one.value.text), single=True)
            yield Found(end, found, 1.0 if definite and one.cost > 1.0 else one.cost + 0.1)


def _word_behind(p: Parse, end: int, entity: str) -> bool:
    return end > 0 and any(
        lexeme.end == end
        for at in range(max(0, end - 2), end)
        for lexeme in p.starting(at, EntityWord)
        if lexeme.payload.entity == entity
    )


def name_cost(p: Parse, entity: Entity, text: str, *, said: bool) -> float:
    """How likely a name without a noun is one of this entity: by which entities have it."""
    if said:
        return 0.1
    having = {e for word in p.lexicon.named(text) for e in word.entities}
    if entity.kinds:
        among = having & set(entity.kinds)
        return 0.4 if len(among) > 1 or not having else 0.8
    if not having:
        return 0.8
    return 0.4 if having == {entity.name} or (entity.name in having and not _covered(p, having)) else 0.9


def _covered(p: Parse, names: set[str]) -> bool:
    return any(len(names & set(e.kinds)) > 1 for e in p.schema.entities.values())


# --- statements ------------------------------------------------------------------------------------------------------


def find(p: Parse, phrase: NounPhrase) -> tree.Find:
    entity = p.entity(phrase.entity)
    if isinstance(phrase.fixed, tree.EntityLookup):
        return tree.Find(phrase.fixed, phrase.where, phrase.sort, phrase.limit, phrase.offset)
    return tree.Find(tree.Name(entity.plural), phrase.where, phrase.sort, phrase.limit, phrase.offset)


def as_value(p: Parse, phrase: NounPhrase) -> Value | None:
    """The one thing that a phrase means, as a value that has fields."""
    if phrase.fixed is not None:
        return phrase.fixed
    if phrase.where is not None or phrase.limit == 1:
        return tree.Subquery(find(p, phrase))
    return None


def of_reference(p: Parse, one: Reference) -> tree.Find | None:
    """`find` what a reference means: the folder that holds X."""
    entity = p.entity(one.entity)
    if entity.virtual or entity.id is None:
        return None
    operator: tree.ComparisonOperator = "in" if one.many else "="
    return tree.Find(tree.Name(entity.plural), compare(path(entity.id.name), operator, one.value))


__all__ = ["CLOSED_CLASS", "NounPhrase", "as_value", "bare_noun", "find", "member", "noun_phrase", "of_reference",
           "one_by_name", "reference"]  # fmt: skip
