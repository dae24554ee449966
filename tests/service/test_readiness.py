"""A service that can answer nothing: it does not start, or says that it is not ready, without what its server knows."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.base.errors import ConfigurationError, FolderError
from qlc.cli.main import main
from qlc.conversation import SQLiteStore
from qlc.mapping.catalog import read_catalog
from qlc.service import create_app, service
from qlc.service.backend import Backend
from tests.service.routes import routes_of
from tests.service.test_events import SSE, events
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
WRONG_RULES = ["teem = $team", '"team = = $team"', "title > 5", "missing_condition"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers") / "store"
    with qlc.connect(folder) as client:
        client.indices.create(index="papers", mappings={"properties": dict.fromkeys(("id", "title", "team"), KEYWORD)})
        client.index(index="papers", id="a", document={"id": "a", "title": "A", "team": "red"}, refresh=True)
    return folder


KEYWORD = {"type": "keyword"}


@pytest.mark.parametrize("command", [["serve"], ["ui", "--no-browser"], ["mcp"], ["mcp", "--http", "127.0.0.1:1"]])
@pytest.mark.parametrize("rule", WRONG_RULES)
def test_a_rule_that_does_not_compile_does_not_start(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], rule: str
) -> None:
    catalog = tmp_path / "papers.yaml"
    catalog.write_text(CATALOG.replace("RULE", rule), "utf-8")
    port = ["--port", "0"] if command[0] != "mcp" else []
    assert main([*command, *port, "--data", str(store), "--catalog", str(catalog)]) == 2
    said = capsys.readouterr().err
    assert "papers.yaml" in said
    assert "error[catalog-" in said
    assert "listening" not in said
    assert "Serving" not in said


@pytest.fixture
def immediate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the readiness is a check of its own."""
    monkeypatch.setattr(service, "READY_FOR", -1.0)


@pytest.mark.parametrize("rule", WRONG_RULES[:1] + WRONG_RULES[2:])
def test_a_service_without_a_usable_catalog_is_not_ready(store: Path, rule: str) -> None:
    compiler = qlc.Compiler(
        qlc.connect_async(store, read_only=True), read_catalog(CATALOG.replace("RULE", rule), "papers")
    )
    with TestClient(create_app(compiler), raise_server_exceptions=False) as http:
        assert http.get("/healthz").status_code == 200
        ready = http.get("/readyz")
        assert (ready.status_code, ready.json()["detail"]) == (503, "CatalogError")
        answered = http.post("/v1/run", json={"program": "count papers"})
        assert (answered.status_code, answered.json()["code"]) == (500, "internal")


@pytest.fixture
def full(compiler: qlc.Compiler, tmp_path: Path, immediate: None) -> Iterator[tuple[TestClient, SQLiteStore]]:
    kept = SQLiteStore(tmp_path / "secret-name.sqlite")
    with TestClient(create_app(compiler, store=kept), raise_server_exceptions=False) as http:
        yield http, kept
    kept.close()


def _fill(store: SQLiteStore) -> None:
    """Keep the file from growing, as on a full disk."""
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_is_told_without_its_path(full: tuple[TestClient, SQLiteStore]) -> None:
    http, store = full
    at = http.post("/v1/conversations").headers["location"]
    assert http.get("/readyz").status_code == 200
    store.delete("readyz")
    store._connection.execute("VACUUM")
    _fill(store)
    assert http.get("/readyz").json()["detail"] == "StoreUnavailable"
    asked = {"text": "count documents where " + " or ".join(f"size = {n}" for n in range(500))}
    refused = http.post(f"{at}/turns", json=asked)
    assert (refused.status_code, refused.json()["code"]) == (503, "store-unavailable")
    assert "secret-name" not in refused.text
    assert refused.headers["retry-after"]
    streamed = events(http.post(f"{at}/turns", json=asked, headers=SSE).text)
    assert [(name, data.get("code", data)) for _, name, data in streamed[-2:]] == [
        ("problem", "store-unavailable"), ("done", {"status": 503})]  # fmt: skip
    store._connection.execute("PRAGMA max_page_count = 1000000")
    assert http.get("/readyz").status_code == 200
    assert http.post(f"{at}/turns", json={"text": "count documents"}).status_code == 200


def test_a_store_that_is_gone_is_told_by_every_route(full: tuple[TestClient, SQLiteStore]) -> None:
    http, store = full
    store.close()
    assert http.get("/readyz").status_code == 503
    routes = [one for one in routes_of(http.app) if "/conversations" in one.template]
    assert len(routes) == 7
    for route in routes:
        answered = http.request(route.method, route.path, json={"text": "x"} if route.method == "POST" else None)
        assert (answered.status_code, answered.json()["code"]) == (503, "store-unavailable"), route
        assert "secret-name" not in answered.text


async def test_checks_of_readiness_at_the_same_time_are_one(
    compiler: qlc.Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    app = create_app(compiler)
    go, begun = asyncio.Event(), []

    async def ready(self: Backend) -> None:
        begun.append(self)
        await go.wait()

    monkeypatch.setattr(Backend, "ready", ready)
    waiting = [asyncio.create_task(app.state.qlc.unreadiness()) for _ in range(20)]
    await asyncio.sleep(0)
    waiting[0].cancel()  # who leaves does not end it for the others
    await asyncio.sleep(0)
    go.set()
    assert await asyncio.gather(*waiting[1:]) == [""] * 19
    assert len(begun) == 1


@pytest.mark.parametrize("problem", [ZeroDivisionError("secret"), ConfigurationError("secret"), FolderError("secret"),
                                     KeyError("secret"), OSError(28, "secret", "/secret")], ids=repr)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/ask", "/v1/run", "/v1/export.csv"])
def test_an_exception_is_a_problem_and_in_the_log_once(
    compiler: qlc.Compiler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, problem: Exception,
    path: str,
) -> None:  # fmt: skip
    async def broken(*_: Any) -> Any:
        raise problem

    monkeypatch.setattr(Backend, "ask", broken)
    caplog.set_level(logging.WARNING)
    key = "program" if path == "/v1/run" else "text"
    with TestClient(create_app(compiler), raise_server_exceptions=False) as http:
        answered = http.post(path, json={key: "x"})
    assert (answered.status_code, answered.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in answered.text
    (logged,) = [one for one in caplog.records if one.exc_info]
    assert answered.json()["code"] == "internal"
    assert answered.json()["id"] in logged.getMessage()
    assert logged.exc_info[1] is problem
    assert logged.exc_info[1].__context__ is None
