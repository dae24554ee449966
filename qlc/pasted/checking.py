"""Checks a pasted text as a whole, as a request that may run, and fixes certain mistakes if asked to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from qlc.base.diagnostics import Span
from qlc.base.texts import half_of
from qlc.base.words.folding import fold
from qlc.base.words.sentences import shortened
from qlc.compiler.periods import Clock
from qlc.language.nouns import singular_of
from qlc.mapping.guards import permits
from qlc.mapping.schema import Schema
from qlc.pasted.clauses import RequestContext
from qlc.pasted.curl import Quoted
from qlc.pasted.endpoint import Endpoint, Write, read_endpoint
from qlc.pasted.json_tree import MISSING_BRACKET, Fix, Object, Unreadable, fixed, read_json
from qlc.pasted.problems import Findings, Problem
from qlc.pasted.reach import Reach, entities_of
from qlc.pasted.recognise import LONGEST as LONGEST_TEXT
from qlc.pasted.recognise import Pasted
from qlc.pasted.request import Search, read_search

LONGEST = 100_000
"""Most characters of a body."""
LONGEST_MOVED, MOST_PLACES = 5_000, 60
"""Most characters of a body in which missing brackets are tried at other places, and most commas that are tried."""
HALF = "this is an unpaired surrogate"
HALF_HINT = "the text was cut, or decoded with the wrong encoding"
MOST_ROUNDS = 4
"""Most rounds of fixing: a fix can reveal another mistake."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A request with its findings. `search` is None if it cannot be read at all.

    `fixes` describe what was fixed; `fixed` is the whole request with all fixes, also if it may not run, if every
    problem has a fix. `improvements` are fixes of parts that would run but cannot be intended.
    """

    pasted: Pasted
    endpoint: Endpoint | Write
    search: Search | None
    reach: Reach | None
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    fixed: str = ""
    improvements: tuple[Fix, ...] = ()


def check(pasted: Pasted, schema: Schema, clock: Clock, permitted: frozenset[str] | None, size: int) -> Checked:
    """Check a request: the search that may run, or all problems. `size`: hits in the caller's own pages."""

    def read(one: Pasted) -> Checked:
        return _read(one, schema, clock, permitted, size)

    found = result = read(pasted)
    again, first = pasted, _fixes(found)
    described: tuple[str, ...] = ()
    for _ in range(MOST_ROUNDS):
        fixes = _fixes(result)
        if not fixes:
            break
        described += tuple(_described(fix, pasted if result is found else None) for fix in fixes)
        again = _fixed(again, fixes)
        result = read(again)
    if not first:
        return found
    if result.problems:
        elsewhere = _brackets_elsewhere(pasted, first, read)
        if elsewhere is None:
            return found
        again, result, described = elsewhere
    if pasted.want == "run":
        return replace(found, fixed=_whole(again))
    return replace(result, pasted=pasted, fixes=described, fixed=_whole(again))


def _brackets_elsewhere(
    pasted: Pasted, fixes: list[Fix], read: Callable[[Pasted], Checked]
) -> tuple[Pasted, Checked, tuple[str, ...]] | None:
    """Insert brackets that are missing at the end before a comma instead, if exactly one place gives a valid
    request."""
    body = pasted.body
    assert body is not None
    missing = [one for one in fixes if one.what.startswith(MISSING_BRACKET)]
    if not missing or not all(one.span == missing[0].span for one in missing) or len(body.text) > LONGEST_MOVED:
        return None
    rest = [one for one in fixes if one not in missing]
    brackets = "".join(one.text for one in missing)
    good: list[tuple[Pasted, Checked, tuple[str, ...]]] = []
    commas = [found.start() for found in _TEXT_OR_COMMA.finditer(body.text) if found[1]]
    for at in commas[-MOST_PLACES:]:
        moved = [*rest, replace(missing[0], span=Span(at, at), text=brackets)]
        again = _fixed(pasted, moved)
        result = read(again)
        if not result.problems:
            good.append((again, result, tuple(_described(fix, pasted) for fix in moved)))
    return good[0] if len(good) == 1 else None


_TEXT_OR_COMMA = re.compile(r"""\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|(,)""")
"""Matches texts; its group matches commas outside of texts."""


def _fixes(found: Checked) -> list[Fix]:
    """Return the certain fixes of the problems, one per place; without any, the improvements."""
    chosen: list[Fix] = []
    for fix in (one.fix for one in found.problems if one.fix is not None):
        start, end = fix.span
        replaced = [one.span for one in chosen if one.span.start < one.span.end]
        if start == end or not any(one.start < end and start < one.end for one in replaced):
            chosen.append(fix)
    return chosen or (list(found.improvements) if found.pasted.want == "fix" else [])


def _fixed(pasted: Pasted, fixes: list[Fix]) -> Pasted:
    body = pasted.body
    assert body is not None
    text = fixed(body.text, fixes)
    place = body.places[0] if len(body.places) else 0
    return replace(pasted, body=Quoted(text, (place,) * (len(text) + 1)), unbraced=False)


def _whole(pasted: Pasted) -> str:
    """Return the request as a text that can be pasted again."""
    text = pasted.body.text if pasted.body is not None else ""
    line = f"{pasted.method} {pasted.path}\n" if pasted.method else ""
    return f"{line}{text.strip()}"


def _described(fix: Fix, pasted: Pasted | None) -> str:
    where = ""
    if pasted is not None and pasted.body is not None:
        where = place_of(pasted.body.span(fix.span), pasted.text)
    return f"Fixed: {fix.what}{where}; {fix.done}."


