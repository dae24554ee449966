"""Questions about the document store for numbers in groups, who does most, and how many do; and their programs."""

from __future__ import annotations

CASES: dict[str, str] = {
    # How many do it, and of how many it is done.
    "how many different vendors do we buy from": "distinct(vendor) of documents",
    "how many vendors did we pay in 2024": "distinct(vendor) of documents where created = 2024",
    "how many people comment on our documents": "distinct(comments.author) of documents",
    "how many users uploaded something in 2025": "distinct(creator) of documents where created = 2025",
    "how many persons edited documents in Legal": 'distinct(editor) of documents where folder = "Legal"',
    # How often it was done to one thing.
    "how many times has Template_Letter.docx been copied?": (
        'count documents where copied_from = "Template_Letter.docx"'
    ),
    "how often was Template_Letter.docx viewed": 'get document("Template_Letter.docx").views',
    # Who does it most.
    "who comments the most?": "count documents by comments.author sort count desc limit 1",
    "who comments the most? top 2 with numbers": "count documents by comments.author sort count desc limit 2",
    "who uploaded most pdfs in 2025, top 3": (
        'count documents where extension = "pdf" and created = 2025 by creator sort count desc limit 3'
    ),
    # When most of it happens.
    "on which weekdays are files uploaded most? table please": (
        "count documents by weekday(created) sort count desc"
    ),
    "on which weekday are most files uploaded": "count documents by weekday(created) sort count desc limit 1",
    "in which month of 2025 were the fewest files uploaded": (
        "count documents where created = 2025 by month(created) sort count limit 1"
    ),
    "in which month were most contracts edited": (
        'count documents where type = "Contract" by month(modified) sort count desc limit 1'
    ),
    "which app do most of our files come from?": "count documents by app sort count desc limit 1",
    "our most used tag?": "count documents by tags sort count desc limit 1",
    "the five most used tags": "count documents by tags sort count desc limit 5",
    # How it is spread.
    "how are the folders distributed over the colours": "count folders by color",
    "how are the documents spread across categories": "count documents by category",
    "what is the split of files between apps": "count documents by app",
    "how much storage does each owner use?": "sum(size) of documents by owner",
    "disk space used per folder": "sum(size) of documents by folder",
    "how many pages does each owner have": "sum(pages) of documents by owner",
    "for every owner, how many folders": "count folders by owner",
    "per vendor the total amount": "sum(amount) of documents by vendor",
    # The measure behind what it is of.
    "receipts vs invoices 2025, total amounts": (
        'sum(amount) of documents where type in ["Receipt", "Invoice"] and created = 2025 by type'
    ),
    "photos in Photos/2024: average size": (
        'avg(size) of documents where type = "Photo" and folder = "Photos/2024"'
    ),
}

UNANSWERED = [
    # The number of receipts, or what they come to: asked back.
    "top 5 vendors by receipts total",
    # What is open is nothing that was opened then.
    "invoices not paid by March 1",
    # That of each cannot be said, and is not the one first of all.
    "last document of each owner",
    "the largest document in each folder",
    # Those that things are shared with do not share them.
    "who shares the most",
    "how many people share documents",
    "how many vendors do we sell to",
]
