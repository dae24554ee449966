"""How a name finds its entity: the steps of name resolution, paths, people, and what is said when nothing is there."""

from collections.abc import Callable

from .case import Ref, Test, asks, count, docs, entries, folders, missing, value
from .model import below, document, documents, folder, folder_at, person, shared
from .model import folders as all_folders

NOBODY = "00000000-0000-4000-8000-000000000000"


def in_folder(name: str) -> Test:
    return lambda d: d.folder == folder(name).id


def at(path: str) -> Test:
    return lambda d: d.folder == folder_at(path).id


def owned(name: str) -> Test:
    return lambda d: d.owner == person(name)


def ids_of(*names: str) -> Callable[[], list[str]]:
    return lambda: [person(name) for name in names]


def documents_named(name: str) -> Callable[[], list[str]]:
    return lambda: [row.id for row in documents() if row.name == name]


CASES = [
    # -- exact up to case
    docs("case-lower", 'find documents where folder = "tax documents"', in_folder("Tax Documents")),
    docs("case-upper", 'find documents where folder = "IRS LETTERS"', in_folder("IRS Letters")),
    docs("case-accents", 'find documents where folder = "ÉTÉ À NICE"', in_folder("Été à Nice")),
    docs("case-document", 'find document("ROOF estimate.PDF")', lambda d: d.name == "Roof Estimate.pdf"),
    docs("case-person", 'find documents where owner = "peter NOVAK"', owned("Peter Novak")),
    folders("case-umlaut", 'find folders where folder = "MÜLLER gmbh"', in_folder("Müller GmbH")),
    # -- accents, quotes, punctuation, white space
    docs("fold-accents", 'find documents where folder = "Ete a Nice"', in_folder("Été à Nice"), told=True),
    docs("fold-accents-case", 'find documents where folder = "emigre archive"', in_folder("Émigré Archive"), told=True),
    folders("fold-umlaut", 'find folders where folder = "Muller GmbH"', in_folder("Müller GmbH"), told=True),
    folders("fold-societe", 'find folders where folder = "Societe Lumiere"', in_folder("Société Lumière"), told=True),
    docs("fold-quote-dash", 'find documents where folder = "Q3 \'24 - Close"', in_folder("Q3 ’24 – Close"), told=True),
    folders(
        "fold-dash",
        'find folders where folder = "Unit 3B - Harbor View"',
        in_folder("Unit 3B – Harbor View"),
        told=True,
    ),
    docs("fold-curly-quote", 'find documents where folder = "Trader Joe’s"', in_folder("Trader Joe's"), told=True),
    docs("fold-white-space", 'find documents where folder = "  Before   2020 "', in_folder("Before 2020"), told=True),
    docs("fold-underscores", 'find document("Logo Final v2.png")', lambda d: d.name == "Logo_Final_v2.png", told=True),
    docs("fold-quotes-gone", 'find documents where folder = "Quoted Folder"', in_folder('"Quoted" Folder'), told=True),
    docs(
        "fold-document-accents",
        'find document("Resume - Zoe Kowalski.pdf")',
        lambda d: d.name == "Résumé – Zoë Kowalski.pdf",
        told=True,
    ),
    docs("fold-tilde", 'find document("Ano fiscal 2024.pdf")', lambda d: d.name == "Año fiscal 2024.pdf", told=True),
    docs(
        "fold-curly-in-document",
        'find document("“Final” Draft - Lease.docx")',
        lambda d: d.name == '"Final" Draft – Lease.docx',
        told=True,
    ),
    docs("fold-person", 'find documents where owner = "Jose Alvarez"', owned("José Álvarez"), told=True),
    docs("fold-person-o", 'find documents where owner = "Bjorn Lindqvist"', owned("Björn Lindqvist"), told=True),
    docs("fold-person-hyphen", 'find documents where owner = "Mei Ling Chen"', owned("Mei-Ling Chen"), told=True),
    docs(
        "fold-person-quote",
        'find documents where owner = "D’Andre Washington" and type = "Invoice"',
        lambda d: d.type == "Invoice" and owned("D'Andre Washington")(d),
        told=True,
    ),
    # -- the extension left out
    docs("extension", 'find document("Dock Permit")', lambda d: d.name == "Dock Permit.pdf", told=True),
    docs("extension-case", 'find document("cutover runbook")', lambda d: d.name == "Cutover Runbook.docx", told=True),
    docs("extension-spread", 'find document("Budget_2024")', lambda d: d.name == "Budget_2024.xlsx", told=True),
    docs(
        "extension-siblings",
        'find documents where folder = document("Harvest Grant Application").folder',
        in_folder("Grants"),
        told=True,
    ),
    docs(
        "extension-copies",
        'find documents where copied_from = document("Template_Letter")',
        lambda d: d.copied_from == document("Template_Letter.docx").id,
        told=True,
    ),
    asks("extension-ambiguous", 'find document("Report")', documents_named("Report.pdf")),
    asks("extension-ambiguous-notes", 'find document("notes")', documents_named("notes.txt")),
    # -- near spellings
    docs("near-folder", 'find documents where folder = "Tax Documnts"', in_folder("Tax Documents"), told=True),
    docs("near-folder-letter", 'find documents where folder = "Trademarcs"', in_folder("Trademarks"), told=True),
    docs("near-folder-swap", 'find documents where folder = "Warrnaties"', in_folder("Warranties"), told=True),
    folders("near-client", 'find folders where folder = "Northwind Tradrs"', in_folder("Northwind Traders"), told=True),
    docs(
        "near-document",
        'find document("Cutover Runbok.docx")',
        lambda d: d.name == "Cutover Runbook.docx",
        told=True,
    ),
    docs("near-person", 'find documents where owner = "Hanna Fischer"', owned("Hannah Fischer"), told=True),
    docs(
        "near-person-last",
        'find documents where creator = "Tom Bakker"',
        lambda d: d.creator == person("Tom Baker"),
        told=True,
    ),
    docs(
        "near-organisation",
        'find documents where owner = "Brigthwater LLC" and type = "Bank Statement"',
        lambda d: d.type == "Bank Statement" and owned("Brightwater LLC")(d),
        told=True,
    ),
    # -- paths
    docs("path", 'find documents where folder = "Shared with Accountant > Questions"', in_folder("Questions")),
    docs("path-slash", 'find documents where folder = "Archive/Receipts"', at("Archive/Receipts")),
    docs("path-lower", 'find documents where folder = "archive/receipts"', at("Archive/Receipts")),
    docs(
        "path-call",
        'find documents where folder = folder("Kowalski Bakery > Invoices")',
        at("Kowalski Bakery/Invoices"),
    ),
    docs("path-three", 'find documents where folder = "Business > Payroll/2024"', at("Business/Payroll/2024")),
    docs(
        "path-gap",
        'find documents where folder = "Business > Quill & Ink > Invoices"',
        at("Business/Clients/Quill & Ink/Invoices"),
    ),
    docs("path-below-somewhere", 'find documents where folder = "Business > Travel"', at("Business/Expenses/Travel")),
    docs(
        "path-quote-in-it",
        'find documents where folder = "O\'Brien & Sons > Invoices"',
        at("Business/Clients/O'Brien & Sons/Invoices"),
    ),
    docs(
        "path-document",
        'find document("Solar Install > notes.txt")',
        lambda d: d.name == "notes.txt" and d.folder == folder("Solar Install").id,
    ),
    docs(
        "path-document-deep",
        'find document("Properties > Lakehouse/Lease Agreement.pdf")',
        lambda d: d.name == "Lease Agreement.pdf" and below(d, folder("Lakehouse")),
    ),
    docs(
        "path-siblings",
        'find documents where folder = document("Inspections/Report.pdf").folder'
        ' and id != document("Inspections/Report.pdf")',
        lambda d: d.folder == folder("Inspections").id and d.name != "Report.pdf",
    ),
    folders("path-subfolders", 'find folders where folder = "Personal/Receipts"', at("Personal/Receipts")),
    entries(
        "path-tree", 'find entries where folder under "Personal > Tax"', lambda e: below(e, folder_at("Personal/Tax"))
    ),
    asks(
        "path-ambiguous",
        'find documents where folder = "Business > 2024"',
        lambda: [f.id for f in all_folders() if f.name == "2024" and below(f, folder("Business"))],
    ),
    missing("path-not-there", 'find documents where folder = "Archive > Trademarks"', "Archive > Trademarks"),
    missing("path-other-way-round", 'find documents where folder = "Questions > Shared with Accountant"', "Questions"),
    # -- people
    docs("owner", 'find documents where owner = "Zoë Kowalski"', owned("Zoë Kowalski")),
    folders("owner-folders", 'find folders where owner = "Aisha Bello"', owned("Aisha Bello")),
    docs("owner-organisation", 'find documents where owner = "Open Door Foundation"', owned("Open Door Foundation")),
    docs(
        "owner-call",
        'find documents where owner = person("Priya Raman") and type = "Report"',
        lambda d: d.type == "Report" and owned("Priya Raman")(d),
    ),
    docs("owner-id", f'find documents where owner = "{person("Marcus Webb")}"', owned("Marcus Webb")),
    docs("owner-first-name", 'find documents where owner = "Marcus"', owned("Marcus Webb"), told=True),
    docs(
        "creator-first-name",
        'find documents where creator = "Wei"',
        lambda d: d.creator == person("Wei Zhang"),
        told=True,
    ),
    docs("owner-first-name-accent", 'find documents where owner = "Zoe"', owned("Zoë Kowalski"), told=True),
    docs("owner-first-name-hyphen", 'find documents where owner = "Anne-Marie"', owned("Anne-Marie Dubois"), told=True),
    asks("two-danas", 'find documents where owner = "Dana"', ids_of("Dana Ortiz", "Dana Whitfield")),
    asks("two-danas-shares", 'find documents where shares.who = "dana"', ids_of("Dana Ortiz", "Dana Whitfield")),
    asks("two-danas-count", 'count documents where creator = person("Dana")', ids_of("Dana Ortiz", "Dana Whitfield")),
    docs(
        "creator-bot",
        'find documents where creator = "Bank Feed Sync"',
        lambda d: d.creator == person("Bank Feed Sync"),
    ),
    docs("editor", 'find documents where editor = "Yuki Tanaka"', lambda d: d.editor == person("Yuki Tanaka")),
    docs(
        "owner-and-creator-differ",
        'find documents where owner = "Omar Haddad" and creator != "Omar Haddad"',
        lambda d: owned("Omar Haddad")(d) and d.creator != person("Omar Haddad"),
    ),
    docs(
        "owners",
        'find documents where owner in ["Peter Novak", "Björn Lindqvist"]',
        lambda d: d.owner in (person("Peter Novak"), person("Björn Lindqvist")),
    ),
    docs(
        "not-owners",
        'find documents where type = "NDA" and owner not in ["Elena Petrova", "Tom Baker"]',
        lambda d: d.type == "NDA" and d.owner not in (person("Elena Petrova"), person("Tom Baker")),
    ),
    docs(
        "shared-with-group",
        'find documents where shares.who = "Finance Team" and type = "Invoice"',
        lambda d: d.type == "Invoice" and shared(d, "Finance Team"),
    ),
    docs("owner-is-nobody-here", 'find documents where owner = "Finance Team"', owned("Finance Team"), tags=("empty",)),
    count("count-owner", 'count documents where owner = "Liam Ortiz"', owned("Liam Ortiz")),
    docs(
        "owner-type",
        'find documents where owner_type = "organization" and type = "Payslip"',
        lambda d: d.owner_type == "organization" and d.type == "Payslip",
    ),
    docs("owner-email", 'find documents where owner_email = "peter.novak@brightwater.example"', owned("Peter Novak")),
    docs(
        "owner-like-creator-of",
        'find documents where owner = document("Roof Estimate.pdf").creator and type = "Contract"',
        lambda d: d.owner == document("Roof Estimate.pdf").creator and d.type == "Contract",
    ),
    # -- the same as another
    docs(
        "same-category",
        'find documents where category = document("Harvest Grant Application.docx").category',
        lambda d: d.category == "Donations",
    ),
    docs(
        "same-category-besides",
        'find documents where category = document("Hotel Nice.jpg").category and id != document("Hotel Nice.jpg")',
        lambda d: d.category == "Travel" and d.name != "Hotel Nice.jpg",
    ),
    docs("same-owner", 'find documents where owner = document("Rye notes.md").owner', owned("Zoë Kowalski")),
    folders("same-owner-folders", 'find folders where owner = folder("Sandbox").owner', owned("Peter Novak")),
    docs(
        "same-creator",
        'find documents where creator = document("Partnership Agreement 2019.pdf").creator and type = "Contract"'
        " and signed = false",
        lambda d: d.type == "Contract" and d.signed is False and d.creator == person("Elena Petrova"),
    ),
    docs(
        "same-relationship",
        'find documents where relationship = document("Roof Estimate.pdf").relationship',
        lambda d: d.relationship == "REL-MAPLE-ROOF",
    ),
    docs(
        "same-type-and-folder",
        'find documents where type = document("Rye notes.md").type and folder = document("Rye notes.md").folder',
        lambda d: d.type == "Meeting Notes" and in_folder("Recipes")(d),
    ),
    docs(
        "same-app-and-type",
        'find documents where app = document("Globex MSA 2025.pdf").app'
        ' and type = document("Globex MSA 2025.pdf").type',
        lambda d: d.app == document("Globex MSA 2025.pdf").app and d.type == "Contract",
    ),
    docs(
        "same-tags",
        'find documents where tags has all document("Q3 Report.pdf").tags',
        lambda d: {"reviewed", "client-facing"} <= set(d.tags),
    ),
    docs(
        "any-same-tag",
        'find documents where tags has any document("Invoice_Feb_2025.pdf").tags and type = "Invoice"',
        lambda d: d.type == "Invoice" and {"reimbursable", "travel"} & set(d.tags),
    ),
    docs(
        "same-editor-not-owner",
        'find documents where editor = document("Q3 Report.pdf").editor and owner = document("Q3 Report.pdf").owner',
        lambda d: d.editor == document("Q3 Report.pdf").editor and d.owner == document("Q3 Report.pdf").owner,
    ),
    docs(
        "same-size-or-more",
        'find documents where size >= document("Welcome tour.mp4").size',
        lambda d: d.size is not None and d.size >= document("Welcome tour.mp4").size,
    ),
    docs(
        "bigger-than-and-type",
        'find documents where size > document("Logo_Final_v2.png").size and extension = "pdf"',
        lambda d: d.extension == "pdf" and d.size > document("Logo_Final_v2.png").size,
    ),
    # -- nothing there
    missing("no-folder", 'find documents where folder = "Cryptocurrency"', "Cryptocurrency"),
    missing("no-folder-under", 'find folders where folder under "Antarctica Expedition"', "Antarctica Expedition"),
    missing("no-document", 'find folders where id = document("Zanzibar Trip.pdf").folder', "Zanzibar Trip.pdf"),
    missing("no-person", 'find documents where owner = "Gandalf Grey"', "Gandalf Grey"),
    missing("no-person-negated", 'find documents where type = "NDA" and owner != "Gandalf Grey"', "Gandalf Grey"),
    missing("no-id", f'find documents where folder = "{NOBODY}"', NOBODY),
    missing("no-id-call", f'find document("{NOBODY}")', NOBODY),
    missing("no-such-program", 'find documents where folder = "find(DOCUMENT).where(size>0)"', "find(DOCUMENT)"),
    missing("in-list", 'find documents where folder in ["Meals", "Cryptocurrency"]', "Cryptocurrency"),
    missing("lacks-category", 'find documents where category = document("Rye notes.md").category', "category"),
    missing(
        "lacks-relationship",
        'find documents where relationship = document("Rye notes.md").relationship',
        "relationship",
    ),
    missing("lacks-tags", 'find documents where tags has any document("Dock Permit.pdf").tags', "tags"),
    missing("lacks-amount", 'find documents where amount > document("Dock Permit.pdf").amount', "amount"),
    missing("a-folder-is-no-document", 'find document("Trademarks")', "Trademarks"),
    missing(
        "no-one-in-the-sub-query",
        'find documents where app = (find documents where folder = "Empty Drawer" limit 1).app',
        "",
    ),
    missing("nothing-in-sub-query-as-one", 'find documents where folder = (find folders where name = "Ghosts")', ""),
    missing("get-of-nothing", 'get document("Zanzibar Trip.pdf").owner', "Zanzibar"),
    value("get-root", 'get document("Company Handbook.pdf").folder', lambda: "root"),
    value("get-folder", 'get document("Dock Permit.pdf").folder', lambda: Ref(document("Dock Permit.pdf").folder)),
    # -- several where one is needed
    asks(
        "ambiguous-document",
        'find documents where folder = document("summary.pdf").folder',
        documents_named("summary.pdf"),
    ),
    asks(
        "ambiguous-after",
        'find documents where created > document("Lease Agreement.pdf").created',
        documents_named("Lease Agreement.pdf"),
    ),
    asks("ambiguous-find", 'find document("notes.txt")', documents_named("notes.txt")),
    asks(
        "ambiguous-copies", 'find documents where copied_from = document("Report.pdf")', documents_named("Report.pdf")
    ),
    asks("ambiguous-get", 'get document("Report.pdf").owner', documents_named("Report.pdf")),
    asks(
        "ambiguous-not",
        'find documents where folder = "Inspections" and id != document("Report.pdf")',
        documents_named("Report.pdf"),
    ),
    # -- a plain filter on names is no lookup
    docs("name-filter", 'find documents where name = "notes.txt"', lambda d: d.name == "notes.txt"),
    docs("name-filter-case", 'find documents where name = "NOTES.TXT"', lambda d: d.name == "notes.txt"),
    docs(
        "name-filter-accents-count",
        'find documents where name = "Resume – Zoe Kowalski.pdf"',
        lambda d: False,
        tags=("empty",),
    ),
    folders("name-filter-folders", 'find folders where name = "Quotes"', lambda f: f.name == "Quotes"),
    docs(
        "name-filter-hostile",
        'find documents where name = "name:* OR entityType:FOLDER.txt"',
        lambda d: d.name == "name:* OR entityType:FOLDER.txt",
    ),
    docs(
        "name-filter-backslash",
        'find documents where name = "C:\\\\temp\\\\old ledger.csv"',
        lambda d: d.name == "C:\\temp\\old ledger.csv",
    ),
    docs(
        "name-filter-sql",
        'find documents where name = "\'; DROP INDEX entities-v4; --.sql"',
        lambda d: d.name == "'; DROP INDEX entities-v4; --.sql",
    ),
    docs(
        "name-filter-ideographs",
        'find documents where name = "請求書_2025-02.pdf"',
        lambda d: d.name == "請求書_2025-02.pdf",
    ),
    docs(
        "lookup-hostile",
        'find document("find(DOCUMENT).where(size>0).txt")',
        lambda d: d.name == "find(DOCUMENT).where(size>0).txt",
    ),
    docs("lookup-braces", 'find document("{{step1.id}}.txt")', lambda d: d.name == "{{step1.id}}.txt"),
    docs("lookup-star", 'find document("*important*.txt")', lambda d: d.name == "*important*.txt"),
    docs("lookup-question-mark", 'find document("who?.txt")', lambda d: d.name == "who?.txt"),
    docs(
        "lookup-plus",
        'find document("R&D budget + forecast (v1.2).xlsx")',
        lambda d: d.name == "R&D budget + forecast (v1.2).xlsx",
    ),
    docs("lookup-null", 'find document("null.csv")', lambda d: d.name == "null.csv"),
]
