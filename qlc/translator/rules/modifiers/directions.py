"""Choose between two fields by prepositions and verbs of motion: origin or destination."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qlc.grammar.tree import Condition
from qlc.translator.rules.build import both
from qlc.translator.rules.conditions import values, values_condition
from qlc.translator.rules.lexicon.lexemes import FieldRef, ValueWord
from qlc.translator.rules.parse import Found, Parse, needs
from qlc.translator.rules.words import english

_OPPOSITE = {"to": "from", "into": "from", "from": "to", "out": "to"}
_LINKS = ("to", "-", "–", "→", ">")


def towards(leading: Sequence[str]) -> str:
    """`from` or `to`, as the words before a value say: `leaving`, `bound for`, `arriving in`, `out of`. Else empty."""
    for word in reversed(leading):
        if word in ("from", "to"):
            return word
        if word in ("into", "out"):
            return "to" if word == "into" else "from"
    moving = [english.MOTION[word] for word in leading if word in english.MOTION]
    return "to" if moving and "for" in leading else moving[-1] if moving else ""


def is_moving(leading: Sequence[str]) -> bool:
    """Whether a verb of motion alone gives the direction."""
    return any(word in english.MOTION for word in leading) and not {"from", "to", "into", "out"} & set(leading)


def direction_cost(ref: FieldRef, leading: Sequence[str]) -> float:
    """`from Rome`: rather the field that says where from than the one that says where to."""
    said = [word for word in (*leading, towards(leading)) if word]
    if any(cued(ref, word) for word in said):
        return -0.2
    return 0.6 if any(word in _OPPOSITE and cued(ref, _OPPOSITE[word]) for word in said) else 0.0


def cued(ref: FieldRef, word: str) -> bool:
    """Whether a preposition speaks for a field: it begins or ends one of its phrases, or means the same direction."""
    cues = english.DIRECTION_CUES.get(word, ())
    return any(parts and (parts[0] == word or parts[-1] == word or parts[0] in cues) for parts in ref.phrases)


@needs(_LINKS)
def from_one_to_another(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`Hamburg to Santos`: what is first says where from."""
    start = at + 1 if p.word(at) == "from" else at
    for lexeme in p.starting(start, ValueWord):
        origin = lexeme.payload.ref
        if not origin.belongs_to(p.entity(entity)) or not cued(origin, "from"):
            continue
        for first in values(p, start, origin):
            if p.word(first.end) not in _LINKS:
                continue
            for other in p.starting(first.end + 1, ValueWord):
                goal = other.payload.ref
                if goal.path == origin.path or not goal.belongs_to(p.entity(entity)) or not cued(goal, "to"):
                    continue
                for second in values(p, first.end + 1, goal):
                    condition = both(values_condition(origin, *first.value), values_condition(goal, *second.value))
                    yield Found(second.end, condition, 0.1 + first.cost + second.cost)


RULES = (from_one_to_another,)
