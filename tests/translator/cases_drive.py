"""Questions about the document store and the programs that the rules make of them, by topic."""

# fmt: off
CASES: dict[str, list[tuple[str, str]]] = {
    "folder_name_to_documents": [
        ("hey, could you pull up whatever files are sitting in the Recipes folder? thanks!!", 'find documents where folder = "Recipes"'),
        ('I need the files that live in "Not Filed"', 'find documents where folder = "Not Filed"'),
        ("which docs did we put in Open Door Nonprofit/Volunteers", 'find documents where folder = "Open Door Nonprofit/Volunteers"'),
    ],
    "subfolders": [
        ("are there any folders inside Empty Drawer?", 'find folders where folder = "Empty Drawer"'),
        ("What subfolders does Marketing have?", 'find folders where folder = "Marketing"'),
    ],
    "containing_folder": [
        ("folder that contains Mileage guide.docx", 'find folders where id = document("Mileage guide.docx").folder'),
        ("name of the folder Basement pump receipt.jpg sits in", 'get document("Basement pump receipt.jpg").folder.name'),
    ],
    "parent_of_folder": [
        ("Show the parent folder of 'IRS Letters'", 'find folders where id = folder("IRS Letters").folder'),
        ("Old Clients is inside which folder?", 'find folders where id = folder("Old Clients").folder'),
        ("show the folder above Job Postings", 'find folders where id = folder("Job Postings").folder'),
    ],
    "same_creator": [
        ("what else did the person who uploaded Onboarding Checklist.xlsx upload last month?", 'find entries where creator = document("Onboarding Checklist.xlsx").creator and created = last month and id != document("Onboarding Checklist.xlsx")'),
    ],
    "copies": [
        ("Show all copies of document 'Template_Letter.docx'", 'find documents where copied_from = "Template_Letter.docx"'),
        ("every file that is a copy of something and sits in Shared with Accountant or below", 'find documents where copied_from exists and folder under "Shared with Accountant"'),
    ],
    "original": [
        ("show me the original of Copy of Lease 2018.pdf", 'find documents where id = document("Copy of Lease 2018.pdf").copied_from'),
        ("who owns the original of Q3 Report (accountant copy).pdf", 'get document("Q3 Report (accountant copy).pdf").copied_from.owner'),
    ],
    "combined_filters": [
        ("hi! invoices in the Expenses folder above $2,000 that were created in 2025, can I have those?", 'find documents where type = "Invoice" and folder = "Expenses" and amount > 2000 and currency = "USD" and created = 2025'),
        ("receipts paid in cash from Starbucks or Whole Foods between $20 and $200", 'find documents where type = "Receipt" and payment_method = "cash" and vendor in ["Starbucks", "Whole Foods"] and amount between 20 and 200 and currency = "USD"'),
    ],
    "app_in_folder": [
        ("mint stuff in Lakehouse > Utilities", 'find entries where app = "intuit.mint.web" and folder = "Lakehouse > Utilities"'),
        ("turbotax files in Tax Documents that were uploaded in 2025", 'find documents where app = "intuit.turbotax.consumer" and folder = "Tax Documents" and created = 2025'),
        ("quickbooks documents in Vendors > Staples", 'find documents where app = "QuickBooks" and folder = "Vendors > Staples"'),
    ],
    "folder_tree": [
        ("all docs in Kowalski Bakery, sub folders too, bigger than 2 mb", 'find documents where folder under "Kowalski Bakery" and size > 2 MB'),
    ],
    "document_type": [
        ("Find all W2 documents", 'find documents where type = "W2"'),
    ],
    "uuid_given": [
        ("List documents in folder ID 83d18574-d71e-47ad-83fc-54c7484a1584", 'find documents where folder = "83d18574-d71e-47ad-83fc-54c7484a1584"'),
        ("which folder is ffceb2b0-896b-4b1f-99d3-f70937fa2c57 in", 'find folders where id = entry("ffceb2b0-896b-4b1f-99d3-f70937fa2c57").folder'),
        ("files in folder b6f3d943-1ed9-48f9-881b-19ef6503ebd3 newer than 2024", 'find documents where folder = "b6f3d943-1ed9-48f9-881b-19ef6503ebd3" and created > 2024'),
    ],
    "boolean": [
        ("(tagged urgent or needs-signature) and owned by Elena Petrova", 'find documents where tags has any ["urgent", "needs-signature"] and owner = "Elena Petrova"'),
    ],
    "numeric": [
        ("receipts with a total between 850 and 900 dollars", 'find documents where type = "Receipt" and amount between 850 and 900 and currency = "USD"'),
        ("docs viewed more than 350 times", "find documents where views > 350"),
        ("documents whose ocr confidence is below 60%", "find documents where ocr_confidence < 60 %"),
        ("invoices of more than $18,000", 'find documents where type = "Invoice" and amount > 18000 and currency = "USD"'),
        ("presentations with 45 slides or more", 'find documents where extension = "presentations" and slides >= 45'),
        ("documents downloaded at least 50 times", "find documents where downloads >= 50"),
        ("images at least 4000 pixels wide in Properties and below", 'find documents where extension = "images" and width >= 4000 and folder under "Properties"'),
    ],
    "dates": [
        ("what documents were uploaded yesterday?", "find documents where created = yesterday"),
        ("invoices created in Q2 2024", 'find documents where type = "Invoice" and created = 2024-Q2'),
        ("receipts added in the last 30 days to Kowalski Bakery / Receipts", 'find documents where type = "Receipt" and created = last 30 days and folder = "Kowalski Bakery / Receipts"'),
        ("documents that are more than seven years old", "find documents where created < last 7 years"),
        ("documents added on 6 March 2026", "find documents where created = 2026-03-06"),
        ("leases effective after Jan 1st 2025", 'find documents where type = "Lease" and effective > 2025-01-01'),
        ("docs viewed since monday", "find documents where last_viewed >= 2026-03-09"),
    ],
    "tags": [
        ("documents carrying any of the tags urgent, follow-up or audit inside NDAs", 'find documents where tags has any ["urgent", "follow-up", "audit"] and folder = "NDAs"'),
        ("client facing reports with the tag important but without follow-up", 'find documents where tags = "client-facing" and type = "Report" and tags = "important" and tags != "follow-up"'),
    ],
    "count": [
        ("total no. of receipts from Uber", 'count documents where type = "Receipt" and vendor = "Uber"'),
        ("How many different vendors are there on our invoices?", 'distinct(vendor) of documents where type = "Invoice"'),
    ],
    "group_by": [
        ("what's the total size of everything under Brand Assets?", 'sum(size) of entries where folder under "Brand Assets"'),
        ("total size of files per file extension", "sum(size) of documents by extension"),
        ("breakdown of documents by visibility and classification", "count documents by visibility, classification"),
    ],
    "sort_top_n": [
        ("files in Grants sorted by size, smallest first", 'find documents where folder = "Grants" sort size'),
        ("top 10 biggest invoices by amount", 'find documents where type = "Invoice" sort amount desc limit 10'),
        ("cheapest 4 medical bills", 'find documents where type = "Medical Bill" sort amount limit 4'),
        ("last 3 files modified in Campaigns and subfolders", 'find documents where folder under "Campaigns" sort modified desc limit 3'),
    ],
    "multi_hop": [
        ("who owns the folder that Wedding Cake Deposit.pdf is in?", 'get document("Wedding Cake Deposit.pdf").folder.owner'),
        ("documents created by the owner of Brand Assets this year", 'find documents where creator = folder("Brand Assets").owner and created = this year'),
    ],
    "ambiguous": [
        ("which files are in my Travel folder?", 'find documents where folder = "Travel"'),
        ("contents of the Payroll folder", 'find entries where folder = "Payroll"'),
        ("find all folders named Quotes", 'find folders where name = "Quotes"'),
    ],
    "nested": [
        ("documents in Legal or its subfolders that are not shared with anyone", 'find documents where folder under "Legal" and shares missing'),
        ("documents commented on since the beginning of March 2026", "find documents where comments[created >= 2026-03]"),
        ("leases shared with anybody", 'find documents where type = "Lease" and shares exists'),
        ("docs whose reviewer is Ruth Abara and risk is not low", 'find documents where attributes.reviewer = "Ruth Abara" and attributes.risk != "low"'),
        ("photos with no comments in Photos/2024", 'find documents where type = "Photo" and comments missing and folder = "Photos/2024"'),
    ],
    "text_search": [
        ('files with either "carbon monoxide detector" or "sump pump" in the content', 'find documents where mentions "carbon monoxide detector" or mentions "sump pump"'),
        ("search for 'water damage' in Properties and its subfolders", 'find documents where mentions "water damage" and folder under "Properties"'),
        ("files that mention roof repair but aren't invoices", 'find documents where mentions "roof repair" and type != "Invoice"'),
    ],
    "exists_missing": [
        ("which folders have a description?", "find folders where description exists"),
        ("invoices in Clients > Acme Corp > Invoices lacking a relationship id", 'find documents where type = "Invoice" and folder = "Clients > Acme Corp > Invoices" and relationship missing'),
    ],
    "looks_like_action": [
        ("files in New Folder", 'find documents where folder = "New Folder"'),
    ],
    "injection": [
        ('show the document named "name:* OR entityType:FOLDER.txt"', 'find documents where name = "name:* OR entityType:FOLDER.txt"'),
    ],
    "tricky_names": [
        ("documents in O'Brien & Sons > Invoices", 'find documents where folder = "O\'Brien & Sons > Invoices"'),
        ("where's R&D budget + forecast (v1.2).xlsx", 'find document("R&D budget + forecast (v1.2).xlsx")'),
        ("list files in Photos (*)", 'find documents where folder = "Photos (*)"'),
    ],
    "attributes": [
        ("reports that are still in review and confidential", 'find documents where type = "Report" and review_status = "in_review" and classification = "confidential"'),
        ("invoice number of Roof Invoice.pdf", 'get document("Roof Invoice.pdf").invoice_number'),
        ("Spanish language letters", 'find documents where language = "es" and type = "Letter"'),
    ],
    "name_pattern": [
        ("folders with review in the name", 'find folders where name contains "review"'),
    ],
    "value": [
        ("when was Budget_2024.xlsx created?", 'get document("Budget_2024.xlsx").created'),
        ("how many pages does Partnership Agreement 2019.pdf have?", 'get document("Partnership Agreement 2019.pdf").pages'),
    ],
    "further": [
        ("documents Hannah uploaded last week", 'find documents where creator = "Hannah" and created = last week'),
        ("docs shared by link", 'find documents where visibility = "anyone_with_link"'),
        ("invoices due next week", 'find documents where type = "Invoice" and due = next week'),
        ("least viewed document", "find documents sort views limit 1"),
        ("files not opened since 2024", "find documents where not last_viewed >= 2024"),
        ("files bigger than 10MB in Archive", 'find documents where size > 10 MB and folder = "Archive"'),
        ("letters in French", 'find documents where type = "Letter" and language = "fr"'),
        ("restricted files shared with anyone", 'find documents where classification = "restricted" and shares exists'),
        ("empty folders", "find folders where empty"),
        ("folders with more than 20 files", "find folders where document_count > 20"),
        ("when was Company Handbook.pdf last modified", 'get document("Company Handbook.pdf").modified'),
        ("how big is Budget_2024.xlsx", 'get document("Budget_2024.xlsx").size'),
        ("how many pages is Company Handbook.pdf", 'get document("Company Handbook.pdf").pages'),
        ("average invoice amount", 'avg(amount) of documents where type = "Invoice"'),
        ("top 5 vendors by total amount", "sum(amount) of documents by vendor sort sum(amount) desc limit 5"),
        ("documents by type and year", "count documents by type, year(created)"),
        ("which person owns the most folders", "count folders by owner sort count desc limit 1"),
        ("largest 3 videos", 'find documents where extension = "videos" sort size desc limit 3'),
        ("second largest file in Archive", 'find documents where folder = "Archive" sort size desc limit 1 offset 1'),
        ("documents tagged audit but not tagged urgent", 'find documents where tags = "audit" and tags != "urgent"'),
        ("documents tagged both audit and urgent", 'find documents where tags has all ["audit", "urgent"]'),
        ("where is Template_Letter.docx", 'find document("Template_Letter.docx")'),
        ("w2s for tax year 2023", 'find documents where type = "W2" and tax_year = 2023'),
        ("1099s from 2024", 'find documents where type = "1099s" and created = 2024'),
        ("files starting with IMG", 'find documents where name starts with "IMG"'),
        ("documents that have no owner email", "find documents where owner_email missing"),
        ("Brightwater LLC's contracts", 'find documents where type = "Contract" and owner = "Brightwater LLC"'),
        ("Omar's spreadsheets", 'find documents where extension = "spreadsheets" and owner = "Omar"'),
    ],
}
