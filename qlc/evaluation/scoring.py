"""Judges whether an outcome is the right answer to a question, by the conventions of the gold files.

A gold answer has a `kind` and can list complete alternatives under `also_accept`; matching one is enough. docs/words.md
describes the kinds and their attributes. Outcomes and gold answers are plain data, as in the files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from qlc.compiler.numbers import is_number

TOLERANCE = 0.005
"""Relative difference up to which numbers count as equal; counts must be exact."""

Gold = Mapping[str, Any]
Outcome = Mapping[str, Any]

ANSWERS = frozenset({"hits", "count", "aggregate", "value", "clarify", "explain", "exhausted", "all"})
"""Kinds of gold that have an answer."""


class Verdict(StrEnum):
    RIGHT = "right"
    DECLINED = "declined"
    WRONG = "wrong"


def score(outcome: Outcome, gold: Gold, before: Sequence[Outcome] = ()) -> Verdict:
    """Return RIGHT if the outcome matches the gold answer or an alternative, DECLINED without an answer, else WRONG.

    `before` are the outcomes of earlier turns of a conversation, oldest first. `not_found`, `refuse` and `unsupported`
    for an answerable question are WRONG, since they are untrue. Of several `outcomes` of a turn the last counts; if the
    gold is `all` of several, each of them.
    """
    if gold.get("kind") == "all" and len(outcome.get("outcomes", ())) > 1:
        others = [score(outcome, one, before) for one in gold.get("also_accept", ())]
        return Verdict.RIGHT if Verdict.RIGHT in others else _score_each(outcome["outcomes"], gold, before)
    accepted = [one for expected in _alternatives(gold) for one in _chosen(expected, before)]
    if any(_meets(outcome, one, before) for one in accepted):
        return Verdict.RIGHT
    if outcome.get("kind") != "hits" and outcome.get("ids"):
        return Verdict.WRONG  # a guess, whatever is said beside it
    is_answerable = any(one.get("kind") in ANSWERS for one in accepted)
    match outcome.get("kind"):
        case "declined" | "passages" | "clarify" | "invalid" | "failed":
            return Verdict.DECLINED
        case "not_found" | "refuse" | "unsupported" if accepted and not is_answerable:
            return Verdict.DECLINED
        case _:
            return Verdict.WRONG


def _score_each(outcomes: Sequence[Outcome], gold: Gold, before: Sequence[Outcome]) -> Verdict:
    """Return RIGHT if each outcome answers one of the golds, and each gold has its answer."""
    left = list(gold.get("golds", ()))
    verdicts = []
    for one in outcomes:
        found = {verdict: wanted for wanted in reversed(left) for verdict in [score(one, wanted, before)]}
        best = next((verdict for verdict in Verdict if verdict in found), Verdict.WRONG)
        if best is Verdict.RIGHT:
            left.remove(found[best])
        verdicts.append(best)
    return Verdict.DECLINED if left and set(verdicts) == {Verdict.RIGHT} else together(verdicts)


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of a conversation: wrong if a turn is wrong, right if all are right."""
    found = set(verdicts)
    for verdict in (Verdict.WRONG, Verdict.DECLINED):
        if verdict in found:
            return verdict
    return Verdict.RIGHT


def _alternatives(gold: Gold) -> list[Gold]:
    return [gold, *gold.get("also_accept", ())]


def _chosen(gold: Gold, before: Sequence[Outcome]) -> list[Gold]:
    """Return the gold; for `by_choice` that of the candidate at the position (from 0) that the last question
    offered."""
    if gold.get("kind") != "by_choice":
        return [gold]
    asked = next((one for one in reversed(before) if one.get("kind") == "clarify"), None)
    offered = list(asked.get("options", ())) if asked is not None else []
    at = int(gold.get("index", 0))
    if not -len(offered) <= at < len(offered):
        return []
    chosen = gold.get("options", {}).get(str(offered[at].get("id")))
    return _alternatives(chosen) if chosen is not None else []


def _meets(outcome: Outcome, gold: Gold, before: Sequence[Outcome]) -> bool:
    if gold.get("kind") == "hits":
        return _hits(outcome, gold, before)
    if gold.get("kind") == "all":
        return all(_meets(outcome, one, before) for one in gold.get("golds", ()))
    check = _CHECKS.get(str(gold.get("kind")))
    return check is not None and check(outcome, gold)


# --- hits ------------------------------------------------------------------------------------------------------------


