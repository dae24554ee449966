"""Habits from SQL and other query languages, each answered with how it is said here."""

from __future__ import annotations

import re
from collections.abc import Callable

from qlc.diagnostics import Diagnostic, Span
from qlc.grammar.brackets import bare_query
from qlc.grammar.lexer import END
from qlc.grammar.mends import insert, mended, replace
from qlc.grammar.sql import pipes, select
from qlc.grammar.stop import CLAUSES, Stop
from qlc.grammar.words import CLAUSE_WORDS, MONTHS, OPERATOR_WORDS, START_WORDS

_CALENDAR = frozenset({"year", "quarter", "month", "week", "day", "hour", "minute"})
_PERIODS = "write 'in last 30 days', 'in this week' or '>= 2024-03-01'"


def _read_only(stop: Stop) -> Diagnostic | None:
    if "FIND" not in stop.accepted or stop.word not in ("delete", "update", "insert", "create", "drop", "set", "put"):
        return None
    return stop.problem("read-only", "queries only read", "write 'find', 'count' or 'get'")


# Spaces are given back to no other part: else a text of spaces alone takes the square of its length.
_TOP = re.compile(r"\s*+(?:find\s++)?(?:the\s++)?(?:top|first)?\s*+([0-9]++)\s++(?=[a-z_])", re.IGNORECASE)


def _top(stop: Stop) -> Diagnostic | None:
    """`top 10 documents`, `find first 10 documents`, `find 10 documents`."""
    match = _TOP.match(stop.source)
    if match is None or stop.token.start > match.end() or len(stop.before) > 3:
        return None
    text = mended(
        stop.source, replace(0, match.end(), "find "), insert(len(stop.source.rstrip()), f" limit {match[1]}")
    )
    return stop.problem(
        "top-first",
        "how many hits are wanted stands at the end",
        f"write 'limit {match[1]}' there",
        text,
        span=Span(match.start(1), match.end(1)),
    )


def _digit_groups(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "COMMA" or stop.kinds(1) != ("NUMBER",):
        return None
    start = stop.before[-1].start
    match = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])").match(stop.source, start)
    if match is None:
        return None
    plain = match[0].replace(",", "")
    return stop.problem(
        "digit-groups",
        "numbers are written without commas",
        f"write {plain}",
        mended(stop.source, replace(*match.span(), plain)),
        span=Span(*match.span()),
    )


