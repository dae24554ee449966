"""The page on the server: each configuration can be read, and what it starts serves; its tables are true."""

import ast
import json
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import qlc
from qlc.agents.mcp import create_server
from qlc.cli.main import parser
from qlc.outcome.reply import MOST, MOST_ROWS
from tests import data_sets
from tests.answers.conftest import library as library
from tests.docs.pages import blocks, table, text

from .conftest import connected, data

PAGE = "docs/mcp.md"
Started = tuple[str, ...]


def servers() -> Iterator[dict[str, Any]]:
    for block in blocks(PAGE, "json"):
        (named,) = json.loads(block).values()
        yield from named.values()
    for block in blocks(PAGE, "toml"):
        yield from tomllib.loads(block)["mcp_servers"].values()


def commands() -> set[Started]:
    found = {(one["command"], *one["args"]) for one in servers() if "command" in one}
    for block in blocks(PAGE, "sh"):
        _, _, line = block.partition(" -- ")
        found.add(tuple(shlex.split(line)))
    return found


def test_there_is_a_snippet_for_each_host() -> None:
    page = text(PAGE)
    for host in ("Claude Desktop", "Cursor", "Windsurf", "Gemini CLI", "Claude Code", "VS Code", "Zed", "Codex"):
        assert f"**{host}**" in page
    assert len([*servers()]) == 5
    assert [one["url"] for one in servers() if "url" in one] == ["http://127.0.0.1:8000/mcp"]


@pytest.mark.parametrize("command", sorted(commands()))
async def test_what_a_host_starts_answers(command: Started, tmp_path: Path) -> None:
    name, *arguments = command
    assert name == "qlc"
    shutil.copytree(data_sets.stored("drive"), tmp_path / "store")
    environment = {"QLC_DEMO": str(tmp_path / "store"), "HOME": str(tmp_path)}
    server = StdioServerParameters(command=sys.executable, args=["-m", "qlc.cli.main", *arguments], env=environment)
    async with Client(server) as client:
        found = data(await client.call_tool("ask", {"words": "how many folders are called Recipes?"}))
    assert found["outcome"]["kind"] == "count"


def test_the_command_lines_can_be_read() -> None:
    lines = text(PAGE).replace("\n        --", " --").splitlines()
    shown = [line.strip().split("   ")[0] for line in lines if line.startswith("    qlc mcp")]
    assert len(shown) == 5
    for line in shown:
        assert parser().read(shlex.split(line)[1:])[0] == "agents:serve"


async def test_the_tools_and_their_arguments_are_those_that_there_are(library: qlc.Corpus) -> None:
    async with connected(create_server(corpus=library)) as client:
        tools = (await client.list_tools()).tools
    told = {row[0].strip("`"): [one.strip("` ") for one in row[1].split(",")] for row in table(PAGE, "## Tools")}
    assert told == {one.name: list(one.input_schema["properties"]) for one in tools}


def test_the_limits_are_those_that_there_are() -> None:
    assert f"at most {MOST:,} characters" in text(PAGE)
    assert f"steps of {MOST_ROWS} rows" in text(PAGE)


def test_the_example_in_python_is_one() -> None:
    (block,) = blocks(PAGE, "python")
    tree = ast.parse(block)
    call = next(one for one in ast.walk(tree) if isinstance(one, ast.Call) and ast.unparse(one.func) == "create_server")
    server = create_server(
        qlc.Asker(qlc.Compiler(None, None, "x")),
        **{one.arg: ast.literal_eval(one.value) for one in call.keywords if one.arg},
    )
    assert server.name == "qlc"
