"""Conditions through references in every shape, and sets that come from rows."""

from functools import cache
from typing import Any

from .case import Test, count, docs, folders, groups, median, rows, share, table, top_per_parent, total
from .keys import APP, EXTENSION, TYPE, of, tree
from .model import Row, below, by_id, document, documents, folder, holder, over, person, shared
from .periods import span


def up(d: Row, steps: int, field: str) -> Any:
    """A field of the folder so many steps above; None beyond the top."""
    place: Row | None = d
    for _ in range(steps):
        place = holder(place) if place is not None else None
    return None if place is None else place[field]


def original(d: Row) -> Row | None:
    return by_id().get(d.copied_from)


def typed(kind: str, test: Test) -> Test:
    return lambda d: d.type == kind and test(d)


@cache
def owners_of_many(number: int) -> set[str]:
    return {owner for owner, group in groups(documents(), lambda d: d.owner).items() if len(group) > number}


@cache
def large_types() -> set[str]:
    return {d.type for d in documents() if d.type and d.size > 20 * 10**6}


@cache
def busiest(number: int) -> set[str]:
    found = sorted(groups(documents(), lambda d: d.folder).items(), key=lambda pair: -len(pair[1]))
    return {place for place, _ in found[:number]}


@cache
def quoters() -> set[str]:
    return {d.creator for d in documents() if d.type == "Quote" and d.created in span("2026-02")}


