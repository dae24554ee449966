"""Does the harm that a file could do to its reader, in a module that a process imports quickly."""

import ctypes
import os
import time
from typing import Any

from qlc.corpus.limits import Limits


def badly(task: str, limits: Limits) -> Any:
    match task:
        case "crash":
            ctypes.string_at(0)
        case "hang":
            time.sleep(60)
        case "eat":
            return len(bytearray(4 << 30))
        case "pid":
            return os.getpid()
    return task
