"""Lucene's regular expressions.

Source: org.apache.lucene.util.automaton.RegExp. Anchors do not exist, a pattern fits whole terms. Beside the usual
operators there are `@` (anything), `#` (nothing), `"quoted"`, `<1-99>`, `&` (both) and `~` (anything else; only where
a pattern ends with it). Flags say which of these are operators; the others stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from qlc_engine import automaton as automata
from qlc_engine.automaton import Automaton, Part, one_of, repeated, sequence
from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.time_limit import timed

#: `<low-high>` is written out as alternatives; more are refused.
_MAX_INTERVAL = 10_000
_MOST_DEPTH = 100

#: flag -> the operator that it switches on
_OPERATORS = {"INTERSECTION": "&", "COMPLEMENT": "~", "EMPTY": "#", "ANYSTRING": "@", "INTERVAL": "<"}
ALL_OPERATORS = frozenset(_OPERATORS.values())

_CLASSES = {"d": "09", "w": "AZaz09__", "s": "  \t\t\n\n\r\r"}
"""Pairs of the first and the last character of a range; in capitals all others."""


def operators_of(flags: str) -> frozenset[str]:
    """The operators that flags such as `INTERVAL|EMPTY` switch on. Raises EngineError for a flag that is none."""
    found: set[str] = set()
    for flag in flags.split("|") if flags else ["ALL"]:
        name = flag.upper()
        if name == "ALL":
            return ALL_OPERATORS
        if name == "NONE":
            return frozenset()
        if name not in _OPERATORS:
            raise illegal_argument(f"Unknown regexp flag [{flag}]")
        found.add(_OPERATORS[name])
    return frozenset(found)


@dataclass(frozen=True)
class LuceneRegexp:
    """A pattern, ready to match whole terms, and the plain text with which every match begins. Of alternatives, each
    is what fits all of several patterns."""

    source: str
    case_insensitive: bool
    operators: frozenset[str]
    prefix: str = field(compare=False)
    _alternatives: tuple[tuple[_Pattern, ...], ...] = field(compare=False)

    def fullmatch(self, term: str) -> bool:
        return any(all(one.fits(term) for one in both) for both in self._alternatives)


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern that may end with a complement: with any text but those that the second one fits."""

    automaton: Automaton
    but: Automaton | None = None

    def fits(self, term: str) -> bool:
        if self.but is None:
            return self.automaton.fullmatch(term)
        but = self.but
        return any(not but.fullmatch(term[end:]) for end in timed(self.automaton.ends(term)))


@lru_cache(maxsize=256)
def compile_regexp(
    source: str, *, case_insensitive: bool = False, operators: frozenset[str] = ALL_OPERATORS
) -> LuceneRegexp:
    """Raises EngineError."""
    parser = _Parser(source, case_insensitive, operators)
    alternatives = tuple(parser.alternatives())
    if parser.at < len(source):
        raise parser.error(f"end-of-string expected at position {parser.at}")
    return LuceneRegexp(
        source, case_insensitive, operators, "" if case_insensitive else _plain_prefix(source), alternatives
    )


def _plain_prefix(source: str) -> str:
    """The letters before the first operator; the last one is left out if an operator repeats it."""
    if "|" in source:
        return ""
    found = re.match(r"[^.?+*|{}\[\]()\"\\#@&<>~]*", source)
    plain = found.group() if found else ""
    return plain[:-1] if len(plain) < len(source) and source[len(plain)] in "?*{" else plain


