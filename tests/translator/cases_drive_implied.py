"""Questions about the document store in which a word could be passed over, or a field be taken that nobody spoke of."""

CASES = {
    # what several things of a list are of
    "letters with every tag of Q3 Report.pdf": (
        'find documents where type = "Letter" and tags has all document("Q3 Report.pdf").tags'
    ),
    "files having each of the labels that Q3 Report.pdf has": (
        'find documents where tags has all document("Q3 Report.pdf").tags'
    ),
    "photos with any of the tags on Q3 Report.pdf": (
        'find documents where type = "Photo" and tags has any document("Q3 Report.pdf").tags'
    ),
    "what else has the owner of Q3 Report.pdf": (
        'find entries where owner = document("Q3 Report.pdf").owner and id != document("Q3 Report.pdf")'
    ),
    "which letters share their category with Q3 Report.pdf": (
        'find documents where type = "Letter" and category = document("Q3 Report.pdf").category'
    ),
    "how many files share Q3 Report.pdf's relationship id": (
        'count documents where relationship = document("Q3 Report.pdf").relationship'
    ),
    "files with Q3 Report.pdf's category": 'find documents where category = document("Q3 Report.pdf").category',
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
    "folders Mei-Ling owns": 'find folders where owner = "Mei-Ling"',
    "how many folders does each organisation own": 'count folders where owner_type = "organization" by owner',
    "how many contracts did each bot create": (
        'count documents where type = "Contract" and creator_type = "system" by creator'
    ),
    "how many docs did each user upload": "count documents by creator",
    "which folders hold no photos by Omar": (
        'find folders where id not in (find documents where type = "Photo" and creator = "Omar").folder'
    ),
    # what a name stands for, where words look alike
    "documents in Grants before 2024": 'find documents where folder = "Grants" and created < 2024',
    "photos put into Grants in 2024": (
        'find documents where type = "Photo" and folder = "Grants" and created = 2024'
    ),
    # when something came, or ended
    "docs that came in after Q3 Report.pdf": 'find documents where created > document("Q3 Report.pdf").created',
    "photos from before Q3 Report.pdf that Omar owns": (
        'find documents where type = "Photo" and created < document("Q3 Report.pdf").created and owner = "Omar"'
    ),
    "what landed in Donors since 2024": 'find entries where folder = "Donors" and created >= 2024',
    "leases that end before Globex MSA 2025.pdf does": (
        'find documents where type = "Lease" and expires < document("Globex MSA 2025.pdf").expires'
    ),
    "invoices with a higher amount than Roof Invoice.pdf has": (
        'find documents where type = "Invoice" and amount > document("Roof Invoice.pdf").amount'
    ),
    "receipts whose vendor is also the vendor of Roof Invoice.pdf": (
        'find documents where type = "Receipt" and vendor = document("Roof Invoice.pdf").vendor'
    ),
    # what is said behind a comma
    "invoices uploaded in 2025, only those below Properties": (
        'find documents where type = "Invoice" and created = 2025 and folder under "Properties"'
    ),
    "leases in Legal, signed ones only": (
        'find documents where type = "Lease" and folder = "Legal" and signed = true'
    ),
    # what something was made from
    "Landlord reminder.docx was copied from what?": (
        'find entries where id = document("Landlord reminder.docx").copied_from'
    ),
    "what is the original behind Landlord reminder.docx": (
        'find documents where id = document("Landlord reminder.docx").copied_from'
    ),
    "where is the original of Landlord reminder.docx kept?": (
        'find documents where id = document("Landlord reminder.docx").copied_from'
    ),
    "has anybody made a copy of Q3 Report.pdf?": 'find documents where copied_from = "Q3 Report.pdf"',
    # what is spoken of first, and then as `it`
    "Q3 Report.pdf: who owns it?": 'get document("Q3 Report.pdf").owner',
    "Globex MSA 2025.pdf, is it signed": 'get document("Globex MSA 2025.pdf").signed',
    "Landlord reminder.docx: what is it a copy of?": (
        'find entries where id = document("Landlord reminder.docx").copied_from'
    ),
    "does Legal have any pdfs in it": 'find documents where extension = "pdf" and folder = "Legal"',
    "documents with comments that Omar wrote": 'find documents where comments[author = "Omar"]',
    "docs saved to Legal": 'find documents where folder = "Legal"',
    "what's in the folder containing Q3 Report.pdf": 'find entries where folder = document("Q3 Report.pdf").folder',
    # how a name begins
    "invoices with a name beginning Inv_": 'find documents where type = "Invoice" and name starts with "Inv_"',
    "docs whose title starts Draft": 'find documents where name starts with "Draft"',
}

UNANSWERED = [
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
]
