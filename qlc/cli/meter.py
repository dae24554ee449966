"""A progress bar on a terminal, elsewhere a line every ten seconds."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from qlc.cli import render
from qlc.cli.waiting import is_quiet

if TYPE_CHECKING:
    from qlc.corpus.adding import Step

BAR = 24
EVERY = 10.0
"""Seconds from one printed line to the next, outside a terminal."""


class Meter:
    """How much is done, how fast, how long it still takes, and the last name. `on`: whether there is a terminal.
    `first`: what was done before."""

    def __init__(self, what: str, first: int = 0) -> None:
        self.on = sys.stderr.isatty()
        self._what, self._first = what, first
        self._began = self._shown = time.monotonic()
        self._width = 0
        self._table = ""

    def of_rows(self, table: str, done: int, rows: int | None) -> None:
        """Show the rows of one table after another; the speed is that of each table."""
        if table != self._table:
            self._table, self._began = table, time.monotonic()
        self.show(done, rows, table)

    def of_files(self, step: Step) -> None:
        self.show(step.done, step.total, step.name)

    def show(self, done: int, total: int | None = None, name: str = "") -> None:
        """`total` is None if it is not known."""
        if is_quiet():
            return
        now = time.monotonic()
        pause = 0.1 if self.on else EVERY
        if now - self._shown < pause and not (self.on and done == total):
            return
        self._shown = now
        seconds = max(now - self._began, 0.001)
        text = f"{done:,} {self._what}, {(done - self._first) / seconds:,.0f}/s"
        if total is not None:
            filled = BAR * done // max(total, 1)
            bar = f"[{'#' * filled}{' ' * (BAR - filled)}] " if self.on else ""
            text = text.replace(f"{done:,}", f"{bar}{done:,} of {total:,}", 1)
            if self._first < done < total:
                text += f", {_duration(seconds * (total - done) / (done - self._first))} left"
        if not self.on:
            print(f"{text}  {name}".rstrip(), file=sys.stderr, flush=True)
            return
        line = f"{text}  {name}"[: (render.Style.of(sys.stderr).width or 80) - 1]
        print(f"\r{line.ljust(self._width)}", end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def end(self) -> None:
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)
            self._width = 0


def _duration(seconds: float) -> str:
    """Seconds as people read them: "40 s", "3 min"."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
