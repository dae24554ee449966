"""Thirty ugly files, and the table that each becomes: rows, types of columns, what is left out or doubted."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest

from qlc.tables.loading import load
from qlc.tables.typed import read_typed


class Becomes(NamedTuple):
    """`types` by header; `first` is the first row as it is stored; `said` are parts of what is left out or doubted."""

    types: dict[str, str]
    rows: int
    first: dict[str, Any]
    said: tuple[str, ...] = ()
    bad: int = 0


def text(content: str, encoding: str = "utf-8", name: str = "goods.csv") -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(content.encode(encoding))
        return folder / name

    return write


def sheet(*rows: list[Any], merged: str = "", formats: dict[str, str] | None = None) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        book = openpyxl.Workbook()
        page = book.active
        assert page is not None
        page.title = "Goods"
        for row in rows:
            page.append(row)
        if merged:
            page.merge_cells(merged)
        for cell, number_format in (formats or {}).items():
            page[cell].number_format = number_format
        book.save(folder / "goods.xlsx")
        return folder / "goods.xlsx"

    return write


def database(*statements: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        with closing(sqlite3.connect(folder / "goods.sqlite")) as made:
            for statement in statements:
                made.execute(statement)
            made.commit()
        return folder / "goods.sqlite"

    return write


UGLY: dict[str, tuple[Callable[[Path], Path], Becomes]] = {
    "a semicolon file with decimal commas and a comma inside a name": (
        text('Name;Preis\n"Löffel, groß";3,50\nGabel;12,00\n'),
        Becomes({"Name": "keyword", "Preis": "double"}, 2, {"name": "Löffel, groß", "preis": 3.5}),
    ),
    "quotes of a spreadsheet around everything": (
        text('"id","size"\n"1","4"\n"2","5"\n'),
        Becomes({"id": "keyword", "size": "integer"}, 2, {"id": "1", "size": 4}),
    ),
    "three decimals, which a number below one proves": (
        text("name,weight (kg)\nA,0.125\nB,12.500\nC,0.075\n"),
        Becomes({"name": "keyword", "weight (kg)": "double:kg"}, 3, {"name": "A", "weight": 0.125}),
    ),
    "an amount in millions among plain ones": (
        text("name,price\nA,$5\nB,$7\nC,$1.2M\n"),
        Becomes({"name": "keyword", "price": "keyword"}, 3, {"name": "A", "price": "$5"}),
    ),
    "totals of parts and of all": (
        text("region,city,sales\nNorth,A,10\nNorth,B,20\nNorth Total,,30\nSouth,C,5\nTotal South,,5\n"
             "Grand Total,,35\n"),
        Becomes({"region": "keyword", "city": "keyword", "sales": "integer"}, 3,
                {"region": "North", "city": "A", "sales": 10}, ("North Total 30", "Total South 5", "Grand Total 35")),
    ),
    "firms that are called as a total": (
        text("firm,country,sales\nTotal,France,30\nTotal Energies,France,20\nTotal Wine,US,5\nSubtotal Ltd,UK,7\n"),
        Becomes({"firm": "keyword", "country": "keyword", "sales": "integer"}, 4,
                {"firm": "Total", "country": "France", "sales": 30}),
    ),
    "a scale in the header": (
        text("name,Cost in million USD\nA,5\nB,7.5\n"),
        Becomes({"name": "keyword", "Cost in million USD": "double"}, 2, {"name": "A", "cost_in_million_usd": 5},
                ("'million' in the header: its numbers get no unit",)),
    ),
    "another table below an empty line": (
        text("name,qty\nA,1\nB,2\n\nPerson,Age\nAnn,30\n"),
        Becomes({"name": "keyword", "qty": "integer"}, 4, {"name": "A", "qty": 1},
                ("line 5 may be the header of another table",)),
    ),
    "empty columns between and at the end": (
        text("name,,qty,\nA,,1,\nB,,2,\n"),
        Becomes({"name": "keyword", "qty": "integer"}, 2, {"name": "A", "qty": 1}),
    ),
    "empty lines between the rows": (
        text("name,qty\n\nA,1\n\n\nB,2\n\n"),
        Becomes({"name": "keyword", "qty": "integer"}, 2, {"name": "A", "qty": 1}),
    ),
    "a byte order mark, carriage returns and no newline at the end": (
        text("\ufeffname,qty\r\nA,1\r\nB,2"),
        Becomes({"name": "keyword", "qty": "integer"}, 2, {"name": "A", "qty": 1}),
    ),
    "old Macintosh line ends": (
        text("name,qty\rA,1\rB,2\r"),
        Becomes({"name": "keyword", "qty": "integer"}, 2, {"name": "A", "qty": 1}),
    ),
    "Latin 1 with umlauts": (
        text("Straße;Ort\nMühlweg;Köln\nAm Tor;Zürich\nHöhe;Nürnberg\n", "latin-1"),
        Becomes({"Straße": "keyword", "Ort": "keyword"}, 3, {"straße": "Mühlweg", "ort": "Köln"}),
    ),
    "Cyrillic in UTF-16": (
        text("Город\tЦена\nМосква\t12\nТверь\t7\n", "utf-16", "goods.tsv"),
        Becomes({"Город": "keyword", "Цена": "integer"}, 2, {"город": "Москва", "цена": 12}),
    ),
    "French numbers with narrow spaces and a currency after them": (
        text("Article;Prix\nLampe;1\u202f234,50 €\nTable;89,00 €\n"),
        Becomes({"Article": "keyword", "Prix": "money:EUR"}, 2, {"article": "Lampe", "prix": 1234.5}),
    ),
    "Swiss numbers with apostrophes": (
        text("Name,Betrag\nA,CHF 1'234.50\nB,CHF 12.00\n"),
        Becomes({"Name": "keyword", "Betrag": "money:CHF"}, 2, {"name": "A", "betrag": 1234.5}),
    ),
    "accountants' negative amounts": (
        text('name,balance\nA,"(1,250.00)"\nB,300.10\nC,-4.00\n'),
        Becomes({"name": "keyword", "balance": "double"}, 3, {"name": "A", "balance": -1250.0}),
    ),
    "thousands with points and nothing else": (
        text("Ort;Einwohner\nA;12.345\nB;1.234.567\n"),
        Becomes({"Ort": "keyword", "Einwohner": "integer"}, 2, {"ort": "A", "einwohner": 12345}),
    ),
    "amounts in two currencies stay texts": (
        text("name,price\nA,5 EUR\nB,7 USD\n"),
        Becomes({"name": "keyword", "price": "keyword"}, 2, {"name": "A", "price": "5 EUR"}),
    ),
    "percentages with and without decimals": (
        text("name,share\nA,12%\nB,7.5 %\n"),
        Becomes({"name": "keyword", "share": "percent"}, 2, {"name": "A", "share": 12}),
    ),
    "units in the values": (
        text("name,weight\nA,12 kg\nB,7.5 kg\n"),
        Becomes({"name": "keyword", "weight": "double:kg"}, 2, {"name": "A", "weight": 12}),
    ),
    "units that differ stay texts": (
        text("name,weight\nA,12 kg\nB,750 g\n"),
        Becomes({"name": "keyword", "weight": "keyword"}, 2, {"name": "A", "weight": "12 kg"}),
    ),
    "codes with leading zeros, postcodes and phone numbers": (
        text("code,PLZ,Telefon\n0012,10115,030 1234\n0400,04109,0341 99 88\n"),
        Becomes({"code": "keyword", "PLZ": "keyword", "Telefon": "keyword"}, 2,
                {"code": "0012", "plz": "10115", "telefon": "030 1234"}),
    ),
    "a whole number, then one with a fraction": (
        text("name,rating\nA,2\nB,4\nC,4.3\n"),
        Becomes({"name": "keyword", "rating": "double"}, 3, {"name": "A", "rating": 2}),
    ),
    "years are numbers, and ids are not": (
        text("film_id,year\n1,1999\n2,2004\n"),
        Becomes({"film_id": "keyword", "year": "integer"}, 2, {"film_id": "1", "year": 1999}),
    ),
    "dates day first, proved by one of them": (
        text("name,when\nA,03/04/2025\nB,25/04/2025\n"),
        Becomes({"name": "keyword", "when": "date"}, 2, {"name": "A", "when": "2025-04-03"}),
    ),
    "American dates with times": (
        text("name,when\nA,4/25/2025 2:30 PM\nB,4/3/2025 9:05 AM\n"),
        Becomes({"name": "keyword", "when": "datetime:mdy"}, 2, {"name": "A", "when": "2025-04-25T14:30:00"}),
    ),
    "months by their French names": (
        text("nom,date\nA,3 février 2025\nB,14 août 2025\n"),
        Becomes({"nom": "keyword", "date": "date"}, 2, {"nom": "A", "date": "2025-02-03"}),
    ),
    "missing values in many ways": (
        text("name,qty\nA,1\nB,N/A\nC,-\nD,?\nE,null\nF,\nG,7\n"),
        Becomes({"name": "keyword", "qty": "integer"}, 7, {"name": "A", "qty": 1}),
    ),
    "yes and no in German, with gaps": (
        text("name,bezahlt\nA,ja\nB,nein\nC,\n"),
        Becomes({"name": "keyword", "bezahlt": "boolean"}, 3, {"name": "A", "bezahlt": True}),
    ),
    "a row that is too long and one that is too short": (
        text("name,qty,city\nA,1,Oslo\nB,2,Rome,extra\nC\nD,4,Bonn\n"),
        Becomes({"name": "keyword", "qty": "integer", "city": "keyword"}, 2, {"name": "A", "qty": 1, "city": "Oslo"},
                bad=2),
    ),
    "titles, a merged header, a total and a footnote": (
        sheet(["Goods of the shop"], ["as of May"], [], ["Name", "Qty"], ["A", 1], ["B", 2], ["Total", 3], [],
              ["* without returns"], merged="A1:B1"),
        Becomes({"Name": "keyword", "Qty": "integer"}, 2, {"name": "A", "qty": 1},
                ("'Goods of the shop' above the header", "a total, is left out: Total 3", "a note")),
    ),
    "percentages, amounts and dates by their format": (
        sheet(["Name", "Share", "Paid", "When"], ["A", 0.125, 4.5, datetime(2025, 4, 3)],
              ["B", 0.5, 6, datetime(2025, 5, 1)],
              formats={"B2": "0.0%", "B3": "0%", "C2": '#,##0.00 "€"', "C3": '#,##0.00 "€"'}),
        Becomes({"Name": "keyword", "Share": "percent", "Paid": "money:EUR", "When": "date"}, 2,
                {"name": "A", "share": 12.5, "paid": 4.5, "when": "2025-04-03"}),
    ),
    "errors of formulas are missing values": (
        sheet(["Name", "Rate"], ["A", 1.5], ["B", "#DIV/0!"], ["C", 2]),
        Becomes({"Name": "keyword", "Rate": "double"}, 3, {"name": "A", "rate": 1.5}),
    ),
    "a workbook with a word among many numbers": (
        sheet(["Name", "Weight (kg)"], ["A", "not weighed"], ["B", 1.5], ["C", 2], ["D", 3], ["E", "not weighed"],
              ["F", 4], ["G", 7]),
        Becomes({"Name": "keyword", "Weight (kg)": "double:kg"}, 7, {"name": "A"},
                ("'not weighed' is taken as missing",)),
    ),
    "a workbook whose numbers are half words": (
        sheet(["Name", "Size"], ["A", 1], ["B", "large"], ["C", 2], ["D", "small"]),
        Becomes({"Name": "keyword", "Size": "keyword"}, 4, {"name": "A", "size": "1"},
                ("2 of 4 values are numbers, and",)),
    ),
    "two dates, of which one is no day of the calendar": (
        text("name,day\nA,31.02.2025\nB,01.03.2025\n"),
        Becomes({"name": "keyword", "day": "keyword"}, 2, {"name": "A", "day": "31.02.2025"},
                ("1 of 2 values are dates, and '31.02.2025' is not",)),
    ),
    "a database whose column has numbers and a word": (
        database("create table goods (name text, qty)", "insert into goods values ('A', 1), ('B', 2), ('C', 'many')"),
        Becomes({"name": "keyword", "qty": "keyword"}, 3, {"name": "A", "qty": "1"}),
    ),
    "lines of JSON in an array, with fields that come later": (
        text('[{"name": "A", "size": {"w": 1}}, {"name": "B", "size": {"w": 2.5}, "tags": ["x", "y"]}]', "utf-8",
             "goods.json"),
        Becomes({"name": "keyword", "size.w": "double", "tags": "keyword"}, 2, {"name": "A", "size": {"w": 1}}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", UGLY)
def test_an_ugly_file_becomes_a_table(what: str, tmp_path: Path) -> None:
    import qlc

    write, becomes = UGLY[what]
    path = write(tmp_path)
    (table,) = read_typed(path)
    client = qlc.connect()
    (loaded,) = load(client, path)
    said = [*table.raw.left_out, *loaded.left_out, *(doubt for one in table.columns for doubt in one.doubts)]
    hits = client.search(index=table.index, size=1, sort=["_doc"])["hits"]["hits"]
    found_said = tuple(part for part in becomes.said if any(part in line for line in said))
    types = {one.header: one.type for one in table.columns}
    found = Becomes(types, loaded.loaded, hits[0]["_source"], found_said, len(loaded.bad))
    assert found == becomes
    assert table.index == "goods"
