"""Questions about the document store for values of one thing, and the programs they mean."""

from __future__ import annotations

CASES: dict[str, str] = {
    # The field behind the name.
    "Wedding Cake Deposit.pdf amount?": 'get document("Wedding Cake Deposit.pdf").amount',
    "Dock Permit.pdf - owner?": 'get document("Dock Permit.pdf").owner',
    "Welcome tour.mp4: duration": 'get document("Welcome tour.mp4").duration',
    "Partnership Agreement 2019.pdf notice period": 'get document("Partnership Agreement 2019.pdf").notice_days',
    "Dock Permit.pdf owner email": 'get document("Dock Permit.pdf").owner_email',
    # The beginning of a name that only one value has, and a name without its apostrophe.
    "Northwind invoices": 'find documents where vendor = "Northwind Traders" and type = "Invoice"',
    "invoices from Umbrella or Zeta": (
        'find documents where type = "Invoice" and vendor in ["Umbrella Dental", "Zeta Robotics"]'
    ),
    "receipts from Trader Joes": 'find documents where type = "Receipt" and vendor = "Trader Joe\'s"',
    # A noun for the ending that is left out of a name.
    "how big is the Welcome tour video?": 'get document("Welcome tour.mp4").size',
    "who owns the Emergency Contacts spreadsheet": 'get document("Emergency Contacts.xlsx").owner',
    "size of the Welcome tour video": 'get document("Welcome tour.mp4").size',
    # Several fields.
    "creator + creation date of Logo_Final_v2.png": 'get document("Logo_Final_v2.png").creator, created',
    "Logo_Final_v2.png width and height": 'get document("Logo_Final_v2.png").width, height',
    "tell me the type, size and owner of Dock Permit.pdf": 'get document("Dock Permit.pdf").type, size, owner',
    "who created Logo_Final_v2.png and when": 'get document("Logo_Final_v2.png").creator, created',
    "when and by whom was Dock Permit.pdf uploaded": 'get document("Dock Permit.pdf").creator, created',
    # The unit that it is to be told in.
    "how long is Welcome tour.mp4, in minutes": 'get document("Welcome tour.mp4").duration',
    "how big is Dock Permit.pdf in MB": 'get document("Dock Permit.pdf").size',
    # Bounds of what lasts.
    "until which date runs the Partnership Agreement 2019": 'get entry("Partnership Agreement 2019").expires',
    "until when is Partnership Agreement 2019.pdf valid": 'get document("Partnership Agreement 2019.pdf").expires',
    "since when is Partnership Agreement 2019.pdf in force": (
        'get document("Partnership Agreement 2019.pdf").effective'
    ),
    "by when must Invoice_Feb_2025.pdf be paid": 'get document("Invoice_Feb_2025.pdf").due',
    # A field as one, and one of a thing that it has.
    "what's in the due date field for Invoice_Feb_2025?": 'get entry("Invoice_Feb_2025").due',
    "what does the vendor field of Wedding Cake Deposit.pdf say": 'get document("Wedding Cake Deposit.pdf").vendor',
    "e-mail address of the owner of Dock Permit.pdf?": 'get document("Dock Permit.pdf").owner_email',
    "what is the email of the owner of Dock Permit.pdf": 'get document("Dock Permit.pdf").owner_email',
    # Prepositions before the question word, and the order of a clause.
    "in which language is Company Handbook.pdf written": 'get document("Company Handbook.pdf").language',
    "on which date was Dock Permit.pdf created": 'get document("Dock Permit.pdf").created',
    "could you tell me how many pages Company Handbook.pdf has": 'get document("Company Handbook.pdf").pages',
    "do you know when Dock Permit.pdf was uploaded?": 'get document("Dock Permit.pdf").created',
    "please look up the owner of Dock Permit.pdf? Thanks a lot": 'get document("Dock Permit.pdf").owner',
}

UNANSWERED = [
    # The name of a folder and a field are no question for a value.
    "Payroll notes",
    "Marketing owner",
    "Recipes: size",
    "Trademarks type",
    "until when are contracts valid",
    "which size do photos have",
]
