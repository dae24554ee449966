"""Later messages about options, about an explained request, and about offers of an explanation."""

import pytest

from qlc.translator.entry import Asker

from .conftest import NOW, Talk
from .test_turns import ids_in

EXPLAINED = 'put this in plain words: {"query": {"term": {"commonAttributes.fileExtension": "mp4"}}}'


def test_an_option_is_chosen_by_where_it_lies(drive: Asker, talk: Talk) -> None:
    conversation = talk()
    for text in ("files in Receipts from Costco", "the kowalski one"):
        conversation.turn(text)
    other = conversation.turn("and the one in Archive?")
    assert other.origin == "choice"
    assert other.outcome.model_dump()["ids"] == ids_in(drive, "root/Archive/Receipts")


def test_the_slice_after_a_slice_of_several_pages(drive: Asker, talk: Talk) -> None:
    conversation = talk()
    texts = ("the 20 biggest photos", "now the 20 after those", "and the next 5")
    ids = [conversation.turn(text).outcome.model_dump()["ids"] for text in texts]
    program = 'find documents where type = "Photo" sort size desc limit 45'
    all_of_them = list(drive.compiler.run(program, now=NOW, size=50).model_dump()["ids"])
    assert all_of_them[20:] == [*ids[1], *ids[2]]


def test_of_two_options_there_is_another_one(talk: Talk) -> None:
    conversation = talk()
    asked = conversation.turn("how many docs are in Payroll?").outcome
    assert len(asked.model_dump()["options"]) == 2
    counts = [conversation.turn(text).outcome.model_dump()["value"] for text in ("the first", "and in the other one?")]
    assert sorted(counts) == [12, 46]


@pytest.mark.parametrize(("text", "number"), [("run it with size 3", 3), ("run it but only the first 5", 5)])
def test_an_explained_request_is_run_with_a_size(talk: Talk, text: str, number: int) -> None:
    conversation = talk()
    assert conversation.turn(EXPLAINED).outcome.kind == "explain"
    reply = conversation.turn(text)
    assert (reply.paged, len(reply.outcome.model_dump()["ids"])) == (True, number)


def test_what_an_explanation_offers_is_agreed_to(talk: Talk) -> None:
    conversation = talk()
    for text in ("docs in Legal", "did you look in the subfolders as well?"):
        conversation.turn(text)
    assert conversation.turn("yes please do").outcome.query == 'find documents where folder under "Legal"'


def test_a_new_question_is_after_a_request_that_is_not_run(talk: Talk) -> None:
    conversation = talk()
    rejected = conversation.turn('GET /x/_search {"query": {"script": {"script": {"source": "1 > 0"}}}}')
    assert rejected.outcome.kind == "rejected_query"
    assert conversation.turn("ok, in words then: NDAs over 2 MB").outcome.kind == "hits"


def test_each_of_two_questions_has_its_condition(talk: Talk) -> None:
    reply = talk().turn("how many folders does Carlos Mendes own, and how many documents?")
    assert [one.query for one in reply.outcomes] == [
        'count folders where owner = "Carlos Mendes"', 'count documents where owner = "Carlos Mendes"'
    ]  # fmt: skip
