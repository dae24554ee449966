"""Questions about what can be asked: answered from the catalog, and no other question is taken for one."""

from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Explain, Outcome
from qlc.translator.entry import Asker
from qlc.translator.protocol import Turn
from tests.tables import table

NOW = "2026-03-15T12:00:00Z"


CLINIC = table(__file__, "CLINIC")


def over(mapping: dict[str, Any], catalog: str | None, document: dict[str, Any]) -> Iterator[Asker]:
    client = qlc.connect(":memory:")
    client.indices.create(index="clinic", mappings={"properties": mapping})
    client.index(index="clinic", document=document, refresh=True)
    yield Asker(qlc.Compiler(client, None if catalog is None else read_catalog(catalog), "clinic", draft=False))
    client.close()


@pytest.fixture(scope="module")
def confidential() -> Iterator[Asker]:
    keyword = {"type": "keyword"}
    yield from over({"name": keyword, "diagnosis": keyword}, CLINIC, {"name": "Ann", "diagnosis": "flu"})


@pytest.fixture(scope="module")
def bare() -> Iterator[Asker]:
    mapping = {"Carrier": {"type": "keyword"}, "Price": {"type": "float"}}
    yield from over(mapping, None, {"Carrier": "Kiwi", "Price": 3})


def explained(asker: Asker, text: str, **more: Any) -> Explain:
    outcome = asker.ask(text, now=NOW, **more)
    assert isinstance(outcome, Explain), (text, outcome)
    assert outcome.about == "help"
    return outcome


def answered(asker: Asker, program: str) -> Outcome:
    return asker.ask(program, read_as="program", now=NOW)


@pytest.mark.parametrize("text", [
    "what can I ask?", "which fields do contracts have?", "what is a tag?", "define created", "what is an owner?",
    "what is the amount field", "what are shares?", "what is a W2?", "what does overdue mean", "what is a folder?",
    "what do you know about people?",
])  # fmt: skip
def test_what_is_suggested_can_be_asked(drive: Asker, text: str) -> None:
    for suggestion in explained(drive, text).suggestions:
        assert answered(drive, suggestion).kind in ("hits", "count", "aggregate", "value"), suggestion


def test_behind_an_answer_only_what_leaves_no_doubt(drive: Asker) -> None:
    history = [Turn("contracts", 'find documents where type = "Contract"', {"kind": "hits", "ids": ["x"], "total": 1})]
    assert drive.ask("what is the size?", now=NOW, history=history).kind != "explain"
    assert explained(drive, "what does counterparty mean?", history=history).message
    assert explained(drive, "what is a relationship id?", history=history).message.startswith("relationship is a field")


def test_sensitive_fields_are_not_spoken_of(confidential: Asker) -> None:
    everything = explained(confidential, "which fields do patients have?").message
    assert "diagnosis" not in everything
    assert confidential.ask("what is a diagnosis?", now=NOW).kind != "explain"
    permitted = explained(confidential, "which fields do patients have?", context={"sensitive": ["diagnosis"]})
    assert "diagnosis" in permitted.message


def test_without_a_catalog(bare: Asker) -> None:
    assert explained(bare, "what can I ask?").message.startswith("You can ask about entries.")
    assert "Carrier" in explained(bare, "which fields are there?").message
