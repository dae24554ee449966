"""Questions for one value: who owns X, the size of X, when X was sent, how many pages X has, whether X is signed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules import english
from qlc.translator.rules.build import lookup, member, path
from qlc.translator.rules.conditions import date_fields, default_date, is_number
from qlc.translator.rules.degrees import degrees
from qlc.translator.rules.lexicon import FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers.fields import first_words
from qlc.translator.rules.morphology import stem
from qlc.translator.rules.names import Reference, entity_words, named, possession
from qlc.translator.rules.nouns import as_value, name_cost, noun_phrase
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import words
from qlc.translator.rules.references import related, verbs


def any_name(p: Parse, at: int) -> Iterator[Found[Reference]]:
    """One entity of any kind by name; of several kinds with that name the one that covers them."""
    start = p.articles(at)
    if any(p.word(i) in ("all", "any", "every", "each", "some") for i in range(at, start)):
        return  # several things, and no name
    for entity in p.schema.entities.values():
        if entity.virtual:
            continue
        for one in named(p, start, entity.name):
            if one.value.text:
                said = any(True for _ in entity_words(p, start, entity.name)) or any(
                    lexeme_end == one.end
                    for back in (1, 2)
                    if one.end - back >= 0
                    for lexeme_end in entity_words(p, one.end - back, entity.name)
                )
                yield Found(one.end, one.value, one.cost + name_cost(p, entity, one.value.text, said=said) - 0.4)


@rule
def value_question(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who owns X`, `the size of X`, `X's type`, `when was X created`, `how many pages does X have`, `is X signed?`."""
    yield from _who(p, at)
    yield from _field_of(p, at)
    yield from _when(p, at)
    yield from _how(p, at)
    yield from _what_has(p, at)
    yield from _is_it(p, at)


@rule
def _subject(p: Parse, at: int) -> Iterator[Found[tree.Value]]:
    """What a value is asked of: one thing by name, by relation, or the first of some."""
    for name in any_name(p, at):
        value = name.value.value
        yield Found(
            name.end, lookup(name.value.entity, name.value.text) if isinstance(value, tree.String) else value, name.cost
        )
    for entity in p.schema.entities.values():
        if entity.virtual:
            continue
        for one in related(p, at, entity.name):
            if isinstance(one.value.value, tree.Member):
                yield Found(one.end, one.value.value, one.cost + (0.2 if entity.kinds else 0.0))
    for phrase in noun_phrase(p, at):
        if phrase.value.limit == 1 and (value_of := as_value(p, phrase.value)) is not None:
            yield Found(phrase.end, value_of, phrase.cost)


def _get(p: Parse, base: tree.Value, *refs: FieldRef) -> Statement | None:
    if isinstance(base, tree.EntityLookup):
        entity = p.entity(base.entity.text)
        if not all(has_field(entity, ref) for ref in refs) or not _can_have(p, base, entity, refs[0]):
            return None
    if refs[0].target is not None and not p.entity(refs[0].target).virtual:
        return None  # what can be listed is listed: `find folders where id = X.folder`
    first = member(base, *refs[0].path)
    assert isinstance(first, tree.Member)
    return tree.Get((first, *(path(*ref.path) for ref in refs[1:])))


def _can_have(p: Parse, base: tree.EntityLookup, entity: Entity, ref: FieldRef) -> bool:
    """Whether something of that name has the field: a folder has no pages, although an entry may."""
    if not isinstance(base.name, tree.String):
        return True
    having = {e for word in p.lexicon.named(base.name.value) for e in word.entities} & set(entity.kinds)
    return not having or any(has_field(p.entity(one), ref) for one in having)


