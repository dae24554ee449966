"""A value is that of its own clause, row or box, and of the text that holds; what is doubtful is left out and shown."""

from pathlib import Path

import pytest

from qlc.corpus.document import Reader, Task
from qlc.corpus.limits import Limits
from qlc.corpus.values.fields import Value, Wanted
from tests.corpora import made
from tests.tables import rows

CONTRACT = (
    Wanted("notice", "duration", "days", ("Notice period",), "notice to terminate"),
    Wanted("cap", "money", labels=("Liability cap", "limitation of liability"), description="the highest liability"),
    Wanted("begins", "date", labels=("Effective Date",)),
    Wanted("end", "date", labels=("End Date",), description="the day on which the contract ends"),
)
FORM = (
    Wanted("status", "choice", labels=("Marital status",), choices={"single": (), "married": (), "widowed": ()}),
    Wanted("smoker", "boolean", labels=("Smoker",)),
    Wanted("visit", "date", labels=("Date of visit",)),
)


def values(folder: Path, wanted: tuple[Wanted, ...], text: str) -> tuple[Value, ...]:
    (folder / "paper.md").write_text(f"# Paper\n\n{text}\n", "utf-8")
    return Reader({"papers": wanted})(Task(folder / "paper.md", "paper.md", "papers"), Limits()).values


def sure(folder: Path, wanted: tuple[Wanted, ...], text: str) -> dict[str, str]:
    return {one.field: str(one.value) for one in values(folder, wanted, text) if not one.is_disputed}


@pytest.mark.parametrize("text", rows(__file__, "test_a_clause_about_something_else_gives_no_value"))
def test_a_clause_about_something_else_gives_no_value(tmp_path: Path, text: str) -> None:
    assert sure(tmp_path, CONTRACT, text) == {}


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_a_clause_of_its_own_gives_the_value_that_holds"))
def test_a_clause_of_its_own_gives_the_value_that_holds(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    assert sure(tmp_path, CONTRACT, text) == expected


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_the_option_with_a_checked_box_is_the_value"))
def test_the_option_with_a_checked_box_is_the_value(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    assert sure(tmp_path, FORM, text) == expected


@pytest.mark.parametrize(
    ("text", "field", "why"),
    rows(__file__, "test_what_stands_beside_a_label_and_cannot_be_read_is_left_out_with_the_reason"),
)
def test_what_stands_beside_a_label_and_cannot_be_read_is_left_out_with_the_reason(
    tmp_path: Path, text: str, field: str, why: str
) -> None:
    found = values(tmp_path, FORM, text)
    assert [(one.field, one.is_disputed, one.why) for one in found] == [(field, True, why)]


def test_sentences_that_disagree_are_both_shown(tmp_path: Path) -> None:
    text = "The total liability is limited to EUR 9,000.\n\nThe total liability is limited to EUR 8,000."
    found = values(tmp_path, CONTRACT[1:2], text)
    assert [(str(one.value), one.is_disputed) for one in found] == [("9000", True), ("8000", True)]


def test_a_value_that_is_left_out_is_shown_in_tables_with_the_reason(tmp_path: Path) -> None:
    files = {f"bills/{name}.md": f"# Bill {name}\n\nTotal: {total}\n"
             for name, total in (("a", "EUR 1,250.00"), ("b", "EUR 1.234"))}  # fmt: skip
    schema = "version: 1\nname: l\nbuckets: {bills: {fields: {total: {type: money, labels: [Total]}}}}"
    with made(tmp_path, files, schema) as corpus:
        (left_out,) = corpus.document("bills/b.md").places
        assert left_out.is_disputed
        assert left_out.why == "'1.234' can be 1.234 or 1,234, and nothing in the document shows which"
        table = corpus.ask("What is the total of each bill?")
        told = corpus.ask("What is the total of Bill b?")
    assert [row.cells["total"].value for row in table.rows] == [1250, "?"]
    assert any("'total' of Bill b is left out: '1.234' can be" in note for note in table.notes)
    assert told.message.startswith("'total' of Bill b is left out: '1.234' can be")


# --- titles ----------------------------------------------------------------------------------------------------------


def test_a_letterhead_that_several_documents_share_is_no_title(tmp_path: Path) -> None:
    files = {
        "one": "# UNITED STATES\n\n## Oak Works Inc.\n\nText.", "two": "# UNITED STATES\n\n## Elm Works Inc.\n\nText.",
        "three_a": "# UNITED STATES\n\nText.", "four": "# Lease\n\nA.", "five": "# Lease\n\nB.", "six": "# Lease\n\nC.",
    }  # fmt: skip
    with made(tmp_path, {f"{name}.md": text for name, text in files.items()}) as corpus:
        titles = {name: corpus.document(f"{name}.md").title for name in ("one", "two", "three_a", "four", "five")}
        assert titles == {
            "one": "Oak Works Inc.", "two": "Elm Works Inc.", "three_a": "three a", "four": "Lease", "five": "Lease",
        }  # fmt: skip
        (tmp_path / "files/seven.md").write_text("# UNITED STATES\n\n## Ash Works Inc.\n\nText.", "utf-8")
        corpus.add(tmp_path / "files")
        assert corpus.document("seven.md").title == "Ash Works Inc."
        assert corpus.ask('count passages where title = "Ash Works Inc."').value == 1
