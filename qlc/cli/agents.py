"""`qlc mcp`: serve agents over the Model Context Protocol, on standard input and output or over HTTP."""

from __future__ import annotations

import sys
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from qlc.base.deadline import until
from qlc.base.errors import RequestFailed, UsageError
from qlc.base.extras import need
from qlc.cli.asking import budget_of, translators
from qlc.cli.serve import START_TIME, claims_of, http_config, is_loopback, listening_at
from qlc.cli.settings import Agents
from qlc.cli.target import open_compiler, open_corpus, options_of
from qlc.service.tokens import key_of

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

_JWT = ("jwt_key", "jwt_issuer", "jwt_audience")


def serve(options: Agents) -> int:
    need("mcp", "serving agents")
    host, port = _address(options.http) if options.http else ("", 0)
    _check(options, host)
    server = _server(options, host, port)
    if not options.http:
        server.run("stdio")
        return 0
    import uvicorn

    with closing(listening_at(host, port, "--http HOST:PORT")) as listening, suppress(KeyboardInterrupt):
        print(f"Serving on http://{f'[{host}]' if ':' in host else host}:{port}/mcp", file=sys.stderr, flush=True)
        uvicorn.Server(http_config(server.streamable_http_app(host=host))).run(sockets=[listening])
    return 0


def _server(options: Agents, host: str, port: int) -> MCPServer[Any]:
    from qlc.agents.mcp.server import create_server
    from qlc.cli.answers import reader_of
    from qlc.translator.entry import Asker

    corpus = open_corpus(options) if options.corpus else None
    compiler = corpus.compiler() if corpus is not None else open_compiler(options)
    with suppress(RequestFailed), until(time.monotonic() + START_TIME):  # it may answer later
        _ = compiler.schema
    return create_server(
        Asker(compiler, translators(options)),
        corpus,
        reader=reader_of(options) if corpus is not None else None,
        budget=budget_of(options),
        options=options_of(options),  # type: ignore[arg-type]
        claims=claims_of(options.claim),
        **_authentication(options, f"http://{host}:{port}/mcp"),
    )


def _authentication(options: Agents, resource: str) -> dict[str, Any]:
    if not options.jwt_key:
        return {}
    assert options.jwt_issuer is not None, "`_check` wants all three"
    assert options.jwt_audience is not None, "`_check` wants all three"
    from mcp.server.auth.settings import AuthSettings

    from qlc.agents.mcp.callers import JwtVerifier

    verifier = JwtVerifier(
        key_of(options.jwt_key), options.jwt_algorithm or (), issuer=options.jwt_issuer, audience=options.jwt_audience
    )
    # The verifier checks the audience itself.
    auth = AuthSettings(issuer_url=options.jwt_issuer, resource_server_url=options.public_url or resource,
                        validate_token_resource=False)  # fmt: skip
    return {"token_verifier": verifier, "auth": auth}


def _check(options: Agents, host: str) -> None:
    """Raises UsageError for options that do not go together."""
    given = [name for name in _JWT if getattr(options, name)]
    if given and not options.http:
        raise UsageError("standard input carries no tokens: give the caller's access with --context, or use --http")
    if given and len(given) < len(_JWT):
        raise UsageError("give --jwt-key, --jwt-issuer and --jwt-audience together")
    if options.claim and not given:
        raise UsageError("--claim reads a verified token: give --jwt-key, too")
    if host and not given and not is_loopback(host):
        raise UsageError(f"on '{host}' everybody who reaches it could ask: give --jwt-key, or serve on 127.0.0.1")
    contexts = {pair.partition("=")[0] for pair in options.context}
    if twice := contexts & {*claims_of(options.claim)}:
        raise UsageError(f"'{min(twice)}' comes from a claim: leave out --context {min(twice)}")


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise UsageError(f"--http takes HOST:PORT, such as 127.0.0.1:8000, not '{text}'")
    return host.strip("[]") or "127.0.0.1", int(port)