def _who(p: Parse, at: int) -> Iterator[Found[Statement]]:
    if p.word(at) not in ("who", "whose", "whom"):
        return
    if p.word(at) == "whose":
        yield from _whose(p, at + 1)
        return
    start = p.past(at + 1, english.COPULAS | english.AUXILIARIES | {"last", "the", "that"})
    if any(p.word(i) in english.MODALS for i in range(at, start)):
        return  # who can edit something is not who edited it
    for target in (e for e in p.schema.entities.values() if e.virtual):
        for end, ref in verbs(p, start, target.name):
            for one in _subject(p, end):
                if (statement := _get(p, one.value, ref)) is not None:
                    yield Found(p.past(one.end, ("last",)), statement, one.cost)
    for one in _subject(p, start):
        for target in (e for e in p.schema.entities.values() if e.virtual):
            for end, ref in verbs(p, one.end, target.name):
                finish = end + 1 if p.word(end) == "by" else end
                if (statement := _get(p, one.value, ref)) is not None:
                    yield Found(finish, statement, one.cost)


def _whose(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`whose folder is Sandbox?`"""
    for entity in (e for e in p.schema.entities.values() if not e.virtual):
        for end in entity_words(p, at, entity.name):
            for one in _subject(p, p.past(end, english.COPULAS)):
                for ref in (FieldRef((f.name,), f) for f in entity.fields.values()):
                    if (
                        ref.target is not None
                        and possession(ref)
                        and (statement := _get(p, one.value, ref)) is not None
                    ):
                        yield Found(one.end, statement, one.cost)


def _field_of(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`the size of X`, `what is X's type`, `X's owner`."""
    start = p.past(at, words("what is 's the which tell me give show are was who"))
    for lexeme in p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        if ref.within is None and p.word(lexeme.end) in ("of", "for", "on"):
            for one in _subject(p, lexeme.end + 1):
                if (statement := _get(p, one.value, ref)) is not None:
                    yield Found(one.end, statement, one.cost + lexeme.cost + 0.05)
    for begin in {at, start}:
        for one in _subject(p, begin):
            if p.word(one.end) in english.POSSESSIVES:
                for lexeme in p.starting(one.end + 1, FieldWord):
                    ref = lexeme.payload.ref
                    if ref.within is None and (statement := _get(p, one.value, ref)) is not None:
                        yield Found(lexeme.end, statement, one.cost + lexeme.cost + 0.05)


def _when(p: Parse, at: int) -> Iterator[Found[Statement]]:
    if p.word(at) != "when" and p.phrase(at, "on", "what", "date") is None:
        return
    start = p.past(at + (1 if p.word(at) == "when" else 3), english.COPULAS | english.AUXILIARIES)
    for one in _subject(p, start):
        for lexeme in p.starting(p.past(one.end, english.COPULAS | {"last"}), FieldWord):
            ref = lexeme.payload.ref
            if _in_another_order(one.value, ref):
                continue
            if ref.kind is FieldKind.DATE and ref.within is None and (statement := _get(p, one.value, ref)) is not None:
                yield Found(lexeme.end, statement, one.cost + lexeme.cost)
        for lexeme in p.starting(one.end, FieldWord):
            ref = lexeme.payload.ref
            if _in_another_order(one.value, ref):
                continue
            if ref.kind is FieldKind.DATE and ref.within is None and (statement := _get(p, one.value, ref)) is not None:
                yield Found(lexeme.end, statement, one.cost + lexeme.cost)
        entity = _entity_of(p, one.value)
        for end, ref in _done_or_due(p, one.end, p.entity(entity)) if entity else ():
            if (statement := _get(p, one.value, ref)) is not None:
                yield Found(end, statement, one.cost + 0.05)


def _done_or_due(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, FieldRef]]:
    """`when was X paid` where the field is `paid on`; with nothing said, the date of the thing itself."""
    default = default_date(entity)
    if at >= p.end or p.word(at) in english.END_MARKS:
        yield from [(at, default[0])] if default is not None else []
    for ref in date_fields(entity):
        if any(stem(p.word(at)) == stem(one) for one in first_words(ref)):
            yield at + 1, ref


def _in_another_order(base: tree.Value, ref: FieldRef) -> bool:
    """Whether one thing was chosen by another field: the last lease is not the one that expires last."""
    if not isinstance(base, tree.Subquery) or not isinstance(base.statement, tree.Find):
        return False
    keys = [one.key.segments[0].name.text for one in base.statement.sort if isinstance(one.key, tree.Path)]
    return bool(keys) and keys[0] != ref.path[0]


