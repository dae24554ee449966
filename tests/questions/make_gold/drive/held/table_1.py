"""Questions and answers."""

from tests.reference.model import folders

from ...table import Table, accept, hits, not_found, these, value
from ...words import during, gt
from ..terms import (
    MB,
    D,
    F,
    both,
    creator,
    dirs,
    docs,
    ext,
    fuzzy_file,
    inside,
    no_dirs,
    no_docs,
    other_than,
    owner,
    same,
    the_file,
    the_folder,
    typed,
    under,
    with_or_without,
)

TABLE = Table()
ask = TABLE.ask

ask(
    "folder_name_to_documents-q03",
    "Could you list the documents in our Trademarks folder, please?",
    docs(inside("Trademarks")),
)
ask("folder_name_to_documents-q04", "job postings folder - list of docs", docs(inside("Job Postings")))
ask("folder_name_to_documents-q08", "Suppliers", accept(the_folder("Suppliers"), docs(inside("Suppliers"))))
ask("folder_name_to_documents-q09", "documents from the holiday 2024 campaign folder", docs(inside("Holiday 2024")))
ask("folder_name_to_documents-q11", "get all docs in Honda Civic", docs(inside("Honda Civic")))
ask("folder_name_to_documents-q13", "i want to see what is in the Unsorted folder", docs(inside("Unsorted")))
ask(
    "folder_name_to_documents-q14",
    "documents within Personal > Medical > Bills",
    docs(inside("Personal/Medical/Bills")),
    'find documents where folder = "Personal > Medical > Bills"',
)
ask("subfolders-q02", "folders inside Vehicles", dirs(inside("Vehicles")))
ask("subfolders-q04", "does the Donors folder have any sub folders?", no_dirs(inside("Donors")))
ask(
    "subfolders-q05",
    "show me all folders anywhere under ERP Migration",
    dirs(under("ERP Migration")),
    'find folders where folder under "ERP Migration"',
)
ask("subfolders-q06", "which folders are directly in Properties?", dirs(inside("Properties")))
ask(
    "containing_folder-q01",
    "Where is Harvest Grant Application.docx?",
    accept(these(lambda: F("Grants")), the_file("Harvest Grant Application.docx"), value("Grants")),
    'find folders where id = document("Harvest Grant Application.docx").folder',
)
ask(
    "containing_folder-q02",
    'in which folder did we file "Trademark renewal filing.pdf"?',
    accept(these(lambda: F("Trademarks")), value("Trademarks")),
    'get document("Trademark renewal filing.pdf").folder',
)
ask(
    "containing_folder-q05",
    "which directory holds Org chart 2026.pptx",
    accept(
        value("root", "top level", "top-level", "not in a folder", "not in any folder", "no parent"),
        not_found("a containing folder: the entry is at the top level"),
        hits(folders, lambda f: False, empty=True),
        the_file("Org chart 2026.pptx"),
    ),
    'get document("Org chart 2026.pptx").folder',
)
ask(
    "siblings-q01",
    "what other files are in the same folder as Roof Estimate.pdf?",
    docs(inside("Properties/12 Maple St/Repairs"), other_than("Roof Estimate.pdf")),
    'find documents where folder = document("Roof Estimate.pdf").folder and id != document("Roof Estimate.pdf")',
)
ask(
    "siblings-q03",
    "everything in the folder where Rye notes.md is",
    accept(both(inside("Recipes")), both(inside("Recipes"), lambda d: d.name != "Rye notes.md")),
    'find entries where folder = document("Rye notes.md").folder',
)
ask(
    "parent_of_folder-q01",
    "what's the parent of Lab Results?",
    the_folder("Medical"),
    'find folders where id = folder("Lab Results").folder',
)
ask(
    "parent_of_folder-q04",
    "parent folder of Kyoto 2025 please",
    these(lambda: F("Personal/Travel")),
    'find folders where id = folder("Kyoto 2025").folder',
)
ask(
    "same_category-q01",
    "files with the same category as Dock Permit.pdf that are larger than 1 MB",
    with_or_without("Dock Permit.pdf", same("category", "Dock Permit.pdf"), gt("size", MB)),
    'find documents where category = document("Dock Permit.pdf").category and size > 1 MB',
)
ask(
    "same_category-q02",
    "what else is in the same category as Hail damage claim.docx?",
    accept(
        docs(same("category", "Hail damage claim.docx"), other_than("Hail damage claim.docx")),
        both(same("category", "Hail damage claim.docx"), other_than("Hail damage claim.docx")),
    ),
    'find documents where category = document("Hail damage claim.docx").category and id != document("Hail damage claim.docx")',
)
ask(
    "same_category-q05",
    "same extension as Starter feeding log.csv, in the Worksheets folder",
    docs(ext("csv"), inside("Worksheets")),
    'find documents where extension = document("Starter feeding log.csv").extension and folder = "Worksheets"',
)
ask(
    "same_owner-q02",
    "find folders with the same owner as the Audit Prep folder",
    accept(dirs(owner("Tom Baker")), dirs(owner("Tom Baker"), lambda f: f.name != "Audit Prep")),
    'find folders where owner = folder("Audit Prep").owner',
)
ask(
    "same_owner-q04",
    "folders whose owner also owns Trademark renewal filing.pdf",
    dirs(owner("Elena Petrova")),
    'find folders where owner = document("Trademark renewal filing.pdf").owner',
)
ask(
    "same_creator-q03",
    "files made by whoever made R&D budget + forecast (v1.2).xlsx",
    with_or_without("R&D budget + forecast (v1.2).xlsx", creator("Wei Zhang")),
    'find documents where creator = document("R&D budget + forecast (v1.2).xlsx").creator',
)
ask(
    "same_creator-q04",
    "folders created by the same person as the Sandbox folder",
    accept(
        dirs(lambda f: f.creator == F("Sandbox").creator),
        dirs(lambda f: f.creator == F("Sandbox").creator and f.name != "Sandbox"),
    ),
    'find folders where creator = folder("Sandbox").creator',
)
ask(
    "same_tags-q01",
    "documents that share at least one tag with Insurance Renewal 2026.pdf and are owned by Liam",
    with_or_without(
        "Insurance Renewal 2026.pdf",
        owner("Liam Ortiz"),
        lambda d: set(d.tags) & set(D("Insurance Renewal 2026.pdf").tags),
    ),
    'find documents where tags has any document("Insurance Renewal 2026.pdf").tags and owner = "Liam Ortiz"',
)
ask(
    "same_tags-q02",
    "invoices with any of the tags Wedding Cake Deposit.pdf has",
    with_or_without(
        "Wedding Cake Deposit.pdf", typed("Invoice"), lambda d: set(d.tags) & set(D("Wedding Cake Deposit.pdf").tags)
    ),
    'find documents where type = "Invoice" and tags has any document("Wedding Cake Deposit.pdf").tags',
)
ask(
    "same_relationship-q01",
    "Find every document with the same relationship ID as Engagement Letter - Acme Corp 2024.pdf",
    with_or_without(
        "Engagement Letter - Acme Corp 2024.pdf", same("relationship", "Engagement Letter - Acme Corp 2024.pdf")
    ),
    'find documents where relationship = document("Engagement Letter - Acme Corp 2024.pdf").relationship',
)
ask(
    "copies-q02",
    "copies of the engagement letter template",
    fuzzy_file(
        "Engagement Letter Template.docx", docs(lambda d: d.copied_from == D("Engagement Letter Template.docx").id)
    ),
)
ask(
    "copies-q03",
    "is there a copy of Dock Permit.pdf anywhere?",
    no_docs(lambda d: d.copied_from == D("Dock Permit.pdf").id),
)
ask(
    "copies-q04",
    "who made copies of Expense Claim Form.xlsx? show those files",
    docs(lambda d: d.copied_from == D("Expense Claim Form.xlsx").id),
)
ask("copies-q05", "Any duplicates made from Q3 Report.pdf", docs(lambda d: d.copied_from == D("Q3 Report.pdf").id))
ask(
    "original-q01",
    "what is Expense Claim Tom 2023.xlsx a copy of?",
    the_file("Expense Claim Form.xlsx"),
    'get document("Expense Claim Tom 2023.xlsx").copied_from',
)
ask("original-q02", "find the document that Landlord reminder.docx was made from", the_file("Template_Letter.docx"))
ask(
    "after_document-q01",
    "letters written after Globex termination letter.docx was created, only in Disputes",
    docs(typed("Letter"), inside("Disputes"), lambda d: d.created > D("Globex termination letter.docx").created),
    'find documents where type = "Letter" and folder = "Disputes" and created > document("Globex termination letter.docx").created',
)
ask(
    "after_document-q03",
    "NDAs more recent than [DRAFT] NDA.docx",
    docs(typed("NDA"), lambda d: d.created > D("[DRAFT] NDA.docx").created),
    'find documents where type = "NDA" and created > document("[DRAFT] NDA.docx").created',
)
ask(
    "after_document-q05",
    "which documents were edited after Audit sync 2026-03-12.docx was last edited, inside the Clients tree",
    docs(under("Clients"), lambda d: d.modified > D("Audit sync 2026-03-12.docx").modified),
    'find documents where folder under "Clients" and modified > document("Audit sync 2026-03-12.docx").modified',
)
ask(
    "before_document-q01",
    "leases older than Warehouse Lease 2024.pdf in the Properties tree",
    docs(typed("Lease"), under("Properties"), lambda d: d.created < D("Warehouse Lease 2024.pdf").created),
    'find documents where type = "Lease" and folder under "Properties" and created < document("Warehouse Lease 2024.pdf").created',
)
ask(
    "before_document-q04",
    "invoices in Kowalski Bakery/Invoices uploaded earlier than Oven replacement quote.pdf, 2025 only",
    docs(
        typed("Invoice"),
        inside("Kowalski Bakery/Invoices"),
        during("2025"),
        lambda d: d.created < D("Oven replacement quote.pdf").created,
    ),
)
