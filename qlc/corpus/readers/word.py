"""DOCX (ECMA-376-1, 17), opened by python-docx. What a document refers to is not loaded.

The text is that with all tracked changes accepted: insertions are read, deletions are not. Content controls, text
boxes, footnotes and comments are read; the empty prompt of a content control is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from qlc.tables.cells import is_of_each_row

from ..files import Readable
from ..pages import OpenedDocument, Page, PageText, names_columns, struck
from .office import about_of, opened

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_UNREAD = frozenset(
    f"{_W}{name}" for name in ("del", "moveFrom", "pPr", "rPr", "sdtPr", "instrText", "delText", "txbxContent")
) | {_FALLBACK}
"""Elements that are not in the text at their place. A text box has a second form for older programs."""
_SIGNS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-", f"{_W}ptab": "\t"}
_INSIDE = frozenset(f"{_W}{name}" for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
"""Elements around paragraphs, rows or cells."""
_DEEPEST = 200
_NOTES = {"footnotes": "footnote", "endnotes": "endnote"}


def read(path: Readable) -> OpenedDocument:
    """Read a text document. It has no pages until it is printed, so all text is on page 1."""
    import docx

    document = opened(docx.Document, path)
    return OpenedDocument(about_of(document.core_properties), iter([_page(document)]))


def _page(document: Any) -> Page:
    styles = {style.style_id: style.name or "" for style in document.styles}
    page = PageText()
    for text in _margins(document, "header"):
        page.add("paragraph", text)
    for part in _inside(document.element.body):
        if part.tag == f"{_W}tbl":
            rows = _rows(part)
            page.add_table(rows, _heads(part, rows))
        elif part.tag == f"{_W}p":
            _add_paragraph(page, part, _text(part), styles)
    for text in _text_boxes(document.element.body):
        page.add("paragraph", text)
    for text in _notes(document):
        page.add("item", text)
    for text in _margins(document, "footer"):
        page.add("paragraph", text)
    return page.page()


def _inside(element: Any, depth: int = 0) -> Iterator[Any]:
    """Yield the children of an element, and of content controls and insertions in it."""
    for child in element.iterchildren():
        if child.tag in _INSIDE and depth < _DEEPEST:
            if not _is_prompt(child):
                yield from _inside(child, depth + 1)
        else:
            yield child


def _is_prompt(element: Any) -> bool:
    """Whether a content control only shows what to enter: `Click here to enter a date.`"""
    return element.find(f"{_W}sdtPr/{_W}showingPlcHdr") is not None


def _text(element: Any, depth: int = 0) -> str:
    """Return the text of a paragraph."""
    parts = []
    for child in element.iterchildren():
        tag = child.tag
        if tag == f"{_W}t":
            parts.append((child.text or "").replace("\u00ad", ""))
        elif tag in _SIGNS:
            parts.append(_SIGNS[tag])
        elif tag == f"{_W}sym":
            parts.append(_symbol(child))
        elif tag not in _UNREAD and not _is_prompt(child) and depth < _DEEPEST:
            text = _text(child, depth + 1)
            parts.append(struck(text) if tag == f"{_W}r" and _is_struck(child) else text)
    return "".join(parts)


def _is_struck(run: Any) -> bool:
    """Whether a run is struck out: `w:strike` or `w:dstrike` (17.3.2.37)."""
    marks = (run.find(f"{_W}rPr/{_W}{name}") for name in ("strike", "dstrike"))
    return any(mark is not None and mark.get(f"{_W}val", "true") in ("true", "1", "on") for mark in marks)


def _symbol(element: Any) -> str:
    """Return a letter of a font of symbols, as far as it is a tick."""
    code = element.get(f"{_W}char", "")[-2:].upper()
    return {"FE": "☒", "FD": "☒", "A8": "☐", "6F": "☐", "FC": "✓"}.get(code, " ")


def _add_paragraph(page: PageText, part: Any, text: str, styles: dict[str, str]) -> None:
    style = styles.get(getattr(part, "style", None) or "", "")
    if heading := re.fullmatch(r"(?:Heading|heading) (\d)|Title", style):
        page.add("heading", text, int(heading[1] or 0) + 1)
    else:
        is_item = style.startswith("List") or (part.pPr is not None and part.pPr.numPr is not None)
        page.add("item" if is_item else "paragraph", text)


def _text_boxes(body: Any) -> Iterator[str]:
    """Yield the texts of boxes that are drawn on a page."""
    for box in body.iter(f"{_W}txbxContent"):
        if next(box.iterancestors(_FALLBACK), None) is None:
            lines = (_text(line) for line in box.iter(f"{_W}p"))
            yield "\n".join(line for line in lines if line.strip())


def _notes(document: Any) -> Iterator[str]:
    """Yield footnotes and endnotes with their numbers, and comments with their authors."""
    from docx.opc.oxml import parse_xml

    for relation in document.part.rels.values():
        kind = relation.reltype.rpartition("/")[2]
        if relation.is_external or kind not in (*_NOTES, "comments"):
            continue
        number = 0
        for note in parse_xml(relation.target_part.blob).iterchildren():
            text = "\n".join(filter(str.strip, (_text(line) for line in note.iter(f"{_W}p"))))
            if not text or note.get(f"{_W}type") in ("separator", "continuationSeparator"):
                continue
            number += 1
            author = note.get(f"{_W}author", "")
            yield f"[{number}] {text}" if kind in _NOTES else f"Comment{f' by {author}' if author else ''}: {text}"


def _margins(document: Any, place: str) -> Iterator[str]:
    """Yield the lines of headers or footers of all sections, each once, without page numbers."""
    seen = set()
    has_even = document.settings.odd_and_even_pages_header_footer
    for section in document.sections:
        first = section.different_first_page_header_footer
        shown = {f"first_page_{place}": first, place: True, f"even_page_{place}": has_even}
        for part in (getattr(section, name) for name, is_shown in shown.items() if is_shown):
            if part.is_linked_to_previous:  # it has none of its own, and reading it would make one
                continue
            for line in part._element.iter(f"{_W}p"):
                fields = [each.text or "" for each in line.iter(f"{_W}instrText")]
                fields += [each.get(f"{_W}instr", "") for each in line.iter(f"{_W}fldSimple")]
                text = re.sub(r"[\t\n]", " ", _text(line)).strip()
                if text and text not in seen and not any(field.split()[:1] == ["PAGE"] for field in fields):
                    seen.add(text)
                    yield text


# --- tables ----------------------------------------------------------------------------------------------------------


def _rows(table: Any) -> list[list[str]]:
    """Return the rows of a table. A cell over several columns stands in the first of them, a text or a year over
    several rows in each row; a row that begins or ends late has empty cells there."""
    rows: list[list[str]] = []
    above: dict[int, str] = {}
    for row in _inside(table):
        if row.tag != f"{_W}tr" or row.find(f"{_W}trPr/{_W}del") is not None:
            continue
        texts = [""] * _number(row.find(f"{_W}trPr/{_W}gridBefore"), 0)
        held: dict[int, str] = {}
        for cell in _inside(row):
            if cell.tag != f"{_W}tc":
                continue
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            goes_on = merged is not None and merged.get(f"{_W}val", "continue") == "continue"
            text = above[len(texts)] if goes_on and len(texts) in above else _cell(cell)
            held[len(texts)] = text if is_of_each_row(text) else ""
            texts += [text, *[""] * (_number(cell.find(f"{_W}tcPr/{_W}gridSpan"), 1) - 1)]
        above = held
        rows.append(texts)
    width = max(map(len, rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows]


_MOST_COLUMNS = 1_000


def _number(element: Any, otherwise: int) -> int:
    value = element.get(f"{_W}val", "") if element is not None else ""
    return min(int(value), _MOST_COLUMNS) if value.isdecimal() else otherwise


def _cell(cell: Any) -> str:
    """Return the lines of a cell; a table in it has a line for each row."""
    lines = []
    for part in _inside(cell):
        if part.tag == f"{_W}p":
            lines.append(_text(part))
        elif part.tag == f"{_W}tbl":
            lines += [" ".join(filter(None, row)) for row in _rows(part)]
    return "\n".join(lines)


def _heads(table: Any, rows: list[list[str]]) -> int:
    """Return the number of rows of column heads: those repeated on each page, else what looks like heads."""
    count = 0
    for row in table.iterchildren(f"{_W}tr"):
        if row.find(f"{_W}trPr/{_W}tblHeader") is None:
            break
        count += 1
    if 0 < count < len(rows):
        return count
    return int(names_columns(rows))
