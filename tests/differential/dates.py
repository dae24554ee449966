"""Periods, as a program writes them, that hold a given moment."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

ZONES = {
    "utc": ("UTC",),
    "summer time": ("Europe/Berlin", "America/New_York", "Pacific/Auckland", "America/St_Johns"),
    "offset": ("Asia/Kolkata", "Asia/Tokyo", "-09:30", "+05:45"),
}
"""Time zones by what is particular about them: the column of the coverage table that they fill."""

_LENGTHS = {"minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800, "months": 2_678_400, "years": 31_622_400}


def zone_class(zone: str) -> str:
    return next(name for name, zones in ZONES.items() if zone in zones)


def local(moment: datetime, zone: str) -> datetime:
    if zone[0] in "+-":
        return moment.astimezone(datetime.fromisoformat(f"2000-01-01T00:00:00{zone}").tzinfo)
    return moment.astimezone(ZoneInfo(zone))


def shown_in(moment: datetime, zone: str) -> datetime:
    """The moment at which clocks of a zone show what those of UTC show at another: a whole day is the same for all."""
    return moment.astimezone(UTC).replace(tzinfo=local(moment, zone).tzinfo)


def absolute(moment: datetime, zone: str, random_: random.Random) -> str:
    """A year, quarter, month, week, day, hour, minute or second around a moment."""
    here = local(moment, zone)
    year, week, _ = here.isocalendar()
    seconds = here.replace(microsecond=0, tzinfo=None)
    return random_.choice([
        f"{here:%Y}", f"{here:%Y}-Q{(here.month + 2) // 3}", f"{here:%Y-%m}", f"{year}-W{week:02}", f"{here:%Y-%m-%d}",
        f"{here:%Y-%m-%d}", f"{here:%Y-%m-%dT%H}", f"{here:%Y-%m-%dT%H:%M}", seconds.isoformat(),
        f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}Z", f'"{here:%Y-%m-%d}"',
    ])  # fmt: skip


def instant(moment: datetime, zone: str, random_: random.Random) -> str:
    """A moment with its offset, or in the zone of the program."""
    here = local(moment, zone).replace(microsecond=0)
    return random_.choice([here.isoformat(), f"{here:%Y-%m-%dT%H:%M}", f"{here:%Y-%m-%d}", f"{here:%Y-%m}"])


def relative(moment: datetime, now: datetime, zone: str, random_: random.Random) -> str:
    """A period relative to now that holds the moment, where one does."""
    here, there = local(moment, zone), local(now, zone)
    found = []
    days = (there.date() - here.date()).days
    named = {0: "today", 1: "yesterday", -1: "tomorrow"}
    if days in named:
        found.append(named[days])
    months = (there.year - here.year) * 12 + there.month - here.month
    weeks = ((there.date() - timedelta(there.weekday())) - (here.date() - timedelta(here.weekday()))).days // 7
    quarters = there.year * 4 + (there.month - 1) // 3 - here.year * 4 - (here.month - 1) // 3
    for unit, apart in (("month", months), ("week", weeks), ("quarter", quarters), ("year", there.year - here.year)):
        which = {0: "this", 1: "last", -1: "next"}.get(apart)
        if which:
            found.append(f"{which} {unit}")
    seconds = (now - moment).total_seconds()
    which = "last" if seconds >= 0 else "next"
    for unit, length in _LENGTHS.items():
        count = int(abs(seconds) // length) + random_.choice([1, 1, 2, 5])
        if count < 3000:
            found.append(f"{which} {count} {unit if count > 1 else unit[:-1]}")
    return random_.choice(found or ["this year"])
