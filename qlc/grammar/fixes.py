"""Fixes of a text by edits. Each is tried, and kept only if the result parses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from qlc.base.deadline import passed
from qlc.base.diagnostics import Span
from qlc.grammar.printer import print_program
from qlc.grammar.reading import is_program, read

LONGEST = 20_000
"""Characters of a text that is still fixed: each try is one more parse."""
MOST_CHOICES = 12
"""Tries for one fix, for the same reason."""
MOST_TRIED = 150_000
"""Characters that all tries for one text read together."""
MOST_WITHIN = 4
"""How deeply fixes may be nested: a quoted text inside a labelled one inside quotes, each fixed by itself."""


@dataclass(slots=True)
class _Tries:
    left: int = MOST_TRIED
    within: int = 0


_TRIES: ContextVar[_Tries | None] = ContextVar("qlc_fixing", default=None)


@contextmanager
def trying() -> Iterator[bool]:
    """Enter the search for a fix and yield whether a further text may be tried; nested searches share one allowance."""
    tries = _TRIES.get()
    token = None
    if tries is None:
        tries = _Tries()
        token = _TRIES.set(tries)
    tries.within += 1
    try:
        yield tries.within <= MOST_WITHIN
    finally:
        tries.within -= 1
        if token is not None:
            _TRIES.reset(token)


def may_try(text: str) -> bool:
    """Take a text off the allowance, and return whether the allowance and the time last for parsing it."""
    tries = _TRIES.get()
    if tries is not None:
        tries.left -= len(text)
    return len(text) <= LONGEST and not _is_over()


def _is_over() -> bool:
    """Whether the search has ended early. A fix found among the first of several choices is not certain then."""
    tries = _TRIES.get()
    return (tries is not None and tries.left < 0) or passed()


class Edit(NamedTuple):
    span: Span
    text: str


def replace(start: int, end: int, text: str) -> Edit:
    return Edit(Span(start, end), text)


def insert(place: int, text: str) -> Edit:
    return Edit(Span(place, place), text)


def edited(source: str, *edits: Edit) -> str:
    """Apply edits to a text. Those at the same place are applied in the order of their texts."""
    parts: list[str] = []
    end = 0
    for edit in sorted(edits):
        parts += [source[end : edit.span.start], edit.text]
        end = max(end, edit.span.end)
    return "".join([*parts, source[end:]])


def repaired(source: str, *edits: Edit) -> str | None:
    """Return the edited text if it parses, else None. A text longer than `LONGEST` is not tried."""
    if len(source) > LONGEST:
        return None
    text = edited(source, *edits)
    return text if parses(text) else None


def only_fix(source: str, choices: Iterable[Edit]) -> str | None:
    """Return the text of the only choice that parses; None if several do, since then none is certain."""
    tried = islice(choices, MOST_CHOICES)
    found = {text for edit in tried if (text := repaired(source, edit)) is not None}
    return found.pop() if len(found) == 1 and not _is_over() else None


def one_reading(source: str, choices: Iterable[tuple[Edit, ...]]) -> str | None:
    """Return the text of the first choice that parses, if all choices that parse have the same tree."""
    texts = [text for edits in islice(choices, MOST_CHOICES) if (text := repaired(source, *edits)) is not None]
    if _is_over():
        return None
    return texts[0] if len({print_program(read(text)) for text in dict.fromkeys(texts)}) == 1 else None


def parses(text: str) -> bool:
    return may_try(text) and is_program(text)


_STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"?|`[^`\n]*`?')


def outside_strings(source: str, pattern: str) -> list[re.Match[str]]:
    """The matches of a pattern that do not touch a string or a back-quoted name."""
    if len(source) > LONGEST:
        return []
    hidden = _STRINGS.sub(lambda match: "\0" * len(match[0]), source)
    return list(re.finditer(pattern, hidden))
