"""`qlc index`: loads newline-delimited JSON into an index, resumable, with a list of rejected lines."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, cast
from uuid import uuid4

from qlc.base.errors import UsageError, reason_of
from qlc.cli.meter import Meter
from qlc.cli.settings import Load
from qlc.cli.target import open_client
from qlc.mapping.shapes import mapping_answer
from qlc.mapping.value_types import ValueTypes, with_properties
from qlc.outcome.amounts import several
from qlc.resolver.wrong_server import stranger_at
from qlc.store.clients import has_index
from qlc.tables.reading import is_table

BATCH = 1000
BATCH_BYTES = 10_000_000
"""A request holds at most so much, whichever comes first."""

LONGEST_LINE = 100 * 1024 * 1024
"""Bytes of one document: more Elasticsearch takes in no request (`http.max_content_length`)."""

PAUSES = (0.5, 2.0, 8.0)
"""Seconds before what a busy server turned away is sent again."""

Line = tuple[int, bytes]

LONGEST_ID = 512
"""Bytes of an id."""

_NAME = re.compile(r"[^\W_A-Z][^\WA-Z]*(?:[.-]+[^\WA-Z]+)*")
"""A name of an index: what servers take without quotes or escapes."""

_PLACE = re.compile(r"^\[\d+:\d+\] ")
"""Place of an error inside a line, with which some of the server's reasons begin."""


@dataclass(slots=True)
class Progress:
    """How far a load came: what a repeated one goes on from. `size` tells whether the file is still the same.

    Of the lines that were `loaded`, some were `replaced`: put in the place of a document with the same id.
    """

    index: str
    size: int
    line: int = 0
    loaded: int = 0
    replaced: int = 0
    rejected: list[dict[str, Any]] = field(default_factory=list)


def load_files(options: Load) -> int:
    """Load files one after another. Returns 1 if a line or a row of one was not loaded."""
    if options.name and len(options.files) > 1:
        raise UsageError("--name is of one file: load the files one after another")
    return max([load_file(Path(file), options) for file in options.files])


def load_file(path: Path, options: Load) -> int:
    """Load a file. Lines that are already there (same id) are overwritten, so that a cut-off load can be repeated."""
    if not path.is_file():
        is_folder = f"'{path}' is a folder: give files, such as a table or JSON lines"
        raise UsageError(is_folder if path.is_dir() else f"there is no file '{path}'")
    if options.name and not _NAME.fullmatch(options.name):
        raise UsageError(f"--name '{options.name}' cannot be an index: use a-z, 0-9, '-', '_' and '.', a letter first")
    if is_table(path) and not _is_lines(path):
        from qlc.cli.tables import load_tables

        if options.mapping:
            raise UsageError("--mapping is for JSON lines: a table has --set COLUMN=TYPE, or --types FILE")

        return load_tables(path, options)
    name = options.name or re.sub(r"[^\w.-]+", "-", path.name.split(".")[0].lower()).strip("-_") or "lines"
    with open_client(options, writes=True) as client:
        return _load(client, name, path, options)


def _is_lines(path: Path) -> bool:
    """Whether a file has a JSON object in each line; one with an array of them is a table."""
    if ".json" not in path.suffixes:
        return bool({".jsonl", ".ndjson"} & set(path.suffixes))
    with _opened(path) as file:
        return not file.read(_SNIFFED).lstrip().startswith(b"[")


_SNIFFED = 1024


def _load(client: Any, name: str, path: Path, options: Load) -> int:
    made = _prepare(client, name, path, options)
    kept = path.with_name(f".{path.name}.{name}.qlc-progress")
    progress = _resumed(kept, client, Progress(name, path.stat().st_size), fresh=options.fresh)
    meter = Meter("lines", progress.line)
    try:
        for batch in _batches(path, progress.line):
            replaced, rejected = _send(client, name, batch, options.id)
            progress.line = batch[-1][0]
            progress.loaded += len(batch) - len(rejected)
            progress.replaced += replaced
            progress.rejected += rejected
            meter.show(progress.line, name=f"{len(progress.rejected):,} rejected")
            kept.write_text(json.dumps(asdict(progress)), encoding="utf-8")
    except (OSError, EOFError, zlib.error) as problem:
        if made and not progress.loaded:
            client.indices.delete(index=name)
        else:
            client.indices.refresh(index=name)
        raise _unread(path, progress, problem) from problem
    kept.unlink(missing_ok=True)
    meter.end()
    if made and progress.rejected and not progress.loaded:
        client.indices.delete(index=name)  # an empty one would be in the way of the next attempt
    else:
        client.indices.refresh(index=name)
        made = False
    return _report(progress, path, as_json=options.json, unmade=made)


