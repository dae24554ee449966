"""Detects the format of a file by its content; only for text formats by its name."""

from __future__ import annotations

import re
import zipfile
from typing import Literal, TypeAlias

from ..errors import Unreadable
from ..files import Readable

Format: TypeAlias = Literal["pdf", "docx", "xlsx", "pptx", "html", "markdown", "csv", "email", "mbox", "text"]

MEDIA_TYPES: dict[Format, str] = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "html": "text/html",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "email": "message/rfc822",
    "mbox": "application/mbox",
    "text": "text/plain",
}

_PARTS: dict[str, Format] = {"word/document": "docx", "xl/workbook": "xlsx", "ppt/presentation": "pptx"}
"""Formats by the beginning of a part's name; some writers append a number."""
_BY_SUFFIX: dict[str, Format] = {
    ".md": "markdown", ".markdown": "markdown", ".csv": "csv", ".tsv": "csv", ".eml": "email",
    ".html": "html", ".htm": "html", ".xhtml": "html",
}  # fmt: skip
_UNPACKED_BYTES = 512 * 1024 * 1024
_UNPACKED_RATIO = 200
_MESSAGE = re.compile(
    rb"(?P<begin>From [^\r\n]*\r?\n)?"
    rb"(?:(?:from|to|cc|subject|date|received|message-id|mime-version|content-[a-z-]+|x-[a-z-]+|reply-to): .*\r?\n"
    rb"(?:[ \t].*\r?\n)*){3}", re.IGNORECASE
)
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")


def detect(path: Readable) -> Format:
    """Detect the format. Raises Unreadable for a file that is empty, of an unknown format, or too large when
    unpacked."""
    with path.open("rb") as file:
        head = file.read(4096)
    if not head.strip(b"\0\t\n\r \xef\xbb\xbf"):
        raise Unreadable("empty", "The file is empty.")
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return _office(path)
    if head.startswith(_OLE):
        raise _of_ole(path)
    is_utf_16 = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    if not is_utf_16 and (b"\0" in head or controls > len(head) // 50):
        raise Unreadable("unknown_type", "Files of this type cannot be read.")
    begin = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if begin.startswith((b"<!doctype html", b"<html")):
        return "html"
    suffix = _BY_SUFFIX.get(path.suffix.lower(), "text")
    if suffix == "text" and (found := _MESSAGE.match(head)):
        return "mbox" if found["begin"] else "email"
    return suffix


def _office(path: Readable) -> Format:
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise Unreadable("damaged", "The file is damaged or cut off: its parts cannot be found.") from error
    size = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if size > _UNPACKED_BYTES or (size > 1024 * 1024 and size > packed * _UNPACKED_RATIO):
        raise Unreadable("too_large", f"The file is {size:,} bytes when it is unpacked, more than the limit.")
    for entry in entries:
        if found := _PARTS.get(re.sub(r"\d*\.xml$", "", entry.filename)):
            return found
    raise Unreadable("unknown_type", "The file is an archive, and archives are not read. Add what is in it.")


def _of_ole(path: Readable) -> Unreadable:
    """Return the reason for an OLE file: an Office document before 2007, or an encrypted one ([MS-OFFCRYPTO] 1.3.2)."""
    if "EncryptedPackage".encode("utf-16-le") in path.read_bytes()[:1_000_000]:
        return Unreadable("encrypted", "The file is encrypted: it opens only with a password.")
    return Unreadable("unknown_type", "The file has an office format from before 2007. Save it as DOCX, XLSX or PPTX.")
