"""A stand-in for a language model: it shows each prompt as a text file, and answers with what is written beside it.

    python -m benchmarks.standin DIR [--port 8765] [--wait 7200] &
    export ANTHROPIC_BASE_URL=http://127.0.0.1:8765 ANTHROPIC_API_KEY=none QLC_MODEL=claude-standin
    qlc eval QUESTIONS.jsonl --corpus LIB --answers OUT.jsonl --parallel 30 --deadline 7200

Each request is written to DIR/NNN.prompt.txt. Whoever answers sees nothing else, and writes the content blocks of the
answer to DIR/NNN.answer.json: [{"type": "tool_use", "name": "plan", "input": {...}}]. The same request is answered
once, and again from its file when the evaluation is run again. Without the server and with a key, the last line asks
the real model.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Standin:
    """The prompts and answers of a folder."""

    def __init__(self, folder: Path, wait: float) -> None:
        self.folder, self.wait = folder, wait
        self.lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        self.known = {json.loads(one.read_text())["key"]: one.name[:-9] for one in sorted(folder.glob("*.key.json"))}

    def number_of(self, body: dict[str, Any]) -> str:
        """What a request is called. A new one is written down."""
        key = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        with self.lock:
            if key not in self.known:
                self.known[key] = number = f"{self.next():03}"
                (self.folder / f"{number}.prompt.txt").write_text("\n".join(shown(body)) + "\n", "utf-8")
                (self.folder / f"{number}.key.json").write_text(json.dumps({"key": key}), "utf-8")
            return self.known[key]

    def next(self) -> int:
        return 1 + max((int(one) for one in self.known.values()), default=0)

    def answer(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """The answer, as soon as it is there. None where nobody gave one in time."""
        number = self.number_of(body)
        file = self.folder / f"{number}.answer.json"
        until = time.monotonic() + self.wait
        while time.monotonic() < until:
            with suppress(FileNotFoundError, json.JSONDecodeError):  # not there, or half written
                return message(json.loads(file.read_text("utf-8")), number, len(str(body)))
            time.sleep(0.3)
        return None


def message(content: Any, number: str, size: int) -> dict[str, Any]:
    blocks = content if isinstance(content, list) else [content]
    used = [{"id": f"toolu_{number}", **one} if one.get("type") == "tool_use" else one for one in blocks]
    has_tool = any(one.get("type") == "tool_use" for one in used)
    return {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "standin", "content": used,
        "stop_reason": "tool_use" if has_tool else "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": size // 4, "output_tokens": len(json.dumps(used)) // 4},
    }  # fmt: skip


def shown(body: dict[str, Any]) -> Iterator[str]:
    """A request as a text that people read."""
    for part in body.get("system", ()):
        yield f"=== SYSTEM ===\n{part['text']}"
    for tool in body.get("tools", ()):
        yield f"=== TOOL {tool['name']} ===\n{tool['description']}"
        yield json.dumps(tool["input_schema"], ensure_ascii=False)
    yield f"=== TOOL CHOICE ===\n{json.dumps(body.get('tool_choice'))}"
    for one in body["messages"]:
        content = one["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            kind = block["type"]
            text = {
                "text": block.get("text"), "tool_result": block.get("content"),
                "tool_use": f"{block.get('name')} {json.dumps(block.get('input'), ensure_ascii=False)}",
            }[kind]  # fmt: skip
            yield f"=== {one['role'].upper()} ({kind}) ===\n{text}"


def serve(standin: Standin, port: int) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            answer = standin.answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            said = answer or {"type": "error", "error": {"type": "not_found_error", "message": "nobody answered"}}
            body = json.dumps(said).encode()
            self.send_response(200 if answer else 404)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            with suppress(OSError):  # the client went away
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--wait", type=float, default=7_200.0, help="seconds for an answer")
    options = parser.parse_args()
    serve(Standin(options.folder, options.wait), options.port)


if __name__ == "__main__":
    main()
