"""`qlc replay`: whether answers that were kept are the same today, or what changed since."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from qlc.base.errors import UsageError
from qlc.cli import render, settings
from qlc.cli.answers import reader_of
from qlc.cli.asking import budget_of
from qlc.cli.target import open_corpus, options_of
from qlc.outcome import OUTCOME, Outcome
from qlc.outcome.amounts import several

if TYPE_CHECKING:
    from qlc.answers.replaying import Replay

CHANGED = 1
_MOST_SHOWN = 20
"""Lines of a kind; --json has all."""


def replay(options: settings.Replay) -> int:
    """Ask stored questions again. Return 0 if every answer is the same, else 1."""
    if not options.corpus:
        raise UsageError("say which corpus it is an answer from: --corpus CORPUS")
    if options.again and (reader := reader_of(options)) is None:
        raise UsageError("--again asks the language model: name one with --model (or $QLC_MODEL), and give its key")
    reader = reader_of(options) if options.again else None
    found: list[Replay] = []
    with open_corpus(options) as corpus:
        for outcome in _outcomes(options.file):
            found.append(corpus.replay(outcome, reader=reader, budget=budget_of(options), **options_of(options)))
            print(found[-1].model_dump_json(indent=2) if options.json else _text_of(found[-1]))
    return 0 if all(one.is_same for one in found) else CHANGED


def _outcomes(name: str) -> Iterator[Outcome]:
    """Yield the outcomes of a file: of `ask --json`, `explain --json`, or the lines of `chat --json`. Raises
    UsageError."""
    text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    try:
        kept = [json.loads(text)]
    except json.JSONDecodeError:
        try:
            kept = [json.loads(line) for line in text.splitlines() if line.strip()]
        except json.JSONDecodeError:
            kept = []
    records = [one for one in kept if isinstance(one, dict)]
    found = [outcome for one in records for outcome in one.get("outcomes") or [one.get("outcome", one)]]
    if not found:
        raise UsageError(f"'{name}' has no answer in it: store one with 'qlc ask --json', and replay that")
    for one in found:
        try:
            outcome: Outcome = OUTCOME.validate_python(one)
        except ValidationError:
            raise UsageError(f"'{name}' has no answer that this version can read: store one with "
                             "'qlc ask --json', and replay that") from None  # fmt: skip
        yield outcome


_PARTS = {
    "data": "The data changed.",
    "program": "The question is read as another program, or answered in another way.",
    "model": "The language model says something else.",
}


def _text_of(found: Replay) -> str:
    style = render.Style.of(sys.stdout)
    lines = [style.paint(found.question, render.BOLD)] if found.question else []
    if found.is_same:
        checked = f"{several(found.searches, 'program')} and {several(found.checked, 'citation')}"
        lines.append(f"The same: {checked} checked.")
    lines += [style.paint(_PARTS[one], render.BOLD) for one in found.changed]
    lines += _listed(f"{one.change}: {one.file}" for one in found.documents)
    lines += _listed(f"{one.what}: {one.was} -> {one.now}" for one in found.values)
    lines += _listed(
        f"not there: {one.file}{f', page {one.page}' if one.page else ''}: {json.dumps(one.quote, ensure_ascii=False)}"
        for one in found.citations
    )
    if found.program is not None:
        lines += _listed([f"program was: {found.program.was}", f"program is:  {found.program.now}"])
    said = [(verb, text) for one in found.text for verb, text in (("said", one.was), ("says", one.now))]
    lines += _listed(f"{verb}: {text}" for verb, text in said if text is not None)
    if found.matches:
        lines.append("Searches of the answer that now find another number:")
    lines += _listed(f"{one.was} -> {one.now}: {one.what}" for one in found.matches)
    lines += [f"Note: {note}" for note in found.notes]
    return "\n".join(lines)


def _listed(entries: Iterable[str]) -> list[str]:
    shown = [f"  {' '.join(one.split())}" for one in entries]
    more = [f"  and {len(shown) - _MOST_SHOWN:,} more (--json has all)"] if len(shown) > _MOST_SHOWN else []
    return shown[:_MOST_SHOWN] + more
