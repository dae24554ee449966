"""Phrases that mean one entity, or a set of them: `the Recipes folder`, `the owner of X`, `folders created by Wei`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from qlc.grammar import tree
from qlc.grammar.tree import Value
from qlc.mapping.schema import Entity
from qlc.translator.rules import english
from qlc.translator.rules.build import both, compare, lookup, member, path, string
from qlc.translator.rules.lexicon import EntityWord, FieldRef, FieldWord, NameWord, entity_fields
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import phrases, words
from qlc.translator.rules.tokens import TokenKind

CLOSED_CLASS = frozenset(
    english.ARTICLES
    | english.PREPOSITIONS
    | english.AND
    | english.OR
    | english.COPULAS
    | english.AUXILIARIES
    | english.RELATIVE_PRONOUNS
    | english.HAVING
    | english.LACKING
    | english.NEGATIONS
    | english.BELOW
    | english.OTHER
    | english.POLITE
    | english.PRONOUNS
    | words(
        "per than since before after between until over sorted above below less more named called when "
        "what where how many except as same owned created by dated during whose i we last next not both "
        "either neither nor most least top first count number show find list only"
    )
)
_SEPARATORS = words(r"> / \ » → ›")
_INSIDE_NAMES = frozenset("-/.'&+(),#@_:*{}")
_TOP = phrases(
    "the top level | top level | the root folder | root folder | the root level | root level | the root | "
    "root | toplevel | the very top | the top most level | the highest level | top - level | the top - "
    "level | the root directory"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """`value` means one `entity`, or a set of them (`many`). `text` is the name as people wrote it, if it is a name."""

    entity: str
    value: Value
    many: bool = False
    text: str = ""


# --- by name ---------------------------------------------------------------------------------------------------------


@rule
def named(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """An entity by its name alone, its id or a path; perhaps with the word for what it is."""
    entity = p.entity(target)
    start = p.articles(at)
    yield from _bare(p, start, entity)
    for word in entity_words(p, start, target):
        after = next(p.phrases(word, english.NAMED), word)
        after = p.past(after, words(": id with = # is the"))
        for one in (*_bare(p, after, entity), *_literal(p, after, entity)):
            yield Found(one.end, one.value, one.cost + 0.02)
    for one in (*_bare(p, start, entity), *_literal(p, start, entity), *_pieces(p, start, entity)):
        for word in entity_words(p, one.end, target):
            if not p.plural(word):
                yield Found(word, one.value, one.cost - 0.05)
    if start > at:
        yield from _framed(p, start, entity)
    for end in p.phrases(start, _TOP):
        for ref in hierarchical(entity):
            for constant in ref.field.reference.constants if ref.field.reference else ():
                yield Found(end, Reference(target, tree.NameValue(path(constant))), 0.0)


def entity_words(p: Parse, at: int, target: str) -> Iterator[int]:
    """The ends of the words for an entity, or for one that covers it."""
    for one in p.starting(at, EntityWord):
        said = one.payload.entity
        if said == target or target in p.entity(said).kinds or said in p.entity(target).kinds:
            yield one.end


def _bare(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    text = p.quoted(at)
    if text is not None:
        yield Found(at + 1, Reference(entity.name, string(text), text=text), _of_another(p, entity, text))
    elif at < p.end and entity.id_pattern:
        found = _pattern(entity.id_pattern).match(p.text, p.tokens[at].start)
        if (
            found
            and not p.text[found.end() : found.end() + 1].isalnum()
            and (found[0].isupper() or any(c.isdigit() for c in found[0]))
        ):
            yield Found(p.token_at(found.end()), Reference(entity.name, string(found[0]), text=found[0]), 0.0)
    yield from _path(p, at, entity)
    yield from _beginning_with_marks(p, at, entity)
    for one in p.starting(at, NameWord):
        word = one.payload
        assert isinstance(word, NameWord)
        if _fits(entity, word.entities):
            end = _with_marks(p, one.start, one.end, word.text)
            written = p.raw(one.start, end)
            yield Found(end, Reference(entity.name, string(written), text=written), one.cost)


def _with_marks(p: Parse, start: int, end: int, name: str) -> int:
    """Behind the marks that a name ends with: `report (final)`."""
    longer = end
    while longer < p.end and p.tokens[longer].kind is TokenKind.MARK:
        longer += 1
        if p.raw(start, longer).casefold() == name.casefold():
            return longer
    return end


def _beginning_with_marks(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """Names such as `{{step1.id}}.txt` and `#42`."""
    start = at
    while start < min(at + 4, p.end) and p.tokens[start].kind is TokenKind.MARK:
        start += 1
    if start == at:
        return
    for one in p.starting(start, NameWord):
        if _fits(entity, one.payload.entities):
            written = p.raw(at, one.end)
            if one.payload.text.casefold().startswith(written[: p.tokens[start].start - p.tokens[at].start]):
                yield Found(one.end, Reference(entity.name, string(written), text=written), one.cost)


def _of_another(p: Parse, entity: Entity, text: str) -> float:
    """What it costs to take a name for one of this entity, if only others are known to have it."""
    having = {e for word in p.lexicon.named(text) for e in word.entities}
    return 0.6 if having and not _fits(entity, tuple(having)) else 0.0


def _fits(entity: Entity, entities: tuple[str, ...]) -> bool:
    return entity.name in entities or any(kind in entities for kind in entity.kinds)


@lru_cache(maxsize=64)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _path(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """`Archive > Receipts`, `business/payroll`: parts of which at least one is a name."""
    if entity.parent is None and entity.path is None:
        return
    ends = [(end, 0.0) for end in _part_ends(p, at, entity)]
    seen: set[int] = set()
    while ends:
        end, cost = ends.pop()
        if p.word(end) not in _SEPARATORS:
            continue
        for following in _part_ends(p, end + 1, entity):
            if following not in seen:
                seen.add(following)
                ends.append((following, cost))
                text = p.raw(at, following)
                yield Found(following, Reference(entity.name, string(text), text=text), 0.05)


def _pieces(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """`the Kowalski Bakery invoices folder`: a folder by its name behind the name of one above it."""
    if entity.parent is None:
        return
    for first in p.starting(at, NameWord):
        for second in p.starting(p.past(first.end, ("'s",)), NameWord):
            if _fits(entity, first.payload.entities) and _fits(entity, second.payload.entities):
                text = f"{p.raw(first.start, first.end)} > {p.raw(second.start, second.end)}"
                yield Found(second.end, Reference(entity.name, string(text), text=text), 0.3 + first.cost + second.cost)


_LONGEST_FRAMED = 6


def _framed(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """`the HR training folder`: what stands between the article and the noun is a name, known or not."""
    for end in range(at + 1, min(at + _LONGEST_FRAMED, p.end)):
        if p.word(end - 1) in CLOSED_CLASS or p.word(end - 1) == "" or p.tokens[end - 1].kind is TokenKind.MARK:
            return
        for word in entity_words(p, end, entity.name):
            if p.plural(word):
                continue
            text = p.raw(at, end)
            yield Found(word, Reference(entity.name, string(text), text=text), 1.2)


def _part_ends(p: Parse, at: int, entity: Entity) -> set[int]:
    if p.quoted(at) is not None:
        return {at + 1}
    ends = {one.end for one in p.starting(at, NameWord)}
    unknown = _unknown_end(p, at)
    return ends | ({unknown} if unknown is not None and not ends else set())


# --- unknown names ---------------------------------------------------------------------------------------------------


@rule
def literal(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """Words that are taken for a name although the index has none like them."""
    yield from _literal(p, p.articles(at), p.entity(target))


def _literal(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    for end, cost in unknown_texts(p, at):
        text = p.raw(at, end)
        yield Found(end, Reference(entity.name, string(text), text=text), cost)


def unknown_texts(p: Parse, at: int) -> Iterator[tuple[int, float]]:
    """Where words that nothing is known of end: a run of capitals, or of words that are no English function word."""
    end = _unknown_end(p, at)
    if end is None:
        return
    cost = 0.8 if _like_a_name(p, at, end) else 2.5
    if any(one.end == end for one in p.lexemes[at]):
        cost += 0.5  # something is known of it, elsewhere
    yield end, cost + 0.05 * (end - at)
    # A word for an entity may stand behind the name: "the Cryptocurrency folder".
    for last in range(at + 1, end):
        if any(True for _ in p.starting(last, EntityWord)):
            yield last, cost + 0.05 * (last - at)


def _like_a_name(p: Parse, at: int, end: int) -> bool:
    """Whether words are written as a name: with a capital that does not only begin the sentence."""
    token = p.tokens[at]
    capital = token.raw[:1].isupper() or (token.raw[:1].isdigit() and end > at + 1)
    return capital and (at > 0 or end > at + 1)


def _unknown_end(p: Parse, at: int) -> int | None:
    if at >= p.end or p.tokens[at].kind in (TokenKind.QUOTED, TokenKind.MARK):
        return None
    if p.word(at) in CLOSED_CLASS and not p.tokens[at].raw.isupper():
        return None
    capital = p.tokens[at].raw[:1].isupper() or p.tokens[at].raw[:1].isdigit()
    end = at + 1
    while end < p.end:
        token = p.tokens[end]
        if token.kind is TokenKind.QUOTED:
            break
        if token.kind is TokenKind.MARK:
            glued = end + 1 < p.end and token.end == p.tokens[end + 1].start and p.tokens[end - 1].end == token.start
            spaced = token.text in "&-+" and end + 1 < p.end and p.tokens[end + 1].raw[:1].isupper()
            if token.text in _INSIDE_NAMES and (glued or spaced):
                end += 2
                continue
            break
        if token.text in CLOSED_CLASS or (capital and not (token.raw[:1].isupper() or token.raw[:1].isdigit())):
            break
        if not capital and (p.lexemes[end] and end > at):
            break
        end += 1
    return end


# --- by relation -----------------------------------------------------------------------------------------------------


@rule
def reference(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """An entity of a kind by any phrase: a name, a relation to another one, or a description of a set."""
    yield from named(p, at, target)
    yield from related(p, at, target)
    yield from within_another(p, at, target)
    yield from described(p, at, target)
    yield from literal(p, at, target)


@rule
def anything(p: Parse, at: int, field: str) -> Iterator[Found[Reference]]:
    """An entity of any kind that has a field (all kinds where the field is empty)."""
    for entity in p.schema.entities.values():
        if entity.virtual or (field and field not in entity.fields):
            continue
        for one in reference(p, at, entity.name):
            # A name of one kind only is that kind's; the entity that covers all stands for names of several.
            yield Found(one.end, one.value, one.cost + (0.15 if entity.kinds else 0.0))


@rule
def related(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`the owner of X`, `X's owner`, `the folder containing X`, `the folder X is in`, `the person who owns X`."""
    start = p.articles(at)
    for word in p.starting(start, FieldWord):
        ref = word.payload.ref
        if ref.target is None or not _covers(p, ref.target, target) or ref.within is not None:
            continue
        if p.word(word.end) in ("of", "for") and not word.payload.tail:
            yield from _member(p, word.end + 1, ref, target, word.cost)
    yield from _grandparent(p, start, target)
    yield from _possessive(p, start, target)
    yield from _container(p, start, target)
    yield from _agent(p, start, target)
    yield from _the_same(p, start, target)


