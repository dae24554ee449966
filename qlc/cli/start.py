"""Makes short commands start fast: imports take most of their time."""

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
_UNUSED = {"aiohttp": "elastic_transport", "httpx": "elastic_transport", "requests": "elastic_transport",
           "pyarrow": "elasticsearch"}  # fmt: skip
"""Libraries that the search client imports where they are installed, by the package of it that does."""


class _Unused:
    """Hides these libraries from the search client while it is imported, and from nothing else.

    The command line speaks through urllib3 and sends JSON.
    """

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        importing = sys.modules.get(_UNUSED.get(name, ""))
        if importing is not None and not hasattr(importing, "__all__"):
            raise ModuleNotFoundError(f"not needed here: {name}", name=name)
        return None


def start_lean() -> None:
    """Call once, in a process that runs one command."""
    gc.set_threshold(COLLECTOR_THRESHOLD)
    # At the end Python would look for cycles in all that there is before it lets go of it.
    atexit.register(gc.freeze)
    sys.meta_path.insert(0, _Unused)


def goes_on() -> None:
    """Prepare for a service, before the client is imported: it uses aiohttp, and runs for long."""
    gc.set_threshold(*_USUAL)
    if _Unused in sys.meta_path:
        sys.meta_path.remove(_Unused)
