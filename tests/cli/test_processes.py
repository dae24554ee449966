"""Commands as processes of their own: pipes, encodings, how fast they start."""

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

import qlc.catalogs
from tests.cli.conftest import process

pytestmark = pytest.mark.usefixtures("demo")

HEAVY = ("pydantic", "elasticsearch", "elastic_transport", "numpy", "lark", "yaml", "rapidfuzz", "anthropic", "asyncio")


def test_the_version_starts_at_once() -> None:
    program = (
        "import sys; sys.argv = ['qlc', '--version']\n"
        "from qlc.cli.main import entry\n"
        "try: entry()\n"
        f"finally: print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    started = time.perf_counter()
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert time.perf_counter() - started < 30
    assert ended.stdout.startswith("qlc ")
    assert ended.stderr.strip() == "[]"


RULES = ("qlc.translator.rules.parse", "qlc.translator.follow_ups.english", "qlc.translator.splitting")
"""Modules of English, which no program needs."""
UNNEEDED = {
    "--help": (*HEAVY, "qlc.grammar", "qlc.outcome", "qlc.pipeline.compiler"),
    "fmt 'count  x'": ("elasticsearch", "numpy", *RULES),
    "check --catalog drive --mapping {mapping} 'count documents'": ("jsonschema", "numpy", "qlc_engine", *RULES),
    "run --demo 'count documents'": ("jsonschema", "qlc.pasted.entry", "qlc.conversation", *RULES),
}
"""Modules that each command must not load: imports take most of the time of a short command."""


@pytest.mark.parametrize("command", UNNEEDED)
def test_a_command_loads_only_what_it_needs(command: str, tmp_path: Path) -> None:
    mapping = tmp_path / "mapping.json"
    mapping.write_bytes(qlc.catalogs.mapping_path("drive").read_bytes())
    program = (
        f"import sys; from qlc.cli.start import start_lean; start_lean(); from qlc.cli.main import main\n"
        f"try: main({shlex.split(command.format(mapping=mapping))})\n"
        f"finally: print([name for name in {UNNEEDED[command]} if name in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout
    assert ended.stderr.strip().endswith("[]"), ended.stderr


def test_an_answer_from_standard_input_with_letters_of_all_kinds() -> None:
    ended = process(["run", "--demo", "-", "--json"], 'count documents where folder = "日本出張"')
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["query"] == 'count documents where folder = "日本出張"'


def test_a_terminal_without_unicode() -> None:
    ended = process(["run", "--demo", 'find folders where name = "日本出張"'], PYTHONIOENCODING="ascii")
    assert ended.returncode == 0
    assert "\\u65e5" in ended.stdout


@pytest.mark.parametrize("arguments", [["run", "--demo", "--all", "find documents where size > 1"],
                                       ["explain", "--demo", "count documents"], ["fmt", "count x"]])  # fmt: skip
def test_the_reader_of_a_pipe_goes_away(arguments: list[str]) -> None:
    command = subprocess.Popen(
        [sys.executable, "-m", "qlc.cli.main", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    command.stdout.close()
    said = command.stderr.read()
    command.stderr.close()
    assert command.wait(timeout=120) == 0
    assert said == b""


def test_two_at_once_on_a_store_that_is_not_there_yet(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    commands = [
        subprocess.Popen([sys.executable, "-m", "qlc.cli.main", "run", "--demo", "count documents"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "QLC_DEMO": str(folder)})
        for _ in range(2)
    ]  # fmt: skip
    ended = [command.communicate(timeout=120) for command in commands]
    assert [out for out, _ in ended] == [b"5,947 documents.\n"] * 2
    assert [err for _, err in ended] == [b""] * 2
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_the_tour() -> None:
    ended = subprocess.run([sys.executable, "-m", "qlc.cli.demo"], capture_output=True, text=True, encoding="utf-8",
                           timeout=180, env=dict(os.environ), check=False)  # fmt: skip
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert ended.stdout.count("qlc> ") == 13
    assert ended.stdout.count("ask> ") == 10
    assert '[1] contracts/borden_cleaning.docx, page 1: "Notice period: three months"' in ended.stdout
    assert "Something went wrong" not in ended.stdout


def test_http_libraries_that_no_command_uses_are_left_out_and_stay_importable() -> None:
    program = (
        "import sys; from qlc.cli.start import start_lean; start_lean()\n"
        "import elasticsearch\n"
        "print([name for name in ('aiohttp', 'httpx', 'requests') if name in sys.modules])\n"
        "import aiohttp\n"
        "print(elasticsearch.Elasticsearch('http://localhost:9200').transport is not None)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.splitlines() == ["[]", "True"]
