"""The engines that programs run on: the embedded one in memory, and real servers. Each program is compiled once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from elasticsearch import Elasticsearch

from qlc.pipeline.compiler import Compiler, Prepared
from tests.differential.programs import Program
from tests.differential.worlds import World, load, unload, worlds

Answer = dict[str, Any]
DEADLINE = 60.0
"""Seconds: long, for what is compared is what is answered and not how soon."""


class Engine:
    """One engine with all worlds in it. It has caches of its own; schemas and compiled programs are shared."""

    def __init__(self, name: str, client: Elasticsearch, compilers: Mapping[str, Compiler]) -> None:
        self.name = name
        self.is_opensearch = name.startswith("OpenSearch")
        self.client = client
        self.bodies: list[tuple[str, dict[str, Any]]] = []
        self.compilers = {world.name: self._compiler(world, compilers[world.name]) for world in worlds()}
        self._listen()

    def _compiler(self, world: World, shared: Compiler) -> Compiler:
        made = Compiler(self.client, world.catalog, world.index, mapping=world.mapping)
        made._shared.source = shared._shared.source  # entities are compared by identity
        return made

    def _listen(self) -> None:
        """Remember what is searched for."""
        transport: Any = self.client.transport
        perform = transport.perform_request

        def perform_request(method: str, target: str, **more: Any) -> Any:
            if "_search" in target or "_msearch" in target:
                self.bodies += _searches(target, more.get("body"))
            return perform(method, target, **more)

        transport.perform_request = perform_request

    def load(self) -> None:
        for data in dict.fromkeys(world.data for world in worlds()):
            load(self.client, data, of_opensearch=self.is_opensearch)

    def unload(self) -> None:
        for data in dict.fromkeys(world.data for world in worlds()):
            unload(self.client, data)

    def run(self, program: Program, compiled: Prepared) -> Answer:
        """The outcome as JSON, of all pages where it goes on: what differs from run to run is left out."""
        prepared = self.compilers[program.world].prepare(program.text)
        prepared._compiled = compiled._compiled
        outcome = prepared.run(**program.options, deadline=DEADLINE)
        found = comparable(outcome.model_dump(mode="json"))
        cursor = getattr(outcome, "cursor", None)
        if cursor is not None:
            more = prepared.run(**program.options, deadline=DEADLINE, cursor=cursor)
            found["next page"] = comparable(more.model_dump(mode="json"))
        return found


def comparable(outcome: Answer) -> Answer:
    """Return an answer without times, ids of failures, and the text of its cursor: these differ between runs."""
    found = {name: value for name, value in outcome.items() if name != "stats"}
    if "cursor" in found:
        found["cursor"] = found["cursor"] is not None
    if found["kind"] == "failed":
        found.pop("id")
    if found["kind"] == "value":
        found.pop("message")  # says the value, which is compared as a number
    return found


def _searches(target: str, body: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """(index, body) of each search; one in a point in time names no index."""
    if isinstance(body, Sequence) and not isinstance(body, str | bytes):
        for head, one in zip(body[::2], body[1::2], strict=True):
            yield str(_parsed(head).get("index", "")), _parsed(one)
    elif body is not None:
        yield target.split("?")[0].strip("/").removesuffix("_search").strip("/"), _parsed(body)


def _parsed(body: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body) if isinstance(body, str | bytes) else body
    return found


# --- validation -----------------------------------------------------------------------------------------------------

TOGETHER = 40


def invalid_queries(client: Elasticsearch, bodies: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    """The queries that `_validate/query` refuses. Many are asked about at once; one refusal is looked for by halves."""
    by_index: dict[str, dict[str, Any]] = {}
    for index, body in bodies:
        if "query" in body and index:
            by_index.setdefault(index, {})[json.dumps(body["query"], sort_keys=True)] = body["query"]
    found: list[str] = []
    for index, queries in by_index.items():
        each = list(queries.values())
        for start in range(0, len(each), TOGETHER):
            found += _invalid(client, index, each[start : start + TOGETHER])
    return found


def _invalid(client: Elasticsearch, index: str, queries: list[dict[str, Any]]) -> list[str]:
    together = queries[0] if len(queries) == 1 else {"bool": {"should": queries}}
    answer = client.indices.validate_query(index=index, query=together, explain=True)
    if answer["valid"]:
        return []
    if len(queries) == 1:
        why = [one.get("error") for one in answer.get("explanations", ())] or answer.get("error")
        return [f"{json.dumps(queries[0])[:2000]}: {why}"]
    half = len(queries) // 2
    return _invalid(client, index, queries[:half]) + _invalid(client, index, queries[half:])
