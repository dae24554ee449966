"""Answers as events: in order, with ids, and read on after a connection was lost."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.outcome import Answer, Citation, Claim
from qlc.service import ApiKeys, Caller, Settings, create_app
from tests.service.conftest import NOW
from tests.service.test_auth import hashed

SSE = {"accept": "text/event-stream"}


def events(text: str) -> list[tuple[str, str, Any]]:
    """Id, name and data of each event."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in lines:
            found.append((lines["id"], lines["event"], json.loads(lines["data"])))
    return found


def asked(http: TestClient, text: str, **headers: str) -> list[tuple[str, str, Any]]:
    answered = http.post("/v1/ask", json={"text": text}, headers={**SSE, **headers})
    assert answered.headers["content-type"].startswith("text/event-stream")
    return events(answered.text)


def test_stages_come_before_the_answer(http: TestClient) -> None:
    found = asked(http, "how many W2s are there?")
    names = [name for _, name, _ in found]
    assert names[-2:] == ["outcome", "done"]
    assert set(names[:-2]) == {"stage"}
    assert {"stage": "translated", "program": 'count documents where type = "W2"', "notes": []} in [
        data for _, _, data in found
    ]
    assert found[-2][2] == {**http.post("/v1/ask", json={"text": "how many W2s are there?"}).json(),
                            "stats": found[-2][2]["stats"]}  # fmt: skip
    assert found[-1][2] == {"status": 200}
    ids = [id.rpartition(".") for id, _, _ in found]
    assert [int(number) for _, _, number in ids] == list(range(1, len(ids) + 1))
    assert len({stream for stream, _, _ in ids}) == 1


def test_several_questions_are_answered_one_by_one(http: TestClient) -> None:
    found = asked(http, "Who owns Brand Assets, and how many NDAs are there?")
    partial = [data for _, name, data in found if name == "partial"]
    outcome = found[-2][2]
    assert [one["number"] for one in partial] == [1, 2]
    assert [one["outcome"] for one in partial] == outcome["outcomes"]
    assert found.index(next(one for one in found if one[1] == "partial")) < len(found) - 3


def test_a_question_back_and_a_table(http: TestClient) -> None:
    assert [name for _, name, _ in asked(http, 'find documents where folder = "Travel"')][-2:] == ["clarify", "done"]
    found = asked(http, "count documents by type")
    assert [name for _, name, _ in found][-3:] == ["table", "outcome", "done"]
    assert found[-3][2]["rows"] == found[-2][2]["rows"]


def test_what_is_wrong_ends_the_stream_with_its_status(http: TestClient) -> None:
    assert asked(http, "find documents where foo = 1")[-1][2] == {"status": 400}
    wrong = http.post("/v1/pasted", json={"text": "hello"}, headers=SSE)
    assert [(name, data.get("code", data)) for _, name, data in events(wrong.text)] == [
        ("problem", "not-possible"), ("done", {"status": 400})]  # fmt: skip


def test_a_stream_is_read_on(http: TestClient) -> None:
    whole = asked(http, "how many W2s are there?")
    again = asked(http, "how many W2s are there?", **{"last-event-id": whole[1][0]})
    assert again == whole[2:]
    assert asked(http, "how many W2s are there?", **{"last-event-id": whole[-1][0]}) == []


def test_another_request_does_not_continue_a_stream(http: TestClient) -> None:
    whole = asked(http, "how many W2s are there?")
    for text, last in (("how many NDAs are there?", whole[1][0]), ("how many W2s are there?", "nonsense"),
                       ("how many W2s are there?", "a.b")):  # fmt: skip
        other = asked(http, text, **{"last-event-id": last})
        assert other[0][0].endswith(".1")
        assert other[0][0] != whole[0][0]


