"""The engine: what there is in it, and the REST layer by which it is asked."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError
from qlc_engine.failing import storage_errors
from qlc_engine.folder_lock import ForkedFolderError
from qlc_engine.json_output import Handed, dump_json
from qlc_engine.rest.filter_path import apply_filter_path
from qlc_engine.rest.request import Request
from qlc_engine.rest.routes import answer
from qlc_engine.time_limit import time_limit

logger = logging.getLogger("qlc_engine")

_HEADERS = {"X-Elastic-Product": "Elasticsearch", "content-type": "application/json"}


class Engine(EngineCore):
    """Answers requests as Elasticsearch does. Make one with `open`."""

    def handle(
        self, method: str, target: str, headers: Mapping[str, str] | None, body: bytes | None
    ) -> tuple[int, dict[str, str], bytes]:
        """Answers one HTTP request: status, headers and body.

        A defect of the engine is a 500, as from a server, and stands in the log of `qlc_engine`. Raises
        ForkedFolderError in a process that was forked from the one that opened the folder.
        """
        status, answered, content = self.respond(Request.of(method, target, body, headers=headers))
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
        extra: Mapping[str, str] = {}
        as_objects = False
        try:
            if self._closed:
                raise EngineError("already_closed_exception", "this client was closed: connect again", status=400)
            with storage_errors(), time_limit(request.seconds):
                if self._read_only:
                    self._follow()
                response = answer(self, request)
            status, content, extra = response.status, response.body, response.headers
            as_objects = response.as_objects
        except EngineError as error:
            status, content = error.status, error.to_body(self.first_index(request.index))
        filter_path = request.params.get("filter_path")
        # refusals are told whole
        if filter_path and isinstance(content, dict | list) and "error" not in content:
            content = apply_filter_path(content, filter_path)
        if request.method == "HEAD" or content is None:
            return status, {**_HEADERS, **extra}, b""
        if isinstance(content, str):
            return status, {**_HEADERS, **extra, "content-type": "text/plain; charset=UTF-8"}, content.encode()
        return status, {**_HEADERS, **extra}, Handed(content) if as_objects else dump_json(content)
