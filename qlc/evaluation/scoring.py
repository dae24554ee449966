"""Whether an outcome is the right answer to a question, by the conventions of the gold files.

A gold answer has a `kind` (hits, count, aggregate, value, clarify, not_found, refuse, unsupported, explain,
rejected_query, exhausted) and may list complete alternatives under `also_accept`; meeting any one is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

TOLERANCE = 0.005
"""Relative difference of numbers that still counts as equal."""

Gold = Mapping[str, Any]
Outcome = Mapping[str, Any]


class Verdict(StrEnum):
    RIGHT = "right"
    DECLINED = "declined"
    WRONG = "wrong"


def score(outcome: Outcome, gold: Gold) -> Verdict:
    """RIGHT where it meets the gold answer or an alternative; DECLINED where no answer was given; else WRONG.

    A refusal or a `not_found` of what can be answered is WRONG as well: it says something untrue.
    """
    accepted = [gold, *gold.get("also_accept", ())]
    if any(_meets(outcome, one) for one in accepted):
        return Verdict.RIGHT
    kind = outcome.get("kind")
    if kind in ("declined", "clarify", "invalid", "failed"):
        return Verdict.DECLINED
    if kind == "unsupported":
        return Verdict.DECLINED
    return Verdict.WRONG


def _meets(outcome: Outcome, gold: Gold) -> bool:
    check = _CHECKS.get(str(gold.get("kind")))
    return check is not None and check(outcome, gold)


def _hits(outcome: Outcome, gold: Gold) -> bool:
    wanted = list(gold.get("ids", ()))
    if outcome.get("kind") == "count" and gold.get("may_be_empty"):
        return outcome.get("value") == 0
    if outcome.get("kind") == "value":
        return _ids_in(outcome.get("value")) == set(wanted) != set()
    if outcome.get("kind") != "hits":
        return False
    found = list(outcome.get("ids", ()))
    if "any_n" in gold:
        return len(found) == min(gold["any_n"], len(wanted)) and set(found) <= set(wanted)
    if gold.get("ordered"):
        return found == wanted
    return set(found) == set(wanted) and len(found) == len(wanted)


def _ids_in(value: Any) -> set[str]:
    if isinstance(value, Mapping):
        return {str(value["id"])} if "id" in value else set()
    if isinstance(value, list):
        return set().union(*(_ids_in(one) for one in value)) if value else set()
    return set()


def _count(outcome: Outcome, gold: Gold) -> bool:
    if outcome.get("kind") in ("count", "value"):
        return _same(outcome.get("value"), gold.get("value"))
    return outcome.get("kind") == "hits" and outcome.get("total") == gold.get("value")


def _aggregate(outcome: Outcome, gold: Gold) -> bool:
    buckets = list(gold.get("buckets", {}).items())
    if outcome.get("kind") in ("value", "count") and len(buckets) == 1:
        return _same(outcome.get("value"), buckets[0][1])
    if outcome.get("kind") != "aggregate":
        return False
    wanted = {_label(key): value for key, value in buckets if not _empty(key, value)}
    found = {
        _label(row["key"]): row["value"] for row in outcome.get("rows", ()) if not _empty(row["key"], row["value"])
    }
    if gold.get("ordered") and [_label(k) for k, v in buckets if not _empty(k, v)] != list(found):
        return False
    return wanted.keys() == found.keys() and all(_same(found[key], value) for key, value in wanted.items())


def _label(key: Any) -> str:
    if isinstance(key, Mapping):
        named = key.get("name", key.get("id"))
        return _label(named) if named is not None else " / ".join(_label(one) for one in key.values())
    if isinstance(key, list | tuple):
        return " / ".join(_label(one) for one in key)
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    return str(key).casefold()


def _empty(key: Any, value: Any) -> bool:
    return value in (0, None) or key is None or _label(key) in ("missing", "none", "(missing)", "")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= TOLERANCE * max(abs(one), abs(other))
    return str(one).casefold() == str(other).casefold()


def _value(outcome: Outcome, gold: Gold) -> bool:
    accepted = {str(one).casefold() for one in gold.get("any_of", ())}
    return bool(accepted & set(_texts_of(outcome)))


def _texts_of(outcome: Outcome) -> Iterable[str]:
    match outcome.get("kind"):
        case "value":
            yield from _spellings(outcome.get("value"))
        case "count":
            yield from _spellings(outcome.get("value"))
            if outcome.get("value") == 0:
                yield from ("no", "none")
        case "hits":
            if outcome.get("total") == 0:
                yield from ("no", "none")
            for hit in outcome.get("hits", ()):
                yield str(hit.get("name", "")).casefold()
        case "aggregate" if len(outcome.get("rows", ())) == 1:
            yield from _spellings(outcome["rows"][0]["key"])
        case "not_found" if outcome.get("reason") == "top-level":
            yield "top level"
        case _:
            return


def _spellings(value: Any) -> Iterable[str]:
    match value:
        case bool():
            yield from ("yes", "true") if value else ("no", "false")
        case Mapping():
            for one in value.values():
                yield from _spellings(one)
        case list():
            for one in value:
                yield from _spellings(one)
        case None:
            return
        case _:
            text = str(value).casefold()
            yield text
            yield text[:10]


def _clarify(outcome: Outcome, gold: Gold) -> bool:
    offered = {str(one.get("id")) for one in outcome.get("options", ())}
    return outcome.get("kind") == "clarify" and set(map(str, gold.get("candidates", ()))) <= offered


def _refuse(outcome: Outcome, gold: Gold) -> bool:
    return outcome.get("kind") == "refuse" and outcome.get("intent") == gold.get("intent")


def _kind(outcome: Outcome, gold: Gold) -> bool:
    return outcome.get("kind") == gold.get("kind")


def _explain(outcome: Outcome, gold: Gold) -> bool:
    reply = str(outcome.get("message", "")).casefold() + " " + " ".join(map(str, outcome.get("notes", ()))).casefold()
    groups = gold.get("must_mention", ())
    return outcome.get("kind") == "explain" and all(any(str(w).casefold() in reply for w in group) for group in groups)


_CHECKS: Mapping[str, Callable[[Outcome, Gold], bool]] = {
    "hits": _hits,
    "count": _count,
    "aggregate": _aggregate,
    "value": _value,
    "clarify": _clarify,
    "refuse": _refuse,
    "not_found": _kind,
    "unsupported": _kind,
    "exhausted": _kind,
    "rejected_query": _kind,
    "explain": _explain,
}
