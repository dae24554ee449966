"""E-mail (RFC 5322), by Python's parser: its header as a table, then its text, then the names of its attachments. These
are files of their own."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import islice

from ..files import Readable
from ..pages import About, Attached, OpenedDocument, PageText
from .plain import decode, paragraphs
from .web import read_html

_LONGEST_FIELD = 10_000
_MOST_ATTACHMENTS = 100
_MOST_MESSAGES = 10_000
_FIELDS = ("From", "To", "Cc", "Date", "Subject")


def read(path: Readable) -> OpenedDocument:
    """Read a message."""
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
    attached = [*islice(_attached(message), _MOST_ATTACHMENTS)]
    for part in attached:
        page.add("item", f"Attachment: {_name(part)}")
    date = message["Date"] if len(fields["Date"]) <= _LONGEST_FIELD else None
    created = date.datetime.isoformat() if date is not None and date.datetime is not None else ""
    about = About(title=fields["Subject"], created=created)
    return OpenedDocument(about, iter([page.page()]), (Attached(_name(part), _data(part)) for part in attached))


def read_mbox(path: Readable) -> OpenedDocument:
    """Read a file of messages (RFC 4155): each is attached to it, and called by its number and subject."""
    page = PageText()
    page.add("paragraph", f"Messages: {sum(1 for _ in _messages(path)):,}")
    messages = islice(_messages(path), _MOST_MESSAGES)
    attached = (Attached(f"{number} {_subject(message)}.eml", message) for number, message in messages)
    return OpenedDocument(About(), iter([page.page()]), attached)


def _subject(message: bytes) -> str:
    head = email.message_from_bytes(message[:_LONGEST_FIELD], policy=email.policy.default)
    return _field(head, "Subject") or "message"


def _messages(path: Readable) -> Iterator[tuple[int, bytes]]:
    """Yield the messages of a file with their numbers: each is below a line `From ...` that follows an empty line."""
    number, lines, is_after_empty = 0, list[bytes](), True
    with path.open("rb") as file:
        for line in file:
            if is_after_empty and line.startswith(b"From "):
                if number:
                    yield number, b"".join(lines)
                number, lines = number + 1, []
            else:
                lines.append(line)
            is_after_empty = not line.strip()
    if number:
        yield number, b"".join(lines)


def _attached(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the files of a message, without the pictures in its text and without signatures."""
    for part in message.iter_attachments():
        is_shown = part.get_content_maintype() == "image" and part.get_content_disposition() == "inline"
        if not is_shown and not part.get_content_type().endswith("-signature") and _name(part):
            yield part


def _name(part: EmailMessage) -> str:
    name = part.get_filename() or ""
    if not name and part.get_content_type() == "message/rfc822":
        name = f"{_field(part.get_payload(0), 'Subject') or 'message'}.eml"  # type: ignore[arg-type]
    return " ".join(name.split())


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
