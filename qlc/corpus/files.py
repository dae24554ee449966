"""Lists and opens the files of folders, which may contain links, pipes and devices written by somebody else.

Links are not followed by default: one out of the folder would add files that nobody chose, and one inside it would put
one person's file into another's folder. Skipped files are reported.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from qlc.base.errors import UsageError
from qlc.base.texts import half_of

from .errors import Unreadable, not_opened

LINK = "It is a link. Links are not followed; --follow-links (in Python follow_links=True) reads what they lead to."
NOT_A_FILE = "It is a pipe, a socket or a device, and not a file."
_NAME = "Its name is not UTF-8: rename it."
_READ_ALREADY = "It is a link to a folder that is read under another name."
_HASH_CHUNK = 1 << 20
_HAS_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether a file can be opened relative to an open folder (POSIX)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A file without text in the corpus, and the reason."""

    file: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file and its name in a corpus. `below`: the folder below which links are not followed; None to follow links."""

    path: Path
    name: str
    below: Path | None


class Readable(Protocol):
    """Interface that a reader needs of a file; Path and OpenFile have it."""

    @property
    def suffix(self) -> str: ...
    @property
    def stem(self) -> str: ...
    def open(self, mode: str, /) -> BinaryIO: ...
    def read_bytes(self) -> bytes: ...


class OpenFile:
    """An open file. A file that replaces it later under the same name is not read."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor = descriptor
        self.suffix, self.stem = path.suffix, path.stem
        self.size = os.fstat(descriptor).st_size

    def open(self, mode: str = "rb", /) -> BinaryIO:
        """Open at the beginning; all opened objects share one position."""
        assert mode == "rb"
        file = os.fdopen(os.dup(self._descriptor), "rb")
        file.seek(0)
        return file

    def read_bytes(self) -> bytes:
        with self.open() as file:
            return file.read()


@contextmanager
def opened(path: Path, below: Path | None = None) -> Iterator[OpenFile]:
    """Open a file to read. Without `below` links are followed.

    Raises Unreadable for a pipe, a socket, a device or a folder, and for a link at or on the way to the file below the
    folder `below`; OSError if it cannot be opened.
    """
    descriptor = _descriptor(path, below)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Unreadable("not_a_file", NOT_A_FILE)
        yield OpenFile(descriptor, path)
    finally:
        os.close(descriptor)


