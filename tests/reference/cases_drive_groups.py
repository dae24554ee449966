"""Groups: fields, lists, references, calendar and cyclic buckets, bins, steps, elements of nested lists."""

from .case import (
    Ref,
    bin_table,
    distinct,
    highest,
    lowest,
    mean,
    median,
    rows,
    several,
    share,
    step,
    table,
    total,
    where,
)
from .keys import APP, CATEGORY, EXTENSION, TYPE, by_weekday, inside, key, month, of, parent, ref, tree, year
from .model import documents, holder, over, person
from .model import entries as all_entries
from .model import folders as all_folders
from .periods import bucket, hour_of_day, span, weekday

CASES = [
    # -- plain fields
    rows("type", "count documents by type", lambda: table(documents(), TYPE)),
    rows("extension", "count documents by extension", lambda: table(documents(), EXTENSION)),
    rows("category", "count documents by category", lambda: table(documents(), CATEGORY)),
    rows("app", 'count documents where type = "Invoice" by app', lambda: table(of("Invoice"), APP)),
    rows(
        "review", 'count documents where type = "NDA" by review_status', lambda: table(of("NDA"), key("review_status"))
    ),
    rows("boolean", "count documents by starred", lambda: table(documents(), key("starred"))),
    rows(
        "boolean-missing",
        'count documents where folder = "Legal" by signed',
        lambda: table(inside("Legal"), key("signed")),
    ),
    rows("number", "count documents by tax_year", lambda: table(documents(), key("tax_year"))),
    rows(
        "number-pages", 'count documents where type = "Contract" by pages', lambda: table(of("Contract"), key("pages"))
    ),
    rows("many-values", "count documents by vendor", lambda: table(documents(), key("vendor"))),
    rows(
        "relationship",
        'count documents where type = "Quote" by relationship',
        lambda: table(of("Quote"), key("relationship")),
    ),
    rows("folders-by-color", "count folders by color", lambda: table(all_folders(), key("color"))),
    rows("folders-by-depth", "count folders by depth", lambda: table(all_folders(), key("depth"))),
    rows(
        "folders-by-name",
        "count folders by name having count > 4",
        lambda: table(all_folders(), key("name"), having=lambda g: len(g) > 4),
    ),
    rows("entries-by-kind", "count entries by kind", lambda: table(all_entries(), key("kind"))),
    rows("list", "count documents by tags", lambda: table(documents(), key("tags"))),
    rows(
        "list-narrowed",
        'count documents where tags has "urgent" by tags',
        lambda: table(where(documents(), lambda d: "urgent" in d.tags), key("tags")),
    ),
    rows("list-of-few", 'count documents where folder = "Meals" by tags', lambda: table(inside("Meals"), key("tags"))),
    rows(
        "by-mapping-path", "count documents by contentAttributes.encoding", lambda: table(documents(), key("encoding"))
    ),
    # -- references
    rows("owner", "count documents by owner", lambda: table(documents(), ref("owner"))),
    rows("owner-of-folders", "count folders by owner", lambda: table(all_folders(), ref("owner"))),
    rows(
        "creator-of-type",
        'count documents where type = "Contract" by creator',
        lambda: table(of("Contract"), ref("creator")),
    ),
    rows(
        "folder",
        'count documents where type = "Report" by folder limit 5',
        lambda: table(of("Report"), ref("folder"))[:5],
        tags=("ties",),
    ),
    rows(
        "folder-children",
        'count documents where folder under "Expenses" by folder',
        lambda: table(tree("Expenses"), ref("folder")),
    ),
    rows(
        "folder-root",
        "count folders where depth <= 2 by folder",
        lambda: table(where(all_folders(), lambda f: f.depth <= 2), ref("folder")),
    ),
    rows(
        "copied-from",
        "count documents by copied_from having count > 1",
        lambda: table(documents(), ref("copied_from"), having=lambda g: len(g) > 1),
    ),
    rows(
        "editor-top", "count documents by editor limit 3", lambda: table(documents(), ref("editor"))[:3], tags=("ties",)
    ),
    rows(
        "folder-owner",
        'count documents where type = "Invoice" by folder.owner',
        lambda: table(of("Invoice"), parent("owner")),
    ),
    rows(
        "folder-folder",
        'count documents where folder under "Expenses" by folder.folder',
        lambda: table(tree("Expenses"), parent("folder")),
    ),
    rows(
        "folder-color",
        'count documents where type = "NDA" by folder.color',
        lambda: table(of("NDA"), lambda d: None if holder(d) is None else holder(d).color),
    ),
    # -- calendar
    rows("year", "count documents by year(created)", lambda: table(documents(), year, by="key")),
    rows(
        "quarter",
        "count documents where created = 2024 by quarter(created)",
        lambda: table(
            where(documents(), lambda d: d.created.year == 2024), lambda d: bucket(d.created, "quarter"), by="key"
        ),
    ),
    rows(
        "month",
        'count documents where type = "Invoice" and created = 2025 by month(created)',
        lambda: table(where(of("Invoice"), lambda d: d.created.year == 2025), month, by="key"),
    ),
    rows("month-all", "count documents by month(created)", lambda: table(documents(), month, by="key")),
    rows(
        "week",
        "count documents where created = 2025-Q1 by week(created)",
        lambda: table(
            where(documents(), lambda d: d.created in span("2025-Q1")), lambda d: bucket(d.created, "week"), by="key"
        ),
    ),
    rows(
        "week-over-new-year",
        "count documents where created between 2024-12-20 and 2025-01-15 by week(created)",
        lambda: table(
            where(documents(), lambda d: span("2024-12-20").start <= d.created < span("2025-01-15").end),
            lambda d: bucket(d.created, "week"),
            by="key",
        ),
    ),
    rows(
        "day",
        "count documents where created = 2026-W10 by day(created)",
        lambda: table(
            where(documents(), lambda d: d.created in span("2026-W10")), lambda d: bucket(d.created, "day"), by="key"
        ),
    ),
    rows(
        "hour",
        "count documents where created = 2026-03-06 by hour(created)",
        lambda: table(
            where(documents(), lambda d: d.created in span("2026-03-06")), lambda d: bucket(d.created, "hour"), by="key"
        ),
    ),
    rows(
        "year-of-missing",
        "count documents by year(expires)",
        lambda: table(documents(), lambda d: bucket(d.expires, "year"), by="key"),
    ),
    rows(
        "month-sum",
        'sum(amount) of documents where type = "Receipt" and created = 2025 by month(created)',
        lambda: table(where(of("Receipt"), lambda d: d.created.year == 2025), month, measure=total("amount"), by="key"),
    ),
    rows(
        "year-several",
        'count, avg(size), max(pages) of documents where type = "Contract" by year(created)',
        lambda: table(of("Contract"), year, measure=several(len, mean("size"), highest("pages")), by="key"),
    ),
    rows(
        "month-of-due",
        "count documents where due = 2025 by month(due)",
        lambda: table(
            where(documents(), lambda d: d.due is not None and d.due.year == 2025),
            lambda d: bucket(d.due, "month"),
            by="key",
        ),
    ),
    # -- cyclic
    rows(
        "weekday",
        "count documents by weekday(created)",
        lambda: by_weekday(table(documents(), lambda d: weekday(d.created))),
    ),
    rows(
        "weekday-sum",
        'sum(size) of documents where type = "Report" by weekday(modified)',
        lambda: by_weekday(table(of("Report"), lambda d: weekday(d.modified), measure=total("size"))),
    ),
    rows(
        "weekday-avg",
        'avg(amount) of documents where type = "Receipt" by weekday(created)',
        lambda: by_weekday(table(of("Receipt"), lambda d: weekday(d.created), measure=mean("amount"))),
    ),
    rows(
        "weekday-min-max",
        'min(amount), max(amount) of documents where type = "Receipt" by weekday(created)',
        lambda: by_weekday(
            table(of("Receipt"), lambda d: weekday(d.created), measure=several(lowest("amount"), highest("amount")))
        ),
    ),
    rows(
        "weekday-share",
        'share(pages > 3) of documents where type = "Contract" by weekday(created)',
        lambda: by_weekday(
            table(of("Contract"), lambda d: weekday(d.created), measure=share(lambda d: over(d.pages, 3)))
        ),
    ),
    rows(
        "weekday-distinct",
        'distinct(creator) of documents where type = "Contract" by weekday(created)',
        lambda: by_weekday(table(of("Contract"), lambda d: weekday(d.created), measure=distinct("creator"))),
    ),
    rows(
        "weekday-median",
        'median(size) of documents where type = "NDA" by weekday(created)',
        lambda: by_weekday(table(of("NDA"), lambda d: weekday(d.created), measure=median("size"))),
        near=0.05,
    ),
    rows(
        "hour-of-day",
        "count documents by hour_of_day(created)",
        lambda: table(documents(), lambda d: hour_of_day(d.created), by="key"),
    ),
    rows(
        "hour-of-day-distinct",
        'distinct(owner) of documents where type = "Invoice" by hour_of_day(created)',
        lambda: table(of("Invoice"), lambda d: hour_of_day(d.created), measure=distinct("owner"), by="key"),
    ),
    rows(
        "hour-of-day-viewed",
        'count documents where type = "Contract" by hour_of_day(last_viewed)',
        lambda: table(of("Contract"), lambda d: hour_of_day(d.last_viewed), by="key"),
    ),
    # -- bins and steps
    rows(
        "bins",
        'count documents where type = "Receipt" by bins(amount, 100, 500, 1000)',
        lambda: bin_table(of("Receipt"), "amount", 100, 500, 1000),
    ),
    rows("bins-edges", "count documents by bins(pages, 2, 4, 9)", lambda: bin_table(documents(), "pages", 2, 4, 9)),
    rows(
        "bins-two",
        "avg(size) of documents by bins(pages, 5)",
        lambda: bin_table(documents(), "pages", 5, measure=mean("size")),
    ),
    rows(
        "step",
        "count documents by step(pages, 10)",
        lambda: table(documents(), step("pages", 10), by="key"),
        open_to_reading=True,
        why="a gap between steps may be shown with nothing in it, or not",
    ),
    rows(
        "step-amount",
        'count documents where type = "Payslip" by step(amount, 1000)',
        lambda: table(of("Payslip"), step("amount", 1000), by="key"),
    ),
    # -- nested
    rows("role", "count documents by shares.role", lambda: table(documents(), lambda d: [s.role for s in d.shares])),
    rows(
        "role-of-one",
        'count documents by shares[who = "Dana Ortiz"].role',
        lambda: table(documents(), lambda d: [s.role for s in d.shares if s.who == person("Dana Ortiz")]),
    ),
    rows(
        "role-of-first-name",
        'count documents by shares[who = "Peter"].role',
        lambda: table(documents(), lambda d: [s.role for s in d.shares if s.who == person("Peter Novak")]),
        told=True,
    ),
    rows(
        "author",
        'count documents where type = "Report" by comments.author',
        lambda: table(of("Report"), lambda d: [Ref(c.author) for c in d.comments]),
    ),
    rows(
        "author-of-open",
        "count documents by comments[resolved = false].author",
        lambda: table(documents(), lambda d: [Ref(c.author) for c in d.comments if c.resolved is False]),
    ),
    rows(
        "who-of-editors",
        'count documents by shares[role = "editor"].who limit 4',
        lambda: table(documents(), lambda d: [Ref(s.who) for s in d.shares if s.role == "editor"])[:4],
        tags=("ties",),
    ),
    rows(
        "priority",
        'count documents by attributes[key = "priority"].value',
        lambda: table(documents(), lambda d: [a.value for a in d.attributes if a.key == "priority"]),
    ),
    rows(
        "priority-short",
        "count documents by attributes.priority",
        lambda: table(documents(), lambda d: [a.value for a in d.attributes if a.key == "priority"]),
        open_to_reading=True,
        why="key/value short forms are shown in conditions; in a group it is a reading",
    ),
    rows(
        "keys", "count documents by attributes.key", lambda: table(documents(), lambda d: [a.key for a in d.attributes])
    ),
    rows(
        "nested-sum",
        'sum(size) of documents by attributes[key = "cost_center"].value',
        lambda: table(
            documents(), lambda d: [a.value for a in d.attributes if a.key == "cost_center"], measure=total("size")
        ),
    ),
    rows(
        "nested-avg-once",
        "count, avg(pages) of documents by shares.role",
        lambda: table(documents(), lambda d: [s.role for s in d.shares], measure=several(len, mean("pages"))),
    ),
    rows(
        "nested-share",
        'share(type = "Invoice") of documents by shares.role',
        lambda: table(documents(), lambda d: [s.role for s in d.shares], measure=share(lambda d: d.type == "Invoice")),
    ),
    rows(
        "nested-resolved",
        "count documents by comments.resolved",
        lambda: table(documents(), lambda d: [c.resolved for c in d.comments]),
    ),
    rows(
        "nested-month",
        "count documents where comments[created = 2025] by month(comments.created)",
        lambda: table(
            where(documents(), lambda d: any(c.created in span("2025") for c in d.comments)),
            lambda d: [bucket(c.created, "month") for c in d.comments],
            by="key",
        ),
        open_to_reading=True,
        why="calendar groups over a nested date are not shown",
    ),
]
