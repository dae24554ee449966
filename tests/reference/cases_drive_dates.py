"""Dates: every form of a period, rolling and calendar, instants, whole days, before and after documents."""

from .case import Test, count, docs, entries, folders, missing, refused, value
from .model import among, below, document, documents, folder, moment
from .periods import back, calendar, last, span

Q3 = "Q3 Report.pdf"
DOCK = "Dock Permit.pdf"
CAKE = "Wedding Cake Deposit.pdf"


def in_span(text: str) -> Test:
    return lambda d: d.created in span(text)


def typed(kind: str, test: Test) -> Test:
    return lambda d: d.type == kind and test(d)


CASES = [
    # -- literals, inside
    count("year", "count documents where created = 2024", in_span("2024")),
    docs("year-in", 'find documents where type = "NDA" and created in 2025', typed("NDA", in_span("2025"))),
    docs(
        "quarter",
        'find documents where type = "Contract" and created in 2024-Q2',
        typed("Contract", in_span("2024-Q2")),
    ),
    count("quarter-four", "count documents where created = 2025-Q4", in_span("2025-Q4")),
    docs("month", 'find documents where type = "Receipt" and created in 2025-03', typed("Receipt", in_span("2025-03"))),
    docs(
        "month-february",
        'find documents where created = 2024-02 and extension = "docx"',
        lambda d: d.extension == "docx" and d.created in span("2024-02"),
    ),
    docs("week", "find documents where created = 2026-W10", in_span("2026-W10")),
    docs("week-one", "find documents where created in 2025-W01", in_span("2025-W01")),
    docs("week-fifty-three", "find documents where created = 2020-W53", in_span("2020-W53")),
    docs("day", "find documents where created = 2026-03-06", in_span("2026-03-06")),
    docs("day-leap", "find documents where created = 2024-02-29", in_span("2024-02-29")),
    docs("hour", "find documents where created = 2024-10-14T16", in_span("2024-10-14T16")),
    docs("minute", "find documents where created = 2024-10-14T16:05", in_span("2024-10-14T16:05")),
    docs("second", "find documents where created = 2024-10-14T16:05:00", in_span("2024-10-14T16:05:00")),
    docs("zulu", "find documents where created = 2024-10-14T16:05Z", in_span("2024-10-14T16:05")),
    docs("offset", "find documents where created = 2024-10-14T18:05+02:00", in_span("2024-10-14T16:05")),
    docs("quoted-day", 'find documents where created = "2026-03-06"', in_span("2026-03-06")),
    docs(
        "quoted-after",
        'find documents where type = "NDA" and created > "2026-01-31"',
        typed("NDA", lambda d: d.created >= span("2026-02-01").start),
    ),
    docs(
        "periods",
        'find documents where type = "Lease" and created in [2020, 2024-Q1, 2025-05]',
        typed(
            "Lease", lambda d: d.created in span("2020") or d.created in span("2024-Q1") or d.created in span("2025-05")
        ),
    ),
    docs(
        "not-year",
        'find documents where type = "Tax Return" and created != 2025',
        typed("Tax Return", lambda d: d.created not in span("2025")),
    ),
    docs(
        "not-in-periods",
        'find documents where type = "Tax Return" and created not in [2025, 2022]',
        typed("Tax Return", lambda d: d.created.year not in (2025, 2022)),
    ),
    docs(
        "not-inside",
        'find documents where type = "Tax Return" and not created = 2025',
        typed("Tax Return", lambda d: d.created not in span("2025")),
    ),
    # -- before, after, between
    docs("before-year", "find documents where created < 2019-04", lambda d: d.created < span("2019-04").start),
    docs(
        "after-month",
        'find documents where created > 2026-02 and type = "Invoice"',
        typed("Invoice", lambda d: d.created >= span("2026-02").end),
    ),
    docs("until-month", "find documents where created <= 2019-03", lambda d: d.created < span("2019-03").end),
    docs(
        "from-month",
        'find documents where created >= 2026-03 and extension = "pdf"',
        lambda d: d.extension == "pdf" and d.created >= span("2026-03").start,
    ),
    docs("after-day", "find documents where created > 2026-03-12", lambda d: d.created >= span("2026-03-13").start),
    docs("from-day", "find documents where created >= 2026-03-12", lambda d: d.created >= span("2026-03-12").start),
    docs("until-day", "find documents where created <= 2019-03-04", lambda d: d.created < span("2019-03-04").end),
    docs("before-day", "find documents where created < 2019-03-04", lambda d: d.created < span("2019-03-04").start),
    docs(
        "after-quarter",
        'find documents where type = "Quote" and created > 2025-Q3',
        typed("Quote", lambda d: d.created >= span("2025-Q3").end),
    ),
    docs(
        "before-week",
        'find documents where type = "Lease" and created < 2023-W05',
        typed("Lease", lambda d: d.created < span("2023-W05").start),
    ),
    docs(
        "after-hour",
        "find documents where created > 2024-10-14T15 and created <= 2024-10-14",
        lambda d: span("2024-10-14T15").end <= d.created < span("2024-10-14").end,
    ),
    docs(
        "between-months",
        'find documents where type = "NDA" and created between 2024-11 and 2025-02',
        typed("NDA", lambda d: span("2024-11").start <= d.created < span("2025-02").end),
    ),
    docs(
        "between-days",
        "find documents where created between 2026-03-01 and 2026-03-05",
        lambda d: span("2026-03-01").start <= d.created < span("2026-03-05").end,
    ),
    docs("between-one-day", "find documents where created between 2026-03-06 and 2026-03-06", in_span("2026-03-06")),
    docs(
        "between-mixed",
        'find documents where type = "W2" and created between 2024 and 2025-02',
        typed("W2", lambda d: span("2024").start <= d.created < span("2025-02").end),
    ),
    docs(
        "instant-after",
        "find documents where created > 2026-03-13T10:00",
        lambda d: d.created > moment("2026-03-13T10:00"),
    ),
    docs(
        "instant-from",
        "find documents where created >= 2024-10-14T16:05 and created < 2024-10-15",
        lambda d: moment("2024-10-14T16:05") <= d.created < span("2024-10-15").start,
    ),
    docs(
        "instant-strict",
        "find documents where created > 2024-10-14T16:05 and created < 2024-10-15",
        lambda d: moment("2024-10-14T16:05") < d.created < span("2024-10-15").start,
    ),
    docs(
        "instant-until",
        "find documents where created <= 2019-03-04T09:00 and created >= 2019-03",
        lambda d: span("2019-03").start <= d.created <= moment("2019-03-04T09:00"),
    ),
    docs(
        "instant-between",
        "find documents where created between 2024-10-14T16:05 and 2024-10-16T12:00",
        lambda d: moment("2024-10-14T16:05") <= d.created <= moment("2024-10-16T12:00"),
    ),
    docs(
        "instant-offset",
        "find documents where created > 2026-03-13T10:00-05:00",
        lambda d: d.created > moment("2026-03-13T15:00"),
    ),
    # -- calendar words
    docs("today", "find documents where created = today", lambda d: d.created in calendar("day"), tags=("empty",)),
    docs(
        "viewed-yesterday",
        "find documents where last_viewed = yesterday",
        lambda d: d.last_viewed in calendar("day", -1),
    ),
    docs("this-week", "find documents where created = this week", lambda d: d.created in calendar("week")),
    docs("last-week", "find documents where created in last week", lambda d: d.created in calendar("week", -1)),
    docs("this-month", "find documents where created = this month", lambda d: d.created in calendar("month")),
    docs(
        "last-month",
        'find documents where created in last month and type = "Receipt"',
        typed("Receipt", lambda d: d.created in calendar("month", -1)),
    ),
    docs(
        "this-quarter",
        'find documents where type = "NDA" and created = this quarter',
        typed("NDA", lambda d: d.created in calendar("quarter")),
    ),
    count(
        "last-quarter", "count documents where created = last quarter", lambda d: d.created in calendar("quarter", -1)
    ),
    count("this-year", "count documents where created = this year", lambda d: d.created in calendar("year")),
    count("last-year", "count documents where created in last year", lambda d: d.created in calendar("year", -1)),
    docs(
        "modified-last-month",
        'find documents where modified = last month and type = "Contract"',
        typed("Contract", lambda d: d.modified in calendar("month", -1)),
    ),
    docs(
        "before-this-week",
        'find documents where type = "Meeting Notes" and created >= last month and created < this week',
        typed("Meeting Notes", lambda d: calendar("month", -1).start <= d.created < calendar("week").start),
    ),
    docs(
        "after-last-week", "find documents where created > last week", lambda d: d.created >= calendar("week", -1).end
    ),
    docs(
        "since-last-month",
        'find documents where created >= last month and extension = "docx"',
        lambda d: d.extension == "docx" and d.created >= calendar("month", -1).start,
    ),
    docs(
        "between-words",
        'find documents where type = "Quote" and created between last quarter and this month',
        typed("Quote", lambda d: calendar("quarter", -1).start <= d.created < calendar("month").end),
    ),
    docs(
        "not-this-year",
        'find documents where type = "Proposal" and created != this year',
        typed("Proposal", lambda d: d.created not in calendar("year")),
    ),
    docs(
        "words-in-list",
        'find documents where type = "Report" and created in [this week, last week]',
        typed("Report", lambda d: d.created in calendar("week") or d.created in calendar("week", -1)),
    ),
    docs(
        "before-today",
        "find documents where created < today and created > 2026-03-11",
        lambda d: span("2026-03-12").start <= d.created < calendar("day").start,
    ),
    docs(
        "before-now",
        'find documents where created < now and created >= this month and type = "Letter"',
        typed("Letter", lambda d: calendar("month").start <= d.created < moment("2026-03-15T12:00:00Z")),
    ),
    # -- rolling words
    docs("last-7-days", "find documents where created in last 7 days", lambda d: d.created in last(7, "day")),
    docs(
        "last-2-weeks",
        'find documents where created in last 2 weeks and type = "Receipt"',
        typed("Receipt", lambda d: d.created in last(2, "week")),
    ),
    docs(
        "last-30-days",
        'find documents where created = last 30 days and extension = "docx"',
        lambda d: d.extension == "docx" and d.created in last(30, "day"),
    ),
    docs(
        "last-6-months",
        'find documents where type = "NDA" and created in last 6 months',
        typed("NDA", lambda d: d.created in last(6, "month")),
    ),
    docs(
        "last-2-years",
        'find documents where type = "Lease" and created in last 2 years',
        typed("Lease", lambda d: d.created in last(2, "year")),
    ),
    docs("last-48-hours", "find documents where created in last 72 hours", lambda d: d.created in last(72, "hour")),
    docs(
        "last-minutes", "find documents where created in last 4000 minutes", lambda d: d.created in last(4000, "minute")
    ),
    docs(
        "older-than",
        'find documents where type = "Handbook" and created < last 3 years',
        typed("Handbook", lambda d: d.created < back(3, "year")),
    ),
    docs(
        "last-month-is-not-last-1-month",
        'find documents where created in last 1 month and type = "Quote"',
        typed("Quote", lambda d: d.created in last(1, "month")),
    ),
    docs(
        "not-modified-lately",
        'find documents where folder = "NDAs" and not modified in last 12 months',
        lambda d: d.folder == folder("NDAs").id and d.modified not in last(12, "month"),
    ),
    docs(
        "viewed-lately",
        'find documents where last_viewed in last 10 days and type = "Contract"',
        typed("Contract", lambda d: d.last_viewed in last(10, "day")),
    ),
    docs(
        "not-viewed-lately",
        'find documents where type = "Lease" and last_viewed not in last 90 days',
        typed("Lease", lambda d: d.last_viewed not in last(90, "day")),
    ),
    folders("folders-since", "find folders where created in last 1 year", lambda f: f.created in last(1, "year")),
    entries("entries-day", "find entries where modified = 2026-03-06", lambda e: e.modified in span("2026-03-06")),
    # -- beside documents
    docs(
        "after-document",
        f'find documents where created > document("{Q3}").created and type = "NDA"',
        typed("NDA", lambda d: d.created > document(Q3).created),
    ),
    docs(
        "from-document",
        f'find documents where created >= document("{Q3}").created and folder = "Decks"',
        lambda d: d.folder == folder("Decks").id and d.created >= document(Q3).created,
    ),
    docs(
        "after-document-in-folder",
        f'find documents where folder = document("{CAKE}").folder and created > document("{CAKE}").created',
        lambda d: d.folder == document(CAKE).folder and d.created > document(CAKE).created,
    ),
    docs(
        "before-document",
        f'find documents where folder = document("{DOCK}").folder and created < document("{DOCK}").created',
        lambda d: d.folder == document(DOCK).folder and d.created < document(DOCK).created,
    ),
    docs(
        "between-documents",
        f'find documents where type = "Contract" and created between document("{DOCK}").created'
        f' and document("{Q3}").created',
        typed("Contract", lambda d: among(d.created, document(DOCK).created, document(Q3).created)),
    ),
    docs(
        "between-documents-strict",
        f'find documents where created > document("{DOCK}").created and created < document("{Q3}").created'
        ' and folder under "Clients"',
        lambda d: document(DOCK).created < d.created < document(Q3).created and below(d, folder("Clients")),
    ),
    docs(
        "between-documents-swapped",
        f'find documents where type = "Contract" and created between document("{Q3}").created'
        f' and document("{DOCK}").created',
        typed("Contract", lambda d: among(d.created, document(DOCK).created, document(Q3).created)),
        told=True,
    ),
    docs(
        "between-documents-inclusive",
        'find documents where folder = "Mobile App" and created between document("Mobile App > notes.txt").created'
        " and 2023",
        lambda d: (
            d.folder == folder("Mobile App").id
            and among(d.created, moment("2021-02-17T10:20:00Z"), moment("2023-12-31T23:59:59Z"))
        ),
    ),
    docs("same-moment", f'find documents where created = document("{Q3}").created', lambda d: d.name == Q3),
    docs("same-day", f'find documents where created in day(document("{Q3}").created)', in_span("2024-10-14")),
    docs(
        "same-month",
        f'find documents where type = "Contract" and created = month(document("{DOCK}").created)',
        typed("Contract", in_span("2024-07")),
    ),
    docs(
        "same-year",
        f'find documents where type = "Lease" and created in year(document("{DOCK}").created)',
        typed("Lease", in_span("2024")),
    ),
    docs(
        "same-quarter",
        'find documents where type = "Proposal" and created = quarter(document("Roof Invoice.pdf").created)',
        typed("Proposal", in_span("2025-Q2")),
    ),
    docs(
        "same-week",
        f'find documents where created in week(document("{CAKE}").created) and type = "Receipt"',
        typed("Receipt", in_span("2025-W34")),
    ),
    docs("same-hour", f'find documents where created = hour(document("{Q3}").created)', in_span("2024-10-14T16")),
    docs(
        "after-the-day-of",
        f'find documents where folder = "Decks" and created > year(document("{Q3}").created)',
        lambda d: d.folder == folder("Decks").id and d.created.year > 2024,
    ),
    docs(
        "before-the-month-of",
        f'find documents where type = "NDA" and created < year(document("{Q3}").created) and created >= 2023',
        typed("NDA", in_span("2023")),
    ),
    folders(
        "after-folder",
        'find folders where created > folder("Brand Assets").created and color = "red"',
        lambda f: f.color == "red" and f.created > folder("Brand Assets").created,
    ),
    docs(
        "older-than-oldest",
        'find documents where type = "NDA" and created <'
        ' (find documents where folder = "Trademarks" sort created limit 1).created',
        typed("NDA", lambda d: d.created < min(t.created for t in documents() if t.folder == folder("Trademarks").id)),
    ),
    docs(
        "modified-after-creation-of",
        f'find documents where modified > document("{Q3}").modified and type = "Lease"',
        typed("Lease", lambda d: d.modified > document(Q3).modified),
    ),
    missing("after-nothing", 'find documents where due > document("Rye notes.md").due', "due"),
    # -- cyclic conditions
    docs(
        "weekday",
        'find documents where type = "NDA" and weekday(created) = "Sunday"',
        typed("NDA", lambda d: d.created.weekday() == 6),
    ),
    docs(
        "weekday-in",
        'find documents where type = "Contract" and weekday(created) in ["Saturday", "Sunday"]',
        typed("Contract", lambda d: d.created.weekday() >= 5),
    ),
    docs(
        "weekday-not",
        'find documents where folder = "NDAs" and weekday(created) != "Monday"',
        lambda d: d.folder == folder("NDAs").id and d.created.weekday() != 0,
    ),
    docs(
        "hour-of-day",
        'find documents where type = "NDA" and hour_of_day(created) between 9 and 11',
        typed("NDA", lambda d: 9 <= d.created.hour <= 11),
    ),
    docs(
        "hour-of-day-equal",
        'find documents where type = "Contract" and hour_of_day(created) = 10',
        typed("Contract", lambda d: d.created.hour == 10),
    ),
    docs(
        "hour-of-day-less",
        'find documents where type = "Quote" and hour_of_day(modified) < 3',
        typed("Quote", lambda d: d.modified.hour < 3),
    ),
    docs(
        "weekday-and-hour",
        'find documents where created = 2025 and weekday(created) = "Friday" and hour_of_day(created) >= 22',
        lambda d: d.created.year == 2025 and d.created.weekday() == 4 and d.created.hour >= 22,
    ),
    # -- answers that are dates
    value("get-created", f'get document("{Q3}").created', lambda: document(Q3).created),
    value(
        "get-expires", 'get document("Globex MSA 2025.pdf").expires', lambda: document("Globex MSA 2025.pdf").expires
    ),
    value(
        "get-latest",
        "get (find documents sort created desc limit 1).created",
        lambda: max(d.created for d in documents()),
    ),
    # -- periods that cannot be
    refused("reversed-literals", "find documents where created between 2025 and 2024", "reversed"),
    refused("reversed-days", "find documents where due between 2026-03-10 and 2026-03-01", "reversed"),
    refused("empty-period", "find documents where created > 2025 and created < 2024", "contradiction"),
    refused("nothing-between", "find documents where created > 2025-03-01 and created < 2025-03-02", "contradiction"),
    refused("last-0-days", "find documents where created in last 0 days", "empty period"),
    refused("month-13", "find documents where created = 2024-13", "bad period"),
    refused("day-30-february", "find documents where created = 2024-02-30", "bad period"),
    refused("quarter-5", "find documents where created = 2024-Q5", "bad period"),
    refused("week-54", "find documents where created = 2024-W54", "bad period"),
    refused("week-53-of-52", "find documents where created = 2024-W53", "bad period"),
    refused("hour-25", "find documents where created = 2024-02-03T25", "bad period"),
    refused("one-digit-day", "find documents where created = 2024-03-5", "bad period"),
    refused("year-range", "find documents where created in 2024-2025", "bad period"),
    refused("quoted-no-date", 'find documents where created > "spring"', "bad period"),
]
