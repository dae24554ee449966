"""Rows: measures by group, several groups, having, top of each parent, sort, limit."""

from .case import (
    count,
    distinct,
    highest,
    lowest,
    mean,
    median,
    refused,
    rows,
    several,
    share,
    table,
    top_per_parent,
    total,
    where,
)
from .keys import APP, CATEGORY, EXTENSION, MB, TYPE, key, month, of, ref, tree, year
from .model import below, document, documents, folder_at, holder, person
from .model import folders as all_folders
from .periods import weekday

CASES = [
    # -- other measures by a field
    rows("sum-by", "sum(size) of documents by type", lambda: table(documents(), TYPE, measure=total("size"))),
    rows(
        "avg-by",
        'avg(amount) of documents where type = "Receipt" by vendor limit 5',
        lambda: table(of("Receipt"), key("vendor"), measure=mean("amount"), limit=5),
    ),
    rows(
        "max-by", "max(size) of documents by extension", lambda: table(documents(), EXTENSION, measure=highest("size"))
    ),
    rows(
        "min-by", "min(size) of documents by extension", lambda: table(documents(), EXTENSION, measure=lowest("size"))
    ),
    rows(
        "distinct-by",
        "distinct(vendor) of documents by app",
        lambda: table(documents(), APP, measure=distinct("vendor")),
        tags=("ties",),
    ),
    rows(
        "distinct-list-by",
        'distinct(tags) of documents where folder under "Legal" by type',
        lambda: table(tree("Legal"), TYPE, measure=distinct("tags")),
    ),
    rows(
        "share-by",
        'share(signed) of documents where type in ["Contract", "NDA", "Lease"] by type',
        lambda: table(of("Contract") + of("NDA") + of("Lease"), TYPE, measure=share(lambda d: d.signed is True)),
    ),
    rows(
        "median-by",
        'median(size) of documents where type in ["Contract", "NDA", "Lease"] by type',
        lambda: table(of("Contract") + of("NDA") + of("Lease"), TYPE, measure=median("size")),
        near=0.05,
    ),
    rows(
        "several-by",
        'count, sum(amount), avg(amount) of documents where type = "Invoice" by payment_status',
        lambda: table(of("Invoice"), key("payment_status"), measure=several(len, total("amount"), mean("amount"))),
    ),
    rows(
        "min-date-by",
        'min(created) of documents where folder under "Legal" by type',
        lambda: table(tree("Legal"), TYPE, measure=lowest("created")),
    ),
    rows(
        "owner-sum",
        'sum(contract_value) of documents where type = "Lease" by owner',
        lambda: table(of("Lease"), ref("owner"), measure=total("contract_value")),
        tags=("nothing",),
    ),
    # -- several groups
    rows(
        "two",
        'count documents where folder under "Legal" by type, review_status',
        lambda: table(tree("Legal"), TYPE, key("review_status")),
    ),
    rows(
        "two-year",
        'count documents where type in ["NDA", "Lease"] by year(created), type sort year, type',
        lambda: table(of("NDA") + of("Lease"), year, TYPE, by="key"),
    ),
    rows(
        "two-unsorted",
        'count documents where type in ["NDA", "Lease"] by type, year(created)',
        lambda: table(of("NDA") + of("Lease"), TYPE, year),
        ordered=False,
    ),
    rows(
        "three",
        'count documents where type = "Invoice" by app, currency, payment_status',
        lambda: table(of("Invoice"), APP, key("currency"), key("payment_status")),
    ),
    rows(
        "two-with-list",
        'count documents where folder under "Legal" by type, tags',
        lambda: table(tree("Legal"), TYPE, key("tags")),
    ),
    rows(
        "two-with-reference",
        'count documents where type = "Lease" by owner, year(created)',
        lambda: table(of("Lease"), ref("owner"), year),
        ordered=False,
    ),
    rows(
        "two-cyclic",
        'count documents where type = "NDA" by weekday(created), signed',
        lambda: table(of("NDA"), lambda d: weekday(d.created), key("signed")),
        ordered=False,
    ),
    rows(
        "two-nested",
        'count documents where type = "Contract" by law, shares.role',
        lambda: table(of("Contract"), key("law"), lambda d: [s.role for s in d.shares]),
    ),
    # -- having
    rows(
        "having",
        "count documents by type having count >= 150",
        lambda: table(documents(), TYPE, having=lambda g: len(g) >= 150),
    ),
    rows(
        "having-range",
        "count documents by vendor having count between 50 and 60",
        lambda: table(documents(), key("vendor"), having=lambda g: 50 <= len(g) <= 60),
        open_to_reading=True,
        why="`between` in having is not shown",
    ),
    rows(
        "having-hidden",
        "count documents by type having sum(size) > 100 MB",
        lambda: table(documents(), TYPE, having=lambda g: total("size")(g) > 100 * MB),
    ),
    rows(
        "having-and",
        "count documents by extension having count >= 50 and avg(size) > 1 MB",
        lambda: table(documents(), EXTENSION, having=lambda g: len(g) >= 50 and mean("size")(g) > MB),
    ),
    rows(
        "having-or-not",
        "count documents by extension having not count > 100 or avg(size) > 5 MB",
        lambda: table(documents(), EXTENSION, having=lambda g: not len(g) > 100 or mean("size")(g) > 5 * MB),
    ),
    rows(
        "having-measure",
        "avg(size) of documents by type having avg(size) > 2 MB",
        lambda: table(documents(), TYPE, measure=mean("size"), having=lambda g: mean("size")(g) > 2 * MB),
    ),
    rows(
        "having-month",
        "count documents by month(created) having count > 120",
        lambda: table(documents(), month, by="key", having=lambda g: len(g) > 120),
    ),
    rows(
        "having-owner",
        "count folders by owner having count >= 30",
        lambda: table(all_folders(), ref("owner"), having=lambda g: len(g) >= 30),
    ),
    # -- top, sort, limit
    rows("limit", "count documents by type limit 3", lambda: table(documents(), TYPE, limit=3)),
    rows(
        "limit-after-having",
        "count documents by type having count < 100 limit 4",
        lambda: table(documents(), TYPE, having=lambda g: len(g) < 100, limit=4),
    ),
    rows("sort-key", "count documents by app sort app", lambda: table(documents(), APP, by="key")),
    rows("sort-key-desc", "count documents by app sort app desc", lambda: table(documents(), APP, by="key", desc=True)),
    rows("sort-count", "count documents by category sort count", lambda: table(documents(), CATEGORY, desc=False)),
    rows(
        "sort-count-limit",
        "count documents by category sort count asc limit 3",
        lambda: table(documents(), CATEGORY, desc=False, limit=3),
    ),
    rows(
        "sort-other-measure",
        "count, avg(size) of documents by extension sort avg desc limit 3",
        lambda: sorted(table(documents(), EXTENSION, measure=several(len, mean("size"))), key=lambda row: -row[1][1])[
            :3
        ],
    ),
    rows(
        "month-limit",
        "count documents by month(created) sort month desc limit 3",
        lambda: table(documents(), month, by="key", desc=True, limit=3),
    ),
    rows(
        "best-month",
        "count documents by month(created) sort count desc limit 1",
        lambda: table(documents(), month, limit=1),
    ),
    rows(
        "year-desc",
        "count documents by year(created) sort year desc",
        lambda: table(documents(), year, by="key", desc=True),
    ),
    rows(
        "weekday-best",
        "count documents by weekday(created) sort count desc limit 2",
        lambda: table(documents(), lambda d: weekday(d.created), limit=2),
    ),
    rows("top", "count documents by app, type top 2", lambda: top_per_parent(table(documents(), APP, TYPE), 2)),
    rows(
        "top-one",
        'count documents where folder under "Clients" by extension, type top 1',
        lambda: top_per_parent(table(tree("Clients"), EXTENSION, TYPE), 1),
    ),
    rows(
        "top-measure",
        "sum(size) of documents by app, extension top 1",
        lambda: top_per_parent(table(documents(), APP, EXTENSION, measure=total("size")), 1),
    ),
    rows(
        "top-and-limit",
        "count documents by app, type top 1 limit 3",
        lambda: top_per_parent(table(documents(), APP, TYPE), 1)[:3],
    ),
    rows(
        "top-by-sort",
        "count documents by app, extension top 1 sort count",
        lambda: top_per_parent(table(documents(), APP, EXTENSION, desc=False), 1),
        ordered=False,
        open_to_reading=True,
        why="the fewest of each parent, since top follows the order of sort; ties by key",
    ),
    rows(
        "limit-flat",
        'count documents where folder under "Legal" by type, signed limit 3',
        lambda: table(tree("Legal"), TYPE, key("signed"), limit=3),
    ),
    rows(
        "ties-by-key",
        'count documents where extension in ["json", "sql", "html"] by extension',
        lambda: [("html", 1), ("json", 1), ("sql", 1)],
    ),
    # -- narrowed by lookups and sets
    rows(
        "in-path",
        'count documents where folder under "Kowalski Bakery > Tax" by type',
        lambda: table(where(documents(), lambda d: below(d, folder_at("Kowalski Bakery/Tax"))), TYPE),
    ),
    rows(
        "beside-document",
        'count documents where folder = document("Dock Permit.pdf").folder by type',
        lambda: table(where(documents(), lambda d: d.folder == document("Dock Permit.pdf").folder), TYPE),
    ),
    rows(
        "of-set",
        'count documents where folder in (find folders where name = "Old") by extension',
        lambda: table(where(documents(), lambda d: getattr(holder(d), "name", "") == "Old"), EXTENSION),
    ),
    rows("nothing", 'count documents where type = "NDA" and extension = "mp4" by app', list, tags=("empty",)),
    count(
        "distinct-owners-check",
        'count documents where owner = "Tom Baker" and type = "Report"',
        lambda d: d.owner == person("Tom Baker") and d.type == "Report",
    ),
    refused("limit-needs-sort", "count documents by month(created) limit 3", "limit without sort"),
    refused("limit-needs-sort-bins", "count documents by bins(pages, 5, 10) limit 1", "limit without sort"),
    refused("chain-of-three", "avg(folder.document_count) of documents by type", "chain"),
]
