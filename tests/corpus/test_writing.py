"""Writing goes on where an index takes something later, and ends with an error, and no loss, where it takes nothing."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from elastic_transport import ApiResponseMeta, HttpHeaders, NodeConfig
from elastic_transport import ConnectionError as Unreachable
from elasticsearch import ApiError

from qlc.base import extras
from qlc.base.errors import RequestFailed
from qlc.corpus import writing
from qlc.corpus.corpus import Corpus
from tests.tables import table

OPERATIONS: list[dict[str, Any]] = [
    {"index": {"_id": "a"}}, {"text": "a"}, {"delete": {"_id": "b"}}, {"update": {"_id": "c"}}, {"doc": {}}
]  # fmt: skip


def failure(status: int, kind: str) -> ApiError:
    node = NodeConfig("http", "localhost", 9200)
    meta = ApiResponseMeta(status, "1.1", HttpHeaders(), 0.1, node)
    return ApiError(kind, meta, {"error": {"type": kind, "reason": "database or disk is full"}})


class Index:
    """Answers bulk requests by the statuses of their items, one list for each; or raises."""

    def __init__(self, *answers: list[int] | Exception) -> None:
        self.answers = list(answers)
        self.sent: list[list[dict[str, Any]]] = []

    def bulk(self, index: str, operations: list[dict[str, Any]]) -> dict[str, Any]:
        self.sent.append(operations)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        actions = [one for one in operations if one.keys() & {"index", "delete", "update"}]
        items = [{next(iter(one)): {"_id": "x", "status": status}} for one, status in zip(actions, answer, strict=True)]
        return {"items": items}


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PAUSES", (0.0, 0.0))


def test_only_what_was_turned_away_is_sent_again() -> None:
    index = Index([201, 404, 429], failure(503, "unavailable_shards_exception"), Unreachable("gone"))
    with pytest.raises(RequestFailed) as caught:
        writing.written(index, "i", OPERATIONS)
    assert caught.value.reason == "unreachable"
    index = Index([201, 404, 429], [200])
    writing.written(index, "i", OPERATIONS)
    assert index.sent[1] == OPERATIONS[3:]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [([201, 404, 400], "rejected"), ([201, 404, 404], "no-index"), (failure(500, "i_o_exception"), "unavailable")],
)
def test_what_is_never_taken_is_an_error_at_once(answer: list[int] | Exception, reason: str) -> None:
    with pytest.raises(RequestFailed) as caught:
        writing.written(Index(answer), "i", OPERATIONS)
    assert caught.value.reason == reason


def test_an_update_of_what_is_gone_can_be_none() -> None:
    writing.written(Index([201, 404, 404]), "i", OPERATIONS, may_be_gone=True)


def test_a_disk_that_is_full_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "a.txt").write_text("A text of some words.", "utf-8")
    with Corpus.create(tmp_path / "corpus") as corpus:
        corpus.add(files, processes=1)
        (files / "a.txt").write_text("Other words stand here now.", "utf-8")
        with monkeypatch.context() as full:
            full.setattr(corpus.client, "bulk", Index(failure(500, "i_o_exception")).bulk)
            with pytest.raises(RequestFailed, match="disk is full"):
                corpus.add(files, processes=1)
        assert corpus.search("some words").hits[0].values["file"] == ["a.txt"]  # type: ignore[union-attr]
        assert corpus.add(files, processes=1).replaced == 1
        assert corpus.status().documents == 1


WITHOUT_EXTRAS = table(__file__, "WITHOUT_EXTRAS")


def test_without_the_extras_everything_else_works(tmp_path: Path) -> None:
    names = {name for modules in extras._MODULES.values() for name in modules}
    program = WITHOUT_EXTRAS.replace("{names!r}", repr(names))
    command = [sys.executable, "-c", program, str(tmp_path / "corpus")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.startswith("a corpus needs ")
    assert ended.stdout.endswith('not installed here: pip install "qlc-search[corpus]"\n')
    assert not (tmp_path / "corpus").exists()
