"""Compares two answers: everything is equal, but floats that are sums or scores only nearly, and what errors say."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SCORE_TOLERANCE = 1e-5
FLOAT_TOLERANCE = 1e-9
_SCORES = frozenset({"_score", "max_score", "sort"})


def differences(expected: Any, got: Any, tolerance: float | None = None) -> list[str]:
    """One line for each part of the answer that differs."""
    return list(_compare(expected, got, "", tolerance))


def _compare(expected: Any, got: Any, path: str, tolerance: float | None) -> Iterator[str]:
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        yield from _compare_objects(expected, got, path, tolerance)
    elif isinstance(expected, list) and isinstance(got, list):
        yield from _compare_lists(expected, got, path, tolerance)
    elif not _same(expected, got, path, tolerance):
        yield f"{path}: expected {expected!r}, got {got!r}"


def _compare_objects(
    expected: Mapping[str, Any], got: Mapping[str, Any], path: str, tolerance: float | None
) -> Iterator[str]:
    for key in sorted(expected.keys() | got.keys()):
        inner = f"{path}.{key}"
        if key not in got:
            yield f"{inner}: expected {expected[key]!r}, got nothing"
        elif key not in expected:
            yield f"{inner}: expected nothing, got {got[key]!r}"
        elif key == "matched_queries":
            yield from _compare(sorted(expected[key]), sorted(got[key]), inner, tolerance)
        elif key != "error":
            # what it says differs between versions of the server; its status is compared
            yield from _compare(expected[key], got[key], inner, tolerance)


def _compare_lists(expected: Sequence[Any], got: Sequence[Any], path: str, tolerance: float | None) -> Iterator[str]:
    if path.endswith("hits.hits"):
        ids = [[hit.get("_id") for hit in side] for side in (expected, got)]
        if ids[0] != ids[1]:
            yield f"{path}: expected ids {ids[0]}, got {ids[1]}"
            return
    if len(expected) != len(got):
        yield f"{path}: expected {len(expected)} items, got {len(got)}: {list(expected)!r} and {list(got)!r}"
        return
    for position, (left, right) in enumerate(zip(expected, got, strict=True)):
        yield from _compare(left, right, f"{path}.{position}", tolerance)


def _same(expected: Any, got: Any, path: str, tolerance: float | None) -> bool:
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, int | float) and isinstance(got, int | float):
        if tolerance is not None:
            return math.isclose(expected, got, rel_tol=tolerance, abs_tol=tolerance)
        if type(expected) is not type(got):
            return False
        scored = any(step in _SCORES for step in path.split("."))
        near = SCORE_TOLERANCE if scored else FLOAT_TOLERANCE
        if isinstance(expected, float):
            return math.isclose(expected, got, rel_tol=near)
    return bool(expected == got)
