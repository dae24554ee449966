"""Questions about the document store as they are said in passing: what stands around them, and what is left to the end."""

from __future__ import annotations

# fmt: off
CASES: dict[str, str] = {
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
    "Ruth Abara's files edited by somebody else last month":
        'find documents where owner = "Ruth Abara" and editor != owner and modified = last month',
    "files that someone else edited last week": "find documents where editor != owner and modified = last week",
    # What is written to somebody is called so, and neither lies with them nor is theirs.
    "the most recent letter to Initech":
        'find documents where type = "Letter" and name contains "to Initech" sort created desc limit 1',
    "thank you letters to Northwind Traders": 'find documents where type = "Letter" and name contains "to Northwind Traders"',
    "invoices to Acme Corp": 'find documents where type = "Invoice" and vendor = "Acme Corp"',
    # The average of those that are spoken of.
    "photos bigger than the average": 'find documents where type = "Photo" and size > (avg(size) of documents where type = "Photo")',
    "invoices above average": 'find documents where type = "Invoice" and amount > (avg(amount) of documents where type = "Invoice")',
    "invoices more expensive than the average":
        'find documents where type = "Invoice" and amount > (avg(amount) of documents where type = "Invoice")',
    "which photo is the largest": 'find documents where type = "Photo" sort size desc limit 1',
    # The most and the fewest, money, and what is downloaded most.
    "Which three vendors got the most money from us in 2025?":
        "sum(amount) of documents where created = 2025 by vendor sort sum(amount) desc limit 3",
    "which vendor did we pay the most in 2025?":
        "sum(amount) of documents where created = 2025 by vendor sort sum(amount) desc limit 1",
    "In what year did we take on the most new contracts?":
        'count documents where type = "Contract" by year(created) sort count desc limit 1',
    "Which month of 2025 had the fewest receipts?":
        'count documents where type = "Receipt" and created = 2025 by month(created) sort count limit 1',
    "top 5 most downloaded design assets": 'find documents where type = "Design Asset" sort downloads desc limit 5',
    "how big are all the png files put together": 'sum(size) of documents where extension = "png"',
    "how much did Costco cost us in 2025": 'sum(amount) of documents where vendor = "Costco" and created = 2025',
    # What comments say, who wrote them and how many: by the documents that have them.
    "files where a comment by Grace Kim says missing a signature":
        'find documents where comments[author = "Grace Kim" and text mentions "missing a signature"]',
    "documents where a remark by Hannah Fischer says wrong amount":
        'find documents where comments[author = "Hannah Fischer" and text mentions "wrong amount"]',
    "how many comments has Marcus Webb written": 'count documents where comments[author = "Marcus Webb"]',
    "who has left the most comments on contracts":
        'count documents where type = "Contract" by comments.author sort count desc limit 1',
    # Folders that hold such things, values that another one has too.
    "In which folders do Zoë Kowalski's documents sit?":
        'find folders where id in (find documents where owner = "Zoë Kowalski").folder',
    "which folders are the NDAs kept in": 'find folders where id in (find documents where type = "NDA").folder',
    "which folder is NDAs in": 'find folders where id = folder("NDAs").folder',
    "files with the same name as some other file":
        "find documents where name in (count documents by name having count > 1).name",
    "invoices that have the same vendor as another one":
        'find documents where type = "Invoice" and vendor in (count documents where type = "Invoice" by vendor having count > 1).vendor',
    # Dates of what is described, verbs for one deed, and what does something by itself.
    "When does the lease for Yuki Tanaka run out?":
        'find documents where type = "Lease" and counterparty = "Yuki Tanaka" show name, expires',
    "Are any of Liam's contracts past their expiry date but set to auto-renew?":
        'find documents where type = "Contract" and owner = "Liam" and expires < today and auto_renews = true',
    "What share of our contracts renews automatically?": 'share(auto_renews = true) of documents where type = "Contract"',
}

UNANSWERED: list[str] = [
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
]
