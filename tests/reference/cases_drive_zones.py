"""The same words in other time zones and at other times: days begin where the caller is."""

from datetime import date

from .case import count, docs, rows, table
from .model import documents, folder, person
from .periods import WEEKDAYS, bucket, calendar, days, hour_of_day, on, span, weekday

NEW_YORK = "America/New_York"
KOLKATA = "Asia/Kolkata"
TOKYO = "Asia/Tokyo"
AUCKLAND = "Pacific/Auckland"
LEAP = "2024-02-29T23:30:00Z"
MIDWEEK = "2025-07-02T03:15:00Z"

CASES = [
    docs(
        "day-new-york",
        "find documents where created = 2026-03-06",
        lambda d: d.created in span("2026-03-06", NEW_YORK),
        timezone=NEW_YORK,
    ),
    docs(
        "day-kolkata",
        "find documents where created = 2026-03-06",
        lambda d: d.created in span("2026-03-06", KOLKATA),
        timezone=KOLKATA,
    ),
    docs(
        "day-auckland",
        "find documents where created = 2026-03-06",
        lambda d: d.created in span("2026-03-06", AUCKLAND),
        timezone=AUCKLAND,
    ),
    count(
        "year-new-york",
        "count documents where created = 2024",
        lambda d: d.created in span("2024", NEW_YORK),
        timezone=NEW_YORK,
    ),
    count(
        "month-kolkata",
        "count documents where created in 2025-03",
        lambda d: d.created in span("2025-03", KOLKATA),
        timezone=KOLKATA,
    ),
    docs(
        "hour-new-york",
        "find documents where created = 2024-10-14T12",
        lambda d: d.created in span("2024-10-14T12", NEW_YORK),
        timezone=NEW_YORK,
    ),
    docs(
        "minute-kolkata",
        "find documents where created = 2024-10-14T21:35",
        lambda d: d.created in span("2024-10-14T21:35", KOLKATA),
        timezone=KOLKATA,
    ),
    docs(
        "zulu-stays",
        "find documents where created = 2024-10-14T16:05Z",
        lambda d: d.created in span("2024-10-14T16:05"),
        timezone=TOKYO,
    ),
    docs(
        "instant-new-york",
        "find documents where created > 2026-03-13T10:00",
        lambda d: d.created > span("2026-03-13T10:00", NEW_YORK).start,
        timezone=NEW_YORK,
    ),
    docs(
        "week-auckland",
        "find documents where created = 2026-W10",
        lambda d: d.created in span("2026-W10", AUCKLAND),
        timezone=AUCKLAND,
    ),
    docs(
        "after-day-tokyo",
        "find documents where created > 2026-03-12",
        lambda d: d.created >= span("2026-03-12", TOKYO).end,
        timezone=TOKYO,
    ),
    docs(
        "spring-forward",
        "find documents where created = 2026-03-08",
        lambda d: d.created in span("2026-03-08", NEW_YORK),
        timezone=NEW_YORK,
    ),
    docs(
        "yesterday-auckland",
        "find documents where created = yesterday",
        lambda d: d.created in calendar("day", -1, zone=AUCKLAND),
        timezone=AUCKLAND,
    ),
    docs(
        "last-week-auckland",
        "find documents where created = last week",
        lambda d: d.created in calendar("week", -1, zone=AUCKLAND),
        timezone=AUCKLAND,
    ),
    docs(
        "last-month-new-york",
        'find documents where created = last month and type = "Receipt"',
        lambda d: d.type == "Receipt" and d.created in calendar("month", -1, zone=NEW_YORK),
        timezone=NEW_YORK,
    ),
    docs(
        "weekday-new-york",
        'find documents where type = "NDA" and weekday(created) = "Sunday"',
        lambda d: d.type == "NDA" and weekday(d.created, NEW_YORK) == "Sunday",
        timezone=NEW_YORK,
    ),
    docs(
        "hour-of-day-kolkata",
        'find documents where type = "NDA" and hour_of_day(created) between 9 and 11',
        lambda d: d.type == "NDA" and 9 <= hour_of_day(d.created, KOLKATA) <= 11,
        timezone=KOLKATA,
    ),
    docs(
        "due-day-new-york",
        "find documents where due = 2026-03-06",
        lambda d: on(d.due, "2026-03-06"),
        timezone=NEW_YORK,
    ),
    docs(
        "due-next-14-days-auckland",
        "find documents where due in next 14 days",
        lambda d: on(d.due, "2026-03-16", "2026-03-29"),
        timezone=AUCKLAND,
    ),
    docs(
        "expires-this-month-kolkata",
        "find documents where expires = this month",
        lambda d: on(d.expires, "2026-03-01", "2026-03-31"),
        timezone=KOLKATA,
    ),
    docs(
        "due-before-tomorrow-new-york",
        'find documents where payment_status = "overdue" and due between 2026-02-12 and today',
        lambda d: d.payment_status == "overdue" and on(d.due, "2026-02-12", "2026-03-14"),
        now="2026-03-15T03:00:00Z",
        timezone=NEW_YORK,
    ),
    docs(
        "same-day-kolkata",
        'find documents where created in day(document("Welcome tour.mp4").created)',
        lambda d: d.created in span("2024-08-15", KOLKATA),
        timezone=KOLKATA,
    ),
    docs(
        "same-day-other-date",
        'find documents where created in day(document("passwords_DO_NOT_SHARE.txt").created)',
        lambda d: d.created in span("2020-07-08", TOKYO),
        timezone=TOKYO,
    ),
    rows(
        "months-new-york",
        "count documents where created = 2025 by month(created)",
        lambda: table(
            [d for d in documents() if d.created in span("2025", NEW_YORK)],
            lambda d: bucket(d.created, "month", NEW_YORK),
            by="key",
        ),
        timezone=NEW_YORK,
    ),
    rows(
        "years-auckland",
        'count documents where type = "Receipt" by year(created)',
        lambda: table(
            [d for d in documents() if d.type == "Receipt"], lambda d: bucket(d.created, "year", AUCKLAND), by="key"
        ),
        timezone=AUCKLAND,
    ),
    rows(
        "days-kolkata",
        "count documents where created = 2026-W10 by day(created)",
        lambda: table(
            [d for d in documents() if d.created in span("2026-W10", KOLKATA)],
            lambda d: bucket(d.created, "day", KOLKATA),
            by="key",
        ),
        timezone=KOLKATA,
    ),
    rows(
        "hours-of-day-new-york",
        "count documents by hour_of_day(created)",
        lambda: table(documents(), lambda d: hour_of_day(d.created, NEW_YORK), by="key"),
        timezone=NEW_YORK,
    ),
    rows(
        "weekdays-tokyo",
        "count documents by weekday(created)",
        lambda: sorted(table(documents(), lambda d: weekday(d.created, TOKYO)), key=lambda row: WEEKDAYS.index(row[0])),
        timezone=TOKYO,
    ),
    rows(
        "due-months-stay",
        "count documents where due = 2025 by month(due)",
        lambda: table(
            [d for d in documents() if on(d.due, "2025-01-01", "2025-12-31")],
            lambda d: bucket(d.due, "month"),
            by="key",
        ),
        timezone=NEW_YORK,
        open_to_reading=True,
        why="whole days are said to compare by calendar day; that they group so too is a reading",
    ),
    # -- another now
    docs("leap-today", "find documents where created = today", lambda d: d.created in span("2024-02-29"), now=LEAP),
    docs(
        "leap-today-kolkata",
        "find documents where created = today",
        lambda d: d.created in span("2024-03-01", KOLKATA),
        now=LEAP,
        timezone=KOLKATA,
    ),
    docs(
        "leap-last-year",
        'find documents where type = "NDA" and created = last year',
        lambda d: d.type == "NDA" and d.created in span("2023"),
        now=LEAP,
    ),
    docs(
        "leap-last-year-rolling",
        'find documents where type = "Lease" and created in last 1 year',
        lambda d: d.type == "Lease" and d.created in days(date(2023, 3, 1), date(2024, 3, 1)),
        now="2024-03-01T00:00:00Z",
    ),
    docs(
        "next-week-then",
        'find documents where created = next week and type = "Receipt"',
        lambda d: d.type == "Receipt" and d.created in calendar("week", 1, now=MIDWEEK),
        now=MIDWEEK,
    ),
    docs(
        "tomorrow-then",
        "find documents where created = tomorrow",
        lambda d: d.created in span("2025-07-03"),
        now=MIDWEEK,
    ),
    docs(
        "tomorrow-then-new-york",
        "find documents where created = tomorrow",
        lambda d: d.created in span("2025-07-02", NEW_YORK),
        now=MIDWEEK,
        timezone=NEW_YORK,
    ),
    docs(
        "this-quarter-then",
        'find documents where owner = "Elena Petrova" and created = this quarter',
        lambda d: d.owner == person("Elena Petrova") and d.created in span("2025-Q3"),
        now=MIDWEEK,
    ),
    docs(
        "next-30-days-then",
        "find documents where due in next 30 days",
        lambda d: on(d.due, "2025-07-02", "2025-07-31"),
        now=MIDWEEK,
    ),
    docs(
        "last-day-of-year",
        'find documents where folder under "Expenses" and created = this month',
        lambda d: folder("Expenses").id in d.ancestors and d.created in span("2024-12"),
        now="2024-12-31T16:00:00Z",
        timezone="UTC",
    ),
    docs(
        "new-year-in-tokyo",
        'find documents where folder under "Expenses" and created = this month',
        lambda d: folder("Expenses").id in d.ancestors and d.created in span("2025-01", TOKYO),
        now="2024-12-31T16:00:00Z",
        timezone=TOKYO,
    ),
]
