"""The embedded engine behind a real socket: what the official client sends and reads over HTTP, without a server."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qlc_engine import Engine
from qlc_engine.rest.request import Request


def _refusal(major: int, asked: str) -> dict[str, Any]:
    """Return the response of a server to a client of another version; to a HEAD request it is sent without this
    body."""
    cause = f"Accept version must be either version {major} or {major - 1}, but found {asked}"
    error = {"type": "media_type_header_exception", "reason": "Invalid media-type value on headers [Accept]"}
    return {"error": {**error, "root_cause": [error], "caused_by": {"type": "status_exception", "reason": cause}},
            "status": 400}  # fmt: skip


Answered = tuple[int, Mapping[str, str], bytes]
"""Status, headers and body."""


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler, bytes], Answered]) -> Iterator[str]:
    """The address of a server that answers each request, with its body, so."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            status, headers, content = answer(self, self.rfile.read(int(self.headers.get("content-length") or 0)))
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _answer

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def engine_over_http(major: int) -> Iterator[str]:
    """The address of an engine that takes clients of this major version of Elasticsearch and of the one before."""
    engine = Engine.open(None)

    def answer(handler: BaseHTTPRequestHandler, body: bytes) -> Answered:
        asked = re.search(r"compatible-with=(\d+)", handler.headers.get("accept", ""))
        version = f"vnd.elasticsearch+json;compatible-with={asked[1]}" if asked is not None else "json"
        usual = {"x-elastic-product": "Elasticsearch", "content-type": f"application/{version}"}
        if asked is not None and int(asked[1]) not in (major, major - 1):
            return 400, usual, json.dumps(_refusal(major, asked[1])).encode()
        status, headers, content = engine.respond(Request.of(handler.command, handler.path, body or None))
        return status, {**usual, **{name.lower(): value for name, value in headers.items()}}, content  # type: ignore[return-value]

    with answering(answer) as address:
        yield address
