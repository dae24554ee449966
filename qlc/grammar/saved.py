"""The file in which the parser is kept between processes: beside the byte code of this package, else in the user's cache.

It is a convenience: where it is absent, of another version, damaged or not to be trusted, the parser is built anew.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import NamedTemporaryFile

import lark
from lark import Lark

from qlc.version import VERSION


def load(made_of: bytes) -> Lark | None:
    """The saved parser; None where none was made of the same texts by the same versions of Lark and Python."""
    for folder in _folders():
        with suppress(OSError, ValueError):
            with (folder / _file_name()).open("rb") as file:
                if not _is_ours(os.fstat(file.fileno())) or not _is_ours(folder.stat()):
                    continue  # what others can write may do anything when it is unpickled
                written, data = file.read(_DIGEST_SIZE), file.read()
            if written == _digest(made_of, data):
                return Lark.load(io.BytesIO(data))
    return None


def save(parser: Lark, made_of: bytes) -> None:
    """Keep a parser in the first folder that can be written, as one step. Nothing happens where none can."""
    saved = io.BytesIO()
    parser.save(saved)
    data = saved.getvalue()
    for folder in _folders():
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(folder.stat()):
                continue
            with NamedTemporaryFile(dir=folder, delete=False) as file:
                try:
                    file.write(_digest(made_of, data) + data)
                    file.close()
                    os.chmod(file.name, 0o644)
                    os.replace(file.name, folder / _file_name())
                except BaseException:
                    os.unlink(file.name)
                    raise
            return


_DIGEST_SIZE = 32


def _digest(made_of: bytes, data: bytes) -> bytes:
    versions = f"{VERSION} {lark.__version__} {sys.version} "
    return hashlib.sha256(versions.encode() + hashlib.sha256(made_of).digest() + data).digest()


def _file_name() -> str:
    return f"qlc.lark.{VERSION}.{sys.implementation.cache_tag}.parser"


def _folders() -> Iterator[Path]:
    if not sys.dont_write_bytecode:
        with suppress(NotImplementedError):
            yield Path(cache_from_source(__file__)).parent
    with suppress(RuntimeError):  # there is no home
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qlc"


def _is_ours(status: os.stat_result) -> bool:
    """Whether only this user and the administrator can write there."""
    if not hasattr(os, "getuid"):
        return True  # on Windows both folders belong to the user, as byte code does
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022
