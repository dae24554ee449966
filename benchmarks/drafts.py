"""`python -m benchmarks.drafts [NAME...]`: the stored questions asked with a catalog that nobody has touched.

Each data set gets the catalog that `qlc catalog draft` makes of it. Fields have other names there than in the programs
that tell what is right, so these run with the catalog of the set, and the answers are compared. Rules alone; without
names all sets. Of held halves only the counts are printed.
"""

from __future__ import annotations

import sys

from elasticsearch import Elasticsearch

import qlc
from benchmarks.understanding import shares
from qlc.base.options import moment
from qlc.evaluation.answering import answers
from qlc.evaluation.by_program import by_programs
from qlc.evaluation.questions import Asked, Expected, read_gold, read_questions
from qlc.evaluation.report import Report, judged
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.translator.entry import Asker
from qlc.translator.follow_ups.translator import FollowUpTranslator
from tests import data_sets
from tests.questions.engine import FRESH, NOW, OWN, Engine, parts
from tests.reference import model

_SETS = [*NOW, *(f"fresh/{name}" for name in FRESH)]


def main(chosen: list[str]) -> int:
    engine = Engine()
    print("| questions, untouched draft | n | right | declined | wrong |")
    print("|---|---|---|---|---|")
    for name in chosen or _SETS:
        data = name.removeprefix("fresh/")
        drafted = compiler_of(data_sets.client(data), model.index_of(data))
        now = FRESH[data] if name != data else NOW[data]
        for part in parts(OWN / name):
            questions = read_questions(OWN / name / f"questions.{part}.jsonl")
            path = OWN / name / f"gold.{part}.jsonl"
            gold = by_programs(path, read_gold(path, questions), engine.compiler(data), options(now))
            tell(f"{name}, {part}", report(drafted, questions, gold, now))
    return 0


def compiler_of(client: Elasticsearch, index: str) -> qlc.Compiler:
    return qlc.Compiler(client, read_catalog(draft_catalog(client, index)))


def options(now: str) -> dict[str, object]:
    return {"now": moment(now), "timezone": "UTC"}


def report(drafted: qlc.Compiler, questions: list[Asked], gold: dict[str, Expected], now: str) -> Report:
    asker = Asker(drafted, [FollowUpTranslator()])
    return judged(questions, gold, {one.id: answers(asker, one, options(now)) for one in questions})


def tell(title: str, found: Report) -> None:
    print(f"| {title} | {shares(found.questions)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
