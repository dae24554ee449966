"""A plan of a model restricts documents by those of another bucket that share a value."""

import json
from pathlib import Path
from typing import Any

import pytest

import qlc
from tests.answers.model.conftest import Scripted, judges, plans
from tests.corpora import made
from tests.tables import table

QUESTION = "Which leases are of premises that failed an inspection?"
FAILED = {"field": "result", "operator": "=", "value": "failed", "raw_text": "failed"}


@pytest.fixture
def premises(tmp_path: Path) -> qlc.Corpus:
    given = table(__file__, "PREMISES")
    return made(tmp_path, given["files"], given["schema"])


def _joined(**more: Any) -> dict[str, Any]:
    return {"field": "premises", "bucket": "inspections", "its_field": "site", "constraints": [FAILED],
            "raw_text": "premises that failed an inspection", **more}  # fmt: skip


def test_documents_are_restricted_by_those_of_another_bucket(premises: qlc.Corpus, scripted: Scripted) -> None:
    reader, _ = scripted(plans("leases", "list", joined=[_joined()]), judges(True))
    found = premises.ask(QUESTION, reader=reader)
    assert found.query == 'find leases where premises in (find inspections where result = "failed").site limit 100'
    assert [hit.name for hit in found.hits] == ["Lease of Ahn"]
    assert "inspections have site 'Pier 3', which none of the leases has." in found.notes
    assert "result is known for 3 of 4 inspections." in found.notes


def test_none_of_the_values_of_another_bucket(premises: qlc.Corpus, scripted: Scripted) -> None:
    question = "Which leases are not of premises that failed an inspection?"
    reader, _ = scripted(plans("leases", "list", joined=[_joined(negated=True)]), judges(True))
    assert [hit.name for hit in premises.ask(question, reader=reader).hits] == ["Lease of Borg", "Lease of Cole"]


@pytest.mark.parametrize("wrong", table(__file__, "WRONG"), ids=lambda one: one["said"][:30])
def test_what_cannot_be_joined_goes_back(wrong: dict[str, Any], premises: qlc.Corpus, scripted: Scripted) -> None:
    first = plans("leases", "list", joined=[_joined(**wrong["with"])])
    reader, server = scripted(first, plans("leases", "list", joined=[_joined()]), judges(True))
    assert [hit.name for hit in premises.ask(QUESTION, reader=reader).hits] == ["Lease of Ahn"]
    ((result,),) = [one["content"] for one in server.requests[1]["messages"][-1:]]
    (problem,) = json.loads(result["content"])["problems"]
    assert wrong["said"] in problem
