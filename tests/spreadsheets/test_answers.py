"""Answers over tables: headers as they were written, a sentence that says the answer, files with both."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pyarrow.parquet
import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import draft_catalog
from qlc.outcome import files
from qlc.outcome.chart import svg_chart
from qlc.outcome.export import export
from qlc.outcome.tables import hits_cells, rows_cells
from qlc.tables.loading import load_table
from qlc.tables.typed import read_typed
from tests import tables
from tests.spreadsheets.test_loading import written

NOW = "2026-05-10T12:00:00Z"
ORDERS = tables.table(__file__, "ORDERS")


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Compiler]:
    client = qlc.connect()
    for table in read_typed(written(tmp_path_factory.mktemp("tables") / "orders.csv", ORDERS)):
        load_table(client, table)
    catalog = read_catalog(draft_catalog(client, "orders"))
    yield qlc.Compiler(client, catalog)
    client.close()


def test_people_read_headers_and_programs_names(orders: qlc.Compiler) -> None:
    found: Any = orders.run("find orders where net_amount > 90 show order_no, net_amount", now=NOW)
    assert hits_cells(found)[0] == ["Order No", "Net Amount"]
    assert found.columns == ["order_no", "net_amount"]
    assert json.loads(found.model_dump_json())["labels"] == {"order_no": "Order No", "net_amount": "Net Amount"}
    assert [*found.to_dicts()[0]] == ["id", "order_no", "net_amount"]
    assert next(export(found, "csv")) == "Order No,Net Amount\n"
    rows: Any = orders.run("sum(net_amount), count of orders by month(placed_on), customer", now=NOW)
    assert rows_cells(rows)[0] == ["Placed On (month)", "Customer", "Sum of Net Amount", "count"]


HEADLINES = tables.table(__file__, "HEADLINES")


@pytest.mark.parametrize("program", HEADLINES)
def test_an_answer_says_itself(orders: qlc.Compiler, program: str) -> None:
    assert orders.run(program, now=NOW).message == HEADLINES[program]


def test_a_period_that_is_over_is_in_the_range(orders: qlc.Compiler) -> None:
    later: Any = orders.run("count orders by month(placed_on)", now="2026-06-01T00:00:00Z")
    assert later.unfinished == {}
    assert later.message == "1 to 2 orders in each of the 4 months here, most in January 2026 and April 2026."


# --- files -----------------------------------------------------------------------------------------------------------


def saved(found: Any, path: Path) -> Path:
    files.save(path, lambda format, safe: export(found, format, for_spreadsheets=safe))
    return path


def test_a_workbook_has_headers_types_and_no_formula(orders: qlc.Compiler, tmp_path: Path) -> None:
    found = orders.run("find orders show order_no, customer, net_amount, placed_on limit 10", now=NOW)
    sheet = openpyxl.load_workbook(saved(found, tmp_path / "answer.xlsx")).active
    assert sheet is not None
    head, *rows = [[*row] for row in sheet.iter_rows()]
    assert [one.value for one in head] == ["Order No", "Customer", "Net Amount", "Placed On"]
    (odd,) = [row for row in rows if row[0].value == "G-3"]
    assert [one.value for one in odd] == ["G-3", "=1+2", 20, datetime(2026, 2, 1)]
    assert (odd[1].data_type, odd[1].quotePrefix, odd[2].number_format) == ("s", True, '#,##0.00 "EUR"')


def test_parquet_has_headers_types_and_units(orders: qlc.Compiler, tmp_path: Path) -> None:
    found = orders.run("find orders show order_no, net_amount, weight limit 10", now=NOW)
    read = pyarrow.parquet.read_table(saved(found, tmp_path / "answer.parquet"))
    assert [(one.name, str(one.type)) for one in read.schema] == [
        ("Order No", "string"), ("Net Amount", "double"), ("Weight", "int64")]  # fmt: skip
    assert read.schema.field("Net Amount").metadata == {b"unit": b"EUR"}
    assert sorted(row["Weight"] or 0 for row in read.to_pylist()) == [0, 1, 2, 3, 4, 9]


@pytest.mark.parametrize("name", ["answer.csv", "answer.xlsx", "answer.parquet", "answer.ndjson"])
def test_a_file_that_cannot_be_finished_leaves_the_old_one(name: str, tmp_path: Path) -> None:
    path = written(tmp_path / name, "old")

    def lines(*_: object) -> Iterator[str]:
        yield '{"columns": ["a"], "headers": ["a"], "units": {}}\n'
        yield '{"a": 1}\n'
        raise UsageError("the rest could not be read")

    with pytest.raises(UsageError):
        files.save(path, lines)
    assert (path.read_text(), [*tmp_path.iterdir()]) == ("old", [path])


def test_a_file_has_a_bound_and_a_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "MOST_ROWS", 1)
    head = '{"columns": ["a"], "headers": ["a"], "units": {}}\n'
    with pytest.raises(UsageError, match=r"at most 1 rows here: write .csv or .ndjson"):
        files.save(tmp_path / "a.xlsx", lambda *_: [head, '{"a": 1}\n', '{"a": 2}\n'])
    with pytest.raises(UsageError, match="does not say what kind of file it is"):
        files.save(tmp_path / "a.doc", lambda *_: [head])


# --- tables that refer to others -------------------------------------------------------------------------------------

PATIENTS = "Chip,Name,Ward\n900001,Luna,a\n900002,Bella,a\n900003,Luna,b\n"
VISITS = "Visit,Patient,Day\nV1,900001,2025-05-01\nV2,900002,2025-05-02\nV3,900003,2025-05-03\nV4,,2025-05-04\n"
PRACTICE = tables.table(__file__, "PRACTICE")


def test_a_list_has_the_names_of_another_table_that_a_caller_may_see(tmp_path: Path) -> None:
    client = qlc.connect()
    for name, text in (("patients", PATIENTS), ("visits", VISITS)):
        types = {"Chip": "keyword", "Patient": "keyword"}
        for table in read_typed(written(tmp_path / f"{name}.csv", text), {k: v for k, v in types.items() if k in text}):
            load_table(client, table)
    compiler = qlc.Compiler(client, read_catalog(PRACTICE))

    def patients(**options: Any) -> list[Any]:
        return [hit.values.get("patient") for hit in compiler.run("find all visits sort visit", **options).hits]

    luna, bella, other = ({"id": f"90000{n}", "name": name} for n, name in ((1, "Luna"), (2, "Bella"), (3, "Luna")))
    assert patients(context={"ward": "a"}) == [luna, bella, {"id": "900003"}, None]
    assert patients(context={"ward": "b"})[2] == other
    first: Any = compiler.run("find all visits sort visit", size=1, context={"ward": "a"})
    assert patients(size=1, cursor=first.cursor, context={"ward": "a"}) == [bella]


def test_a_headline_of_many_months(tmp_path: Path) -> None:
    days = "".join(f"{n},2025-{n:02}-1{two}\n" for n in range(1, 7) for two in range(2 if n > 1 else 1))
    client = qlc.connect()
    for table in read_typed(written(tmp_path / "sales.csv", f"No,Day\n{days}")):
        load_table(client, table)
    counted = qlc.Compiler(client, index="sales").run("count entries by month(day)", now="2026-01-01T00:00:00Z")
    assert counted.message == "1 to 2 entries a month, most in 5 of the 6 months."


def test_the_texts_of_an_axis_are_within_the_chart(orders: qlc.Compiler) -> None:
    drawn = ElementTree.fromstring(svg_chart(orders.run("sum(net_amount) of orders by customer, sales_channel")) or "")
    width = float(drawn.attrib["width"])
    for text in drawn.iter("{http://www.w3.org/2000/svg}text"):
        right_of_it = {"middle": 0.5, "start": 1.0}.get(text.attrib["text-anchor"], 0.0)
        assert float(text.attrib["x"]) + right_of_it * 6.6 * len(text.text or "") <= width, text.text


def test_an_id_outside_the_pattern_of_the_others_is_found(tmp_path: Path) -> None:
    ids = [*(f"G-00{n}" for n in range(1, 7)), "SPECIAL9", "17/B"]
    rows = "".join(f"{one},{('Ann Lind', 'Bo Chen')[n % 2]},{n}\n" for n, one in enumerate(ids))
    client = qlc.connect()
    for table in read_typed(written(tmp_path / "orders.csv", f"Order No,Customer,Amount\n{rows}")):
        load_table(client, table)
    asker = qlc.Asker(qlc.Compiler(client, read_catalog(draft_catalog(client, "orders"))))
    questions = (f"what is the customer of {one}?" for one in ("G-003", "SPECIAL9", "17/B"))
    assert [asker.ask(one).message for one in questions] == ["Ann Lind.", "Ann Lind.", "Bo Chen."]
    assert asker.ask("what is the amount of 17/B?").message == "7."
