"""Mistakes of people and language models who have not read the reference, with their outcomes (`wrong.jsonl`).

Each line is executed. The table of syntax errors in docs/diagnostics.md shows the first line of each code.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Wrong(NamedTuple):
    """`code` is empty where the text is accepted; `text` is then canonical, else what it is mended to, if it is.

    `others`: the codes of further findings, in their order. `syntax`: only read, by the grammar alone; `ours` is then a
    right text where none is offered.
    """

    written: str
    code: str
    text: str | None
    ours: str = ""
    syntax: bool = False
    others: Sequence[str] = ()

    @property
    def right(self) -> str:
        return self.text or self.ours


_LINES = Path(__file__).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
CORPUS = tuple(Wrong(**json.loads(line)) for line in _LINES)
SYNTAX = tuple(one for one in CORPUS if one.syntax)
CODES = tuple(dict.fromkeys(one.code for one in SYNTAX))
"""Every code of a syntax error."""
