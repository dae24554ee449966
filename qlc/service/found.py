"""The tables and papers that `qlc ui` read, for the first view of the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from qlc.corpus.files import Problem
    from qlc.corpus.status import Status
    from qlc.tables.folder import Collected

MOST_UNREAD = 200
"""Files that are listed; more are counted."""


class _Shown(BaseModel):
    model_config = ConfigDict(frozen=True)


class FoundTable(_Shown):
    """A table: what it is called in questions, its file, and sentences about what was left out."""

    name: str
    file: str
    rows: int
    columns: list[str]
    notes: list[str] = []


class FoundPapers(_Shown):
    """Documents that have text, in all and by bucket, and the fields that some of them have."""

    documents: int
    buckets: dict[str, int] = {}
    fields: list[str] = []


class UnreadFile(_Shown):
    file: str
    reason: str


class Found(_Shown):
    """The tables and papers that `qlc ui` read, and the language model that is connected."""

    name: str = ""
    tables: list[FoundTable] = []
    papers: FoundPapers | None = None
    unread: list[UnreadFile] = []
    more_unread: int = 0
    model: str = ""

    @classmethod
    def of_tables(cls, name: str, loaded: Collected) -> Found:
        tables = [
            FoundTable(name=one.index.replace("_", " "), file=one.title, rows=one.rows, columns=list(one.columns),
                       notes=list(one.notes))
            for one in loaded.tables
        ]  # fmt: skip
        return cls(name=name, tables=tables).with_unread(loaded.unread)

    def with_papers(self, status: Status, problems: Iterable[Problem]) -> Found:
        buckets = {name: one.ready for name, one in status.buckets.items() if one.ready}
        known = [name for one in status.buckets.values() for name, field in one.fields.items() if field.known]
        fields = [one.replace("_", " ") for one in dict.fromkeys(known) if "." not in one]
        papers = FoundPapers(documents=sum(buckets.values()), buckets=buckets, fields=fields)
        unread = [(one.file, one.message) for one in problems]
        return self.model_copy(update={"papers": papers}).with_unread(unread)

    def with_unread(self, files: Iterable[tuple[str, str]]) -> Found:
        """Add files, each with the reason why it was not read."""
        every = [*self.unread, *(UnreadFile(file=file, reason=reason) for file, reason in files)]
        more = self.more_unread + max(0, len(every) - MOST_UNREAD)
        return self.model_copy(update={"unread": every[:MOST_UNREAD], "more_unread": more})
