"""A ledger: messages that are true and could teach more. A better one moves its case to errors_table.py."""

from __future__ import annotations

import pytest

from .reading import problem


@pytest.mark.parametrize(
    ("source", "message", "better"),
    [
        (
            "find documents limit ten",
            "expected a number, found 'ten'",
            "write 10",
        ),
        (
            "let x = 5, y = 6 find documents",
            "expected 'find', 'count', 'get' or a measure such as 'sum(...)', found ','",
            "each name has its own 'let'",
        ),
        (
            "find documents where (a and) b",
            "expected a condition such as 'name = \"...\"', found ')'",
            "'and' has nothing on its right",
        ),
        (
            "percentile(95, a) of documents",
            "expected a field, found '95'",
            "the field comes first: percentile(a, 95)",
        ),
        (
            "find documents where a like %x%",
            "expected a value, found '%'",
            'write like "*x*"',
        ),
    ],
)
def test_message(source: str, message: str, better: str) -> None:
    found = problem(source)
    assert found.message == message
    assert better not in found.hint
