"""Whole questions: lists, value questions, numbers. `FORMS` are the ways to read one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.translator.rules import english
from qlc.translator.rules.aggregates import amounts_by, counted, distinct_values, listed_by, measured, share
from qlc.translator.rules.build import path
from qlc.translator.rules.clauses import things
from qlc.translator.rules.conditions import fields_of_dimension, has_field, is_number
from qlc.translator.rules.lexicon import ConditionWord, FieldRef, FieldWord, ValueWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.names import Reference, entity_words, is_hierarchical, named
from qlc.translator.rules.nouns import (
    NounPhrase,
    as_value,
    find,
    name_cost,
    noun_phrase,
    of_reference,
    one_by_name,
    widest,
)
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import phrases, words
from qlc.translator.rules.rankings import groups_with, ranked, ranked_by_measure
from qlc.translator.rules.references import member_of, related, verbs

_TAILS = phrases(
    "please | for me | do we have | do i have | are there | can i have those | can you find it | can you "
    "find them | can you find that | if possible | thanks | thank you | exist | can you | could you | in "
    "total | altogether | right now | at the moment | in all | i need them | i need it | i need those | "
    "you have | we have | i have | there are | are they | can i see them | can i see those | can i have "
    "them | so far | have we got | in the index | can i get those | if any | there | overall | can you "
    "list them | list them | show them | show me | in the system | in here | anyway | do you have | "
    "exactly | in the drive | in my drive | for us | and which | which ones | is there | can i get them | "
    "whatever they are | again | that we have | that i have | that exist | on file | i got | got | be | "
    "in there | only | thing"
)
_LIES = words(
    "in inside live lives sit stored located filed under kept belong to within saved lie reside found be "
    "contained sitting"
)
_END_MARKS = words("? ! . , ; : ) - – …")


def readings(p: Parse) -> list[Found[Statement]]:
    """Every reading of the whole question, cheapest first."""
    best: dict[Statement, float] = {}
    for start in beginnings(p):
        for form in FORMS:
            for one in form(p, start):
                if _finished(p, one.end) and one.cost < best.get(one.value, 1e9):
                    best[one.value] = one.cost
    return sorted((Found(p.end, statement, cost) for statement, cost in best.items()), key=lambda one: one.cost)


def beginnings(p: Parse) -> list[int]:
    """Where the question itself may begin: behind greetings and ways of asking."""
    found, pending = [], [0]
    while pending:
        at = pending.pop()
        if at in found or at >= p.end:
            continue
        found.append(at)
        after = p.past(at, english.POLITE | _END_MARKS)
        pending += [
            end
            for start in {at, after}
            for end in (*p.phrases(start, english.ASKING), start)
            if not _said_of_things(p, start, end)
        ]
    return found


def _said_of_things(p: Parse, start: int, end: int) -> bool:
    """`open invoices`: a way of asking that is a value of what is asked for."""
    kinds = (ValueWord, ConditionWord)
    return end == start + 1 and p.plural(end + 1) and any(True for kind in kinds for _ in p.starting(start, kind))


def _finished(p: Parse, at: int) -> bool:
    """Whether only marks, thanks and the like are left."""
    while at < p.end:
        after = p.past(at, _END_MARKS | english.POLITE | english.SOFTENERS)
        after = next(p.phrases(after, _TAILS), after)
        if after == at:
            return False
        at = after
    return True


# --- lists -----------------------------------------------------------------------------------------------------------


@rule
def listing(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`PDFs in Legal over 3 MB, newest first`."""
    start = p.past(at, words("which what all the of whatever any other whichever"))
    other = any(p.word(i) in english.OTHER for i in range(at, start))
    for begin in {at, start}:
        for one in things(p, begin):
            statement = find(p, one.value)
            if one.value.fixed is None and one.value.where is None and one.value.limit is None:
                continue
            yield Found(one.end, _without_itself(statement) if other else statement, one.cost)