_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags so that a pipe without a writer does not block, and a terminal does not become the controlling one."""
_READ |= getattr(os, "O_BINARY", 0)


def _descriptor(path: Path, below: Path | None) -> int:
    if below is None:
        return os.open(path, _READ)
    *folders, name = path.relative_to(below).parts
    if not _HAS_DESCRIPTORS:
        if any(one.is_symlink() for one in (path, *path.parents) if one != below and one.is_relative_to(below)):
            raise Unreadable("link", LINK)
        return os.open(path, _READ)
    folder = os.open(below, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for one in folders:
            inner = _opened_in(folder, one, os.O_DIRECTORY)
            os.close(folder)
            folder = inner
        return _opened_in(folder, name, 0)
    finally:
        os.close(folder)


def _opened_in(folder: int, name: str, flags: int) -> int:
    try:
        return os.open(name, _READ | os.O_NOFOLLOW | flags, dir_fd=folder)
    except OSError:
        with suppress(OSError):
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                raise Unreadable("link", LINK) from None
            if stat.S_ISSOCK(mode):  # sockets cannot be opened
                raise Unreadable("not_a_file", NOT_A_FILE) from None
        raise


def content_of(file: OpenFile, most: int) -> tuple[str, int]:
    """Return the hash of a file's content, and its number of bytes. Raises OSError.

    For a file with more than `most` bytes only the beginning and the size are hashed: a sparse file can have terabytes.
    """
    digest, size = hashlib.sha256(), 0
    with file.open() as content:
        while chunk := content.read(_HASH_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            if max(size, file.size) > most:
                size = max(size, file.size)
                digest.update(f"\0{size}".encode())
                break
    return digest.hexdigest()[:32], size


def content_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def files_below(
    roots: Sequence[Path],
    without: Path | None = None,
    *,
    follow_links: bool = False,
    passed_over: Collection[Path] = (),
) -> Iterator[ListedFile | Problem]:
    """Yield the files below some folders, in order, and problems for skipped links, pipes and closed folders. Hidden
    files, the folder `without` and the files `passed_over` are left out.

    A name is the path below the folder; with several folders it begins with the folder's name. Raises UsageError if two
    of them have the same name.
    """
    named = {root.resolve() for root in roots}
    for root, prefix in prefixes(roots):
        place = root.resolve()
        if place.is_dir():
            walk = _Walk(follow_links, named, without.resolve() if without else None)
            for one in walk.below(place, prefix):
                if isinstance(one, Problem) or one.path not in passed_over:
                    yield one
        elif place.is_file():
            yield ListedFile(place, root.name, None if follow_links else place.parent)
        else:
            yield Problem(root.name, "not_a_file", NOT_A_FILE)


class _Walk:
    """Walks folders without recursion, since they can be nested deeper than Python's stack."""

    def __init__(self, follow_links: bool, named: Collection[Path], without: Path | None) -> None:
        self._follows = follow_links
        self._named = named
        self._without = without
        self._seen: set[tuple[int, int]] = set()

    def below(self, root: Path, prefix: str) -> Iterator[ListedFile | Problem]:
        left = [(root, prefix)]
        while left:
            folder, before = left.pop()
            if folder == self._without:
                continue
            inner: list[tuple[Path, str]] = []
            try:
                self._is_new(folder)
                with os.scandir(folder) as entries:
                    held = sorted((one for one in entries if not one.name.startswith(".")), key=lambda one: one.name)
            except OSError as error:
                yield _problem(before.rstrip("/") or folder.name, not_opened(error, "folder"))
                continue
            for entry in held:
                path, name = folder / entry.name, before + entry.name
                if half_of(name) >= 0:
                    yield Problem(name.encode("utf-8", "backslashreplace").decode(), "name", _NAME)
                    continue
                try:
                    is_link, mode = entry.is_symlink(), entry.stat(follow_symlinks=self._follows).st_mode
                    if is_link and not self._follows:
                        yield Problem(name, "link", LINK)
                    elif stat.S_ISREG(mode):
                        yield ListedFile(path, name, None if self._follows else root)
                    elif not stat.S_ISDIR(mode):
                        yield Problem(name, "not_a_file", NOT_A_FILE)
                    elif self._follows and (self._is_named(path, is_link) or not self._is_new(path)):
                        yield Problem(name, "link", _READ_ALREADY)
                    else:
                        inner.append((path, f"{name}/"))
                except OSError as error:
                    yield _problem(name, not_opened(error))
            left += reversed(inner)

    def _is_named(self, folder: Path, is_link: bool) -> bool:
        """Whether a link leads to a folder that was passed, or into it: its files are listed there."""
        place = folder.resolve() if is_link else None
        return place is not None and any(one in self._named for one in (place, *place.parents))

    def _is_new(self, folder: Path) -> bool:
        """Whether a folder was not visited yet: a link can lead back."""
        found = folder.stat()
        count = len(self._seen)
        self._seen.add((found.st_dev, found.st_ino))
        return len(self._seen) > count


def _problem(name: str, why: Unreadable) -> Problem:
    return Problem(name, why.reason, why.message)


def prefixes(roots: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return each folder with the prefix of names of its files. Raises UsageError."""
    names = [root.resolve().name for root in roots]
    if again := next((name for place, name in enumerate(names) if name in names[:place]), None):
        raise UsageError(f"two of the folders or files are called '{again}': add the folder that contains both")
    several = len(roots) > 1
    return [(root, f"{name}/" if several else "") for root, name in zip(roots, names, strict=True)]
