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
        'find documents where type = "Receipt" and vendor = "Starbucks" and amount > 20 and currency = "USD" and folder = "Meals"',
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
    "Could I see what's kept in the Brand Assets folder?":
        'find entries where folder = "Brand Assets"',
    'files of Lab Results':
        'find documents where folder = "Lab Results"',
    'pull all docs from Templates/Forms':
        'find documents where folder = "Templates/Forms"',
    'Docs in "Offce Supplies"':
        'find documents where folder = "Offce Supplies"',
    'show contents of Personal > Education':
        'find entries where folder = "Personal > Education"',
    'list what is in folder Worksheets':
        'find entries where folder = "Worksheets"',
    'Is there anything in Scans?':
        'find entries where folder = "Scans"',
    'which documents does the Insurance folder hold':
        'find documents where folder = "Insurance"',
    'folders in Kowalski Bakery':
        'find folders where folder = "Kowalski Bakery"',
    'what folders does Business contain?':
        'find folders where folder = "Business"',
    'show all nested folders under Mobile App':
        'find folders where folder under "Mobile App"',
    'immediate subfolders of Personal':
        'find folders where folder = "Personal"',
    "what's the location of Q3 Report.pdf":
        'find folders where id = document("Q3 Report.pdf").folder',
    'which directory has Cutover Runbook.docx':
        'find folders where id = document("Cutover Runbook.docx").folder',
    'Tell me the folder in which Onboarding Checklist.xlsx is stored.':
        'find folders where id = document("Onboarding Checklist.xlsx").folder',
    'files beside Dock Permit.pdf':
        'find documents where folder = document("Dock Permit.pdf").folder and id != document("Dock Permit.pdf")',
    'sibling documents of Company Handbook.pdf':
        'find documents where folder = document("Company Handbook.pdf").folder and id != document("Company Handbook.pdf")',
    'what folder contains Job Postings':
        'find folders where id = folder("Job Postings").folder',
    'whats the parent of the Volunteers folder':
        'find folders where id = folder("Volunteers").folder',
    "documents whose category is the same as Dock Permit.pdf's":
        'find documents where category = document("Dock Permit.pdf").category',
    'other leases with the category of Warehouse Lease 2024.pdf':
        'find documents where type = "Lease" and category = document("Warehouse Lease 2024.pdf").category and id != document("Warehouse Lease 2024.pdf")',
    'show files with the same document type as Budget_2024.xlsx, newest first':
        'find documents where type = document("Budget_2024.xlsx").type sort created desc',
    "all docs that belong to Welcome tour.mp4's owner":
        'find documents where owner = document("Welcome tour.mp4").owner',
    'images uploaded by the person who uploaded Welcome tour.mp4':
        'find documents where extension = "images" and creator = document("Welcome tour.mp4").creator',
    "docs created by Q3 Report.pdf's creator since 2025":
        'find documents where creator = document("Q3 Report.pdf").creator and created >= 2025',
    'which docs share a tag with Onboarding Checklist.xlsx':
        'find documents where tags has any document("Onboarding Checklist.xlsx").tags',
    'files that have all the tags of Dock Permit.pdf':
        'find documents where tags has all document("Dock Permit.pdf").tags',
    'everything with the same relationship as Hail damage claim.docx':
        'find entries where relationship = document("Hail damage claim.docx").relationship',
    'was anything copied from Cutover Runbook.docx?':
        'find entries where copied_from = "Cutover Runbook.docx"',
    'which document was Copy of Lease 2018.pdf copied from?':
        'find entries where id = document("Copy of Lease 2018.pdf").copied_from',
    'NDAs more recent than Globex MSA 2025.pdf':
        'find documents where type = "NDA" and created > document("Globex MSA 2025.pdf").created',
    'files in Grants created later than Harvest Grant Application.docx':
        'find documents where folder = "Grants" and created > document("Harvest Grant Application.docx").created',
    'confidential contracts owned by Brightwater LLC':
        'find documents where classification = "confidential" and type = "Contract" and owner = "Brightwater LLC"',
    'unstarred photos from 2023':
        'find documents where starred = false and type = "Photo" and created = 2023',
    'tax returns for 2023':
        'find documents where type = "Tax Return" and tax_year = 2023',
    'contracts with auto renewal expiring in 2026':
        'find documents where type = "Contract" and auto_renews = true and expires = 2026',
    'QuickBooks Online invoices in Acme Corp > Invoices':
        'find documents where app = "intuit.quickbooks.online" and type = "Invoice" and folder = "Acme Corp > Invoices"',
    'what came from turbotax last year?':
        'find entries where app = "intuit.turbotax.consumer" and created = last year',
    'meeting notes beneath Projects':
        'find documents where type = "Meeting Notes" and folder under "Projects"',
    'certificates':
        'find documents where type = "Certificate"',
    'excel files that mention budget':
        'find documents where extension = "xlsx" and mentions "budget"',
    'word docs in HR and all its subfolders':
        'find documents where extension = "docx" and folder under "HR"',
    'list everything at the root':
        'find entries where folder = root',
    'top-level folders owned by Liam Ortiz':
        'find folders where folder = root and owner = "Liam Ortiz"',
    'documents tagged urgent or important but not follow-up':
        'find documents where tags has any ["urgent", "important"] and tags != "follow-up"',
    'locked documents that are not starred':
        'find documents where locked = true and starred = false',
    'invoices that are neither paid nor overdue':
        'find documents where type = "Invoice" and payment_status != "paid" and not overdue',
    'documents owned by anyone except Omar Haddad in Legal':
        'find documents where owner != "Omar Haddad" and folder = "Legal"',
    'docs with 3 pages':
        'find documents where pages = 3',
    'files between 1 and 2 MB':
        'find documents where size between 1 MB and 2 MB',
    'spreadsheets having more than 5 sheets':
        'find documents where extension = "spreadsheets" and sheets > 5',
    'contracts worth between 10k and 20k':
        'find documents where type = "Contract" and contract_value between 10000 and 20000',
    'receipts under ten dollars':
        'find documents where type = "Receipt" and amount < 10 and currency = "USD"',
    'documents with ocr confidence under 70 percent':
        'find documents where ocr_confidence < 70 %',
    'uploads from this month':
        'find documents where created = this month',
    'files last edited before 2020':
        'find documents where modified < 2020',
    'invoices due in March 2026':
        'find documents where type = "Invoice" and due = 2026-03',
    'docs viewed yesterday':
        'find documents where last_viewed = yesterday',
    'contracts effective since 2024':
        'find documents where type = "Contract" and effective >= 2024',
    'documents created on 6 March 2026':
        'find documents where created = 2026-03-06',
    'invoices from the last 3 months':
        'find documents where type = "Invoice" and created = last 3 months',
    'documents two years old or older':
        'find documents where created < last 2 years',
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
    "hi, what's in the Campaigns folder?":
        'find entries where folder = "Campaigns"',
    'everything thats inside Offce Supplies':
        'find entries where folder = "Offce Supplies"',
    'docs in folder "Status Reports" of Audit Prep':
        'find documents where folder = (find folders where name = "Status Reports" and folder = "Audit Prep")',
    'contents of Tax Documents > Prior Years > 2020':
        'find entries where folder = "Tax Documents > Prior Years > 2020"',
    'list documents found in Walgreens':
        'find documents where folder = "Walgreens"',
    'which folders sit under HR?':
        'find folders where folder under "HR"',
    'does Marketing have subfolders':
        'find folders where folder = "Marketing"',
    'show the child folders of Website Redesign':
        'find folders where folder = "Website Redesign"',
    'In which folder is Wedding Cake Deposit.pdf?':
        'find folders where id = document("Wedding Cake Deposit.pdf").folder',
    'logo_final_v2.png is in what folder':
        'find folders where id = document("logo_final_v2.png").folder',
    'whats next to Q3 Report.pdf':
        'find entries where folder = document("Q3 Report.pdf").folder and id != document("Q3 Report.pdf")',
    'which receipts lie in the same folder as Team lunch.jpg':
        'find documents where type = "Receipt" and folder = document("Team lunch.jpg").folder',
    'documents in the same folder as Company Handbook.pdf, except itself':
        'find documents where folder = document("Company Handbook.pdf").folder and id != document("Company Handbook.pdf")',
    'name of the parent folder of Archive/Receipts':
        'get folder("Archive/Receipts").folder.name',
    'what folder is Prior Years in?':
        'find folders where id = folder("Prior Years").folder',
    'same category as Harvest Grant Application.docx':
        'find documents where category = document("Harvest Grant Application.docx").category',
    'find docs of the category that Onboarding Checklist.xlsx has':
        'find documents where category = document("Onboarding Checklist.xlsx").category',
    'folders belonging to the owner of Brand Assets':
        'find folders where owner = folder("Brand Assets").owner',
    'what else does the owner of Dock Permit.pdf own?':
        'find entries where owner = document("Dock Permit.pdf").owner and id != document("Dock Permit.pdf")',
    'documents with the same creator as Partnership Agreement 2019.pdf':
        'find documents where creator = document("Partnership Agreement 2019.pdf").creator',
    'spreadsheets from the author of Cash flow plan 2025.xlsx':
        'find documents where extension = "spreadsheets" and creator = document("Cash flow plan 2025.xlsx").creator',
    'docs tagged the same as Dock Permit.pdf':
        'find documents where tags has any document("Dock Permit.pdf").tags',
    'list the copies of Template_Letter.docx made in 2025':
        'find documents where copied_from = "Template_Letter.docx" and created = 2025',
    'original of Copy of Lease 2018.pdf':
        'find documents where id = document("Copy of Lease 2018.pdf").copied_from',
    'docs uploaded earlier than Dock Permit.pdf in Legal':
        'find documents where created < document("Dock Permit.pdf").created and folder = "Legal"',
    'what was created between Globex MSA 2025.pdf and Invoice_Feb_2025.pdf':
        'find entries where created > document("Globex MSA 2025.pdf").created and created < document("Invoice_Feb_2025.pdf").created',
    'unsigned contracts with Upland Brewing':
        'find documents where unsigned and type = "Contract" and counterparty = "Upland Brewing"',
    'medical bills from 2025 over 300 dollars, not yet paid':
        'find documents where type = "Medical Bill" and created = 2025 and amount > 300 and currency = "USD" and payment_status != "paid"',
    'purchase orders for Verizon':
        'find documents where type = "Purchase Order" and vendor = "Verizon"',
    'internal reports created by Wei Zhang or Lucy Tran':
        'find documents where classification = "internal" and type = "Report" and creator in ["Wei Zhang", "Lucy Tran"]',
    'PDFs smaller than 100 KB in Legal, oldest first':
        'find documents where extension = "pdf" and size < 100 kB and folder = "Legal" sort created',
    'english documents with over 2000 words':
        'find documents where language = "en" and words > 2000',
    'spanish files':
        'find documents where language = "es"',
    'mobile uploads in Receipts under Business':
        'find documents where channel = "mobile" and folder = (find folders where name = "Receipts" and folder under "Business")',
    'invoices throughout the Clients tree that are unpaid':
        'find documents where type = "Invoice" and folder under "Clients" and payment_status = "unpaid"',
    'images in Photos and everything below it':
        'find documents where extension = "images" and folder under "Photos"',
    'utility bills please':
        'find documents where type = "Utility Bill"',
    'show every handbook':
        'find documents where type = "Handbook"',
    'w2 forms for 2023':
        'find documents where type = "W2" and tax_year = 2023',
    'get document 4a10e3b4-3b29-4241-86ff-6e812d4068f5':
        'find document("4a10e3b4-3b29-4241-86ff-6e812d4068f5")',
    'where is 4a10e3b4-3b29-4241-86ff-6e812d4068f5':
        'find entry("4a10e3b4-3b29-4241-86ff-6e812d4068f5")',
    'files in the top level folder':
        'find documents where folder = root',
    'pdf or docx in Legal':
        'find documents where extension in ["pdf", "docx"] and folder = "Legal"',
    'docs tagged audit, owned by Liam and not in Archive':
        'find documents where tags = "audit" and owner = "Liam" and folder != "Archive"',
    'contracts that are signed and confidential but not starred':
        'find documents where type = "Contract" and signed = true and classification = "confidential" and starred = false',
    'documents that belong to neither Omar Haddad nor Grace Kim in Legal':
        'find documents where owner not in ["Omar Haddad", "Grace Kim"] and folder = "Legal"',
    'reports with at most 2 pages':
        'find documents where type = "Report" and pages <= 2',
    'files of 10 MB or more':
        'find documents where size >= 10 MB',
    'docs downloaded between 50 and 60 times':
        'find documents where downloads between 50 and 60',
    'photos at least 3000 pixels wide':
        'find documents where type = "Photo" and width >= 3000',
    'videos longer than 10 minutes':
        'find documents where extension = "videos" and duration > 10 minutes',
    'documents uploaded the day before yesterday':
        'find documents where created = 2026-03-13',
    'files changed in the past 24 hours':
        'find documents where modified = last 24 hours',
    'contracts that expired in 2024':
        'find documents where type = "Contract" and expires = 2024',
    'invoices due by the end of March 2026':
        'find documents where type = "Invoice" and due <= 2026-03',
    'reports from H1 2024':
        'find documents where type = "Report" and created between 2024-01 and 2024-06',
    'docs uploaded on weekends':
        'find documents where weekday(created) in ["Saturday", "Sunday"]',
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
    'folders created by the owner of Q3 Report.pdf':
        'find folders where creator = document("Q3 Report.pdf").owner',
    'files in folders tagged needs-signature':
        'find documents where folder in (find folders where tags = "needs-signature")',
    'invoices the Finance Team has access to':
        'find documents where type = "Invoice" and shares[who = "Finance Team"]',
    'folders shared with Omar as a viewer':
        'find folders where shares[who = "Omar" and role = "viewer"]',
    'what can Grace Kim edit':
        'find entries where shares[who = "Grace Kim" and role = "editor"]',
    'docs shared with a group':
        'find documents where shares[who_type = "group"]',
    'contracts with comments from Priya Raman':
        'find documents where type = "Contract" and comments[author = "Priya Raman"]',
    'files commented on last week':
        'find documents where comments[created = last week]',
    'docs with no comments in Grants':
        'find documents where comments missing and folder = "Grants"',
    'documents where the reviewer attribute is Dana Ortiz':
        'find documents where attributes.reviewer = "Dana Ortiz"',
    'high priority documents':
        'find documents where attributes.priority = "high"',
    'documents with risk medium or high':
        'find documents where attributes.risk in ["medium", "high"]',
    'documents that are not shared':
        'find documents where not shared',
    'public documents':
        'find documents where classification = "public"',
    'docs anyone with the link can see':
        'find documents where visibility = "anyone_with_link"',
    'private folders of Liam Ortiz':
        'find folders where visibility = "private" and owner = "Liam Ortiz"',
    'pdfs that say "carbon monoxide detector"':
        'find documents where extension = "pdf" and mentions "carbon monoxide detector"',
    'anything talking about sourdough starter':
        'find entries where mentions "sourdough starter"',
    'documents mentioning mileage reimbursement or roof repair':
        'find documents where mentions "mileage reimbursement" or mentions "roof repair"',
    'documents with no description':
        'find documents where description missing',
    'folders that have tags':
        'find folders where tags exists',
    'contracts missing an expiration date':
        'find documents where type = "Contract" and expires missing',
    'files in New Folder':
        'find documents where folder = "New Folder"',
    'docs created by the Email Import Bot this year':
        'find documents where creator = "Email Import Bot" and created = this year',
    'documents José Álvarez uploaded':
        'find documents where creator = "José Álvarez"',
    "folders that belong to D'Andre Washington":
        'find folders where owner = "D\'Andre Washington"',
    'docs owned by bjorn lindqvist':
        'find documents where owner = "bjorn lindqvist"',
    'files last modified by Grace Kim in February':
        'find documents where editor = "Grace Kim" and modified = 2026-02',
    'documents uploaded by someone other than the owner in Meals':
        'find documents where creator != owner and folder = "Meals"',
    "contracts Omar owns but didn't create":
        'find documents where type = "Contract" and owner = "Omar" and creator != "Omar"',
    'invoices Hannah uploaded in 2025':
        'find documents where type = "Invoice" and creator = "Hannah" and created = 2025',
    'documents in Müller GmbH > Invoices':
        'find documents where folder = "Müller GmbH > Invoices"',
    'files in Photos (*)':
        'find documents where folder = "Photos (*)"',
    'what is in Quill & Ink':
        'find entries where folder = "Quill & Ink"',
    'open "R&D budget + forecast (v1.2).xlsx"':
        'find document("R&D budget + forecast (v1.2).xlsx")',
    'docs in Émigré Archive':
        'find documents where folder = "Émigré Archive"',
    'docs in the folder Last Week':
        'find documents where folder = "Last Week"',
    'overdue Northwind Traders invoices':
        'find documents where overdue and vendor = "Northwind Traders" and type = "Invoice"',
    'amended tax returns':
        'find documents where amended = true and type = "Tax Return"',
    '1099-NEC for 2024':
        'find documents where type = "1099-NEC" and tax_year = 2024',
    'reports in review':
        'find documents where type = "Report" and review_status = "in_review"',
    'documents on legal hold':
        'find documents where legal_hold = true',
    'receipts paid by card at Starbucks':
        'find documents where type = "Receipt" and payment_method = "card" and vendor = "Starbucks"',
    'contracts signed via docusign':
        'find documents where type = "Contract" and signature_provider = "docusign"',
    'tax returns filed jointly':
        'find documents where type = "Tax Return" and filing_status = "married_joint"',
    'files with invoice in the name':
        'find documents where name contains "invoice"',
    'folders whose name starts with Q':
        'find folders where name starts with "Q"',
    'documents ending in .eml':
        'find documents where name ends with ".eml"',
    'files called summary.pdf':
        'find documents where name = "summary.pdf"',
    'owner of the Dana Ortiz folder':
        'get folder("Dana Ortiz").owner',
    'how many pages has Company Handbook.pdf':
        'get document("Company Handbook.pdf").pages',
    'what type is Dock Permit.pdf':
        'get document("Dock Permit.pdf").type',
    'who last edited Q3 Report.pdf':
        'get document("Q3 Report.pdf").editor',
    'is Globex MSA 2025.pdf signed':
        'get document("Globex MSA 2025.pdf").signed',
    'what tags does Cutover Runbook.docx have':
        'get document("Cutover Runbook.docx").tags',
    'total size of Archive':
        'sum(size) of documents where folder under "Archive"',
    'which vendor do we have the most invoices from':
        'count documents where type = "Invoice" by vendor sort count desc limit 1',
    'top 5 owners by number of documents':
        'count documents by owner sort count desc limit 5',
    'number of documents for every category':
        'count documents by category',
    'what do we keep in Warranties':
        'find entries where folder = "Warranties"',
    'pls list the pdfs in Job Postings':
        'find documents where extension = "pdf" and folder = "Job Postings"',
    'stuff in Personal/Education':
        'find entries where folder = "Personal/Education"',
    'number of files in Brand Assets including subfolders':
        'count documents where folder under "Brand Assets"',
    'folders within Open Door Nonprofit':
        'find folders where folder = "Open Door Nonprofit"',
    'which folder holds Mileage guide.docx':
        'find folders where id = document("Mileage guide.docx").folder',
    "where's Welcome tour.mp4 stored":
        'find document("Welcome tour.mp4")',
    'docs located in the same directory as Q3 Report.pdf':
        'find documents where folder = document("Q3 Report.pdf").folder',
    'contracts in the folder of Globex MSA 2025.pdf':
        'find documents where type = "Contract" and folder = document("Globex MSA 2025.pdf").folder',
    'docs with the category of Dock Permit.pdf from 2024':
        'find documents where category = document("Dock Permit.pdf").category and created = 2024',
    'which pdfs have the same owner as Welcome tour.mp4?':
        'find documents where extension = "pdf" and owner = document("Welcome tour.mp4").owner',
    'documents created by whoever created Harvest Grant Application.docx':
        'find documents where creator = document("Harvest Grant Application.docx").creator',
    'show all docs copied from Template_Letter.docx by Hannah':
        'find documents where copied_from = "Template_Letter.docx" and creator = "Hannah"',
    'documents created after Dock Permit.pdf and before Q3 Report.pdf':
        'find documents where created > document("Dock Permit.pdf").created and created < document("Q3 Report.pdf").created',
    'starred invoices from Acme Corp in 2025 over $1,000':
        'find documents where starred = true and type = "Invoice" and vendor = "Acme Corp" and created = 2025 and amount > 1000 and currency = "USD"',
    'quotes from IKEA created in 2023 or 2024':
        'find documents where type = "Quote" and vendor = "IKEA" and created in [2023, 2024]',
    'tax forms below Tax Documents':
        'find documents where type = "tax forms" and folder under "Tax Documents"',
    'show me 1099-DIV documents':
        'find documents where type = "1099-DIV"',
    'drafts in Legal':
        'find documents where review_status = "draft" and folder = "Legal"',
    'what is at the top level':
        'find entries where folder = root',
    'starred or confidential contracts':
        'find documents where (starred = true or classification = "confidential") and type = "Contract"',
    'documents that are not pdfs in Legal':
        'find documents where extension != "pdf" and folder = "Legal"',
    'files tagged urgent and starred':
        'find documents where tags = "urgent" and starred = true',
    'pdfs bigger than 1 mb and smaller than 2 mb':
        'find documents where extension = "pdf" and size > 1 MB and size < 2 MB',
    'docs shorter than 3 pages':
        'find documents where pages < 3',
    'receipts between fifty and sixty dollars':
        'find documents where type = "Receipt" and amount between 50 and 60 and currency = "USD"',
    'presentations with more than 20 slides':
        'find documents where extension = "presentations" and slides > 20',
    'invoices with more than 10 line items':
        'find documents where type = "Invoice" and line_items > 10',
    'uploads since last Friday':
        'find documents where created >= 2026-03-13',
    'docs created in December':
        'find documents where created = 2025-12',
    'invoices that were due last week':
        'find documents where type = "Invoice" and due = last week',
    'reports updated this month':
        'find documents where type = "Report" and modified = this month',
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
    'folders owned by the creator of Onboarding Checklist.xlsx':
        'find folders where owner = document("Onboarding Checklist.xlsx").creator',
    'docs shared with Grace Kim as commenter':
        'find documents where shares[who = "Grace Kim" and role = "commenter"]',
    'docs commented by Omar since January':
        'find documents where comments[author = "Omar" and created >= 2026-01]',
    'reports with risk attribute high':
        'find documents where type = "Report" and attributes.risk = "high"',
    'folders without tags':
        'find folders where tags missing',
    'documents uploaded by the Receipt Scanner Bot':
        'find documents where creator = "Receipt Scanner Bot"',
    'files Zoë Kowalski owns':
        'find documents where owner = "Zoë Kowalski"',
    'contract value of Globex MSA 2025.pdf':
        'get document("Globex MSA 2025.pdf").contract_value',
    'when was Dock Permit.pdf last modified':
        'get document("Dock Permit.pdf").modified',
    'folders with archive in their name':
        'find folders where name contains "archive"',
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
    'who owns Brand Assets and what other folders do they own',
    'where was Budget copy for Ruth.xlsx copied from',
    'leases signed after Warehouse Lease 2024.pdf was created',
    'receipts of exactly $12.50',
    'documents older than five years that nobody viewed since 2024',
    'payslips from spring 2024',
    'documents nobody has access to except the owner',
    'receipts with no vendor',
    'uncategorized documents in Scans',
    "what's the weather today",
    'show documents someone moved to Archive',
    'docs whose creator lives in Berlin',
    'find documents in ../../etc',
    'leases governed by New York law',
    'policies kept forever',
    'documents containing card data',
    'something like harvest grant applcation',
    'how much did we spend per category in 2025',
    'parent folder of Status Reports in Audit Prep',
    'gmail attachments in Correspondence of Acme Corp',
    'insurance policies that cover 2025',
    'how many documents per folder in Clients',
    "files in the folder that contains Dock Permit.pdf's original",
]
