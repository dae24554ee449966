"""Plain text and Markdown: the page is the file's own text, and blocks are spans of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from charset_normalizer import from_bytes
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..files import Readable
from ..pages import About, Block, OpenedDocument, Page, Span, names_columns

_CELL = re.compile(r"(?:^|(?<!\\)\|)[ \t]*((?:\\.|[^|\\\n])*?)[ \t]*(?=(?<!\\)\||$)")

_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+")


_SINGLE_BYTE = ("cp1252", "cp1250", "cp1254", "iso8859_15", "iso8859_2")
"""Encodings of languages in Latin letters, the most usual first."""
_LETTERS = [*map(frozenset, (
    "àâæçéèêëîïôœùûüÿ", "ãáâàçéêíóôõú", "áéíñóúüçïàèòª", "äöüß", "åäöé", "æøåéòóôêè", "àèéìíòóùú", "ëïéèóöüáê",
    "áðéíóúýþæö",
    "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșşțţ", "čćđšž", "çğıöşüâîû", "äõöüšž",
))]  # fmt: skip
"""Letters besides a to z: French, Portuguese, Spanish and Catalan, German, Swedish and Finnish, Danish and Norwegian,
Italian, Dutch, Icelandic, Polish, Czech, Slovak, Hungarian, Romanian, Croatian and Slovene, Turkish, Estonian."""


def decode(data: bytes) -> str:
    """Decode UTF-8 or UTF-16, else the most likely encoding, without soft hyphens."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = _guessed(data)
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00ad", "")


_LATIN = re.compile(r"cp125[0247]$|iso8859_(?:1|2|3|4|9|1[03-6])$|latin|mac_|cp(?:437|85\d|775)$")
_SIGN_IN_WORD = re.compile(r"[^\W\d_][¹²³¼½¾¿¡º±¥¸](?=[^\W\d_])")


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _is_of_one_language(text: str) -> bool:
    letters = {one for one in set(text.lower()) if ord(one) > 127 and one.isalpha()}
    return any(letters <= language for language in _LETTERS)


def _guessed(data: bytes) -> str:
    """Decode as what charset-normalizer finds; in Latin letters as the first encoding whose letters are of one
    language: `Lef\\xe8vre` is French in Windows-1252, and of no language in Windows-1250."""
    found = from_bytes(data).best()
    if found is None or _LATIN.match(found.encoding):
        texts = [text for encoding in _SINGLE_BYTE if (text := _decoded(data, encoding))]
        texts = [text for text in texts if not _SIGN_IN_WORD.search(text)]
        for form in (r"(?s).+", r"[^\W\d_]+"):  # all of the text, or each word, since a list of names has several
            for text in texts:
                if all(_is_of_one_language(part) for part in re.findall(form, text)):
                    return text
    return str(found) if found else data.decode("cp1252", "replace")


def read_text(path: Readable) -> OpenedDocument:
    """Read a text file. Empty lines separate paragraphs, form feeds separate pages."""
    sheets = decode(path.read_bytes()).split("\f")
    pages = (Page(number, text, tuple(paragraphs(text))) for number, text in enumerate(sheets, 1))
    return OpenedDocument(About(title=_first_line(sheets[0]), has_pages=len(sheets) > 1), pages)


def _first_line(text: str) -> str:
    """Return the first line if it looks like a title: short, alone, and not a sentence."""
    first, _, rest = text.strip().partition("\n")
    is_title = len(first) <= 80 and not first.rstrip().endswith((".", ",", ";", ":")) and rest.startswith("\n")
    return first.strip() if is_title else ""


def paragraphs(text: str) -> Iterator[Block]:
    """Yield the parts of a text between empty lines; aligned lines of cells are a table."""
    for found in re.finditer(r"\S(?:.|\n(?![ \t]*\n))*", text):
        end = found.end() - (len(found[0]) - len(found[0].rstrip()))
        has_bars = _BARRED.fullmatch(text, found.start(), end) is not None
        begin = found.start() if has_bars else len(text[: found.start()].rstrip("\t"))  # its first cell can be empty
        rows = [*_rows(text, Span(begin, end), has_bars)]
        widths = {len(row) for row in rows}
        is_even = len(widths) == 1 and ((len(rows) > 2 and max(widths) > 2) or (has_bars and len(rows) > 1))
        if is_even or (len(rows) > 1 and all(len(row) > 1 for row in rows) and _are_aligned(text, rows)):
            begin = rows[0][0].begin
            texts = [[text[cell.begin : cell.end] for cell in row] for row in rows]
            yield Block(
                "table", Span(begin, end), rows=tuple(rows), heads=len(texts[0]) > 2 and names_columns(texts)
            )
            continue
        is_title = not text[: found.start()].strip() and _first_line(text) == found[0].strip()
        yield Block("heading" if is_title else "paragraph", Span(found.start(), end), 1 if is_title else 0)


