"""Files of tables as they are in the world, and what becomes of them."""

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.cli.main import main
from qlc.mapping.draft import draft_catalog
from qlc.tables.loading import load, load_table
from qlc.tables.typed import read_typed


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def documents(path: Path, **given: Any) -> dict[str, list[dict[str, Any]]]:
    """Return the stored documents of each table of a file, by index."""
    client = qlc.connect()
    found = {}
    for table in read_typed(path, **given):
        load_table(client, table)
        rows = [hit["_source"] for hit in client.search(index=table.index, size=1000)["hits"]["hits"]]
        assert sorted(one.pop(table.row_field) for one in rows) == [*range(1, len(rows) + 1)]
        found[table.index] = rows
    return found


TICKETS = [{"no": "007", "weight": 1.5, "when": "2025-04-13"}, {"no": "008", "when": "2025-04-03"}]


TITLES = "Tickets of April\nprinted today\n\n"


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("tickets.csv", "no,weight,when\n007,1.5 kg,13/04/2025\n008,N/A,03/04/2025\n", "utf-8-sig"),
        ("tickets.csv", "no;weight;when\r\n007;1,5 kg;13.04.2025\r\n008;-;03.04.2025\r\n", "utf-16"),
        ("tickets.tsv", "no\tweight\twhen\n007\t1.5 kg\t13 April 2025\n008\t?\t3 April 2025\n", "utf-8"),
        ("tickets.csv", f"{TITLES}no|weight|when\n007|1.5 kg|2025-04-13\n008||2025-04-03\nTotal|1.5 kg|\n", "utf-8"),
    ],
)
def test_separated_values_in_any_dress(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    assert documents(written(tmp_path / name, text, encoding)) == {"tickets": TICKETS}


def test_an_old_encoding_is_read(tmp_path: Path) -> None:
    rows = "".join(f"Käse {n};Köln;{n},5\n" for n in range(20))
    path = written(tmp_path / "waren.csv", f"Name;Größe (Ort);Menge\n{rows}", "cp1252")
    first = documents(path)["waren"][0]
    assert first == {"name": "Käse 0", "größe": "Köln", "menge": 0.5}


def test_cells_of_several_lines_and_quotes_stay_whole(tmp_path: Path) -> None:
    text = 'name,note\nAnn,"two\nlines"\nBob,"says ""hi"", often"\n'
    assert documents(written(tmp_path / "n.csv", text))["n"] == [
        {"name": "Ann", "note": "two\nlines"}, {"name": "Bob", "note": 'says "hi", often'},
    ]  # fmt: skip


def test_bad_rows_are_listed_and_the_others_are_loaded(tmp_path: Path) -> None:
    rows = "".join(f"{n},{n * 2}\n" for n in range(60))
    path = written(tmp_path / "n.csv", f"size,amount\n{rows}61,12 o'clock 7\n62,1,2,3\n63,5\n")
    client = qlc.connect()
    (table,) = read_typed(path)
    found = load_table(client, table)
    assert found.loaded == 62
    assert [(one.line, one.column, one.reason) for one in found.bad] == [
        (62, "amount", "not a number (integer)"),
        (63, "", "it has more cells than the header"),
    ]


def test_a_key_that_occurs_twice_loses_no_row_in_silence(tmp_path: Path) -> None:
    client = qlc.connect()
    (table,) = read_typed(written(tmp_path / "n.csv", "no,qty\n1,5\n2,6\n1,7\n,8\n"), key="no")
    found = load_table(client, table)
    assert found.loaded == client.count(index="n")["count"] == 2
    assert [(one.line, one.column, one.value, one.reason) for one in found.bad] == [
        (5, "no", "", "it has no key"),
        (4, "no", "1", "a row before it has this key"),
    ]


def test_a_key_inside_an_object(tmp_path: Path) -> None:
    (tmp_path / "n.json").write_text('[{"a": {"id": "X"}, "b": 1}]', "utf-8")
    client = qlc.connect()
    (table,) = read_typed(tmp_path / "n.json", key="a.id")
    assert load_table(client, table).loaded == 1
    assert client.get(index="n", id="X")["_source"] == {"a": {"id": "X"}, "b": 1, "row": 1}


def test_a_single_column_is_a_table(tmp_path: Path) -> None:
    assert documents(written(tmp_path / "n.csv", "amount\n5\n6\n"))["n"] == [{"amount": 5}, {"amount": 6}]


def test_a_date_that_does_not_exist_is_told(tmp_path: Path) -> None:
    (table,) = read_typed(written(tmp_path / "n.csv", "id,when\nA,2025-02-30\nB,2025-03-01\nC,2025-03-02\n"))
    assert table.columns[1].doubts == ("2 of 3 values are dates, and '2025-02-30' is not: all are kept as texts",)


def test_headers_that_occur_twice_are_told_apart(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", "name,Phone,Phone\nAnn,1 2 a,3 4 b\n")
    (table,) = read_typed(path)
    assert (table.fields, [one.header for one in table.columns]) == (
        ("name", "phone", "phone_2"), ["name", "Phone", "Phone 2"])  # fmt: skip


def test_dates_of_unknown_order_are_asked_about(tmp_path: Path) -> None:
    path = written(tmp_path / "d.csv", "name,when\nA,03/04/2025\nB,05/06/2025\n")
    with pytest.raises(UsageError, match=r"--set 'when=date:dmy'"):
        read_typed(path)
    assert documents(path, given={"when": "date:mdy"})["d"][0]["when"] == "2025-03-04"


@pytest.mark.parametrize(
    ("given", "message"),
    [({"amout": "money:EUR"}, "no column 'amout'"), ({"amount": "cash"}, "'cash' is not a type")],
)
def test_a_type_for_what_there_is_not_is_an_error(tmp_path: Path, given: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_typed(written(tmp_path / "a.csv", "name,amount\nA,1\n"), given)


def test_a_workbook_has_a_table_for_each_sheet_and_block(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sales = book.active
    assert sales is not None
    sales.title = "Sales"
    for row in (["Sales 2025"], [], ["Shop", "Qty", "Share", "Paid"], ["Harbour", 3, 0.125, 4.5],
                ["Station", 4, 0.5, 6], ["Total", 7, None, 10.5], [], ["* with VAT"]):  # fmt: skip
        sales.append(row)
    sales.merge_cells("A1:D1")
    for at in (4, 5):
        sales.cell(at, 3).number_format = "0.0%"
        sales.cell(at, 4).number_format = "#,##0.00 €"
    rooms = book.create_sheet("Rooms")
    for row in (["Meeting rooms"], ["Room", "Seats"], ["A1", 4], ["A2", 6], [], ["Parking lots"], ["Lot", "Spaces"],
                ["P1", 30], ["P2", 50]):  # fmt: skip
        rooms.append(row)
    energy = book.create_sheet("Energy")
    for row in (["Building", "Cost", None], [None, 2023, 2024], ["Elm", 10.5, 11.5], ["Oak", 20, 21]):
        energy.append(row)
    energy.merge_cells("B1:C1")
    hidden = book.create_sheet("_lists")
    hidden.append(["a", "b"])
    hidden.append([1, 2])
    hidden.sheet_state = "hidden"
    book.save(tmp_path / "shop.xlsx")
    first = read_typed(tmp_path / "shop.xlsx")[0]
    assert first.raw.left_out == ("the hidden sheet '_lists' is left out", "'Sales 2025' above the header is left out")
    assert documents(tmp_path / "shop.xlsx") == {
        "sales": [
            {"shop": "Harbour", "qty": 3, "share": 12.5, "paid": 4.5},
            {"shop": "Station", "qty": 4, "share": 50, "paid": 6},
        ],
        "meeting_rooms": [{"room": "A1", "seats": 4}, {"room": "A2", "seats": 6}],
        "parking_lots": [{"lot": "P1", "spaces": 30}, {"lot": "P2", "spaces": 50}],
        "buildings": [
            {"building": "Elm", "cost_2023": 10.5, "cost_2024": 11.5},
            {"building": "Oak", "cost_2023": 20, "cost_2024": 21},
        ],
    }


def test_sheets_for_months_are_one_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for month, row in (("January", ["Spade", 3]), ("February", ["Rake", 4]), ("Notes", ["by hand", 5])):
        sheet = book.create_sheet(month)
        sheet.append(["Item", "Sold"] if month != "Notes" else ["Remark", "Of"])
        sheet.append(row)
    book.remove(book.worksheets[0])
    book.save(tmp_path / "shop.xlsx")
    assert documents(tmp_path / "shop.xlsx") == {
        "shop": [{"item": "Spade", "sold": 3, "sheet": "January"}, {"item": "Rake", "sold": 4, "sheet": "February"}],
        "notes": [{"remark": "by hand", "of": 5}],
    }
    said = read_typed(tmp_path / "shop.xlsx")[0].raw.left_out
    note = "January and February have the same columns and are one table: 'Sheet' says which row is from where"
    assert said == (note,)


def test_a_database_has_its_tables_and_keys(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "garage.sqlite") as database:
        database.execute("create table owners (owner_id integer primary key, name text)")
        database.execute("create table cars (plate text, owner_id integer references owners(owner_id), km real)")
        database.execute("insert into owners values (1, 'Ann'), (2, 'Bob')")
        database.execute("insert into cars values ('X 1', 2, 1.5), ('X 2', null, 2)")
    database.close()
    tables = {one.index: one for one in read_typed(tmp_path / "garage.sqlite")}
    assert tables["cars"].references == (("owner_id", "owners.owner_id"),)
    assert tables["owners"].key == 0
    assert documents(tmp_path / "garage.sqlite")["cars"] == [{"plate": "X 1", "owner_id": "2", "km": 1.5},
                                                            {"plate": "X 2", "km": 2.0}]  # fmt: skip


def test_columns_of_parquet_keep_their_types(tmp_path: Path) -> None:
    data = pa.table({"ride": ["a", "b"], "metres": [10, None], "member": [True, False]})
    pyarrow.parquet.write_table(data, tmp_path / "rides.parquet")
    assert documents(tmp_path / "rides.parquet")["rides"] == [{"ride": "a", "metres": 10, "member": True},
                                                              {"ride": "b", "member": False}]  # fmt: skip


def test_objects_in_json_are_paths(tmp_path: Path) -> None:
    soup = {"title": "Soup", "time": "45 min", "by": {"name": "Ann"}, "tags": ["a", "b"]}
    rows = [soup, {"title": "Pie", "tags": []}]
    path = tmp_path / "recipes.json.gz"
    path.write_bytes(gzip.compress(json.dumps(rows).encode()))
    assert documents(path)["recipes"] == [
        {"title": "Soup", "time": 45, "by": {"name": "Ann"}, "tags": ["a", "b"]}, {"title": "Pie"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "holds no table"),
        ("a.csv", b"1,2\n3,4\n", "holds no table"),
        ("a.xlsx", b"no workbook", "damaged, or no XLSX file. Open it with"),
        ("a.sqlite", b"no database at all, but long enough to look like one" * 20, "cannot be read"),
        ("a.parquet", b"PAR1", "cannot be read"),
        ("a.json", b'[{"a": 1}', "cannot be read"),
        ("a.ods", b"PK", "cannot be read"),
    ],
)
def test_a_file_that_is_none_is_said_to_be_none(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_typed(tmp_path / name)


def test_a_load_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    client = qlc.connect()
    path = written(tmp_path / "a.csv", "name,amount\nA,1\n")
    (table,) = read_typed(path)
    path.unlink()
    with pytest.raises(OSError, match=r"a\.csv"):
        load_table(client, table)
    assert not client.indices.exists(index="a")


def test_a_load_that_was_killed_is_done_again(tmp_path: Path) -> None:
    client = qlc.connect()
    (table,) = read_typed(written(tmp_path / "a.csv", "name,amount\nA,1\nB,2\n"))
    client.indices.create(index="a", mappings={**table.mapping(), "_meta": {"qlc_loading": True}})
    client.index(index="a", id="9", document={"name": "left", "amount": 3}, refresh=True)
    assert load_table(client, table).loaded == client.count(index="a")["count"] == 2
    with pytest.raises(UsageError, match="--replace"):
        load_table(client, table)
    with pytest.raises(UsageError, match="--replace"):  # before the rows are read, and their types compared
        load(client, tmp_path / "a.csv", types={"amount": "cash"})


def test_the_command_says_what_it_took_the_columns_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "orders.csv", "Order No,Bezahlt,Amount\n1,ja,1.50 €\n2,nein,-\n3,never,2 €\n")
    data = str(tmp_path / "data")
    assert main(["index", str(path), "--data", data]) == 0
    said = capsys.readouterr().out
    assert "orders.csv: 3 rows in 'orders'." in said
    assert "money (EUR)" in said
    assert main(["run", "sum(amount) of orders", "--data", data, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 3.5
    assert main(["index", str(path), "--data", data]) == 2
    assert "--replace" in capsys.readouterr().err
    assert main(["index", str(path), "--data", data, "--fresh", "--set", "Bezahlt=keyword"]) == 0


def test_labels_and_units_reach_the_draft(tmp_path: Path) -> None:
    path = written(tmp_path / "rivers.csv", "River,Länge,Paid (EUR)\nElbe,1094 km,3\nOder,840 km,4\n")
    client = qlc.connect()
    (table,) = read_typed(path)
    load_table(client, table)
    draft = draft_catalog(client, "rivers")
    assert "länge:\n    path: länge\n    unit: km" in draft
    assert "unit: EUR" in draft
