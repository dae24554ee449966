"""`python -m tests.confidential --count 20000 --seed 1`: as many inputs over pairs of stores, and what differed."""

import argparse
import logging
import sys
import time

from qlc.corpus import work
from tests import reading
from tests.confidential.running import Compared, compare, compare_corpora

INPUTS = 40
"""Asked of one pair."""
_CORPORA = 8
"""One pair of so many is one of corpora, which takes longer."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.confidential", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    logging.getLogger("qlc").setLevel(logging.CRITICAL)
    work.Process = reading.Here  # type: ignore[assignment, misc]
    found = Compared()
    for number in range(max(1, options.count // INPUTS)):
        found.add((compare if number % _CORPORA else compare_corpora)(options.seed + number, INPUTS))
    for kind, count in sorted(found.kinds.items()):
        print(f"{count:7,}  {kind}")
    print(f"{sum(found.kinds.values()):,} inputs, seed {options.seed}, {len(found.differences)} differences")
    for one in found.differences[:20]:
        print(one)
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main())
