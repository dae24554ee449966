"""Shared by the fuzzers: counts of findings, the last logged error, and the place where it was raised."""

import argparse
import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Findings:
    """Each thing that was found with the first input that showed it, and how often it was."""

    count: int = 0
    found: dict[str, str] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, asked: str) -> None:
        self.times[what] += 1
        self.found.setdefault(what, asked)

    def told(self) -> int:
        """Print all of it: 1 where something was found."""
        for what, times in self.times.most_common():
            print(f"{times} {what}: {self.found[what]!r}")
        return 1 if self.found else 0


class Errors(logging.Handler):
    """The last error that was logged, and the words of the last record."""

    last: BaseException | None = None
    text = ""

    def emit(self, record: logging.LogRecord) -> None:
        given = record.args if isinstance(record.args, tuple) else ()
        # a warning is logged with `exc_info=False`, which is kept as it is
        told = record.exc_info[1] if record.exc_info else None
        self.last = told or next((one for one in given if isinstance(one, BaseException)), None)
        self.text = f"{type(told).__name__} {place(told)}" if told else record.getMessage().partition(": ")[2][:120]


ERRORS = Errors(logging.WARNING)


@contextmanager
def remembered(name: str = "qlc") -> Iterator[Errors]:
    """Keep the records of a log, and hide them from other handlers."""
    logger = logging.getLogger(name)
    propagates, logger.propagate = logger.propagate, False
    logger.addHandler(ERRORS)
    try:
        yield ERRORS
    finally:
        logger.removeHandler(ERRORS)
        logger.propagate = propagates


def place(problem: BaseException | None, folder: str = "/qlc/", frames: int = 1) -> str:
    """Return the innermost lines of the code in `folder` where an error was raised."""
    own = [one for one in traceback.extract_tb(problem.__traceback__ if problem else None) if folder in one.filename]
    return " < ".join(f"{one.filename.rpartition(folder)[2]}:{one.lineno}" for one in own[: -frames - 1 : -1]) or "?"


FINE = 8
"""Tokens up to which a part is tried at every place."""


def smallest(tokens: list[str], still: Callable[[str], bool]) -> str:
    """The text with the tokens left out that are not needed for `still` to hold."""
    step = max(1, len(tokens) // 2)
    while step:
        at = 0
        while at < len(tokens):
            shorter = tokens[:at] + tokens[at + step :]
            if still("".join(shorter)):
                tokens = shorter
            else:
                at += step if step > FINE else 1  # `flag and` begins anywhere
        step //= 2
    return "".join(tokens)


def soak(run: Callable[[int], None], first: int, count: int, slow: float) -> Iterator[str]:
    """Yield the seeds that raise, or that take longer than `slow` seconds of the processor."""
    for seed in range(first, first + count):
        began = time.thread_time()
        try:
            run(seed)
        except Exception as problem:  # noqa: BLE001
            yield f"{seed} {type(problem).__name__} {place(problem)} {ascii(str(problem))[:200]}"
        if time.thread_time() - began > slow:
            yield f"{seed} took {time.thread_time() - began:.1f} s"


def options(module: str, about: str | None, count: int) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m tests.fuzz{module}", description=about)
    parser.add_argument("--count", type=int, default=count, help="how much is tried")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the same seed draws the same")
    return parser
