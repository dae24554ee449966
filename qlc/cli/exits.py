"""The exit code of a command, by what came of it."""

from __future__ import annotations

from qlc.outcome import Outcome, Several

EXIT_OF_KIND = {
    "invalid": 1, "rejected_query": 1, "clarify": 3, "not_found": 4, "unsupported": 4, "refuse": 4, "declined": 4,
    "not_in_corpus": 4, "failed": 5,
}  # fmt: skip


def exit_of(outcome: Outcome) -> int:
    """Of several answers the highest."""
    each = outcome.outcomes if isinstance(outcome, Several) else (outcome,)
    return max(EXIT_OF_KIND.get(one.kind, 0) for one in each)
