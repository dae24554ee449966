"""The harness itself: a server that does not start says why, and no server leaves anything."""

import json
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.servers import ElasticsearchServer, StartError
from tests.servers import build as build_module
from tests.servers.build import ROOT, Jdk, find_jdk
from tests.servers.fixtures import RealElasticsearch, require_build

OWNER = """
import sys, time
from tests.servers import ElasticsearchServer
with ElasticsearchServer(8, heap_mb=512, short_lived=True) as server:
    print(server.pid, server.folder, flush=True)
    time.sleep(600)
"""


def _process_is_gone(pid: int, within: float) -> bool:
    deadline = time.monotonic() + within
    while Path(f"/proc/{pid}").exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


@pytest.fixture
def buildable() -> None:
    """The tests below start servers of their own."""
    require_build(8)


@pytest.mark.usefixtures("buildable")
def test_a_killed_owner_leaves_nothing_behind() -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        pid, folder = owner.stdout.readline().split()
    finally:
        owner.send_signal(signal.SIGKILL)
        owner.communicate()
    assert _process_is_gone(int(pid), within=15)
    assert not Path(folder).exists()


@pytest.mark.usefixtures("buildable")
def test_a_setting_that_is_refused_is_reported_with_the_log_and_stop_removes_all() -> None:
    server = ElasticsearchServer(8, heap_mb=512, short_lived=True, settings={"no.such.setting": "1"})
    server.launch()
    pid, folder = server.pid, server.folder
    assert folder.is_dir()
    with pytest.raises(StartError, match=r"unknown setting \[no\.such\.setting\]"):
        server.wait_until_ready()
    server.stop()
    assert not folder.exists()
    assert _process_is_gone(pid, within=0)


def test_without_a_jdk_the_tests_are_left_out_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_module, "_jdk_homes", list)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"needs a JDK of 21 or newer.*install a JDK.*elasticsearch-setup"):
        require_build(9)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI requires"):
        require_build(9)


def test_no_test_downloads_a_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests of a server that is not built are skipped. CI builds it before the tests, so there they fail."""

    def none(*arguments: object) -> None:
        raise AssertionError(arguments)

    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "javac").touch()
    (tmp_path / "release").write_text('JAVA_VERSION="21"\n')
    monkeypatch.setattr(build_module, "_jdk_homes", lambda: iter([tmp_path]))
    monkeypatch.setattr(build_module, "CACHE", tmp_path)
    monkeypatch.setattr(build_module, "_run", none)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"8\.x is not built here: `make elasticsearch-setup`"):
        require_build(8)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"CI requires.*not built"):
        require_build(8)


def test_the_oldest_jdk_that_suffices_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for version in ("11.0.1", "25", "21.0.2", "17.0.9"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "javac").touch()
        (tmp_path / version / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    monkeypatch.setattr(build_module, "_jdk_homes", lambda: iter(tmp_path.iterdir()))
    assert find_jdk(8) == Jdk(tmp_path / "17.0.9", 17)
    assert find_jdk(9) == Jdk(tmp_path / "21.0.2", 21)


def test_opensearch_has_scripts_language_and_vectors(real_opensearch: RealElasticsearch) -> None:
    """It decides what scripts mean: those of Elasticsearch are not among what is published."""
    fields = {
        "count": {"type": "long"},
        "text": {"type": "text", "analyzer": "english"},
        "vector": {
            "type": "knn_vector",
            "dimension": 2,
            "method": {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"},
        },
    }
    _asked(real_opensearch, "PUT", "/kinds", {"settings": {"index.knn": True}, "mappings": {"properties": fields}})
    document = {"count": 3, "text": "running dogs", "vector": [1, 0]}
    _asked(real_opensearch, "PUT", "/kinds/_doc/1?refresh=true", document)
    script = {"source": "doc['count'].value > params.least", "params": {"least": 2}}
    for query in (
        {"script": {"script": script}},
        {"match": {"text": "dog"}},
        {"knn": {"vector": {"vector": [1, 1], "k": 1}}},
    ):
        found = _asked(real_opensearch, "POST", "/kinds/_search", {"query": query})
        assert [hit["_id"] for hit in found["hits"]["hits"]] == ["1"], query
    _asked(real_opensearch, "DELETE", "/kinds")


def _asked(server: RealElasticsearch, method: str, path: str, body: object = None) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server.url + path, data, {"content-type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)