def _in_order_of(base: tree.Value, ref: FieldRef) -> tree.Value:
    """The same one thing, chosen by another field: how far the longest flight is says what `longest` means."""
    assert isinstance(base, tree.Subquery)
    assert isinstance(base.statement, tree.Find)
    key = replace(base.statement.sort[0], key=path(*ref.path))
    return replace(base, statement=replace(base.statement, sort=(key,)))


def _how(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how big is X`, `how many pages does X have`, `how often was X viewed`."""
    if p.word(at) != "how":
        return
    dimension = english.DEGREES.get(p.word(at + 1))
    if dimension is not None:
        for one in _subject(p, p.past(at + 2, english.COPULAS | english.AUXILIARIES)):
            entity = _entity_of(p, one.value)
            fields = [ref for ref, _ in degrees(p.entity(entity), dimension, True)] if entity else []
            if len(fields) == 1 and _in_another_order(one.value, fields[0]):
                if not {"longest", "shortest"} & {p.word(i) for i in range(at, one.end)}:
                    continue
                one = Found(one.end, _in_order_of(one.value, fields[0]), one.cost)
            if len(fields) == 1 and (statement := _get(p, one.value, fields[0])) is not None:
                yield Found(p.past(one.end, ("cost", "take", "last")), statement, one.cost)
    if p.word(at + 1) in ("many", "much", "often"):
        begin = at + 2
        for lexeme in p.starting(p.past(begin, ("times",)), FieldWord):
            ref = lexeme.payload.ref
            if is_number(ref) and ref.within is None:
                after = p.past(lexeme.end, english.AUXILIARIES | english.COPULAS | words("there in on of"))
                for one in _subject(p, after):
                    if after > lexeme.end and (statement := _get(p, one.value, ref)) is not None:
                        yield Found(
                            p.past(one.end, words("have has contain contains got")),
                            statement,
                            one.cost + lexeme.cost,
                        )
        start = p.past(begin, words("times has was is did have been"))
        for one in _subject(p, start):
            for lexeme in p.starting(p.past(one.end, english.COPULAS), FieldWord):
                ref = lexeme.payload.ref
                if is_number(ref) and ref.within is None and (statement := _get(p, one.value, ref)) is not None:
                    yield Found(lexeme.end, statement, one.cost + lexeme.cost)


def _what_has(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what type is X`, `which tags does X have`, `what category is X in`."""
    if p.word(at) not in ("what", "which", "in", "under"):
        return
    start = p.past(at, ("in", "under", "what", "which"))
    for lexeme in p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        if ref.within is not None:
            continue
        after = p.past(lexeme.end, english.COPULAS | english.AUXILIARIES | {"the", "on", "in", "of"})
        if after == lexeme.end:
            continue
        for one in _subject(p, after):
            if (statement := _get(p, one.value, ref)) is not None:
                finish = p.past(one.end, words("have has in of carry belong to under on got"))
                yield Found(finish, statement, one.cost + lexeme.cost + 0.05)


def _is_it(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`is X signed?`, `does X allow visitors?`"""
    if p.word(at) not in ("is", "was", "has", "are", "does", "did"):
        return
    for one in _subject(p, at + 1):
        for lexeme in p.starting(p.past(one.end, words("been a already yet marked as on have need")), FieldWord):
            ref = lexeme.payload.ref
            if ref.kind is FieldKind.BOOLEAN and (statement := _get(p, one.value, ref)) is not None:
                yield Found(lexeme.end, statement, one.cost + lexeme.cost)


def _entity_of(p: Parse, value: tree.Value) -> str | None:
    match value:
        case tree.EntityLookup():
            return value.entity.text
        case tree.Subquery(statement=tree.Find(entity=tree.Name() as entity)):
            return next((e.name for e in p.schema.entities.values() if entity.text in (e.plural, e.name)), None)
        case _:
            return None
