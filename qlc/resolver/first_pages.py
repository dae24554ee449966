"""What the first page of a list found out, kept for the next ones: these cost one search, whatever it looked up."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from qlc.compiler.request import Body

LIFE_SECONDS = 120.0
"""From the first page on. What a list finds through others, and what its access rule looks up, is as old as this."""

MOST_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class FirstPage:
    """The compiled search, and what was told of names and values."""

    body: Body
    notes: tuple[str, ...]


class FirstPages:
    """First pages by list: query, catalog, access, parameters, choices and instant. Safe under threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[float, FirstPage]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> FirstPage | None:
        with self._lock:
            until, page = self._kept.get(key, (0.0, None))
        return page if until > time.monotonic() else None

    def keep(self, key: Hashable, page: FirstPage) -> None:
        with self._lock:
            self._kept[key] = (time.monotonic() + LIFE_SECONDS, page)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
