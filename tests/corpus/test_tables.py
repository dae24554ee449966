"""A table is read once, in every format: its heads, its scale and its continuation serve labels, periods, passages."""

from html import escape
from pathlib import Path

import pytest

from qlc.corpus.pages import Page, PageText
from qlc.corpus.passages import passages
from qlc.corpus.readers import read
from qlc.corpus.readers.detect import detect
from qlc.corpus.readers.tables import in_context
from qlc.corpus.values.labelling import labelled_values
from qlc.corpus.values.labels import vocabulary
from qlc.corpus.values.series import series_values
from qlc.corpus.values.table_cells import tables_of
from qlc.corpus.values.typed import Wanted
from qlc.language.quantities import Style
from qlc.language.reporting_periods import merged
from tests.answers.statements import Statement, statement


def _lines(one: Statement) -> list[str]:
    return [*filter(None, one.head.split("\n")), *one.text.split("\n")]


def _html(one: Statement) -> str:
    rows = ["".join(f"<td>{escape(cell)}</td>" for cell in line.split("\t")) for line in _lines(one) if "\t" in line]
    above = "".join(f"<p>{line}</p>" for line in _lines(one) if "\t" not in line)
    return f"<html><body>{above}<table><tr>{'</tr><tr>'.join(rows)}</tr></table></body></html>"


@pytest.mark.parametrize("ending", [".txt", ".html"])
def test_cells_of_made_statements_have_their_scale_and_period_in_labels_and_in_passages(
    ending: str, tmp_path: Path
) -> None:
    checked = 0
    for one in (made for made in map(statement, range(60)) if "\t" in made.lines[0]):
        path = tmp_path / f"file{ending}"
        path.write_text(_html(one) if ending == ".html" else "\n".join(_lines(one)), "utf-8")
        pages = [*read(path, detect(path)).pages]
        columns = {text: column for row in one.written for text, column in zip(row, one.columns, strict=True)}
        for passage in passages(pages):
            held = tables_of(passage.text, passage.head, passage.section)
            for cell in (each for table in held for each in table.cells):
                column = columns[cell.text.removeprefix("$ ")]
                assert cell.scale == one.scale, (one.name, cell)
                assert not column.year or (cell.period and cell.period.parts == merged([column.head]).parts), one.name
                checked += 1
        for labelled in labelled_values(pages, Style()):
            if labelled.label in one.rows and labelled.value in columns:
                assert labelled.scale == one.scale, (one.name, labelled)
                assert labelled.column in ("", columns[labelled.value].head), (one.name, labelled)
    assert checked > 1_500


def _pages(*tables: list[list[str]]) -> list[Page]:
    pages = []
    for number, rows in enumerate(tables, 1):
        page = PageText(number)
        page.add("paragraph", f"Report of the works, page {number}", is_aside=True)
        page.add_table(rows)
        pages.append(page.page())
    return [*in_context(pages)]


HEADS = ["(EUR in thousands)", "2023", "2022"]
SALES, COSTS = ["Sales", "9,583", "8,412"], ["Costs", "1,203", "1,101"]
ASSETS = ["Assets", "", ""]


@pytest.mark.parametrize(("rows", "found"), [([HEADS, SALES, COSTS], ["1203000", "1101000"]), ([SALES, COSTS], [])])
def test_a_table_that_goes_on_has_the_heads_and_the_scale_that_it_began_with(
    rows: list[list[str]], found: list[str]
) -> None:
    pages = _pages([*rows, SALES, ASSETS], [COSTS, SALES])
    amount = Wanted("costs", "rows", columns=(Wanted("value", "money"),), labels=("Costs",), is_series=True)
    values = [one for one in series_values([amount], pages[1:], vocabulary(["Costs"])) if one.field == "costs.value"]
    assert [str(one.value) for one in values] == found
    heads = {passage.head for passage in passages(pages) if passage.page_from == 2 and "Costs" in passage.text}
    assert heads == {"\n".join(["\t".join(rows[0]), "Assets"]) if found else "Assets"}
