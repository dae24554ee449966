"""Loads the tables of a folder: names, files that change, files that cannot be loaded, and one catalog with papers."""

from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch

import qlc
from qlc.corpus.index import catalog_text
from qlc.corpus.schema import read_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.draft import drafted_catalog
from qlc.mapping.joined import joined_catalog
from qlc.tables import folder
from qlc.tables.folder import Collected, Loading, load_folder

ROWS = "Code,Count\nA1,3\nB2,4\nC3,5\n"


@pytest.fixture
def client() -> Elasticsearch:
    return qlc.connect()


def loaded(client: Elasticsearch, place: Path, files: dict[str, str], **how: Any) -> Collected:
    for name, text in files.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, "utf-8")
    return load_folder(client, [(place / name, name) for name in files], Loading("qlc ui shop", **how))


def test_each_table_has_a_name_of_its_own(client: Elasticsearch, tmp_path: Path) -> None:
    files = dict.fromkeys(("a/parts.csv", "b/parts.csv", "c/parts.csv", "corpus.csv"), ROWS)
    found = loaded(client, tmp_path, files, taken={"corpus"})
    assert [(one.file, one.index, one.rows) for one in found.tables] == [
        ("a/parts.csv", "parts", 3), ("b/parts.csv", "parts_table", 3), ("c/parts.csv", "parts_2", 3),
        ("corpus.csv", "corpus_table", 3),
    ]  # fmt: skip


SALES = "Day,Item,Paid\n2025-{0}-03,Spade,12.5\n2025-{0}-09,Rake,{1}\n"


def test_months_of_one_table_are_one_table(client: Elasticsearch, tmp_path: Path) -> None:
    files = {f"sales/2025-{month}.csv": SALES.format(month, paid) for month, paid in (("01", 4), ("02", 5), ("03", 6))}
    others = {"sales/orders.csv": SALES.format("04", 7), "room-1.csv": ROWS, "room-2.csv": "Code,Size\nA,1\nB,2\n"}
    found = loaded(client, tmp_path, {**files, **others})
    assert [(one.index, one.title, one.rows, one.columns[-1]) for one in found.tables] == [
        ("sales", "sales/*.csv", 6, "File"), ("orders", "sales/orders.csv", 2, "Paid"),
        ("room_1", "room-1.csv", 3, "Count"), ("room_2", "room-2.csv", 2, "Size"),
    ]  # fmt: skip
    assert found.tables[0].notes == (
        "2025-01, 2025-02 and 2025-03 have the same columns and are one table: 'File' says which row is from where",)
    rows: Any = qlc.Compiler(client, index="sales").run("sum(paid) of entries by file sort file")
    assert [(row.key, row.value) for row in rows.rows] == [("2025-01", 16.5), ("2025-02", 17.5), ("2025-03", 18.5)]

    again = loaded(client, tmp_path, {**files, "sales/2025-03.csv": SALES.format("03", "6 or 7"), **others},
                   given={"Paid": "double"})  # fmt: skip
    (sales,) = (one for one in again.tables if one.index == "sales")
    assert sales.notes[1:] == ("1 value not loaded: line 3, Paid: '6 or 7' (not a number (double))",)
    (alone,) = loaded(client, tmp_path, {"sales/2025-02.csv": SALES.format("02", 5)}).tables
    assert (alone.index, alone.rows) == ("n2025_02", 2)
    joined = loaded(client, tmp_path, {**files}, prune=False)
    assert [(one.title, one.rows) for one in joined.tables] == [("sales/*.csv", 6)]


@pytest.mark.parametrize(
    ("file", "alone", "beside"),
    [("a.csv", "record", "a_entry"), ("x1.csv", "record", "x1_entry"), ("find.csv", "find_entry", "find_entry"),
     ("my.csv", "record", "my_entry"), ("order.csv", "order", "order"), ("2025.csv", "record", "record")],
)  # fmt: skip
def test_a_name_that_cannot_be_said_is_another(
    client: Elasticsearch, tmp_path: Path, file: str, alone: str, beside: str
) -> None:
    found = loaded(client, tmp_path, {file: ROWS, "parts.csv": ROWS})
    catalogs = [drafted_catalog(client, one) for one in (found.tables[0].index, f"{found.tables[0].index},parts")]
    assert [next(iter(one.file.entities)) for one in catalogs] == [alone, beside]


