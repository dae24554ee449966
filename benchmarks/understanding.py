"""`make eval`: the questions of tests/questions asked by rules alone, and how many answers are right, declined, wrong.

Of the held halves only the counts are printed, so that nobody learns which questions fail. benchmarks/README.md keeps
figures.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import qlc
from qlc.evaluation.answering import answers
from qlc.evaluation.questions import read_gold, read_questions
from qlc.evaluation.report import Report, judged
from qlc.evaluation.scoring import Verdict
from qlc.mapping.catalog import load_catalog
from qlc.options import moment
from qlc.translator.door import Asker
from qlc.translator.follow_ups.translator import FollowUpTranslator
from tests.questions.make_gold.engine import NOW, OWN, Engine

HALVES = ("dev", "held")


def main(chosen: list[str]) -> int:
    """`chosen` are names of data sets; none are all."""
    engine = Engine()
    print("| questions | single: n | right | declined | wrong | turns: n | right | declined | wrong | ms of CPU |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for data in chosen or list(NOW):
        compiler = engine.compiler(data)
        for half in HALVES:
            print(measured(data, half, compiler, data, half), flush=True)
        for path in sorted((OWN / data).glob("bare.yaml")):
            bare = qlc.Compiler(engine.client, load_catalog(path))
            for half in HALVES:
                print(measured(data, half, bare, f"{data}, bare names", half), flush=True)
    return 0


def measured(data: str, half: str, compiler: qlc.Compiler, name: str, half_name: str) -> str:
    """A row of the table: shares of the questions that stand alone, and of all turns."""
    folder: Path = OWN / data
    questions = read_questions(folder / f"questions.{half}.jsonl")
    gold = read_gold(folder / f"gold.{half}.jsonl", questions)
    asker, options = Asker(compiler, [FollowUpTranslator()]), {"now": moment(str(NOW[data])), "timezone": "UTC"}
    asker.ask("how many", **options)  # reads the vocabulary, which is kept
    started = time.process_time()
    outcomes = {one.id: answers(asker, one, options) for one in questions}
    spent = time.process_time() - started
    report: Report = judged(questions, gold, outcomes)
    single = report.questions - report.conversations
    milliseconds = 1000 * spent / report.turns.total()
    return f"| {name}, {half_name} | {shares(single)} | {shares(report.turns)} | {milliseconds:.0f} |"


def shares(tally: Counter[Any]) -> str:
    n = tally.total()
    return " | ".join([f"{n:,}", *(f"{100 * tally[verdict] / n:.1f} %" for verdict in Verdict)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
