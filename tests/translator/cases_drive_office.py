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
        'find documents where type = "Contract" and expires <= this month'
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
    "photo count by year, newest year first": 'count documents where type = "Photo" by year(created) sort year desc',
    "invoices per month in 2025, newest first": (
        'count documents where type = "Invoice" and created = 2025 by month(created) sort month desc'
    ),
    # What things are worth, as far as they have it.
    "most valuable contracts": 'find documents where type = "Contract" sort contract_value desc',
    "most valuable invoice": 'find documents where type = "Invoice" sort amount desc limit 1',
    # Nobody did it.
    "zip files nobody downloaded": 'find documents where extension = "zip" and not downloads > 0',
    "documents that nobody commented on": "find documents where comments missing",
    # Another one who did not, or another right that is not given.
    "which reports did Elena Petrova comment on": (
        'find documents where type = "Report" and comments[author = "Elena Petrova"]'
    ),
    "documents shared with Omar but not editor": 'find documents where shares[who = "Omar" and role != "editor"]',
    "docs Marcus Webb can comment on but not edit": (
        'find documents where shares[who = "Marcus Webb" and role = "commenter"] '
        'and not shares[who = "Marcus Webb" and role = "editor"]'
    ),
    # A preposition that is said once, and short forms.
    "docs w/o tags & w/o category": "find documents where tags missing and category missing",
    "docs in Vehicles (incl. subfolders)": 'find documents where folder under "Vehicles"',
    "contracts with a 30-day notice period": 'find documents where type = "Contract" and notice_days = 30 days',
    # A field with its value before the noun, and the word for what a code is of.
    "project code HELIOS documents": 'find documents where attributes.project_code = "HELIOS"',
    "cost center CC-300 invoices": 'find documents where attributes.cost_center = "CC-300" and type = "Invoice"',
    "docs for project ATLAS with high risk": (
        'find documents where attributes.project_code = "ATLAS" and attributes.risk = "high"'
    ),
    "documents by project code": "count documents by attributes.project_code",
    "W2s by tax year": 'count documents where type = "W2" by tax_year',
    # Amounts in a unit, what takes up room, and a part of a kind.
    "total GB of photos per year": 'sum(size) of documents where type = "Photo" by year(created)',
    "share of receipts paid in cash per year": (
        'share(payment_method = "cash") of documents where type = "Receipt" by year(created)'
    ),
    "euro invoices over 100": 'find documents where currency = "EUR" and type = "Invoice" and amount > 100',
    "10 folders with the most documents": "find folders sort document_count desc limit 10",
    "top 5 most shared docs": "find documents sort share_count desc limit 5",
    "how many docs came from each app in 2025": "count documents where created = 2025 by app",
    # Names, and what is said of them.
    "restricted documents that anyone with a link can see": (
        'find documents where classification = "restricted" and visibility = "anyone_with_link"'
    ),
    'files with "final" in the name but not "draft"': (
        'find documents where name contains "final" and not name contains "draft"'
    ),
    "docs with the same language as Hotel Nice.pdf": (
        'find documents where language = document("Hotel Nice.pdf").language'
    ),
    "files edited by the same person who edited Cutover Runbook.docx last": (
        'find documents where editor = document("Cutover Runbook.docx").editor'
    ),
    "docs owned by organizations, tagged year-end": (
        'find documents where owner_type = "organization" and tags = "year-end"'
    ),
    "invoices for the same vendor as Invoice_Feb_2025.pdf": (
        'find documents where type = "Invoice" and vendor = document("Invoice_Feb_2025.pdf").vendor'
    ),
    # Siblings are of the kind that is spoken of; a year that few of them have is no guess.
    "siblings of the folder Trademarks": (
        'find folders where folder = folder("Trademarks").folder and id != folder("Trademarks")'
    ),
    "number of documents per tag for 2025": "count documents where created = 2025 by tags",
    "which reports do we have for 2023": 'find documents where type = "Report" and created = 2023',
    "invoices due tomorrow or today": 'find documents where type = "Invoice" and due in [tomorrow, today]',
    "every invoice that is past its due date": 'find documents where type = "Invoice" and due < today',
    "contracts where risk isn't set": 'find documents where type = "Contract" and attributes.risk missing',
    # People: somebody else than who was named, of a kind, with a number of things, by two verbs.
    "which bot uploaded the most": 'count documents where creator_type = "system" by creator sort count desc limit 1',
    "which organization owns the most documents": (
        'count documents where owner_type = "organization" by owner sort count desc limit 1'
    ),
    "who last edited the most documents": "count documents by editor sort count desc limit 1",
    "documents created or edited by Omar": 'find documents where creator = "Omar" or editor = "Omar"',
    "documents neither created nor owned by Dana Ortiz in Worksheets": (
        'find documents where not (creator = "Dana Ortiz" or owner = "Dana Ortiz") and folder = "Worksheets"'
    ),
    "documents in Grants open to anyone with the link": (
        'find documents where folder = "Grants" and visibility = "anyone_with_link"'
    ),
    # The same as another document, or more.
    "contracts expiring after Partnership Agreement 2019.pdf expires": (
        'find documents where type = "Contract" and expires > document("Partnership Agreement 2019.pdf").expires'
    ),
    # Numbers of groups.
    "which vendor had the highest total invoice amount in 2024": (
        'sum(amount) of documents where created = 2024 and type = "Invoice" by vendor sort sum(amount) desc limit 1'
    ),
    "how many pages do the handbooks have in total": 'sum(pages) of documents where type = "Handbook"',
    "what did we spend on Uber per year": 'sum(amount) of documents where vendor = "Uber" by year(created)',
    "which owners have restricted documents": 'count documents where classification = "restricted" by owner',
    # What was not done for long, and what was done of late.
    "recently modified files in Legal": 'find documents where folder = "Legal" sort modified desc',
    "photos taken in 2023": 'find documents where type = "Photo" and created = 2023',
    "invoices from week 10": 'find documents where type = "Invoice" and created = 2026-W10',
    # One of a group that is said with it.
    "jpg images over 5 MB": 'find documents where extension = "jpg" and size > 5 MB',
    "pptx presentations from 2024": 'find documents where extension = "pptx" and created = 2024',
    # What one document is, and by a part of its name.
    "is Invoice_Feb_2025.pdf paid?": 'get document("Invoice_Feb_2025.pdf").payment_status',
    # Each folder by itself, and the one that has something in it.
    "which folder has Dock Permit.pdf in it": 'find folders where id = document("Dock Permit.pdf").folder',
    "tell me where Till photo.jpg is saved": 'find document("Till photo.jpg")',
    "invoices in folders called Invoices": (
        'find documents where type = "Invoice" and folder in (find folders where name = "Invoices")'
    ),
    "files in Last Week from last week": 'find documents where folder = "Last Week" and created = last week',
    "folders starting with the letter R": 'find folders where name starts with "R"',
    # Another value of the same list, a code of one key, and what is not there.
    "invoices or receipts tagged reimbursable but not travel": (
        'find documents where type in ["Invoice", "Receipt"] and tags = "reimbursable" and tags != "travel"'
    ),
    "invoices in CC-100": 'find documents where type = "Invoice" and attributes.cost_center = "CC-100"',
    "documents without project code created this year": (
        "find documents where attributes.project_code missing and created = this year"
    ),
    "documents not tagged at all in Grants": 'find documents where tags missing and folder = "Grants"',
    "documents with an unresolved comment by Grace Kim": (
        'find documents where comments[resolved = false and author = "Grace Kim"]'
    ),
    # A year that is said stays, and several bounds are of one number.
    "reports from Q1 2025 and Q1 2024": 'find documents where type = "Report" and created in [2025-Q1, 2024-Q1]',
    "invoices under 100 or over 19,000": 'find documents where type = "Invoice" and (amount < 100 or amount > 19000)',
    "contracts with notice of at least 60 days and value over 50,000": (
        'find documents where type = "Contract" and notice_days >= 60 days and contract_value > 50000'
    ),
    "contract value per counterparty, top 10": "sum(contract_value) of documents by counterparty limit 10",
    "which device was IMG_2716.heic uploaded from": 'get document("IMG_2716.heic").device',
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
    # A date behind what somebody else did is that of the verb.
    "files that someone else edited last week": "find documents where editor != owner and modified = last week",
    # What is written to somebody is called so, and neither lies with them nor is theirs.
    "invoices to Acme Corp": 'find documents where type = "Invoice" and vendor = "Acme Corp"',
    # The average of those that are spoken of.
    # The most and the fewest, money, and what is downloaded most.
    "Which three vendors got the most money from us in 2025?":
        "sum(amount) of documents where created = 2025 by vendor sort sum(amount) desc limit 3",
    "which vendor did we pay the most in 2025?":
        "sum(amount) of documents where created = 2025 by vendor sort sum(amount) desc limit 1",
    "Which month of 2025 had the fewest receipts?":
        'count documents where type = "Receipt" and created = 2025 by month(created) sort count limit 1',
    "top 5 most downloaded design assets": 'find documents where type = "Design Asset" sort downloads desc limit 5',
    # What comments say, who wrote them and how many: by the documents that have them.
    "documents where a remark by Hannah Fischer says wrong amount":
        'find documents where comments[author = "Hannah Fischer" and text mentions "wrong amount"]',
    # Folders that hold such things, values that another one has too.
    "which folder is NDAs in": 'find folders where id = folder("NDAs").folder',
    # Dates of what is described, verbs for one deed, and what does something by itself.
    "What share of our contracts renews automatically?": 'share(auto_renews = true) of documents where type = "Contract"',
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
    "photos put into Grants in 2024": 'find documents where type = "Photo" and folder = "Grants" and created = 2024',
    # when something came, or ended
    "docs that came in after Q3 Report.pdf": 'find documents where created > document("Q3 Report.pdf").created',
    "what landed in Donors since 2024": 'find entries where folder = "Donors" and created >= 2024',
    "leases that end before Globex MSA 2025.pdf does": (
        'find documents where type = "Lease" and expires < document("Globex MSA 2025.pdf").expires'
    ),
    # what is said behind a comma
    "invoices uploaded in 2025, only those below Properties": (
        'find documents where type = "Invoice" and created = 2025 and folder under "Properties"'
    ),
    "leases in Legal, signed ones only": 'find documents where type = "Lease" and folder = "Legal" and signed = true',
    # what something was made from
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
    # how a name begins
    "invoices with a name beginning Inv_": 'find documents where type = "Invoice" and name starts with "Inv_"',
    "docs whose title starts Draft": 'find documents where name starts with "Draft"',
    # a comma before `or` keeps both sides whole
    "invoices that are paid and locked, or bigger than 2 MB": (
        'find documents where type = "Invoice" and (payment_status = "paid" and locked = true or size > 2 MB)'
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
    "receipts not paid by check or cash": (
        'find documents where type = "Receipt" and payment_method not in ["check", "cash"]'
    ),
    # all values of a field but one
    "invoices by any vendor except Staples": 'find documents where type = "Invoice" and vendor != "Staples"',
    "invoices by every vendor but Staples": 'find documents where type = "Invoice" and vendor != "Staples"',
    # When somebody wrote a comment is said of that comment.
    "which letters has Ruth Abara commented on since January":
        'find documents where type = "Letter" and comments[author = "Ruth Abara" and created >= 2026-01]',
    "which documents has Tom Baker commented on": 'find documents where comments[author = "Tom Baker"]',
    "invoice comments by Tom Baker": 'find documents where type = "Invoice" and comments[author = "Tom Baker"]',
    # Who can see a thing is said by all that gives access; who may change it, by no single field.
    "who can see Q3 Report.pdf?": 'find document("Q3 Report.pdf") show name, owner, visibility, shares',
    "who has access to Q3 Report.pdf": 'find document("Q3 Report.pdf") show name, owner, visibility, shares',
    "who is 1099-DIV_2019_Hannah_Fischer.pdf shared with":
        'get document("1099-DIV_2019_Hannah_Fischer.pdf").shares.who',
    "who commented on Q3 Report.pdf": 'get document("Q3 Report.pdf").comments.author',
    "docs that neither Omar nor Tom Baker own": 'find documents where owner not in ["Omar", "Tom Baker"]',
    "does Lucy Tran have any payslips": 'find documents where type = "Payslip" and owner = "Lucy Tran"',
    "files Lucy Tran hasn't commented on": 'find documents where not comments[author = "Lucy Tran"]',
    "docs Omar doesn't own": 'find documents where owner != "Omar"',
    "docs of which Omar is not the owner": 'find documents where owner != "Omar"',
    "anything Hannah changed this week?": 'find entries where editor = "Hannah" and modified = this week',
    "how many docs did each user edit in 2025": 'count documents where modified = 2025 by editor',
    "how many docs did each person upload in February 2026": 'count documents where created = 2026-02 by creator',
    "the last 3 documents that Omar edited": 'find documents where editor = "Omar" sort modified desc limit 3',
    "the last three contracts that expired":
        'find documents where type = "Contract" and expired sort expires desc limit 3',
    "files without the tag misc": 'find documents where tags != "misc"',
    "two-page letters": 'find documents where pages = 2 and type = "Letter"',
    "receipts over a thousand or under 10 dollars":
        'find documents where type = "Receipt" '
        'and (amount > 1000 and currency = "USD" or amount < 10 and currency = "USD")',
    "Invoices folder of Quill & Ink": 'find folders where name = "Invoices" and folder = "Quill & Ink"',
    "list every 'Invoices' folder": 'find folders where name = "Invoices"',
    "total size of videos in GB": 'sum(size) of documents where extension = "videos"',
    "version 4 documents": 'find documents where version = 4',
    # The last word of a kind is told, and stands for it where no other kind is called so.
    "policies kept forever": 'find documents where type = "Insurance Policy" and retention = "permanent"',
    "federal returns": 'find documents where jurisdiction = "federal" and type = "Tax Return"',
    "anything scanned on a phone": 'find entries where channel = "scanner" and device = "phone"',
    # Names.
    "Photos/2019 files": 'find documents where folder = "Photos/2019"',
    "the 2024 folder": 'find folder("2024")',
    "the 2024 folder below Kowalski Bakery": 'find folders where name = "2024" and folder under "Kowalski Bakery"',
    "documents named Decks or Old": 'find documents where name in ["Decks", "Old"]',
    "folders called Decks, Old or 2024": 'find folders where name in ["Decks", "Old", "2024"]',
    "notes.txt files": 'find documents where name = "notes.txt"',
    'show me "a/b \\" c"': 'find documents where mentions "a/b \\" c"',
    "reports with draft in the name that are approved":
        'find documents where type = "Report" and name contains "draft" and review_status = "approved"',
    # Bounds.
    "invoices from $2,000 up": 'find documents where type = "Invoice" and amount >= 2000 and currency = "USD"',
    "contracts effective from 2025 on": 'find documents where type = "Contract" and effective >= 2025',
    "number of invoices per vendor above 5": 'count documents where type = "Invoice" by vendor having count > 5',
    "average invoice amount per vendor, top 5": 'avg(amount) of documents where type = "Invoice" by vendor limit 5',
    "1099-NECs for tax year 2022 or 2023": 'find documents where type = "1099-NEC" and tax_year in [2022, 2023]',
    "anything under legal hold that isn't approved":
        'find entries where legal_hold = true and review_status != "approved"',
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
