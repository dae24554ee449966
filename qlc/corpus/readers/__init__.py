"""Readers of file formats; each returns pages. A reader's library is imported when its first file is read."""

from __future__ import annotations

from collections.abc import Mapping

from qlc.base.lazy import named

from ..files import Readable
from ..pages import OpenedDocument
from .detect import Format

_READERS: Mapping[Format, tuple[str, str]] = {
    "pdf": ("pdf", "read"),
    "docx": ("office", "read_docx"),
    "xlsx": ("office", "read_xlsx"),
    "pptx": ("office", "read_pptx"),
    "csv": ("office", "read_csv"),
    "html": ("web", "read"),
    "email": ("mail", "read"),
    "markdown": ("plain", "read_markdown"),
    "text": ("plain", "read_text"),
}
"""The module and the function that read each format."""


def read(path: Readable, file_format: Format) -> OpenedDocument:
    """Open a file. Raises Unreadable; other errors come from libraries that met unexpected content."""
    module, name = _READERS[file_format]
    document: OpenedDocument = named(f"{__name__}.{module}", name)(path)
    return document
