"""Escapes the text that is written to a terminal, so that only the command line's own control sequences take effect.

Names and values come from the index. They may contain sequences that clear the screen, change the direction of writing
or overwrite text. On a terminal these are shown escaped; to a file or a pipe they are written unchanged.
"""

from __future__ import annotations

import io
import os
import sys
from typing import IO, Any, cast

from qlc.base.texts import escaped

CSI = "\x1b["
"""First characters of the control sequences for colours, and for erasing a line."""


def sign_of(stream: IO[str]) -> str:
    """Return the text that stands for CSI in writes to a stream."""
    return getattr(stream, "sign", CSI)


class Terminal:
    """A text stream to a terminal. `sign` stands for CSI in writes; it is random in each process, so no value can
    contain it.

    A carriage return counts only at the beginning of a text, where a meter writes it.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.sign = f"\x1b{os.urandom(8).hex()}["

    def write(self, text: str) -> int:
        over = text.startswith("\r")
        shown = CSI.join(map(escaped, text[over:].split(self.sign)))
        self._stream.write(f"\r{shown}" if over else shown)
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard() -> None:
    """Replace standard output and standard error by a `Terminal` if they are terminals. Call once for a process."""
    os.environ.setdefault("PYTHON_COLORS", "0")  # the colours of Python's own messages would be escaped
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        # What the encoding lacks is escaped, and no reason to fail.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            if stream.isatty():
                setattr(sys, name, cast(IO[str], Terminal(stream)))
