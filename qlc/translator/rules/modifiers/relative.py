"""Comparisons with another thing, or with all of them: `newer than X`, `the same owner as X`, `above average`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both
from qlc.translator.rules.conditions import default_number
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, Lexeme
from qlc.translator.rules.nested import NounPhrase, nested
from qlc.translator.rules.nouns.degrees import degrees, paid_as_well
from qlc.translator.rules.nouns.names import Reference
from qlc.translator.rules.nouns.references import anything, member_of
from qlc.translator.rules.parse import Found, Parse, needs
from qlc.translator.rules.quantities.numbers import MORE_OR_LESS, Relation, Relations
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import phrases, words

LATER = phrases(
    "after | later than | newer than | more recently than | since | following | more recent than | subsequent to | past"
)
EARLIER = phrases("before | earlier than | older than | prior to | preceding | ahead of")
_LATER_OR_EARLIER: Relations = ((LATER, ">"), (EARLIER, "<"))
_ANY_OF = phrases("at least one [of] | one [or more] of | (any [one] | a few) of | some [of]")
_ALL_OF = phrases("(all | each | both | every | every one | all two | all three) [of]")
_SHARING = words("share sharing shares")
_LEADING = words(
    "with for in of has have having from sharing share shares by on at the that also carry carrying all "
    "exact exactly under a carries any to belonging belong as their its"
)
_AVERAGES: dict[str, tree.MeasureFunction] = {"average": "avg", "mean": "avg", "median": "median"}
_LONGEST_NOUN = 6


def against_document(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    """`created after X.pdf`, `between A.pdf and B.pdf`."""
    for table, operator in _LATER_OR_EARLIER:
        for end in p.phrases(at, table):
            for one in anything(p, end, ref.path[0]):
                if is_one(one.value) and (found := member_of(one.value, ref)) is not None:
                    for finish in (one.end, *as_it_does(p, one.end)):
                        yield Found(finish, ref.compared(operator, found), one.cost + 0.3)
                    yield from _than_then(p, one, ref, operator)
    if p.word(at) == "between":
        for low in anything(p, at + 1, ref.path[0]):
            if p.word(low.end) != "and" or not low.value.text:
                continue
            for high in anything(p, low.end + 1, ref.path[0]):
                if high.value.text and high.value.entity == low.value.entity:
                    left, right = member_of(low.value, ref), member_of(high.value, ref)
                    if left is not None and right is not None:
                        condition = both(ref.compared(">", left), ref.compared("<", right))
                        yield Found(high.end, condition, low.cost + high.cost + 0.3)


def as_it_does(p: Parse, at: int) -> Iterator[int]:
    """`later than X does`, `before X was`: the verb that stands for the one said before."""
    again = p.word(at) in words("does did do was were is has had") and not is_participle(p.word(at + 1))
    if again and not bool(p.starting(at + 1, FieldWord)):
        yield at + 1


def _than_then(p: Parse, other: Found[Reference], ref: FieldRef, operator: Relation) -> Iterator[Found[Condition]]:
    """`after X was modified`: the date of that verb."""
    done = p.past(other.end, english.COPULAS | english.SOFTENERS)
    for word, theirs in p.fields(done) if done > other.end or p.word(done).endswith("s") else ():
        found = member_of(other.value, theirs) if theirs.kind is FieldKind.DATE and theirs.within is None else None
        if found is not None:
            yield Found(word.end, ref.compared(operator, found), other.cost + 0.1)


def is_one(found: Reference) -> bool:
    """Whether a phrase means one thing, by name or by relation."""
    return bool(found.text) or (isinstance(found.value, tree.Member | tree.Subquery) and not found.many)


def _equal(ref: FieldRef, found: tree.Value) -> Condition:
    return ref.compared("has any" if ref.field.many is True else "=", found)


@needs(english.POSSESSIVES, words("as of with on from has have carries is carry uses had got"))
def sameness(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`in the same folder as X`, `sharing the owner of X`, `with X's category`, `in the category X has`."""
    lead = p.past(at, english.HAVING | _SHARING | words("that"))
    of_each = next(p.phrases(lead, _ALL_OF), None)
    start = p.past(of_each or next(p.phrases(lead, _ANY_OF), at), _LEADING)
    spoken = [p.word(i) for i in range(at, start)]
    shared = not _SHARING.isdisjoint(spoken)
    said = p.word(start) == "same"
    linked = said or shared or (start > at and p.word(at) in english.PREPOSITIONS | english.HAVING)
    yield from _of_its_owner(p, start, entity, every=of_each is not None) if linked else ()
    turned = [Lexeme(start + said, start + said + 1, FieldWord(ref), 0.1)
              for ref in p.lexicon.called((p.word(at), p.word(start + said)))] if said else []  # `from the same city`
    for lexeme, ref in (*p.fields(start + said), *((one, one.payload.ref) for one in turned)):
        if ref.within is not None or not ref.belongs_to(p.entity(entity)):
            continue
        if ref.field.many is True and {"exact", "exactly"} & {*spoken, p.word(at - 1) if at else ""}:
            continue  # these and no others, which no condition says
        if not (said or shared) and names_a_doer(p, at, lexeme):
            continue
        every = ref.field.many is True and (of_each is not None or "all" in spoken)
        links = {"as", "of"} | ({"with"} if shared else set()) | ({"on", "from"} if ref.field.many is True else set())
        for one in anything(p, lexeme.end + 1, ref.path[0]) if linked and p.word(lexeme.end) in links else ():
            if is_one(one.value) and (found := member_of(one.value, ref)) is not None:
                first = Found(one.end, _same(ref, found, every), one.cost + lexeme.cost - 0.1)
                yield first
        begin = p.past(lexeme.end, ("that", "which"))
        for one in anything(p, begin, ref.path[0]) if said or start > at else ():  # `tags X has` asks for the tags
            if one.value.text and p.word(one.end) in words("has have carries is carry uses had got"):
                end = one.end + 1
                end = end + 1 if p.word(end) in ("in", "under") else end
                if (found := member_of(one.value, ref)) is not None:
                    yield Found(end, _same(ref, found, every), one.cost + lexeme.cost)


