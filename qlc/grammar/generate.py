"""Makes `_tables.py` of `qlc.lark`: `python -m qlc.grammar.generate`.

Lark reads the grammar and computes the LALR tables; at run time they are driven by `machine.py`, so that a program is
parsed without importing Lark (half of the time a fresh process takes), and a word can be a keyword in one state and a
name in another.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lark import Lark, logger
from lark.lexer import PatternStr, TerminalDef

from qlc.grammar.units import UNITS

GRAMMAR = Path(__file__).with_name("qlc.lark")
TABLES = Path(__file__).with_name("_tables.py")

Rule = tuple[str, int, tuple[tuple[int, bool], ...], str]
"""Name, length, the children that are kept, what is done: see `_rule`."""

_WORDS = re.compile(r"(?:\(\?:)?([a-z_|]+)\)?((?:\(\?=.*\))?)")
_SYMBOLS = re.compile(r"\(\?:([^a-z]+)\)")
_HEAD = '''"""Generated from qlc.lark by `python -m qlc.grammar.generate`: do not edit."""

from typing import Final

'''


class GrammarConflict(Exception):
    """The grammar is ambiguous to an LALR(1) parser. Lark settles shift/reduce conflicts without a word; we do not."""


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.conflicts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.conflicts.append(record.getMessage())


def load_grammar(text: str) -> Lark:
    """The grammar as Lark reads it. Raises GrammarConflict, also for what Lark only writes to its debug log."""
    listener = _Listener()
    level, handlers = logger.level, logger.handlers
    logger.setLevel(logging.DEBUG)
    logger.handlers = [listener]
    try:
        lark = Lark(text, parser="lalr", maybe_placeholders=False)
    finally:
        logger.handlers = handlers
        logger.setLevel(level)
    conflicts = [message for message in listener.conflicts if "conflict" in message.lower()]
    if conflicts:
        raise GrammarConflict("\n".join(listener.conflicts))
    return lark


def tables_source(text: str) -> str:
    """The Python module with the tables of a grammar, the same for every run."""
    lark = load_grammar(text)
    rules = sorted({_rule(rule) for rule in lark.rules})
    rows = _merged(_shortened(_rows(lark, rules), rules))
    keywords, symbols, lexemes = _vocabulary(lark)
    lines = [_HEAD]
    lines += _tuple("ROWS: Final[tuple[dict[str, int], ...]]", [repr(dict(sorted(row.items()))) for row in rows])
    lines += _tuple("RULES: Final[tuple[tuple[str, int, tuple[tuple[int, bool], ...], str], ...]]", map(repr, rules))
    words: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for word, uses in sorted(keywords.items()):
        words.setdefault(tuple(uses), []).append(word)
    lines += _tuple(
        "WORDS: Final[tuple[tuple[str, tuple[tuple[str, str], ...]], ...]]",
        [repr((" ".join(same), uses)) for uses, same in words.items()],
    )
    lines += [f"SYMBOLS: Final[dict[str, str]] = {symbols!r}", f"LEXEMES: Final = {lexemes!r}"]
    return "\n".join(lines) + "\n"


def _tuple(head: str, items: Iterable[str]) -> list[str]:
    return [f"{head} = (", *(f"    {item}," for item in items), ")"]


def _rows(lark: Lark, rules: list[Rule]) -> list[dict[str, int]]:
    """One row per state: a terminal or rule to the state that is entered, or to `~rule` that is reduced.

    States are numbered as they are reached from the first, symbols in order, so that the result does not depend on the
    order of sets.
    """
    table = lark.parser.parser._parse_table
    (first,) = table.start_states.values()
    order, found = [first], {first}
    for state in order:
        for _, (action, target) in sorted(table.states[state].items()):
            if action.name == "Shift" and target not in found:
                found.add(target)
                order.append(target)
    place = {state: number for number, state in enumerate(order)}
    rows = [
        {
            symbol: place[target] if action.name == "Shift" else ~rules.index(_rule(target))
            for symbol, (action, target) in table.states[state].items()
        }
        for state in order
    ]
    (last,) = table.end_states.values()
    rows[place[last]]["$END"] = len(rows)  # Lark stops here; for us the end is a token like others
    return [*rows, {}]


def _shortened(rows: list[dict[str, int]], rules: list[Rule]) -> list[dict[str, int]]:
    """Without the states that only pass one child on (`literal` to `element` to `value`): a third of all steps.

    Such a state reduces whatever comes next, so what enters it can enter the state after the reduction at once.
    """
    passing: dict[int, str] = {}
    for state, row in enumerate(rows):
        actions = set(row.values())
        if len(actions) == 1 and (action := actions.pop()) < 0:
            name, length, _, done = rules[~action]
            if done == "=" and length == 1:
                passing[state] = name
    for row in rows:
        for symbol, target in row.items():
            while target in passing:
                target = row[passing[target]]
                row[symbol] = target
    kept = [state for state in range(len(rows)) if state not in passing]
    place = {state: number for number, state in enumerate(kept)}
    return [{symbol: place.get(target, target) for symbol, target in rows[state].items()} for state in kept]


def _merged(rows: list[dict[str, int]]) -> list[dict[str, int]]:
    """One row for all states that do the same: rules that build alike leave many of them."""
    kinds = [0] * len(rows)
    while True:
        done = [repr(sorted((s, to if to < 0 else f"to {kinds[to]}") for s, to in row.items())) for row in rows]
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(done))}
        if len(numbers) == len(set(kinds)):
            break
        kinds = [numbers[kind] for kind in done]
    first = {kinds[state]: state for state in reversed(range(len(rows)))}
    return [{s: to if to < 0 else kinds[to] for s, to in rows[first[kind]].items()} for kind in sorted(first)]


def _rule(rule: Any) -> Rule:
    """Name, length, the children that are kept (place, and whether it is a list to be spliced in), what is done.

    What is done: the name of the builder's function, `=` where the only child stands for itself, `*` for a list.
    """
    name = str(rule.origin.name)
    kept = tuple(
        (place, symbol.name.startswith("_"))
        for place, symbol in enumerate(rule.expansion)
        if rule.options.keep_all_tokens or not getattr(symbol, "filter_out", False)
    )
    done = "*" if name.startswith("_") else rule.alias or name
    if rule.options.expand1 and not rule.alias and len(kept) == 1:
        done = "="
    return name, len(rule.expansion), kept, done


def _vocabulary(lark: Lark) -> tuple[dict[str, list[tuple[str, str]]], dict[str, str], str]:
    """Keywords with the terminals each can be and what must follow; symbols; the pattern of all lexemes."""
    keywords: dict[str, list[tuple[str, str]]] = {}
    symbols: dict[str, str] = {"%": "UNIT"}
    lexemes: list[tuple[int, str, str]] = []
    for terminal in lark.terminals:
        if terminal.name in lark.ignore_tokens and terminal.name not in ("COMMENT", "TRAILING_COMMA"):
            continue
        for word, follows in _word_uses(terminal):
            keywords.setdefault(word, []).append((terminal.name, follows))
        symbols |= dict.fromkeys(_symbols(terminal), terminal.name)
        if not any(_word_uses(terminal)) and not _symbols(terminal):
            lexemes.append((-terminal.priority, terminal.name, terminal.pattern.value))
    for uses in keywords.values():
        uses.sort(key=lambda use: not use[1])  # what asks for more comes first
    signs = [
        spelling for unit in UNITS for spelling in unit.spellings if not spelling.isidentifier() and spelling != "%"
    ]
    longest = sorted(signs, key=len, reverse=True)
    lexemes.append((-2, "UNIT", rf"{_ahead(longest)}(?i:{'|'.join(map(re.escape, longest))})(?!\w)"))
    parts = [f"(?P<{name}>{pattern})" for _, name, pattern in sorted(lexemes)]
    parts.append("(?P<SYMBOL>" + "|".join(re.escape(s) for s in sorted(symbols, key=lambda s: (-len(s), s))) + ")")
    return keywords, dict(sorted(symbols.items())), r"\s*(?:" + "|".join(parts) + r"|(?P<END>\Z))"


def _ahead(signs: list[str]) -> str:
    """What any of the signs has near its beginning and no name has: else each would be tried at each name."""
    firsts = [next((at, one) for at, one in enumerate(sign) if not (one.isascii() and one.isalnum())) for sign in signs]
    return rf"(?=\w{{0,{max(at for at, _ in firsts)}}}[{''.join(sorted({one for _, one in firsts}))}])"


def _word_uses(terminal: TerminalDef) -> Iterator[tuple[str, str]]:
    match = _WORDS.fullmatch(terminal.pattern.value)
    if match:
        for word in match[1].split("|"):
            yield word, match[2]


def _symbols(terminal: TerminalDef) -> list[str]:
    value = terminal.pattern.value
    if isinstance(terminal.pattern, PatternStr):
        return [] if value[0].isalpha() else [value]
    match = _SYMBOLS.fullmatch(value)
    return match[1].split("|") if match else []


if __name__ == "__main__":
    TABLES.write_text(tables_source(GRAMMAR.read_text(encoding="utf-8")), encoding="utf-8")
