"""Plain English that is nearly a query: each rule reads the text around the stop and knows the one way to write it."""

from __future__ import annotations

import re
from collections.abc import Callable

from qlc.diagnostics import Diagnostic, Span
from qlc.grammar.mends import insert, mended, replace
from qlc.grammar.stop import Stop

_MEASURES = r"(sum|avg|min|max|median|distinct)"
_FILLERS = frozenset({"the", "all", "any", "every", "each", "my", "of"})


def _reread(
    stop: Stop, start: int, pattern: str, written: str, code: str, message: str, *, hint: str = ""
) -> Diagnostic | None:
    """The text from `start` on as the pattern reads it, to be written otherwise; only where that gives a program."""
    match = re.compile(pattern, re.IGNORECASE).match(stop.source, start)
    if match is None or match.end() < stop.token.start:
        return None
    text = match.expand(written)
    repaired = mended(stop.source, replace(*match.span(), text))
    if repaired is None:
        return None
    return stop.problem(code, message, hint or f"write '{text}'", repaired, span=Span(*match.span()))


def _measure_brackets(stop: Stop) -> Diagnostic | None:
    """`avg price of flights`."""
    message = "a measure takes its field in brackets"
    pattern = rf"{_MEASURES}\s+([\w.]+)(?=\s*(?:,|of\b|>|<|=))"
    starts = [stop.token.start, *(token.start for token in stop.before[-1:])]
    tries = (_reread(stop, start, pattern, r"\1(\2)", "measure-brackets", message) for start in starts)
    return next(filter(None, tries), None)


def _count_distinct(stop: Stop) -> Diagnostic | None:
    """`count distinct owner of documents`, `count(distinct owner)`."""
    message = "'distinct' is a measure of its own"
    pattern = r"count\s*\(?\s*distinct\s*\(?\s*([\w.]+)(?:\s*\)){0,2}(?=\s*(?:,|of\b))"
    tries = (
        _reread(stop, token.start, pattern, r"distinct(\1)", "measure-brackets", message) for token in stop.before[:2]
    )
    return next(filter(None, tries), None)


def _filler(stop: Stop) -> Diagnostic | None:
    """`find all documents`, `in the last 30 days`."""
    for token in (stop.token, *reversed(stop.before[-1:])):
        if token.text.lower() in _FILLERS:
            text = mended(stop.source, replace(token.start, token.end, ""))
            if text is not None:
                span = Span(token.start, token.end)
                return stop.problem("filler-word", f"'{token.text}' says nothing here", "leave it out", text, span=span)
    return None


def _within_period(stop: Stop) -> Diagnostic | None:
    """`within last 30 days`."""
    if stop.kinds(1) != ("WITHIN",):
        return None
    message = "'within' is for distances"
    return _reread(
        stop, stop.before[-1].start, r"within\s+(?:the\s+)?", "in ", "other-word", message, hint="write 'in'"
    )


def _direction_in_front(stop: Stop) -> Diagnostic | None:
    """`sort desc size`."""
    if stop.kinds(1) != ("NAME",):
        return None
    message = "the direction stands behind the key"
    return _reread(stop, stop.before[-1].start, r"(asc|desc)\s+([\w.]+)", r"\2 \1", "direction-in-front", message)


def _lookup_brackets(stop: Stop) -> Diagnostic | None:
    """`under folder "Projects"`."""
    if stop.token.kind != "STRING" or stop.kinds(1) != ("NAME",) or "LPAR" not in stop.accepted:
        return None
    head = stop.before[-1]
    text = mended(stop.source, replace(head.end, stop.token.start, "("), insert(stop.token.end, ")"))
    written = f"{head.text}({stop.token.text})"
    return stop.problem(
        "lookup-brackets",
        "a look-up takes its name in brackets",
        f"write '{written}'",
        text,
        span=Span(head.start, stop.token.end),
    )


def _sign_behind_clause(stop: Stop) -> Diagnostic | None:
    """`limit=10`."""
    if stop.token.kind != "EQUAL" or not {"LIMIT", "OFFSET", "TOP"} & set(stop.kinds(1)):
        return None
    text = mended(stop.source, replace(stop.place, stop.token.end, " "))
    return stop.problem("other-sign", f"'{stop.before[-1].text}' takes no '='", "leave it out", text)


def _field_of(stop: Stop) -> Diagnostic | None:
    """`get owner of document("x")`, `get document("x") owner`."""
    if not stop.before or stop.before[0].kind != "GET":
        return None
    if stop.accepted == {"DOT"} and stop.token.kind == "NAME":
        text = mended(stop.source, replace(stop.place, stop.token.start, "."))
        return stop.problem("get-needs-field", "a field stands behind a dot", f"write '.{stop.token.text}'", text)
    message = "the field stands behind what it is of"
    pattern = r"get\s+([\w.]+)\s+of\s+(.*\S)"
    return _reread(stop, stop.before[0].start, pattern, r"get \2.\1", "get-needs-field", message)


def _point_brackets(stop: Stop) -> Diagnostic | None:
    """`within 5 km of 41.9, 12.5`, `within 5 km of Rome`."""
    if "WITHIN" not in stop.kinds(4) or stop.kinds(1) != ("OF",) or stop.token.kind == "LPAR":
        return None
    message = "a place is its latitude and longitude in brackets"
    pattern = r"(-?[0-9.]+)\s*,?\s*(-?[0-9.]+)"
    found = _reread(stop, stop.token.start, pattern, r"(\1, \2)", "place-form", message)
    return found or stop.problem("place-form", message, "write 'within 5 km of (41.9, 12.5)'")


def _operator_in_front(stop: Stop) -> Diagnostic | None:
    """`exists(name)`, `missing name`, `has tags "x"`: the operator passed for a field."""
    if stop.kinds(1) != ("NAME",):
        return None
    word = stop.before[-1].text
    message = f"'{word}' stands behind the field"
    patterns = (
        (r"(exists|missing)\s*\(\s*([\w.]+)\s*\)", r"\2 \1"),
        (r"(exists|missing)\s+([\w.]+)", r"\2 \1"),
        (r"(has|contains|like|matches|mentions|under)\s+([\w.]+)(?=\s*[\"'\[$])", r"\2 \1"),
    )
    tries = (_reread(stop, stop.before[-1].start, *pattern, "operator-in-front", message) for pattern in patterns)
    return next(filter(None, tries), None)


def _quote_inside(stop: Stop) -> Diagnostic | None:
    """`"say "hi""`."""
    if stop.kinds(1) != ("STRING",) or stop.place != stop.token.start or stop.token.kind not in ("NAME", "STRING"):
        return None
    return stop.problem("quote-inside", "a quote inside a text ends it", 'write \\" inside the text')


ENGLISH: tuple[Callable[[Stop], Diagnostic | None], ...] = (
    _measure_brackets,
    _count_distinct,
    _within_period,
    _direction_in_front,
    _lookup_brackets,
    _sign_behind_clause,
    _field_of,
    _point_brackets,
    _operator_in_front,
    _quote_inside,
    _filler,
)
