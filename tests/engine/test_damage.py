"""Files that are not what was written: told, mended where they follow from others, and never believed."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from qlc_engine import Engine
from qlc_engine.folder_lock import FolderLockedError
from qlc_engine.repair import Report, check_folder, repair_folder
from qlc_engine.salvage import salvage_folder
from qlc_engine.store import FORMAT_VERSION, StoreError
from tests.engine.asked import Asked
from tests.engine.stored import columns_agree, document, found_documents


def _cut_off(segment: Path) -> None:
    segment.write_bytes(segment.read_bytes()[:-1])


def _changed_in_the_middle(segment: Path) -> None:
    content = bytearray(segment.read_bytes())
    for at in range(len(content) // 3, len(content) // 2):
        content[at] ^= 0x55
    segment.write_bytes(bytes(content))


def _changed_near_the_end(segment: Path) -> None:
    content = bytearray(segment.read_bytes())
    content[-40] ^= 0xFF
    segment.write_bytes(bytes(content))


@pytest.mark.parametrize("repaired", [False, True])
@pytest.mark.parametrize("damage", [_cut_off, _changed_in_the_middle, _changed_near_the_end, Path.unlink])
def test_a_damaged_or_lost_segment_file_is_built_again(
    folder: str, damage: Callable[[Path], None], repaired: bool
) -> None:
    (segment,) = Path(folder, "segments").rglob("*.segment")
    assert check_folder(folder) == []
    damage(segment)
    assert len(check_folder(folder)) == 1
    if repaired:
        assert "index i" in repair_folder(folder).findings[0]
        assert repair_folder(folder) == Report()
    with Engine.open(folder) as engine:
        found = found_documents(Asked(engine))
        assert len(found) == 55
        columns_agree(Asked(engine), found)
    assert check_folder(folder) == []


def test_a_newer_or_damaged_store_is_refused_with_a_sentence(folder: str) -> None:
    path = Path(folder, "engine.sqlite3")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="format 99"):
        Engine.open(folder)
    for left in Path(folder).glob("engine.sqlite3-*"):
        left.unlink()
    path.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="damaged"):
        Engine.open(folder)


def change(folder: str, statement: str) -> None:
    """Changes the database behind the engine's back."""
    with closing(sqlite3.connect(Path(folder, "engine.sqlite3"))) as connection:
        connection.execute(statement)
        connection.commit()


def test_a_damaged_document_is_reported_and_not_believed(folder: str) -> None:
    change(folder, "UPDATE documents SET source = replace(source, '\"n\": 7,', '\"n\": 8,') WHERE id = '7'")
    with Engine.open(folder) as engine:
        asked = Asked(engine)
        for method, target in (("POST", "/i/_search"), ("GET", "/i/_doc/7")):
            status, answered = asked.ask(method, target, {"size": 100} if method == "POST" else None)
            assert status == 500
            assert answered["error"]["type"] == "corrupt_index_exception"
            assert "the document '7'" in answered["error"]["reason"]
        assert asked.ok("GET", "/i/_doc/8")["_source"] == document(8)
    (finding,) = check_folder(folder)
    assert "index i: the document '7'" in finding
    assert not repair_folder(folder).repaired


def test_what_can_be_read_is_taken_over_into_a_new_folder(folder: str, tmp_path: Path) -> None:
    with Engine.open(folder) as engine:
        Asked(engine).ok("PUT", "/i/_alias/names")
        Asked(engine).ok("DELETE", "/i/_doc/3")
        Asked(engine).ok("PUT", "/i/_doc/4", document(104))
    change(folder, "UPDATE documents SET version = 9 WHERE id = '7'")
    taken = salvage_folder(folder, str(tmp_path / "new"))
    assert taken.documents == {"i": 53}
    assert taken.losses
    assert all("'7'" in loss for loss in taken.losses)
    with Engine.open(str(tmp_path / "new")) as engine:
        asked = Asked(engine)
        expected = {str(number): number for number in range(55) if number not in (3, 7)} | {"4": 104}
        assert found_documents(asked) == expected
        columns_agree(asked, expected)
        assert asked.ok("GET", "/i/_doc/4")["_version"] == 2
        assert asked.ok("POST", "/names/_count")["count"] == len(expected)
        assert asked.ok("PUT", "/i/_doc/8", document(8))["_seq_no"] > 56
    with pytest.raises(StoreError, match="there already"):
        salvage_folder(folder, str(tmp_path / "new"))


