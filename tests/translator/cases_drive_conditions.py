"""Questions for documents by their kind, their text and their fields, in the wordings of different people."""

# fmt: off
CASES: dict[str, str] = {
    'documents tagged both audit and urgent but not reviewed':
        'find documents where tags has all ["audit", "urgent"] and tags != "reviewed"',
    'invoices or receipts owned by Omar or Grace Kim':
        'find documents where type in ["Invoice", "Receipt"] and owner in ["Omar", "Grace Kim"]',
    "docs downloaded over 100 times": "find documents where downloads > 100",
    "files modified since Monday": "find documents where modified >= 2026-03-09",
    "things uploaded between January and March 2025": "find entries where created between 2025-01 and 2025-03",
    "documents from the first quarter of 2023": "find documents where created = 2023-Q1",
    "docs not opened in the past year": "find documents where last_viewed != last 1 year",
    'documents shared with Omar and Grace Kim':
        'find documents where shares[who = "Omar"] and shares[who = "Grace Kim"]',
    'signed contracts and unsigned NDAs':
        'find documents where signed = true and type = "Contract" or unsigned and type = "NDA"',
    'pdfs over 10 MB or videos over 100 MB':
        'find documents where (extension = "pdf" and size > 10 MB or extension = "videos") and size > 100 MB',
    "photos and videos from 2024": 'find documents where (type = "Photo" or extension = "videos") and created = 2024',
    "contracts or unsigned NDAs": 'find documents where type = "Contract" or unsigned and type = "NDA"',
    "receipts from March to May 2024": 'find documents where type = "Receipt" and created between 2024-03 and 2024-05',
    "files that came in by email last week": 'find documents where channel = "email" and created = last week',
    'documents shared with Omar but not with Grace Kim':
        'find documents where shares[who = "Omar"] and not shares[who = "Grace Kim"]',
    'docs with a comment by Omar mentioning "deadline"':
        'find documents where comments[author = "Omar"] and mentions "deadline"',
    "files whose risk attribute is high": 'find documents where attributes.risk = "high"',
    "locked documents that are not starred": "find documents where locked = true and starred = false",
    "documents with ocr confidence under 70 percent": "find documents where ocr_confidence < 70 %",
    "uploads from this month": "find documents where created = this month",
    "files last edited before 2020": "find documents where modified < 2020",
    "docs viewed yesterday": "find documents where last_viewed = yesterday",
    "documents created on 6 March 2026": "find documents where created = 2026-03-06",
    'contracts that are signed and confidential but not starred':
        'find documents where type = "Contract" and signed = true and classification = "confidential" and starred = false',
    "files of 10 MB or more": "find documents where size >= 10 MB",
    "docs downloaded between 50 and 60 times": "find documents where downloads between 50 and 60",
    "videos longer than 10 minutes": 'find documents where extension = "videos" and duration > 10 minutes',
    "documents uploaded the day before yesterday": "find documents where created = 2026-03-13",
    "files changed in the past 24 hours": "find documents where modified = last 24 hours",
    "leases that expire before 2027": 'find documents where type = "Lease" and expires >= today and expires < 2027',
    "leases that expired before 2027": 'find documents where type = "Lease" and expires < 2027',
    "leases ending before 2021": 'find documents where type = "Lease" and expires < 2021',  # all of these are past
    "contracts that expired in 2024": 'find documents where type = "Contract" and expires = 2024',
    "files commented on last week": "find documents where comments[created = last week]",
    "documents where the reviewer attribute is Dana Ortiz": 'find documents where attributes.reviewer = "Dana Ortiz"',
    "high priority documents": 'find documents where attributes.priority = "high"',
    'documents mentioning mileage reimbursement or roof repair':
        'find documents where mentions "mileage reimbursement" or mentions "roof repair"',
    'receipts paid by card at Starbucks':
        'find documents where type = "Receipt" and payment_method = "card" and vendor = "Starbucks"',
    "docs shorter than 3 pages": "find documents where pages < 3",
    "uploads since last Friday": "find documents where created >= 2026-03-13",
    "docs commented by Omar since January": 'find documents where comments[author = "Omar" and created >= 2026-01]',
    "reports with risk attribute high": 'find documents where type = "Report" and attributes.risk = "high"',
}

UNANSWERED: list[str] = [
    'files with exactly one tag in common with Cutover Runbook.docx',
    'files with 5 star rating',
    'documents tagged exactly like Cutover Runbook.docx',
    'W2s over 5000',

    'who can edit Q3 Report.pdf',
    'largest folder',
    'my invoices',
    'documents I can edit',
    'leases signed after Warehouse Lease 2024.pdf was created',
    'receipts of exactly $12.50',
    'payslips from spring 2024',
    'documents nobody has access to except the owner',
    'receipts with no vendor',
    'uncategorized documents in Scans',
    'show documents someone moved to Archive',
    'docs whose creator lives in Berlin',
    'find documents in ../../etc',
    'leases governed by New York law',

    'documents containing card data',
    'something like harvest grant applcation',
    'how much did we spend per category in 2025',
    'parent folder of Status Reports in Audit Prep',
    'gmail attachments in Correspondence of Acme Corp',
    'insurance policies that cover 2025',
    'how many documents per folder in Clients',
    "files in the folder that contains Dock Permit.pdf's original",
]