def _prepare(client: Any, name: str, path: Path, options: Load) -> bool:
    """Create the index, or add fields that it lacks; return whether it was created.

    Raises MappingError before any change, if no type holds all values of a field.
    """
    body = _index_body(options.mapping) if options.mapping else {}
    mappings, settings = body.get("mappings"), body.get("settings")
    known = _exists(client, name)
    if known and not options.fresh:
        there = next(iter(mapping_answer(client.indices.get_mapping, name).values()))["mappings"]
        found = _types(path, with_properties(there, (mappings or {}).get("properties") or {}), options.id)
        if mappings and options.mapping:
            _extend(client, name, mappings, options.mapping)
        if found:
            client.indices.put_mapping(index=name, properties=found)
        return False
    if found := _types(path, mappings or {}, options.id):
        mappings = with_properties(mappings or {}, found)
    if known:
        trial = f"{name}-{uuid4().hex}"  # a body that is refused leaves the index that is there as it is
        client.indices.create(index=trial, mappings=mappings, settings=settings)
        client.indices.delete(index=trial)
        client.indices.delete(index=name)
    client.indices.create(index=name, mappings=mappings, settings=settings)
    return not known


def _exists(client: Any, name: str) -> bool:
    from elasticsearch import UnsupportedProductError

    try:
        return has_index(client, name)
    except UnsupportedProductError as problem:
        raise stranger_at(client, problem) from None


def _types(path: Path, mappings: dict[str, Any], id_path: str | None) -> dict[str, Any]:
    """Return the types that the values of the file need beyond those of the mapping."""
    types = ValueTypes(mappings)
    try:
        with _opened(path) as file:
            for number, line in _lines(file):
                if not line.strip():
                    continue
                try:
                    _, document = _identified(_document(line), id_path, number)
                except ValueError:
                    continue  # it is rejected when the lines are sent
                if isinstance(document, dict):
                    types.add(number, document)
    except (OSError, EOFError, zlib.error):
        pass  # what can be read is loaded, and then the problem is told
    return types.properties()


def _index_body(file: str) -> dict[str, Any]:
    try:
        body = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"the mapping '{file}' cannot be read: {reason_of(problem)}") from problem
    if not isinstance(body, dict):
        raise UsageError(f"the mapping '{file}' is not a JSON object")
    return body if body.keys() & {"mappings", "settings"} else {"mappings": body}


def _extend(client: Any, name: str, mappings: dict[str, Any], file: str) -> None:
    """Add the fields of a mapping file to an index. A field that the index has with another type is an error."""
    from elasticsearch import BadRequestError

    try:
        client.indices.put_mapping(index=name, body=mappings)
    except BadRequestError as problem:
        reason = problem.body["error"]["reason"] if isinstance(problem.body, dict) else problem.message
        raise UsageError(
            f"the index '{name}' exists, and the mapping '{file}' does not fit it: {reason}. --fresh deletes it and "
            "creates it again, --name NAME creates another one"
        ) from problem


