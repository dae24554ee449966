"""Writing documents: index, create, update, delete, singly or in bulk. All of a request is stored, or nothing.

Documents are parsed first, then stored in one transaction, and only then handed to the index in memory.
"""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass, field
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.index import Index, parse_source
from qlc_engine.json_input import json_token
from qlc_engine.reading import reading
from qlc_engine.segment_builder import ParsedDocument
from qlc_engine.store import Store, StoredDocument

#: The primary term never changes: there is one writer and no failover.
PRIMARY_TERM = 1

_MAX_ID_BYTES = 512
#: characters of an id that is never too long
LONGEST_ID = _MAX_ID_BYTES // 4

#: Versions of deleted documents that are remembered at most.
_MAX_TOMBSTONES = 10_000


def new_id() -> str:
    """An id for a document that came without one: 20 characters, as Elasticsearch's."""
    return base64.urlsafe_b64encode(os.urandom(15)).decode()


@dataclass(slots=True)
class _IndexBatch:
    """The writes of one request to one index."""

    index: Index
    known: dict[str, tuple[int, int] | None] = field(default_factory=dict)
    added: dict[int, tuple[StoredDocument, ParsedDocument]] = field(default_factory=dict)
    dead: list[tuple[int, int]] = field(default_factory=list)
    #: what the index in memory learns after the commit, in order: the sequence number of a document that was added,
    #: or the id and sequence number of a version that ended
    effects: list[int | tuple[str, int]] = field(default_factory=list)


