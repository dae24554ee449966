"""What of a conversation must not be sent to a model, whoever asks."""

from __future__ import annotations

from qlc.compiler.check import check
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping.schema import Schema


def is_sensitive(program: str, schema: Schema) -> bool:
    """Whether a program uses what not everybody may see: it is wrong for somebody without any permission."""
    try:
        tree = parse(program)
    except SyntaxProblem:
        return True
    return any(found.severity == "error" for found in check(tree, schema, program).diagnostics)
