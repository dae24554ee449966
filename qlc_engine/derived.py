"""Arrays derived from immutable columns (rounded months, distinct values), kept as long as their columns live.

Columns never change, so an entry is valid while the array it was derived from is the very same object.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

#: Entries, not bytes: one is at most an int32 per value of a column.
_CAPACITY = 256
_lock = threading.Lock()
_entries: OrderedDict[tuple[Hashable, ...], tuple[tuple[weakref.ref[Any], ...], Any]] = OrderedDict()


def derived(sources: tuple[np.ndarray, ...], what: Hashable, compute: Callable[[], T]) -> T:
    """The value of `compute()` for these source arrays and this description, computed once."""
    key = (what, *(id(source) for source in sources))
    with _lock:
        found = _entries.get(key)
        if found is not None and all(ref() is source for ref, source in zip(found[0], sources, strict=True)):
            _entries.move_to_end(key)
            value: T = found[1]
            return value
    value = compute()
    with _lock:
        _entries[key] = (tuple(weakref.ref(source) for source in sources), value)
        while len(_entries) > _CAPACITY:
            _entries.popitem(last=False)
        for stale in [k for k, (refs, _) in _entries.items() if any(ref() is None for ref in refs)]:
            del _entries[stale]
    return value
