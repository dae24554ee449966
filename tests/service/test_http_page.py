"""docs/http.md: every command of the page sent to the service, every Python block run, every address and code there."""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from qlc import catalogs
from qlc.cli.main import parser
from qlc.service import Settings, create_app
from tests import data_sets
from tests.docs.pages import ROOT, blocks, commands, table, text
from tests.service.conftest import bare_compiler
from tests.service.test_serving import serving

PAGE = "docs/http.md"
ADDRESS = "http://127.0.0.1:8765"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("--demo") as (_, address):
        yield address


def request(line: str, address: str) -> dict[str, Any]:
    """Parse a command of `curl` into the arguments of a request."""
    name, *words = shlex.split(line)
    assert name == "curl"
    found: dict[str, Any] = {"headers": {}, "method": "GET", "timeout": 60}
    rest = iter(words)
    for word in rest:
        match word:
            case "-H":
                key, _, value = next(rest).partition(": ")
                found["headers"][key] = value
            case "-d":
                found |= {"content": next(rest), "method": "POST"}
            case "-X":
                found["method"] = next(rest)
            case "-N":
                pass
            case _:
                assert word.startswith(ADDRESS), word
                found["url"] = word.replace(ADDRESS, address)
    return found


def shown(printed: str) -> list[tuple[str, Any]]:
    return [(name, json.loads(data)) for name, data in re.findall(r"^event: (\w+)\ndata: (.*)$", printed, re.MULTILINE)]


def divided(printed: str) -> tuple[set[str], list[tuple[str, Any]]]:
    """The stages, which come in any order, and the events after them."""
    events = shown(printed)
    return {data["stage"] for name, data in events if name == "stage"}, [one for one in events if one[0] != "stage"]


def test_every_command_is_answered_as_the_page_shows(address: str) -> None:
    ids: list[str] = []
    assert len(commands(PAGE)) > 10
    for command in commands(PAGE):
        line = command.line.replace("$ID", ids[0] if ids else "")
        answered = httpx.request(**request(line, address))
        if command.printed.startswith("event: "):
            (stages, wanted), (all_stages, found) = divided(command.printed), divided(answered.text)
            assert stages <= all_stages, line
            assert [(name, {key: data[key] for key in keys}) for (name, data), (_, keys) in zip(
                found, wanted, strict=True)] == wanted, line  # fmt: skip
        elif not command.printed.startswith("{"):
            assert answered.text.rstrip("\n") == command.printed, line
        else:
            body = answered.json()
            if "$ID" in command.printed:
                ids.append(body["id"])
            expected = json.loads(command.printed.replace("$ID", ids[0] if ids else ""))
            assert {name: body.get(name) for name in expected} == expected, line


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
async def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(data_sets.stored("drive"), tmp_path / "store")
    shutil.copy(catalogs.path("drive"), tmp_path / "drive.yaml")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks(PAGE, "python"):
        exec(compile(block, PAGE, "exec"), names)
    await names["client"].close()


def test_every_address_is_on_the_page() -> None:
    described = set(re.findall(r"`((?:GET|POST|DELETE) /[^`]*)`", text(PAGE).partition("## Questions")[0]))
    corpus_only = {"GET /v1/documents/{id}/pages/{number}.png"}
    paths = create_app(bare_compiler(), settings=Settings()).openapi()["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert described - {"GET /openapi.json", "GET /"} == there | corpus_only


def test_every_code_is_on_the_page() -> None:
    sources = [*(ROOT / "qlc/service").glob("*.py")]
    raised = {code for path in sources for code in re.findall(
        r'Problem\(\s*(\d{3}), "([\w-]+)"', path.read_text("utf-8"))}  # fmt: skip
    rows = table(PAGE, "## Errors")
    described = {(status, code) for status, codes, _ in rows for code in re.findall(r"`([\w-]+)`", codes)}
    assert len(raised) > 10
    assert raised - described == set()


def test_every_option_is_described() -> None:
    actions = next(action for action in parser()._actions if action.dest == "command")
    assert isinstance(actions.choices, dict)
    common = {*actions.choices["chat"]._option_string_actions, "--help", "-h", "--port"}
    for option in actions.choices["serve"]._option_string_actions:
        assert option in common or f"{option}" in text(PAGE), option
