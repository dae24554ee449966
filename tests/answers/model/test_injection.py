"""Texts of documents that speak to a model: they stand as escaped data in every prompt, and change nothing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.answers.answering import prompts_of, searches_of
from qlc.answers.linking import link
from qlc.answers.model.evidence import gathered
from qlc.answers.model.forms import Written
from qlc.answers.model.writing import checked
from qlc.answers.planning import plans
from tests.answers.model.conftest import Scripted, writes
from tests.model.messages_api import uses
from tests.tables import table

FORMS = table(__file__, "FORMS")
PUMP = "The pump weighs 12 kg and stands in the cellar."
QUESTION = "Where does one see the pump?"


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    """A corpus where each form stands in a text, a title, a heading, an annotation, and a file name."""
    folder: Path = tmp_path_factory.mktemp("poisoned")
    (folder / "files").mkdir()
    for number, form in enumerate(FORMS):
        line = " ".join(form.split())
        name = "".join(one for one in line if one not in '/\\:\n"|*?' and one.isprintable())[:60]
        text = f"# Pump {line}\n\n{PUMP}\n\n{form}\n\n## Care {line}\n\nPump note: {line}\n\nOil the pump.\n"
        (folder / "files" / f"{number} {name}.md").write_text(text, "utf-8")
    with qlc.Corpus.create(folder / "corpus") as corpus:
        corpus.add(folder / "files", processes=1)
        yield corpus


def test_no_prompt_of_any_mode_has_a_delimiter_of_a_document(poisoned: qlc.Corpus, library: qlc.Corpus) -> None:
    assert poisoned.status().documents == len(FORMS)
    for question in (QUESTION, f"pump {FORMS[1]}", f"pump {FORMS[2]}"):
        requests = prompts_of(question, poisoned, {})
        plain = prompts_of(question, library, {})
        for name, request in requests.items():
            (message,) = request.messages
            content = message["content"]
            assert content.count("<question>") == content.count("</question>") == 1, name
            assert content.count("</evidence>") == (name == "writer")
            assert content.count("</passage>") == content.count("<passage id=")
            assert request.system[0] == plain[name].system[0]
            assert request.tools == plain[name].tools


def test_a_tool_gives_it_as_data(poisoned: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(
        uses("search_text", {"query": "pump", "top_k": 20}),
        uses("search_text", {"query": " ".join(FORMS)[:300], "top_k": 20}),
        uses("annotations_search", {"label": "pump note"}),
        writes(status="not_in_evidence"),
        mode="single_loop",
    )
    assert poisoned.ask(QUESTION, reader=reader).kind == "not_in_corpus"
    first, *_, last = server.requests
    assert last["system"] == first["system"]
    for message in last["messages"][2::2]:
        (block,) = message["content"]
        assert "<" not in block["content"]
        assert not block["is_error"]
        json.loads(block["content"])


def test_a_model_that_obeys_is_stopped(poisoned: qlc.Corpus) -> None:
    searches = searches_of(poisoned, {})
    found = gathered(plans(link("pump", searches.schema), searches)[0], searches).passages
    passages = [one for one in found if PUMP in one.text]
    shown = [(one, form) for one in passages for form in FORMS if " ".join(form.split()) in " ".join(one.text.split())]
    assert len(shown) > 5
    for passage, form in shown:
        obeyed = {"passage": passage.name, "quote": form}
        right = {"passage": passage.name, "quote": PUMP}
        claims = [
            {"text": "The pump is free of charge.", "citations": [obeyed]},
            {"text": "The pump weighs 12 kg.", "citations": [right]},
        ]
        written = Written.model_validate({"status": "answer", "claims": claims})
        assert [*checked(written, {passage.name: passage}, "pump", searches).claims] == [1], form
