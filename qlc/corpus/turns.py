"""A lock for writing to a corpus on a server; a folder of the embedded engine has a lock of its own.

The writer has a record in the index, and counts in it every few seconds. If the count stops, the next writer takes the
record over; optimistic locking by the record's version lets only one succeed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

from elastic_transport import TransportError
from elasticsearch import ApiError, ConflictError, NotFoundError

from qlc.base.errors import UsageError

RUN = "run"
"""The id and the kind of the record."""
BEAT_SECONDS = 4.0
SILENCE_SECONDS = 20.0
"""Seconds without a beat after which a writer is considered dead."""


@contextmanager
def turn(client: Any, index: str) -> Iterator[Callable[[], None]]:
    """Hold the lock. Raises UsageError if another run writes to this corpus; waits if that one may have been killed.

    Yields a function to call before each write: it raises UsageError if another run has taken over after a long pause
    of this one.
    """
    record = _Record(client, index)
    record.take()
    ended = threading.Event()
    beating = threading.Thread(target=record.beat, args=(ended,), daemon=True)
    beating.start()
    try:
        yield record.check
    finally:
        ended.set()
        beating.join()
        record.give_back()


class _Record:
    def __init__(self, client: Any, index: str) -> None:
        self._client = client
        self._index = index
        self._body = {"kind": RUN, "id": f"{RUN} {uuid4().hex}"}
        self._beats = 0
        self._is_lost = False
        self._version: dict[str, int] = {}

    def take(self) -> None:
        try:
            self._write(op_type="create")
            return
        except ConflictError:
            if self._is_ours():
                return
        before = self._seen()
        deadline = time.monotonic() + SILENCE_SECONDS
        while before is not None and time.monotonic() < deadline:
            time.sleep(BEAT_SECONDS / 4)
            now = self._seen()
            if now is not None and now != before:
                raise UsageError(f"another run writes to the corpus '{self._index}' at the moment; wait for its end")
            before = now
        condition: dict[str, Any] = before or {"op_type": "create"}
        try:
            self._write(**condition)
        except ConflictError:
            if not self._is_ours():
                raise UsageError(f"another run has just begun to write to the corpus '{self._index}'") from None

    def _seen(self) -> dict[str, int] | None:
        answer = self._stored()
        return None if answer is None else _version(answer)

    def _stored(self) -> Any:
        """Return the record in the index; None if there is none."""
        with suppress(NotFoundError):
            return self._client.get(index=self._index, id=RUN)

    def _is_ours(self) -> bool:
        """Whether the record is this run's after a conflict: the client repeats a write without a response, and the
        first one may have succeeded."""
        answer = self._stored()
        if answer is None or answer["_source"]["id"] != self._body["id"]:
            return False
        self._version = _version(answer)
        return True

    def _write(self, **condition: Any) -> None:
        body = {**self._body, "ordinal": self._beats}
        self._version = _version(self._client.index(index=self._index, id=RUN, document=body, **condition))

    def beat(self, ended: threading.Event) -> None:
        while not ended.wait(BEAT_SECONDS):
            self._beats += 1
            try:
                self._write(**self._version)
            except ConflictError:
                with suppress(ApiError, TransportError):  # the next beat asks again
                    self._is_lost = not self._is_ours()
            except (ApiError, TransportError):  # the next beat tries again
                continue

    def check(self) -> None:
        if self._is_lost:
            raise UsageError(
                f"another run has taken over the corpus '{self._index}', as the server has not heard of this one for "
                f"{SILENCE_SECONDS:.0f} seconds; what was added stays, and the next run does the rest"
            )

    def give_back(self) -> None:
        with suppress(ApiError, TransportError):
            self._client.delete(index=self._index, id=RUN, refresh=True, **self._version)


def _version(answer: Any) -> dict[str, int]:
    return {"if_seq_no": answer["_seq_no"], "if_primary_term": answer["_primary_term"]}
