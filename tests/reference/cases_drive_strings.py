"""Conditions on strings: equal up to case, parts of them, patterns."""

from .case import Test, docs, folders
from .model import below, document, folder, holds, over, same


def typed(kind: str, test: Test) -> Test:
    return lambda d: d.type == kind and test(d)


CASES = [
    # -- equality of strings
    docs("type", 'find documents where type = "NDA"', lambda d: d.type == "NDA"),
    docs("type-case", 'find documents where type = "tax return"', lambda d: d.type == "Tax Return"),
    docs(
        "type-hyphen",
        'find documents where type = "1099-NEC" and tax_year = 2023',
        lambda d: d.type == "1099-NEC" and d.tax_year == 2023,
    ),
    docs(
        "type-in",
        'find documents where type in ["Lease", "NDA", "tax return"]',
        lambda d: d.type in ("Lease", "NDA", "Tax Return"),
    ),
    docs(
        "type-not",
        'find documents where folder = "Legal" and type != "Contract"',
        lambda d: d.folder == folder("Legal").id and d.type != "Contract",
    ),
    docs(
        "type-not-in",
        'find documents where folder under "Legal" and type not in ["Contract", "NDA", "Lease"]',
        lambda d: below(d, folder("Legal")) and d.type not in ("Contract", "NDA", "Lease"),
    ),
    docs(
        "vendor-case",
        'find documents where vendor = "IKEA" and amount > 3000',
        lambda d: same(d.vendor, "ikea") and over(d.amount, 3000),
    ),
    docs(
        "vendor-accents-case",
        'find documents where vendor = "SOCIÉTÉ LUMIÈRE"',
        lambda d: same(d.vendor, "Société Lumière"),
    ),
    docs("vendor-accents-count", 'find documents where vendor = "Societe Lumiere"', lambda d: False, tags=("empty",)),
    docs(
        "vendor-quote",
        'find documents where vendor = "Trader Joe\'s" and created = 2025',
        lambda d: d.vendor == "Trader Joe's" and d.created.year == 2025,
    ),
    docs("vendor-umlaut", 'find documents where vendor = "müller gmbh"', lambda d: same(d.vendor, "Müller GmbH")),
    docs(
        "employer",
        'find documents where type = "W2" and employer = "Mercy Hospital" and tax_year = 2023',
        lambda d: d.type == "W2" and d.employer == "Mercy Hospital" and d.tax_year == 2023,
    ),
    docs("counterparty", 'find documents where counterparty = "Acme Corp"', lambda d: d.counterparty == "Acme Corp"),
    docs("category", 'find documents where category = "Medical"', lambda d: d.category == "Medical"),
    docs(
        "app",
        'find documents where app = "intuit.turbotax.consumer" and type = "W2"',
        lambda d: d.app == "intuit.turbotax.consumer" and d.type == "W2",
    ),
    docs("extension-equal", 'find documents where extension = "pptx"', lambda d: d.extension == "pptx"),
    docs("extension-in", 'find documents where extension in ["mp4", "pptx"]', lambda d: d.extension in ("mp4", "pptx")),
    docs(
        "relationship",
        'find documents where relationship = "REL-MAPLE-ROOF"',
        lambda d: d.relationship == "REL-MAPLE-ROOF",
    ),
    docs(
        "language",
        'find documents where language = "ja" and type = "Invoice"',
        lambda d: d.language == "ja" and d.type == "Invoice",
    ),
    docs(
        "several-keywords",
        'find documents where type = "Report" and review_status = "in_review" and classification = "confidential"',
        lambda d: (d.type, d.review_status, d.classification) == ("Report", "in_review", "confidential"),
    ),
    docs(
        "visibility",
        'find documents where type = "Contract" and visibility = "anyone_with_link"',
        typed("Contract", lambda d: d.visibility == "anyone_with_link"),
    ),
    docs(
        "by-mapping-path",
        f'find documents where systemAttributes.checksum = "{document("Rye notes.md").checksum}"',
        lambda d: d.name == "Rye notes.md",
    ),
    docs(
        "by-mapping-path-keyword",
        'find documents where contentAttributes.encoding = "utf-8" and type = "Ledger"',
        typed("Ledger", lambda d: d.encoding == "utf-8"),
    ),
    docs(
        "by-whole-path",
        'find documents where path = "root/Personal/Tax/2023"',
        lambda d: d.path == "root/Personal/Tax/2023",
    ),
    # -- parts of strings
    docs("name-contains", 'find documents where name contains "harvest"', lambda d: holds(d.name, "harvest")),
    docs("name-contains-case", 'find documents where name contains "ROOF"', lambda d: holds(d.name, "roof")),
    folders("folder-name-contains", 'find folders where name contains "review"', lambda f: holds(f.name, "review")),
    docs("name-contains-star", 'find documents where name contains "*"', lambda d: "*" in d.name),
    docs("name-contains-question", 'find documents where name contains "?"', lambda d: "?" in d.name),
    docs("name-contains-percent", 'find documents where name contains "50%"', lambda d: "50%" in d.name),
    docs(
        "name-contains-backslash", 'find documents where name contains "\\\\temp\\\\"', lambda d: "\\temp\\" in d.name
    ),
    docs(
        "name-contains-accent",
        'find documents where name contains "ÁLVAREZ" and type = "W2"',
        typed("W2", lambda d: holds(d.name, "Álvarez")),
    ),
    docs(
        "name-starts",
        'find documents where name starts with "audit sync"',
        lambda d: d.name.lower().startswith("audit sync"),
    ),
    docs(
        "name-starts-copy",
        'find documents where name starts with "Copy of" and type = "Contract"',
        typed("Contract", lambda d: d.name.startswith("Copy of")),
    ),
    docs("name-ends", 'find documents where name ends with "(2).docx"', lambda d: d.name.endswith("(2).docx")),
    docs("name-ends-case", 'find documents where name ends with ".SQL"', lambda d: d.name.endswith(".sql")),
    docs(
        "name-like",
        'find documents where name like "Quarterly Review ??? 2025.*"',
        lambda d: d.name.startswith("Quarterly Review ") and d.name[20:26] == " 2025.",
    ),
    docs("name-like-whole", 'find documents where name like "Roof"', lambda d: False, tags=("empty",)),
    docs(
        "name-like-middle",
        'find documents where name like "*o\'brien*2022*"',
        lambda d: "2022" in d.name.lower().partition("o'brien")[2],
    ),
    docs(
        "name-like-year",
        'find documents where name like "Forecast 202?.xlsx"',
        lambda d: len(d.name) == 18 and d.name.startswith("Forecast 202") and d.name.endswith(".xlsx"),
    ),
    docs(
        "name-like-literal",
        'find documents where name like "\\\\*important\\\\*.txt"',
        lambda d: d.name == "*important*.txt",
    ),
    docs("name-like-literal-question", 'find documents where name like "*\\\\?*"', lambda d: "?" in d.name),
    docs(
        "not-contains",
        'find documents where type = "Budget" and not name contains "plan"',
        typed("Budget", lambda d: not holds(d.name, "plan")),
    ),
    docs(
        "app-starts",
        'find documents where app starts with "intuit." and type = "Receipt"',
        typed("Receipt", lambda d: d.app is not None and d.app.startswith("intuit.")),
    ),
    docs(
        "vendor-contains",
        'find documents where vendor contains "dental" and amount > 5000',
        lambda d: holds(d.vendor, "dental") and over(d.amount, 5000),
    ),
    docs(
        "path-contains",
        'find documents where path contains "/Contracts" and type = "NDA"',
        typed("NDA", lambda d: holds(d.path, "/contracts")),
    ),
    docs("mime-starts", 'find documents where mime starts with "video/"', lambda d: d.extension == "mp4"),
    docs(
        "invoice-number-ends",
        'find documents where invoice_number ends with "777"',
        lambda d: d.invoice_number is not None and d.invoice_number.endswith("777"),
        tags=("empty",),
    ),
    docs(
        "contains-on-missing",
        'find documents where type = "Quote" and not category contains "fin"',
        typed("Quote", lambda d: not holds(d.category, "fin")),
    ),
]
