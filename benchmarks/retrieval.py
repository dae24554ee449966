"""How well corpora are searched: nDCG@10, recall@100 and the gold sentence among the first five passages, over
collections of abstracts with judged questions.

`python -m benchmarks.retrieval FOLDER COLLECTION ... [--keep DIR] [--first N] [--count N]` reads docs.jsonl.gz,
queries.jsonl, qrels.tsv (and evidence.jsonl) of each collection in FOLDER; every abstract is added as a Markdown file,
through the whole way of a corpus. Corpora in DIR are made once.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.best_sentences import Ranked, best_sentences
from qlc.corpus.corpus import Corpus
from qlc.corpus.embedders import default_embedder
from qlc.corpus.ranker import Vectors
from qlc.grammar import print_value, tree

WAYS = ("words", "meaning", "both")
QUOTED = 10
"""Passages whose sentences are ranked."""


def main() -> None:
    command = argparse.ArgumentParser()
    command.add_argument("root", type=Path)
    command.add_argument("names", nargs="+")
    command.add_argument("--keep", type=Path)
    command.add_argument("--first", type=int, default=0)
    command.add_argument("--count", type=int, default=300)
    command.add_argument("--quoted", type=int, default=100, help="claims for which sentences are ranked")
    given = command.parse_args()
    for name in given.names:
        with tempfile.TemporaryDirectory() as place:
            measure(given.root / name, (given.keep or Path(place)) / name, given)


def measure(folder: Path, place: Path, given: Any) -> None:
    documents = {one["_id"]: one for one in _lines(folder / "docs.jsonl.gz")}
    judged = _judged(folder / "qrels.tsv")
    queries = [one for one in _lines(folder / "queries.jsonl") if one["_id"] in judged]
    queries = queries[given.first : given.first + given.count]
    with _corpus(documents, place) as corpus:
        for way in WAYS:
            compiler = corpus.compiler()
            gains, recalls, started = [], [], time.perf_counter()
            for query in queries:
                found = _found(compiler, "documents", query["text"], way, 100)
                ranked = [Path(one.values["file"][0]).stem for one in found.hits]
                gains.append(ndcg(ranked, judged[query["_id"]]))
                recalls.append(recall(ranked, judged[query["_id"]]))
            each = 1000 * (time.perf_counter() - started) / len(queries)
            gold = _gold(folder, documents, queries, compiler, way)
            told = f"nDCG@10 {mean(gains):.3f}  recall@100 {mean(recalls):.3f}{gold}  {each:.0f} ms"
            print(f"{folder.name:10} {way:8} n {len(queries)}  {told}", flush=True)
        _quotes(folder, documents, queries[: given.quoted], corpus)


def _corpus(documents: Mapping[str, Any], place: Path) -> Corpus:
    if (place / "corpus").exists():
        return Corpus.open(place / "corpus", read_only=True)
    files = place / "files"
    files.mkdir(parents=True)
    for name, one in documents.items():
        title = f"# {one['title']}\n\n" if one.get("title") else ""
        (files / f"{name}.md").write_text(f"{title}{one['text']}\n", "utf-8")
    corpus = Corpus.create(place / "corpus")
    started = time.perf_counter()
    report = corpus.add(files)
    added = time.perf_counter() - started
    count = corpus.embed()
    embedded = time.perf_counter() - started - added
    print(f"{report.added} documents in {added:.0f} s, {count} vectors in {embedded:.0f} s")
    return corpus


def _found(compiler: Any, entity: str, text: str, way: str, limit: int) -> Any:
    program = f"find {entity} where about {print_value(tree.String(text))} by {way} limit {limit}"
    return compiler.run(program, size=limit)


def _gold(folder: Path, documents: Any, queries: Any, compiler: Any, way: str) -> str:
    """The share of claims of which the first five passages have a sentence that settles it."""
    path = folder / "evidence.jsonl"
    if not path.exists():
        return ""
    evidence = {one["_id"]: one["evidence"] for one in _lines(path)}
    hits = []
    for query in queries:
        if gold := _settling(documents, evidence.get(query["_id"], {})):
            texts = [_plain(one.values["text"]) for one in _found(compiler, "passages", query["text"], way, 5).hits]
            hits.append(any(_plain(sentence) in text for sentence in gold for text in texts))
    return f"  gold passage in 5 {mean(hits):.3f} of {len(hits)}"


def _settling(documents: Any, evidence: Mapping[str, Any]) -> list[str]:
    return [
        documents[document]["sentences"][index]
        for document, settled in evidence.items()
        for rationale in settled for index in rationale["sentences"]
    ]  # fmt: skip


def _quotes(folder: Path, documents: Any, queries: Any, corpus: Corpus) -> None:
    """The share of claims of which the first five sentences have one that settles it."""
    path = folder / "evidence.jsonl"
    embedder = default_embedder()
    if not path.exists() or embedder is None:
        return
    evidence = {one["_id"]: one["evidence"] for one in _lines(path)}
    compiler, vectors, hits, started = corpus.compiler(), Vectors(embedder), [], time.perf_counter()
    for query in queries:
        gold = {_plain(one) for one in _settling(documents, evidence.get(query["_id"], {}))}
        if gold:
            program = f"find passages where about {print_value(tree.String(query['text']))} show title, section, text"
            found = {hit.id: hit for hit in compiler.run(program, size=QUOTED).hits}
            passages = [
                Ranked(key, hit.values["text"], (hit.values["title"], *hit.values.get("section", ())), hit.score)
                for key, hit in found.items()
            ]
            best = best_sentences(query["text"], passages, vectors)[:5]
            texts = [_plain(found[one.passage].values["text"][one.begin : one.end]) for one in best]
            hits.append(any(sentence in text or text in sentence for sentence in gold for text in texts))
    each = 1000 * (time.perf_counter() - started) / max(1, len(hits))
    print(f"{folder.name:10} gold sentence in 5 {mean(hits):.3f} of {len(hits)}  {each:.0f} ms")


def _plain(text: str) -> str:
    return " ".join(text.split())


def ndcg(ranked: list[str], judged: Mapping[str, int], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with relevance as gain (Järvelin and Kekäläinen 2002)."""
    gain = sum(judged.get(one, 0) / math.log2(place + 2) for place, one in enumerate(ranked[:depth]))
    best = sorted(judged.values(), reverse=True)[:depth]
    ideal = sum(value / math.log2(place + 2) for place, value in enumerate(best))
    return gain / ideal if ideal else 0.0


def recall(ranked: list[str], judged: Mapping[str, int]) -> float:
    wanted = {one for one, value in judged.items() if value > 0}
    return len(wanted & set(ranked)) / len(wanted) if wanted else 0.0


def mean(values: list[Any]) -> float:
    return sum(values) / len(values) if values else 0.0


def _judged(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8") as file:
        for query, document, relevance, *_ in list(csv.reader(file, delimiter="\t"))[1:]:
            if int(relevance) > 0:
                found.setdefault(query, {})[document] = 1  # binary: grades differ in direction between copies
    return found


def _lines(path: Path) -> Iterator[Any]:
    content = path.read_bytes()
    yield from map(json.loads, (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines())


if __name__ == "__main__":
    main()
