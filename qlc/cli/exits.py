"""The exit code of a command by its outcome, and the message of a failed one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qlc.base.errors import OptionError, QlcError, RequestFailed, reason_of

if TYPE_CHECKING:
    from qlc.outcome import Outcome

EXIT_OF_KIND = {
    "invalid": 1, "rejected_query": 1, "clarify": 3, "not_found": 4, "unsupported": 4, "refuse": 4, "declined": 4,
    "not_in_corpus": 4, "passages": 4, "failed": 5,
}  # fmt: skip


def exit_of(outcome: Outcome) -> int:
    """Return the exit code of an outcome; for several outcomes the highest one."""
    from qlc.outcome import Several

    each = outcome.outcomes if isinstance(outcome, Several) else (outcome,)
    return max(EXIT_OF_KIND.get(one.kind, 0) for one in each)


def failed(problem: RequestFailed) -> str:
    """Return the message of a failed request, followed by the words of the server where they add something:
    `The search server refused the request (parse error).`"""
    from qlc.pipeline.present import failure_message

    sentence = failure_message(problem).removesuffix(" The log has the details.")
    if problem.sentence:
        return sentence
    # Each library wraps the error of the one below it: the innermost says what happened.
    around, _, innermost = problem.detail.strip().rpartition("caused by: ")
    return f"{sentence} ({innermost.partition('(')[2].rstrip(')') if around else innermost})"


def message_of(problem: Exception) -> tuple[str, int] | None:
    """Return the message and the exit code of an error around a command; None for a defect."""
    if isinstance(problem, OptionError) and problem.hint:
        return f"{problem}; {problem.hint}", problem.exit_code
    if isinstance(problem, QlcError):
        return failed(problem) if isinstance(problem, RequestFailed) else str(problem), problem.exit_code
    if isinstance(problem, UnicodeDecodeError):
        return f"the input is not UTF-8: {problem.reason} at byte {problem.start:,}; save it as UTF-8", 2
    if isinstance(problem, OSError | EOFError):
        where = f"'{problem.filename}': " if isinstance(problem, OSError) and problem.filename else ""
        return f"{where}{reason_of(problem)}", 2
    from elastic_transport import TransportError
    from elasticsearch import ApiError

    from qlc.resolver.failures import failure_of

    if isinstance(problem, ApiError | TransportError):
        return message_of(failure_of(problem))
    return None
