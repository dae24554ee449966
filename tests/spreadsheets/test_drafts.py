"""Catalogs that are drafted of tables from elsewhere: names, units, sums, references, and what is then answered."""

import csv
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch

import qlc
from qlc.compiler.catalog_check import check_catalog
from qlc.mapping.catalog import read_catalog
from qlc.mapping.catalog_model import CatalogFile
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping
from qlc.outcome import Clarify
from qlc.tables.loading import load_table
from qlc.tables.typed import read_typed
from tests.tables import table

CASES: list[dict[str, Any]] = table(__file__, "test_what_is_drafted_of_tables")


def loaded(folder: Path, tables: dict[str, dict[str, Any]]) -> Elasticsearch:
    """The tables of a case, written as CSV and loaded; each index is called as its table."""
    client = qlc.connect()
    for name, one in tables.items():
        columns: dict[str, Any] = one["columns"]
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([_cell(of, n) for of in columns.values()] for n in range(one["rows"]))
        (typed,) = read_typed(folder / f"{name}.csv", name=name)
        load_table(client, typed)
    return client


def _cell(column: Any, n: int) -> Any:
    return column[n % len(column)] if isinstance(column, list) else column.replace("N", str(n + 1))


def fact(file: CatalogFile, place: str) -> Any:
    """A fact of a catalog: `city.plural`, `city.population.adds_up`."""
    name, *keys = place.split(".")
    found: Any = file.entities.get(name)
    if len(keys) > 1:
        field = keys.pop(0)
        found = (found.fields | file.fields)[field]
    value = getattr(found, keys[0]) if keys else found
    return list(value) if isinstance(value, tuple) else _values(value) if isinstance(value, dict) else value


def _values(values: dict[str, Any]) -> Any:
    other_words = {value: list(words) for value, words in sorted(values.items())}
    return other_words if any(other_words.values()) else sorted(values)


@pytest.mark.parametrize("case", CASES, ids=lambda one: one["of"])
def test_what_is_drafted_of_tables(case: dict[str, Any], tmp_path: Path) -> None:
    client, index = loaded(tmp_path, case["tables"]), ",".join(case["tables"])
    catalog = read_catalog(draft_catalog(client, index))
    assert check_catalog(catalog, {name: fetch_mapping(client, name) for name in case["tables"]}) == []
    assert {place: fact(catalog.file, place) for place in case["drafted"]} == case["drafted"]
    asker = qlc.Asker(qlc.Compiler(client, catalog))
    for question, answer in case.get("asked", {}).items():
        outcome = asker.ask(question)
        options = [one.label for one in outcome.options] if isinstance(outcome, Clarify) else []
        said = [outcome.message or "", *options, *(one.message for one in outcome.diagnostics)]
        assert " | ".join(said).startswith(answer), question


def test_foreign_keys_of_a_database_come_before_names_and_values() -> None:
    """`lead` is called otherwise, and `room_id` has ids of another table by chance."""
    client = qlc.connect()
    number = {"type": "long"}
    declared = {"_meta": {"qlc_references": {"lead": "people.id", "room_id": "nowhere.id"}}}
    properties = {"id": number, "lead": number, "room_id": number}
    client.indices.create(index="people", mappings={"properties": {"id": number}})
    client.indices.create(index="teams", mappings={"properties": properties, **declared})
    for n in range(1, 9):
        client.index(index="people", id=str(n), document={"id": n})
        client.index(index="teams", id=str(n), document={"id": 100 + n, "lead": 1 + n % 2, "room_id": 1 + n % 2})
    client.indices.refresh()
    team = read_catalog(draft_catalog(client, "people,teams")).file.entities["team"]
    assert {name: one.refers_to for name, one in team.fields.items()} == {"id": None, "lead": "person", "room_id": None}


