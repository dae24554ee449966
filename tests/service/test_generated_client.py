"""A client generated from the OpenAPI description has the outcomes as types, and the service understands it."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient


@pytest.fixture
def generated(app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "openapi.json").write_text(json.dumps(app.openapi()))
    command: list[Any] = [Path(sys.executable).with_name("openapi-python-client"), "generate", "--path", "openapi.json",
               "--output-path", "generated_qlc", "--meta", "none", "--fail-on-warning"]  # fmt: skip
    (tmp_path / "config.yaml").write_text("post_hooks: []\n")
    command += ["--config", "config.yaml"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    monkeypatch.syspath_prepend(tmp_path)
    return "generated_qlc"


def test_it_has_the_outcomes(generated: str, http: TestClient) -> None:
    models, ask, run = (import_module(f"{generated}.{name}") for name in (
        "models", "api.questions.ask", "api.questions.run"))  # fmt: skip
    client = import_module(f"{generated}.client").Client(base_url="http://testserver")
    client.set_httpx_client(http)

    def asked(text: str) -> Any:
        return ask.sync(client=client, body=models.AskRequest(text=text))

    counted = asked("how many W2s are there?")
    assert (type(counted), counted.value) == (models.Count, 143)
    back = asked('find documents where folder = "Travel"')
    assert type(back) is models.Clarify
    choices = models.AskRequestChoices.from_dict({back.token: back.options[1].id})
    chosen = ask.sync(client=client, body=models.AskRequest('find documents where folder = "Travel"', choices=choices))
    assert (type(chosen), type(chosen.hits[0])) == (models.Hits, models.Hit)
    several = asked("Who owns Brand Assets, and how many NDAs are there?")
    assert [type(one) for one in several.outcomes] == [models.ValueOut, models.Count]
    wrong = run.sync(client=client, body=models.ProgramRequest(program="find documents where foo = 1"))
    assert (type(wrong), wrong.diagnostics[0].code) == (models.Invalid, "unknown-field")
    nothing = run.sync(client=client, body=models.ProgramRequest(program="count documents", size=-1))
    assert (type(nothing), nothing.code) == (models.ProblemBody, "invalid-request")