def names_a_doer(p: Parse, at: int, lexeme: Lexeme[FieldWord]) -> bool:
    """Whether `by the owner of X` tells who did something: the owner of the things themselves is not spoken of."""
    target = lexeme.payload.ref.target
    person = target is not None and p.entity(target).virtual and not lexeme.payload.tail
    after = p.word(lexeme.end) in ("of", "for")
    return person and after and any(p.word(i) == "by" for i in range(at, lexeme.start))


def _of_its_owner(p: Parse, at: int, entity: str, *, every: bool) -> Iterator[Found[Condition]]:
    """`with X's tags`, `that share X's relationship id`: the field after the name of the thing that has it."""
    for one in anything(p, at, ""):
        for lexeme, ref in p.fields(one.end + 1) if p.word(one.end) in english.POSSESSIVES else ():
            theirs = ref.path[0] in p.entity(one.value.entity).fields and ref.within is None and one.value.text
            own = ref.belongs_to(p.entity(entity)) and not lexeme.payload.tail and ref.target is None
            found = member_of(one.value, ref) if theirs and own else None
            if found is not None:
                same = _same(ref, found, every and ref.field.many is True)
                yield Found(lexeme.end, same, one.cost + lexeme.cost)


@needs(words("common"))
def in_common(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`that has at least one tag in common with X`, `with tags in common with X`."""
    start = p.past(at, english.HAVING | words("that which at least one a some any the"))
    for lexeme, ref in p.fields(start):
        end = p.phrase(lexeme.end, "in", "common", "with")
        if end is None or ref.within is not None or not ref.belongs_to(p.entity(entity)):
            continue
        for one in anything(p, end, ref.path[0]):
            if is_one(one.value) and (found := member_of(one.value, ref)) is not None:
                yield Found(one.end, _equal(ref, found), one.cost + lexeme.cost)


def _same(ref: FieldRef, found: tree.Value, every: bool) -> Condition:
    return ref.compared("has all", found) if every else _equal(ref, found)


@needs(_AVERAGES)
def than_the_average(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`larger than the average document`, `above the average invoice amount`: than a number of all such things."""
    own = p.entity(entity)
    for end, operator, dimension in _compared_with(p, at):
        function = _AVERAGES.get(p.word(end))
        for noun in _all_such(p, at, end + 1, entity) if function is not None else ():
            said = [
                (word.end, word.payload.ref, 0.0)
                for word in p.starting(noun.end, FieldWord)
                if word.payload.ref.is_number and word.payload.ref.belongs_to(own)
            ]
            meant = [(noun.end, ref, unsure) for ref, unsure in _numbers_meant(p, own, dimension)]
            for finish, ref, unsure in said or meant:
                assert function is not None
                measure = tree.Measure(function, ref.left)
                whole = tree.Subquery(tree.Aggregate((measure,), tree.Name(own.plural), noun.value.where))
                yield Found(finish, ref.compared(operator, whole), noun.cost + unsure + 0.1)


def _all_such(p: Parse, at: int, after: int, entity: str) -> Iterator[Found[NounPhrase]]:
    """The things whose average is meant: those named after it (`the average invoice`); where none are, those that
    the comparison is said of (`invoices that are bigger than the average`)."""

    def plain(phrase: NounPhrase) -> bool:
        return phrase.entity == entity and phrase.plain

    named_after = [one for one in nested.bare_noun(p, after) if plain(one.value)]
    yield from named_after
    if named_after or not _nothing_named(p, after):
        return
    ends = {at}
    while at and p.word(at - 1) in english.COPULAS | english.RELATIVE_PRONOUNS:
        at -= 1
        ends.add(at)
    for start in range(max(0, at - _LONGEST_NOUN), at):
        found = (one for one in nested.bare_noun(p, start) if one.end in ends and plain(one.value))
        before = [one for one in found if one.value.headed]
        if before:
            yield from (one._replace(end=p.past(after, ("one", "ones"))) for one in before)
            return


def _nothing_named(p: Parse, at: int) -> bool:
    """Whether what is average is left to the things before: nothing that is known of is here."""
    return at >= p.end or p.word(at) in ("one", "ones") or not (p.lexemes[at] or p.word(at) in ("of", "for"))


def _numbers_meant(p: Parse, own: Entity, dimension: str) -> Iterator[tuple[FieldRef, float]]:
    """The numbers that are compared, and what each costs: the usual one where no adjective says which; of what has a
    size and an amount of money, as invoices, `bigger` may be said of both."""
    if not dimension:
        usual = default_number(own)
        yield from [(usual, 0.0)] if usual is not None else []
        return
    fields = [ref for ref, _ in degrees(own, dimension, True)]
    if len(fields) == 1:
        yield fields[0], 0.0
        for other in paid_as_well(p, own, fields[0]) if dimension == "size" else ():
            yield other, 0.1


def _compared_with(p: Parse, at: int) -> Iterator[tuple[int, tree.ComparisonOperator, str]]:
    """After `larger than the`, `above the`: how it is compared, and by which dimension where an adjective says so."""
    word = p.word(at)
    more = english.MORE_ADJECTIVES.get(word)
    dimension = more or english.LESS_ADJECTIVES.get(word)
    costing = english.MOST_ADJECTIVES.get(p.word(at + 1)) if word in ("more", "less") else None
    if costing is not None and costing not in english.OF_DATES and p.word(at + 2) == "than":
        yield p.articles(at + 3), ">" if word == "more" else "<", costing
        return
    if dimension is not None and dimension not in english.OF_DATES and p.word(at + 1) == "than":
        yield p.articles(at + 2), ">" if more else "<", "" if dimension == "number" else dimension
        return
    for table, operator in MORE_OR_LESS:
        for end in p.phrases(at, table):
            yield p.articles(end), operator, ""


RULES = (sameness, in_common, than_the_average)
