"""E-mail (RFC 5322), by Python's parser: its header as a table, then its text. Each attachment follows on pages of its
own, below its name."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from io import BytesIO
from itertools import islice
from pathlib import PurePosixPath
from typing import BinaryIO

from .. import readers
from ..errors import Unreadable
from ..files import Readable
from ..pages import About, OpenedDocument, Page, PageText
from .detect import detect
from .plain import decode, paragraphs
from .web import read_html

_LONGEST_FIELD = 10_000
_MOST_ATTACHMENTS = 100
_DEEPEST = 2
_FIELDS = ("From", "To", "Cc", "Date", "Subject")


def read(path: Readable, depth: int = 0) -> OpenedDocument:
    """Read a message. A message attached to a message attached to one is read, and not those in it."""
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # UTF-16, as some programs export it
        message = email.message_from_string(decode(data), policy=email.policy.default)
    else:
        message = email.message_from_bytes(data, policy=email.policy.default)
    page = PageText()
    fields = {name: _field(message, name) for name in _FIELDS}
    page.add("heading", fields["Subject"], 1)
    head = "\n".join(f"{name}: {value}" for name, value in fields.items() if value)
    page.add_blocks(head, paragraphs(head))
    plain, html = _text(message, "plain"), _text(message, "html")
    shown = next(read_html(html).pages)
    if len(plain.strip()) * 2 < len(shown.text):  # the plain part often says only that there is another one
        page.add_blocks(shown.text, shown.blocks)
    else:
        page.add_blocks(plain, paragraphs(plain))
    attached = [*islice(message.iter_attachments(), _MOST_ATTACHMENTS)]
    for part in attached:
        page.add("item", f"Attachment: {_name(part)}" if _name(part) else "")
    date = message["Date"] if len(fields["Date"]) <= _LONGEST_FIELD else None
    created = date.datetime.isoformat() if date is not None and date.datetime is not None else ""
    about = About(title=fields["Subject"], created=created, has_pages=bool(attached))
    return OpenedDocument(about, _pages(page.page(), attached, depth))


class _Attachment:
    """A file in memory."""

    def __init__(self, name: str, data: bytes) -> None:
        self._data = data
        self.suffix, self.stem = PurePosixPath(name).suffix, PurePosixPath(name).stem

    def open(self, mode: str = "rb", /) -> BinaryIO:
        return BytesIO(self._data)

    def read_bytes(self) -> bytes:
        return self._data


def _name(part: EmailMessage) -> str:
    name = part.get_filename() or ""
    if not name and part.get_content_type() == "message/rfc822":
        name = f"{_field(part.get_payload(0), 'Subject') or 'message'}.eml"  # type: ignore[arg-type]
    return " ".join(name.split())


def _pages(first: Page, attached: Sequence[EmailMessage], depth: int) -> Iterator[Page]:
    yield first
    number = 2
    for part in attached:
        if not (name := _name(part)):
            continue
        data = _data(part)
        try:
            file = _Attachment(name, data)
            kind = detect(file)
            pages = read(file, depth + 1).pages if kind == "email" else readers.read(file, kind).pages
            for page in pages if depth < _DEEPEST else ():
                text = PageText(number)
                text.add("heading", f"Attachment: {name}", 1)
                text.add_blocks(page.text, page.blocks)
                yield text.page()
                number += 1
        except Unreadable as problem:
            text = PageText(number)
            text.add("paragraph", f"Attachment: {name}\n{problem.message}")
            yield text.page()
            number += 1


def _data(part: EmailMessage) -> bytes:
    if part.get_content_type() == "message/rfc822":
        return b"".join(bytes(one) for one in part.get_payload())  # type: ignore[arg-type]
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _field(message: EmailMessage, name: str) -> str:
    """Return a header field; unparsed if it is very long, since its parser takes quadratic time."""
    written = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return str(message[name] or "") if len(written) <= _LONGEST_FIELD else " ".join(written.split())


def _text(message: EmailMessage, kind: str) -> str:
    """Return the body of a type; with an unknown or wrong encoding, decoded as the most likely one."""
    body = message.get_body((kind,))
    if body is None:
        return ""
    held = body.get_payload()
    if isinstance(held, str) and not held.isascii() and not re.search("[\ud800-\udfff]", held):
        return held  # of a message that was text before it was read
    try:
        text = body.get_content(errors="strict")
    except (LookupError, UnicodeDecodeError):
        data = body.get_payload(decode=True)
        text = decode(data) if isinstance(data, bytes) else ""
    return str(text).replace("\r\n", "\n")
