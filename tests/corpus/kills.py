"""Adding files, killed at random moments: it ends as a run that nobody disturbs.

`python -m tests.corpus.kills --count 10000 --kills 20` is the long form of what `test_adding.py` does.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from qlc.corpus.corpus import Corpus
from tests.tables import table

from . import files

SCHEMA = table(__file__, "SCHEMA")
_RUN = """
import sys
from qlc.corpus.corpus import Corpus
with Corpus.open(sys.argv[1]) as corpus:
    corpus.add(sys.argv[2], prune=True)
"""


def records(corpus: Corpus) -> dict[str, Any]:
    """All that is stored, but for the time at which it was added."""
    found: dict[str, Any] = {}
    after: dict[str, Any] = {}
    while hits := corpus.client.search(index=corpus.index, size=5_000, sort=[{"id": "asc"}], **after)["hits"]["hits"]:
        for hit in hits:
            found[hit["_id"]] = {key: value for key, value in hit["_source"].items() if key != "added"}
        after = {"search_after": hits[-1]["sort"]}
    return found


def slip(folder: Path, number: int, total: int) -> None:
    """A file of one page: each tenth is a PDF."""
    lines = (f"Slip no.: {number}", f"Total: EUR {total}.50", "Diesel was filled in at the pump beside the gate.")
    path = folder / "slips" / str(number % 20)
    path.mkdir(parents=True, exist_ok=True)
    if number % 10:
        (path / f"{number}.txt").write_text("\n\n".join(lines) + "\n", "utf-8")
        return
    files.pdf(
        path / f"{number}.pdf",
        lambda canvas: [canvas.drawString(60, 760 - 24 * row, line) for row, line in enumerate(lines)],  # type: ignore[arg-type]
    )


def trial(place: Path, count: int, kills: int, seed: int = 1) -> int:
    """A corpus of older files is brought up to date by a run that is killed; the number of runs that were."""
    dice = random.Random(seed)
    (place / "corpus.yaml").write_text(SCHEMA, "utf-8")
    folder, killed = place / "files", 0
    for number in range(count // 2):
        slip(folder, number, total=1)
    with Corpus.create(place / "killed", place / "corpus.yaml") as corpus:
        corpus.add(folder)
    for number in range(0, count, 3):  # new ones, and others that change
        slip(folder, number, total=2)
    for number in range(count // 2, count):
        slip(folder, number, total=number)
    for path in sorted(folder.rglob("*.txt"))[::7]:
        path.unlink()
    started = time.monotonic()
    with Corpus.create(place / "whole", place / "corpus.yaml") as corpus:
        corpus.add(folder)
        expected = records(corpus)
    seconds = time.monotonic() - started
    for _ in range(kills):
        run = subprocess.Popen([sys.executable, "-c", _RUN, str(place / "killed"), str(folder)])
        time.sleep(0.4 + dice.uniform(0, 2 * seconds / kills))
        killed += run.poll() is None
        run.kill()
        run.wait()
    with Corpus.open(place / "killed") as corpus:
        corpus.add(folder, prune=True)
        found = records(corpus)
        assert found.keys() == expected.keys(), (len(found), len(expected))
        assert [name for name in found if found[name] != expected[name]] == []
        assert corpus.add(folder).added == 0
    return killed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        started = time.monotonic()
        killed = trial(Path(place), given.count, given.kills, given.seed)
    print(f"{given.count:,} files, {killed} of {given.kills} runs killed: the same corpus as undisturbed, "
          f"{time.monotonic() - started:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
