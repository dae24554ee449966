"""Questions about the document store: in the order of what happens to things, parts of periods, the same value."""

# fmt: off
CASES: dict[str, str] = {
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
