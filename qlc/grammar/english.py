"""Plain English that is nearly a query: each rule reads the text around the stop and knows the one way to write it."""

from __future__ import annotations

import re
from collections.abc import Callable

from qlc.diagnostics import Diagnostic, Span
from qlc.grammar.mends import insert, mended, replace
from qlc.grammar.stop import Stop

_FILLERS = frozenset({"the", "all", "any", "every", "each", "of", "me", "please", "is", "are"})


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
    """`avg price of flights`, `average of price of flights`."""
    for token in (stop.token, *stop.before[-2:]):
        match = _MEASURED.match(stop.source, token.start)
        if match is not None:
            measure = _MEASURE_WORDS[" ".join(match[1].lower().replace("(", " ").split())]
            found = _reread(stop, token.start, _MEASURED.pattern, rf"{measure}(\2)", "measure-brackets",
                            "a measure takes its field in brackets")  # fmt: skip
            if found is not None:
                return found
    return None


_MEASURE_WORDS = {
    "sum": "sum", "avg": "avg", "min": "min", "max": "max", "median": "median", "distinct": "distinct",
    "total": "sum", "average": "avg", "mean": "avg", "minimum": "min", "maximum": "max", "unique": "distinct",
    "count distinct": "distinct", "count unique": "distinct", "distinct count": "distinct",
    "number of distinct": "distinct", "number of unique": "distinct", "cardinality": "distinct",
}  # fmt: skip
_MEASURED = re.compile(
    rf"({'|'.join(sorted(_MEASURE_WORDS, key=len, reverse=True)).replace(' ', r'[ ]*[ (][ ]*')})"
    r"\s*(?:of\b|values\b)?\s*\(?\s*([\w.]+)(?:\s*\)){0,2}(?=\s*(?:,|of\b|>|<|=|!))",
    re.IGNORECASE,
)


def _filler(stop: Stop) -> Diagnostic | None:
    """`find all documents`, `in the last 30 days`; whose `my documents` are, only a field can say."""
    if stop.before and stop.before[-1].text.lower() in ("my", "our") and stop.token.kind == "NAME":
        span = Span(stop.before[-1].start, stop.before[-1].end)
        hint = "name the field that says whose they are: 'where FIELD = $me'"
        return stop.problem("filler-word", f"'{stop.before[-1].text}' names nobody", hint, span=span)
    for token in (stop.token, *reversed(stop.before[-1:])):
        if token.text.lower() in _FILLERS:
            behind = len(stop.source) - len(stop.source[token.end :].lstrip())
            text = mended(stop.source, replace(token.start, behind, ""))
            if text is not None:
                span = Span(token.start, token.end)
                return stop.problem("filler-word", f"'{token.text}' says nothing here", "leave it out", text, span=span)
    return None


def _negation_behind(stop: Stop) -> Diagnostic | None:
    """`tags has not "draft"`."""
    if stop.word != "not" or not stop.before:
        return None
    message = f"'not' stands before '{stop.before[-1].text}'"
    pattern = r"(has|contains|like|matches|mentions|under|in|starts\s+with|ends\s+with)\s+not\b"
    starts = [token.start for token in stop.before[-2:]]
    tries = (_reread(stop, start, pattern, r"not \1", "operator-in-front", message) for start in reversed(starts))
    return next(filter(None, tries), None)


def _direction_of_group(stop: Stop) -> Diagnostic | None:
    """`count documents by type desc`: rows have a clause for their order."""
    kinds = [token.kind for token in stop.before]
    if stop.word not in ("asc", "desc", "ascending", "descending") or "BY" not in kinds or "SORT" in kinds:
        return None
    if "ORDER" in kinds or "TOP" not in stop.accepted:
        return None
    text = None
    if stop.word.startswith("desc") and kinds[0] == "COUNT":
        text = mended(stop.source, replace(stop.token.start, stop.token.end, "sort count desc"))
    hint = "write 'sort count desc' for the largest first, or 'sort' and a group"
    return stop.problem("direction-in-front", f"'{stop.token.text}' belongs to 'sort'", hint, text)


def _from_to(stop: Stop) -> Diagnostic | None:
    """`created from 2023 to 2024`."""
    message = "'from ... to ...' is no range here"
    pattern = r"from\s+([^\s\"]+|\"[^\"\n]*\")\s+(?:to|until|till)\s+(?=\S)"
    start = stop.token.start if "HAS" in stop.accepted else -1
    return _reread(stop, start, pattern, r"between \1 and ", "other-word", message,
                   hint="write 'between ... and ...'") if start >= 0 else None


def _ages(stop: Stop) -> Diagnostic | None:
    """`older than 30 days`, `less than 2 weeks ago`: periods that end now."""
    if "HAS" not in stop.accepted:
        return None
    number = r"([0-9]+)\s+(minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b"
    forms = (
        (rf"(?:is\s+)?older\s+than\s+{number}(?:\s+ago\b)?", r"< last \1 \2"),
        (rf"(?:is\s+)?(?:newer|younger)\s+than\s+{number}(?:\s+ago\b)?", r"in last \1 \2"),
        (rf"(?:is\s+)?(?:more|longer)\s+than\s+{number}\s+ago\b", r"< last \1 \2"),
        (rf"(?:is\s+)?(?:less|within)\s+(?:than\s+)?{number}\s+ago\b", r"in last \1 \2"),
    )
    message = "an age is a period that ends now"
    tries = (_reread(stop, stop.token.start, *form, "other-word", message) for form in forms)
    return next(filter(None, tries), None)


_PERIOD_UNIT = r"(minute|hour|day|week|month|quarter|year)"


