"""Adds files to an index: new files are read, changed ones replaced, unchanged ones left alone.

Each file is a document of its own: `a/plan.md` and `b/plan.md` with the same bytes are two documents, since folder,
bucket and given values can decide who may see them.

A document's record is written after its passages and removed after them, and ids depend on name and content only. So
the next run repairs what a killed run left: a document without a record is written again, one with a record is
complete. The index is refreshed, which makes writes visible, only after whole documents.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from qlc.base.errors import UsageError
from qlc.base.extras import can_read_scans
from qlc.mapping.shapes import in_batches, searched
from qlc_search import install

from .document import Extracted, Reader, Task
from .embedders import default_embedder
from .errors import Unreadable, not_opened
from .files import ListedFile, Problem, content_of, files_below, opened
from .index import CONTENT, DOCUMENT, TITLE, placed_fields
from .limits import Limits
from .metadata import is_unused, metadata_of
from .readers.detect import MEDIA_TYPES
from .records import Record, failed, passage_ids, passage_records, ready
from .schema import CorpusSchema, for_model
from .titles import tell_apart
from .work import done_apart
from .writing import written

if TYPE_CHECKING:
    from .extraction import Extractor, Outcome

VERSION = "9"
"""Version of the extraction; a new one makes all files to be read again."""
_UNREAD_SCAN = "-scan"
"""Marks a document to be read again as soon as scans can be read."""
_BY_MODEL = "-model"
"""Marks a document that a model has read, so that it is not sent again."""
_LIMITED = ("too_slow", "too_large", "too_long", "reader_failed")
"""Reasons that other limits can change: the file is read again with these."""
_SCAN = f"The file has no text: it may be a scan. To read scans: {install('ocr')} and the program tesseract."
_BATCH = 500
"""Number of files whose records are looked up at once."""
_BULK_BYTES = 4_000_000
"""Most bytes of a bulk request, unless one document needs more: its records are written together."""
_MOST_BULK_BYTES = 40_000_000
_FLUSH_SECONDS = 1.0
_DEEPEST = 3
"""How deep attachments are read: those of a message that is attached to a message of an archive."""
_MOST_ATTACHED = 20_000
"""Most attachments of one file."""


@dataclass(slots=True)
class Report:
    """The result of adding files."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    same_content: int = 0
    """Number of added files with the same content as another file in the corpus."""
    removed: int = 0
    attached: int = 0
    """Number of files attached to added messages."""
    problems: list[Problem] = field(default_factory=list)
    """Problems of all files examined, including files read before, and skipped links, pipes, devices."""
    unused_metadata: list[Problem] = field(default_factory=list)
    """Files named `metadata.csv` or `metadata.json` whose values are not used, with the reason."""
    by_model: int = 0
    """Number of documents that a model has read."""
    dropped: int = 0
    """Number of a model's values that were not found at the place that it gave."""
    by_rules: list[Problem] = field(default_factory=list)
    """Files that only rules read, although a model was to read them."""


class Step(NamedTuple):
    """The progress of a run: files done, all files, and the name of the last one."""

    done: int
    total: int
    name: str


Progress: TypeAlias = Callable[[Step], None]


