"""`qlc catalog check` and `qlc catalog draft`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import NOTES, Command
from tests.tables import table

CATALOG = table(__file__, "CATALOG")


def test_a_draft_is_a_catalog_that_fits(qlc: Command, notes: Path, tmp_path: Path) -> None:
    drafted = qlc("catalog", "draft", "notes", "--data", str(notes))
    assert drafted.code == 0
    file = tmp_path / "drafted.yaml"
    file.write_text(drafted.out, encoding="utf-8")
    checked = qlc("catalog", "check", str(file), "--data", str(notes))
    assert checked.code == 0, checked.out
    entity = next(line.split(":")[0].strip() for line in drafted.out.splitlines() if line.startswith("  "))
    assert entity
    assert qlc("run", "--catalog", str(file), "--data", str(notes), "--json", "--all",
               "find notes where pages > 5").code in (0, 1)  # fmt: skip


def test_a_catalog_that_fits(qlc: Command, notes: Path, tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(CATALOG, encoding="utf-8")
    at = ("--data", str(notes))
    assert qlc("catalog", "check", str(file), *at).out == "c.yaml: fine\n"
    assert qlc("catalog", "check", str(file), *at, "--json").json == []
    run = qlc("run", "--catalog", str(file), *at, 'find notes where title = "plan" show pages')
    assert run.code == 0
    assert "7" in run.out


def test_every_mistake_has_its_line(qlc: Command, notes: Path, tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(CATALOG.replace("pages: pages", "pages: pagez").replace("made: made", "made: mode"), "utf-8")
    ended = qlc("catalog", "check", str(file), "--data", str(notes))
    assert ended.code == 1
    assert ended.out.count("error[") == 2
    assert "8 |" in ended.out
    assert ended.out.endswith("c.yaml: 2 errors, 0 warnings\n")
    assert len(qlc("catalog", "check", str(file), "--data", str(notes), "--json").json) == 2
    used = qlc("run", "--catalog", str(file), "--data", str(notes), "count notes")
    assert used.code == 2
    assert "pagez" in used.err


@pytest.mark.parametrize("text", ["", "version: 9\n", "- a\n", "version: 1\n\tindex: x\n", "index: [\n", "a: &x *x\n"])
def test_a_file_that_is_no_catalog(qlc: Command, notes: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "c.yaml"
    file.write_text(text, encoding="utf-8")
    ended = qlc("catalog", "check", str(file), "--data", str(notes))
    assert ended.code == 1
    assert "error[" in ended.out
    assert qlc("run", "--catalog", str(file), "--data", str(notes), "count notes").code == 2


def test_a_catalog_that_is_not_there(qlc: Command, notes: Path) -> None:
    ended = qlc("catalog", "check", "/nowhere/c.yaml", "--data", str(notes))
    assert ended.code in (1, 2)
    assert "c.yaml" in ended.out + ended.err


def test_a_draft_of_what_is_not_there(qlc: Command, notes: Path) -> None:
    for index in ("none", "none*"):
        ended = qlc("catalog", "draft", index, "--data", str(notes))
        assert ended.code in (2, 5)
        assert "Traceback" not in ended.err


def test_a_mapping_of_several_indices_is_checked_by_their_names(qlc: Command, tmp_path: Path) -> None:
    catalog = tmp_path / "two.yaml"
    catalog.write_text(
        "version: 1\nindex: notes\nentities:\n  note: {id: id, names: [title]}\n"
        "  author: {index: people, id: key, names: [name], fields: {key: key, name: name}}\n"
        "fields:\n  id: id\n  title: title\n",
        encoding="utf-8",
    )
    notes = {"mappings": {"properties": {"id": {"type": "keyword"}, "title": {"type": "keyword"}}}}
    people = {"mappings": {"properties": {"key": {"type": "keyword"}, "name": {"type": "keyword"}}}}
    one, both = tmp_path / "one.json", tmp_path / "both.json"
    one.write_text(json.dumps(notes), encoding="utf-8")
    both.write_text(json.dumps({"notes": notes, "people": people}), encoding="utf-8")
    checked = qlc("catalog", "check", str(catalog), "--mapping", str(both))
    assert (checked.code, checked.out) == (0, "two.yaml: fine\n")
    assert qlc("check", "--catalog", str(catalog), "--mapping", str(both), 'find authors where name = "Ann"').code == 0
    refused = qlc("catalog", "check", str(catalog), "--mapping", str(one))
    assert refused.code == 2
    assert "has no mapping of notes or people" in refused.err
    assert "as GET /notes,people answers" in refused.err


def test_values_that_no_document_has(qlc: Command, notes: Path, tmp_path: Path) -> None:
    file, at = tmp_path / "c.yaml", ("--data", str(notes))
    titles = [str(one["title"]) for one in NOTES]
    for written, line in [([*titles, "zzz"], "title: no document has zzz"), (["zzz"], "c.yaml: 0 errors, 1 warning")]:
        closed = f"  title: {{path: title, values: {json.dumps(written)}}}\n"
        file.write_text(CATALOG.replace("  title: title\n", closed), encoding="utf-8")
        ended = qlc("catalog", "check", str(file), *at)
        assert ended.code == 0, ended.out
        assert line in ended.out
