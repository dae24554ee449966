"""Conditions on one field: numbers and units, booleans, lists, missing values, negation, field to field."""

import struct

from .case import Test, count, docs, entries, folders
from .model import among, below, folder, least, most, over, under

KB, MB = 10**3, 10**6
KIB, MIB = 2**10, 2**20


def typed(kind: str, test: Test) -> Test:
    return lambda d: d.type == kind and test(d)


def single(number: float) -> float:
    """A bound at the precision of a `float` field."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


CASES = [
    # -- numbers and units
    docs("size-mb", "find documents where size > 50 MB", lambda d: over(d.size, 50 * MB)),
    docs("size-mib", "find documents where size > 50 MiB", lambda d: over(d.size, 50 * MIB)),
    docs("size-small", "find documents where size < 2 kb", lambda d: under(d.size, 2 * KB)),
    docs("size-kib", "find documents where size <= 2KiB", lambda d: most(d.size, 2 * KIB)),
    docs(
        "size-no-space",
        'find documents where size >= 5mb and extension = "png"',
        lambda d: d.extension == "png" and least(d.size, 5 * MB),
    ),
    docs(
        "size-fraction",
        'find documents where size between 1.5 MB and 2 MB and type = "Invoice"',
        typed("Invoice", lambda d: among(d.size, 1.5 * MB, 2 * MB)),
    ),
    docs("size-bare", "find documents where size = 900", lambda d: d.size == 900),
    docs("size-exponent", "find documents where size > 1e8", lambda d: over(d.size, 1e8)),
    docs("size-gb", "find documents where size >= 0.1 GB", lambda d: least(d.size, 0.1 * 10**9)),
    docs(
        "size-bytes",
        "find documents where size < 950 bytes",
        lambda d: under(d.size, 950),
        open_to_reading=True,
        why="the closed list of units is not spelled out; bytes is the stored one",
    ),
    docs("duration-minutes", "find documents where duration > 5 minutes", lambda d: over(d.duration, 300)),
    docs("duration-seconds", "find documents where duration <= 72", lambda d: most(d.duration, 72)),
    docs("duration-hours", "find documents where duration < 0.1 hours", lambda d: under(d.duration, 360)),
    docs("percent", "find documents where ocr_confidence < 60 %", lambda d: under(d.ocr_confidence, single(0.6))),
    docs(
        "percent-tight", "find documents where ocr_confidence >= 98%", lambda d: least(d.ocr_confidence, single(0.98))
    ),
    docs(
        "fraction",
        'find documents where ocr_confidence = 0.85 and extension = "png"',
        lambda d: d.extension == "png" and d.ocr_confidence == single(0.85),
    ),
    docs(
        "notice",
        'find documents where notice_days >= 60 days and law = "New York"',
        lambda d: least(d.notice_days, 60) and d.law == "New York",
    ),
    docs(
        "notice-bare",
        "find documents where notice_days = 14 and auto_renews",
        lambda d: d.notice_days == 14 and d.auto_renews is True,
    ),
    docs("amount", "find documents where amount > 40000", lambda d: over(d.amount, 40000)),
    docs("amount-exact", "find documents where amount = 327.67", lambda d: d.amount == 327.67),
    docs(
        "amount-between",
        'find documents where type = "Receipt" and amount between 100 and 110.5',
        typed("Receipt", lambda d: among(d.amount, 100, 110.5)),
    ),
    docs(
        "amount-in",
        "find documents where amount in [48200, 327.67, 627.19]",
        lambda d: d.amount in (48200, 327.67, 627.19),
    ),
    docs(
        "amount-negative",
        "find documents where refund > -3 and amended = false",
        lambda d: over(d.refund, -3) and d.amended is False,
    ),
    docs(
        "pages",
        'find documents where pages = 58 and extension = "pdf" and folder under "Clients"',
        lambda d: d.pages == 58 and d.extension == "pdf" and below(d, folder("Clients")),
    ),
    docs("pages-not", 'find documents where type = "NDA" and pages != 1', typed("NDA", lambda d: d.pages != 1)),
    docs(
        "pages-not-in",
        'find documents where type = "NDA" and pages not in [1, 2, 3]',
        typed("NDA", lambda d: d.pages not in (1, 2, 3)),
    ),
    docs("views", "find documents where views > 400", lambda d: over(d.views, 400)),
    docs(
        "version",
        'find documents where version >= 7 and type = "Contract"',
        typed("Contract", lambda d: least(d.version, 7)),
    ),
    docs(
        "tax-year",
        'find documents where tax_year < 2020 and jurisdiction = "CA"',
        lambda d: under(d.tax_year, 2020) and d.jurisdiction == "CA",
    ),
    docs(
        "tax-year-between",
        'find documents where type = "W2" and tax_year between 2019 and 2020',
        typed("W2", lambda d: among(d.tax_year, 2019, 2020)),
    ),
    folders(
        "empty-folders",
        "find folders where document_count = 0 and subfolder_count = 0",
        lambda f: f.document_count == 0 and f.subfolder_count == 0,
    ),
    folders("full-folders", "find folders where document_count > 70", lambda f: f.document_count > 70),
    docs(
        "not-greater-includes-missing",
        'find documents where type = "NDA" and not pages > 3',
        typed("NDA", lambda d: not over(d.pages, 3)),
    ),
    # -- booleans
    docs(
        "boolean-bare",
        'find documents where signed and law = "Delaware"',
        lambda d: d.signed is True and d.law == "Delaware",
    ),
    docs(
        "boolean-false",
        'find documents where signed = false and type = "NDA"',
        typed("NDA", lambda d: d.signed is False),
    ),
    docs(
        "boolean-not",
        'find documents where not signed and folder = "NDAs"',
        lambda d: d.signed is not True and d.folder == folder("NDAs").id,
    ),
    docs(
        "boolean-not-true",
        'find documents where signed != true and folder = "Legal"',
        lambda d: d.signed is not True and d.folder == folder("Legal").id,
    ),
    docs(
        "boolean-not-false",
        'find documents where signed != false and folder = "Legal"',
        lambda d: d.signed is not False and d.folder == folder("Legal").id,
    ),
    docs("boolean-two", "find documents where pci and locked", lambda d: d.pci and d.locked),
    folders("boolean-folders", "find folders where starred", lambda f: f.starred),
    docs("boolean-path", "find documents where legal_hold = true and starred", lambda d: d.legal_hold and d.starred),
    docs("ocr", 'find documents where ocr and extension = "pdf"', lambda d: d.ocr and d.extension == "pdf"),
    # -- missing and exists
    docs(
        "category-missing",
        'find documents where type = "Contract" and category missing',
        typed("Contract", lambda d: d.category is None),
    ),
    docs(
        "category-exists",
        'find documents where type = "Budget" and category exists',
        typed("Budget", lambda d: d.category is not None),
    ),
    docs(
        "type-missing",
        'find documents where type missing and extension = "pptx"',
        lambda d: d.type is None and d.extension == "pptx",
    ),
    folders("description-exists", "find folders where description exists", lambda f: f.description is not None),
    docs(
        "description-missing",
        'find documents where description missing and type = "NDA"',
        typed("NDA", lambda d: d.description is None),
    ),
    docs(
        "tags-missing",
        'find documents where tags missing and folder = "Meals"',
        lambda d: not d.tags and d.folder == folder("Meals").id,
    ),
    docs(
        "tags-exist",
        'find documents where tags exists and folder = "Meals"',
        lambda d: d.tags and d.folder == folder("Meals").id,
    ),
    docs(
        "content-missing",
        'find documents where content missing and type = "Design Asset"',
        lambda d: d.content is None and d.type == "Design Asset",
    ),
    docs(
        "date-missing",
        'find documents where last_viewed missing and folder = "Trademarks"',
        lambda d: d.last_viewed is None and d.folder == folder("Trademarks").id,
    ),
    docs(
        "number-missing",
        'find documents where amount missing and type = "Contract"',
        typed("Contract", lambda d: d.amount is None),
    ),
    docs(
        "boolean-missing",
        'find documents where signed missing and folder = "Disputes"',
        lambda d: d.signed is None and d.folder == folder("Disputes").id,
        tags=("empty",),
    ),
    docs(
        "not-missing",
        'find documents where not relationship missing and type = "Report"',
        typed("Report", lambda d: d.relationship is not None),
    ),
    entries("folders-lack-size", "find entries where size missing and starred", lambda e: e.size is None and e.starred),
    docs(
        "path-missing",
        'find documents where contentAttributes.encoding missing and folder = "Sandbox"',
        lambda d: d.encoding is None and d.folder == folder("Sandbox").id,
        tags=("empty",),
    ),
    # -- lists
    docs("tag", 'find documents where tags = "urgent" and type = "NDA"', typed("NDA", lambda d: "urgent" in d.tags)),
    docs(
        "tag-has", 'find documents where tags has "urgent" and type = "NDA"', typed("NDA", lambda d: "urgent" in d.tags)
    ),
    docs(
        "tag-case",
        'find documents where tags has "URGENT" and type = "NDA"',
        typed("NDA", lambda d: "urgent" in d.tags),
    ),
    docs(
        "tag-space",
        'find documents where tags = "to file" and type = "Quote"',
        typed("Quote", lambda d: "to file" in d.tags),
    ),
    docs(
        "tags-any",
        'find documents where tags has any ["urgent", "follow-up", "audit"] and folder = "NDAs"',
        lambda d: d.folder == folder("NDAs").id and {"urgent", "follow-up", "audit"} & set(d.tags),
    ),
    docs(
        "tags-all",
        'find documents where tags has all ["urgent", "audit"]',
        lambda d: {"urgent", "audit"} <= set(d.tags),
    ),
    docs(
        "tags-all-three",
        'find documents where tags has all ["urgent", "audit", "misc"]',
        lambda d: {"urgent", "audit", "misc"} <= set(d.tags),
    ),
    docs(
        "tags-in",
        'find documents where tags in ["travel", "warranty"] and folder = "Meals"',
        lambda d: d.folder == folder("Meals").id and {"travel", "warranty"} & set(d.tags),
    ),
    docs(
        "tags-not-in",
        'find documents where tags not in ["travel", "warranty"] and folder = "Meals"',
        lambda d: d.folder == folder("Meals").id and not {"travel", "warranty"} & set(d.tags),
    ),
    docs(
        "tag-not-equal",
        'find documents where tags != "recurring" and folder = "Software"',
        lambda d: "recurring" not in d.tags and d.folder == folder("Software").id,
    ),
    docs(
        "not-has-any",
        'find documents where folder = "Donors" and not tags has any ["important", "urgent"]',
        lambda d: d.folder == folder("Donors").id and not {"important", "urgent"} & set(d.tags),
    ),
    docs(
        "not-has-all",
        'find documents where type = "NDA" and not tags has all ["urgent", "audit"]',
        typed("NDA", lambda d: not {"urgent", "audit"} <= set(d.tags)),
    ),
    docs(
        "two-tags-two-elements",
        'find documents where tags = "urgent" and tags = "audit" and type = "Receipt"',
        typed("Receipt", lambda d: {"urgent", "audit"} <= set(d.tags)),
    ),
    docs(
        "tag-contains",
        'find documents where tags contains "client" and type = "NDA"',
        typed("NDA", lambda d: any("client" in tag for tag in d.tags)),
    ),
    docs(
        "tag-starts",
        'find documents where tags starts with "re" and folder = "Grants"',
        lambda d: d.folder == folder("Grants").id and any(tag.startswith("re") for tag in d.tags),
    ),
    docs(
        "tag-ends-and-starts",
        'find documents where tags starts with "needs" and tags ends with "end" and type = "Report"',
        typed("Report", lambda d: "needs-signature" in d.tags and "year-end" in d.tags),
    ),
    docs(
        "tag-like",
        'find documents where tags like "*-up" and type = "Lease"',
        typed("Lease", lambda d: "follow-up" in d.tags),
    ),
    entries(
        "tagged-entries",
        'find entries where tags has "year-end" and folder under "Legal"',
        lambda e: "year-end" in e.tags and below(e, folder("Legal")),
    ),
    folders("tagged-folders", 'find folders where tags has "year-end"', lambda f: "year-end" in f.tags),
    count("untagged", "count documents where tags missing", lambda d: not d.tags),
    # -- two-valued logic
    docs(
        "not-equal-takes-missing",
        'find documents where folder = "Sandbox" and category != "Tax"',
        lambda d: d.folder == folder("Sandbox").id and d.category != "Tax",
    ),
    docs(
        "not-of-and",
        'find documents where folder = "Legal" and not (type = "Contract" and signed)',
        lambda d: d.folder == folder("Legal").id and not (d.type == "Contract" and d.signed is True),
    ),
    docs(
        "not-of-or",
        'find documents where folder = "Legal" and not (type = "Contract" or size > 1 MB)',
        lambda d: d.folder == folder("Legal").id and not (d.type == "Contract" or over(d.size, MB)),
    ),
    docs("not-not", 'find documents where not (not type = "Tax Return")', lambda d: d.type == "Tax Return"),
    docs(
        "precedence",
        'find documents where type = "NDA" or type = "Lease" and signed',
        lambda d: d.type == "NDA" or (d.type == "Lease" and d.signed is True),
    ),
    docs(
        "precedence-not",
        'find documents where not signed and type = "NDA" or type = "Tax Return"',
        lambda d: (d.signed is not True and d.type == "NDA") or d.type == "Tax Return",
    ),
    docs(
        "brackets",
        'find documents where (type = "NDA" or type = "Lease") and signed',
        lambda d: d.type in ("NDA", "Lease") and d.signed is True,
    ),
    docs(
        "missing-or-small",
        'find documents where type = "Contract" and (contract_value missing or contract_value < 5000)',
        typed("Contract", lambda d: d.contract_value is None or d.contract_value < 5000),
    ),
    docs(
        "not-between",
        'find documents where type = "Contract" and not contract_value between 5000 and 200000',
        typed("Contract", lambda d: not among(d.contract_value, 5000, 200000)),
    ),
    count("complement", 'count documents where not category = "Finance"', lambda d: d.category != "Finance"),
    count(
        "not-of-either",
        'count documents where not (tags has "urgent" or category missing)',
        lambda d: not ("urgent" in d.tags or d.category is None),
    ),
    count(
        "unequal-and-unequal-or-missing",
        'count documents where type != "NDA" and type != "Lease" or type missing',
        lambda d: d.type not in ("NDA", "Lease"),
    ),
    count("list-like", 'count documents where tags like "?????"', lambda d: any(len(tag) == 5 for tag in d.tags)),
    count("not-list-like", 'count documents where not tags like "*-*"', lambda d: not any("-" in t for t in d.tags)),
    # -- field to field
    docs(
        "owner-is-creator",
        'find documents where owner = creator and type = "NDA"',
        typed("NDA", lambda d: d.owner == d.creator),
    ),
    docs(
        "owner-is-not-creator",
        'find documents where owner != creator and type = "NDA"',
        typed("NDA", lambda d: d.owner != d.creator),
    ),
    count("owner-is-editor", "count documents where owner = editor", lambda d: d.owner == d.editor),
    docs(
        "three-the-same",
        'find documents where owner = creator and creator = editor and folder under "Legal"',
        lambda d: d.owner == d.creator == d.editor and below(d, folder("Legal")),
    ),
    docs(
        "booleans-equal",
        'find documents where pci = locked and starred and type = "Invoice"',
        typed("Invoice", lambda d: d.pci == d.locked and d.starred),
    ),
    docs(
        "booleans-differ",
        'find documents where pci != locked and type = "NDA"',
        typed("NDA", lambda d: d.pci != d.locked),
    ),
    folders(
        "folders-owner-not-creator",
        'find folders where owner != creator and folder = "Clients"',
        lambda f: f.owner != f.creator and f.folder == folder("Clients").id,
    ),
    docs(
        "field-to-field-missing",
        'find documents where not vendor = employer and type = "W2" and tax_year = 2020',
        lambda d: d.type == "W2" and d.tax_year == 2020,
    ),
]