def _other_period(stop: Stop) -> Diagnostic | None:
    """`in the past 30 days`, `in the previous month`; a past week may end now or with the last Sunday."""
    for token in (stop.token, *reversed(stop.before[-2:])):
        match = re.compile(
            rf"(?:the\s+)?(past|previous|coming|following|upcoming|current)\s+(?:([0-9]+)\s+)?{_PERIOD_UNIT}s?\b", re.I
        ).match(stop.source, token.start)
        if match is None:
            continue
        which = {"past": "last", "previous": "last", "current": "this"}.get(match[1].lower(), "next")
        span = Span(*match.span())
        message = f"'{match[1]}' is no word of the language here"
        if match[2] is None and match[1].lower() in ("past", "coming", "upcoming", "following"):
            rolling = {"week": "7 days", "month": "30 days", "year": "365 days"}.get(match[3].lower(), f"1 {match[3]}s")
            hint = f"write '{which} {match[3]}' for the one in the calendar, '{which} {rolling}' for those up to now"
            if which == "next":
                hint = f"write 'next {match[3]}' for the one in the calendar, 'next {rolling}' for those from now on"
            return stop.problem("other-word", message, hint, span=span)
        written = f"{which} {match[2]} {match[3]}s" if match[2] else f"{which} {match[3]}"
        text = mended(stop.source, replace(*span, written))
        return stop.problem("other-word", message, f"write '{written}'", text, span=span)
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
    pattern = r"(asc|desc)\s+(?:by\s+)?([\w.]+)"
    return _reread(stop, stop.before[-1].start, pattern, r"\2 \1", "direction-in-front", message)


def _lookup_brackets(stop: Stop) -> Diagnostic | None:
    """`under folder "Projects"`."""
    if stop.token.kind != "STRING" or stop.kinds(1) != ("NAME",) or "LPAR" not in stop.accepted:
        return None
    head = stop.before[-1]
    text = mended(stop.source, replace(head.end, stop.token.start, "("), insert(stop.token.end, ")"))
    written = f"{head.text}({stop.token.text})"
    return stop.problem(
        "lookup-brackets",
        "a lookup takes its name in brackets",
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
    pattern = r"get\s+(?:the\s+)?([\w.]+)\s+(?:of|from|for)\s+(.*\S)"
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
        (r"(?:has|have)\s+([\w.]+)(?=\s*(?:\Z|\)|and\b|or\b|sort\b|limit\b|show\b))", r"\1 exists"),
        (r"(has|contains|like|matches|mentions|under)\s+([\w.]+)(?=\s*[\"'\[$])", r"\2 \1"),
    )
    tries = (_reread(stop, stop.before[-1].start, *pattern, "operator-in-front", message) for pattern in patterns)
    return next(filter(None, tries), None)


def _quote_inside(stop: Stop) -> Diagnostic | None:
    """`"say "hi""`."""
    if stop.kinds(1) != ("STRING",) or stop.place != stop.token.start or stop.token.kind not in ("NAME", "STRING"):
        return None
    return stop.problem("quote-inside", "a quote inside a text ends it", 'write \\" inside the text')


def _named_by(stop: Stop) -> Diagnostic | None:
    """`find documents of type "W2"`, `find documents by owner "Ada Byron"`, `in folder "Tax"`."""
    if "WHERE" not in stop.accepted and stop.kinds(1) != ("BY",):
        return None
    message = "conditions stand behind 'where'"
    pattern = r"(?:of|by|in|from|with|for)\s+(?:the\s+)?([A-Za-z_][\w.]*)\s+(?=[\"'“‘$])"
    starts = (stop.token.start, *(token.start for token in stop.before[-1:] if token.kind == "BY"))
    hint = "write 'where FIELD = ...'"
    tries = (_reread(stop, start, pattern, r"where \1 = ", "missing-where", message, hint=hint) for start in starts)
    under = _reread(stop, stop.token.start, r"under\s+([A-Za-z_]\w*)\s+(?=[\"'“‘$])", r"where \1 under ",
                    "missing-where", message, hint="write 'where FIELD under ...'")  # fmt: skip
    return next(filter(None, (*tries, under)), None)


def _lists_joined_by_and(stop: Stop) -> Diagnostic | None:
    """`show name and size`."""
    kinds = [token.kind for token in stop.before]
    if stop.token.kind != "AND" and stop.word != "and":
        return None
    if not {"SHOW", "SORT", "BY", "GET"} & set(kinds) or "COMMA" not in stop.accepted:
        return None
    text = mended(stop.source, replace(stop.place, stop.token.end, ","))
    return stop.problem("missing-comma", "what is listed is joined by commas", "write ',' instead of 'and'", text)


def _measure_of_entity(stop: Stop) -> Diagnostic | None:
    """`avg(size) from documents`."""
    if stop.word not in ("from", "in", "for", "over") or "OF" not in stop.accepted:
        return None
    text = mended(stop.source, replace(stop.token.start, stop.token.end, "of"))
    return stop.problem("other-word", f"'{stop.token.text}' is no word of the language here", "write 'of'", text)


ENGLISH: tuple[Callable[[Stop], Diagnostic | None], ...] = (
    _measure_brackets,
    _negation_behind,
    _direction_of_group,
    _from_to,
    _ages,
    _within_period,
    _other_period,
    _named_by,
    _lists_joined_by_and,
    _measure_of_entity,
    _direction_in_front,
    _lookup_brackets,
    _sign_behind_clause,
    _field_of,
    _point_brackets,
    _operator_in_front,
    _quote_inside,
    _filler,
)
