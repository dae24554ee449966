"""Credentials, certificates and several hosts reach the server; secrets reach nobody else."""

import json
import logging
import socket
import ssl
import traceback
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc import Asker
from qlc.base.errors import RequestFailed, UsageError
from qlc.cli.explain import explain_run
from qlc.cli.main import main
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Failed
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.trace import Trace
from tests.faults import proxy as faults
from tests.faults import world
from tests.faults.conftest import Bench
from tests.faults.proxy import FaultProxy
from tests.pipeline.conftest import never_open
from tests.tables import table

TLS = Path(__file__).parent / "tls"
SECRET = "c2VjcmV0LWh1bnRlcjI"
PASSWORD = "hunter2-hunter2"
BASIC = b64encode(f"ada:{PASSWORD}".encode()).decode()
IN_THE_CLEAR = (SECRET, PASSWORD, BASIC, BASIC.rstrip("="))

WAYS: dict[str, tuple[dict[str, Any], list[str], str]] = {
    "API key": ({"api_key": SECRET}, ["--api-key", SECRET], f"ApiKey {SECRET}"),
    "basic": ({"basic_auth": ("ada", PASSWORD)}, ["--basic-auth", f"ada:{PASSWORD}"], f"Basic {BASIC}"),
    "bearer": ({"bearer_auth": SECRET}, ["--bearer-auth", SECRET], f"Bearer {SECRET}"),
}
PROGRAM, ANSWER = world.question(3)


@pytest.fixture
def tls(bench: Bench) -> Iterator[FaultProxy]:
    """The same server behind TLS, with a certificate that only its own authority vouches for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "server.pem", TLS / "server.key")
    proxy = FaultProxy(bench.proxy.upstream, tls=context)
    yield proxy
    proxy.stop()


@pytest.fixture
def down() -> str:
    """Return an address on which no server listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "DATA", "CATALOG", "LOG", "API_KEY", "BASIC_AUTH", "BEARER_AUTH", "CA_CERTS"):
        monkeypatch.delenv(f"QLC_{name}", raising=False)


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    path = tmp_path / "things.yaml"
    path.write_text(world.CATALOG, encoding="utf-8")
    return str(path)


def sent(proxy: FaultProxy) -> set[str | None]:
    """The credentials of all requests."""
    headers = [{name.lower(): value for name, value in one.items()} for one in proxy.seen_headers]
    return {one.get("authorization") for one in headers}


# --- what is passed on -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
async def test_credentials_reach_the_server(bench: Bench, way: str) -> None:
    options, _, header = WAYS[way]
    bench.proxy.seen_headers.clear()
    compiler = bench.compiler(**options)
    assert world.answer_of(compiler.run(PROGRAM)) == ANSWER
    compiler.client.close()
    twin = bench.async_compiler(**options)
    assert world.answer_of(await twin.run_async(PROGRAM)) == ANSWER
    await twin.client.close()
    assert sent(bench.proxy) == {header}


