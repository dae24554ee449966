"""Where one thing lies, what it comes from, and whose or for whom it is: `what folder is X in`, `who can see X`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Statement
from qlc.translator.rules.lexicon.lexemes import FieldRef, ValueWord
from qlc.translator.rules.nested import find
from qlc.translator.rules.nouns.names import Reference, entity_words, is_hierarchical, kind_in_plural
from qlc.translator.rules.nouns.noun_phrases import of_reference, one_by_name
from qlc.translator.rules.nouns.references import member_of
from qlc.translator.rules.parse import Found, Parse, if_any, needs, rule
from qlc.translator.rules.questions.value_questions import any_name
from qlc.translator.rules.words.phrases import phrases, words

_LIES = words(
    "in inside live lives sit stored located filed under kept belong to within saved lie reside found be "
    "contained sitting end ended up go went gone nested tucked away housed"
)
_ABOVE = phrases("(one | a | the) level above | (one | a) level up from | up one level from | one up from | above")


@rule
@needs(words("which what where wheres"), _ABOVE)
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
                    end, words("is are does contains holds has do did was 's can i find would home to houses")
                )
                if verb == end or (p.plural(end) and _is_a_kind(p, p.articles(verb))):
                    continue
                for one in any_name(p, verb):
                    finish = p.past(one.end, _LIES)
                    finish += p.word(finish - 1) in ("in", "inside") and p.word(finish) == "it"
                    held = (
                        p.word(verb - 1) in ("contains", "holds", "has", "houses", "to")
                        or p.word(start - 1) == "in"
                        or p.word(at) == "in"
                    )
                    if (finish > one.end or held) and (value := member_of(one.value, ref)) is not None:
                        yield from if_any(finish, of_reference(p, Reference(target.name, value)), one.cost)
        for one in any_name(p, at):
            middle = p.past(one.end, words("is are inside in lives sits located stored 's , - filed under belongs to"))
            if middle > one.end and p.word(middle) in ("which", "what"):
                for end in entity_words(p, middle + 1, ref.target):
                    finish = p.past(end, words("is it in that inside ? does live sit"))
                    if (value := member_of(one.value, ref)) is not None and (
                        statement := of_reference(p, Reference(target.name, value))
                    ):
                        yield Found(finish, statement, one.cost)
    if p.word(at) in ("where", "wheres") and p.word(at + 1) in words("is 's are can did do does was"):
        begin = p.past(at + 1, words("is 's are can i find did we put the file do does you keep was"))
        for name in one_by_name(p, begin):
            finish = p.past(name.end, _LIES | words("at now"))
            yield Found(finish, find(p, name.value), name.cost)


def _is_a_kind(p: Parse, at: int) -> bool:
    """`which folders are the NDAs kept in`: after the plural a kind of things is no one thing of that name."""
    return any(kind_in_plural(p, one.end, one.payload.ref) for one in p.starting(at, ValueWord))


def _hierarchies(p: Parse) -> Iterator[FieldRef]:
    for ref in p.lexicon.fields():
        if ref.target is not None and ref.within is None and is_hierarchical(p, ref):
            yield ref


FORMS = (which_holds,)
