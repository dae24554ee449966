"""How far `and`, `or` and `not` reach in questions about the document store, and their programs."""

CASES: dict[str, str] = {
    # a comma before `or` keeps both sides whole
    "invoices that are paid and locked, or bigger than 2 MB": (
        'find documents where type = "Invoice" and (payment_status = "paid" and locked = true or size > 2 MB)'
    ),
    "documents that are starred and locked, or over 100 MB": (
        "find documents where starred = true and locked = true or size > 100 MB"
    ),
    "letters owned by Tom Baker, or starred and locked": (
        'find documents where type = "Letter" and (owner = "Tom Baker" or starred = true and locked = true)'
    ),
    "documents that are starred or locked, and over 2 MB": (
        "find documents where (starred = true or locked = true) and size > 2 MB"
    ),
    "invoices that are locked and paid or overdue": (
        'find documents where type = "Invoice" and locked = true and payment_status in ["paid", "overdue"]'
    ),
    "invoices that are paid, locked or bigger than 2 MB": (
        'find documents where type = "Invoice" and (payment_status = "paid" or locked = true or size > 2 MB)'
    ),
    # a field that things of the kind have, inside an `or` as well
    "contracts that are starred or worth more than 200000": (
        'find documents where type = "Contract" and (starred = true or contract_value > 200000)'
    ),
    "contracts owned by Tom Baker or worth more than 200000": (
        'find documents where type = "Contract" and (owner = "Tom Baker" or contract_value > 200000)'
    ),
    "leases that are locked, or worth more than 20000": (
        'find documents where type = "Lease" and (locked = true or contract_value > 20000)'
    ),
    # what is denied with the means it was done by
    "receipts from Staples not paid by cash": (
        'find documents where type = "Receipt" and vendor = "Staples" and payment_method != "cash"'
    ),
    "receipts from Costco not paid by check and not by cash": (
        'find documents where type = "Receipt" and vendor = "Costco" and payment_method != "check" '
        'and payment_method != "cash"'
    ),
    "invoices from Initech not paid by check": (
        'find documents where type = "Invoice" and vendor = "Initech" and payment_method != "check"'
    ),
    "receipts not paid by check or cash": (
        'find documents where type = "Receipt" and payment_method not in ["check", "cash"]'
    ),
    # all values of a field but one
    "invoices by any vendor except Staples": 'find documents where type = "Invoice" and vendor != "Staples"',
    "invoices by every vendor but Staples": 'find documents where type = "Invoice" and vendor != "Staples"',
}

UNANSWERED = [
    "invoices that are paid and locked or bigger than 2 MB",  # how far each of them reaches is anybody's guess
    "invoices that are paid or locked and bigger than 2 MB",
    "documents that are starred and locked or in Legal",
]
