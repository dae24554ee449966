"""How one run goes: what the caller may give, and what it means."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from qlc.errors import UsageError

DEFAULT_SIZE = 10
DEFAULT_DEADLINE = 30.0


@dataclass(frozen=True, slots=True)
class Options:
    """How one run goes.

    now: aware datetime or ISO text (default: the clock). timezone: an IANA name, an offset or a tzinfo (default UTC).
    context: values of the access rules; params: values of `$parameters`; choices: tokens of clarifications and the ids
    chosen. size: hits of a page; cursor: from an earlier page. deadline: seconds over all round trips.
    """

    now: datetime | str | None = None
    timezone: str | tzinfo | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    size: int = DEFAULT_SIZE
    cursor: str | None = None
    deadline: float = DEFAULT_DEADLINE

    def __post_init__(self) -> None:
        if self.size < 0:
            raise UsageError(f"size must not be negative, and is {self.size}")


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
    return now if now.tzinfo is not None else now.replace(tzinfo=UTC)


@lru_cache(maxsize=64)
def zone_of(zone: str | tzinfo | None) -> tzinfo:
    if zone is None:
        return UTC
    if isinstance(zone, tzinfo):
        return zone
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