@pytest.fixture
def slow(compiler: qlc.Compiler, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """An application whose answers wait until they are let go."""
    app = create_app(compiler, now=NOW, settings=Settings(resume_time=0.3, concurrent=1, queue=0))
    state: dict[str, Any] = {"app": app, "cancelled": 0, "go": asyncio.Event(), "begun": 0}

    async def ask(*_: Any) -> Any:
        state["begun"] += 1
        try:
            await state["go"].wait()
        except asyncio.CancelledError:
            state["cancelled"] += 1
            raise
        cited = [Citation(document="d", file="a.pdf", page=1, quote="It is 5.")]
        return Answer(message="It is 5.", claims=[Claim(text="It is 5.", citations=cited)])

    monkeypatch.setattr(type(app.state.qlc.backend), "ask", ask)
    return state


class Client:
    """A client of an ASGI application that can leave in the middle."""

    def __init__(
        self, app: Any, headers: dict[str, str] | None = None, *, path: str = "/v1/ask", text: str = "x",
        method: str = "POST", more: dict[str, Any] | None = None, sends_body: bool = True, reads: bool = True,
    ) -> None:  # fmt: skip
        self.parts: list[bytes] = []
        self.status = 0
        self._left = asyncio.Event()
        body = json.dumps({"text": text, **(more or {})}).encode()
        given = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
        scope = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": [(k.encode(), v.encode()) for k, v in given.items()], "root_path": "", "scheme": "http",
            "server": ("test", 80), "client": ("1.2.3.4", 5), "asgi": {"version": "3.0"}, "http_version": "1.1",
        }  # fmt: skip
        messages = [{"type": "http.request", "body": body, "more_body": False}] if sends_body else []

        async def receive() -> Any:
            if messages:
                return messages.pop()
            await self._left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            self.status = message.get("status", self.status)
            if not reads:
                await asyncio.Event().wait()
            self.parts.append(message.get("body", b""))

        self.task = asyncio.ensure_future(app(scope, receive, send))

    async def leave(self) -> None:
        self._left.set()
        await self.task

    @property
    def events(self) -> list[tuple[str, str, Any]]:
        return events(b"".join(self.parts).decode())


async def until(condition: Any) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.01)


async def test_a_client_that_leaves_cancels_its_work(slow: dict[str, Any]) -> None:
    client = Client(slow["app"])
    await until(lambda: slow["begun"])
    await client.leave()
    assert slow["cancelled"] == 1
    metrics = slow["app"].state.qlc.metrics.text().decode()
    assert "qlc_cancelled_total 1.0" in metrics
    assert "qlc_working 0.0" in metrics


async def test_a_stream_outlives_its_connection_for_a_while(slow: dict[str, Any]) -> None:
    first = Client(slow["app"], SSE)
    await until(lambda: slow["begun"])
    await until(lambda: slow["app"].state.qlc.streams._streams)
    (stream,) = slow["app"].state.qlc.streams._streams.values()
    stream.add("stage", {"stage": "linked"})
    await until(lambda: first.events)
    await first.leave()
    second = Client(slow["app"], {**SSE, "last-event-id": first.events[0][0]})
    await asyncio.sleep(0.5)
    assert not slow["cancelled"]
    slow["go"].set()
    await second.task
    assert [name for _, name, _ in second.events] == ["sentence", "outcome", "done"]
    assert slow["begun"] == 1


async def test_a_stream_that_nobody_comes_back_to_is_cancelled(slow: dict[str, Any]) -> None:
    client = Client(slow["app"], SSE)
    await until(lambda: slow["begun"])
    await client.leave()
    assert not slow["cancelled"]
    await until(lambda: slow["cancelled"])
    assert not slow["app"].state.qlc.streams._streams
    assert not slow["app"].state.qlc.admission.working


# --- conversations ---------------------------------------------------------------------------------------------------


