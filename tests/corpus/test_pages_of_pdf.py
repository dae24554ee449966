"""Pages of PDF files as they are drawn: margins, divided words, columns, turned text, tables."""

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table, TableStyle

from qlc.corpus.pages import Page
from qlc.corpus.passages import passages
from qlc.corpus.readers import read

HIGH, WIDE = A4[1], A4[0]


def drawn(path: Path, *pages: Callable[[Canvas], object]) -> list[Page]:
    """Draw a file, and read it."""
    canvas = Canvas(str(path), pagesize=A4)
    for page in pages:
        canvas.setFont("Helvetica", 10)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return [*read(path, "pdf").pages]


def lines(canvas: Canvas, texts: Sequence[str], left: float = 60, top: float = 700, apart: float = 14) -> None:
    for at, text in enumerate(texts):
        canvas.drawString(left, top - at * apart, text)


def blocks(page: Page) -> list[tuple[str, str]]:
    return [(block.kind, page.of(block.span)) for block in page.blocks]


def tables(page: Page) -> list[list[list[str]]]:
    return [[[page.of(cell) for cell in row] for row in block.rows] for block in page.blocks if block.rows]


def text_of_passages(pages: Sequence[Page]) -> str:
    return "\n".join(one.text for one in passages(pages))


# --- headers and footers ---------------------------------------------------------------------------------------------

PROSE = ["Keys are kept in the safe of the harbour office, and are handed out at six.", "They come back at noon."]


def test_rows_at_the_edges_of_pages_stay_in_the_text(tmp_path: Path) -> None:
    rows = [[f"{day % 28 + 1:02}.05.2024", f"Berth {day % 7}", f"{day * 3 + 1},00"] for day in range(153)]

    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            for at, row in enumerate(rows[number * 51 : number * 51 + 51]):
                for left, cell in zip((60, 180, 300), row, strict=True):
                    canvas.drawString(left, HIGH - 25 - at * 16, cell)

        return draw

    pages = drawn(tmp_path / "a.pdf", *map(page, range(3)))
    assert [row for one in pages for table in tables(one) for row in table] == rows


def test_a_total_near_the_lower_edge_is_found(tmp_path: Path) -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(60, HIGH - 20, "Bill 8812")
        lines(canvas, PROSE)
        canvas.drawString(60, 40, "Total due")
        canvas.drawString(300, 40, "99")
        canvas.drawString(400, 40, "EUR")

    pages = drawn(tmp_path / "a.pdf", page)
    assert "Bill 8812" in text_of_passages(pages)
    assert "Total due\t99\tEUR" in text_of_passages(pages)


def with_margins(number: int, total: str = "") -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, HIGH - 30, "Northern Boats: rules of the yard")
        canvas.drawString(500, HIGH - 30, f"Page {number} of 5")
        lines(canvas, [*PROSE, "The last line of the page goes on and has no end, since the" if number < 5 else "End."])
        canvas.drawString(60, 30, f"Carried over: {total} EUR" if total else "Printed on grey paper")

    return draw


def test_headers_and_footers_are_searched_once_and_marked(tmp_path: Path) -> None:
    pages = drawn(tmp_path / "a.pdf", *(with_margins(number) for number in range(1, 6)))
    text = text_of_passages(pages)
    assert text.count("Northern Boats: rules of the yard") == 1
    assert text.count("Printed on grey paper") == 1
    assert [kind for kind, shown in blocks(pages[3]) if "Northern Boats" in shown] == ["margin"]
    assert "Page 3 of 5" in pages[2].text  # nothing is gone from the page


def test_a_value_at_the_same_place_of_each_page_is_no_margin(tmp_path: Path) -> None:
    pages = drawn(tmp_path / "a.pdf", *(with_margins(number, f"{number * 7 + 30}") for number in range(1, 6)))
    text = text_of_passages(pages)
    assert [text.count(f"Carried over: {number * 7 + 30} EUR") for number in range(1, 6)] == [1] * 5


def test_a_sentence_goes_on_past_a_footer(tmp_path: Path) -> None:
    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            lines(canvas, ["the chains are old."] if number else ["The barge is moored at berth nine, where"])
            canvas.drawString(60, 30, "Harbour Office")

        return draw

    found = [*passages(drawn(tmp_path / "a.pdf", page(0), page(1)))]
    assert "where\nthe chains are old." in found[0].text
    assert [one.text for one in found[1:]] == ["Harbour Office"]


