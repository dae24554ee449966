"""Fields that hold whole days (due, effective, expires) compare by calendar day."""

from .case import Test, count, docs
from .periods import on

DOCK = "Dock Permit.pdf"


def typed(kind: str, test: Test) -> Test:
    return lambda d: d.type == kind and test(d)


CASES = [
    # -- whole days: due, effective, expires
    docs("due-tomorrow", "find documents where due = tomorrow", lambda d: on(d.due, "2026-03-16"), tags=("empty",)),
    docs("due-day", "find documents where due = 2026-03-06", lambda d: on(d.due, "2026-03-06")),
    docs("due-month", "find documents where due = this month", lambda d: on(d.due, "2026-03-01", "2026-03-31")),
    docs("due-next-month", "find documents where due in next month", lambda d: on(d.due, "2026-04-01", "2026-04-30")),
    docs(
        "due-before-today",
        'find documents where payment_status = "overdue" and due < last month',
        lambda d: d.payment_status == "overdue" and on(d.due, "2000-01-01", "2026-01-31"),
    ),
    docs(
        "due-overdue",
        'find documents where payment_status = "overdue" and due >= last month',
        lambda d: d.payment_status == "overdue" and on(d.due, "2026-02-01", "2099-12-31"),
    ),
    docs(
        "due-next-14-days", "find documents where due in next 14 days", lambda d: on(d.due, "2026-03-15", "2026-03-28")
    ),
    docs(
        "due-next-2-weeks",
        "find documents where due in next 2 weeks",
        lambda d: on(d.due, "2026-03-15", "2026-03-28"),
        open_to_reading=True,
        why="rolling periods on whole days are said for days; weeks are read as seven days",
    ),
    docs(
        "due-last-10-days", "find documents where due in last 10 days", lambda d: on(d.due, "2026-03-06", "2026-03-15")
    ),
    docs("due-last-9-days", "find documents where due in last 9 days", lambda d: on(d.due, "2026-03-07", "2026-03-15")),
    docs(
        "due-between",
        "find documents where due between 2026-03-01 and 2026-03-06",
        lambda d: on(d.due, "2026-03-01", "2026-03-06"),
    ),
    docs("due-after", "find documents where due > 2026-03-06", lambda d: on(d.due, "2026-03-07", "2099-12-31")),
    docs("due-from", "find documents where due >= 2026-03-06", lambda d: on(d.due, "2026-03-06", "2099-12-31")),
    docs("due-until", "find documents where due <= 2019-04-02", lambda d: on(d.due, "2000-01-01", "2019-04-02")),
    docs(
        "due-instant-in-day",
        "find documents where due > 2026-03-05 and due < 2026-03-07",
        lambda d: on(d.due, "2026-03-06"),
    ),
    docs(
        "expires-next-90-days",
        "find documents where expires in next 90 days",
        lambda d: on(d.expires, "2026-03-15", "2026-06-12"),
    ),
    docs(
        "expires-year",
        "find documents where expires = 2026 and auto_renews = true",
        lambda d: on(d.expires, "2026-01-01", "2026-12-31") and d.auto_renews is True,
    ),
    docs(
        "expired",
        'find documents where type = "NDA" and expires < today',
        typed("NDA", lambda d: on(d.expires, "2000-01-01", "2026-03-14")),
    ),
    docs(
        "not-expired",
        'find documents where type = "NDA" and not expires < today',
        typed("NDA", lambda d: not on(d.expires, "2000-01-01", "2026-03-14")),
    ),
    docs(
        "expires-quarter",
        "find documents where expires = next quarter",
        lambda d: on(d.expires, "2026-04-01", "2026-06-30"),
    ),
    docs(
        "expires-tomorrow-on",
        "find documents where expires between tomorrow and next month",
        lambda d: on(d.expires, "2026-03-16", "2026-04-30"),
    ),
    docs(
        "effective-week",
        "find documents where effective = 2026-W10",
        lambda d: on(d.effective, "2026-03-02", "2026-03-08"),
    ),
    docs("effective-day", "find documents where effective = 2026-01-26", lambda d: on(d.effective, "2026-01-26")),
    docs(
        "due-missing",
        'find documents where extension = "heic" and due missing and amount exists',
        lambda d: d.extension == "heic" and d.due is None and d.amount is not None,
        tags=("empty",),
    ),
    docs(
        "effective-after-created-of",
        f'find documents where expires > document("{DOCK}").created and law = "Delaware"',
        lambda d: d.law == "Delaware" and on(d.expires, "2024-07-09", "2099-12-31"),
    ),
    count("due-by-now", "count documents where due <= now", lambda d: on(d.due, "2000-01-01", "2026-03-15")),
    count("due-weekday", 'count documents where weekday(due) = "Friday"', lambda d: d.due and d.due.weekday() == 4),
    count(
        "due-not-weekday",
        'count documents where not weekday(due) = "Friday"',
        lambda d: not (d.due and d.due.weekday() == 4),
    ),
]
