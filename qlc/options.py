"""How one run goes: what the caller may give, and what it means."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any, TypedDict
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from qlc.errors import UsageError

DEFAULT_SIZE = 10
DEFAULT_DEADLINE = 30.0
LONGEST_DEADLINE = 10_000_000
"""More seconds than this no clock of the operating system waits for."""


class RunOptions(TypedDict, total=False):
    """What may be passed to a run: the names and types of `Options`, for whoever checks the types of a call."""

    now: datetime | str | None
    timezone: str | tzinfo | None
    as_of: datetime | str | None
    context: Mapping[str, Any]
    choices: Mapping[str, str]
    params: Mapping[str, Any]
    size: int
    cursor: str | None
    deadline: float


@dataclass(frozen=True, slots=True)
class Options:
    """How one run goes.

    now: aware datetime or ISO text (default: the clock). timezone: an IANA name, an offset or a tzinfo (default UTC).
    as_of: the instant that relative dates of the query go by in place of now, as of a list that was begun earlier;
    access rules go by now all the same.
    context: values of the access rules; params: values of `$parameters`; choices: tokens of clarifications and the ids
    chosen. size: hits of a page; cursor: from an earlier page. deadline: seconds over all round trips.
    """

    now: datetime | str | None = None
    timezone: str | tzinfo | None = None
    as_of: datetime | str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    size: int = DEFAULT_SIZE
    cursor: str | None = None
    deadline: float = DEFAULT_DEADLINE

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """Raises UsageError for a name that is no option, and for a value of the wrong kind."""
        names = cls.__dataclass_fields__
        for name in given:
            if name not in names:
                raise UsageError(f"there is no option '{name}'; the options are {', '.join(names)}")
        return cls(**given)

    def __post_init__(self) -> None:
        """Raises UsageError: what a caller passes by mistake is no defect of qlc that a log would have to tell."""
        if not isinstance(self.size, int):
            raise UsageError(f"size must be a whole number, not {kind_of(self.size)}")
        if self.size < 0:
            raise UsageError(f"size must not be negative, and is {self.size}")
        if not isinstance(self.deadline, int | float) or not abs(self.deadline) <= LONGEST_DEADLINE:
            raise UsageError(f"deadline must be a number of seconds below {LONGEST_DEADLINE:,}, not {self.deadline!r}")
        for name in ("context", "choices", "params"):
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise UsageError(f"{name} must map names to values, such as {{...}}, and is {kind_of(given)}")


def kind_of(given: Any) -> str:
    """What was passed instead, without its value: there may be a secret in it."""
    return "None" if given is None else f"of the type {type(given).__name__}"


def source_text(source: str) -> str:
    """The source itself, words or a query. Raises UsageError for what is no text."""
    if not isinstance(source, str):
        raise UsageError(f"what is asked must be a text (str), and is {kind_of(source)}")
    return source


def permitted(context: Mapping[str, Any]) -> frozenset[str] | None:
    """The sensitive fields that the context permits: `sensitive: True` for all, or names; anything else is none."""
    permitted = context.get("sensitive")
    if permitted is True:
        return None
    if isinstance(permitted, str):
        return frozenset({permitted})
    return frozenset(permitted) if isinstance(permitted, list | tuple | set | frozenset) else frozenset()


def access_key(context: Mapping[str, Any]) -> Hashable:
    return json.dumps(context, sort_keys=True, default=repr) if context else ""


def moment(now: datetime | str | None) -> datetime:
    if now is None:
        return datetime.now(UTC)
    if isinstance(now, str):
        try:
            now = datetime.fromisoformat(now)
        except ValueError:
            raise UsageError(f"now must be a date and time in ISO 8601, not '{now}'") from None
    if not isinstance(now, datetime):
        raise UsageError(f"now must be a datetime or a date and time in ISO 8601, and is {kind_of(now)}")
    return now if now.tzinfo is not None else now.replace(tzinfo=UTC)


@lru_cache(maxsize=64)
def zone_of(zone: str | tzinfo | None) -> tzinfo:
    if zone is None:
        return UTC
    if isinstance(zone, tzinfo):
        return zone
    if not isinstance(zone, str):
        raise UsageError(f"timezone must be an IANA name, an offset or a tzinfo, and is {kind_of(zone)}")
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder of zones
        pass
    try:
        offset = datetime.fromisoformat(f"2000-01-01T00:00:00{zone}").tzinfo
    except ValueError:
        offset = None
    if offset is None:
        raise UsageError(f"'{zone}' is no time zone; use an IANA name (Europe/Berlin) or an offset (+02:00)")
    return offset
