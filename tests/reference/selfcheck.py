"""python -m tests.reference.selfcheck [part of an id]: what each case expects, with the empty ones marked."""

import sys
from collections import Counter

from .case import Case, Clarify, Hits, Invalid, NotFound, Rows, Value
from .everything import CASES, TOPICS


def describe(case: Case) -> tuple[str, bool]:
    """The expectation in a few words, and whether it looks too thin to test anything."""
    expect = case.expect
    if isinstance(expect, Hits):
        ids = expect.ids()
        return f"hits {len(ids)}{' ordered' if expect.ordered else ''}", not ids
    if isinstance(expect, Value):
        found = expect.of()
        return f"value {found!r}"[:100], found is None or found == 0
    if isinstance(expect, Rows):
        found = expect.of()
        return f"rows {len(found)}: {found[:3]}"[:150], not found
    if isinstance(expect, Clarify):
        return f"clarify {len(expect.ids())}", len(expect.ids()) < 2
    if isinstance(expect, NotFound):
        return f"not found {expect.names!r}", False
    assert isinstance(expect, Invalid)
    return f"refused: {expect.mistake}", False


def main(wanted: str) -> int:
    broken = [name for name, times in Counter(case.id for case in CASES).items() if times > 1]
    for name in broken:
        sys.stdout.write(f"TWICE   {name}\n")
    for case in CASES:
        if wanted not in case.id:
            continue
        try:
            said, thin = describe(case)
        except Exception as error:  # noqa: BLE001 - every broken case is to be listed
            said, thin = f"BROKEN {error!r}", True
            broken.append(case.id)
        mark = "EMPTY  " if thin else "       "
        sys.stdout.write(f"{mark} {case.id:40} {said}\n")
    for topic, cases in TOPICS.items():
        sys.stdout.write(f"{topic}: {len(cases)}\n")
    sys.stdout.write(f"{len(CASES)} cases, {len(broken)} broken\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