def _resumed(kept: Path, client: Any, anew: Progress, *, fresh: bool) -> Progress:
    """Return the progress of an earlier load of the same file, if the index still holds documents; else `anew`."""
    if fresh or not kept.is_file():
        return anew
    try:
        found = Progress(**json.loads(kept.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        return anew
    if (found.index, found.size) != (anew.index, anew.size):
        return anew
    client.indices.refresh(index=anew.index)
    if not client.count(index=anew.index)["count"]:
        return anew
    print(f"qlc: continuing after line {found.line:,}", file=sys.stderr)
    return found


def _unread(path: Path, progress: Progress, problem: Exception) -> UsageError:
    """Return the error for a file that cannot be read to its end: how much was loaded, and what to do."""
    lines = f"{several(progress.loaded, 'document')} of it are in '{progress.index}', up to line {progress.line:,}"
    loaded = lines if progress.loaded else "none of it was loaded"
    again = "Load the whole file again: documents that are there already are replaced, not doubled."
    return UsageError(f"the file '{path}' cannot be read to its end ({reason_of(problem)}): {loaded}. {again}")


def _batches(path: Path, done: int) -> Iterator[list[Line]]:
    """Yield the lines after the first `done`, in batches. If reading fails, the lines before come first, then the
    error."""
    batch: list[Line] = []
    size = 0
    with _opened(path) as file:
        try:
            for number, line in _lines(file):
                if number <= done or not line.strip():
                    continue
                batch.append((number, line))
                size += len(line)
                if len(batch) == BATCH or size >= BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        except (OSError, EOFError, zlib.error):
            if batch:
                yield batch
            raise
    if batch:
        yield batch


def _opened(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def _lines(file: IO[bytes]) -> Iterator[Line]:
    """Yield the lines with their numbers. A line that is too long is cut, so it is rejected, and its rest is
    skipped."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        yield number, line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE + 1)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"Duplicate field '{next(name for at, name in enumerate(names) if name in names[:at])}'")
    return made


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_object)


def _document(line: bytes) -> Any:
    """Parse a line. Raises ValueError with the reason if it is not JSON."""
    if len(line) > LONGEST_LINE:
        raise ValueError(f"longer than {LONGEST_LINE // 2**20} MB")
    try:
        text = line.decode()
    except UnicodeDecodeError as problem:
        raise ValueError(f"not UTF-8: {problem.reason} at byte {problem.start + 1:,} of the line") from None
    try:
        return _DECODER.decode(text.strip())
    except RecursionError:
        raise ValueError("not JSON: nested too deeply") from None
    except ValueError as problem:
        raise ValueError(f"not JSON: {problem}") from None


def _send(client: Any, name: str, batch: list[Line], id_path: str | None) -> tuple[int, list[dict[str, Any]]]:
    """Load a batch: how many documents took another's place, and what was rejected, by line and reason."""
    rejected: list[dict[str, Any]] = []
    documents: dict[int, tuple[str, Any]] = {}
    for number, line in batch:
        try:
            document = _document(line)
        except ValueError as problem:
            rejected.append({"line": number, "reason": str(problem)})
            continue
        identity, document = _identified(document, id_path, number)
        if not isinstance(document, dict):
            rejected.append({"line": number, "reason": "not a JSON object"})
        elif identity is None or isinstance(identity, dict | list):
            rejected.append({"line": number, "reason": f"no id at '{id_path}'"})
        elif (wrong := _wrong_id(str(identity))) is not None:
            rejected.append({"line": number, "reason": wrong})
        else:
            documents[number] = (str(identity), document)
    replaced = 0
    for number, item in _answered(client, name, documents):
        if "error" in item:
            rejected.append({"line": number, "reason": item["error"].get("reason", str(item["error"]))})
        else:
            replaced += item["result"] == "updated"
    return replaced, sorted(rejected, key=lambda item: int(item["line"]))


def _identified(document: Any, id_path: str | None, number: int) -> tuple[Any, Any]:
    """Return the id of a line and the document to store.

    A hit that a server exported has both by name; `_id` is not a field.
    """
    if not isinstance(document, dict):
        return None, document
    if isinstance(document.get("_source"), dict) and "_id" in document:
        source = document["_source"]
        return (_at(source, id_path) if id_path and id_path != "_id" else document["_id"]), source
    if id_path == "_id":
        return document.get("_id"), {key: value for key, value in document.items() if key != "_id"}
    return (_at(document, id_path) if id_path else str(number)), document


def _wrong_id(identity: str) -> str | None:
    """Return why an id is not allowed; else None. A server would refuse the whole batch because of it."""
    try:
        size = len(identity.encode())
    except UnicodeEncodeError:
        return "the id has an unpaired surrogate in it"
    return None if 0 < size <= LONGEST_ID else f"the id has {size:,} bytes, and may have 1 to {LONGEST_ID}"


def _answered(client: Any, name: str, documents: dict[int, tuple[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the index's answer to each line. Documents that a busy server rejects are sent again after a pause."""
    for pause in (*PAUSES, None):
        if not documents:
            return
        operations = [part for one, source in documents.values() for part in ({"index": {"_id": one}}, source)]
        answer = client.bulk(index=name, operations=operations)
        busy: dict[int, tuple[str, Any]] = {}
        for number, item in zip(documents, answer["items"], strict=True):
            if item["index"].get("status") == 429 and pause is not None:
                busy[number] = documents[number]
            else:
                yield number, item["index"]
        documents = busy
        if busy and pause is not None:
            time.sleep(pause)


def _at(document: Any, path: str) -> Any:
    for part in path.split("."):
        document = document.get(part) if isinstance(document, dict) else None
    return document


def _report(progress: Progress, path: Path, *, as_json: bool, unmade: bool) -> int:
    name, rejected = progress.index, progress.rejected
    if as_json:
        record = {"index": name, "lines": progress.line, "loaded": progress.loaded, "replaced": progress.replaced}
        print(json.dumps(record | {"rejected": rejected}, ensure_ascii=False))
    else:
        documents = f"{several(progress.loaded, 'document')} in '{name}'"
        if progress.replaced:
            documents += f", {progress.replaced:,} replacing one with the same id"
        lines_rejected = f", {several(len(rejected), 'line')} rejected:"
        documents = f"no line can be loaded, so the index '{name}' is not created" if unmade else documents
        print(documents + (lines_rejected if rejected else "."))
        by_reason: dict[str, list[int]] = {}
        for item in rejected:  # for the same reason, wherever in a line it lies
            by_reason.setdefault(_PLACE.sub("", item["reason"]), []).append(item["line"])
        reasons = list(by_reason.items())
        for reason, lines in reasons[:20]:
            others = f" (and {len(lines) - 1:,} more)" if len(lines) > 1 else ""
            print(f"  {path.name}:{lines[0]}: {reason}{others}")
        if len(reasons) > 20:
            print(f"  and {sum(len(lines) for _, lines in reasons[20:]):,} more lines (--json lists all)")
        if unmade and all(reason.startswith("not JSON") for reason, _ in reasons):
            print("Each line has to be a JSON object. For documents (PDF, Word, Excel): 'qlc ui FOLDER', or "
                  "'qlc corpus add CORPUS FOLDER'.", file=sys.stderr)  # fmt: skip
    return 1 if rejected else 0
