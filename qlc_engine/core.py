"""The engine without its REST layer: a store and its indices, for writing and searching."""

from __future__ import annotations

import base64
import contextlib
import gc
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.damage import DamagedSegmentError
from qlc_engine.documents import WriteBatch
from qlc_engine.effective_settings import Effective
from qlc_engine.errors import EngineError
from qlc_engine.folder_lock import FolderLock
from qlc_engine.index import Index, Snapshot
from qlc_engine.index_settings import checked_settings
from qlc_engine.indices import Indices, check_index_name
from qlc_engine.mapping_limits import check_index_sort, check_limits
from qlc_engine.mapping_parser import parse_mapping
from qlc_engine.queries.context import QueryContext
from qlc_engine.search.hits import StaleSnapshotError
from qlc_engine.search.points_in_time import PointsInTime, keep_alive_seconds, no_search_context
from qlc_engine.search.request import SearchRequest
from qlc_engine.search.run import Search, make_query, matching
from qlc_engine.search.shard import Shard
from qlc_engine.segment import Segment
from qlc_engine.segment_file import SegmentFolder
from qlc_engine.store import DamagedStoreError, IndexRecord, Store

#: The release of Elasticsearch whose answers the engine gives.
VERSION = "8.19.0"

DATABASE = "engine.sqlite3"

#: How often a search begins anew when what it reads is purged or found damaged.
_SEARCH_TRIES = 3

#: How often an engine that only reads begins anew when the writer replaces files under its hands.
_FOLLOW_TRIES = 5

#: What is wrong with files of columns, which can be built again from the documents.
_UNREADABLE = (DamagedSegmentError, FileNotFoundError)