def test_random_damage_is_found_or_harmless_and_the_rest_is_saved(folder: str, tmp_path: Path) -> None:
    with Engine.open(folder) as engine:
        Asked(engine).put("i", {str(number): document(number) for number in range(55, 400)})
        engine.store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = Path(folder, "engine.sqlite3")
    whole = path.read_bytes()
    expected = {str(number): number for number in range(400)}
    chance = random.Random(5)
    n_told = n_saved = 0
    for round_number in range(40):
        content = bytearray(whole)
        start = chance.randrange(100, len(content) - 600)
        for at in range(start, start + chance.choice([1, 20, 500])):
            content[at] ^= chance.randrange(1, 256)
        for left in Path(folder).glob("engine.sqlite3-*"):
            left.unlink()
        path.write_bytes(content)
        try:
            findings = check_folder(folder)
        except StoreError as error:
            findings = [str(error)]
        if not findings:
            with Engine.open(folder, read_only=True) as engine:
                assert found_documents(Asked(engine)) == expected
            continue
        n_told += 1
        try:
            taken = salvage_folder(folder, str(tmp_path / f"new{round_number}"))
        except StoreError:
            continue
        with Engine.open(str(tmp_path / f"new{round_number}")) as engine:
            if engine.indices.get("i") is not None:
                saved = found_documents(Asked(engine))
                assert saved.items() <= expected.items()
                assert len(saved) == 400 or taken.losses, round_number
                n_saved += len(saved) >= 200
    assert n_told > 20
    assert n_saved > n_told // 2


def test_indices_of_the_database_are_built_again(folder: str) -> None:
    path = Path(folder, "engine.sqlite3")
    change(folder, "PRAGMA writable_schema = ON")
    with closing(sqlite3.connect(path)) as connection:
        root, size = connection.execute(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = 'live_documents'"
        ).fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    # the number of cells of the root page: a few entries less than there are rows
    place = (root - 1) * size + 3
    content[place : place + 2] = (int.from_bytes(content[place : place + 2], "big") - 2).to_bytes(2, "big")
    path.write_bytes(content)
    assert "missing from index" in "".join(check_folder(folder))
    assert repair_folder(folder).repaired
    assert check_folder(folder) == []
    with Engine.open(folder) as engine:
        assert found_documents(Asked(engine)) == {str(number): number for number in range(55)}
        assert Asked(engine).ok("GET", "/i/_doc/54")["found"]


def test_a_folder_in_use_is_checked_and_not_fixed(folder: str) -> None:
    (segment,) = Path(folder, "segments").rglob("*.segment")
    with Engine.open(folder):
        segment.write_bytes(segment.read_bytes()[:-1])
        assert len(check_folder(folder)) == 1
        with pytest.raises(FolderLockedError):
            repair_folder(folder)


def test_a_folder_of_the_first_format_is_read_and_taken_over(folder: str) -> None:
    for statement in (
        "ALTER TABLE documents DROP COLUMN crc",
        "ALTER TABLE indices DROP COLUMN crc",
        "PRAGMA user_version = 1",
    ):
        change(folder, statement)
    expected = {str(number): number for number in range(55)}
    with Engine.open(folder, read_only=True) as engine:
        assert found_documents(Asked(engine)) == expected
    with Engine.open(folder) as engine:
        Asked(engine).put("i", {"55": document(55)})
        assert found_documents(Asked(engine)) == {**expected, "55": 55}
    assert check_folder(folder) == []
    with closing(sqlite3.connect(Path(folder, "engine.sqlite3"))) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT_VERSION,)


def test_damaged_settings_of_an_index_are_reported(folder: str) -> None:
    change(folder, "UPDATE indices SET mapping = replace(mapping, 'keyword', 'text')")
    with pytest.raises(StoreError, match="mapping and settings of index 'i' are damaged; 'qlc repair"):
        Engine.open(folder)
    assert "mapping and settings" in check_folder(folder)[0]


def test_what_is_no_folder_of_the_engine_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no folder of the embedded engine"):
        check_folder(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
