"""A limit on time for one call: what goes on for ever is ended and told, and the run goes on."""

import ctypes
import threading
import traceback
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class OverdueError(BaseException):
    """Raised inside of a call that takes too long. No `except Exception` on its way keeps it."""


def within(seconds: float, call: Callable[[], T]) -> T:
    """Return the result of a call. Raises OverdueError if it takes longer; a call that waits in the system ends
    later."""
    thread, lock, ended = threading.get_ident(), threading.Lock(), False

    def end() -> None:
        with lock:
            if not ended:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OverdueError))

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        return call()
    finally:
        with lock:
            ended = True
        timer.cancel()


def where(error: BaseException, lines: int = 4) -> str:
    """The innermost places of a traceback, on one line."""
    frames = traceback.extract_tb(error.__traceback__)[-lines:]
    return " > ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames)
