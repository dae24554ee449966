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
from qlc.base.options import moment
from qlc.evaluation.answering import turns
from qlc.evaluation.by_program import by_programs
from qlc.evaluation.questions import Line, read_gold, read_questions
from qlc.evaluation.report import Report, judged
from qlc.evaluation.scoring import Verdict, score
from qlc.mapping.catalog import load_catalog
from qlc.translator.entry import Asker
from qlc.translator.follow_ups.translator import FollowUpTranslator
from qlc.translator.protocol import Question, Step, Translated, Translating
from tests import data_sets
from tests.questions.engine import FRESH, NOW, OWN, Engine, parts

ANSWERED = ("hits", "count", "aggregate", "value", "not_found")


def main(chosen: list[str]) -> int:
    """`chosen` are names of data sets; none are all. `fresh` are the fresh ones, `fresh/NAME` is one of them."""
    engine = Engine()
    turns = "turns: n | right | declined | wrong | sure | sure and wrong"
    print(f"| questions | single: n | right | declined | wrong | {turns} | ms of CPU |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    fresh = [f"fresh/{data}" for data in FRESH]
    for name in chosen or [*NOW, *fresh]:
        for one in fresh if name == "fresh" else [name]:
            told(one, engine)
    return 0


def told(name: str, engine: Engine) -> None:
    """Print the rows of a data set."""
    data = name.removeprefix("fresh/")
    now = FRESH[data] if name != data else NOW[data]
    compilers = {name: engine.compiler(data)}
    for path in sorted((OWN / name).glob("bare.yaml")):
        compilers[f"{name}, bare names"] = qlc.Compiler(data_sets.client(data), load_catalog(path))
    for title, compiler in compilers.items():
        for part in parts(OWN / name):
            print(f"| {title}, {part} {measured(OWN / name, part, compiler, now)}", flush=True)


def measured(folder: Path, part: str, compiler: qlc.Compiler, now: str) -> str:
    """The cells of a row: shares of the questions that stand alone, and of all turns."""
    options = {"now": moment(now), "timezone": "UTC"}
    questions = read_questions(folder / f"questions.{part}.jsonl")
    path = folder / f"gold.{part}.jsonl"
    gold = by_programs(path, read_gold(path, questions), compiler, options)
    rules = Noting()
    asker = Asker(compiler, [rules])
    asker.ask("how many", **options)  # reads the vocabulary, which is kept
    started = time.process_time()
    outcomes: dict[str, list[Line]] = {}
    sure: list[tuple[str, int]] = []
    for one in questions:
        outcomes[one.id] = []
        for answer in turns(asker, one, options):
            if rules.were_sure() and answer["kind"] in ANSWERED:
                sure.append((one.id, len(outcomes[one.id])))
            outcomes[one.id].append(answer)
    spent = time.process_time() - started
    report: Report = judged(questions, gold, outcomes)
    single = report.questions - report.conversations
    milliseconds = 1000 * spent / report.turns.total()
    wrong = [(id, at) for id, at in sure
             if score(outcomes[id][at], gold[id].golds[at], outcomes[id][:at]) is Verdict.WRONG]  # fmt: skip
    told = " | ".join(f"{100 * len(part) / report.turns.total():.1f} %" for part in (sure, wrong))
    return f"| {shares(single)} | {shares(report.turns)} | {told} | {milliseconds:.0f} |"


class Noting:
    """The rules, and whether all they said of a turn was sure: with a language model it would not be asked."""

    def __init__(self) -> None:
        self.rules = FollowUpTranslator()
        self._sure: list[bool] = []

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        said = yield from self.rules.translate(question, steps)
        self._sure += [said.sure] if isinstance(said, Translated) else []
        return said

    def were_sure(self) -> bool:
        """Whether programs were sure since this was last asked."""
        sure, self._sure = self._sure, []
        return bool(sure) and all(sure)


def shares(tally: Counter[Any]) -> str:
    n = tally.total()
    return " | ".join([f"{n:,}", *(f"{100 * tally[verdict] / n:.1f} %" for verdict in Verdict)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
