"""The surroundings of a place in a program: its statement, the path before it, the field whose value it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from qlc.grammar.reading import Token
from qlc.grammar.stop import OPERATORS
from qlc.grammar.tree import normal

_OPENING = ("LPAR", "LSQB")
_CLOSING = ("RPAR", "RSQB")
_OPERATOR_WORDS = OPERATORS | {"ALL", "ANY", "PREFIX", "ROUGHLY", "WITH"}


@dataclass(frozen=True, slots=True)
class Surroundings:
    entity: str | None = None
    """The entity of the statement around the place, as written: `documents`."""
    lists: tuple[str, ...] = ()
    """The path of the nested list whose brackets the place is in: `shares[...]` gives `("shares",)`."""
    path: tuple[str, ...] = ()
    """The names before the place with dots between: `folder.` gives `("folder",)`."""
    of: str | None = None
    """The entity whose field is asked for, as written: `document("x").` gives `document`; `$x.` gives `$x`."""
    field: tuple[str, ...] = ()
    """The field on the left of the operator whose value is being typed."""
    function: str | None = None
    """`weekday`, `month_of_year` and others if the field is its argument."""
    operator: str | None = None
    lookup: str | None = None
    """The entity whose name is being typed: `document("` gives `document`."""
    lets: tuple[str, ...] = ()


NOWHERE = Surroundings()
_FAR = 1_000
"""How many characters after the cursor are searched for the entity of a measure."""


def surroundings(after: str, before: Sequence[Token], accepted: set[str]) -> Surroundings:
    """Return the surroundings after these tokens. `after` is the text that follows: `of flights`."""
    path, of = _path_before(before) if before and before[-1].kind == "DOT" else ((), None)
    left, operator = (_left_of_value(before, accepted)) if "STRING" in accepted and not path else (None, None)
    field, function = _field(left) if left else ((), None)
    named = accepted <= {"STRING", "PARAMETER"} and [token.kind for token in before[-2:]] == ["NAME", "LPAR"]
    starts = "GET" in accepted and not {"AND", "LIMIT"} & accepted
    entity, lists = (None, ()) if starts else _statement(before, after)
    lets = tuple(_text(name) for let, name in pairwise(before) if let.kind == "LET")
    lookup = _text(before[-2]) if named else None
    return Surroundings(entity, lists, path, of, field, function, operator, lookup, lets)


def _text(token: Token) -> str:
    return normal(token.text.strip("`"))


def _opened_at(before: Sequence[Token], closed: int) -> int:
    """Return the index of the bracket that the one at `closed` closes; -1 if there is none."""
    depth = 0
    for place in range(closed, -1, -1):
        depth += (before[place].kind in _CLOSING) - (before[place].kind in _OPENING)
        if depth == 0:
            return place
    return -1


def _path_before(before: Sequence[Token]) -> tuple[tuple[str, ...], str | None]:
    """Return the path that ends with the dot at the end of the tokens, and its entity if it names one."""
    names: list[str] = []
    place = len(before) - 1
    while place > 0 and before[place].kind == "DOT":
        place -= 1
        if before[place].kind == "RSQB":
            place = _opened_at(before, place) - 1
        if before[place].kind == "NAME":
            names.insert(0, _text(before[place]))
            place -= 1
        elif before[place].kind == "PARAMETER":
            return tuple(names), before[place].text
        elif before[place].kind == "RPAR":
            opened = _opened_at(before, place)
            if opened > 0 and before[opened - 1].kind == "NAME":
                return tuple(names), _text(before[opened - 1])
            return tuple(names), _statement(before[:place], "")[0]
    return tuple(names), None


def _statement(before: Sequence[Token], after: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the entity of the innermost statement around the end of the tokens, and the nested list around it."""
    lists: tuple[str, ...] = ()
    depth = 0
    for place in range(len(before) - 1, -1, -1):
        token = before[place]
        if token.kind in _CLOSING:
            depth += 1
        elif token.kind in _OPENING and depth:
            depth -= 1
        elif token.kind == "LSQB" and place and before[place - 1].kind == "NAME":
            names = _path_before([*before[: place - 1]])[0] if before[place - 2].kind == "DOT" else ()
            lists = (*names, _text(before[place - 1]), *lists)
        elif depth == 0 and token.kind in ("FIND", "COUNT", "OF") and place + 1 < len(before):
            if before[place + 1].kind == "NAME":
                return _text(before[place + 1]), lists
        elif depth == 0 and token.kind == "LET":
            break
    follows = re.match(r"[^()]*(?:\([^()]*\)[^()]*)*?\)*[^()]*?\bof\s+(\w+)", after[:_FAR], re.IGNORECASE)
    return (follows[1] if follows else None), lists


def _left_of_value(before: Sequence[Token], accepted: set[str]) -> tuple[Sequence[Token] | None, str | None]:
    """Return the tokens up to the field whose value comes next, and the operator between."""
    end = len(before)
    depth = 0
    for place in range(end - 1, -1, -1):  # out of an open list
        depth += (before[place].kind in _CLOSING) - (before[place].kind in _OPENING)
        if depth < 0:
            if before[place].kind == "LSQB" and place and before[place - 1].kind in _OPERATOR_WORDS:
                end = place
            break
    if end and before[end - 1].kind == "AND" and "MENTIONS_ALONE" not in accepted:
        end = next((place + 1 for place in range(end - 1, -1, -1) if before[place].kind == "BETWEEN"), 0)
    words: list[str] = []
    while end and before[end - 1].kind in _OPERATOR_WORDS:
        end -= 1
        words.insert(0, before[end].text.lower())
    if not words:
        return None, None
    return before[:end], " ".join(words)


def _field(before: Sequence[Token]) -> tuple[tuple[str, ...], str | None]:
    """Return the path at the end of the tokens, and the function around it."""
    function = None
    if before and before[-1].kind == "RPAR":
        opened = _opened_at(before, len(before) - 1)
        if opened > 0 and before[opened - 1].kind == "CYCLE":
            function = before[opened - 1].text.lower()
        before = before[:-1]
    return _path_before([*before, Token("DOT", ".", 0, 0)])[0], function
