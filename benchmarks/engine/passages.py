"""`make bench-passages`: a corpus of many passages in both engines, asked by words, by meaning and by both.

Words and their frequencies are those of a real collection, but each is drawn by itself; vectors are drawn around
centres. The exact neighbours are found while the vectors are made. benchmarks/README.md keeps figures.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.engine.opening import memory
from qlc import Compiler, Corpus
from qlc_engine.segment_file import read_segment

_DIMENSIONS = 384
_CENTRES = 2_000
_WORDS, _ASKED = 95, 12
_TURN = 5_000
_BUCKETS = 10
_PARTIES = 100
_BEST = 10
_PAGES = Path(__file__).parents[2] / "docs"
_SCHEMA = """version: 1
name: many
buckets:
""" + "".join(f"  kind{n}:\n    fields: {{party: name, effective: date}}\n" for n in range(_BUCKETS))

Vectors = NDArray[np.float32]

#: What is asked: the ranking, and the condition with the share of passages that meet it.
SHAPES = {
    "words": ("words", ""),
    "words, 10 % filter": ("words", 'bucket = "kind3"'),
    "meaning": ("meaning", ""),
    "meaning, 10 % filter": ("meaning", 'bucket = "kind3"'),
    "meaning, 1 % filter": ("meaning", 'document.party = "Party 7"'),
    "both": ("both", ""),
    "both, 10 % filter": ("both", 'bucket = "kind3"'),
}


class Collection:
    """The words and claims of a collection in `docs.jsonl.gz` and `queries.jsonl`, else of this project's pages."""

    def __init__(self, folder: Path | None) -> None:
        if folder is None:
            texts = [page.read_text(encoding="utf-8") for page in sorted(_PAGES.glob("*.md"))]
        else:
            with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as lines:
                texts = [json.loads(line)["text"] for line in lines]
        counts = Counter(word for text in texts for word in re.findall(r"[a-z][a-z0-9-]+", text.lower()))
        self._words = np.array(list(counts))
        self._upto = np.cumsum(np.fromiter(counts.values(), np.float64))
        self.questions = self.texts(np.random.default_rng(4), 200, _ASKED)
        if folder is not None:
            with open(folder / "queries.jsonl", encoding="utf-8") as lines:
                self.questions = [json.loads(line)["text"].replace('"', "") for line in lines]

    def texts(self, chance: np.random.Generator, count: int, words: int = _WORDS) -> list[str]:
        places = np.searchsorted(self._upto, chance.random((count, words)) * self._upto[-1], side="right")
        return [" ".join(row) for row in self._words[places].tolist()]


class Space:
    """Unit vectors around centres, which have a direction in common as those of models do."""

    name = "seeded"
    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        chance = np.random.default_rng(1)
        self._common = 0.5 * _unit(chance.standard_normal((1, _DIMENSIONS)))
        self._centres = _unit(chance.standard_normal((_CENTRES, _DIMENSIONS)))

    def vectors(self, chance: np.random.Generator, count: int) -> Vectors:
        around = self._centres[chance.integers(0, _CENTRES, count)]
        noise = chance.standard_normal((count, _DIMENSIONS)) / np.sqrt(_DIMENSIONS)
        return _unit(self._common + around + noise).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """As an embedder: the vector of a text follows from nothing but its letters."""
        seeds = [np.random.default_rng(list(text.encode())) for text in texts]
        return [[float(part) for part in self.vectors(seed, 1)[0]] for seed in seeds]


def _unit(rows: NDArray[Any]) -> NDArray[Any]:
    unit: NDArray[Any] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


@dataclass
class Exact:
    """The nearest passages of each question, by the condition that they meet."""

    questions: Vectors
    best: dict[str, list[list[tuple[float, str]]]] = field(default_factory=dict)

    def look_at(self, ids: Sequence[str], vectors: Vectors, met: dict[str, NDArray[np.bool_]]) -> None:
        for condition, mask in met.items():
            rows = np.flatnonzero(mask)
            scores = self.questions @ vectors[rows].T
            found = self.best.setdefault(condition, [[] for _ in self.questions])
            for one, of_question in zip(found, scores, strict=True):
                first = np.argsort(-of_question)[:_BEST]
                one[:] = sorted([*one, *((float(of_question[at]), ids[rows[at]]) for at in first)], reverse=True)[
                    :_BEST
                ]


