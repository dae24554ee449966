"""`python -m tests.fuzz --count N --seed S --processes P`: many random programs; 1 where something was found."""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

from tests.fuzz.running import options
from tests.fuzz.target import ENTITIES, Report, part


def main() -> int:
    parser = options("", __doc__, 10_000)
    parser.add_argument("--processes", type=int, default=1, help="each with a seed of its own, from --seed on")
    parser.add_argument("--entities", type=int, default=ENTITIES, help="how much of the sample store is searched")
    parser.add_argument("--compile", action="store_true", help="compile only: no program is run")
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    started = time.perf_counter()
    report = Report()
    if given.processes == 1:
        report.add(part(given.count, given.seed, given.entities, not given.compile))
    else:
        share = -(-given.count // given.processes)
        seeds = range(given.seed, given.seed + given.processes)
        with ProcessPoolExecutor(given.processes, mp_context=get_context("spawn")) as pool:
            for found in pool.map(part, repeat(share), seeds, repeat(given.entities), repeat(not given.compile)):
                report.add(found)
    for line in report.lines():
        print(line)
    print(f"{report.count / (time.perf_counter() - started):,.0f} programs a second")
    return 1 if report.found else 0


if __name__ == "__main__":
    sys.exit(main())
