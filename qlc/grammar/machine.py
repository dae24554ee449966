"""Text to tokens, and tokens to trees: the LALR(1) automaton over the generated tables. The stack is a list: depth of
nesting is no recursion here.

What a word is depends on the parser's state: a keyword where one can be, a name elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import itemgetter
from typing import Any, NamedTuple

from qlc import limits
from qlc.deadline import checkpoint
from qlc.diagnostics import Span
from qlc.grammar import _tables
from qlc.grammar._tables import LEXEMES, ROWS, RULES, SYMBOLS
from qlc.grammar.tree import RESERVED, Comment, name_end, normal
from qlc.grammar.units import UNITS
from qlc.limits import MOST_DEPTH

END = "$END"

_LEXEME = re.compile(LEXEMES)
KEYWORDS = {word: uses for words, uses in _tables.WORDS for word in words.split()}
_UNIT_WORDS = [
    word for unit in UNITS for word in (*unit.spellings, *map(str.lower, unit.symbols)) if word.isidentifier()
]
WORDS = KEYWORDS | {word: (*KEYWORDS.get(word, ()), ("UNIT", "")) for word in _UNIT_WORDS}
"""What each word can be, and what must follow then; units last."""


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return span_of((self[2], self[3]))


span_of: Callable[[tuple[int, int]], Span] = partial(tuple.__new__, Span)
"""As `Span(start, end)`, at half the time: a parse makes more spans than anything else."""
_token: Callable[[tuple[str, str, int, int]], Token] = partial(tuple.__new__, Token)
"""As `Token(...)`, at half the time."""


class Unreadable(Exception):
    """No token begins at `position`."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class TooLong(Exception):
    """The text has more of something than a program may have. `message` is the sentence, `hint` the way out."""

    def __init__(self, start: int, end: int, most: int, what: str, hint: str) -> None:
        super().__init__(what)
        self.span = Span(start, end)
        self.message = f"there are at most {most:,} {what}" + ("" if "one" in what else " in a program")
        self.hint = hint


_FEWER = "ask for less, or in several programs"
_LISTS = "ask in several programs, or take the values from a sub-query"
_CONDITIONS = (limits.MOST_CONDITIONS, "conditions", "compare with a list: 'in [...]'")
_COUNTED = {
    "COMMA": (limits.MOST_VALUES, "values in lists and clauses", _LISTS),
    "AND": _CONDITIONS,
    "OR": _CONDITIONS,
    "LPAR": (limits.MOST_BRACKETS, "brackets", _FEWER),
    "DOT": (limits.MOST_REFERENCES, "dots", _FEWER),
    "LET": (limits.MOST_BINDINGS, "bindings", _FEWER),
}
"""How many tokens of a kind may be in a program, what they are, the way out; `and` and `or` are counted as one."""
_EVERY = 256
"""Tokens after which the time is looked at."""


def tokens(source: str, states: list[int], comments: list[Comment]) -> Iterator[Token]:
    """The tokens of a text up to END. `states` is the parser's own stack, read before each word.

    Raises Unreadable, TooLong; RequestFailed where the deadline has passed.
    """
    if len(source) > limits.LONGEST_PROGRAM:
        raise TooLong(limits.LONGEST_PROGRAM, len(source), limits.LONGEST_PROGRAM, "characters", _FEWER)
    room = {what: most for most, what, _ in _COUNTED.values()}
    number = 0
    position = int(source.startswith("\ufeff"))
    previous = ""
    match, plain, longest = _LEXEME.match, source.isascii(), limits.LONGEST_NAME
    words, counted = WORDS, _COUNTED
    while True:
        found = match(source, position)
        if found is None:
            raise Unreadable(position)
        kind, group = found.lastgroup, found.lastindex
        assert kind is not None
        assert group is not None
        start, position = found.span(group)
        text = source[start:position]
        number += 1
        if number % _EVERY == 0:
            checkpoint()
            if number > limits.MOST_WORDS:
                raise TooLong(start, position, limits.MOST_WORDS, "words, values, signs and comments", _FEWER)
        if kind == "NAME":
            if not plain and source[position : position + 1] > "\u02ff" and text[0] != "`":
                position = name_end(source, position, longest)
                text = source[start:position]
            if len(text) > longest:
                raise TooLong(start, position, longest, "characters in one name", "put texts in quotes")
            word = (text if plain else normal(text)).lower()
            uses = words.get(word)
            if uses is not None and previous != "DOT":
                kind = _word(source, word, position, uses, ROWS[states[-1]])
        elif kind == "SYMBOL":
            kind = SYMBOLS[text]
        elif kind == "END":
            yield Token(END, "", position, position)
            return
        elif kind == "COMMENT":
            comments.append(Comment(text.rstrip(), _is_alone(source, start), span=Span(start, position)))
            continue
        elif kind == "TRAILING_COMMA":
            continue
        if kind in counted:
            most, what, hint = counted[kind]
            room[what] -= 1
            if room[what] < 0:
                raise TooLong(start, position, most, what, hint)
        elif kind == "BETWEEN":
            room["conditions"] += 1  # its `and` joins none
        previous = kind
        yield _token((kind, text, start, position))