def place_of(span: Span, text: str) -> str:
    """Return line and column, from 1, for a message; empty if the span is not in the text."""
    at = span.start
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return f" (line {line}, column {column})" if at >= 0 else ""


def _names_a_value(words: str, schema: Schema, permitted: frozenset[str] | None) -> bool:
    """Whether the words beside a request ask for a stored value: `how many are invoices?`"""
    distinct = set(re.findall(r"[^\W\d_][\w'’-]*", words))
    said = {fold(one) for word in distinct for one in (word, singular_of(word) or word)}
    fields = (field for entity in schema.entities.values() for field in entity.fields.values())
    closed = (one.values for one in fields if one.values is not None and permits(one.guards, permitted))
    return any(said & {fold(spelling) for spelling in one.spellings} for one in closed)


# --- one reading -----------------------------------------------------------------------------------------------------


def _read(pasted: Pasted, schema: Schema, clock: Clock, permitted: frozenset[str] | None, size: int) -> Checked:
    line = pasted.path_span if pasted.method else Span(-1, -1)
    findings = Findings(pasted.body, line)
    if pasted.file:
        findings.body = None
        findings.reject("syntax", f"the body is in the file '{pasted.file}', which cannot be read from here", line,
                        "paste the body itself")
    if pasted.credentials:
        findings.tell("The credentials in the command are not used, and should not be pasted.")
    unread = pasted.question or (pasted.words if _names_a_value(pasted.words, schema, permitted) else "")
    if unread:
        findings.tell(f"Only the request is read, not the words beside it: '{shortened(unread)}'. "
                      "Ask them in a message of their own.")
    if pasted.several is not None and not pasted.cut:
        findings.reject_around("not_allowed", "there is more than one request", pasted.several, "paste one at a time")
    if pasted.cut:
        findings.reject_around("too_large", f"the text is longer than {LONGEST_TEXT:,} characters", line,
                               "paste the request alone")
    if half_of(pasted.path) >= 0:
        findings.reject_around("syntax", HALF, line, HALF_HINT)
    endpoint = read_endpoint(pasted, schema, findings)
    body = None if pasted.cut else _body(pasted, findings)  # a body that is cut has mistakes where it ends
    unreadable = pasted.cut or (body is None and any(one.reason == "syntax" for one in findings.problems))
    if isinstance(endpoint, Write) or unreadable:
        return Checked(pasted, endpoint, None, None, tuple(findings.problems), tuple(findings.notes))
    made = []
    for index in _indices(schema, endpoint):
        # Each index has findings of its own: its problems do not count for another one.
        reach = Reach(entities_of(schema, index), permitted)
        mine = RequestContext(findings.body, findings.line, [*findings.problems], notes=[*findings.notes], reach=reach,
                              clock=clock, schema=schema)
        search = read_search(body, endpoint, mine, size)
        if not reach.within:
            mine.reject("unknown_field", "no kind of document has all of these fields", line,
                        "use fewer fields at a time")
        elif len(reach.within) < len(reach.entities):
            plurals = " and ".join(one.plural for one in reach.within)
            mine.tell(f"Only {plurals} are searched: these fields are not permitted in others.")
        made.append(Checked(pasted, endpoint, search, reach, tuple(mine.problems), tuple(mine.notes),
                            improvements=tuple(mine.improvements)))
    return min(made, key=lambda one: len(one.problems))


def _indices(schema: Schema, endpoint: Endpoint) -> Iterable[str]:
    """Return the index that the request names; else those of the catalog, its own first."""
    if endpoint.index:
        return (endpoint.index,)
    found = dict.fromkeys(one.index for one in schema.entities.values() if not one.virtual)
    return sorted(found, key=lambda name: name != schema.index)


def _body(pasted: Pasted, findings: Findings) -> Object | None:
    """Read the body and record its mistakes with their fixes; None if it cannot be read."""
    text = pasted.body.text if pasted.body is not None else ""
    if not text.strip():
        return None
    if len(text) > LONGEST:
        findings.reject("too_large", f"the request is longer than {LONGEST:,} characters", Span(0, 1),
                        "ask for less at a time")
        return None
    half = half_of(text)
    if half >= 0:
        findings.reject("syntax", HALF, Span(half, half + 1), HALF_HINT)
        return None
    try:
        read = read_json(text)
    except Unreadable as problem:
        findings.reject("syntax", problem.message, problem.span, problem.hint, what=problem.message)
        return None
    fixes = list(read.fixes)
    after = text[read.end :].strip()
    if after and not after.strip("}] \t\r\n"):
        what = "there are too many brackets at the end" if len(after) > 1 else "one bracket too many at the end"
        fixes.append(Fix(what, "removed", Span(read.end, len(text)), ""))
    elif after:
        start = text.index(after, read.end)
        findings.reject("syntax", "there is text after the end of the request", Span(start, start + 1),
                        "paste one request, as it was made")
    if pasted.unbraced:
        fixes.insert(0, Fix("the brackets around the body are missing", "added them", Span(0, 0), ""))
    for fix in fixes:
        findings.reject("syntax", fix.what, fix.span, _way_out(fix), what=fix.what, fix=fix)
    if not isinstance(read.node, Object):
        findings.reject("syntax", "a request is an object in brackets", read.node.span, 'write {"query": {...}}')
        return None
    return read.node


def _way_out(fix: Fix) -> str:
    if not fix.text:
        return "remove it"
    if fix.span.start == fix.span.end:
        return f"add {fix.text}"
    return f"write {fix.text}" if len(fix.text) <= 60 else "put it right"
