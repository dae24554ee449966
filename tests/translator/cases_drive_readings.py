"""Questions about the document store that were read wrongly, or not at all, by what was wrong with their reading."""

# fmt: off
CASES: dict[str, list[tuple[str, str]]] = {
    "values before nouns": [
        ("draft contracts", 'find documents where review_status = "draft" and type = "Contract"'),
    ],
    "below": [
        ("every folder at any depth below Website Redesign", 'find folders where folder under "Website Redesign"'),
        ("Dropbox things inside Archive > Old Clients, whole tree",
         'find entries where app = "partner.dropbox.sync" and folder under "Archive > Old Clients"'),
    ],
    "the most first": [
        ("documents by name, top 5", 'find documents sort name limit 5'),
    ],
    "names of files that nothing has": [
        ("who created Moon Landing Plan.pdf", 'get entry("Moon Landing Plan.pdf").creator'),
        ("how large is Nope.pdf?", 'get entry("Nope.pdf").size'),
    ],
}

UNANSWERED: list[str] = [
    # By what they are to be compared is said, and not as what.
    "compare invoices and receipts by amount",
    # What a thing of its own has to do with the things behind it is not said.
    "phone bills", "computer invoices", "credit card bills", "mobile bills", "web contracts", "check images",
    "checks", "cards from 2024",
    # Nothing of the kind has it, and how long a notice is does not make anything long.
    "longest documents",
    # Who alone may do it, who did it, and by whom: not what is asked for in other words.
    "documents only Dana Ortiz can edit", "folders Omar shared with Grace Kim", "contracts signed by Acme Corp",
    "documents read by OCR",
    # More than so much, and no path.
    "Costco > 100",
    # How many, and about how much.
    "4K photos", "files of about 5 MB",
    # Not a claim about what the data hold.
    # Everything there is.
    "documents hidden",
]
