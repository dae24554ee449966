"""Text that is struck out or hidden: it is marked or left out, and no value."""

from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from openpyxl.styles import Font
from pptx.util import Inches

from qlc.corpus.document import Extracted, Reader, Task
from qlc.corpus.limits import Limits
from qlc.corpus.values.fields import Wanted
from tests.tables import rows

WANTED = (
    Wanted("fee", "money", labels=("Fee",)),
    Wanted("due", "date", labels=("Due date",)),
    Wanted("supplier", "name", labels=("Supplier",)),
)


def read(path: Path) -> Extracted:
    return Reader({"b": WANTED})(Task(path, path.name, "b"), Limits())


def told(found: Extracted) -> dict[str, str]:
    return {one.field: one.why if one.is_disputed else f"{one.value} {one.unit}".strip() for one in found.values}


@pytest.mark.parametrize(("body", "right"), rows(__file__, "test_struck_and_hidden_html_is_no_value"))
def test_struck_and_hidden_html_is_no_value(tmp_path: Path, body: str, right: dict[str, str]) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"<html><body><h1>Paper</h1>{body}</body></html>")
    assert told(read(path)) == right


def test_struck_text_is_quoted_with_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html><body><p>The fee was <del>EUR 30</del> lowered to <b>EUR 20</b>.</p></body></html>")
    (passage,) = read(path).passages
    assert passage.text == "The fee was ~~EUR 30~~ lowered to EUR 20."


def test_struck_runs_of_office_files_are_no_value(tmp_path: Path) -> None:
    word = docx.Document()
    line = word.add_paragraph("Fee: ")
    line.add_run("EUR 30").font.strike = True
    line.add_run(" EUR 40")
    line = word.add_paragraph("Due date: ")
    line.add_run("1 May 2024").font.double_strike = True
    word.save(tmp_path / "a.docx")
    assert told(read(tmp_path / "a.docx")) == {"fee": "40 EUR", "due": "it is struck out"}

    slides = pptx.Presentation()
    box = slides.slides.add_slide(slides.slide_layouts[6]).shapes.add_textbox(*[Inches(1)] * 4)
    for text, strike in (("Fee: ", None), ("EUR 30", "sngStrike"), (" EUR 40", "noStrike")):
        run = box.text_frame.paragraphs[0].add_run()
        run.text = text
        if strike:
            run.font._element.set("strike", strike)
    slides.save(tmp_path / "a.pptx")
    assert told(read(tmp_path / "a.pptx")) == {"fee": "40 EUR"}

    book = openpyxl.Workbook()
    book.active.append(["Fee", "EUR 30"])
    book.active.append(["Due date", "1 May 2024"])
    book.active["B1"].font = Font(strike=True)
    book.save(tmp_path / "a.xlsx")
    assert told(read(tmp_path / "a.xlsx")) == {"fee": "it is struck out", "due": "2024-05-01"}
