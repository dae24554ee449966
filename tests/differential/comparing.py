"""Compares two outcomes in full. Numbers may differ by what engines differ in by nature, and by no more."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

SUMS = 1e-9
"""Relative: sums of floating numbers are added in another order."""

LARGE = 2**52
"""The server rounds longs beyond twice this before it adds them, so that smaller sums are a little off as well."""

SCORES = 1e-5
"""Relative: scores are single floats."""


def differences(expected: Any, got: Any) -> list[str]:
    """One line for each part that differs."""
    return list(_compare(expected, got, ""))


def _compare(expected: Any, got: Any, path: str) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for key in sorted(expected.keys() | got.keys()):
            if key not in expected or key not in got:
                yield f"{path}.{key}: {_short(expected.get(key, 'nothing'))} and {_short(got.get(key, 'nothing'))}"
            else:
                yield from _compare(expected[key], got[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for at, (left, right) in enumerate(zip(expected, got, strict=True)):
            yield from _compare(left, right, f"{path}.{at}")
    elif not _same(expected, got, path):
        yield f"{path}: {_short(expected)} and {_short(got)}"


def _same(expected: Any, got: Any, path: str) -> bool:
    if isinstance(expected, float) and isinstance(got, float):
        near = SCORES if path.endswith(".score") else SUMS
        return math.isclose(expected, got, rel_tol=near, abs_tol=SUMS)
    if type(expected) is not type(got):
        return False
    if isinstance(expected, int) and abs(expected) > LARGE and ".value" in path:
        return math.isclose(expected, got, rel_tol=SUMS)  # a sum: exact in the engine, of floats on the server
    return bool(expected == got)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 300 else f"{text[:300]}..."
