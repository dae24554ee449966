"""Creates all clients: of Elasticsearch, of OpenSearch, and of the embedded engine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from qlc.base.errors import FolderError, FolderLocked, UsageError, reason_of

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch

    from qlc_engine import Engine

MAX_ANSWER_BYTES = 100 * 1024 * 1024
"""The limit of Elasticsearch itself for one request (`http.max_content_length`)."""

EMBEDDED_URL = "http://embedded:9200"


class OpenSearchClient(Protocol):
    """A client of `opensearch-py`."""

    transport: Any


Target = str | Path | Sequence[str] | OpenSearchClient
"""A folder, `":memory:"`, the addresses of a server (a list, or a text with commas between), or a client of
`opensearch-py`."""


def connect(
    target: Target = ":memory:", *, read_only: bool = False, max_answer_bytes: int = MAX_ANSWER_BYTES, **options: Any
) -> Elasticsearch:
    """The official client for a server (Elasticsearch or OpenSearch), for a folder of the embedded engine, or for an
    engine in memory: `qlc.connect` without data frames."""
    from elasticsearch import Elasticsearch

    client: Elasticsearch = _made(Elasticsearch, target, read_only, max_answer_bytes, options)
    return client


def connect_async(
    target: Target = ":memory:", *, read_only: bool = False, max_answer_bytes: int = MAX_ANSWER_BYTES, **options: Any
) -> AsyncElasticsearch:
    """As `qlc.connect`, for asyncio and without data frames. Needs the `async` extra (aiohttp)."""
    from elasticsearch import AsyncElasticsearch

    client: AsyncElasticsearch = _made(AsyncElasticsearch, target, read_only, max_answer_bytes, options, is_async=True)
    return client


def _made(
    make: Any, target: Target, read_only: bool, most: int, options: dict[str, Any], *, is_async: bool = False
) -> Any:
    if type(target).__module__.split(".")[0] == "opensearchpy":
        options["node_class"], hosts = _over(target, _bound(most), is_async=is_async)
    else:
        hosts = _hosts(target)
    if hosts:
        from qlc.store.opensearch import recognising, recognising_async
        from qlc.store.wire import bounded_async_node, bounded_node, serializers

        most = _bound(most)
        node = recognising_async(bounded_async_node(most)) if is_async else recognising(bounded_node(most))
        options.setdefault("node_class", node)
        if "serializer" not in options:
            options.setdefault("serializers", serializers())
        with _unrepeated(options):
            return make(hosts, **options)
    from qlc_engine import async_node_class, node_class
    from qlc_engine.clients import hand_over

    folder = target if isinstance(target, Path) else str(target)
    engine = _engine(folder, read_only)
    # A folder is given back with the client; what is in memory stays for as long as anything refers to it.
    make_class = async_node_class if is_async else node_class
    base: Any = make_class(engine, closes=folder != ":memory:", takes_objects=hand_over(options))

    class Node(base):  # type: ignore[misc]
        def perform_request(self, *args: Any, **options: Any) -> Any:
            with _of_this_process():
                return super().perform_request(*args, **options)

    class AsyncNode(base):  # type: ignore[misc]
        async def perform_request(self, *args: Any, **options: Any) -> Any:
            with _of_this_process():
                return await super().perform_request(*args, **options)

    return make(EMBEDDED_URL, node_class=AsyncNode if is_async else Node, **options)


def _over(client: Any, most: int, *, is_async: bool) -> tuple[Any, list[str]]:
    """Return the class of nodes over a client of `opensearch-py`, and an address for them. Raises UsageError."""
    from qlc.store import opensearch_client as over
    from qlc.store.opensearch import recognising, recognising_async

    if over.is_asynchronous(client) != is_async:
        raise UsageError("qlc.connect takes an OpenSearch client, and qlc.connect_async an AsyncOpenSearch client")
    if is_async:
        return recognising_async(over.async_node_over(client, most), over.server()), [over.ADDRESS]
    return recognising(over.node_over(client, most), over.server()), [over.ADDRESS]


def is_embedded(client: Elasticsearch) -> bool:
    """Whether a client speaks to the embedded engine."""
    return any(node.base_url == EMBEDDED_URL for node in client.transport.node_pool.all())


def has_index(client: Elasticsearch, name: str) -> bool:
    """Whether there is an index, or an alias, of this name. Raises what the client raises.

    Not by `indices.exists`: an error in answer to its HEAD request has no body, and so no reason.
    """
    from elasticsearch import NotFoundError

    try:
        found: object = client.indices.get_mapping(index=name).body
        return found != {}  # as it is of a pattern that nothing matches
    except NotFoundError:
        return False


def _bound(given: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise UsageError("'max_answer_bytes' is a whole number of bytes, at least 1")
    return given


def _hosts(target: Target) -> list[str]:
    """Return the addresses; empty if the target is a folder. Raises UsageError if it is neither."""
    if isinstance(target, Path):
        return []
    if not isinstance(target, str | Sequence) or target == "":
        raise UsageError("a target is a folder, ':memory:', or the address of a server, and not empty")
    hosts = re.split(r",\s*(?=https?://)", target) if isinstance(target, str) else list(target)
    urls = [isinstance(host, str) and host.startswith(("http://", "https://")) for host in hosts]
    if isinstance(target, str) and not urls[0]:
        if _ALMOST_ADDRESS.match(target):
            raise UsageError(_ADDRESS)
        return []
    if not hosts or not all(urls):
        raise UsageError(_ADDRESS)
    return hosts


_ALMOST_ADDRESS = re.compile(r"\w+://|[\w.-]+:\d+(?:/|$)")
"""`localhost:9200` is meant as a server, rather than as a new folder."""
_ADDRESS = "an address has a scheme, a host and a port, such as https://localhost:9200"


@contextmanager
def _unrepeated(options: dict[str, Any]) -> Iterator[None]:
    """Report errors in addresses and credentials without repeating them, since they can contain passwords."""
    for name in ("api_key", "bearer_auth"):
        secret = options.get(name)
        # The transport would repeat the whole header.
        if isinstance(secret, str) and not re.fullmatch(r"[\x21-\x7e]+", secret):
            raise UsageError(f"{name} is empty, or has a character in it that cannot be sent")
    certificates = options.get("ca_certs")
    if isinstance(certificates, str | Path) and not Path(certificates).exists():
        raise UsageError(f"there is no file '{certificates}' with certificates")
    try:
        yield
    except ValueError as problem:
        message = str(problem)
        raise UsageError(_ADDRESS if "URL" in message else _without_secrets(message, options)) from None


def _without_secrets(message: str, options: dict[str, Any]) -> str:
    secrets = [options.get(name) for name in ("api_key", "bearer_auth", "basic_auth")]
    parts = [part for one in secrets for part in (one if isinstance(one, list | tuple) else [one]) if part]
    return "the options of the connection cannot be used" if any(str(part) in message for part in parts) else message


def _engine(target: str | Path, read_only: bool) -> Engine:
    from qlc_engine import Engine

    if read_only and target != ":memory:" and not Path(target).is_dir():
        raise UsageError(f"there is no folder '{target}' that could be read")
    with folder_errors(target):
        return Engine.open(None if target == ":memory:" else str(target), read_only=read_only)


@contextmanager
def _of_this_process() -> Iterator[None]:
    from qlc_engine.folder_lock import ForkedFolderError

    try:
        yield
    except ForkedFolderError as problem:
        raise UsageError(str(problem)) from None


@contextmanager
def folder_errors(folder: str | Path) -> Iterator[None]:
    """Convert errors of the engine and the operating system to errors of this library."""
    from qlc_engine.folder_lock import FolderLockedError
    from qlc_engine.store import StoreError

    try:
        yield
    except FolderLockedError as problem:
        raise FolderLocked(str(problem)) from None
    except StoreError as problem:
        raise FolderError(str(problem)) from problem
    except OSError as problem:
        reason = reason_of(problem)
        if Path(folder).is_file():
            reason = "it is a file; name another one"
        raise FolderError(f"the folder '{folder}' cannot be used: {reason}") from problem


# --- folders ---------------------------------------------------------------------------------------------------------


def check_folder(folder: Path) -> list[str]:
    """Return the defects of a folder, as sentences. Raises FolderError."""
    from qlc_engine import repair

    with folder_errors(folder):
        return list(repair.check_folder(str(folder)))


def repair_folder(folder: Path) -> tuple[list[str], bool]:
    """Repair a folder; return its defects, and whether all are repaired. Raises FolderError, FolderLocked."""
    from qlc_engine import repair

    with folder_errors(folder):
        report = repair.repair_folder(str(folder))
    return list(report.findings), report.repaired


def salvage_folder(folder: Path, into: str) -> tuple[dict[str, int], list[str]]:
    """Copy the readable part of a damaged folder into a new one; return the number of documents by index, and the
    losses.

    Raises FolderError, FolderLocked.
    """
    from qlc_engine import salvage

    with folder_errors(folder):
        taken = salvage.salvage_folder(str(folder), into)
    return dict(taken.documents), list(taken.losses)
