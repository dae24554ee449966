"""Pieces of the sentences that people are told."""

from __future__ import annotations

from collections.abc import Iterable


def listed(parts: Iterable[str], joined: str = "and") -> str:
    """`one, two and three`"""
    *most, last = [*parts] or [""]
    return f"{', '.join(most)} {joined} {last}" if most else last


def shortened(text: str, most: int = 120) -> str:
    """The text, its end left out where it is longer than so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
