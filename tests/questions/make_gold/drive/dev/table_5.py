"""Questions and answers."""

from ...table import Table, accept, bytes_of, dates, did_you_mean, exhausted, explain, figures, not_found, value
from ...words import after, by, calendar_of, days, during, eq, gt, since
from ..terms import (
    D,
    F,
    by_name,
    count,
    dirs,
    docs,
    ext,
    fuzzy_file,
    inside,
    named,
    per,
    person_is,
    the_file,
    the_folder,
    told,
    typed,
    under,
    which_folder,
)

TABLE = Table()
ask, talk = TABLE.ask, TABLE.talk

ask(
    "attributes-q13",
    "married filing jointly returns",
    accept(docs(eq("filing_status", "married_joint")), docs(typed("Tax Return"), eq("filing_status", "married_joint"))),
    'find documents where filing_status = "married filing jointly"',
)
ask(
    "name_pattern-q02",
    'docs with "countersigned" in the title',
    docs(named("countersigned")),
    'find documents where name contains "countersigned"',
)
ask("name_pattern-q04", "I'm after the catering menu", fuzzy_file("Catering menu.pdf", the_file("Catering menu.pdf")))
ask(
    "name_pattern-q05",
    'folders that have "photos" in their name',
    dirs(named("photos")),
    'find folders where name contains "photos"',
)
ask(
    "value-q02",
    "how big is Welcome tour.mp4",
    told(lambda: D("Welcome tour.mp4"), bytes_of(lambda: D("Welcome tour.mp4").size)),
    'get document("Welcome tour.mp4").size',
)
ask(
    "value-q03",
    "when was Budget_2024.xlsx created?",
    told(lambda: D("Budget_2024.xlsx"), dates(lambda: D("Budget_2024.xlsx").created)),
    'get document("Budget_2024.xlsx").created',
)
ask(
    "value-q05",
    "how many pages does Partnership Agreement 2019.pdf have?",
    told(lambda: D("Partnership Agreement 2019.pdf"), figures(lambda: D("Partnership Agreement 2019.pdf").pages)),
    'get document("Partnership Agreement 2019.pdf").pages',
)
ask(
    "value-q07",
    "What is the due date of Wedding Cake Deposit.pdf?",
    told(lambda: D("Wedding Cake Deposit.pdf"), dates(lambda: D("Wedding Cake Deposit.pdf").due)),
    'get document("Wedding Cake Deposit.pdf").due',
)
talk(
    "mt_refine-q01",
    ("contracts with Upland Brewing", docs(typed("Contract"), eq("counterparty", "Upland Brewing"))),
    ("only signed ones", docs(typed("Contract"), eq("counterparty", "Upland Brewing"), eq("signed", True))),
    (
        "and of those, 2025 only",
        docs(typed("Contract"), eq("counterparty", "Upland Brewing"), eq("signed", True), during("2025")),
    ),
)
talk(
    "mt_refine-q02",
    ("show invoices from Orchid Events", docs(typed("Invoice"), eq("vendor", "Orchid Events"))),
    ("over $5,000", docs(typed("Invoice"), eq("vendor", "Orchid Events"), gt("amount", 5000))),
    (
        "from 2024 or 2025",
        docs(typed("Invoice"), eq("vendor", "Orchid Events"), gt("amount", 5000), days("2024-01-01", "2025-12-31")),
    ),
)
talk(
    "mt_refine-q05",
    ("meeting notes in Kowalski Bakery and its subfolders", docs(typed("Meeting Notes"), under("Kowalski Bakery"))),
    ("how many is that?", count(typed("Meeting Notes"), under("Kowalski Bakery"))),
)
talk(
    "mt_refine-q06",
    ("documents in Leases of 48 Oak Avenue", docs(inside("Properties/48 Oak Avenue/Leases"))),
    ("same for Lakehouse", docs(inside("Properties/Lakehouse/Leases"))),
    ("only the ones created after 2022", docs(inside("Properties/Lakehouse/Leases"), after("2022"))),
)
talk(
    "mt_paging-q01",
    (
        "list medical bills newest first, 5 at a time",
        docs(typed("Medical Bill"), sort=by("created"), desc=True, limit=5),
    ),
    ("more", docs(typed("Medical Bill"), sort=by("created"), desc=True, limit=5, offset=5)),
    ("next page", docs(typed("Medical Bill"), sort=by("created"), desc=True, limit=5, offset=10)),
)
talk(
    "mt_paging-q03",
    (
        "Trademarks files by name, 5 per page",
        accept(docs(inside("Trademarks"), sort=by_name, limit=5), docs(inside("Trademarks"), sort=by("name"), limit=5)),
    ),
    (
        "next",
        accept(
            docs(inside("Trademarks"), sort=by_name, limit=5, offset=5),
            docs(inside("Trademarks"), sort=by("name"), limit=5, offset=5),
        ),
    ),
    ("next", lambda: exhausted()),
)
talk(
    "mt_clarify-q02",
    ("documents in Photos 2", accept(not_found("Photos 2"), did_you_mean(lambda: F("Photos")))),
    ("sorry, I meant Photos > 2020", docs(inside("Personal/Photos/2020"))),
)
talk(
    "mt_clarify-q04",
    ("documents in Mockups", which_folder("Mockups")),
    ("rebrand", docs(inside("Projects/Rebrand 2025/Design/Mockups"))),
    ("which are pngs?", docs(inside("Projects/Rebrand 2025/Design/Mockups"), ext("png"))),
)
talk(
    "mt_pronoun-q01",
    ("find Cutover Runbook.docx", the_file("Cutover Runbook.docx")),
    ("who owns it?", person_is(lambda: D("Cutover Runbook.docx"), "owner")),
    ("which folder is it in?", accept(the_folder("ERP Migration"), value("ERP Migration"))),
)
talk(
    "mt_pronoun-q03",
    ("open the Suppliers folder", accept(docs(inside("Suppliers")), the_folder("Suppliers"))),
    ("how many documents are in it?", count(inside("Suppliers"))),
    ("what's its parent?", the_folder("Kowalski Bakery")),
)
talk(
    "mt_topic-q01",
    (
        "overdue invoices from Globex",
        accept(docs(typed("Invoice"), eq("payment_status", "overdue"), eq("vendor", "Globex"))),
    ),
    ("who owns the Trademarks folder?", person_is(lambda: F("Trademarks"), "owner")),
    ("ok now show me the certificates from 2025", docs(typed("Certificate"), during("2025"))),
)
talk(
    "mt_pasted_query-q01",
    ('{"query": {"term": {"commonAttributes.documentType.keyword": "Tax Return"}}}', docs(typed("Tax Return"))),
    ("how many of these were created in 2021 or later?", count(typed("Tax Return"), since("2021"))),
)
talk(
    "mt_why-q02",
    ("NDAs expiring this year", docs(typed("NDA"), during("2026", "expires"))),
    ("which date did you use for that?", explain("previous query", ["expir"])),
)
talk(
    "mt_sort-q03",
    ("show the files in Worksheets", docs(inside("Worksheets"))),
    ("oldest first please", docs(inside("Worksheets"), sort=by("created"))),
)
talk(
    "mt_mixed-q02",
    ("how many certificates are there?", count(typed("Certificate"))),
    ("per year please", per(calendar_of("year"), typed("Certificate"))),
    ("show those of 2026", docs(typed("Certificate"), during("2026"))),
    ("newest first", docs(typed("Certificate"), during("2026"), sort=by("created"), desc=True)),
)
