"""Read places: in folders, below them, siblings, near a point, and contents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.translator.rules.build import both, compare, either, lookup, member, negation, number, parts, path, string
from qlc.translator.rules.conditions import values
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, ValueWord, steps
from qlc.translator.rules.modifiers.elements import date_of_others
from qlc.translator.rules.modifiers.events import more_is_said
from qlc.translator.rules.nested import nested
from qlc.translator.rules.nouns.names import (
    Reference,
    entity_words,
    hierarchical,
    is_hierarchical,
    is_put,
    named,
    only_reference,
    possession,
    said_as_kind,
)
from qlc.translator.rules.nouns.references import anything, described, holders, member_of, reference
from qlc.translator.rules.parse import Found, Parse, begins, needs
from qlc.translator.rules.quantities.numbers import amount
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, phrases, words

_ONE = words("a an any no some")
_ARRIVED = words("landed arrived ended went turned up")
_INTO = words("in into inside under")
_AT_ANY_DEPTH = phrases("(at | on) (any | every | all) (depth | depths | level | levels)")
_DIRECTLY = words("directly right immediately straight")
_WRITTEN = words("addressed written sent")
_LEVELS = phrases(
    "[the] (whole | entire | full) (tree | hierarchy | subtree) | (and | or) below | [at] (any level | all levels | "
    "any depth) | and (everything | anything) below | and everything under it | and its descendants | and (further "
    "down | deeper | down) | [and] downwards | on down"
)
_INCLUDING = phrases(
    "including [. | in | everything in | all in] | incl [.] | [along] with | (and | or) [in] | [and] also | and "
    "everything in | plus | counting | as well as"
)
_HOLDING = words("has have had hold holds contain contains got include includes carry carries")
"""Verbs of what holds something; `receipts with comments` are no things that receipts have."""
_SOME = phrases("(at least | no less than) (one | a) | one or more | some | a")
_IN_THEM = phrases("(in | inside | within) (it | them)")
_BESIDE = phrases(
    "siblings (to | of) | sibling of | next to | beside | alongside | (along | together) with | adjacent to | same "
    "level as"
)
_NEAR = phrases(
    "within [a radius of] | in a radius of | less than | no more than | not more than | at most | up to | closer than"
)
_POINT = re.compile(
    r"\(?\s*(-?\d{1,2}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;/ ]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])?\s*\)?", re.I
)


@needs(english.CONTAINMENT, english.BELOW, words("outside"))
def containment(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`in Legal`, `anywhere under Clients`, `in Legal or its subfolders`, `at the top level`, `in the Clients tree`."""
    for ref in hierarchical(p.entity(entity)):
        assert ref.target is not None
        start = p.past(at, (english.SOFTENERS | english.ANYWHERE) - {"at"})
        anywhere = any(p.word(i) in english.ANYWHERE for i in range(at, start))
        start = _arrived(p, start)
        for deep in p.phrases(start, _AT_ANY_DEPTH):
            anywhere, start = True, deep
        word = p.word(start)
        if word == "outside":
            for one in named(p, start + 1 + (p.word(start + 1) == "of"), ref.target):
                yield Found(one.end, negation(_lies(ref, one.value, below=True)), one.cost + 0.1)
        if word not in english.CONTAINMENT and word not in english.BELOW:
            continue
        begin = start + 2 if p.word(start + 1) == "of" and word == "inside" else start + 1
        weak = 0.5 if word in words("from to of on for") else 0.05 if word == "at" else 0.0
        weak = 0.0 if is_put(p, start) else 1.0 if word == "to" and _written_to(p, start) else weak
        if word == "of" and (entity == ref.target or p.entity(entity).kinds):
            weak = 0.1  # "subfolders of Legal", "contents of Legal"
        wholly = p.past(begin, ("the", "our", "my"))
        if p.word(wholly) in ("whole", "entire") and word in ("in", "inside", "within", "across"):
            anywhere, begin = True, wholly + 1  # `in the whole Archive`
        directly = any(p.word(i) in _DIRECTLY for i in range(max(0, at - 1), start))
        for one in reference(p, begin, ref.target):
            cost = one.cost + weak
            if word == "at" and not isinstance(one.value.value, tree.NameValue):
                cost += 0.45  # what is spent at Costco is not in a folder
            below = anywhere or (word in english.BELOW and not directly)
            yield Found(one.end, _lies(ref, one.value, below=below), cost)
            for end in (*with_all_below(p, one.end, ref.target),
                        *p.phrases(one.end, phrases("tree | hierarchy | subtree"))):
                yield Found(end, _lies(ref, one.value, below=True), cost)
        yield from _in_one_of(p, begin, ref, anywhere or word in english.BELOW, weak)


