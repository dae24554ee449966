"""Writes the question and gold files of every data set: `python -m tests.questions.make_gold.build [SET ...]`.

With `--check` it writes nothing and tells which lines differ.
"""

import argparse
import datetime
import json
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.reference import model, tables
from tests.reference.expressions import Expressions

from . import answers, drive, ecommerce, flights, logs, ports, words
from .answers import Gold

HALVES = ("dev", "held")
HERE = Path(__file__).resolve().parent
Line = dict[str, Any]

# The words of each set, and the day of its clock, to draw its halves.
VOCABULARIES = {"drive": drive, "ecommerce": ecommerce, "flights": flights, "logs": logs, "ports": ports}
SEEDS = {"drive": 20260315, "ecommerce": 20161231, "flights": 20180211, "logs": 20180920, "ports": 20240701}
SETS = tuple(SEEDS)


@cache
def expressions(data: str) -> Expressions:
    return Expressions(datetime, model, tables, words, answers, VOCABULARIES[data])


@dataclass(frozen=True)
class Turn:
    data: str
    text: str
    answer: str
    """An expression in the words of the data set."""
    program: str | None = None

    def gold(self) -> Gold:
        """Raises ValueError where the answer breaks a rule (empty, everything, a tie)."""
        gold: Gold = expressions(self.data).value(self.answer)
        return gold


@dataclass(frozen=True)
class Question:
    id: str
    turns: tuple[Turn, ...]
    single: bool

    @property
    def head(self) -> Line:
        return {"id": self.id, "category": self.id.rsplit("-", 1)[0]}


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


@cache
def questions(data: str, half: str) -> list[Question]:
    """The questions of one half, in the order of their ids."""
    table = yaml.safe_load((folder(data) / f"table.{half}.yaml").read_text(encoding="utf-8"))
    return [
        Question(id, tuple(Turn(data, **turn) for turn in ([row] if isinstance(row, dict) else row)), type(row) is dict)
        for id, row in sorted(table.items())
    ]


def question_line(question: Question) -> Line:
    asked = [{"text": turn.text} for turn in question.turns]
    return {**question.head, **(asked[0] if question.single else {"turns": asked})}


def gold_line(question: Question) -> Line:
    try:
        told = [{"text": turn.text, "gold": turn.gold()} for turn in question.turns]
    except Exception as problem:
        raise ValueError(f"{question.id}: {problem}") from problem
    return {**question.head, **(told[0] if question.single else {"turns": told})}


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
