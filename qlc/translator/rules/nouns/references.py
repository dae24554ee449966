"""Phrases that mean one entity, or a set of them: `the Recipes folder`, `the owner of X`, `folders created by Wei`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, lookup, member, path, string
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, Lexeme, ValueWord
from qlc.translator.rules.nested import nested
from qlc.translator.rules.nouns.names import (
    Reference,
    entity_words,
    hierarchical,
    is_hierarchical,
    literal,
    named,
    said_as_kind,
)
from qlc.translator.rules.parse import Found, Parse, needs, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, stem, words

_OF_ANY_KIND = 0.2  # cost of looking up a name in entities of every kind
_HOLDING = phrases(
    "[one level] above | (that | which) (contains | holds | has) | that contain | containing | holding | with | where "
    "| of | for | in which"
)
_INSIDE = words("of in inside under within for below beneath")
_LYING = phrases(
    "is [in | inside | located [in] | (stored | filed | kept | saved) in | filed under] | lives [in] | sits [in] | "
    "(lies | resides) in | belongs to | are in"
)


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
            yield Found(one.end, one.value, one.cost + _generic(entity))


@rule
def related(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`the owner of X`, `X's owner`, `the folder containing X`, `the folder X is in`, `the person who owns X`."""
    start = p.articles(at)
    if any(p.word(i) in ("each", "every") for i in range(at, start)):
        return  # each folder of X is not the one that X is in
    for word, ref in p.fields(start):
        if ref.target is None or not _covers(p, ref.target, target) or ref.within is not None:
            continue
        if p.plural(word.end) and any(one.end == word.end for one in p.starting(start, EntityWord)):
            continue  # "folders for X" are not the folder of X
        for end in (word.end, *entity_words(p, word.end, target)):  # "parent directory of"
            if p.word(end) in ("of", "for", "behind") and not word.payload.tail:
                yield from _member(p, end + 1, ref, target, word.cost)
    yield from _grandparent(p, start, target)
    yield from _possessive(p, start, target)
    for begin in (start, start + 1) if p.word(start) == "same" else (start,):  # `the same person who owns X`
        yield from (*_container(p, begin, target), *_agent(p, begin, target))


def _member(p: Parse, at: int, ref: FieldRef, target: str, cost: float) -> Iterator[Found[Reference]]:
    for holder in holders(p, ref):
        names = (*named(p, at, holder.name), *related(p, at, holder.name), *literal(p, at, holder.name))
        for one in names:
            found = member_of(one.value, ref)
            if found is not None:
                yield Found(one.end, Reference(target, found, one.value.many),
                            one.cost + cost + 0.05 + _generic(holder))


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
    return _OF_ANY_KIND if holder.kinds else 0.0


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


