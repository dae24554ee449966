"""What goes wrong around a command, in a sentence and an exit code: files, the server, the connection to it."""

from __future__ import annotations

from qlc.errors import RequestFailed


def failed(problem: RequestFailed) -> str:
    """What the server did, and in brackets what it said: whoever types a command can read both."""
    from qlc.present import failure_message

    sentence = failure_message(problem.reason).removesuffix(" The log has the details.")
    return f"{sentence} ({problem.detail.strip()})"


def told(problem: Exception) -> tuple[str, int] | None:
    """The message and the exit code; None for what is a defect."""
    if isinstance(problem, UnicodeDecodeError):
        return f"the input is not UTF-8: {problem.reason} at byte {problem.start:,}", 2
    if isinstance(problem, OSError | EOFError):
        where = f"'{problem.filename}': " if isinstance(problem, OSError) and problem.filename else ""
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        return f"{where}{reason}", 2
    from elastic_transport import TransportError
    from elasticsearch import ApiError

    from qlc.resolver.failures import failure_of

    if isinstance(problem, ApiError | TransportError):
        failure = failure_of(problem)
        return failed(failure), failure.exit_code
    return None
