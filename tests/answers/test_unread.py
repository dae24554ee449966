"""Absence, lists and counts are claimed of what was read; the files that could not be read are named."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import qlc
from tests.answers.conftest import ROOT
from tests.answers.model.conftest import Scripted, plans, scripted, writes

__all__ = ["scripted"]

LOCKED = "contracts/locked.pdf"
BOTH = "2 files could not be read, and may belong to this: contracts/cut_off.pdf and contracts/locked.pdf."


def test_a_search_names_what_was_not_read(library: qlc.Corpus) -> None:
    assert BOTH in library.search("sanctions", by="words").notes
    tool = library.call_tool("search_text", {"query": "sanctions"})
    assert BOTH in tool.model_dump_json()


def test_a_conversation_names_what_was_not_read(library: qlc.Corpus) -> None:
    talk = qlc.Conversation(library)
    talk.turn("Which contracts are from 2023?")
    assert BOTH in talk.turn("which of them renew?").outcome.notes


def test_a_model_is_told_what_was_not_read(library: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(plans(topic_terms=["hotels"]), writes(status="not_in_evidence"))
    found = library.ask("Which hotels stand under sanctions, and why?", reader=reader)
    assert "contracts/locked.pdf" in str(server.requests[-1]["messages"])
    assert found.message.endswith(BOTH)


@pytest.mark.parametrize("question", [
    "Who is Wilhelmina Quarrington?", "Which contracts have a notice period under 60 days?",
    "How many contracts renew?",
])  # fmt: skip
def test_files_that_a_caller_may_not_see_are_not_named(question: str, library: qlc.Corpus, tmp_path: Path) -> None:
    catalog = yaml.safe_load(library.catalog())
    rule = 'file = "contracts/cut_off.pdf" or state = "ready"'
    for entity in ("document", "contract"):
        catalog["entities"][entity]["access"] = rule
    (tmp_path / "catalog.yaml").write_text(yaml.safe_dump(catalog, sort_keys=False), "utf-8")
    limited = qlc.Corpus(library.client, library.index, catalog=tmp_path / "catalog.yaml")
    shown = limited.explain(question).model_dump_json()
    assert "1 file could not be read, and may belong to this: contracts/cut_off.pdf." in shown
    assert LOCKED not in shown
    assert "2 files" not in shown
    assert LOCKED not in limited.search("sanctions", by="words").model_dump_json()


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    root = tmp_path_factory.mktemp("damaged")
    (root / "files/papers").mkdir(parents=True)
    (root / "files/papers/plan.md").write_text("# Plan\n\nThe plan is ready.\n", "utf-8")
    whole = (ROOT / "examples/library/contracts/cut_off.pdf").read_bytes()
    for number in range(17):
        (root / f"files/papers/scan_{number:02}.pdf").write_bytes(whole + str(number).encode())
    with qlc.Corpus.create(root / "made") as corpus:
        corpus.add(root / "files", processes=1)
        yield corpus


def test_many_files_are_counted_and_the_first_are_named(damaged: qlc.Corpus) -> None:
    message = damaged.ask("What is the plan of Quarrington?").message
    assert message.startswith("The only document that I read does not have 'Quarrington'.")
    assert "17 files could not be read, and may belong to this: papers/scan_00.pdf" in message
    assert message.endswith("papers/scan_04.pdf and 12 more.")
