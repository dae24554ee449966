"""The official client of version 8 or 9, whichever is installed, over HTTP: writing, reading, refusals of a server.

`make client-tests` runs these tests and others with the client of version 9.
"""

import json
import os
from pathlib import Path

import elasticsearch
import pytest

import qlc
from qlc.cli.main import main
from qlc.corpus.corpus import Corpus
from tests.servers.loopback import engine_over_http

MAJOR = elasticsearch.__version__[0]
LINES = [{"id": f"n{number}", "title": f"Note {number}", "pages": number} for number in range(30)]
FIELDS = {"id": {"type": "keyword"}, "title": {"type": "keyword"}, "pages": {"type": "long"}}
MAPPING = {"mappings": {"properties": FIELDS}}
FITS = [server for server in (8, 9) if server >= MAJOR]
"""Servers that take this client: those of its version and of the next."""
REFUSES = [MAJOR - 1, MAJOR + 2]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    file = tmp_path / "notes.ndjson"
    file.write_text("\n".join(map(json.dumps, LINES)) + "\n", "utf-8")
    (tmp_path / "mapping.json").write_text(json.dumps(MAPPING), "utf-8")
    return file


def index(lines: Path, url: str, *more: str) -> int:
    mapping = str(lines.with_name("mapping.json"))
    return main(["index", str(lines), "--url", url, "--id", "id", "--mapping", mapping, *more])


def test_the_client_is_the_one_of_this_environment() -> None:
    assert int(os.environ.get("QLC_CLIENT", "8")) == MAJOR


@pytest.mark.parametrize("server", FITS)
def test_a_file_is_loaded_and_asked(lines: Path, server: int, capsys: pytest.CaptureFixture[str]) -> None:
    with engine_over_http(server) as url:
        assert index(lines, url) == 0
        assert index(lines, url) == 0  # over an index that exists: its mapping is extended
        assert index(lines, url, "--fresh") == 0
        assert capsys.readouterr().out.splitlines() == [
            "30 documents in 'notes'.", "30 documents in 'notes', 30 replacing one with the same id.",
            "30 documents in 'notes'.",
        ]  # fmt: skip
        with qlc.connect(url) as client:
            compiler = qlc.Compiler(client, index="notes")
            assert compiler.run("count entries where pages >= 10").message == "20 entries."
            assert compiler.run('get entry("n7").title').kind == "value"


@pytest.mark.parametrize("server", FITS)
async def test_the_asynchronous_client_asks(lines: Path, server: int) -> None:
    with engine_over_http(server) as url:
        assert index(lines, url) == 0
        async with qlc.connect_async(url) as client:
            outcome = await qlc.Compiler(client, index="notes").run_async("find entries where pages > 27")
            assert outcome.ids == ["n28", "n29"]


@pytest.mark.parametrize("server", FITS)
def test_a_corpus_is_made_on_a_server(server: int) -> None:
    with engine_over_http(server) as url:
        Corpus.create("papers", url=url).close()
        assert Corpus.exists("papers", url=url)
        assert not Corpus.exists("others", url=url)
        with Corpus.open("papers", url=url) as corpus:
            assert corpus.status().documents == 0


@pytest.mark.parametrize("server", REFUSES)
def test_a_server_of_another_version_is_named_as_the_cause(
    lines: Path, server: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with engine_over_http(server) as url:
        assert index(lines, url) == 5
        told = capsys.readouterr().err
        assert told.startswith("qlc: The search server does not take requests of this version of its client. Install ")
        assert f"but found {MAJOR}" in told
        with pytest.raises(elasticsearch.BadRequestError):
            Corpus.create("papers", url=url)
