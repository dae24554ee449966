"""What people and language models write who have not read the reference, and what comes of it (`habits.jsonl`).

Each line is executed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple


class Habit(NamedTuple):
    """`code` is empty where the text is accepted; `text` is then canonical, else what it is mended to."""

    written: str
    code: str
    text: str | None


HABITS = tuple(
    Habit(**json.loads(line)) for line in Path(__file__).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
)
