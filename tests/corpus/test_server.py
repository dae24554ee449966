"""A corpus on a real server: the same as in a folder, and one run at a time."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from qlc.base.errors import UsageError
from qlc.cli.main import main
from qlc.corpus import turns
from qlc.corpus.corpus import Corpus
from tests.docs.pages import ROOT
from tests.servers.fixtures import RealElasticsearch

from .kills import records

LIBRARY, SCHEMA = ROOT / "examples/library", ROOT / "examples/library.yaml"


@pytest.fixture
def name(real_elasticsearch_8: RealElasticsearch) -> Iterator[str]:
    name = f"corpus-{uuid4().hex[:8]}"
    yield name
    with real_elasticsearch_8.client() as client:
        client.indices.delete(index=name, ignore_unavailable=True)


def test_a_corpus_on_a_server_is_that_in_a_folder(
    name: str, real_elasticsearch_8: RealElasticsearch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = ("--url", real_elasticsearch_8.url)
    assert main(["corpus", "add", name, str(LIBRARY), "--schema", str(SCHEMA), *url]) == 0
    assert "16 added" in capsys.readouterr().out
    with Corpus.create(tmp_path / "folder", SCHEMA) as folder, Corpus.open(name, url=url[1]) as served:
        folder.add(LIBRARY, processes=1)
        assert records(served) == records(folder)
        for one in (served, folder):
            assert one.search("bleed the pump", limit=1).hits[0].values["page"] == 2  # type: ignore[union-attr]
        assert [served.remove("invoices/*"), folder.remove("invoices/*")] == [3, 3]
        assert records(served).keys() == records(folder).keys()
    assert main(["ask", "how many contracts with ACME Corp", "--corpus", name, *url]) == 0
    assert capsys.readouterr().out.startswith("2 contracts. [1] [2]\n[1] contracts/acme_services.pdf, page 1: ")
    assert main(["corpus", "remove", name, "--all", *url]) == 0
    assert main(["corpus", "status", name, *url]) == 2


def test_two_runs_at_once_are_one_after_the_other(
    name: str, real_elasticsearch_8: RealElasticsearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(turns, "SILENCE_SECONDS", 0.6)
    with Corpus.create(name, SCHEMA, url=real_elasticsearch_8.url) as corpus:
        with turns.turn(corpus.client, name) as check:
            with pytest.raises(UsageError, match="another run writes to the corpus"):
                corpus.add(LIBRARY, processes=1)
            check()
        assert corpus.add(LIBRARY / "contracts", processes=1).added == 5
        monkeypatch.setattr(turns._Record, "beat", lambda self, ended: ended.wait())  # it is stopped, as by a kill
        with turns.turn(corpus.client, name):
            assert corpus.add(LIBRARY / "notes", processes=1).same_content == 1
        assert not corpus.client.exists(index=name, id=turns.RUN)
