"""A loopback server that speaks Anthropic's Messages API: it answers from a script and keeps what it was sent."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"input_tokens": 120, "output_tokens": 30, "cache_read_input_tokens": 4000, "cache_creation_input_tokens": 0}


@dataclass(frozen=True)
class Said:
    """One answer. `cut`: the connection ends in the middle of the body. `slow`: seconds before the body. `chunked`: in
    chunks; `endless`: again and again, until the client leaves."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    slow: float = 0.0
    dripping: bool = False
    chunked: bool = False
    endless: bool = False


def message(content: Sequence[Mapping[str, Any]], stop: str = "tool_use", **more: Any) -> Said:
    body = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": list(content),
        "stop_reason": stop, "stop_sequence": None, "usage": USAGE,
    }  # fmt: skip
    return Said(body, **more)


def uses(name: str, given: Any, **more: Any) -> Said:
    return message([{"type": "tool_use", "id": "toolu_1", "name": name, "input": given}], **more)


def submits(program: str, **more: Any) -> Said:
    return uses("submit_query", {"program": program}, **more)


def fails(status: int, kind: str, **headers: str) -> Said:
    body = {"type": "error", "error": {"type": kind, "message": "SECRET of the server"}}
    return Said(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass
class Server:
    url: str
    script: list[Said]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    """Set when a client left in the middle of an answer."""


async def seconds_to_cancel(server: Server, asked: Coroutine[Any, Any, Any]) -> float:
    """How long it takes that a question ends which is cancelled while the server answers it."""
    task = asyncio.create_task(asked)
    while not server.requests:
        await asyncio.sleep(0.01)
    began = time.monotonic()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()
    return time.monotonic() - began


@contextmanager
def serving(*script: Said) -> Iterator[Server]:
    """The answers are given in order, the last one again and again."""
    found = Server("", list(script))
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.requests.append(json.loads(body))
            found.headers.append({key.lower(): value for key, value in self.headers.items()})
            found.times.append(time.monotonic())
            found.paths.append(self.path)
            said = found.script.pop(0) if len(found.script) > 1 else found.script[0]
            text = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
            stopping.wait(said.slow)
            self.send_response(said.status)
            self.send_header("content-type", "application/json")
            if said.chunked or said.endless:
                self.send_header("transfer-encoding", "chunked")
            else:
                self.send_header("content-length", str(len(text)))
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if said.cut:
                self.wfile.write(text[: len(text) // 2])
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            elif said.dripping:
                for at in range(len(text)):
                    if stopping.wait(0.1):
                        return
                    self.wfile.write(text[at : at + 1])
                    self.wfile.flush()
            elif said.chunked or said.endless:
                while not stopping.is_set():
                    for at in range(0, len(text), 65_536):
                        part = text[at : at + 65_536]
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                    if not said.endless:
                        break
                self.wfile.write(b"0\r\n\r\n")
            else:
                self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:  # the client went away
                found.left.set()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield found
    finally:
        stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
