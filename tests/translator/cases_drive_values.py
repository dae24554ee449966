"""Questions about the document store: in the order of what happens to things, parts of periods, the same value."""

# fmt: off
CASES: dict[str, str] = {
    # In the order of what happens to them.
    "which 4 contracts are the next to expire":
        'find documents where type = "Contract" and expires >= today sort expires limit 4',
    "the last 6 leases to run out": 'find documents where type = "Lease" and expires < today sort expires desc limit 6',
    "next invoice to fall due": 'find documents where type = "Invoice" and due >= today sort due limit 1',
    "the last 5 documents to be opened": "find documents sort last_viewed desc limit 5",
    "the next 3 contracts to expire after June 2026":
        'find documents where type = "Contract" and expires > 2026-06 and expires >= today sort expires limit 3',
    "contracts about to expire": 'find documents where type = "Contract" and expires >= today sort expires',
}

UNANSWERED: list[str] = [
    "the first contract to expire",  # of all times, or from now on?
    "contracts about to expire in Legal in May",
]
