"""Diagnostics for conditions written as in other languages: reversed, as ranges in brackets, as method calls."""

from __future__ import annotations

import re
from itertools import pairwise

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.fixes import insert, outside_strings, repaired, replace
from qlc.grammar.reading import Token
from qlc.grammar.rule import Check, Fix, Rule
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
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MEASURES = ("avg", "sum", "min", "max", "median", "percentile", "count", "distinct")
_FIELD_FIRST = "the field is on the left, the value on the right"


def _turned(match: re.Match[str]) -> str:
    """Reverse a comparison: `5 < size` -> `size > 5`, `5 < size < 9` -> `size > 5 and size < 9`."""
    first = f"{match[3]} {_TURNED[match[2]]} {match[1]}"
    return f"{first} and {match[3]} {match[4]} {match[5]}" if match[4] else first


def _bare_list(stop: Stop) -> Diagnostic | None:
    """Put a list in brackets: `in "a", "b"` -> `in ["a", "b"]`; also after `has all` and `=`."""
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
        edits.append(replace(*operator.span, f"{space}{written}{space}"))
    hint = f"write {written + ' ' if written else ''}[{', '.join(parts)}]"
    text = None if re.search(r"\b(?:and|or)\b", match[0]) else repaired(stop.source, *edits)
    if re.fullmatch(r"-?[0-9]+,[0-9]+", match[0]):  # or a decimal comma
        hint, text = f"{hint} for both numbers, {match[0].replace(',', '.')} for one", None
    return stop.problem("list-brackets", "a list needs square brackets", hint, text, span=Span(*match.span()))


def _value_again(stop: Stop) -> Diagnostic | None:
    """Repeat the left side before a lone value: `type = "a" or "b"`, `size > 5 and < 9`."""
    if len(stop.before) < 4 or stop.before[-1].kind not in ("AND", "OR") or "MENTIONS_ALONE" not in stop.accepted:
        return None
    tokens = _last_comparison(stop.before[:-1])
    operators = [token for token in tokens if token.kind in OPERATORS]
    if not tokens or tokens[0].kind != "NAME" or not operators or operators[0].start == tokens[0].start:
        return None
    if operators[-1].kind == "OVERLAPS" and stop.before[-1].kind == "AND":
        return None  # the other end of the range
    subject = stop.source[tokens[0].start : operators[0].start].strip()
    whole = stop.source[tokens[0].start : operators[-1].end]
    negated = any(token.kind in ("NOT", "UNEQUAL") for token in tokens)
    message = "each condition must name its field"
    if stop.token.kind in OPERATORS - {"NOT"}:
        text = repaired(stop.source, insert(stop.token.start, f"{subject} "))
        return stop.problem("value-for-condition", message, f"write '{subject} {stop.token.text} ...'", text)
    if stop.token.kind not in VALUES:
        return None
    period = re.compile(r"(?:this|last|next)\s+(?:[0-9]+\s+)?\w+", re.IGNORECASE).match(stop.source, stop.token.start)
    again = f"{whole} {period[0] if period else stop.token.text}"
    if operators[-1].kind == "IN" and "NOT" not in [token.kind for token in operators]:
        first = stop.source[operators[-1].end : tokens[-1].end].strip().strip("[]")
        return stop.problem("value-for-condition", message, f"write '{whole} [{first}, {stop.token.text}]'")
    # With both `and` and `or`, `a or b and c` may have been meant as `(a or b) and c`.
    other = "AND" if stop.before[-1].kind == "OR" else "OR"
    mixed = outside_strings(stop.source, rf"(?i)\b{other}\b") and "BETWEEN" not in stop.kinds(len(stop.before))
    text = None if negated or mixed else repaired(stop.source, insert(stop.token.start, f"{whole} "))
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


