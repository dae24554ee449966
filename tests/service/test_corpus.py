"""A corpus behind the service: answers with sources, exports, and pages as images for those who may read them."""

import csv
import io
import json
import struct
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
import pytest
import yaml
from starlette.testclient import TestClient

import qlc
from qlc.outcome import Hits, ValueOut
from qlc.service import ApiKeys, Caller, Settings, create_app
from tests.docs.pages import ROOT
from tests.service.test_auth import hashed
from tests.service.test_events import SSE, events
from tests.service.test_serving import serving

FILES = ROOT / "examples/library"
QUESTION = "What is the notice period in the ACME services agreement?"
ACME, BORDEN = ({"x-api-key": name} for name in ("acme", "borden"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("library") / "corpus"
    with qlc.Corpus.create(target, ROOT / "examples/library.yaml") as corpus:
        corpus.add(FILES, processes=1)
    return target


@pytest.fixture
async def library(folder: Path) -> AsyncIterator[qlc.AsyncCorpus]:
    async with await qlc.AsyncCorpus.open(folder, read_only=True) as corpus:
        yield corpus


@pytest.fixture
def http(library: qlc.AsyncCorpus) -> Iterator[TestClient]:
    with TestClient(create_app(library, files=FILES)) as client:
        yield client


@pytest.fixture
async def of_parties(folder: Path, library: qlc.AsyncCorpus, tmp_path: Path) -> AsyncIterator[TestClient]:
    """Contracts are seen by their party."""
    catalog = yaml.safe_load(await library.catalog())
    catalog["entities"]["contract"]["access"] = "party in $parties"
    path = tmp_path / "catalog.yaml"
    path.write_text(yaml.safe_dump(catalog, sort_keys=False), "utf-8")
    auth = [ApiKeys({hashed("acme"): Caller("acme", {"parties": ["ACME Corp"]}),
                     hashed("borden"): Caller("borden", {"parties": ["Borden Facility Services"]})})]  # fmt: skip
    async with await qlc.AsyncCorpus.open(folder, read_only=True, catalog=path) as corpus:
        with TestClient(create_app(corpus, files=FILES, auth=auth)) as client:
            yield client


def cited(http: TestClient, **headers: str) -> Any:
    answer = http.post("/v1/ask", json={"text": QUESTION}, headers=headers).json()
    assert answer["kind"] == "answer", answer
    return answer["claims"][0]["citations"][0]


def pixels(png: bytes) -> Any:
    """Decode a PNG of the service."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    at = png.index(b"IDAT")
    (length,) = struct.unpack(">I", png[at - 4 : at])
    rows = np.frombuffer(zlib.decompress(png[at + 4 : at + 4 + length]), np.uint8).reshape(height, 1 + width * 3)
    return rows[:, 1:].reshape(height, width, 3)


def test_an_answer_with_its_sources(http: TestClient, library: qlc.AsyncCorpus) -> None:
    answer = http.post("/v1/ask", json={"text": QUESTION}).json()
    found = library.corpus.ask(QUESTION).model_dump(mode="json")  # type: ignore[attr-defined]
    assert {**answer, "stats": 0, "steps": 0} == {**found, "stats": 0, "steps": 0}
    assert answer["claims"][0]["citations"][0]["file"] == "contracts/acme_services.pdf"


def test_sentences_come_when_they_are_verified(http: TestClient) -> None:
    found = events(http.post("/v1/ask", json={"text": QUESTION}, headers=SSE).text)
    names = [data.get("stage", name) if name == "stage" else name for _, name, data in found]
    assert names.index("linked") < names.index("composed") < names.index("verified") < names.index("sentence")
    assert names[-2:] == ["outcome", "done"]
    assert [data for _, name, data in found if name == "sentence"] == found[-2][2]["claims"]


def test_a_program_and_a_page_of_a_list(http: TestClient) -> None:
    first = http.post("/v1/ask", json={"text": "list all contracts", "size": 2}).json()
    assert (first["kind"], first["total"]) == ("hits", 7)
    wrong = http.post("/v1/ask", json={"text": "list all contracts", "size": 2, "cursor": "x"})
    assert (wrong.status_code, wrong.json()["diagnostics"][0]["code"]) == (400, "invalid-cursor")
    listed = http.post("/v1/run", json={"program": "find contracts sort title limit 3", "size": 2}).json()
    further = http.post("/v1/run", json={"program": listed["query"], "size": 2, "cursor": listed["cursor"]}).json()
    assert len({*listed["ids"], *further["ids"]}) == 3


def test_a_conversation_over_documents(http: TestClient) -> None:
    at = http.post("/v1/conversations").headers["location"]
    first = http.post(f"{at}/turns", json={"text": QUESTION}).json()["outcomes"][0]
    assert first["kind"] == "answer"
    listed = http.post(f"{at}/turns", json={"text": "list all contracts"}).json()["outcomes"][0]
    assert listed["total"] == 7
    exported = http.get(f"{at}/export.csv")
    assert len(exported.text.splitlines()) == 8


def test_an_export_of_an_answer_has_its_sources(http: TestClient) -> None:
    exported = http.post("/v1/export.csv", json={"text": "list all contracts with their notice"})
    assert exported.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(exported.text)))
    assert len(rows) == 7
    row = next(one for one in rows if one["file"] == "contracts/acme_services.pdf")
    assert (row["notice_unit"], row["notice_page"]) == ("days", str(cited(http)["page"]))
    assert row["notice_quote"]


# --- pages -----------------------------------------------------------------------------------------------------------


def test_a_page_with_its_quote_marked(http: TestClient) -> None:
    one = cited(http)
    address = f"/v1/documents/{one['document']}/pages/{one['page']}.png"
    plain = http.get(address)
    marked = http.get(address, params={"quote": one["quote"]})
    assert plain.headers["content-type"] == marked.headers["content-type"] == "image/png"
    assert (plain.headers["qlc-marks"], marked.headers["qlc-marks"]) == ("0", "1")
    before, after = pixels(plain.content).astype(int), pixels(marked.content).astype(int)
    changed = (before != after).any(axis=2)
    assert 0.001 < changed.mean() < 0.2
    assert (after[changed][:, 2] < before[changed][:, 2]).all()  # less blue: yellow
    assert (before[changed].min(axis=1) < 128).any()  # there are letters below it
    assert max(pixels(http.get(address, params={"pixels": 300}).content).shape) == 300


def test_a_page_is_drawn_once(http: TestClient) -> None:
    one = cited(http)
    address = f"/v1/documents/{one['document']}/pages/{one['page']}.png"
    first = http.get(address)
    again = http.get(address, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["cache-control"] == "private, no-cache"


def test_a_page_that_may_not_be_read_is_not_there(of_parties: TestClient) -> None:
    one = cited(of_parties, **ACME)
    address = f"/v1/documents/{one['document']}/pages/{one['page']}.png"
    assert of_parties.get(address, headers=ACME).status_code == 200
    etag = of_parties.get(address, headers=ACME).headers["etag"]
    hidden = of_parties.get(address, headers={**BORDEN, "if-none-match": etag})
    missing = of_parties.get(f"/v1/documents/{'0' * 32}/pages/1.png", headers=BORDEN)
    assert (hidden.status_code, hidden.json()) == (missing.status_code, missing.json())
    assert of_parties.get(address).status_code == 401


@pytest.fixture
async def of_sections(folder: Path, library: qlc.AsyncCorpus, tmp_path: Path) -> AsyncIterator[TestClient]:
    """A service whose passages with a notice are hidden from every caller."""
    catalog = yaml.safe_load(await library.catalog())
    catalog["entities"]["passage"]["access"] = 'not text contains "Notice"'
    path = tmp_path / "catalog.yaml"
    path.write_text(yaml.safe_dump(catalog, sort_keys=False), "utf-8")
    async with await qlc.AsyncCorpus.open(folder, read_only=True, catalog=path) as corpus:
        with TestClient(create_app(corpus, files=FILES)) as client:
            yield client


def test_a_page_with_a_hidden_passage_is_shown_as_the_text_of_the_others(
    http: TestClient, of_sections: TestClient
) -> None:
    asked = {"program": 'find passages where file ends with ".pdf" show document, page, text'}
    whole, seen = http.post("/v1/run", json=asked), of_sections.post("/v1/run", json=asked).json()
    hits = whole.json()["hits"]
    hidden = [one for one in hits if one["id"] not in seen["ids"]]
    assert 0 < len(hidden) < len(hits)
    for one in hits:
        document, page = one["id"].rpartition("-")[0], one["values"]["page"]
        address = f"/v1/documents/{document}/pages/{page}.png"
        on_page = [other for other in hits if other["id"].startswith(document) and other["values"]["page"] == page]
        left = [other["values"]["text"] for other in on_page if other not in hidden]
        shown = of_sections.get(address, params={"quote": "Notice period"})
        if not left:
            assert shown.status_code == 404
        elif len(left) == len(on_page):
            assert shown.headers["content-type"] == "image/png"
        else:
            assert shown.headers["content-type"].startswith("text/plain")
            assert "qlc-marks" not in shown.headers
            assert shown.text == "\n\n".join(left)


def test_a_quote_of_a_hidden_passage_is_in_no_answer_and_no_export(of_sections: TestClient) -> None:
    for asked in (QUESTION, "list all contracts with their notice"):
        answer = of_sections.post("/v1/ask", json={"text": asked}).text
        assert "Notice period" not in answer
    exported = of_sections.post("/v1/export.csv", json={"text": "list all contracts with their notice"})
    assert "Notice period" not in exported.text
    for program in ("find documents where file exists show body", 'find contracts where annotations["notice"] exists',
                    'find documents where annotations[label = "Notice period"]'):  # fmt: skip
        assert of_sections.post("/v1/run", json={"program": program}).json()["kind"] == "invalid"
    counted = of_sections.post("/v1/run", json={"program": 'count documents where mentions "notice"'}).json()
    assert counted["value"] == 0


@pytest.mark.parametrize("id", ["../../etc/passwd", "x' or id exists", '" or file exists', "*", "%00"])
def test_an_id_is_no_program_and_no_path(http: TestClient, id: str) -> None:
    from urllib.parse import quote

    answered = http.get(f"/v1/documents/{quote(id, safe='')}/pages/1.png")
    assert (answered.status_code, answered.headers["content-type"]) == (404, "application/problem+json")


def test_what_cannot_be_shown(http: TestClient, library: qlc.AsyncCorpus) -> None:
    one = cited(http)
    assert http.get(f"/v1/documents/{one['document']}/pages/99.png").status_code == 404
    document = library.corpus.document("contracts/acme_supply.md")
    shown = http.get(f"/v1/documents/{document.id}/pages/1.png")
    assert (shown.status_code, shown.json()["code"]) in ((422, "no-image"), (404, "no-page"))


def test_a_file_that_is_another_one_now_is_not_shown(library: qlc.AsyncCorpus, tmp_path: Path) -> None:
    place = tmp_path / "contracts"
    place.mkdir()
    place.joinpath("acme_services.pdf").write_bytes(FILES.joinpath("contracts/acme_services.pdf").read_bytes() + b" ")
    with TestClient(create_app(library, files=tmp_path)) as http:
        one = cited(http)
        refused = http.get(f"/v1/documents/{one['document']}/pages/{one['page']}.png")
        assert (refused.status_code, refused.json()["code"]) == (404, "file-changed")


def test_a_corpus_on_the_command_line(folder: Path) -> None:
    with serving("--corpus", str(folder), "--files", str(FILES)) as (_, address):
        answer = httpx.post(f"{address}/v1/ask", json={"text": QUESTION}, timeout=60).json()
        one = answer["claims"][0]["citations"][0]
        shown = f"{address}/v1/documents/{one['document']}/pages/{one['page']}.png"
        assert httpx.get(shown, params={"quote": one["quote"]}, timeout=60).headers["qlc-marks"] == "1"
        counted = httpx.post(f"{address}/v1/run", json={"program": "count contracts"}, timeout=60).json()
        assert counted["value"] == 7


# --- exports of an index ---------------------------------------------------------------------------------------------


def test_every_page_of_a_list_is_exported(compiler: qlc.Compiler) -> None:
    program = "find documents where size > 0 show name, size"
    with TestClient(create_app(compiler)) as http:
        lines = http.post("/v1/export.ndjson", json={"text": program}).text.splitlines()
        total = http.post("/v1/run", json={"program": "count documents where size > 0"}).json()["value"]
        assert len({json.loads(line)["id"] for line in lines}) == len(lines) == total > 1000
        table = http.post("/v1/export.csv", json={"text": "how many documents are there per type?"}).text
        assert table.splitlines()[0] == "type,count"


@pytest.mark.parametrize(("text", "status", "kind"), [
    ('find documents where folder = "Travel"', 422, "clarify"), ("delete all W2s", 422, "refuse"),
    ("find documents where foo = 1", 400, "invalid"),
])  # fmt: skip
def test_what_has_no_rows_is_its_outcome(compiler: qlc.Compiler, text: str, status: int, kind: str) -> None:
    with TestClient(create_app(compiler)) as http:
        answered = http.post("/v1/export.csv", json={"text": text})
        assert (answered.status_code, answered.json()["kind"]) == (status, kind)
        assert http.post("/v1/export.xml", json={"text": text}).status_code == 422


async def test_an_export_that_breaks_off_is_not_whole(compiler: qlc.Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    from qlc.service.guard import CutOff

    app = create_app(compiler)
    backend = app.state.qlc.backend
    asker = await backend.asker()
    run = asker.compiler.run_async
    calls = []

    async def breaking(*given: Any, **options: Any) -> Any:
        calls.append(options.get("cursor"))
        if len(calls) == 2:
            return ValueOut()
        return await run(*given, **options)

    async def same() -> Any:
        return asker

    monkeypatch.setattr(asker.compiler, "run_async", breaking)
    monkeypatch.setattr(backend, "asker", same)
    page = await run("find documents where size > 0 show name", size=1000)
    assert isinstance(page, Hits)
    with TestClient(app) as http, pytest.raises(CutOff):
        http.post("/v1/export.csv", json={"text": "find documents where size > 0 show name"})
    assert len(calls) == 2


def test_settings_bound_the_size_of_a_page(library: qlc.AsyncCorpus) -> None:
    with TestClient(create_app(library, settings=Settings(max_size=1))) as http:
        listed = http.post("/v1/run", json={"program": "find contracts limit 5", "size": 100}).json()
        assert len(listed["ids"]) == 1
