"""Data frames and archives as tables, the types that people give, rows that are added to an index."""

import datetime as dt
import gzip
import json
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.cli.main import main
from qlc.outcome.model import Count
from qlc.tables.typed import read_typed
from tests.tables import rows

ROWS = [
    {"Order No": "A1", "placed": dt.datetime(2026, 3, 1, 10, 30), "qty": 2, "price": 4.5, "paid": True},
    {"Order No": "A2", "placed": None, "qty": 1, "price": None, "paid": False},
]
STORED = [
    {"order_no": "A1", "placed": "2026-03-01T10:30:00", "qty": 2, "price": 4.5, "paid": True},
    {"order_no": "A2", "qty": 1, "paid": False},
]


def stored(client: Any, index: str) -> list[dict[str, Any]]:
    hits = client.search(index=index, size=1000, sort=["order_no"])["hits"]["hits"]
    return [{name: value for name, value in hit["_source"].items() if name != "row"} for hit in hits]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS).convert_dtypes(),
        pd.DataFrame(ROWS).astype({"Order No": "category"}),
        pd.DataFrame(ROWS).set_index("Order No"),
        pl.DataFrame(ROWS),
        pl.DataFrame(ROWS).lazy(),
        pa.Table.from_pylist(ROWS),
        ROWS,
    ],
    ids=["pandas", "pandas-nullable", "pandas-category", "pandas-index", "polars", "polars-lazy", "arrow", "dicts"],
)
def test_frames_of_all_libraries_are_stored_alike(frame: Any) -> None:
    client = qlc.connect({"orders": frame})
    assert stored(client, "orders") == STORED


def test_frames_are_asked_by_their_headers() -> None:
    client = qlc.connect({"orders": pd.DataFrame(ROWS)})
    outcome = qlc.compile_and_run("how many orders are paid?", qlc.Compiler(client, index="orders"))
    assert isinstance(outcome, Count)
    assert outcome.value == 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"orders": 5}, "'orders' is int: give a pandas or polars data frame"),
        ({"orders": []}, "'orders' has no dict with a value in it"),
        (pd.DataFrame(ROWS), "name the index of a DataFrame"),
        ({"orders": pd.DataFrame({"a": []})}, "no row of orders can be loaded"),
    ],
)
def test_what_is_no_frame_is_an_error(source: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        qlc.load(qlc.connect(), source)


def test_an_archive_holds_the_tables_of_its_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "shop.zip", "w") as archive:
        archive.writestr("export/orders.csv", "order_no,qty\nA1,2\n")
        archive.writestr("../../customers.csv", "customer_no,name\nC1,Ann\n")
        archive.writestr("__MACOSX/export/._orders.csv", "junk")
        archive.writestr("readme.txt", "not a table")
    client = qlc.connect()
    found = qlc.load(client, tmp_path / "shop.zip")
    assert [(one.index, one.loaded) for one in found] == [("orders", 1), ("customers", 1)]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["shop.zip"]


