"""Questions and answers."""

from ...table import Table, accept
from ...words import before, between, both_of, during, either, eq, ge, gt, lt, neg, since, within
from ..terms import MB, D, both, dirs, docs, ext, inside, owner, person_is, tagged, tagged_all, the_file, typed, under

TABLE = Table()
ask = TABLE.ask

ask(
    "between_documents-q02",
    "scans that arrived in the Inbox folder between scan_of_passport.pdf and Scan_1239.pdf",
    docs(inside("Inbox"), lambda d: D("scan_of_passport.pdf").created < d.created < D("Scan_1239.pdf").created),
    'find documents where folder = "Inbox" and created > document("scan_of_passport.pdf").created and created < document("Scan_1239.pdf").created',
)
ask(
    "between_documents-q03",
    "Show files uploaded later than Estimated payments 2025.xlsx and earlier than Hail damage claim.docx",
    docs(lambda d: D("Estimated payments 2025.xlsx").created < d.created < D("Hail damage claim.docx").created),
)
ask(
    "combined_filters-q04",
    "photos bigger than 5 MB uploaded from a phone in 2024",
    docs(typed("Photo"), gt("size", 5 * MB), eq("device", "phone"), during("2024")),
    'find documents where type = "Photo" and size > 5 MB and device = "phone" and created = 2024',
)
ask(
    "combined_filters-q05",
    "I need Tom Baker's confidential pdfs with more than 20 views",
    docs(owner("Tom Baker"), eq("classification", "confidential"), ext("pdf"), gt("views", 20)),
    'find documents where owner = "Tom Baker" and classification = "confidential" and extension = "pdf" and views > 20',
)
ask(
    "combined_filters-q06",
    "draft proposals that are not in English",
    docs(typed("Proposal"), eq("review_status", "draft"), neg(eq("language", "en"))),
    'find documents where type = "Proposal" and review_status = "draft" and language != "en"',
)
ask(
    "combined_filters-q09",
    "Docx files in Clients and its subfolders which are locked",
    docs(ext("docx"), under("Clients"), eq("locked", True)),
    'find documents where extension = "docx" and folder under "Clients" and locked',
)
ask(
    "combined_filters-q10",
    "quotes for over 5k from 2025 that nobody has viewed",
    accept(docs(typed("Quote"), gt("amount", 5000), during("2025"), eq("views", 0))),
    'find documents where type = "Quote" and amount > 5000 and created = 2025 and views = 0',
)
ask(
    "combined_filters-q12",
    "Carlos's purchase orders to IKEA with at least ten line items",
    docs(typed("Purchase Order"), owner("Carlos Mendes"), eq("vendor", "IKEA"), ge("line_items", 10)),
    'find documents where type = "Purchase Order" and owner = "Carlos" and vendor = "IKEA" and line_items >= 10',
)
ask(
    "combined_filters-q13",
    "important pngs in the Marketing tree bigger than 1 MB",
    docs(tagged("important"), ext("png"), under("Marketing"), gt("size", MB)),
    'find documents where tags has "important" and extension = "png" and folder under "Marketing" and size > 1 MB',
)
ask(
    "app_in_folder-q02",
    "files that came from Dropbox in the Design folder of Mobile App",
    docs(eq("app", "partner.dropbox.sync"), inside("Projects/Mobile App/Design")),
    'find documents where app = "Dropbox" and folder = "Mobile App/Design"',
)
ask(
    "app_in_folder-q04",
    "mint statements in Checking from 2025",
    accept(
        docs(eq("app", "intuit.mint.web"), inside("Checking"), during("2025")),
        docs(eq("app", "intuit.mint.web"), inside("Checking"), during("2025"), typed("Bank Statement")),
    ),
)
ask(
    "app_in_folder-q05",
    "Find QuickBooks Online files in Savings created before 2024",
    docs(eq("app", "intuit.quickbooks.online"), inside("Savings"), before("2024")),
    'find documents where app = "QuickBooks Online" and folder = "Savings" and created < 2024',
)
ask(
    "folder_tree-q01",
    "all contracts under the Clients folder including subfolders",
    docs(typed("Contract"), under("Clients")),
    'find documents where type = "Contract" and folder under "Clients"',
)
ask(
    "folder_tree-q04",
    "photos in Personal, at any depth, uploaded in 2023 or later",
    docs(typed("Photo"), under("Personal"), since("2023")),
    'find documents where type = "Photo" and folder under "Personal" and created >= 2023',
)
ask(
    "folder_tree-q05",
    "is there anything pending a virus scan in the HR folder or any of its subfolders?",
    docs(eq("virus_scan", "pending"), under("HR")),
    'find documents where folder under "HR" and virus_scan = "pending"',
)
ask(
    "folder_tree-q06",
    "spreadsheets under Projects",
    docs(ext("xlsx", "csv"), under("Projects")),
    'find documents where extension = "spreadsheets" and folder under "Projects"',
)
ask(
    "document_type-q02",
    "I'm looking for all our utility bills.",
    docs(typed("Utility Bill")),
    'find documents where type = "Utility Bill"',
)
ask(
    "document_type-q04",
    "handbooks and certificates",
    docs(typed("Handbook", "Certificate")),
    'find documents where type in ["Handbook", "Certificate"]',
)
ask("document_type-q07", "purchase ordrs", docs(typed("Purchase Order")))
ask("uuid_given-q01", "show document 3ceef2ee-5894-49b3-bcd7-59dc27505ce6", the_file("Roof Estimate.pdf"))
ask(
    "uuid_given-q03",
    "who owns d931f1a6-6cab-467b-ac2c-f36fc64a8399?",
    person_is(lambda: D("Cutover Runbook.docx"), "owner"),
)
ask("root_level-q01", "top level folders", dirs(inside("/")), "find folders where folder = root")
ask("root_level-q03", "documents at root level owned by Hannah", docs(inside("/"), owner("Hannah Fischer")))
ask(
    "boolean-q02",
    "either NDAs or leases, owned by Elena",
    docs(typed("NDA", "Lease"), owner("Elena Petrova")),
    'find documents where type in ["NDA", "Lease"] and owner = "Elena"',
)
ask(
    "boolean-q03",
    "files in Social that are not png",
    docs(inside("Social"), neg(ext("png"))),
    'find documents where folder = "Social" and extension != "png"',
)
ask(
    "boolean-q04",
    "receipts that are both deductible and reimbursable",
    docs(typed("Receipt"), tagged_all("deductible", "reimbursable")),
    'find documents where type = "Receipt" and tags has all ["deductible", "reimbursable"]',
)
ask(
    "boolean-q05",
    "contracts that are signed and auto-renewing, or worth more than 150,000",
    docs(typed("Contract"), either(both_of(eq("signed", True), eq("auto_renews", True)), gt("contract_value", 150000))),
    'find documents where type = "Contract" and ((signed and auto_renews) or contract_value > 150000)',
)
ask(
    "boolean-q06",
    "letters not owned by Ruth and not by Elena in Disputes",
    docs(typed("Letter"), inside("Disputes"), neg(owner("Ruth Abara", "Elena Petrova"))),
    'find documents where type = "Letter" and folder = "Disputes" and owner not in ["Ruth Abara", "Elena Petrova"]',
)
ask(
    "numeric-q03",
    "receipts under ten dollars",
    docs(typed("Receipt"), lt("amount", 10)),
    'find documents where type = "Receipt" and amount < 10',
)
ask(
    "numeric-q06",
    "videos longer than 5 minutes",
    docs(ext("mp4"), gt("duration", 300)),
    'find documents where extension = "videos" and duration > 5 minutes',
)
ask(
    "numeric-q07",
    "contracts worth between 100k and 110k",
    docs(typed("Contract"), between("contract_value", 100000, 110000)),
    'find documents where type = "Contract" and contract_value between 100000 and 110000',
)
ask(
    "numeric-q08",
    "leases with exactly 9 pages",
    docs(typed("Lease"), eq("pages", 9)),
    'find documents where type = "Lease" and pages = 9',
)
ask(
    "numeric-q09",
    "workbooks that have more than twelve sheets",
    docs(gt("sheets", 12)),
    "find documents where sheets > 12",
)
ask(
    "numeric-q10",
    "which tax returns had a refund above $5,000?",
    docs(typed("Tax Return"), gt("refund", 5000)),
    'find documents where type = "Tax Return" and refund > 5000',
)
ask("numeric-q11", "docs with over 20k words", docs(gt("words", 20000)), "find documents where words > 20000")
ask("dates-q01", "docs uploaded today", docs(during("2026-03-15")), "find documents where created = today")
ask(
    "dates-q02",
    "files modified yesterday",
    docs(during("2026-03-14", "modified")),
    "find documents where modified = yesterday",
)
ask(
    "dates-q03",
    "what was created in the past 7 days?",
    accept(docs(within(7, "day")), both(within(7, "day"))),
    "find documents where created = last 7 days",
)
ask(
    "dates-q04",
    "invoices due this month",
    docs(typed("Invoice"), during("2026-03", "due")),
    'find documents where type = "Invoice" and due = this month',
)
ask(
    "dates-q07",
    "reports from november 2024",
    docs(typed("Report"), during("2024-11")),
    'find documents where type = "Report" and created = 2024-11',
)
