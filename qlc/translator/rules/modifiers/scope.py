"""How far `and` and `or` reach: where nobody can say, and what it costs to tear apart what is said together."""

from __future__ import annotations

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.translator.rules.lexicon.lexemes import NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import words

POSSESSING = words("has have had having")
CONNECTING = frozenset(
    english.COPULAS
    | (english.AUXILIARIES - english.MODALS - POSSESSING)
    | english.SOFTENERS
    | words("it they itself themselves we there")
)


def differ(condition: Condition) -> bool:
    """Whether alternatives are of several fields."""
    if not isinstance(condition, tree.Or):
        return False
    return len({one.left if isinstance(one, tree.Comparison) else one for one in condition.items}) > 1


def behind_and(p: Parse, at: int) -> bool:
    before = at - 1
    while before > 0 and p.word(before) in CONNECTING - english.AND:
        before -= 1
    return before > 0 and p.word(before) in english.AND


def scope_unclear(p: Parse, at: int, said: Condition | None, end: int) -> bool:
    """Whether `and` follows `starred or locked` without a comma: nobody knows how far each of them reaches."""
    last = said.items[-1] if isinstance(said, tree.And) else said
    if p.word(end) not in english.AND - {"but"} or last is None or not differ(last) or p.word(end - 1) == ")":
        return False
    inside = [p.word(i) for i in range(at, end)]
    return "either" not in inside and any(word in english.OR for word in inside)


def torn(p: Parse, at: int, first: Condition, after: int, other: Condition) -> float:
    """What it costs to take a name behind `in Legal or` for something else than what `in` was said of."""
    conditions = (first, other)
    begin = p.past(at, english.RELATIVE_PRONOUNS | CONNECTING)
    if p.word(after - 1) == "or" and p.word(begin) in english.NEGATIONS and is_participle(p.word(after)):
        return 1.0  # `not opened or edited since May` denies both
    if p.word(at) not in english.PREPOSITIONS or not all(isinstance(one, tree.Comparison) for one in conditions):
        return 0.0
    bare = any(True for kind in (ValueWord, NameWord) for _ in p.starting(after, kind))
    fields = {one.left for one in conditions if isinstance(one, tree.Comparison)}
    return 0.6 if bare and len(fields) > 1 else 0.0
