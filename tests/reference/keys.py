"""What drive documents are narrowed to and grouped by in the case files."""

from .case import Ref, Table, Test, where
from .model import Row, below, documents, folder, holder
from .periods import WEEKDAYS, bucket

MB = 10**6


def of(kind: str) -> list[Row]:
    return where(documents(), lambda d: d.type == kind)


def tree(name: str) -> list[Row]:
    return where(documents(), lambda d: below(d, folder(name)))


def inside(name: str) -> list[Row]:
    return where(documents(), lambda d: d.folder == folder(name).id)


def key(field: str) -> Test:
    return lambda d: d[field]


def ref(field: str) -> Test:
    return lambda d: None if d[field] is None else Ref(d[field])


def month(d: Row) -> str | None:
    return bucket(d.created, "month")


def year(d: Row) -> str | None:
    return bucket(d.created, "year")


def parent(field: str) -> Test:
    """A field of the folder that holds a row."""
    return lambda d: None if holder(d) is None else Ref(holder(d)[field])


def by_weekday(found: Table) -> Table:
    return sorted(found, key=lambda row: WEEKDAYS.index(row[0]))


TYPE, EXTENSION, APP, CATEGORY = key("type"), key("extension"), key("app"), key("category")
