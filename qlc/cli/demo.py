"""`make demo`: real questions, in words and in the query language, answered from the sample document store, and from a
corpus that is made of the files in `examples` while one watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from qlc.cli import render
from qlc.cli.demo_store import demo_compiler
from qlc.cli.meter import Meter
from qlc.cli.target import DEMO_NOW
from qlc.cli.terminal import guard
from qlc.outcome import Outcome
from qlc.outcome.amounts import several
from qlc.translator.entry import Asker

SCRIPT = Path(__file__).with_name("demo.yaml")
EXAMPLES = Path(__file__).parents[2] / "examples"
"""They are in the repository, and in no wheel."""

Answering = Callable[[str], Outcome]


def main() -> int:
    style = render.Style.of(sys.stdout)
    script = yaml.safe_load(SCRIPT.read_text("utf-8"))
    started = time.perf_counter()
    compiler = demo_compiler()
    total = compiler.run("count entries", now=DEMO_NOW)
    print(f"The sample document store: {total.message.rstrip('.')}, opened in {time.perf_counter() - started:.1f} s.\n")
    given: dict[str, Any] = {"now": DEMO_NOW, "size": 5}
    _show(style, script["index"], partial(Asker(compiler).ask, **given), partial(compiler.run, **given))
    if EXAMPLES.is_dir():
        _corpus(style, script)
    print("Your turn:  .venv/bin/qlc ask --demo 'contracts that expire this year'")
    print("            .venv/bin/qlc run --demo 'find documents where owner = \"Omar\" and due < today'")
    print("            .venv/bin/qlc explain --demo 'find folders where id = document(\"Dock Permit.pdf\").folder'")
    return 0


def _corpus(style: render.Style, script: dict[str, Any]) -> None:
    """Files are added and asked; then what only vectors find, where the extra for them is installed."""
    from qlc.answers.corpora import Corpus
    from qlc.base.extras import is_installed

    if not is_installed("corpus"):
        return
    meter = Meter("files")
    with TemporaryDirectory() as place, Corpus.create(Path(place) / "corpus", EXAMPLES / "library.yaml") as corpus:
        started = time.perf_counter()
        report = corpus.add(EXAMPLES / "library", progress=meter.of_files if meter.on else None)
        meter.end()
        seconds = time.perf_counter() - started
        print(f"A corpus of the files in examples/library: {several(report.added, 'document')} in {seconds:.1f} s.")
        for problem in report.problems:
            print(f"  {problem.file}: {problem.message}")
        print()
        _show(style, script["corpus"], corpus.ask, partial(corpus.compiler().run, size=5))
        if is_installed("semantic"):
            corpus.embed()
            _show(style, script["vectors"], corpus.ask, corpus.compiler().run)


def _show(style: render.Style, questions: Sequence[dict[str, str]], ask: Answering, run: Answering) -> None:
    for one in questions:
        are_words = "ask" in one
        source = one["ask" if are_words else "run"]
        outcome = ask(source) if are_words else run(source)
        print(style.paint(f"-- {one['says']}", render.DIM))
        print(style.paint(f"{'ask' if are_words else 'qlc'}> {source}", render.BOLD))
        if are_words and outcome.query not in ("", source):
            print(style.paint(f"is   {outcome.query}", render.DIM))
        print(render.outcome(outcome, source, style))
        trips = several(outcome.stats.round_trips, "round trip")
        print(style.paint(f"({trips}, {outcome.stats.took_ms:.0f} ms)\n", render.DIM))


if __name__ == "__main__":
    guard()
    sys.exit(main())
