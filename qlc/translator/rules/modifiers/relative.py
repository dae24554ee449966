"""Comparisons with another thing, or with all of them: `newer than X`, `the same owner as X`, `above average`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.translator.rules.build import both
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, Lexeme
from qlc.translator.rules.nouns.names import Reference
from qlc.translator.rules.nouns.references import anything, member_of
from qlc.translator.rules.parse import Found, Parse, needs
from qlc.translator.rules.quantities.numbers import Relations
from qlc.translator.rules.words import english
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


def against_document(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    """`created after X.pdf`, `between A.pdf and B.pdf`."""
    for table, operator in _LATER_OR_EARLIER:
        for end in p.phrases(at, table):
            for one in anything(p, end, ref.path[0]):
                if is_one(one.value) and (found := member_of(one.value, ref)) is not None:
                    for finish in (one.end,):
                        yield Found(finish, ref.compared(operator, found), one.cost + 0.3)
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
    turned = (
        [
            Lexeme(start + said, start + said + 1, FieldWord(ref), 0.1)
            for ref in p.lexicon.called((p.word(at), p.word(start + said)))
        ]
        if said
        else []
    )  # `from the same city`
    for lexeme, ref in (*p.fields(start + said), *((one, one.payload.ref) for one in turned)):
        if ref.within is not None or not ref.belongs_to(p.entity(entity)):
            continue
        every = ref.field.many is True and (of_each is not None or "all" in spoken)
        links = {"as", "of"} | ({"with"} if shared else set()) | ({"on", "from"} if ref.field.many is True else set())
        for one in anything(p, lexeme.end + 1, ref.path[0]) if linked and p.word(lexeme.end) in links else ():
            if is_one(one.value) and (found := member_of(one.value, ref)) is not None:
                first = Found(one.end, _same(ref, found, every), one.cost + lexeme.cost - 0.1)
                yield first
        p.past(lexeme.end, ("that", "which"))


def _same(ref: FieldRef, found: tree.Value, every: bool) -> Condition:
    return ref.compared("has all", found) if every else _equal(ref, found)


RULES = (sameness,)
