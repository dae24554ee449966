"""Diagnostics for forms of SQL and other query languages, each with its equivalent in this one."""

from __future__ import annotations

import re

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.brackets import bare_query
from qlc.grammar.fixes import insert, repaired, replace
from qlc.grammar.reading import END, Token
from qlc.grammar.rule import Check, Rule
from qlc.grammar.sql import pipes, select
from qlc.grammar.stop import ARITHMETIC, CLAUSES, Stop
from qlc.grammar.words import CLAUSE_WORDS, MONTHS, OPERATOR_WORDS, START_WORDS

_CALENDAR = ("year", "quarter", "month", "week", "day", "hour", "minute")
_NOT_A_DATE = "'{m[0]}' is not how dates are written"
_NOT_A_NUMBER = "'{m[0]}' is not how numbers are written"
_NO_DATE_ARITHMETIC = "a moment is calculated as 'now - 30 days'"
_PERIODS = "write 'in last 30 days', 'in this week' or '>= 2024-03-01'"
_CLAUSE = "|".join(CLAUSES).lower()

# Spaces are given back to no other part: else a text of spaces alone takes the square of its length.
_TOP = re.compile(r"\s*+(?:find\s++)?(?:the\s++)?(?:top|first)?\s*+([0-9]++)\s++(?=[a-z_])", re.IGNORECASE)


def _top(stop: Stop) -> Diagnostic | None:
    """Rewrite a limit: `top 10 documents`, `find 10 documents` -> `find documents ... limit 10`."""
    match = _TOP.match(stop.source)
    if match is None or stop.token.start > match.end() or len(stop.before) > 3:
        return None
    end = len(stop.source.rstrip())
    text = repaired(stop.source, replace(0, match.end(), "find "), insert(end, f" limit {match[1]}"))
    message = "the number of hits comes at the end"
    return stop.problem("top-first", message, f"write 'limit {match[1]}' there", text, span=Span(*match.span(1)))


