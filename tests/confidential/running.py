"""Draws pairs of stores and inputs, and compares what they answer."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from tests.confidential.inputs import answer, draw_input
from tests.confidential.worlds import draw_pair


@dataclass
class Compared:
    """How many inputs there were by kind and by the kind of the first outcome; what told the stores apart."""

    kinds: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        self.kinds += other.kinds
        self.differences += other.differences


def compare(seed: int, inputs: int) -> Compared:
    """Ask a pair of stores a number of things; the same seed draws the same."""
    found, random, pair = Compared(), Random(seed * 7919), draw_pair(seed)
    try:
        for _ in range(inputs):
            asked, more = draw_input(random), random.random()
            first, second = (answer(pair, number, asked, Random(more)) for number in (0, 1))
            told = json.loads(first)
            kind = told[0].get("kind", "") if told and isinstance(told[0], dict) else ""
            found.kinds[f"{asked[0]} {kind}".strip()] += 1
            if first != second:
                at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first))
                parts = " / ".join(one[max(0, at - 80) : at + 120] for one in (first, second))
                found.differences.append(f"pair {seed}, hidden {pair.hidden}: {asked}: {parts}")
    finally:
        pair.close()
    return found
