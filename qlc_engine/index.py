"""One index: its mapping, the writes that wait for a refresh, and the snapshot that searches see."""

from __future__ import annotations

import dataclasses
import logging
import re
import sqlite3
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.analysis import AnalysisRegistry
from qlc_engine.damage import DamagedSegmentError
from qlc_engine.document_parser import DocumentParser
from qlc_engine.effective_settings import Effective
from qlc_engine.errors import EngineError
from qlc_engine.index_settings import time_seconds
from qlc_engine.json_input import read_json
from qlc_engine.leaf import IndexStatistics
from qlc_engine.mapping import Mapping
from qlc_engine.mapping_limits import check_elements, check_limits, check_limits_for_document
from qlc_engine.mapping_parser import compile_mapping, merge_mapping
from qlc_engine.merge_policy import run_to_merge
from qlc_engine.segment import Segment
from qlc_engine.segment_builder import ParsedDocument, SegmentBuilder
from qlc_engine.segment_file import SegmentFolder
from qlc_engine.segment_merge import merge_segments
from qlc_engine.store import IndexRecord, Store, StoredDocument
from qlc_engine.terms import whole_text

#: Documents after which waiting writes become a segment even if no one searches: at the end of the request that they
#: came in, so that none of it is left for a small one, or in its midst if there are twice as many.
FLUSH_DOCS = 25_000

#: Documents in memory only after which segments are written to files: what a crash costs at most to build again.
SAVE_DOCS = 5_000

#: The same for their bytes: another process that opens the folder meanwhile builds as many at most, in about a second.
SAVE_BYTES = 4_000_000

#: `index.refresh_interval` where the settings name none, seconds
DEFAULT_REFRESH_SECONDS = 1.0


logger = logging.getLogger("qlc_engine")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state that a search sees: an immutable list of segments."""

    segments: tuple[Segment, ...]
    statistics: IndexStatistics


def snapshot_of(segments: Sequence[Segment]) -> Snapshot:
    kept = tuple(segments)
    return Snapshot(kept, IndexStatistics(kept))


def parse_source(source: bytes) -> dict[str, Any]:
    """A document's JSON; anything but an object is refused."""
    try:
        parsed = read_json(source)
    except (ValueError, RecursionError) as error:
        cause = EngineError("json_parse_exception", f"[1:1] {error}")
        raise EngineError("document_parsing_exception", "[1:1] failed to parse", caused_by=cause) from None
    if not isinstance(parsed, dict):
        cause = EngineError("not_x_content_exception", "Compressor detection can only be called on some xcontent bytes")
        raise EngineError("document_parsing_exception", "[1:1] failed to parse", caused_by=cause)
    return parsed


#: An escaped half of a surrogate pair or one as such: both halves of a pair are found too, and stay what they are.
_HALVES = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")


