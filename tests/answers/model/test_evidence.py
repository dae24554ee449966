"""The passages that a writer gets: of the documents that a question names, with the rest of their page."""

import re
from collections.abc import Iterator

import pytest

import qlc
from qlc.answers.answering import prompts_of, searches_of
from qlc.answers.model.evidence import AROUND, look_for, with_neighbours
from qlc.answers.sentences import Passage, passage_of
from qlc.outcome import Answer, NotInCorpus
from tests.answers.test_groups_and_changes import MILL, MILL_FILES
from tests.corpora import made

from .conftest import Scripted, plans, writes

ROWS = "\n".join(f"| Part {at} | {at} EUR | weight of {at} kg, in steel, with bolts and a cover |" for at in range(40))
TABLE = f"| Part | Price | Remark |\n|---|---|---|\n{ROWS}\n"
FILES = {
    "reports/kestrel.md": f"# Kestrel Mills\n\n## Parts\n\n{TABLE}\n## Staff\n\nThe flour is ground by nine men.\n",
    "reports/borden.md": "# Borden Works\n\n## Staff\n\nThe flour is ground by twenty men and two women.\n",
}
SCHEMA = "version: 1\nbuckets:\n  reports:\n    description: Annual reports of companies\n"


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("reports"), FILES, SCHEMA) as corpus:
        yield corpus


def _hit(corpus: qlc.Corpus, words: str) -> list[Passage]:
    found = corpus.compiler().run(
        f'find passages where about "{words}" by words limit 1 show title, file, page, section, text, document'
    )
    return [passage_of(one) for one in found.hits]


def test_a_row_comes_with_its_table_as_far_as_it_fits(reports: qlc.Corpus) -> None:
    hits = _hit(reports, "Part 17")
    searches = searches_of(reports, {})
    whole = with_neighbours(hits, searches)
    assert [one.id for one in whole] == sorted(one.id for one in whole)
    rows = [line for one in whole for line in one.text.split("\n") if "EUR" in line]
    assert len(rows) == 40
    assert {one.section for one in whole} >= {hits[0].section}
    assert [one.id for one in with_neighbours(hits, searches, len(hits[0].text) + 10)] == [hits[0].id]


def test_other_sections_come_only_from_beside_a_hit(reports: qlc.Corpus) -> None:
    (staff,) = _hit(reports, "flour ground by nine men")
    found = with_neighbours([staff], searches_of(reports, {}))
    assert 1 < len(found) <= 1 + AROUND


def test_a_search_of_the_writer_stays_within(reports: qlc.Corpus) -> None:
    searches = searches_of(reports, {})
    within = 'document in (find reports where title = "Borden Works")'
    assert {one.file for one in look_for("who grinds flour", searches, [])} == set(FILES)
    assert {one.file for one in look_for("who grinds flour", searches, [], within)} == {"reports/borden.md"}


def test_a_search_of_the_writer_goes_on_in_documents_of_other_titles(
    reports: qlc.Corpus, scripted: Scripted
) -> None:  # fmt: skip
    plan = plans("reports", entities=[{"name": "Kestrel Mills", "role": ""}])
    looks = writes(status="search", search=["flour ground by men and women of Borden"])
    reader, server = scripted(plan, looks, writes(status="not_in_evidence"))
    reports.ask("Whose women have worked beside the men of Kestrel Mills?", reader=reader)
    before, after = (str(one["messages"]) for one in server.requests[-2:])
    assert "twenty men" not in before
    assert "twenty men" in after


def test_passages_of_others_are_no_evidence_where_a_document_is_named(reports: qlc.Corpus) -> None:
    prompt = str(prompts_of("How many men grind flour at Kestrel Mills?", reports, {})["writer"].body())
    assert "nine men" in prompt
    assert "twenty men" not in prompt


def test_what_was_read_is_told_if_it_has_no_answer(reports: qlc.Corpus, scripted: Scripted) -> None:
    """The answer claims nothing of documents that were not read."""
    reader, _ = scripted(plans(topic_terms=["flour", "millstones"]), writes(status="not_in_evidence"))
    outcome = reports.ask("Who sharpens the millstones for the flour?", reader=reader)
    assert isinstance(outcome, NotInCorpus)
    assert outcome.message.startswith("I read ")
    assert "nothing in the" not in outcome.message


def test_more_documents_than_can_be_read_are_counted_whole(
    tmp_path_factory: pytest.TempPathFactory, scripted: Scripted
) -> None:
    """45 receipts match and 40 are read: `I read 40 of the 40` would be false."""
    slips = {f"receipts/{at}.md": f"# Receipt {at}\n\nA box of screws, paid in cash by Ms Orr.\n" for at in range(45)}
    schema = "version: 1\nbuckets:\n  receipts:\n    fields:\n      payer: name\n"
    with made(tmp_path_factory.mktemp("slips"), slips, schema) as corpus:
        reader, _ = scripted(plans("receipts", intent="list", topic_terms=["screws"]), writes(status="not_in_evidence"))
        found = corpus.ask("Which receipts are for brass screws?", reader=reader)
    assert found.message.endswith("of the 45 receipts that may meet it. Narrow the question.")


def test_a_list_of_a_model_is_of_its_documents_with_what_is_in_force(
    tmp_path_factory: pytest.TempPathFactory, scripted: Scripted
) -> None:
    question = "Which leases have a rent above GBP 16,000?"
    where = {"field": "rent", "operator": ">", "value": "GBP 16,000", "raw_text": "rent above GBP 16,000"}
    plan = plans("leases", intent="list", constraints=[where])
    with made(tmp_path_factory.mktemp("mill"), MILL_FILES, MILL) as mill:
        shown = str(prompts_of(question, mill, {})["writer"].body()["messages"])
        first, former, now = (
            re.findall(r"passage id=(p\d+)", shown[: shown.index(text)])[-1]
            for text in ("Rent: GBP 18,400", "Rent: GBP 15,600", "rent is GBP 17,200")
        )
        sure = ("The rent is GBP 18,400.", [(first, "Rent: GBP 18,400")])
        changed = "The yearly rent is GBP 17,200. This replaces the previous figure."
        sources = [(now, changed), (former, "Rent: GBP 15,600")]
        both = ("The yearly rent is GBP 17,200, which replaces GBP 15,600.", sources)
        found = mill.ask(question, reader=scripted(plan, writes(sure, both))[0])
    assert isinstance(found, Answer), found
    assert {*found.covered} == {"leases/unit_3.md", "leases/unit_7.md"}
