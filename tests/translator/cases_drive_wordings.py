"""Questions about the document store in other people's words, and the programs they mean."""

from __future__ import annotations

CASES: dict[str, str] = {
    # A verb of grouping makes groups, and what things share is grouped by.
    "separate invoices by payment status": 'count documents where type = "Invoice" by payment_status',
    "segment the leases owned by Brightwater LLC by year": (
        'count documents where type = "Lease" and owner = "Brightwater LLC" by year(created)'
    ),
    # Of one kind alone, though others have the field that is called after it.
    "total amount of contracts": 'sum(contract_value) of documents where type = "Contract"',
    # Of the groups, not of their amounts.
    "how many docs per folder, only those with more than 20": "count documents by folder having count > 20",
    # Which level below a folder is meant, not which level of all.
    "how many subfolders has Clients": 'count folders where folder = "Clients"',
    "documents outside Clients owned by Grace Kim": (
        'find documents where not folder under "Clients" and owner = "Grace Kim"'
    ),
    "folders that have at least one utility bill in them": (
        'find folders where id in (find documents where type = "Utility Bill").folder'
    ),
    # The verb of a date.
    "leases whose end date falls in 2024": 'find documents where type = "Lease" and expires = 2024',
    # What is left out, and what is there without saying what.
    "invoices from Acme Corp, leaving out the paid ones": (
        'find documents where type = "Invoice" and vendor = "Acme Corp" and payment_status != "paid"'
    ),
    "untagged files in Inbox": 'find documents where tags missing and folder = "Inbox"',
    "untagged documents in Legal": 'find documents where tags missing and folder = "Legal"',
    # Who did it.
    "all but the pdfs in Legal": 'find entries where extension != "pdf" and folder = "Legal"',
    "contracts governed by New York law": 'find documents where type = "Contract" and law = "New York"',
    # One of them, and numbers.
    "what is the oldest document on the whole drive": "find documents sort created limit 1",
    "document count by owner": "count documents by owner",
    # Who did it, with a date before `by`; the owner of the things themselves is not spoken of.
    # Verbs that the catalog has under another one of the same meaning.
    # What somebody wrote is said of what they wrote.
    # Looser words for the folder above, and for the top of all.
    "folders at the very top": "find folders where folder = root",
    # Nobody is called so: that is what is to be told.
    "files not opened or edited since 2022": "find documents where not (last_viewed >= 2022 or modified >= 2022)",
}

BARE: dict[str, str] = {
    # What has done so by itself has done it before today; a quoted value needs no field for its verb.
    "leases that have already expired": 'find documents where type = "Lease" and expires < today',
}
"""Questions that are understood with a catalog of bare names."""

UNANSWERED: list[str] = [
    "largest invoice",  # by its size or by its amount?
    "biggest bill",
    "the five largest invoices",
    "invoices bigger than 5000",
    "tax returns 2022",  # of that tax year, or created then?
    "single filers 2023",
    "show me what Hannah has put in Payroll",
    "Grace Kim documents",  # hers, or in the folder of that name?
    "list Legal",  # a folder and a category
    "copies",
    "docs with open comments by Grace Kim",
    # No claim that there is nothing of the kind.
    "documents touched yesterday",
    "photos taken with an iphone",
    "NDAs that arrived after Dock Permit.pdf",
]
