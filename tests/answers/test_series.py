"""Amounts of several periods: read from statements with their scale, drafted, and asked for by program and in words."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc.corpus.drafting import draft_of
from tests.answers.drawing import drawn
from tests.corpus.files import pdf
from tests.tables import table

BIRCH = (
    ("", "June 30, 2023", "June 30, 2022", "June 30, 2021"),
    ("Revenue", "$ 4,417", "$ 3,906", "$ 4,102"),
    ("Purchases of plant", "(731)", "(284)", "(655)"),
    ("Cash at bank", "912", "1,035", "877"),
)
ALDER = (("", "2023", "2022"), ("Revenue", "\u20ac 977", "\u20ac 1,048"), ("Cash at bank", "61", "58"))
DOUBTFUL = (("", "2023", "2022"), ("Revenue", "\u20ac 311", "\u20ac 402"))
OTHERWISE = (("", "2023", "2022"), ("Revenue", "\u20ac 319", "\u20ac 402"))
SCHEMA = table(__file__, "SCHEMA")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("series")
    (place / "files/reports").mkdir(parents=True)
    pdf(place / "files/reports/birch.pdf", partial(drawn, "Birch Ferries", [("(in thousands)", BIRCH)]))
    pdf(place / "files/reports/alder.pdf", partial(drawn, "Alder Clinics", [("(in millions)", ALDER)]))
    tables = [("(in millions)", DOUBTFUL), ("(in millions)", OTHERWISE)]
    pdf(place / "files/reports/maple.pdf", partial(drawn, "Maple Mills", tables))
    (place / "corpus.yaml").write_text(SCHEMA, "utf-8")
    return place


@pytest.fixture(scope="module")
def reports(place: Path) -> Iterator[qlc.Corpus]:
    with qlc.Corpus.create(place / "corpus", place / "corpus.yaml") as corpus:
        corpus.add(place / "files", processes=1)
        yield corpus


def value(reports: qlc.Corpus, program: str) -> Any:
    found = reports.ask(program)
    assert found.kind == "value", found
    return found.value


def test_a_period_has_its_amount_in_full(reports: qlc.Corpus) -> None:
    birch = 'reports where title contains "Birch"'
    assert value(reports, f"sum(revenue[year = 2022].value) of {birch}") == 3_906_000
    assert value(reports, f"sum(investments[year = 2021].value) of {birch}") == -655_000
    assert value(reports, f"max(revenue.value) of {birch}") == 4_417_000
    found = reports.ask("find reports where revenue[year = 2023 and value > 100000000]")
    assert found.total == 1, "only Alder has more, and Maple is doubtful"


def test_tables_that_disagree_leave_one_period_out(reports: qlc.Corpus) -> None:
    maple = 'reports where title contains "Maple"'
    assert value(reports, f"sum(revenue[year = 2022].value) of {maple}") == 402_000_000
    assert not reports.ask(f"find {maple} and revenue[year = 2023]").total
    places = [one for one in reports.document("reports/maple.pdf").places if one.is_disputed]
    assert places
    assert {one.why for one in places} == {"tables of the document differ for 2023"}


WORDS = table(__file__, "WORDS")


@pytest.mark.parametrize(("question", "said"), WORDS.items(), ids=WORDS)
def test_questions_about_periods(question: str, said: str, reports: qlc.Corpus) -> None:
    found = reports.ask(question)
    assert found.kind == "answer", found
    assert said in found.message
    quotes = [one.quote for claim in found.claims for one in claim.citations]
    assert quotes
    assert all("\t" in one for one in quotes), "the row of the statement is cited"


def test_a_period_that_is_not_told_is_declined_with_those_that_are(reports: qlc.Corpus) -> None:
    found = reports.ask("What was the revenue of Birch in 2014?")
    assert found.kind == "declined"
    assert "for 2014" in found.message
    assert "June 30, 2021" in found.message


def test_a_doubtful_period_is_declined_with_the_reason(reports: qlc.Corpus) -> None:
    found = reports.ask("What was the revenue of Maple in 2023?")
    assert found.kind == "declined"
    assert "tables of the document differ for 2023" in found.message


def test_a_period_of_several_companies_asks_which(reports: qlc.Corpus) -> None:
    found = reports.ask("What was the revenue in 2022?")
    assert found.kind == "clarify", found


def test_a_draft_proposes_rows_with_periods(place: Path) -> None:
    drafted = draft_of([place / "files"], processes=1)
    assert "revenue: {type: money, by: period}" in drafted
    assert "cash_at_bank: {type: money, by: period}" in drafted
    assert "items" not in drafted
