"""Says on standard error that a command works, once nothing was written for two seconds.

On a terminal the line `qlc: loading the sample data, 4 s` is written over until there is other output; elsewhere there
is a line every ten seconds.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import IO, Any

FIRST, AGAIN = 2.0, 1.0
"""Seconds of silence before the line on a terminal, and from one to the next."""
EVERY = 10.0
"""Seconds of silence before each line elsewhere."""

_doing = ["working"]


def is_quiet() -> bool:
    """Whether lines about progress are off: `QLC_PROGRESS=off`."""
    return os.environ.get("QLC_PROGRESS", "").strip().lower() in ("off", "0", "no", "false")


@contextmanager
def doing(what: str) -> Iterator[Callable[[str], None]]:
    """Name what takes time in the meantime: `loading the sample data`. Yields a function that names the next step.

    A command that waits for somebody (`qlc serve`) says so only meanwhile.
    """
    _doing.append(what)
    at = len(_doing) - 1
    try:
        with nullcontext() if isinstance(sys.stderr, _Noticed) else waiting():
            yield lambda step: _doing.__setitem__(at, step)
    finally:
        _doing.pop()


class _Noticed:
    """A stream that tells of its writes."""

    def __init__(self, stream: IO[str], waiting: _Waiting) -> None:
        self._stream, self._waiting = stream, waiting

    def write(self, text: str) -> int:
        with self._waiting.lock:
            self._waiting.notice()
            return self._stream.write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Waiting(threading.Thread):
    def __init__(self, stream: IO[str]) -> None:
        super().__init__(daemon=True)
        self.lock = threading.RLock()
        self._stream, self._is_terminal = stream, stream.isatty()
        self._began = self._last = time.monotonic()
        self._ended = threading.Event()
        self._width = 0

    def notice(self) -> None:
        """Note that something else is written: the line is erased, and silence begins again."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0
        self._last = time.monotonic()

    def run(self) -> None:
        pause = FIRST if self._is_terminal else EVERY
        while not self._ended.wait(max(0.0, self._last + pause - time.monotonic())):
            with self.lock:
                if time.monotonic() - self._last < pause or self._ended.is_set():
                    continue
                self._show()
            pause = AGAIN if self._is_terminal and self._width else FIRST if self._is_terminal else EVERY

    def _show(self) -> None:
        text = f"qlc: {_doing[-1]}, {time.monotonic() - self._began:,.0f} s"
        width = self._width
        self._stream.write(f"\r{text.ljust(width)}" if self._is_terminal else f"{text}\n")
        self._stream.flush()
        self._last, self._width = time.monotonic(), len(text) if self._is_terminal else 0

    def end(self) -> None:
        with self.lock:
            self._ended.set()
            self.notice()


@contextmanager
def waiting() -> Iterator[None]:
    """Say that a command works while it writes nothing."""
    if is_quiet():
        yield
        return
    before = sys.stdout, sys.stderr
    thread = _Waiting(sys.stderr)
    sys.stdout, sys.stderr = _Noticed(before[0], thread), _Noticed(before[1], thread)
    thread.start()
    try:
        yield
    finally:
        thread.end()
        sys.stdout, sys.stderr = before
