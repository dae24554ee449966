"""`qlc index`: newline-delimited JSON into an index, resumable, with a list of what was rejected."""

from __future__ import annotations

import gzip
import json
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from qlc.cli.target import open_client
from qlc.errors import UsageError

BATCH = 1000


def load_file(options: Namespace) -> int:
    """Load a file. Lines that are already there (same id) are overwritten, so that a cut-off load can be repeated."""
    path = Path(options.file)
    if not path.is_file():
        raise UsageError(f"there is no file '{options.file}'")
    name = options.name or path.name.split(".")[0].lower()
    client = open_client(options)
    _prepare(client, name, options)
    progress = _progress_file(path, name)
    done = _resume_at(progress, client, name, fresh=options.fresh)
    meter = _Meter(path, done)
    rejected: list[dict[str, Any]] = []
    for batch in _batches(path, done):
        rejected += _send(client, name, batch, options.id)
        done = batch[-1][0]
        meter.show(done, len(rejected))
        progress.write_text(json.dumps({"index": name, "line": done}), encoding="utf-8")
    client.indices.refresh(index=name)
    progress.unlink(missing_ok=True)
    meter.end()
    return _report(name, done, rejected, path, as_json=options.json)


def _prepare(client: Any, name: str, options: Namespace) -> None:
    if options.fresh and client.indices.exists(index=name):
        client.indices.delete(index=name)
    if client.indices.exists(index=name):
        return
    body: dict[str, Any] = {}
    if options.mapping:
        try:
            body = json.loads(Path(options.mapping).read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise UsageError(f"the mapping '{options.mapping}' cannot be read: {problem}") from problem
    client.indices.create(index=name, mappings=body.get("mappings"), settings=body.get("settings"))


def _progress_file(path: Path, name: str) -> Path:
    return path.with_name(f".{path.name}.{name}.qlc-progress")


def _resume_at(progress: Path, client: Any, name: str, *, fresh: bool) -> int:
    """The line up to which an earlier load came, if the index still holds documents."""
    if fresh or not progress.is_file():
        return 0
    try:
        line = int(json.loads(progress.read_text(encoding="utf-8"))["line"])
    except (ValueError, KeyError, TypeError):
        return 0
    client.indices.refresh(index=name)
    if not client.count(index=name)["count"]:
        return 0
    print(f"qlc: going on behind line {line:,}", file=sys.stderr)
    return line


def _batches(path: Path, done: int) -> Iterator[list[tuple[int, str]]]:
    batch: list[tuple[int, str]] = []
    with _lines(path) as lines:
        for number, line in enumerate(lines, 1):
            if number <= done or not line.strip():
                continue
            batch.append((number, line))
            if len(batch) == BATCH:
                yield batch
                batch = []
    if batch:
        yield batch


def _lines(path: Path) -> IO[str]:
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def _send(client: Any, name: str, batch: list[tuple[int, str]], id_path: str | None) -> list[dict[str, Any]]:
    """Send a batch; what was rejected, with line and reason."""
    rejected: list[dict[str, Any]] = []
    operations: list[Any] = []
    numbers: list[int] = []
    for number, line in batch:
        try:
            document = json.loads(line)
        except ValueError as problem:
            rejected.append({"line": number, "reason": f"not JSON: {problem}"})
            continue
        identity = _at(document, id_path) if id_path else str(number)
        if not isinstance(document, dict) or identity is None:
            reason = "not a JSON object" if not isinstance(document, dict) else f"nothing at '{id_path}'"
            rejected.append({"line": number, "reason": reason})
            continue
        operations += [{"index": {"_id": str(identity)}}, document]
        numbers.append(number)
    if operations:
        answer = client.bulk(index=name, operations=operations)
        for number, item in zip(numbers, answer["items"], strict=True):
            error = item["index"].get("error")
            if error is not None:
                rejected.append({"line": number, "reason": error.get("reason", str(error))})
    return rejected


def _at(document: Any, path: str) -> Any:
    for part in path.split("."):
        document = document.get(part) if isinstance(document, dict) else None
    return document


class _Meter:
    """A progress line on a terminal: lines, speed, and how far through the file."""

    def __init__(self, path: Path, done: int) -> None:
        self.total = path.stat().st_size if path.suffix != ".gz" else 0
        self.started = time.monotonic()
        self.first = done
        self.on = sys.stderr.isatty()

    def show(self, done: int, rejected: int) -> None:
        if self.on:
            rate = (done - self.first) / max(time.monotonic() - self.started, 1e-3)
            print(f"\r{done:,} lines, {rate:,.0f} a second, {rejected:,} rejected ", end="", file=sys.stderr)

    def end(self) -> None:
        if self.on:
            print(file=sys.stderr)


def _report(name: str, lines: int, rejected: list[dict[str, Any]], path: Path, *, as_json: bool) -> int:
    loaded = lines - len(rejected)
    if as_json:
        print(json.dumps({"index": name, "lines": lines, "rejected": rejected}, ensure_ascii=False))
    else:
        print(f"{loaded:,} documents in '{name}'" + (f", {len(rejected):,} lines rejected:" if rejected else "."))
        for item in rejected[:20]:
            print(f"  {path.name}:{item['line']}: {item['reason']}")
        if len(rejected) > 20:
            print(f"  and {len(rejected) - 20:,} more (--json lists all)")
    return 1 if rejected else 0
