"""Limits for one file of a corpus: bytes, seconds, memory, characters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one file."""

    file_bytes: int = 1024 * 1024 * 1024
    seconds: float = 120.0
    memory_bytes: int = 1024 * 1024 * 1024
    """Address space of a reading process beside what its libraries need (POSIX only)."""
    characters: int = 20_000_000
    """Characters of text: some 6,000 pages."""
