"""Draws pairs of stores and inputs, and compares the answers of both stores."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from tests.confidential.corpora import ASKED, draw_corpora, draw_options
from tests.confidential.inputs import answer, draw_input
from tests.confidential.worlds import draw_pair


@dataclass
class Compared:
    """How many inputs there were by kind and by the kind of the first outcome; what told the stores apart."""

    kinds: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def compared(self, asked: str, first: str, second: str) -> None:
        """Keep what tells two answers apart."""
        if first != second:
            at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first))
            parts = " / ".join(one[max(0, at - 80) : at + 120] for one in (first, second))
            self.differences.append(f"{asked}: {parts}")

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
            found.compared(f"pair {seed}, hidden {pair.hidden}: {asked}", first, second)
    finally:
        pair.close()
    return found


def compare_corpora(seed: int, inputs: int) -> Compared:
    """Ask a pair of corpora a number of things."""
    found, random, pair = Compared(), Random(seed * 7919), draw_corpora(seed)
    kinds, weights = [one[0] for one in ASKED], [one[1] for one in ASKED]
    try:
        for number in range(inputs):
            kind = kinds[number % len(kinds)] if number < len(kinds) else random.choices(kinds, weights)[0]
            ask, more = next(one[2] for one in ASKED if one[0] == kind), random.random()
            options = draw_options(random)
            first, second = (side.told(ask(side, Random(more), options)) for side in pair.sides)
            found.kinds[f"corpus {kind}"] += 1
            found.compared(f"corpora {seed}, rule {pair.rule}: {kind}, drawn {more}, {options}", first, second)
    finally:
        pair.close()
    return found