def test_page_numbers_of_left_and_right_pages(tmp_path: Path) -> None:
    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.drawString(520 if number % 2 else 60, 30, str(number + 11))
            lines(canvas, [f"{PROSE[0]} {number}"])

        return draw

    pages = drawn(tmp_path / "a.pdf", *map(page, range(8)))
    assert [kind for one in pages for kind, text in blocks(one) if text.isdigit()] == ["margin"] * 8


# --- divided words ---------------------------------------------------------------------------------------------------


def test_words_divided_at_line_ends_are_whole(tmp_path: Path) -> None:
    page = ["Each mooring needs exam-", "ination, and the state-of-", "the-art winch is well-", "known. An Ein- und",
            "Ausgang, pages 12-", "14, a well-known rope, North-", "Sea and offi\ufb03ce. It repre-", "sents 45,00-",
            "euros."]  # fmt: skip
    (found,) = drawn(tmp_path / "a.pdf", lambda canvas: lines(canvas, page))
    text = " ".join(found.text.split())
    for word in ("examination,", "state-of-the-art winch", "well-known. An", "pages 12-14,", "North-Sea", "represents"):
        assert word in text
    assert "45,00- euros" in text


# --- columns ---------------------------------------------------------------------------------------------------------

STORY = {
    "anchor": "Anchors of the old kind hold well in mud and badly in sand, so each boat has two of them on deck, and "
    "the heavier one is used at night. Ropes are checked each spring by two people who sign the book in the office.",
    "berth": "Berths nine to twelve are closed in winter, since ice breaks the rings of the quay there. Whoever needs "
    "a berth in winter asks the harbour office for one in the inner basin, which the ferry keeps free of ice for us.",
    "cargo": "Cargo is landed on weekdays between seven and four. The crane of the yard lifts nine tons, and heavier "
    "pieces are landed at the mole, where a crane on rails is hired by the day from a firm in the next town over.",
}


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("apart", [0, 1.7])
def test_columns_are_read_one_after_the_other(tmp_path: Path, count: int, apart: float) -> None:
    stories = [*STORY.values()][:count]
    width = 490 / count

    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(50, 780, "News of the harbour and of the yard behind it, this spring")
        canvas.setFont("Helvetica", 9)
        for at, story in enumerate(stories):
            wrapped = textwrap.wrap(story, int(width / 4.9))
            lines(canvas, wrapped, 50 + at * width, 740 - at * apart, 11 + at * apart / 9)

    (found,) = drawn(tmp_path / "a.pdf", page)
    text = " ".join(found.text.split())
    assert [story in text for story in stories] == [True] * count
    assert [text.find(story) for story in stories] == sorted(text.find(story) for story in stories)


def test_a_box_between_columns_and_a_table_in_one(tmp_path: Path) -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for at, key in enumerate(("anchor", "berth")):
            wrapped = textwrap.wrap(STORY[key] + " " + STORY["cargo"], 45)
            lines(canvas, wrapped, 50 + at * 260, 740, 11)
            for row, cells in enumerate([("Rope", "14"), ("Chain", "92"), ("Ring", "7")]):
                for left, cell in zip((50, 150), cells, strict=True):
                    canvas.drawString(left + at * 260, 600 - row * 12 - 11 * at, cell + "a" * at)

    (found,) = drawn(tmp_path / "a.pdf", page)
    text = " ".join(found.text.split())
    assert [story in text for story in STORY.values()] == [True] * 3
    assert [["Rope", "14"], ["Chain", "92"], ["Ring", "7"]] in tables(found)


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@pytest.mark.parametrize("is_page", [True, False])
def test_turned_text_is_read_in_its_own_direction(tmp_path: Path, turned: int, is_page: bool) -> None:
    texts = ["Crew list of the ferry", "Bosun: Edda Falk", "Boats: 4 of oak", "Seen by the harbour office"]

    def page(canvas: Canvas) -> None:
        if is_page:
            canvas.setPageRotation(turned)
        else:
            canvas.translate(WIDE / 2, HIGH / 2)
            canvas.rotate(turned)
        lines(canvas, texts, 20, 100)

    (found,) = drawn(tmp_path / "a.pdf", page)
    assert found.text.split("\n") == texts


def test_a_note_along_the_edge_is_read_after_the_text(tmp_path: Path) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, PROSE)
        canvas.rotate(90)
        canvas.drawString(300, -20, "Copy for the archive")

    (found,) = drawn(tmp_path / "a.pdf", page)
    assert found.text.split("\n") == [*PROSE, "", "Copy for the archive"]


