"""Writes the TextMate grammar of programs from the terminals of qlc.lark: `python scripts/textmate.py`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from qlc.grammar.lark_parser import parser, spellings

PATH = Path(__file__).resolve().parent.parent / "editors/vscode/syntaxes/qlc.tmLanguage.json"
SCOPES = {
    "COMMENT": "comment.line.double-dash.qlc", "STRING": "string.quoted.qlc", "DATE": "constant.numeric.date.qlc",
    "NUMBER": "constant.numeric.qlc", "PARAMETER": "variable.parameter.qlc",
}  # fmt: skip
"""The scope of each terminal with a pattern of its own, in the order in which they are tried."""


def grammar() -> dict[str, Any]:
    """Return the grammar: the patterns of terminals, then every keyword, then signs."""
    patterns = {one.name: one.pattern.to_regexp() for one in parser().terminals}
    words = sorted((one for one in spellings() if one.isidentifier()), key=lambda one: (-len(one), one))
    signs = sorted((one for one in spellings() if not re.search(r"\w|\s", one)), key=lambda one: (-len(one), one))
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "qlc",
        "scopeName": "source.qlc",
        "patterns": [
            *({"name": scope, "match": patterns[name]} for name, scope in SCOPES.items()),
            {"name": "keyword.other.qlc", "match": rf"(?i)(?<![\w.$])(?:{'|'.join(words)})(?!\w)"},
            {"name": "keyword.operator.qlc", "match": "|".join(map(re.escape, signs))},
        ],
    }


if __name__ == "__main__":
    PATH.write_text(json.dumps(grammar(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
