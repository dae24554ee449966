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
    # Siblings are of the kind that is spoken of; a year that few of them have is no guess.
    "siblings of the folder Trademarks": (
        'find folders where folder = folder("Trademarks").folder and id != folder("Trademarks")'
    ),
    "number of documents per tag for 2025": "count documents where created = 2025 by tags",
    "which reports do we have for 2023": 'find documents where type = "Report" and created = 2023',
    "invoices due tomorrow or today": 'find documents where type = "Invoice" and due in [tomorrow, today]',
    "every invoice that is past its due date": 'find documents where type = "Invoice" and due < today',
    "contracts where risk isn't set": 'find documents where type = "Contract" and attributes.risk missing',
    # People: somebody else than who was named, of a kind, with a number of things, by two verbs.
    "contracts created by José Álvarez but edited by somebody else": (
        'find documents where type = "Contract" and creator = "José Álvarez" and editor != creator'
    ),
    "copies of Template_Letter.docx owned by someone other than Hannah": (
        'find documents where copied_from = "Template_Letter.docx" and owner != "Hannah"'
    ),
    "which bot uploaded the most": (
        'count documents where creator_type = "system" by creator sort count desc limit 1'
    ),
    "which organization owns the most documents": (
        'count documents where owner_type = "organization" by owner sort count desc limit 1'
    ),
    "who last edited the most documents": "count documents by editor sort count desc limit 1",
    "all accounts that own more than 20 folders": "count folders by owner having count > 20",
    "who owns more than 40 folders": "count folders by owner having count > 40",
    "documents created or edited by Omar": 'find documents where creator = "Omar" or editor = "Omar"',
    "documents neither created nor owned by Dana Ortiz in Worksheets": (
        'find documents where not (creator = "Dana Ortiz" or owner = "Dana Ortiz") and folder = "Worksheets"'
    ),
    "documents visible to the Finance Team": 'find documents where shares[who = "Finance Team"]',
    "documents in Grants open to anyone with the link": (
        'find documents where folder = "Grants" and visibility = "anyone_with_link"'
    ),
    # The same as another document, or more.
    "contracts expiring after Partnership Agreement 2019.pdf expires": (
        'find documents where type = "Contract" and expires > document("Partnership Agreement 2019.pdf").expires'
    ),
    "reports created on the same day as Q3 Report.pdf": (
        'find documents where type = "Report" and created = day(document("Q3 Report.pdf").created)'
    ),
    "docs with the same type and owner as Q3 Report.pdf": (
        'find documents where type = document("Q3 Report.pdf").type and owner = document("Q3 Report.pdf").owner'
    ),
    "invoices with a larger amount than Wedding Cake Deposit.pdf": (
        'find documents where type = "Invoice" and amount > document("Wedding Cake Deposit.pdf").amount'
    ),
    # Numbers of groups.
    "which vendor had the highest total invoice amount in 2024": (
        'sum(amount) of documents where created = 2024 and type = "Invoice" by vendor sort sum(amount) desc limit 1'
    ),
    "how many pages do the handbooks have in total": 'sum(pages) of documents where type = "Handbook"',
    "what did we spend on Uber per year": 'sum(amount) of documents where vendor = "Uber" by year(created)',
    "which owners have restricted documents": 'count documents where classification = "restricted" by owner',
    "what tags are there": "count documents by tags",
    "how big is the Recipes folder": 'sum(size) of documents where folder under "Recipes"',
    # What was not done for long, and what was done of late.
    "pdfs not modified for three years": 'find documents where extension = "pdf" and modified != last 3 years',
    "contracts nobody has viewed in the last 6 months": (
        'find documents where type = "Contract" and last_viewed != last 6 months'
    ),
    "recently modified files in Legal": 'find documents where folder = "Legal" sort modified desc',
    "photos taken in 2023": 'find documents where type = "Photo" and created = 2023',
    "invoices from week 10": 'find documents where type = "Invoice" and created = 2026-W10',
    # One of a group that is said with it.
    "jpg images over 5 MB": 'find documents where extension = "jpg" and size > 5 MB',
    "pptx presentations from 2024": 'find documents where extension = "pptx" and created = 2024',
    # What one document is, and by a part of its name.
    "is Invoice_Feb_2025.pdf paid?": 'get document("Invoice_Feb_2025.pdf").payment_status',
    "who uploaded Invoice 99650": 'get entry("Invoice 99650").creator',
    "what are the dimensions of IMG_5713.jpg": 'get document("IMG_5713.jpg").width, height',
    "comments on Q3 Report.pdf": 'get document("Q3 Report.pdf").comments.text',
    # Each folder by itself, and the one that has something in it.
    "how many photos are in each folder of Personal/Photos": (
        'count documents where type = "Photo" and folder in (find folders where folder = "Personal/Photos") by folder'
    ),
    "which folder has Dock Permit.pdf in it": 'find folders where id = document("Dock Permit.pdf").folder',
    "tell me where Till photo.jpg is saved": 'find document("Till photo.jpg")',
    "invoices in folders called Invoices": (
        'find documents where type = "Invoice" and folder in (find folders where name = "Invoices")'
    ),
    "files in Last Week from last week": 'find documents where folder = "Last Week" and created = last week',
    "folders starting with the letter R": 'find folders where name starts with "R"',
    # Another value of the same list, a code of one key, and what is not there.
    "invoices or receipts tagged reimbursable but not travel": (
        'find documents where type in ["Invoice", "Receipt"] and tags = "reimbursable" and tags != "travel"'
    ),
    "invoices in CC-100": 'find documents where type = "Invoice" and attributes.cost_center = "CC-100"',
    "documents without project code created this year": (
        "find documents where attributes.project_code missing and created = this year"
    ),
    "documents not tagged at all in Grants": 'find documents where tags missing and folder = "Grants"',
    "documents with an unresolved comment by Grace Kim": (
        'find documents where comments[resolved = false and author = "Grace Kim"]'
    ),
    # A year that is said stays, and several bounds are of one number.
    "reports from Q1 2025 and Q1 2024": 'find documents where type = "Report" and created in [2025-Q1, 2024-Q1]',
    "invoices under 100 or over 19,000": 'find documents where type = "Invoice" and (amount < 100 or amount > 19000)',
    "contracts with notice of at least 60 days and value over 50,000": (
        'find documents where type = "Contract" and notice_days >= 60 days and contract_value > 50000'
    ),
    "contract value per counterparty, top 10": "sum(contract_value) of documents by counterparty limit 10",
    "which device was IMG_2716.heic uploaded from": 'get document("IMG_2716.heic").device',
    # A name that ends what else would only say `all there is`, and the parent that is asked for.
    "every txt file in the whole Archive": 'find documents where extension = "txt" and folder under "Archive"',
    "which folder is the parent of IRS Letters": 'find folders where id = folder("IRS Letters").folder',
    "gray folders with no subfolders under Projects": (
        'find folders where color = "gray" and subfolder_count = 0 and folder under "Projects"'
    ),
    "first 3 invoices of 2026": (
        'find documents where type = "Invoice" and created = 2026 sort created limit 3'
    ),
    "least viewed report of 2025": (
        'find documents where type = "Report" and created = 2025 sort views limit 1'
    ),
    # The average of all such things, and the one with the most.
    "documents larger than the average document": "find documents where size > (avg(size) of documents)",
    "invoices above the average invoice amount": (
        'find documents where type = "Invoice" and amount > (avg(amount) of documents where type = "Invoice")'
    ),
    "docs in the folder of the document with the most views": (
        "find documents where folder = (find documents sort views desc limit 1).folder"
    ),
    "who owns the folder with the most documents": "get (find folders sort document_count desc limit 1).owner",
    "who has the largest total storage": "sum(size) of documents by owner sort sum(size) desc limit 1",
}

UNANSWERED = [
    # No folder is meant where a kind of things has no such field.
    "leases with a notice period of 60 days",
    # Nothing is newest by its name.
    "documents by name, newest first",
    # These tags and no others, which no condition says.
    "which documents have exactly the same tags as Dock Permit.pdf",
    # How many of them in a time is not kept, and a store is no shop.
    "docs with more than 3 downloads per day",
    "documents in the whole drive by type",
]