@needs(english.POSSESSIVES)
def _possessive(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`Blueprints' parent folder`, `Q3 Report.pdf's owner`."""
    for entity in p.things:
        for one in named(p, at, entity.name):
            if p.word(one.end) not in english.POSSESSIVES:
                continue
            called = p.lexicon.named(one.value.text) if one.value.text else []
            for word, ref in p.fields(one.end + 1):
                plain = any(noun.end == word.end for noun in p.starting(word.start, EntityWord))
                if plain and entity.name == target and ref.target == target:
                    yield Found(word.end, one.value, one.cost + word.cost + 0.05)  # "Acme Corp's folder" is called so
                elif plain and target in entity.kinds and any(target in word.entities for word in called):
                    continue
                elif ref.target is not None and _covers(p, ref.target, target) and ref.path[0] in entity.fields:
                    found = member_of(one.value, ref)
                    if found is not None:
                        yield Found(word.end, Reference(target, found), one.cost + word.cost + 0.05 + _generic(entity))


def _container(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """The entity above: `the folder containing X`, `the folder that X is in`."""
    for end in entity_words(p, at, target):
        for ref in p.lexicon.fields():
            if ref.target != target or ref.field.reference is None or not is_hierarchical(p, ref):
                continue
            for holder in holders(p, ref):
                for after in p.phrases(end, _HOLDING):
                    if p.plural(end) and p.word(after) in ("a", "an", "any", "no"):
                        continue  # "folders with an Old subfolder" hold any of that name
                    if p.word(after - 1) in ("of", "for") and (holder.name == target or holder.kinds or p.plural(end)):
                        continue  # "folders of X" lie in X
                    for one in named(p, after, holder.name):
                        if said_as_kind(p, after, one.end):
                            continue
                        lies = p.word(after - 1) in ("where", "which")
                        final = next(p.phrases(one.end, _LYING), one.end) if lies else one.end
                        yield from _held_by(holder, one, ref, target, final)
                start = p.past(end, english.RELATIVE_PRONOUNS)
                for one in named(p, start, holder.name):
                    for final in p.phrases(one.end, _LYING):
                        yield from _held_by(holder, one, ref, target, final)


def _held_by(holder: Entity, one: Found[Reference], ref: FieldRef, target: str, end: int) -> Iterator[Found[Reference]]:
    if (value := member_of(one.value, ref)) is not None:
        yield Found(end, Reference(target, value), one.cost + 0.05 + _generic(holder))


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
                    if said_as_kind(p, end, one.end):
                        continue  # `bots that created invoices` made many of them
                    yield from _held_by(holder, one, ref, target, p.past(one.end, ("last",)))


def verbs(p: Parse, at: int, target: str | None) -> Iterator[tuple[int, FieldRef]]:
    """Active forms of the verbs in a reference's words, or a text's without a target: `owns`, `owned` of `owned by`."""
    word = stem(p.word(at)) if p.word(at).isalpha() else ""
    if not word:
        return
    for ref in p.lexicon.fields():
        if ref.target != target or ref.within is not None or ref.kind is not FieldKind.KEYWORD:
            continue
        for parts in ref.phrases:
            if len(parts) > 1 and parts[-1] == "by" and stem(parts[0]) == word:
                end = p.phrase(at + 1, *parts[1:-1])
                if end is not None:
                    yield end, ref
                    break
        else:
            agents = (f"{word}er", f"{word}or", f"{word}r")
            if target is not None and len(word) > 2 and ref.field.name in agents:  # `owner` is who owns
                yield at + 1, ref


def deeds(p: Parse, at: int) -> Iterator[tuple[int, FieldRef]]:
    """The verbs for what people do, who have no documents of their own."""
    for target in (None, *(one.name for one in p.schema.entities.values() if one.virtual)):
        yield from verbs(p, at, target)


def of_their_kind(p: Parse, at: int, ref: FieldRef) -> Condition | None:
    """`bots` of `which bots uploaded X`: a field beside the one for who did it says of which kind they are."""
    target = p.schema.entities.get(ref.target or "")
    if target is not None and p.word(at) in (target.name, target.plural):
        return None
    for one in p.starting(at, ValueWord):
        if _is_any(p, target, one):
            continue  # `users` are any people where a value for people is called so, too
        if one.payload.ref.field.name.startswith(f"{ref.field.name}_"):
            return one.payload.ref.equals(string(one.payload.text))
    return None


def of_another_kind(p: Parse, at: int, ref: FieldRef) -> bool:
    """Return whether a word such as `organisation` tells a kind of people that no field of this reference has."""
    if of_their_kind(p, at, ref) is not None:
        return False
    target = p.schema.entities.get(ref.target or "")
    beside = [f"{one.field.name}_" for one in p.lexicon.fields() if one.target == ref.target and one.path != ref.path]
    kinds = (one for one in p.starting(at, ValueWord) if one.payload.closed and not _is_any(p, target, one))
    return any(one.payload.ref.field.name.startswith(name) for one in kinds for name in beside)


def _is_any(p: Parse, target: Entity | None, kind: Lexeme[ValueWord]) -> bool:
    closed = kind.payload.ref.field.values
    spelled = {word for word, one in closed.spellings.items() if one == kind.payload.text} if closed is not None else ()
    said = any(one.end == kind.end for one in p.starting(kind.start, EntityWord))
    return target is not None and said and target.name in spelled


@rule
@needs(_INSIDE)
def within_another(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """`the 2024 folder of Business/Payroll`, `Receipts inside Archive`."""
    entity = p.entity(target)
    for above in hierarchical(entity):
        if above.target != target or not entity.names:
            continue
        for one in named(p, at, target):
            link = p.word(one.end)
            if link not in _INSIDE or not one.value.text:
                continue
            for outer in named(p, one.end + 1, target):
                if not outer.value.text or outer.value.text.count("/") + outer.value.text.count(">") > 4:
                    continue
                inner = compare(path(entity.names[0].name), "=", string(one.value.text))
                lies: tree.ComparisonOperator = "under" if link in english.BELOW else "="
                where = both(inner, above.compared(lies, outer.value.value))
                found = tree.Subquery(tree.Find(tree.Name(entity.plural), where))
                yield Found(outer.end, Reference(target, found, many=False), one.cost + outer.cost + 0.1)


@rule
def described(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """A set by its properties: `folders created by Wei Zhang`. Only as a value of a field that refers to it."""
    entity = p.entity(target)
    if entity.virtual or p.word(at) in ("each", "every"):
        return  # one after the other, and not all of them together
    for one in nested.noun_phrase(p, at):
        phrase = one.value
        if phrase.entity == target and phrase.fixed is None and (phrase.where is not None or phrase.limit == 1):
            found = tree.Subquery(tree.Find(tree.Name(entity.plural), phrase.where, phrase.sort, phrase.limit))
            alone = 0.4 if phrase.single and not phrase.sort else 0.0  # "the legal folder" is rather a name
            yield Found(one.end, Reference(target, found, many=phrase.limit != 1), one.cost + 0.2 + alone)


def they_do_something(p: Parse, at: int, end: int, ref: FieldRef) -> bool:
    """Whether a verb between here and there is what those that a field refers to do."""
    return any(True for i in range(at, end) for _ in verbs(p, i, ref.target or ""))
