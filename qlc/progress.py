"""What happens on the way to an answer, for whoever waits for it: stages report it as they are done.

The listener lies in a context variable, as the deadline does; without one a report costs a tenth of a microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Listener = Callable[[str, dict[str, Any]], None]
"""Called with the name of a stage and its details, on any thread. It must not wait, nor raise."""

_LISTENER: ContextVar[Listener | None] = ContextVar("qlc_progress", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Within, and in the threads and tasks that begin within, reports go to a listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report(stage: str, **details: Any) -> None:
    """Say that a stage is done. `details` have nothing that the caller of the run may not see."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(stage, details)
