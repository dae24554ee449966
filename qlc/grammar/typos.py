"""Diagnostics for typos: a misspelled keyword, a missing or doubled one, brackets that do not close."""

from __future__ import annotations

import re

from qlc.base.currencies import CURRENCIES
from qlc.base.diagnostics import Diagnostic, Span
from qlc.base.units import UNITS
from qlc.base.words.sentences import shortened
from qlc.base.words.spelling import distance, nearest_word
from qlc.grammar.brackets import extra_bracket, missing_bracket, unclosed
from qlc.grammar.fixes import insert, repaired, replace
from qlc.grammar.lark_parser import words
from qlc.grammar.openings import further
from qlc.grammar.reading import END
from qlc.grammar.rule import Check, Rule
from qlc.grammar.stop import CLAUSES, OPERATORS, STARTS, VALUES, Stop, keywords
from qlc.grammar.tree import RESERVED
from qlc.grammar.words import OPERATOR_WORDS

_LONGER = frozenset({"_TOTAL", "_GROUPS"})
"""Keywords that certain signs or words must follow, so that a word alone is not one of them misspelt."""


def _misspelt(stop: Stop) -> Diagnostic | None:
    """Correct the misspelled token, or the word before it if that was read as a name."""
    for back, token in enumerate([stop.token, *reversed(stop.before[-2:])]):
        if not token.text.isalpha() or (back and token.kind != "NAME"):
            continue
        accepted = stop.accepted if back == 0 else stop.accepted_before(back)
        word = nearest_word(token.text, keywords(accepted - _LONGER))
        if word is None or word == token.text.lower():
            continue
        text = repaired(stop.source, replace(*token.span, word))
        likely = back == 0 and token.kind == "NAME" and stop.word not in words() and word[0] == stop.word[0]
        likely = likely and distance(stop.word, word, 1) == 1
        if text is not None or likely:
            message, span = f"'{token.text}' is not a word of the language here", token.span
            hint = f"did you mean '{word}'?"
            return stop.problem("misspelt-keyword", message, hint, text, span=span, suggestions=(word,))
    return None


_VARYING = frozenset({"month", "months", "quarter", "quarters", "year", "years"})
_CURRENCIES = re.compile(
    "usd|eur|gbp|jpy|chf|cny|cad|aud|nzd|inr|sek|nok|dkk|pln|czk|huf|brl|mxn|zar|krw|sgd|hkd|ils|"
    "dollars?|euros?|pounds?|yen|francs?|bucks"
)
_CODE = re.compile("[A-Z]{3}")
"""A currency code of ISO 4217."""


def _currency(stop: Stop) -> Diagnostic | None:
    """Report an amount of money that is not written as `500 USD`: `500 dollars`, `500 usd`, `USD 500`."""
    code, follows = stop.token, stop.kinds(1) == ("NUMBER",) and "UNIT" in stop.accepted
    if stop.token.kind == "NUMBER" and stop.kinds(1) == ("NAME",) and "NUMBER" in stop.accepted_before(1):
        code = stop.before[-1]
    written = _CODE.fullmatch(code.text)
    if not _CURRENCIES.fullmatch(code.text.lower()) or not (follows or (written and code is not stop.token)):
        return None
    number = stop.before[-1] if follows else stop.token
    iso = code.text.upper() if code.text.upper() in CURRENCIES else None
    hint = f"write {number.text} {iso or 'EUR'}"
    place = Span(min(number.start, code.start), max(number.end, code.end))
    text = repaired(stop.source, replace(*place, f"{number.text} {iso}")) if iso and number.kind == "NUMBER" else None
    return stop.problem("currency-sign", "a currency is a code in capitals behind the number", hint, text,
                        span=code.span)


_FACTORS = {"k": 10**3, "thousand": 10**3, "million": 10**6, "mio": 10**6, "billion": 10**9}


