"""One index: its mapping, the writes that wait for a refresh, and the snapshot that searches see."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc.engine.analysis import AnalysisRegistry
from qlc.engine.document_parser import DocumentParser
from qlc.engine.errors import EngineError
from qlc.engine.index_settings import time_seconds
from qlc.engine.leaf import IndexStatistics
from qlc.engine.mapping import Mapping
from qlc.engine.mapping_parser import compile_mapping, merge_mapping
from qlc.engine.segment import Segment
from qlc.engine.segment_builder import ParsedDocument, SegmentBuilder
from qlc.engine.store import IndexRecord, Store, StoredDocument

#: Documents after which waiting writes become a segment even if no one searches.
FLUSH_DOCS = 25_000

#: `index.refresh_interval` where the settings name none, seconds
DEFAULT_REFRESH_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a search sees: an immutable list of segments."""

    segments: tuple[Segment, ...]
    statistics: IndexStatistics


def snapshot_of(segments: Sequence[Segment]) -> Snapshot:
    kept = tuple(segments)
    return Snapshot(kept, IndexStatistics(kept))


def parse_source(source: bytes) -> dict[str, Any]:
    """A document's JSON; anything but an object is refused."""
    try:
        parsed = json.loads(source)
    except (ValueError, RecursionError) as error:
        cause = EngineError("x_content_parse_exception", f"[1:1] {error}")
        raise EngineError("document_parsing_exception", "[1:1] failed to parse", caused_by=cause) from None
    if not isinstance(parsed, dict):
        cause = EngineError("not_x_content_exception", "Compressor detection can only be called on some xcontent bytes")
        raise EngineError("document_parsing_exception", "[1:1] failed to parse", caused_by=cause)
    return parsed


class Index:
    """Writes come under the engine's write lock; `snapshot` may be read from any thread."""

    def __init__(self, record: IndexRecord, store: Store) -> None:
        self.record = record
        self._store = store
        self.analysis = AnalysisRegistry(record.settings.get("analysis"))
        self.mapping: Mapping = compile_mapping(record.mapping, self.analysis)
        self._parser = DocumentParser(self.mapping, self.analysis)
        self.snapshot = snapshot_of(())
        self._builder = SegmentBuilder()
        #: segments built before the refresh that shows them
        self._unseen: list[Segment] = []
        #: sequence numbers of versions that the refresh takes away
        self._dead: list[int] = []
        self._waiting_since: float | None = None
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
    def result_window(self) -> int:
        return int(self.record.settings.get("max_result_window", 10_000))

    @property
    def n_shards(self) -> int:
        """As the settings say, for what answers print; the engine keeps one."""
        return int(self.record.settings.get("number_of_shards", 1))

    @property
    def n_copies(self) -> int:
        """Copies of a shard by the settings: what `_shards.total` of a write counts."""
        return 1 + int(self.record.settings.get("number_of_replicas", 1))

    # --- mapping

    def put_mapping(self, properties: dict[str, Any]) -> None:
        """Merges a mapping request and stores the result."""
        merged = merge_mapping(self.mapping, properties, self.analysis)
        with self._store.transaction():
            self.record.mapping = merged.source
            self._store.save_record(self.record)
        self.mapping = merged
        self._parser = DocumentParser(merged, self.analysis)

    def restore_mapping(self, mapping: dict[str, Any]) -> None:
        """Goes back to what the store has, after a transaction that failed."""
        self.record.mapping = mapping
        self.mapping = compile_mapping(mapping, self.analysis)
        self._parser = DocumentParser(self.mapping, self.analysis)

    def parse(self, doc_id: str, source: dict[str, Any]) -> ParsedDocument:
        """The document's values; fields that it introduces are added to the mapping first."""
        parsing = self._parser.parse(doc_id, source)
        while parsing.new_properties:
            self.put_mapping({"properties": parsing.new_properties})
            parsing = self._parser.parse(doc_id, source)
        return parsing.document

    # --- writing: documents are in the store already

    def add(self, doc: StoredDocument, parsed: ParsedDocument) -> None:
        self._builder.add(doc.id, doc.seq_no, doc.version, parsed)
        self._note_waiting()
        if len(self._builder) >= FLUSH_DOCS:
            self._flush_builder()

    def remove(self, doc_id: str, seq_no: int) -> None:
        """The version with that sequence number is no more."""
        self._builder.delete(doc_id)
        self._dead.append(seq_no)
        self._note_waiting()

    def load(self) -> None:
        """Builds what the store has of the index; called once, before it is used."""
        for doc in self._store.documents_after(self.record.id, self.record.saved_seq_no):
            self.add(doc, self.parse(doc.id, parse_source(doc.source)))
        self.refresh()

    def _note_waiting(self) -> None:
        if self._waiting_since is None:
            self._waiting_since = time.monotonic()

    def _flush_builder(self) -> None:
        """Turns the waiting documents into a segment that stays unseen until the refresh."""
        if len(self._builder):
            self._unseen = [*self._unseen, self._builder.build(uuid.uuid4().hex[:12])]
            self._builder = SegmentBuilder()

    # --- visibility

    def refresh(self) -> None:
        """Makes all writes visible. Called under the engine's write lock."""
        if self._waiting_since is None:
            return
        self._flush_builder()
        segments = [*self.snapshot.segments, *self._unseen]
        self._unseen = []
        dead, self._dead = self._dead, []
        self._waiting_since = None
        self.snapshot = snapshot_of(without_dead(segments, dead))

    @property
    def is_due(self) -> bool:
        """Whether writes have waited for longer than the refresh interval."""
        since, interval = self._waiting_since, self.refresh_seconds
        return since is not None and interval >= 0 and time.monotonic() - since >= interval


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