def _without_itself(statement: tree.Find) -> tree.Find:
    """`other documents in the same folder as X`: X itself is not one of them."""
    from qlc.translator.rules.build import both, compare

    bases: list[tree.Value] = []

    def collect(condition: tree.Condition | None) -> None:
        match condition:
            case tree.And():
                for item in condition.items:
                    collect(item)
            case tree.Comparison(right=tree.Member(base=tree.EntityLookup() as base)):
                bases.append(base)

    collect(statement.where)
    if len(set(bases)) != 1:
        return statement
    excluded = compare(path("id"), "!=", bases[0])
    return tree.Find(
        statement.entity, both(statement.where, excluded), statement.sort, statement.limit, statement.offset
    )


@rule
def referred(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`the parent folder of X`, `the folder containing X`, `the owner of X`: what a relation leads to."""
    for entity in p.schema.entities.values():
        start = p.past(at, ("which", "what", "the", "in"))
        for begin in {at, start}:
            for one in related(p, begin, entity.name):
                cost = one.cost + (0.2 if entity.kinds else 0.0)
                if entity.virtual:
                    if isinstance(one.value.value, tree.Member):
                        yield Found(one.end, tree.Get((one.value.value,)), cost)
                elif (statement := of_reference(p, one.value)) is not None:
                    yield Found(one.end, statement, cost)
                    narrowed = NounPhrase(entity.name, statement.where)
                    for rest in modifiers(p, one.end, entity.name):
                        yield Found(rest.end, find(p, narrowed.also(rest.value)), cost + rest.cost)


@rule
def which_holds(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what folder is X in`, `X is inside which folder?`, `where is X`, `which folder contains X`."""
    start = p.past(at, ("in", "which", "what", "the"))
    asked = any(p.word(i) in ("which", "what") for i in range(at, start))
    for ref in _hierarchies(p):
        assert ref.target is not None
        target = p.entity(ref.target)
        if asked:
            for end in entity_words(p, start, ref.target):
                verb = p.past(
                    end,
                    words("is are does contains holds has do did was 's can i find would"),
                )
                if verb == end:
                    continue
                for one in _any_name(p, verb):
                    finish = p.past(one.end, _LIES)
                    held = (
                        p.word(verb - 1) in ("contains", "holds", "has")
                        or p.word(start - 1) == "in"
                        or p.word(at) == "in"
                    )
                    if (finish > one.end or held) and (value := member_of(one.value, ref)) is not None:
                        statement = of_reference(p, Reference(target.name, value))
                        if statement is not None:
                            yield Found(finish, statement, one.cost)
        for one in _any_name(p, at):
            middle = p.past(
                one.end,
                words("is are inside in lives sits located stored 's , - filed under belongs to"),
            )
            if middle > one.end and p.word(middle) in ("which", "what"):
                for end in entity_words(p, middle + 1, ref.target):
                    finish = p.past(end, words("is it in that inside ? does live sit"))
                    if (value := member_of(one.value, ref)) is not None and (
                        statement := of_reference(p, Reference(target.name, value))
                    ):
                        yield Found(finish, statement, one.cost)
    if p.word(at) in ("where", "wheres") and p.word(at + 1) in words("is 's are can did do was"):
        begin = p.past(
            at + 1,
            words("is 's are can i find did we put the file do you keep was"),
        )
        for name in one_by_name(p, begin):
            finish = p.past(name.end, words("stored located kept filed saved at now"))
            yield Found(finish, find(p, name.value), name.cost)


def _hierarchies(p: Parse) -> Iterator[FieldRef]:
    for ref in p.lexicon.fields():
        if ref.target is not None and ref.within is None and is_hierarchical(p, ref):
            yield ref


def _any_name(p: Parse, at: int) -> Iterator[Found[Reference]]:
    """One entity of any kind by name; of several kinds with that name the one that covers them."""
    start = p.articles(at)
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


# --- values ----------------------------------------------------------------------------------------------------------


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
    for name in _any_name(p, at):
        value = name.value.value
        from qlc.translator.rules.build import lookup

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
    from qlc.translator.rules.build import member

    if isinstance(base, tree.EntityLookup):
        entity = p.entity(base.entity.text)
        if not all(has_field(entity, ref) for ref in refs):
            return None
    if refs[0].target is not None and not p.entity(refs[0].target).virtual:
        return None  # what can be listed is listed: `find folders where id = X.folder`
    first = member(base, *refs[0].path)
    assert isinstance(first, tree.Member)
    return tree.Get((first, *(path(*ref.path) for ref in refs[1:])))


def _who(p: Parse, at: int) -> Iterator[Found[Statement]]:
    if p.word(at) not in ("who", "whose", "whom"):
        return
    if p.word(at) == "whose":
        yield from _whose(p, at + 1)
        return
    start = p.past(at + 1, english.COPULAS | english.AUXILIARIES | {"last", "the", "that"})
    for target in (e for e in p.schema.entities.values() if e.virtual):
        for end, ref in verbs(p, start, target.name):
            for one in _subject(p, end):
                if (statement := _get(p, one.value, ref)) is not None:
                    yield Found(one.end, statement, one.cost)
    for one in _subject(p, start):
        for target in (e for e in p.schema.entities.values() if e.virtual):
            for end, ref in verbs(p, one.end, target.name):
                finish = end + 1 if p.word(end) == "by" else end
                if (statement := _get(p, one.value, ref)) is not None:
                    yield Found(finish, statement, one.cost)


def _whose(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`whose folder is Sandbox?`"""
    from qlc.translator.rules.nouns import possession

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
    start = p.past(at, words("what is 's the which tell me give show are was"))
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
            if ref.kind is FieldKind.DATE and ref.within is None and (statement := _get(p, one.value, ref)) is not None:
                yield Found(lexeme.end, statement, one.cost + lexeme.cost)
        for lexeme in p.starting(one.end, FieldWord):
            ref = lexeme.payload.ref
            if ref.kind is FieldKind.DATE and ref.within is None and (statement := _get(p, one.value, ref)) is not None:
                yield Found(lexeme.end, statement, one.cost + lexeme.cost)


def _how(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how big is X`, `how many pages does X have`, `how often was X viewed`."""
    if p.word(at) != "how":
        return
    dimension = english.DEGREES.get(p.word(at + 1))
    if dimension is not None:
        for one in _subject(p, p.past(at + 2, english.COPULAS | english.AUXILIARIES)):
            entity = _entity_of(p, one.value)
            fields = fields_of_dimension(p.entity(entity), dimension) if entity else []
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
    """`is X signed?`"""
    if p.word(at) not in ("is", "was", "has", "are"):
        return
    for one in _subject(p, at + 1):
        for lexeme in p.starting(p.past(one.end, words("been a already yet marked as on")), FieldWord):
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


@rule
def within(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what's in Legal`, `whats under Clients`, `in Legal: ...`: everything there."""
    start = p.past(at, words("what whats is 's all there everything do we have i else"))
    if start == at:
        return
    other = any(p.word(i) == "else" for i in range(at, start))
    for name in (widest(p),):
        for one in modifiers(p, start, name):
            statement = find(p, NounPhrase(name, one.value))
            yield Found(one.end, _without_itself(statement) if other else statement, one.cost + 0.3)


@rule
def narrowed(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """Conditions without a noun: `tagged audit and owned by Ann`; or before it: `in 2024, what documents ...`."""
    first = next(e for e in p.schema.entities.values() if not e.virtual)
    for one in modifiers(p, at, first.name):
        yield Found(one.end, find(p, NounPhrase(first.name, one.value)), one.cost + 0.4)
        after = p.past(one.end, words(", : - which what show me list find the all"))
        if after > one.end:
            for several in things(p, after):
                if several.value.fixed is None and several.value.entity == first.name:
                    yield Found(several.end, find(p, several.value.also(one.value)), one.cost + several.cost + 0.2)


FORMS: tuple[Callable[[Parse, int], list[Found[Statement]]], ...] = (
    listing,
    referred,
    which_holds,
    value_question,
    counted,
    listed_by,
    measured,
    amounts_by,
    ranked,
    ranked_by_measure,
    groups_with,
    share,
    distinct_values,
    within,
    narrowed,
)
