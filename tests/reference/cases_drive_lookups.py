"""Where things are: names that become ids, folders, trees, siblings, parents, copies, the top level."""

from functools import cache

from .case import Test, asks, count, docs, entries, folders, missing
from .model import below, by_id, document, folder, folder_at, holder, over, person
from .model import folders as all_folders

DOCK = "Dock Permit.pdf"
ROOF = "Roof Estimate.pdf"


def named(name: str) -> list[str]:
    return [row.id for row in all_folders() if row.name == name]


def inside(name: str) -> Test:
    return lambda d: d.folder == folder(name).id


@cache
def originals() -> set[str]:
    return {row.copied_from for row in by_id().values() if row.copied_from}


CASES = [
    # -- documents in a folder
    docs("in-folder", 'find documents where folder = "Tax Documents"', inside("Tax Documents")),
    docs("in-folder-not-tree", 'find documents where folder = "Business"', inside("Business")),
    docs("in-folder-odd-name", 'find documents where folder = "C++ Course"', inside("C++ Course")),
    docs("in-folder-star", 'find documents where folder = "Photos (*)"', inside("Photos (*)")),
    docs("in-folder-quoted", 'find documents where folder = "\\"Quoted\\" Folder"', inside('"Quoted" Folder')),
    docs("in-folder-json", 'find documents where folder = "{\\"match_all\\":{}}"', inside('{"match_all":{}}')),
    docs("in-folder-keyword", 'find documents where folder = "AND"', inside("AND")),
    docs("in-folder-period", 'find documents where folder = "Last Week"', inside("Last Week")),
    docs("in-folder-accents", 'find documents where folder = "Été à Nice"', inside("Été à Nice")),
    docs("in-folder-ideographs", 'find documents where folder = "日本出張"', inside("日本出張")),
    docs("in-folder-escaped", 'find documents where folder = "L\\u00f8n & Skat"', inside("Løn & Skat")),
    docs("in-folder-copy-suffix", 'find documents where folder = "New Folder (2)"', inside("New Folder (2)")),
    docs("in-folder-percent", 'find documents where folder = "100% Final"', inside("100% Final")),
    docs("in-folder-ampersand", 'find documents where folder = "Quill & Ink"', inside("Quill & Ink")),
    docs("in-folder-like-type", 'find documents where folder = "W2"', inside("W2")),
    docs("in-folder-call", 'find documents where folder = folder("Recipes")', inside("Recipes")),
    docs("in-folder-by-id", f'find documents where folder = "{folder("Recipes").id}"', inside("Recipes")),
    docs("in-folder-call-id", f'find documents where folder = folder("{folder("Grants").id}")', inside("Grants")),
    entries("everything-in-folder", 'find entries where folder = "Projects"', inside("Projects")),
    entries("everything-in-legal", 'find entries where folder = "Legal"', inside("Legal")),
    folders("subfolders", 'find folders where folder = "Business"', inside("Business")),
    folders("subfolders-clients", 'find folders where folder = "Clients"', inside("Clients")),
    count("subfolders-none", 'count folders where folder = "Recipes"', inside("Recipes"), all_folders),
    count("count-in-folder", 'count documents where folder = "Donors"', inside("Donors")),
    docs(
        "type-and-folder",
        'find documents where type = "W2" and folder = "Tax Documents"',
        lambda d: d.type == "W2" and inside("Tax Documents")(d),
    ),
    docs(
        "app-and-folder",
        'find documents where app = "intuit.quickbooks.online" and folder = "Expenses"',
        lambda d: d.app == "intuit.quickbooks.online" and inside("Expenses")(d),
    ),
    docs(
        "not-in-folder",
        'find documents where type = "W2" and folder != "Tax Documents"',
        lambda d: d.type == "W2" and not inside("Tax Documents")(d),
    ),
    docs(
        "in-folders",
        'find documents where folder in ["Meals", "Software", "Office Supplies"]',
        lambda d: d.folder in {folder(name).id for name in ("Meals", "Software", "Office Supplies")},
    ),
    docs(
        "not-in-folders",
        'find documents where type = "Receipt" and folder not in ["Meals", "Expenses"] and folder under "Expenses"',
        lambda d: (
            d.type == "Receipt" and below(d, folder("Expenses")) and not (inside("Meals")(d) or inside("Expenses")(d))
        ),
    ),
    docs(
        "folder-or-folder",
        'find documents where (folder = "NDAs" or folder = "Trademarks") and created in 2025',
        lambda d: (inside("NDAs")(d) or inside("Trademarks")(d)) and d.created.year == 2025,
    ),
    # -- the whole tree
    docs("tree", 'find documents where folder under "Clients"', lambda d: below(d, folder("Clients"))),
    docs(
        "tree-and-type",
        'find documents where type = "W2" and folder under "Business"',
        lambda d: d.type == "W2" and below(d, folder("Business")),
    ),
    folders("tree-folders", 'find folders where folder under "Projects"', lambda f: below(f, folder("Projects"))),
    entries("tree-entries", 'find entries where folder under "Sandbox"', lambda e: below(e, folder("Sandbox"))),
    docs(
        "not-under",
        'find documents where type = "Invoice" and not folder under "Business"',
        lambda d: d.type == "Invoice" and not below(d, folder("Business")),
    ),
    docs(
        "under-list",
        'find documents where folder under in ["Medical", "Vehicles"]',
        lambda d: below(d, folder("Medical"), folder("Vehicles")),
    ),
    docs(
        "under-set",
        'find documents where folder under in (find folders where name = "Design") and type = "Design Asset"',
        lambda d: d.type == "Design Asset" and below(d, *(f for f in all_folders() if f.name == "Design")),
    ),
    docs("under-root", "find documents where folder under root", lambda d: True),
    count("count-under-root", "count entries where folder under root", lambda e: True, lambda: tuple(by_id().values())),
    docs(
        "under-path",
        'find documents where folder under "Kowalski Bakery > Tax"',
        lambda d: below(d, folder_at("Kowalski Bakery/Tax")),
    ),
    docs(
        "under-field-of",
        f'find documents where folder under document("{ROOF}").folder.folder and type = "Lease"',
        lambda d: d.type == "Lease" and below(d, folder("12 Maple St")),
    ),
    docs(
        "under-minus-under",
        'find documents where folder under "Legal" and not folder under "NDAs"',
        lambda d: below(d, folder("Legal")) and not below(d, folder("NDAs")),
    ),
    # -- the top level
    folders("root-folders", "find folders where folder = root", lambda f: f.folder == "root"),
    docs("root-documents", "find documents where folder = root", lambda d: d.folder == "root"),
    entries("root-entries", "find entries where folder = root", lambda e: e.folder == "root"),
    folders(
        "not-root",
        'find folders where folder != root and color = "red"',
        lambda f: f.folder != "root" and f.color == "red",
    ),
    docs(
        "root-or-folder",
        'find documents where folder in [root, "Sandbox"]',
        lambda d: d.folder in ("root", folder("Sandbox").id),
    ),
    folders("depth-one", "find folders where depth = 1", lambda f: f.depth == 1),
    # -- the folder of something, parents, siblings
    folders(
        "folder-of-document",
        f'find folders where id = document("{DOCK}").folder',
        lambda f: f.id == document(DOCK).folder,
    ),
    folders(
        "folder-of-folder", 'find folders where id = folder("IRS Letters").folder', lambda f: f.name == "Tax Documents"
    ),
    folders(
        "grandparent",
        'find folders where id = folder("Level C").folder.folder',
        lambda f: f.id == by_id()[folder("Level C").folder].folder,
    ),
    folders(
        "great-grandparent",
        'find folders where id = folder("Level E").folder.folder.folder',
        lambda f: f.name == "Level B",
    ),
    folders(
        "grandparent-of-document",
        f'find folders where id = document("{ROOF}").folder.folder',
        lambda f: f.name == "12 Maple St",
    ),
    docs(
        "siblings",
        f'find documents where folder = document("{DOCK}").folder and id != document("{DOCK}")',
        lambda d: d.folder == document(DOCK).folder and d.name != DOCK,
    ),
    docs(
        "siblings-with-itself",
        'find documents where folder = document("Cutover Runbook.docx").folder',
        lambda d: d.folder == folder("ERP Migration").id,
    ),
    folders(
        "sibling-folders",
        'find folders where folder = folder("Meals").folder and id != folder("Meals")',
        lambda f: f.folder == folder("Expenses").id and f.name != "Meals",
    ),
    folders(
        "aunts",
        'find folders where folder = folder("Level B").folder.folder',
        lambda f: f.folder == folder("Sandbox").id,
    ),
    docs(
        "siblings-at-root",
        'find documents where folder = document("Welcome tour.mp4").folder and id != document("Welcome tour.mp4")',
        lambda d: d.folder == "root" and d.name != "Welcome tour.mp4",
    ),
    folders(
        "siblings-of-root-folder",
        'find folders where folder = folder("Scans").folder and id != folder("Scans")',
        lambda f: f.folder == "root" and f.name != "Scans",
    ),
    docs(
        "in-parent-folder",
        'find documents where folder = folder("IRS Letters").folder and type = "1099-NEC"',
        lambda d: d.folder == folder("Tax Documents").id and d.type == "1099-NEC",
    ),
    docs(
        "cousins",
        f'find documents where folder.folder = document("{ROOF}").folder.folder and type = "Utility Bill"',
        lambda d: d.type == "Utility Bill" and getattr(holder(d), "folder", None) == folder("12 Maple St").id,
    ),
    missing("folder-of-root-document", 'find folders where id = document("Company Handbook.pdf").folder', "top level"),
    missing("folder-of-root-folder", 'find folders where id = folder("Projects").folder', "top level"),
    missing("field-of-constant", 'find folders where id = document("Company Handbook.pdf").folder.folder', "top level"),
    # -- itself
    docs("find-one", 'find document("Rye notes.md")', lambda d: d.name == "Rye notes.md"),
    folders("find-one-folder", 'find folder("Trademarks")', lambda f: f.name == "Trademarks"),
    docs("find-one-by-id", f'find document("{document(DOCK).id}")', lambda d: d.name == DOCK),
    docs("by-id", f'find documents where id = "{document(DOCK).id}"', lambda d: d.name == DOCK),
    docs(
        "by-ids",
        f'find documents where id in ["{document(DOCK).id}", "{document(ROOF).id}"]',
        lambda d: d.name in (DOCK, ROOF),
    ),
    missing(
        "by-ids-wrong-kind",
        f'find documents where id in ["{document(DOCK).id}", "{folder("Legal").id}"]',
        folder("Legal").id,
    ),
    entries("entry-by-id", f'find entries where id = "{folder("Legal").id}"', lambda e: e.name == "Legal"),
    entries("entry-by-name", 'find entry("Trademarks")', lambda e: e.name == "Trademarks"),
    docs(
        "several-by-name",
        'find documents where id in [document("Rye notes.md"), document("Starter feeding log.csv")]',
        lambda d: d.name in ("Rye notes.md", "Starter feeding log.csv"),
    ),
    # -- copies and originals
    docs(
        "copies",
        'find documents where copied_from = document("Template_Letter.docx")',
        lambda d: d.copied_from == document("Template_Letter.docx").id,
    ),
    docs(
        "copies-plain-string",
        'find documents where copied_from = "Expense Claim Form.xlsx"',
        lambda d: d.copied_from == document("Expense Claim Form.xlsx").id,
    ),
    docs(
        "copies-in-folder",
        'find documents where copied_from = document("Expense Claim Form.xlsx") and folder = "Expenses"',
        lambda d: d.copied_from == document("Expense Claim Form.xlsx").id and inside("Expenses")(d),
    ),
    docs(
        "original",
        'find documents where id = document("Budget copy for Ruth.xlsx").copied_from',
        lambda d: d.name == "Budget_2024.xlsx",
    ),
    docs(
        "original-of-original",
        'find documents where id = document("Copy of Copy of Engagement Letter Template.docx").copied_from.copied_from',
        lambda d: d.name == "Engagement Letter Template.docx",
    ),
    docs(
        "beside-the-original",
        'find documents where folder = document("Landlord reminder.docx").copied_from.folder',
        lambda d: d.folder == folder("Letters").id,
    ),
    docs(
        "copies-of-copies",
        "find documents where copied_from.copied_from exists",
        lambda d: d.copied_from in by_id() and by_id()[d.copied_from].copied_from is not None,
    ),
    docs("any-copy", "find documents where copied_from exists", lambda d: d.copied_from is not None),
    docs(
        "other-copies",
        'find documents where copied_from = document("Landlord reminder.docx").copied_from'
        ' and id != document("Landlord reminder.docx")',
        lambda d: d.copied_from == document("Template_Letter.docx").id and d.name != "Landlord reminder.docx",
    ),
    docs(
        "copies-made-by-the-owner-of-the-original",
        'find documents where copied_from.owner = "Grace Kim"',
        lambda d: d.copied_from in by_id() and by_id()[d.copied_from].owner == person("Grace Kim"),
    ),
    docs(
        "copied-documents",
        "find documents where id in (find documents where copied_from exists).copied_from",
        lambda d: d.id in originals(),
    ),
    missing("deleted-original", 'find documents where id = document("Copy of Lease 2018.pdf").copied_from', "delet"),
    missing("not-a-copy", 'find documents where id = document("Rye notes.md").copied_from', "copied"),
    # -- through a reference
    docs(
        "folder-owner",
        'find documents where folder.owner = "Peter Novak"',
        lambda d: getattr(holder(d), "owner", None) == person("Peter Novak"),
    ),
    docs(
        "folder-creator",
        'find documents where folder.creator = "Wei Zhang"',
        lambda d: getattr(holder(d), "creator", None) == person("Wei Zhang"),
    ),
    docs(
        "folder-name",
        'find documents where folder.name = "Quotes" and type = "Quote"',
        lambda d: d.type == "Quote" and getattr(holder(d), "name", None) == "Quotes",
    ),
    docs(
        "folder-color-and-type",
        'find documents where folder.color = "red" and type = "Report"',
        lambda d: d.type == "Report" and getattr(holder(d), "color", None) == "red",
    ),
    docs(
        "folder-count",
        'find documents where folder.document_count > 80 and type = "Letter"',
        lambda d: d.type == "Letter" and over(getattr(holder(d), "document_count", None), 80),
    ),
    folders(
        "parent-category",
        'find folders where folder.category = "Travel"',
        lambda f: getattr(holder(f), "category", None) == "Travel",
    ),
    docs(
        "grandparent-owner",
        'find documents where folder.folder.owner = "Tom Baker" and type = "Letter"',
        lambda d: (
            d.type == "Letter"
            and holder(d) is not None
            and getattr(holder(holder(d)), "owner", None) == person("Tom Baker")
        ),
    ),
    docs(
        "not-through",
        'find documents where type = "Handbook" and not folder.owner = "Hannah Fischer"',
        lambda d: d.type == "Handbook" and getattr(holder(d), "owner", None) != person("Hannah Fischer"),
    ),
    docs(
        "through-not-equal",
        'find documents where type = "Handbook" and folder.owner != "Hannah Fischer"',
        lambda d: d.type == "Handbook" and getattr(holder(d), "owner", None) != person("Hannah Fischer"),
    ),
    # -- ambiguity
    asks("ambiguous-folder", 'find documents where folder = "Travel"', lambda: named("Travel")),
    asks("ambiguous-parent", 'find folders where id = folder("Repairs").folder', lambda: named("Repairs")),
    asks("ambiguous-under", 'find documents where folder under "Tax"', lambda: named("Tax")),
    asks("ambiguous-not-equal", 'find documents where type = "NDA" and folder != "Leases"', lambda: named("Leases")),
    asks("ambiguous-in-list", 'find documents where folder in ["Meals", "Board"]', lambda: named("Board")),
    asks("ambiguous-in-call", 'count documents where folder = folder("2026")', lambda: named("2026")),
    asks("ambiguous-in-get", 'get folder("Payroll").owner', lambda: named("Payroll")),
    asks("ambiguous-path", 'find documents where folder = "Projects > Round 1"', lambda: named("Round 1")),
    asks("ambiguous-case", 'find documents where folder = "mOCKUPS"', lambda: named("Mockups")),
]
