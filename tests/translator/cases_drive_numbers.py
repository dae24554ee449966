"""Questions about the document store: numbers, bounds, values and groups."""

# fmt: off
CASES: dict[str, str] = {
    "which owner has the most documents?": "count documents by owner sort count desc limit 1",
    'total amount of receipts per category in 2024':
        'sum(amount) of documents where type = "Receipt" and created = 2024 by category',
    "three most viewed reports": 'find documents where type = "Report" sort views desc limit 3',
    "how many files are there in the Credit Card folder?": 'count documents where folder = "Credit Card"',
    "sum of all unpaid invoices": 'sum(amount) of documents where payment_status = "unpaid" and type = "Invoice"',
    "share of overdue invoices": 'share(overdue) of documents where type = "Invoice"',
    "min, max and average invoice amount": 'min(amount), max(amount), avg(amount) of documents where type = "Invoice"',
    'number of invoices per vendor having more than 25':
        'count documents where type = "Invoice" by vendor having count > 25',
    'which month of 2024 had the most receipts':
        'count documents where type = "Receipt" and created = 2024 by month(created) sort count desc limit 1',
    "longest video": 'find documents where extension = "video" sort duration desc limit 1',
    'most expensive receipt of 2025':
        'find documents where type = "Receipt" and created = 2025 sort amount desc limit 1',
    "how many photos do we have from 2022?": 'count documents where type = "Photo" and created = 2022',
    "how many folders has Grace Kim created": 'count folders where creator = "Grace Kim"',
    "breakdown of invoices by payment status": 'count documents where type = "Invoice" by payment_status',
    'sum of receipt amounts by vendor for 2025':
        'sum(amount) of documents where type = "Receipt" and created = 2025 by vendor',
    "second largest pdf": 'find documents where extension = "pdf" sort size desc limit 1 offset 1',
    'PDFs smaller than 100 KB in Legal, oldest first':
        'find documents where extension = "pdf" and size < 100 kB and folder = "Legal" sort created',
    'how many receipts over 100 dollars were there in 2025?':
        'count documents where type = "Receipt" and amount > 100 and currency = "USD" and created = 2025',
    "number of subfolders under Business at any level": 'count folders where folder under "Business"',
    "how many different tags are used on contracts": 'distinct(tags) of documents where type = "Contract"',
    "invoice count by month for 2025": 'count documents where type = "Invoice" and created = 2025 by month(created)',
    "average file size by extension": "avg(size) of documents by extension",
    "top 10 invoices by amount": 'find documents where type = "Invoice" sort amount desc limit 10',
    "top 5 owners by number of documents": "count documents by owner sort count desc limit 5",
    "number of documents for every category": "count documents by category",
    "top 3 vendors by total amount": "sum(amount) of documents by vendor sort sum(amount) desc limit 3",
    "5 longest videos": 'find documents where extension = "videos" sort duration desc limit 5',
    'documents sorted by last modified, newest first, in Grants':
        'find documents where folder = "Grants" sort modified desc',
    # By a day is no later than it; of what may lie ahead, a weekday is the coming one (the clock says Sunday).
    "invoices due by Friday": 'find documents where type = "Invoice" and due <= 2026-03-20',
    "invoices due on Friday": 'find documents where type = "Invoice" and due = 2026-03-20',
    "invoices due last Friday": 'find documents where type = "Invoice" and due = 2026-03-13',
    "invoices due next Friday": 'find documents where type = "Invoice" and due = 2026-03-20',
    "contracts that expired on Friday": 'find documents where type = "Contract" and expires = 2026-03-13',
    # Both ends of a span are of the same date.
    "files created from 3 May 2024 and up to 6 May 2024": "find documents where created between 2024-05-03 and 2024-05-06",
    "folders w/tax in their name": 'find folders where name contains "tax"',
    # Bounds in pixels, said with adjectives on either side.
    "photos at least 4000 px wide": 'find documents where type = "Photo" and width >= 4000',
    # A word that may be mere connection is what a field is called.
    "invoices with exactly 17 line items and total above 15k": (
        'find documents where type = "Invoice" and line_items = 17 and amount > 15000'
    ),
    # What it is of behind the condition.
    "notice period of 90 days, which contracts have that?": (
        'find documents where type = "Contract" and notice_days = 90 days'
    ),
    # Orders by what was not named in full, or by a verb.
    "contracts by value, highest first": 'find documents where type = "Contract" sort contract_value desc',
    "folders by number of documents, top five": "find folders sort document_count desc limit 5",
    "folders sorted by number of documents, smallest first, top five": "find folders sort document_count limit 5",
    "the next expiring contract": 'find documents where expires >= today and type = "Contract" sort expires limit 1',
    # Short forms, and letters left out.
    "hw many recepts from Starbcks in 2024": (
        'count documents where type = "Receipt" and vendor = "Starbucks" and created = 2024'
    ),
    # A noun for the ending that is left out of a name.
    # Several fields.
    "creator + creation date of Logo_Final_v2.png": 'get document("Logo_Final_v2.png").creator, created',
    "Logo_Final_v2.png width and height": 'get document("Logo_Final_v2.png").width, height',
    "tell me the type, size and owner of Dock Permit.pdf": 'get document("Dock Permit.pdf").type, size, owner',
    # A field as one, and one of a thing that it has.
    "what's in the due date field for Invoice_Feb_2025?": 'get entry("Invoice_Feb_2025").due',
    "what is the email of the owner of Dock Permit.pdf": 'get document("Dock Permit.pdf").owner_email',
    # Prepositions before the question word, and the order of a clause.
    "on which date was Dock Permit.pdf created": 'get document("Dock Permit.pdf").created',
    "could you tell me how many pages Company Handbook.pdf has": 'get document("Company Handbook.pdf").pages',
    "do you know when Dock Permit.pdf was uploaded?": 'get document("Dock Permit.pdf").created',
    # How many do it, and of how many it is done.
    # How often it was done to one thing.
    "how often was Template_Letter.docx viewed": 'get document("Template_Letter.docx").views',
    # Who does it most.
    "who uploaded most pdfs in 2025, top 3": (
        'count documents where extension = "pdf" and created = 2025 by creator sort count desc limit 3'
    ),
    # When most of it happens.
    "the five most used tags": "count documents by tags sort count desc limit 5",
    # How it is spread.
    "how are the folders distributed over the colours": "count folders by color",
    "how are the documents spread across categories": "count documents by category",
    "what is the split of files between apps": "count documents by app",
}

UNANSWERED = [
    # Which amount of a folder is its value is not known.
    "folders by value",
    # Two letters may have been left out of several words.
    "wh many receipts",
    # The name of a folder and a field are no question for a value.
    "Payroll notes",
    "Marketing owner",
    "Recipes: size",
    "Trademarks type",
    "until when are contracts valid",
    "which size do photos have",
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
