"""A segment in one file: its arrays one after the other, then a directory of them. Read by mapping, column by column.

Layout: magic and format version (16 bytes), arrays (each at a multiple of 64 bytes), the directory as JSON, and a
trailer with the directory's place, length and CRC-32 and the magic again. The directory has each array's place, type
and CRC-32, which is checked when the array is first used. A file is written beside its place, synced and renamed, so
that one that is under its name is whole.
"""

from __future__ import annotations

import dataclasses
import json
import mmap
import os
import shutil
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import (
    Column,
    DocSpace,
    GeoColumn,
    KeywordColumn,
    Norms,
    NumericColumn,
    Positions,
    Postings,
)
from qlc_engine.damage import DamagedSegmentError
from qlc_engine.segment import Identities, Segment
from qlc_engine.terms import TermDictionary
from qlc_engine.vector_column import VectorColumn

FORMAT_VERSION = 1
_MAGIC = b"QLCSEGM\n"
_HEADER = struct.Struct("<8sQ")
_TRAILER = struct.Struct("<QQQ8s")
_ALIGNMENT = 64
_OF_VECTORS = ("docs", "rows", "sums", "centre", "codes")
_COUNTS = (np.int8, np.int16, np.int32, np.int64)

Json = dict[str, Any]
Value = TypeVar("Value")


class _Writer:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._place = file.write(_HEADER.pack(_MAGIC, FORMAT_VERSION))

    def array(self, values: NDArray[Any]) -> Json:
        values = np.ascontiguousarray(values)
        data = values.reshape(-1).view(np.uint8).data
        return {**self._bytes(data), "type": values.dtype.str, "shape": list(values.shape)}

    def places(self, values: NDArray[Any]) -> Json:
        """Ascending numbers from zero on; in half the room where the last one allows it."""
        fits = len(values) > 0 and values[-1] <= np.iinfo(np.int32).max
        return self.array(values.astype(np.int32) if fits else values)

    def counts(self, values: NDArray[Any]) -> Json:
        """Numbers from zero on that are small, most of them, in one or two bytes."""
        most = values.max(initial=0)
        return self.array(values.astype(next(kind for kind in _COUNTS if most <= np.iinfo(kind).max)))

    def _bytes(self, data: bytes | memoryview) -> Json:
        padding = -self._place % _ALIGNMENT
        self._file.write(b"\0" * padding)
        at = self._place + padding
        self._file.write(data)
        self._place = at + len(data)
        return {"at": at, "length": len(data), "crc": zlib.crc32(data)}

    def terms(self, terms: TermDictionary) -> Json:
        return {"blob": self._bytes(terms.blob), "offsets": self.array(terms.offsets)}

    def finish(self, directory: Json) -> None:
        encoded = json.dumps(directory, separators=(",", ":")).encode()
        self._file.write(encoded)
        self._file.write(_TRAILER.pack(self._place, len(encoded), zlib.crc32(encoded), _MAGIC))


def write_segment(segment: Segment, path: Path) -> None:
    """Writes the segment; when this returns, the file is whole and on disk. Which documents live is not written."""
    temporary = path.with_suffix(".tmp")
    try:
        with open(temporary, "wb") as file:
            _write(segment, _Writer(file))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        # on a full disk the place that it took is needed
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _write(segment: Segment, writer: _Writer) -> None:
    identities = segment.identities
    directory: Json = {
        "space": _write_space(writer, segment.space),
        "ids": writer.terms(identities.ids),
        **{name: writer.array(getattr(identities, name)) for name in ("doc_of", "ord_of", "seq_nos", "versions")},
    }
    writer.finish(directory)


