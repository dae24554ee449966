"""Readers of file formats; each returns pages, and imports its library on first use."""

from __future__ import annotations

from ..files import Readable
from ..pages import OpenedDocument
from .detect import Format


def read(path: Readable, file_format: Format) -> OpenedDocument:
    """Open a file. Raises Unreadable; other errors come from libraries that met unexpected content."""
    match file_format:
        case "pdf":
            from . import pdf

            return pdf.read(path)
        case "docx":
            from .office import read_docx

            return read_docx(path)
        case "xlsx":
            from .office import read_xlsx

            return read_xlsx(path)
        case "pptx":
            from .office import read_pptx

            return read_pptx(path)
        case "html":
            from . import web

            return web.read(path)
        case "markdown":
            from .plain import read_markdown

            return read_markdown(path)
        case "csv":
            from . import tables

            return tables.read(path)
        case "email":
            from . import mail

            return mail.read(path)
        case "text":
            from .plain import read_text

            return read_text(path)
