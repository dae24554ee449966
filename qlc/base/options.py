"""The options of one run: their names, types and checks."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Any, TypedDict
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from qlc.base.errors import OptionError, UsageError
from qlc.base.texts import has_half

DEFAULT_SIZE = 10
DEFAULT_DEADLINE = 30.0
LONGEST_DEADLINE = 10_000_000
"""Most seconds of a deadline; operating systems do not wait for more."""
LARGEST_SIZE = 2**31 - 1
"""Most hits of a page, as Elasticsearch counts them."""
MOST_LEVELS = 10
"""Most levels of mappings and lists in values of parameters; two are in use."""
LONGEST_ZONE = 200
LONGEST_SHOWN = 60
"""Most characters of a wrong value in a message."""
WHOLE = "give the number of hits of a page, from 0"


class RunOptions(TypedDict, total=False):
    """The names and types of `Options`, for type checks of calls."""

    now: datetime | str | None
    timezone: str | tzinfo | None
    as_of: datetime | str | None
    context: Mapping[str, Any]
    choices: Mapping[str, str]
    params: Mapping[str, Any]
    size: int
    cursor: str | None
    all_columns: bool
    deadline: float


@dataclass(frozen=True, slots=True)
class Options:
    """Options of one run.

    - `now`: aware datetime or ISO text (default: the clock). `timezone`: an IANA name, an offset or a tzinfo (default
      UTC).
    - `as_of`: the instant for relative dates of the query instead of `now`, for a list that was begun earlier.
    - `context`: values for access rules; `params`: values of `$parameters`; `choices`: tokens of clarifications and
      chosen ids.
    - `size`: hits of a page; `cursor`: from an earlier page.
    - `all_columns`: hits show every field that the caller may see, instead of those of the query or the catalog.
    - `deadline`: seconds for the whole run, including compilation.

    Access rules use the clock of the compiler and the time zone of the catalog, whatever the options.
    """

    now: datetime | str | None = None
    timezone: str | tzinfo | None = None
    as_of: datetime | str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    size: int = DEFAULT_SIZE
    cursor: str | None = None
    all_columns: bool = False
    deadline: float = DEFAULT_DEADLINE

    @property
    def instant(self) -> datetime:
        """The instant for relative dates of the query."""
        return moment(self.now if self.as_of is None else self.as_of)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """Check options and return them. Raises UsageError for an unknown option and for an invalid context,
        OptionError for an invalid value."""
        names = cls.__dataclass_fields__
        for name in given:
            if name not in names:
                raise UsageError(f"there is no option '{name}'; the options are {', '.join(names)}")
        return cls(**given)

    def __post_init__(self) -> None:
        """Check the options. The context comes from the program, everything else may come from a user."""
        if self.context != {}:
            if not isinstance(self.context, Mapping):
                raise UsageError(f"context must map names to values, such as {{...}}, and is {kind_of(self.context)}")
            if has_half(dict(self.context)):
                # Shown replaced it could be equal to another tenant's.
                raise UsageError("context has an unpaired surrogate in a text")
        if not isinstance(self.size, int) or isinstance(self.size, bool):
            raise OptionError("option-size", f"size must be a whole number, and is {kind_of(self.size)}", WHOLE)
        if not 0 <= self.size <= LARGEST_SIZE:
            reason = "negative" if self.size < 0 else f"larger than {LARGEST_SIZE:,}"
            raise OptionError("option-size", f"size must not be {reason}", WHOLE)
        if not isinstance(self.deadline, int | float) or not abs(self.deadline) <= LONGEST_DEADLINE:
            message = f"deadline must be a number of seconds below {LONGEST_DEADLINE:,}"
            raise OptionError("option-deadline", message, "leave it out, or give the seconds to wait")
        if self.cursor is not None and not isinstance(self.cursor, str):
            message = f"cursor must be the text that a page came with, and is {kind_of(self.cursor)}"
            raise OptionError("invalid-cursor", message, "run the query without the cursor")
        if not isinstance(self.all_columns, bool):
            message = f"all_columns must be True or False, and is {kind_of(self.all_columns)}"
            raise OptionError("option-all-columns", message, "leave it out, or pass True")
        wrong = _wrong_names("choices", self.choices)
        if wrong is None and self.choices and not all(isinstance(chosen, str) for chosen in self.choices.values()):
            wrong = "what is chosen must be the id of an option, which is a text"
        if wrong is not None:
            raise OptionError("option-choices", wrong, "pass {token: id}, as a question back offered them")
        wrong = _wrong_names("params", self.params)
        if wrong is not None:
            raise OptionError("option-params", wrong, "pass {name: value}, with a value for each $name")
        for time in (self.now, self.as_of):
            if time is not None:
                moment(time)
        zone_of(self.timezone)


def _wrong_names(name: str, given: Any) -> str | None:
    """Return what is wrong with an option that maps names to values; None if nothing is."""
    if given == {}:
        return None
    if not isinstance(given, Mapping):
        return f"{name} must map names to values, such as {{...}}, and is {kind_of(given)}"
    if not all(isinstance(key, str) for key in given):
        return f"the names in {name} must be texts"
    if _is_deep(given):
        return f"{name} must not be nested more than {MOST_LEVELS} levels deep"
    if has_half(dict(given)):
        return f"{name} has an unpaired surrogate in a text: it was cut, or decoded with the wrong encoding"
    return None


def _is_deep(data: Any) -> bool:
    level = [data]
    for _ in range(MOST_LEVELS):
        level = [
            inner
            for one in level
            if isinstance(one, Mapping | list | tuple | set | frozenset)
            for inner in (one.values() if isinstance(one, Mapping) else one)
        ]
    return bool(level)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def kind_of(given: Any) -> str:
    """Return the type of a wrong value for a message; the value itself may be a secret."""
    return "None" if given is None else f"of the type {type(given).__name__}"


def source_text(source: str) -> str:
    """Return the source. Raises UsageError if it is not a text."""
    if not isinstance(source, str):
        raise UsageError(f"what is asked must be a text (str), and is {kind_of(source)}")
    return source


def permitted(context: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the sensitive fields that the context permits: `sensitive: True` for all (None), or names; otherwise
    none."""
    permitted = context.get("sensitive")
    if permitted is True:
        return None
    if isinstance(permitted, str):
        return frozenset({permitted})
    return frozenset(permitted) if isinstance(permitted, list | tuple | set | frozenset) else frozenset()


