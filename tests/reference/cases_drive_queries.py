"""Sub-queries as one and as a set, `let`, `get`."""

from collections import Counter
from datetime import datetime
from functools import cache
from typing import Any

from .case import Ref, Test, asks, count, docs, folders, missing, value
from .model import Row, below, by_id, document, documents, folder, folder_at, over, person
from .model import folders as all_folders
from .periods import span

Q3 = "Q3 Report.pdf"


def typed(kind: str, test: Test) -> Test:
    return lambda d: d.type == kind and test(d)


def in_folder(name: str) -> Test:
    return lambda d: d.folder == folder(name).id


def first(test: Test, key: Test, *, last: bool = False) -> Row:
    """The one document that stands first (or last) in an order."""
    return (max if last else min)(filter(test, documents()), key=key)


def created(d: Row) -> datetime:
    return d.created


@cache
def newest_in(name: str) -> Row:
    return first(in_folder(name), created, last=True)


@cache
def fields_in(name: str, field: str) -> set[Any]:
    """What the documents directly in a folder have in a field."""
    return {d[field] for d in documents() if in_folder(name)(d) and d[field] is not None}


@cache
def most(kind: str | None, field: str) -> Any:
    """The largest value of a field, over the documents of a type."""
    return max(d[field] for d in documents() if (kind is None or d.type == kind) and d[field] is not None)


@cache
def folders_named(name: str) -> set[str]:
    return {f.id for f in all_folders() if f.name == name}


@cache
def biggest(parent: str, number: int) -> set[str]:
    found = sorted(
        (f for f in all_folders() if f.folder == folder_at(parent).id), key=lambda f: (-f.document_count, f.name)
    )
    return {f.id for f in found[:number]}


def name_of_parent(d: Row) -> str | None:
    place = by_id().get(by_id()[d.folder].folder) if d.folder in by_id() else None
    return place.name if place else None


@cache
def top_types(name: str, number: int) -> set[str]:
    counts = Counter(d.type for d in documents() if in_folder(name)(d) and d.type)
    return {kind for kind, _ in counts.most_common(number)}


@cache
def top_type_below(name: str) -> str:
    counts = Counter(d.type for d in documents() if below(d, folder(name)) and d.type)
    return counts.most_common(1)[0][0]


@cache
def top_owner(kind: str) -> str:
    return Counter(d.owner for d in documents() if d.type == kind).most_common(1)[0][0]


@cache
def largest() -> Row:
    return first(lambda d: True, lambda d: d.size, last=True)


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