def passages(count: int, collection: Collection, space: Space, exact: Exact, *, stored: bool) -> Iterator[list[Any]]:
    """Lines of a bulk request, a turn's at a time; none of what is `stored`, of which only the nearest are found."""
    for start in range(0, count, _TURN):
        chance = np.random.default_rng([2, start])
        size = min(_TURN, count - start)
        vectors = np.round(space.vectors(chance, size).astype(np.float64), 7)
        parties = chance.integers(0, _PARTIES, size)
        ids = [f"d{(start + at) // 10:07d}-{(start + at) % 10:05d}" for at in range(size)]
        buckets = np.array([(start + at) // 10 % _BUCKETS for at in range(size)])
        met = {"": parties >= 0, 'bucket = "kind3"': buckets == 3, 'document.party = "Party 7"': parties == 7}
        exact.look_at(ids, vectors.astype(np.float32), met)
        lines: list[Any] = []  # the client passes bytes on
        for at, text in enumerate([] if stored else collection.texts(chance, size)):
            number = start + at
            record = {
                "kind": "passage", "id": ids[at], "document": f"d{number // 10:07d}", "bucket": f"kind{buckets[at]}",
                "files": [f"kind{buckets[at]}/{number // 10}.pdf"], "title": f"Paper {number // 10}",
                "values": {"party": f"Party {parties[at]}", "effective": f"20{number % 25:02d}-03-01"},
                "ordinal": number % 10, "page": number % 10 // 4 + 1, "page_to": number % 10 // 4 + 1,
                "begin": 0, "end": len(text), "section": [f"Part {number % 10}"], "text": text,
                "vector": vectors[at].tolist(),
            }  # fmt: skip
            records = [record]
            if number % 10 == 9:  # the last passage of a document
                shared = {key: record[key] for key in ("document", "bucket", "files", "title", "values")}
                body = [json.loads(line)["text"] for line in lines[-17::2]] + [text]
                records.append({**shared, "kind": "document", "id": shared["document"], "titles": [shared["title"]],
                                "body": body, "state": "ready", "pages": 3, "passages": 10})  # fmt: skip
            for one in records:
                lines += [json.dumps({"index": {"_id": one["id"]}}).encode(), json.dumps(one).encode()]
        yield lines


def load(corpora: Sequence[Corpus], turns: Iterator[list[Any]]) -> list[float]:
    """Seconds that each corpus took."""
    took = [0.0] * len(corpora)
    for number, lines in enumerate(turns):
        for place, corpus in enumerate(corpora):
            started = time.perf_counter()
            for first in range(0, len(lines), 1_000):
                answer = corpus.client.bulk(index=corpus.index, operations=lines[first : first + 1_000])
                assert not answer["errors"], answer["items"][0]
            took[place] += time.perf_counter() - started
        if number % 20 == 0:
            print(f"  {(number + 1) * _TURN:,} passages, {took}", file=sys.stderr, flush=True)
    for place, corpus in enumerate(corpora):
        started = time.perf_counter()
        corpus.client.indices.refresh(index=corpus.index)
        took[place] += time.perf_counter() - started
    return took


def program(shape: str, question: str) -> str:
    by, condition = SHAPES[shape]
    rest = f" and {condition}" if condition else ""
    return f'find passages where about "{question}" by {by}{rest} limit {_BEST}'


@dataclass(frozen=True)
class Asked:
    """The clock and the processor time of this process in milliseconds, and the ids found."""

    clock: float
    processor: float
    ids: list[str]


def ask(compiler: Compiler, shape: str, question: str) -> Asked:
    clock, processor = time.perf_counter(), time.process_time()
    outcome = compiler.run(program(shape, question), size=_BEST)
    took = 1000 * (time.perf_counter() - clock), 1000 * (time.process_time() - processor)
    assert outcome.kind == "hits", outcome
    return Asked(*took, [hit.id for hit in outcome.hits])


def asked_in_words(corpus: Corpus, count: int) -> None:
    """Print the processor time of whole questions, which send many searches each."""
    chance = random.Random(4)

    def about(*asked: str) -> Callable[[], str]:
        return lambda: chance.choice(asked).format(
            kind=chance.randrange(_BUCKETS), party=chance.randrange(_PARTIES), paper=chance.randrange(count // 10),
            year=2000 + chance.randrange(25), name=chance.choice(("Ola", "Ingrid", "Jens")),
        )  # fmt: skip

    kinds = {
        "list": about("List kind{kind} papers of Party {party}"),
        "count": about("How many kind{kind} were effective in {year}?"),
        "group": about("Which party has the most kind{kind}?"),
        "value": about("What is the party of Paper {paper}?"),
        "passages": about("How does the compiler read a field?", "What is said about the index of values?",
                          "Is there a limit for lookups?", "How are rows of a table counted?"),
        "not there": about("What is the salary of {name} Fjeldstrand?"),
    }  # fmt: skip
    every: list[float] = []
    for name, made in kinds.items():
        corpus.ask(made())
        took: list[float] = []
        for _ in range(8):
            question, began = made(), time.process_time()
            corpus.ask(question)
            took.append(1000 * (time.process_time() - began))
        every += took
        print(f"ask, {name}: processor, p50 / most: {statistics.median(took):.0f} / {max(took):.0f} ms", flush=True)
    print(f"ask, all: processor, p50 / p95: {_spread(every)} ms")


def recall(found: Sequence[list[str]], best: Sequence[list[tuple[float, str]]]) -> float:
    shares = [len({*ids} & {key for _, key in exact}) / len(exact) for ids, exact in zip(found, best, strict=True)]
    return statistics.fmean(shares)


def compare(compilers: Sequence[Compiler], questions: Sequence[str], warm: Sequence[str], exact: Exact) -> None:
    names = ["embedded", "server"][: len(compilers)]
    heads = ["milliseconds, p50 / p95", *names, "processor, embedded", *(f"recall@10, {name}" for name in names)]
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for shape, (by, condition) in SHAPES.items():
        for question in warm:
            for compiler in compilers:
                ask(compiler, shape, question)
        answers = [[ask(compiler, shape, question) for compiler in compilers] for question in questions]
        found = list(zip(*answers, strict=True))
        cells = [_spread([one.clock for one in each]) for each in found]
        cells.append(f"{statistics.median(one.processor for one in found[0]):.1f}")
        for each in found:
            ids = [one.ids for one in each]
            assert by != "meaning" or all(len(some) == _BEST for some in ids), "a list is too short"
            cells.append(f"{recall(ids, exact.best[condition]):.3f}" if by == "meaning" else "")
        print(f"| {shape} | " + " | ".join(cells) + " |", flush=True)


def _spread(times: list[float]) -> str:
    return f"{statistics.median(times):.1f} / {sorted(times)[int(0.95 * len(times))]:.1f}"


def on_disk(folder: str) -> int:
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def of_vectors(folder: str) -> int:
    """Bytes of the vectors in the files of segments, and of what is kept with them."""
    columns = [read_segment(path, "").space.vectors["vector"] for path in Path(folder).rglob("*.segment")]
    return sum(part.nbytes for one in columns for part in (one.docs, one.rows, one.sums, one.centre, one.codes))


def fresh_process(folder: str) -> dict[str, Any]:
    """What a process of its own does with the stored corpus: it opens it and asks."""
    command = [sys.executable, "-m", "benchmarks.engine.passages", "--opening", folder]
    answered: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answered


def opening(folder: str) -> None:
    space = Space()
    started = time.perf_counter()
    corpus = Corpus.open(folder, read_only=True, embedder=space)
    compiler = corpus.compiler(embedder=lambda text: space.embed([text])[0])
    found: dict[str, Any] = {"opening, s": round(time.perf_counter() - started, 3)}
    for shape in SHAPES:
        found[f"first {shape}, ms"] = round(ask(compiler, shape, "the first question of a process").clock, 1)
    for number in range(20):
        for shape in SHAPES:
            ask(compiler, shape, f"another question about cells {number}")
    print(json.dumps({**found, **{f"{name}, MB": round(size) for name, size in memory().items()}}))


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine.passages", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, metavar="N", help="passages (default a million)")
    parser.add_argument("--questions", type=int, default=50, metavar="N", help="measured per shape (default 50)")
    parser.add_argument(
        "--collection",
        default=os.environ.get("QLC_SCIFACT"),
        metavar="FOLDER",
        help="whose words and claims are drawn (default $QLC_SCIFACT, else the pages of docs/)",
    )
    parser.add_argument("--without-server", action="store_true", help="the embedded engine alone")
    parser.add_argument("--heap-mb", type=int, default=4096, metavar="N", help="of the server (default 4096)")
    parser.add_argument(
        "--keep", metavar="FOLDER", help="leave the embedded engine's folder there; what it has is asked as it is"
    )
    parser.add_argument("--url", help="a server that runs, with the passages as its index 'many' if --keep has them")
    parser.add_argument("--opening", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.opening:
        opening(options.opening)
        return
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    collection, space = Collection(Path(options.collection) if options.collection else None), Space()
    chosen = random.Random(3).sample(collection.questions, options.questions + 10)
    questions, warm = chosen[10:], chosen[:10]
    exact = Exact(np.array(space.embed(questions), np.float32))
    from tests.servers import ElasticsearchServer

    no_server = options.without_server or options.url
    server = nullcontext() if no_server else ElasticsearchServer(8, heap_mb=options.heap_mb)
    with tempfile.TemporaryDirectory(prefix="qlc-bench-") as temporary, server as started:
        folder = options.keep or str(Path(temporary) / "data")
        url, stored = options.url or (started.url if started else None), Path(folder).exists()
        schema = Path(temporary) / "corpus.yaml"
        schema.write_text(_SCHEMA, encoding="utf-8")
        if stored:
            corpora = [Corpus.open(folder, embedder=space)]
            corpora += [Corpus.open("many", url=url, embedder=space, request_timeout=600)] if url else []
        else:
            corpora = [Corpus.create(folder, schema, embedder=space)]
            corpora += [Corpus.create("many", schema, url=url, embedder=space, request_timeout=600)] if url else []
            for corpus in corpora:
                corpus.embed()  # maps the field of the vectors
        took = load(corpora, passages(options.count, collection, space, exact, stored=stored))
        counted = {"term": {"kind": "passage"}}
        counts = {corpus.client.count(index=corpus.index, query=counted)["count"] for corpus in corpora}
        assert counts == {options.count}, counts
        print(f"{options.count:,} passages; loaded in s: " + ", ".join(f"{seconds:.0f}" for seconds in took))
        print("this process: " + ", ".join(f"{name} {size:.0f} MB" for name, size in memory().items()))
        compilers = [corpus.compiler(embedder=lambda text: space.embed([text])[0]) for corpus in corpora]
        compare(compilers, questions, warm, exact)
        if url:
            stats = corpora[1].client.indices.stats(index="many")["indices"]["many"]["primaries"]
            print(f"server: {stats['store']['size_in_bytes'] / options.count:.0f} bytes on disk per passage")
        asked_in_words(corpora[0], options.count)
        corpora[0].close()
        size = on_disk(folder)
        print(f"embedded: {size / options.count:.0f} bytes on disk per passage, of them columns of the vector "
              f"{of_vectors(folder) / options.count:.0f}")  # fmt: skip
        print(f"a new process: {fresh_process(folder)}")
    print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main(sys.argv[1:])