def _arrived(p: Parse, at: int) -> int:
    """Return the position after `landed` of `landed in Legal`; `anything that ended up there` is left unread."""
    arrived = p.past(at, _ARRIVED) if at < p.end and not p.lexemes[at] else at
    unsure = at > 1 and p.word(at - 1) in ("that", "which") and p.word(at - 2) in words("anything something")
    return arrived if p.word(arrived) in _INTO and not unsure else at


def _in_one_of(p: Parse, at: int, ref: FieldRef, below: bool, cost: float) -> Iterator[Found[Condition]]:
    """`in Legal or Finance`."""
    for several in values(p, at, ref):
        found, _, is_set = several.value
        if len(found) > 1 and not is_set:
            parts = [_lies(ref, Reference(ref.target or "", one), below=below) for one in found]
            yield Found(several.end, either(parts), several.cost + cost)


def _written_to(p: Parse, at: int) -> bool:
    """Whether `to` comes right after the things: a `letter to Ann` lies nowhere, it was written to her."""
    end = at - 1 if at and p.word(at - 1) in _WRITTEN else at
    return p.word(at) == "to" and any(isinstance(one.payload, EntityWord | ValueWord) for one in p.ending(end))


def _lies(ref: FieldRef, found: Reference, *, below: bool) -> Condition:
    if below:
        return ref.compared("under in" if found.many else "under", found.value)
    return ref.compared("in" if found.many else "=", found.value)


def with_all_below(p: Parse, at: int, target: str) -> Iterator[int]:
    """`including subfolders`, `and all its nested folders`, `, sub folders too`, `recursively`."""
    start = p.past(at, (",", "(", "-"))
    for end in p.phrases(start, _LEVELS):
        yield p.past(end, (")",))
    if p.word(start) in ("recursively", "recursive"):
        yield start + 1
    for begin in (*p.phrases(start, _INCLUDING), *([start] if start > at else [])):
        inner = p.past(begin, english.ARTICLES | words("nested sub child inner lower deeper -"))
        for lexeme in p.starting(inner, EntityWord):
            several = p.plural(lexeme.end) or inner > p.articles(begin)  # "and that folder" is one
            if lexeme.payload.entity == target and several:
                end = p.past(lexeme.end, words("too as well included also inside it below in under"))
                yield p.past(end, (")",))
        if p.word(inner) in words("subfolders descendants levels below everything"):
            yield p.past(inner + 1, words("below it under in too included )"))


