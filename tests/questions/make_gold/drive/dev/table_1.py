"""Questions and answers."""

from tests.reference.model import documents, person

from ...table import Table, accept, hits, these, value
from ...words import during, eq, has
from ..terms import (
    D,
    F,
    both,
    count,
    creator,
    dirs,
    docs,
    ext,
    fuzzy_file,
    fuzzy_folder,
    inside,
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
    "folder_name_to_documents-q01",
    "whats in the onboarding folder",
    docs(inside("Onboarding")),
    'find documents where folder = "Onboarding"',
)
ask(
    "folder_name_to_documents-q02",
    "Show me everything in Warranties.",
    docs(inside("Warranties")),
    'find entries where folder = "Warranties"',
)
ask("folder_name_to_documents-q05", "files under Lab Results", docs(inside("Lab Results")))
ask(
    "folder_name_to_documents-q06",
    "which docs did we put in Open Door Nonprofit/Volunteers",
    docs(inside("Volunteers")),
    'find documents where folder = "Open Door Nonprofit/Volunteers"',
)
ask(
    "folder_name_to_documents-q07",
    "open the Cobalt Studio invoices folder and show me what's there",
    docs(inside("Business/Clients/Cobalt Studio/Invoices")),
    'find entries where folder = "Cobalt Studio/Invoices"',
)
ask("folder_name_to_documents-q10", 'what have we got in "Credit Card"?', docs(inside("Credit Card")))
ask(
    "folder_name_to_documents-q12",
    "pls show files in Offce Supplies",
    fuzzy_folder("Office Supplies", docs(inside("Office Supplies"))),
    'find documents where folder = "Offce Supplies"',
)
ask(
    "subfolders-q01",
    "What subfolders does Marketing have?",
    dirs(inside("Marketing")),
    'find folders where folder = "Marketing"',
)
ask(
    "subfolders-q03",
    "list the directories under Campaigns",
    accept(dirs(inside("Campaigns")), dirs(under("Campaigns"))),
)
ask("subfolders-q07", "how are things organised in Templates - what folders are in there", dirs(inside("Templates")))
ask("containing_folder-q03", "folder that contains Mileage guide.docx", the_folder("Policies"))
ask(
    "containing_folder-q04",
    "what folder is the sourdough master formula in",
    fuzzy_file("Sourdough Master Formula.docx", accept(the_folder("Recipes"), value("Recipes"))),
    'find folders where id = document("sourdough master formula").folder',
)
ask(
    "containing_folder-q06",
    "name of the folder Basement pump receipt.jpg sits in",
    accept(these(lambda: F("Properties/48 Oak Avenue/Repairs")), value("Repairs")),
    'find folders where id = document("Basement pump receipt.jpg").folder',
)
ask(
    "siblings-q02",
    "siblings of Trademark renewal filing.pdf",
    docs(inside("Trademarks"), other_than("Trademark renewal filing.pdf")),
    'find entries where folder = document("Trademark renewal filing.pdf").folder and id != document("Trademark renewal filing.pdf")',
)
ask(
    "siblings-q04",
    "receipts in the same folder as Team lunch.jpg, jpg only",
    docs(inside("Meals"), typed("Receipt"), ext("jpg")),
    'find documents where folder = document("Team lunch.jpg").folder and type = "Receipt" and extension = "jpg"',
)
ask(
    "siblings-q05",
    "reports next to Lakehouse inspection 2024.pdf from 2025",
    docs(inside("Inspections"), typed("Report"), during("2025")),
    'find documents where folder = document("Lakehouse inspection 2024.pdf").folder and type = "Report" and created = 2025',
)
ask("parent_of_folder-q02", "which folder is Brand Assets in", the_folder("Marketing"))
ask("parent_of_folder-q03", "show the folder above Job Postings", the_folder("HR"))
ask(
    "same_category-q03",
    "docs of the same document type as Company Handbook.pdf",
    with_or_without("Company Handbook.pdf", same("type", "Company Handbook.pdf")),
    'find documents where type = document("Company Handbook.pdf").type',
)
ask(
    "same_category-q04",
    "which documents share a category with Onboarding Checklist.xlsx and were made this year",
    docs(same("category", "Onboarding Checklist.xlsx"), during("2026"), other_than("Onboarding Checklist.xlsx")),
    'find documents where category = document("Onboarding Checklist.xlsx").category and created = this year',
)
ask(
    "same_owner-q01",
    "documents belonging to whoever owns Dock Permit.pdf in the Inspections folder",
    docs(owner("Dana Whitfield"), inside("Inspections")),
    'find documents where owner = document("Dock Permit.pdf").owner and folder = "Inspections"',
)
ask(
    "same_owner-q03",
    "Which other spreadsheets belong to the owner of Cash flow plan 2025.xlsx?",
    docs(
        lambda d: d.owner == D("Cash flow plan 2025.xlsx").owner,
        ext("xlsx", "csv"),
        other_than("Cash flow plan 2025.xlsx"),
    ),
    'find documents where owner = document("Cash flow plan 2025.xlsx").owner and extension = "spreadsheets" and id != document("Cash flow plan 2025.xlsx")',
)
ask(
    "same_creator-q01",
    "what else did the person who uploaded Onboarding Checklist.xlsx upload last month?",
    docs(creator("Tom Baker"), during("2026-02")),
    'find documents where creator = document("Onboarding Checklist.xlsx").creator and created = last month',
)
ask(
    "same_creator-q02",
    "leases created by the creator of Warehouse Lease 2024.pdf",
    with_or_without("Warehouse Lease 2024.pdf", typed("Lease"), creator("Elena Petrova")),
    'find documents where type = "Lease" and creator = document("Warehouse Lease 2024.pdf").creator',
)
ask(
    "same_tags-q03",
    "which files have all the tags of Globex MSA 2025.pdf?",
    accept(
        docs(lambda d: set(d.tags) >= set(D("Globex MSA 2025.pdf").tags)),
        hits(
            documents, lambda d: set(d.tags) >= set(D("Globex MSA 2025.pdf").tags) and d.name != "Globex MSA 2025.pdf"
        ),
    ),
    'find documents where tags has all document("Globex MSA 2025.pdf").tags',
)
ask(
    "same_relationship-q02",
    "which documents are related to Roof Invoice.pdf by relationship id",
    with_or_without("Roof Invoice.pdf", same("relationship", "Roof Invoice.pdf")),
    'find documents where relationship = document("Roof Invoice.pdf").relationship',
)
ask(
    "same_relationship-q03",
    "docs with relationship id REL-NT00-2025",
    docs(eq("relationship", "REL-NT00-2025")),
    'find documents where relationship = "REL-NT00-2025"',
)
ask(
    "copies-q01",
    "which documents were copied from Expense Claim Form.xlsx?",
    docs(lambda d: d.copied_from == D("Expense Claim Form.xlsx").id),
    'find documents where copied_from = document("Expense Claim Form.xlsx")',
)
ask(
    "copies-q06",
    "how many copies of Template_Letter.docx exist",
    count(lambda d: d.copied_from == D("Template_Letter.docx").id),
    'count documents where copied_from = document("Template_Letter.docx")',
)
ask(
    "copies-q07",
    "every file that is a copy of something and sits in Shared with Accountant or below",
    docs(has("copied_from"), under("Shared with Accountant")),
    'find documents where copied_from exists and folder under "Shared with Accountant"',
)
ask(
    "original-q03",
    'original of "Copy of Copy of Engagement Letter Template.docx"',
    the_file("Copy of Engagement Letter Template.docx"),
)
ask(
    "original-q04",
    "who owns the original of Q3 Report (accountant copy).pdf",
    accept(value("Marcus Webb", lambda: [person("Marcus Webb")]), the_file("Q3 Report.pdf")),
    'get document("Q3 Report (accountant copy).pdf").copied_from.owner',
)
ask(
    "after_document-q02",
    "everything in Grants that's newer than Harvest Grant Application.docx",
    docs(inside("Grants"), lambda d: d.created > D("Harvest Grant Application.docx").created),
    'find entries where folder = "Grants" and created > document("Harvest Grant Application.docx").created',
)
ask(
    "after_document-q04",
    "what has been uploaded since Sales Summary Mar 2026.xlsx?",
    accept(
        docs(lambda d: d.created > D("Sales Summary Mar 2026.xlsx").created),
        both(lambda d: d.created > D("Sales Summary Mar 2026.xlsx").created),
    ),
    'find documents where created > document("Sales Summary Mar 2026.xlsx").created',
)
ask(
    "before_document-q02",
    "files in Templates (any level) added before Template_Letter_v2.docx",
    docs(under("Templates"), lambda d: d.created < D("Template_Letter_v2.docx").created),
)
ask(
    "before_document-q03",
    "which insurance policies came before Insurance Renewal 2026.pdf",
    docs(typed("Insurance Policy"), lambda d: d.created < D("Insurance Renewal 2026.pdf").created),
    'find documents where type = "Insurance Policy" and created < document("Insurance Renewal 2026.pdf").created',
)
ask(
    "between_documents-q01",
    "reports created between Roof inspection May 2025.pdf and Contractor dispute summary.pdf",
    docs(
        typed("Report"),
        lambda d: D("Roof inspection May 2025.pdf").created < d.created < D("Contractor dispute summary.pdf").created,
    ),
    'find documents where type = "Report" and created > document("Roof inspection May 2025.pdf").created and created < document("Contractor dispute summary.pdf").created',
)
ask(
    "between_documents-q04",
    "invoices dated between the creation of Roof Estimate.pdf and Roof Invoice.pdf",
    docs(typed("Invoice"), lambda d: D("Roof Estimate.pdf").created < d.created < D("Roof Invoice.pdf").created),
    'find documents where type = "Invoice" and created > document("Roof Estimate.pdf").created and created < document("Roof Invoice.pdf").created',
)
ask(
    "combined_filters-q01",
    "w2 2023 tax documents",
    accept(
        docs(typed("W2"), inside("Tax Documents"), eq("tax_year", 2023)),
        docs(typed("W2"), eq("tax_year", 2023)),
        docs(typed("W2"), under("Tax Documents"), eq("tax_year", 2023)),
    ),
    'find documents where type = "W2" and tax_year = 2023 and folder = "Tax Documents"',
)
