"""Lists the cases that the embedded engine refuses, by name, because it does not implement a part of them."""

import json
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

from tests.conformance.asking import Answer
from tests.conformance.cases import Case
from tests.conformance.comparing import differences

PATH = Path(__file__).parent / "left_out.txt"
_REFUSAL = "is not implemented in the embedded engine"
_NO_PATH = "no handler found for uri"


def is_refusal(expected: list[Answer], got: list[Answer], missing: Collection[str]) -> bool:
    """Whether the first answer that differs says so, or that an index is missing which was itself refused."""
    pairs = zip(expected, got, strict=False)
    first = next((right for left, right in pairs if differences(left, right)), None)
    if first is None or first["status"] not in (400, 404):
        return False
    said = json.dumps(first["body"])
    return _REFUSAL in said or _NO_PATH in said or any(f"no such index [{name}]" in said for name in missing)


def refused_indices(refused: Iterable[str]) -> frozenset[str]:
    """The indices among what `corpus.load` reports that were refused as not implemented."""
    indices = (line for line in refused if line.startswith("index ") and _REFUSAL in line)
    return frozenset(line.removeprefix("index ").split(":")[0] for line in indices)


@cache
def left_out() -> frozenset[str]:
    """Return the names in the list."""
    return frozenset(PATH.read_text(encoding="utf-8").splitlines()) if PATH.exists() else frozenset()


def line_of(case: Case) -> str:
    """How a case stands in the list."""
    return f"{case.topic} / {case.key}"


def write(found: Iterable[Case]) -> None:
    """Replace the list."""
    PATH.write_text("".join(f"{line_of(case)}\n" for case in found), encoding="utf-8")
    left_out.cache_clear()