def _measure_as_value(stop: Stop) -> Diagnostic | None:
    """Report a measure used as a value, `size > avg(size)`, which does not say over which documents it is taken."""
    back = next((n for n, token in enumerate(reversed(stop.before[-4:]), 1) if token.text.lower() in _MEASURES), 0)
    if not 0 < back < len(stop.before) or "STRING" not in stop.accepted_before(back):
        return None
    match = re.compile(rf"(\w+)\s*\(\s*({_PATH})\s*\)").match(stop.source, stop.before[-back].start)
    heads = (after.text for before, after in pairwise(stop.before) if before.kind in ("FIND", "COUNT", "OF"))
    entity = next(heads, None)
    if match is None or entity is None:
        return None
    message = "a measure as a value is a query in brackets"
    return stop.problem("bare-query", message, f"write '({match[0]} of {entity})'", span=Span(*match.span()))


def _selected(match: re.Match[str]) -> str:
    """Rewrite a sub-query of SQL: `in (select id from folders where ...)` -> `in (find folders where ...)`."""
    if "(" in match[2]:
        return f"({match[2]} of {match[3]}{match[4]})"
    return f"(find {match[3]}{match[4]}).{match[2]}"


_SQL = "this is SQL; here a query begins with what it returns"
_CALLED = "NAME|" + "|".join(OPERATORS)
_NAMES = "|".join(_METHODS)
_LINK = r"\s*(?:\.\.\.?|\bto\b)\s*"
_LINK_BETWEEN = r"\s*(?:,|\.\.\.?|\bto\b|\band\b)\s*"
_END = rf"(?:{_TEXT}|{_DATE}|-?[0-9]+(?:\.[0-9]+)?(?:\s?(?!(?:and|or|to)\b)[A-Za-z%]+)?)"

_SUBSELECT = rf"\(\s*select\s+(distinct\s+)?({_PATH}|\w+\(\s*{_PATH}\s*\))\s+from\s+(\w+)\b([^()]*)\)"
_IN_BETWEEN = "an operator belongs between the field and the value"
_AFTER = "'missing' and 'exists' come after the field"
_PART = r"""(?=\s*(?:[<>!=]+|not\s+in|in|between)\s*\[?\s*(?:[0-9]{1,2}(?![\w-])|"[a-z]+"|'[a-z]+'))"""
# `name.contains("x")`, `contains(name, "x")`, `lower(name) = "x"`, `isnull(name)`
_CALLS: tuple[tuple[str, str, str, Fix], ...] = (
    ("unknown-function", _IN_BETWEEN, rf"({_PATH})\.({_NAMES})\(\s*({_VALUE})\s*\)",
     lambda match: f"{match[1]} {_METHODS[match[2].lower()]} {match[3]}"),
    ("unknown-function", _IN_BETWEEN, rf"({_NAMES})\(\s*({_PATH})\s*,\s*({_VALUE})\s*\)",
     lambda match: f"{match[2]} {_METHODS[match[1].lower()]} {match[3]}"),
    ("unknown-function", _AFTER, rf"(?:is_?not_?null|not_?null)\(\s*({_PATH})\s*\)", r"\1 exists"),
    ("unknown-function", _AFTER, rf"is_?(?:null|empty|missing)\(\s*({_PATH})\s*\)", r"\1 missing"),
    ("unknown-function", "case is ignored anyway",
     rf"(?:lower|upper|lcase|ucase|trim|casefold)\(\s*({_PATH})\s*\)", r"\1"),
    ("function-on-left", "the hour of every day is 'hour_of_day(...)'", rf"hour\(\s*({_PATH})\s*\)",
     r"hour_of_day(\1)"),
    ("function-on-left", "this part of every year is 'month_of_year(...)'", rf"month\(\s*({_PATH})\s*\){_PART}",
     r"month_of_year(\1)"),
    ("function-on-left", "this part of every month is 'day_of_month(...)'", rf"day\(\s*({_PATH})\s*\){_PART}",
     r"day_of_month(\1)"),
)  # fmt: skip

