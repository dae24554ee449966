"""More questions about the document store, as different people type them, and the programs that answer them."""

# fmt: off
CASES: dict[str, str] = {
    'documents directly inside Prior Years':
        'find documents where folder = "Prior Years"',
    'everything located in Miscellaneous > New Folder':
        'find entries where folder = "Miscellaneous > New Folder"',
    "what's stored in my Recipes folder":
        'find entries where folder = "Recipes"',
    'subfolders of Legal':
        'find folders where folder = "Legal"',
    'How many subfolders does Projects have?':
        'count folders where folder = "Projects"',
    'which folders are inside Clients':
        'find folders where folder = "Clients"',
    'in what folder can I find Dock Permit.pdf':
        'find folders where id = document("Dock Permit.pdf").folder',
    'where does Mileage guide.docx live?':
        'find document("Mileage guide.docx")',
    'other files in the folder of Q3 Report.pdf':
        'find documents where folder = document("Q3 Report.pdf").folder and id != document("Q3 Report.pdf")',
    'pdfs alongside Dock Permit.pdf':
        'find documents where extension = "pdf" and folder = document("Dock Permit.pdf").folder and id != document("Dock Permit.pdf")',
    'what is the parent of Brand Assets':
        'find folders where id = folder("Brand Assets").folder',
    'other documents owned by the owner of Q3 Report.pdf from 2025':
        'find documents where owner = document("Q3 Report.pdf").owner and created = 2025 and id != document("Q3 Report.pdf")',
    'invoices uploaded by whoever uploaded Q3 Report.pdf':
        'find documents where type = "Invoice" and creator = document("Q3 Report.pdf").creator',
    'documents sharing any tag with Cutover Runbook.docx':
        'find documents where tags has any document("Cutover Runbook.docx").tags',
    'everything copied from Template_Letter.docx':
        'find entries where copied_from = "Template_Letter.docx"',
    'contracts older than Globex MSA 2025.pdf':
        'find documents where type = "Contract" and created < document("Globex MSA 2025.pdf").created',
    'signed NDAs in Legal owned by Grace Kim':
        'find documents where signed = true and type = "NDA" and folder = "Legal" and owner = "Grace Kim"',
    'receipts from Starbucks over 20 bucks in Meals':
        'find documents where type = "Receipt" and vendor = "Starbucks" and amount > 20 and folder = "Meals"',
    'starred pdf files bigger than 5 megabytes':
        'find documents where starred = true and extension = "pdf" and size > 5 MB',
    'dropbox files in Inbox':
        'find documents where app = "partner.dropbox.sync" and folder = "Inbox"',
    'documents imported from gmail under Clients':
        'find documents where app = "partner.gmail.import" and folder under "Clients"',
    'all contracts somewhere in the Clients hierarchy':
        'find documents where type = "Contract" and folder under "Clients"',
    'find me some insurance policies':
        'find documents where type = "Insurance Policy"',
    'PowerPoint files in Marketing':
        'find documents where extension = "pptx" and folder = "Marketing"',
    "docs that aren't in any folder":
        'find documents where folder = root',
    'documents tagged both audit and urgent but not reviewed':
        'find documents where tags has all ["audit", "urgent"] and tags != "reviewed"',
    'invoices or receipts owned by Omar or Grace Kim':
        'find documents where type in ["Invoice", "Receipt"] and owner in ["Omar", "Grace Kim"]',
    'either starred or locked files in Legal':
        'find documents where (starred = true or locked = true) and folder = "Legal"',
    'documents that are neither pdf nor docx in Donors':
        'find documents where extension != "pdf" and extension != "docx" and folder = "Donors"',
    'docs downloaded over 100 times':
        'find documents where downloads > 100',
    'invoices due next week':
        'find documents where type = "Invoice" and due = next week',
    'files modified since Monday':
        'find documents where modified >= 2026-03-09',
    'things uploaded between January and March 2025':
        'find entries where created between 2025-01 and 2025-03',
    'documents from the first quarter of 2023':
        'find documents where created = 2023-Q1',
    'docs not opened in the past year':
        'find documents where last_viewed != last 1 year',
    'how many invoices are overdue?':
        'count documents where type = "Invoice" and overdue',
    'number of pdfs larger than 10 MB':
        'count documents where extension = "pdf" and size > 10 MB',
    'how many documents did Omar upload in 2025':
        'count documents where creator = "Omar" and created = 2025',
    'count receipts by vendor':
        'count documents where type = "Receipt" by vendor',
    'documents by type in Legal':
        'count documents where folder = "Legal" by type',
    'average invoice amount per year':
        'avg(amount) of documents where type = "Invoice" by year(created)',
    'which owner has the most documents?':
        'count documents by owner sort count desc limit 1',
    'total amount of receipts per category in 2024':
        'sum(amount) of documents where type = "Receipt" and created = 2024 by category',
    'top 5 largest videos':
        'find documents where extension = "videos" sort size desc limit 5',
    'three most viewed reports':
        'find documents where type = "Report" sort views desc limit 3',
    'the oldest contract in Legal':
        'find documents where type = "Contract" and folder = "Legal" sort created limit 1',
    'documents shared with Omar as editor':
        'find documents where shares[who = "Omar" and role = "editor"]',
    'documents shared with Omar and Grace Kim':
        'find documents where shares[who = "Omar"] and shares[who = "Grace Kim"]',
    'files commented on by Ruth Abara':
        'find documents where comments[author = "Ruth Abara"]',
    'documents with priority high':
        'find documents where attributes.priority = "high"',
    'docs without any tags in Inbox':
        'find documents where tags missing and folder = "Inbox"',
    'files belonging to Kowalski Bakery':
        'find documents where owner = "Kowalski Bakery"',
    'who owns Q3 Report.pdf':
        'get document("Q3 Report.pdf").owner',
    'when does Globex MSA 2025.pdf expire':
        'get document("Globex MSA 2025.pdf").expires',
    'files with budget in the name':
        'find documents where name contains "budget"',
    'any files left in Empty Drawer?':
        'find documents where folder = "Empty Drawer"',
    'give me everything under Kowalski Bakery':
        'find entries where folder under "Kowalski Bakery"',
    'docs in 48 Oak Avenue/Utilities':
        'find documents where folder = "48 Oak Avenue/Utilities"',
    'what did we file in Warranties last year':
        'find entries where folder = "Warranties" and created = last year',
    'how many files are there in the Credit Card folder?':
        'count documents where folder = "Credit Card"',
    'which of the Clients subfolders are empty?':
        'find folders where folder = "Clients" and empty',
    'where can I find the catering menu':
        'find entry("catering menu")',
    'name the folder holding Welcome tour.mp4':
        'find folders where id = document("Welcome tour.mp4").folder',
    'what other files share a folder with Trademark renewal filing.pdf':
        'find documents where folder = document("Trademark renewal filing.pdf").folder and id != document("Trademark renewal filing.pdf")',
    'Parent directory of Worksheets please':
        'find folders where id = folder("Worksheets").folder',
    'documents with the same category as Harvest Grant Application.docx created in 2025':
        'find documents where category = document("Harvest Grant Application.docx").category and created = 2025',
    'everything owned by the person that owns Cash flow plan 2025.xlsx':
        'find entries where owner = document("Cash flow plan 2025.xlsx").owner',
    'pdfs by the creator of Company Handbook.pdf':
        'find documents where extension = "pdf" and creator = document("Company Handbook.pdf").creator',
    'what has the author of Q3 Report.pdf uploaded this year':
        'find entries where creator = document("Q3 Report.pdf").creator and created = this year',
    'how many copies of Template_Letter.docx exist':
        'count documents where copied_from = "Template_Letter.docx"',
    'find the source document of Budget copy for Ruth.xlsx':
        'find documents where id = document("Budget copy for Ruth.xlsx").copied_from',
    'invoices newer than Wedding Cake Deposit.pdf':
        'find documents where type = "Invoice" and created > document("Wedding Cake Deposit.pdf").created',
    'files uploaded before Dock Permit.pdf and owned by Omar':
        'find documents where created < document("Dock Permit.pdf").created and owner = "Omar"',
    'anything made between Globex MSA 2025.pdf and Q3 Report.pdf':
        'find entries where created > document("Globex MSA 2025.pdf").created and created < document("Q3 Report.pdf").created',
    'signed contracts and unsigned NDAs':
        'find documents where signed = true and type = "Contract" or unsigned and type = "NDA"',
    'pdfs over 10 MB or videos over 100 MB':
        'find documents where (extension = "pdf" and size > 10 MB or extension = "videos") and size > 100 MB',
    'photos and videos from 2024':
        'find documents where (type = "Photo" or extension = "videos") and created = 2024',
    'contracts or unsigned NDAs':
        'find documents where type = "Contract" or unsigned and type = "NDA"',
    'receipts above 200 euros':
        'find documents where type = "Receipt" and amount > 200 and currency = "EUR"',
    'contracts worth more than 50k':
        'find documents where type = "Contract" and contract_value > 50000',
    'tax returns with refunds above 1000':
        'find documents where type = "Tax Return" and refund > 1000',
    'invoices from 2024 but not from January':
        'find documents where type = "Invoice" and created = 2024 and created != 2024-01',
    'receipts from March to May 2024':
        'find documents where type = "Receipt" and created between 2024-03 and 2024-05',
    'documents with more than 100 but fewer than 200 views':
        'find documents where views > 100 and views < 200',
    'docs with between 5 and 8 pages':
        'find documents where pages between 5 and 8',
    'files that came in by email last week':
        'find documents where channel = "email" and created = last week',
    'documents shared with Omar but not with Grace Kim':
        'find documents where shares[who = "Omar"] and not shares[who = "Grace Kim"]',
    'docs with a comment by Omar mentioning "deadline"':
        'find documents where comments[author = "Omar"] and mentions "deadline"',
    'files whose risk attribute is high':
        'find documents where attributes.risk = "high"',
    'documents with a priority attribute':
        'find documents where attributes.priority exists',
    'folders without pdfs':
        'find folders where id not in (find documents where extension = "pdf").folder',
    'folders owned by Grace Kim that have no subfolders':
        'find folders where owner = "Grace Kim" and subfolder_count = 0',
    'folders with more than 50 documents':
        'find folders where document_count > 50',
    'documents in folders owned by Omar':
        'find documents where folder in (find folders where owner = "Omar")',
    'the owner of the folder that contains Dock Permit.pdf':
        'get document("Dock Permit.pdf").folder.owner',
    'documents of Grace Kim':
        'find documents where owner = "Grace Kim"',
    'invoices of Brightwater LLC':
        'find documents where type = "Invoice" and owner = "Brightwater LLC"',
    'sum of all unpaid invoices':
        'sum(amount) of documents where payment_status = "unpaid" and type = "Invoice"',
    'share of overdue invoices':
        'share(overdue) of documents where type = "Invoice"',
    'min, max and average invoice amount':
        'min(amount), max(amount), avg(amount) of documents where type = "Invoice"',
    'number of invoices per vendor having more than 25':
        'count documents where type = "Invoice" by vendor having count > 25',
    'how many documents per extension':
        'count documents by extension',
    'documents created per month in 2025':
        'count documents where created = 2025 by month(created)',
    'which month of 2024 had the most receipts':
        'count documents where type = "Receipt" and created = 2024 by month(created) sort count desc limit 1',
    'who uploaded the most documents in 2025':
        'count documents where created = 2025 by creator sort count desc limit 1',
    'total size of the videos':
        'sum(size) of documents where extension = "videos"',
    'the 3 newest contracts with Acme Corp':
        'find documents where type = "Contract" and counterparty = "Acme Corp" sort created desc limit 3',
    'longest video':
        'find documents where extension = "video" sort duration desc limit 1',
    'most expensive receipt of 2025':
        'find documents where type = "Receipt" and created = 2025 sort amount desc limit 1',
    'files mentioning "roof repair"':
        'find documents where mentions "roof repair"',
    'docs about mileage reimbursement':
        'find documents where mentions "mileage reimbursement"',
}

UNANSWERED: list[str] = [
    'files with exactly one tag in common with Cutover Runbook.docx',
    'files with 5 star rating',
    'documents tagged exactly like Cutover Runbook.docx',
    'W2s over 5000',
    'anything scanned on a phone',
    'who can edit Q3 Report.pdf',
    'largest folder',
    'my invoices',
    'documents I can edit',
    'most viewed documents',
    'next contract to expire',
]
