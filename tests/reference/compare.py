"""Holds an outcome against a case; the answer is a list of complaints, empty when they agree."""

import math
import re
from collections import Counter
from typing import Any

from tests.tables import rows

from .case import Case, Clarify, Hits, Invalid, NotFound, Rows, Value
from .tables import Bin, Ref, Table

Outcome = dict[str, Any]

# A kind of mistake: what its code or its sentence must speak of (one of the words suffices).
MISTAKES: dict[str, tuple[str, ...]] = rows(__file__, "MISTAKES")


def compare(case: Case, outcome: Outcome) -> list[str]:
    """Return the differences between the case and the outcome, in lines for a person to read."""
    expect = case.expect
    found = CHECKS[type(expect)](expect, outcome)
    if not found and case.told and not (outcome.get("notes") or outcome.get("diagnostics")):
        found = ["nothing is told beside the answer"]
    if found:
        found += [f"  {note.get('code')}: {note.get('message')}" for note in outcome.get("diagnostics") or []]
        found += [f"  note: {note}" for note in outcome.get("notes") or []]
    return found


def kinds(outcome: Outcome, *wanted: str) -> list[str]:
    kind = outcome.get("kind")
    if kind in wanted:
        return []
    said = {key: outcome[key] for key in ("what", "options", "value", "total", "message") if outcome.get(key)}
    return [f"kind is {kind!r}, not {' or '.join(map(repr, wanted))}; it says {str(said)[:400]}"]


# ---- hits ----------------------------------------------------------------------------------------------------------


def check_hits(expect: Hits, outcome: Outcome) -> list[str]:
    if wrong := kinds(outcome, "hits"):
        return wrong
    want, got = expect.ids(), list(outcome["ids"])
    lines = []
    if set(want) != set(got):
        lines += [f"{len(want)} hits expected, {len(got)} found"]
        lines += listing("missing", [id for id in want if id not in set(got)])
        lines += listing("extra", [id for id in got if id not in set(want)])
    elif len(got) != len(want):
        lines += [f"some hits are repeated: {len(got)} for {len(want)}"]
    elif expect.ordered and want != got:
        at = next(place for place, pair in enumerate(zip(want, got, strict=True)) if pair[0] != pair[1])
        lines += [f"order differs first at {at}: expected {want[at]}, got {got[at]}"]
    if not lines and not expect.cut and outcome.get("total") != len(want):
        lines += [f"total is {outcome.get('total')}, expected {len(want)}"]
    return lines


def listing(title: str, ids: list[str]) -> list[str]:
    if not ids:
        return []
    more = f" ... and {len(ids) - 5} more" if len(ids) > 5 else ""
    return [f"  {title}: {', '.join(ids[:5])}{more}"]


# ---- values --------------------------------------------------------------------------------------------------------


def check_value(expect: Value, outcome: Outcome) -> list[str]:
    if wrong := kinds(outcome, "count", "value"):
        return wrong
    want, got = expect.of(), outcome.get("value")
    return [] if equal(want, got, expect.near) else [f"value is {got!r}, expected {want!r}"]


def equal(want: Any, got: Any, near: float) -> bool:
    """One value; several come as an object or a list, in the order they were asked for."""
    if isinstance(want, tuple):
        parts = list(got.values()) if isinstance(got, dict) else got
        if not isinstance(parts, list) or len(parts) != len(want):
            return False
        return all(equal(mine, theirs, near) for mine, theirs in zip(want, parts, strict=True))
    if isinstance(want, list):
        return isinstance(got, list) and sorted(map(str, want)) == sorted(map(str, got))
    if isinstance(want, Ref):
        return isinstance(got, dict) and got.get("id") == want.id
    if isinstance(got, dict) and len(got) == 1:
        got = next(iter(got.values()))
    if want is None or isinstance(want, bool):
        return got is want
    if isinstance(want, (int, float)):
        if isinstance(got, bool) or not isinstance(got, (int, float)):
            return False
        return math.isclose(want, got, rel_tol=near, abs_tol=1e-9)
    if hasattr(want, "isoformat"):
        return isinstance(got, str) and instant(got) == want
    return bool(want == got)


def instant(text: str) -> Any:
    from .model import moment

    try:
        return moment(text)
    except ValueError:
        return text


# ---- rows ----------------------------------------------------------------------------------------------------------


