"""Rules of syntax errors as rows, and the interpreter that applies them.

A rule says where it applies, what it reports and what is written instead. Cases that no row can express are functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.fixes import repaired, replace
from qlc.grammar.stop import Stop

Check = Callable[[Stop], Diagnostic | None]
Fix = str | Callable[[re.Match[str]], str | None] | None
Part = Literal["token", "last", "gap", "both", "before", "after"]
"""The part of the source that is replaced: the token, the one before it, the token and the space before it, both
tokens; or an empty part right before the token or right after the one before it, for an insertion.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """Called with the place where reading stopped, it gives its diagnostic where it holds.

    In `message` and `hint`, `{token}` is the token that could not follow, `{last}` the one before it, `{m[0]}` what the
    pattern matched, `{fixed}` what is written instead. `fix` is such a text, or a template of `re` where there is a
    pattern, or a function of its match.

    It holds where all that is given is met. Of the kinds of tokens (in capitals) and the words (in small letters) of
    one condition, with `|` between, one is enough. `after`: the kinds of the tokens before. `accepts`, `lacks`: what
    could have come, or could not. `first`, `seen`: the kind of the first token, of any before. `last`: the word before.
    `at`: where the pattern is tried: so many tokens back, or at the first token, or where the condition begins.

    `part`: what is replaced where there is no pattern. `span`: what is marked, if not the token or the match, or the
    group `marked` of it. `sure`: reported only where the fix gives a program.
    """

    code: str
    message: str
    hint: str = "write '{fixed}'"
    token: str = ""
    after: str = ""
    accepts: str = ""
    lacks: str = ""
    first: str = ""
    seen: str = ""
    last: str = ""
    adjacent: bool = False
    pattern: str = ""
    at: tuple[int | Literal["first", "condition"], ...] = (0,)
    fix: Fix = None
    part: Part = "token"
    sure: bool = False
    span: Part | None = None

    def __call__(self, stop: Stop) -> Diagnostic | None:
        if not self._holds(stop):
            return None
        if not self.pattern:
            fixed = _filled(self.fix, stop) if isinstance(self.fix, str) else None
            return self._reported(stop, fixed, _PLACES[self.part](stop), _PLACES[self.span or "token"](stop), None)
        for place in self.at:
            start = _start(place, stop)
            match = None if start is None else _compiled(self.pattern).match(stop.source, start)
            if match is None or match.end() < stop.token.start:
                continue
            span = Span(match.end() - len(match[0].lstrip()), match.end())
            fixed = None
            if self.fix is not None:
                fixed = match.expand(self.fix) if isinstance(self.fix, str) else self.fix(match)
            marked = span if self.span is None else _PLACES[self.span](stop)
            if "marked" in match.re.groupindex:
                marked = Span(*match.span("marked"))
            found = self._reported(stop, fixed, span, marked, match)
            if found is not None:
                return found
        return None

    def _holds(self, stop: Stop) -> bool:
        return (
            _one_of(self.token, (stop.token.kind, stop.word))
            and _one_of(self.accepts, stop.accepted)
            and (not self.after or any(stop.before_kinds[-len(end) :] == end for end in _sequences(self.after)))
            and _one_of(self.first, stop.before_kinds[:1])
            and _one_of(self.seen, stop.before_kinds)
            and _one_of(self.last, [token.text.lower() for token in stop.before[-1:]])
            and not (self.lacks and _one_of(self.lacks, stop.accepted))
            and not (self.adjacent and stop.place != stop.token.start)
        )

    def _reported(
        self, stop: Stop, fixed: str | None, part: Span, marked: Span, match: re.Match[str] | None
    ) -> Diagnostic | None:
        text = None if fixed is None else repaired(stop.source, replace(*part, fixed))
        if self.sure and text is None:
            return None
        message, hint = (_filled(one, stop, m=match, fixed=fixed) for one in (self.message, self.hint))
        return stop.problem(self.code, message, hint, text, span=marked)


def _one_of(wanted: str, given: Iterable[str]) -> bool:
    return not wanted or not _alternatives(wanted).isdisjoint(given)


@cache
def _alternatives(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


@cache
def _sequences(text: str) -> list[tuple[str, ...]]:
    return [tuple(one.split()) for one in text.split("|")]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{pattern})", re.IGNORECASE)


def _filled(template: str, stop: Stop, **others: object) -> str:
    last = stop.before[-1].text if stop.before else ""
    return template.format(token=stop.token.text, last=last, **others)


def _start(place: int | Literal["first", "condition"], stop: Stop) -> int | None:
    if place == "first":
        return stop.before[0].start if stop.before else 0
    if place == "condition":
        opening = ("WHERE", "AND", "OR", "NOT", "HAVING", "LPAR", "LSQB")
        return next((token.end for token in reversed(stop.before) if token.kind in opening), stop.token.start)
    if place == 0:
        return stop.token.start
    return stop.before[-place].start if place <= len(stop.before) else None


_PLACES: Mapping[Part, Callable[[Stop], Span]] = {
    "token": lambda stop: stop.span,
    "last": lambda stop: stop.before[-1].span,
    "gap": lambda stop: Span(stop.place, stop.token.end),
    "both": lambda stop: Span(stop.before[-1].start, stop.token.end),
    "before": lambda stop: Span(stop.token.start, stop.token.start),
    "after": lambda stop: Span(stop.place, stop.place),
}
