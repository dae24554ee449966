"""Questions for the values of a field: how many different ones there are, and which."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import is_number
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.clauses import group
from qlc.translator.rules.nouns.noun_phrases import NounPhrase, noun_phrase
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.aggregates import COUNT, THERE_ARE, aggregate, first_with
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import phrases, words

_ACTING = words(
    "who that which have has had did made make makes took take came come to a an the any with placed got get bought "
    "requested did do"
)


_DEALING = phrases(
    "(do | did) we ((buy | purchase | order) from | (work | deal) with | use | pay | see | get) | have we "
    "((bought | purchased | ordered) from | (worked | dealt) with | used | paid | seen | got)"
)
"""What says of those that a field names that there are some."""


@rule
def distinct_number(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`unique visitors in September`: how many there were."""
    start = p.past(at, words("the our total what is were"))
    if p.word(start) == "unique":
        yield from distinct(p, start, start)


def distinct(p: Parse, at: int, start: int) -> Iterator[Found[Statement]]:
    """`how many different vendors`, `number of distinct owners of folders`."""
    said = any(p.word(i) in ("different", "distinct", "unique") for i in range(start, at + 1))
    begin = at + 1 if p.word(at) in ("different", "distinct", "unique") else at
    for lexeme in p.starting(begin, FieldWord):
        ref = lexeme.payload.ref
        entity = first_with(p, ref)
        if entity is None or ref.within is not None:
            continue
        if not said:
            yield from _how_many_there_are(p, lexeme.end, ref, entity, lexeme.cost)
            continue
        measure = tree.Measure("distinct", path(*ref.path))
        yield Found(lexeme.end, tree.Aggregate((measure,), tree.Name(entity.plural)), lexeme.cost)
        for end in p.phrases(lexeme.end, _DEALING):
            yield Found(end, tree.Aggregate((measure,), tree.Name(entity.plural)), lexeme.cost)
            for rest in modifiers(p, end, entity.name):
                dealt = aggregate(p, NounPhrase(entity.name, rest.value), (measure,))
                yield Found(rest.end, dealt, lexeme.cost + rest.cost)
        acting = p.past(lexeme.end, _ACTING)
        for things in noun_phrase(p, acting) if acting > lexeme.end else ():
            if has_field(p.entity(things.value.entity), ref) and things.value.limit is None:
                yield Found(things.end, aggregate(p, things.value, (measure,)), things.cost + lexeme.cost + 0.1)
        there = p.past(lexeme.end, words("are there do we have appear used is in use"))
        for after in p.phrases(there, phrases("of | among | across | in | for | on")):
            for things in noun_phrase(p, after):
                if has_field(p.entity(things.value.entity), ref) and things.value.limit is None:
                    yield Found(things.end, aggregate(p, things.value, (measure,)), things.cost + lexeme.cost)
        asked = p.past(lexeme.end, words("are were is do does did"))
        for things in noun_phrase(p, p.articles(asked)) if asked > lexeme.end else ():  # `are our receipts from`
            own = has_field(p.entity(things.value.entity), ref) and things.value.headed and things.value.limit is None
            for end in p.phrases(things.end, _COMING + _LEFT_OVER) if own else ():
                yield Found(end, aggregate(p, things.value, (measure,)), things.cost + lexeme.cost + 0.1)
        for narrowed in modifiers(p, lexeme.end, entity.name):
            yield Found(
                narrowed.end, aggregate(p, NounPhrase(entity.name, narrowed.value), (measure,)), narrowed.cost + 0.2
            )


def _how_many_there_are(p: Parse, at: int, ref: FieldRef, entity: Entity, cost: float) -> Iterator[Found[Statement]]:
    """`how many carriers are there`: what has values of its own is counted by them."""
    if ref.kind is not FieldKind.KEYWORD or not p.plural(at):
        return
    if any(one.end == at for i in range(max(0, at - 3), at) for one in p.starting(i, EntityWord)):
        return  # things of their own are counted as such
    measure = tree.Measure("distinct", path(*ref.path))
    verb = at + 1 if p.word(at) in ("do", "does", "did", "are", "were") else p.end
    for things in noun_phrase(p, p.articles(verb)):
        after = next(p.phrases(things.end, _COMING), None)
        plain = things.value.fixed is None and things.value.limit is None and not things.value.sort
        if after is not None and plain and things.value.entity == entity.name and things.value.headed:
            yield Found(after, aggregate(p, things.value, (measure,)), cost + things.cost + 0.1)
    for end in p.phrases(at, THERE_ARE + _DEALING):
        yield Found(end, tree.Aggregate((measure,), tree.Name(entity.plural)), cost + 0.1)
        for rest in modifiers(p, end, entity.name):
            yield Found(rest.end, aggregate(p, NounPhrase(entity.name, rest.value), (measure,)), cost + rest.cost + 0.2)