CASES = [
    docs(
        "three-up",
        'find documents where folder.folder.folder.name = "Business" and type = "NDA"',
        typed("NDA", lambda d: up(d, 3, "name") == "Business"),
    ),
    docs(
        "up-is-root",
        'find documents where folder.folder = root and type = "Report"',
        typed("Report", lambda d: up(d, 1, "folder") == "root"),
    ),
    docs(
        "up-is-not-root",
        'find documents where not folder.folder = root and type = "NDA"',
        typed("NDA", lambda d: up(d, 1, "folder") != "root"),
    ),
    docs(
        "folder-tag",
        'find documents where folder.tags has "recurring" and type = "Receipt"',
        typed("Receipt", lambda d: "recurring" in (up(d, 1, "tags") or [])),
    ),
    docs(
        "folder-date",
        'find documents where folder.created >= 2023 and type = "Letter"',
        typed("Letter", lambda d: up(d, 1, "created") is not None and up(d, 1, "created") >= span("2023").start),
    ),
    docs(
        "folder-starred",
        'find documents where folder.starred and type = "Report"',
        typed("Report", lambda d: up(d, 1, "starred") is True),
    ),
    docs(
        "folder-name-contains",
        'find documents where folder.name contains "review" and type = "Receipt"',
        typed("Receipt", lambda d: "review" in (up(d, 1, "name") or "").lower()),
    ),
    docs(
        "folder-missing-category",
        'find documents where folder.category missing and type = "Tax Return"',
        typed("Tax Return", lambda d: up(d, 1, "category") is None),
        open_to_reading=True,
        why="a top-level entry has no folder; none stands there, so the reading makes no difference",
    ),
    docs(
        "folder-shared",
        'find documents where folder.shares.who = "Grace Kim"',
        lambda d: holder(d) is not None and shared(holder(d), "Grace Kim"),
    ),
    docs(
        "folder-shared-bracket",
        'find documents where folder.shares[who = "Grace Kim" and role = "viewer"]',
        lambda d: holder(d) is not None and shared(holder(d), "Grace Kim", "viewer"),
    ),
    docs(
        "folder-in-list",
        'find documents where folder.color in ["red", "yellow"] and type = "Lease"',
        typed("Lease", lambda d: up(d, 1, "color") in ("red", "yellow")),
    ),
    docs(
        "folder-not-in-list",
        'find documents where folder.color not in ["red", "yellow"] and type = "Lease"',
        typed("Lease", lambda d: up(d, 1, "color") not in ("red", "yellow")),
    ),
    docs(
        "folder-of-original",
        'find documents where copied_from.folder = "Letters"',
        lambda d: original(d) is not None and original(d).folder == folder("Letters").id,
    ),
    docs(
        "tree-of-original",
        'find documents where copied_from.folder under "Clients"',
        lambda d: original(d) is not None and below(original(d), folder("Clients")),
    ),
    docs(
        "original-older",
        "find documents where copied_from.created < 2022",
        lambda d: original(d) is not None and original(d).created.year < 2022,
    ),
    docs(
        "original-of-type",
        'find documents where copied_from.type = "Contract" and size > 1 MB',
        lambda d: original(d) is not None and original(d).type == "Contract" and over(d.size, 10**6),
        tags=("empty",),
    ),
    docs(
        "not-the-owner-of-the-original",
        'find documents where copied_from exists and copied_from.owner != "Grace Kim"',
        lambda d: d.copied_from is not None and (original(d) is None or original(d).owner != person("Grace Kim")),
    ),
    docs(
        "parent-of-set",
        'find documents where folder.folder in (find folders where name = "Design")',
        lambda d: up(d, 2, "name") == "Design",
    ),
    folders(
        "parent-owner",
        'find folders where folder.owner = "Brightwater LLC" and owner != "Brightwater LLC"',
        lambda f: up(f, 1, "owner") == person("Brightwater LLC") and f.owner != person("Brightwater LLC"),
    ),
    folders(
        "grandparent-is",
        'find folders where folder.folder = "Business" and color = "green"',
        lambda f: f.color == "green" and up(f, 1, "folder") == folder("Business").id,
    ),
    count(
        "count-through",
        'count documents where folder.owner = "Elena Petrova" and creator != "Elena Petrova"',
        lambda d: up(d, 1, "owner") == person("Elena Petrova") and d.creator != person("Elena Petrova"),
    ),
    docs(
        "or-through",
        'find documents where type = "Lease" and (folder.owner = "Elena Petrova" or owner = "Elena Petrova")',
        typed("Lease", lambda d: person("Elena Petrova") in (d.owner, up(d, 1, "owner"))),
    ),
    docs(
        "field-of-lookup-through",
        'find documents where folder.owner = document("Q3 Report.pdf").folder.owner and type = "Meeting Notes"',
        typed("Meeting Notes", lambda d: up(d, 1, "owner") == up(document("Q3 Report.pdf"), 1, "owner")),
    ),
    # -- sets from rows
    docs(
        "owners-of-many",
        'find documents where type = "NDA" and owner not in (count documents by owner having count > 300).owner',
        typed("NDA", lambda d: d.owner not in owners_of_many(300)),
    ),
    docs(
        "types-with-large-files",
        'find documents where folder = "Product Photos" and'
        " type in (max(size) of documents by type having max(size) > 20 MB).type",
        lambda d: d.folder == folder("Product Photos").id and d.type in large_types(),
    ),
    folders(
        "busiest-folders",
        "find folders where id in (count documents by folder limit 3).folder",
        lambda f: f.id in busiest(3),
    ),
    docs(
        "creators-of-a-month",
        'find documents where type = "Lease" and creator in'
        ' (find documents where created = 2026-02 and type = "Quote").creator',
        typed("Lease", lambda d: d.creator in quoters()),
    ),
    rows(
        "having-share",
        'count documents by vendor having share(currency = "EUR") > 0.5',
        lambda: table(documents(), lambda d: d.vendor, having=lambda g: share(lambda d: d.currency == "EUR")(g) > 0.5),
        tags=("ties",),
    ),
    rows(
        "having-distinct",
        "count documents by category having distinct(type) > 10",
        lambda: table(documents(), lambda d: d.category, having=lambda g: len({d.type for d in g if d.type}) > 10),
    ),
    rows(
        "top-of-three",
        'count documents where folder under "Clients" by app, type, extension top 1',
        lambda: top_per_parent(table(tree("Clients"), APP, TYPE, EXTENSION), 1),
    ),
    rows(
        "through-and-plain",
        'count documents where type in ["NDA", "Lease"] by folder.color, type',
        lambda: table(of("NDA") + of("Lease"), lambda d: up(d, 1, "color"), TYPE),
        ordered=False,
    ),
    # -- told beside the answer
    docs("unknown-value-told", 'find documents where vendor = "Ikee"', lambda d: False, told=True, tags=("empty",)),
    docs("always-true-told", "find documents where size >= 0 or not size >= 0", lambda d: True, told=True),
    rows(
        "tie-told",
        'count documents where extension in ["json", "sql", "html"] by extension limit 2',
        lambda: [("html", 1), ("json", 1)],
        told=True,
    ),
    rows(
        "units-told",
        'sum(amount) of documents where type = "Invoice" by currency',
        lambda: table(of("Invoice"), lambda d: d.currency, measure=total("amount")),
    ),
    rows(
        "several-units-told",
        'sum(amount) of documents where type = "Invoice" by app',
        lambda: table(of("Invoice"), APP, measure=total("amount")),
        told=True,
    ),
    rows(
        "median-told",
        'median(size) of documents where type in ["NDA", "Lease"] by type',
        lambda: table(of("NDA") + of("Lease"), TYPE, measure=median("size")),
        near=0.05,
        told=True,
    ),
    docs(
        "back-quotes",
        'find documents where `type` = "NDA" and `size` > 1 MB',
        typed("NDA", lambda d: over(d.size, 10**6)),
    ),
    docs(
        "back-quoted-path",
        'find documents where `systemAttributes`.`checksum` exists and type = "NDA"',
        typed("NDA", lambda d: d.checksum is not None),
    ),
]
