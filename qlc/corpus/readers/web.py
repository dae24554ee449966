"""HTML, read by selectolax (https://selectolax.readthedocs.io). Linked resources are not loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from qlc.tables.cells import is_of_each_row

from ..errors import Unreadable
from ..files import Readable
from ..pages import About, Kind, OpenedDocument, Page, PageText, struck
from .plain import decode

_SKIPPED = frozenset({"script", "style", "noscript", "template", "head", "svg", "nav", "iframe", "object"})
_BLOCKS = frozenset(
    """address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1
    h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul""".split()  # noqa: SIM905
)


def read(path: Readable) -> OpenedDocument:
    return read_html(decode(_declared(path.read_bytes())))


def _declared(data: bytes) -> bytes:
    """Convert bytes to UTF-8 if the page declares another encoding that Python knows."""
    found = re.search(rb"<meta[^>]+charset=[\"']?([-\w]+)", data[:4096], re.I)
    if not found or found[1].lower() in (b"utf-8", b"utf8"):
        return data
    try:
        return data.decode(found[1].decode("ascii")).encode("utf-8")
    except (LookupError, UnicodeDecodeError):
        return data


_MOST_LEVELS = 10_000
"""Most nested elements: the parser takes quadratic time in them."""
_NESTED = re.compile(r"<(/?)(?:div|span|table|[uod]l|section|article|blockquote|center|font|[biu]|em|strong)\b", re.I)
"""Tags of elements that have an end tag."""


def _check_levels(text: str) -> None:
    """Check the depth of nesting. Raises Unreadable."""
    level = 0
    for found in _NESTED.finditer(text):
        level += -1 if found[1] and level else not found[1]
        if level > _MOST_LEVELS:
            raise Unreadable("too_long", f"The page is nested more than {_MOST_LEVELS:,} levels deep.")


def read_html(text: str) -> OpenedDocument:
    """Read HTML. Raises Unreadable."""
    _check_levels(text)
    tree = LexborHTMLParser(text)
    title = tree.css_first("title")
    created = tree.css_first('meta[property="article:published_time"], meta[name="date"]')
    about = About(
        title=" ".join(title.text().split()) if title else "",
        created=(created.attributes.get("content") or "") if created else "",
    )
    return OpenedDocument(about, _page(tree.body))


def _page(body: LexborNode | None) -> Iterator[Page]:
    page = PageText()
    if body is not None:
        _Walk(page).node(body)
    yield page.page()


class _Walk:
    """Walks a tree; text outside of blocks is collected until a block begins or ends."""

    def __init__(self, page: PageText) -> None:
        self._page = page
        self._gathered: list[str] = []
        self._kind: Kind = "paragraph"
        self._level = 0
        self._pairs: list[list[str]] = []
        """Consecutive elements of two short parts each: a list of labels and values, however it is marked up."""

    def node(self, node: LexborNode) -> None:
        stack: list[LexborNode | None] = [node]  # None ends a block; a page may be nested deeper than Python allows
        while stack:
            one = stack.pop()
            tag = one.tag if one else None
            if one is None:
                self._end()
            elif tag == "-text":
                self._gathered.append(_said(one))
            elif tag in _SKIPPED or tag is None or _is_hidden(one):
                continue
            elif tag == "br":
                self._gathered.append("\v")
            elif tag == "dl" and not one.css_first("dd p, dd ul, dd ol, dd table, dd dl, dd div"):
                self._end()
                self._end_pairs()
                self._list_of_terms(one)
            elif tag == "table" and not one.css_first("table table"):
                self._end()
                self._end_pairs()
                self._table(one)
            else:
                if tag in _BLOCKS:
                    self._end()
                    self._begin(tag)
                    stack.append(None)
                children = list(one.iter(include_text=True))
                if pair := _pair(children):
                    self._end()
                    self._pairs.append(pair)
                    continue
                stack += reversed(children)
        self._end_pairs()

    def _begin(self, tag: str) -> None:
        self._level = int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0
        self._kind = "heading" if self._level else "item" if tag in ("li", "dd", "dt") else "paragraph"

    def _end_pairs(self) -> None:
        if len(self._pairs) > 1:
            self._page.add_table(self._pairs, heads=False)
        for pair in self._pairs if len(self._pairs) == 1 else ():
            self._page.add("paragraph", "\n".join(pair))
        self._pairs.clear()

    def _end(self) -> None:
        if any(part.strip() for part in self._gathered):
            self._end_pairs()
        for part in re.split(r"\v\s*\v", "".join(self._gathered)):
            lines = (" ".join(line.split()) for line in part.split("\v"))
            self._page.add(self._kind, "\n".join(filter(None, lines)), self._level)
        self._gathered.clear()
        self._kind, self._level = "paragraph", 0

    def _list_of_terms(self, node: LexborNode) -> None:
        rows: list[list[str]] = []
        for one in node.css("dt, dd"):
            if one.tag == "dt" or not rows:
                rows.append([])
            rows[-1].append(_lines_of(one).replace("\n", " "))
        width = max(map(len, rows), default=0)
        self._page.add_table([[*row, *[""] * (width - len(row))] for row in rows], heads=False)

    def _table(self, table: LexborNode) -> None:
        rows = [(row, row.css("th, td")) for row in table.css("tr") if not _is_hidden(row)]
        heads = 0
        for row, cells in rows:
            in_head = row.parent is not None and row.parent.tag == "thead"
            if not cells or not (in_head or all(cell.tag == "th" for cell in cells)):
                break
            heads += 1
        self._page.add_table(_grid([cells for _, cells in rows]), heads=heads if heads < len(rows) else 0)


_MOST_SPANNED = 1_000
"""Most columns of a cell, and most rows."""
_MOST_PLACES = 100_000
"""Most places of a table that cells of other rows can take."""


def _grid(rows: list[list[LexborNode]]) -> list[list[str]]:
    """Return the texts of cells by row and column. A cell over several columns stands in the first of them, a text
    or a year over several rows in each row."""
    texts: list[list[str]] = []
    from_above: dict[tuple[int, int], str] = {}
    for number, cells in enumerate(rows):
        row: list[str] = []
        for cell in [*cells, None]:
            while (number, len(row)) in from_above:
                row.append(from_above.pop((number, len(row))))
            if cell is None:
                break
            parts = [_lines_of(cell), *[""] * (_span_of(cell, "colspan") - 1)]
            again = parts if is_of_each_row(parts[0]) else [""] * len(parts)
            below = range(number + 1, min(number + _span_of(cell, "rowspan"), len(rows)))
            if len(from_above) + len(below) * len(parts) <= _MOST_PLACES:
                from_above |= {(at, len(row) + place): part for at in below for place, part in enumerate(again)}
            row += parts
        texts.append(row)
    width = max(map(len, texts), default=0)
    return [[*row, *[""] * (width - len(row))] for row in texts]


def _span_of(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return max(1, min(int(value), _MOST_SPANNED)) if value.isdecimal() else 1


_STRUCK_TAGS = frozenset(("del", "s", "strike"))
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DEEPEST = 40
"""Most elements around a text that can strike or hide it."""


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    return "hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style") or "") is not None


def _said(text: LexborNode) -> str:
    """Return the text of a text node, with marks if it is struck out; empty if it is hidden."""
    said = text.text(deep=False)
    around, is_struck = text.parent, False
    for _ in range(_DEEPEST):
        if around is None or not said.strip() or around.tag == "body":
            break
        if _is_hidden(around) or around.tag in _SKIPPED:
            return ""
        is_struck = is_struck or around.tag in _STRUCK_TAGS or "line-through" in (around.attributes.get("style") or "")
        around = around.parent
    return struck(said) if is_struck else said


def _lines_of(cell: LexborNode) -> str:
    """Return the text of a cell with its line ends."""
    parts = []
    for one in cell.traverse(include_text=True):
        if one.tag == "-text":
            parts.append(" ".join(_said(one).split()))
        elif one.tag == "br" or (one.tag in _BLOCKS and one.tag not in ("td", "th")):
            parts.append("\n")
    return re.sub(r" *\n\s*", "\n", " ".join(parts)).strip()


_LONGEST_LABEL, _LONGEST_VALUE = 60, 120


def _pair(children: list[LexborNode]) -> list[str] | None:
    """Return the texts of two elements that are all of a third, without blocks inside; None otherwise."""
    elements = [one for one in children if (one.tag != "-text" and not _is_hidden(one)) or one.text(deep=False).strip()]
    if len(elements) != 2 or any(one.tag in ("-text", "br", "a", *_SKIPPED) for one in elements):
        return None
    inside = (one for element in elements for one in element.iter())
    if any(one.tag == "br" or one.tag in _BLOCKS or next(one.iter(), None) is not None for one in inside):
        return None  # more than text and its markup
    label, value = (_lines_of(one) for one in elements)
    if not (0 < len(label) <= _LONGEST_LABEL and 0 < len(value) <= _LONGEST_VALUE):
        return None
    return [label, value]
