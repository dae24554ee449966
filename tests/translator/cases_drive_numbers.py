"""Questions for numbers and orders of the document store, as different people type them."""

# fmt: off
CASES: dict[str, str] = {
    'How many subfolders does Projects have?':
        'count folders where folder = "Projects"',
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
    'how many files are there in the Credit Card folder?':
        'count documents where folder = "Credit Card"',
    'how many copies of Template_Letter.docx exist':
        'count documents where copied_from = "Template_Letter.docx"',
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
    'show files with the same document type as Budget_2024.xlsx, newest first':
        'find documents where type = document("Budget_2024.xlsx").type sort created desc',
    'how many photos do we have from 2022?':
        'count documents where type = "Photo" and created = 2022',
    'how many folders has Grace Kim created':
        'count folders where creator = "Grace Kim"',
    "what's the total number of unsigned contracts":
        'count documents where unsigned and type = "Contract"',
    'breakdown of invoices by payment status':
        'count documents where type = "Invoice" by payment_status',
    'sum of receipt amounts by vendor for 2025':
        'sum(amount) of documents where type = "Receipt" and created = 2025 by vendor',
    'documents per owner in Legal':
        'count documents where folder = "Legal" by owner',
    'the ten oldest documents':
        'find documents sort created limit 10',
    'latest 3 invoices from Globex':
        'find documents where type = "Invoice" and vendor = "Globex" sort created desc limit 3',
    'biggest file in Photos':
        'find documents where folder = "Photos" sort size desc limit 1',
    'contracts ordered by expiration date':
        'find documents where type = "Contract" sort expires',
    'second largest pdf':
        'find documents where extension = "pdf" sort size desc limit 1 offset 1',
    'PDFs smaller than 100 KB in Legal, oldest first':
        'find documents where extension = "pdf" and size < 100 kB and folder = "Legal" sort created',
    'count of NDAs expiring this year':
        'count documents where type = "NDA" and expires = this year',
    'how many receipts over 100 dollars were there in 2025?':
        'count documents where type = "Receipt" and amount > 100 and currency = "USD" and created = 2025',
    'number of subfolders under Business at any level':
        'count folders where folder under "Business"',
    'how many different tags are used on contracts':
        'distinct(tags) of documents where type = "Contract"',
    'invoice count by month for 2025':
        'count documents where type = "Invoice" and created = 2025 by month(created)',
    'average file size by extension':
        'avg(size) of documents by extension',
    'how many docs does each person own':
        'count documents by owner',
    'what are the five most downloaded documents':
        'find documents sort downloads desc limit 5',
    'newest document in Inbox':
        'find documents where folder = "Inbox" sort created desc limit 1',
    'top 10 invoices by amount':
        'find documents where type = "Invoice" sort amount desc limit 10',
    'NDAs alphabetically':
        'find documents where type = "NDA" sort name',
    'documents in the folder of the largest video':
        'find documents where folder = (find documents where extension = "video" sort size desc limit 1).folder',
    'total size of Archive':
        'sum(size) of documents where folder under "Archive"',
    'which vendor do we have the most invoices from':
        'count documents where type = "Invoice" by vendor sort count desc limit 1',
    'top 5 owners by number of documents':
        'count documents by owner sort count desc limit 5',
    'number of documents for every category':
        'count documents by category',
    'number of files in Brand Assets including subfolders':
        'count documents where folder under "Brand Assets"',
    'count of documents by language':
        'count documents by language',
    'how many invoices were created each month of 2025':
        'count documents where type = "Invoice" and created = 2025 by month(created)',
    'average number of pages of contracts':
        'avg(pages) of documents where type = "Contract"',
    'top 3 vendors by total amount':
        'sum(amount) of documents by vendor sort sum(amount) desc limit 3',
    'who owns the most contracts':
        'count documents where type = "Contract" by owner sort count desc limit 1',
    '5 longest videos':
        'find documents where extension = "videos" sort duration desc limit 5',
    'most recent NDA':
        'find documents where type = "NDA" sort created desc limit 1',
    'smallest pdf in Legal':
        'find documents where extension = "pdf" and folder = "Legal" sort size limit 1',
    'documents sorted by last modified, newest first, in Grants':
        'find documents where folder = "Grants" sort modified desc',
}
