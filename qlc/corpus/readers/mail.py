"""E-mail (RFC 5322), by Python's parser: its header as a table, then its text. Attachments are named."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage

from ..files import Readable
from ..pages import About, OpenedDocument, PageText
from .plain import decode, paragraphs
from .web import read_html

_LONGEST_FIELD = 10_000
_FIELDS = ("From", "To", "Cc", "Date", "Subject")


def read(path: Readable) -> OpenedDocument:
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
    for name in (part.get_filename() for part in message.iter_attachments()):
        page.add("item", f"Attachment: {name}" if name else "")
    date = message["Date"] if len(fields["Date"]) <= _LONGEST_FIELD else None
    created = date.datetime.isoformat() if date is not None and date.datetime is not None else ""
    return OpenedDocument(About(title=fields["Subject"], created=created), iter([page.page()]))


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