@pytest.fixture
async def both(compiler: qlc.Compiler, tmp_path: Path) -> AsyncIterator[TestClient]:
    auth = [ApiKeys({hashed(name): Caller(name) for name in ("dana", "tom")})]
    store = qlc.conversation.SQLiteStore(tmp_path / "talk.sqlite")
    with TestClient(create_app(compiler, auth=auth, now=NOW, store=store)) as http:
        yield http
    store.close()


DANA, TOM = {"x-api-key": "dana"}, {"x-api-key": "tom"}


def test_a_conversation(both: TestClient) -> None:
    made = both.post("/v1/conversations", headers=DANA)
    at = made.headers["location"]
    assert (made.status_code, at) == (201, f"/v1/conversations/{made.json()['id']}")
    assert both.get(at, headers=DANA).json()["turns"] == []
    first = both.post(f"{at}/turns", json={"text": "documents in Tax"}, headers=DANA).json()
    assert first["outcomes"][0]["kind"] == "clarify"
    second = both.post(f"{at}/turns", json={"text": "the nonprofit one", "size": 5}, headers=DANA).json()
    assert (second["number"], second["origin"], second["outcomes"][0]["total"]) == (2, "choice", 13)
    assert second["has_more"]
    assert both.post(f"{at}/resume", headers=DANA).json()["outcomes"] == second["outcomes"]
    history = both.get(at, headers=DANA).json()
    assert [turn["text"] for turn in history["turns"]] == ["documents in Tax", "the nonprofit one"]
    assert both.get("/v1/conversations", headers=DANA).json()["ids"] == [made.json()["id"]]
    assert both.delete(at, headers=DANA).status_code == 204
    assert both.get(at, headers=DANA).json()["code"] == "no-conversation"


def test_it_is_not_there_for_others(both: TestClient) -> None:
    at = both.post("/v1/conversations", headers=DANA).headers["location"]
    both.post(f"{at}/turns", json={"text": "count documents"}, headers=DANA)
    for method, path, given in (("GET", at, None), ("DELETE", at, None), ("POST", f"{at}/turns", {"text": "more"}),
                                ("POST", f"{at}/resume", None), ("GET", f"{at}/export.csv", None)):  # fmt: skip
        other, none = (both.request(method, path.replace(id, new), json=given, headers=TOM)
                       for id in [at.rpartition("/")[2]] for new in (id, "another"))  # fmt: skip
        assert (other.status_code, other.json()) == (none.status_code, none.json()) == (404, none.json())
    assert both.get("/v1/conversations", headers=TOM).json() == {"ids": []}
    assert len(both.get(at, headers=DANA).json()["turns"]) == 1


def test_a_turn_as_events(both: TestClient) -> None:
    at = both.post("/v1/conversations", headers=DANA).headers["location"]
    message = {"text": "Who owns Brand Assets, and how many NDAs are there?"}
    found = events(both.post(f"{at}/turns", json=message, headers={**DANA, **SSE}).text)
    names = [name for _, name, _ in found]
    assert names[-4:] == ["outcome", "outcome", "turn", "done"]
    assert names.count("partial") == 2
    assert {"stage": "understood"} in [data for _, _, data in found]


def test_a_conversation_that_is_busy(both: TestClient) -> None:
    from qlc.conversation.saved import packed
    from qlc.conversation.working import Given, Working

    at = both.post("/v1/conversations", headers=DANA).headers["location"]
    id = at.rpartition("/")[2]
    store = both.app.state.qlc.backend.store(Caller("dana"))  # type: ignore[attr-defined]
    working = Working(number=1, text="count documents", given=Given(now=NOW, size=10))
    from qlc.conversation.history import History

    store.write(id, packed(working, History(), 9e9, id, 2), 2)
    busy = both.post(f"{at}/turns", json={"text": "count documents"}, headers=DANA)
    assert (busy.status_code, busy.json()["code"], busy.headers["retry-after"]) == (409, "conversation-busy", "1")
    assert both.post(f"{at}/resume", headers=DANA).json()["outcomes"][0]["kind"] == "count"
