"""`qlc serve`: the HTTP service over an index, a corpus, or both."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import re
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.base.beside import beside
from qlc.base.deadline import until
from qlc.base.errors import RequestFailed, UsageError, reason_of
from qlc.cli.exits import failed
from qlc.cli.settings import Serve
from qlc.cli.start import goes_on
from qlc.cli.target import (
    all_indices,
    alone,
    catalog_path,
    check_index,
    connection_of,
    corpus_target,
    cursor_key,
    only_index,
    open_client,
    options_of,
)
from qlc.cli.waiting import doing
from qlc.service.tokens import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import uvicorn
    from fastapi import FastAPI

    from qlc.answers.corpora import AsyncCorpus
    from qlc.conversation import Store
    from qlc.mapping.catalog import Catalog
    from qlc.pipeline.compiler import Compiler
    from qlc.service import Authenticator, Settings
    from qlc.service.found import Found


START_TIME = 5.0
"""Seconds in which a server has to answer so that the catalog is checked before any request comes."""
_LONGEST_HEADER = 32_768
"""Bytes of the header of a request."""
_BACKLOG = 1_024
"""Connections that wait to be accepted."""
_THREADS = 4
"""Threads beside those of the answers that are worked on."""


def serve(options: Serve) -> int:
    """Answer requests until the process is told to stop; current requests are finished first."""
    goes_on()
    _check(options)
    auth = authenticators(options)
    if not auth and not options.no_auth and not is_loopback(options.host):
        raise UsageError(f"--host {options.host} can be reached from other machines, and there is no "
                         "authentication: add --api-keys or --jwt-key, or --no-auth if you want that")  # fmt: skip
    return answer_requests(options, auth, listening_at(options.host, options.port))


def _check(options: Serve) -> None:
    """Raise UsageError for options that would be found wrong only by a request."""
    if options.files and not options.corpus:
        raise UsageError("--files shows the pages of a corpus: give --corpus, too")
    if options.files and not Path(options.files).is_dir():
        raise UsageError(f"--files: there is no folder '{options.files}'")
    for one in (options.proxy or "*").split(","):
        try:
            _ = one.strip() == "*" or ipaddress.ip_network(one.strip(), strict=False)
        except ValueError:
            raise UsageError(f"--proxy takes addresses such as 10.0.0.7 or 10.0.0.0/8, not '{one}'") from None


def answer_requests(
    options: Serve,
    auth: Sequence[Authenticator],
    listening: socket.socket,
    started: Callable[[str], None] | None = None,
) -> int:
    """Answer requests. `started` is called with the address when it accepts them."""
    import uvicorn

    if not os.environ.get("QLC_LOG"):
        logging.getLogger("qlc.service").addHandler(logging.StreamHandler())

    async def run() -> None:
        # A question to a corpus takes a thread for all of its time.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(options.concurrent + _THREADS))
        async with AsyncExitStack() as opened:
            with doing("starting the service"):
                app = await made(options, auth, opened)
                try:
                    with until(time.monotonic() + START_TIME):
                        await (await app.state.qlc.backend.asker()).compiler.load()
                except RequestFailed as problem:
                    print(f"qlc: {failed(problem)} Until then, questions fail.", file=sys.stderr)
            config = http_config(
                app, timeout_graceful_shutdown=options.grace,
                forwarded_allow_ips=options.proxy or [], proxy_headers=bool(options.proxy),
            )  # fmt: skip
            await _Server(config).serve(sockets=[listening])

    class _Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            host, port = listening.getsockname()[:2]
            at = f"[{host}]" if ":" in host else host
            print(f"qlc: listening on http://{at}:{port}", file=sys.stderr, flush=True)
            if started:
                started(f"http://{at}:{port}/")

    with closing(listening), suppress(KeyboardInterrupt):
        asyncio.run(run())
    return 0


def http_config(app: Any, **more: Any) -> uvicorn.Config:
    """Return the HTTP configuration that all commands share: limits for what a client sends, and for waiting."""
    import h11
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Connection(h11.Connection):
        """Refuses a request whose end is unclear. h11 would take one of two lengths, or one of equal ones."""

        def next_event(self) -> Any:
            if self.their_state is h11.IDLE and has_unclear_length(self.trailing_data[0]):
                raise h11.RemoteProtocolError("the length of the body is unclear")
            return super().next_event()

    class Protocol(H11Protocol):
        """Closes a connection if the header of its next request is incomplete when the time is over."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.conn = Connection(h11.SERVER, _LONGEST_HEADER)
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

        def data_received(self, data: bytes) -> None:  # without ending the time for the header
            self.conn.receive_data(data)
            self.handle_events()

    return uvicorn.Config(
        app, log_level="warning", server_header=False, timeout_keep_alive=10, http=Protocol,
        h11_max_incomplete_event_size=_LONGEST_HEADER, **more,
    )  # fmt: skip


