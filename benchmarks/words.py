"""`python -m benchmarks.words [NAME...]`: questions whose right answers were computed from the documents alone.

benchmarks/questions/words.tar.xz has six sets by a writer who saw no code (its README has the format): three over data
with a catalog that ships, and three over indices that nobody had seen, each with the catalog that `qlc catalog draft`
makes of it, untouched. Asked by rules alone, or with the model that $QLC_MODEL names (see benchmarks/standin.py).
"""

from __future__ import annotations

import json
import os
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from elasticsearch.helpers import bulk

import qlc
from benchmarks.understanding import shares
from qlc.base.options import moment
from qlc.evaluation.answering import answers
from qlc.evaluation.questions import Asked
from qlc.evaluation.scoring import Verdict, score
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.translator.entry import Asker, ByRules
from qlc.translator.protocol import Translator
from tests.questions.make_gold.engine import Engine

SETS = Path(__file__).parent / "questions" / "words.tar.xz"
NOW = {
    "drive": "2026-03-15T12:00:00Z",
    "ecommerce": "2016-12-31T23:50:00Z",
    "flights": "2018-02-11T23:55:00Z",
    "gym": "2025-11-16T08:00:00Z",
    "permits": "2025-06-30T09:00:00Z",
    "workorders": "2025-09-12T14:00:00Z",
}
SHIPPED = ("drive", "ecommerce", "flights")
UNANSWERED = ("declined", "clarify", "unsupported", "refuse", "not_found", "invalid", "explain", "rejected_query")
"""Kinds of outcomes that are right where the data has no answer, or a question back is the right one."""
PATIENCE = 7_200.0
"""Seconds for a question with a model: somebody may stand in for it."""


def main(chosen: list[str]) -> int:
    print("| questions | singles: n | right | declined | wrong | turns: n | right | declined | wrong |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(SETS) as packed:
            packed.extractall(folder, filter="data")
        for name in chosen or NOW:
            measured(name, Path(folder) / "words" / name)
    return 0


def measured(name: str, folder: Path) -> None:
    questions = [_asked(json.loads(line)) for line in (folder / "questions.jsonl").open(encoding="utf-8")]
    lines = (json.loads(line) for line in (folder / "gold.jsonl").open(encoding="utf-8"))
    gold = {one["id"]: [_gold(turn) for turn in one.get("turns", [one])] for one in lines}
    asker = Asker(Engine().compiler(name) if name in SHIPPED else drafted(name, folder), _translators())
    options = {"now": moment(NOW[name]), "timezone": "UTC", "deadline": PATIENCE}
    with ThreadPoolExecutor(len(questions) if os.environ.get("QLC_MODEL") else 1) as pool:
        found = list(pool.map(lambda one: answers(asker, one, options), questions))
    singles: Counter[Verdict] = Counter()
    turns: Counter[Verdict] = Counter()
    for one, said in zip(questions, found, strict=True):
        verdicts = [_verdict(said[at], right, said[:at]) for at, right in enumerate(gold[one.id])]
        turns.update(verdicts)
        if not one.conversation:
            singles.update(verdicts)
    print(f"| {name} | {shares(singles)} | {shares(turns)} |", flush=True)


def drafted(name: str, folder: Path) -> qlc.Compiler:
    """A compiler over the documents of a folder, with the catalog as it is drafted."""
    client = qlc.connect()
    client.indices.create(index=name, **json.loads((folder / "mapping.json").read_text("utf-8")))
    bulk(client, _documents(name, folder / "documents.ndjson"), refresh=True)
    return qlc.Compiler(client, read_catalog(draft_catalog(client, name)))


def _documents(index: str, path: Path) -> Iterator[dict[str, Any]]:
    for line in path.open(encoding="utf-8"):
        document = json.loads(line)
        yield {"_index": index, "_id": document.pop("_id"), "_source": document}


def _translators() -> tuple[Translator, ...]:
    rules = ByRules()
    name = os.environ.get("QLC_MODEL")
    if not name:
        return (rules,)
    from qlc.models.anthropic_model import AnthropicModel
    from qlc.models.budgets import Budget
    from qlc.translator.model import ModelTranslator

    return rules, ModelTranslator(AnthropicModel(name), rules=rules.rules, budget=Budget(seconds=PATIENCE))


def _asked(line: Mapping[str, Any]) -> Asked:
    texts = tuple(line.get("turns", [line.get("text")]))
    return Asked(line["id"], texts, "turns" in line)


def _gold(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The right answers to a turn, as `qlc.evaluation` takes them; `decline` and `ask` as they are."""
    return [one for each in (given, *given.get("also", ())) for one in _answers({**given, **each})]


def _answers(gold: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    match gold["kind"]:
        case "ids":
            ids = [str(one) for one in gold["ids"]]
            yield {"kind": "hits", "ids": ids, "ordered": bool(gold.get("ordered")), "may_be_empty": not ids}
        case "number":
            value = gold["value"]
            yield {"kind": "aggregate", "buckets": {"value": value}}
            yield {"kind": "count", "value": value}
        case "rows":
            rows = [[str(key), value] for key, value in gold["rows"]]
            yield {"kind": "aggregate", "buckets": rows, "ordered": bool(gold.get("ordered"))}
            if len(rows) == 1:
                yield {"kind": "value", "any_of": [rows[0][0]]}
        case kind:
            yield {"kind": kind}


def _verdict(outcome: Mapping[str, Any], golds: list[dict[str, Any]], before: list[Any]) -> Verdict:
    answerable = [one for one in golds if one["kind"] not in ("decline", "ask")]
    if len(answerable) < len(golds) and outcome.get("kind") in UNANSWERED:
        return Verdict.RIGHT
    if answerable:
        return score(outcome, {**answerable[0], "also_accept": answerable[1:]}, before)
    return Verdict.DECLINED if outcome.get("kind") in UNANSWERED else Verdict.WRONG


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
