"""Ugly files, and the table that each becomes: rows, types of columns, what is left out or doubted, answers."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest

import qlc
from qlc.tables.loading import load
from qlc.tables.typed import read_typed
from tests.tables import table


class Becomes(NamedTuple):
    """`types` by header; `first` is the first row as it is stored; `said` are parts of what is left out or doubted."""

    types: dict[str, str]
    rows: int
    first: dict[str, Any]
    said: list[str] = []  # noqa: RUF012
    bad: int = 0


def written(folder: Path, content: dict[str, Any]) -> Path:
    """Write a file of the table: a `text`, a `sheet` of rows, or the statements of a `database`."""
    if "text" in content:
        path = folder / content.get("name", "goods.csv")
        path.write_bytes(content["text"].encode(content.get("encoding", "utf-8")))
    elif "sheet" in content:
        path, book = folder / "goods.xlsx", openpyxl.Workbook()
        page = book.active
        assert page is not None
        page.title = "Goods"
        for row in content["sheet"]:
            page.append(row)
        for cells in content.get("merged", "").split():
            page.merge_cells(cells)
        for cell, number_format in content.get("formats", {}).items():
            page[cell].number_format = number_format
        book.save(path)
    else:
        path = folder / "goods.sqlite"
        with closing(sqlite3.connect(path)) as made:
            for statement in content["database"]:
                made.execute(statement)
            made.commit()
    return path


UGLY = table(__file__, "UGLY")


@pytest.mark.parametrize("what", UGLY)
def test_an_ugly_file_becomes_a_table(what: str, tmp_path: Path) -> None:

    becomes = Becomes(**UGLY[what]["becomes"])
    path = written(tmp_path, UGLY[what])
    (read,) = read_typed(path)
    client = qlc.connect()
    (loaded,) = load(client, path)
    said = [*read.raw.left_out, *loaded.left_out, *(doubt for one in read.columns for doubt in one.doubts)]
    hits = client.search(index=read.index, size=1, sort=["_doc"])["hits"]["hits"]
    found_said = [part for part in becomes.said if any(part in line for line in said)]
    types = {one.header: one.type for one in read.columns}
    first = hits[0]["_source"]
    assert first.pop("row") == 1
    found = Becomes(types, loaded.loaded, first, found_said, len(loaded.bad))
    assert found == becomes
    assert read.index == "goods"
    asker = qlc.Asker(qlc.Compiler(client, index="goods"))
    for question, parts in UGLY[what].get("asked", {}).items():
        outcome: Any = asker.ask(question, now="2026-03-15T12:00:00Z")
        answer = " ".join([outcome.message or "", *outcome.notes, *getattr(outcome, "suggestions", ())])
        assert "No use was found" not in answer
        assert [part for part in parts if part not in answer] == [], answer


def test_why_a_column_is_text_is_said_where_the_question_may_mean_it(tmp_path: Path) -> None:
    path = tmp_path / "guests.csv"
    path.write_text('guest,arrived\n"Ben, Jr.",2024-01-05\nAnn,2024-13-40\nBo Lee,2024-02-07\n', "utf-8")
    client = qlc.connect()
    load(client, path)
    asker = qlc.Asker(qlc.Compiler(client, index="guests"))
    assert "kept as texts" not in str(asker.ask("guests that glow").notes)
    assert "kept as texts" in str(asker.ask("when did guests glow?").notes)
    assert asker.ask('guests where arrived is "2024-01-05"').message == "1 guest: Ben, Jr."