_BARRED = re.compile(r"(?:[^\n]* \|[^\n]*(?:\n|$))+")
_CELL_OF_TEXT = re.compile(r"(?:[^\s.…]|\.(?=\w))(?:(?!\.{4}|…{2})[^\s]|[ \u00a0\u202f](?=\S)|(?<=[.!?])  (?=\S))*")

_BETWEEN_TABS = re.compile(r"(?:^|(?<=\t)) *([^\t]*?) *(?=\t|$)")


def _rows(text: str, within: Span, has_bars: bool) -> Iterator[tuple[Span, ...]]:
    """Split lines into cells at bars, two spaces, tabs or dotted lines; at each tab if all lines have as many."""
    lines = [*re.finditer(r"[^\n]+", text[within.begin : within.end])]
    tabs = {line[0].count("\t") for line in lines}
    form = _BETWEEN_TABS if len(tabs) == 1 and min(tabs) > 1 else _CELL_OF_TEXT
    for line in lines:
        at = within.begin + line.start()
        if has_bars:
            yield _cells(text, Span(at, at + len(line[0].rstrip())))
        else:
            yield tuple(Span(*one.span(form.groups)).moved(at) for one in form.finditer(line[0]))


def _are_aligned(text: str, rows: list[tuple[Span, ...]]) -> bool:
    """Whether cells after the first begin or end where those of the next line do, with one gap each if there are
    dots."""
    for row, following in pairwise(rows):
        edges = [{place - text.rfind("\n", 0, place) for cell in one[1:] for place in cell} for one in (row, following)]
        if not edges[0] & edges[1] and len(row) + len(following) > 4:
            return False
    return True


def read_markdown(path: Readable) -> OpenedDocument:
    """Read CommonMark with tables, by markdown-it-py. YAML front matter is not part of the text."""
    text = decode(path.read_bytes())
    front = re.match(r"---\n.*?\n(?:---|\.\.\.)\n", text, re.DOTALL)
    body = (re.sub(r"[^\n]", " ", front[0]) if front else "") + text[front.end() if front else 0 :]
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    starts = [0, *(found.end() for found in re.finditer("\n", body))]
    blocks = tuple(_markdown_blocks(body, starts, tokens))
    title = next((body[block.span.begin : block.span.end] for block in blocks if block.kind == "heading"), "")
    return OpenedDocument(About(title=title), iter([Page(1, body, blocks)]))


def _markdown_blocks(text: str, starts: list[int], tokens: list[Token]) -> Iterator[Block]:
    lists = 0
    rows: list[tuple[Span, ...]] = []
    for place, token in enumerate(tokens):
        if re.match(r"(?:bullet|ordered)_list_", token.type):
            lists += token.nesting
        if token.type == "tr_open":
            rows.append(_cells(text, _lines(text, starts, token)))
        elif token.type == "table_close":
            yield Block("table", Span(rows[0][0].begin, rows[-1][-1].end), rows=tuple(rows), heads=1)
            rows = []
        elif token.type in ("fence", "code_block", "html_block"):
            yield Block("paragraph", _lines(text, starts, token))
        elif token.type == "inline" and not rows:
            opened = tokens[place - 1]
            span = _lines(text, starts, token)
            if opened.type == "heading_open":
                found = re.match(r"[ \t]*#*[ \t]*(.*?)[ \t]*#*[ \t]*(?:\n.*)?$", text[span.begin : span.end], re.DOTALL)
                assert found is not None  # it matches any text
                yield Block(
                    "heading", Span(span.begin + found.start(1), span.begin + found.end(1)), int(opened.tag[1:])
                )
            else:
                marker = _MARKER.match(text[span.begin : span.end]) if lists else None
                yield Block(
                    "item" if lists else "paragraph", Span(span.begin + (marker.end() if marker else 0), span.end)
                )


def _lines(text: str, starts: list[int], token: Token) -> Span:
    """Return the lines of a token without white space around them."""
    assert token.map is not None  # all block tokens have one
    begin, end = starts[token.map[0]], starts[token.map[1]] if token.map[1] < len(starts) else len(text)
    part = text[begin:end]
    return Span(begin + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip())))


def _cells(text: str, line: Span) -> tuple[Span, ...]:
    begin, end = line
    begin += text[begin] == "|"
    end -= text[end - 1] == "|" and text[end - 2] != "\\"
    return tuple(Span(begin + found.start(1), begin + found.end(1)) for found in _CELL.finditer(text[begin:end]))
