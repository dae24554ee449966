"""A progress bar on a terminal."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from qlc.cli import render

if TYPE_CHECKING:
    from qlc.corpus.adding import Step

BAR = 24


class Meter:
    """How much is done, how fast, and the last name. `on`: whether there is a terminal to show it. `first`: what was
    done before."""

    def __init__(self, what: str, first: int = 0) -> None:
        self.on = sys.stderr.isatty()
        self._what, self._first = what, first
        self._began = self._shown = time.monotonic()
        self._width = 0

    def of_files(self, step: Step) -> None:
        self.show(step.done, step.total, step.name)

    def show(self, done: int, total: int | None = None, name: str = "") -> None:
        """`total` is None if it is not known."""
        now = time.monotonic()
        if not self.on or (now - self._shown < 0.1 and (total is None or done < total)):
            return
        self._shown = now
        text = f"{done:,}"
        if total is not None:
            filled = BAR * done // max(total, 1)
            text = f"[{'#' * filled}{' ' * (BAR - filled)}] {done:,} of {total:,}"
        text += f" {self._what}, {(done - self._first) / max(now - self._began, 0.001):,.0f}/s"
        line = f"{text}  {name}"[: (render.Style.of(sys.stderr).width or 80) - 1]
        print(f"\r{line.ljust(self._width)}", end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def end(self) -> None:
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)
