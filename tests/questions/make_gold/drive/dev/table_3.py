"""Questions and answers."""

from tests.reference.case import total
from tests.reference.model import documents, person

from ...table import Table, accept, clarify, hits, measure, not_found, number, these, value, which_person
from ...words import after, anything, by, calendar_of, during, element, eq, has, neg, since
from ..terms import (
    D,
    F,
    count,
    count_folders,
    creator,
    dirs,
    docs,
    files_called,
    folders_of,
    inside,
    other_than,
    parent,
    per,
    per2,
    person_is,
    sum_of,
    tagged,
    tagged_all,
    the_folder,
    typed,
    under,
    which_folder,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "dates-q16",
    "leases effective after Jan 1st 2025",
    docs(typed("Lease"), after("2025-01-01", "effective")),
    'find documents where type = "Lease" and effective > 2025-01-01',
)
ask(
    "dates-q17",
    "docs viewed since monday",
    docs(since("2026-03-09", "last_viewed")),
    "find documents where last_viewed >= 2026-03-09",
)
ask(
    "tags-q01",
    "everything tagged follow-up in Policies",
    docs(inside("Policies"), tagged("follow-up")),
    'find entries where folder = "Policies" and tags has "follow-up"',
)
ask(
    "tags-q04",
    "home-office receipts",
    docs(typed("Receipt"), tagged("home-office")),
    'find documents where type = "Receipt" and tags has "home-office"',
)
ask(
    "tags-q05",
    "which folders are tagged needs-signature?",
    dirs(tagged("needs-signature")),
    'find folders where tags has "needs-signature"',
)
ask(
    "tags-q07",
    "client facing reports with the tag important but without follow-up",
    docs(typed("Report"), tagged_all("client-facing", "important"), neg(tagged("follow-up"))),
    'find documents where type = "Report" and tags has all ["client-facing", "important"] and not tags has "follow-up"',
)
ask("count-q01", "How many NDAs do we have?", count(typed("NDA")), 'count documents where type = "NDA"')
ask(
    "count-q04",
    "count subfolders of Vendors",
    count_folders(inside("Business/Vendors")),
    'count folders where folder = "Business/Vendors"',
)
ask(
    "count-q07",
    "total no. of receipts from Uber",
    count(typed("Receipt"), eq("vendor", "Uber")),
    'count documents where type = "Receipt" and vendor = "Uber"',
)
ask("count-q08", "how many documents are tagged warranty", count(tagged("warranty")))
ask(
    "count-q09",
    "How many different vendors are there on our invoices?",
    number(lambda: len({d.vendor for d in documents() if d.type == "Invoice" and d.vendor})),
    'distinct(vendor) of documents where type = "Invoice"',
)
ask(
    "group_by-q02",
    "how many invoices per vendor in 2025?",
    per("vendor", typed("Invoice"), during("2025")),
    'count documents where type = "Invoice" and created = 2025 by vendor',
)
ask(
    "group_by-q03",
    "files per month in 2025",
    per(calendar_of("month"), during("2025")),
    "count documents where created = 2025 by month(created)",
)
ask(
    "group_by-q05",
    "total size of files per file extension",
    per("extension", measure=total("size")),
    "sum(size) of documents by extension",
)
ask(
    "group_by-q08",
    "which app do most of our files come from?",
    accept(per("app", top=1), value("drive.native.upload", "native upload")),
    "count documents by app limit 1",
)
ask(
    "group_by-q09",
    "top 3 vendors by receipt spending",
    per("vendor", typed("Receipt"), measure=total("amount"), top=3),
    'sum(amount) of documents where type = "Receipt" by vendor limit 3',
)
ask(
    "group_by-q12",
    "total value of contracts governed by Delaware law",
    measure("sum", sum_of("contract_value", typed("Contract"), eq("law", "Delaware"))),
    'sum(contract_value) of documents where type = "Contract" and law = "Delaware"',
)
ask("group_by-q13", "W2s by employer", per("employer", typed("W2")), 'count documents where type = "W2" by employer')
ask(
    "group_by-q14",
    "breakdown of documents by visibility and classification",
    per2("visibility", "classification"),
    "count documents by visibility, classification",
)
ask(
    "sort_top_n-q02",
    "most viewed document",
    docs(anything, sort=by("views"), desc=True, limit=1),
    "find documents sort views desc limit 1",
)
ask(
    "sort_top_n-q03",
    "oldest file in Policies",
    docs(inside("Policies"), sort=by("created"), limit=1),
    'find documents where folder = "Policies" sort created limit 1',
)
ask(
    "sort_top_n-q06",
    "top 10 biggest invoices by amount",
    docs(typed("Invoice"), sort=by("amount"), desc=True, limit=10),
)
ask(
    "sort_top_n-q09",
    "cheapest 4 medical bills",
    docs(typed("Medical Bill"), sort=by("amount"), limit=4),
    'find documents where type = "Medical Bill" sort amount limit 4',
)
ask(
    "sort_top_n-q10",
    "last 3 files modified in Campaigns and subfolders",
    docs(under("Campaigns"), sort=by("modified"), desc=True, limit=3),
    'find documents where folder under "Campaigns" sort modified desc limit 3',
)
ask(
    "multi_hop-q02",
    "who owns the folder that Wedding Cake Deposit.pdf is in?",
    accept(person_is(lambda: F("Kowalski Bakery/Invoices"), "owner"), these(lambda: D("Wedding Cake Deposit.pdf"))),
    'get document("Wedding Cake Deposit.pdf").folder.owner',
)
ask(
    "multi_hop-q04",
    "NDAs in folders owned by Mei-Ling Chen",
    docs(typed("NDA"), lambda d: parent(d) is not None and parent(d).owner == person("Mei-Ling Chen")),
    'find documents where type = "NDA" and folder.owner = "Mei-Ling Chen"',
)
ask(
    "multi_hop-q07",
    "documents created by the owner of Brand Assets this year",
    docs(creator("Mei-Ling Chen"), during("2026")),
    'find documents where creator = folder("Brand Assets").owner and created = this year',
)
ask(
    "multi_hop-q08",
    "copies of the original of Expense Claim Lucy 2024.xlsx",
    accept(
        docs(lambda d: d.copied_from == D("Expense Claim Form.xlsx").id),
        docs(lambda d: d.copied_from == D("Expense Claim Form.xlsx").id, other_than("Expense Claim Lucy 2024.xlsx")),
    ),
    'find documents where copied_from = document("Expense Claim Lucy 2024.xlsx").copied_from',
)
ask(
    "multi_hop-q10",
    "files in green folders owned by Grace Kim",
    docs(lambda d: parent(d) is not None and parent(d).color == "green" and parent(d).owner == person("Grace Kim")),
    'find documents where folder.color = "green" and folder.owner = "Grace Kim"',
)
ask(
    "multi_hop-q11",
    "the grandparent folder of Repairs in Lakehouse",
    the_folder("Properties"),
    'find folders where id = folder("Lakehouse/Repairs").folder.folder',
)
ask("ambiguous-q04", "contents of the Payroll folder", which_folder("Payroll"), 'find entries where folder = "Payroll"')
ask(
    "ambiguous-q05",
    "documents owned by Dana",
    which_person("Dana Ortiz", "Dana Whitfield"),
    'find documents where owner = "Dana"',
)
ask(
    "ambiguous-q06",
    "find all folders named Quotes",
    dirs(lambda f: f.name == "Quotes"),
    'find folders where name = "Quotes"',
)
ask(
    "ambiguous-q08",
    "which folder is summary.pdf in?",
    accept(clarify(files_called("summary.pdf")), dirs(lambda f: f.id in folders_of(eq("name", "summary.pdf")))),
    'find folders where id = document("summary.pdf").folder',
)
ask(
    "not_found-q01",
    "files in the Spaceship Blueprints folder",
    not_found("Spaceship Blueprints"),
    'find documents where folder = "Spaceship Blueprints"',
)
ask(
    "not_found-q02",
    "who created Moon Landing Plan.pdf",
    not_found("Moon Landing Plan.pdf"),
    'get document("Moon Landing Plan.pdf").creator',
)
ask(
    "not_found-q03",
    "documents shared with Sherlock Holmes",
    accept(not_found("person Sherlock Holmes"), hits(documents, lambda d: False, empty=True)),
    'find documents where shares.who = "Sherlock Holmes"',
)
ask(
    "not_found-q07",
    "documents in the same folder as Dragon Egg Inventory.xlsx",
    not_found("Dragon Egg Inventory.xlsx"),
    'find documents where folder = document("Dragon Egg Inventory.xlsx").folder',
)
ask(
    "nested-q03",
    "leases shared with anybody",
    docs(typed("Lease"), has("shares")),
    'find documents where type = "Lease" and shares exists',
)
ask(
    "nested-q06",
    'files where someone commented "Missing a signature on page two"',
    docs(element("comments", lambda c: "missing a signature on page two" in (c.text or "").lower())),
    'find documents where comments.text mentions "Missing a signature on page two"',
)