def access_key(context: Mapping[str, Any]) -> Hashable:
    return json.dumps(context, sort_keys=True, default=repr) if context else ""


def moment(now: datetime | str | None) -> datetime:
    """Return the time of `now` with its zone. Raises OptionError."""
    if now is None:
        return datetime.now(UTC)
    hint = "leave it out, or write it as 2026-03-15T12:00:00Z"
    if isinstance(now, str):
        text = now
        try:
            now = datetime.fromisoformat(text)
        except ValueError as problem:
            why = "" if "isoformat" in str(problem) else f": {problem}"
            message = f"now must be a date and time in ISO 8601, not '{_short(text)}'{why}"
            raise OptionError("option-now", message, hint) from None
    if not isinstance(now, datetime):
        message = f"now must be a datetime or a date and time in ISO 8601, and is {kind_of(now)}"
        raise OptionError("option-now", message, hint)
    now = now if now.tzinfo is not None else now.replace(tzinfo=UTC)
    if MINYEAR < now.year < MAXYEAR:
        return now
    try:
        for days in (-1, 1):  # in whatever zone it is shown
            (now + timedelta(days)).astimezone(UTC)
    except OverflowError:
        raise OptionError("option-now", "now must lie in the years 0001 to 9998", hint) from None
    return now


def zone_of(zone: str | tzinfo | None) -> tzinfo:
    """The time zone. Raises OptionError."""
    if zone is None:
        return UTC
    if isinstance(zone, tzinfo):
        return zone
    hint = "use an IANA name (Europe/Berlin) or an offset (+02:00)"
    if not isinstance(zone, str):
        message = f"timezone must be an IANA name, an offset or a tzinfo, and is {kind_of(zone)}"
        raise OptionError("option-timezone", message, hint)
    found = _named_zone(zone)
    if found is None:
        raise OptionError("option-timezone", f"'{_short(zone)}' is not a time zone", hint)
    return found


@lru_cache(maxsize=64)
def _named_zone(zone: str) -> tzinfo | None:
    if len(zone) > LONGEST_ZONE:
        return None
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: the name of a folder of zones
        pass
    try:
        return datetime.fromisoformat(f"2000-01-01T00:00:00{zone}").tzinfo
    except ValueError:
        return None