_TURNED_ROUND = rf"({_VALUE})\s*(<=|>=|<>|!=|==|=|<|>)\s*({_PATH})(?!\s*\()(?:\s*(<=|>=|<|>)\s*({_VALUE}))?"

COMPARISONS: tuple[Check, ...] = (
    Rule("value-for-condition", _FIELD_FIRST, token="|".join(VALUES), accepts="MENTIONS_ALONE", pattern=_TURNED_ROUND,
         fix=_turned, sure=True),
    Rule("value-for-condition", "each condition has one comparison", token="COMPARE", after="NAME", at=("condition",),
         seen="TURNED_NUMBER|TURNED_DATE", pattern=_TURNED_ROUND, fix=_turned, sure=True),
    # `"audit" in tags`: one of a list, or a part of a text; only the field knows
    Rule("value-for-condition", _FIELD_FIRST,
         "write '{m[2]} has {m[1]}' for a list, '{m[2]} contains {m[1]}' for a part of a text", token="STRING",
         accepts="MENTIONS_ALONE", pattern=rf"({_TEXT})\s+in\s+({_PATH})"),
    # `between 5, 9`, `between (5, 9)`, `in 5..9`, `in [2024-01-01 TO 2024-02-01]`
    *(Rule("list-brackets", "a range is 'between ... and ...'", at=(1, 2, 3, 4), fix=r"between \1 and \2", sure=True,
           pattern=rf"(?:{words})\s*[\[(]?\s*({_END}){link}({_END})\s*[\])]?")
      for words, link in (("between", _LINK_BETWEEN), ("in|=", _LINK))),
    _bare_list,
    _value_again,
    *(Rule(code, message, token="LPAR", after=_CALLED, at=("condition",), pattern=pattern, fix=fix, sure=True)
      for code, message, pattern, fix in _CALLS),
    _measure_as_value,
    # `created yesterday`: a date after a field can only be meant as its period
    Rule("missing-operator", "an operator is missing", "write 'in' before this", token="DAY|THIS|LAST|NEXT|DATE",
         accepts="HAS", part="before", fix="in ", sure=True),
    Rule("other-language", _SQL, token="select", after="LPAR", at=(1,), fix=_selected, sure=True,
         pattern=_SUBSELECT),
    Rule("other-language", _SQL, "write '(find ENTITIES where ...)'", token="select", after="LPAR"),
    Rule("other-language", _SQL, after="LPAR NAME", last="select", at=(2,), fix=_selected, sure=True,
         pattern=_SUBSELECT),
    Rule("other-language", "there are no joins: references are followed",
         "follow a reference with a dot: 'where folder.name = \"...\"'", token="join|inner|left", accepts="WHERE"),
    Rule("number-form", "'{token}' is not how numbers are written", "write {fixed}", accepts="NUMBER",
         pattern=rf"(?:{'|'.join(_NUMBERS)})(?!\w)", fix=lambda match: str(_NUMBERS.index(match[0].lower()) + 1)),
    Rule("late-let", "each name has its own 'let'", "write 'let' instead of the comma", token="COMMA", first="LET",
         accepts="FIND", part="gap", fix=" let"),
    # `(a and) b`, `where a or sort b`
    Rule("incomplete", "'{last}' has nothing on its right", "write a condition there, or leave it out",
         token="|".join(("RPAR", "RSQB", *CLAUSES)) + "|" + "|".join(CLAUSES).lower(), after="AND|OR",
         accepts="MENTIONS_ALONE", span="last"),
    Rule("measure-brackets", "the field comes first", after="PERCENTILE LPAR", at=(2,),
         fix=r"percentile(\2, \1)", pattern=rf"percentile\s*\(\s*([0-9.]+)\s*%?\s*,\s*({_PATH})\s*\)"),
    Rule("unquoted-text", "'{m[0]}' must be in quotes", "write {fixed}", after="LIKE",
         pattern=r"[\w%*?._-]*[%*?][\w%*?._-]*", fix=lambda match: f'"{match[0].replace("%", "*")}"'),
)  # fmt: skip
