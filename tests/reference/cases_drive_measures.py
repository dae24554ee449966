"""Measures over all the documents that meet a condition: one number, or one row of several."""

from .case import count, distinct, highest, lowest, mean, median, percentile, share, total, value, where
from .model import Row, below, document, documents, folder, over, person
from .model import entries as all_entries
from .model import folders as all_folders

NEAR = 0.02  # what only an estimate is asked for


def of(kind: str) -> list[Row]:
    return where(documents(), lambda d: d.type == kind)


def tree(name: str) -> list[Row]:
    return where(documents(), lambda d: below(d, folder(name)))


def vendor(name: str) -> list[Row]:
    return where(documents(), lambda d: d.vendor == name)


CASES = [
    count("count-all", "count documents", lambda d: True),
    count("count-folders", "count folders", lambda f: True, all_folders),
    count("count-entries", "count entries", lambda e: True, all_entries),
    count(
        "count-where",
        'count documents where type = "W2" and tax_year = 2024',
        lambda d: d.type == "W2" and d.tax_year == 2024,
    ),
    count("count-none", 'count documents where type = "NDA" and extension = "mp4"', lambda d: False, tags=("empty",)),
    count(
        "count-people",
        'count documents where owner = "Ruth Abara" and creator = "Ruth Abara"',
        lambda d: d.owner == d.creator == person("Ruth Abara"),
    ),
    value(
        "count-measure",
        'count of documents where type = "NDA"',
        lambda: 47,
        open_to_reading=True,
        why="`count` is a measure, `count ENTITIES` the usual form",
    ),
    value(
        "sum", 'sum(size) of documents where folder under "Brand Assets"', lambda: total("size")(tree("Brand Assets"))
    ),
    value("sum-all", "sum(size) of documents", lambda: total("size")(documents())),
    value(
        "sum-amount",
        'sum(amount) of documents where type = "Invoice" and payment_status = "overdue" and currency = "USD"',
        lambda: total("amount")(where(of("Invoice"), lambda d: d.payment_status == "overdue" and d.currency == "USD")),
    ),
    value("sum-pages", 'sum(pages) of documents where type = "NDA"', lambda: total("pages")(of("NDA"))),
    value("sum-nothing", 'sum(amount) of documents where type = "Photo"', lambda: 0, tags=("empty",)),
    value("avg", 'avg(amount) of documents where type = "Receipt"', lambda: mean("amount")(of("Receipt"))),
    value(
        "avg-skips-missing", 'avg(pages) of documents where folder under "Legal"', lambda: mean("pages")(tree("Legal"))
    ),
    value("avg-nothing", 'avg(amount) of documents where type = "Photo"', lambda: None, tags=("empty",)),
    value(
        "min",
        'min(contract_value) of documents where type = "Contract"',
        lambda: lowest("contract_value")(of("Contract")),
    ),
    value("max", "max(size) of documents", lambda: highest("size")(documents())),
    value("max-nothing", 'max(amount) of documents where type = "Photo"', lambda: None, tags=("empty",)),
    value(
        "min-date",
        'min(created) of documents where folder = "NDAs"',
        lambda: min(d.created for d in documents() if d.folder == folder("NDAs").id),
    ),
    value("max-date", "max(modified) of documents", lambda: max(d.modified for d in documents())),
    value("median", 'median(size) of documents where type = "NDA"', lambda: median("size")(of("NDA")), near=NEAR),
    value(
        "median-amount",
        'median(amount) of documents where type = "Receipt"',
        lambda: median("amount")(of("Receipt")),
        near=NEAR,
    ),
    value("percentile", "percentile(views, 95) of documents", lambda: percentile("views", 95)(documents()), near=NEAR),
    value(
        "percentile-ninety",
        'percentile(amount, 90) of documents where type = "Invoice"',
        lambda: percentile("amount", 90)(of("Invoice")),
        near=NEAR,
    ),
    value("median-nothing", 'median(amount) of documents where type = "Photo"', lambda: None, tags=("empty",)),
    value("distinct", "distinct(type) of documents", lambda: 27),
    value("distinct-vendor", "distinct(vendor) of documents", lambda: distinct("vendor")(documents())),
    value(
        "distinct-tags",
        'distinct(tags) of documents where folder = "Grants"',
        lambda: distinct("tags")(where(documents(), lambda d: d.folder == folder("Grants").id)),
    ),
    value("distinct-owner", "distinct(owner) of documents", lambda: distinct("owner")(documents())),
    value(
        "distinct-folder",
        'distinct(folder) of documents where type = "Invoice"',
        lambda: distinct("folder")(of("Invoice")),
    ),
    value("distinct-many", "distinct(size) of documents", lambda: distinct("size")(documents())),
    value("distinct-number", "distinct(pages) of documents", lambda: 10),
    value("distinct-boolean", "distinct(starred) of documents", lambda: 2),
    value("distinct-nothing", 'distinct(vendor) of documents where type = "Photo"', lambda: 0, tags=("empty",)),
    value(
        "share-of-signed",
        'share(signed) of documents where type = "Contract"',
        lambda: share(lambda d: d.signed is True)(of("Contract")),
    ),
    value(
        "share-condition",
        'share(amount > 1000 and currency = "USD") of documents where type = "Invoice"',
        lambda: share(lambda d: over(d.amount, 1000) and d.currency == "USD")(of("Invoice")),
    ),
    value(
        "share-nested",
        'share(shares.role = "editor") of documents where type = "Contract"',
        lambda: share(lambda d: any(s.role == "editor" for s in d.shares))(of("Contract")),
    ),
    value("share-not", "share(not tags exists) of documents", lambda: share(lambda d: not d.tags)(documents())),
    value(
        "share-nothing",
        'share(signed) of documents where type = "NDA" and extension = "mp4"',
        lambda: None,
        tags=("empty",),
    ),
    value(
        "several",
        'count, sum(amount), max(amount) of documents where vendor = "IKEA"',
        lambda: (57, total("amount")(vendor("IKEA")), highest("amount")(vendor("IKEA"))),
    ),
    value(
        "several-dates",
        'min(created), max(created) of documents where type = "NDA"',
        lambda: (min(d.created for d in of("NDA")), max(d.created for d in of("NDA"))),
    ),
    value(
        "several-kinds",
        'distinct(creator), share(starred), avg(size) of documents where folder under "Legal"',
        lambda: (
            distinct("creator")(tree("Legal")),
            share(lambda d: d.starred)(tree("Legal")),
            mean("size")(tree("Legal")),
        ),
    ),
    value(
        "folders-measure",
        'max(document_count), sum(document_count) of folders where folder = "Clients"',
        lambda: (2, sum(f.document_count for f in all_folders() if f.folder == folder("Clients").id)),
    ),
    value(
        "measure-over-tree-of",
        'sum(size) of documents where folder under document("Roof Estimate.pdf").folder.folder',
        lambda: total("size")(tree("12 Maple St")),
    ),
    value(
        "measure-by-lookup",
        'avg(views) of documents where owner = document("Q3 Report.pdf").owner',
        lambda: mean("views")(where(documents(), lambda d: d.owner == document("Q3 Report.pdf").owner)),
    ),
    value(
        "duration",
        "sum(duration), avg(duration) of documents",
        lambda: (total("duration")(documents()), mean("duration")(documents())),
    ),
    value(
        "avg-fraction",
        'avg(ocr_confidence) of documents where extension = "heic"',
        lambda: mean("ocr_confidence")(where(documents(), lambda d: d.extension == "heic")),
        near=1e-6,
    ),
]
