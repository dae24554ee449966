"""The engine: its contents, and the REST layer for requests."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Iterator

from qlc_engine.core import EngineCore
from qlc_engine.damage import DamagedSegmentError
from qlc_engine.errors import EngineError
from qlc_engine.folder_lock import ForkedFolderError
from qlc_engine.json_output import Handed, dump_json
from qlc_engine.rest.filter_path import apply_filter_path
from qlc_engine.rest.request import Request
from qlc_engine.rest.routes import answer
from qlc_engine.store import DamagedStoreError
from qlc_engine.time_limit import time_limit

logger = logging.getLogger("qlc_engine")

_HEADERS = {"X-Elastic-Product": "Elasticsearch", "content-type": "application/json"}


class Engine(EngineCore):
    """Answers requests as Elasticsearch does. Make one with `open`."""

    def handle(self, method: str, target: str, body: bytes | None) -> tuple[int, dict[str, str], bytes]:
        """Answers one HTTP request: status, headers and body.

        A defect of the engine is a 500, as from a server, and is in the log of `qlc_engine`. Raises
        ForkedFolderError in a process that was forked from the one that opened the folder.
        """
        status, answered, content = self.respond(Request.of(method, target, body))
        assert isinstance(content, bytes)
        return status, answered, content

    def respond(self, request: Request) -> tuple[int, dict[str, str], bytes | Handed]:
        """As `handle`; a request that takes objects may be answered with some."""
        if self._is_forked():
            assert self._folder is not None
            raise ForkedFolderError(self._folder)
        try:
            return self._answered(request)
        except Exception as error:
            logger.exception("%s /%s failed", request.method, "/".join(request.parts))
            failure = EngineError("exception", f"{type(error).__name__}: {error}", status=500)
            return 500, dict(_HEADERS), dump_json(failure.to_body())

    def _answered(self, request: Request) -> tuple[int, dict[str, str], bytes | Handed]:
        as_objects = False
        try:
            if self._closed:
                raise EngineError("already_closed_exception", "this client was closed: connect again", status=400)
            with _storage_errors(), time_limit(request.seconds):
                if self._read_only:
                    self._follow()
                response = answer(self, request)
            status, content, as_objects = response.status, response.body, response.as_objects
            filter_path = request.params.get("filter_path")
            # refusals are reported whole
            if filter_path and isinstance(content, dict) and "error" not in content:
                content = apply_filter_path(content, filter_path)
        except EngineError as error:
            status, content = error.status, error.to_body()
        if request.method == "HEAD" or content is None:
            return status, dict(_HEADERS), b""
        return status, dict(_HEADERS), Handed(content) if as_objects else dump_json(content)


@contextlib.contextmanager
def _storage_errors() -> Iterator[None]:
    """Convert errors of the disk, and damage on it, to the errors of a server."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise EngineError("i_o_exception", f"the folder cannot be read or written: {error}", status=500) from error
    except OSError as error:
        reason = f"the folder cannot be read or written: {error.strerror or error}"
        raise EngineError("i_o_exception", reason, status=500) from error
    except (DamagedStoreError, DamagedSegmentError, sqlite3.DatabaseError) as error:
        reason = f"{error}; 'qlc repair FOLDER' says what can be repaired"
        raise EngineError("corrupt_index_exception", reason, status=500) from error