_COMING = phrases("come (from | in) | go to | have | use | exist in | belong to | fall into | occur in | appear in")


_LEFT_OVER = phrases("from | by | in | of | with | under | at")
"""What is left at the end of a question for what things are from."""

_PER = phrases("per | for each | for every | by | of each | of every | in each | on each")


@rule
def distinct_values(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which tags are used in Legal`, `what types of documents are there`, `list all vendors`."""
    start = p.past(
        at,
        words("which what list all show me the different distinct unique kinds of give"),
    )
    for entity in (e for e in p.schema.entities.values() if not e.virtual):
        for by in group(p, start, entity):
            if isinstance(by.value, tree.Group) and by.value.function is not None:
                continue
            field = entity.fields.get(by.value.path.segments[0].name.text)
            if field is None or field.kind is not FieldKind.KEYWORD:
                continue
            target = field.reference.entity if field.reference is not None else ""
            if target and field.name == entity.parent:
                continue  # `list all folders`: the folders themselves
            first = first_with(p, FieldRef((field.name,), field))
            if first is not None and first.name != entity.name:
                by = by._replace(cost=by.cost + 0.3)  # rather of the first that has it
            kinds = p.plural(by.end) and not _is_of_another(p, start, by.end, field, entity)
            for end in p.phrases(by.end, _PER) if kinds else ():
                for other in group(p, end, entity):
                    if other.value != by.value and other.value.path.segments[0].name.text not in entity.lists:
                        rows = aggregate(p, NounPhrase(entity.name), (COUNT,), (other.value, by.value))
                        yield Found(other.end, rows, by.cost + other.cost + 0.2)
                        for rest in modifiers(p, other.end, entity.name):
                            rows = aggregate(p, NounPhrase(entity.name, rest.value), (COUNT,), (other.value, by.value))
                            yield Found(rest.end, rows, by.cost + other.cost + rest.cost + 0.2)
            for end in p.phrases(by.end, phrases("of | for")) if start == at and p.plural(by.end) else ():
                for things in noun_phrase(p, p.articles(end)):
                    if things.value.entity == entity.name and things.value.headed and things.value.limit is None:
                        yield Found(
                            things.end, aggregate(p, things.value, (COUNT,), (by.value,)), things.cost + by.cost + 0.4
                        )
            if start == at:
                continue
            after = p.past(by.end, words("are is used there do we have exist appear present occur"))
            listed = any(p.word(i) in words("all different distinct unique kinds") for i in range(at, start))
            if after > by.end or (listed and p.plural(by.end)):
                yield Found(after, aggregate(p, NounPhrase(entity.name), (COUNT,), (by.value,)), by.cost + 0.4)
            for place in modifiers(p, after, entity.name) if p.word(after) in english.CONTAINMENT - {"of"} else ():
                phrase = NounPhrase(entity.name, place.value)
                row = aggregate(p, phrase, (COUNT,), (by.value,))
                yield Found(p.past(place.end, words("are there exist do we have")), row, place.cost + by.cost + 0.3)
            for link in p.phrases(after, phrases("of | for | among | by")):
                for things in noun_phrase(p, link):
                    if things.value.entity == entity.name and things.value.limit is None and things.value.fixed is None:
                        yield Found(
                            p.past(things.end, words("are there exist do we have")),
                            aggregate(p, things.value, (COUNT,), (by.value,)),
                            things.cost + by.cost + 0.4,
                        )


def _is_of_another(p: Parse, at: int, end: int, field: Field, entity: Entity) -> bool:
    """Whether words are those of a number or a flag too: `delays` have happened, they are no kinds of delay."""
    said = [stem(p.word(i)) for i in range(p.articles(at), end)]
    if said in ([stem(part) for part in phrase.casefold().split()] for phrase in (field.name, *field.words)):
        return False
    called = (one.payload.ref for one in p.starting(p.articles(at), FieldWord) if one.end == end)
    flags = {stem(part) for one in entity.fields.values() if one.kind is FieldKind.BOOLEAN
             for phrase in (one.name, *one.words) for part in phrase.casefold().split()}  # fmt: skip
    return any(is_number(ref) and has_field(entity, ref) for ref in called) or set(said) <= flags
