"""Questions for folders, what lies in them, and other documents, as different people type them."""

# fmt: off
CASES: dict[str, str] = {
    # A path may end with its mark.
    "files in Tax Documents/": 'find documents where folder = "Tax Documents"',
    "documents directly inside Prior Years": 'find documents where folder = "Prior Years"',
    "everything located in Miscellaneous > New Folder": 'find entries where folder = "Miscellaneous > New Folder"',
    "what's stored in my Recipes folder": 'find entries where folder = "Recipes"',
    "which folders are inside Clients": 'find folders where folder = "Clients"',
    "in what folder can I find Dock Permit.pdf": 'find folders where id = document("Dock Permit.pdf").folder',
    "where does Mileage guide.docx live?": 'find document("Mileage guide.docx")',
    'pdfs alongside Dock Permit.pdf':
        'find documents where extension = "pdf" and folder = document("Dock Permit.pdf").folder and id != document("Dock Permit.pdf")',
    'other documents owned by the owner of Q3 Report.pdf from 2025':
        'find documents where owner = document("Q3 Report.pdf").owner and created = 2025 and id != document("Q3 Report.pdf")',
    'documents sharing any tag with Cutover Runbook.docx':
        'find documents where tags has any document("Cutover Runbook.docx").tags',
    'contracts older than Globex MSA 2025.pdf':
        'find documents where type = "Contract" and created < document("Globex MSA 2025.pdf").created',
    'receipts from Starbucks over 20 bucks in Meals':
        'find documents where type = "Receipt" and vendor = "Starbucks" and amount > 20 and currency = "USD" and folder = "Meals"',
    "dropbox files in Inbox": 'find documents where app = "partner.dropbox.sync" and folder = "Inbox"',
    'documents imported from gmail under Clients':
        'find documents where app = "partner.gmail.import" and folder under "Clients"',
    'all contracts somewhere in the Clients hierarchy':
        'find documents where type = "Contract" and folder under "Clients"',
    "docs that aren't in any folder": "find documents where folder = root",
    'either starred or locked files in Legal':
        'find documents where (starred = true or locked = true) and folder = "Legal"',
    'documents that are neither pdf nor docx in Donors':
        'find documents where extension != "pdf" and extension != "docx" and folder = "Donors"',
    "docs without any tags in Inbox": 'find documents where tags missing and folder = "Inbox"',
    "when does Globex MSA 2025.pdf expire": 'get document("Globex MSA 2025.pdf").expires',
    "any files left in Empty Drawer?": 'find documents where folder = "Empty Drawer"',
    "give me everything under Kowalski Bakery": 'find entries where folder under "Kowalski Bakery"',
    "docs in 48 Oak Avenue/Utilities": 'find documents where folder = "48 Oak Avenue/Utilities"',
    "what did we file in Warranties last year": 'find entries where folder = "Warranties" and created = last year',
    "which of the Clients subfolders are empty?": 'find folders where folder = "Clients" and empty',
    "name the folder holding Welcome tour.mp4": 'find folders where id = document("Welcome tour.mp4").folder',
    'what other files share a folder with Trademark renewal filing.pdf':
        'find documents where folder = document("Trademark renewal filing.pdf").folder and id != document("Trademark renewal filing.pdf")',
    "Parent directory of Worksheets please": 'find folders where id = folder("Worksheets").folder',
    'documents with the same category as Harvest Grant Application.docx created in 2025':
        'find documents where category = document("Harvest Grant Application.docx").category and created = 2025',
    'everything owned by the person that owns Cash flow plan 2025.xlsx':
        'find entries where owner = document("Cash flow plan 2025.xlsx").owner',
    'pdfs by the creator of Company Handbook.pdf':
        'find documents where extension = "pdf" and creator = document("Company Handbook.pdf").creator',
    'what has the author of Q3 Report.pdf uploaded this year':
        'find entries where creator = document("Q3 Report.pdf").creator and created = this year',
    'find the source document of Budget copy for Ruth.xlsx':
        'find documents where id = document("Budget copy for Ruth.xlsx").copied_from',
    'invoices newer than Wedding Cake Deposit.pdf':
        'find documents where type = "Invoice" and created > document("Wedding Cake Deposit.pdf").created',
    'files uploaded before Dock Permit.pdf and owned by Omar':
        'find documents where created < document("Dock Permit.pdf").created and owner = "Omar"',
    'anything made between Globex MSA 2025.pdf and Q3 Report.pdf':
        'find entries where created > document("Globex MSA 2025.pdf").created and created < document("Q3 Report.pdf").created',
    "documents with a priority attribute": "find documents where attributes.priority exists",
    "folders without pdfs": 'find folders where id not in (find documents where extension = "pdf").folder',
    'folders owned by Grace Kim that have no subfolders':
        'find folders where owner = "Grace Kim" and subfolder_count = 0',
    "folders with more than 50 documents": "find folders where document_count > 50",
    "Could I see what's kept in the Brand Assets folder?": 'find entries where folder = "Brand Assets"',
    "pull all docs from Templates/Forms": 'find documents where folder = "Templates/Forms"',
    'Docs in "Offce Supplies"': 'find documents where folder = "Offce Supplies"',
    "show contents of Personal > Education": 'find entries where folder = "Personal > Education"',
    "list what is in folder Worksheets": 'find entries where folder = "Worksheets"',
    "Is there anything in Scans?": 'find entries where folder = "Scans"',
    "which documents does the Insurance folder hold": 'find documents where folder = "Insurance"',
    "what folders does Business contain?": 'find folders where folder = "Business"',
    "show all nested folders under Mobile App": 'find folders where folder under "Mobile App"',
    "immediate subfolders of Personal": 'find folders where folder = "Personal"',
    "what's the location of Q3 Report.pdf": 'find folders where id = document("Q3 Report.pdf").folder',
    "which directory has Cutover Runbook.docx": 'find folders where id = document("Cutover Runbook.docx").folder',
    'Tell me the folder in which Onboarding Checklist.xlsx is stored.':
        'find folders where id = document("Onboarding Checklist.xlsx").folder',
    'files beside Dock Permit.pdf':
        'find documents where folder = document("Dock Permit.pdf").folder and id != document("Dock Permit.pdf")',
    'sibling documents of Company Handbook.pdf':
        'find documents where folder = document("Company Handbook.pdf").folder and id != document("Company Handbook.pdf")',
    "what folder contains Job Postings": 'find folders where id = folder("Job Postings").folder',
    "whats the parent of the Volunteers folder": 'find folders where id = folder("Volunteers").folder',
    "documents whose category is the same as Dock Permit.pdf's":
        'find documents where category = document("Dock Permit.pdf").category',
    'other leases with the category of Warehouse Lease 2024.pdf':
        'find documents where type = "Lease" and category = document("Warehouse Lease 2024.pdf").category and id != document("Warehouse Lease 2024.pdf")',
    "all docs that belong to Welcome tour.mp4's owner":
        'find documents where owner = document("Welcome tour.mp4").owner',
    'images uploaded by the person who uploaded Welcome tour.mp4':
        'find documents where extension = "images" and creator = document("Welcome tour.mp4").creator',
    "docs created by Q3 Report.pdf's creator since 2025":
        'find documents where creator = document("Q3 Report.pdf").creator and created >= 2025',
    'which docs share a tag with Onboarding Checklist.xlsx':
        'find documents where tags has any document("Onboarding Checklist.xlsx").tags',
    'everything with the same relationship as Hail damage claim.docx':
        'find entries where relationship = document("Hail damage claim.docx").relationship',
    'which document was Copy of Lease 2018.pdf copied from?':
        'find entries where id = document("Copy of Lease 2018.pdf").copied_from',
    'NDAs more recent than Globex MSA 2025.pdf':
        'find documents where type = "NDA" and created > document("Globex MSA 2025.pdf").created',
    'files in Grants created later than Harvest Grant Application.docx':
        'find documents where folder = "Grants" and created > document("Harvest Grant Application.docx").created',
    'QuickBooks Online invoices in Acme Corp > Invoices':
        'find documents where app = "intuit.quickbooks.online" and type = "Invoice" and folder = "Acme Corp > Invoices"',
    "meeting notes beneath Projects": 'find documents where type = "Meeting Notes" and folder under "Projects"',
    "word docs in HR and all its subfolders": 'find documents where extension = "docx" and folder under "HR"',
    "list everything at the root": "find entries where folder = root",
    "top-level folders owned by Liam Ortiz": 'find folders where folder = root and owner = "Liam Ortiz"',
    'documents owned by anyone except Omar Haddad in Legal':
        'find documents where owner != "Omar Haddad" and folder = "Legal"',
    "everything thats inside Offce Supplies": 'find entries where folder = "Offce Supplies"',
    'docs in folder "Status Reports" of Audit Prep':
        'find documents where folder = (find folders where name = "Status Reports" and folder = "Audit Prep")',
    'contents of Tax Documents > Prior Years > 2020':
        'find entries where folder = "Tax Documents > Prior Years > 2020"',
    "list documents found in Walgreens": 'find documents where folder = "Walgreens"',
    "which folders sit under HR?": 'find folders where folder under "HR"',
    "does Marketing have subfolders": 'find folders where folder = "Marketing"',
    "show the child folders of Website Redesign": 'find folders where folder = "Website Redesign"',
    "logo_final_v2.png is in what folder": 'find folders where id = document("logo_final_v2.png").folder',
    'whats next to Q3 Report.pdf':
        'find entries where folder = document("Q3 Report.pdf").folder and id != document("Q3 Report.pdf")',
    'which receipts lie in the same folder as Team lunch.jpg':
        'find documents where type = "Receipt" and folder = document("Team lunch.jpg").folder',
    'documents in the same folder as Company Handbook.pdf, except itself':
        'find documents where folder = document("Company Handbook.pdf").folder and id != document("Company Handbook.pdf")',
    "name of the parent folder of Archive/Receipts": 'get folder("Archive/Receipts").folder.name',
    'find docs of the category that Onboarding Checklist.xlsx has':
        'find documents where category = document("Onboarding Checklist.xlsx").category',
    "folders belonging to the owner of Brand Assets": 'find folders where owner = folder("Brand Assets").owner',
    'what else does the owner of Dock Permit.pdf own?':
        'find entries where owner = document("Dock Permit.pdf").owner and id != document("Dock Permit.pdf")',
    'documents with the same creator as Partnership Agreement 2019.pdf':
        'find documents where creator = document("Partnership Agreement 2019.pdf").creator',
    'spreadsheets from the author of Cash flow plan 2025.xlsx':
        'find documents where extension = "spreadsheets" and creator = document("Cash flow plan 2025.xlsx").creator',
    "docs tagged the same as Dock Permit.pdf": 'find documents where tags has any document("Dock Permit.pdf").tags',
    "original of Copy of Lease 2018.pdf": 'find documents where id = document("Copy of Lease 2018.pdf").copied_from',
    'docs uploaded earlier than Dock Permit.pdf in Legal':
        'find documents where created < document("Dock Permit.pdf").created and folder = "Legal"',
    'what was created between Globex MSA 2025.pdf and Invoice_Feb_2025.pdf':
        'find entries where created > document("Globex MSA 2025.pdf").created and created < document("Invoice_Feb_2025.pdf").created',
    'mobile uploads in Receipts under Business':
        'find documents where channel = "mobile" and folder = (find folders where name = "Receipts" and folder under "Business")',
    'invoices throughout the Clients tree that are unpaid':
        'find documents where type = "Invoice" and folder under "Clients" and payment_status = "unpaid"',
    "images in Photos and everything below it": 'find documents where extension = "images" and folder under "Photos"',
    "get document 4a10e3b4-3b29-4241-86ff-6e812d4068f5": 'find document("4a10e3b4-3b29-4241-86ff-6e812d4068f5")',
    "files in the top level folder": "find documents where folder = root",
    "pdf or docx in Legal": 'find documents where extension in ["pdf", "docx"] and folder = "Legal"',
    'files in folders tagged needs-signature':
        'find documents where folder in (find folders where tags = "needs-signature")',
    "folders shared with Omar as a viewer": 'find folders where shares[who = "Omar" and role = "viewer"]',
    "private folders of Liam Ortiz": 'find folders where visibility = "private" and owner = "Liam Ortiz"',
    "folders that have tags": "find folders where tags exists",
    "folders that belong to D'Andre Washington": 'find folders where owner = "D\'Andre Washington"',
    "documents in Müller GmbH > Invoices": 'find documents where folder = "Müller GmbH > Invoices"',
    "files in Photos (*)": 'find documents where folder = "Photos (*)"',
    "what is in Quill & Ink": 'find entries where folder = "Quill & Ink"',
    'open "R&D budget + forecast (v1.2).xlsx"': 'find document("R&D budget + forecast (v1.2).xlsx")',
    "docs in Émigré Archive": 'find documents where folder = "Émigré Archive"',
    "docs in the folder Last Week": 'find documents where folder = "Last Week"',
    "folders whose name starts with Q": 'find folders where name starts with "Q"',
    "owner of the Dana Ortiz folder": 'get folder("Dana Ortiz").owner',
    "how many pages has Company Handbook.pdf": 'get document("Company Handbook.pdf").pages',
    "what type is Dock Permit.pdf": 'get document("Dock Permit.pdf").type',
    "is Globex MSA 2025.pdf signed": 'get document("Globex MSA 2025.pdf").signed',
    "what tags does Cutover Runbook.docx have": 'get document("Cutover Runbook.docx").tags',
    "what do we keep in Warranties": 'find entries where folder = "Warranties"',
    "pls list the pdfs in Job Postings": 'find documents where extension = "pdf" and folder = "Job Postings"',
    "folders within Open Door Nonprofit": 'find folders where folder = "Open Door Nonprofit"',
    "which folder holds Mileage guide.docx": 'find folders where id = document("Mileage guide.docx").folder',
    "where's Welcome tour.mp4 stored": 'find document("Welcome tour.mp4")',
    'docs located in the same directory as Q3 Report.pdf':
        'find documents where folder = document("Q3 Report.pdf").folder',
    'contracts in the folder of Globex MSA 2025.pdf':
        'find documents where type = "Contract" and folder = document("Globex MSA 2025.pdf").folder',
    'which pdfs have the same owner as Welcome tour.mp4?':
        'find documents where extension = "pdf" and owner = document("Welcome tour.mp4").owner',
    'documents created by whoever created Harvest Grant Application.docx':
        'find documents where creator = document("Harvest Grant Application.docx").creator',
    'documents created after Dock Permit.pdf and before Q3 Report.pdf':
        'find documents where created > document("Dock Permit.pdf").created and created < document("Q3 Report.pdf").created',
    "tax forms below Tax Documents": 'find documents where type = "tax forms" and folder under "Tax Documents"',
    "drafts in Legal": 'find documents where review_status = "draft" and folder = "Legal"',
    "what is at the top level": "find entries where folder = root",
    "documents that are not pdfs in Legal": 'find documents where extension != "pdf" and folder = "Legal"',
    "contract value of Globex MSA 2025.pdf": 'get document("Globex MSA 2025.pdf").contract_value',
    "folders with archive in their name": 'find folders where name contains "archive"',
}