def document_id(content: str, name: str) -> str:
    """Return the id of the document of a file. Copies under other names have other ids."""
    return hashlib.sha256(f"{content}\0{name}".encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class _File(Task):
    """A file with the hash and the size of its content."""

    content: str = ""
    size: int = 0
    root: str = ""
    """For an attachment: the name of the file that has it. It has that file's bucket, given values, and place."""
    depth: int = 0

    @property
    def identity(self) -> str:
        return document_id(self.content, self.name)


@dataclass
class Adding:
    """One run over files."""

    client: Any
    index: str
    schema: CorpusSchema
    processes: int | None = None
    limits: Limits | None = None
    progress: Progress | None = None
    without: Path | None = None
    """A folder that is skipped: that of the corpus itself."""
    metadata: Path | None = None
    """A file with values given by people, instead of one in a folder."""
    follow_links: bool = False
    passed_over: Collection[Path] = ()
    """Files that are left out."""
    check: Callable[[], None] | None = None
    """Called before each write."""
    extractor: Extractor | None = None
    """If set, a model reads documents that it has not read before."""
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        self._of_model = for_model(self.schema) if self.extractor else {}
        self._reads_scans = can_read_scans()
        embedder = default_embedder()  # with another one sentences are compared anew
        self._embedder = embedder.name if embedder is not None else ""
        self._given: dict[str, dict[str, Any]] = {}
        self._limits = self.limits or Limits()
        self._fields = {
            bucket: {one.name: one for one in placed_fields(self.schema) if one.bucket == bucket}
            for bucket in self.schema.file.buckets
        }
        self._waiting: list[Record] = []
        self._waiting_bytes = 0
        self._flushed = time.monotonic()
        self._started = time.time_ns()
        self._done = self._total = 0

    def add(self, roots: Sequence[Path], *, prune: bool = False) -> Report:
        """Add the files below some folders, or single files. With `prune`, remove all other documents."""
        self._flush(refresh=True)  # a run that was cut off has written some
        names: set[str] = set()
        given = metadata_of(roots, self.metadata, follow_links=self.follow_links, limits=self._limits)
        self._given = given.values
        self.report.unused_metadata += given.unused
        told = {one.file for one in given.unused}
        passed_over = {*given.files, *self.passed_over}
        listed = partial(
            files_below, roots, self.without, follow_links=self.follow_links, passed_over=passed_over
        )
        self._total = sum(1 for _ in listed()) if self.progress else 0
        files = listed()
        while some := [*islice(files, _BATCH)]:
            found = [one for one in some if isinstance(one, ListedFile)]
            for problem in some:
                if isinstance(problem, Problem):
                    self.report.problems.append(problem)
                    self._count_done(1, problem.file)
            names.update(one.name for one in found)
            self.report.unused_metadata += [
                unused for one in found if one.name not in told and (unused := is_unused(one.name))
            ]
            self._batch([file for one in found if (file := self._hashed(one))])
        if prune and not names:
            raise UsageError("there are no files there, so nothing is pruned: is it the right folder?")
        if prune:
            self._prune(names)
        self._flush(refresh=True)
        if self.report.added:
            tell_apart(self.client, self.index)
        for reported in (self.report.problems, self.report.by_rules, self.report.unused_metadata):
            reported.sort(key=lambda problem: problem.file)  # files finish in any order
        return self.report

    # --- one batch ---------------------------------------------------------------------------------------------------

    def _batch(self, files: list[_File]) -> None:
        known = self._records({"ids": {"values": [one.identity for one in files]}})
        by_name = self._by_name([one.name for one in files])
        holders = [name for name, records in by_name.items() if any(map(_can_hold_files, records))]
        inside = self._attached_to(holders)
        todo: dict[str, _File] = {}
        for one in files:
            record = known.get(one.identity)
            held = inside.get(one.name, [])
            if record is not None and all(self._is_current(each, one.name) for each in (record, *held)):
                self._known(one, record, held)
            else:
                todo[one.identity] = one
        self._count_copies([one for identity, one in todo.items() if identity not in known])
        older = {**known, **{each["id"]: each for held in inside.values() for each in held}}
        with TemporaryDirectory(prefix="qlc-") as folder:
            for one, result, outcome in self._all_results([*todo.values()], Path(folder)):
                self._write(one, result, outcome)
                self._drop_rest(older.pop(one.identity, None), result)
                if not one.root:
                    self._replace(by_name.pop(one.name, []), one)  # after the new document: no file is in none
                    for other in inside.get(one.name, ()):
                        if other["id"] in older:  # it is not attached any more
                            self._drop_name(other, other["files"][0])
                    self._count_done(1, one.name)
                self._flush_some()
        for one in files:  # older documents of these names that a killed run has not replaced
            self._replace(by_name.pop(one.name, []), one)
        self._flush(refresh=True)

    def _all_results(
        self, files: Sequence[_File], folder: Path
    ) -> Iterator[tuple[_File, Extracted | Unreadable, Outcome | None]]:
        """Yield the results of files, each after those of its attachments: a message with a record is complete."""
        waiting = []
        counts: Counter[str] = Counter()
        while files:
            inner: list[_File] = []
            for one, result, outcome in self._results(files, folder):
                attached = result.attached if isinstance(result, Extracted) and one.depth < _DEEPEST else ()
                for each in attached:
                    root = one.root or one.name
                    counts[root] += 1
                    if counts[root] <= _MOST_ATTACHED:
                        given = {name: value for name, value in one.given.items() if name != TITLE}
                        inner.append(_File(each.path, f"{one.name}/{each.name}", one.bucket, given, None, each.content,
                                           each.size, root, one.depth + 1))  # fmt: skip
                if isinstance(result, Extracted) and result.attached:
                    waiting.append((one, replace(result, attached=()), outcome))
                else:
                    yield one, result, outcome
            files = inner
        yield from reversed(waiting)
        for root, count in counts.items():
            if count > _MOST_ATTACHED:
                told = f"The file has more than {_MOST_ATTACHED:,} attachments; the others are not read."
                self.report.problems.append(Problem(root, "too_long", told))

    def _replace(self, others: list[Record], by: _File) -> None:
        for other in others:
            if other["id"] != by.identity:
                self._drop_name(other, by.name)
                self.report.replaced += 1

    def _count_copies(self, new: list[_File]) -> None:
        """Count new files whose content another file in the corpus, or another new file, has."""
        contents = [one.content for one in new]
        if not contents:
            return
        found = searched(
            self.client, index=self.index, size=0, query={"terms": {CONTENT: contents}},
            aggs={"there": {"terms": {"field": CONTENT, "size": _BATCH}}},
        )  # fmt: skip
        there = {one["key"] for one in found["aggregations"]["there"]["buckets"]}
        for content in contents:
            self.report.same_content += content in there
            there.add(content)

    def _count_done(self, count: int, name: str) -> None:
        self._done += count
        if self.progress:
            self.progress(Step(self._done, max(self._done, self._total), name))

    def _drop_rest(self, old: Record | None, result: Extracted | Unreadable) -> None:
        """Delete passages that a document no longer has after it was read again."""
        now = len(result.passages) if isinstance(result, Extracted) else 0
        for identity in passage_ids(old["id"], old["passages"])[now:] if old else ():
            self._put(identity, "delete")

    def _is_current(self, record: Record, name: str) -> bool:
        """Whether a document's record is what reading its file would give now."""
        made = record["made"] if self._reads_scans else record["made"].removesuffix(_UNREAD_SCAN)
        if record["state"] == "ready" and record["bucket"] in self._of_model and not made.endswith(_BY_MODEL):
            return False
        return str(made).removesuffix(_BY_MODEL) == self._made(name) + self._by_limits(record.get("reason", ""))

    def _by_limits(self, reason: str) -> str:
        """Return what a failure depends on besides the settings: the limits; the run, if it was the reader's own."""
        if reason in ("reader_broken", "not_opened"):
            return f"-{self._started}"
        return f"-{_hash(repr(self._limits))}" if reason in _LIMITED else ""

    def _made(self, name: str) -> str:
        """Return a hash of the settings for a file besides its content; if it changes, the file is read again."""
        bucket = self._bucket(name)
        given = repr(self._given.get(name))
        parts = (VERSION, bucket, repr(self.schema.wanted.get(bucket)), given, self._embedder)
        return _hash("\0".join(parts))

    def _results(
        self, files: Iterable[_File], folder: Path
    ) -> Iterator[tuple[_File, Extracted | Unreadable, Outcome | None]]:
        most = self.extractor.document_tokens if self.extractor else 0
        reader = Reader(self.schema.wanted, self._of_model, most, unpacked=folder)
        read = done_apart(files, reader, self.processes or os.cpu_count() or 1, self._limits)
        if self.extractor:
            return self.extractor.results(read, self._of_model)
        return ((file, result, None) for file, result in read)

    def _bucket(self, name: str) -> str:
        return self.schema.bucket_of(PurePosixPath(name))

    def _known(self, one: _File, record: Record, attached: Sequence[Record]) -> None:
        self._count_done(1, one.name)
        self.report.unchanged += 1
        for name, each in ((one.name, record), *((each["files"][0], each) for each in attached)):
            if each["state"] != "ready":
                self.report.problems.append(Problem(name, each["reason"], each["message"]))

    def _write(self, one: _File, result: Extracted | Unreadable, outcome: Outcome | None) -> None:
        added = datetime.now(UTC).isoformat(timespec="seconds")
        record: Record = {
            "kind": DOCUMENT, "id": one.identity, "document": one.identity, "content": one.content, "bytes": one.size,
            "bucket": one.bucket, "files": [one.name], "added": added,
            "made": self._made(one.root or one.name),
        }  # fmt: skip
        if isinstance(result, Extracted) and not result.passages:
            is_unread_scan = result.media_type == MEDIA_TYPES["pdf"] and not self._reads_scans
            record["made"] += _UNREAD_SCAN if is_unread_scan else ""
            result = Unreadable("no_text", _SCAN if is_unread_scan else "The file has no text.")
        if isinstance(result, Unreadable):
            self.report.problems.append(Problem(one.name, result.reason, result.message))
            record["made"] += self._by_limits(result.reason)
            self._put(one.identity, "index", failed(record, result, PurePosixPath(one.name).stem))
            return
        if outcome is not None:
            self._keep_outcome(one.name, outcome)
            record["made"] += _BY_MODEL if outcome.by else ""
            record["extraction"] = {key: value for key, value in asdict(outcome).items() if value != ""}
        fields = self._fields.get(one.bucket, {})
        whole = ready(record, result, fields)
        rows = frozenset(field.path.removeprefix("values.") for field in fields.values() if field.part.type == "rows")
        for identity, passage in passage_records(whole, result, rows):
            self._put(identity, "index", passage)
        self._put(one.identity, "index", whole)
        self.report.attached += bool(one.root)
        self.report.added += not one.root

    def _keep_outcome(self, name: str, outcome: Outcome) -> None:
        self.report.dropped += outcome.dropped
        if outcome.by:
            self.report.by_model += 1
        else:
            self.report.by_rules.append(Problem(name, outcome.reason, outcome.message))

    def _hashed(self, found: ListedFile) -> _File | None:
        """Return the file with its hash; None, with a problem reported, if it cannot be opened or was deleted
        meanwhile."""
        try:
            with opened(found.path, found.below) as file:
                content, size = content_of(file, self._limits.file_bytes)
                bucket, given = self._bucket(found.name), self._given.get(found.name, {})
                return _File(found.path, found.name, bucket, given, found.below, content, size)
        except (Unreadable, OSError) as error:
            problem = not_opened(error) if isinstance(error, OSError) else error  # something has taken its place
            self.report.problems.append(Problem(found.name, problem.reason, problem.message))
        self._count_done(1, found.name)
        return None

    # --- removal -----------------------------------------------------------------------------------------------------

    def _prune(self, names: set[str]) -> None:
        self._flush(refresh=True)
        for record in self._all_documents():
            for name in record["files"]:
                if names.isdisjoint(_with_holders(name)):
                    self._drop_name(record, name)
                    self.report.removed += 1
            self._flush_some()

    def remove(self, patterns: Sequence[str]) -> int:
        """Remove the files whose names match a pattern, with their attachments, and return their number."""
        self._flush(refresh=True)  # a run that was cut off has written some
        removed = 0
        for record in self._all_documents():
            for name in [*record["files"]]:
                held_by = _with_holders(name)
                if any(each == form or fnmatchcase(each, form) for each in held_by for form in patterns):
                    self._drop_name(record, name)
                    removed += 1
            self._flush_some()
        self._flush(refresh=True)
        return removed

    def _drop_name(self, record: Record, name: str) -> None:
        """Remove the document of a file, its passages first. A document of an earlier version can have the names of
        several files, and stays as long as it has another name."""
        record["files"] = [one for one in record["files"] if one != name]
        update = {"doc": {"files": record["files"]}}
        for identity in [*passage_ids(record["id"], record["passages"]), record["id"]]:
            self._put(identity, *(("update", update) if record["files"] else ("delete", None)))

    # --- the index ---------------------------------------------------------------------------------------------------

    def _records(self, query: dict[str, Any]) -> dict[str, Record]:
        found = searched(self.client, index=self.index, query=query, size=_BATCH, source=_KEPT)
        return {hit["_source"]["id"]: hit["_source"] for hit in found["hits"]["hits"]}

    def _by_name(self, names: list[str]) -> dict[str, list[Record]]:
        query = {"bool": {"filter": [{"term": {"kind": DOCUMENT}}, {"terms": {"files": names}}]}}
        found: dict[str, list[Record]] = {}
        for record in self._records(query).values():
            for name in record["files"]:
                found.setdefault(name, []).append(record)
        return found

    def _attached_to(self, names: Sequence[str]) -> dict[str, list[Record]]:
        """Return the records of files that are attached to some files, by the names of these."""
        found: dict[str, list[Record]] = {}
        below = {"bool": {"should": [{"prefix": {"files": f"{name}/"}} for name in names]}}
        for record in self._all_documents([below]) if names else ():
            holder = next((one for one in _with_holders(record["files"][0])[1:] if one in names), None)
            if holder is not None:
                found.setdefault(holder, []).append(record)
        return found

    def _all_documents(self, conditions: Sequence[dict[str, Any]] = ()) -> Iterator[Record]:
        query = {"bool": {"filter": [{"term": {"kind": DOCUMENT}}, *conditions]}}
        for hits in in_batches(self.client, index=self.index, query=query, size=_BATCH, source=_KEPT):
            yield from (hit["_source"] for hit in hits)

    def _put(self, identity: str, action: str, body: Record | None = None) -> None:
        self._waiting.append({action: {"_id": identity}})
        self._waiting_bytes += 100
        if body is not None:
            self._waiting.append(body)
            self._waiting_bytes += 400 + len(body.get("text", "")) + 200 * len(body.get("annotations", ()))
        if self._waiting_bytes > _MOST_BULK_BYTES:
            self._flush(refresh=False)

    def _flush_some(self) -> None:
        """Write waiting records between two documents, if they are many or have waited long."""
        if self._waiting_bytes > _BULK_BYTES or time.monotonic() - self._flushed > _FLUSH_SECONDS:
            self._flush(refresh=False)

    def _flush(self, *, refresh: bool) -> None:
        if self.check:
            self.check()
        if self._waiting:
            written(self.client, self.index, self._waiting)
            self._waiting, self._waiting_bytes = [], 0
        self._flushed = time.monotonic()
        if refresh:
            self.client.indices.refresh(index=self.index)


_KEPT = ["id", "files", "state", "reason", "message", "passages", "bucket", "made", "media_type"]


def _can_hold_files(record: Record) -> bool:
    return record.get("media_type") in (MEDIA_TYPES["email"], MEDIA_TYPES["mbox"])


def _with_holders(name: str) -> list[str]:
    """Return the name of a file, and those of the files that it may be attached to: `a/b.eml/c.pdf`, `a/b.eml`, `a`."""
    return [name, *map(str, [*PurePosixPath(name).parents][:-1])]
