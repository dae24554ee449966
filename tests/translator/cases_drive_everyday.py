"""Questions of every day about the document store: the largest, above average, how often, how much in all."""

# fmt: off
CASES: dict[str, str] = {
    "folders deeper than level 4": "find folders where depth > 4",
    "which photo is the largest": 'find documents where type = "Photo" sort size desc limit 1',
    'which pdf in Marketing is the oldest':
        'find documents where extension = "pdf" and folder = "Marketing" sort created limit 1',
    "documents larger than the average document": "find documents where size > (avg(size) of documents)",
    'invoices above the average invoice amount':
        'find documents where type = "Invoice" and amount > (avg(amount) of documents where type = "Invoice")',
    'photos bigger than the average':
        'find documents where type = "Photo" and size > (avg(size) of documents where type = "Photo")',
    "who owns more than 40 folders": "count folders by owner having count > 40",
    "per vendor the total amount": "sum(amount) of documents by vendor",
    "for every owner, how many folders": "count folders by owner",
    "breakdown of file extensions in the Clients tree": 'count documents where folder under "Clients" by extension',
    "documents by Grace Kim or Tom Baker": 'find documents where creator in ["Grace Kim", "Tom Baker"]',
    "who uploaded Invoice 99650": 'get entry("Invoice 99650").creator',
    "contracts Omar owns but didn't create":
        'find documents where type = "Contract" and owner = "Omar" and creator != "Omar"',
    "pdfs not modified for three years": 'find documents where extension = "pdf" and modified != last 3 years',
    'contracts nobody has viewed in the last 6 months':
        'find documents where type = "Contract" and last_viewed != last 6 months',
    "docs nobody viewed since 2024": "find documents where not last_viewed >= 2024",
}
