"""Questions about the document store as they are said in passing: what stands around them, and what is left to the end."""

from __future__ import annotations

# fmt: off
CASES: dict[str, str] = {
    # Who did it last, and when.
    "contracts last edited by Grace Kim": 'find documents where type = "Contract" and editor = "Grace Kim"',
    "letters last edited by Tom Baker in 2025":
        'find documents where type = "Letter" and editor = "Tom Baker" and modified = 2025',
    # Groups that a verb of dividing asks for.
    "break the invoices down by vendor": 'count documents where type = "Invoice" by vendor',
    "split the receipts up by month": 'count documents where type = "Receipt" by month(created)',
    # What it is asked with.
    "whats the largest pdf in Legal": 'find documents where extension = "pdf" and folder = "Legal" sort size desc limit 1',
    "show me teh contracts in Legal": 'find documents where type = "Contract" and folder = "Legal"',
    # Different values of a field, with the preposition left to the end.
    "how many different vendors are our invoices from": 'distinct(vendor) of documents where type = "Invoice"',
    # What a field is, before its words and without an article.
    "documents where Grace Kim is owner and the type is Contract":
        'find documents where owner = "Grace Kim" and type = "Contract"',
    # Texts: both of two, and the phrase by itself.
    "documents mentioning both zebra crossings and yak wool":
        'find documents where mentions "zebra crossings" and mentions "yak wool"',
    "find the phrase zebra crossings": 'find documents where mentions "zebra crossings"',
    "folders that have no documents directly in them": "find folders where document_count = 0",
}

UNANSWERED: list[str] = [
    # To divide things is no way to ask for a list of them.
    "split the contracts in Legal", "break the invoices in Inbox",
    # Nobody is told who saw it last.
    "documents last viewed by Tom Baker",
]
