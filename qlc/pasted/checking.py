"""A pasted text as a request that may run: read, mended where that is wanted and certain, and checked as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from qlc.compiler.periods import Clock
from qlc.diagnostics import Span
from qlc.mapping.schema import Schema
from qlc.pasted.clauses import Reading
from qlc.pasted.endpoint import Endpoint, Write, read_endpoint
from qlc.pasted.json_tree import MISSING_BRACKET, Object, Slip, Unreadable, mended, read_json
from qlc.pasted.problems import Findings, Problem
from qlc.pasted.reach import Reach, entities_of
from qlc.pasted.recognise import LONGEST as LONGEST_TEXT
from qlc.pasted.recognise import Pasted
from qlc.pasted.request import Search, read_search
from qlc.pasted.shell import Quoted
from qlc.texts import half_of

LONGEST = 100_000
"""Characters of the longest body that is read."""
LONGEST_MOVED, MOST_PLACES = 5_000, 60
"""Characters of a body with missing brackets, and commas before which they are tried."""
HALF = "this is half of a character"
HALF_HINT = "the text was cut, or decoded with the wrong encoding"
MOST_ROUNDS = 3
"""Times that what was mended is read again: a mend can bring out what it hid."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A request with what was found in it. `search` is None where it cannot be read at all.

    `mends` are what was mended, as sentences; `mended` is the whole mended request: of one that is not run, where every
    problem of it can be mended. `improvements` mend what runs and cannot have been meant.
    """

    pasted: Pasted
    endpoint: Endpoint | Write
    search: Search | None
    reach: Reach | None
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()
    mends: tuple[str, ...] = ()
    mended: str = ""
    improvements: tuple[Slip, ...] = ()


def check(pasted: Pasted, schema: Schema, clock: Clock, permitted: frozenset[str] | None, size: int) -> Checked:
    """The request as it may run, or everything that is wrong with it. `size`: hits of the caller's own pages."""

    def read(one: Pasted) -> Checked:
        return _read(one, schema, clock, permitted, size)

    found = read(pasted)
    slips = _slips(found) or (list(found.improvements) if pasted.want == "fix" else [])
    if not slips:
        return found
    told = tuple(_told(slip, pasted) for slip in slips)
    again = _mended(pasted, slips)
    result = read(again)
    for _ in range(MOST_ROUNDS):
        more = _slips(result) or (list(result.improvements) if pasted.want == "fix" else [])
        if not more:
            break
        told += tuple(_told(slip, None) for slip in more)
        again = _mended(again, more)
        result = read(again)
    if result.problems:
        elsewhere = _brackets_elsewhere(pasted, slips, read)
        if elsewhere is None:
            return found
        again, result, told = elsewhere
    if pasted.want == "run":
        return replace(found, mended=_whole(again))
    return replace(result, pasted=pasted, mends=told, mended=_whole(again))


def _brackets_elsewhere(
    pasted: Pasted, slips: list[Slip], read: Callable[[Pasted], Checked]
) -> tuple[Pasted, Checked, tuple[str, ...]] | None:
    """The request with the brackets that are missing at its end put in before a comma, where only one place will do."""
    body = pasted.body
    assert body is not None
    missing = [one for one in slips if one.what.startswith(MISSING_BRACKET)]
    if not missing or not all(one.span == missing[0].span for one in missing) or len(body.text) > LONGEST_MOVED:
        return None
    rest = [one for one in slips if one not in missing]
    brackets = "".join(one.text for one in missing)
    good: list[tuple[Pasted, Checked, tuple[str, ...]]] = []
    for at in _commas(body.text)[-MOST_PLACES:]:
        moved = [*rest, replace(missing[0], span=Span(at, at), text=brackets)]
        again = _mended(pasted, moved)
        result = read(again)
        if not result.problems:
            good.append((again, result, tuple(_told(slip, pasted) for slip in moved)))
    return good[0] if len(good) == 1 else None


_TEXT_OR_COMMA = re.compile(r"""\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|(,)""")


def _commas(text: str) -> list[int]:
    """Where commas stand outside of texts."""
    return [found.start() for found in _TEXT_OR_COMMA.finditer(text) if found[1]]


def _slips(found: Checked) -> list[Slip]:
    """The certain mends of what was found, each place once."""
    slips: dict[Span, Slip] = {}
    chosen: list[Slip] = []
    for one in found.problems:
        if one.slip is None:
            continue
        inside = any(span.start < one.slip.span.end and one.slip.span.start < span.end for span in slips)
        if one.slip.span.start == one.slip.span.end or not inside:
            chosen.append(one.slip)
            if one.slip.span.start != one.slip.span.end:
                slips[one.slip.span] = one.slip
    return chosen


def _mended(pasted: Pasted, slips: list[Slip]) -> Pasted:
    body = pasted.body
    assert body is not None
    text = mended(body.text, slips)
    place = body.places[0] if len(body.places) else 0
    return replace(pasted, body=Quoted(text, (place,) * (len(text) + 1)), unbraced=False)


