"""How well and how fast PDFs are read: `python -m benchmarks.reading [tables|letters|fetch FOLDER] [--by NAME...]`.

Alone it draws 48 PDF pages of invented texts, whose truth is known, and compares readers: `qlc`, and of the
libraries that are installed `pdfium` (the text of pypdfium2), `pdfplumber`, `pdfminer`, `pypdf` and `docling_parse`.
Each gives the text of a page, and if it can the cells of its tables.

- lost: characters of the truth that are not in the page's text, in words that are there as written
- order: pairs of neighbouring lines of the truth that are in another order, or not next to each other, in the text
- cells: pairs of neighbouring cells, to the right and below, that are found, and found ones that are true

`fetch FOLDER` copies the table competition of ICDAR 2013 from a clone of github.com/tabulapdf/tabula-java, named by
`$TABULA`; `tables FOLDER` measures its cells, by neighbours as the competition did, over the pages that have tables.
`letters FOLDER` counts the letters and digits of the parser's text of each page that a reader's text does not have.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table, TableStyle

Rows: TypeAlias = Sequence[Sequence[str]]
Neighbours: TypeAlias = "Counter[tuple[str, str, str]]"


@dataclass
class Truth:
    """A page as it should be read: its lines in order, and its tables."""

    kind: str
    lines: list[str] = field(default_factory=list)
    tables: list[Rows] = field(default_factory=list)


# --- readers ---------------------------------------------------------------------------------------------------------

Read: TypeAlias = Callable[[Path], Iterator[tuple[str, list[Rows]]]]


def qlc(path: Path) -> Iterator[tuple[str, list[Rows]]]:
    from qlc.corpus.readers.pdf import read

    for page in read(path).pages:
        tables = [block.rows for block in page.blocks if block.rows]
        text = "\n\n".join(page.of(block.span) for block in page.blocks if block.kind != "margin")
        yield text, [[[page.of(cell) for cell in row] for row in rows] for rows in tables]


def pdfium(path: Path) -> Iterator[tuple[str, list[Rows]]]:
    import pypdfium2

    for page in pypdfium2.PdfDocument(path):
        yield page.get_textpage().get_text_range(), []


def pdfplumber(path: Path) -> Iterator[tuple[str, list[Rows]]]:
    with import_module("pdfplumber").open(path) as document:
        for page in document.pages:
            tables = [[[cell or "" for cell in row] for row in table] for table in page.extract_tables()]
            yield page.extract_text(), tables


def pdfminer(path: Path) -> Iterator[tuple[str, list[Rows]]]:
    library = import_module("pdfminer.high_level")
    layout = import_module("pdfminer.layout")
    for page in library.extract_pages(path):
        yield "".join(box.get_text() for box in page if isinstance(box, layout.LTTextContainer)), []


def pypdf(path: Path) -> Iterator[tuple[str, list[Rows]]]:
    for page in import_module("pypdf").PdfReader(path).pages:
        yield page.extract_text(), []


def docling_parse(path: Path) -> Iterator[tuple[str, list[Rows]]]:
    line = import_module("docling_core.types.doc.page").TextCellUnit.LINE
    document = import_module("docling_parse.pdf_parser").DoclingPdfParser().load(path_or_stream=str(path))
    for _, page in document.iterate_pages():
        yield "\n".join(cell.text for cell in page.iterate_cells(unit_type=line)), []


READERS: dict[str, Read] = {
    one.__name__: one for one in (qlc, pdfium, pdfplumber, pdfminer, pypdf, docling_parse)
}  # fmt: skip


# --- made pages ------------------------------------------------------------------------------------------------------

_WORDS = [
    "harbour", "mooring", "winch", "anchor", "quay", "ferry", "berth", "cargo", "rudder", "hawser", "bollard", "fender",
    "capstan", "tide", "pilot", "lantern", "chandler", "dredger", "lighter", "tonnage", "manifest", "customs", "timber",
    "warehouse", "hemp", "tallow", "herring", "ballast", "keel", "shackle",
]  # fmt: skip


def _sentence(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(count)).capitalize() + "."


def _prose(chance: random.Random, canvas: Canvas, left: float, width: int, count: int, top: float) -> list[str]:
    text = " ".join(_sentence(chance, 9) for _ in range(count))
    lines = textwrap.wrap(text, width)
    for at, line in enumerate(lines):
        canvas.drawString(left, top - at * 11, line)
    return lines


def one_column(chance: random.Random, canvas: Canvas) -> Truth:
    return Truth("prose", _prose(chance, canvas, 60, 90, 40, 780))


def _columns(count: int) -> Callable[[random.Random, Canvas], Truth]:
    def draw(chance: random.Random, canvas: Canvas) -> Truth:
        width = 500 / count
        lines = []
        for at in range(count):
            lines += _prose(chance, canvas, 50 + at * width, int(width / 4.9), 36 // count, 770 - chance.random() * 5)
        return Truth(f"{count} columns", lines)

    return draw


def edges(chance: random.Random, canvas: Canvas) -> Truth:
    rows = [[f"{at + 1:02}.06.2031", chance.choice(_WORDS), str(chance.randrange(10, 9999))] for at in range(51)]
    for at, row in enumerate(rows):
        for left, cell in zip((60, 200, 340), row, strict=True):
            canvas.drawString(left, A4[1] - 20 - at * 16, cell)
    return Truth("rows at the edges", [" ".join(row) for row in rows], [rows])


def divided(chance: random.Random, canvas: Canvas) -> Truth:
    words = [chance.choice(_WORDS) for _ in range(100)]
    y, line, held = 780.0, "", []
    for word in words:
        if len(line) + len(word) > 60 and len(word) > 5:
            canvas.drawString(60, y, f"{line} {word[:3]}-")
            line, y = word[3:], y - 12
        else:
            line = f"{line} {word}".strip()
        held.append(word)
    canvas.drawString(60, y, line)
    return Truth("divided words", held)


def turned(chance: random.Random, canvas: Canvas) -> Truth:
    canvas.translate(A4[0] / 2, A4[1] / 2)
    canvas.rotate(chance.choice((90, 180, 270)))
    return Truth("turned", _prose(chance, canvas, -250, 70, 10, 150))


def ruled(chance: random.Random, canvas: Canvas) -> Truth:
    rows = [["Boat", "Port", "Load", "Tons"]]
    rows += [[chance.choice(_WORDS) for _ in range(3)] + [str(chance.randrange(5, 9000))] for _ in range(20)]
    rows[3][1] = "a quay behind the\nold timber mole"
    columns = [[line for row in rows for line in row[c].split("\n")] for c in range(4)]
    widths = [max(canvas.stringWidth(line, "Helvetica", 9) for line in lines) + 3 for lines in columns]
    table = Table(rows, colWidths=widths)
    style: list[tuple[Any, ...]] = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    style += [(name, (0, 0), (-1, -1), 1) for name in ("LEFTPADDING", "RIGHTPADDING")]
    table.setStyle(TableStyle([*style, ("FONTSIZE", (0, 0), (-1, -1), 9)]))
    table.wrapOn(canvas, 500, 700)
    table.drawOn(canvas, 60, 300)
    return Truth("ruled table", [], [rows])


def statement(chance: random.Random, canvas: Canvas) -> Truth:
    rows: list[list[str]] = [["", "2031", "2030", "2029"]]
    for _ in range(5):
        rows.append([f"{chance.choice(_WORDS)} {chance.choice(_WORDS)}:".capitalize(), "", "", ""])
        for _ in range(4):
            label = f"{chance.choice(_WORDS)} {chance.choice(_WORDS)}".capitalize()
            rows.append([label, *(f"{chance.randrange(9999):,}" for _ in range(3))])
    canvas.drawString(60, 780, "Statement of the yard (in thousands)")
    for at, row in enumerate(rows):
        canvas.drawString(60, 750 - at * 14, row[0])
        for left, cell in zip((350, 430, 510), row[1:], strict=True):
            canvas.drawRightString(left, 750 - at * 14, cell)
    return Truth("statement", [], [rows])


PAGES = (one_column, _columns(2), _columns(3), edges, divided, turned, ruled, statement)


def made(folder: Path) -> tuple[Path, list[Truth]]:
    """Draw the pages, six of each kind."""
    chance = random.Random(37)
    path = folder / "made.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    truths = []
    for _ in range(6):
        for draw in PAGES:
            canvas.setFont("Helvetica", 9)
            truths.append(draw(chance, canvas))
            canvas.showPage()
    canvas.save()
    return path, truths


# --- measures --------------------------------------------------------------------------------------------------------


def lost(truth: Truth, text: str) -> tuple[int, int]:
    """Return the characters of words that are not in a text, and all characters."""
    words = Counter(word for line in truth.lines or _texts(truth.tables) for word in line.split())
    missing = words - Counter(text.split())
    return sum(len(word) * count for word, count in missing.items()), sum(len(word) * n for word, n in words.items())


def _texts(tables: Sequence[Rows]) -> Iterator[str]:
    return (cell for rows in tables for row in rows for cell in row)


def disorder(truth: Truth, text: str) -> tuple[int, int]:
    """Return the pairs of neighbouring lines that are not neighbours in a text, and all pairs."""
    flat = " ".join(text.split())
    pairs = [*zip(truth.lines, truth.lines[1:], strict=False)]
    return sum(f"{first} {second}" not in flat for first, second in pairs), len(pairs)


def _plain(text: str) -> str:
    return re.sub(r"\W+", "", text.casefold()) if re.search(r"\w", text) else text.strip()


def neighbours(cells: Sequence[tuple[int, int, int, int, str]]) -> Neighbours:
    """Return the pairs of a cell and the next filled one to the right, and below. A cell has its first and last row and
    column."""
    grid = {
        (row, column): (_plain(text), (top, left))
        for top, left, bottom, right, text in cells
        if _plain(text)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    }
    found: Neighbours = Counter()
    seen = set()
    most = max((max(place) for place in grid), default=0)
    for place, (text, own) in grid.items():
        for kind, down, along in (("right", 0, 1), ("below", 1, 0)):
            row, column = place[0] + down, place[1] + along
            while max(row, column) <= most and grid.get((row, column), ("", own))[1] == own:
                row, column = row + down, column + along
            if (row, column) in grid and (kind, own, grid[row, column][1]) not in seen:
                seen.add((kind, own, grid[row, column][1]))
                found[kind, text, grid[row, column][0]] += 1
    return found


def neighbours_of(tables: Sequence[Rows]) -> Neighbours:
    found: Neighbours = Counter()
    for rows in tables:
        cells = [(r, c, r, c, cell) for r, row in enumerate(rows) for c, cell in enumerate(row)]
        found.update(neighbours(cells))
    return found


def share(part: float, whole: float) -> str:
    return f"{part / whole:7.1%}" if whole else "      -"


def measure_made(names: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, truths = made(Path(folder))
        for name in names:
            started = time.process_time()
            pages = [*READERS[name](path)]
            seconds = time.process_time() - started
            print(f"{name}: {len(pages) / seconds:.0f} pages per second\n  {'page':20}   lost   order   found    true")
            for kind in dict.fromkeys(one.kind for one in truths):
                both = [(truth, *page) for truth, page in zip(truths, pages, strict=True) if truth.kind == kind]
                chars = [lost(truth, text) for truth, text, _ in both]
                pairs = [disorder(truth, text) for truth, text, _ in both]
                true = [neighbours_of(truth.tables) for truth, _, _ in both]
                read = [neighbours_of(tables) if truth.tables else Counter() for truth, _, tables in both]
                right = sum((one & other).total() for one, other in zip(true, read, strict=True))
                shares = (
                    *(share(*map(sum, zip(*counts, strict=True))) for counts in (chars, pairs)),
                    *(share(right, sum(one.total() for one in all_of)) for all_of in (true, read)),
                )
                print(f"  {kind:20}" + " ".join(shares))


# --- ICDAR 2013 ------------------------------------------------------------------------------------------------------


def fetch(folder: Path) -> None:
    """Copy the files of the competition out of a clone, which need not have a work tree."""
    clone = os.environ["TABULA"]
    git = ["git", "-C", clone]
    folder.mkdir(parents=True, exist_ok=True)
    for name in subprocess.check_output([*git, "ls-tree", "-r", "--name-only", "HEAD"], text=True).splitlines():
        if "icdar2013-dataset" in name and name.endswith((".pdf", "-str.xml")):
            (folder / Path(name).name).write_bytes(subprocess.check_output([*git, "show", f"HEAD:{name}"]))


def truth_of(path: Path) -> dict[int, Neighbours]:
    """Return the neighbours of cells by page."""
    found: dict[int, Neighbours] = {}
    for region in ET.parse(path).getroot().iter("region"):
        cells = []
        for cell in region.iter("cell"):
            top, left = int(cell.attrib["start-row"]), int(cell.attrib["start-col"])
            bottom, right = int(cell.get("end-row", top)), int(cell.get("end-col", left))
            cells.append((top, left, bottom, right, cell.findtext("content") or ""))
        found.setdefault(int(region.attrib["page"]), Counter()).update(neighbours(cells))
    return found


def measure_tables(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        right = wanted = given = pages = 0
        started = time.process_time()
        for truths in sorted(folder.glob("*-str.xml")):
            path = truths.with_name(truths.name.replace("-str.xml", ".pdf"))
            if not path.exists():
                continue
            true = truth_of(truths)
            for number, (_, tables) in enumerate(READERS[name](path), 1):
                pages += 1
                if number in true:
                    read = neighbours_of(tables)
                    right += (read & true[number]).total()
                    wanted += true[number].total()
                    given += read.total()
        seconds = time.process_time() - started
        print(f"{name:12} found {share(right, wanted)}  true {share(right, given)}  {pages / seconds:.0f} pages/s")


def measure_letters(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        missing = letters = pages = failed = 0
        started = time.process_time()
        for path in sorted(folder.rglob("*.pdf")):
            try:
                both = [*zip(pdfium(path), READERS[name](path), strict=True)]
            except Exception:  # noqa: BLE001  damaged and encrypted ones are among the files
                failed += 1
                continue
            for (whole, _), (text, _) in both:
                forms = (unicodedata.normalize("NFKC", one) for one in (whole, text))
                wanted, found = (Counter(filter(str.isalnum, one)) for one in forms)
                missing += (wanted - found).total()
                letters += wanted.total()
            pages += len(both)
        seconds = time.process_time() - started
        speed = f"{pages / seconds:.0f} pages/s with the parser's own text"
        print(f"{name:12} {pages} pages ({failed} files failed), {missing:,} of {letters:,} letters lost, {speed}")


def main() -> None:
    arguments: list[Any] = sys.argv[1:]
    at = arguments.index("--by") if "--by" in arguments else len(arguments)
    names = arguments[at + 1 :] or [name for name in READERS if _is_there(name)]
    match arguments[:at]:
        case ["fetch", folder]:
            fetch(Path(folder))
        case ["tables", folder]:
            measure_tables(Path(folder), names)
        case ["letters", folder]:
            measure_letters(Path(folder), names)
        case _:
            measure_made(names)


def _is_there(name: str) -> bool:
    try:
        import_module("qlc" if name in ("qlc", "pdfium") else name)
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    main()