_HEAD_END = re.compile(rb"\n\r?\n")
_FRAMING = re.compile(rb"\n(content-length|transfer-encoding)[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)


def has_unclear_length(head: bytes) -> bool:
    """Whether the header of a request gives the end of its body more than once, or not as a number.

    Two servers, one behind the other, could see the end in different places, and take the rest for another request.
    """
    end = _HEAD_END.search(head)
    said = _FRAMING.findall(head, 0, end.end()) if end is not None else []
    return len(said) > 1 or any(not value.rstrip().isdigit() for name, value in said if name.lower()[:1] == b"c")


def listening_at(host: str, port: int, way: str = "--port N") -> socket.socket:
    """Listen at an address. `way` is the option for another address. Raises UsageError if the address cannot be
    used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sets TCP_NODELAY: without that, each answer waits 40 ms for the client.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(_BACKLOG)
        return made
    except OSError as problem:
        made.close()
        reason = reason_of(problem)
        other = "" if isinstance(problem, socket.gaierror) else f"; {way} takes another"
        raise UsageError(f"the service cannot listen on {host}, port {port}: {reason}{other}") from None


async def made(options: Serve, auth: Sequence[Authenticator], opened: AsyncExitStack) -> FastAPI:
    """Make the application from the options; `opened` closes its resources."""
    from qlc.cli.answers import reader_of
    from qlc.cli.asking import budget_of, translators
    from qlc.service import create_app
    from qlc.translator.entry import Asker

    run = options_of(options)
    given: dict[str, Any] = {
        "context": run["context"], "now": run.get("now"), "auth": auth, "store": store_of(options),
        "settings": settings_of(options, auth), "reader": reader_of(options), "budget": budget_of(options),
        "found": _found(options),
    }  # fmt: skip
    if not options.corpus:
        return create_app(Asker(await _compiler(options, opened), translators(options)), **given)
    corpus = await _corpus(options.corpus, options, opened)
    given["files"] = options.files
    if not corpus.corpus.has_other_indices:
        return create_app(corpus, translators=translators(options), **given)
    asker = Asker(await corpus.compiler(cursor_key=cursor_key()), translators(options))
    return create_app(asker, corpus=corpus, **given)


def _found(options: Serve) -> Found:
    """Return what the page shows first: the files that `qlc ui` read, and the language model that is connected."""
    from qlc.cli.asking import model_of
    from qlc.service.found import Found

    model, found = model_of(options), options.found or Found()
    return found.model_copy(update={"model": model.name if model is not None else "",
                                    "name": found.name or _name_of(options)})  # fmt: skip


def _name_of(options: Serve) -> str:
    """Return what is asked: `--corpus papers` -> `papers`, `--url ... --index orders` -> `index orders`."""
    if options.demo:
        return "The sample document store"
    if options.corpus or options.data:
        return Path(options.corpus or options.data or "").resolve().name
    return f"index {options.index}" if options.index else Path(options.catalog or "").stem


async def _corpus(name: str, options: Serve, opened: AsyncExitStack) -> AsyncCorpus:
    from qlc.answers.corpora import AsyncCorpus

    alone("corpus", ("demo", "data", "index", "mapping"), options)
    target, connection = corpus_target(name, options)
    catalog: Path | Catalog | None = catalog_path(options.catalog)
    if catalog is None and options.of_page and "url" not in connection:
        catalog = await beside(_with_tables, target)
    return await opened.enter_async_context(await AsyncCorpus.open(
        target, read_only=True, catalog=catalog, **connection))  # fmt: skip


def _with_tables(folder: str) -> Catalog | None:
    """Return a catalog of the papers and the tables in a folder; None if it has no tables, or no corpus."""
    from qlc.corpus.corpus import STORE, Corpus
    from qlc.mapping.catalog import read_catalog
    from qlc.mapping.draft import drafted_catalog
    from qlc.mapping.joined import joined_catalog
    from qlc.tables.folder import tables_in

    if not (Path(folder) / STORE).exists():
        return None
    with Corpus.open(folder, read_only=True) as corpus:
        indices = ",".join(one.index for one in tables_in(corpus.client))
        drafted = drafted_catalog(corpus.client, indices, shows_all=True) if indices else None
        return drafted and joined_catalog(read_catalog(corpus.catalog()), drafted, "the catalog of the folder")


async def _compiler(options: Serve, opened: AsyncExitStack) -> Compiler:
    """Open the compiler with an asynchronous client, from the same options as other commands."""
    from qlc import catalogs
    from qlc.pipeline.compiler import Compiler
    from qlc.store.clients import connect_async

    catalog: Path | Catalog | None
    target: str | Path
    connection: dict[str, Any]
    if options.demo:
        from qlc.cli.demo_store import loaded_folder

        alone("demo", ("url", "data", "catalog", "index", "mapping", "corpus"), options)
        target, connection = await beside(loaded_folder), {"read_only": True}
        catalog, index = catalogs.path("drive"), None
    else:
        target, connection = connection_of(options)
        usual = None if options.found is not None else os.environ.get("QLC_CATALOG")
        catalog = catalog_path(options.catalog or usual)
        index = options.index or (None if catalog else await beside(_only_index, options))
        if options.index and options.data:
            await beside(_check_index, options)
        if index is not None and options.of_page and options.data:
            catalog = await beside(_drafted, options, index)
            index = None if catalog else index
    client = connect_async(target, **connection)
    opened.push_async_callback(client.close)
    return Compiler(client, catalog, index, cursor_key=cursor_key())


def _check_index(options: Serve) -> None:
    with open_client(options) as client:
        check_index(client, options)


def _only_index(options: Serve) -> str:
    with open_client(options) as client:
        return all_indices(client) if options.of_page and options.data else only_index(client)


def _drafted(options: Serve, index: str) -> Catalog | None:
    """Return the draft by which questions in words are read, as by `qlc ask`; programs may name paths, too."""
    from qlc.mapping.draft import drafted_catalog

    with open_client(options) as client:
        return drafted_catalog(client, index, shows_all=True)


# --- options ---------------------------------------------------------------------------------------------------------


def store_of(options: Serve) -> Store:
    """Open the store of conversations: in memory, a file, PostgreSQL or Redis."""
    from qlc.conversation import MemoryStore, SQLiteStore

    if not options.store:
        return MemoryStore()
    kind, scheme, _ = options.store.partition("://")
    if kind in ("postgresql", "postgres"):
        from qlc.conversation.stores.postgres import PostgresStore

        return PostgresStore(options.store)
    if kind in ("redis", "rediss", "unix"):
        from qlc.conversation.stores.redis import RedisStore

        return RedisStore(options.store)
    if scheme:
        raise UsageError(f"--store takes a file, postgresql:// or redis://, not '{kind}://'")
    return SQLiteStore(options.store)


def settings_of(options: Serve, auth: Sequence[Authenticator]) -> Settings:
    from qlc.service import Settings

    rate = None if options.rate == "none" else options.rate
    return Settings(
        rate=rate, rate_storage=options.rate_storage, deadline=options.deadline, concurrent=options.concurrent,
        queue=options.queue, max_body=options.max_body, show_requests=options.show_requests,
        hosts=frozenset() if auth or options.no_auth else _LOOPBACK,
    )  # fmt: skip


def authenticators(options: Serve) -> list[Authenticator]:
    """Return the kinds of authentication that the options configure. Raises UsageError."""
    from qlc.service import ApiKeys, BearerTokens

    found: list[Authenticator] = []
    if options.api_keys:
        found.append(ApiKeys.load(options.api_keys))
    named = {"--claim": options.claim, "--jwt-audience": options.jwt_audience, "--jwt-issuer": options.jwt_issuer}
    if options.jwt_key:
        found.append(BearerTokens(
            key_of(options.jwt_key), options.jwt_algorithm or (), claims=claims_of(options.claim),
            audience=options.jwt_audience, issuer=options.jwt_issuer,
        ))  # fmt: skip
    elif wrong := [name for name, value in named.items() if value]:
        raise UsageError(f"{wrong[0]} needs --jwt-key")
    if found and options.no_auth:
        raise UsageError("--no-auth lets everyone ask: leave out either it, or --api-keys and --jwt-key")
    return found


def claims_of(pairs: Sequence[str]) -> dict[str, str]:
    """Return the claim for each name of the context, from `NAME=CLAIM`, or from a claim whose last part is the name.

    Raises UsageError.
    """
    found = {}
    for pair in pairs:
        name, _, claim = pair.partition("=") if "=" in pair else (pair.rpartition(".")[2], "", pair)
        if not name or not claim:
            raise UsageError(f"--claim takes NAME=CLAIM, not '{pair}'")
        found[name] = claim
    return found


_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine in addresses."""


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
