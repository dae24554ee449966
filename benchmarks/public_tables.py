"""`python -m benchmarks.public_tables REPO [--seed N] [--tables N] [--out FILE]`: questions that people wrote over
tables of Wikipedia, by rules alone or with the model that $QLC_MODEL names behind them.

REPO is a clone of https://github.com/ppasupat/WikiTableQuestions (Pasupat and Liang 2015, CC BY-SA 4.0). Tables of its
test part are drawn at random, with up to two questions each. Every table is written as CSV, loaded as `qlc index` loads
it, and asked with the catalog that is drafted, untouched. An answer is right if it has the values of the published one
and no others: as a value, in one column of its hits, or as the keys or values of its rows. Each answer is a line of the
file --out, to be read by people: published answers are wrong at times, and a right answer may say more.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import qlc
from benchmarks.question_sets import PATIENCE, UNANSWERED, translators
from qlc.tables.cells import read_day, read_number

QUESTIONS = "data/pristine-unseen-tables.tsv"
MOST_OF_A_TABLE = 2


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("repo", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    asked = list(drawn(given.repo, random.Random(given.seed), given.tables))
    with ThreadPoolExecutor(len(asked) if os.environ.get("QLC_MODEL") else 1) as pool:
        found = list(pool.map(answered, asked))
    if given.out is not None:
        given.out.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in found), "utf-8")
    verdicts = Counter(one["verdict"] for one in found)
    print(f"| questions | {' | '.join(verdicts)} |")
    print(f"|---|{'---|' * len(verdicts)}")
    print(f"| {len(found)} | {' | '.join(f'{100 * count / len(found):.1f} %' for count in verdicts.values())} |")
    return 0


def drawn(repo: Path, chance: random.Random, count: int) -> Iterator[tuple[qlc.Asker, Mapping[str, str]]]:
    """Yield the questions of some tables, each with who is asked."""
    by_table: defaultdict[str, list[list[str]]] = defaultdict(list)
    for line in _text(repo, QUESTIONS).splitlines()[1:]:
        by_table[line.split("\t")[2]].append(line.split("\t"))
    known = translators()
    for table in chance.sample(sorted(by_table), count):
        client = qlc.connect()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            with path.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows(_cells(_text(repo, table.removesuffix("csv") + "tsv")))
            (loaded, *_) = qlc.load(client, str(path))
        asker = qlc.Asker(qlc.Compiler(client, index=loaded.index), known)
        for id, question, _, gold in chance.sample(by_table[table], min(MOST_OF_A_TABLE, len(by_table[table]))):
            yield asker, {"table": table, "id": id, "question": question, "gold": gold}


def _text(repo: Path, path: str) -> str:
    shown = subprocess.run(["git", "-C", str(repo), "show", f"HEAD:{path}"], capture_output=True, check=True)
    return shown.stdout.decode("utf-8")


def _cells(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        yield [cell.replace("\\n", " ").replace("\\p", "|").replace("\\\\", "\\") for cell in line.split("\t")]


def answered(asked: tuple[qlc.Asker, Mapping[str, str]]) -> dict[str, Any]:
    """Return a question with its answer and the verdict."""
    asker, question = asked
    outcome = asker.ask(question["question"], deadline=PATIENCE).model_dump(mode="json")
    told = ("kind", "query", "message", "notes", "value", "rows", "options")
    hits = [{"name": hit["name"], **hit["values"]} for hit in outcome.get("hits") or ()]
    return {**question, "verdict": verdict(question["gold"], outcome, hits), "hits": hits[:10],
            **{name: outcome[name] for name in told if outcome.get(name)}}  # fmt: skip


def verdict(gold: str, outcome: Mapping[str, Any], hits: Sequence[Mapping[str, Any]]) -> str:
    """Return `right`, `declined` or `wrong`."""
    if outcome["kind"] in UNANSWERED:
        return "declined"
    wanted = sorted({_plain(one) for one in gold.split("|")})
    value, rows = outcome.get("value"), outcome.get("rows") or ()
    ways: list[list[Any]] = [list(value.values()) if isinstance(value, Mapping) else [value]]
    ways += [[one[name] for one in hits if name in one] for name in {name for one in hits for name in one}]
    ways += [[row[part] for row in rows] for part in ("key", "value")]
    return "right" if any(sorted({_plain(one) for one in way}) == wanted for way in ways) else "wrong"


def _plain(value: Any) -> str:
    """Return a value without its spelling: `1,050` -> `1050`, `May 9, 1960` -> `1960-05-09`, `"Bob"` -> `bob`."""
    text = str(value.get("name") or value.get("id") if isinstance(value, Mapping) else value).strip().strip('"“”')
    text = text.removesuffix("T00:00:00Z")
    if (number := read_number(text)) is not None:
        return f"{float(number.value('.')):.6g}"
    return day.value("dmy") if (day := read_day(text)) is not None and day.sure else " ".join(text.casefold().split())


if __name__ == "__main__":
    raise SystemExit(main())
