"""The engine the reference programs run on: each data set is loaded once a session, when first asked for."""

import os
import uuid
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import pytest

from . import model
from .case import Case

Run = Callable[[Case], dict[str, Any]]


class Bench:
    """A client, the indices loaded into it, and a compiler for each."""

    def __init__(self, client: Any, prefix: str) -> None:
        self.client = client
        self.prefix = prefix
        self.compilers: dict[str, Any] = {}

    def load(self, index: str, body: dict[str, Any], sources: dict[str, dict[str, Any]]) -> None:
        from elasticsearch.helpers import bulk

        self.client.indices.create(index=index, mappings=body["mappings"])
        actions = ({"_index": index, "_id": key, "_source": source} for key, source in sources.items())
        bulk(self.client, actions, chunk_size=2000)
        self.client.indices.refresh(index=index)

    def compiler(self, data: str) -> Any:
        if data not in self.compilers:
            import qlc

            index = self.prefix + ("entities-v4" if data == "drive" else data)
            catalog = None
            if data == "drive":
                catalog = str(files("qlc") / "catalogs" / "drive.yaml")
                sources = {source["systemAttributes"]["id"]: source for source in model.drive_documents()}
                self.load(index, model.drive_mapping(), sources)
            else:
                self.load(index, model.plain_mapping(data), model.plain_documents(data))
            self.compilers[data] = qlc.Compiler(client=self.client, catalog=catalog, index=index)
        return self.compilers[data]

    def run(self, case: Case) -> dict[str, Any]:
        compiler = self.compiler(case.data)
        outcome = compiler.run(case.program, now=model.moment(case.now), timezone=case.timezone, size=10000)
        return dict(outcome.model_dump(mode="json"))


@pytest.fixture(scope="session")
def run() -> Iterator[Run]:
    import qlc

    url = os.environ.get("ELASTICSEARCH_URL")
    prefix = f"qlc-reference-{uuid.uuid4().hex[:8]}-" if url else ""
    client = qlc.connect(url or ":memory:")
    bench = Bench(client, prefix)
    try:
        yield bench.run
    finally:
        if url:
            for data in bench.compilers:
                client.indices.delete(index=prefix + ("entities-v4" if data == "drive" else data))
        client.close()
