"""Names of entities: known ones, paths, ids, and words taken for a name; and the fields that refer to entities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from qlc.base.frozen import unguarded_dataclass
from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.mapping.id_pattern import id_pattern
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import path, string
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, NameWord, ThingWord, ValueWord, steps
from qlc.translator.rules.lexicon.values import names_a_language
from qlc.translator.rules.parse import DIGITS, Found, Parse, needs, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, stem, words
from qlc.translator.rules.words.tokens import TokenKind


def hierarchical(entity: Entity) -> Iterator[FieldRef]:
    """The reference of an entity to the one above it."""
    parent = entity.parent
    if parent is not None and parent in entity.fields:
        yield FieldRef((parent,), entity.fields[parent])


def is_hierarchical(p: Parse, ref: FieldRef) -> bool:
    return any(entity.parent == ref.path[0] for entity in p.schema.entities.values() if len(ref.path) == 1)


def entity_with(p: Parse, ref: FieldRef | None) -> str | None:
    """The first entity of the catalog that has a field."""
    for entity in p.schema.entities.values():
        if not entity.virtual and (ref is None or ref.belongs_to(entity)):
            return entity.name
    return None


def possession(ref: FieldRef) -> bool:
    """Whether a reference says whose something is."""
    said = {("owner",), ("belongs", "to"), ("owned", "by"), ("belonging", "to")}
    return not said.isdisjoint(ref.phrases)


@lru_cache(maxsize=512)
def only_reference(entity: Entity, target: str) -> FieldRef | None:
    """Return the only field that refers to an entity; None if there are several, or if it is a hierarchy."""
    above = {ref.path for ref in hierarchical(entity)}
    found = [ref for ref in FieldRef.own(entity) if ref.target == target]
    return found[0] if len(found) == 1 and found[0].path not in above else None


def way_to(p: Parse, entity: Entity, target: str) -> tuple[str, ...]:
    """The path that leads from an entity to another one: its one reference, or the one way through other things."""
    ref = only_reference(entity, target)
    return ref.path if ref is not None else steps(p.lexicon.chains(entity).get(target, ()))


CLOSED_CLASS = words(
    "per than since before after between until over sorted above below less more named called when what where how many "
    "except as same owned created by dated during whose i we last next not both either neither nor most least top "
    "first count number show find list only"
).union(
    english.BEFORE_NAMES, english.PREPOSITIONS, english.AND, english.OR, english.COPULAS, english.AUXILIARIES,
    english.RELATIVE_PRONOUNS, english.HAVING, english.LACKING, english.NEGATIONS, english.BELOW, english.OTHER,
    english.POLITE, english.PRONOUNS,
)  # fmt: skip
_SEPARATORS = words(r"> / \ » → ›")
_INSIDE_NAMES = frozenset("-/.'&+(),#@_:*{}")
TOP_LEVEL = phrases(
    "[the] top level [folder] | the top - level [folder] | top - level | [the] root (folder | level) | [the] root | "
    "the root directory | toplevel | [the] very top | the (top most | highest) level | top - most | topmost | (root | "
    "[very] top) of the (tree | hierarchy | store | drive) | (outermost | base) level"
)
_OF_AN_ID = words("id the no nr number # : uuid code")
_LONGEST_FRAMED = 6
_OF_A_MEASURE = words("average mean median typical usual total combined maximum minimum")
_FILE = re.compile(r"\w\.[A-Za-z][A-Za-z0-9]{1,4}$")
_PUTTING = words("added saved uploaded moved put filed posted copied imported scanned synced dropped stored")
_A_NUMBER = 3


@unguarded_dataclass(frozen=True, slots=True)
class Reference:
    """`value` means one `entity`, or a set of them (`many`). `text` is the name as people wrote it, if it is a name."""

    entity: str
    value: Value
    many: bool = False
    text: str = ""

    def meant_by(self, ref: FieldRef) -> Condition:
        """Return the condition that a field refers to it, or to one of several."""
        return ref.compared("in" if self.many else "=", self.value)


@rule
def named(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """An entity by its name alone, its id or a path; perhaps with the word for what it is."""
    entity = p.entity(target)
    start = p.past(at, english.BEFORE_NAMES)
    bare = [*_bare(p, start, entity)]
    yield from bare
    for word in entity_words(p, start, target):
        after = next(p.phrases(word, english.NAMED), word)
        if after > word and (p.plural(word) or p.word(start - 1) in words("any every all each")):
            continue  # "in folders called X" are all of them
        if p.word(after) == "with" and p.word(after + 1) not in _OF_AN_ID:
            continue  # "files with X's owner" are not X
        after = p.past(after, words(": id with = # is the no nr number"))
        after = p.past(after, (".",))
        for one in (*_bare(p, after, entity), *_literal(p, after, entity)):
            yield Found(one.end, one.value, one.cost + 0.02)
    for one in (*bare, *_literal(p, start, entity)):
        for word in entity_words(p, one.end, target):
            longer = (name for name in p.starting(start, NameWord) if name.end >= word and name.payload.whole)
            if not p.plural(word) and not any(_fits(entity, name.payload.entities) for name in longer):
                yield Found(word, one.value, one.cost - 0.05)
    if start > at:
        yield from _framed(p, start, entity)
    for end in p.phrases(start, TOP_LEVEL):
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
        start = p.tokens[at].start
        end = id_pattern(entity.id_pattern).match(p.text, start)
        written = p.text[start:end] if end is not None else ""
        ended = not p.text[start + len(written) :][:1].isalnum()
        if ended and (written.isupper() or any(c.isdecimal() for c in written)):
            yield Found(p.token_at(start + len(written)), Reference(entity.name, string(written), text=written), 0.0)
    yield from _unknown_file(p, at, entity)
    yield from _numbered(p, at, entity)
    yield from _path(p, at, entity)
    yield from _beginning_with_marks(p, at, entity)
    for one in p.starting(at, NameWord):
        word = one.payload
        assert isinstance(word, NameWord)
        if _fits(entity, word.entities) and not (p.word(at) in english.ASKING_WORDS and p.word(one.end) == "'s"):
            end = _with_marks(p, one.start, one.end, word.text)
            written = p.raw(one.start, end)
            yield Found(end, Reference(entity.name, string(written), text=written), one.cost)
            for after in _left_out_part(p, end, word):
                yield Found(after, Reference(entity.name, string(word.text), text=word.text), one.cost)
    for pointing in p.starting(at, ThingWord):
        text = pointing.payload.text
        if entity.name in pointing.payload.entities:
            yield Found(pointing.end, Reference(entity.name, string(text), text=text), pointing.cost)


@needs(words("."))
def _unknown_file(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """`Moon Landing Plan.pdf`: a name, whether or not anything has it."""
    end = _unknown_end(p, at) if entity.names and not entity.virtual and at not in p.inside else None
    if end is not None and like_a_file(text := p.raw(at, end)):
        yield Found(end, Reference(entity.name, string(text), text=text), 0.3)


def _left_out_part(p: Parse, at: int, name: NameWord) -> Iterator[int]:
    """`the Welcome tour video`: after the noun for what the name was left without, the ending of a file."""
    ending = name.text.rpartition(".")[2].casefold()
    for lexeme in p.starting(at, ValueWord) if not name.whole and 0 < len(ending) <= 5 else ():
        closed = lexeme.payload.ref.field.values
        if closed is None or p.plural(lexeme.end):
            continue
        text = lexeme.payload.text.casefold()
        if ending in {one.casefold() for one in closed.groups.get(text, (text,))}:
            yield lexeme.end


def _with_marks(p: Parse, start: int, end: int, name: str) -> int:
    """After the marks that a name ends with: `report (final)`."""
    longer = end
    while longer < p.end and p.tokens[longer].kind is TokenKind.MARK:
        longer += 1
        if p.raw(start, longer).casefold() == name.casefold():
            return longer
    return end


def _beginning_with_marks(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """Names such as `{{step1.id}}.txt` and `#42`."""
    if at >= p.end or p.tokens[at].kind is not TokenKind.MARK:
        return
    start = at + 1
    while start < min(at + 4, p.end) and p.tokens[start].kind is TokenKind.MARK:
        start += 1
    for one in p.starting(start, NameWord):
        if _fits(entity, one.payload.entities):
            written = p.raw(at, one.end)
            if one.payload.text.casefold().startswith(written[: p.tokens[start].start - p.tokens[at].start]):
                yield Found(one.end, Reference(entity.name, string(written), text=written), one.cost)


def _of_another(p: Parse, entity: Entity, text: str) -> float:
    """Return the cost of a name for this entity if only other entities are known to have it."""
    having = {e for word in p.lexicon.named(text) for e in word.entities}
    return 0.6 if having and not _fits(entity, tuple(having)) else 0.0


def _fits(entity: Entity, entities: tuple[str, ...]) -> bool:
    return entity.name in entities or any(kind in entities for kind in entity.kinds)


@needs(_SEPARATORS)
def _path(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """`Archive > Receipts`, `business/payroll`: parts of which at least one is a name."""
    if entity.parent is None and entity.path is None:
        return
    begin = at + 1 if p.word(at) == "/" else at  # "/Archive/Receipts"
    top = {name for ref in hierarchical(entity) if ref.field.reference for name in ref.field.reference.constants}
    first = {begin + 1} if p.word(begin) in top else _part_ends(p, begin)  # "root/Archive"
    ends = [(end, 0.0) for end in first]
    seen: set[int] = set()
    while ends:
        end, cost = ends.pop()
        bound = p.word(end) == ">" and p.word(end + 1).replace(",", "").isdecimal()
        if p.word(end) not in _SEPARATORS or (bound and not bool(p.starting(end + 1, NameWord))):
            continue  # more than so many
        for following in _part_ends(p, end + 1):
            if following not in seen:
                seen.add(following)
                ends.append((following, cost))
                text = p.raw(at, following)
                yield Found(following, Reference(entity.name, string(text), text=text), 0.05)
                for inner in p.starting(following, NameWord):  # "Archive/Receipts 2024" may be below them
                    if _fits(entity, inner.payload.entities):
                        below = f"{text}/{p.raw(following, inner.end)}"
                        yield Found(inner.end, Reference(entity.name, string(below), text=below), 0.15)


def is_a_path(p: Parse, at: int, end: int) -> bool:
    """Whether a name is written as names with a mark between them."""
    return any(p.word(i) in _SEPARATORS for i in range(at + 1, end - 1))


def _framed(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """`the HR training folder`: what is between the article and the noun is a name, known or not."""
    measured = p.word(at) in _OF_A_MEASURE and not bool(p.starting(at, NameWord))
    for end in range(at + 1, min(at + _LONGEST_FRAMED, p.end)) if not measured else ():
        if p.word(end - 1) in CLOSED_CLASS or p.word(end - 1) == "" or p.tokens[end - 1].kind is TokenKind.MARK:
            return
        for word in entity_words(p, end, entity.name):
            if p.plural(word):
                continue
            text = p.raw(at, end)
            yield Found(word, Reference(entity.name, string(text), text=text), 1.2)


def _part_ends(p: Parse, at: int) -> set[int]:
    if p.quoted(at) is not None:
        return {at + 1}
    ends = {one.end for one in p.starting(at, NameWord)}
    unknown = _unknown_end(p, at)
    return ends | ({unknown} if unknown is not None and not ends else set())


@rule
def literal(p: Parse, at: int, target: str) -> Iterator[Found[Reference]]:
    """Words that are taken for a name although the index has none like them."""
    yield from _literal(p, p.past(at, english.BEFORE_NAMES), p.entity(target))


def _literal(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    if p.word(at) in _OF_A_MEASURE and not bool(p.starting(at, NameWord)):
        return  # `than the average flight` is a number of all of them
    for end, cost in unknown_texts(p, at):
        text = p.raw(at, end)
        if p.word(at - 1) == "in" and names_a_language(text) and not bool(p.starting(end, EntityWord)):
            continue  # what is `in Spanish` need not lie anywhere
        if not may_identify(entity, text):
            continue
        yield Found(end, Reference(entity.name, string(text), text=text), cost)


def may_identify(entity: Entity, text: str, *, any_case: bool = False) -> bool:
    """Whether a text may say which one is meant: where things have no names, only what looks like an id."""
    only_ids = all(one.is_id or one == entity.id for one in entity.names) and not entity.virtual
    return not only_ids or not entity.id_pattern or id_pattern(entity.id_pattern, any_case).fullmatch(text)


def unknown_texts(p: Parse, at: int) -> Iterator[tuple[int, float]]:
    """Yield the ends of an unknown text with their costs: a run of capitals, or of content words."""
    end = _unknown_end(p, at)
    if end is None:
        return
    cost = 0.3 if like_a_file(p.raw(at, end)) else 0.8 if _like_a_name(p, at, end) else 2.5
    if any(one.end == end for one in p.lexemes[at]):
        cost += 0.5  # something is known of it, elsewhere
    yield end, cost + 0.05 * (end - at)
    # A word for an entity may come after the name: "the Cryptocurrency folder".
    for last in range(at + 1, end):
        if bool(p.starting(last, EntityWord)):
            yield last, cost + 0.05 * (last - at)


def like_a_file(text: str) -> bool:
    """Whether a text ends as names of files do: nothing but a name is written so."""
    return _FILE.search(text) is not None


def _like_a_name(p: Parse, at: int, end: int) -> bool:
    """Whether words are written as a name: with a capital that does not only begin the sentence."""
    token = p.tokens[at]
    capital = token.raw[:1].isupper() or (token.raw[:1].isdecimal() and end > at + 1)
    return capital and (at > 0 or end > at + 1)


def _unknown_end(p: Parse, at: int) -> int | None:
    if at >= p.end or p.tokens[at].kind in (TokenKind.QUOTED, TokenKind.MARK):
        return None
    if p.word(at) in CLOSED_CLASS and not p.tokens[at].raw.isupper():
        return None
    capital = p.tokens[at].raw[:1].isupper() or p.tokens[at].raw[:1].isdecimal()
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
        if token.text in CLOSED_CLASS or (capital and not (token.raw[:1].isupper() or token.raw[:1].isdecimal())):
            break
        if not capital and (p.lexemes[end] and end > at):
            break
        end += 1
    return end


def is_put(p: Parse, at: int) -> bool:
    """Whether `to` is here after a verb for putting something somewhere: `saved to Legal`."""
    return p.word(at) == "to" and at > 0 and p.word(at - 1) in _PUTTING


def widest(p: Parse) -> str:
    """The entity for `everything`: one that covers the others, else the first."""
    real = p.things
    return next((e.name for e in real if e.kinds), real[0].name)


def kind_in_plural(p: Parse, end: int, ref: FieldRef) -> bool:
    """Whether a value that ends here is a noun in the plural: `invoices`, but not `Human Resources`."""
    return p.plural(end) and not p.lexicon.ends_a_value(ref, p.word(end - 1))


def said_as_kind(p: Parse, at: int, end: int) -> bool:
    """Whether small letters say a kind of things rather than a name: `folders containing invoices`."""
    if not p.raw(at, end).islower():
        return False
    if any(one.end == end and kind_in_plural(p, end, one.payload.ref) for one in p.starting(at, ValueWord)):
        return True
    return p.plural(end) and all(stem(p.word(i)) in p.lexicon.vocabulary for i in range(at, end))


@needs((DIGITS,))
def _numbered(p: Parse, at: int, entity: Entity) -> Iterator[Found[Reference]]:
    """`Invoice 99650`: a kind in the singular and a number, which are rather the beginning of a name."""
    digits = p.word(at + 1)
    if entity.virtual or entity.parent is None or not digits.isdecimal() or len(digits) < _A_NUMBER or p.plural(at + 1):
        return
    kinds = (one for one in p.starting(at, ValueWord) if one.payload.closed and one.payload.ref.belongs_to(entity))
    if len(digits) != len("2026") and any(one.end == at + 1 for one in kinds):
        text = p.raw(at, at + 2)
        yield Found(at + 2, Reference(entity.name, string(text), text=text), 0.3)