def _whole(pasted: Pasted) -> str:
    """The request as it can be pasted again."""
    text = pasted.body.text if pasted.body is not None else ""
    line = f"{pasted.method} {pasted.path}\n" if pasted.method else ""
    return f"{line}{text.strip()}"


def _told(slip: Slip, pasted: Pasted | None) -> str:
    where = ""
    if pasted is not None and pasted.body is not None:
        line, column = line_and_column(pasted.text, pasted.body.span(slip.span).start)
        where = f" (line {line}, column {column})"
    return f"Mended: {slip.what}{where}; {slip.mend}."


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Both from 1."""
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


# --- one reading -----------------------------------------------------------------------------------------------------


def _read(pasted: Pasted, schema: Schema, clock: Clock, permitted: frozenset[str] | None, size: int) -> Checked:
    line = pasted.path_span if pasted.method else Span(-1, -1)
    findings = Findings(pasted.body, line)
    if pasted.file:
        findings.body = None
        findings.reject("syntax", f"the body lies in the file '{pasted.file}', which cannot be read from here", line,
                        "paste the body itself")
    if pasted.credentials:
        findings.tell("The credentials in the command are not used, and should not be pasted.")
    if pasted.several is not None:
        findings.problems.append(Problem("not_allowed", "there is more than one request", pasted.several,
                                         "paste one at a time"))
    if pasted.cut:
        findings.problems.append(Problem("too_large", f"the text is longer than {LONGEST_TEXT:,} characters", line,
                                         "paste the request alone"))
    if half_of(pasted.path) >= 0:
        findings.problems.append(Problem("syntax", HALF, line, HALF_HINT))
    endpoint = read_endpoint(pasted, schema, findings)
    body = _body(pasted, findings)
    if isinstance(endpoint, Write):
        return Checked(pasted, endpoint, None, None, tuple(findings.problems), tuple(findings.notes))
    if body is None and any(one.reason == "syntax" for one in findings.problems):
        return Checked(pasted, endpoint, None, None, tuple(findings.problems), tuple(findings.notes))
    best: Checked | None = None
    for index in _indices(schema, endpoint):
        mine = _copy(findings)
        reach = Reach(entities_of(schema, index), permitted)
        search = read_search(body, endpoint, Reading(reach, clock, mine), size)
        if not reach.within:
            mine.reject("unknown_field", "no kind of document has all of these fields", line,
                        "ask about fewer fields at a time")
        if len(reach.within) < len(reach.entities) and reach.within:
            plurals = " and ".join(one.plural for one in reach.within)
            mine.tell(f"Only {plurals} are searched: others do not let these fields be asked.")
        made = Checked(pasted, endpoint, search, reach, tuple(mine.problems), tuple(mine.notes),
                       improvements=tuple(mine.improvements))
        if best is None or len(made.problems) < len(best.problems):
            best = made
    assert best is not None
    return best


def _copy(findings: Findings) -> Findings:
    """A copy to go on with: what one index has nothing to do with is no problem of another."""
    return Findings(findings.body, findings.line, list(findings.problems), notes=list(findings.notes))


def _indices(schema: Schema, endpoint: Endpoint) -> Iterable[str]:
    """The index that the request names; else those of the catalog, its own first."""
    if endpoint.index:
        return (endpoint.index,)
    found = dict.fromkeys(one.index for one in schema.entities.values() if not one.virtual)
    return sorted(found, key=lambda name: name != schema.index)


_BRACKETS_BEHIND = re.compile(r"[\s}\]]*")


def _body(pasted: Pasted, findings: Findings) -> Object | None:
    """The body, its slips recorded as problems that can be mended; None where none can be read."""
    if pasted.body is None:
        return None
    text = pasted.body.text
    if len(text) > LONGEST:
        findings.reject("too_large", f"the request is longer than {LONGEST:,} characters", Span(0, 1),
                        "ask for less at a time")
        return None
    if not text.strip():
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
    slips = list(read.slips)
    behind = text[read.end :]
    if behind.strip():
        extra = _BRACKETS_BEHIND.match(text, read.end)
        if (extra is not None and extra.end() == len(text.rstrip())) or not behind.strip("}] \t\r\n"):
            what = "the brackets at the end are too many" if len(behind.strip()) > 1 else "the last bracket is too many"
            slips.append(Slip(what, "removed", Span(read.end, len(text)), ""))
        else:
            start = read.end + len(behind) - len(behind.lstrip())
            findings.reject("syntax", "something stands behind the end of the request", Span(start, start + 1),
                            "paste one request, as it was made")
    if pasted.unbraced:
        slips.insert(0, Slip("the brackets around the body are missing", "added them", Span(0, 0), ""))
    for slip in slips:
        findings.reject("syntax", slip.what, slip.span, _way_out(slip), what=slip.what, slip=slip)
    if not isinstance(read.node, Object):
        findings.reject("syntax", "a request is an object in brackets", read.node.span, 'write {"query": {...}}')
        return None
    return read.node


def _way_out(slip: Slip) -> str:
    if not slip.text:
        return "remove it"
    if slip.span.start == slip.span.end:
        return f"add {slip.text}"
    return f"write {slip.text}" if len(slip.text) <= 60 else "put it right"

