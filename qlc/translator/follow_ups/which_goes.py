"""Which condition is to go, behind the question which one: `the size`, `the second`, `the one on the date`."""

from __future__ import annotations

import re

from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Meaning
from qlc.translator.follow_ups.dropping import dropping
from qlc.translator.follow_ups.history import Base
from qlc.translator.follow_ups.unread import WHICH_FILTER
from qlc.translator.protocol import Turn
from qlc.translator.rules.build import parts
from qlc.translator.rules.words import english as plain

_FILTERS = "|".join(sorted(english.FILTERS))
_ANSWER = re.compile(
    rf"(?:(?:please|ok|just|i mean|i meant|oh|well|sorry|drop|remove|forget|that is|that's|it's)[\s,]+)*"
    rf"(?:(?:that|the) (?:one|{_FILTERS}) (?:on|about|with|for|of|that says|saying|by) )?"
    rf"(?:(?:the|that|number|no\.?|on|about) )*(?P<what>[\w$€£.' -]+?)(?: (?:one|{_FILTERS}))?"
    r"(?:[\s,]+please)?[\s.!]*",
    re.IGNORECASE,
)
_LAST = ("last", "latest", "newest")


def asked_which_goes(last: Turn) -> bool:
    """Whether the turn before asked which condition is to go."""
    told = last.outcome.get("message") if last.outcome.get("kind") == "explain" else None
    return str(told or "").startswith(WHICH_FILTER)


def the_one_that_goes(text: str, last: Turn, base: Base | None) -> Meaning | str | None:
    """The search without the condition at the place that is named, or in whose words it is asked for: `drop the size
    filter`. None where the text answers nothing of the kind."""
    found = _ANSWER.fullmatch(text.strip()) if base is not None and asked_which_goes(last) else None
    if base is None or found is None:
        return None
    own, what = parts(base.statement.where), found["what"].casefold()
    place = len(own) if what in _LAST else plain.ORDINALS.get(what, int(what) if what.isdecimal() else 0)
    if 0 < place <= len(own) and (len(what) < len("2000") or not what.isdecimal()):
        return dropping(base.statement, [own[place - 1]], base.entity, 0.0)
    asks = what.split()[0] in plain.ASKING_WORDS | english.ONLY | plain.AND if what.split() else True
    return None if asks or len(what.split()) > LONGEST_ANSWER else f"drop the {what} filter"


LONGEST_ANSWER = 4
"""Words of the longest name of a condition that answers which one is meant."""
