"""Access depends on the caller; a token without a claim that access rules need is refused."""

import hashlib
import json
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from starlette.testclient import TestClient

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.service import ApiKeys, BearerTokens, Caller, Settings, create_app
from tests.service.test_tokens import ADDRESS, FOR_US, RSA, Issuer, signed
from tests.tables import table

SECRET = "a secret of the tests, of 32 bytes"
CATALOG = table(__file__, "CATALOG")
PAPERS = [("1", "red"), ("2", "red"), ("3", "blue")]


def hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def token(key: Any = SECRET, algorithm: str = "HS256", **claims: Any) -> dict[str, str]:
    given = {"sub": "dana", "exp": time.time() + 60, **claims}
    made = jwt.encode({name: value for name, value in given.items() if value is not None}, key, algorithm)
    return {"authorization": f"Bearer {made}"}


@pytest.fixture
async def papers() -> AsyncIterator[qlc.Compiler]:
    client = qlc.connect_async(":memory:")
    fields = {name: {"type": "keyword"} for name in ("id", "title", "team")}
    await client.indices.create(index="papers", mappings={"properties": fields})
    for id, team in PAPERS:
        await client.index(index="papers", id=id, document={"id": id, "title": f"Paper {id}", "team": team})
    await client.indices.refresh(index="papers")
    yield qlc.Compiler(client, read_catalog(CATALOG, "papers"))
    await client.close()


@pytest.fixture
def http(papers: qlc.Compiler, tmp_path: Path) -> Iterator[TestClient]:
    keys = tmp_path / "keys.yaml"
    keys.write_text(
        f"- {{name: red, sha256: {hashed('red key')}, context: {{team: red}}}}\n"
        f"- {{name: bare, sha256: {hashed('bare key')}, rate: 2/minute}}\n"
    )
    auth = [ApiKeys.load(keys), BearerTokens(SECRET, ["HS256"], claims={"team": "org.team"})]
    with TestClient(create_app(papers, auth=auth)) as client:
        yield client


def ids(http: TestClient, headers: dict[str, str]) -> Any:
    return http.post("/v1/run", json={"program": "find papers limit 10"}, headers=headers).json().get("ids")


def test_the_context_follows_from_the_credentials(http: TestClient) -> None:
    assert ids(http, {"x-api-key": "red key"}) == ["1", "2"]
    assert ids(http, token(org={"team": "blue"})) == ["3"]
    assert ids(http, token(**{"org.team": "red"})) == ["1", "2"]


