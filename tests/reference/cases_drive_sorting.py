"""The order of hits, limits and offsets, clauses in any order."""

from datetime import datetime

from .case import Test, docs, entries, folders, refused
from .model import Row, below, folder, holds


def in_folder(name: str) -> Test:
    return lambda d: d.folder == folder(name).id


def created(d: Row) -> datetime:
    return d.created


CASES = [
    # -- sorting, limits, offsets
    docs("sort-size", 'find documents where folder = "Grants" sort size', in_folder("Grants"), sort=lambda d: d.size),
    docs(
        "sort-size-desc",
        'find documents where folder = "Grants" sort size desc',
        in_folder("Grants"),
        sort=lambda d: d.size,
        desc=True,
    ),
    docs(
        "sort-asc-word",
        'find documents where folder = "Trademarks" sort created asc',
        in_folder("Trademarks"),
        sort=created,
    ),
    docs(
        "largest-ten",
        "find documents sort size desc limit 10",
        lambda d: True,
        sort=lambda d: d.size,
        desc=True,
        limit=10,
    ),
    docs(
        "newest-five",
        'find documents where folder = "Inbox" sort created desc limit 5',
        in_folder("Inbox"),
        sort=created,
        desc=True,
        limit=5,
    ),
    docs(
        "second-largest",
        "find documents sort size desc limit 1 offset 1",
        lambda d: True,
        sort=lambda d: d.size,
        desc=True,
        limit=1,
        offset=1,
    ),
    docs(
        "next-page",
        'find documents where type = "NDA" sort created desc limit 10 offset 10',
        lambda d: d.type == "NDA",
        sort=created,
        desc=True,
        limit=10,
        offset=10,
    ),
    docs(
        "offset-past-the-end",
        'find documents where folder = "Grants" sort created limit 10 offset 100',
        in_folder("Grants"),
        sort=created,
        limit=10,
        offset=100,
        tags=("empty",),
    ),
    docs(
        "limit-beyond",
        'find documents where folder = "Grants" sort created limit 100',
        in_folder("Grants"),
        sort=created,
        limit=100,
    ),
    docs(
        "two-keys",
        'find documents where folder = "Disputes" sort type, created desc',
        lambda d: in_folder("Disputes")(d) and d.type is not None,
        sort=[(lambda d: d.type, False), (created, True)],
        tags=("types",),
    ),
    docs(
        "missing-last",
        'find documents where folder = "Legal" sort contract_value, created',
        in_folder("Legal"),
        sort=[(lambda d: d.contract_value, False), (created, False)],
        tags=("ties",),
    ),
    docs(
        "missing-last-desc",
        'find documents where folder = "Legal" sort contract_value desc, created',
        in_folder("Legal"),
        sort=[(lambda d: d.contract_value, True), (created, False)],
        tags=("ties",),
    ),
    docs(
        "sort-name",
        'find documents where folder = "Personal/Insurance" sort name',
        lambda d: d.folder == folder("Insurance").id,
        sort=lambda d: d.name,
        tags=("ties",),
    ),
    folders(
        "sort-folders", 'find folders where folder = "Business" sort name', in_folder("Business"), sort=lambda f: f.name
    ),
    folders(
        "sort-folders-count",
        'find folders where folder = "Photos" or folder = "Vehicles" sort created desc limit 4',
        lambda f: in_folder("Photos")(f) or in_folder("Vehicles")(f),
        sort=created,
        desc=True,
        limit=4,
    ),
    entries(
        "sort-entries",
        'find entries where folder = "Projects" sort created desc limit 6',
        in_folder("Projects"),
        sort=created,
        desc=True,
        limit=6,
    ),
    docs(
        "clauses-any-order",
        'find documents limit 3 sort created desc where folder = "Trademarks"',
        in_folder("Trademarks"),
        sort=created,
        desc=True,
        limit=3,
    ),
    docs(
        "show",
        'find documents where folder = "Trademarks" sort created show name, owner, size',
        in_folder("Trademarks"),
        sort=created,
    ),
    docs(
        "sort-by-list-asc",
        'find documents where folder = "Trademarks" sort tags, created',
        in_folder("Trademarks"),
        sort=[(lambda d: min(d.tags, default=None), False), (created, False)],
        tags=("ties",),
    ),
    docs(
        "sort-by-list-desc",
        'find documents where folder = "Grants" and tags exists sort tags desc, created',
        lambda d: in_folder("Grants")(d) and d.tags,
        sort=[(lambda d: max(d.tags), True), (created, False)],
    ),
    docs(
        "sort-by-owner-name",
        'find documents where folder = "NDAs" sort owner, created desc limit 20',
        in_folder("NDAs"),
        sort=[(lambda d: d.owner_name, False), (created, True)],
        limit=20,
    ),
    docs(
        "sort-by-modified",
        'find documents where name contains "roof" sort modified',
        lambda d: holds(d.name, "roof"),
        sort=lambda d: d.modified,
    ),
    docs(
        "largest-below",
        'find documents where folder under "Marketing" and extension = "zip" sort size desc limit 3',
        lambda d: below(d, folder("Marketing")) and d.extension == "zip",
        sort=lambda d: d.size,
        desc=True,
        limit=3,
    ),
    docs(
        "due-next",
        'find documents where payment_status = "unpaid" sort due limit 4',
        lambda d: d.payment_status == "unpaid",
        sort=lambda d: d.due,
        limit=4,
    ),
    refused("sort-by-bare-reference", 'find documents where type = "NDA" sort folder', "no order"),
]