@begins(english.LACKING, english.HAVING, words("where"))
def contents(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """After a folder: `containing X.pdf`, `that hold W2s`, `with no documents`: by what lies in it."""
    own = p.entity(entity)
    lacking = p.word(at) in english.LACKING
    if own.id is None or not (lacking or p.word(at) in english.HAVING | {"where"}):
        return
    start = p.past(next(p.phrases(at + 1, _SOME), at + 1), ("any",))
    if p.word(start) == "no" and not lacking:
        lacking, start = True, start + 1
    for ref in p.lexicon.fields():
        if ref.target != entity or not is_hierarchical(p, ref):
            continue
        for holder in holders(p, ref):
            if holder.kinds:
                continue
            any_such = [*_one_called(p, at, start, ref, lacking)] if entity == holder.name else []
            yield from any_such
            has = p.word(at) in ("has", "have", "had") and p.word(at - 1) not in english.RELATIVE_PRONOUNS
            for one in named(p, p.articles(start), holder.name):
                if has and entity == holder.name:
                    continue  # "how many subfolders has Legal"
                if any(such.end >= one.end for such in any_such):
                    continue  # any folder of that name, and not the one
                if one.value.text and not said_as_kind(p, start, one.end):
                    found = member(lookup(holder.name, one.value.text), *ref.path)
                    yield Found(one.end, compare(path(own.id.name), "!=" if lacking else "=", found), one.cost + 0.1)
        if p.word(start) == "both":
            return  # of each kind something, which no one document is
        for phrase in nested.noun_phrase(p, start):
            inner = phrase.value
            if _says_it_twice(inner.where):
                continue  # "with pdfs but no docx" speaks of two documents
            if inner.where is None or inner.fixed is not None or ref.path[0] not in p.entity(inner.entity).fields:
                continue
            asked = tree.Find(tree.Name(p.entity(inner.entity).plural), inner.where)
            end = next(p.phrases(phrase.end, _IN_THEM), phrase.end)
            # `no subfolders under Projects` are rather folders there without any
            number = any(one.belongs_to(own) for one in p.lexicon.counting(p.word(start)))
            counted = 0.3 if number and not more_is_said(p, start + 1) else 0.0
            yield Found(end, _among_those_of(own.id, asked, ref, lacking), phrase.cost + 0.2 + counted)


@begins(words("without with has have had"))
def referred_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`turbines without visits`, `customers with open orders`: by what refers to them, where only one field can."""
    own = p.entity(entity)
    lacking = p.word(at) == "without"
    start = p.past(at + 1, ("any",))
    if p.word(start) == "no" and not lacking:
        lacking, start = True, start + 1
    for phrase in nested.noun_phrase(p, start) if own.id is not None and not own.virtual else ():
        inner = phrase.value
        ref = only_reference(p.entity(inner.entity), entity)
        if ref is not None and own.id is not None and inner.headed and inner.all_such and not inner.sort:
            asked = tree.Find(tree.Name(p.entity(inner.entity).plural), inner.where, every=inner.where is None)
            yield Found(phrase.end, _among_those_of(own.id, asked, ref, lacking), phrase.cost + 0.3)


def _among_those_of(id: Field, asked: tree.Find, ref: FieldRef, lacking: bool) -> Condition:
    """Return the condition of being referred to, or not: `id in (find invoices where paid).customer`."""
    return compare(path(id.name), "not in" if lacking else "in", member(tree.Subquery(asked), *ref.path))


def _says_it_twice(where: Condition | None) -> bool:
    """Whether something is to have a value, and not to have another one."""
    has = {one.left for one in parts(where) if isinstance(one, tree.Comparison) and one.operator == "="}
    return any(one.left in has for one in parts(where) if isinstance(one, tree.Comparison) and one.operator == "!=")


@begins(words("of for by"))
def related_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`of X`, `of Ann`: what refers to it, where only one field can: subfolders of X."""
    yield from _of_somebody(p, at, entity)
    for ref in p.lexicon.fields():
        if ref.target is None or ref.within is not None or not ref.belongs_to(p.entity(entity)):
            continue
        for one in described(p, at + 1, ref.target):
            if one.value.many and p.word(at) == "of":
                said = one.value.value.statement if isinstance(one.value.value, tree.Subquery) else None
                where = said.where if isinstance(said, tree.Find) else None
                cost = one.cost + 0.1 + date_of_others(p, at, one.end, p.entity(entity), where)
                yield Found(one.end, ref.compared("in", one.value.value), cost)


def _of_somebody(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`documents of Grace Kim`: those that are hers."""
    if p.word(at) != "of":
        return
    for ref in FieldRef.own(p.entity(entity)):
        if ref.target is not None and p.entity(ref.target).virtual and possession(ref):
            for who in named(p, at + 1, ref.target):
                yield Found(who.end, ref.equals(who.value.value), who.cost + 0.15)


@needs(_BESIDE)
def beside(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`next to X`, `alongside X`: in what X lies in, without X."""
    for end in p.phrases(p.past(at, english.SOFTENERS | {"the"}), _BESIDE):
        yield from beside_of(p, end, entity)


def beside_of(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """The things in what X lies in, without X: after `next to`, `sibling documents of`."""
    own = p.entity(entity)
    for ref in hierarchical(own):
        for one in anything(p, at, ref.path[0]):
            found = member_of(one.value, ref) if one.value.text else None
            if found is not None and own.id is not None:
                another = compare(path(own.id.name), "!=", lookup(one.value.entity, one.value.text))
                condition = both(ref.equals(found), another)
                # the siblings of a folder are folders
                unlike = 0.3 if p.word(at - 2) == "siblings" and one.value.entity not in (entity, *own.kinds) else 0.0
                yield Found(one.end, condition, one.cost + unlike)


@needs(_HOLDING)
def possessed(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`what subfolders does X have`, `which documents does Ann own`, `that Legal holds`."""
    start = p.past(at, english.AUXILIARIES | english.RELATIVE_PRONOUNS)
    own = p.entity(entity)
    for ref in hierarchical(own):
        assert ref.target is not None
        for one in reference(p, start, ref.target):
            helping = p.word(one.end + 1) in english.NEGATIONS or is_participle(p.word(one.end + 1))
            if p.word(one.end) in _HOLDING and not one.value.many and not helping:
                yield Found(one.end + 1, ref.equals(one.value.value), one.cost + 0.05)
                for word in p.starting(start, ValueWord) if entity != ref.target else ():
                    # "how many invoices does Globex have" may speak of another part that Globex has in them
                    other = word.payload.ref
                    if word.end == one.end and other.within is None and other.belongs_to(own):
                        theirs = other.equals(string(word.payload.text))
                        yield Found(one.end + 1, theirs, one.cost + 0.1)
        turned = p.word(at) in ("has", "have") and p.word(at - 1) not in english.RELATIVE_PRONOUNS | english.NEGATIONS
        if turned and entity == ref.target and p.word(at + 1) not in ("a", "an", "any", "no"):
            for one in named(p, at + 1, ref.target):
                yield Found(p.past(one.end, ("got",)), ref.equals(one.value.value), one.cost + 0.1)
    direct = [ref for ref in FieldRef.own(own) if ref.target is not None]
    direct = [ref for ref in direct if possession(ref) or only_reference(own, ref.target or "") == ref]
    ways = [(ref.path, ref.target or "") for ref in direct]
    ways += [(steps(way), target) for target, way in p.lexicon.chains(own).items()]
    for left, target in ways:
        for who in named(p, start, target):
            done = p.word(who.end + 1)  # what she has put somewhere need not be hers
            doing = done in english.SOFTENERS or is_participle(done)
            if p.word(who.end) in ("has", "have", "got") and not doing:
                yield Found(who.end + 1, compare(path(*left), "=", who.value.value), who.cost + 0.1)


def _one_called(p: Parse, at: int, start: int, ref: FieldRef, lacking: bool) -> Iterator[Found[Condition]]:
    """`with a Deliverables subfolder`, `that don't have a folder called Old`: what holds one of that name."""
    entity = p.entity(ref.target or "")
    if entity.id is None or not entity.names or not (lacking or any(p.word(i) in _ONE for i in range(at, start + 1))):
        return
    for one in named(p, start, entity.name):
        said = any(end == one.end for i in range(start, one.end) for end in entity_words(p, i, entity.name))
        said = said or any(True for _ in entity_words(p, p.articles(start), entity.name))
        if one.value.text and said:
            called = compare(path(entity.names[0].name), "=", string(one.value.text))
            asked = tree.Find(tree.Name(entity.plural), called)
            end = next(p.phrases(one.end, _IN_THEM), one.end)
            yield Found(end, _among_those_of(entity.id, asked, ref, lacking), one.cost + 0.05)


@begins(_NEAR)
def near_a_point(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """The things whose place is at most so far from a point."""
    points = [ref for ref in FieldRef.own(p.entity(entity)) if ref.kind is FieldKind.GEO_POINT]
    for begin in p.phrases(at, _NEAR) if points else ():
        for far in amount(p, begin):
            unit = find_unit(far.value.unit or "")
            if unit is None or unit.dimension != "length":
                continue
            after = p.past(far.end, words("of from around to away the point position coordinates"))
            found = _POINT.match(p.text, p.tokens[after].start) if far.end < after < p.end else None
            if found is None:
                continue
            signs = [-1 if (found[i] or "").upper() in ("S", "W") else 1 for i in (2, 4)]
            degrees = [number(float(found[i]) * sign) for i, sign in zip((1, 3), signs, strict=True)]
            said = {w.payload.ref.path for row in p.lexemes for w in row if isinstance(w.payload, FieldWord)}
            meant = points if len(points) == 1 else [ref for ref in points if ref.path in said]
            for ref in meant:
                condition = tree.Spatial(ref.left, "within", tree.Circle(far.value.node, tree.GeoPoint(*degrees)))
                yield Found(p.token_at(found.end()), condition, far.cost)


RULES = (containment, contents, referred_to, related_to, beside, possessed, near_a_point)
