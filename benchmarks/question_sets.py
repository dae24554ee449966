"""`python -m benchmarks.question_sets [SET...] [--verdicts OUT.jsonl]`: all stored questions, each with its judge.

- NAME and `fresh/NAME`: the sets of tests/questions;
- `words/NAME`: six sets by a writer who saw no code, with right answers computed from the documents alone: three over
  data with a catalog that ships, three over indices with the catalog that `qlc catalog draft` makes, untouched;
- `drafted/NAME`: five more over indices with drafted catalogs.

The last two are in benchmarks/questions, where their READMEs have the format. They are asked by rules alone, or with
the model that $QLC_MODEL names behind the rules (see benchmarks/standin.py). `--verdicts` writes the verdict of each
turn; with a file of an earlier run after `--against`, what differs is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from elasticsearch.helpers import bulk

import qlc
from qlc.base.options import moment
from qlc.evaluation.answering import turns
from qlc.evaluation.by_program import by_programs
from qlc.evaluation.questions import Asked, Line, read_gold, read_questions
from qlc.evaluation.scoring import Verdict, score
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.translator.by_rules import ByRules
from qlc.translator.entry import Asker
from qlc.translator.protocol import Translator
from tests.questions.engine import FRESH, NOW, OWN, Engine, parts

PACKED = Path(__file__).parent / "questions"
WORDS = {
    "drive": "2026-03-15T12:00:00Z",
    "ecommerce": "2016-12-31T23:50:00Z",
    "flights": "2018-02-11T23:55:00Z",
    "gym": "2025-11-16T08:00:00Z",
    "permits": "2025-06-30T09:00:00Z",
    "workorders": "2025-09-12T14:00:00Z",
}
SHIPPED = ("drive", "ecommerce", "flights")
DRAFTED = {
    "bakery": "batches", "bloodbank": "donations", "court": "cases", "ferry": "sailings", "lostproperty": "items",
}  # fmt: skip
"""The sets with their indices, which are called as people call what is in them."""
ALL = [*NOW, *(f"fresh/{one}" for one in FRESH), *(f"words/{one}" for one in WORDS), *(f"drafted/{n}" for n in DRAFTED)]
UNANSWERED = ("declined", "clarify", "unsupported", "refuse", "not_found", "invalid", "explain", "rejected_query")
"""Kinds of outcomes that are right where the data has no answer, or a question back is the right one."""
PATIENCE = 7_200.0
"""Seconds for a question with a model: somebody may stand in for it."""


@dataclass(frozen=True)
class Case:
    """A question or conversation, whom it is asked, and the judge of its turns."""

    id: str
    asked: Asked
    asker: Asker
    options: Mapping[str, Any]
    judge: Callable[[Line, list[Line], int], Verdict]
    """Takes the outcome of a turn, those before it, and the number of the turn."""

    def verdicts(self) -> list[Verdict]:
        said: list[Line] = []
        found = []
        for answer in turns(self.asker, self.asked, self.options):
            found.append(self.judge(answer, said, len(said)))
            said.append(answer)
        return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args()
    found: dict[str, list[Verdict]] = {}
    print("| questions | singles: n | right | declined | wrong | turns: n | right | declined | wrong |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in given.sets or ALL:
        stored = list(cases([name]))
        with ThreadPoolExecutor(len(stored) if os.environ.get("QLC_MODEL") else 1) as pool:
            verdicts = list(pool.map(Case.verdicts, stored))
        found |= {case.id: one for case, one in zip(stored, verdicts, strict=True)}
        single = Counter(one[0] for one in verdicts if len(one) == 1)
        print(f"| {name} | {shares(single)} | {shares(Counter(v for one in verdicts for v in one))} |", flush=True)
    if given.verdicts is not None:
        given.verdicts.write_text("".join(f"{json.dumps([id, one])}\n" for id, one in found.items()), "utf-8")
    if given.against is not None:
        compare(dict(json.loads(line) for line in given.against.open(encoding="utf-8")), found)
    return 0


def shares(tally: Counter[Any]) -> str:
    """The cells of a table: how many, and the share of each verdict."""
    n = tally.total()
    return " | ".join([f"{n:,}", *(f"{100 * tally[verdict] / max(n, 1):.1f} %" for verdict in Verdict)])


def compare(before: Mapping[str, list[str]], now: Mapping[str, list[Verdict]]) -> None:
    """Print the turns whose verdict has changed, and how many changed from what to what."""
    changes: Counter[tuple[str, str]] = Counter()
    for id, verdicts in now.items():
        for turn, (was, is_now) in enumerate(zip(before.get(id, verdicts), verdicts, strict=False)):
            changes[was, is_now] += 1
            if was != is_now:
                print(f"{id}#{turn}: {was} -> {is_now}")
    for (was, is_now), count in sorted(changes.items()):
        print(f"{was} -> {is_now}: {count}")


# --- the sets --------------------------------------------------------------------------------------------------------


def cases(chosen: list[str]) -> Iterator[Case]:
    """The questions of the chosen sets; of all where none are chosen."""
    engine = Engine()
    for name in chosen or ALL:
        kind, _, data = name.rpartition("/")
        match kind:
            case "words":
                compiler = engine.compiler(data) if data in SHIPPED else drafted(data, unpacked(kind) / data)
                yield from _written(name, compiler, WORDS[data], _judge_of_words)
            case "drafted":
                folder = unpacked(kind) / data
                now = (folder / "now.txt").read_text("utf-8").strip()
                yield from _written(name, drafted(DRAFTED[data], folder), now, _judge_of_drafted)
            case _:
                yield from _stored(name, engine.compiler(data), FRESH[data] if kind else NOW[data])


def _stored(name: str, compiler: qlc.Compiler, now: str) -> Iterator[Case]:
    """The questions of a folder of tests/questions."""
    options = {"now": moment(now), "timezone": "UTC"}
    asker = Asker(compiler)
    for part in parts(OWN / name):
        questions = read_questions(OWN / name / f"questions.{part}.jsonl")
        path = OWN / name / f"gold.{part}.jsonl"
        gold = by_programs(path, read_gold(path, questions), compiler, options)
        for one in questions:
            yield Case(f"{name}.{part}.{one.id}", one, asker, options, partial(_scored, gold[one.id].golds))


def _scored(golds: tuple[Line, ...], outcome: Line, before: list[Line], at: int) -> Verdict:
    return score(outcome, golds[at], before)


Judge = Callable[[list[Mapping[str, Any]], Line, list[Line], int], Verdict]


def _written(name: str, compiler: qlc.Compiler, now: str, judge: Judge) -> Iterator[Case]:
    """The questions of a set in benchmarks/questions."""
    kind, _, data = name.rpartition("/")
    folder = unpacked(kind) / data
    golds = {one["id"]: one.get("turns", [one]) for one in map(json.loads, (folder / "gold.jsonl").open())}
    asker = Asker(compiler, translators())
    options = {"now": moment(now), "timezone": "UTC", "deadline": PATIENCE}
    for line in map(json.loads, (folder / "questions.jsonl").open(encoding="utf-8")):
        said = [one if isinstance(one, str) else one["text"] for one in line.get("turns", [line.get("text")])]
        asked = Asked(line["id"], tuple(said), "turns" in line)
        yield Case(f"{name}.{asked.id}", asked, asker, options, partial(judge, golds[asked.id]))


@cache
def unpacked(kind: str) -> Path:
    """The folder of the packed sets of a kind, `words` or `drafted`; it goes when the process ends."""
    folder = tempfile.TemporaryDirectory()
    _KEPT.append(folder)
    with tarfile.open(PACKED / f"{kind}.tar.xz") as packed:
        packed.extractall(folder.name, filter="data")
    return Path(folder.name) / kind


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def drafted(name: str, folder: Path) -> qlc.Compiler:
    """A compiler over the documents of a folder, with the catalog as it is drafted."""
    client = qlc.connect()
    client.indices.create(index=name, **json.loads((folder / "mapping.json").read_text("utf-8")))
    bulk(client, _documents(name, folder), refresh=True)
    return qlc.Compiler(client, read_catalog(draft_catalog(client, name)))


def _documents(index: str, folder: Path) -> Iterator[dict[str, Any]]:
    path = next(one for one in map(folder.joinpath, ("documents.ndjson", "docs.ndjson")) if one.exists())
    for document in map(json.loads, path.open(encoding="utf-8")):
        identity = document.pop("_id")
        yield {"_index": index, "_id": identity, "_source": document.get("_source", document)}


def translators() -> tuple[Translator, ...]:
    rules = ByRules()
    name = os.environ.get("QLC_MODEL")
    if not name:
        return (rules,)
    from qlc.models.anthropic_model import AnthropicModel
    from qlc.models.budgets import Budget
    from qlc.translator.model import ModelTranslator

    return rules, ModelTranslator(AnthropicModel(name), rules=rules.rules, budget=Budget(seconds=PATIENCE))


# --- the judges ------------------------------------------------------------------------------------------------------


def _judge_of_drafted(golds: list[Mapping[str, Any]], outcome: Line, before: list[Line], at: int) -> Verdict:
    """A number may be told as a value or as an aggregate; a code that does not exist, as an empty list."""
    accepted = [one for gold in (golds[at]["gold"], *golds[at].get("also_accept", ())) for one in _ways_to_tell(gold)]
    if any(one["kind"] in UNANSWERED for one in accepted) and outcome.get("kind") in UNANSWERED:
        return Verdict.RIGHT
    return score(outcome, {**accepted[0], "also_accept": accepted[1:]}, before)


def _ways_to_tell(gold: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield gold
    if "number" in gold:
        yield {"kind": "aggregate", "buckets": {"value": gold["number"]}}
    if gold["kind"] == "not_found":
        yield {"kind": "hits", "ids": [], "may_be_empty": True}


def _judge_of_words(golds: list[Mapping[str, Any]], outcome: Line, before: list[Line], at: int) -> Verdict:
    given = golds[at]
    told = [one for each in (given, *given.get("also", ())) for one in _answers({**given, **each})]
    answerable = [one for one in told if one["kind"] not in ("decline", "ask")]
    if len(answerable) < len(told) and outcome.get("kind") in UNANSWERED:
        return Verdict.RIGHT
    if answerable:
        return score(outcome, {**answerable[0], "also_accept": answerable[1:]}, before)
    return Verdict.DECLINED if outcome.get("kind") in UNANSWERED else Verdict.WRONG


def _answers(gold: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The right answers to a turn of `words`, as `qlc.evaluation` takes them; `decline` and `ask` as they are."""
    match gold["kind"]:
        case "ids":
            ids = [str(one) for one in gold["ids"]]
            yield {"kind": "hits", "ids": ids, "ordered": bool(gold.get("ordered")), "may_be_empty": not ids}
        case "number":
            yield {"kind": "aggregate", "buckets": {"value": gold["value"]}}
            yield {"kind": "count", "value": gold["value"]}
        case "rows":
            rows = [[str(key), value] for key, value in gold["rows"]]
            yield {"kind": "aggregate", "buckets": rows, "ordered": bool(gold.get("ordered"))}
            if len(rows) == 1:
                yield {"kind": "value", "any_of": [rows[0][0]]}
        case kind:
            yield {"kind": kind}


if __name__ == "__main__":
    sys.exit(main())
