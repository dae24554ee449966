"""Runs the programs that stand beside questions and holds their outcomes against the gold that was made without them:
`python -m tests.questions.make_gold.cross_check [SET ...]`. A difference is a mistake of one of the two."""

import json
import math
import sys
from collections.abc import Callable
from typing import Any

from .build import HALVES, SETS, questions
from .engine import Engine
from .table import Gold, Turn

Outcome = dict[str, Any]


def agrees(gold: Gold, outcome: Outcome) -> bool:
    """The outcome is what the gold says, or one of the alternatives."""
    expectations = [gold, *gold.get("also_accept", [])]
    return any(CHECKS[expected["kind"]](expected, outcome) for expected in expectations)


def same_hits(gold: Gold, outcome: Outcome) -> bool:
    if outcome["kind"] == "value":
        return bool(isinstance(outcome["value"], dict) and [outcome["value"].get("id")] == gold["ids"])
    if outcome["kind"] != "hits":
        return False
    same = outcome["ids"] == gold["ids"] if gold["ordered"] else sorted(outcome["ids"]) == gold["ids"]
    return same and ("limit" in gold or outcome["total"] == gold["total"])


def same_count(gold: Gold, outcome: Outcome) -> bool:
    if outcome["kind"] == "aggregate":
        return [row["value"] for row in outcome["rows"]] == [gold["value"]]
    return bool(outcome.get("value", outcome.get("total")) == gold["value"])


def same_buckets(gold: Gold, outcome: Outcome) -> bool:
    if outcome["kind"] == "value":
        return equal(list(gold["buckets"].values()), [outcome["value"]])
    if outcome["kind"] != "aggregate":
        return False
    if outcome["groups"]:
        found = {label(row["key"]): row["value"] for row in outcome["rows"] if row["value"]}
        wanted = {key: amount for key, amount in gold["buckets"].items() if amount}
        return set(found) == set(wanted) and all(equal([wanted[key]], [found[key]]) for key in wanted)
    return equal(list(gold["buckets"].values()), [row["value"] for row in outcome["rows"]])


def equal(wanted: list[Any], found: list[Any]) -> bool:
    if len(wanted) != len(found):
        return False
    return all(
        math.isclose(one, other, rel_tol=5e-3) if isinstance(other, int | float) else one == other
        for one, other in zip(wanted, found, strict=True)
    )


def label(key: Any) -> str:
    if isinstance(key, dict):
        if "name" in key and "id" in key:
            return str(key["name"])
        return " / ".join(label(part) for part in key.values())
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float) and key.is_integer():
        return str(int(key))
    return str(key)


def same_value(gold: Gold, outcome: Outcome) -> bool:
    said = outcome.get("value")
    if isinstance(said, bool):
        return ("yes" if said else "no") in gold["any_of"]
    text = json.dumps(said, ensure_ascii=False).lower()
    return said is not None and any(item.lower() in text for item in gold["any_of"])


def same_choice(gold: Gold, outcome: Outcome) -> bool:
    return outcome["kind"] == "clarify" and {option["id"] for option in outcome["options"]} >= set(gold["candidates"])


def not_found(gold: Gold, outcome: Outcome) -> bool:
    return bool(outcome["kind"] == "not_found")


def never(gold: Gold, outcome: Outcome) -> bool:
    return False


CHECKS: dict[str, Callable[[Gold, Outcome], bool]] = {
    "hits": same_hits,
    "count": same_count,
    "aggregate": same_buckets,
    "value": same_value,
    "clarify": same_choice,
    "not_found": not_found,
    "refuse": never,
    "unsupported": never,
}


def complaint(turn: Turn, outcome: Outcome) -> str:
    said = {
        key: outcome[key] for key in ("kind", "total", "value", "what", "rows", "options", "message") if key in outcome
    }
    gold = json.dumps(turn.answer(), ensure_ascii=False)
    problems = [note["message"] for note in outcome.get("diagnostics", [])]
    return "\n".join([turn.text, f"  {turn.program}", f"  gold {gold[:300]}", f"  said {str(said)[:300]} {problems}"])


def main(sets: list[str]) -> int:
    engine = Engine()
    differing = checked = 0
    for data in sets or SETS:
        for question in (question for half in HALVES for question in questions(data, half)):
            for turn in question.turns:
                if turn.program is not None:
                    checked += 1
                    outcome = engine.run(data, turn.program)
                    if not agrees(turn.answer(), outcome):
                        differing += 1
                        print(f"{data} {question.id}: {complaint(turn, outcome)}")
    print(f"{checked} programs, {differing} differ from the gold")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
