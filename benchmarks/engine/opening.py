"""What a new process does with a stored index: it opens the folder and answers one request of a shape.

`python -m benchmarks.engine.opening FOLDER SHAPE COUNT` prints seconds and memory as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.engine.measuring import requests, search


def first_answer(folder: str, shape: str, count: int) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.engine.opening", folder, shape, str(count)]
    answered = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(answered.stdout)
    return found


def memory() -> dict[str, float]:
    """Megabytes of this process: in use now, at most so far, and now without the pages of mapped files."""
    status = Path("/proc/self/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    names = {"resident": "VmRSS", "peak": "VmHWM", "anonymous": "RssAnon"}
    return {name: int(fields[key].split()[0]) / 1024 for name, key in names.items()}


def main(folder: str, shape: str, count: int) -> None:
    from qlc import connect

    (body,) = requests(shape, count, 1, seed=2)
    started, worked = time.perf_counter(), time.process_time()
    client = connect(folder, read_only=True)
    opened = time.perf_counter()
    search(client, body)
    answered = time.perf_counter()
    found = {"opening": opened - started, "answer": answered - opened, "processor": time.process_time() - worked}
    print(json.dumps({**found, **memory()}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