@pytest.mark.parametrize("claims", [{}, {"org": {"team": []}}])
def test_a_missing_claim_refuses(http: TestClient, claims: Any) -> None:
    refused = http.post("/v1/run", json={"program": "find papers limit 10"}, headers=token(**claims))
    assert (refused.status_code, refused.json()["code"]) == (403, "claim-missing")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-api-key": "another"},
        {"authorization": "Bearer nonsense"},
        {"authorization": "Basic ZGFuYTpkYW5h"},
        token("another secret of the tests, of 32 bytes", org={"team": "red"}),
        token(exp=time.time() - 3600, org={"team": "red"}),
        token(exp=None, org={"team": "red"}),
        token(sub=None, org={"team": "red"}),
        token(sub="", org={"team": "red"}),
        {"authorization": f"Bearer {jwt.encode({'sub': 'dana', 'exp': 9e9, 'org': {'team': 'red'}}, None, 'none')}"},
    ],
)
def test_what_is_no_credential_is_refused_before_anything_is_read(http: TestClient, headers: dict[str, str]) -> None:
    for path in ("/v1/run", "/v1/nothing", "/metrics"):
        refused = http.post(path, content=b"{", headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized"), path
        assert refused.headers["www-authenticate"].startswith("Bearer")
    assert http.get("/healthz").status_code == 200


def test_a_rule_without_its_value_finds_nothing(http: TestClient) -> None:
    failed = http.post("/v1/run", json={"program": "find papers limit 10"}, headers={"x-api-key": "bare key"})
    assert (failed.status_code, failed.json()["reason"]) == (500, "context-missing")


def test_a_caller_has_a_rate(http: TestClient) -> None:
    statuses = [http.post("/v1/check", json={"program": "find papers"}, headers={"x-api-key": "bare key"}).status_code
                for _ in range(3)]  # fmt: skip
    assert statuses == [200, 200, 429]
    refused = http.post("/v1/check", json={"program": "find papers"}, headers={"x-api-key": "bare key"})
    assert refused.json()["code"] == "too-many-requests"
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert ids(http, {"x-api-key": "red key"}) == ["1", "2"]


def test_no_way_leads_to_what_may_not_be_seen(http: TestClient) -> None:
    red = {"x-api-key": "red key"}
    exported = http.post("/v1/export.ndjson", json={"text": "find papers limit 10"}, headers=red).text
    assert [json.loads(line)["id"] for line in exported.splitlines()] == ["1", "2"]
    assert http.post("/v1/ask", json={"text": "how many papers are there?"}, headers=red).json()["value"] == 2
    pasted = {"text": '{"query": {"match_all": {}}, "size": 9}'}
    assert http.post("/v1/pasted", json=pasted, headers=red).json()["total"] == 2
    explained = http.post("/v1/explain", json={"text": "find papers limit 10"}, headers=red).json()
    assert explained["outcome"]["ids"] == ["1", "2"]
    assert "requests" not in explained
    assert "team" not in explained["canonical"]
    completed = http.post("/v1/complete", json={"program": 'find papers where title = "Pap'}, headers=red).text
    assert "Paper 3" not in completed


def test_a_conversation_shows_what_its_caller_may_see_now(http: TestClient) -> None:
    at = http.post("/v1/conversations", headers=token(org={"team": "red"})).headers["location"]
    message = {"text": "find papers limit 10"}
    said = http.post(f"{at}/turns", json=message, headers=token(org={"team": "red"})).json()
    assert said["outcomes"][0]["ids"] == ["1", "2"]
    assert len(http.get(at, headers=token(org={"team": "red"})).json()["turns"]) == 1
    moved = token(org={"team": "blue"})  # the same person, with other rights
    assert http.get(at, headers=moved).json()["turns"] == []
    assert http.post(f"{at}/resume", headers=moved).status_code == 404
    assert http.post(f"{at}/turns", json=message, headers=moved).json()["outcomes"][0]["ids"] == ["3"]


def test_guesses_are_counted_too(papers: qlc.Compiler) -> None:
    app = create_app(papers, auth=[ApiKeys({hashed("k"): Caller("k")})], settings=Settings(rate="3/minute"))
    with TestClient(app) as http:
        statuses = [http.get("/metrics", headers={"x-api-key": str(n)}).status_code for n in range(5)]
    assert statuses == [401, 401, 401, 429, 429]


def test_tokens_of_a_key_set(papers: qlc.Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    issuer = Issuer(monkeypatch, one=RSA)

    def bearer(**given: Any) -> dict[str, str]:
        return {"authorization": f"Bearer {signed(**given)}"}

    def auth() -> BearerTokens:
        return BearerTokens(ADDRESS, claims={"team": "team"}, **FOR_US)

    with TestClient(create_app(papers, auth=[auth()])) as http:
        assert ids(http, bearer(kid="one", team="red")) == ["1", "2"]
        assert http.get("/metrics", headers=bearer(kid="two", team="red")).status_code == 401
    issuer.is_down = True
    with TestClient(create_app(papers, auth=[auth()])) as http:
        unknown = http.get("/metrics", headers=bearer(kid="one"))
        assert (unknown.status_code, unknown.json()["code"]) == (503, "keys-unavailable")
        assert unknown.headers["retry-after"] == "5"


@pytest.mark.parametrize("text", ["", "- name: x\n", "{", "- {name: x, sha256: zz}", "5",
                                  f"- {{name: x, sha256: {'a' * 64}}}\n- {{name: x, sha256: {'b' * 64}}}",
                                  f"- {{name: x, sha256: {'a' * 64}, rate: often}}"])  # fmt: skip
def test_files_of_keys_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.yaml"
    path.write_text(text)
    with pytest.raises(qlc.UsageError):
        ApiKeys.load(path)
