"""Questions and answers."""

from tests.reference.model import person

from ...table import Table, accept, clarify, measure, not_found, value
from ...words import before, by, calendar_of, days, during, element, eq, gt, has, lacks, mean, within
from ..terms import (
    MB,
    by_name,
    count,
    dirs,
    docs,
    ext,
    files_called,
    folders_of,
    highest,
    inside,
    mean_of,
    owner,
    per,
    per_person,
    shared,
    tagged,
    tagged_all,
    typed,
    under,
    which_folder,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "dates-q08",
    "letters between 1/15/2024 and 2/15/2024",
    docs(typed("Letter"), days("2024-01-15", "2024-02-15")),
    'find documents where type = "Letter" and created between 2024-01-15 and 2024-02-15',
)
ask(
    "dates-q09",
    "last week's meeting notes",
    accept(
        docs(typed("Meeting Notes"), days("2026-03-02", "2026-03-08")),
        docs(typed("Meeting Notes"), within(7, "day")),
        docs(typed("Meeting Notes"), days("2026-03-08", "2026-03-14")),
    ),
    'find documents where type = "Meeting Notes" and created = last week',
)
ask(
    "dates-q12",
    "files last opened in 2019",
    docs(during("2019", "last_viewed")),
    "find documents where last_viewed = 2019",
)
ask(
    "dates-q14",
    "NDAs that have already expired",
    docs(typed("NDA"), before("2026-03-15", "expires")),
    'find documents where type = "NDA" and expires < today',
)
ask(
    "tags-q02",
    'documents labeled "to file" and urgent',
    docs(tagged_all("to file", "urgent")),
    'find documents where tags has all ["to file", "urgent"]',
)
ask(
    "tags-q03",
    "untagged contracts",
    docs(typed("Contract"), lacks("tags")),
    'find documents where type = "Contract" and tags missing',
)
ask(
    "tags-q06",
    "year end docs in Shared with Accountant / Done",
    docs(inside("Done"), tagged("year-end")),
    'find documents where folder = "Done" and tags has "year-end"',
)
ask(
    "count-q02",
    "number of overdue invoices",
    count(typed("Invoice"), eq("payment_status", "overdue")),
    'count documents where type = "Invoice" and payment_status = "overdue"',
)
ask(
    "count-q03",
    "how many pdfs are in the Expenses folder",
    count(ext("pdf"), inside("Expenses")),
    'count documents where extension = "pdf" and folder = "Expenses"',
)
ask(
    "count-q05",
    "how many documents does Grace Kim own?",
    count(owner("Grace Kim")),
    'count documents where owner = "Grace Kim"',
)
ask("count-q06", "how many files were uploaded in january 2026?", count(during("2026-01")))
ask("group_by-q01", "documents by type", per("type"), "count documents by type")
ask(
    "group_by-q04",
    "average invoice amount by payment status",
    per("payment_status", typed("Invoice"), measure=mean("amount")),
    'avg(amount) of documents where type = "Invoice" by payment_status',
)
ask(
    "group_by-q06",
    "count documents in Shared with Accountant (all levels) by category",
    per("category", under("Shared with Accountant")),
    'count documents where folder under "Shared with Accountant" by category',
)
ask(
    "group_by-q07",
    "who has uploaded the most documents?",
    accept(per_person("creator", top=1), value(lambda: ["Hannah Fischer", person("Hannah Fischer")])),
    "count documents by creator limit 1",
)
ask(
    "group_by-q10",
    "what's the average size of a pdf?",
    measure("avg", mean_of("size", ext("pdf"))),
    'avg(size) of documents where extension = "pdf"',
)
ask(
    "group_by-q11",
    "contracts per year",
    per(calendar_of("year"), typed("Contract")),
    'count documents where type = "Contract" by year(created)',
)
ask(
    "group_by-q15",
    "documents with comments, per language",
    per("language", has("comments")),
    "count documents where comments exists by language",
)
ask(
    "group_by-q16",
    "which tag is used most often",
    accept(per("tags", top=1), value("payroll-run")),
    "count documents by tags limit 1",
)
ask(
    "sort_top_n-q01",
    "the 3 most expensive purchase orders",
    docs(typed("Purchase Order"), sort=by("amount"), desc=True, limit=3),
    'find documents where type = "Purchase Order" sort amount desc limit 3',
)
ask(
    "sort_top_n-q04",
    "latest five NDAs",
    docs(typed("NDA"), sort=by("created"), desc=True, limit=5),
    'find documents where type = "NDA" sort created desc limit 5',
)
ask(
    "sort_top_n-q05",
    "Trademarks documents alphabetically",
    accept(docs(inside("Trademarks"), sort=by_name), docs(inside("Trademarks"), sort=by("name"))),
    'find documents where folder = "Trademarks" sort name',
)
ask(
    "sort_top_n-q07",
    "which contract expires last?",
    docs(typed("Contract"), sort=by("expires"), desc=True, limit=1),
    'find documents where type = "Contract" sort expires desc limit 1',
)
ask(
    "sort_top_n-q08",
    "2nd largest video",
    docs(ext("mp4"), sort=by("size"), desc=True, limit=1, offset=1),
    'find documents where extension = "videos" sort size desc limit 1 offset 1',
)
ask(
    "multi_hop-q01",
    "documents in the folder that contains Roof Estimate.pdf, over 1 MB",
    accept(docs(inside("Properties/12 Maple St/Repairs"), gt("size", MB))),
)
ask(
    "multi_hop-q03",
    "subfolders of the parent of Lab Results",
    accept(dirs(inside("Medical")), dirs(inside("Medical"), lambda f: f.name != "Lab Results")),
    'find folders where folder = folder("Lab Results").folder',
)
ask(
    "multi_hop-q05",
    "which folders contain tax returns?",
    dirs(lambda f: f.id in folders_of(typed("Tax Return"))),
    'find folders where id in (find documents where type = "Tax Return").folder',
)
ask(
    "multi_hop-q06",
    "folders with at least one video in them",
    dirs(lambda f: f.id in folders_of(ext("mp4"))),
    'find folders where id in (find documents where extension = "mp4").folder',
)
ask(
    "multi_hop-q09",
    "docs in the same folder as the biggest video",
    accept(
        docs(lambda d: d.folder == highest("size", ext("mp4")).folder),
        docs(lambda d: d.folder == highest("size", ext("mp4")).folder and d.id != highest("size", ext("mp4")).id),
    ),
    'find documents where folder = (find documents where extension = "mp4" sort size desc limit 1).folder',
)
ask(
    "multi_hop-q12",
    "other documents by the creator of the newest NDA, created in March 2026",
    docs(
        lambda d: d.creator == highest("created", typed("NDA")).creator and d.id != highest("created", typed("NDA")).id,
        during("2026-03"),
    ),
    'find documents where creator = (find documents where type = "NDA" sort created desc limit 1).creator and created = 2026-03 and id != (find documents where type = "NDA" sort created desc limit 1)',
)
ask("ambiguous-q01", "show me the files in Vendors", which_folder("Vendors"), 'find documents where folder = "Vendors"')
ask(
    "ambiguous-q02",
    "open Report.pdf",
    accept(docs(lambda d: d.name == "Report.pdf"), clarify(files_called("Report.pdf"))),
)
ask(
    "ambiguous-q03",
    "who owns Lease Agreement.pdf?",
    clarify(files_called("Lease Agreement.pdf")),
    'get document("Lease Agreement.pdf").owner',
)
ask("ambiguous-q07", "subfolders of Design", which_folder("Design"), 'find folders where folder = "Design"')
ask("not_found-q04", "copies of the Quantum Roadmap deck", not_found("Quantum Roadmap"))
ask(
    "not_found-q05",
    "docs in folder 00000000-0000-4000-8000-000000000000",
    not_found("00000000-0000-4000-8000-000000000000"),
)
ask(
    "not_found-q06",
    "what's inside Clients/Hooli/Invoices?",
    accept(not_found("Hooli")),
    'find entries where folder = "Clients/Hooli/Invoices"',
)
ask(
    "nested-q01",
    "documents shared with Wei Zhang as editor",
    docs(shared("Wei Zhang", "editor")),
    'find documents where shares[who = "Wei Zhang" and role = "editor"]',
)
ask(
    "nested-q02",
    "which contracts can Peter Novak edit?",
    docs(typed("Contract"), shared("Peter Novak", "editor")),
    'find documents where type = "Contract" and shares[who = "Peter Novak" and role = "editor"]',
)
ask(
    "nested-q04",
    "docs with unresolved comments by Marcus Webb",
    docs(element("comments", lambda c: c.author == person("Marcus Webb") and not c.resolved)),
    'find documents where comments[author = "Marcus Webb" and resolved = false]',
)
