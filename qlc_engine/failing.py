"""What stands around the work of the engine: errors of the disk as answers, and a garbage collector that waits."""

from __future__ import annotations

import contextlib
import gc
import sqlite3
from collections.abc import Iterator

from qlc_engine.errors import EngineError
from qlc_engine.segment_file import DamagedSegmentError
from qlc_engine.store import DamagedStoreError


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Parsed documents hold no cycles; looking through them for some would take a third of the time of a bulk."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextlib.contextmanager
def storage_errors() -> Iterator[None]:
    """What the disk fails in, and what stands on it damaged, as the errors that a server answers."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise EngineError("i_o_exception", f"the folder cannot be read or written: {error}", status=500) from error
    except OSError as error:
        reason = f"the folder cannot be read or written: {error.strerror or error}"
        raise EngineError("i_o_exception", reason, status=500) from error
    except (DamagedStoreError, DamagedSegmentError, sqlite3.DatabaseError) as error:
        reason = f"{error}; 'qlc repair FOLDER' tells what can be mended"
        raise EngineError("corrupt_index_exception", reason, status=500) from error
