"""The proleptic ISO calendar on plain integers, for any year (Python's own stops at 1 and 9999).

Days are counted from 1970-01-01; milliseconds from its midnight in UTC.
"""

from __future__ import annotations

MS_PER_SECOND = 1_000
MS_PER_MINUTE = 60_000
MS_PER_HOUR = 3_600_000
MS_PER_DAY = 86_400_000
MS_PER_WEEK = 7 * MS_PER_DAY

_DAYS_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    return 29 if month == 2 and is_leap(year) else _DAYS_IN_MONTH[month - 1]


def day_of_year(year: int, month: int, day: int) -> int:
    """1 for 1 January."""
    return _DAYS_BEFORE_MONTH[month - 1] + day + (1 if month > 2 and is_leap(year) else 0)


def days_from_civil(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 of a valid date."""
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 - 719_163 + day_of_year(year, month, day)


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Year, month and day, by the 400-year cycle that begins on 1 March of year 0."""
    shifted = days + 719_468
    cycle, day_of_cycle = divmod(shifted, 146_097)
    year_of_cycle = (day_of_cycle - day_of_cycle // 1_460 + day_of_cycle // 36_524 - day_of_cycle // 146_096) // 365
    day_of_march_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle // 4 - year_of_cycle // 100)
    march_month = (5 * day_of_march_year + 2) // 153
    day = day_of_march_year - (153 * march_month + 2) // 5 + 1
    month = march_month + 3 if march_month < 10 else march_month - 9
    return year_of_cycle + cycle * 400 + (1 if month <= 2 else 0), month, day


def weekday(days: int) -> int:
    """1 for Monday to 7 for Sunday."""
    return (days + 3) % 7 + 1


def week_of_week_year(days: int) -> tuple[int, int]:
    """ISO week-based year and week: the week belongs to the year of its Thursday."""
    thursday = days - weekday(days) + 4
    year, month, day = civil_from_days(thursday)
    return year, (day_of_year(year, month, day) - 1) // 7 + 1


def days_from_week(week_year: int, week: int, day_of_week: int) -> int:
    fourth_of_january = days_from_civil(week_year, 1, 4)
    monday_of_first_week = fourth_of_january - weekday(fourth_of_january) + 1
    return monday_of_first_week + (week - 1) * 7 + day_of_week - 1


def local_week(days: int) -> tuple[int, int]:
    """Week-based year and week of weeks that begin on Sunday, the first being that of 1 January."""
    saturday = days + 6 - weekday(days) % 7
    year = civil_from_days(saturday)[0]
    return year, (days - first_local_week(year)) // 7 + 1


def first_local_week(year: int) -> int:
    """The Sunday that begins the first week, in days since 1970."""
    new_year = days_from_civil(year, 1, 1)
    return new_year - weekday(new_year) % 7


def plus_months(local_ms: int, months: int) -> int:
    """The same day and time some months later, or the month's last day where it is shorter."""
    days, time = divmod(local_ms, MS_PER_DAY)
    year, month, day = civil_from_days(days)
    shifted_year, month_index = divmod(year * 12 + month - 1 + months, 12)
    last = days_in_month(shifted_year, month_index + 1)
    return days_from_civil(shifted_year, month_index + 1, min(day, last)) * MS_PER_DAY + time
