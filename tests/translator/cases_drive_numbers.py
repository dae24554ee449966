"""Questions about the document store: numbers, bounds, values and groups."""

# fmt: off
CASES: dict[str, str] = {
    "how many invoices are overdue?": 'count documents where type = "Invoice" and overdue',
    "number of pdfs larger than 10 MB": 'count documents where extension = "pdf" and size > 10 MB',
    "count receipts by vendor": 'count documents where type = "Receipt" by vendor',
    "which owner has the most documents?": "count documents by owner sort count desc limit 1",
    'total amount of receipts per category in 2024':
        'sum(amount) of documents where type = "Receipt" and created = 2024 by category',
    "top 5 largest videos": 'find documents where extension = "videos" sort size desc limit 5',
    "three most viewed reports": 'find documents where type = "Report" sort views desc limit 3',
    "the oldest contract in Legal": 'find documents where type = "Contract" and folder = "Legal" sort created limit 1',
    "how many files are there in the Credit Card folder?": 'count documents where folder = "Credit Card"',
    "how many copies of Template_Letter.docx exist": 'count documents where copied_from = "Template_Letter.docx"',
    "sum of all unpaid invoices": 'sum(amount) of documents where payment_status = "unpaid" and type = "Invoice"',
    "share of overdue invoices": 'share(overdue) of documents where type = "Invoice"',
    "min, max and average invoice amount": 'min(amount), max(amount), avg(amount) of documents where type = "Invoice"',
    'number of invoices per vendor having more than 25':
        'count documents where type = "Invoice" by vendor having count > 25',
    "how many documents per extension": "count documents by extension",
    "documents created per month in 2025": "count documents where created = 2025 by month(created)",
    'which month of 2024 had the most receipts':
        'count documents where type = "Receipt" and created = 2024 by month(created) sort count desc limit 1',
    "total size of the videos": 'sum(size) of documents where extension = "videos"',
    'the 3 newest contracts with Acme Corp':
        'find documents where type = "Contract" and counterparty = "Acme Corp" sort created desc limit 3',
    "longest video": 'find documents where extension = "video" sort duration desc limit 1',
    'most expensive receipt of 2025':
        'find documents where type = "Receipt" and created = 2025 sort amount desc limit 1',
    'show files with the same document type as Budget_2024.xlsx, newest first':
        'find documents where type = document("Budget_2024.xlsx").type sort created desc',
    "how many photos do we have from 2022?": 'count documents where type = "Photo" and created = 2022',
    "how many folders has Grace Kim created": 'count folders where creator = "Grace Kim"',
    "what's the total number of unsigned contracts": 'count documents where unsigned and type = "Contract"',
    "breakdown of invoices by payment status": 'count documents where type = "Invoice" by payment_status',
    'sum of receipt amounts by vendor for 2025':
        'sum(amount) of documents where type = "Receipt" and created = 2025 by vendor',
    "documents per owner in Legal": 'count documents where folder = "Legal" by owner',
    "the ten oldest documents": "find documents sort created limit 10",
    "biggest file in Photos": 'find documents where folder = "Photos" sort size desc limit 1',
    "contracts ordered by expiration date": 'find documents where type = "Contract" sort expires',
    "second largest pdf": 'find documents where extension = "pdf" sort size desc limit 1 offset 1',
    'PDFs smaller than 100 KB in Legal, oldest first':
        'find documents where extension = "pdf" and size < 100 kB and folder = "Legal" sort created',
    "count of NDAs expiring this year": 'count documents where type = "NDA" and expires = this year',
    'how many receipts over 100 dollars were there in 2025?':
        'count documents where type = "Receipt" and amount > 100 and currency = "USD" and created = 2025',
    "number of subfolders under Business at any level": 'count folders where folder under "Business"',
    "how many different tags are used on contracts": 'distinct(tags) of documents where type = "Contract"',
    "invoice count by month for 2025": 'count documents where type = "Invoice" and created = 2025 by month(created)',
    "average file size by extension": "avg(size) of documents by extension",
    "how many docs does each person own": "count documents by owner",
    "what are the five most downloaded documents": "find documents sort downloads desc limit 5",
    "newest document in Inbox": 'find documents where folder = "Inbox" sort created desc limit 1',
    "top 10 invoices by amount": 'find documents where type = "Invoice" sort amount desc limit 10',
    "NDAs alphabetically": 'find documents where type = "NDA" sort name',
    'documents in the folder of the largest video':
        'find documents where folder = (find documents where extension = "video" sort size desc limit 1).folder',
    'which vendor do we have the most invoices from':
        'count documents where type = "Invoice" by vendor sort count desc limit 1',
    "top 5 owners by number of documents": "count documents by owner sort count desc limit 5",
    "number of documents for every category": "count documents by category",
    "count of documents by language": "count documents by language",
    'how many invoices were created each month of 2025':
        'count documents where type = "Invoice" and created = 2025 by month(created)',
    "average number of pages of contracts": 'avg(pages) of documents where type = "Contract"',
    "top 3 vendors by total amount": "sum(amount) of documents by vendor sort sum(amount) desc limit 3",
    "5 longest videos": 'find documents where extension = "videos" sort duration desc limit 5',
    "most recent NDA": 'find documents where type = "NDA" sort created desc limit 1',
    "smallest pdf in Legal": 'find documents where extension = "pdf" and folder = "Legal" sort size limit 1',
    'documents sorted by last modified, newest first, in Grants':
        'find documents where folder = "Grants" sort modified desc',
    # By a day is no later than it; of what may lie ahead, a weekday is the coming one (the clock says Sunday).
    "invoices due by Friday": 'find documents where type = "Invoice" and due <= 2026-03-20',
    "invoices due by March 31": 'find documents where type = "Invoice" and due <= 2026-03-31',
    "invoices due on Friday": 'find documents where type = "Invoice" and due = 2026-03-20',
    "invoices due last Friday": 'find documents where type = "Invoice" and due = 2026-03-13',
    "invoices due next Friday": 'find documents where type = "Invoice" and due = 2026-03-20',
    "files created on Friday": "find documents where created = 2026-03-13",
    "contracts that expired on Friday": 'find documents where type = "Contract" and expires = 2026-03-13',
    # Both ends of a span are of the same date.
    "files from 3 May 2024 up to and including 6 May 2024": "find documents where created between 2024-05-03 and 2024-05-06",
    "files created from 3 May 2024 and up to 6 May 2024": "find documents where created between 2024-05-03 and 2024-05-06",
    "invoices due from 1 March 2026 up to and including 10 March 2026":
        'find documents where type = "Invoice" and due between 2026-03-01 and 2026-03-10',
    "files w/ invoice in the name": 'find documents where name contains "invoice"',
    "docs w/o comments": "find documents where comments missing",
    "folders w/tax in their name": 'find folders where name contains "tax"',
    # Bounds in pixels, said with adjectives on either side.
    "pictures wider than 4000 px in Photos/2024": (
        'find documents where extension = "pictures" and width > 4000 and folder = "Photos/2024"'
    ),
    "photos at least 4000 px wide": 'find documents where type = "Photo" and width >= 4000',
    "images with a width over 4000 px": 'find documents where extension = "images" and width > 4000',
    # A word that may be mere connection is what a field is called.
    "invoices with exactly 17 line items and total above 15k": (
        'find documents where type = "Invoice" and line_items = 17 and amount > 15000'
    ),
    # What it is of behind the condition.
    "notice period of 90 days, which contracts have that?": (
        'find documents where type = "Contract" and notice_days = 90 days'
    ),
    "payroll folder: how many documents": 'count documents where folder = "payroll"',
    "in 2025, how many invoices were there": 'count documents where type = "Invoice" and created = 2025',
    "Donors: how many pdfs": 'count documents where extension = "pdf" and folder = "Donors"',
    # Orders by what was not named in full, or by a verb.
    "Which contract has the highest value?": 'find documents where type = "Contract" sort contract_value desc limit 1',
    "contracts by value, highest first": 'find documents where type = "Contract" sort contract_value desc',
    "folders by number of documents, top five": "find folders sort document_count desc limit 5",
    "folders sorted by number of documents, smallest first, top five": "find folders sort document_count limit 5",
    "the next expiring contract": 'find documents where expires >= today and type = "Contract" sort expires limit 1',
    "which contract expires next": 'find documents where type = "Contract" and expires >= today sort expires limit 1',
    # Short forms, and letters left out.
    "top3 viewd contracts": 'find documents where type = "Contract" sort views desc limit 3',
    "cnt pdf in Donors": 'count documents where extension = "pdf" and folder = "Donors"',
    "pdf count in Donors": 'count documents where extension = "pdf" and folder = "Donors"',
    "hw many recepts from Starbcks in 2024": (
        'count documents where type = "Receipt" and vendor = "Starbucks" and created = 2024'
    ),
    "I search the contracts who expire in next 90 days, can you show?": (
        'find documents where type = "Contract" and expires = next 90 days'
    ),
    # The field behind the name.
    "Wedding Cake Deposit.pdf amount?": 'get document("Wedding Cake Deposit.pdf").amount',
    "Welcome tour.mp4: duration": 'get document("Welcome tour.mp4").duration',
    "Partnership Agreement 2019.pdf notice period": 'get document("Partnership Agreement 2019.pdf").notice_days',
    "Dock Permit.pdf owner email": 'get document("Dock Permit.pdf").owner_email',
    # The beginning of a name that only one value has, and a name without its apostrophe.
    "Northwind invoices": 'find documents where vendor = "Northwind Traders" and type = "Invoice"',
    # A noun for the ending that is left out of a name.
    "how big is the Welcome tour video?": 'get document("Welcome tour.mp4").size',
    "who owns the Emergency Contacts spreadsheet": 'get document("Emergency Contacts.xlsx").owner',
    "size of the Welcome tour video": 'get document("Welcome tour.mp4").size',
    # Several fields.
    "creator + creation date of Logo_Final_v2.png": 'get document("Logo_Final_v2.png").creator, created',
    "Logo_Final_v2.png width and height": 'get document("Logo_Final_v2.png").width, height',
    "tell me the type, size and owner of Dock Permit.pdf": 'get document("Dock Permit.pdf").type, size, owner',
    # The unit that it is to be told in.
    "how long is Welcome tour.mp4, in minutes": 'get document("Welcome tour.mp4").duration',
    "how big is Dock Permit.pdf in MB": 'get document("Dock Permit.pdf").size',
    # Bounds of what lasts.
    "until which date runs the Partnership Agreement 2019": 'get entry("Partnership Agreement 2019").expires',
    "until when is Partnership Agreement 2019.pdf valid": 'get document("Partnership Agreement 2019.pdf").expires',
    "since when is Partnership Agreement 2019.pdf in force": 'get document("Partnership Agreement 2019.pdf").effective',
    "by when must Invoice_Feb_2025.pdf be paid": 'get document("Invoice_Feb_2025.pdf").due',
    # A field as one, and one of a thing that it has.
    "what's in the due date field for Invoice_Feb_2025?": 'get entry("Invoice_Feb_2025").due',
    "what does the vendor field of Wedding Cake Deposit.pdf say": 'get document("Wedding Cake Deposit.pdf").vendor',
    "e-mail address of the owner of Dock Permit.pdf?": 'get document("Dock Permit.pdf").owner_email',
    "what is the email of the owner of Dock Permit.pdf": 'get document("Dock Permit.pdf").owner_email',
    # Prepositions before the question word, and the order of a clause.
    "in which language is Company Handbook.pdf written": 'get document("Company Handbook.pdf").language',
    "on which date was Dock Permit.pdf created": 'get document("Dock Permit.pdf").created',
    "could you tell me how many pages Company Handbook.pdf has": 'get document("Company Handbook.pdf").pages',
    "do you know when Dock Permit.pdf was uploaded?": 'get document("Dock Permit.pdf").created',
    "please look up the owner of Dock Permit.pdf? Thanks a lot": 'get document("Dock Permit.pdf").owner',
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
    "on which weekdays are files uploaded most? table please": "count documents by weekday(created) sort count desc",
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
    # The measure behind what it is of.
    "receipts vs invoices 2025, total amounts": (
        'sum(amount) of documents where type in ["Receipt", "Invoice"] and created = 2025 by type'
    ),
    "photos in Photos/2024: average size": 'avg(size) of documents where type = "Photo" and folder = "Photos/2024"',
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
