"""How much a test tries: a little in each run of the suite, much in `make soak`, which sets QLC_MANY."""

import os

IS_MANY = bool(os.environ.get("QLC_MANY"))


def some(few: int, many: int) -> int:
    """Return the first number in a run of the suite, the second in `make soak`."""
    return many if IS_MANY else few