def _unknown_unit(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "NAME" or "UNIT" not in stop.accepted or stop.kinds(1) != ("NUMBER",):
        return None
    factor = _FACTORS.get(stop.word)
    if factor is not None and stop.before[-1].text.isdecimal():
        written = str(int(stop.before[-1].text) * factor)
        text = repaired(stop.source, replace(stop.before[-1].start, stop.token.end, written))
        return stop.problem("unknown-unit", f"'{stop.token.text}' is not a unit", f"write {written}", text)
    spellings = {spelling: unit.name for unit in UNITS for spelling in unit.spellings}
    near = nearest_word(stop.token.text, spellings) or nearest_word(stop.word.removesuffix("s"), spellings)
    unit = spellings[near] if near else None
    if unit:
        hint = f"did you mean '{unit}'?"
    elif stop.word in _VARYING:
        hint = f"{stop.word} differ in length: write days or weeks"
    else:
        hint = (
            "units are kB, MB, GB, MiB, ms, seconds, minutes, hours, days, weeks, m, km, miles, kg, km/h, %; "
            "a number without one is in the unit that is stored"
        )
    text = repaired(stop.source, replace(*stop.token.span, unit)) if unit else None
    suggestions = (unit,) if unit else ()
    return stop.problem("unknown-unit", f"'{stop.token.text}' is not a unit", hint, text, suggestions=suggestions)


def _reserved(stop: Stop) -> Diagnostic | None:
    if stop.word not in RESERVED or "NAME" not in stop.accepted:
        return None
    written = stop.token.text
    if stop.kinds(1) == ("GET",):
        hint = 'write get ENTITY("NAME").FIELD, as in get document("Q3 Report.pdf").size'
        return stop.problem("get-needs-field", f"'get' asks for fields, and '{written}' has none", hint)
    if stop.word in ("true", "false"):
        return stop.problem("reserved-word", f"'{written}' alone is not a condition", "leave it out, or name a field")
    text = repaired(stop.source, replace(*stop.token.span, f"`{written}`"))
    message = f"'{written}' is a word of the language"
    if text is None:
        return None
    return stop.problem("reserved-word", message, f"as a name it is `{written}`", text)


def _doubled(stop: Stop) -> Diagnostic | None:
    return _DOUBLED(stop) if stop.before and stop.before[-1].text.lower() == stop.word else None


_DOUBLED = Rule("doubled-word", "'{token}' occurs twice here", "leave one out", part="gap", fix="", sure=True)


def _missing_find(stop: Stop) -> Diagnostic | None:
    if stop.token.kind != "NAME" or not {"FIND", "GET"} <= stop.accepted:
        return None
    text = repaired(stop.source, insert(stop.token.start, "find "))
    if stop.word.upper() in CLAUSES or " " not in stop.source[stop.token.start :].strip():
        text = None  # `where` is not the name of an entity, and a single word may be anything
    elif text is None:
        return None
    hint = "write 'find ENTITIES where ...' or 'count ENTITIES'"
    return stop.problem("missing-find", "a query begins with what is asked for", hint, text)


_FIELDLESS = {
    **dict.fromkeys(("in", "during", "within"), "in"),
    **dict.fromkeys(("from", "for", "on", "at", "by", "of", "about", "called", "named"), "="),
    "under": "under", "below": "under", "since": ">=", "after": ">", "before": "<", "until": "<=", "over": ">",
    "between": "between", "containing": "contains", "like": "like", "without": "missing",
}  # fmt: skip
"""Words that begin a condition in English, and the operator that comes after a field."""


def _missing_where(stop: Stop) -> Diagnostic | None:
    """Insert `where` before a condition right after the entity; `in folder "x"` is not yet a condition."""
    if "WHERE" not in stop.accepted or not {"FIND", "COUNT", "OF"} & set(stop.kinds(2)):
        return None
    text = further(stop, insert(stop.token.start, "where "))
    compared = OPERATOR_WORDS.pattern.match(stop.source, stop.token.start)
    operator = OPERATOR_WORDS.meaning[" ".join(compared[0].lower().split())] if compared else ""
    operator = _FIELDLESS.get(stop.word, operator)
    if text is None and operator:
        hint = f"write 'where FIELD {operator} ...'"
        return stop.problem("missing-where", "conditions come after 'where', and name their field", hint)
    if text is None:
        return None
    return stop.problem("missing-where", "conditions come after 'where'", "write 'where' before this", text)


def _missing_word(stop: Stop) -> Diagnostic | None:
    """Insert the second half of `starts with`, `order by`, `within ... of`, `between ... and`."""
    words = {"WITH": "with", "OF": "of"}
    if stop.kinds(1) in (("ORDER",), ("GROUP",)):
        words["BY"] = "by"
    if "BETWEEN" in (token.kind for token in stop.before[-6:]):
        words["AND"] = "and"
    if stop.before and stop.before[0].kind == "LET":
        words["EQUAL"] = "="
    for terminal, word in words.items():
        text = repaired(stop.source, insert(stop.place, f" {word}")) if terminal in stop.accepted else None
        if text is not None:
            return stop.problem("missing-word", f"'{word}' is missing here", f"write '{word}' before this", text)
    return None


def _missing_operator(stop: Stop) -> Diagnostic | None:
    if "HAS" not in stop.accepted or stop.token.kind not in VALUES:
        return None
    message = f"an operator is missing before {shortened(stop.token.text, 40)}"
    hint = "write '=' before it; texts also have 'contains', lists 'has', dates 'in'"
    return stop.problem("missing-operator", message, hint)


def missing_and(stop: Stop) -> Diagnostic | None:
    place = stop.place
    if stop.kinds(1) == ("UNIT",) and stop.token.kind in OPERATORS:
        place = stop.before[-2].end  # `a = 1 b = 2`: the field passed for a unit
    elif "AND" not in stop.accepted or stop.token.kind not in ("NAME", "NOT", "LPAR"):
        return None
    if repaired(stop.source, insert(place, " and")) is None:
        return None
    return stop.problem("missing-and", "two conditions need a word between them", "write 'and' or 'or' before this")


def _value_for_condition(stop: Stop) -> Diagnostic | None:
    """Report a value in place of a condition: `type = "a" or "b"`, `size > 5 and < 9`, `5 < size`."""
    if "MENTIONS_ALONE" not in stop.accepted or stop.token.kind not in VALUES | OPERATORS:
        return None
    message, hint = "the field is on the left, the value on the right", "write the field first: 'size > 5'"
    if stop.before[-1].kind in ("OR", "AND") or stop.token.kind in OPERATORS:
        message, hint = "each condition must name its field", 'write \'f = "a" or f = "b"\', or \'f in ["a", "b"]\''
    elif stop.before[-1].kind == "LSQB":
        return _element_by_value(stop)
    return stop.problem("value-for-condition", message, hint)


def _element_by_value(stop: Stop) -> Diagnostic:
    """Report an index into a list: `tags[0]`."""
    path = re.search(r"[\w.`]+\Z", stop.source[: stop.before[-1].start])
    name = path[0] if path else "FIELD"
    message = "brackets hold a condition on an element, or a key; a list has no positions"
    return stop.problem("value-for-condition", message, f"write '{name} = \"a\"' for any of the values")


_MISPLACED = (
    (("FIND",), ("BY", "GROUP", "HAVING"), "'find' returns hits, which have no '{}'",
     "for rows write 'count E by ...' or 'avg(f) of E by ...'"),
    (("COUNT", "OF"), ("SHOW",), "rows show their groups and measures, and have no '{}'",
     "write the measures before 'of', or ask with 'find'"),
    (("GET",), CLAUSES, "'get' asks for fields of one thing, and has no '{}'",
     "write 'find ... show ...', or 'get (find ...).field'"),
)  # fmt: skip


def _misplaced_clause(stop: Stop) -> Diagnostic | None:
    """Report a clause that this kind of statement does not have."""
    if stop.accepted.isdisjoint(("WHERE", "AND", "LIMIT", END)):
        return None
    head = next((token.kind for token in reversed(stop.before) if token.kind in (*STARTS, "OF")), "")
    for heads, clauses, message, hint in _MISPLACED:
        if head in heads and stop.word.upper() in clauses:
            return stop.problem("misplaced-clause", message.format(stop.word), hint)
    return None


TYPOS: tuple[Check, ...] = (
    Rule("no-statement", "after the 'let's nothing is asked", "add 'find ...', 'count ...' or 'get ...'", token=END,
         first="LET", accepts="LET"),
    Rule("empty-program", "there is no query", "write 'find documents where ...' or 'count documents'", token=END,
         accepts="LET"),
    # `find where a`: the keyword passed for the entity
    Rule("missing-entity", "what is asked for is missing before '{last}'",
         "write it before this, as in 'find documents where ...'", after="FIND NAME|COUNT NAME|OF NAME",
         last="|".join(CLAUSES).lower(), span="last"),
    _misspelt,
    _currency,
    _unknown_unit,
    _reserved,
    _doubled,
    extra_bracket,
    missing_bracket,
    unclosed,
    Rule("late-let", "'let' comes before the statement", "put it first", token="let", accepts=END),
    Rule("two-statements", "a program has one statement", "bind the first one with 'let NAME = ...'",
         token="find|count|get", accepts=END),
    _missing_find,
    _misplaced_clause,
    _missing_where,
    _missing_word,
    _missing_operator,
    _value_for_condition,
    Rule("list-brackets", "a list needs square brackets", 'write ["a", "b"]', token="COMMA", accepts="AND",
         after="|".join(f"{of} {value}" for of in ("IN", "ANY", "ALL") for value in (*VALUES, "NAME"))),
    Rule("comma-condition", "conditions are not joined by commas", "write 'and' or 'or'", token="COMMA", accepts="AND"),
    Rule("missing-comma", "a comma is missing", "write ',' before this", accepts="COMMA", part="after", fix=",",
         sure=True),
)  # fmt: skip