def _as_indexed(source: Any, encoded: bytes) -> Any:
    """Return the indexed form of a document. Unpaired surrogates become one character, since terms that differ only in
    them would have the same place in an order. The stored document is unchanged."""
    if (b"\\u" in encoded or b"\xed" in encoded) and _HALVES.search(encoded):
        return _whole(source)
    return source


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {whole_text(name): _whole(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_whole(part) for part in value]
    return whole_text(value) if isinstance(value, str) else value


class Index:
    """Writes come under the engine's write lock; `snapshot` may be read from any thread."""

    def __init__(
        self, record: IndexRecord, store: Store, folder: SegmentFolder | None = None, *, read_only: bool = False
    ) -> None:
        self.record = record
        self._store = store
        self._folder = folder
        self._read_only = read_only
        #: names of the segments that the store lists
        self._saved: set[str] = set()
        #: names of the segments that are in files; merged ones are before the store lists them
        self._in_files: set[str] = set()
        #: the last document that was built from the store, in an engine that only reads
        self._tail_seq_no = -1
        #: segments that points in time still show
        self.pinned: Callable[[], list[Segment]] = list
        self.analysis = AnalysisRegistry(record.settings.get("analysis"))
        self.mapping: Mapping = compile_mapping(record.mapping, self.analysis, self.effective)
        self._parser = DocumentParser(self.mapping, self.analysis)
        self.snapshot = snapshot_of(())
        self._builder = SegmentBuilder()
        #: bytes of the documents that no saved segment has
        self._unsaved_bytes = 0
        #: segments built before the refresh that shows them
        self._unseen: list[Segment] = []
        #: sequence numbers of versions that the refresh takes away
        self._dead: list[int] = []
        self._waiting_since: float | None = None
        #: a search came when writes were due, and could not wait for them
        self.refresh_wanted = False
        #: versions of documents deleted of late, so that one written again counts on
        self.tombstones: dict[str, int] = {}

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def refresh_seconds(self) -> float:
        """Negative: writes become visible on request only."""
        given = self.record.settings.get("refresh_interval")
        return DEFAULT_REFRESH_SECONDS if given is None else time_seconds(str(given), "index.refresh_interval")

    @property
    def effective(self) -> Effective:
        return Effective(self.record.settings)

    @property
    def result_window(self) -> int:
        return self.effective.whole("max_result_window")

    @property
    def n_shards(self) -> int:
        """As the settings say, for what answers print; the engine keeps one."""
        return self.effective.whole("number_of_shards")

    @property
    def n_copies(self) -> int:
        """Copies of a shard by the settings: what `_shards.total` of a write counts."""
        return 1 + self.effective.whole("number_of_replicas")

    # --- mapping

    def put_mapping(self, properties: dict[str, Any]) -> None:
        """Merges a mapping request and stores the result."""
        merged = merge_mapping(self.mapping, properties, self.analysis, self.effective)
        check_limits(merged, self.effective)
        self._take_mapping(merged)

    def _take_mapping(self, merged: Mapping) -> None:
        record = dataclasses.replace(self.record, mapping=merged.source)
        # made first: what no document could be read by is not stored
        parser = DocumentParser(merged, self.analysis)
        with self._store.transaction():
            self._store.save_record(record)
        self.record, self.mapping, self._parser = record, merged, parser

    def restore_mapping(self, mapping: dict[str, Any]) -> None:
        """Goes back to what the store has, after a transaction that failed."""
        self.record.mapping = mapping
        self.mapping = compile_mapping(mapping, self.analysis, self.effective)
        self._parser = DocumentParser(self.mapping, self.analysis)

    def parse(self, doc_id: str, source: dict[str, Any], encoded: bytes) -> ParsedDocument:
        """The document's values; fields that it introduces are added to the mapping, unless it is refused."""
        source = _as_indexed(source, encoded)
        parsing = self._parser.parse(doc_id, source)
        if parsing.new_properties:
            mapping = self.mapping
            while parsing.new_properties:
                properties = {"properties": parsing.new_properties}
                mapping = merge_mapping(mapping, properties, self.analysis, self.effective)
                check_limits_for_document(self.mapping, mapping, self.effective)
                parsing = DocumentParser(mapping, self.analysis).parse(doc_id, source)
            self._take_mapping(mapping)
        if parsing.document.children:
            check_elements(parsing.document, self.effective)
        return parsing.document

    # --- writing: documents are in the store already

    def add(self, doc: StoredDocument, parsed: ParsedDocument) -> None:
        self._builder.add(doc.id, doc.seq_no, doc.version, parsed)
        self._unsaved_bytes += len(doc.source)
        self._note_waiting()
        if len(self._builder) >= 2 * FLUSH_DOCS:
            self._flush_builder()

    def save_if_due(self) -> None:
        """Called when all documents of a request have come: those that wait become a segment if they are enough.

        A load that nobody refreshes is merged on the way: all at once at its end would take more memory.
        """
        if len(self._builder) >= FLUSH_DOCS or self._unsaved_bytes >= SAVE_BYTES:
            self._flush_builder()
        if all(segment.name in self._saved for segment in self._unseen):
            return
        try:
            self._unseen = self._merged(self._unseen, searched=False)
        except DamagedSegmentError:
            self.rebuild()
        else:
            self.try_to_save()

    def remove(self, doc_id: str, seq_no: int) -> None:
        """Remove the version with that sequence number."""
        self._builder.delete(doc_id)
        self._dead.append(seq_no)
        self._note_waiting()

    def load(self, *, from_documents: bool = False) -> None:
        """Opens what is saved and builds what came after; called once, before the index is used.

        Raises `DamagedSegmentError` or `FileNotFoundError` where a file is not what was saved; with `from_documents`
        none is read, and all columns are built.
        """
        if from_documents:
            self.record.saved_seq_no = -1
        else:
            names = self._store.segments(self.record.id)
            self._segments_from([self._read_one(name) for name in names])
            self._saved = set(names)
        self._build_tail(self.record.saved_seq_no)
        self.refresh()

    def rebuild(self) -> None:
        """Builds all columns again from the documents and saves them. Called under the write lock."""
        self._builder, self._unseen, self._dead = SegmentBuilder(), [], []
        self.snapshot = snapshot_of(())
        self._saved = set()
        self._build_tail(-1)
        self.refresh()
        self.save()

    def _segments_from(self, segments: Sequence[Segment]) -> None:
        self.snapshot = snapshot_of(without_dead(segments, self._store.dead_seq_nos(self.record.id)))

    def _build_tail(self, after_seq_no: int) -> None:
        for doc in self._store.documents_after(self.record.id, after_seq_no):
            self._tail_seq_no = doc.seq_no
            self._builder.add(doc.id, doc.seq_no, doc.version, self.parse(doc.id, parse_source(doc.source), doc.source))
            self._note_waiting()
            if len(self._builder) >= FLUSH_DOCS:
                self._flush_builder()

    def follow(self, record: IndexRecord) -> None:
        """Takes over what another process has written since; for engines that only read."""
        if record.mapping != self.record.mapping:
            self.restore_mapping(record.mapping)
        names = self._store.segments(record.id)
        tail_start = record.saved_seq_no if self._tail_seq_no < record.saved_seq_no else self._tail_seq_no
        known = {segment.name: segment for segment in self.snapshot.segments}
        segments = [known.get(name) or self._read_one(name) for name in names]
        if set(names) != self._saved:
            # the tail is in the new segments up to where they were saved
            tail_start = record.saved_seq_no
        else:
            segments += [segment for segment in self.snapshot.segments if segment.name not in self._saved]
        self._saved = set(names)
        self.record = record
        self._segments_from(segments)
        self._build_tail(tail_start)
        self.refresh()

    def _read_one(self, name: str) -> Segment:
        if self._folder is None:
            raise FileNotFoundError(name)
        return self._folder.read(name)

    def _note_waiting(self) -> None:
        if self._waiting_since is None:
            self._waiting_since = time.monotonic()

    def _flush_builder(self) -> None:
        """Turns the waiting documents into a segment that stays unseen until the refresh."""
        if len(self._builder):
            self._unseen = [*self._unseen, self._builder.build(_new_name())]
            self._builder = SegmentBuilder()

    # --- visibility

    def refresh(self) -> None:
        """Makes all writes visible. Called under the engine's write lock."""
        self.refresh_wanted = False
        if self._waiting_since is None:
            return
        self._flush_builder()
        segments = [*self.snapshot.segments, *self._unseen]
        self._unseen = []
        dead, self._dead = self._dead, []
        self._waiting_since = None
        try:
            alive = without_dead(segments, dead)
            # who only reads merges what it built itself: the writer's segments it knows by their names
            kept = [segment for segment in alive if self._read_only and segment.name in self._saved]
            own = alive[len(kept) :]
            # merged segments can be freed before the end
            del segments, alive
            self.snapshot = snapshot_of([*kept, *self._merged(own, searched=True)])
        except DamagedSegmentError:
            self.rebuild()
            return
        unsaved = sum(segment.n_docs for segment in self.snapshot.segments if segment.name not in self._saved)
        if unsaved >= SAVE_DOCS or self._unsaved_bytes >= SAVE_BYTES:
            self.try_to_save()

    def _merged(self, segments: list[Segment], *, searched: bool) -> list[Segment]:
        """The segments after the merges that are due. Of several large ones only one at a time is in memory."""
        while (run := run_to_merge([(each.n_docs, each.n_live) for each in segments], searched=searched)) is not None:
            first, last = run
            segments[first:last] = [self._put_away(merge_segments(segments[first:last], _new_name()))]
        return segments

    def _put_away(self, segment: Segment) -> Segment:
        """A large segment over its file, if there can be one."""
        if self._folder is None or self._read_only or segment.n_docs < SAVE_DOCS:
            return segment
        try:
            put_away = self._folder.save(segment)
        except OSError as error:
            logger.warning("a merged segment of index %s stays in memory: %s", self.name, error)
            return segment
        self._in_files.add(segment.name)
        return put_away

    def force_merge(self) -> None:
        """One segment, without deleted documents."""
        self.refresh()
        segments = self.snapshot.segments
        if len(segments) > 1 or any(segment.n_live < segment.n_docs for segment in segments):
            try:
                self.snapshot = snapshot_of([merge_segments(segments, _new_name())])
            except DamagedSegmentError:
                self.rebuild()
        self.save()

    def try_to_save(self) -> None:
        """Saved columns spare the next opening work, no more: on a full disk the documents themselves are safe."""
        try:
            self.save()
        except (OSError, sqlite3.OperationalError) as error:
            logger.warning("columns of index %s were not saved: %s", self.name, error)

    def save(self) -> None:
        """Writes segments that are in memory only to files, and lets go of rows that no segment needs.

        Called under the write lock; documents that still wait in the builder are built into a segment first.
        """
        if self._folder is None or self._read_only:
            return
        self._flush_builder()
        folder = self._folder
        seen = [self._saved_segment(segment, folder) for segment in self.snapshot.segments]
        self._unseen = [self._saved_segment(segment, folder) for segment in self._unseen]
        names = [segment.name for segment in (*seen, *self._unseen)]
        if seen != list(self.snapshot.segments):
            self.snapshot = snapshot_of(seen)
        record = dataclasses.replace(self.record, saved_seq_no=self.record.next_seq_no - 1)
        with self._store.transaction():
            self._store.save_segments(record.id, names)
            self._store.save_record(record)
            self._store.purge(record.id, self._purgeable())
        self.record = record
        self._saved, self._in_files, self._unsaved_bytes = set(names), set(), 0
        folder.keep_only(names)

    def _saved_segment(self, segment: Segment, folder: SegmentFolder) -> Segment:
        if segment.name in self._saved or segment.name in self._in_files:
            return segment
        return folder.save(segment)

    def _purgeable(self) -> list[int]:
        """Dead rows that neither a segment nor a point in time still shows."""
        dead = np.array(self._store.dead_seq_nos(self.record.id), np.int64)
        needed = np.zeros(len(dead), np.bool_)
        for segment in (*self.snapshot.segments, *self._unseen, *self.pinned()):
            needed |= np.isin(dead, segment.identities.seq_nos)
        gone: list[int] = dead[~needed].tolist()
        return gone

    def drop(self) -> None:
        """Removes the files; the rows are gone already."""
        if self._folder is not None and not self._read_only:
            self._folder.remove()

    @property
    def is_due(self) -> bool:
        """Whether writes have waited for longer than the refresh interval."""
        since, interval = self._waiting_since, self.refresh_seconds
        return since is not None and interval >= 0 and time.monotonic() - since >= interval


def _new_name() -> str:
    return uuid.uuid4().hex[:16]


def without_dead(segments: Sequence[Segment], dead: Sequence[int]) -> list[Segment]:
    """The segments with the versions of these sequence numbers deleted; segments without live documents go."""
    if not dead:
        return list(segments)
    wanted = np.unique(np.array(dead, np.int64))
    out: list[Segment] = []
    for segment in segments:
        seq_nos = segment.identities.seq_nos
        at = np.searchsorted(seq_nos, wanted)
        inside = at < len(seq_nos)
        hits = at[inside][seq_nos[at[inside]] == wanted[inside]]
        kept = segment.without(hits.tolist()) if len(hits) else segment
        if kept.n_live:
            out.append(kept)
    return out