def test_rows_know_their_place_and_words_do_not_speak_of_it(tmp_path: Path) -> None:
    """A query can sort by the place. It is not the default number, is not shown and has no sum."""
    columns = {"player": ["Ann", "Ben", "Cal", "Dee"] * 3, "row": ["left", "right"], "points": [5, 9, 2]}
    client = loaded(tmp_path, {"players": {"rows": 12, "columns": columns}})
    compiler = qlc.Compiler(client, read_catalog(draft_catalog(client, "players")))
    entity = compiler.schema.entities["player"]
    assert entity.fields["row_2"].description.startswith("Place in the file")
    assert not entity.fields["row_2"].adds_up
    assert (entity.default_number, "row_2" in entity.show) == ("points", False)
    after = "find players where row_2 > (find players where row_2 = 2).row_2 sort row_2 limit 1 show row_2"
    found = compiler.run(after)
    assert [hit.values["row_2"] for hit in found.hits] == [3]
    assert "Row" not in str(qlc.Asker(compiler).ask("what is listed after Ann?").notes)
    assert "confidential" not in qlc.Asker(compiler).ask("the most wins in a row 2").message


def test_numbers_inside_texts_are_fields_for_programs_and_not_for_words(tmp_path: Path) -> None:
    columns = {"opponent": ["Ann", "Ben", "Cal", "Dee"], "result": ["W 16-10", "L 3–7", "T 7-7", "W 21-0"],
               "score": ["3-1", "0-2", "1-1", "4-0"], "rank": ["1st (q)", "2nd (q)", "3rd", "4th"]}  # fmt: skip
    client = loaded(tmp_path, {"games": {"rows": 12, "columns": columns}})
    compiler = qlc.Compiler(client, read_catalog(draft_catalog(client, "games")))
    entity = compiler.schema.entities["game"]
    assert entity.fields["result_number_2"].description == 'Number 2 in "result": 10 of "W 16-10".'
    assert (entity.default_number, "result_number_1" in entity.show) == (None, False)
    assert (entity.fields["score_number_1"].adds_up, entity.fields["rank_number"].adds_up) == (True, False)
    won = compiler.run("count games where result_number_1 > result_number_2")
    assert won.value == 6
    assert compiler.run("sum(result_number_1 - result_number_2) of games").notes == []  # no field of the index
    assert qlc.Asker(compiler).ask("largest result of games").kind == "declined"
    assert qlc.Asker(compiler).ask("how many games by number?").notes == [
        "You can ask for games by opponent, result, score, rank."
    ]


def test_texts_inside_texts_are_fields_for_programs_and_not_for_words(tmp_path: Path) -> None:
    columns = {
        "station": ["Eins", "Zwei", "Drei", "Vier"], "sent_by": ["FM, DAB", "FM", "DAB, Cable, FM", "Cable, DAB"],
        "seat": ["Bonn, Germany", "Linz, Austria", "Graz, Austria", "Berlin, Germany"],
    }  # fmt: skip
    client = loaded(tmp_path, {"stations": {"rows": 12, "columns": columns}})
    compiler = qlc.Compiler(client, read_catalog(draft_catalog(client, "stations")))
    entity = compiler.schema.entities["station"]
    assert entity.fields["seat_last"].description == 'The last part of "seat": "Germany" of "Bonn, Germany".'
    assert (entity.fields["sent_by"].many, "seat_last" in entity.show) == (True, False)
    assert qlc.Asker(compiler).ask("how many stations with both FM and DAB?").value == 6
    counted = compiler.run("count stations by sent_by")
    assert {str(row.key): row.value for row in counted.rows} == {"Cable": 6, "DAB": 9, "FM": 9}
    assert compiler.run("distinct(seat_last) of stations").value == 2
    assert qlc.Asker(compiler).ask("how many stations by part?").notes == [
        "You can ask for stations by station, sent by, seat."
    ]


def test_gaps_in_the_first_column_are_told(tmp_path: Path) -> None:
    columns = {"season": ["2010–11", "2011–12", "2011–12", None, "2012–13"], "club": ["A", "B", "C", "D", "E"]}
    client = loaded(tmp_path, {"games": {"rows": 5, "columns": columns}})
    compiler = qlc.Compiler(client, read_catalog(draft_catalog(client, "games")))
    gap = "1 of 5 cells is empty: where they mean the one above, fill them in the file."
    found = compiler.run('count games where season = "2011–12"'), compiler.run("count games")
    assert [one.notes for one in found] == [[f"'season': known in 4 of 5 games; {gap}"], []]
