"""What lets a short command start fast: most of its time goes into imports."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

COLLECTOR_THRESHOLD = 100_000
"""Objects that are made before the collector looks for cycles. With Python's own 700 it goes through what the imports
made dozens of times, a tenth of the time of a short command, and all of that lives to the end."""

_USUAL = gc.get_threshold()
_UNUSED_TRANSPORTS = ("aiohttp", "httpx", "requests")


class _UnusedTransports:
    """Hides HTTP libraries from the search client's transport, and from nothing else.

    It imports those that are installed, and the command line only speaks through urllib3.
    """

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        transport = sys.modules.get("elastic_transport")
        if name in _UNUSED_TRANSPORTS and transport is not None and not hasattr(transport, "__all__"):
            raise ModuleNotFoundError(f"not needed here: {name}", name=name)
        return None


def start_lean() -> None:
    """Call once, in a process that runs one command."""
    gc.set_threshold(COLLECTOR_THRESHOLD)
    # At the end Python would look for cycles in all that there is before it lets go of it.
    atexit.register(gc.freeze)
    sys.meta_path.insert(0, _UnusedTransports)


def goes_on() -> None:
    """Call before the client is imported, where the command is a service: it speaks through aiohttp, and lives long."""
    gc.set_threshold(*_USUAL)
    if _UnusedTransports in sys.meta_path:
        sys.meta_path.remove(_UnusedTransports)
