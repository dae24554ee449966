"""`python -m benchmarks.drafts [NAME...]`: the stored questions asked with a catalog that nobody has touched.

Each data set gets the catalog that `qlc catalog draft` makes of it. Fields have other names there than in the programs
that tell what is right, so these run with the catalog of the set, and the answers are compared. Rules alone; without
names all sets. A path of a folder with `documents.ndjson`, `mapping.json`, `questions.jsonl` and `gold.jsonl` is a set
as well. Of held halves only the counts are printed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from elasticsearch import Elasticsearch, helpers

import qlc
from benchmarks.understanding import shares
from qlc.evaluation.answering import answers
from qlc.evaluation.by_program import by_programs
from qlc.evaluation.questions import Asked, Expected, read_gold, read_questions
from qlc.evaluation.report import Report, judged
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.options import moment
from qlc.translator.entry import Asker
from qlc.translator.follow_ups.translator import FollowUpTranslator
from tests import data_sets, engines
from tests.questions.make_gold.engine import FRESH, NOW, OWN, Engine, parts
from tests.reference import model

_SETS = ["ecommerce", "flights", "logs", "ports", "fresh/ecommerce", "fresh/flights", "fresh/helpdesk", "fresh/letting"]


def main(chosen: list[str]) -> int:
    engine = Engine()
    print("| questions, untouched draft | n | right | declined | wrong |")
    print("|---|---|---|---|---|")
    for name in chosen or _SETS:
        if "/" in name.removeprefix("fresh/"):
            measured_folder(Path(name))
            continue
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


def report(drafted: qlc.Compiler, questions: tuple[Asked, ...], gold: dict[str, Expected], now: str) -> Report:
    asker = Asker(drafted, [FollowUpTranslator()])
    return judged(questions, gold, {one.id: answers(asker, one, options(now)) for one in questions})


def tell(title: str, found: Report) -> None:
    print(f"| {title} | {shares(found.questions)} |", flush=True)


def measured_folder(folder: Path) -> None:
    """A set outside the tree: its gold is told as answers, not as programs."""
    url, node, _ = engines.lines()
    mapping = json.loads((folder / "mapping.json").read_text(encoding="utf-8"))
    index = folder.name
    with Elasticsearch(url, node_class=node, request_timeout=60) as client:
        client.indices.create(index=index, mappings=mapping.get("mappings", mapping))
        lines = (folder / "documents.ndjson").read_text(encoding="utf-8").splitlines()
        helpers.bulk(client, [{"_index": index, "_source": json.loads(line)} for line in lines], refresh=True)
        questions = read_questions(folder / "questions.jsonl")
        gold = read_gold(folder / "gold.jsonl", questions)
        tell(folder.name, report(compiler_of(client, index), questions, gold, "2026-06-17T10:00:00Z"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
