"""A proxy on loopback that fails on demand, in front of a server or of the embedded engine."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from qlc_engine import Engine

JSON = {"x-elastic-product": "Elasticsearch", "content-type": "application/vnd.elasticsearch+json;compatible-with=8"}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Exchange:
    """One request, and how it is answered."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    handler: _Handler
    given_up: threading.Event

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def searches(self) -> bool:
        return self.path.endswith(("/_search", "/_msearch"))

    @property
    def reads_mapping(self) -> bool:
        return self.path.endswith(("/_mapping", "/_settings"))

    def forward(self) -> Answer:
        """Return the response of the server behind the proxy, uncompressed, as faults read it."""
        headers = {name: value for name, value in self.headers.items() if name.lower() != "accept-encoding"}
        return self.handler.proxy.upstream(self.method, self.target, headers, self.body)

    def answer(self, answer: Answer, length: int | None = None) -> None:
        """Send an answer; `length` is the length that is claimed for it."""
        self.begin(answer, length)
        self.handler.wfile.write(answer.body)

    def begin(self, answer: Answer, length: int | None = None) -> None:
        self.handler.send_response(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                self.handler.send_header(name, value)
        if answer.status != 204:
            self.handler.send_header("content-length", str(len(answer.body) if length is None else length))
        self.handler.end_headers()

    def close(self, *, reset: bool = False) -> None:
        """End the connection, politely or with a reset."""
        if reset:
            self.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.handler.close_connection = True


Fault = Callable[[Exchange], None]
Upstream = Callable[[str, str, Mapping[str, str], bytes], Answer]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    proxy: FaultProxy

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        exchange = Exchange(self.command, self.path, dict(self.headers.items()), body, self, self.proxy.given_up)
        with suppress(OSError):
            self.proxy.serve(exchange)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _serve

    def handle(self) -> None:
        self.proxy.open_connections.add(self.connection)
        try:
            with suppress(OSError):
                super().handle()
        finally:
            self.proxy.open_connections.discard(self.connection)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def shutdown_request(self, request: Any) -> None:
        # A polite shutdown would come before the reset that a fault asked for.
        linger = request.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8)
        if struct.unpack("ii", linger)[0]:
            self.close_request(request)
        else:
            super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that went away is what is tested."""


@dataclass
class _Planned:
    fault: Fault
    left: int | None
    when: Callable[[Exchange], bool]
    met: int = 0


class FaultProxy:
    """Passes everything on, except while a fault is planned. Safe under threads."""

    def __init__(self, upstream: Upstream, *, tls: ssl.SSLContext | None = None) -> None:
        self.upstream = upstream
        self.given_up = threading.Event()
        self.requests: list[tuple[str, str]] = []
        self.seen_headers: list[Mapping[str, str]] = []
        self.open_connections: set[socket.socket] = set()
        self._tls = tls
        self._plans: list[_Planned] = []
        self._lock = threading.Lock()
        self._port = 0
        self._server: _Server | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Listen, on the same port as before."""
        handler = type("Handler", (_Handler,), {"proxy": self})
        self._server = _Server(("127.0.0.1", self._port), handler)
        if self._tls is not None:
            self._server.socket = self._tls.wrap_socket(self._server.socket, server_side=True)
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        """Refuse connections, and cut those that are open."""
        self.given_up.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
        for connection in list(self.open_connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def serve(self, exchange: Exchange) -> None:
        with self._lock:
            self.requests.append((exchange.method, exchange.path))
            self.seen_headers.append(exchange.headers)
            planned = next((one for one in self._plans if one.left != 0 and one.when(exchange)), None)
            if planned is not None:
                planned.met += 1
                planned.left = None if planned.left is None else planned.left - 1
        if planned is None:
            exchange.answer(exchange.forward())
        else:
            planned.fault(exchange)

    @contextmanager
    def failing(
        self, fault: Fault, times: int | None = None, when: Callable[[Exchange], bool] = lambda e: e.searches
    ) -> Iterator[_Planned]:
        """Fail so, the first `times` (None: always), where `when` says so (default: searches)."""
        planned = _Planned(fault, times, when)
        with self._lock:
            self._plans.append(planned)
        try:
            yield planned
        finally:
            with self._lock:
                self._plans.remove(planned)
            self.given_up.set()
            self.given_up = threading.Event()


# --- what stands behind ----------------------------------------------------------------------------------------------


def engine_behind(engine: Engine) -> Upstream:
    def ask(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        packs = any(name.lower() == "content-encoding" for name in headers)
        return Answer(*engine.handle(method, target, (gzip.decompress(body) if packs else body) or None))

    return ask


def server_behind(url: str) -> Upstream:
    at = urlsplit(url)

    def ask(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer:
        line = http.client.HTTPConnection(at.hostname or "", at.port, timeout=60)
        try:
            kept = {k: v for k, v in headers.items() if k.lower() not in ("host", "connection", "authorization")}
            line.request(method, target, body or None, kept)
            got = line.getresponse()
            return Answer(got.status, dict(got.getheaders()), got.read())
        except OSError as problem:
            return Answer(502, {"content-type": "text/plain", "x-elastic-product": "Elasticsearch"},
                          str(problem).encode())
        finally:
            line.close()

    return ask


# --- faults ----------------------------------------------------------------------------------------------------------


def says(status: int, body: Any = None, headers: Mapping[str, str] | None = None) -> Fault:
    """This answer in place of the server's: bytes as they are, anything else as JSON."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda exchange: exchange.answer(Answer(status, {**JSON, **(headers or {})}, raw))


def error(status: int, kind: str, reason: str = "", headers: Mapping[str, str] | None = None, **more: Any) -> Fault:
    """An error in the server's own shape."""
    cause = {"type": kind, "reason": reason, **more}
    return says(status, {"error": {"root_cause": [cause], **cause}, "status": status}, headers)


def changed(change: Callable[[dict[str, Any]], None]) -> Fault:
    """The server's answer with something changed in each of its searches."""

    def fault(exchange: Exchange) -> None:
        answer = exchange.forward()
        content = answer.json
        for one in content.get("responses", [content]):
            change(one)
        exchange.answer(Answer(answer.status, answer.headers, json.dumps(content).encode()))

    return fault


def lacking_a_shard(answer: dict[str, Any]) -> None:
    answer["_shards"] = {"total": 3, "successful": 2, "failed": 1, "failures": [
        {"shard": 1, "index": "things", "reason": {"type": "node_not_connected_exception", "reason": "gone"}}]}


def out_of_time(answer: dict[str, Any]) -> None:
    answer["timed_out"] = True


def reset(exchange: Exchange) -> None:
    exchange.close(reset=True)


def silent(exchange: Exchange) -> None:
    """The connection ends without an answer."""
    exchange.close()


def truncated(exchange: Exchange) -> None:
    """Half of the body, then the end of the connection."""
    answer = exchange.forward()
    exchange.answer(Answer(answer.status, answer.headers, answer.body[: len(answer.body) // 2]), len(answer.body))
    exchange.close()


def cut(exchange: Exchange) -> None:
    """Half of the JSON as if it were all."""
    answer = exchange.forward()
    exchange.answer(Answer(answer.status, answer.headers, answer.body[: len(answer.body) // 2]))


def hung(exchange: Exchange) -> None:
    exchange.given_up.wait(60)
    exchange.close()


def hung_behind_the_headers(exchange: Exchange) -> None:
    exchange.begin(exchange.forward())
    exchange.given_up.wait(60)
    exchange.close()


def dripping(exchange: Exchange) -> None:
    """A byte now and then: each read from the socket is in time, all of them together are not."""
    answer = exchange.forward()
    exchange.begin(answer)
    for at in range(len(answer.body)):
        exchange.handler.wfile.write(answer.body[at : at + 1])
        if exchange.given_up.wait(0.1):
            break
    exchange.close()


def slow(seconds: float) -> Fault:
    def fault(exchange: Exchange) -> None:
        time.sleep(seconds)
        exchange.answer(exchange.forward())

    return fault


def labelled(content_type: str, **more: str) -> Fault:
    """The server's answer under another content type."""

    def fault(exchange: Exchange) -> None:
        answer = exchange.forward()
        exchange.answer(Answer(answer.status, {**JSON, "content-type": content_type, **more}, answer.body))

    return fault


def endless(piece: bytes, headers: Mapping[str, str] | None = None) -> Fault:
    """A body without end, in pieces of its own length."""

    def fault(exchange: Exchange) -> None:
        _begin(exchange, {**JSON, "transfer-encoding": "chunked", **(headers or {})})
        framed = b"%x\r\n%s\r\n" % (len(piece), piece)
        while not exchange.given_up.is_set():
            exchange.handler.wfile.write(framed)
        exchange.close()

    return fault


def until_closed(body: bytes, headers: Mapping[str, str] | None = None) -> Fault:
    """Return a fault that sends a body of unknown length, and closes the connection at its end."""

    def fault(exchange: Exchange) -> None:
        _begin(exchange, {**JSON, "connection": "close", **(headers or {})})
        exchange.handler.wfile.write(body)
        exchange.close()

    return fault


def interim_for_ever(exchange: Exchange) -> None:
    """Interim answers, and never the answer."""
    while not exchange.given_up.wait(0.001):
        exchange.handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    exchange.close()


def dripping_headers(exchange: Exchange) -> None:
    """A header now and then, and never the last."""
    exchange.handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not exchange.given_up.wait(0.05):
        exchange.handler.wfile.write(b"x-y: z\r\n")
    exchange.close()


def after_interim(exchange: Exchange) -> None:
    """The answer, behind an interim one."""
    exchange.handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    exchange.answer(exchange.forward())


def packed(exchange: Exchange) -> None:
    """The server's answer, compressed."""
    answer = exchange.forward()
    exchange.answer(Answer(answer.status, {**answer.headers, "content-encoding": "gzip"}, gzip.compress(answer.body)))


def _begin(exchange: Exchange, headers: Mapping[str, str]) -> None:
    exchange.handler.send_response(200)
    for name, value in headers.items():
        exchange.handler.send_header(name, value)
    exchange.handler.end_headers()