def _member(p: Parse, at: int, ref: FieldRef, target: str, cost: float) -> Iterator[Found[Reference]]:
    for holder in holders(p, ref):
        for one in (*named(p, at, holder.name), *related(p, at, holder.name), *literal(p, at, holder.name)):
            found = member_of(one.value, ref)
            if found is not None:
                yield Found(
                    one.end, Reference(target, found, one.value.many), one.cost + cost + 0.05 + _generic(holder)
                )


def _grandparent(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`the grandparent folder of X`: two levels up."""
    if p.word(at) not in ("grandparent", "grandparents"):
        return
    after = next(iter(entity_words(p, at + 1, target)), at + 1)
    for ref in hierarchical(p.entity(target)):
        if ref.target == target and p.word(after) == "of":
            for one in named(p, after + 1, target):
                if (parent := member_of(one.value, ref)) is not None:
                    yield Found(one.end, Reference(target, member(parent, *ref.path)), one.cost)


def _generic(holder: Entity) -> float:
    return 0.15 if holder.kinds else 0.0


def holders(p: Parse, ref: FieldRef) -> Iterator[Entity]:
    """The entities whose documents have a field."""
    for entity in p.schema.entities.values():
        if not entity.virtual and ref.path[0] in (entity.fields if ref.within is None else entity.lists):
            yield entity


def member_of(one: Reference, ref: FieldRef) -> Value | None:
    """The field of what a reference means."""
    value = one.value
    if isinstance(value, tree.String):
        value = lookup(one.entity, value.value)
    return None if isinstance(value, tree.NameValue) else member(value, *ref.path)


def _covers(p: Parse, target: str, wanted: str) -> bool:
    return target == wanted or wanted in p.entity(target).kinds


def _possessive(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`Blueprints' parent folder`, `Q3 Report.pdf's owner`."""
    for entity in p.schema.entities.values():
        if entity.virtual:
            continue
        for one in named(p, at, entity.name):
            if p.word(one.end) not in english.POSSESSIVES:
                continue
            for word in p.starting(one.end + 1, FieldWord):
                ref = word.payload.ref
                if ref.target is not None and _covers(p, ref.target, target) and ref.path[0] in entity.fields:
                    found = member_of(one.value, ref)
                    if found is not None:
                        yield Found(word.end, Reference(target, found), one.cost + word.cost + 0.05 + _generic(entity))


_HOLDING = phrases(
    "above | one level above | containing | that contains | which contains | holding | that holds | which "
    "holds | with | that has | where | of | for | that contain | in which | which has"
)
_LYING = phrases(
    "is in | lives in | sits in | is inside | is stored in | is located in | is filed in | belongs to | "
    "lies in | resides in | is kept in | is | lives | is located | sits | are in | is saved in | is filed "
    "under"
)


def _container(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """The entity above: `the folder containing X`, `the folder that X is in`."""
    for end in entity_words(p, at, target):
        for ref in p.lexicon.fields():
            if ref.target != target or ref.field.reference is None or not is_hierarchical(p, ref):
                continue
            for holder in holders(p, ref):
                for after in p.phrases(end, _HOLDING):
                    if p.word(after - 1) in ("of", "for") and (holder.name == target or holder.kinds or p.plural(end)):
                        continue  # "folders of X" lie in X
                    for one in named(p, after, holder.name):
                        final = (
                            next(p.phrases(one.end, _LYING), one.end)
                            if p.word(after - 1) in ("where", "which")
                            else one.end
                        )
                        if (value := member_of(one.value, ref)) is not None:
                            yield Found(final, Reference(target, value), one.cost + 0.05 + _generic(holder))
                start = p.past(end, english.RELATIVE_PRONOUNS)
                for one in named(p, start, holder.name):
                    for final in p.phrases(one.end, _LYING):
                        if (value := member_of(one.value, ref)) is not None:
                            yield Found(final, Reference(target, value), one.cost + 0.05 + _generic(holder))


def _agent(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`the person who owns X`, `whoever created X`."""
    starts = [*entity_words(p, at, target)]
    if p.word(at) in words("one person guy user someone"):
        starts.append(at + 1)
    begins = [s + 1 for s in starts if p.word(s) in ("who", "that", "which")]
    if p.word(at) in ("whoever", "who", "whomever"):
        begins.append(at + 1)
    for begin in begins:
        for end, ref in verbs(p, begin, target):
            for holder in holders(p, ref):
                for one in named(p, end, holder.name):
                    if (value := member_of(one.value, ref)) is not None:
                        yield Found(one.end, Reference(target, value), one.cost + 0.05 + _generic(holder))


def _the_same(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`the same person who owns X`, `the same user as X`: told by what stands before it."""
    if p.word(at) != "same":
        return
    yield from (*_container(p, at + 1, target), *_agent(p, at + 1, target))


def verbs(p: Parse, at: int, target: str) -> Iterator[tuple[int, FieldRef]]:
    """Active forms of the verbs in a reference's words: `owns` and `owned` of `owned by`."""
    from qlc.translator.rules.morphology import stem

    word = stem(p.word(at)) if p.word(at).isalpha() else ""
    if not word:
        return
    for ref in p.lexicon.fields():
        if ref.target != target or ref.within is not None:
            continue
        for phrase in (ref.field.name, *ref.field.words):
            parts = phrase.casefold().replace("_", " ").split()
            if len(parts) == 2 and parts[1] == "by" and stem(parts[0]) == word:
                yield at + 1, ref
                break
        else:
            if _agent_noun(ref.field.name, word):
                yield at + 1, ref


def _agent_noun(noun: str, verb_stem: str) -> bool:
    """`owner` is who owns, `editor` who edits, `creator` who creates."""
    return len(verb_stem) > 2 and noun in (verb_stem + "er", verb_stem + "or", verb_stem + "r")


@rule
def within_another(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`the 2024 folder of Business/Payroll`, `Receipts inside Archive`."""
    entity = p.entity(target)
    for above in hierarchical(entity):
        if above.target != target or not entity.names:
            continue
        for one in named(p, at, target):
            if p.word(one.end) not in words("of in inside under within for") or not one.value.text:
                continue
            for outer in named(p, one.end + 1, target):
                if not outer.value.text or outer.value.text.count("/") + outer.value.text.count(">") > 4:
                    continue
                inner = compare(path(entity.names[0].name), "=", string(one.value.text))
                where = both(inner, compare(path(*above.path), "=", outer.value.value))
                found = tree.Subquery(tree.Find(tree.Name(entity.plural), where))
                yield Found(outer.end, Reference(target, found, many=False), one.cost + outer.cost + 0.3)


@rule
def described(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """A set by its properties: `folders created by Wei Zhang`. Only as a value of a field that refers to it."""
    from qlc.translator.rules.nouns import noun_phrase

    entity = p.entity(target)
    if entity.virtual:
        return
    for one in noun_phrase(p, at):
        phrase = one.value
        if phrase.entity == target and phrase.where is not None and phrase.fixed is None:
            found = tree.Subquery(tree.Find(tree.Name(entity.plural), phrase.where, phrase.sort, phrase.limit))
            yield Found(one.end, Reference(target, found, many=phrase.limit != 1), one.cost + 0.2)


# --- hierarchies -----------------------------------------------------------------------------------------------------


def hierarchical(entity: Entity) -> Iterator[FieldRef]:
    """The reference of an entity to the one above it."""
    for ref in entity_fields(entity):
        if entity.parent is not None and ref.path == (entity.parent,):
            yield ref


def is_hierarchical(p: Parse, ref: FieldRef) -> bool:
    return any(entity.parent == ref.path[0] for entity in p.schema.entities.values() if len(ref.path) == 1)
