"""Questions of every day about the document store: the largest, above average, how often, how much in all."""

# fmt: off
CASES: dict[str, str] = {
    "which photo is the largest": 'find documents where type = "Photo" sort size desc limit 1',
    'which pdf in Marketing is the oldest':
        'find documents where extension = "pdf" and folder = "Marketing" sort created limit 1',
    "documents larger than the average document": "find documents where size > (avg(size) of documents)",
    'invoices above the average invoice amount':
        'find documents where type = "Invoice" and amount > (avg(amount) of documents where type = "Invoice")',
    'photos bigger than the average':
        'find documents where type = "Photo" and size > (avg(size) of documents where type = "Photo")',
    "who uploaded Invoice 99650": 'get entry("Invoice 99650").creator',
    "pdfs not modified for three years": 'find documents where extension = "pdf" and modified != last 3 years',
}
