"""`qlc explain --share`: nothing of the question, the program or the data is in it."""

import json
import re
from typing import Any

import pytest

import qlc
from qlc.cli import settings
from qlc.cli.explain import explain
from qlc.cli.main import main

SECRETS = ["Zebrowska", "Xylographic", "Quarkfeld", "zq-4711", "987654", "2019-07-23", "marmalade", "ann@quark.example"]
"""Values of documents, questions and programs. Each is in what `--json` prints."""
WORDS = [
    "parcels of Zebrowska in Quarkfeld", "how many parcels with a weight over 987654 from marmalade", "zq-4711",
    'parcels where note = "Xylographic marmalade" since 2019-07-23', "who is ann@quark.example?",
    "parcels in July 2019",
    "total weight per town of Zebrowska", "parcels of Zebrowsky", "average weight of xylographic things by marmalade",
]  # fmt: skip
PROGRAMS = [
    'find parcels where person = "Zebrowska" and weight > 987654', 'count parcels where sent = 2019-07-23 by town',
    'find parcels where marmalade = "Xylographic"', 'find parcels where id = "zq-4711" show person, town',
    'sum(weight) of parcels where note matches "marmalade" by town having sum(weight) > 987654', 'find parcels where `',
    'get parcel("Zebrowsky").weight', "find parcels -- Zebrowska", 'count parcels by bins(weight, 987654)',
]  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("shared")
    with qlc.connect(folder / "store") as client:
        documents = [
            {"id": "zq-4711", "person": "Zebrowska", "town": "Quarkfeld", "weight": 987654, "sent": "2019-07-23",
             "note": "Xylographic marmalade", "mail": "ann@quark.example"},
            {"id": "b", "person": "Zebrowski", "town": "Quarkfeld", "weight": 3, "sent": "2019-07-24", "note": "-"},
        ]  # fmt: skip
        for one in documents:
            client.index(index="parcels", id=one["id"], document=one, refresh=True)
    (folder / "catalog.yaml").write_text(
        "version: 1\nindex: parcels\nentities:\n  parcel: {plural: parcels, id: number, names: [person]}\n"
        "fields: {number: id.keyword, person: person.keyword, town: town.keyword, weight: weight, sent: sent, "
        "note: note}\n", "utf-8")  # fmt: skip
    return str(folder)


def shared(store: str, query: str, capsys: pytest.CaptureFixture[str], **more: Any) -> str:
    found = {"share": True, "data": f"{store}/store", "catalog": f"{store}/catalog.yaml", "rules_only": True, **more}
    explain(settings.Explain(query=query, **found))
    return capsys.readouterr().out


@pytest.mark.parametrize("query", [*WORDS, *PROGRAMS])
@pytest.mark.parametrize("dry", [False, True])
def test_no_value_is_shared(store: str, query: str, dry: bool, capsys: pytest.CaptureFixture[str]) -> None:
    said = shared(store, query, capsys, dry=dry)
    assert json.loads(said)["versions"]["qlc"] == qlc.__version__
    values = {part.lower() for one in SECRETS for part in (one, *re.findall(r"\w{4,}", one))}
    assert [value for value in values | {"zebrowski", "zebrowsky", "july"} if value in said.lower()] == []


def test_the_values_would_be_there_otherwise(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = "".join(shared(store, query, capsys, share=False, json=True) for query in [*WORDS, *PROGRAMS])
    assert [one for one in SECRETS if one not in said] == []


def test_structure_and_types_are_shared(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(shared(store, "how many parcels of Zebrowska weigh more than 5?", capsys))
    assert found["question"] == "how many parcels of word1 word2 more than number3?"
    found = json.loads(shared(store, PROGRAMS[0], capsys))
    assert found["query"] == 'find parcels where person = "?" and weight > ?'
    assert {"field": "weight: number"}.items() <= found["typed"]["Find"]["where"]["And"]["items"][1]["Compare"].items()
    assert (found["outcome"]["kind"], found["outcome"]["hits"]) == ("hits", 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--corpus", "papers"], "--share takes a question to an index"),
        (["--demo"], "--share takes words or a query"),
    ],
)
def test_what_cannot_be_shared(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--share", *arguments, '{"query": {"term": {"a": "b"}}}']) == 2
    assert message in capsys.readouterr().err
