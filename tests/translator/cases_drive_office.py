"""Questions about the document store as people of an office ask them."""

# fmt: off
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
        'find documents where type = "Contract" and expires >= today and expires <= this month'
    ),
    "invoices due by the end of the week": 'find documents where type = "Invoice" and due <= this week',
    # Any folder of a name, and not the one.
    "folders in Clients that don't have a Deliverables subfolder": (
        'find folders where folder = "Clients" and id not in (find folders where name = "Deliverables").folder'
    ),
    "folders in Projects that have a Budget folder": (
        'find folders where folder = "Projects" and id in (find folders where name = "Budget").folder'
    ),
    # Rows that are periods, in their order.
    # What things are worth, as far as they have it.
    "most valuable contracts": 'find documents where type = "Contract" sort contract_value desc',
    "most valuable invoice": 'find documents where type = "Invoice" sort amount desc limit 1',
    # Nobody did it.
    # Another one who did not, or another right that is not given.
    "documents shared with Omar but not editor": 'find documents where shares[who = "Omar" and role != "editor"]',
    # A field with its value before the noun, and the word for what a code is of.
    "docs for project ATLAS with high risk": (
        'find documents where attributes.project_code = "ATLAS" and attributes.risk = "high"'
    ),
    "documents by project code": "count documents by attributes.project_code",
    "W2s by tax year": 'count documents where type = "W2" by tax_year',
    # Amounts in a unit, what takes up room, and a part of a kind.
    "10 folders with the most documents": "find folders sort document_count desc limit 10",
    "top 5 most shared docs": "find documents sort share_count desc limit 5",
    # Names, and what is said of them.
    # Siblings are of the kind that is spoken of; a year that few of them have is no guess.
    "every invoice that is past its due date": 'find documents where type = "Invoice" and due < today',
    "contracts where risk isn't set": 'find documents where type = "Contract" and attributes.risk missing',
    # People: somebody else than who was named, of a kind, with a number of things, by two verbs.
    "which organization owns the most documents": (
        'count documents where owner_type = "organization" by owner sort count desc limit 1'
    ),
    # The same as another document, or more.
    # Numbers of groups.
    # What was not done for long, and what was done of late.
    "recently modified files in Legal": 'find documents where folder = "Legal" sort modified desc',
    # One of a group that is said with it.
    "jpg images over 5 MB": 'find documents where extension = "jpg" and size > 5 MB',
    "pptx presentations from 2024": 'find documents where extension = "pptx" and created = 2024',
    # What one document is, and by a part of its name.
    "is Invoice_Feb_2025.pdf paid?": 'get document("Invoice_Feb_2025.pdf").payment_status',
    # Each folder by itself, and the one that has something in it.
    "which folder has Dock Permit.pdf in it": 'find folders where id = document("Dock Permit.pdf").folder',
    # Another value of the same list, a code of one key, and what is not there.
    "invoices or receipts tagged reimbursable but not travel": (
        'find documents where type in ["Invoice", "Receipt"] and tags = "reimbursable" and tags != "travel"'
    ),
    "documents not tagged at all in Grants": 'find documents where tags missing and folder = "Grants"',
    # A year that is said stays, and several bounds are of one number.
    "reports from Q1 2025 and Q1 2024": 'find documents where type = "Report" and created in [2025-Q1, 2024-Q1]',
    # A name that ends what else would only say `all there is`, and the parent that is asked for.
    "every txt file in the whole Archive": 'find documents where extension = "txt" and folder under "Archive"',
    "gray folders with no subfolders under Projects": (
        'find folders where color = "gray" and subfolder_count = 0 and folder under "Projects"'
    ),
    "first 3 invoices of 2026": 'find documents where type = "Invoice" and created = 2026 sort created limit 3',
    "least viewed report of 2025": 'find documents where type = "Report" and created = 2025 sort views limit 1',
    # The average of all such things, and the one with the most.,
    # Who did it last, and when.
    "contracts last edited by Grace Kim": 'find documents where type = "Contract" and editor = "Grace Kim"',
    "letters last edited by Tom Baker in 2025":
        'find documents where type = "Letter" and editor = "Tom Baker" and modified = 2025',
    # What it is asked with.
    "show me teh contracts in Legal": 'find documents where type = "Contract" and folder = "Legal"',
    # Different values of a field, with the preposition left to the end.
    "how many different vendors are our invoices from": 'distinct(vendor) of documents where type = "Invoice"',
    # What a field is, before its words and without an article.
    # Texts: both of two, and the phrase by itself.
    # A date behind what somebody else did is that of the verb.
    # The average of those that are spoken of.
    # The most and the fewest, money, and what is downloaded most.
    "Which month of 2025 had the fewest receipts?":
        'count documents where type = "Receipt" and created = 2025 by month(created) sort count limit 1',
    # What comments say, who wrote them and how many: by the documents that have them.
    # Dates of what is described, verbs for one deed, and what does something by itself.
    # what several things of a list are of
    # what is said of the things inside
    "folders holding invoices that are overdue": (
        'find folders where id in (find documents where type = "Invoice" and overdue).folder'
    ),
    "which folders contain documents tagged audit that Omar owns": (
        'find folders where id in (find documents where tags = "audit" and owner = "Omar").folder'
    ),
    "folders with no documents created last year": (
        "find folders where id not in (find documents where created = last year).folder"
    ),
    # who did it
    "pdfs owned by Dana but created by Anne-Marie": (
        'find documents where extension = "pdf" and owner = "Dana" and creator = "Anne-Marie"'
    ),
    # what a name stands for, where words look alike
    "photos put into Grants in 2024": 'find documents where type = "Photo" and folder = "Grants" and created = 2024',
    # when something came, or ended
    # what is said behind a comma
    "leases in Legal, signed ones only": 'find documents where type = "Lease" and folder = "Legal" and signed = true',
    # what something was made from
    "has anybody made a copy of Q3 Report.pdf?": 'find documents where copied_from = "Q3 Report.pdf"',
    # what is spoken of first, and then as `it`
    "docs saved to Legal": 'find documents where folder = "Legal"',
    # how a name begins
    # a comma before `or` keeps both sides whole
    "invoices that are paid, locked or bigger than 2 MB": (
        'find documents where type = "Invoice" and (payment_status = "paid" or locked = true or size > 2 MB)'
    ),
    # a field that things of the kind have, inside an `or` as well
    # what is denied with the means it was done by
    "receipts not paid by check or cash": (
        'find documents where type = "Receipt" and payment_method not in ["check", "cash"]'
    ),
    # all values of a field but one
    "invoices by any vendor except Staples": 'find documents where type = "Invoice" and vendor != "Staples"',
    "invoices by every vendor but Staples": 'find documents where type = "Invoice" and vendor != "Staples"',
    # When somebody wrote a comment is said of that comment.
    "invoice comments by Tom Baker": 'find documents where type = "Invoice" and comments[author = "Tom Baker"]',
    # Who can see a thing is said by all that gives access; who may change it, by no single field.
    "who is 1099-DIV_2019_Hannah_Fischer.pdf shared with":
        'get document("1099-DIV_2019_Hannah_Fischer.pdf").shares.who',
    "who commented on Q3 Report.pdf": 'get document("Q3 Report.pdf").comments.author',
    "docs Omar doesn't own": 'find documents where owner != "Omar"',
    "anything Hannah changed this week?": 'find entries where editor = "Hannah" and modified = this week',
    "receipts over a thousand or under 10 dollars":
        'find documents where type = "Receipt" '
        'and (amount > 1000 and currency = "USD" or amount < 10 and currency = "USD")',
    "list every 'Invoices' folder": 'find folders where name = "Invoices"',
    # Names.
    "the 2024 folder": 'find folder("2024")',
    'show me "a/b \\" c"': 'find documents where mentions "a/b \\" c"',
    # Bounds.
    "contracts effective from 2025 on": 'find documents where type = "Contract" and effective >= 2025',
    "number of invoices per vendor above 5": 'count documents where type = "Invoice" by vendor having count > 5',
    "1099-NECs for tax year 2022 or 2023": 'find documents where type = "1099-NEC" and tax_year in [2022, 2023]',
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
    # To divide things is no way to ask for a list of them.
    "split the contracts in Legal", "break the invoices in Inbox",
    # Nobody is told who saw it last.
    "documents last viewed by Tom Baker",
    # Nothing says to whom they are, and they are not theirs.
    "emails to Hannah Fischer", "letters to Grace Kim from 2025", "proposals addressed to Globex",
    # Another invoice is no receipt.
    "receipts with the same name as another invoice",
    # What has a size and an amount of money is large by either of them.
    "invoices bigger than the average", "receipts larger than the average receipt", "which invoice is the largest",
    # Those that have none at all are no rows, and have the fewest.
    "which month of 2025 had the fewest leases", "which vendor has the fewest invoices",
    "documents with Q3 Report.pdf",
    "documents that Roof Invoice.pdf has",
    "files for Q3 Report.pdf",
    "documents whose category is Q3 Report.pdf",
    "tags Q3 Report.pdf has",
    "docs with tags that Q3 Report.pdf",
    "photos including location",
    "docs with a location",
    "how many documents has each organisation created",
    "bots that created invoices",
    "documents with comments that Omar resolved",
    "invoices that are paid and locked or bigger than 2 MB",  # how far each of them reaches is anybody's guess
    "invoices that are paid or locked and bigger than 2 MB",
    "documents that are starred and locked or in Legal",
    # What elements of a list are like is not what those are like that have them.
    "open comments by Tom Baker", "late comments by Tom Baker",
    # Who shared something is not whom it is shared with; when something was put somewhere is not when it was made.
    "files shared by Omar Haddad", "tax returns filed in 2023",
    # Whose they are is not said, and no list has only some values.
    "Tom Baker and Grace Kim documents", "documents with tags travel and personal only",
    # `the one` asks for no first one.
    "invoices we got from initech, the one over 9k?",
]
