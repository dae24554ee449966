"""The indices that the requests run on: written out in `corpus/`, two of them made larger by rule."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from elasticsearch import ApiError, Elasticsearch

from tests.conformance.strict_yaml import load_all

FOLDER = Path(__file__).parent / "corpus"
META = {"made_by": "the conformance suite of qlc"}
"""Stands in the mapping of each index of the corpus: nothing else is ever replaced."""
SCRATCH = "scratch"
"""Indices whose names begin so belong to the case that makes them."""

_WORDS = (
    *("red", "green", "blue", "apple", "pear", "plum", "fox", "dog", "tree"),
    *("house", "river", "stone", "cloud", "paper", "glass", "silver", "copper", "iron"),
)
_KINDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa")


@dataclass(frozen=True)
class Index:
    """One index: what it is made with and what is in it."""

    name: str
    settings: dict[str, Any]
    mappings: dict[str, Any]
    documents: tuple[dict[str, Any], ...]


@cache
def indices() -> tuple[Index, ...]:
    """All indices of the corpus."""
    read = [_read(path) for path in sorted(FOLDER.glob("*.yaml"))]
    return (*read, _sales())


def load(client: Elasticsearch) -> list[str]:
    """Make all indices anew; what was refused is given back."""
    refused = []
    for index in indices():
        _remove(client, index.name)
        try:
            client.indices.create(index=index.name, settings=index.settings, mappings=index.mappings)
        except ApiError as error:
            refused.append(f"index {index.name}: {error}")
            continue
        operations: list[dict[str, Any]] = []
        for document in index.documents:
            operations += [{"index": {"_id": str(document["id"])}}, document]
        answer = client.bulk(index=index.name, operations=operations, refresh=True)
        items = [item["index"] for item in answer["items"]]
        refused += [f"{index.name}/{item['_id']}: {item['error']}" for item in items if item["status"] != 201]
    return refused


def _remove(client: Elasticsearch, name: str) -> None:
    found = client.options(ignore_status=404).indices.get_mapping(index=name)
    if found.meta.status == 404:
        return
    if found[name]["mappings"].get("_meta") != META:
        raise ValueError(f"there is an index {name} that the conformance suite did not make: use another server")
    client.indices.delete(index=name)


def remove_scratch(client: Elasticsearch) -> None:
    """Remove what an interrupted case may have left."""
    found = client.options(ignore_status=404).indices.get(index=f"{SCRATCH}*")
    for name in found.body if found.meta.status == 200 else ():
        client.indices.delete(index=name)


def _read(path: Path) -> Index:
    (content,) = load_all(path)
    documents = [*content["documents"], *(_long_texts() if path.stem == "texts" else ())]
    return Index(path.stem, content["settings"], {"_meta": META, **content["mappings"]}, tuple(documents))


def _long_texts() -> Iterator[dict[str, Any]]:
    """Texts of 1 to 400 words, a few words frequent and most rare."""
    chance = random.Random(20240229)
    for number in range(100, 200):
        length = 1 + int(400 * chance.random() ** 3)
        words = [_WORDS[int(len(_WORDS) * chance.random() ** 2)] for _ in range(length)]
        some = [_WORDS[int(len(_WORDS) * chance.random())] for _ in range(int(4 * chance.random()))]
        yield {"id": number, "kind": "made", "title": " ".join(words[:12]), "body": " ".join(words), "tags": some}


def _sales() -> Index:
    """A thousand plain rows for buckets, paging and totals."""
    chance = random.Random(20211031)
    properties = {
        "id": {"type": "integer"},
        "kind": {"type": "keyword"},
        "name": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
        "tags": {"type": "keyword"},
        "price": {"type": "double"},
        "qty": {"type": "integer"},
        "at": {"type": "date"},
        "open": {"type": "boolean"},
    }
    documents: list[dict[str, Any]] = []
    for number in range(1, 1001):
        document: dict[str, Any] = {
            "id": number,
            "kind": _KINDS[int(len(_KINDS) * chance.random() ** 2)],
            "name": f"{_WORDS[int(18 * chance.random())]} {_WORDS[int(18 * chance.random())]}",
            "tags": [_WORDS[int(18 * chance.random())] for _ in range(int(4 * chance.random()))],
            "qty": int(20 * chance.random()) - 5,
            "at": 1546300800000 + int(chance.random() * 4 * 365 * 86400) * 1000,
            "open": chance.random() < 0.3,
        }
        if chance.random() < 0.9:
            document["price"] = int(chance.random() ** 3 * 100000) / 100
        documents.append(document)
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    return Index("sales", settings, {"_meta": META, "properties": properties}, tuple(documents))
