"""HTML, read by selectolax (https://selectolax.readthedocs.io). Linked resources are not loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ..errors import Unreadable
from ..files import Readable
from ..pages import About, Kind, OpenedDocument, Page, PageText
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
                self._gathered.append(one.text(deep=False))
            elif tag in _SKIPPED or tag is None:
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
            rows[-1].append(one.text(separator=" "))
        width = max(map(len, rows), default=0)
        self._page.add_table([[*row, *[""] * (width - len(row))] for row in rows], heads=False)

    def _table(self, table: LexborNode) -> None:
        rows = [row.css("th, td") for row in table.css("tr")]
        texts = [[_lines_of(cell) for cell in row] for row in rows]
        self._page.add_table(texts, heads=bool(rows) and all(cell.tag == "th" for cell in rows[0]))


def _lines_of(cell: LexborNode) -> str:
    """Return the text of a cell with its line ends."""
    parts = []
    for one in cell.traverse(include_text=True):
        if one.tag == "-text":
            parts.append(" ".join(one.text(deep=False).split()))
        elif one.tag == "br" or (one.tag in _BLOCKS and one.tag not in ("td", "th")):
            parts.append("\n")
    return re.sub(r" *\n\s*", "\n", " ".join(parts)).strip()


_LONGEST_LABEL, _LONGEST_VALUE = 60, 120


def _pair(children: list[LexborNode]) -> list[str] | None:
    """Return the texts of two elements that are all of a third, without blocks inside; None otherwise."""
    elements = [one for one in children if one.tag != "-text" or one.text(deep=False).strip()]
    if len(elements) != 2 or any(one.tag in ("-text", "br", "a", *_SKIPPED) for one in elements):
        return None
    inside = (one for element in elements for one in element.iter())
    if any(one.tag == "br" or one.tag in _BLOCKS or next(one.iter(), None) is not None for one in inside):
        return None  # more than text and its markup
    label, value = (" ".join(one.text().split()) for one in elements)
    if not (0 < len(label) <= _LONGEST_LABEL and 0 < len(value) <= _LONGEST_VALUE):
        return None
    return [label, value]