def _limit_pair(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "COMMA" or stop.kinds(2) != ("LIMIT", "NUMBER"):
        return None
    return stop.problem(
        "limit-pair", "'limit' takes one number", "write 'limit 10 offset 20' for the ten after the first twenty"
    )


def _lone_offset(stop: Stop) -> Diagnostic | None:
    if stop.word not in ("offset", "skip") or "LIMIT" not in stop.accepted:
        return None
    return stop.problem("lone-offset", "'offset' stands behind 'limit'", "write 'limit 10 offset 20'")


def _count_of_field(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "LPAR" or not stop.before or stop.before[-1].text.lower() != "count":
        return None
    match = re.compile(r"count\s*\(\s*([\w.]+)\s*\)\s*(,|of\b)?").match(stop.source, stop.before[-1].start)
    field = match[1] if match else "f"
    message = "'count' counts documents, and takes nothing in brackets"
    if match and not match[2] and stop.before[0] is stop.before[-1]:
        text = mended(stop.source, replace(stop.place, match.end(), f" {field} "))
        return stop.problem("count-of-field", message, f"write 'count {field}'", text and text.rstrip())
    if "HAS" in stop.accepted:
        hint = f"how many values one has is not compared; '{field} exists' asks for at least one"
        return stop.problem("count-of-field", message, hint)
    hint = f"write 'distinct({field})' for how many values, 'where {field} exists' for how many have one"
    return stop.problem("count-of-field", message, hint)


_SUPERLATIVES = {
    **dict.fromkeys(("newest", "latest", "recent", "largest", "biggest", "longest", "highest"), " desc"),
    **dict.fromkeys(("oldest", "earliest", "smallest", "shortest", "lowest"), ""),
}


def _superlative(stop: Stop) -> Diagnostic | None:
    """`find newest documents`: by which field?"""
    if stop.token.kind != "NAME" or stop.kinds(2)[:1] not in (("FIND",), ("COUNT",), ("OF",)):
        return None
    word = stop.before[-1]
    if word.text.lower() not in _SUPERLATIVES:
        return None
    hint = f"put them in order: 'find {stop.token.text} sort FIELD{_SUPERLATIVES[word.text.lower()]} limit 10'"
    message = f"'{word.text}' is no word of the language here"
    return stop.problem("other-word", message, hint, span=Span(word.start, word.end))


def _comma_before_clause(stop: Stop) -> Diagnostic | None:
    """`sort price desc, limit 5`: behind the comma the clause passed for a name."""
    if stop.kinds(2) != ("COMMA", "NAME") or stop.before[-1].text.upper() not in CLAUSES:
        return None
    comma = stop.before[-2]
    text = mended(stop.source, replace(comma.start, comma.end, ""))
    if text is None:
        return None
    message = f"no comma stands before '{stop.before[-1].text}'"
    return stop.problem("comma-condition", message, "leave it out", text, span=Span(comma.start, comma.end))


def _distinct_values(stop: Stop) -> Diagnostic | None:
    """`find distinct carrier of flights`."""
    values = r"\s*(?:find|get)\s+(?:distinct|unique)\s+(?:values\s+of\s+)?([\w.]+)\s+(?:of|from|in)\s+(\w+)"
    match = re.match(values, stop.source, re.IGNORECASE)
    if match is None or not stop.before or stop.before[0].kind not in ("FIND", "GET"):
        return None
    hint = f"write 'count {match[2]} by {match[1]}', a row for each value"
    return stop.problem("misplaced-clause", "'find' answers with hits, not with values", hint)


def _one_ended_range(stop: Stop) -> Diagnostic | None:
    """`between last month`, `between 5`."""
    place = next((n for n, token in enumerate(reversed(stop.before[-5:]), 1) if token.kind == "BETWEEN"), 0)
    if place < 2 or "AND" not in stop.accepted or "MENTIONS_ALONE" in stop.accepted or "OR" in stop.accepted:
        return None
    if stop.token.kind != END and stop.word.upper() not in CLAUSES:
        return None
    operator, value = stop.before[-place], stop.source[stop.before[-place + 1].start : stop.place]
    hint, text = f"write 'between {value} and ...'", None
    if stop.before[-place + 1].kind in ("DATE", "DAY", "THIS", "LAST", "NEXT"):
        hint = f"write 'in {value}', or 'between ... and ...'"
        text = mended(stop.source, replace(operator.start, operator.end, "in"))
    return stop.problem("incomplete", "a range has two ends, and here is one", hint, text)


def _date_arithmetic(stop: Stop) -> Diagnostic | None:
    """`now-30d`, `30 days ago`."""
    behind_now = stop.token.text[:1] in ("-", "(") and stop.kinds(1) in (("NOW",), ("DAY",))
    if not behind_now and stop.word != "ago":
        return None
    return stop.problem("date-arithmetic", "dates are not computed with", _PERIODS)


def _function(stop: Stop) -> Diagnostic | None:
    """`year(created) = 2024`, `lower(name) = "x"`."""
    if stop.token.kind != "LPAR" or stop.kinds(1) != ("NAME",):
        return None
    head = stop.before[-1]
    name = head.text.lower()
    if name in _CALENDAR and "EQUAL" in stop.accepted:
        compared = re.compile(r"\w+\s*\(\s*([\w.]+)\s*\)\s*(=|==|!=|<=|>=|<|>)\s*([0-9]{4})(?![\w-])").match(
            stop.source, head.start
        )
        text = None
        if compared and name == "year":
            text = mended(stop.source, replace(*compared.span(), "{} {} {}".format(*compared.groups())))
        return stop.problem(
            "function-on-left",
            f"'{head.text}(...)' does not stand before an operator",
            "a date is compared with a period: 'created = 2024', 'created in last month'",
            text,
            span=Span(head.start, head.end),
        )
    if "STRING" in stop.accepted or stop.accepted & {"FIND"}:
        return None
    turned = re.compile(r"\s*(?:\"[^\"\n]*\"|'[^'\n]*'|\$\w+)\s*\)\s*[=<>!]")
    if turned.match(stop.source, stop.token.end):
        span = Span(head.start, head.end)
        message = "the field stands on the left, the value on the right"
        return stop.problem("value-for-condition", message, "turn them round", span=span)
    known = "conditions know 'weekday(f)' and 'hour_of_day(f)'; upper and lower case are the same anyway"
    if "TOP" in stop.accepted:
        known = "groups know year, quarter, month, week, day, hour, weekday, hour_of_day, bins and step"
    span = Span(head.start, head.end)
    return stop.problem("unknown-function", f"there is no function '{head.text}' here", known, span=span)


def _number_form(stop: Stop) -> Diagnostic | None:
    """`.5`, `1_000`."""
    if not stop.before:
        return None
    start = stop.token.start if stop.token.kind == "DOT" else stop.before[-1].start
    date = re.compile(r"[0-9]{1,4}\.[0-9]{1,2}\.[0-9]{1,4}").match(stop.source, stop.before[-1].start)
    if date is not None:
        message = f"'{date[0]}' is not how dates are written"
        return stop.problem("date-form", message, "write the year first: 2024-03-05", span=Span(*date.span()))
    match = re.compile(r"\.[0-9]+|[0-9]+(?:_[0-9]+)+").match(stop.source, start)
    if match is None:
        return None
    plain = match[0].replace("_", "") if "_" in match[0] else f"0{match[0]}"
    text = mended(stop.source, replace(*match.span(), plain))
    return stop.problem(
        "number-form", f"'{match[0]}' is not how numbers are written", f"write {plain}", text, span=Span(*match.span())
    )


def _star(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "STAR":
        return None
    if "STRING" not in stop.accepted and stop.before and stop.before[-1].kind in ("NUMBER", "RPAR", "UNIT"):
        return stop.problem("star", "nothing is computed in a query", "write the number that it comes to")
    if stop.kinds(1) == ("SHOW",):
        text = mended(stop.source, replace(stop.before[-1].start, stop.token.end, ""))
        return stop.problem("star", "without 'show' a hit has all that the catalog shows", "leave 'show *' out", text)
    if stop.kinds(1) == ("COUNT",):
        text = mended(stop.source, replace(stop.place, stop.token.end, ""))
        return stop.problem("star", "'count' counts documents, and needs no '*'", "write 'count ENTITIES'", text)
    if stop.kinds(1) in (("FIND",), ("OF",)):
        return stop.problem("star", "'*' is no name", "name what is asked for, as in 'find documents where ...'")
    if "STRING" not in stop.accepted:
        return stop.problem("star", "'*' is wild only inside the text behind 'like'", "leave it out")
    operator = stop.before[-1]
    word = {"EQUAL": "exists", "UNEQUAL": "missing"}.get(operator.kind)
    text = mended(stop.source, replace(operator.start, stop.token.end, word)) if word else None
    return stop.problem("star", "'*' is no value", "write 'FIELD exists', or 'FIELD like \"Pay*\"'", text)


def _null(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "NULL":
        return None
    return stop.problem("null-value", "'null' is no value", "write 'FIELD missing' or 'FIELD exists'")


def _doubled_sign(stop: Stop) -> Diagnostic | None:
    """`=>`, `=<`, `===`, `!==`."""
    if stop.token.kind not in ("COMPARE", "EQUAL") or stop.place != stop.token.start:
        return None
    if stop.kinds(1) not in (("EQUAL",), ("UNEQUAL",)):
        return None
    signs = stop.before[-1].text + stop.token.text
    word = {"=>": ">=", "=<": "<="}.get(signs, "=" if stop.kinds(1) == ("EQUAL",) else "!=")
    text = mended(stop.source, replace(stop.before[-1].start, stop.token.end, word))
    return stop.problem(
        "other-sign",
        f"'{signs}' is no sign of this language",
        f"write '{word}'",
        text,
        span=Span(stop.before[-1].start, stop.token.end),
    )


def _bracketed_value(stop: Stop) -> Diagnostic | None:
    """`= ("x")`: brackets in the place of a value hold a query."""
    if stop.kinds(1) != ("LPAR",) or "FIND" not in stop.accepted or "OR" in stop.accepted:
        return None
    if len(stop.before) > 1 and stop.before[-2].kind == "NAME":
        return None
    opened = stop.before[-1]
    place = re.compile(r"\(\s*-?[0-9.]+\s*,\s*-?[0-9.]+\s*\)").match(stop.source, opened.start)
    if place is not None:
        hint = f"write 'within 5 km of {place[0]}'; a list is [...]"
        message = "a place in brackets stands behind 'within ... of'"
        return stop.problem("place-form", message, hint, span=Span(*place.span()))
    end = stop.source.find(")", stop.token.end)
    text = mended(stop.source, replace(opened.start, opened.end, ""), replace(end, end + 1, "")) if end > 0 else None
    return stop.problem(
        "bracketed-value",
        "brackets in the place of a value hold a query",
        "leave them out; a list is [...]",
        text,
        span=Span(opened.start, opened.end),
    )


def _get_without_field(stop: Stop) -> Diagnostic | None:
    if not stop.before or stop.before[0].kind != "GET" or stop.accepted != {"DOT"}:
        return None
    value = stop.source[stop.before[0].end : stop.place].strip()
    inner = value[1:-1].strip() if value.startswith("(") else ""
    if inner:
        text = mended(stop.source, replace(stop.before[0].start, stop.place, inner))
        if not inner.lower().startswith("find"):
            return stop.problem("get-needs-field", "'get' asks for fields", f"write '{inner}' alone", text)
        hint = f"write 'get {value}.FIELD', or '{inner}' for the whole of it"
        return stop.problem("get-needs-field", "'get' asks for fields", hint)
    hint = f"write 'get {value}.FIELD', or 'find {value}' for the whole of it"
    if value.startswith("$"):
        hint = f"write 'get {value}.FIELD'"
    return stop.problem("get-needs-field", "'get' asks for fields", hint)


def _other_word(stop: Stop) -> Diagnostic | None:
    """A word of plain English where a keyword belongs: `with` for `where`, `list` for `find`, `after` for `>`."""
    for words, code in ((START_WORDS, "other-word"), (CLAUSE_WORDS, "other-word"), (OPERATOR_WORDS, "other-word")):
        match = words.pattern.match(stop.source, stop.token.start)
        if match is None or not words.needs & stop.accepted:
            continue
        word = words.meaning[" ".join(match[0].lower().split())]
        text = mended(stop.source, replace(*match.span(), word)) if word else None
        if text is None and not words.certain:
            continue
        hint = f"write '{word}'" if word else "write 'contains' for a part of a text, 'has' for one of a list"
        if match[0].lower() == "from":
            hint = "write '=' for what it is, '>=' for where a range begins"
        return stop.problem(code, f"'{match[0]}' is no word of the language here", hint, text, span=Span(*match.span()))
    return None


def _compared_with_is(stop: Stop) -> Diagnostic | None:
    """`is after 2024`, `is greater than 5`: the word behind `is` passed for a name."""
    if len(stop.before) < 2 or stop.before[-2].kind != "IS" or stop.before[-1].kind != "NAME":
        return None
    start = stop.before[-1].start
    match = OPERATOR_WORDS.pattern.match(stop.source, start)
    word = OPERATOR_WORDS.meaning[" ".join(match[0].lower().split())] if match else ""
    if match is None or not word:
        return None
    text = mended(stop.source, replace(stop.before[-2].start, match.end(), word))
    return stop.problem(
        "other-word",
        f"'is {match[0]}' is no operator",
        f"write '{word}'",
        text,
        span=Span(stop.before[-2].start, match.end()),
    )


def _written_date(stop: Stop) -> Diagnostic | None:
    """`Q2 2024`, `March 2024`, `2024 Q2`, `2024Q2`, `5 March 2024`, `Mar 5, 2024`."""
    if not stop.before:
        return None
    for token in (stop.before[-1], *stop.before[-2:-1]):
        match = _DAY_OF_MONTH.match(stop.source, token.start)
        month, day = (match[2] or match[3], match[1] or match[4]) if match else ("", "")
        if match is not None and month.lower() in _MONTH_NAMES:
            written = f"{match[5]}-{MONTHS[month.lower()[:3]]}-{int(day):02}"
            text = mended(stop.source, replace(*match.span(), written))
            message = f"'{match[0]}' is not how dates are written"
            return stop.problem("date-form", message, f"write {written}", text, span=Span(*match.span()))
    start = stop.before[-1].start
    match = re.compile(r"([a-z]+[1-4]?)[\s,-]*([0-9]{4})\b|([0-9]{4})\s*([a-z]+[1-4]?)\b", re.IGNORECASE).match(
        stop.source, start
    )
    if match is None:
        return None
    part, year = (match[1] or match[4]).lower(), match[2] or match[3]
    written = f"{year}-{part.upper()}" if re.fullmatch("q[1-4]", part) else f"{year}-{MONTHS.get(part[:3], '')}"
    if written.endswith("-") or (part[0] != "q" and part not in _MONTH_NAMES):
        return None
    return stop.problem(
        "date-form",
        f"'{match[0]}' is not how dates are written",
        f"write {written}",
        mended(stop.source, replace(*match.span(), written)),
        span=Span(*match.span()),
    )


_DAY_OF_MONTH = re.compile(
    r"(?:([0-9]{1,2})(?:st|nd|rd|th)?\.?\s+([a-z]{3,9})|([a-z]{3,9})\s+([0-9]{1,2})(?:st|nd|rd|th)?)\.?\s*,?\s*([0-9]{4})\b",
    re.IGNORECASE,
)
_MONTH_NAMES = frozenset(
    [
        "jan",
        "feb",
        "mar",
        "apr",
        "may",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)


def _spaced_time(stop: Stop) -> Diagnostic | None:
    """`2024-03-05 15:00`."""
    if stop.kinds(1) != ("DATE",):
        return None
    match = re.compile(r"(\S+)[ ]+([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?![\w:])").match(stop.source, stop.before[-1].start)
    if match is None:
        return None
    text = f"{match[1]}T{match[2]}"
    return stop.problem(
        "date-form",
        f"'{match[0]}' is not how dates are written",
        f"write {text}",
        mended(stop.source, replace(*match.span(), text)),
        span=Span(*match.span()),
    )


HABITS: tuple[Callable[[Stop], Diagnostic | None], ...] = (
    select,
    pipes,
    _read_only,
    _top,
    _digit_groups,
    _limit_pair,
    _lone_offset,
    _count_of_field,
    _superlative,
    _comma_before_clause,
    _distinct_values,
    _one_ended_range,
    _date_arithmetic,
    _number_form,
    _function,
    _star,
    _null,
    _doubled_sign,
    _bracketed_value,
    bare_query,
    _get_without_field,
    _compared_with_is,
    _other_word,
    _written_date,
    _spaced_time,
)
