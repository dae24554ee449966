"""Conditions as other languages write them: turned round, as ranges in brackets, as calls of a method."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from qlc.diagnostics import Diagnostic, Span
from qlc.grammar.lexer import Token
from qlc.grammar.mends import insert, mended, outside_strings, replace
from qlc.grammar.stop import CLAUSES, OPERATORS, VALUES, Stop

_NUMBER = r"-?[0-9][0-9.]*(?:\s*[A-Za-z%]+)?"
_DATE = r"[0-9]{4}(?:-[0-9A-Z:T+.-]+)?"
_TEXT = r"\"[^\"\n]*\"|'[^'\n]*'"
_VALUE = rf"(?:{_TEXT}|{_DATE}|{_NUMBER}|now|today|yesterday|tomorrow)"
_PATH = r"[A-Za-z_@][\w.]*"
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "==": "=", "!=": "!=", "<>": "!="}
_METHODS = {
    "contains": "contains", "startswith": "starts with", "starts_with": "starts with", "endswith": "ends with",
    "ends_with": "ends with", "like": "like", "equals": "=", "eq": "=", "matches": "matches", "has": "has",
}  # fmt: skip


def _start(stop: Stop) -> int:
    """The place in the source where the condition begins that the stop is in."""
    for token in reversed(stop.before):
        if token.kind in ("WHERE", "AND", "OR", "NOT", "HAVING", "LPAR", "LSQB"):
            return token.end
    return stop.token.start


def _rewritten(
    stop: Stop, pattern: str, write: Callable[[re.Match[str]], str | None], code: str, message: str, start: int
) -> Diagnostic | None:
    match = re.compile(rf"\s*{pattern}", re.IGNORECASE).match(stop.source, start)
    if match is None or match.end() < stop.token.start:
        return None
    written = write(match)
    begin = match.end() - len(match[0].lstrip())
    text = mended(stop.source, replace(begin, match.end(), written)) if written else None
    if text is None:
        return None
    return stop.problem(code, message, f"write '{written}'", text, span=Span(begin, match.end()))


def turned(stop: Stop) -> Diagnostic | None:
    """`5 < size`, `5 < size < 9`."""
    if "MENTIONS_ALONE" not in stop.accepted or stop.token.kind not in VALUES:
        return None

    def write(match: re.Match[str]) -> str:
        first = f"{match[3]} {_TURNED[match[2]]} {match[1]}"
        return f"{first} and {match[3]} {match[4]} {match[5]}" if match[4] else first

    signs = r"(<=|>=|<>|!=|==|=|<|>)"
    pattern = rf"({_VALUE})\s*{signs}\s*({_PATH})(?!\s*\()(?:\s*(<=|>=|<|>)\s*({_VALUE}))?"
    message = "the field stands on the left, the value on the right"
    return _rewritten(stop, pattern, write, "value-for-condition", message, stop.token.start)


def text_in_field(stop: Stop) -> Diagnostic | None:
    """`"audit" in tags`: one of a list, or a part of a text; only the field knows."""
    if "MENTIONS_ALONE" not in stop.accepted or stop.token.kind != "STRING":
        return None
    match = re.compile(rf"({_TEXT})\s+in\s+({_PATH})").match(stop.source, stop.token.start)
    if match is None:
        return None
    hint = f"write '{match[2]} has {match[1]}' for a list, '{match[2]} contains {match[1]}' for a part of a text"
    message = "the field stands on the left, the value on the right"
    return stop.problem("value-for-condition", message, hint, span=Span(*match.span()))


def bracketed_range(stop: Stop) -> Diagnostic | None:
    """`between 5, 9`, `between (5, 9)`, `in 5..9`, `in [2024-01-01 TO 2024-02-01]`."""
    operator = next((t for t in reversed(stop.before[-4:]) if t.kind in ("BETWEEN", "IN", "EQUAL")), None)
    if operator is None:
        return None
    link = r"\s*(?:,|\.\.\.?|\bto\b|\band\b)\s*" if operator.kind == "BETWEEN" else r"\s*(?:\.\.\.?|\bto\b)\s*"
    value = rf"(?:{_TEXT}|{_DATE}|-?[0-9]+(?:\.[0-9]+)?(?:\s?(?!(?:and|or|to)\b)[A-Za-z%]+)?)"
    pattern = rf"(?:between|in|=)\s*[\[(]?\s*({value}){link}({value})\s*[\])]?"
    message = "a range is 'between ... and ...'"

    def write(match: re.Match[str]) -> str:
        return f"between {match[1].strip()} and {match[2].strip()}"

    return _rewritten(stop, pattern, write, "list-brackets", message, operator.start)


def bare_list(stop: Stop) -> Diagnostic | None:
    """`in "a", "b"`, `has all "a", "b"`, `= "a", "b"`."""
    if stop.token.kind != "COMMA" or stop.kinds(1) not in (("STRING",), ("NUMBER",), ("DATE",)):
        return None
    operator = stop.before[-2]
    match = re.compile(rf"{_VALUE}(?:\s*(?:,|\band\b|\bor\b)\s*{_VALUE})+").match(stop.source, stop.before[-1].start)
    if match is None or operator.kind not in ("IN", "ANY", "ALL", "EQUAL", "UNEQUAL"):
        return None
    parts = re.findall(_VALUE, match[0])
    edits = [replace(*match.span(), f"[{', '.join(parts)}]")]
    written = {"EQUAL": "in", "UNEQUAL": "not in"}.get(operator.kind)
    if written is not None:
        space = "" if stop.source[operator.start - 1].isspace() else " "
        edits.append(replace(operator.start, operator.end, f"{space}{written}{space}"))
    hint = f"write {written + ' ' if written else ''}[{', '.join(parts)}]"
    text = None if re.search(r"\b(?:and|or)\b", match[0]) else mended(stop.source, *edits)
    if re.fullmatch(r"-?[0-9]+,[0-9]+", match[0]):  # or a decimal comma
        hint, text = f"{hint} for both numbers, {match[0].replace(',', '.')} for one", None
    return stop.problem("list-brackets", "a list stands in square brackets", hint, text, span=Span(*match.span()))


def value_again(stop: Stop) -> Diagnostic | None:
    """`type = "a" or "b"`, `size > 5 and < 9`: what stands before the value is meant again."""
    if len(stop.before) < 4 or stop.before[-1].kind not in ("AND", "OR") or "MENTIONS_ALONE" not in stop.accepted:
        return None
    tokens = _last_comparison(stop.before[:-1])
    operators = [token for token in tokens if token.kind in OPERATORS]
    if not tokens or tokens[0].kind != "NAME" or not operators or operators[0].start == tokens[0].start:
        return None
    subject = stop.source[tokens[0].start : operators[0].start].strip()
    whole = stop.source[tokens[0].start : operators[-1].end]
    negated = any(token.kind in ("NOT", "UNEQUAL") for token in tokens)
    message = "each condition names its field"
    if stop.token.kind in OPERATORS - {"NOT"}:
        text = mended(stop.source, insert(stop.token.start, f"{subject} "))
        return stop.problem("value-for-condition", message, f"write '{subject} {stop.token.text} ...'", text)
    if stop.token.kind not in VALUES:
        return None
    period = re.compile(r"(?:this|last|next)\s+(?:[0-9]+\s+)?\w+", re.IGNORECASE).match(stop.source, stop.token.start)
    again = f"{whole} {period[0] if period else stop.token.text}"
    if operators[-1].kind == "IN" and "NOT" not in [token.kind for token in operators]:
        first = stop.source[operators[-1].end : tokens[-1].end].strip().strip("[]")
        return stop.problem("value-for-condition", message, f"write '{whole} [{first}, {stop.token.text}]'")
    # Where `and` and `or` both stand, `a or b and c` may have been meant as `(a or b) and c`.
    other = "AND" if stop.before[-1].kind == "OR" else "OR"
    mixed = outside_strings(stop.source, rf"(?i)\b{other}\b") and "BETWEEN" not in stop.kinds(len(stop.before))
    text = None if negated or mixed else mended(stop.source, insert(stop.token.start, f"{whole} "))
    hint = f"write '{again}'"
    if text is None:
        hint = "write the field again, and brackets around what belongs together"
    return stop.problem("value-for-condition", message, hint, text)


def _last_comparison(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    for at in reversed(range(len(tokens))):
        if tokens[at].kind in ("WHERE", "AND", "OR", "NOT", "HAVING", "LPAR", "LSQB", "RPAR", "RSQB"):
            after = tokens[at + 1 :]
            return () if tokens[at].kind in ("RPAR", "RSQB", "NOT") else after
    return ()


def method(stop: Stop) -> Diagnostic | None:
    """`name.contains("x")`, `contains(name, "x")`, `lower(name) = "x"`, `isnull(name)`."""
    if stop.token.kind != "LPAR" or stop.kinds(1)[-1:] not in (("NAME",), *((o,) for o in OPERATORS)):
        return None
    names = "|".join(_METHODS)
    start = _start(stop)
    message = "an operator stands between the field and the value"

    def called(match: re.Match[str]) -> str:
        return f"{match[1]} {_METHODS[match[2].lower()]} {match[3]}"

    def applied(match: re.Match[str]) -> str:
        return f"{match[2]} {_METHODS[match[1].lower()]} {match[3]}"

    def empty(match: re.Match[str]) -> str:
        return f"{match[2]} {'exists' if 'not' in match[1].lower() else 'missing'}"

    return (
        _rewritten(stop, rf"({_PATH})\.({names})\(\s*({_VALUE})\s*\)", called, "unknown-function", message, start)
        or _rewritten(stop, rf"({names})\(\s*({_PATH})\s*,\s*({_VALUE})\s*\)", applied, "unknown-function", message,
                      start)
        or _rewritten(stop, rf"(is_?(?:not_?)?null|not_?null|is_?empty|is_?missing)\(\s*({_PATH})\s*\)", empty,
                      "unknown-function", "'missing' and 'exists' stand behind the field", start)
        or _rewritten(stop, rf"(?:lower|upper|lcase|ucase|trim|casefold)\(\s*({_PATH})\s*\)", lambda match: match[1],
                      "unknown-function", "upper and lower case are the same anyway", start)
        or _rewritten(stop, rf"hour\(\s*({_PATH})\s*\)", lambda match: f"hour_of_day({match[1]})", "function-on-left",
                      "the hour of every day is 'hour_of_day(...)'", start)
    )  # fmt: skip


def measure_as_value(stop: Stop) -> Diagnostic | None:
    """`size > avg(size)`: of which documents?"""
    back = next((n for n, token in enumerate(reversed(stop.before[-3:]), 1) if token.text.lower() in _MEASURES), 0)
    if not 0 < back < len(stop.before) or "STRING" not in stop.accepted_before(back):
        return None
    match = re.compile(rf"(\w+)\s*\(\s*({_PATH})\s*\)").match(stop.source, stop.before[-back].start)
    heads = (after.text for before, after in pairwise(stop.before) if before.kind in ("FIND", "COUNT", "OF"))
    entity = next(heads, None)
    if match is None or entity is None:
        return None
    message = "a measure as a value is a query in brackets"
    return stop.problem("bare-query", message, f"write '({match[0]} of {entity})'", span=Span(*match.span()))


_MEASURES = ("avg", "sum", "min", "max", "median", "percentile", "count", "distinct")


def dated(stop: Stop) -> Diagnostic | None:
    """`created yesterday`, `created last week`: a date behind a field can only be meant as its period."""
    if "HAS" not in stop.accepted or stop.token.kind not in ("DAY", "THIS", "LAST", "NEXT", "DATE"):
        return None
    text = mended(stop.source, insert(stop.token.start, "in "))
    if text is None:
        return None
    return stop.problem("missing-operator", "an operator is missing", "write 'in' before this", text)


def selected(stop: Stop) -> Diagnostic | None:
    """`in (select id from folders where ...)`."""
    if stop.kinds(1) != ("LPAR",) or stop.word != "select":
        return None
    pattern = rf"\(\s*select\s+(distinct\s+)?({_PATH}|\w+\(\s*{_PATH}\s*\))\s+from\s+(\w+)\b([^()]*)\)"

    def write(match: re.Match[str]) -> str:
        if "(" in match[2]:
            return f"({match[2]} of {match[3]}{match[4]})"
        return f"(find {match[3]}{match[4]}).{match[2]}"

    message = "this is SQL, and here a query begins with what it answers"
    found = _rewritten(stop, pattern, write, "other-language", message, stop.before[-1].start)
    return found or stop.problem("other-language", message, "write '(find ENTITIES where ...)'")


def arithmetic(stop: Stop) -> Diagnostic | None:
    """`size * 2 > 5`."""
    if stop.token.kind != "STAR" or "HAS" not in stop.accepted:
        return None
    return stop.problem("star", "nothing is computed in a query", "write the number that it comes to on the right")


def joined(stop: Stop) -> Diagnostic | None:
    if stop.word not in ("join", "inner", "left") or "WHERE" not in stop.accepted:
        return None
    hint = "follow a reference with a dot: 'where folder.name = \"...\"'"
    return stop.problem("other-language", "nothing is joined here: references are followed", hint)


_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number_word(stop: Stop) -> Diagnostic | None:
    """`limit ten`."""
    if stop.word not in _NUMBER_WORDS or "NUMBER" not in stop.accepted:
        return None
    written = str(_NUMBER_WORDS.index(stop.word) + 1)
    text = mended(stop.source, replace(stop.token.start, stop.token.end, written))
    return stop.problem("number-form", f"'{stop.token.text}' is not how numbers are written", f"write {written}", text)


def let_again(stop: Stop) -> Diagnostic | None:
    """`let x = 5, y = 6`."""
    if stop.token.kind != "COMMA" or not stop.before or stop.before[0].kind != "LET" or "FIND" not in stop.accepted:
        return None
    text = mended(stop.source, replace(stop.place, stop.token.end, " let"))
    return stop.problem("late-let", "each name has its own 'let'", "write 'let' instead of the comma", text)


def nothing_behind(stop: Stop) -> Diagnostic | None:
    """`(a and) b`, `where a or sort b`."""
    if stop.kinds(1) not in (("AND",), ("OR",)) or "MENTIONS_ALONE" not in stop.accepted:
        return None
    if stop.token.kind not in ("RPAR", "RSQB", "END") and stop.word.upper() not in CLAUSES:
        return None
    word = stop.before[-1]
    span = Span(word.start, word.end)
    hint = "write a condition there, or leave it out"
    return stop.problem("incomplete", f"'{word.text}' has nothing on its right", hint, span=span)


def percentile_turned(stop: Stop) -> Diagnostic | None:
    """`percentile(95, size)`."""
    match = re.compile(rf"percentile\s*\(\s*([0-9.]+)\s*%?\s*,\s*({_PATH})\s*\)", re.IGNORECASE)
    found = match.match(stop.source, stop.before[-2].start) if stop.kinds(2)[:1] == ("PERCENTILE",) else None
    if found is None:
        return None
    written = f"percentile({found[2]}, {found[1]})"
    text = mended(stop.source, replace(*found.span(), written))
    span = Span(*found.span())
    return stop.problem("measure-brackets", "the field comes first", f"write '{written}'", text, span=span)


def bare_pattern(stop: Stop) -> Diagnostic | None:
    """`like %x%`, `like *x*`."""
    if stop.kinds(1) != ("LIKE",):
        return None
    found = re.compile(r"[\w%*?._-]*[%*?][\w%*?._-]*").match(stop.source, stop.token.start)
    if found is None:
        return None
    written = f'"{found[0].replace("%", "*")}"'
    text = mended(stop.source, replace(*found.span(), written))
    message = f"'{found[0]}' must stand in quotes"
    return stop.problem("unquoted-text", message, f"write {written}", text, span=Span(*found.span()))


COMPARISONS: tuple[Callable[[Stop], Diagnostic | None], ...] = (
    turned, text_in_field, bracketed_range, bare_list, value_again, method, measure_as_value, dated, selected,
    arithmetic, joined, number_word, let_again, nothing_behind, percentile_turned, bare_pattern,
)  # fmt: skip