class EngineCore:
    """Safe under threads: searches run on immutable snapshots, writes one after the other."""

    def __init__(self, store: Store, folder: Path | None = None, lock: FolderLock | None = None) -> None:
        """Use `open`. An engine over a folder without its lock only reads."""
        self.store = store
        self.indices = Indices()
        self._folder = folder
        self._lock = lock
        self._read_only = folder is not None and lock is None
        self._process = os.getpid()
        self._closed = False
        self._write_lock = threading.RLock()
        self._points_in_time = PointsInTime()
        #: of the store when it was last read through; None: not yet
        self._data_version: int | None = None
        if self._read_only:
            self._follow()
        else:
            self._take_over(store.indices(), from_documents=True)

    @classmethod
    def open(cls, path: str | Path | None, *, read_only: bool = False) -> Self:
        """An engine over a folder (made if it is not there), or in memory for None.

        One engine at a time may write to a folder: a second one raises `FolderLockedError`, but any number may be
        opened with `read_only`; they see what has been written within a moment. Raises `StoreError` for a folder that
        is damaged or of a newer release.
        """
        if path is None:
            return cls(Store(None))
        folder = Path(path)
        try:
            if read_only:
                return cls(Store(folder / DATABASE, read_only=True), folder)
            folder.mkdir(parents=True, exist_ok=True)
            lock = FolderLock(folder / "writer.lock")
            try:
                return cls(Store(folder / DATABASE), folder, lock)
            except BaseException:
                lock.release()
                raise
        except (DamagedStoreError, sqlite3.DatabaseError) as error:
            raise DamagedStoreError(f"{error}; 'qlc repair {folder}' says what can be repaired") from error

    def close(self) -> None:
        """Saves columns, so that the next opening has nothing to build. Without it nothing is lost."""
        if self._is_forked():
            self._closed = True  # open files belong to the process that opened them
            return
        with self._write_lock:
            try:
                if not self._read_only:
                    for index in self.indices:
                        index.refresh()
                        index.try_to_save()
            finally:
                self._closed = True
                self.store.close()
                if self._lock is not None:
                    self._lock.release()

    def _is_forked(self) -> bool:
        return self._folder is not None and self._process != os.getpid()

    def _index(self, record: IndexRecord) -> Index:
        files = None if self._folder is None else SegmentFolder(self._folder / "segments" / str(record.id))
        index = Index(record, self.store, files, read_only=self._read_only)
        index.pinned = lambda: self._pinned(index)
        return index

    def _pinned(self, index: Index) -> list[Segment]:
        """The segments of an index that points in time show."""
        shown = self._points_in_time.pinned()
        snapshots = [snapshot for shown_index, snapshot in shown if shown_index is index]
        return [segment for snapshot in snapshots for segment in snapshot.segments]

    def _follow(self) -> None:
        """In an engine that only reads: what another process has written since the last look."""
        with self._write_lock:
            version = self.store.data_version()
            if version == self._data_version:
                return
            for left in reversed(range(_FOLLOW_TRIES)):
                try:
                    with self.store.reading_together():
                        self._take_over(self.store.indices(), from_documents=left == 0)
                except _UNREADABLE:
                    # the writer may have replaced the files by now
                    if left == 0:
                        raise
                else:
                    self._data_version = version
                    return

    def _take_over(self, records: list[IndexRecord], *, from_documents: bool) -> None:
        """Brings the indices to what the store has; with `from_documents` columns that cannot be read are built."""
        for name in set(self.indices.names()) - {record.name for record in records}:
            self.indices.remove(name)
        for record in records:
            known = self.indices.get(record.name)
            try:
                if known is not None and known.record.id == record.id:
                    known.follow(record)
                    continue
                index = self._index(record)
                index.load()
            except _UNREADABLE:
                if not from_documents:
                    raise
                index = self._index(record)
                index.load(from_documents=True)
            self.indices.add(index)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- indices

    def create_index(self, name: str, body: dict[str, Any]) -> Index:
        self._check_writable()
        left = dict(body)
        settings = checked_settings(left.pop("settings", {}))
        mappings = left.pop("mappings", {})
        aliases = left.pop("aliases", {})
        for key in left:
            raise EngineError("parse_exception", f"unknown key [{key}] for create index")
        with self._write_lock:
            check_index_name(name, self.indices.names())
            if name in self.indices.aliases():
                raise EngineError(
                    "invalid_index_name_exception",
                    f"Invalid index name [{name}], already exists as alias",
                    details={"index_uuid": "_na_", "index": name},
                )
            record = IndexRecord(
                id=0,
                name=name,
                uuid=base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("="),
                created_ms=int(time.time() * 1000),
                next_seq_no=0,
                saved_seq_no=-1,
                settings=settings,
                mapping={},
                aliases=aliases,
            )
            effective = Effective(settings)
            mapping = parse_mapping(mappings, AnalysisRegistry(settings.get("analysis")), effective)
            check_limits(mapping, effective)
            check_index_sort(mapping, effective)
            record.mapping = mapping.source
            with self.store.transaction():
                self.store.create_index(record)
            index = self._index(record)
            self.indices.add(index)
            return index

    def delete_index(self, index: Index) -> None:
        self._check_writable()
        with self._write_lock:
            with self.store.transaction():
                self.store.delete_index(index.record.id)
            self.indices.remove(index.name)
            index.drop()

    def change_record(self, index: Index) -> None:
        """Stores what was changed in the record of an index (aliases, settings)."""
        self._check_writable()
        with self._write_lock:
            try:
                with self.store.transaction():
                    self.store.save_record(index.record)
            except sqlite3.DatabaseError:
                (index.record,) = [record for record in self.store.indices() if record.id == index.record.id]
                raise

    def put_mapping(self, index: Index, mapping: dict[str, Any]) -> None:
        self._check_writable()
        with self._write_lock:
            index.put_mapping(mapping)

    def index_for_write(self, name: str) -> Index:
        """The index that documents written under a name go to; a missing one is made."""
        index = self.indices.aliased(name)
        return index if index is not None else self.create_index(name, {})

    # --- writing

    @contextlib.contextmanager
    def writing(self) -> Iterator[WriteBatch]:
        """A batch of writes, stored when the block ends; an error in it stores nothing."""
        self._check_writable()
        with self._write_lock, _collector_paused():
            batch = WriteBatch(self.store)
            try:
                yield batch
                batch.commit()
            except sqlite3.OperationalError as error:
                # a full disk, most likely: nothing was stored, and nothing is lost
                raise EngineError("i_o_exception", f"the write was not stored: {error}", status=500) from error

    def _check_writable(self) -> None:
        if self._read_only:
            raise EngineError(
                "cluster_block_exception",
                "blocked by: [FORBIDDEN/6/cluster read-only (api)]: the folder was opened for reading only;",
                status=403,
            )

    def after_write(self, touched: Sequence[Index], *, refresh: bool) -> None:
        """Makes the writes visible if the client asks for it, or if a search found them due while they were made."""
        self.refresh([index for index in touched if refresh or index.refresh_wanted])

    def refresh(self, indices: Sequence[Index]) -> None:
        with self._write_lock:
            for index in indices:
                index.refresh()

    def flush(self, indices: Sequence[Index]) -> None:
        """Documents are on disk already; what a flush does beyond that is to save columns."""
        with self._write_lock:
            for index in indices:
                index.refresh()
                index.save()

    def force_merge(self, indices: Sequence[Index]) -> None:
        with self._write_lock:
            for index in indices:
                index.force_merge()

    def rebuild(self, index: Index) -> None:
        """Builds the columns of an index again from its documents."""
        with self._write_lock:
            index.rebuild()

    # --- searching

    def _snapshot(self, index: Index) -> Snapshot:
        """Return the snapshot for a search. Due writes become visible first, unless another thread holds the write
        lock."""
        if index.is_due:
            if self._write_lock.acquire(blocking=False):
                try:
                    index.refresh()
                finally:
                    self._write_lock.release()
            else:
                index.refresh_wanted = True
        return index.snapshot

    def _shard(self, index: Index, snapshot: Snapshot, request: SearchRequest, now_ms: int) -> Shard:
        context = QueryContext(
            index=index.name,
            mapping=index.mapping,
            analysis=index.analysis,
            statistics=snapshot.statistics,
            now_ms=now_ms,
            settings=index.effective,
            size=request.size or 10,
        )
        return Shard(index, snapshot, context, self.store, request.as_objects)

    def search(self, expression: str, request: SearchRequest, *, ignore_unavailable: bool = False) -> dict[str, Any]:
        if request.pit_id is not None:
            if expression:
                raise EngineError(
                    "action_request_validation_exception",
                    "Validation Failed: 1: [indices] cannot be used with point in time. Do not specify any index with "
                    "point in time.;",
                )
            pairs = self._points_in_time.use(request.pit_id, request.keep_alive)
            try:
                return self._search(pairs, request)
            except StaleSnapshotError:
                # the writer, another process, knows nothing of our points in time
                raise no_search_context(request.pit_id) from None
        for _ in range(_SEARCH_TRIES):
            indices = self.indices.resolve(expression, ignore_unavailable=ignore_unavailable)
            try:
                return self._search([(index, self._snapshot(index)) for index in indices], request)
            except StaleSnapshotError:
                if self._read_only:
                    self._follow()
            except DamagedSegmentError:
                if self._read_only:
                    raise
                for index in indices:
                    self.rebuild(index)
        raise EngineError("illegal_state_exception", "documents change faster than they are read", status=503)

    def _search(self, pairs: Sequence[tuple[Index, Snapshot]], request: SearchRequest) -> dict[str, Any]:
        now_ms = int(time.time() * 1000)
        shards = [self._shard(index, shown, request, now_ms) for index, shown in pairs]
        return Search(shards, request).run()

    def matching(self, expression: str, query: Any, *, ignore_unavailable: bool) -> Iterator[tuple[Index, str, int]]:
        """Yield the index, the id and the sequence number of each document that a search with a query finds."""
        for index in self.indices.resolve(expression, ignore_unavailable=ignore_unavailable):
            shard = self._shard(index, self._snapshot(index), SearchRequest(query=query), int(time.time() * 1000))
            parsed = make_query(query, shard.context)
            for leaf in shard.leaves():
                identities = leaf.segment.identities
                for doc in matching(parsed, leaf).ids.tolist():
                    yield index, identities.id_of(doc), identities.seq_nos.item(doc)

    # --- points in time

    def open_point_in_time(self, expression: str, keep_alive: str) -> tuple[str, int]:
        """Return the id of a new point in time, and its number of shards."""
        seconds = keep_alive_seconds(keep_alive)
        indices = self.indices.resolve(expression)
        pit_id = self._points_in_time.open([(index, self._snapshot(index)) for index in indices], seconds)
        return pit_id, sum(index.n_shards for index in indices)

    def close_point_in_time(self, pit_id: str) -> bool:
        return self._points_in_time.close(pit_id)


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Parsed documents hold no cycles; looking through them for some would take a third of the time of a bulk."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
