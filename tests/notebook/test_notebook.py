"""Outcomes in a notebook: HTML that no text of a document can break, and the magic in a real shell."""

from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from selectolax.lexbor import LexborHTMLParser

from qlc.outcome import (
    AggregateOut,
    Answer,
    Citation,
    Claim,
    Clarify,
    Count,
    Declined,
    Hit,
    Hits,
    Invalid,
    Note,
    Option,
    Passages,
    RowOut,
    Several,
)
from tests import data_sets

EVIL = "<script>alert(1)</script>"
CITED = Citation(document="d", file=EVIL, page=2, quote=EVIL)


@pytest.mark.parametrize(
    "outcome",
    [
        Hits(total=1, message=EVIL, columns=[EVIL], hits=[Hit(id="a", values={EVIL: EVIL})], query=EVIL, notes=[EVIL]),
        AggregateOut(groups=[EVIL], measures=["count"], rows=[RowOut(key=EVIL, value=1)]),
        Answer(claims=[Claim(text=EVIL, citations=[CITED])], query=EVIL),
        Clarify(message=EVIL, options=[Option(id=EVIL, label=EVIL)], token=EVIL),
        Declined(message=EVIL, suggestions=[EVIL]),
        Passages(message=EVIL, passages=[CITED]),
        Invalid(message=EVIL, query=EVIL, diagnostics=[Note(code="x", severity="error", message=EVIL, span=(0, 3))]),
        Several(outcomes=[Count(message=EVIL)]),
    ],
)
def test_texts_are_texts(outcome: Any) -> None:
    page = LexborHTMLParser(outcome._repr_html_())
    assert page.css("script") == []
    body = page.body
    assert EVIL in body.text()


def test_a_long_table_says_how_much_is_shown() -> None:
    rows = [RowOut(key=str(number), value=number) for number in range(120)]
    shown = LexborHTMLParser(AggregateOut(groups=["n"], measures=["count"], rows=rows)._repr_html_())
    assert len(shown.css("tbody tr")) == 50
    assert "50 of 120 rows shown." in shown.text()


def test_citations_are_numbered_once() -> None:
    other = Citation(document="e", file="b.pdf", quote="second")
    claims = [Claim(text="One.", citations=[CITED, other]), Claim(text="Two.", citations=[other])]
    shown = LexborHTMLParser(Answer(claims=claims)._repr_html_())
    assert [one.text() for one in shown.css("p")] == ["One. [1] [2]", "Two. [2]"]
    assert [one.text() for one in shown.css("li")] == [f"{EVIL}, page 2: {EVIL}", "b.pdf: second"]


# --- the magic -------------------------------------------------------------------------------------------------------


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "qlc")
    shell.user_ns["asker"] = data_sets.drive()
    yield shell
    InteractiveShell.clear_instance()


def test_cells_are_one_conversation(shell: InteractiveShell) -> None:
    first = shell.run_cell_magic("qlc", "asker -o result", "how many invoices are there?")
    assert first is shell.user_ns["result"]
    narrowed = shell.run_cell_magic("qlc", "", "and only the overdue ones?")
    assert 0 < narrowed.value < first.value


def test_a_question_back_is_answered_in_the_next_cell(shell: InteractiveShell) -> None:
    asked = shell.run_cell_magic("qlc", "", 'find documents where folder = "Tax"')
    assert isinstance(asked, Clarify)
    assert isinstance(shell.run_cell_magic("qlc", "", "2"), Hits)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nothing", "'nothing' is not an Asker"),
        ("asker --wrong", "not '--wrong'"),
        ("asker -o", r"takes \[NAME\] \[-o RESULT\]"),
        ("asker 'open", r"takes \[NAME\] \[-o RESULT\]"),
    ],
)
def test_a_wrong_line_says_what_is_right(shell: InteractiveShell, line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        shell.run_cell_magic("qlc", line, "how many invoices?")


def test_without_a_name_there_must_be_one(shell: InteractiveShell) -> None:
    shell.user_ns["other"] = shell.user_ns["asker"]
    with pytest.raises(UsageError, match="asker, other"):
        shell.run_cell_magic("qlc", "", "how many invoices?")
    del shell.user_ns["asker"], shell.user_ns["other"]
    with pytest.raises(UsageError, match="make one"):
        shell.run_cell_magic("qlc", "", "how many invoices?")


def test_a_line_goes_on_with_the_conversation(shell: InteractiveShell) -> None:
    first = shell.run_line_magic("qlc", "how many invoices are there?")
    assert shell.run_line_magic("qlc", "and only the overdue ones?").value < first.value


def test_a_cell_may_end_with_a_question_mark(shell: InteractiveShell) -> None:
    shell.run_cell("result = %qlc how many invoices are there?\n")
    assert shell.user_ns["result"].kind == "count"
    assert shell.run_cell("%qlc and only the overdue ones?").result.value < shell.user_ns["result"].value


def test_an_error_has_no_traceback(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("r = %qlc delete all invoices\nr.to_pandas()")
    said = capsys.readouterr().out
    assert said.startswith("UsageError: this has no rows: I cannot delete all invoices.")
    assert said.count("\n") == 1
