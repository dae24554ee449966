"""Readers of file formats; each returns pages. A reader's library is imported when its first file is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qlc.base.lazy import module_named, named

from ..files import Readable
from ..pages import OpenedDocument
from ..work import own_needs
from .detect import Format
from .tables import in_context

_READERS: Mapping[Format, tuple[str, str, tuple[str, ...]]] = {
    "pdf": ("pdf", "read", ()),
    "docx": ("word", "read", ("docx", "docx.table")),
    "xlsx": ("office", "read_xlsx", ("openpyxl",)),
    "pptx": ("office", "read_pptx", ("pptx",)),
    "csv": ("office", "read_csv", ()),
    "html": ("web", "read", ()),
    "email": ("mail", "read", ()),
    "mbox": ("mail", "read_mbox", ()),
    "markdown": ("plain", "read_markdown", ()),
    "text": ("plain", "read_text", ()),
}
"""The module and the function that read each format, and the libraries that it imports when it reads."""


def read(path: Readable, file_format: Format) -> OpenedDocument:
    """Open a file. Raises Unreadable; ReaderBroken if a library cannot be imported; other errors come from libraries
    that met unexpected content."""
    module, name, libraries = _READERS[file_format]
    with own_needs():
        reader = named(f"{__name__}.{module}", name)
        for library in libraries:
            module_named(library)
    document: OpenedDocument = reader(path)
    return replace(document, pages=in_context(document.pages))
