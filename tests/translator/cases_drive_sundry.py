"""Questions about the document store: people of one thing, bounds of dates and money, and what stands at the end."""

# fmt: off
CASES: dict[str, str] = {
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
    "docs nobody viewed since 2024": 'find documents where not last_viewed >= 2024',
    "documents older than five years that nobody viewed since 2024":
        'find documents where created < last 5 years and not last_viewed >= 2024',
    "does Lucy Tran have any payslips": 'find documents where type = "Payslip" and owner = "Lucy Tran"',
    "documents where Ruth Abara left a comment in 2025":
        'find documents where comments[author = "Ruth Abara" and created = 2025]',
    "files Lucy Tran hasn't commented on": 'find documents where not comments[author = "Lucy Tran"]',
    "docs Omar doesn't own": 'find documents where owner != "Omar"',
    "docs of which Omar is not the owner": 'find documents where owner != "Omar"',
    "Did Nikhil edit anything yesterday": 'find documents where editor = "Nikhil" and modified = yesterday',
    "anything Hannah changed this week?": 'find entries where editor = "Hannah" and modified = this week',
    "how many docs did each user edit in 2025": 'count documents where modified = 2025 by editor',
    "how many docs did each person upload in February 2026": 'count documents where created = 2026-02 by creator',
    "who uses the most storage": 'sum(size) of documents by owner sort sum(size) desc limit 1',
    "when was NDA - Summit Legal Group 2025.pdf last modified and by whom":
        'get document("NDA - Summit Legal Group 2025.pdf").modified, editor',
    "documents whose owner is not their creator": 'find documents where owner != creator',
    "documents edited by their owner": 'find documents where editor = owner',
    "the last 3 documents that Omar edited":
        'find documents where editor = "Omar" sort modified desc limit 3',
    "the last three contracts that expired":
        'find documents where type = "Contract" and expired sort expires desc limit 3',
    "files without the tag misc": 'find documents where tags != "misc"',
    "files with neither tags nor a description":
        'find documents where tags missing and description missing',
    "two-page letters": 'find documents where pages = 2 and type = "Letter"',
    "receipts over a thousand or under 10 dollars":
        'find documents where type = "Receipt" '
        'and (amount > 1000 and currency = "USD" or amount < 10 and currency = "USD")',
    "Invoices folder of Quill & Ink": 'find folders where name = "Invoices" and folder = "Quill & Ink"',
    "list every 'Invoices' folder": 'find folders where name = "Invoices"',
    "folders deeper than level 4": 'find folders where depth > 4',
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
    "number of invoices per vendor above 5":
        'count documents where type = "Invoice" by vendor having count > 5',
    "average invoice amount per vendor, top 5":
        'avg(amount) of documents where type = "Invoice" by vendor limit 5',
    "1099-NECs for tax year 2022 or 2023":
        'find documents where type = "1099-NEC" and tax_year in [2022, 2023]',
    "anything under legal hold that isn't approved":
        'find entries where legal_hold = true and review_status != "approved"',
}

UNANSWERED: list[str] = [
    # What elements of a list are like is not what those are like that have them.
    "open comments by Tom Baker", "late comments by Tom Baker",
    # Who shared something is not whom it is shared with; when something was put somewhere is not when it was made.
    "files shared by Omar Haddad", "tax returns filed in 2023",
    # Whose they are is not said, and no list has only some values.
    "Tom Baker and Grace Kim documents", "documents with tags travel and personal only",
    # `the one` asks for no first one.
    "invoices we got from initech, the one over 9k?",
]