def _count_of_field(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "LPAR" or not stop.before or stop.before[-1].text.lower() != "count":
        return None
    match = re.compile(r"count\s*\(\s*([\w.]+)\s*\)\s*(,|of\b)?").match(stop.source, stop.before[-1].start)
    field = match[1] if match else "f"
    message = "'count' counts documents, and takes nothing in brackets"
    if match and not match[2] and stop.before[0] is stop.before[-1]:
        text = repaired(stop.source, replace(stop.place, match.end(), f" {field} "))
        return stop.problem("count-of-field", message, f"write 'count {field}'", text and text.rstrip())
    hint = f"write 'distinct({field})' for how many values, 'where {field} exists' for how many have one"
    if "HAS" in stop.accepted:
        hint = f"how many values one has is not compared; '{field} exists' asks for at least one"
    return stop.problem("count-of-field", message, hint)


def _one_ended_range(stop: Stop) -> Diagnostic | None:
    """Report a range with one end: `between last month`, `between 5`."""
    place = next((n for n, token in enumerate(reversed(stop.before[-5:]), 1) if token.kind == "BETWEEN"), 0)
    if place < 2 or "AND" not in stop.accepted or "MENTIONS_ALONE" in stop.accepted or "OR" in stop.accepted:
        return None
    if stop.token.kind != END and stop.word.upper() not in CLAUSES:
        return None
    operator, value = stop.before[-place], stop.source[stop.before[-place + 1].start : stop.place]
    hint, text = f"write 'between {value} and ...'", None
    if stop.before[-place + 1].kind in ("DATE", "DAY", "THIS", "LAST", "NEXT"):
        hint = f"write 'in {value}', or 'between ... and ...'"
        text = repaired(stop.source, replace(*operator.span, "in"))
    return stop.problem("incomplete", "a range has two ends, and here is one", hint, text)


def _function(stop: Stop) -> Diagnostic | None:
    """Report a function on the left: `year(created) = 2024`, `lower(name) = "x"`."""
    if stop.token.kind != "LPAR" or stop.kinds(1) != ("NAME",):
        return None
    head = stop.before[-1]
    name, span = head.text.lower(), head.span
    if name in _CALENDAR and "EQUAL" in stop.accepted:
        pattern = re.compile(r"\w+\s*\(\s*([\w.]+)\s*\)\s*(=|==|!=|<=|>=|<|>)\s*([0-9]{4})(?![\w-])")
        compared = pattern.match(stop.source, head.start) if name == "year" else None
        text = repaired(stop.source, replace(*compared.span(), " ".join(compared.groups()))) if compared else None
        message = f"'{head.text}(...)' cannot be used before an operator"
        hint = "a date is compared with a period: 'created = 2024', 'created in last month'"
        return stop.problem("function-on-left", message, hint, text, span=span)
    if not stop.accepted.isdisjoint(("STRING", "FIND")):
        return None
    if re.compile(r"\s*(?:\"[^\"\n]*\"|'[^'\n]*'|\$\w+)\s*\)\s*[=<>!]").match(stop.source, stop.token.end):
        message = "the field is on the left, the value on the right"
        return stop.problem("value-for-condition", message, "swap them", span=span)
    known = "conditions have weekday(f), hour_of_day(f), day_of_month(f) and month_of_year(f); case is ignored anyway"
    if "INCLUDING" in stop.accepted:
        known = ("groups have year, quarter, month, week, day, hour, weekday, hour_of_day, day_of_month, "
                 "month_of_year, bins and step")
    return stop.problem("unknown-function", f"there is no function '{head.text}' here", known, span=span)


def _bracketed_value(stop: Stop) -> Diagnostic | None:
    """Remove brackets around a value, `= ("x")`: only a query is written in brackets."""
    opened = _opened_before_value(stop)
    if opened is None:
        return None
    place = re.compile(r"\(\s*-?[0-9.]+\s*,\s*-?[0-9.]+\s*\)").match(stop.source, opened.start)
    if place is not None:
        hint = f"write 'within 5 km of {place[0]}'; a list is [...]"
        message = "a place in brackets comes after 'within ... of'"
        return stop.problem("place-form", message, hint, span=Span(*place.span()))
    end = stop.source.find(")", stop.token.start)
    text = repaired(stop.source, replace(*opened.span, ""), replace(end, end + 1, "")) if end > 0 else None
    message, span = "brackets in place of a value contain a query", opened.span
    return stop.problem("bracketed-value", message, "leave them out; a list is [...]", text, span=span)


def _opened_before_value(stop: Stop) -> Token | None:
    """Return the bracket in which a value stands alone, up to the stop."""
    for back in (1, 2, 3):
        if len(stop.before) > back and stop.before[-back].kind == "LPAR":
            accepted = stop.accepted_before(back - 1) if back > 1 else stop.accepted
            is_value = "FIND" in accepted and "OR" not in accepted and stop.before[-back - 1].kind != "NAME"
            return stop.before[-back] if is_value and (back == 1 or stop.token.kind in ("RPAR", "COMMA")) else None
    return None


def _get_without_field(stop: Stop) -> Diagnostic | None:
    if not stop.before or stop.before[0].kind != "GET" or stop.accepted - ARITHMETIC != {"DOT"}:
        return None
    value = stop.source[stop.before[0].end : stop.place].strip()
    inner = value[1:-1].strip() if value.startswith("(") else ""
    text = None
    if inner.lower().startswith("find"):
        hint = f"write 'get {value}.FIELD', or '{inner}' for the whole of it"
    elif inner:
        hint = f"write '{inner}' alone"
        text = repaired(stop.source, replace(stop.before[0].start, stop.place, inner))
    else:
        hint = f"write 'get {value}.FIELD'" + ("" if value[0] == "$" else f", or 'find {value}' for the whole of it")
    return stop.problem("get-needs-field", "'get' asks for fields", hint, text)


def _other_word(stop: Stop) -> Diagnostic | None:
    """Replace a word of plain English by its keyword: `with` -> `where`, `list` -> `find`, `after` -> `>`."""
    for words in (START_WORDS, CLAUSE_WORDS, OPERATOR_WORDS):
        match = words.pattern.match(stop.source, stop.token.start)
        if match is None or not words.needs & stop.accepted:
            continue
        word = words.of(match)
        text = repaired(stop.source, replace(*match.span(), word)) if word else None
        if text is None and not words.certain:
            continue
        hint = f"write '{word}'" if word else "write 'contains' for a part of a text, 'has' for one of a list"
        if match[0].lower() == "from":
            hint = "write '=' for what it is, '>=' for where a range begins"
        message = f"'{match[0]}' is not a word of the language here"
        return stop.problem("other-word", message, hint, text, span=Span(*match.span()))
    return None


def _compared_with_is(stop: Stop) -> Diagnostic | None:
    """Replace a comparison with `is`: `is after 2024` -> `> 2024`, `is greater than 5` -> `> 5`."""
    if stop.kinds(2) != ("IS", "NAME"):
        return None
    match = OPERATOR_WORDS.pattern.match(stop.source, stop.before[-1].start)
    word = OPERATOR_WORDS.of(match) if match else ""
    if match is None or not word:
        return None
    span = Span(stop.before[-2].start, match.end())
    text = repaired(stop.source, replace(*span, word))
    return stop.problem("other-word", f"'is {match[0]}' is not an operator", f"write '{word}'", text, span=span)


def _day_of_month(match: re.Match[str]) -> str | None:
    """Rewrite a day: `5 March 2024`, `Mar 5, 2024` -> `2024-03-05`."""
    month, day = match[2] or match[3], match[1] or match[4]
    return f"{match[5]}-{MONTHS[month[:3].lower()]}-{int(day):02}"


def _part_of_year(match: re.Match[str]) -> str:
    """Rewrite a part of a year: `Q2 2024`, `2024Q2` -> `2024-Q2`; `March 2024` -> `2024-03`."""
    part, year = (match[1] or match[4]).lower(), match[2] or match[3]
    return f"{year}-{part.upper() if part[0] == 'q' else MONTHS[part[:3]]}"


_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
_PART = rf"q[1-4]|{_MONTH}"

FOREIGN: tuple[Check, ...] = (
    select,
    pipes,
    Rule("read-only", "queries only read", "write 'find', 'count' or 'get'", accepts="FIND",
         token="delete|update|insert|create|drop|set|put"),
    _top,
    Rule("other-word", "'top' takes hits of each group", "write 'limit', or 'per FIELD' after the number",
         after="TOP NUMBER", accepts="PER", at=(2,), pattern=r"top\s+([0-9]+)(\s*)", fix=r"limit \1\2",
         sure=True),
    Rule("digit-groups", "numbers are written without commas", "write {fixed}", token="COMMA", after="NUMBER", at=(1,),
         pattern=r"-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])", fix=lambda match: match[0].replace(",", "")),
    Rule("limit-pair", "'limit' takes one number", "write 'limit 10 offset 20' for the ten after the first twenty",
         token="COMMA", after="LIMIT NUMBER"),
    Rule("lone-offset", "'offset' comes after 'limit'", "write 'limit 10 offset 20'", token="offset|skip",
         accepts="LIMIT"),
    _count_of_field,
    *(Rule("other-word", "'{last}' is not a word of the language here",
           f"put them in order: 'find {{token}} sort FIELD{order} limit 10'", token="NAME",
           after="FIND NAME|COUNT NAME|OF NAME", last=words, span="last")
      for words, order in (("newest|latest|recent|largest|biggest|longest|highest", " desc"),
                           ("oldest|earliest|smallest|shortest|lowest", ""))),
    Rule("comma-condition", "there is no comma before '{last}'", "leave it out", after="COMMA NAME", last=_CLAUSE,
         pattern=r"(?P<marked>,)(\s*\w+\s*)", at=(2,), fix=r"\2", sure=True),
    Rule("misplaced-clause", "'find' returns hits, not values",
         "write 'count {m[2]} by {m[1]}', a row for each value", first="FIND|GET", at=("first",), span="token",
         pattern=r"(?:find|get)\s+(?:distinct|unique)\s+(?:values\s+of\s+)?([\w.]+)\s+(?:of|from|in)\s+(\w+)"),
    _one_ended_range,
    Rule("date-arithmetic", _NO_DATE_ARITHMETIC, _PERIODS, token="ago"),
    Rule("date-arithmetic", _NO_DATE_ARITHMETIC, _PERIODS, after="NOW|DAY", pattern=r"\(", span="token"),
    Rule("date-form", _NOT_A_DATE, "write the year first: 2024-03-05", pattern=r"[0-9]{1,4}\.[0-9]{1,2}\.[0-9]{1,4}",
         at=(1,)),
    Rule("number-form", _NOT_A_NUMBER, "write {fixed}", at=(1,), pattern=r"[0-9]+(?:_[0-9]+)+",
         fix=lambda match: match[0].replace("_", "")),
    _function,
    Rule("star", "without 'show' a hit has all that the catalog shows", "leave 'show *' out", token="TIMES",
         after="SHOW", part="both", fix=""),
    Rule("star", "'count' counts documents, and needs no '*'", "write 'count ENTITIES'", token="TIMES", after="COUNT",
         part="gap", fix=""),
    Rule("star", "'*' is not a name", "name what is asked for, as in 'find documents where ...'", token="TIMES",
         after="FIND|OF"),
    Rule("star", "'*' is a wildcard only inside the text after 'like'", "leave it out", token="TIMES", lacks="STRING"),
    *(Rule("star", "'*' is not a value", "write 'FIELD exists', or 'FIELD like \"Pay*\"'", token="TIMES", after=after,
           part="both", fix=fix) for after, fix in (("EQUAL", "exists"), ("UNEQUAL", "missing"), ("", None))),
    Rule("null-value", "'null' is not a value", "write 'FIELD missing' or 'FIELD exists'", token="NULL"),
    *(Rule("other-sign", "'{last}{token}' is not a symbol of this language", token=token, after=after, last=last,
           adjacent=True, part="both", span="both", fix=fix)
      for token, after, last, fix in ((">", "EQUAL", "=", ">="), ("<", "EQUAL", "=", "<="),
                                      ("COMPARE|EQUAL", "EQUAL", "", "="), ("COMPARE|EQUAL", "UNEQUAL", "", "!="))),
    _bracketed_value,
    bare_query,
    _get_without_field,
    _compared_with_is,
    _other_word,
    Rule("date-form", _NOT_A_DATE, "write {fixed}", at=(1, 2), fix=_day_of_month,
         pattern=rf"(?:([0-9]{{1,2}})(?:st|nd|rd|th)?\.?\s+({_MONTH})|({_MONTH})\s+([0-9]{{1,2}})(?:st|nd|rd|th)?)"
                 r"\.?\s*,?\s*([0-9]{4})\b"),
    Rule("date-form", _NOT_A_DATE, "write {fixed}", at=(1,), fix=_part_of_year,
         pattern=rf"({_PART})[\s,-]*([0-9]{{4}})\b|([0-9]{{4}})\s*({_PART})\b"),
    Rule("date-form", _NOT_A_DATE, "write {fixed}", after="DATE", at=(1,), fix=r"\1T\2",
         pattern=r"(\S+)[ ]+([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?![\w:])"),
)  # fmt: skip
"""In this order."""