def _hits(outcome: Outcome, gold: Gold, before: Sequence[Outcome]) -> bool:
    wanted = list(map(str, gold.get("ids", ())))
    if outcome.get("kind") == "count" and gold.get("may_be_empty"):
        return outcome.get("value") == 0
    if outcome.get("kind") == "value":
        return _ids_in(outcome.get("value")) == set(wanted) != set()
    if outcome.get("kind") != "hits":
        return False
    found = list(map(str, outcome.get("ids", ())))
    if "any_n" in gold:
        shown = {str(id) for turn in gold.get("disjoint_from_turns", ()) for id in _ids_of_turn(before, turn)}
        left = set(wanted) - shown
        return len(found) == len(set(found)) == min(int(gold["any_n"]), len(left)) and set(found) <= left
    if gold.get("ordered"):
        return found == wanted
    return Counter(found) == Counter(wanted)


def _ids_of_turn(before: Sequence[Outcome], turn: int) -> Iterable[str]:
    """Return the ids shown in a turn; `ids` can include all pages."""
    if not 0 <= turn < len(before):
        return ()
    shown = [hit.get("id") for hit in before[turn].get("hits", ())]
    return shown or before[turn].get("ids", ())


def _ids_in(value: Any) -> set[str]:
    if isinstance(value, Mapping):
        return {str(value["id"])} if "id" in value else set()
    if isinstance(value, list):
        return set().union(*map(_ids_in, value)) if value else set()
    return set()


# --- numbers ---------------------------------------------------------------------------------------------------------


def _count(outcome: Outcome, gold: Gold) -> bool:
    wanted = gold.get("value")
    match outcome.get("kind"):
        case "count" | "value":
            return _number(outcome.get("value")) == wanted
        case "hits":
            return bool(outcome.get("total") == wanted)
        case "aggregate":
            rows = outcome.get("rows", ())
            return len(rows) == 1 and not outcome.get("groups") and _number(rows[0]["value"]) == wanted
        case _:
            return False


def _number(value: Any) -> float | None:
    """Return the single number in a value, also if it is the only one under a name."""
    if isinstance(value, Mapping) and len(value) == 1:
        value = next(iter(value.values()))
    return value if is_number(value) else None


def _aggregate(outcome: Outcome, gold: Gold) -> bool:
    given = gold.get("buckets", {})
    buckets = [(key, value) for key, value in (given.items() if isinstance(given, Mapping) else given)]
    rows = list(outcome.get("rows", ()))
    alone = outcome.get("kind") in ("value", "count") or (
        outcome.get("kind") == "aggregate" and not outcome.get("groups", ["group"]) and len(rows) == 1
    )
    if alone and len(buckets) == 1:
        value = rows[0]["value"] if rows else outcome.get("value")
        return _same(value if not isinstance(value, Mapping) else _number(value), buckets[0][1])
    if outcome.get("kind") != "aggregate":
        return False
    return any(_same_buckets(column, buckets, ordered=bool(gold.get("ordered"))) for column in _columns(rows))


