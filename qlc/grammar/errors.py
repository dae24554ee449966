"""Syntax errors: one diagnostic for a text that does not parse, with a fix if exactly one edit is certain.

Only the first error of a program is reported. Lexical errors are in characters.py. A token in the wrong place is looked
up in the rules for plain English and other languages (english.py, quotes.py, foreign.py, comparisons.py), then as a
typo (typos.py), else expected.py lists what could have come.
"""

from __future__ import annotations

import dataclasses
import re

from lark import UnexpectedCharacters, UnexpectedInput

from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import RequestFailed
from qlc.base.words.sentences import shortened
from qlc.grammar.characters import unreadable
from qlc.grammar.comparisons import COMPARISONS
from qlc.grammar.english import ENGLISH
from qlc.grammar.expected import expected, way_out
from qlc.grammar.fixes import LONGEST, may_try, repaired, replace, trying
from qlc.grammar.foreign import FOREIGN
from qlc.grammar.openings import lone_value, opening, wrapped
from qlc.grammar.problem import SyntaxProblem
from qlc.grammar.quotes import unquoted_text, unquoted_value, unquoted_words
from qlc.grammar.reading import END, read
from qlc.grammar.stop import Stop
from qlc.grammar.typos import TYPOS, missing_and


def diagnose(source: str, stopped: UnexpectedInput) -> Diagnostic:
    with trying() as able:
        try:
            return _diagnosed(source, stopped, able=able)
        except RequestFailed:  # no time is left for a fix; what is wrong can be reported still
            return _diagnosed(source, stopped, able=False)


def fix(text: str) -> str | None:
    """Return the text if it is a program, else the text with its one error fixed, or None."""
    if not may_try(text):
        return None
    try:
        read(text)
    except UnexpectedInput as stopped:
        return diagnose(text, stopped).fixed
    except SyntaxProblem as problem:
        return with_fix(text, problem.diagnostic).fixed
    return text


def _diagnosed(source: str, stopped: UnexpectedInput, *, able: bool) -> Diagnostic:
    """Return the diagnostic of a text that does not parse. `able`: whether a fix is still looked for."""
    found = wrapped(source, fix) if able else None
    if found is not None:
        return found
    if isinstance(stopped, UnexpectedCharacters):
        return unreadable(source, stopped.pos_in_stream or 0)
    stop = Stop.of(source, fix)
    rules = _RULES if able and len(source) <= LONGEST else ()
    found = next((one for rule in rules if (one := rule(stop)) is not None), None)
    return found or _unexpected(stop)


_RULES = (
    lone_value, opening, *COMPARISONS, *ENGLISH, *FOREIGN, unquoted_text, unquoted_words, *TYPOS, unquoted_value,
    missing_and,
)  # fmt: skip
"""In this order: `a dsc` is a misspelt word before it is a text, `type = Tax Return` a text before two conditions."""


def _unexpected(stop: Stop) -> Diagnostic:
    if stop.token.kind == END:
        return stop.problem("incomplete", f"the text ends where {expected(stop)} is expected", way_out(stop))
    message = f"expected {expected(stop)}, found '{shortened(stop.token.text, 40)}'"
    return stop.problem("unexpected", message, way_out(stop))


def with_fix(source: str, found: Diagnostic) -> Diagnostic:
    """Add a fix to a wrong literal if its meaning is certain: as a text, a range, or a date with its zeros."""
    start, end = found.span
    literal = source[start:end]
    edit = None
    if found.code == "leading-zero" or (found.code == "invalid-date" and _NO_DATE.fullmatch(literal)):
        edit = replace(start, end, f'"{literal}"')
    elif found.code == "invalid-date" and (years := _RANGE.search(source, max(0, end - 40), end)):
        edit = replace(years.start(), end, f"between {years[1]} and {years[2]}")
    elif found.code == "invalid-date" and (date := _UNPADDED.fullmatch(literal)):
        edit = replace(start, end, "-".join(part.zfill(2) for part in date.groups() if part))
    return found if edit is None else dataclasses.replace(found, fixed=repaired(source, edit))


_RANGE = re.compile(r"(?:\bin|=)\s*([0-9]{4})-([0-9]{4})\Z")
_NO_DATE = re.compile(r"[0-9]{4}-(?![QW][0-9])[^\W0-9].*")
_UNPADDED = re.compile(r"(?=.*-[0-9](?:-|$))([0-9]{4})-([0-9]{1,2})(?:-([0-9]{1,2}))?")
