"""Texts that are looked for in names, fields and contents: `named X`, `mentioning "sump pump"`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import both, either, string
from qlc.translator.rules.constructions.condition_slots import Reads, slot, word_slot
from qlc.translator.rules.constructions.construction import Match
from qlc.translator.rules.lexicon.lexemes import FieldRef, NameWord, ValueWord
from qlc.translator.rules.nouns.names import CLOSED_CLASS, literal, named, said_as_kind, unknown_texts
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words.phrases import phrases, words

TESTS: dict[tree.ComparisonOperator, str] = {
    "contains": "contains | containing | contain | includes | including | include | mentions | mentioning | has the "
                "(word | words | text) | with the (word | words | text) | saying | says | like",
    "starts with": "(starts | starting | start | begins | beginning | begin) with",
    "ends with": "(ends | ending | end) (with | in)",
}  # fmt: skip
_TESTS = {operator: phrases(said) for operator, said in TESTS.items()}
_INDEFINITE = words("something anything everything nothing someone somebody anyone anybody everyone everybody")
_OF_A_SIGN = words(
    "letter letters character characters sign signs symbol symbols mark asterisk underscore hyphen dash hash ampersand "
    "dot stop comma colon semicolon apostrophe slash tilde bracket parenthesis"
)
"""Words that stand for characters, which are to be written in quotes."""
_MOST_WORDS = 5
_ENDS = ("starts with", "ends with")
_VAGUE = words("with matching include includes including contain contains containing")
"""Verbs after which a text is in quotes, as most things may follow them."""
_SAYING = words("mention mentions mentioning contain contains containing say says saying word words phrase")
_TEXTS = ("text", "text.other")
WRITTEN_SMALL = 0.2  # cost of an unquoted text in small letters


def texts(p: Parse, at: int) -> Iterator[Found[str]]:
    """A text to look for: in quotes, or the words up to where something else begins."""
    if (quoted := p.quoted(at)) is not None:
        yield Found(at + 1, quoted, 0.0)
    elif not p.word(at)[:1].isdecimal() and p.word(at) not in _INDEFINITE:
        for end, _ in unknown_texts(p, at):
            if not _OF_A_SIGN.isdisjoint(p.word(i) for i in range(at, end)):
                return
            yield Found(end, p.raw(at, end), WRITTEN_SMALL if p.raw(at, end).islower() else 0.1)


@slot
def lead(match: Match) -> Reads:
    """`the words`, `both`: what may come before a text, which says no more; where it begins."""
    end = match.parse.past(match.end, words("the word words phrase term text a an both either :"))
    return iter([(Found(end, match.end, 0.0), match.entity)])


@slot
def text(match: Match) -> Reads:
    """A text in quotes, or words that nothing else is known of."""
    return ((one, match.entity) for one in texts(match.parse, match.end))


@word_slot
def any_text(match: Match) -> Reads:
    """A text in quotes, or up to five words: for patterns that say where it ends."""
    p, at = match.parse, match.end
    most = 0 if p.word(at) in CLOSED_CLASS else _MOST_WORDS
    sign = next((i for i in range(at, p.end) if p.word(i) in _OF_A_SIGN), p.end)
    ends = [at + 1] if p.quoted(at) is not None else range(at + 1, min(at + most, sign) + 1)
    return ((Found(end, p.quoted(at) or p.raw(at, end), 0.0), match.entity) for end in ends)


@word_slot
def called(match: Match) -> Reads:
    """The name of a thing, known or not; `A or B` are two."""
    p, first = match.parse, [*_names(match.parse, match.end, match.entity)]
    for one in first:
        yield Found(one.end, (one.value,), one.cost), match.entity
        for other in _names(p, one.end + 1, match.entity) if p.word(one.end) == "or" else ():
            yield Found(other.end, (one.value, other.value), one.cost + other.cost), match.entity


def _names(p: Parse, at: int, entity: str) -> Iterator[Found[str]]:
    found = (*named(p, at, entity), *literal(p, at, entity))
    return (Found(one.end, one.value.text, one.cost) for one in found if one.value.text)


@word_slot
def searched(match: Match) -> Reads:
    """A field that holds texts of all kinds: no closed values, nothing that it refers to."""
    for lexeme, ref in match.parse.fields(match.end, match.parse.entity(match.entity)):
        plain = ref.target is None and ref.field.values is None and ref.within is None
        if plain and ref.kind in (FieldKind.KEYWORD, FieldKind.TEXT):
            yield Found(lexeme.end, ref, lexeme.cost), match.entity


@word_slot
def text_test(match: Match) -> Reads:
    """`containing`, `that starts with`: how a text is compared."""
    p = match.parse
    for operator, said in _TESTS.items():
        for end in p.phrases(p.past(match.end, ("that", "which")), said):
            yield Found(end, operator, 0.0), match.entity


def _of_the_name(m: Match) -> FieldRef | None:
    names = m.parse.entity(m.entity).names
    return FieldRef((names[0].name,), names[0]) if names else None


def named_so(m: Match) -> Iterator[Found[Condition]]:
    """`called A or B` -> `name in ["A", "B"]`."""
    if (name := _of_the_name(m)) is not None:
        several = tree.ListValue(tuple(map(string, m["called"])))
        said = name.compared("in", several) if len(m["called"]) > 1 else name.equals(string(m["called"][0]))
        yield Found(m.end, said, 0.0)


def compared(m: Match) -> Iterator[Found[Condition]]:
    """`whose name starts with Inv` -> `name starts with "Inv"`. Texts without exact values are searched by words."""
    ref = m.get("searched") or _of_the_name(m)
    operator: tree.ComparisonOperator = m.get("text_test") or "contains"
    words_only = ref is not None and ref.field.mapped.exact is None
    if ref is not None and (operator == "contains" or not words_only):
        said: tree.ComparisonOperator = "mentions" if words_only else operator
        yield Found(m.end, ref.compared(said, string(m.get("text") or m["any_text"])), 0.0)


def begins_or_ends(m: Match) -> Iterator[Found[Condition]]:
    """`starting with Inv`, of the name. What ends in June is no name."""
    return compared(m) if m.parse.word(m.ends["text_test"] - 1) == "with" and m["text_test"] in _ENDS else iter(())


def mentions(m: Match) -> Iterator[Found[Condition]]:
    """`mentioning "a" or "b"`: what the texts of things say. What is known as a value or a kind is rather that."""
    p, entity = m.parse, m.parse.entity(m.entity)
    found = [tree.EntityText("mentions", string(m[one])) for one in _TEXTS if m.get(one) is not None]
    begin, quoted = m.ends["lead"], p.quoted(m.ends["text"] - 1) is not None
    if not entity.text or (not quoted and (p.word(m["lead"] - 1) in _VAGUE or m["lead"] - 1 in p.inside)):
        return
    named_so = any(one.end >= m.ends["text"] and one.payload.whole for one in p.starting(p.articles(begin), NameWord))
    if named_so and not quoted and not m.has(*_SAYING):
        return  # what is about something that has a name need not have the name in its text
    known = (one.end == m.ends["text"] and one.payload.ref.belongs_to(entity) for one in p.starting(begin, ValueWord))
    rather = not quoted and (any(known) or said_as_kind(p, begin, m.ends["text"]))
    joined = both(*found) if m.has("and") and p.quoted(m.end - 1) is not None else either(found)
    if joined is not None and (len(found) == 1 or not m.has("and") or p.quoted(m.end - 1) is not None):
        yield Found(m.end, joined, 0.6 if rather else 0.0)