def _word(source: str, word: str, end: int, uses: tuple[tuple[str, str], ...], row: dict[str, int]) -> str:
    """The terminal of a word that can be a keyword: the first one that the state has a place for, else NAME."""
    for terminal, follows in uses:
        if terminal in row and (not follows or _pattern(follows).match(source, end)):
            return terminal
    return uses[0][0] if word in RESERVED else "NAME"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _is_alone(source: str, start: int) -> bool:
    line = source.rfind("\n", 0, start) + 1
    line = max(line, source.rfind("\r", line, start) + 1)
    return not source[line:start].strip("\ufeff").strip()


Build = Callable[..., Any]
Children = Callable[[list[Any]], Sequence[Any]]
"""Takes the children of a rule that is complete from the end of the stack of values."""


class _AtToken(Exception):
    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


class Unexpected(_AtToken):
    """The state has no place for the token."""


class TooDeep(_AtToken):
    """More is open at the token than a program may nest."""


class Machine:
    """Takes tokens, one by one, and calls a builder for each rule as soon as it is complete."""

    __slots__ = ("_builders", "_end", "_starts", "states", "values")

    def __init__(self, builders: Mapping[str, Build]) -> None:
        self.states = [0]
        self.values: list[Any] = []
        self._starts: list[int] = []
        self._end = 0
        self._builders = builders

    def feed(self, token: Token) -> None:
        """As `read`, one token."""
        self.read((token,))

    def read(self, tokens: Iterable[Token]) -> None:
        """Raises Unexpected, TooDeep and what the builders raise. generate.py says what a rule does: `=` passes
        its only child on, `*` collects a list, anything else is the name of a builder."""
        states, values, starts, builders = self.states, self.values, self._starts, self._builders
        rows, reductions, span, end = ROWS, _REDUCTIONS, span_of, self._end
        for token in tokens:
            kind = token[0]
            row = rows[states[-1]]
            while (action := row.get(kind, _NO_PLACE)) < 0:
                if action == _NO_PLACE:
                    raise Unexpected(token)
                name, length, rest, done, children = reductions[~action]
                if children is None:  # one symbol, kept
                    if done != "=":
                        values[-1] = builders[done](span((starts[-1], end)), values[-1])
                else:
                    if done == "*":
                        value: Any = children(values)
                    elif done == "=":
                        (value,) = children(values)
                    else:
                        value = builders[done](span((starts[-length], end)), *children(values))
                    if length > 1:
                        del states[rest], values[rest], starts[rest]
                    values[-1] = value
                states[-1] = state = rows[states[-2]][name]
                row = rows[state]
            states.append(action)
            values.append(token)
            starts.append(token[2])
            self._end = end = token[3]
            if len(states) > MOST_DEPTH:
                raise TooDeep(token)


def accepts(states: list[int]) -> set[str]:
    """The terminals that could really come next: the rows hold more, since LALR merges states."""
    return {terminal for terminal in ROWS[states[-1]] if terminal.isupper() and _shifts(states, terminal)}


def _shifts(states: list[int], terminal: str) -> bool:
    stack = list(states)
    while (action := ROWS[stack[-1]].get(terminal)) is not None:
        if action >= 0:
            return True
        name, length, _, _ = RULES[~action]
        del stack[len(stack) - length :]
        stack.append(ROWS[stack[-1]][name])
    return False


_NO_PLACE = -len(RULES) - 1
"""Below the number of every rule."""


def _children(length: int, kept: tuple[tuple[int, bool], ...], done: str) -> Children:
    """How the children are taken that a rule of so many symbols keeps; lists among them are spliced in."""
    places = [place - length for place, _ in kept]
    if done == "*" and kept[0][1]:
        return lambda values: _grown(*[values[place] for place in places])
    if not any(is_list for _, is_list in kept):
        if len(places) > 1:
            return itemgetter(*places) if done != "*" else lambda values: [values[place] for place in places]
        return itemgetter(slice(places[0], places[0] + 1 or None)) if places else _none

    def spliced(values: list[Any]) -> list[Any]:
        children: list[Any] = []
        for place, (_, is_list) in zip(places, kept, strict=True):
            if is_list:
                children += values[place]
            else:
                children.append(values[place])
        return children

    return spliced


def _grown(items: list[Any], *more: Any) -> list[Any]:
    """A list takes its next items in place: a copy for each would make long lists slow."""
    items += more
    return items


def _none(values: list[Any]) -> tuple[()]:
    return ()


_REDUCTIONS: tuple[tuple[str, int, slice, str, Children | None], ...] = tuple(
    (name, length, slice(1 - length, None), done,
     None if length == 1 and kept == ((0, False),) and done != "*" else _children(length, kept, done))
    for name, length, kept, done in RULES
)  # fmt: skip
"""The rules, made ready for `Machine.read`: what is built, of how many symbols, those after the first (they leave the
stack), what is done, and with which children; None for the only symbol, which is most of them."""
