"""`python -m benchmarks.gold_pages REPO --keep DIR [--seed N] [--documents N] [--first N] [--out FILE]`: how often the
page that answers a question about long reports is among the passages that qlc shows, without a language model.

REPO is a clone of https://github.com/patronus-ai/financebench (Islam et al. 2023, CC BY-NC 4.0): annual and quarterly
reports of companies, and questions with the pages that answer them. Of the reports with questions, put in an order by
the seed, those from --first on are added to a corpus in DIR, as `qlc corpus add` adds a folder. Each question is asked
of all of them with `ask`, and searched for within the right report. Each line of the file --out is a question.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import qlc
from qlc.outcome import Answer, Citation, Hits, Outcome, Passages

SHOWN = 5
"""Passages among which the gold page is looked for."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("repo", type=Path)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, default=24)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    questions = [json.loads(line) for line in _shown(given.repo, "data/financebench_open_source.jsonl").splitlines()]
    names = [name for name in sorted({one["doc_name"] for one in questions}) if _has(given.repo, f"pdfs/{name}.pdf")]
    random.Random(given.seed).shuffle(names)
    names = names[given.first : given.first + given.documents]
    with added(given.repo, names, given.keep / f"{given.seed}_{given.first}_{given.documents}") as corpus:
        started = time.process_time()
        found = [asked(one, corpus) for one in questions if one["doc_name"] in names]
        each = 1000 * (time.process_time() - started) / len(found)
    if given.out is not None:
        given.out.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in found), "utf-8")
    told = [f"{name} {100 * sum(bool(one[name]) for one in found) / len(found):.0f} %" for name in MEASURES]
    kinds = sorted({one["kind"] for one in found})
    told += [f"{kind} {sum(one['kind'] == kind for one in found)}" for kind in kinds]
    print(f"{len(names)} reports, {len(found)} questions: {', '.join(told)}; {each:.0f} ms a question")


def added(repo: Path, names: Sequence[str], place: Path) -> qlc.Corpus:
    """Open the corpus of some reports; add the reports first if there is none."""
    if (place / "corpus").exists():
        return qlc.Corpus.open(place / "corpus", read_only=True)
    (place / "files").mkdir(parents=True)
    for name in names:
        (place / "files" / f"{name}.pdf").write_bytes(_shown(repo, f"pdfs/{name}.pdf"))
    corpus = qlc.Corpus.create(place / "corpus")
    started = time.perf_counter()
    report = corpus.add(place / "files")
    print(f"{report.added} reports added in {time.perf_counter() - started:.0f} s, {len(report.problems)} problems")
    return corpus


def _shown(repo: Path, path: str) -> bytes:
    return subprocess.run(["git", "-C", str(repo), "show", f"HEAD:{path}"], capture_output=True, check=True).stdout


def _has(repo: Path, path: str) -> bool:
    """Whether a clone has a file: mirrors can lack the largest ones."""
    return subprocess.run(["git", "-C", str(repo), "cat-file", "-e", f"HEAD:{path}"], check=False).returncode == 0


MEASURES = ("report shown", "page shown", "page cited", "page within report")
"""What is counted: the right report and its gold page among the passages shown, in an answer, and in a search within
the report alone."""


def asked(one: Mapping[str, Any], corpus: qlc.Corpus) -> dict[str, Any]:
    """Return a question with what it was answered, and the measures."""
    file = f"{one['doc_name']}.pdf"
    gold = {(file, evidence["evidence_page_num"] + 1) for evidence in one["evidence"]}
    outcome = corpus.ask(one["question"])
    shown = [(each.file, each.page) for each in shown_of(outcome)][:SHOWN]
    within = corpus.search(one["question"], where=f'file = "{file}"', limit=SHOWN, per_document=SHOWN)
    pages = [(file, hit.values["page"]) for hit in within.hits] if isinstance(within, Hits) else []
    cited = [(each.file, each.page) for each in cited_of(outcome)]
    measures = (any(name == file for name, _ in shown), gold & {*shown}, gold & {*cited}, gold & {*pages})
    return {
        "question": one["question"], "gold": sorted(gold), "kind": outcome.kind, "message": outcome.message,
        "shown": shown or cited, "within": [page for _, page in pages],
        **{name: bool(value) for name, value in zip(MEASURES, measures, strict=True)},
    }  # fmt: skip


def shown_of(outcome: Outcome) -> list[Citation]:
    return list(outcome.passages) if isinstance(outcome, Passages) else []


def cited_of(outcome: Outcome) -> list[Citation]:
    return [each for claim in outcome.claims for each in claim.citations] if isinstance(outcome, Answer) else []


if __name__ == "__main__":
    main()
