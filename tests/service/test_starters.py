"""Questions that the page offers: of different kinds, answered, and only of what the caller may see."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.schema import Entity
from qlc.service import ApiKeys, Caller, create_app
from qlc.service.overview import noun_of
from qlc.tables.folder import Loading, load_folder
from tests.service.test_auth import hashed
from tests.service.test_ui import ORDERS
from tests.tables import table

CATALOG = table(__file__, "CATALOG")


@pytest.fixture
def http(tmp_path: Path) -> Iterator[TestClient]:
    (tmp_path / "orders.csv").write_text(ORDERS.replace("late", "lost") + "G-031;Cy Dunn;secret;2025-12-30;900 EUR\n")
    with qlc.connect(tmp_path / "store") as client:
        load_folder(client, [(tmp_path / "orders.csv", "orders.csv")], Loading("qlc ui"))
    compiler = qlc.Compiler(qlc.connect_async(tmp_path / "store", read_only=True), read_catalog(CATALOG))
    keys = {hashed(name): Caller(name, {"who": who}) for name, who in (("ann", "Ann Lind"), ("cy", "Cy Dunn"))}
    with TestClient(create_app(compiler, auth=[ApiKeys(keys)])) as client:
        yield client


def offered(http: TestClient, key: str) -> list[tuple[str, str]]:
    given: Any = http.get("/v1/starters", headers={"x-api-key": key}).json()
    assert "questions" in given, given
    return [(one["kind"], one["text"]) for one in given["questions"]]


def test_each_question_is_of_another_kind_and_shows_what_the_caller_may_see(http: TestClient) -> None:
    of_ann, of_cy = offered(http, "ann"), offered(http, "cy")
    assert of_ann == offered(http, "ann")
    assert [kind for kind, _ in of_ann] == ["list", "count", "group", "latest", "measure", "highest"]
    assert ("count", "how many orders are there?") in of_cy
    said = str([of_ann, of_cy])
    assert "Cy Dunn" not in said
    assert "customer" not in said
    assert "secret" not in str(of_ann)
    for _, text in of_ann:
        answer = http.post("/v1/ask", json={"text": text}, headers={"x-api-key": "ann"}).json()
        assert answer["kind"] in ("hits", "count", "aggregate", "value"), answer
    holdings = [{"name": "orders", "count": 15, "fields": ["Order No", "Status", "Placed", "Amount"]}]
    assert http.get("/v1/overview", headers={"x-api-key": "ann"}).json() == {"found": None, "holdings": holdings}
    assert http.get("/v1/overview").status_code == 401


def test_a_bucket_is_named_by_its_documents_where_its_name_is_no_noun() -> None:
    mapping = read_mapping({"properties": {}})
    generic, invoice = (Entity(one, several, mapping, {}) for one, several in
                        (("generic_document", "generic"), ("invoice", "invoices")))  # fmt: skip
    assert [noun_of(one) for one in (generic, invoice)] == ["generic documents", "invoices"]