# --- tables ----------------------------------------------------------------------------------------------------------


def ruled(rows: Sequence[Sequence[str]], widths: Sequence[float], *styles: object) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        table = Table(rows, colWidths=widths)
        style = [("GRID", (0, 0), (-1, -1), 0.7, colors.black), ("LEFTPADDING", (0, 0), (-1, -1), 1),
                 ("RIGHTPADDING", (0, 0), (-1, -1), 1), ("FONTSIZE", (0, 0), (-1, -1), 10), *styles]  # fmt: skip
        table.setStyle(TableStyle(style))
        table.wrapOn(canvas, 500, 700)
        table.drawOn(canvas, 50, 500)

    return draw


def test_cells_between_lines_are_apart_although_they_touch(tmp_path: Path) -> None:
    rows = [["Ship", "Port of origin", "Tons"], ["Northern Maid", "Rotterdam Maasvlakte", "17"], ["Elbe", "Oslo", "5"]]
    (found,) = drawn(tmp_path / "a.pdf", ruled(rows, (66, 99, 30)))
    assert tables(found) == [rows]
    assert found.blocks[0].heads == 1


def test_lines_of_a_cell_and_cells_over_rows_and_columns(tmp_path: Path) -> None:
    rows = [["Ship", "Load", ""], ["Elbe", "sand", "5"], ["", "coal", "9"], ["Oste", "rope, new\nand old", "2"]]
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 1), (0, 2))]
    (found,) = drawn(tmp_path / "a.pdf", ruled(rows, (66, 99, 30), *spans))
    assert tables(found)[0][1:] == [["Elbe", "sand", "5"], ["Elbe", "coal", "9"], ["Oste", "rope, new and old", "2"]]


STATEMENT: list[tuple[float, ...] | tuple[str, ...]] = [
    ("", "Year ended March 31,", ""), ("", "2031", "2030"), ("Sales of rope", "$ 1,204", "$ 1,100"), ("Costs:",),
    ("Hemp", "(310)", "(290)"), ("Wages", "(402)", "(377)"), ("Net cash from sales of", ), ("old boats", "12", "7"),
    ("Result", "$ 504", "$ 440"),
]  # fmt: skip


def statement(canvas: Canvas) -> None:
    canvas.drawString(60, 730, "Result of the yard (in thousands)")
    for at, row in enumerate(STATEMENT):
        for left, cell in zip((60, 300, 420), row, strict=False):
            y = 700 - at * 14
            if str(cell).startswith("$"):
                canvas.drawString(left - 30, y, "$")
            if left > 60:
                canvas.drawRightString(left + 20, y, str(cell).lstrip("$ "))
            else:
                canvas.drawString(left, y, str(cell))


def test_an_inner_heading_does_not_end_a_table(tmp_path: Path) -> None:
    (found,) = drawn(tmp_path / "a.pdf", statement)
    ((head, years, *rows),) = tables(found)
    assert (head[1:], years) == (["Year ended March 31,", ""], ["", "2031", "2030"])
    assert rows == [
        ["Sales of rope", "$ 1,204", "$ 1,100"], ["Costs:", "", ""], ["Hemp", "(310)", "(290)"],
        ["Wages", "(402)", "(377)"], ["Net cash from sales of old boats", "12", "7"], ["Result", "$ 504", "$ 440"],
    ]  # fmt: skip
    (table,) = (block for block in found.blocks if block.rows)
    assert (table.heads, table.scale) == (2, "Result of the yard (in thousands)")


def test_rows_on_the_next_page_keep_heads_scale_and_inner_heading(tmp_path: Path) -> None:
    def page(first: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            if not first:
                lines(canvas, ["All sums of the table are in millions"], top=780)
            rows = [["Fleet", "2031", "2030"], ["Ferries:"]] if not first else []
            rows += [[f"Boat of class {at}", str(at + 100), str(at + 200)] for at in range(first, first + 40)]
            for at, row in enumerate(rows):
                for left, cell in zip((60, 300, 420), row, strict=False):
                    canvas.drawString(left, 760 - at * 15, cell)

        return draw

    found = [*passages(drawn(tmp_path / "a.pdf", page(0), page(40)))]
    later = [one for one in found if one.page_from == 2]
    assert later
    assert {one.head for one in later} == {"All sums of the table are in millions\nFleet\t2031\t2030\nFerries:"}
