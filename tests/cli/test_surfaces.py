"""A question has one answer: in Python, in a conversation, over HTTP, on the page, of an agent, on the command line."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.testclient import TestClient

import qlc
from qlc.agents.mcp import create_server
from qlc.cli.demo_store import demo_compiler
from qlc.cli.target import DEMO_NOW
from qlc.outcome import OUTCOME
from tests.cli.conftest import Command
from tests.mcp.conftest import connected, data
from tests.service.conftest import app as app
from tests.service.conftest import compiler as compiler
from tests.service.conftest import http as http
from tests.tables import rows

COMPARED = ("kind", "message", "query", "total", "ids", "groups", "rows", "value", "words", "token", "options")
"""Parts of an outcome that are the same everywhere. Notes and suggestions say what can be done next, in each place."""


def core(outcome: Any) -> Any:
    found = OUTCOME.validate_python(outcome).model_dump(mode="json")  # an agent gets no parts that are as usual
    if found["kind"] == "several":
        return together(found["outcomes"])
    findings = [(one["code"], one["message"], one["span"]) for one in found["diagnostics"]]
    return {**{name: found.get(name) for name in COMPARED}, "diagnostics": findings}


def together(outcomes: Sequence[Any]) -> Any:
    return core(outcomes[0]) if len(outcomes) == 1 else [core(one) for one in outcomes]


@pytest.fixture(scope="module")
def sample(demo: Any) -> qlc.Compiler:
    return demo_compiler()


@pytest.mark.parametrize("text", rows(__file__, "test_a_question_has_the_same_answer_everywhere"))
def test_a_question_has_the_same_answer_everywhere(
    text: str, sample: qlc.Compiler, http: TestClient, request: pytest.FixtureRequest
) -> None:
    command: Command = request.getfixturevalue("qlc")  # its name is that of the package here
    expected = core(qlc.compile_and_run(text, sample, now=DEMO_NOW))

    async def of_agent() -> Any:
        async with connected(create_server(qlc.Asker(sample), options={"now": DEMO_NOW})) as client:
            return data(await client.call_tool("ask", {"words": text}))["outcome"]

    talk = http.post("/v1/conversations").json()["id"]
    found = {
        "conversation": together(qlc.Conversation(sample, now=DEMO_NOW).turn(text).outcomes),
        "HTTP": core(http.post("/v1/ask", json={"text": text}).json()),
        "page": together(http.post(f"/v1/conversations/{talk}/turns", json={"text": text}).json()["outcomes"]),
        "agent": core(asyncio.run(of_agent())),
        "command line": core(command("ask", "--demo", "--json", text).json),
    }
    assert {where: answer for where, answer in found.items() if answer != expected} == {}