def check_rows(expect: Rows, outcome: Outcome) -> list[str]:
    if wrong := kinds(outcome, "aggregate"):
        return wrong
    want = expect.of()
    sample = want[0][0] if want else None
    got = [(plain_key(row["key"], sample), row["value"]) for row in outcome["rows"]]
    if not expect.ordered:
        want, got = by_text(want), by_text(got)
    wanted = {text(key) for key, _ in want}
    got = [(key, amount) for key, amount in got if text(key) in wanted or not nothing(amount)]
    lines = []
    keys, theirs = [key for key, _ in want], [key for key, _ in got]
    if Counter(map(text, keys)) != Counter(map(text, theirs)):
        lines += [f"{len(want)} rows expected, {len(got)} found"]
        lines += listing("missing", [text(key) for key in keys if text(key) not in set(map(text, theirs))])
        lines += listing("extra", [text(key) for key in theirs if text(key) not in set(map(text, keys))])
        return lines
    values = {text(key): amount for key, amount in got}
    for key, amount in want:
        if not equal(amount, values[text(key)], expect.near):
            return [f"row {text(key)}: expected {amount!r}, got {values[text(key)]!r}"]
    if expect.ordered and [text(key) for key in keys] != [text(key) for key in theirs]:
        at = next(n for n, pair in enumerate(zip(keys, theirs, strict=True)) if text(pair[0]) != text(pair[1]))
        if not free_tie(want, at, theirs[at]):
            lines += [f"order differs first at row {at}: expected {text(keys[at])}, got {text(theirs[at])}"]
    return lines


def nothing(amount: Any) -> bool:
    """A row of no documents: a gap between calendar buckets may be shown or not."""
    parts = list(amount.values()) if isinstance(amount, dict) else [amount]
    return all(part in (0, None) for part in parts)


def free_tie(want: Table, at: int, theirs: Any) -> bool:
    """Rows of references that tie may stand in any order: whether ids or names break a tie is not said."""
    if not isinstance(want[at][0], Ref):
        return False
    amounts = {text(key): amount for key, amount in want}
    return bool(amounts[text(want[at][0])] == amounts[text(theirs)])


def by_text(found: Table) -> Table:
    return sorted(found, key=lambda row: text(row[0]))


def text(key: Any) -> str:
    if isinstance(key, tuple):
        return " | ".join(map(text, key))
    if isinstance(key, bool):
        return str(key).lower()
    if isinstance(key, (int, float)):
        return f"{key:g}" if abs(key) < 1e6 else repr(float(key))
    if isinstance(key, Ref):
        return key.id
    if isinstance(key, Bin):
        return "..".join("" if edge is None else f"{edge:g}" for edge in (key.low, key.high))
    return str(key)


def plain_key(key: Any, sample: Any) -> Any:
    """The key of a row in the shape the case uses; `sample` is one of the case's own keys."""
    if isinstance(sample, tuple):
        parts = list(key.values()) if isinstance(key, dict) else list(key)
        return tuple(plain_key(part, like) for part, like in zip(parts, sample, strict=False))
    if isinstance(key, dict) and len(key) == 1:
        key = next(iter(key.values()))
    if isinstance(key, dict) and "id" in key:
        return Ref(key["id"])
    if isinstance(sample, Bin):
        return bin_of(key)
    if isinstance(sample, bool) and key in ("true", "false"):
        return key == "true"
    return key


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def bin_of(key: Any) -> Any:
    """A bin from whatever names its ends: an object with from and to, or a label such as `300 to under 600`."""
    if isinstance(key, dict):
        return Bin(key.get("from"), key.get("to"))
    ends = [float(found) for found in NUMBER.findall(str(key))]
    if len(ends) == 2:
        return Bin(ends[0], ends[1])
    if len(ends) == 1:
        return Bin(None, ends[0]) if re.search(r"under|below|<|^\*|^-", str(key)) else Bin(ends[0], None)
    return key


# ---- the other kinds -----------------------------------------------------------------------------------------------


def check_clarify(expect: Clarify, outcome: Outcome) -> list[str]:
    if wrong := kinds(outcome, "clarify"):
        return wrong
    want, got = set(expect.ids()), {option["id"] for option in outcome["options"]}
    return listing("not offered", sorted(want - got)) + listing("offered besides", sorted(got - want))


def check_not_found(expect: NotFound, outcome: Outcome) -> list[str]:
    if wrong := kinds(outcome, "not_found"):
        return wrong
    notes = " ".join(str(note.get("message")) for note in outcome.get("diagnostics") or [])
    said = f"{outcome.get('what')} {notes}"
    return [] if expect.names.lower() in said.lower() else [f"{expect.names!r} is not named in {said!r}"]


def check_invalid(expect: Invalid, outcome: Outcome) -> list[str]:
    if wrong := kinds(outcome, "invalid"):
        return wrong
    notes = outcome.get("diagnostics") or []
    if not notes:
        return ["refused without a word"]
    marks = MISTAKES[expect.mistake]
    if any(mark in f"{note.get('code')} {note.get('message')}".lower() for note in notes for mark in marks):
        return []
    return [f"refused, but not as {expect.mistake!r}"]


CHECKS: dict[type, Any] = {
    Hits: check_hits, Value: check_value, Rows: check_rows, Clarify: check_clarify, NotFound: check_not_found,
    Invalid: check_invalid,
}
