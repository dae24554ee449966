"""What is so or not: conditions that the catalog names and boolean fields, `overdue`, `unsigned`, `with a pci flag`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.lexicon.lexemes import ConditionWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words


def named_condition(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A condition that the catalog names, or a boolean field: `overdue`, `signed`, `with a pci flag`."""
    start = p.past(
        at,
        english.ARTICLES
        | words("with under has have had having marked as flagged are is on went go goes to into whose where"),
    )
    for begin in {at, start}:
        for named in p.starting(begin, ConditionWord):
            if named.payload.name in p.entity(entity).conditions and not _is_another_thing(p, named.start, named.end):
                yield Found(named.end, tree.Bare(path(named.payload.name)), named.cost + 0.05)
        for lexeme in p.starting(begin, FieldWord):
            ref = lexeme.payload.ref
            if ref.kind is FieldKind.BOOLEAN and ref.within is None and has_field(p.entity(entity), ref):
                yield Found(lexeme.end, compare(path(*ref.path), "=", tree.Boolean(True)), lexeme.cost + 0.1)
    yield from _without(p, at, entity)
    yield from _set_to(p, at, entity)
    for one in denied_adjective(p, at, entity):
        yield Found(one.end, one.value[1], one.cost)
    yield from _denied_inside(p, at, entity)


def _is_another_thing(p: Parse, start: int, end: int) -> bool:
    """Whether a state is said as a noun, and not of the things themselves: `contracts with copies`, `copies of it`."""
    is_noun = end == start + 1 and p.plural(end)
    return is_noun and (not start or p.word(start - 1) in english.HAVING or p.word(end) == "of")


_SET_TO = phrases("(set | configured | made | meant | scheduled | supposed | due) [up] to")


def _set_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`set to auto-renew`: a flag that says what things do by themselves."""
    for end in p.phrases(at, _SET_TO):
        for lexeme in p.starting(end, FieldWord):
            ref = lexeme.payload.ref
            if ref.kind is FieldKind.BOOLEAN and ref.within is None and has_field(p.entity(entity), ref):
                yield Found(lexeme.end, compare(path(*ref.path), "=", tree.Boolean(True)), lexeme.cost + 0.1)


def _without(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`with no overdue inspections`, `without an open fine`: a condition that is called as what things have."""
    lacking = p.past(at, words("with has have had having"))
    if (p.word(lacking) == "no" and lacking > at) or p.word(lacking) == "without":
        for named in p.starting(p.past(lacking + 1, ("any", *english.ARTICLES)), ConditionWord):
            if named.end > named.start + 1 and named.payload.name in p.entity(entity).conditions:
                yield Found(named.end, tree.Not(tree.Bare(path(named.payload.name))), named.cost + 0.05)


def _denied_inside(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`whose deposit is not paid`: the words of a flag with a denial between them."""
    start = p.past(at, english.ARTICLES | words("whose where with of which"))
    for verb in range(start + 1, min(start + 4, p.end)) if start > at else ():
        denial = verb + 1
        if p.word(verb) not in english.COPULAS | words("has have") or p.word(denial) not in english.NEGATIONS:
            continue
        said = tuple(p.word(i) for i in range(start, verb))
        for end in range(denial + 2, min(denial + 4, p.end + 1)):
            rest = tuple(p.word(i) for i in range(p.past(denial + 1, ("been", "yet")), end))
            for ref in p.lexicon.called((*said, *rest)) if rest else ():
                if ref.kind is FieldKind.BOOLEAN and ref.within is None and has_field(p.entity(entity), ref):
                    yield Found(end, compare(path(*ref.path), "=", tree.Boolean(False)), 0.1)


def opposite(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`not finished`, behind the `not`, where the catalog says what is `unfinished`."""
    for name in p.entity(entity).conditions:
        if name == f"un{p.word(at)}":
            yield Found(at + 1, tree.Bare(path(name)), 0.0)


def denied_adjective(p: Parse, at: int, entity: str) -> Iterator[Found[tuple[FieldRef, Condition]]]:
    """`unsigned`, `non-confidential`, `inactive`; what nobody did yet: `unsettled`, `unassigned`."""
    word = p.word(at)
    rest = word[2:] if word.startswith(_DENYING) and len(word) > 4 else ""
    own = [ref for ref in p.lexicon.fields() if ref.within is None and has_field(p.entity(entity), ref)] if rest else []
    said = False
    for ref in own:
        spoken = (ref.field.name, *ref.field.words)
        if ref.kind is FieldKind.BOOLEAN and any(stem(rest) == stem(one.casefold()) for one in spoken):
            yield Found(at + 1, (ref, compare(path(*ref.path), "=", tree.Boolean(False))), 0.1)
            said = True
    if not word.startswith("un") or not is_participle(rest) or said or any(one.end == at + 1 for one in p.lexemes[at]):
        return
    for ref in own:
        many = ref.field.many is True and ref.path in {one.path for one in p.lexicon.called((rest,))}
        if many or _tells_that_it_was_done(ref, stem(rest)):  # `untagged`: without any
            yield Found(at + 1, (ref, tree.Presence(path(*ref.path), True)), 0.1)


_DENYING = ("un", "in", "im", "ir", "il")


def _tells_that_it_was_done(ref: FieldRef, verb: str) -> bool:
    """Whether a field is when something was done, or by whom: `settled`, `acknowledged by`, `assigned to`."""
    for phrase in (ref.field.name, *ref.field.words):
        first, *rest = phrase.casefold().replace("_", " ").split() or [""]
        if not is_participle(first) or stem(first) != verb:
            continue
        if ref.kind is FieldKind.DATE and (not rest or rest in (["on"], ["at"], ["date"])):
            return True
        if ref.kind is FieldKind.KEYWORD and rest in (["by"], ["to"]):
            return True
    return False
