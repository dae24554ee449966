"""A conversation in a process that dies right after it wrote for the n-th time."""

import multiprocessing
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import qlc
from qlc.conversation import Conversation, SQLiteStore

from .conftest import NOW

_LATE = ("qlc.translator.follow_ups.translator", "qlc.translator.rules.translator")
"""Modules that a conversation imports when they are needed."""


class Dying(SQLiteStore):
    def __init__(self, path: Path, writes: int) -> None:
        super().__init__(path)
        self._left = writes

    def write(self, *given: Any) -> None:
        super().write(*given)
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def _talk(data: Path, path: Path, writes: int, catalog: Path, texts: Sequence[str]) -> None:
    compiler = qlc.Compiler(qlc.connect(data, read_only=True), catalog)
    talk = Conversation(compiler, store=Dying(path, writes), id="a", now=NOW, size=4)
    for text in texts:
        talk.turn(text)


def status_of_killed(data: Path, path: Path, writes: int, catalog: Path, texts: Sequence[str]) -> int | None:
    """How the process of the conversation ended. One server has all modules and forks for each, which takes no time."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *_LATE])
    process = context.Process(target=_talk, args=(data, path, writes, catalog, texts))
    process.start()
    process.join(120)
    return process.exitcode
