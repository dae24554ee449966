"""Ten sets of questions over files, asked by rules alone: how many answers are right, declined and wrong.

    python -m benchmarks.file_sets FOLDER [NAME ...] [--show]

Eight sets have a `corpus.yaml` of their own; files_A and files_B are asked with a written one (`files_A.yaml`) and with
the draft that qlc makes. FOLDER keeps the corpora: the next run only asks. Search results count as declined.
"""

from __future__ import annotations

import argparse
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import qlc
from qlc.corpus.drafting import draft_of
from qlc.evaluation.by_corpus import answers
from qlc.language.quantities import Style, quantities
from qlc.language.units import convert, unit_of

QUESTIONS = Path(__file__).parent / "questions"
STORED = ("water_utility", "film_equipment", "wind", "veterinary", "airport_services", "food_lab", "museum",
          "housing_cooperative")  # fmt: skip
DRAFTED = ("files_A", "files_A draft", "files_B", "files_B draft")
DECLINES = ("clarify", "refused", "not_found", "passages")
NOW = "2026-10-01"
"""When the questions of the drafted sets are asked."""
_FACTS = 0.75
"""The share of its facts that a summary must have."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--show", action="store_true", help="print each answer that is wrong")
    given = arguments.parse_args()
    print("| set | right | declined | wrong | without an answer: n | answered |")
    print("|---|---|---|---|---|---|")
    for name in given.names or (*STORED, *DRAFTED):
        measured(name, given.folder, given.show)


def measured(name: str, folder: Path, shows: bool) -> None:
    questions, files, schema = unpacked(name, folder)
    index = folder / "corpora" / name.replace(" ", "_")
    if not index.exists():
        with qlc.Corpus.create(index, schema) as corpus:
            corpus.add(files)
    verdicts: Counter[str] = Counter()
    absent = answered = 0
    with qlc.Corpus.open(index, read_only=True) as corpus:
        for one, line in zip(questions, answers(questions, corpus, {"deadline": 600.0}), strict=True):
            verdict = judged(one["gold"], line)
            verdicts[verdict] += 1
            absent += one["gold"]["outcome"] == "not_found"
            answered += one["gold"]["outcome"] == "not_found" and line["outcome"] not in DECLINES
            if shows and verdict == "wrong":
                print(one["id"], one["question"], line, sep="\n  ")
    told = " | ".join(str(verdicts[one]) for one in ("right", "declined", "wrong"))
    print(f"| {name}: {len(questions)} | {told} | {absent} | {answered} |", flush=True)


def unpacked(name: str, folder: Path) -> tuple[list[dict[str, Any]], Path, Path]:
    """The questions of a set with what is right, its files, and its corpus.yaml."""
    archive = name if name in STORED else "drafted"
    if not (root := folder / "sets" / archive).exists():
        with tarfile.open(QUESTIONS / f"{archive}.tar.xz") as packed:
            packed.extractall(folder / "sets", filter="data")
    if name in STORED:
        return [*_lines(root / "questions.jsonl")], root / "corpus", root / "corpus.yaml"
    base, _, draft = name.partition(" ")
    root = root / base
    gold = {one["id"]: _gold(one) for one in _lines(root / "gold.jsonl")}
    questions = [{"id": one["id"], "question": one["text"], "now": NOW, "gold": gold[one["id"]]}
                 for one in _lines(root / "questions.jsonl")]  # fmt: skip
    schema = QUESTIONS / f"{base}.yaml"
    if draft:
        schema = folder / "sets" / f"{base}_draft.yaml"
        schema.write_text(draft_of([root / "files"]), "utf-8")
    return questions, root / "files", schema


def _gold(one: Mapping[str, Any]) -> dict[str, Any]:
    """What is right in a drafted set, in the form of the others."""
    if not one["documents"]:
        return {"outcome": "not_found", "accept_outcomes": DECLINES}
    if one.get("list") and one["answer"] == ", ".join(one["list"]):
        return {"outcome": "hits", "files": one["list"], "optional": one.get("optional", ())}
    return {"outcome": "answer", "text": f"{one['answer']} {one['quote']}"}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, path.read_text("utf-8").splitlines())


def judged(gold: Mapping[str, Any], line: Mapping[str, Any]) -> str:
    """`right`, `declined` or `wrong`."""
    kind = line["outcome"]
    if kind in DECLINES:
        if gold["outcome"] not in ("clarify", "not_found"):
            return "declined"
        clarify = line.get("clarify", {})
        if gold.get("type") == "overload":
            is_right = clarify.get("type") == "overload"
            return "declined" if not is_right else "right" if clarify["count"] == gold["count"] else "wrong"
        kind = "refused" if kind == "passages" else kind
        return "right" if kind in gold["accept_outcomes"] and clarify.get("type") != "overload" else "declined"
    return "right" if gold["outcome"] not in ("clarify", "not_found") and _is_right(gold, line) else "wrong"


def _is_right(gold: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    if gold["outcome"] == "hits":
        found, wanted = {*line.get("files", ())}, {*gold["files"]}
        return wanted <= found <= wanted | {*gold.get("optional", ())}
    if gold["outcome"] == "table":
        return _is_table(gold, line.get("table", {}).get("rows", ()))
    if "facts" in gold:
        said = [*quantities(line["text"], Style())]
        told = [{"value": str(one.date) if one.date else float(one.number), "unit": one.unit} for one in said]
        having = sum(_is_among(one, [*told, {"value": line["text"]}]) for one in gold["facts"])
        return having >= _FACTS * len(gold["facts"])
    values = line.get("values", ())
    if "text" in gold:
        words = [re.findall(r"[\w.,-]*\w", str(one["value"])) for one in values]
        telling = [[word for word in some if any(map(str.isdigit, word))] or some for some in words]
        return bool(values) and all({*some} <= {*re.findall(r"[\w.,-]*\w", gold["text"])} for some in telling)
    return all(_is_among(one, values) for one in gold["values"]) and not any(
        _is_among(one, values) for one in gold.get("rivals", ()) if isinstance(one["value"], str)
    )


def _is_table(gold: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether there is a row for each that is right, and a column for each, whatever it is called."""
    names = [{str(name).casefold() for name in (one["row"], *one.get("row_accept", ()))} for one in gold["rows"]]
    pairs = [(want, [row for row in rows if row["row"].casefold() in called or row["file"] == want.get("file", "-")])
             for want, called in zip(gold["rows"], names, strict=True)]  # fmt: skip
    if len(rows) != len(pairs) or any(len(mine) != 1 for _, mine in pairs):
        return False
    return all(
        any(all(name in mine[0]["cells"] and _is_among(want["cells"][key], [mine[0]["cells"][name]])
                for want, mine in pairs) for name in pairs[0][1][0]["cells"])
        for key in gold["columns"]
    )  # fmt: skip


def _is_among(wanted: Mapping[str, Any], values: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one of some values is the right one, or one that is accepted instead."""
    forms = [wanted, *(one if isinstance(one, dict) else {"value": one} for one in wanted.get("accept", ()))]
    return any(_is_same(form, one) for form in forms for one in values)


def _is_same(wanted: Mapping[str, Any], one: Mapping[str, Any]) -> bool:
    value, known = wanted["value"], one.get("value")
    if isinstance(value, bool) or isinstance(known, bool):
        return {True: "yes", False: "no"}.get(known, known) == {True: "yes", False: "no"}.get(value, value)
    if isinstance(value, int | float) and isinstance(known, int | float):
        units = [unit_of(str(each.get("unit") or "")) or str(each.get("unit") or "") for each in (one, wanted)]
        number = convert(Decimal(str(known)), *units) if all(units) else Decimal(str(known))
        return number is not None and abs(float(number) - value) <= wanted.get("tolerance", 0) + 1e-6 * abs(value)
    return re.search(rf"(?<!\w){re.escape(str(value).casefold())}(?!\w)", f"{known}".casefold()) is not None


if __name__ == "__main__":
    main()
