"""Opening a folder whose writer was killed: only what came after the last saved segment is built again.

`python -m benchmarks.engine.crash FOLDER FIRST LAST` loads entities and waits to be killed.
"""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks.engine.measuring import INDEX, load

_TAIL = 4_000


def rebuilt_tail(folder: str, count: int) -> tuple[int, float]:
    """How many entities a killed writer had not saved as a segment, and the seconds to the first answer after that."""
    from qlc import connect

    command = [sys.executable, "-m", "benchmarks.engine.crash", folder, str(count), str(count + _TAIL)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "loaded\n"
        writer.kill()
    started = time.perf_counter()
    with connect(folder) as client:
        assert client.count(index=INDEX)["count"] >= count + _TAIL
        return _TAIL, time.perf_counter() - started


def main(folder: str, first: int, last: int) -> None:
    from qlc import connect

    load([connect(folder)], first, last)
    print("loaded", flush=True)
    time.sleep(600)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
