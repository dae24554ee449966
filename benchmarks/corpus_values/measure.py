"""How much of a set of files is read right: python measure.py FOLDER [--show FIELD|all]; FOLDER is what make.py
wrote.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from qlc.corpus.document import Extracted, Reader, Task
from qlc.corpus.schema import load_schema
from qlc.corpus.work import Limits

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def is_same(fact: dict[str, Any], value: Any, unit: str) -> bool:
    """Whether a value says what is true, in the unit of its field."""
    true = fact["value"]
    if fact["kind"] == "duration":
        count, its = true
        if unit == "month" and its == "year":
            return bool(value == count * 12)
        return abs(Decimal(count * _DAYS[its]) - value * _DAYS.get(unit, 1)) < 1
    if fact["kind"] == "money":
        return bool(Decimal(true) == value) and unit == fact["unit"]
    if fact["kind"] == "number":
        return abs(Decimal(true) - value) <= abs(Decimal(true)) * Decimal("1e-6")
    if fact["kind"] == "date":
        return bool(value.isoformat() == true)
    if fact["kind"] == "boolean":
        return bool(value is true)
    return bool(str(value).lower() == str(true).lower())


def measured(folder: Path) -> tuple[dict[tuple[str, str], Counter[str]], list[tuple[Any, ...]]]:
    schema = load_schema(folder / "corpus.yaml")
    truth: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        fact = json.loads(line)
        truth[fact["file"]].append(fact)
    reader = Reader(schema.wanted)
    results: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    examples: list[tuple[Any, ...]] = []
    for name, facts in truth.items():
        bucket = name.split("/")[0]
        found = reader(Task(folder / "files" / name, name, bucket), Limits())
        _compare(name, bucket, facts, found, results, examples)
    return results, examples


def _compare(name: str, bucket: str, facts: Any, found: Extracted, results: Any, examples: Any) -> None:
    got: dict[str, list[Any]] = defaultdict(list)
    for value in found.values:
        if not value.is_disputed:
            got[value.field].append(value)
    known = {fact["field"] for fact in facts}
    for fact in facts:
        key = (bucket, fact["field"])
        values = got.get(fact["field"], [])
        if "row" in fact:
            rows = sorted(
                {
                    value.row
                    for field, all_ in got.items()
                    if field.split(".")[0] == fact["field"].split(".")[0]
                    for value in all_
                }
            )
            values = [value for value in values if fact["row"] < len(rows) and value.row == rows[fact["row"]]]
        if not values:
            outcome = "missing"
        elif fact["kind"] == "list":
            outcome = "right" if {str(one.value) for one in values} == set(fact["value"]) else "wrong"
        elif is_same(fact, values[0].value, values[0].unit):
            outcome = "right" if values[0].page == fact["page"] else "wrong page"
        else:
            outcome = "wrong"
        results[key][outcome] += 1
        results["type", fact["kind"] if "row" not in fact else "rows"][outcome] += 1
        results["format", name.rsplit(".", 1)[1]][outcome] += 1
        if outcome != "right":
            examples.append(
                (
                    outcome,
                    name,
                    fact["field"],
                    fact["text"],
                    [(str(one.value), one.unit, one.page) for one in values[:2]],
                )
            )
    for field, values in got.items():
        if field not in known and "." not in field:
            results[bucket, field]["spurious"] += 1
            results["type", "spurious"]["spurious"] += 1
            examples.append(("spurious", name, field, "", [(str(one.value), one.page) for one in values[:2]]))


def main() -> None:
    begin = time.perf_counter()
    results, examples = measured(Path(sys.argv[1]))
    shown = sys.argv[3:] if "--show" in sys.argv else []
    total: Counter[str] = Counter()
    for (bucket, field), counts in sorted(results.items()):
        print(f"{bucket:20} {field:28} {dict(counts)}")
        if bucket == "type":
            total.update(counts)
    for example in examples:
        if "all" in shown or example[2] in shown or example[0] in shown:
            print("  ", *example)
    count = total["right"] + total["wrong"] + total["wrong page"] + total["missing"]
    wrong = total["wrong"] + total["wrong page"] + total["spurious"]
    print(
        f"{count} facts: right {total['right'] / count:.1%}, wrong {wrong / count:.1%}, "
        f"missing {total['missing'] / count:.1%}; {time.perf_counter() - begin:.1f} s"
    )


if __name__ == "__main__":
    main()
