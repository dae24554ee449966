"""`python -m tests.fuzz --count N --seed S`: many random programs; 1 where something was found."""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial

from tests.fuzz.target import ENTITIES, Target, fuzz, small_store


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--count", type=int, default=10_000, help="programs to try")
    options.add_argument("--seed", type=int, default=int(time.time()), help="the same seed draws the same programs")
    options.add_argument("--entities", type=int, default=ENTITIES, help="how much of the sample store is searched")
    given = options.parse_args()
    print(f"seed {given.seed}", flush=True)
    started = time.perf_counter()
    tell = partial(print, flush=True)
    report = fuzz(Target(small_store(given.entities)), given.count, given.seed, tell=tell)
    for line in report.lines():
        print(line)
    print(f"{report.count / (time.perf_counter() - started):,.0f} programs a second")
    return 1 if report.found else 0


if __name__ == "__main__":
    sys.exit(main())
