"""Lucene's regular expressions, turned into Python's.

Source: org.apache.lucene.util.automaton.RegExp. Anchors do not exist, a pattern fits whole terms. Beside the usual
operators there are `@` (anything), `#` (nothing), `"quoted"`, `<1-99>`, `&` (both) and `~` (anything else; only where
a pattern ends with it). Flags say which of these are operators; the others stand for themselves.
"""

from __future__ import annotations

import re

from qlc.engine.errors import EngineError, illegal_argument, not_implemented

#: `<low-high>` is written out as alternatives; more are refused.
_MAX_INTERVAL = 10_000

#: flag -> the operator that it switches on
_OPERATORS = {"INTERSECTION": "&", "COMPLEMENT": "~", "EMPTY": "#", "ANYSTRING": "@", "INTERVAL": "<"}
ALL_OPERATORS = frozenset(_OPERATORS.values())

_CLASSES = {"d": r"[0-9]", "D": r"[^0-9]", "w": r"[A-Za-z0-9_]", "W": r"[^A-Za-z0-9_]", "s": r"[ \t\n\r]",
            "S": r"[^ \t\n\r]"}  # fmt: skip


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


def compile_regexp(
    source: str, *, case_insensitive: bool = False, operators: frozenset[str] = ALL_OPERATORS
) -> tuple[re.Pattern[str], str]:
    """The Python pattern (to be used with `fullmatch`) and the plain text with which every match begins."""
    parser = _Parser(source, case_insensitive, operators)
    pattern = re.compile(parser.union(), re.DOTALL)
    if parser.at < len(source):
        raise parser.error(f"end-of-string expected at position {parser.at}")
    return pattern, "" if case_insensitive else _plain_prefix(source)


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
        self._fold = case_insensitive

    def error(self, reason: str) -> EngineError:
        return illegal_argument(reason)

    def union(self) -> str:
        parts = [self._intersection()]
        while self._take("|"):
            parts.append(self._intersection())
        return parts[0] if len(parts) == 1 else "(?:" + "|".join(parts) + ")"

    def _intersection(self) -> str:
        parts = [self._concatenation()]
        while "&" in self._operators and self._take("&"):
            parts.append(self._concatenation())
        if len(parts) > 1:
            if self.at < len(self.source) and self.source[self.at] == ")":
                raise not_implemented("regexp intersection [&] inside a group")
            return "".join(rf"(?={part}\Z)" for part in parts[:-1]) + parts[-1]
        return parts[0]

    def _concatenation(self) -> str:
        parts: list[str] = []
        ends = ")|&" if "&" in self._operators else ")|"
        while self.at < len(self.source) and self.source[self.at] not in ends:
            parts.append(self._complement() if self._is_operator("~") else self._repeat())
        return "".join(parts) if parts else "(?:)"

    def _is_operator(self, character: str) -> bool:
        return character in self._operators and self.source[self.at : self.at + 1] == character

    def _complement(self) -> str:
        self.at += 1
        inner = self._repeat()
        if self.at < len(self.source):
            raise not_implemented("regexp complement [~] before the end of a pattern")
        return rf"(?!(?:{inner})\Z).*"

    def _repeat(self) -> str:
        part = self._atom()
        while self.at < len(self.source) and self.source[self.at] in "?*+{":
            operator = self.source[self.at]
            if operator == "{":
                operator = self._counts()
            else:
                self.at += 1
            part = f"(?:{part}){operator}"
        return part

    def _counts(self) -> str:
        found = re.compile(r"\{(\d+)(,(\d*))?\}").match(self.source, self.at)
        if found is None:
            raise self.error(f"integer expected at position {self.at + 1}")
        low, comma, high = found.groups()
        if high and int(high) < int(low):
            raise self.error(f"invalid repetition range(out of order): {low}..{high}")
        self.at = found.end()
        return f"{{{low}{',' if comma else ''}{high or ''}}}"

    def _atom(self) -> str:
        character = self._next()
        if character == ".":
            return "."
        if character == "(":
            if self._take(")"):
                return "(?:)"
            inner = self.union()
            if not self._take(")"):
                raise self.error(f"expected ')' at position {self.at}")
            return f"(?:{inner})"
        if character == "[":
            return self._character_class()
        if character == '"':
            end = self.source.find('"', self.at)
            if end < 0:
                raise self.error(f"expected '\"' at position {len(self.source)}")
            text = self.source[self.at : end]
            self.at = end + 1
            return "(?:" + "".join(map(self._literal, text)) + ")"
        if character in self._operators:
            return self._operator(character)
        if character == "\\":
            escaped = self._next()
            return _CLASSES.get(escaped) or self._literal(escaped)
        return self._literal(character)

    def _operator(self, character: str) -> str:
        if character == "@":
            return "(?:.*)"
        if character == "#":
            return "(?!)"
        if character == "<":
            return self._interval()
        # of two complements the second one
        raise not_implemented(f"regexp [{character}] here")

    def _interval(self) -> str:
        end = self.source.find(">", self.at)
        found = re.fullmatch(r"(\d+)-(\d+)", self.source[self.at : end]) if end >= 0 else None
        if found is None:
            raise self.error(f"interval syntax error at position {self.at - 1}")
        self.at = end + 1
        low, high = sorted(int(bound) for bound in found.groups())
        if high - low > _MAX_INTERVAL:
            raise not_implemented(f"regexp interval of more than {_MAX_INTERVAL} numbers")
        # with bounds of one length the numbers have leading zeros, else any number of them is allowed
        same = len(found.group(1)) == len(found.group(2))
        numbers = (f"{number:0{len(found.group(1))}d}" if same else f"0*{number}" for number in range(low, high + 1))
        return "(?:" + "|".join(numbers) + ")"

    def _character_class(self) -> str:
        negated = self._take("^")
        parts: list[str] = []
        while not self._take("]") or not parts:
            low = self._class_character()
            if low in _CLASSES.values():
                parts.append(low[1:-1])
                continue
            high = low
            if self.source[self.at : self.at + 1] == "-" and self.source[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self._class_character()
                if high < low:
                    raise self.error(f"invalid range: from ({ord(low)}) cannot be > to ({ord(high)})")
            parts.append(self._range(low, high))
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _class_character(self) -> str:
        character = self._next(" in character class")
        if character == "\\":
            escaped = self._next()
            return _CLASSES.get(escaped, escaped)
        return character

    def _range(self, low: str, high: str) -> str:
        if not self._fold:
            return f"{re.escape(low)}-{re.escape(high)}"
        if low == high and low.isascii():
            return "".join(map(re.escape, sorted({low.lower(), low.upper()})))
        return f"{re.escape(low)}-{re.escape(high)}"

    def _literal(self, character: str) -> str:
        if self._fold and character.isascii() and character.isalpha():
            return f"[{character.lower()}{character.upper()}]"
        return re.escape(character)

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