def test_names_that_end_in_one_noun_are_asked_apart(client: Elasticsearch, tmp_path: Path) -> None:
    names = ("orders", "web_orders", "shop_orders")
    loaded(client, tmp_path, {f"{name}.csv": ROWS + "D,1\n" * n for n, name in enumerate(names)})
    asker = qlc.Asker(qlc.Compiler(client, drafted_catalog(client, ",".join(names))))
    said = [asker.ask(f"how many {name.replace('_', ' ')} are there?").message for name in names]
    assert said == ["3 orders.", "4 web orders.", "5 shop orders."]


def test_only_a_file_that_has_changed_is_read_again(
    client: Elasticsearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    read_tables = folder.read_tables

    def reading(path: Path) -> Any:
        read.append(path.name)
        return read_tables(path)

    monkeypatch.setattr(folder, "read_tables", reading)
    loaded(client, tmp_path, {"parts.csv": ROWS, "tools.csv": ROWS})
    found = loaded(client, tmp_path, {"parts.csv": ROWS, "tools.csv": f"{ROWS}D4,6\n"})
    assert [(one.index, one.rows) for one in found.tables] == [("parts", 3), ("tools", 4)]
    found = loaded(client, tmp_path, {"tools.csv": f"{ROWS}D4,6\n"})
    assert [one.index for one in found.tables] == ["tools"]
    assert not client.indices.exists(index="parts")
    assert read == ["parts.csv", "tools.csv", "tools.csv"]
    kept = loaded(client, tmp_path, {"more.csv": ROWS}, prune=False)
    assert [one.index for one in kept.tables] == ["tools", "more"]


def test_what_cannot_be_loaded_is_listed_and_the_rest_is_loaded(
    client: Elasticsearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "MOST_TABLES", 2)
    files = {"a.csv": ROWS, "b.xlsx": "no workbook", "c.csv": "", "d.json": '{"one": 1}', "e.csv": ROWS, "f.csv": ROWS}
    found = loaded(client, tmp_path, files, forms=True)
    assert [one.index for one in found.tables] == ["a", "e"]
    assert [name for name, _ in found.unread] == ["b.xlsx", "f.csv"]
    assert [path.name for path in found.papers] == ["c.csv", "d.json"]
    alone = loaded(client, tmp_path, {"c.csv": ""})
    assert (alone.tables, alone.papers, [name for name, _ in alone.unread]) == ([], [], ["c.csv"])


def test_values_that_are_not_loaded_are_noted(client: Elasticsearch, tmp_path: Path) -> None:
    (table,) = loaded(client, tmp_path, {"parts.csv": f"{ROWS}D4,4 or 5\n"}, given={"Count": "integer"}).tables
    assert table.rows == 4
    assert table.notes == ("1 value not loaded: line 5, Count: '4 or 5' (not a number (integer))",)


def test_papers_and_tables_have_one_catalog(client: Elasticsearch, tmp_path: Path) -> None:
    """A table that is called as other words for passages are: they are its words then."""
    loaded(client, tmp_path, {"sections.csv": ROWS})
    drafted = drafted_catalog(client, "sections")
    assert drafted is not None
    schema = read_schema("version: 1\nbuckets: {contracts: {fields: {party: name}}}\n")
    papers = read_catalog(catalog_text(schema, "corpus", has_vectors=False))
    joined = joined_catalog(papers, drafted)
    entities = joined.file.entities
    assert {"document", "passage", "contract"} < entities.keys()
    own = next(one for one in entities.values() if one.index == "sections")
    assert {"code", "count"} <= own.fields.keys()
    assert not {"section", "sections"} & {*entities["passage"].words}
