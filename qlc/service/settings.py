"""The limits of the service. All have a default that is safe on a network."""

from __future__ import annotations

from dataclasses import dataclass

from qlc.base.errors import UsageError
from qlc.base.options import DEFAULT_DEADLINE, LONGEST_DEADLINE


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of the service. Times are in seconds.

    `rate` limits the requests of each caller, in the notation of the package `limits` ("120/minute"); None: no limit.
    `rate_storage` is where they are counted: this process, or a server that all workers share ("async+redis://...").
    """

    max_body: int = 1_000_000
    """Bytes of the body of a request."""
    max_size: int = 1_000
    """Hits of a page."""
    deadline: float = DEFAULT_DEADLINE
    """The longest deadline of a run; a caller may ask for a shorter one."""
    rate: str | None = "300/minute"
    rate_storage: str = "async+memory://"
    concurrent: int = 16
    """Requests that run at the same time."""
    queue: int = 64
    """Requests that wait for their turn. Any more are refused with 503."""
    queue_time: float = 5.0
    """How long they wait before they are refused with 503."""
    io_time: float = 20.0
    """How long a client may take to send a body, or to read a part of a response."""
    export_time: float = 600.0
    """The longest that writing an export may take."""
    resume_time: float = 5.0
    """How long the work of a stream goes on after its client was lost, so that it can come back."""
    kept_time: float = 60.0
    """How long a finished stream is kept for a client that comes back."""
    kept_streams: int = 256
    hosts: frozenset[str] = frozenset()
    """The names in the header `Host` that are answered; none: all. Without credentials, a page of another site could
    otherwise ask under a name of its own that leads to this machine (DNS rebinding)."""
    origins: frozenset[str] = frozenset()
    """Other origins whose pages may send requests, such as "https://app.example". Requests of all other pages are
    refused: they could otherwise begin conversations in the name of their visitors."""
    show_requests: bool = False
    """Whether `explain` shows the requests to Elasticsearch, which have the conditions of the access rules."""

    def __post_init__(self) -> None:
        whole = ("max_body", "max_size", "concurrent", "queue", "kept_streams")
        wrong = [name for name in whole if getattr(self, name) < (0 if name in ("queue", "kept_streams") else 1)]
        times = ("deadline", "queue_time", "io_time", "export_time", "resume_time", "kept_time")
        wrong += [name for name in times if not 0 <= getattr(self, name) <= LONGEST_DEADLINE]
        if wrong:
            raise UsageError(f"the setting '{wrong[0]}' cannot be {getattr(self, wrong[0])!r}: give a number above 0")
