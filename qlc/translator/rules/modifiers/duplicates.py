"""Values that several things share: `files with the same name as some other file`, `that share a title with others`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, member, path
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, has_field
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

if TYPE_CHECKING:
    from qlc.translator.rules.nouns.noun_phrases import NounPhrase

_SHARING = phrases(
    "(with | have | having | has | of) the [very | exact] same | (share | sharing | shares) (a | their | its | the) "
    "[same]"
)
_ANOTHER = phrases("(as | with | like) (another | (some | any | at least one | one) other | (other | others))")


def shared_with_another(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A value that more than one of them has."""
    own = p.entity(entity)
    for end in p.phrases(p.past(at, english.RELATIVE_PRONOUNS), _SHARING):
        for lexeme in p.starting(end, FieldWord):
            ref = lexeme.payload.ref
            if ref.within is not None or not has_field(own, ref) or not _can_be_shared(ref):
                continue
            for other in p.phrases(lexeme.end, _ANOTHER):
                for scope in _others(p, at, other, entity):
                    count = tree.Measure("count")
                    several = tree.Comparison(count, ">", tree.Number(1, "1"))
                    by = (tree.Group(path(*ref.path)),)
                    rows = tree.Aggregate((count,), tree.Name(own.plural), scope.value.where, by, several)
                    shared = member(tree.Subquery(rows), *ref.path)
                    yield Found(scope.end, compare(path(*ref.path), "in", shared), lexeme.cost + scope.cost + 0.1)


def _can_be_shared(ref: FieldRef) -> bool:
    return ref.kind is FieldKind.KEYWORD and ref.field.many is not True


def _others(p: Parse, at: int, behind: int, entity: str) -> Iterator[Found[NounPhrase]]:
    """Among which things the other is: all (`another document`), or those that are spoken of (`invoices with the same
    name as another invoice`, `as another one`). An invoice that is called as some letter is no case of this."""
    from qlc.translator.rules.nouns.noun_phrases import NounPhrase, bare_noun

    before = next((one.value for i in range(max(0, at - _LONGEST), at) for one in bare_noun(p, i)
                   if one.end == at and one.value.entity == entity and one.value.headed), None)  # fmt: skip
    if before is None or before.fixed is not None or before.limit is not None or before.sort:
        return
    nouns = [one for one in bare_noun(p, behind) if one.value.entity == entity and one.value.fixed is None]
    for noun in nouns:
        if (noun.value.where is None and noun.value.headed) or noun.value.where == before.where:
            again = 0.0 if noun.value.where == before.where else noun.cost
            yield Found(noun.end, NounPhrase(entity, noun.value.where), again)
    after = p.past(behind, words("one ones of them"))
    if not nouns and (after > behind or p.past(behind, english.END_MARKS) >= p.end):
        yield Found(after, NounPhrase(entity, before.where), 0.1)


_LONGEST = 5
"""Words of the things that are spoken of."""
