"""What is asked of the one thing that was spoken of last: `and the size?`, `who is the owner?`, `by whom?`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, Schema
from qlc.translator.follow_ups.content import Content, Meaning, alone
from qlc.translator.follow_ups.editing import slot_of
from qlc.translator.follow_ups.history import Earlier
from qlc.translator.follow_ups.merging import is_cut
from qlc.translator.rules.build import lookup, member, parts, path
from qlc.translator.rules.lexicon.lexemes import FieldWord, has_field
from qlc.translator.rules.questions.aggregates import COUNT
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import words


def another_field(c: Content) -> Iterator[Meaning]:
    """`and the size?`, `who is the owner?`: of the one thing that was spoken of last."""
    thing = one_thing(c.last)
    start = c.p.past(c.at, plain.ARTICLES | _ASKING_OF_IT)
    asks = any(c.p.word(at) in _ASKING_OF_IT for at in range(start))
    goes_on = c.said.cued and c.last is not None and c.last.kind != "hits"  # behind a list, "and signed" narrows it
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


def by_whom(c: Content) -> Iterator[Meaning]:
    """`by whom?`, behind the question when it was edited."""
    thing, p = one_thing(c.last), c.p
    yield from _each_by_whom(c)
    who = p.phrase(c.at, "by", "whom") or p.phrase(c.at, "by", "who") or p.phrase(c.at, "who")
    statement = c.last.program.statement if c.last is not None and c.last.program is not None else None
    if thing is None or who is None or not finished(p, who) or not isinstance(statement, tree.Get):
        return
    item = statement.items[0]
    entity = c.schema.entities.get(thing.entity.text)
    asked = entity.fields.get(item.names[0].text) if entity is not None and isinstance(item, tree.Member) else None
    for one in doers(entity, asked, c.schema) if entity is not None and asked is not None else ():
        found = member(thing, one.name)
        if isinstance(found, tree.Member):
            yield alone(tree.Get((found,)))


def _each_by_whom(c: Content) -> Iterator[Meaning]:
    """`by whom?`, behind what was modified yesterday: how many by each."""
    base, p = c.base, c.p
    end = p.phrase(c.at, "by", "whom") or p.phrase(c.at, "by", "who")
    if base is None or end is None or not finished(p, end) or not isinstance(base.statement, tree.Find) or is_cut(base):
        return
    slots = {slot_of(one, base.entity) for one in parts(base.statement.where)}
    dates = [one for one in base.entity.fields.values() if one.kind is FieldKind.DATE and (one.name,) in slots]
    for one in dict.fromkeys(one for date in dates for one in doers(base.entity, date, c.schema)):
        group = tree.Group(path(one.name))
        yield alone(tree.Aggregate((COUNT,), tree.Name(base.entity.plural), base.statement.where, (group,)))


def doers(entity: Entity, date: Field, schema: Schema) -> Iterator[Field]:
    """The fields that say who did what a date tells when: `edited by` of `last edited`."""
    verbs = {stem(word) for phrase in (date.name, *date.words) for word in phrase.casefold().split()}
    for one in entity.fields.values():
        target = schema.entities[one.reference.entity] if one.reference is not None else None
        spoken = [phrase.casefold().split() for phrase in one.words]
        said = any(phrase[-1:] == ["by"] and stem(phrase[-2]) in verbs for phrase in spoken if len(phrase) > 1)
        if target is not None and target.virtual and said and date.kind is FieldKind.DATE:
            yield one
