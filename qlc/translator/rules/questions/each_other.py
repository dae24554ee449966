"""What is asked of things among themselves: `duplicates of each other`, `which of them overlap one another`.

A condition is of one thing. What it is read as without these words is another question: `duplicates` of anything.
"""

from __future__ import annotations

from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

NOT_AMONG_THEMSELVES = (
    "Things are not compared with each other here. Ask how many there are of each value, or for those that are like "
    "one that you name."
)

_EACH_OTHER = phrases(
    "each other | each others | one another | eachother | (among | amongst | between | within) themselves | mutually"
)
_BEHIND = english.POSSESSIVES | english.PREPOSITIONS | english.AND | english.POLITE | words("? ! . , ; )")


def is_among_themselves(p: Parse) -> bool:
    """Whether a text speaks of things in relation to each other; not of `each other vendor`."""
    for at in range(p.end):
        known = any(True for one in p.lexemes[at] if one.end > at + 1)
        for end in () if known else p.phrases(at, _EACH_OTHER):
            if end >= p.end or p.word(end) in _BEHIND:
                return True
    return False
