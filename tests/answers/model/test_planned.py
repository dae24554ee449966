"""Plans of a model with an order, a limit and groups."""

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer
from tests.answers.model.conftest import Scripted, judges, plans, writes
from tests.corpora import made

SCHEMA = """
version: 1
buckets:
  leases:
    fields:
      city: {type: name, labels: [City]}
      rent: {type: money, labels: [Rent]}
      begins: {type: date, labels: [Begins]}
"""
LEASES = {"elm": ("Ulm", 500, 2021), "oak": ("Ulm", 900, 2022), "ash": ("Rye", 700, 2022), "fir": ("Rye", 900, 2023)}
FILES = {
    f"leases/{name}.md": f"# Lease {name}\n\nCity: {city}\n\nRent: EUR {rent}.00\n\nBegins: {year}-03-01\n"
    for name, (city, rent, year) in LEASES.items()
}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("town"), FILES, SCHEMA) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "planned", "names"),
    [
        ("What is the dearest lease?", {"measure": "max", "limit": 1, "computed_text": "the dearest"},
         ["Lease fir", "Lease oak"]),
        ("What are the two dearest leases?", {"measure": "max", "limit": 2, "computed_text": "the two dearest"},
         ["Lease fir", "Lease oak"]),
        ("What is the leanest lease?", {"measure": "min", "limit": 1, "computed_text": "the leanest"}, ["Lease elm"]),
        ("What are the two leanest leases?", {"measure": "min", "limit": 2, "computed_text": "the two leanest"},
         ["Lease elm", "Lease ash"]),
    ],
)  # fmt: skip
def test_an_extreme_names_its_documents_in_order(
    question: str, planned: dict[str, object], names: list[str], town: qlc.Corpus, scripted: Scripted
) -> None:
    reader, _ = scripted(plans("leases", "compute", fields=["rent"], **planned), judges(True))
    found = town.ask(question, reader=reader)
    assert isinstance(found, Answer), found
    assert sorted(row.name for row in found.rows) == sorted(names)
    assert [row.cells["rent"].value for row in found.rows] == sorted(
        (row.cells["rent"].value for row in found.rows), reverse=planned["measure"] == "max")  # fmt: skip


def test_a_planned_group_has_a_number_each(town: qlc.Corpus, scripted: Scripted) -> None:
    reader, server = scripted(
        plans("leases", "compute", fields=["rent"], measure="sum", group_by=["town"]),
        plans("leases", "compute", fields=["rent"], measure="sum", group_by=["year(begins)"],
              computed_text="add up year after year"), judges(True),
    )  # fmt: skip
    found = town.ask("How do rents of leases add up year after year?", reader=reader)
    assert isinstance(found, Answer), found
    assert "to group by" in str(server.requests[1]["messages"][-1])
    assert {row.name: row.cells["rent"].value for row in found.rows} == {"2021": 500, "2022": 1600, "2023": 900}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("did they approve it?", "clarify"),
        ("and when does that one end?", "clarify"),
        ("how much did the city ask for when it let them?", "not_in_corpus"),
    ],
)
def test_a_question_that_only_points_is_a_clarification(
    town: qlc.Corpus, scripted: Scripted, question: str, kind: str
) -> None:
    reader, server = scripted(plans("leases", topic_terms=["end"]), writes(status="not_in_evidence"))
    assert town.ask(question, reader=reader).kind == kind
    assert len(server.requests) == (1 if kind == "clarify" else 2)
