"""The Lark parser of `qlc.lark`: LALR(1) with the contextual lexer, made once per process.

`edit_terminals` makes keywords terminals that are tried before NAME. The contextual lexer tries only terminals that the
parser's state accepts, so a word is a keyword there and a name elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from lark import Lark
from lark import Token as LarkToken
from lark.lexer import PatternRE, PatternStr, TerminalDef

from qlc.base.currencies import CURRENCIES
from qlc.base.deadline import checkpoint
from qlc.base.units import SPELLINGS
from qlc.grammar.build import TreeBuilder
from qlc.grammar.saved import load, save

GRAMMAR = Path(__file__).with_name("qlc.lark")

_WORDS = re.compile(r"(?:\(\?:)?([a-z_|]+)\)?((?:\(\?=.*\))?)")
"""The pattern of a keyword as the grammar gives it: its spellings, and what must follow."""
_EDITED = re.compile(r"\(\?ai:([a-z_|]+)\)\(\?!\\w\)(.*)")
_SPACE = r"(?:\s(?:--[^\r\n]*+)?)*+"
"""White space in a look-ahead, with its comments: the grammar file writes `\\s*`."""
_SYMBOL, _LOOKING_AHEAD, _KEYWORD = 5, 4, 3
"""Priorities of terminals. The grammar itself gives DATE and UNIT 2, NAME 0 and a comma without meaning 9."""


@cache
def parser() -> Lark:
    """Return the parser, from the file of an earlier process if there is one: 30 ms, where computing takes 200 ms."""
    grammar = GRAMMAR.read_bytes()
    made_of = b"\n".join((grammar, Path(__file__).read_bytes(), _unit_pattern().encode()))
    lark = load(made_of)
    if lark is None:
        lark = built(grammar.decode())
        save(lark, made_of)
    return lark


def built(grammar: str) -> Lark:
    return Lark(
        grammar, parser="lalr", lexer="contextual", transformer=TreeBuilder(), edit_terminals=edit_terminal,
        keep_all_tokens=True, maybe_placeholders=False, lexer_callbacks={"COMMENT": _look_at_the_deadline},
    )  # fmt: skip


def edit_terminal(terminal: TerminalDef) -> None:
    r"""Give a terminal a pattern and a priority that the grammar file cannot express.

    `"where"` -> `(?ai:where)(?!\w)`, priority 3; with a look-ahead in the grammar priority 4
    `"sum" /(?=\s*\()/` -> comments may stand before the bracket as well
    """
    pattern = terminal.pattern.value
    keyword = _WORDS.fullmatch(pattern)
    if terminal.name == "UNIT":
        terminal.pattern = PatternRE(_unit_pattern())
    elif terminal.name in ("NAME", "MEASURE_NAME"):
        marks = _combining_marks()
        terminal.pattern = PatternRE(re.sub(r"\\w\*(?=\|)", lambda word: rf"{word[0]}(?:[{marks}]\w*)*", pattern))
    elif keyword is not None:
        terminal.pattern = PatternRE(rf"(?ai:{keyword[1]})(?!\w){keyword[2]}")
        terminal.priority = _LOOKING_AHEAD if keyword[2] else _KEYWORD
    elif isinstance(terminal.pattern, PatternStr):
        terminal.priority = _SYMBOL
    if "(?=" in terminal.pattern.value and isinstance(terminal.pattern, PatternRE):
        following = terminal.pattern.value.replace(r"\s*", _SPACE).replace(r"\s+", rf"(?=\s){_SPACE}")
        terminal.pattern = PatternRE(following, terminal.pattern.flags)


def _unit_pattern() -> str:
    """Return a pattern of all units, the longest first, so that `m/s` is not read as `m`; currencies in capitals."""
    longest = sorted(SPELLINGS - {"%"}, key=lambda text: (-len(text), text))
    plain = "|".join(re.escape(text) for text in longest if text.isascii())
    other = "|".join(re.escape(text) for text in longest if not text.isascii())
    money = "|".join(sorted(CURRENCIES))
    return rf"(?:(?i:{other})|(?ai:{plain}))(?!\w)|%|(?=[A-Z]{{3}}(?!\w))(?:{money})"


def _combining_marks() -> str:
    """Return all combining marks as ranges of a character class."""
    ranges: list[list[int]] = []
    for code in range(0x300, 0x110000):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


def _look_at_the_deadline(token: LarkToken) -> LarkToken:
    """Check the deadline at each comment: the lexer reads any number of them in a row. Raises RequestFailed."""
    checkpoint()
    return token


# --- words and signs -------------------------------------------------------------------------------------------------

_SIGNS = ["!=", "%", "(", ")", "*", "+", ",", "-", ".", "/", ";", "<", "<=", "<>", "=", "==", ">", ">=", "[", "]"]


@cache
def spellings() -> dict[str, tuple[str, ...]]:
    """Map each sign and keyword to its terminals, those with look-ahead first: `by` -> `_SORT_BY`, `BY`."""
    found: dict[str, list[str]] = {}
    for terminal in sorted(parser().terminals, key=lambda one: (-one.priority, one.name)):
        keyword, pattern = _EDITED.fullmatch(terminal.pattern.value), re.compile(terminal.pattern.to_regexp())
        signs = () if terminal.name in parser().lexer_conf.ignore else _SIGNS
        for text in keyword[1].split("|") if keyword else filter(pattern.fullmatch, signs):
            found.setdefault(text, []).append(terminal.name)
    return {text: tuple(names) for text, names in sorted(found.items())}


def words() -> frozenset[str]:
    """Return all words that can be more than a name: keywords, and units that are words."""
    return frozenset(filter(str.isidentifier, [*spellings(), *SPELLINGS]))
