"""Questions and answers."""

from ...table import Table, accept
from ...words import after, before, between, days, during, either, eq, ge, gt, has, lt, neg, since
from ..terms import (
    DIV,
    INT,
    MB,
    NEC,
    QUICKBOOKS,
    both,
    creator,
    dirs,
    docs,
    ext,
    inside,
    owner,
    tagged,
    typed,
    under,
    which_folder,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "combined_filters-q02",
    "starred contracts over 3 pages",
    docs(typed("Contract"), eq("starred", True), gt("pages", 3)),
    'find documents where type = "Contract" and starred and pages > 3',
)
ask(
    "combined_filters-q03",
    "unpaid or overdue invoices from Umbrella Dental since 2024",
    docs(typed("Invoice"), eq("vendor", "Umbrella Dental"), eq("payment_status", "unpaid", "overdue"), since("2024")),
    'find documents where type = "Invoice" and vendor = "Umbrella Dental" and payment_status in ["unpaid", "overdue"] and created >= 2024',
)
ask(
    "combined_filters-q07",
    "payslips in payroll 2025 created by hannah",
    docs(typed("Payslip"), inside("Business/Payroll/2025"), creator("Hannah Fischer")),
    'find documents where type = "Payslip" and folder = "Payroll/2025" and creator = "Hannah"',
)
ask(
    "combined_filters-q08",
    "receipts paid in cash from Starbucks or Whole Foods between $20 and $200",
    docs(
        typed("Receipt"),
        eq("payment_method", "cash"),
        eq("vendor", "Starbucks", "Whole Foods"),
        between("amount", 20, 200),
    ),
    'find documents where type = "Receipt" and payment_method = "cash" and vendor in ["Starbucks", "Whole Foods"] and amount between 20 and 200',
)
ask(
    "combined_filters-q11",
    "medical bills above 1000 dollars paid in cash",
    docs(typed("Medical Bill"), gt("amount", 1000), eq("payment_method", "cash")),
    'find documents where type = "Medical Bill" and amount > 1000 and payment_method = "cash"',
)
ask(
    "combined_filters-q14",
    "bank statements for 2025 which came in through the bank feed sync and aren't reviewed",
    docs(typed("Bank Statement"), during("2025"), creator("Bank Feed Sync"), neg(tagged("reviewed"))),
    'find documents where type = "Bank Statement" and created = 2025 and creator = "Bank Feed Sync" and not tags has "reviewed"',
)
ask(
    "combined_filters-q15",
    "meeting notes, markdown, Projects folder incl. subfolders, last quarter of 2025",
    docs(typed("Meeting Notes"), ext("md"), under("Projects"), during("2025-Q4")),
    'find documents where type = "Meeting Notes" and extension = "md" and folder under "Projects" and created = 2025-Q4',
)
ask(
    "app_in_folder-q01",
    "quickbooks documents in Vendors > Staples",
    docs(eq("app", *QUICKBOOKS), inside("Staples")),
    'find documents where app = "QuickBooks" and folder = "Staples"',
)
ask(
    "app_in_folder-q03",
    "what did Gmail import put into the Correspondence folder of Acme Corp?",
    docs(eq("app", "partner.gmail.import"), inside("Business/Clients/Acme Corp/Correspondence")),
    'find documents where app = "Gmail" and folder = "Acme Corp/Correspondence"',
)
ask(
    "app_in_folder-q06",
    "which files in Donors weren't uploaded directly to the drive?",
    docs(inside("Donors"), neg(eq("app", "drive.native.upload"))),
    'find documents where folder = "Donors" and app != "drive.native.upload"',
)
ask(
    "folder_tree-q02",
    "find every document in the Sandbox tree",
    docs(under("Sandbox")),
    'find documents where folder under "Sandbox"',
)
ask(
    "folder_tree-q03",
    "mockups: all files anywhere below Website Redesign/Design",
    docs(under("Projects/Website Redesign/Design")),
    'find documents where folder under "Website Redesign/Design"',
)
ask("folder_tree-q07", "recursively list the png files in Marketing", docs(ext("png"), under("Marketing")))
ask(
    "folder_tree-q08", "how much stuff is under Personal/Home, all levels? list documents", docs(under("Personal/Home"))
)
ask(
    "document_type-q01",
    "insurance policies",
    docs(typed("Insurance Policy")),
    'find documents where type = "Insurance Policy"',
)
ask("document_type-q03", "every 1099-NEC we have", docs(typed(NEC)), 'find documents where type = "1099-NEC"')
ask("document_type-q05", "any tax returns?", docs(typed("Tax Return")))
ask("document_type-q06", "show all 1099 forms", docs(typed(NEC, INT, DIV)), 'find documents where type = "1099s"')
ask(
    "uuid_given-q02",
    "files in folder b6f3d943-1ed9-48f9-881b-19ef6503ebd3 newer than 2024",
    docs(inside("Recipes"), after("2024")),
)
ask("uuid_given-q04", "subfolders of 6d29ab84-5546-408b-a94e-ea43a1020525", dirs(inside("ERP Migration")))
ask("uuid_given-q05", "all docs owned by account 9133215975586261", docs(owner("Peter Novak")))
ask("root_level-q02", "which files are not in any folder", docs(inside("/")), "find documents where folder = root")
ask(
    "root_level-q04",
    "folders in the root that belong to Dana Ortiz",
    dirs(inside("/"), owner("Dana Ortiz")),
    'find folders where folder = root and owner = "Dana Ortiz"',
)
ask(
    "boolean-q01",
    "docs in Suppliers tagged recurring but not reviewed",
    docs(inside("Suppliers"), tagged("recurring"), neg(tagged("reviewed"))),
    'find documents where folder = "Suppliers" and tags has "recurring" and not tags has "reviewed"',
)
ask(
    "boolean-q07",
    "restricted documents except invoices and receipts, in the Archive tree",
    docs(eq("classification", "restricted"), neg(typed("Invoice", "Receipt")), under("Archive")),
    'find documents where classification = "restricted" and type not in ["Invoice", "Receipt"] and folder under "Archive"',
)
ask(
    "boolean-q08",
    "docs in Board that aren't meeting notes",
    which_folder("Board"),
    'find documents where folder = "Board" and type != "Meeting Notes"',
)
ask(
    "boolean-q09",
    "proposals that are neither approved nor rejected but do have a review status",
    docs(typed("Proposal"), has("review_status"), neg(eq("review_status", "approved", "rejected"))),
    'find documents where type = "Proposal" and review_status exists and review_status not in ["approved", "rejected"]',
)
ask(
    "boolean-q10",
    "starred or locked files in Policies",
    docs(inside("Policies"), either(eq("starred", True), eq("locked", True))),
    'find documents where folder = "Policies" and (starred or locked)',
)
ask("numeric-q01", "files over 100 MB", docs(gt("size", 100 * MB)), "find documents where size > 100 MB")
ask(
    "numeric-q02",
    "invoices of more than $18,000",
    docs(typed("Invoice"), gt("amount", 18000)),
    'find documents where type = "Invoice" and amount > 18000',
)
ask(
    "numeric-q04",
    "presentations with 45 slides or more",
    docs(ext("pptx"), ge("slides", 45)),
    'find documents where extension = "presentations" and slides >= 45',
)
ask(
    "numeric-q05",
    "documents downloaded at least 50 times",
    docs(ge("downloads", 50)),
    "find documents where downloads >= 50",
)
ask(
    "numeric-q12",
    "folders holding more than 60 documents",
    dirs(gt("document_count", 60)),
    "find folders where document_count > 60",
)
ask("numeric-q13", "files smaller than 1 kb", docs(lt("size", 1000)), "find documents where size < 1 kB")
ask(
    "numeric-q14",
    "images at least 4000 pixels wide in Properties and below",
    docs(ge("width", 4000), under("Properties")),
    'find documents where width >= 4000 and folder under "Properties"',
)
ask(
    "dates-q05",
    "contracts that expire in the next 60 days",
    docs(typed("Contract"), days("2026-03-15", "2026-05-14", "expires")),
    'find documents where type = "Contract" and expires = next 60 days',
)
ask(
    "dates-q06",
    "documents added on 6 March 2026",
    docs(during("2026-03-06")),
    "find documents where created = 2026-03-06",
)
ask(
    "dates-q10",
    "anything created before May 2019",
    accept(docs(before("2019-05")), both(before("2019-05"))),
    "find documents where created < 2019-05",
)
ask(
    "dates-q11",
    "photos uploaded over the summer of 2023 (june-august)",
    docs(typed("Photo"), days("2023-06-01", "2023-08-31")),
)
ask(
    "dates-q13",
    "quotes created this quarter",
    docs(typed("Quote"), during("2026-Q1")),
    'find documents where type = "Quote" and created = this quarter',
)
ask(
    "dates-q15",
    "proposals from the first half of 2025",
    docs(typed("Proposal"), days("2025-01-01", "2025-06-30")),
    'find documents where type = "Proposal" and created between 2025-Q1 and 2025-Q2',
)
