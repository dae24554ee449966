"""A writer tells numbers of a statement that was read from a PDF: each is held to its cell."""

from collections.abc import Iterator
from functools import partial

import pytest

import qlc
from qlc.outcome import Answer
from tests.answers.drawing import drawn
from tests.answers.model.conftest import Scripted, plans, writes
from tests.corpus.files import pdf
from tests.tables import rows, table

ROWS = table(__file__, "ROWS")
ASKED = "How did the workshop fare with what it has at hand?"
OF_2021 = [("p1", "Working capital 5,128 4,655")]


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    place = tmp_path_factory.mktemp("statements")
    (place / "files").mkdir()
    pdf(place / "files/oakfield.pdf", partial(drawn, "Oakfield Workshops, balance sheet", [("(in thousands)", ROWS)]))
    stores = tuple((f"Store of shelf {number}", f"{2_000 + 17 * number:,}", "1,411") for number in range(41))
    long = [("(in thousands)", (ROWS[0], *stores))]
    pdf(place / "files/stores.pdf", partial(drawn, "Oakfield Workshops, balance sheet", long))
    with qlc.Corpus.create(place / "corpus") as corpus:
        corpus.add(place / "files", processes=1)
        yield corpus


@pytest.mark.parametrize(
    "said",
    [
        "Working capital was $5,128 thousand at June 30, 2021.",
        "At June 30, 2021, working capital amounted to USD 5.128 million.",
        "Working capital rose from $4,655 thousand in 2020 to $5,128 thousand in 2021.",
    ],
)
def test_a_number_of_a_cell_may_be_said(said: str, statements: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(plans(topic_terms=["working capital"]), writes((said, OF_2021)))
    found = statements.ask(ASKED, reader=reader)
    assert isinstance(found, Answer), found
    assert found.message == said
    assert len(server.requests) == 2


@pytest.mark.parametrize(("said", "why"), rows(__file__, "test_a_number_of_another_cell_goes_back_with_the_reading"))
def test_a_number_of_another_cell_goes_back_with_the_reading(
    said: str, why: str, statements: qlc.Corpus, scripted: Scripted
) -> None:
    right = "Working capital was $5,128 thousand at June 30, 2021."
    script = [plans(topic_terms=["working capital"]), writes((said, OF_2021)), writes((right, OF_2021))]
    reader, server = scripted(*script)
    found = statements.ask(ASKED, reader=reader)
    told = str(server.requests[2]["messages"][-1])
    assert why in told
    assert "the row" in told
    assert "in thousands, under" in told
    assert found.message == right


def test_a_writer_sees_what_stands_above_a_passage_of_a_table(statements: qlc.Corpus, scripted: Scripted) -> None:
    quote = [("p3", "Store of shelf 39 2,663 1,411")]
    said = "The store of shelf 39 was 2,663 thousand at June 30, 2021."
    reader, server = scripted(plans(topic_terms=["shelf 39"]), writes((said, quote)))
    found = statements.ask("Which sum lies on shelf 39 in the end?", reader=reader)
    shown = server.requests[1]["messages"][0]["content"]
    assert 'table_head="(in thousands)\\n\\tJune 30, 2021\\tJune 30, 2020"' in shown
    assert found.message == said
