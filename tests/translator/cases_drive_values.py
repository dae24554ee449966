"""Questions about the document store: in the order of what happens to things, parts of periods, the same value."""

# fmt: off
CASES: dict[str, str] = {
    # In the order of what happens to them.
    # Parts of a period.
    "invoices due in the first ten days of April 2026":
        'find documents where type = "Invoice" and due between 2026-04-01 and 2026-04-10',
    "uploads of the last three days of February 2024": "find documents where created between 2024-02-27 and 2024-02-29",
    "letters from the first half of March 2025":
        'find documents where type = "Letter" and created between 2025-03-01 and 2025-03-15',
    "letters from the second half of last year":
        'find documents where type = "Letter" and created between 2025-07 and 2025-12',
    "photos from the last two months of 2025":
        'find documents where type = "Photo" and created between 2025-11 and 2025-12',
    # More of one than of the other: a row for each.
}

UNANSWERED: list[str] = [
    "the first contract to expire",  # of all times, or from now on?
    "contracts about to expire in Legal in May",
    "receipts from mid March 2025",
    "documents created since mid-January",
    "how many documents were created at the beginning of 2025",
    "does Tom Baker own more documents than Nikhil Rao",
    "are there more documents than last year",
    "do we have more than 5 leases",
    "letters from the fifth week of March 2025",
]
