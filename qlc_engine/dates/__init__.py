"""Dates as Elasticsearch reads, prints and rounds them. Instants are epoch milliseconds."""

from qlc_engine.dates.date_math import NANOS_PER_MS, parse_date, parse_date_nanos
from qlc_engine.dates.formats import DateFormat, date_format
from qlc_engine.dates.rounding import CALENDAR_UNITS, Rounding
from qlc_engine.dates.zones import UTC_ZONE, Zone, parse_zone

__all__ = [
    "CALENDAR_UNITS",
    "NANOS_PER_MS",
    "UTC_ZONE",
    "DateFormat",
    "Rounding",
    "Zone",
    "date_format",
    "parse_date",
    "parse_date_nanos",
    "parse_zone",
]