CASES = [
    # -- sub-queries: a set
    docs(
        "set-of-folders",
        'find documents where folder in (find folders where name = "Old")',
        lambda d: d.folder in folders_named("Old"),
    ),
    docs(
        "set-negated",
        'find documents where type = "Invoice" and folder not in (find folders where name = "Invoices")',
        typed("Invoice", lambda d: d.folder not in folders_named("Invoices")),
    ),
    folders(
        "set-of-field",
        'find folders where id in (find documents where tags has "urgent" and type = "NDA").folder',
        lambda f: f.id in {d.folder for d in documents() if d.type == "NDA" and "urgent" in d.tags},
    ),
    folders(
        "folders-without",
        'find folders where folder = "Miscellaneous" and id not in (find documents where type = "Photo").folder',
        lambda f: (
            f.folder == folder("Miscellaneous").id and f.id not in {d.folder for d in documents() if d.type == "Photo"}
        ),
    ),
    docs(
        "set-of-owners",
        'find documents where type = "Lease" and owner in (find folders where folder = root).owner',
        typed("Lease", lambda d: d.owner in {f.owner for f in all_folders() if f.folder == "root"}),
    ),
    docs(
        "set-with-limit",
        "find documents where folder in"
        ' (find folders where folder = "Business/Vendors" sort document_count desc, name limit 3)',
        lambda d: d.folder in biggest("Business/Vendors", 3),
        tags=("ties",),
    ),
    docs(
        "set-of-tags",
        'find documents where type = "NDA" and tags has any (find documents where folder = "Trademarks").tags',
        typed(
            "NDA", lambda d: set(d.tags) & {tag for t in documents() if in_folder("Trademarks")(t) for tag in t.tags}
        ),
    ),
    docs(
        "set-within-set",
        "find documents where folder in (find folders where folder in"
        ' (find folders where name = "Design")) and type = "Design Asset"',
        typed("Design Asset", lambda d: name_of_parent(d) == "Design"),
    ),
    docs(
        "set-of-types",
        'find documents where folder = "Archive > Tax" and type not in (find documents where folder = "Grants").type',
        lambda d: (
            d.folder == folder_at("Archive/Tax").id
            and d.type not in {t.type for t in documents() if in_folder("Grants")(t)}
        ),
    ),
    docs(
        "empty-set-negated",
        'find documents where folder = "Grants" and folder not in (find folders where name = "No Such Folder")',
        in_folder("Grants"),
        told=True,
    ),
    docs(
        "set-of-relationships",
        "find documents where relationship in"
        ' (find documents where folder = "Inspections" and relationship exists).relationship',
        lambda d: d.relationship in fields_in("Inspections", "relationship"),
    ),
    docs(
        "originals-of-a-folder",
        'find documents where id in (find documents where folder = "To Review").copied_from',
        lambda d: d.id in fields_in("To Review", "copied_from"),
    ),
    docs(
        "creators-who-own-nothing",
        'find documents where type = "Contract" and creator not in (find folders where folder under root).owner',
        typed("Contract", lambda d: d.creator not in {f.owner for f in all_folders()}),
    ),
    docs(
        "types-by-rows",
        'find documents where folder = "Expenses" and'
        ' type in (count documents where folder = "Donors" by type limit 2).type',
        lambda d: in_folder("Expenses")(d) and d.type in top_types("Donors", 2),
    ),
    # -- sub-queries: one
    docs(
        "one-folder", 'find documents where folder = (find folders where name = "Trademarks")', in_folder("Trademarks")
    ),
    docs(
        "one-value",
        'find documents where type = "Contract" and owner = (find folders where name = "Legal").owner',
        typed("Contract", lambda d: d.owner == folder("Legal").owner),
    ),
    docs(
        "one-app-of-newest",
        'find documents where folder = "Inbox" and app ='
        ' (find documents where folder = "Inbox" sort created desc limit 1).app',
        lambda d: in_folder("Inbox")(d) and d.app == newest_in("Inbox").app,
    ),
    docs(
        "one-distinct-value",
        'find documents where category = (find documents where folder = "Kyoto 2025"'
        ' and type = "Receipt" and category = "Travel").category and type = "Photo"',
        typed("Photo", lambda d: d.category == "Travel"),
    ),
    docs(
        "newer-than-newest",
        'find documents where type = "NDA" and created >'
        ' (find documents where folder = "Trademarks" sort created desc limit 1).created',
        typed("NDA", lambda d: d.created > newest_in("Trademarks").created),
    ),
    docs(
        "bigger-than-average",
        'find documents where type = "Tax Return" and size > (avg(size) of documents where type = "Tax Return")',
        typed("Tax Return", lambda d: d.size > mean([t.size for t in documents() if t.type == "Tax Return"])),
    ),
    docs(
        "as-many-as-the-most",
        "find documents where views = (max(views) of documents)",
        lambda d: d.views == most(None, "views"),
    ),
    docs(
        "largest-of-type",
        'find documents where type = "Invoice" and amount = (max(amount) of documents where type = "Invoice")',
        typed("Invoice", lambda d: d.amount == most("Invoice", "amount")),
    ),
    count(
        "count-of-top-type",
        'count documents where folder under "Clients" and type ='
        ' (count documents where folder under "Clients" by type limit 1).type',
        lambda d: below(d, folder("Clients")) and d.type == top_type_below("Clients"),
    ),
    folders(
        "folder-with-most",
        "find folders where id = (count documents by folder limit 1).folder",
        lambda f: f.name == "Donors",
    ),
    docs(
        "of-the-owner-with-most",
        'find documents where type = "Handbook" and owner ='
        ' (count documents where type = "Handbook" by owner limit 1).owner',
        lambda d: d.type == "Handbook" and d.owner == top_owner("Handbook"),
    ),
    asks(
        "several-where-one",
        'find documents where folder = (find folders where name = "Board")',
        lambda: [f.id for f in all_folders() if f.name == "Board"],
    ),
    asks(
        "several-documents-where-one",
        'find documents where copied_from = (find documents where name = "Report.pdf")',
        lambda: [d.id for d in documents() if d.name == "Report.pdf"],
    ),
    missing("none-where-one", 'find documents where folder = (find folders where name = "Boardroom")', ""),
    # -- let
    docs("let-folder", 'let f = folder("Trademarks")\nfind documents where folder = f', in_folder("Trademarks")),
    docs(
        "let-document",
        f'let d = document("{Q3}")\nfind documents where folder = d.folder and id != d',
        lambda d: d.folder == document(Q3).folder and d.name != Q3,
    ),
    docs(
        "let-set",
        'let old = (find folders where name = "Old")\nfind documents where folder in old and extension = "md"',
        lambda d: d.extension == "md" and d.folder in folders_named("Old"),
    ),
    docs("let-number", "let big = 50 MB\nfind documents where size > big", lambda d: over(d.size, 50 * 10**6)),
    docs(
        "let-string",
        'let kind = "NDA"\nfind documents where type = kind and signed = false',
        typed("NDA", lambda d: d.signed is False),
    ),
    docs(
        "let-list",
        'let kinds = ["Lease", "NDA"]\nfind documents where type in kinds and created = 2024',
        lambda d: d.type in ("Lease", "NDA") and d.created.year == 2024,
    ),
    docs(
        "let-period",
        'let q = 2024-Q2\nfind documents where created in q and type = "Contract"',
        typed("Contract", lambda d: d.created in span("2024-Q2")),
    ),
    docs(
        "let-two",
        'let boss = folder("Legal").owner\nlet place = folder("Clients")\n'
        "find documents where owner = boss and folder under place",
        lambda d: d.owner == folder("Legal").owner and below(d, folder("Clients")),
    ),
    docs(
        "let-of-let",
        f'let d = document("{Q3}")\nlet f = d.folder\nfind documents where folder = f and created > d.created',
        lambda d: d.folder == document(Q3).folder and d.created > document(Q3).created,
    ),
    count(
        "let-comment",
        '-- how many\nlet f = folder("Grants") -- of these\ncount documents where folder = f',
        in_folder("Grants"),
    ),
    docs(
        "let-average",
        'let usual = (avg(size) of documents where folder = "Grants")\n'
        'find documents where folder = "Grants" and size > usual',
        lambda d: in_folder("Grants")(d) and d.size > mean([t.size for t in documents() if in_folder("Grants")(t)]),
    ),
    docs(
        "let-used-twice",
        'let f = folder("NDAs")\nfind documents where folder = f and owner != f.owner',
        lambda d: in_folder("NDAs")(d) and d.owner != folder("NDAs").owner,
    ),
    asks(
        "let-asks-once",
        'let f = folder("Board")\nfind documents where folder = f or folder under f',
        lambda: [f.id for f in all_folders() if f.name == "Board"],
    ),
    # -- get
    value("get-owner", f'get document("{Q3}").owner', lambda: Ref(person("Marcus Webb"))),
    value("get-string", 'get document("Globex MSA 2025.pdf").law', lambda: document("Globex MSA 2025.pdf").law),
    value("get-number", 'get document("Welcome tour.mp4").size', lambda: document("Welcome tour.mp4").size),
    value("get-boolean", 'get document("Globex MSA 2025.pdf").signed', lambda: document("Globex MSA 2025.pdf").signed),
    value("get-list", f'get document("{Q3}").tags', lambda: list(document(Q3).tags)),
    value("get-chain", 'get document("Roof Estimate.pdf").folder.name', lambda: "Repairs"),
    value(
        "get-chain-owner",
        'get document("Template_Letter - Globex.docx").copied_from.owner',
        lambda: Ref(person("Grace Kim")),
    ),
    value("get-parent", 'get folder("IRS Letters").folder', lambda: Ref(folder("Tax Documents").id)),
    value(
        "get-original",
        'get document("Landlord reminder.docx").copied_from',
        lambda: Ref(document("Template_Letter.docx").id),
    ),
    value(
        "get-several",
        'get document("Globex MSA 2025.pdf").counterparty, contract_value, signed',
        lambda: (
            document("Globex MSA 2025.pdf").counterparty,
            document("Globex MSA 2025.pdf").contract_value,
            document("Globex MSA 2025.pdf").signed,
        ),
    ),
    value(
        "get-of-largest",
        "get (find documents sort size desc limit 1).owner, size",
        lambda: (Ref(largest().owner), largest().size),
    ),
    value(
        "get-name-of-newest",
        'get (find documents where folder = "Trademarks" sort created desc limit 1).name',
        lambda: newest_in("Trademarks").name,
    ),
    value("get-by-path", 'get document("Mobile App > notes.txt").creator', lambda: Ref(person("Hannah Fischer"))),
    value("get-folder-count", 'get folder("Donors").document_count', lambda: 91),
    value("get-parent-of-top-folder", 'get folder("Projects").folder', lambda: "root"),
    missing("get-lacking", 'get document("Rye notes.md").category', "category"),
    missing("get-of-deleted", 'get document("Copy of Lease 2018.pdf").copied_from.owner', "delet"),
]
