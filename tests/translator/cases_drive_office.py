"""Questions about the document store as people in offices type them, and the programs they mean."""

from __future__ import annotations

CASES: dict[str, str] = {
    # Both ends of a span, and all of several months, lie ahead; what was due lies behind.
    "invoices due between 1 and 15 April": (
        'find documents where type = "Invoice" and due between 2026-04-01 and 2026-04-15'
    ),
    "invoices due in April or May": 'find documents where type = "Invoice" and due in [2026-04, 2026-05]',
    "invoices that were due between 1 and 15 April": (
        'find documents where type = "Invoice" and due between 2025-04-01 and 2025-04-15'
    ),
    "documents created between 1 and 15 April": "find documents where created between 2025-04-01 and 2025-04-15",
    "contracts expiring before the end of this month": (
        'find documents where type = "Contract" and expires <= this month'
    ),
    "invoices due by the end of the week": 'find documents where type = "Invoice" and due <= this week',
    # Any folder of a name, and not the one.
    "folders in Clients that don't have a Deliverables subfolder": (
        'find folders where folder = "Clients" and id not in (find folders where name = "Deliverables").folder'
    ),
    "folders in Projects that have a Budget folder": (
        'find folders where folder = "Projects" and id in (find folders where name = "Budget").folder'
    ),
    "folders without an Old subfolder": 'find folders where id not in (find folders where name = "Old").folder',
    "how many subfolders has Legal": 'count folders where folder = "Legal"',
    # Rows that are periods, in their order.
    "photo count by year, newest year first": (
        'count documents where type = "Photo" by year(created) sort year desc'
    ),
    "invoices per month in 2025, newest first": (
        'count documents where type = "Invoice" and created = 2025 by month(created) sort month desc'
    ),
    # What things are worth, as far as they have it.
    "most valuable contracts": 'find documents where type = "Contract" sort contract_value desc',
    "most valuable invoice": 'find documents where type = "Invoice" sort amount desc limit 1',
    # Nobody did it.
    "zip files nobody downloaded": 'find documents where extension = "zip" and not downloads > 0',
    "documents that nobody commented on": "find documents where comments missing",
    # Another one who did not, or another right that is not given.
    "which reports did Elena Petrova comment on": (
        'find documents where type = "Report" and comments[author = "Elena Petrova"]'
    ),
    "reports commented on by Elena Petrova but not Tom Baker": (
        'find documents where type = "Report" and comments[author = "Elena Petrova"] '
        'and not comments[author = "Tom Baker"]'
    ),
    "documents shared with Omar but not Grace Kim": (
        'find documents where shares[who = "Omar"] and not shares[who = "Grace Kim"]'
    ),
    "documents shared with Omar but not editor": 'find documents where shares[who = "Omar" and role != "editor"]',
    "docs Marcus Webb can comment on but not edit": (
        'find documents where shares[who = "Marcus Webb" and role = "commenter"] '
        'and not shares[who = "Marcus Webb" and role = "editor"]'
    ),
    # A preposition that is said once, and short forms.
    "files having both a project code and a cost center": (
        "find documents where attributes.project_code exists and attributes.cost_center exists"
    ),
    "files without tags or a category": "find documents where tags missing and category missing",
    "docs w/o tags & w/o category": "find documents where tags missing and category missing",
    "docs in Vehicles (incl. subfolders)": 'find documents where folder under "Vehicles"',
    "contracts with a 30-day notice period": 'find documents where type = "Contract" and notice_days = 30 days',
    # A field with its value before the noun, and the word for what a code is of.
    "project code HELIOS documents": 'find documents where attributes.project_code = "HELIOS"',
    "cost center CC-300 invoices": 'find documents where attributes.cost_center = "CC-300" and type = "Invoice"',
    "docs for project ATLAS with high risk": (
        'find documents where attributes.project_code = "ATLAS" and attributes.risk = "high"'
    ),
    "documents by project code": "count documents by attributes.project_code",
    "W2s by tax year": 'count documents where type = "W2" by tax_year',
    # Amounts in a unit, what takes up room, and a part of a kind.
    "total GB of photos per year": 'sum(size) of documents where type = "Photo" by year(created)',
    "which extension takes up the most space": "sum(size) of documents by extension sort sum(size) desc limit 1",
    "share of receipts paid in cash per year": (
        'share(payment_method = "cash") of documents where type = "Receipt" by year(created)'
    ),
    "euro invoices over 100": (
        'find documents where currency = "EUR" and type = "Invoice" and amount > 100'
    ),
    "10 folders with the most documents": "find folders sort document_count desc limit 10",
    "top 5 most shared docs": "find documents sort share_count desc limit 5",
    "docs shared more than 10 times": "find documents where share_count > 10",
    "how many docs came from each app in 2025": "count documents where created = 2025 by app",
    # Names, and what is said of them.
    "restricted documents that anyone with a link can see": (
        'find documents where classification = "restricted" and visibility = "anyone_with_link"'
    ),
    'files with "final" in the name but not "draft"': (
        'find documents where name contains "final" and not name contains "draft"'
    ),
    "docs with the same language as Hotel Nice.pdf": (
        'find documents where language = document("Hotel Nice.pdf").language'
    ),
    "files edited by the same person who edited Cutover Runbook.docx last": (
        'find documents where editor = document("Cutover Runbook.docx").editor'
    ),
    "docs owned by organizations, tagged year-end": (
        'find documents where owner_type = "organization" and tags = "year-end"'
    ),
    "invoices for the same vendor as Invoice_Feb_2025.pdf": (
        'find documents where type = "Invoice" and vendor = document("Invoice_Feb_2025.pdf").vendor'
    ),
}

UNANSWERED = [
    # No folder is meant where a kind of things has no such field.
    "leases with a notice period of 60 days",
    # Nothing is newest by its name.
    "documents by name, newest first",
]
