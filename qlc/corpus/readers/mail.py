"""E-mail (RFC 5322), by Python's own parser: its head as a table, then its text. Attachments are named."""

from __future__ import annotations

import email
import email.policy
from pathlib import Path

from ..pages import About, PageText, Reading
from .plain import paragraphs
from .web import read_html

_FIELDS = ("From", "To", "Cc", "Date", "Subject")


def read(path: Path) -> Reading:
    with path.open("rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    page = PageText()
    page.add("heading", str(message["Subject"] or ""), 1)
    page.add_table([[name, str(message[name])] for name in _FIELDS if message[name]], has_head=False)
    body = message.get_body(("plain", "html"))
    text = body.get_content() if body is not None else ""
    if body is not None and body.get_content_subtype() == "html":
        for shown in read_html(text).pages:
            for block in shown.blocks:
                page.add("item" if block.kind == "item" else "paragraph", shown.of(block.span))
    else:
        page.add_blocks(text, paragraphs(text))
    for name in (part.get_filename() for part in message.iter_attachments()):
        page.add("item", f"Attachment: {name}" if name else "")
    date = message["Date"]
    created = date.datetime.isoformat() if date is not None and date.datetime is not None else ""
    return Reading(About(title=str(message["Subject"] or ""), created=created), iter([page.page()]))