class WriteBatch:
    """Collects writes; `commit` stores them and makes the indices take them. One thread at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._batches: dict[int, _IndexBatch] = {}

    def prefetch(self, index: Index, ids: list[str]) -> None:
        """Reads the current versions of many documents at once."""
        batch = self._batch(index)
        found = self._store.versions(index.record.id, ids)
        for doc_id in ids:
            batch.known.setdefault(doc_id, found.get(doc_id))

    def _batch(self, index: Index) -> _IndexBatch:
        batch = self._batches.get(index.record.id)
        if batch is None:
            batch = self._batches[index.record.id] = _IndexBatch(index)
        return batch

    def _current(self, batch: _IndexBatch, doc_id: str) -> tuple[int, int] | None:
        if doc_id not in batch.known:
            batch.known.update({doc_id: None})
            batch.known.update(self._store.versions(batch.index.record.id, [doc_id]))
        return batch.known[doc_id]

    def index(
        self, index: Index, doc_id: str | None, source: bytes, *, create: bool = False
    ) -> tuple[int, dict[str, Any]]:
        """Status and the item of the answer. With `create` there must be no such document yet."""
        fresh = doc_id is None
        doc_id = new_id() if doc_id is None else doc_id
        check_id(doc_id)
        batch = self._batch(index)
        current = None if fresh else self._current(batch, doc_id)
        if create and current is not None:
            found = f"version conflict, document already exists (current version [{current[1]}])"
            raise _on_index(index, "version_conflict_engine_exception", f"[{doc_id}]: {found}", 409)
        parsed = index.parse(doc_id, parse_source(source), source)
        return self._put(batch, doc_id, source, parsed, current)

    def _put(
        self,
        batch: _IndexBatch,
        doc_id: str,
        source: bytes,
        parsed: ParsedDocument,
        current: tuple[int, int] | None,
    ) -> tuple[int, dict[str, Any]]:
        index = batch.index
        seq_no = self._next_seq_no(index)
        if current is None:
            version = index.tombstones.get(doc_id, 0) + 1
        else:
            version = current[1] + 1
            self._end(batch, doc_id, current[0], seq_no)
        doc = StoredDocument(doc_id, seq_no, version, source)
        batch.added[seq_no] = (doc, parsed)
        batch.known[doc_id] = (seq_no, version)
        batch.effects.append(seq_no)
        return (200 if current else 201), self._item(
            index, doc_id, version, seq_no, "updated" if current else "created"
        )

    def check_unchanged(
        self, index: Index, doc_id: str, seq_no: int, term: int = PRIMARY_TERM, *, may_be_missing: bool = False
    ) -> None:
        """Raise EngineError if a document was written again since it had this sequence number, or is gone."""
        current = self._current(self._batch(index), doc_id)
        if may_be_missing if current is None else (current[0], PRIMARY_TERM) == (seq_no, term):
            return
        now = f"current document has seqNo [{current[0]}] and primary term [{PRIMARY_TERM}]" if current else (
            "but no document was found")  # fmt: skip
        reason = f"[{doc_id}]: version conflict, required seqNo [{seq_no}], primary term [{term}]. {now}"
        raise _on_index(index, "version_conflict_engine_exception", reason, 409)

    def delete(self, index: Index, doc_id: str) -> tuple[int, dict[str, Any]]:
        batch = self._batch(index)
        current = self._current(batch, doc_id)
        seq_no = self._next_seq_no(index)
        if current is None:
            version = index.tombstones.get(doc_id, 0) + 1
            index.tombstones[doc_id] = version
            return 404, self._item(index, doc_id, version, seq_no, "not_found")
        version = current[1] + 1
        self._end(batch, doc_id, current[0], seq_no)
        batch.known[doc_id] = None
        if len(index.tombstones) >= _MAX_TOMBSTONES:
            index.tombstones.clear()
        index.tombstones[doc_id] = version
        return 200, self._item(index, doc_id, version, seq_no, "deleted")

    def update(self, index: Index, doc_id: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """A partial document merged into the stored one, or the upsert where there is none."""
        left = dict(body)
        partial, upsert = left.pop("doc", None), left.pop("upsert", None)
        as_upsert, detect_noop = left.pop("doc_as_upsert", False), left.pop("detect_noop", True)
        script, scripted = left.pop("script", None), left.pop("scripted_upsert", False)
        for name, given in (("doc", partial), ("upsert", upsert)):
            if given is not None and not isinstance(given, dict):
                reason = f"[1:1] [UpdateRequest] {name} doesn't support values of type: {json_token(given)}"
                raise EngineError("x_content_parse_exception", reason)
        for key in left:
            raise EngineError("x_content_parse_exception", f"[1:2] [UpdateRequest] unknown field [{key}]")
        check_update(body)
        if script is not None or scripted:
            raise not_implemented("update by [script]")
        batch = self._batch(index)
        current = self._current(batch, doc_id)
        if current is None:
            new = partial if as_upsert else upsert
            if new is None:
                raise _on_index(index, "document_missing_exception", f"[{doc_id}]: document missing", 404)
            return self._put_json(batch, doc_id, new, None)
        stored = self._stored_source(batch, current[0])
        with reading("[doc]"):
            merged, changed = merge_partial(stored, partial or {})
        if not changed and detect_noop:
            item = self._item(index, doc_id, current[1], current[0], "noop")
            item["_shards"] = {"total": 0, "successful": 0, "failed": 0}
            return 200, item
        return self._put_json(batch, doc_id, merged, current)

    def _put_json(
        self, batch: _IndexBatch, doc_id: str, source: dict[str, Any], current: tuple[int, int] | None
    ) -> tuple[int, dict[str, Any]]:
        with reading("[doc]"):
            encoded = json.dumps(source, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        return self._put(batch, doc_id, encoded, batch.index.parse(doc_id, source, encoded), current)

    def _stored_source(self, batch: _IndexBatch, seq_no: int) -> dict[str, Any]:
        if seq_no in batch.added:
            return parse_source(batch.added[seq_no][0].source)
        return parse_source(self._store.sources(batch.index.record.id, [seq_no])[seq_no])

    def _end(self, batch: _IndexBatch, doc_id: str, old: int, seq_no: int) -> None:
        batch.dead.append((old, seq_no))
        batch.effects.append((doc_id, old))

    def _next_seq_no(self, index: Index) -> int:
        seq_no = index.record.next_seq_no
        index.record.next_seq_no = seq_no + 1
        return seq_no

    def _item(self, index: Index, doc_id: str, version: int, seq_no: int, result: str) -> dict[str, Any]:
        return {
            "_index": index.name,
            "_id": doc_id,
            "_version": version,
            "result": result,
            "_shards": {"total": index.n_copies, "successful": 1, "failed": 0},
            "_seq_no": seq_no,
            "_primary_term": PRIMARY_TERM,
        }

    def commit(self) -> None:
        """On return everything is on disk, and the indices have it in their queues."""
        with self._store.transaction():
            for batch in self._batches.values():
                replaced = {seq_no for seq_no, _ in batch.dead}
                alive = [doc for seq_no, (doc, _) in batch.added.items() if seq_no not in replaced]
                # rows replaced first, so that no two live rows of an id ever meet
                self._store.bury(batch.index.record.id, batch.dead)
                self._store.add(batch.index.record.id, alive)
                self._store.save_next_seq_no(batch.index.record)
        # parsed documents are freed one by one, so that the garbage collector does not scan all of them
        while self._batches:
            _apply(self._batches.popitem()[1])


def _apply(batch: _IndexBatch) -> None:
    """Hands the writes to the index. A version that the same batch ended is in no row, so no segment may have it."""
    replaced = {seq_no for seq_no, _ in batch.dead}
    for effect in batch.effects:
        if isinstance(effect, int):
            if effect not in replaced:
                batch.index.add(*batch.added[effect])
        elif effect[1] not in batch.added:
            batch.index.remove(*effect)
    batch.index.save_if_due()


def check_update(body: Any) -> None:
    """Raises EngineError for a request that does not say what to change."""
    if not isinstance(body, dict):
        return
    partial, script = body.get("doc"), body.get("script")
    problems = []
    if script is None and partial is None:
        problems.append("script or doc is missing")
    if script is not None and partial is not None:
        problems.append("can't provide both script and doc")
    if body.get("doc_as_upsert") and partial is None:
        problems.append("doc must be specified if doc_as_upsert is enabled")
    if problems:
        listed = "".join(f"{number}: {problem};" for number, problem in enumerate(problems, start=1))
        raise EngineError("action_request_validation_exception", f"Validation Failed: {listed}")


def is_text(doc_id: str) -> bool:
    """Whether no half of a surrogate pair is in it."""
    return doc_id.isascii() or not any("\ud800" <= character <= "\udfff" for character in doc_id)


def check_id(doc_id: str) -> None:
    if not doc_id:
        raise illegal_argument("if _id is specified it must not be empty")
    if not is_text(doc_id):
        raise illegal_argument("an _id is text: it cannot hold half of a surrogate pair")
    if len(doc_id) <= LONGEST_ID:
        return
    length = len(doc_id.encode("utf-8", "replace"))
    if length > _MAX_ID_BYTES:
        raise EngineError(
            "action_request_validation_exception",
            f"Validation Failed: 1: id [{doc_id}] is too long, must be no longer than {_MAX_ID_BYTES} bytes but was: "
            f"{length};",
        )


def _on_index(index: Index, type: str, reason: str, status: int) -> EngineError:
    details = {"index_uuid": index.record.uuid, "shard": "0", "index": index.name}
    return EngineError(type, reason, status=status, details=details)


def merge_partial(stored: dict[str, Any], partial: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The document with the partial one's values, objects merged level by level, and whether anything changed."""
    merged, changed = dict(stored), False
    for key, value in partial.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key], inner = merge_partial(old, value)
            changed = changed or inner
        elif key not in merged or old != value or type(old) is not type(value):
            merged[key] = value
            changed = True
    return merged, changed
