"""How much of a set of files is read right: python measure.py FOLDER [--draft] [--show FIELD|all]; FOLDER is what
make.py or forms.py wrote. With `--draft` (forms.py only) the fields are those that `qlc corpus draft` proposes,
untouched; a fact is looked for in the field that has its label.
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
from qlc.corpus.drafting import draft_of
from qlc.corpus.limits import Limits
from qlc.corpus.schema import CorpusSchema, load_schema, read_schema
from qlc.corpus.values.labels import words

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def is_same(fact: dict[str, Any], value: Any, unit: str) -> bool:
    """Whether a value says what is true, in the unit of its field; of a draft it can be text."""
    true = fact["value"]
    if isinstance(value, str) and fact["kind"] not in ("choice", "name", "text"):
        return bool(value.strip(" .") == fact["text"])
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


def drafted(folder: Path, truth: dict[str, list[dict[str, Any]]]) -> CorpusSchema:
    """The draft of some files; facts get the names of its fields, those of no field are not looked for."""
    schema = read_schema(draft_of([folder / "files"]))
    for name, facts in truth.items():
        fields = schema.wanted.get(name.split("/")[0], ())
        by_label = {words(phrase): one.name for one in reversed(fields) for phrase in one.phrases}
        for fact in facts:
            fact["field"] = by_label.get(words(fact["label"])) if "label" in fact else None
            fact["page"] = 0
        facts[:] = [fact for fact in facts if fact["field"]]
    return schema


def measured(folder: Path, is_draft: bool) -> tuple[dict[tuple[str, str], Counter[str]], list[tuple[Any, ...]]]:
    truth: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        fact = json.loads(line)
        truth[fact["file"]].append(fact)
    every = sum(map(len, truth.values()))
    schema = drafted(folder, truth) if is_draft else load_schema(folder / "corpus.yaml")
    if is_draft:
        print(f"{sum(map(len, truth.values()))} of {every} facts have a label that is one of a field of the draft")
    reader = Reader(schema.wanted)
    results: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    examples: list[tuple[Any, ...]] = []
    for name, facts in truth.items():
        bucket = name.split("/")[0]
        found = reader(Task(folder / "files" / name, name, bucket), Limits())
        _compare(name, bucket, facts, found, results, examples, is_draft)
    return results, examples


def _compare(name: str, bucket: str, facts: Any, found: Extracted, results: Any, examples: Any, is_draft: bool) -> None:
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
            outcome = "right" if fact["page"] in (0, values[0].page) else "wrong page"
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
    for field, values in () if is_draft else got.items():
        if field not in known and "." not in field:
            results[bucket, field]["spurious"] += 1
            results["type", "spurious"]["spurious"] += 1
            examples.append(("spurious", name, field, "", [(str(one.value), one.page) for one in values[:2]]))


def main() -> None:
    begin = time.perf_counter()
    results, examples = measured(Path(sys.argv[1]), "--draft" in sys.argv)
    shown = sys.argv[sys.argv.index("--show") + 1 :] if "--show" in sys.argv else []
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
