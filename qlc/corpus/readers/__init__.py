"""Readers of file formats; each returns pages, and imports its library on first use."""

from __future__ import annotations

from importlib import import_module

from ..files import Readable
from ..pages import OpenedDocument
from .detect import Format

_READERS: dict[Format, tuple[str, str]] = {
    "pdf": ("pdf", "read"),
    "docx": ("office", "read_docx"),
    "xlsx": ("office", "read_xlsx"),
    "pptx": ("office", "read_pptx"),
    "html": ("web", "read"),
    "markdown": ("plain", "read_markdown"),
    "csv": ("tables", "read"),
    "email": ("mail", "read"),
    "text": ("plain", "read_text"),
}


def read(path: Readable, file_format: Format) -> OpenedDocument:
    """Open a file. Raises Unreadable; other errors come from libraries that met unexpected content."""
    module, function = _READERS[file_format]
    reading = getattr(import_module(f".{module}", __name__), function)(path)
    assert isinstance(reading, OpenedDocument)
    return reading
