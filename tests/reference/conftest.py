"""The engine the reference programs run on: each data set is loaded once a session, when first asked for."""

from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import pytest

from tests import engines

from . import model
from .case import Case

Run = Callable[[Case], dict[str, Any]]


class Bench:
    """A client, the indices loaded into it, and a compiler for each."""

    def __init__(self, client: Any) -> None:
        self.client = client
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

            index = "entities-v4" if data == "drive" else data
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
    with engines.open_client() as client:
        yield Bench(client).run
