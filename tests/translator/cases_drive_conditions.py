"""Questions for documents by what they are, say, and have, as different people type them."""

# fmt: off
CASES: dict[str, str] = {
    "everything copied from Template_Letter.docx": 'find entries where copied_from = "Template_Letter.docx"',
    'starred pdf files bigger than 5 megabytes':
        'find documents where starred = true and extension = "pdf" and size > 5 MB',
    "find me some insurance policies": 'find documents where type = "Insurance Policy"',
    'documents tagged both audit and urgent but not reviewed':
        'find documents where tags has all ["audit", "urgent"] and tags != "reviewed"',
    'invoices or receipts owned by Omar or Grace Kim':
        'find documents where type in ["Invoice", "Receipt"] and owner in ["Omar", "Grace Kim"]',
    "docs downloaded over 100 times": "find documents where downloads > 100",
    "invoices due next week": 'find documents where type = "Invoice" and due = next week',
    "files modified since Monday": "find documents where modified >= 2026-03-09",
    "things uploaded between January and March 2025": "find entries where created between 2025-01 and 2025-03",
    "documents from the first quarter of 2023": "find documents where created = 2023-Q1",
    "docs not opened in the past year": "find documents where last_viewed != last 1 year",
    'documents shared with Omar and Grace Kim':
        'find documents where shares[who = "Omar"] and shares[who = "Grace Kim"]',
    "files commented on by Ruth Abara": 'find documents where comments[author = "Ruth Abara"]',
    "documents with priority high": 'find documents where attributes.priority = "high"',
    "files belonging to Kowalski Bakery": 'find documents where owner = "Kowalski Bakery"',
    "files with budget in the name": 'find documents where name contains "budget"',
    "where can I find the catering menu": 'find entry("catering menu")',
    'signed contracts and unsigned NDAs':
        'find documents where signed = true and type = "Contract" or unsigned and type = "NDA"',
    'pdfs over 10 MB or videos over 100 MB':
        'find documents where (extension = "pdf" and size > 10 MB or extension = "videos") and size > 100 MB',
    "photos and videos from 2024": 'find documents where (type = "Photo" or extension = "videos") and created = 2024',
    "contracts or unsigned NDAs": 'find documents where type = "Contract" or unsigned and type = "NDA"',
    "receipts above 200 euros": 'find documents where type = "Receipt" and amount > 200 and currency = "EUR"',
    "contracts worth more than 50k": 'find documents where type = "Contract" and contract_value > 50000',
    "tax returns with refunds above 1000": 'find documents where type = "Tax Return" and refund > 1000',
    'invoices from 2024 but not from January':
        'find documents where type = "Invoice" and created = 2024 and created != 2024-01',
    "receipts from March to May 2024": 'find documents where type = "Receipt" and created between 2024-03 and 2024-05',
    "docs with between 5 and 8 pages": "find documents where pages between 5 and 8",
    "files that came in by email last week": 'find documents where channel = "email" and created = last week',
    'documents shared with Omar but not with Grace Kim':
        'find documents where shares[who = "Omar"] and not shares[who = "Grace Kim"]',
    'docs with a comment by Omar mentioning "deadline"':
        'find documents where comments[author = "Omar"] and mentions "deadline"',
    "files whose risk attribute is high": 'find documents where attributes.risk = "high"',
    'files mentioning "roof repair"': 'find documents where mentions "roof repair"',
    "docs about mileage reimbursement": 'find documents where mentions "mileage reimbursement"',
    "was anything copied from Cutover Runbook.docx?": 'find entries where copied_from = "Cutover Runbook.docx"',
    'confidential contracts owned by Brightwater LLC':
        'find documents where classification = "confidential" and type = "Contract" and owner = "Brightwater LLC"',
    "unstarred photos from 2023": 'find documents where starred = false and type = "Photo" and created = 2023',
    'contracts with auto renewal expiring in 2026':
        'find documents where type = "Contract" and auto_renews = true and expires = 2026',
    "what came from turbotax last year?": 'find entries where app = "intuit.turbotax.consumer" and created = last year',
    "certificates": 'find documents where type = "Certificate"',
    "excel files that mention budget": 'find documents where extension = "xlsx" and mentions "budget"',
    'documents tagged urgent or important but not follow-up':
        'find documents where tags has any ["urgent", "important"] and tags != "follow-up"',
    "locked documents that are not starred": "find documents where locked = true and starred = false",
    'invoices that are neither paid nor overdue':
        'find documents where type = "Invoice" and payment_status != "paid" and not overdue',
    "spreadsheets having more than 5 sheets": 'find documents where extension = "spreadsheets" and sheets > 5',
    'contracts worth between 10k and 20k':
        'find documents where type = "Contract" and contract_value between 10000 and 20000',
    "receipts under ten dollars": 'find documents where type = "Receipt" and amount < 10 and currency = "USD"',
    "documents with ocr confidence under 70 percent": "find documents where ocr_confidence < 70 %",
    "uploads from this month": "find documents where created = this month",
    "files last edited before 2020": "find documents where modified < 2020",
    "docs viewed yesterday": "find documents where last_viewed = yesterday",
    "contracts effective since 2024": 'find documents where type = "Contract" and effective >= 2024',
    "documents created on 6 March 2026": "find documents where created = 2026-03-06",
    'list the copies of Template_Letter.docx made in 2025':
        'find documents where copied_from = "Template_Letter.docx" and created = 2025',
    'medical bills from 2025 over 300 dollars, not yet paid':
        'find documents where type = "Medical Bill" and created = 2025 and amount > 300 and currency = "USD" and payment_status != "paid"',
    "purchase orders for Verizon": 'find documents where type = "Purchase Order" and vendor = "Verizon"',
    'internal reports created by Wei Zhang or Lucy Tran':
        'find documents where classification = "internal" and type = "Report" and creator in ["Wei Zhang", "Lucy Tran"]',
    "english documents with over 2000 words": 'find documents where language = "en" and words > 2000',
    "spanish files": 'find documents where language = "es"',
    "utility bills please": 'find documents where type = "Utility Bill"',
    "show every handbook": 'find documents where type = "Handbook"',
    "w2 forms for 2023": 'find documents where type = "W2" and tax_year = 2023',
    "where is 4a10e3b4-3b29-4241-86ff-6e812d4068f5": 'find entry("4a10e3b4-3b29-4241-86ff-6e812d4068f5")',
    'contracts that are signed and confidential but not starred':
        'find documents where type = "Contract" and signed = true and classification = "confidential" and starred = false',
    "reports with at most 2 pages": 'find documents where type = "Report" and pages <= 2',
    "files of 10 MB or more": "find documents where size >= 10 MB",
    "docs downloaded between 50 and 60 times": "find documents where downloads between 50 and 60",
    "videos longer than 10 minutes": 'find documents where extension = "videos" and duration > 10 minutes',
    "documents uploaded the day before yesterday": "find documents where created = 2026-03-13",
    "files changed in the past 24 hours": "find documents where modified = last 24 hours",
    "contracts that expired in 2024": 'find documents where type = "Contract" and expires = 2024',
    "reports from H1 2024": 'find documents where type = "Report" and created between 2024-01 and 2024-06',
    "docs uploaded on weekends": 'find documents where weekday(created) in ["Saturday", "Sunday"]',
    "invoices the Finance Team has access to": 'find documents where type = "Invoice" and shares[who = "Finance Team"]',
    "what can Grace Kim edit": 'find entries where shares[who = "Grace Kim" and role = "editor"]',
    "docs shared with a group": 'find documents where shares[who_type = "group"]',
    'contracts with comments from Priya Raman':
        'find documents where type = "Contract" and comments[author = "Priya Raman"]',
    "files commented on last week": "find documents where comments[created = last week]",
    "documents where the reviewer attribute is Dana Ortiz": 'find documents where attributes.reviewer = "Dana Ortiz"',
    "high priority documents": 'find documents where attributes.priority = "high"',
    "documents with risk medium or high": 'find documents where attributes.risk in ["medium", "high"]',
    "public documents": 'find documents where classification = "public"',
    "docs anyone with the link can see": 'find documents where visibility = "anyone_with_link"',
    'pdfs that say "carbon monoxide detector"':
        'find documents where extension = "pdf" and mentions "carbon monoxide detector"',
    "anything talking about sourdough starter": 'find entries where mentions "sourdough starter"',
    'documents mentioning mileage reimbursement or roof repair':
        'find documents where mentions "mileage reimbursement" or mentions "roof repair"',
    "documents with no description": "find documents where description missing",
    "contracts missing an expiration date": 'find documents where type = "Contract" and expires missing',
    "documents José Álvarez uploaded": 'find documents where creator = "José Álvarez"',
    "docs owned by bjorn lindqvist": 'find documents where owner = "bjorn lindqvist"',
    "files last modified by Grace Kim in February": 'find documents where editor = "Grace Kim" and modified = 2026-02',
    "amended tax returns": 'find documents where amended = true and type = "Tax Return"',
    "1099-NEC for 2024": 'find documents where type = "1099-NEC" and tax_year = 2024',
    "reports in review": 'find documents where type = "Report" and review_status = "in_review"',
    'receipts paid by card at Starbucks':
        'find documents where type = "Receipt" and payment_method = "card" and vendor = "Starbucks"',
    "contracts signed via docusign": 'find documents where type = "Contract" and signature_provider = "docusign"',
    "tax returns filed jointly": 'find documents where type = "Tax Return" and filing_status = "married_joint"',
    "files with invoice in the name": 'find documents where name contains "invoice"',
    "documents ending in .eml": 'find documents where name ends with ".eml"',
    "files called summary.pdf": 'find documents where name = "summary.pdf"',
    'show all docs copied from Template_Letter.docx by Hannah':
        'find documents where copied_from = "Template_Letter.docx" and creator = "Hannah"',
    'starred invoices from Acme Corp in 2025 over $1,000':
        'find documents where starred = true and type = "Invoice" and vendor = "Acme Corp" and created = 2025 and amount > 1000 and currency = "USD"',
    'quotes from IKEA created in 2023 or 2024':
        'find documents where type = "Quote" and vendor = "IKEA" and created in [2023, 2024]',
    "show me 1099-DIV documents": 'find documents where type = "1099-DIV"',
    'starred or confidential contracts':
        'find documents where (starred = true or classification = "confidential") and type = "Contract"',
    "files tagged urgent and starred": 'find documents where tags = "urgent" and starred = true',
    'pdfs bigger than 1 mb and smaller than 2 mb':
        'find documents where extension = "pdf" and size > 1 MB and size < 2 MB',
    "docs shorter than 3 pages": "find documents where pages < 3",
    'receipts between fifty and sixty dollars':
        'find documents where type = "Receipt" and amount between 50 and 60 and currency = "USD"',
    "uploads since last Friday": "find documents where created >= 2026-03-13",
    "reports updated this month": 'find documents where type = "Report" and modified = this month',
    "docs shared with Grace Kim as commenter": 'find documents where shares[who = "Grace Kim" and role = "commenter"]',
    "docs commented by Omar since January": 'find documents where comments[author = "Omar" and created >= 2026-01]',
    "reports with risk attribute high": 'find documents where type = "Report" and attributes.risk = "high"',
    "files Zoë Kowalski owns": 'find documents where owner = "Zoë Kowalski"',
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
    'next contract to expire',
    'where was Budget copy for Ruth.xlsx copied from',
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