def test_a_packed_workbook_is_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["order_no", "qty"])  # type: ignore[union-attr]
    book.active.append(["A1", 2])  # type: ignore[union-attr]
    book.save(tmp_path / "orders.xlsx")
    packed = tmp_path / "orders.xlsx.gz"
    packed.write_bytes(gzip.compress((tmp_path / "orders.xlsx").read_bytes()))
    assert [one.rows for one in read_typed(packed)] == [1]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"PK no archive", "cannot be read"), (b"", "cannot be read")],
)
def test_a_broken_archive_is_an_error(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(UsageError, match=message):
        read_typed(tmp_path / "a.zip")


def test_the_types_of_a_load_are_written_and_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, data = tmp_path / "orders.csv", tmp_path / "shop"
    path.write_text("No,Amount,When\n1,4 EUR,3.4.2026\n2,5 EUR,13.4.2026\n", "utf-8")
    assert main(["index", str(path), "--data", str(data)]) == 0
    file = tmp_path / "shop.types.yaml"
    assert file.read_text("utf-8").splitlines()[3:] == [
        "orders:",
        "  'No': keyword  # 1",
        "  Amount: money:EUR  # 4 EUR",
        "  When: date  # 3.4.2026",
    ]
    file.write_text("orders:\n  No: integer\n  Amount: money:USD\n", "utf-8")
    capsys.readouterr()
    assert main(["index", str(path), "--data", str(data), "--types", str(file), "--replace", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [(one["column"], one["type"], one["unit"]) for one in found["columns"]] == [
        ("No", "integer", ""), ("Amount", "money", "USD"), ("When", "date", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), rows(__file__, "test_a_file_of_types_that_does_not_fit_is_an_error"))
def test_a_file_of_types_that_does_not_fit_is_an_error(
    tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "orders.csv").write_text("Amount,When\n4 EUR,2026-03-04\n", "utf-8")
    (tmp_path / "types.yaml").write_text(text, "utf-8")
    given = ["--data", str(tmp_path / "shop"), "--types", str(tmp_path / "types.yaml")]
    assert main(["index", str(tmp_path / "orders.csv"), *given]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "code", "stored_as"), [("x\nm\n", 0, "2025-03-04"), ("d\n", 0, "2025-04-03"), ("\n", 2, "")]
)
def test_the_order_of_dates_is_asked_on_a_terminal(
    tmp_path: Path, said: str, code: int, stored_as: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = StringIO(said)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    path, data = tmp_path / "visits.csv", tmp_path / "store"
    path.write_text("order_no,day,left\nA1,03/04/2025,05/06/2025\n", "utf-8")
    assert main(["index", str(path), "--data", str(data)]) == code
    if stored_as:
        with qlc.connect(data) as client:
            assert stored(client, "visits")[0]["day"] == stored_as


def test_rows_with_a_key_are_added_or_replaced(tmp_path: Path) -> None:
    client = qlc.connect()
    first, second = tmp_path / "orders.csv", tmp_path / "more.csv"
    first.write_text("order_no,qty,code\nA1,2,007\nA2,1.5,008\n", "utf-8")
    second.write_text("order_no,qty,code,note\nA2,4,12,new\nA3,5,13,\nA3,6,13,\n", "utf-8")
    qlc.load(client, first)
    with pytest.raises(UsageError, match="--key"):
        qlc.load(client, second, name="orders")
    (found,) = qlc.load(client, second, name="orders", key="order_no")
    assert (found.loaded, found.replaced) == (2, 1)
    assert [(one.line, one.reason) for one in found.bad] == [(4, "a row before it has this key")]
    assert stored(client, "orders") == [
        {"order_no": "A1", "qty": 2, "code": "007"},
        {"order_no": "A2", "qty": 4, "code": "12", "note": "new"},
        {"order_no": "A3", "qty": 5, "code": "13"},
    ]


def test_rows_that_are_added_have_lists_where_the_first_ones_do(tmp_path: Path) -> None:
    client = qlc.connect()
    for name, lines in (("talks", 'T1,"ice; fog"\nT2,"fog; ice"\nT3,"ice; fog"\n'), ("more", 'T4,"hail; ice"\n')):
        (tmp_path / f"{name}.csv").write_text(f"order_no,topics\n{lines}", "utf-8")
        qlc.load(client, tmp_path / f"{name}.csv", name="talks", key="order_no")
    assert [one["topics"] for one in stored(client, "talks")][2:] == [["ice", "fog"], ["hail", "ice"]]


def test_rows_of_other_types_are_not_added(tmp_path: Path) -> None:
    client = qlc.connect({"orders": [{"order_no": "A1", "amount": "5 EUR"}]})
    path = tmp_path / "orders.csv"
    path.write_text("order_no,amount\nA2,5 USD\n", "utf-8")
    with pytest.raises(UsageError, match=r"'amount' of orders.csv is money:USD, and money:EUR in the index"):
        qlc.load(client, path, key="order_no")
    assert client.count(index="orders")["count"] == 1


def test_a_table_that_is_not_loaded_whole_is_not_asked() -> None:
    client = qlc.connect()
    client.indices.create(index="orders", mappings={"_meta": {"qlc_loading": True}, "properties": {}})
    outcome = qlc.compile_and_run("find orders", qlc.Compiler(client, index="orders"))
    assert outcome.message.startswith("The table 'orders' is not loaded whole")


def test_references_of_a_database_are_in_the_mapping(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "garage.db")) as database:
        database.execute("create table owners (owner_id integer primary key, name text)")
        database.execute("create table cars (plate text, owner integer references owners)")
        database.execute("insert into owners values (1, 'Ann')")
        database.execute("insert into cars values ('X 1', 1)")
        database.commit()
    client = qlc.connect()
    qlc.load(client, tmp_path / "garage.db")
    meta = client.indices.get_mapping(index="cars")["cars"]["mappings"]["_meta"]
    assert meta == {"qlc_references": {"owner": "owners.owner_id"}}