def _columns(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    """Yield labels and values for each measure in the rows."""
    measures = list(rows[0]["value"]) if rows and isinstance(rows[0]["value"], Mapping) else [None]
    for measure in measures:
        yield [(row_label(row["key"]), row["value"] if measure is None else row["value"].get(measure)) for row in rows]


def _same_buckets(column: list[tuple[str, Any]], buckets: list[tuple[str, Any]], *, ordered: bool) -> bool:
    found = [(label, value) for label, value in column if not _empty(label, value)]
    wanted = [(row_label(key), value) for key, value in buckets if not _empty(row_label(key), value)]
    if ordered and [label for label, _ in found] != [label for label, _ in wanted]:
        return False
    if len(found) != len(wanted):
        return False
    pairs = zip(sorted(found, key=_place), sorted(wanted, key=_place), strict=True)
    return all(one[0] == other[0] and _same(one[1], other[1]) for one, other in pairs)


def _place(row: tuple[str, Any]) -> tuple[str, float, str]:
    """Sort key of rows: by label, then by value for different things of one name."""
    label, value = row
    return label, float(value) if isinstance(value, int | float) else 0.0, str(value)


def row_label(key: Any) -> str:
    """Return the label of a row in lower case: the name of a reference; several groups are joined with ` / `."""
    if isinstance(key, Mapping):
        named = key.get("name", key.get("id"))
        return row_label(named) if named is not None else " / ".join(map(row_label, key.values()))
    if isinstance(key, list | tuple):
        return " / ".join(map(row_label, key))
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    return "" if key is None else str(key).casefold()


def _empty(label: str, value: Any) -> bool:
    return value in (0, None) or label in ("", "missing", "none", "(missing)")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= TOLERANCE * max(abs(one), abs(other))
    return str(one).casefold() == str(other).casefold()


# --- values ----------------------------------------------------------------------------------------------------------


def _value(outcome: Outcome, gold: Gold) -> bool:
    """Whether one of `any_of` is in the answer; with `all_of`, each of its values: a text, or a list of spellings."""
    said = set(_texts_of(outcome))
    wanted = [one if isinstance(one, list) else [one] for one in gold.get("all_of", ())]
    return all(_is_said(spellings, said) for spellings in wanted or [gold.get("any_of", ())])


def _is_said(spellings: Iterable[Any], said: set[str]) -> bool:
    numbers = [number for number in map(_read_number, said) if number is not None]
    for one in spellings:
        number = _read_number(str(one))
        if str(one).casefold() in said or (number is not None and any(_same(number, said_one) for said_one in numbers)):
            return True
    return False


def _read_number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else None


def _texts_of(outcome: Outcome) -> Iterator[str]:
    """Yield the texts of an answer in lower case. A list only says whether it is empty, unless it has a single hit."""
    match outcome.get("kind"):
        case "value":
            yield from _spellings(outcome.get("value"))
        case "count":
            yield from _spellings(outcome.get("value"))
            yield from ("yes", "true") if outcome.get("value") else ("no", "none", "false")
        case "hits":
            hits = list(outcome.get("hits", ()))
            if outcome.get("total") == 0:
                yield from ("no", "none", "false")
            elif len(outcome.get("ids", hits)) == len(hits) == 1:
                yield str(hits[0].get("name") or hits[0].get("id", "")).casefold()
        case "aggregate" if len(outcome.get("rows", ())) == 1:
            yield from _spellings(outcome["rows"][0]["key"])
            yield from _spellings(outcome["rows"][0]["value"])
        case "not_found" if outcome.get("reason") == "top-level":
            yield "top level"
        case _:
            return


_DATE_AND_TIME = re.compile(r"\d{4}-\d\d-\d\dt.*")


def _spellings(value: Any) -> Iterator[str]:
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
            if _DATE_AND_TIME.fullmatch(text):
                yield text[:10]


# --- what is no answer -----------------------------------------------------------------------------------------------


def _clarify(outcome: Outcome, gold: Gold) -> bool:
    """Whether every candidate is offered, and no guess is shown beside them."""
    offered = {str(one.get("id")) for one in outcome.get("options", ())}
    guess = outcome.get("ids") or outcome.get("hits")
    return outcome.get("kind") == "clarify" and not guess and set(map(str, gold.get("candidates", ()))) <= offered


def _not_found(outcome: Outcome, gold: Gold) -> bool:
    """Whether the missing name is reported: a word of the gold's name is in it. No results may be shown."""
    if outcome.get("kind") != "not_found" or outcome.get("ids"):
        return False
    wanted = _words(str(gold.get("what", "")))
    said = _words(f"{outcome.get('what', '')} {outcome.get('message', '')}")
    return bool(wanted & said) if wanted else bool(said)


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2}


def _is_kind(*kinds: str) -> Callable[[Outcome, Gold], bool]:
    return lambda outcome, gold: outcome.get("kind") in kinds and not outcome.get("ids")


def _explain(outcome: Outcome, gold: Gold) -> bool:
    reply = " ".join((str(outcome.get("message", "")), *map(str, outcome.get("notes", ())))).casefold()
    groups = gold.get("must_mention", ())
    return outcome.get("kind") == "explain" and all(any(str(w).casefold() in reply for w in group) for group in groups)


_CHECKS: Mapping[str, Callable[[Outcome, Gold], bool]] = {
    "count": _count,
    "aggregate": _aggregate,
    "value": _value,
    "clarify": _clarify,
    "refuse": lambda outcome, gold: outcome.get("kind") == "refuse" and outcome.get("intent") == gold.get("intent"),
    "not_found": _not_found,
    "unsupported": _is_kind("unsupported"),
    "exhausted": _is_kind("exhausted"),
    "rejected_query": _is_kind("rejected_query", "invalid"),  # a program with errors is not run either
    "explain": _explain,
}
