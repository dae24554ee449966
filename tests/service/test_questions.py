"""Every answer is the outcome of the library, as JSON."""

from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.outcome import OUTCOME
from tests import replies
from tests.service.conftest import NOW
from tests.tables import rows


def plain(outcome: Any) -> Any:
    """Without its times, and the requests that a cache spared."""
    return {name: part for name, part in outcome.items() if name != "stats"}


@pytest.mark.parametrize("text", rows(__file__, "test_ask_is_compile_and_run"))
async def test_ask_is_compile_and_run(http: TestClient, compiler: qlc.Compiler, text: str) -> None:
    answered = http.post("/v1/ask", json={"text": text})
    expected = await qlc.compile_and_run_async(text, compiler, now=NOW)
    assert answered.headers["content-type"] == "application/json"
    found, wanted = answered.json(), expected.model_dump(mode="json")
    if found["kind"] == "several":
        found["outcomes"], wanted["outcomes"] = (
            [plain(one) for one in several["outcomes"]] for several in (found, wanted)
        )
    assert plain(found) == plain(wanted)
    assert OUTCOME.validate_python(answered.json()).kind == expected.kind


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("count documents", 200),
        ('find documents where folder = "no such folder"', 200),
        ("find documents where foo = 1", 400),
        ("find documents where", 400),
    ],
)
def test_the_status_follows_from_the_outcome(http: TestClient, program: str, status: int) -> None:
    answered = http.post("/v1/run", json={"program": program})
    assert answered.status_code == status
    assert "kind" in answered.json()


def test_check(http: TestClient) -> None:
    good = http.post("/v1/check", json={"program": "find docs where file_size > 5 MB"}).json()
    assert good == {"text": "find documents where size > 5 MB", "failed": False, "diagnostics": []}
    bad = http.post("/v1/check", json={"program": "find documents where size > 5 minutes"}).json()
    assert bad["failed"]
    assert bad["diagnostics"][0]["code"] == "wrong-unit"


def test_complete(http: TestClient) -> None:
    typed = "count documents where typ"
    found = http.post("/v1/complete", json={"program": typed}).json()["candidates"][0]
    assert typed[: found["start"]] + found["text"] == "count documents where type"
    wrong = http.post("/v1/complete", json={"program": typed, "cursor": 99})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "not-possible")


def test_explain_shows_the_stages(http: TestClient) -> None:
    shown = http.post("/v1/explain", json={"text": "how many W2s are there?"}).json()
    assert shown["canonical"] == 'count documents where type = "W2"'
    assert shown["outcome"]["value"] == 143
    assert shown["requests"][0]["body"]


def test_pasted(http: TestClient) -> None:
    request = '{"query": {"term": {"commonAttributes.fileExtension": "mp4",}}, "size": 2}'
    assert http.post("/v1/pasted", json={"text": request}).json()["kind"] == "rejected_query"
    fixed = http.post("/v1/pasted", json={"text": request, "want": "fix"}).json()
    assert (fixed["kind"], len(fixed["ids"])) == ("hits", 2)
    further = http.post("/v1/pasted", json={"text": request, "want": "fix", "cursor": fixed["cursor"]}).json()
    assert not set(further["ids"]) & set(fixed["ids"])


def test_the_size_and_the_deadline_are_bounded(compiler: qlc.Compiler) -> None:
    from qlc.service import Settings, create_app

    with TestClient(create_app(compiler, now=NOW, settings=Settings(max_size=5, deadline=10))) as http:
        page = http.post("/v1/run", json={"program": "find documents where size > 0", "size": 500, "deadline": 1000})
        assert len(page.json()["ids"]) == 5
        too_short = http.post("/v1/run", json={"program": "count documents", "deadline": 0.000001})
        assert (too_short.status_code, too_short.json()["reason"]) == (504, "timeout")


def test_it_can_be_mounted(app: Any) -> None:
    from fastapi import FastAPI

    outer = FastAPI()
    outer.mount("/search", app)
    with TestClient(outer) as http:
        assert http.post("/search/v1/ask", json={"text": "count documents"}).json()["kind"] == "count"
        assert http.get("/search/healthz").json()["status"] == "ok"
        assert http.get("/search/nothing").json()["code"] == "not-found"


def test_outcomes_of_these_tests_are_validated_against_the_schema(http: TestClient) -> None:
    before = replies.checked
    found = http.post("/v1/run", json={"program": "count documents"}).json()
    assert replies.checked == before + 1
    with pytest.raises(AssertionError, match=r"at \$.value"):
        replies.check_reply(found | {"value": "many"})
