"""The engine as a test double, for people who use nothing else of qlc: its client, its fixtures, its README."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

import qlc_engine
from tests.docs.pages import ROOT, blocks
from tests.tables import table

README = "qlc_engine/README.md"
ALONE = table(__file__, "ALONE")
"""Starts Python with only some packages to be found: the rest of an installation is not there."""
TRANSPORT = ["numpy", "elastic_transport", "urllib3", "certifi", "sniffio"]
CLIENT = [*TRANSPORT, "elasticsearch", "anyio", "dateutil", "six", "typing_extensions"]
PYTEST = ["pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments"]


def alone(folder: Path, packages: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process that finds the engine and some packages, and neither qlc nor anything else."""
    command = [sys.executable, "-c", ALONE["START"] + code, json.dumps(packages)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False,
                          env={"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})  # fmt: skip


def test_it_needs_numpy_and_the_transport_only(tmp_path: Path) -> None:
    ended = alone(tmp_path, TRANSPORT, ALONE["TRANSPORT"])
    refused = ["400 [fuzziness], without the package rapidfuzz,", "400 a script, without the package lark,"]
    assert (ended.returncode, ended.stdout.splitlines()) == (0, ["1", *refused]), ended.stderr


def test_the_tests_of_the_readme_pass_without_qlc(tmp_path: Path) -> None:
    (source,) = [block for block in blocks(README, "python") if "def test_" in block]
    (session,) = [block for block in re.findall(r"^```\n(.*?)^```$", (ROOT / README).read_text("utf-8"), re.S | re.M)
                  if block.startswith("$ pytest")]  # fmt: skip
    command, said = session.splitlines()
    name = command.split()[-1]
    assert source.startswith(f"# {name}\n")
    (tmp_path / name).write_text(source, encoding="utf-8")
    code = f"import pytest; sys.exit(pytest.main(['-q', '-p', 'qlc_engine.pytest_plugin', {name!r}]))"
    ended = alone(tmp_path, [*CLIENT, *PYTEST], code)
    assert (ended.returncode, said in ended.stdout) == (0, True), ended.stdout + ended.stderr


def test_no_test_of_the_engine_imports_qlc() -> None:
    """`make engine-tests` runs them all so."""
    command = [sys.executable, "-m", "tests.engine.alone", "--collect-only", "-q"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr


def test_a_run_without_its_fixtures_imports_no_engine(tmp_path: Path) -> None:
    ended = alone(tmp_path, PYTEST, ALONE["PLUGIN"])
    assert (ended.returncode, ended.stdout) == (0, "['qlc_engine', 'qlc_engine.pytest_plugin']\n"), ended.stderr


def test_the_plugin_is_one_of_the_wheel() -> None:
    entries = (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.entry-points.pytest11]")[2]
    assert 'embedded_elasticsearch = "qlc_engine.pytest_plugin"' in entries.partition("\n\n")[0]


def test_a_client_is_the_official_one_with_an_engine_of_its_own() -> None:
    with qlc_engine.Elasticsearch() as one, qlc_engine.Elasticsearch() as other:
        assert isinstance(one, Elasticsearch)
        one.indices.create(index="a")
        assert not other.indices.exists(index="a")


async def test_both_clients_share_an_engine() -> None:
    with qlc_engine.Engine.open(None) as engine, qlc_engine.Elasticsearch(engine) as client:
        client.index(index="a", id="1", document={"n": 1}, refresh=True)
        async with qlc_engine.AsyncElasticsearch(engine) as other:
            assert (await other.count(index="a"))["count"] == 1
        assert client.count(index="a")["count"] == 1  # the engine outlives a client that did not open it


def test_a_folder_is_closed_with_its_client(tmp_path: Path) -> None:
    for number in (1, 2):
        with qlc_engine.Elasticsearch(tmp_path / "store") as client:
            client.index(index="a", document={"n": number}, refresh=True)
            assert client.count(index="a")["count"] == number


def test_a_name_that_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Elastic'"):
        qlc_engine.Elastic  # type: ignore[attr-defined]  # noqa: B018