@pytest.mark.parametrize("source", ["flags", "variables"])
@pytest.mark.parametrize("way", WAYS)
def test_the_command_line_passes_them_on(
    bench: Bench, catalog: str, way: str, source: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    _, flags, header = WAYS[way]
    if source == "variables":
        name, value = flags
        monkeypatch.setenv("QLC_" + name.removeprefix("--").upper().replace("-", "_"), value + "\n")
        flags = []
    bench.proxy.seen_headers.clear()
    assert main(["run", PROGRAM, "--url", bench.proxy.url, "--catalog", catalog, "--json", *flags]) == 0
    assert json.loads(capsys.readouterr().out)["ids"] == ANSWER
    assert sent(bench.proxy) == {header}


@pytest.mark.parametrize("arguments", table(__file__, "test_what_cannot_be_used_is_reported_without_it"))
def test_what_cannot_be_used_is_reported_without_it(
    bench: Bench, catalog: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["run", PROGRAM, "--catalog", catalog, "--url", bench.proxy.url, *arguments])
    caught = capsys.readouterr()
    assert code == 2
    assert caught.err.startswith("qlc: ")
    assert not leaked(caught.out + caught.err)


async def test_a_server_with_its_own_authority(tls: FaultProxy) -> None:
    trusted = {"ca_certs": str(TLS / "ca.pem"), "api_key": SECRET}
    with qlc.connect(tls.url, **trusted) as client:
        assert world.answer_of(compiler_of(client).run(PROGRAM)) == ANSWER
    async with qlc.connect_async(tls.url, **trusted) as twin:
        assert world.answer_of(await compiler_of(twin).run_async(PROGRAM)) == ANSWER
    assert sent(tls) == {f"ApiKey {SECRET}"}
    tls.seen_headers.clear()
    with qlc.connect(tls.url, api_key=SECRET) as stranger:
        outcome = compiler_of(stranger).run(PROGRAM, deadline=5)
    assert isinstance(outcome, Failed)
    assert outcome.reason == "unreachable"
    async with qlc.connect_async(tls.url, api_key=SECRET) as other:
        assert (await compiler_of(other).run_async(PROGRAM, deadline=5)).kind == "failed"
    assert tls.seen_headers == []  # nothing is told to a server that cannot be trusted


@pytest.mark.parametrize("source", ["flags", "variables"])
def test_certificates_on_the_command_line(
    tls: FaultProxy, catalog: str, source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--url", tls.url, "--catalog", catalog, "--ca-certs", str(TLS / "ca.pem")]
    if source == "variables":
        for name, value in (("URL", tls.url), ("CATALOG", catalog), ("CA_CERTS", str(TLS / "ca.pem"))):
            monkeypatch.setenv(f"QLC_{name}", value)
        flags = []
    assert main(["run", "count things", *flags]) == 0
    assert capsys.readouterr().out == "750 things.\n"


@pytest.mark.parametrize("form", ["list", "commas"])
async def test_several_hosts_of_which_the_first_is_down(bench: Bench, down: str, form: str) -> None:
    hosts: Any = [down, bench.proxy.url] if form == "list" else f"{down}, {bench.proxy.url}"
    with qlc.connect(hosts) as client:
        compiler = compiler_of(client)
        assert [world.answer_of(compiler.run(world.question(n)[0])) for n in range(9)] == [
            world.question(n)[1] for n in range(9)
        ]
    async with qlc.connect_async(hosts) as twin:
        assert world.answer_of(await compiler_of(twin).run_async(PROGRAM)) == ANSWER


def test_several_hosts_on_the_command_line(bench: Bench, down: str, catalog: str) -> None:
    assert main(["run", PROGRAM, "--url", f"{down},{bench.proxy.url}", "--catalog", catalog]) == 0


@pytest.mark.parametrize("target", [[], ["localhost:9200"], ["http://localhost:9200", "store"], "http://localhost"])
def test_addresses_that_are_none(target: Any) -> None:
    with pytest.raises(UsageError, match="an address has a scheme, a host and a port"):
        qlc.connect(target)


# --- what is not told ------------------------------------------------------------------------------------------------


def compiler_of(client: Any) -> Compiler:
    return Compiler(client, read_catalog(world.CATALOG), breaker=never_open())


def leaked(text: str) -> list[str]:
    return [secret for secret in IN_THE_CLEAR if secret in text]


def echoed(exchange: faults.Exchange) -> None:
    """A proxy that repeats the request in its error page."""
    head = "\n".join(f"{name}: {value}" for name, value in exchange.headers.items())
    body = f"<html>{exchange.method} http://ada:{PASSWORD}@host{exchange.target}\n{head}</html>".encode()
    exchange.answer(faults.Answer(403, {"content-type": "text/html", "x-elastic-product": "Elasticsearch"}, body))


FAULTS: dict[str, faults.Fault] = {
    "echo": echoed,
    "401": faults.error(401, "security_exception", "unable to authenticate user [ada]"),
    "400": faults.error(400, "parsing_exception", "unknown"),
    "503": faults.says(503, b"busy"),
    "reset": faults.reset,
    "garbage": faults.says(200, b"{"),
}


@pytest.mark.parametrize("fault", [None, *FAULTS])
@pytest.mark.parametrize("way", WAYS)
async def test_secrets_are_reported_nowhere(
    bench: Bench, way: str, fault: str | None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every logger at its most talkative, the transport's own account of each request included. Only that one
    repeats what a server sends, word for word and on demand, so that it is silent where a server repeats secrets."""
    monkeypatch.setattr("qlc.resolver.driver.FIRST_PAUSE", 0.005)
    options = WAYS[way][0]
    told: list[str] = []
    caplog.set_level(logging.INFO if fault == "echo" else logging.DEBUG)
    caplog.set_level(logging.DEBUG, "qlc")
    for client in (qlc.connect(bench.proxy.url, **options), with_user_in_the_url(bench.proxy.url, way)):
        compiler = compiler_of(client)
        if fault is None:
            told += everything(compiler)
        else:
            compiler.schema  # noqa: B018
            with bench.proxy.failing(FAULTS[fault], when=lambda exchange: True):
                told += everything(compiler)
        client.close()
    twin = bench.async_compiler(**options)
    with bench.proxy.failing(FAULTS[fault or "503"], when=lambda exchange: True):
        told.append((await twin.run_async(PROGRAM, deadline=0.3)).model_dump_json())
        told.append(repr(twin.client))
    await twin.client.close()
    logged = [record.getMessage() + str(record.exc_text or "") + repr(record.args) for record in caplog.records]
    assert len("".join(told)) > 500
    assert not leaked("\n".join([*told, *logged]))


def with_user_in_the_url(url: str, way: str) -> Any:
    if way != "basic":
        return qlc.connect(url, **WAYS[way][0])
    return qlc.connect(url.replace("://", f"://ada:{PASSWORD}@"))


def everything(compiler: Compiler) -> list[str]:
    """All that qlc tells about a run, one way or another."""
    trace = Trace()
    prepared = compiler.prepare(PROGRAM)
    outcome = prepared.run(trace=trace, deadline=0.3)
    record, _ = explain_run(Asker(compiler), PROGRAM, "program", {"deadline": 0.3})
    shown = (compiler, *vars(compiler).values(), prepared, outcome, trace, compiler.client)
    told = [repr(one) for one in shown]
    told += [outcome.model_dump_json(), str(outcome), json.dumps(record, default=str)]
    try:
        compiler.refresh()
    except RequestFailed as problem:
        told += [str(problem), repr(problem), problem.detail, *traceback.format_exception(problem)]
    return told


@pytest.mark.parametrize("command", ["run", "explain", "check", "complete", "ask"])
@pytest.mark.parametrize("way", WAYS)
def test_commands_tell_no_secrets(
    bench: Bench, catalog: str, way: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.FileHandler(tmp_path / "log")
    logging.getLogger().addHandler(log)
    try:
        with bench.proxy.failing(echoed, when=lambda exchange: True):
            for form in ([], ["--json"]):
                arguments = [command, PROGRAM, "--url", bench.proxy.url, "--catalog", catalog, *WAYS[way][1], *form]
                assert main(arguments) == 5
    finally:
        logging.getLogger().removeHandler(log)
        log.close()
    caught = capsys.readouterr()
    assert caught.out + caught.err
    assert not leaked(caught.out + caught.err + (tmp_path / "log").read_text("utf-8"))
