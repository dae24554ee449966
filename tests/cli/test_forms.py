"""`qlc teach` and `qlc forms`."""

import json
from pathlib import Path

from tests.cli.conftest import Command
from tests.cli.test_catalogs import CATALOG

QUESTION = "notes that go on for more than 5 pages"
PROGRAM = "find notes where pages > 5"


def test_a_form_is_taught_listed_tested_and_dropped(qlc: Command, notes: Path, tmp_path: Path) -> None:
    catalog = tmp_path / "c.yaml"
    catalog.write_text(CATALOG, encoding="utf-8")
    target = ("--catalog", str(catalog), "--data", str(notes))
    assert qlc("ask", QUESTION, *target, "--json").json["query"] != PROGRAM
    made = qlc("teach", QUESTION, PROGRAM, *target)
    assert (made.code, "{pages} pages" in made.out) == (0, True), made.out + made.err
    assert (tmp_path / "c.forms.yaml").exists()
    assert qlc("ask", QUESTION.replace("5", "7"), *target, "--json").json["query"] == "find notes where pages > 7"
    explained = qlc("explain", QUESTION, *target, "--json").json
    (one,) = qlc("forms", "list", *target, "--json").json
    assert explained["translation"][0] == {"by": "form", "what": "matched", "ids": [one["id"]], "program": PROGRAM}
    assert qlc("forms", "test", *target).code == 0

    catalog.write_text(CATALOG.replace("  pages: pages", "  sheets: {path: pages}\n  pages: title"), encoding="utf-8")
    tested = qlc("forms", "test", *target)
    assert (tested.code, one["id"] in tested.out) == (1, True)
    assert json.loads(qlc("forms", "test", *target, "--json").out)[0]["id"] == one["id"]

    assert qlc("forms", "drop", one["id"], *target).code == 0
    assert qlc("forms", "list", *target).out == "0 forms.\n"
    assert qlc("forms", "drop", one["id"], *target).code == 2


def test_a_pair_that_is_refused(qlc: Command, notes: Path, tmp_path: Path) -> None:
    catalog = tmp_path / "c.yaml"
    catalog.write_text(CATALOG, encoding="utf-8")
    refused = qlc("teach", "long notes", "find notes where paages > 5", "--catalog", str(catalog), "--data", str(notes))
    assert (refused.code, refused.out.startswith("error[form-program]")) == (1, True)
    assert not (tmp_path / "c.forms.yaml").exists()


def test_where_the_forms_are(qlc: Command, demo: Path, tmp_path: Path) -> None:
    assert qlc("forms", "list", "--demo").code == 2
    missing = qlc("ask", "--demo", "--forms", str(tmp_path / "none.yaml"), "folders")
    assert (missing.code, "which does not exist" in missing.err) == (2, True)
