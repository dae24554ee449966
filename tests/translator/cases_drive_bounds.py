"""Questions about the document store with bounds, orders and short forms of words, and the programs they mean."""

from __future__ import annotations

CASES: dict[str, str] = {
    # By a day is no later than it; of what may lie ahead, a weekday is the coming one (the clock says Sunday).
    "invoices due by Friday": 'find documents where type = "Invoice" and due <= 2026-03-20',
    "invoices due by March 31": 'find documents where type = "Invoice" and due <= 2026-03-31',
    "invoices due on Friday": 'find documents where type = "Invoice" and due = 2026-03-20',
    "invoices due last Friday": 'find documents where type = "Invoice" and due = 2026-03-13',
    "invoices due next Friday": 'find documents where type = "Invoice" and due = 2026-03-20',
    "files created on Friday": "find documents where created = 2026-03-13",
    "contracts that expired on Friday": 'find documents where type = "Contract" and expires = 2026-03-13',
    # Both ends of a span are of the same date.
    "files from 3 May 2024 up to and including 6 May 2024": "find documents where created between 2024-05-03 and 2024-05-06",
    "files created from 3 May 2024 and up to 6 May 2024": "find documents where created between 2024-05-03 and 2024-05-06",
    "invoices due from 1 March 2026 up to and including 10 March 2026":
        'find documents where type = "Invoice" and due between 2026-03-01 and 2026-03-10',
    "files w/ invoice in the name": 'find documents where name contains "invoice"',
    "docs w/o comments": "find documents where comments missing",
    "folders w/tax in their name": 'find folders where name contains "tax"',
    # Bounds in pixels, said with adjectives on either side.
    "pictures wider than 4000 px in Photos/2024": (
        'find documents where extension = "pictures" and width > 4000 and folder = "Photos/2024"'
    ),
    "photos at least 4000 px wide": 'find documents where type = "Photo" and width >= 4000',
    "images with a width over 4000 px": 'find documents where extension = "images" and width > 4000',
    # A word that may be mere connection is what a field is called.
    "invoices with exactly 17 line items and total above 15k": (
        'find documents where type = "Invoice" and line_items = 17 and amount > 15000'
    ),
    # What it is of behind the condition.
    "notice period of 90 days, which contracts have that?": (
        'find documents where type = "Contract" and notice_days = 90 days'
    ),
    "more than 50 pages, which documents have that": "find documents where pages > 50",
    "payroll folder: how many documents": 'count documents where folder = "payroll"',
    "in 2025, how many invoices were there": 'count documents where type = "Invoice" and created = 2025',
    "Donors: how many pdfs": 'count documents where extension = "pdf" and folder = "Donors"',
    # Orders by what was not named in full, or by a verb.
    "Which contract has the highest value?": 'find documents where type = "Contract" sort contract_value desc limit 1',
    "contracts by value, highest first": 'find documents where type = "Contract" sort contract_value desc',
    "folders by number of documents, top five": "find folders sort document_count desc limit 5",
    "folders sorted by number of documents, smallest first, top five": "find folders sort document_count limit 5",
    "the next expiring contract": 'find documents where expires >= today and type = "Contract" sort expires limit 1',
    "which contract expires next": (
        'find documents where type = "Contract" and expires >= today sort expires limit 1'
    ),
    # Short forms, and letters left out.
    "top3 viewd contracts": 'find documents where type = "Contract" sort views desc limit 3',
    "cnt pdf in Donors": 'count documents where extension = "pdf" and folder = "Donors"',
    "pdf count in Donors": 'count documents where extension = "pdf" and folder = "Donors"',
    "hw many recepts from Starbcks in 2024": (
        'count documents where type = "Receipt" and vendor = "Starbucks" and created = 2024'
    ),
    "I search the contracts who expire in next 90 days, can you show?": (
        'find documents where type = "Contract" and expires = next 90 days'
    ),
}

UNANSWERED = [
    # Which amount of a folder is its value is not known.
    "folders by value",
    # Two letters may have been left out of several words.
    "wh many receipts",
]
