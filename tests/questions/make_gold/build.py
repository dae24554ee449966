"""Writes the question and gold files of every data set: `python -m tests.questions.make_gold.build [SET ...]`.

With `--check` it writes nothing and tells which lines differ.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from .table import Question, Table

HALVES = ("dev", "held")
HERE = Path(__file__).resolve().parent
Line = dict[str, Any]


# The day of each set's clock, to draw its halves.
SEEDS = {"drive": 20260315, "ecommerce": 20161231, "flights": 20180211, "logs": 20180920, "ports": 20240701}
SETS = tuple(SEEDS)


def halves(data: str, ids: Iterable[str]) -> dict[str, set[str]]:
    """The ids of each half: within each category at random; the odd ones of two categories go to either half."""
    categories: dict[str, list[str]] = {}
    for id in sorted(ids):
        categories.setdefault(id.rsplit("-", 1)[0], []).append(id)
    draw, odd = random.Random(SEEDS[data]), 0
    drawn: dict[str, set[str]] = {half: set() for half in HALVES}
    for _, found in sorted(categories.items()):
        draw.shuffle(found)
        middle = (len(found) + odd) // 2
        odd = (odd + len(found)) % 2
        drawn["dev"].update(found[:middle])
        drawn["held"].update(found[middle:])
    return drawn


def folder(data: str) -> Path:
    return HERE.parent / data


def modules(data: str, half: str) -> list[str]:
    found = sorted(path.stem for path in (HERE / data / half).glob("*.py") if not path.stem.startswith("__"))
    return [f"{__package__}.{data}.{half}.{name}" for name in found]


def questions(data: str, half: str) -> list[Question]:
    """The questions of one half, in the order of their ids."""
    found: list[Question] = []
    for name in modules(data, half):
        table: Table = import_module(name).TABLE
        found.extend(table.questions)
    return sorted(found, key=lambda question: question.id)


def question_line(question: Question) -> Line:
    head = {"id": question.id, "category": question.category}
    if question.single:
        return {**head, "text": question.turns[0].text}
    return {**head, "turns": [{"text": turn.text} for turn in question.turns]}


def gold_line(question: Question) -> Line:
    """Raises ValueError, naming the question, where the answer breaks a rule (empty, everything, a tie)."""
    head = {"id": question.id, "category": question.category}
    try:
        answers = [turn.answer() for turn in question.turns]
    except Exception as problem:
        raise ValueError(f"{question.id}: {problem}") from problem
    if question.single:
        return {**head, "text": question.turns[0].text, "gold": answers[0]}
    turns = [{"text": turn.text, "gold": gold} for turn, gold in zip(question.turns, answers, strict=True)]
    return {**head, "turns": turns}


def files(data: str, half: str) -> Iterator[tuple[Path, list[Line]]]:
    asked = questions(data, half)
    yield folder(data) / f"questions.{half}.jsonl", [question_line(question) for question in asked]
    yield folder(data) / f"gold.{half}.jsonl", [gold_line(question) for question in asked]


def written(lines: list[Line]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    differing = 0
    for data in options.sets:
        for half in HALVES:
            for path, lines in files(data, half):
                text = written(lines)
                if not options.check:
                    path.write_text(text, encoding="utf-8")
                elif path.read_text(encoding="utf-8") != text:
                    differing += 1
                    print(f"{data}/{path.name} is not what the table says")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
