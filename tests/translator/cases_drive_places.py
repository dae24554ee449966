"""Questions for folders, what lies in them, and other documents, as different people type them."""

# fmt: off
CASES: dict[str, str] = {
    # A path may end with its mark.
    "files in Tax Documents/": 'find documents where folder = "Tax Documents"',
    "what's stored in my Recipes folder": 'find entries where folder = "Recipes"',
    'receipts from Starbucks over 20 bucks in Meals':
        'find documents where type = "Receipt" and vendor = "Starbucks" and amount > 20 and currency = "USD" and folder = "Meals"',
    "dropbox files in Inbox": 'find documents where app = "partner.dropbox.sync" and folder = "Inbox"',
    "any files left in Empty Drawer?": 'find documents where folder = "Empty Drawer"',
    "Parent directory of Worksheets please": 'find folders where id = folder("Worksheets").folder',
    'everything owned by the person that owns Cash flow plan 2025.xlsx':
        'find entries where owner = document("Cash flow plan 2025.xlsx").owner',
    'folders owned by Grace Kim that have no subfolders':
        'find folders where owner = "Grace Kim" and subfolder_count = 0',
    "folders with more than 50 documents": "find folders where document_count > 50",
    "Could I see what's kept in the Brand Assets folder?": 'find entries where folder = "Brand Assets"',
    "what folders does Business contain?": 'find folders where folder = "Business"',
    "which directory has Cutover Runbook.docx": 'find folders where id = document("Cutover Runbook.docx").folder',
    "all docs that belong to Welcome tour.mp4's owner":
        'find documents where owner = document("Welcome tour.mp4").owner',
    "docs created by Q3 Report.pdf's creator since 2025":
        'find documents where creator = document("Q3 Report.pdf").creator and created >= 2025',
    'QuickBooks Online invoices in Acme Corp > Invoices':
        'find documents where app = "intuit.quickbooks.online" and type = "Invoice" and folder = "Acme Corp > Invoices"',
    "list everything at the root": "find entries where folder = root",
    "top-level folders owned by Liam Ortiz": 'find folders where folder = root and owner = "Liam Ortiz"',
    "everything thats inside Offce Supplies": 'find entries where folder = "Offce Supplies"',
    'contents of Tax Documents > Prior Years > 2020':
        'find entries where folder = "Tax Documents > Prior Years > 2020"',
    "which folders sit under HR?": 'find folders where folder under "HR"',
    "logo_final_v2.png is in what folder": 'find folders where id = document("logo_final_v2.png").folder',
    'mobile uploads in Receipts under Business':
        'find documents where channel = "mobile" and folder = (find folders where name = "Receipts" and folder under "Business")',
    "files in Photos (*)": 'find documents where folder = "Photos (*)"',
    "what is in Quill & Ink": 'find entries where folder = "Quill & Ink"',
    "folders whose name starts with Q": 'find folders where name starts with "Q"',
    "is Globex MSA 2025.pdf signed": 'get document("Globex MSA 2025.pdf").signed',
    "what tags does Cutover Runbook.docx have": 'get document("Cutover Runbook.docx").tags',
    "folders with archive in their name": 'find folders where name contains "archive"',
}