class _Parser:
    def __init__(self, source: str, case_insensitive: bool, operators: frozenset[str]) -> None:
        self.source = source
        self._operators = operators
        self.at = 0
        self._depth = 0
        self._fold = case_insensitive

    def error(self, reason: str) -> EngineError:
        return illegal_argument(reason)

    def alternatives(self) -> Iterator[tuple[_Pattern, ...]]:
        """The whole pattern."""
        while True:
            both = [self._pattern()]
            while "&" in self._operators and self._take("&"):
                both.append(self._pattern())
            yield tuple(both)
            if not self._take("|"):
                return

    def _pattern(self) -> _Pattern:
        automaton = Automaton(self._concatenation())
        if not self._is_operator("~"):
            return _Pattern(automaton)
        self.at += 1
        but = self._repeat()
        if self.at < len(self.source):
            raise not_implemented("regexp complement [~] before the end of a pattern")
        return _Pattern(automaton, Automaton(but))

    def _union(self) -> Part:
        """The inside of a group."""
        parts = [self._concatenation()]
        while self._take("|"):
            parts.append(self._concatenation())
        if self._is_operator("&"):
            raise not_implemented("regexp intersection [&] inside a group")
        if self._is_operator("~"):
            raise not_implemented("regexp complement [~] before the end of a pattern")
        return parts[0] if len(parts) == 1 else one_of(parts)

    def _concatenation(self) -> Part:
        parts: list[Part] = []
        while self.at < len(self.source) and self.source[self.at] not in ")|" and not (
            self._is_operator("&") or self._is_operator("~")
        ):
            parts.append(self._repeat())
        return sequence(parts)

    def _is_operator(self, character: str) -> bool:
        return character in self._operators and self.source[self.at : self.at + 1] == character

    def _repeat(self) -> Part:
        part, signs = self._atom(), 0
        while self.at < len(self.source) and self.source[self.at] in "?*+{":
            operator = self.source[self.at]
            signs += 1
            if signs > _MOST_DEPTH:
                raise self.error("the pattern is nested too deeply")
            if operator == "{":
                part = repeated(part, *self._counts())
            else:
                self.at += 1
                part = repeated(part, int(operator == "+"), 1 if operator == "?" else None)
        return part

    def _counts(self) -> tuple[int, int | None]:
        found = re.compile(r"\{(\d+)(,(\d*))?\}").match(self.source, self.at)
        if found is None:
            raise self.error(f"integer expected at position {self.at + 1}")
        low, comma, high = found.groups()
        if high and int(high) < int(low):
            raise self.error(f"invalid repetition range(out of order): {low}..{high}")
        self.at = found.end()
        return int(low), (int(high) if high else None) if comma else int(low)

    def _atom(self) -> Part:
        character = self._next()
        if character == ".":
            return automata.character(lambda _: True)
        if character == "(":
            if self._take(")"):
                return sequence(())
            self._depth += 1
            if self._depth > _MOST_DEPTH:
                raise self.error("the pattern is nested too deeply")
            inner = self._union()
            self._depth -= 1
            if not self._take(")"):
                raise self.error(f"expected ')' at position {self.at}")
            return inner
        if character == "[":
            return self._character_class()
        if character == '"':
            end = self.source.find('"', self.at)
            if end < 0:
                raise self.error(f"expected '\"' at position {len(self.source)}")
            text = self.source[self.at : end]
            self.at = end + 1
            return sequence(map(self._literal, text))
        if character in self._operators:
            return self._operator(character)
        if character == "\\":
            escaped = self._next()
            ranges = _CLASSES.get(escaped.lower())
            return self._literal(escaped) if ranges is None else _in_class(ranges, escaped.isupper())
        return self._literal(character)

    def _operator(self, character: str) -> Part:
        if character == "@":
            return automata.anything
        if character == "#":
            return automata.nothing_fits
        if character == "<":
            return self._interval()
        # of two complements the second one
        raise not_implemented(f"regexp [{character}] here")

    def _interval(self) -> Part:
        end = self.source.find(">", self.at)
        found = re.fullmatch(r"(\d+)-(\d+)", self.source[self.at : end]) if end >= 0 else None
        if found is None:
            raise self.error(f"interval syntax error at position {self.at - 1}")
        self.at = end + 1
        low, high = sorted(int(bound) for bound in found.groups())
        if high - low > _MAX_INTERVAL:
            raise not_implemented(f"regexp interval of more than {_MAX_INTERVAL} numbers")
        # with bounds of one length the numbers have leading zeros, else any number of them is allowed
        if len(found.group(1)) == len(found.group(2)):
            width = len(found.group(1))
            return one_of(automata.text(f"{number:0{width}d}") for number in range(low, high + 1))
        zeros = repeated(automata.text("0"), 0, None)
        return sequence([zeros, one_of(automata.text(str(number)) for number in range(low, high + 1))])

    def _character_class(self) -> Part:
        negated = self._take("^")
        ranges = ""
        while not self._take("]") or not ranges:
            low = self._class_character()
            if len(low) > 1:
                ranges += low
                continue
            high = low
            if self.source[self.at : self.at + 1] == "-" and self.source[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self._class_character()
                if high < low:
                    raise self.error(f"invalid range: from ({ord(low)}) cannot be > to ({ord(high)})")
            both = self._fold and low == high and low.isascii()
            ranges += f"{low.lower() * 2}{low.upper() * 2}" if both else low + high
        return _in_class(ranges, negated)

    def _class_character(self) -> str:
        """A character, or the ranges of a class of them."""
        character = self._next(" in character class")
        if character == "\\":
            escaped = self._next()
            return _CLASSES.get(escaped, escaped)
        return character

    def _literal(self, character: str) -> Part:
        if self._fold and character.isascii() and character.isalpha():
            return _in_class(f"{character.lower() * 2}{character.upper() * 2}", negated=False)
        return automata.character(character.__eq__)

    def _next(self, where: str = "") -> str:
        if self.at >= len(self.source):
            raise self.error(f"unexpected end-of-string{where}")
        self.at += 1
        return self.source[self.at - 1]

    def _take(self, character: str) -> bool:
        if self.source[self.at : self.at + 1] == character:
            self.at += 1
            return True
        return False


def _in_class(ranges: str, negated: bool) -> Part:
    pairs = tuple(zip(ranges[::2], ranges[1::2], strict=True))
    return automata.character(lambda one: any(low <= one <= high for low, high in pairs) != negated)
