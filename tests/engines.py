"""The engine that the tests run on: `QLC_TEST_ENGINE=embedded` (the default), `8`, `9`, `opensearch2`, `opensearch3`.

`opensearch` is the same as `opensearch2`. `ELASTICSEARCH_URL` names a cluster in place of a server of ours. On a real
server each client that is opened here has names of indices to itself, so that tests do not meet.
"""

import atexit
import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from typing import Any
from uuid import uuid4

from elastic_transport import AiohttpHttpNode, Urllib3HttpNode
from elastic_transport._node import NodeApiResponse
from elasticsearch import Elasticsearch

from qlc_engine import Engine, async_node_class, clients, node_class
from tests.servers.server import ElasticsearchServer

NAME = os.environ.get("QLC_TEST_ENGINE", "embedded")
KIND = int(NAME) if NAME.isdecimal() else "opensearch2" if NAME == "opensearch" else NAME
IS_EMBEDDED = NAME == "embedded"
IS_OPENSEARCH = NAME.startswith("opensearch")
IS_ELASTICSEARCH = not (IS_EMBEDDED or IS_OPENSEARCH)

if not IS_EMBEDDED:  # the tests of the engine alone run without qlc
    from qlc.store.opensearch import recognising, recognising_async

_STARTED = ExitStack()


def open_client() -> Elasticsearch:
    """A client of the engine under test, with no indices of its own yet."""
    url, base = line()
    return Elasticsearch(url, node_class=base, request_timeout=600)


def line() -> tuple[str, Any]:
    """The address and the class of node of a client that has the engine under test to itself."""
    return lines()[:2]


def lines(engine: Engine | None = None) -> tuple[str, Any, Any]:
    """As `line`, with the class of node of an asynchronous client of the same. An embedded engine may be given."""
    if IS_EMBEDDED:
        engine = engine or Engine.open(None)
        return clients.URL, node_class(engine), async_node_class(engine)
    url, prefix = server_url(), f"apart-{uuid4().hex[:8]}-"
    atexit.register(_remove, prefix)  # before the server is stopped, which was registered earlier
    return url, _apart(prefix), _apart_async(prefix)


@cache
def server_url() -> str:
    """The real server of this process, started when it is first asked for."""
    given = os.environ.get("ELASTICSEARCH_URL")
    if given:
        return given
    atexit.register(_STARTED.close)
    return _STARTED.enter_context(ElasticsearchServer(KIND, short_lived=True)).url


def _apart(prefix: str) -> type[Urllib3HttpNode]:
    """Return a node that adds a prefix to the names of indices, and hides it in answers.

    The indices are removed at the end of the process.
    """

    class Apart(recognising(Urllib3HttpNode)):
        def perform_request(  # type: ignore[no-untyped-def]
            self, method, target, body=None, headers=None, request_timeout=None
        ) -> NodeApiResponse:
            answer = super().perform_request(method, *_sent(target, body, prefix), headers, request_timeout)
            return NodeApiResponse(answer.meta, answer.body.replace(prefix.encode(), b""))

    return Apart


def _apart_async(prefix: str) -> type[AiohttpHttpNode]:
    class Apart(recognising_async(AiohttpHttpNode)):
        async def perform_request(  # type: ignore[no-untyped-def]
            self, method, target, body=None, headers=None, request_timeout=None
        ) -> NodeApiResponse:
            answer = await super().perform_request(method, *_sent(target, body, prefix), headers, request_timeout)
            return NodeApiResponse(answer.meta, answer.body.replace(prefix.encode(), b""))

    return Apart


def _sent(target: str, body: Any, prefix: str) -> tuple[str, Any]:
    return _prefixed(target, prefix), _prefixed_lines(body, prefix) if body and _has_lines(target) else body


def _remove(prefix: str) -> None:
    with Elasticsearch(server_url(), node_class=recognising(Urllib3HttpNode)) as client:
        client.options(ignore_status=[400, 404]).indices.delete(index=f"{prefix}*")


def _has_lines(target: str) -> bool:
    return bool(re.search(r"/_(bulk|msearch)(\?|$)", target))


def _prefixed(target: str, prefix: str) -> str:
    path, mark, query = target.partition("?")
    _, names, *rest = path.split("/")
    if names.startswith("_") or not names:
        return target
    named = ",".join(f"{prefix}{name}" for name in names.replace("%2C", ",").split(","))
    return "/".join(["", named, *rest]) + mark + query


def _prefixed_lines(body: Any, prefix: str) -> bytes:
    """The lines of a bulk or a multi-search: names of indices stand in the lines before sources and bodies."""

    def lines() -> Iterator[bytes]:
        is_head = True
        for raw in body.splitlines():
            head = json.loads(raw) if is_head else None
            if head is None:
                is_head = True
                yield raw
                continue
            inner = next(iter(head.values())) if set(head) <= {"index", "create", "update", "delete"} and head else head
            inner = inner if isinstance(inner, dict) else head
            for key in ("_index", "index"):
                if isinstance(inner.get(key), str):
                    inner[key] = prefix + inner[key]
            is_head = "delete" in head
            yield json.dumps(head).encode()

    return b"\n".join(lines()) + b"\n"
