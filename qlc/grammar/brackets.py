"""Diagnostics for unbalanced brackets, with a fix only if every position of the missing one gives the same query."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.fixes import Edit, insert, one_reading, outside_strings, repaired, replace
from qlc.grammar.reading import END, Token
from qlc.grammar.stop import Stop

_CLOSING = {"RPAR": ")", "RSQB": "]"}
_OPENING = {"LPAR": "RPAR", "LSQB": "RSQB"}
_STATEMENT = ("FIND", "COUNT", "MEASURE", "PERCENTILE", "SHARE")
_CLAUSES = ("SORT", "ORDER", "LIMIT", "SHOW", "BY", "GROUP", "HAVING")
_SEPARATORS = ("AND", "OR", *_CLAUSES)


def missing_bracket(stop: Stop) -> Diagnostic | None:
    for kind, bracket in _CLOSING.items():
        if kind not in stop.accepted:
            continue
        first = [(insert(stop.place, bracket),)]
        if stop.token.kind in _CLOSING:
            first.insert(0, (replace(*stop.token.span, bracket),))
        if all(repaired(stop.source, *edits) is None for edits in first):
            continue
        at = _opened(stop, kind)
        opened = stop.span if at is None else stop.before[at].span
        elsewhere = [] if at is None else [(insert(place, bracket),) for place in _ends(stop, at)]
        text = one_reading(stop.source, [*first, *elsewhere])
        hint = f"write '{bracket}'" if text is not None else f"write '{bracket}' where it ends"
        sign = "(" if bracket == ")" else "["
        return stop.problem("missing-bracket", f"'{sign}' was opened and not closed", hint, text, span=opened)
    return None


def _opened(stop: Stop, kind: str) -> int | None:
    """Return the index of the token that opens the unclosed bracket; None if all are closed."""
    depth = 0
    for at in reversed(range(len(stop.before))):
        token = stop.before[at]
        depth += token.kind in _CLOSING
        if token.kind in _OPENING:
            if depth == 0:
                return at if _OPENING[token.kind] == kind else None
            depth -= 1
    return None


def _ends(stop: Stop, opened: int) -> Iterator[int]:
    """Yield other places to close the bracket: after each operand inside, before `and`, `or` or a clause."""
    inside = stop.before[opened + 1 :]
    alone = bool(inside) and inside[0].kind not in _STATEMENT and stop.before[opened].kind == "LPAR"
    if opened and stop.before[opened - 1].kind == "NAME":
        alone = False
    places = [before.end for before, token in _pairs(inside) if token.kind in _SEPARATORS]
    yield from places[1:] if alone else places


def _pairs(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, Token]]:
    """Yield adjacent pairs of tokens that are not inside a further bracket."""
    depth = 0
    for before, token in pairwise(tokens):
        depth += (before.kind in _OPENING) - (before.kind in _CLOSING)
        if depth == 0:
            yield before, token


def unclosed(stop: Stop) -> Diagnostic | None:
    """Close all brackets that are open at the end, the innermost first: `(a = 1 or (b = 2` -> `(a = 1 or (b = 2))`."""
    if stop.token.kind != END:
        return None
    opened: list[str] = []
    outermost = 0
    for at, token in enumerate(stop.before):
        if token.kind in _OPENING:
            outermost = at if not opened else outermost
            opened.append(_OPENING[token.kind])
        elif token.kind in _CLOSING and opened:
            opened.pop()
    closing = "".join(_CLOSING[kind] for kind in reversed(opened))
    text = repaired(stop.source, insert(stop.place, closing)) if len(closing) > 1 else None
    if text is None:
        return None
    if sum(token.kind in _SEPARATORS for token in stop.before[outermost:]) > 1:
        text = None  # the inner ones may have been meant to end earlier
    message = f"{len(closing)} brackets were opened and not closed"
    return stop.problem("missing-bracket", message, f"write '{closing}'", text)


def extra_bracket(stop: Stop) -> Diagnostic | None:
    if stop.token.kind not in _CLOSING:
        return None
    kinds = [token.kind for token in stop.before]
    if kinds.count("LPAR") + kinds.count("LSQB") > kinds.count("RPAR") + kinds.count("RSQB"):
        return None
    left_out = replace(*stop.token.span, "")
    text = one_reading(stop.source, [(left_out,), *_openings(stop)])
    hint = "leave it out"
    if text is None and repaired(stop.source, left_out) is not None:
        hint = f"leave it out, or write '{'(' if stop.token.kind == 'RPAR' else '['}' where it begins"
    return stop.problem("extra-bracket", f"'{stop.token.text}' closes nothing", hint, text)


def _openings(stop: Stop) -> Iterator[tuple[Edit, ...]]:
    if stop.token.kind != "RPAR":
        return
    for before, token in pairwise(stop.before):
        if before.kind in ("WHERE", "HAVING", "AND", "OR"):
            yield (insert(token.start, "("),)


def bare_query(stop: Stop) -> Diagnostic | None:
    """Put a query that stands for a value in brackets: `in find folders where ...` -> `in (find folders where ...)`."""
    if stop.token.kind != "NAME" or not stop.before or stop.before[-1].text.lower() not in ("find", "count"):
        return None
    if "STRING" not in stop.accepted_before(1):
        return None
    start = stop.before[-1].start
    end = len(stop.source.rstrip("; \n\t"))
    opening = insert(start, "(")
    ends = [end, *_word_ends(stop.source, stop.token.end)]
    text = one_reading(stop.source, [(opening, insert(place, ")")) for place in ends])
    message, hint = "a query in place of a value needs brackets", f"write ({stop.before[-1].text} ...)"
    return stop.problem("bare-query", message, hint, text, span=Span(start, stop.before[-1].end))


def _word_ends(source: str, place: int) -> Iterator[int]:
    """Yield split points: the positions after `place` before each word that cannot continue the query."""
    pattern = r"[ \n\t]+(?:and|or|sort|order|limit|show|by|having)(?![\w\0])"
    yield from (match.start() for match in outside_strings(source, pattern) if match.start() > place)
