"""`qlc repair`: what is said of a folder that is whole, damaged and mended, or damaged beyond that."""

import sqlite3
from contextlib import closing
from pathlib import Path

from qlc_engine import Engine
from tests.cli.conftest import Command


def damage_columns(data: Path) -> None:
    (segment,) = (data / "segments").rglob("*.segment")
    segment.write_bytes(segment.read_bytes()[:-1])


def damage_document(data: Path) -> None:
    with closing(sqlite3.connect(data / "engine.sqlite3")) as connection:
        connection.execute("UPDATE documents SET version = 5 WHERE id = 'n2'")
        connection.commit()


def test_a_whole_folder_is_fine(qlc: Command, notes: Path) -> None:
    for arguments in (("--check",), ()):
        ended = qlc("repair", str(notes), *arguments)
        assert (ended.code, ended.out) == (0, f"{notes}: fine\n")
    assert qlc("repair", str(notes), "--json").json == {"findings": [], "repaired": False}


def test_damaged_columns_are_reported_and_then_fixed(qlc: Command, notes: Path) -> None:
    damage_columns(notes)
    told = qlc("repair", str(notes), "--check")
    assert told.code == 1
    assert "index notes: " in told.out
    assert f"'qlc repair {notes}' repairs" in told.out
    repaired = qlc("repair", str(notes))
    assert repaired.code == 0
    assert repaired.out.endswith(f"{notes}: repaired\n")
    assert qlc("repair", str(notes), "--check").code == 0
    assert qlc("run", "--data", str(notes), "--index", "notes", "count entries").out == "3 entries.\n"


def test_a_damaged_document_is_left_behind(qlc: Command, notes: Path, tmp_path: Path) -> None:
    damage_document(notes)
    failed = qlc("run", "--data", str(notes), "--index", "notes", "find entries limit 10")
    assert failed.code == 5
    ended = qlc("repair", str(notes))
    assert ended.code == 1
    assert "index notes: the document 'n2' is damaged" in ended.out
    assert f"'qlc repair {notes} --into FOLDER'" in ended.out
    new = tmp_path / "new"
    taken = qlc("repair", str(notes), "--into", str(new), "--json")
    assert taken.code == 1
    assert taken.json["documents"] == {"notes": 2}
    assert qlc("run", "--data", str(new), "--index", "notes", "count entries").out == "2 entries.\n"
    again = qlc("repair", str(notes), "--into", str(new))
    assert again.code == 5
    assert "there already" in again.err


def test_what_is_taken_over_whole_is_no_loss(qlc: Command, notes: Path, tmp_path: Path) -> None:
    damage_columns(notes)
    taken = qlc("repair", str(notes), "--into", str(tmp_path / "new"))
    assert (taken.code, taken.out) == (0, f"3 documents of 'notes' copied into '{tmp_path / 'new'}'\n")


def test_a_folder_in_use_is_left_alone(qlc: Command, notes: Path) -> None:
    damage_columns(notes)
    with Engine.open(str(notes)):
        damage_columns(notes)
        ended = qlc("repair", str(notes))
    assert ended.code == 5
    assert "is open for writing in this very process" in ended.err


def test_wrong_usage(qlc: Command, notes: Path, tmp_path: Path) -> None:
    assert qlc("repair", str(tmp_path / "none")).code == 2
    assert qlc("repair", str(notes), "--check", "--into", str(tmp_path / "new")).code == 2
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    ended = qlc("repair", str(nothing))
    assert ended.code == 5
    assert "no folder of the embedded engine" in ended.err
