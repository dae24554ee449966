"""A question is routed to the documents that it names by their file names, and shows one passage of each page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.answers.answering import searches_of
from qlc.answers.linking import link
from qlc.answers.routing import Route, route_of
from tests.corpora import made

FILES = {
    f"{name}.md": f"# Annual report\n\nThe revenue of the year was high. Capex was {at} million.\n"
    for at, name in enumerate(("BLUEHARBOR_2018", "BLUEHARBOR_2019", "Corvid_2019", "Corvid_2019Q2", "3M_2019"))
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(Path(tmp_path_factory.mktemp("reports")), FILES) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "files"),
    [
        ("What was the capex of Blue Harbor in FY2018?", ["BLUEHARBOR_2018.md"]),
        ("How did the revenue of Blue Harbor grow from FY2018 to FY2019?", ["BLUEHARBOR_2019.md"]),
        ("What was the capex of Blue Harbor?", ["BLUEHARBOR_2018.md", "BLUEHARBOR_2019.md"]),
        ("What was the revenue of Corvid in Q2 2019?", ["Corvid_2019Q2.md"]),
        ("What was the capex of 3M?", ["3M_2019.md"]),
        ("What was the revenue in 2019?", []),
        ("What was the revenue of Zephyr?", []),
    ],
)  # fmt: skip
def test_names_and_the_latest_year_lead_to_a_file(reports: qlc.Corpus, question: str, files: list[str]) -> None:
    searches = searches_of(reports, {})
    assert sorted(route_of(link(question, searches.schema), searches).files) == files


def test_a_question_without_a_name_has_no_route(reports: qlc.Corpus) -> None:
    searches = searches_of(reports, {})
    assert route_of(link("what was the revenue", searches.schema), searches) == Route()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What was the DSO of Corvid in FY2019?", "passages"),
        ("What drove the revenue in FY2019?", "passages"),
        ("What was the revenue of Zephyr?", "not_in_corpus"),
    ],
)  # fmt: skip
def test_an_absent_word_hides_no_passages_of_a_named_file(reports: qlc.Corpus, question: str, kind: str) -> None:
    assert reports.ask(question).kind == kind