def sync_folder(folder: Path) -> None:
    """Puts the names in a folder on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_space(writer: _Writer, space: DocSpace) -> Json:
    columns: Json = {}
    postings: Json = {}
    for path, found in space.postings.items():
        postings[path] = _write_postings(writer, found)
    for path, column in space.columns.items():
        if isinstance(column, KeywordColumn):
            # the dictionary is that of the postings
            columns[path] = {"starts": writer.places(column.starts), "ords": writer.array(column.ords)}
        elif isinstance(column, NumericColumn):
            columns[path] = {"starts": writer.places(column.starts), "values": writer.array(column.values)}
        else:
            points = {name: writer.array(getattr(column, name)) for name in ("lat", "lon")}
            columns[path] = {"starts": writer.places(column.starts), **points}
    out: Json = {
        "n_docs": space.n_docs,
        "columns": columns,
        "postings": postings,
        "vectors": {
            path: {name: writer.array(getattr(vectors, name)) for name in _OF_VECTORS}
            for path, vectors in space.vectors.items()
        },
        "children": {path: _write_space(writer, child) for path, child in space.children.items()},
    }
    if space.parent is not None:
        out["parent"] = writer.places(space.parent)
    return out


def _write_postings(writer: _Writer, postings: Postings) -> Json:
    out: Json = {"terms": writer.terms(postings.terms), "doc_count": postings.doc_count}
    out["starts"], out["docs"] = writer.places(postings.starts), writer.array(postings.docs)
    if postings.freqs is not None:
        out["freqs"] = writer.counts(postings.freqs)
    if postings.positions is not None:
        starts, values = postings.positions.arrays()
        out["position_starts"], out["positions"] = writer.places(starts), writer.array(values)
    if postings.norms is not None:
        norms = postings.norms
        out["norms"] = {"docs": writer.array(norms.docs), "codes": writer.array(norms.codes), "total": norms.total}
    return out


class _Lazy(Mapping[str, Value], Generic[Value]):
    """A mapping whose values are made on first use and kept."""

    def __init__(self, names: Mapping[str, Json], make: Callable[[str], Value]) -> None:
        self._names = names
        self._make = make
        self._made: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        found = self._made.get(name)
        if found is None:
            if name not in self._names:
                raise KeyError(name)
            found = self._made[name] = self._make(name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < _HEADER.size + _TRAILER.size:
                raise DamagedSegmentError(f"{path} is cut off")
            self._map = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        magic, version = _HEADER.unpack_from(self._map)
        if magic != _MAGIC:
            raise DamagedSegmentError(f"{path} is no segment")
        if version > FORMAT_VERSION:
            raise DamagedSegmentError(f"{path} has format {version}; this release reads up to {FORMAT_VERSION}")
        at, length, crc, magic = _TRAILER.unpack_from(self._map, size - _TRAILER.size)
        encoded = bytes(self._map[at : at + length])
        if magic != _MAGIC or zlib.crc32(encoded) != crc:
            raise DamagedSegmentError(f"the directory of {path} is damaged")
        self.directory: Json = json.loads(encoded)

    def bytes(self, entry: Json, *, checked: bool = True) -> memoryview:
        view = self._map[entry["at"] : entry["at"] + entry["length"]]
        if checked and zlib.crc32(view) != entry["crc"]:
            raise DamagedSegmentError(f"{self._path} is damaged at {entry['at']}")
        return view

    def array(self, entry: Json | None, *, checked: bool = True) -> Any:
        if entry is None:
            return None
        return np.frombuffer(self.bytes(entry, checked=checked), np.dtype(entry["type"])).reshape(entry["shape"])

    def terms(self, entry: Json) -> TermDictionary:
        return TermDictionary(self.bytes(entry["blob"]), self.array(entry["offsets"]))


def read_segment(path: Path, name: str) -> Segment:
    """The segment over the mapped file; nothing but the directory is read before it is used."""
    reader = _Reader(path)
    directory = reader.directory
    identities = Identities(
        ids=reader.terms(directory["ids"]),
        doc_of=reader.array(directory["doc_of"]),
        ord_of=reader.array(directory["ord_of"]),
        seq_nos=reader.array(directory["seq_nos"]),
        versions=reader.array(directory["versions"]),
    )
    return Segment(name, _read_space(reader, directory["space"]), identities)


def verify_segment(path: Path) -> None:
    """Reads all of a file and compares its checksums. Raises `DamagedSegmentError`."""
    reader = _Reader(path)

    def check(part: Any) -> None:
        if isinstance(part, dict):
            if "crc" in part:
                reader.bytes(part)
            else:
                for inner in part.values():
                    check(inner)

    check(reader.directory)


def _read_space(reader: _Reader, entry: Json) -> DocSpace:
    postings = _Lazy(entry["postings"], lambda path: _read_postings(reader, entry["postings"][path]))

    def column(path: str) -> Column:
        found = entry["columns"][path]
        starts = reader.array(found["starts"])
        if "ords" in found:
            return KeywordColumn(postings[path].terms, starts, reader.array(found["ords"]))
        if "values" in found:
            return NumericColumn(starts, reader.array(found["values"]))
        return GeoColumn(starts, reader.array(found["lat"]), reader.array(found["lon"]))

    def vectors(path: str) -> VectorColumn:
        found = entry["vectors"][path]
        if "sums" not in found:  # of a release that wrote none
            return VectorColumn.of(reader.array(found["docs"]), reader.array(found["rows"]))
        # rows are checked one by one, when they are read
        rows = reader.array(found["rows"], checked=False)
        return VectorColumn(rows=rows, **{name: reader.array(found[name]) for name in _OF_VECTORS if name != "rows"})

    return DocSpace(
        n_docs=entry["n_docs"],
        columns=_Lazy(entry["columns"], column),
        parent=reader.array(entry.get("parent")),
        children=_Lazy(entry["children"], lambda path: _read_space(reader, entry["children"][path])),
        postings=postings,
        vectors=_Lazy(entry["vectors"], vectors),
    )


def _read_postings(reader: _Reader, entry: Json) -> Postings:
    norms = entry.get("norms")
    return Postings(
        terms=reader.terms(entry["terms"]),
        starts=reader.array(entry["starts"]),
        docs=reader.array(entry["docs"]),
        freqs=reader.array(entry.get("freqs")),
        positions=None
        if "positions" not in entry
        else Positions(lambda: (reader.array(entry["position_starts"]), reader.array(entry["positions"]))),
        norms=None
        if norms is None
        else Norms(reader.array(norms["docs"]), reader.array(norms["codes"]), norms["total"]),
        doc_count=entry["doc_count"],
    )


class SegmentFolder:
    """The segment files of one index. Which of them count is said by the store; others are left over."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, name: str) -> Path:
        return self._folder / (name + ".segment")

    def save(self, segment: Segment) -> Segment:
        """Writes the segment and gives it back over the mapped file, so that its arrays leave the memory."""
        if not self._folder.exists():
            self._folder.mkdir(parents=True)
            sync_folder(self._folder.parent)
        write_segment(segment, self._path(segment.name))
        mapped = self.read(segment.name)
        return dataclasses.replace(mapped, space=dataclasses.replace(mapped.space, live=segment.space.live))

    def read(self, name: str) -> Segment:
        return read_segment(self._path(name), name)

    def keep_only(self, names: Iterable[str]) -> None:
        """Removes all other files; who has them mapped keeps them until he lets go."""
        kept = {self._path(name) for name in names}
        if self._folder.exists():
            for path in self._folder.iterdir():
                if path not in kept:
                    path.unlink(missing_ok=True)

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
