"""The cache file of the parser, in the user's cache folder, which processes share.

If it is absent, of another version, damaged or not to be trusted, the parser is built again.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

import lark
from lark import Lark

from qlc.base.version import VERSION


def load(made_of: bytes) -> Lark | None:
    """Load the saved parser; None if there is none for the same texts and the same versions of Lark and Python."""
    with suppress(OSError, RuntimeError):
        path = _path()
        with path.open("rb") as file:
            # Unpickling a file that others can write would run their code.
            if _is_ours(os.fstat(file.fileno())) and _is_ours(path.parent.stat()):
                written, data = file.read(hashlib.sha256().digest_size), file.read()
                return Lark.load(io.BytesIO(data)) if written == _digest(made_of, data) else None
    return None


def save(parser: Lark, made_of: bytes) -> None:
    """Save a parser for the next process, atomically. Does nothing if the file cannot be written."""
    saved = io.BytesIO()
    parser.save(saved)
    data = saved.getvalue()
    with suppress(OSError, RuntimeError):
        path = _path()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours(path.parent.stat()):
            with NamedTemporaryFile(dir=path.parent, delete=False) as file:
                try:
                    file.write(_digest(made_of, data) + data)
                    file.close()
                    os.replace(file.name, path)
                except OSError:
                    os.unlink(file.name)


def _digest(made_of: bytes, data: bytes) -> bytes:
    versions = f"{VERSION} {lark.__version__} {sys.version} ".encode()
    return hashlib.sha256(versions + hashlib.sha256(made_of).digest() + data).digest()


def _path() -> Path:
    """Return the path of the cache file. Raises RuntimeError if there is no home folder."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return folder / "qlc" / "parser" / f"{VERSION}-{sys.implementation.cache_tag}"


def _is_ours(status: os.stat_result) -> bool:
    """Whether only this user and the administrator can write there."""
    if not hasattr(os, "getuid"):
        return True  # on Windows the folder belongs to the user
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022
